//===- TextInternal.h - what printer and parser must agree on ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_IR_TEXTINTERNAL_H
#define RAISE_LIB_IR_TEXTINTERNAL_H

#include "raise/IR/Stmt.h"
#include <optional>

namespace raise::detail {

/// Words that begin a statement or an expression. A variable of that name is
/// written in backquotes.
bool isReservedWord(llvm::StringRef Name);

bool isNameStart(char C);
bool isNameChar(char C);
/// Whether a variable or field may be written without backquotes.
bool isPlainName(llvm::StringRef Name);
/// The same for a function's name after '@', else in quotes.
bool isPlainFunctionName(llvm::StringRef Name);

/// "i" for "i.1": the number only tells equal names of one function apart.
llvm::StringRef withoutSuffix(llvm::StringRef Name);

/// For between quotes: \n, \", \`, \\ and \xHH.
std::string escape(llvm::StringRef Text);

/// "" for a serial loop.
llvm::StringRef loopWord(LoopKind K);
std::optional<LoopKind> loopKindByWord(llvm::StringRef Word);
llvm::StringRef iterWord(IterKind K);
std::optional<IterKind> iterKindByWord(llvm::StringRef Word);

/// How strongly the operator binds, 2 to 11 as in C; `?:` has 1, unary
/// operators 12.
unsigned precedence(BinaryOp Op);

} // namespace raise::detail

#endif // RAISE_LIB_IR_TEXTINTERNAL_H
