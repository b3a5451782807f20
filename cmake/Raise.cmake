# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How every library, tool and unit test of the project is built.
#
#   raise_add_library(RaiseX a.cpp b.cpp [DEPENDS RaiseY LLVM clang-cpp isl::isl] [CLANG_PCH])
#   raise_add_tool(name main.cpp [DEPENDS ...] [CLANG_PCH])
#   raise_add_unittest(RaiseXTests a.cpp [DEPENDS RaiseX ...] [CLANG_PCH])
#
# LLVM is linked by all of them. CLANG_PCH also links clang-cpp and compiles
# with a precompiled header of the Clang headers that take longest.

option(RAISE_PCH "Precompile the Clang headers" ON)
option(RAISE_REQUIRE_ALL
  "Make a target whose sources are not all there an error; ./dev sets it" OFF)
set(RAISE_SANITIZE "" CACHE STRING "Value of -fsanitize=, empty for none")

# Flags that everything here is compiled with. LLVM's headers are system
# headers, so that only our own code can warn.
add_library(RaiseFlags INTERFACE)
target_include_directories(RaiseFlags INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_include_directories(RaiseFlags SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
separate_arguments(RaiseLLVMDefinitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(RaiseFlags INTERFACE ${RaiseLLVMDefinitions})
target_compile_options(RaiseFlags INTERFACE
  "SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/NoPosixRaise.h"
  -fno-rtti -fno-exceptions -Wall -Wextra
  # Assertions name their file; not where it lay when it was built.
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
  # As LLVM builds itself: an Expected wants the move that gcc calls redundant.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-redundant-move>
  # libstdc++ 12 uses a function that it deprecates itself in stable_sort, and
  # clang reports that in whatever source calls it.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
if(RAISE_SANITIZE)
  # LLVM and Clang come without RTTI, so the vptr check cannot be used.
  target_compile_options(RaiseFlags INTERFACE
    -fsanitize=${RAISE_SANITIZE} -fno-sanitize=vptr
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(RaiseFlags INTERFACE -fsanitize=${RAISE_SANITIZE})
endif()

# One precompiled header, shared by all targets that ask for it.
function(raise_use_clang_pch Target)
  target_link_libraries(${Target} PUBLIC clang-cpp)
  if(NOT RAISE_PCH)
    return()
  endif()
  if(NOT TARGET RaiseClangPch)
    set(Source ${PROJECT_BINARY_DIR}/RaiseClangPch.cpp)
    file(CONFIGURE OUTPUT ${Source} CONTENT "// Carries the precompiled header.\n")
    add_library(RaiseClangPch STATIC ${Source})
    target_link_libraries(RaiseClangPch PUBLIC RaiseFlags LLVM clang-cpp)
    target_precompile_headers(RaiseClangPch PRIVATE
      <clang/AST/ASTContext.h>
      <clang/AST/RecursiveASTVisitor.h>
      <clang/ASTMatchers/ASTMatchFinder.h>
      <clang/Frontend/CompilerInstance.h>
      <clang/Tooling/Tooling.h>)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      target_compile_options(RaiseClangPch PRIVATE
        "SHELL:-Xclang -fno-pch-timestamp")
    endif()
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${Target} PRIVATE
      "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  target_precompile_headers(${Target} REUSE_FROM RaiseClangPch)
endfunction()

# Sets Out to whether all the sources exist. One library that is being written
# must not stop work on the others, so by default such a target is left out with
# a warning; what links it then fails to link. ./dev, and so CI, stops instead.
function(raise_sources_exist Out Name)
  set(${Out} TRUE PARENT_SCOPE)
  foreach(Source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH Source OUTPUT_VARIABLE Path)
    if(NOT EXISTS ${Path})
      set(${Out} FALSE PARENT_SCOPE)
      if(RAISE_REQUIRE_ALL)
        message(FATAL_ERROR "${Name}: no source file ${Source}")
      endif()
      message(WARNING "${Name} is left out: no source file ${Source}")
      return()
    endif()
  endforeach()
endfunction()

function(raise_configure_target Target Depends Pch)
  target_link_libraries(${Target} PUBLIC RaiseFlags ${Depends} LLVM)
  if(Pch)
    raise_use_clang_pch(${Target})
  endif()
endfunction()

function(raise_add_library Name)
  cmake_parse_arguments(ARG "CLANG_PCH" "" "DEPENDS" ${ARGN})
  raise_sources_exist(Complete ${Name} ${ARG_UNPARSED_ARGUMENTS})
  if(NOT Complete)
    return()
  endif()
  add_library(${Name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  raise_configure_target(${Name} "${ARG_DEPENDS}" ${ARG_CLANG_PCH})
endfunction()

function(raise_add_tool Name)
  cmake_parse_arguments(ARG "CLANG_PCH" "" "DEPENDS" ${ARGN})
  raise_sources_exist(Complete ${Name} ${ARG_UNPARSED_ARGUMENTS})
  if(NOT Complete)
    return()
  endif()
  add_executable(${Name} ${ARG_UNPARSED_ARGUMENTS})
  raise_configure_target(${Name} "${ARG_DEPENDS}" ${ARG_CLANG_PCH})
  set_property(GLOBAL APPEND PROPERTY RAISE_TOOLS ${Name})
endfunction()

# One ctest entry a binary. The cases it ran are counted from the XML file that
# it leaves in test-results/ (test/count.py).
function(raise_add_unittest Name)
  cmake_parse_arguments(ARG "CLANG_PCH" "" "DEPENDS" ${ARGN})
  raise_sources_exist(Complete ${Name} ${ARG_UNPARSED_ARGUMENTS})
  if(NOT Complete)
    return()
  endif()
  add_executable(${Name} ${ARG_UNPARSED_ARGUMENTS})
  raise_configure_target(${Name} "${ARG_DEPENDS}" ${ARG_CLANG_PCH})
  target_link_libraries(${Name} PUBLIC GTest::gtest_main GTest::gmock)
  set_target_properties(${Name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unittests)
  set_property(GLOBAL APPEND PROPERTY RAISE_UNITTESTS ${Name})
  add_test(NAME ${Name} COMMAND ${Name}
    --gtest_output=xml:${PROJECT_BINARY_DIR}/test-results/unit/${Name}.xml)
endfunction()
