//===- Filler.h - contents of buffers ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_FILLER_H
#define RAISE_LIB_VERIFY_FILLER_H

#include "Hints.h"
#include "Random.h"
#include "raise/Interp/Interp.h"
#include <cmath>

namespace raise {

enum class FloatData { Random, Whole, Positive, Special };
enum class IntData { Random, Permuted, Duplicates, Rising, Zero, Signed };

/// Supplies buffers' contents, and remembers what it supplied.
struct Filler {
  struct Cell {
    size_t Index;
    std::string Field;
    interp::Value V;
  };
  std::vector<Cell> Given;
  FloatData Floats = FloatData::Random;
  IntData Ints = IntData::Random;
  int64_t Range = 8; ///< integers lie in [0, Range)
  std::optional<HintRange> Hint;
  uint64_t Seed = 0;

  interp::Value make(size_t Index, const std::string &Field, const Type &Ty) {
    Random R(hash(Seed, Index, Field));
    interp::Value V = Hint           ? hinted(*Hint, R, Ty)
                      : Ty.isFloat() ? makeFloat(R, Ty)
                      : Ty.isBool()  ? interp::Value::ofInt(R.below(2), Ty)
                                     : makeInt(R, Index, Ty);
    Given.push_back({Index, Field, V});
    return V;
  }

private:
  static uint64_t hash(uint64_t Seed, size_t Index, const std::string &Field) {
    uint64_t H = Seed * 0x9e3779b97f4a7c15ull + Index;
    for (char C : Field)
      H = H * 1099511628211ull + static_cast<unsigned char>(C);
    return H;
  }
  static interp::Value hinted(const HintRange &H, Random &R, const Type &Ty) {
    if (Ty.isFloat())
      return interp::Value::ofFloat(R.real(H.Lo, H.Hi), Ty);
    return interp::Value::ofInt(R.between(H.Lo, H.Hi), Ty);
  }
  interp::Value makeFloat(Random &R, const Type &Ty) const {
    switch (Floats) {
    case FloatData::Whole: // sums are exact in any order
      return interp::Value::ofFloat(R.between(-2, 2), Ty);
    case FloatData::Positive:
      return interp::Value::ofFloat(R.real(0.01, 2), Ty);
    case FloatData::Special:
      switch (R.below(24)) {
      case 0:
        return interp::Value::ofFloat(std::nan(""), Ty);
      case 1:
        return interp::Value::ofFloat(INFINITY, Ty);
      case 2:
        return interp::Value::ofFloat(-INFINITY, Ty);
      case 3:
        return interp::Value::ofFloat(-0.0, Ty);
      case 4:
        return interp::Value::ofFloat(0, Ty);
      default:
        break;
      }
      [[fallthrough]];
    case FloatData::Random:
      return interp::Value::ofFloat(R.real(-2, 2), Ty);
    }
    return {};
  }
  interp::Value makeInt(Random &R, size_t Index, const Type &Ty) const {
    int64_t I = Index, N = Range;
    switch (Ints) {
    case IntData::Random:
      return interp::Value::ofInt(R.below(N), Ty);
    case IntData::Permuted: // 7919 is prime, so this is a bijection of [0, N)
      return interp::Value::ofInt((I % N * 7919 + 3) % N, Ty);
    case IntData::Duplicates:
      return interp::Value::ofInt(I / 2 % N, Ty);
    case IntData::Rising:
      return interp::Value::ofInt(I * (1 + Seed % 2), Ty);
    case IntData::Zero:
      return interp::Value::ofInt(Seed % 2, Ty);
    case IntData::Signed:
      return interp::Value::ofInt(Ty.Signed ? R.between(-9, 9) : R.below(256),
                                  Ty);
    }
    return {};
  }
};

} // namespace raise

#endif // RAISE_LIB_VERIFY_FILLER_H
