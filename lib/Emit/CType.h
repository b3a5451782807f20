//===- CType.h - what C makes of types in an expression ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_CTYPE_H
#define RAISE_LIB_EMIT_CTYPE_H

#include "raise/IR/Type.h"

namespace raise {

/// The integer promotions: what is narrower than int becomes int.
Type promoted(const Type &T);

/// The usual arithmetic conversions: the type in which C combines A and B.
Type usualArithmetic(const Type &A, const Type &B);

/// Every value of From is a value of To.
bool preservesValue(const Type &From, const Type &To);

/// A name for T that needs no include: the source's spelling, else a keyword
/// type that has T's width on every platform (`long` has not).
std::string typeName(const Type &T, bool LanguageC);

} // namespace raise

#endif // RAISE_LIB_EMIT_CTYPE_H
