//===- Origins.h - the places that printed statements have ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_ORIGINS_H
#define RAISE_LIB_EMIT_ORIGINS_H

#include "StmtPrinter.h"
#include "raise/Emit/TraceScope.h"

namespace raise {

/// The places of S and of all that it computes itself: what stands in a
/// statement inside of it is not its own.
Origins originsOf(const Stmt &S);
/// Of the head of F.
Origins originsOf(const Function &F);
/// What is printed while it lives came from these statements: where several
/// loops of theirs became one, that one has the places of all of them.
class OriginalScope {
public:
  explicit OriginalScope(const StmtRef &Original);
  ~OriginalScope();
  OriginalScope(const OriginalScope &) = delete;
  OriginalScope &operator=(const OriginalScope &) = delete;

private:
  const StmtRef Before;
};
/// Of the loop over It, one of T's.
Origins originsOf(const TensorOp &T, const Iterator &It);

/// Of S and all statements inside of it.
Origins originsWithin(const Stmt &S);

/// Gives the lines of C that are code and have no origins yet these.
void markLines(Code &C, const Origins &From);

/// The original text as lines; those after the first keep their own indent.
/// Where it ends is where R does.
Code originalCode(llvm::StringRef Text, unsigned Column, const SourceLoc &Of);

/// Adds the lines of C, made of F, to the trace, if there is one.
void record(const Code &C, const Function &F);

} // namespace raise

#endif // RAISE_LIB_EMIT_ORIGINS_H
