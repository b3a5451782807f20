//===- nbody.cpp - original, emitted and hand-written, in one run ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Times the three forms in turn, so that a change of the machine's speed hits
// all alike, and prints medians and the ratios of medians. Results are compared
// bit by bit before times are.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using Forces = void(float *, const float *, const float *, float, int);
Forces pairForces_original, pairForces_emitted, pairForces_hand;

static double secondsOf(Forces *F, float *Out, const std::vector<float> &Pos,
                        const std::vector<float> &Mass, int N) {
  auto Start = std::chrono::steady_clock::now();
  F(Out, Pos.data(), Mass.data(), 6.67f, N);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
      .count();
}

static double median(std::vector<double> T) {
  std::nth_element(T.begin(), T.begin() + T.size() / 2, T.end());
  return T[T.size() / 2];
}

int main(int Argc, char **Argv) {
  const int N = Argc > 1 ? std::atoi(Argv[1]) : 1024;
  const int Rounds = Argc > 2 ? std::atoi(Argv[2]) : 31;
  std::vector<float> Pos(3 * N), Mass(N);
  unsigned Seed = 1;
  auto Next = [&] {
    return (Seed = Seed * 1664525u + 1013904223u) / 4294967296.f;
  };
  std::generate(Pos.begin(), Pos.end(), Next);
  std::generate(Mass.begin(), Mass.end(), Next);
  const char *Names[] = {"original", "emitted", "hand"};
  Forces *Forms[] = {pairForces_original, pairForces_emitted, pairForces_hand};
  std::vector<float> Out[3];
  std::vector<double> Times[3];
  for (int K = 0; K < 3; ++K)
    Out[K].assign(size_t(N) * N, -1.f);
  for (int R = 0; R <= Rounds; ++R)
    for (int K = 0; K < 3; ++K) {
      double T = secondsOf(Forms[K], Out[K].data(), Pos, Mass, N);
      if (R > 0) // the first round warms up
        Times[K].push_back(T);
    }
  for (int K = 1; K < 3; ++K)
    if (std::memcmp(Out[0].data(), Out[K].data(),
                    Out[0].size() * sizeof(float)))
      return std::printf("%s differs from the original\n", Names[K]), 1;
  double Base = median(Times[0]), Hand = median(Times[2]);
  std::printf("N = %d, median of %d rounds\n", N, Rounds);
  for (int K = 0; K < 3; ++K) {
    double T = median(Times[K]);
    std::printf("%-9s %9.3f ms  %6.1f times the original  %5.2f of the hand "
                "form's speed\n",
                Names[K], T * 1e3, Base / T, Hand / T);
  }
}
