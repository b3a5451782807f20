//===- CType.cpp - what C makes of types in an expression -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CType.h"
#include "raise/IR/SmallFloat.h"

namespace raise {

Type promoted(const Type &T) {
  if (T.isBool() || (T.isInt() && T.Bits < 32))
    return Type::getI32();
  return T;
}

Type usualArithmetic(const Type &A, const Type &B) {
  if (A.isFloat() || B.isFloat()) {
    if (!B.isFloat())
      return A;
    if (!A.isFloat())
      return B;
    return A.Bits >= B.Bits ? A : B;
  }
  Type L = promoted(A), R = promoted(B);
  if (L.Bits != R.Bits)
    return L.Bits > R.Bits ? L : R;
  return L.Signed ? R : L;
}

static unsigned mantissaBits(const Type &T) {
  if (isBFloat16(T))
    return 8;
  switch (T.Bits) {
  case 16:
    return 11;
  case 32:
    return 24;
  case 64:
    return 53;
  default:
    return 64;
  }
}

bool preservesValue(const Type &From, const Type &To) {
  if (From == To || From.isBool())
    return true;
  if (To.isBool())
    return false;
  if (From.isFloat())
    return To.isFloat() && To.Bits > From.Bits;
  unsigned Magnitude = From.Bits - (From.Signed ? 1 : 0);
  if (To.isFloat())
    return Magnitude <= mantissaBits(To);
  if (From.Signed && !To.Signed)
    return false;
  return Magnitude <= To.Bits - (To.Signed ? 1 : 0);
}

std::string typeName(const Type &T, bool LanguageC) {
  if (!T.Spelling.empty())
    return T.Spelling;
  if (T.isBool())
    return LanguageC ? "_Bool" : "bool";
  if (T.isInt() && T.Bits == 64)
    return T.Signed ? "long long" : "unsigned long long";
  if (T.isInt() && T.Bits == 32 && !T.Signed)
    return "unsigned";
  return T.cName();
}

} // namespace raise
