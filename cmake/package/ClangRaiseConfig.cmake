# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What find_package(ClangRaise) reads; docs/cmake.md says how it is used.
#
# The same file serves an installed clang-raise, wherever it was moved to, and a
# build folder: in both, bin and lib lie beside each other.
if(CMAKE_VERSION VERSION_LESS 3.20)
  set(ClangRaise_FOUND FALSE)
  set(ClangRaise_NOT_FOUND_MESSAGE
    "The CMake functions of clang-raise need CMake 3.20 or later; this is ${CMAKE_VERSION}.")
  return()
endif()
cmake_policy(VERSION 3.20...3.25)

get_filename_component(ClangRaise_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(ClangRaise_EXECUTABLE "${ClangRaise_PREFIX}/bin/clang-raise")
set(ClangRaise_INCLUDE_DIR "${ClangRaise_PREFIX}/lib/clang-raise/runtime")
foreach(ClangRaise_Part IN ITEMS "${ClangRaise_EXECUTABLE}" "${ClangRaise_INCLUDE_DIR}")
  if(NOT EXISTS "${ClangRaise_Part}")
    set(ClangRaise_FOUND FALSE)
    set(ClangRaise_NOT_FOUND_MESSAGE
      "'${ClangRaise_Part}' is missing: in a build folder, build it first (ninja clang-raise); else install clang-raise again.")
    return()
  endif()
endforeach()
unset(ClangRaise_Part)

if(NOT TARGET ClangRaise::clang-raise)
  add_executable(ClangRaise::clang-raise IMPORTED)
  set_target_properties(ClangRaise::clang-raise PROPERTIES
    IMPORTED_LOCATION "${ClangRaise_EXECUTABLE}")
endif()

# What emitted code includes, and OpenMP. Without OpenMP it is right too, on one
# thread.
if(NOT TARGET ClangRaise::runtime)
  add_library(ClangRaise::runtime INTERFACE IMPORTED)
  set_target_properties(ClangRaise::runtime PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${ClangRaise_INCLUDE_DIR}")
  find_package(OpenMP QUIET)
  foreach(ClangRaise_Language IN ITEMS C CXX)
    if(TARGET OpenMP::OpenMP_${ClangRaise_Language})
      set_property(TARGET ClangRaise::runtime APPEND PROPERTY
        INTERFACE_LINK_LIBRARIES OpenMP::OpenMP_${ClangRaise_Language})
    endif()
  endforeach()
  unset(ClangRaise_Language)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/ClangRaiseFunctions.cmake")
