//===- ArgumentSizes.h - arrays that parameters and members are -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. A parameter of a function that only this file can
// call is one of the arrays that its calls pass. Whether a loop over it may
// ever be long enough for threads depends on their sizes; nothing else does.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_ARGUMENTSIZES_H
#define RAISE_LIB_DRIVER_ARGUMENTSIZES_H

#include "raise/Emit/KnownSizes.h"
#include "raise/IR/Function.h"
#include <memory>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace raise {

class ArgumentSizes {
public:
  /// AST outlives this. Its calls are looked for once they are asked for.
  explicit ArgumentSizes(clang::ASTContext &AST);
  ~ArgumentSizes();

  /// Adds to Sizes what is known of the buffers of Lifted, which is FD.
  void add(const clang::FunctionDecl &FD, const Function &Lifted,
           ArraySizes &Sizes);

private:
  class Calls;
  clang::ASTContext &AST;
  std::unique_ptr<Calls> Found;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_ARGUMENTSIZES_H
