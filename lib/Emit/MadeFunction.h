//===- MadeFunction.h - parts of a made function's text ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What emitMadeFunction prints a function from, for a dialect with another
// frame.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_MADEFUNCTION_H
#define RAISE_LIB_EMIT_MADEFUNCTION_H

#include "ExprPrinter.h"
#include "raise/Emit/Source.h"

namespace raise {

/// S, where a block that stands among other statements is those statements: it
/// is printed without braces, so its variables are visible behind it.
StmtRef spliced(const StmtRef &S);

/// What has to do with the names that F's body is printed with.
StmtRef allPrinted(const Function &F);

/// The parameters that lead to one element each and that no source spells.
llvm::DenseSet<const Buffer *> singleElements(const Function &F);

/// "void f(float *y, int n)"
std::string headOf(const Function &F, const ExprPrinter &P, bool AllNamed);

/// What ends the program in place of R's original, if that is all of it.
const Opaque *stopOf(const Region &R);

/// What Requires asks of a call, for the person whose call does not fit: "x
/// must not overlap y or w".
std::string requirementsText(llvm::ArrayRef<Guard> Requires);

/// Tests what F requires, and runs the statements of Stop, without their
/// semicolons, where that does not hold.
StmtRef required(const Function &F, llvm::ArrayRef<std::string> Stop,
                 ExprPrinter &P, Names &N);

/// The region that ends F's body, if its original is a function of its own or
/// ends the program.
const Region *ofTwoForms(const Function &F);

/// What R's tests say, as far as it holds wherever its body goes, and Apart.
std::vector<Guard> stillHolding(const Region &R, BufferPairs Apart);

/// What leaves for the general form where R's guards do not hold.
StmtRef chooseForm(const Function &F, const Region &R, ExprPrinter &P,
                   Names &N);

/// F's body without the region that ends it: what stands before it, Choice (may
/// be null), Form.
StmtRef withLead(const Function &F, const StmtRef &Choice, const StmtRef &Form);

} // namespace raise

#endif // RAISE_LIB_EMIT_MADEFUNCTION_H
