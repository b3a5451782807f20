//===- Type.h - scalar types with C's meaning -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A value in the IR is a scalar with C's width and signedness. Types are plain
// values: two types are equal when they mean the same, whatever the source
// called them. The spelling of the source (`size_t`, `real`) is kept beside it,
// because what comes out is read by people.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_TYPE_H
#define RAISE_IR_TYPE_H

#include <string>

namespace raise {

/// How a declaration of the source is found again: file, line and column are
/// 1-based as in a diagnostic; offsets are bytes into the file and half-open.
struct SourceLoc {
  std::string File;
  unsigned Line = 0, Column = 0;
  unsigned Begin = 0, End = 0;
  /// True when the text at [Begin, End) stands in a macro's body, so that it
  /// cannot be edited in place.
  bool InMacro = false;
  bool isValid() const { return Line != 0; }
};

enum class TypeKind { Void, Bool, Int, Float };

/// A scalar type. `Bits` is 1 for bool, 8 to 64 for integers, 16, 32, 64 or 80
/// for floating types; 0 for void. `Spelling` takes no part in equality.
struct Type {
  TypeKind Kind = TypeKind::Void;
  unsigned Bits = 0;
  bool Signed = false;
  std::string Spelling;

  static Type getVoid() { return {}; }
  static Type getBool() { return {TypeKind::Bool, 1, false, ""}; }
  static Type getInt(unsigned Bits, bool Signed = true,
                     std::string Spelling = "") {
    return {TypeKind::Int, Bits, Signed, std::move(Spelling)};
  }
  static Type getFloat(unsigned Bits, std::string Spelling = "") {
    return {TypeKind::Float, Bits, true, std::move(Spelling)};
  }
  /// C's int, the type of most index arithmetic.
  static Type getI32() { return getInt(32); }
  /// The type of offsets between elements (ptrdiff_t).
  static Type getI64() { return getInt(64); }

  bool isVoid() const { return Kind == TypeKind::Void; }
  bool isBool() const { return Kind == TypeKind::Bool; }
  bool isInt() const { return Kind == TypeKind::Int; }
  /// Integers and bool: what takes exact arithmetic.
  bool isIntegral() const { return isInt() || isBool(); }
  bool isFloat() const { return Kind == TypeKind::Float; }
  unsigned sizeInBytes() const {
    return Kind == TypeKind::Bool ? 1 : Bits == 80 ? 16 : Bits / 8;
  }

  bool operator==(const Type &O) const {
    return Kind == O.Kind && Bits == O.Bits && Signed == O.Signed;
  }
  bool operator!=(const Type &O) const { return !(*this == O); }

  /// The IR's own name: void, bool, i8..i64, u8..u64, f16, f32, f64, f80.
  std::string name() const;
  /// As the source spelled it, else C's name for it.
  std::string cName() const;
};

} // namespace raise

#endif // RAISE_IR_TYPE_H
