# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Packages: `cpack -G DEB` or `cpack -G TGZ` in the build folder.
set(CPACK_PACKAGE_NAME clang-raise)
set(CPACK_PACKAGE_VENDOR clang-raise)
set(RAISE_PACKAGE_CONTACT "clang-raise <root@localhost>" CACHE STRING
  "Whom a package names as its maintainer")
set(CPACK_PACKAGE_CONTACT ${RAISE_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Raise CUDA kernels and indexed loops to parallel C++, with derivatives")
set(CPACK_PACKAGE_DESCRIPTION
"clang-raise reads C, C++ and CUDA sources through a compilation database, proves
what their kernels and indexed loops compute, and writes that back as readable
C++ with OpenMP that builds without a GPU. It generates adjoint and tangent
functions as source, and compares what it wrote with the original by compiling
and running both.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Sources are parsed with Clang's own headers; --verify compiles and runs.
set(CPACK_DEBIAN_PACKAGE_DEPENDS libclang-common-19-dev)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-19, libomp-19-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, libeigen3-dev, libopenblas-dev")
include(CPack)
