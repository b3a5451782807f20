//===- Random.h - numbers that are the same everywhere ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_RANDOM_H
#define RAISE_LIB_VERIFY_RANDOM_H

#include <cstdint>

namespace raise {

/// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014). The standard's distributions differ between
/// libraries.
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}
  uint64_t next() {
    uint64_t Z = (State += 0x9e3779b97f4a7c15ull);
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9ull;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebull;
    return Z ^ (Z >> 31);
  }
  uint64_t below(uint64_t N) { return next() % N; }
  /// Both ends included.
  int64_t between(int64_t Lo, int64_t Hi) {
    return Lo + int64_t(below(uint64_t(Hi) - uint64_t(Lo) + 1));
  }
  double real(double Lo, double Hi) {
    return Lo + (Hi - Lo) * (double(next() >> 11) * 0x1p-53);
  }

private:
  uint64_t State;
};

} // namespace raise

#endif // RAISE_LIB_VERIFY_RANDOM_H
