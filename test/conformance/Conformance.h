//===- Conformance.h - what every program of the table shares -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each program of this folder holds one form that the emitter can print, in
// the very shape it prints, beside the serial loop that it stands for, and
// compares the two over sizes, data and thread counts. It prints the first
// difference and exits 1.
//
//===----------------------------------------------------------------------===//

#ifndef RAISE_TEST_CONFORMANCE_H
#define RAISE_TEST_CONFORMANCE_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>
#ifdef _OPENMP
#include <omp.h>
#endif

// Kept as a function of its own, so that sizes are unknown to the optimiser as
// they are in emitted code.
#define FORM __attribute__((noinline))

namespace conformance {

// Empty, tiny, around vector widths, and past every threshold used here.
inline const std::vector<int> Sizes = {0,  1,  2,   3,    7,    8,     31,
                                       32, 33, 257, 1000, 1025, 300001};

// A fixed generator (Steele, Lea, Flood 2014, splitmix64), so that every run
// sees the same data.
inline uint64_t nextRandom(uint64_t &State) {
  uint64_t Z = State += 0x9e3779b97f4a7c15u;
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9u;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebu;
  return Z ^ (Z >> 31);
}

// Values in [-1, 1).
inline std::vector<float> randomFloats(size_t N, uint64_t Seed) {
  std::vector<float> Out(N);
  for (float &X : Out)
    X = float(int64_t(nextRandom(Seed)) >> 40) / float(1 << 23);
  return Out;
}

inline std::vector<unsigned> randomBits(size_t N, uint64_t Seed) {
  std::vector<unsigned> Out(N);
  for (unsigned &X : Out)
    X = unsigned(nextRandom(Seed));
  return Out;
}

[[noreturn]] inline void fail(const char *What, long Size, long At) {
  std::printf("%s differs: size %ld, at %ld\n", What, Size, At);
  std::exit(1);
}

inline void check(bool Good, const char *What, long Size, long At = 0) {
  if (!Good)
    fail(What, Size, At);
}

// Equal bit for bit, so that signs of zero and NaN payloads count.
template <class T> bool sameBits(const T &A, const T &B) {
  return std::memcmp(&A, &B, sizeof(T)) == 0;
}

template <class T>
void checkSame(const std::vector<T> &Want, const std::vector<T> &Got,
               const char *What, long Size) {
  check(Want.size() == Got.size(), What, Size, -1);
  for (size_t I = 0; I < Want.size(); ++I)
    check(sameBits(Want[I], Got[I]), What, Size, long(I));
}

// Equal up to the reassociation of Terms additions whose magnitudes sum to
// Magnitude: the error of each order is below Terms * epsilon * Magnitude
// (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2).
inline bool nearSum(double Want, double Got, double Terms, double Magnitude) {
  double Epsilon = std::numeric_limits<float>::epsilon();
  return std::fabs(Want - Got) <= 2 * (Terms + 1) * Epsilon * Magnitude;
}

// Runs Body with one thread and with several, which may be more than there are
// processors. Without OpenMP it runs once.
template <class F> void forThreadCounts(F &&Body) {
#ifdef _OPENMP
  for (int Threads : {1, 2, 5}) {
    omp_set_num_threads(Threads);
    Body();
  }
#else
  Body();
#endif
}

} // namespace conformance

#endif // RAISE_TEST_CONFORMANCE_H
