# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The libraries, compiler cache and linker that the build uses.

# Only LLVM 19 will do: the Clang AST interface changes with every release.
find_package(LLVM 19.1 REQUIRED CONFIG
  HINTS /usr/lib/llvm-19/lib/cmake/llvm /usr/lib/llvm-19/cmake)
find_package(Clang REQUIRED CONFIG
  HINTS ${LLVM_INSTALL_PREFIX}/lib/cmake/clang NO_DEFAULT_PATH)
find_package(nlohmann_json 3 REQUIRED CONFIG)
find_package(GTest REQUIRED)

find_path(ISL_INCLUDE_DIR isl/ctx.h REQUIRED)
find_library(ISL_LIBRARY isl REQUIRED)
if(NOT TARGET isl::isl)
  add_library(isl::isl UNKNOWN IMPORTED)
  set_target_properties(isl::isl PROPERTIES
    IMPORTED_LOCATION ${ISL_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${ISL_INCLUDE_DIR})
endif()

# The sloppiness is what ccache asks for before it caches a compilation that
# uses a precompiled header.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE_PROGRAM})
endif()

include(CheckLinkerFlag)
foreach(Linker IN ITEMS mold lld)
  check_linker_flag(CXX -fuse-ld=${Linker} RAISE_HAVE_LINKER_${Linker})
  if(RAISE_HAVE_LINKER_${Linker})
    add_link_options(-fuse-ld=${Linker})
    break()
  endif()
endforeach()
