//===- Type.cpp - names and number formats of scalar types ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Type.h"
#include "IRInternal.h"
#include "raise/IR/SmallFloat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace raise {

std::string Type::name() const {
  switch (Kind) {
  case TypeKind::Void:
    return "void";
  case TypeKind::Bool:
    return "bool";
  case TypeKind::Int:
    return (Signed ? "i" : "u") + std::to_string(Bits);
  case TypeKind::Float:
    return (isBFloat16(*this) ? "bf" : "f") + std::to_string(Bits);
  }
  llvm_unreachable("unknown type kind");
}

static std::string intName(unsigned Bits, bool Signed) {
  switch (Bits) {
  case 8:
    return Signed ? "signed char" : "unsigned char";
  case 16:
    return Signed ? "short" : "unsigned short";
  case 32:
    return Signed ? "int" : "unsigned int";
  case 64:
    return Signed ? "long" : "unsigned long";
  }
  llvm_unreachable("no C type of that width");
}

static std::string floatName(unsigned Bits) {
  switch (Bits) {
  case 16:
    return "_Float16";
  case 32:
    return "float";
  case 64:
    return "double";
  case 80:
    return "long double";
  }
  llvm_unreachable("no C type of that width");
}

std::string Type::cName() const {
  if (!Spelling.empty())
    return Spelling;
  switch (Kind) {
  case TypeKind::Void:
    return "void";
  case TypeKind::Bool:
    return "bool";
  case TypeKind::Int:
    return intName(Bits, Signed);
  case TypeKind::Float:
    return isBFloat16(*this) ? "__nv_bfloat16" : floatName(Bits);
  }
  llvm_unreachable("unknown type kind");
}

namespace detail {

int64_t wrapToType(int64_t Value, const Type &Ty) {
  if (Ty.isBool())
    return Value & 1;
  if (Ty.Bits >= 64)
    return Value;
  if (Ty.Signed)
    return SignExtend64(static_cast<uint64_t>(Value), Ty.Bits);
  return static_cast<int64_t>(static_cast<uint64_t>(Value) &
                              maskTrailingOnes<uint64_t>(Ty.Bits));
}

static const fltSemantics &semanticsOf(const Type &Ty) {
  switch (Ty.Bits) {
  case 16:
    return isBFloat16(Ty) ? APFloat::BFloat() : APFloat::IEEEhalf();
  case 32:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

std::optional<double> parseFloat(StringRef Digits, const Type &Ty) {
  APFloat V(semanticsOf(Ty));
  auto Status = V.convertFromString(Digits, APFloat::rmNearestTiesToEven);
  if (!Status) {
    consumeError(Status.takeError());
    return std::nullopt;
  }
  if (*Status & APFloat::opOverflow)
    return std::nullopt;
  bool Lossy = false;
  V.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lossy);
  return V.convertToDouble();
}

double roundToType(double Value, const Type &Ty) {
  APFloat V(Value);
  bool Lossy = false;
  V.convert(semanticsOf(Ty), APFloat::rmNearestTiesToEven, &Lossy);
  V.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lossy);
  return V.convertToDouble();
}

std::optional<Type> typeByName(StringRef Name) {
  static const Type All[] = {
      Type::getVoid(),         Type::getBool(),         Type::getInt(8),
      Type::getInt(16),        Type::getInt(32),        Type::getInt(64),
      Type::getInt(8, false),  Type::getInt(16, false), Type::getInt(32, false),
      Type::getInt(64, false), Type::getFloat(16),      Type::getFloat(32),
      Type::getFloat(64),      Type::getFloat(80),      getBFloat16()};
  for (const Type &Ty : All)
    if (Ty.name() == Name)
      return Ty;
  return std::nullopt;
}

} // namespace detail
} // namespace raise
