//===- NoPosixRaise.h - keep the name `raise` for our namespace -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// POSIX declares a function raise() in <signal.h>, which system and GoogleTest
// headers include; C++ lets no namespace share its name. This file is included
// first in every source of the project, so that the function is declared under
// another name there. Nothing here calls it.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_CMAKE_NOPOSIXRAISE_H
#define RAISE_CMAKE_NOPOSIXRAISE_H

#define raise raisePosixSignal
#include <signal.h>
#undef raise

#endif // RAISE_CMAKE_NOPOSIXRAISE_H
