//===- Text.h - printing, parsing and verifying the IR ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text form is described in docs/ir.md. Printing and parsing are inverse:
// parse(print(F)) is structurally equal to F up to source locations.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_TEXT_H
#define RAISE_IR_TEXT_H

#include "raise/IR/Function.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace raise {

/// F, after the functions, globals and external scalars that it refers to.
void print(llvm::raw_ostream &OS, const Function &F);
/// All of them, each function once: a listed one stands for every callee of its
/// name and parameter types.
void print(llvm::raw_ostream &OS, llvm::ArrayRef<FunctionRef> Functions);
void print(llvm::raw_ostream &OS, const StmtRef &S, unsigned Indent = 0);
void print(llvm::raw_ostream &OS, const ExprRef &E);
std::string toString(const ExprRef &E);
std::string toString(const StmtRef &S);
/// E for a sentence to people: as C writes it, without the conversions, type
/// suffixes and casts that C leaves unsaid. Not input of parseIR.
std::string sourceText(const ExprRef &E);

/// All functions of the text. An error names FileName:line:col and what was
/// expected. Device functions are found by later functions' calls.
llvm::Expected<std::vector<FunctionRef>> parseIR(llvm::StringRef Text,
                                                 llvm::StringRef FileName);

/// Checks the invariants that the headers state: types of operands, ranks of
/// accesses, variables declared before use and in scope, breaks inside loops,
/// the restrictions on a TensorOp's body. Returns one message for each
/// violation; empty means valid.
std::vector<std::string> verify(const Function &F);

} // namespace raise

#endif // RAISE_IR_TEXT_H
