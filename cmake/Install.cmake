# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` and the packages hold, besides share. The build folder has
# the same layout, so that the CMake package can be used from there too.
#
# The tool finds its headers, and the CMake package finds both, relative to each
# other; so the folders bin and lib/clang-raise are not to be chosen.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(RAISE_PACKAGE_DIR ${PROJECT_BINARY_DIR}/lib/cmake/ClangRaise)
foreach(File IN ITEMS ClangRaiseConfig.cmake ClangRaiseFunctions.cmake ClangRaiseCommand.cmake)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/package/${File} ${RAISE_PACKAGE_DIR}/${File} COPYONLY)
endforeach()
# Until 1.0 a second number that differs may mean another interface.
write_basic_package_version_file(${RAISE_PACKAGE_DIR}/ClangRaiseConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

# The user's tool and what belongs to it is one component; the developers' tools
# are another, installed only where it is named.
install(TARGETS clang-raise RUNTIME DESTINATION bin)
get_property(Tools GLOBAL PROPERTY RAISE_TOOLS)
list(REMOVE_ITEM Tools clang-raise)
install(TARGETS ${Tools} RUNTIME DESTINATION bin COMPONENT developer EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/Headers/runtime ${PROJECT_SOURCE_DIR}/lib/Headers/prelude
  DESTINATION lib/clang-raise)
install(DIRECTORY ${RAISE_PACKAGE_DIR} DESTINATION lib/cmake)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
              ${PROJECT_SOURCE_DIR}/share/copyright
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
