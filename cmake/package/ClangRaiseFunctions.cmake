# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# clang_raise_gradient and clang_raise_rewrite; docs/cmake.md describes them.
#
# Each source is parsed with the command that compiles it for its target. CMake
# writes that to compile_commands.json whenever it runs; ClangRaiseCommand.cmake
# takes it out of there into a database of that one source, which changes only if
# the command does, so that running CMake again makes nothing again.
set(ClangRaise_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")

# Ends with an error that names the function and the target.
function(_clang_raise_fail Function Target Text)
  message(FATAL_ERROR "${Function}(${Target}): ${Text}")
endfunction()

# What both functions ask of their target and their arguments.
function(_clang_raise_check Function Target Unparsed Empty)
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    _clang_raise_fail(${Function} ${Target}
      "the generator '${CMAKE_GENERATOR}' writes no compile_commands.json, from which clang-raise learns how a source is compiled; use Ninja or Unix Makefiles.")
  endif()
  if(NOT TARGET ${Target})
    _clang_raise_fail(${Function} ${Target} "there is no target '${Target}'; call it after add_library or add_executable.")
  endif()
  get_target_property(Imported ${Target} IMPORTED)
  get_target_property(Alias ${Target} ALIASED_TARGET)
  get_target_property(Type ${Target} TYPE)
  if(Imported OR Alias OR NOT Type MATCHES "LIBRARY|EXECUTABLE" OR Type STREQUAL "INTERFACE_LIBRARY")
    _clang_raise_fail(${Function} ${Target} "'${Target}' compiles no sources here; name the library or executable that does.")
  endif()
  get_target_property(Folder ${Target} SOURCE_DIR)
  if(NOT Folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    _clang_raise_fail(${Function} ${Target} "call it in ${Folder}/CMakeLists.txt, where the target is made: CMake lets only that folder add generated files to it.")
  endif()
  if(Unparsed)
    list(JOIN Unparsed " " Words)
    _clang_raise_fail(${Function} ${Target} "'${Words}' is not understood; docs/cmake.md lists the arguments.")
  endif()
  if(Empty)
    list(GET Empty 0 Word)
    _clang_raise_fail(${Function} ${Target} "${Word} needs a value.")
  endif()
endfunction()

# Sets Out to the absolute path of a source as add_library would take it.
function(_clang_raise_source Out Function Target Source)
  get_filename_component(Path "${Source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  get_source_file_property(Generated "${Path}" GENERATED)
  if(NOT Generated AND NOT EXISTS "${Path}")
    get_target_property(Sources ${Target} SOURCES)
    list(JOIN Sources ", " Sources)
    _clang_raise_fail(${Function} ${Target}
      "there is no source '${Path}'; the sources of ${Target} are: ${Sources}.")
  endif()
  set(${Out} "${Path}" PARENT_SCOPE)
endfunction()

# Sets Out to the place of a source below Folder that its place in the project
# gives it.
function(_clang_raise_mirrored Out Source Folder)
  foreach(Root IN ITEMS "${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(IS_PREFIX Root "${Source}" NORMALIZE IsBelow)
    if(IsBelow)
      file(RELATIVE_PATH Below "${Root}" "${Source}")
      set(${Out} "${Folder}/${Below}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  string(MD5 Hash "${Source}")
  string(SUBSTRING ${Hash} 0 8 Hash)
  get_filename_component(Name "${Source}" NAME)
  set(${Out} "${Folder}/${Hash}/${Name}" PARENT_SCOPE)
endfunction()

# Where the raised copy of a source of Target lies.
function(_clang_raise_copy Out Target Source)
  _clang_raise_mirrored(Path "${Source}" "${CMAKE_CURRENT_BINARY_DIR}/clang-raise/${Target}/raised")
  if(Path MATCHES "\\.cu$")
    string(APPEND Path ".cpp")
  endif()
  set(${Out} "${Path}" PARENT_SCOPE)
endfunction()

# Sets Out to the folder of the database that holds how Source is compiled for
# Target, and has it made.
function(_clang_raise_database Out Target Source)
  _clang_raise_mirrored(Folder "${Source}" "${CMAKE_CURRENT_BINARY_DIR}/clang-raise/${Target}/commands")
  set(${Out} "${Folder}" PARENT_SCOPE)
  get_property(Known TARGET ${Target} PROPERTY CLANG_RAISE_DATABASES)
  if(Folder IN_LIST Known)
    return()
  endif()
  set_property(TARGET ${Target} APPEND PROPERTY CLANG_RAISE_DATABASES "${Folder}")
  set_property(TARGET ${Target} PROPERTY EXPORT_COMPILE_COMMANDS ON)
  _clang_raise_copy(Copy ${Target} "${Source}")
  # Sources of a unity build have no command of their own.
  set_source_files_properties("${Source}" "${Copy}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  get_filename_component(Name "${Source}" NAME)
  add_custom_command(
    OUTPUT "${Folder}/compile_commands.json"
    COMMAND ${CMAKE_COMMAND}
      "-DDATABASE=${CMAKE_BINARY_DIR}/compile_commands.json" "-DTARGET=${Target}"
      "-DSOURCE=${Source}" "-DCOPY=${Copy}" "-DRESULT=${Folder}/compile_commands.json"
      -P "${ClangRaise_CMAKE_DIR}/ClangRaiseCommand.cmake"
    DEPENDS "${CMAKE_BINARY_DIR}/compile_commands.json"
            "${ClangRaise_CMAKE_DIR}/ClangRaiseCommand.cmake"
    COMMENT "Reading how ${Name} is compiled" VERBATIM)
endfunction()

# Notes which settings there are above Source in a file that changes when others
# are found. Changes of those that were read, and that one is gone, are told by the
# depfile: as a dependency of the command, a file that is gone would be an error.
function(_clang_raise_settings Out Source Database)
  set(Found "")
  get_filename_component(Folder "${Source}" DIRECTORY)
  while(TRUE)
    foreach(Name IN ITEMS .clang-raise .clang-format _clang-format)
      if(EXISTS "${Folder}/${Name}")
        string(APPEND Found "${Folder}/${Name}\n")
      endif()
    endforeach()
    get_filename_component(Above "${Folder}" DIRECTORY)
    if(Above STREQUAL Folder)
      break()
    endif()
    set(Folder "${Above}")
  endwhile()
  file(CONFIGURE OUTPUT "${Database}/settings.txt" CONTENT "@Found@" @ONLY)
  set(${Out} "${Database}/settings.txt" PARENT_SCOPE)
endfunction()

# Has the tool make the files Outputs, of which it is told the first with -o.
function(_clang_raise_run Source Database Comment Outputs)
  list(GET Outputs 0 Output)
  _clang_raise_settings(Settings "${Source}" "${Database}")
  # Ninja sees that an output is as it was and makes nothing of it again; for
  # make it would be out of date for ever.
  set(Touch)
  if(CMAKE_GENERATOR MATCHES "Makefiles")
    set(Touch COMMAND ${CMAKE_COMMAND} -E touch ${Outputs})
  endif()
  # -o needs its folder.
  get_filename_component(Folder "${Output}" DIRECTORY)
  file(MAKE_DIRECTORY "${Folder}")
  add_custom_command(
    OUTPUT ${Outputs}
    COMMAND ClangRaise::clang-raise ${ARGN} -p "${Database}" -o "${Output}"
      "--depfile=${Output}.d" "${Source}"
    ${Touch}
    DEPENDS "${Source}" "${Database}/compile_commands.json" "${Settings}"
            "${ClangRaise_EXECUTABLE}"
    DEPFILE "${Output}.d"
    COMMENT "${Comment}" VERBATIM)
endfunction()

# Sets Out to the one source that Target has.
function(_clang_raise_only_source Out Target)
  get_target_property(Sources ${Target} SOURCES)
  set(Compiled)
  foreach(Source IN LISTS Sources)
    get_filename_component(Path "${Source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    get_source_file_property(Generated "${Path}" GENERATED)
    if(Source MATCHES "\\.(c|C|cc|cpp|cxx|c\\+\\+|cu)$" AND NOT Generated)
      list(APPEND Compiled "${Source}")
    endif()
  endforeach()
  list(LENGTH Compiled Count)
  if(NOT Count EQUAL 1)
    list(JOIN Compiled ", " Names)
    _clang_raise_fail(clang_raise_gradient ${Target}
      "say with SOURCE which file holds the function; the sources of ${Target} are: ${Names}.")
  endif()
  set(${Out} "${Compiled}" PARENT_SCOPE)
endfunction()

# What is made of CUDA includes the shipped headers; with PUBLIC, so does what
# includes a header of it. target_link_libraries would have to be called as the
# project calls it, with such a word or without.
function(_clang_raise_link_runtime Target Scope)
  set_property(TARGET ${Target} APPEND PROPERTY LINK_LIBRARIES ClangRaise::runtime)
  get_target_property(Type ${Target} TYPE)
  set(Interface)
  if(Scope STREQUAL "PUBLIC")
    set(Interface ClangRaise::runtime)
  elseif(Type STREQUAL "STATIC_LIBRARY")
    set(Interface "$<LINK_ONLY:ClangRaise::runtime>")
  endif()
  set_property(TARGET ${Target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${Interface})
endfunction()

function(clang_raise_gradient Target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SPLIT;VERIFY" "SOURCE;MODE;DIRECTIONS;OUTPUT"
    "FUNCTION;WRT;OF;OPTIONS")
  _clang_raise_check(clang_raise_gradient ${Target}
    "${ARG_UNPARSED_ARGUMENTS}" "${ARG_KEYWORDS_MISSING_VALUES}")
  if(NOT ARG_FUNCTION)
    _clang_raise_fail(clang_raise_gradient ${Target} "name the function to differentiate: FUNCTION <name>.")
  endif()
  if(NOT ARG_MODE)
    set(ARG_MODE reverse)
  elseif(NOT ARG_MODE MATCHES "^(reverse|forward)$")
    _clang_raise_fail(clang_raise_gradient ${Target} "MODE is reverse or forward, not '${ARG_MODE}'.")
  endif()
  if(NOT ARG_SOURCE)
    _clang_raise_only_source(ARG_SOURCE ${Target})
  endif()
  _clang_raise_source(Source clang_raise_gradient ${Target} "${ARG_SOURCE}")

  if(NOT ARG_OUTPUT)
    get_filename_component(Stem "${Source}" NAME_WLE)
    set(Extension .cpp)
    if(Source MATCHES "\\.c$")
      set(Extension .c)
    endif()
    set(Kind adjoint)
    if(ARG_MODE STREQUAL "forward")
      set(Kind tangent)
    endif()
    set(ARG_OUTPUT "${Stem}_${Kind}${Extension}")
  endif()
  get_filename_component(Output "${ARG_OUTPUT}" ABSOLUTE
    BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}/clang-raise/${Target}")
  get_property(Known TARGET ${Target} PROPERTY CLANG_RAISE_OUTPUTS)
  if(Output IN_LIST Known)
    _clang_raise_fail(clang_raise_gradient ${Target}
      "'${Output}' is made by an earlier call already; give this one a name of its own with OUTPUT, or name both functions in one call.")
  endif()
  set_property(TARGET ${Target} APPEND PROPERTY CLANG_RAISE_OUTPUTS "${Output}")
  string(REGEX REPLACE "\\.[^./]*$" ".h" Header "${Output}")

  set(Options --mode=${ARG_MODE})
  foreach(Function IN LISTS ARG_FUNCTION)
    list(APPEND Options "--function=${Function}")
  endforeach()
  foreach(Names IN ITEMS WRT OF)
    if(ARG_${Names})
      string(TOLOWER ${Names} Option)
      list(JOIN ARG_${Names} "," Value)
      list(APPEND Options "--${Option}=${Value}")
    endif()
  endforeach()
  if(ARG_DIRECTIONS)
    list(APPEND Options "--directions=${ARG_DIRECTIONS}")
  endif()
  if(ARG_SPLIT)
    list(APPEND Options --split)
  endif()
  if(ARG_VERIFY)
    list(APPEND Options --verify)
  endif()

  _clang_raise_database(Database ${Target} "${Source}")
  list(JOIN ARG_FUNCTION ", " Names)
  get_filename_component(Name "${Source}" NAME)
  _clang_raise_run("${Source}" "${Database}" "Differentiating ${Names} of ${Name}"
    "${Output};${Header}" grad ${Options} ${ARG_OPTIONS})
  get_filename_component(Folder "${Output}" DIRECTORY)
  target_sources(${Target} PRIVATE "${Output}" "${Header}")
  if(Source MATCHES "\\.cu$")
    _clang_raise_link_runtime(${Target} PUBLIC)
  endif()
  target_include_directories(${Target} PUBLIC "$<BUILD_INTERFACE:${Folder}>")
endfunction()

# Gives Copy the properties by which Source is compiled.
function(_clang_raise_same_properties Source Copy)
  foreach(Property IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FLAGS
      INCLUDE_DIRECTORIES OBJECT_DEPENDS SKIP_PRECOMPILE_HEADERS)
    get_source_file_property(Value "${Source}" ${Property})
    if(Value)
      set_source_files_properties("${Copy}" PROPERTIES ${Property} "${Value}")
    endif()
  endforeach()
  # Where the name says another language than the project does.
  get_source_file_property(Language "${Source}" LANGUAGE)
  get_source_file_property(Named "${Copy}" LANGUAGE)
  if(Language MATCHES "^(C|CXX)$" AND NOT Language STREQUAL Named)
    set_source_files_properties("${Copy}" PROPERTIES LANGUAGE ${Language})
  endif()
  # Its includes in quotes are found from where the source lies. Those of a CUDA
  # source are adapted by the tool.
  if(NOT Source MATCHES "\\.cu$")
    get_filename_component(Folder "${Source}" DIRECTORY)
    set_property(SOURCE "${Copy}" APPEND PROPERTY COMPILE_OPTIONS "-iquote${Folder}")
  endif()
endfunction()

function(clang_raise_rewrite Target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "VERIFY" "" "SOURCES;OPTIONS")
  _clang_raise_check(clang_raise_rewrite ${Target}
    "${ARG_UNPARSED_ARGUMENTS}" "${ARG_KEYWORDS_MISSING_VALUES}")
  set(Asked)
  foreach(Source IN LISTS ARG_SOURCES)
    _clang_raise_source(Path clang_raise_rewrite ${Target} "${Source}")
    list(APPEND Asked "${Path}")
  endforeach()
  set(Verify)
  if(ARG_VERIFY)
    set(Verify --verify)
  endif()

  get_target_property(Sources ${Target} SOURCES)
  set(Result)
  set(Done)
  set(NeedsRuntime FALSE)
  foreach(Source IN LISTS Sources)
    get_filename_component(Path "${Source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    get_source_file_property(Generated "${Path}" GENERATED)
    get_source_file_property(HeaderOnly "${Path}" HEADER_FILE_ONLY)
    set(Taken FALSE)
    if(Path IN_LIST Asked)
      set(Taken TRUE)
    elseif(NOT ARG_SOURCES AND Path MATCHES "\\.(c|C|cc|cpp|cxx|c\\+\\+|cu)$" AND NOT Source MATCHES "\\$<"
        AND NOT Generated AND NOT HeaderOnly)
      set(Taken TRUE)
    endif()
    if(NOT Taken)
      list(APPEND Result "${Source}")
      continue()
    endif()
    list(APPEND Done "${Path}")
    _clang_raise_copy(Copy ${Target} "${Path}")
    _clang_raise_database(Database ${Target} "${Path}")
    get_filename_component(Name "${Path}" NAME)
    _clang_raise_run("${Path}" "${Database}" "Raising ${Name}" "${Copy}" rewrite --quiet ${Verify} ${ARG_OPTIONS})
    _clang_raise_same_properties("${Path}" "${Copy}")
    if(Path MATCHES "\\.cu$")
      set(NeedsRuntime TRUE)
    endif()
    list(APPEND Result "${Copy}")
  endforeach()
  foreach(Path IN LISTS Asked)
    if(NOT Path IN_LIST Done)
      list(JOIN Sources ", " Names)
      _clang_raise_fail(clang_raise_rewrite ${Target} "'${Path}' is none of the target's sources, which are: ${Names}.")
    endif()
  endforeach()
  if(NOT Done)
    _clang_raise_fail(clang_raise_rewrite ${Target} "the target has no C, C++ or CUDA source; call it after its sources were added.")
  endif()
  set_property(TARGET ${Target} PROPERTY SOURCES ${Result})
  if(NeedsRuntime)
    _clang_raise_link_runtime(${Target} PRIVATE)
  endif()
endfunction()
