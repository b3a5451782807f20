//===- Fact.h - what the user says of a place --------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A fact that the user asks to take for granted is a statement: a Decl of a
// constant that nothing uses, with a name that no source can spell:
//
//   `assume(n % 4 == 0)`: bool = n % 4 == 0          the value is true
//   `extent(p has n elements)`: i64 = n, with Base p  p has that many elements
//
// It holds in what follows it in its block, as long as its variables keep their
// values. Whoever uses it names it: it goes into Obligations::Assumptions.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_FACT_H
#define RAISE_IR_FACT_H

#include "raise/IR/Stmt.h"

namespace raise {

/// Cond is a bool. Says: as the user wrote it.
StmtRef makeAssumption(ExprRef Cond, llvm::StringRef Says, SourceLoc Loc = {});
/// Elements is an i64.
StmtRef makeExtent(BufferRef Of, ExprRef Elements, llvm::StringRef Says,
                   SourceLoc Loc = {});

/// S, if it is a fact; else null.
const Decl *asFact(const Stmt &S);
/// Of a fact: whether it is an extent, of its variable's Base.
bool isExtent(const Decl &Fact);
/// Of a fact, as the user wrote it.
llvm::StringRef saysOf(const Decl &Fact);

/// Whether a fact still holds after S has begun, and all through it: nothing in
/// it sets one of the fact's variables.
bool holdsThrough(const Decl &Fact, const StmtRef &S);

} // namespace raise

#endif // RAISE_IR_FACT_H
