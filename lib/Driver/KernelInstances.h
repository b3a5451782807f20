//===- KernelInstances.h - what a template kernel was instantiated to -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. Each instantiation of a template kernel is raised on
// its own and becomes a plain function in front of the template, whose launcher
// chooses it at compile time by the template's arguments. That asks for
// arguments which can be spelled there, and for all that the instantiation uses
// to be declared there already.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_KERNELINSTANCES_H
#define RAISE_LIB_DRIVER_KERNELINSTANCES_H

#include "Candidate.h"

namespace raise {

/// How one instantiation is told from the others.
struct KernelInstance {
  std::string Name;      ///< "scale<float, 3>"
  std::string Suffix;    ///< "float_3"
  std::string Condition; ///< "std::is_same_v<T, float> && N == 3"
};

/// Of an instantiation of a function template that whyNotKernel has nothing
/// against.
KernelInstance kernelInstance(const clang::FunctionDecl &FD);

/// "scale<float, 3>", of any instantiation, as compilers name it.
std::string nameOfInstance(const clang::FunctionDecl &FD);

/// What the translation of a raised kernel cannot express.
Reason whyNotKernel(const clang::FunctionDecl &FD, const SourceLoc &Loc);

/// The one result of a kernel from those of its instantiations, which are in
/// the order in which the file asks for them. A plain kernel has one, and its
/// result is that.
Result resultOfInstances(llvm::ArrayRef<const Candidate *> Instances);

/// Whether A is the worse outcome.
bool isWorse(const Result &A, const Result &B);

} // namespace raise

#endif // RAISE_LIB_DRIVER_KERNELINSTANCES_H
