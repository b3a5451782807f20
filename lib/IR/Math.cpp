//===- Math.cpp - the table of <cmath> functions --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Math.h"
#include "llvm/ADT/StringMap.h"

namespace raise {
namespace {

/// Signature: result, then parameters; F is the floating type of the variant,
/// i is int, l is long (and long long, which has the same 64 bits), u and U are
/// these without a sign.
struct Entry {
  const char *Name;
  const char *Signature;
  bool SetsErrno;
};

// C17 7.12 says which functions may have a domain, pole or range error. sin,
// cos and tan are marked for POSIX, where an infinite argument is an error.
const Entry Table[] = {
    {"acos", "FF", true},       {"asin", "FF", true},
    {"atan", "FF", false},      {"atan2", "FFF", true},
    {"cos", "FF", true},        {"sin", "FF", true},
    {"tan", "FF", true},        {"acosh", "FF", true},
    {"asinh", "FF", false},     {"atanh", "FF", true},
    {"cosh", "FF", true},       {"sinh", "FF", true},
    {"tanh", "FF", false},      {"exp", "FF", true},
    {"exp2", "FF", true},       {"expm1", "FF", true},
    {"ilogb", "iF", true},      {"ldexp", "FFi", true},
    {"log", "FF", true},        {"log10", "FF", true},
    {"log1p", "FF", true},      {"log2", "FF", true},
    {"logb", "FF", true},       {"scalbn", "FFi", true},
    {"scalbln", "FFl", true},   {"cbrt", "FF", false},
    {"fabs", "FF", false},      {"hypot", "FFF", true},
    {"pow", "FFF", true},       {"sqrt", "FF", true},
    {"erf", "FF", false},       {"erfc", "FF", true},
    {"lgamma", "FF", true},     {"tgamma", "FF", true},
    {"ceil", "FF", false},      {"floor", "FF", false},
    {"nearbyint", "FF", false}, {"rint", "FF", false},
    {"lrint", "lF", true},      {"llrint", "lF", true},
    {"round", "FF", false},     {"lround", "lF", true},
    {"llround", "lF", true},    {"trunc", "FF", false},
    {"fmod", "FFF", true},      {"remainder", "FFF", true},
    {"copysign", "FFF", false}, {"nextafter", "FFF", true},
    {"fdim", "FFF", true},      {"fmax", "FFF", false},
    {"fmin", "FFF", false},     {"fma", "FFFF", true},
};

const Entry IntegerTable[] = {
    {"abs", "ii", false}, {"labs", "ll", false}, {"llabs", "ll", false}};

// What the macros of <math.h> and the functions of <cmath> are made of: these
// names mean the same in C and C++, whatever is included. Of a float, they tell
// the same as of the double of its value.
const Entry ClassTable[] = {
    {"__builtin_isnan", "iF", false},      {"__builtin_isinf", "iF", false},
    {"__builtin_isinf_sign", "iF", false}, {"__builtin_isfinite", "iF", false},
    {"__builtin_signbit", "iF", false},
};

// What compilers count in the bits of a number. Of 0, clz and ctz are
// undefined.
const Entry BitTable[] = {
    {"__builtin_popcount", "iu", false}, {"__builtin_popcountll", "iU", false},
    {"__builtin_ffs", "ii", false},      {"__builtin_ffsll", "il", false},
    {"__builtin_clz", "iu", false},      {"__builtin_clzll", "iU", false},
    {"__builtin_ctz", "iu", false},      {"__builtin_ctzll", "iU", false},
};

Type typeOf(char C, unsigned FloatBits) {
  switch (C) {
  case 'u':
    return Type::getInt(32, /*Signed=*/false);
  case 'U':
    return Type::getInt(64, /*Signed=*/false);
  case 'i':
    return Type::getI32();
  case 'l':
    return Type::getI64();
  default:
    assert(C == 'F' && "unknown letter of a signature");
    return Type::getFloat(FloatBits);
  }
}

CalleeRef makeCallee(const Entry &E, std::string Name, unsigned FloatBits) {
  auto C = std::make_shared<Callee>();
  C->Name = std::move(Name);
  C->Result = typeOf(E.Signature[0], FloatBits);
  for (const char *P = E.Signature + 1; *P; ++P)
    C->Params.push_back(typeOf(*P, FloatBits));
  C->SetsErrno = E.SetsErrno;
  return C;
}

llvm::StringMap<CalleeRef> makeMap() {
  llvm::StringMap<CalleeRef> Map;
  for (const Entry &E : Table) {
    Map[E.Name] = makeCallee(E, E.Name, 64);
    std::string Single = std::string(E.Name) + "f";
    Map[Single] = makeCallee(E, Single, 32);
  }
  for (const Entry &E : IntegerTable)
    Map[E.Name] = makeCallee(E, E.Name, 64);
  for (const Entry &E : ClassTable)
    Map[E.Name] = makeCallee(E, E.Name, 64);
  for (const Entry &E : BitTable)
    Map[E.Name] = makeCallee(E, E.Name, 64);
  return Map;
}

} // namespace

CalleeRef knownMathCallee(llvm::StringRef Name) {
  static const llvm::StringMap<CalleeRef> Map = makeMap();
  return Map.lookup(Name);
}

} // namespace raise
