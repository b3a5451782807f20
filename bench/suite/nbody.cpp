//===- nbody.cpp - runs one form of the pairwise forces -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "driver.h"
#include <algorithm>
#include <vector>

void pairForces(float *F, const float *pos, const float *mass, float G, int n);

static int N;
static std::vector<float> Pos, Mass, Out;

static void call() {
  pairForces(Out.data(), Pos.data(), Mass.data(), 6.67f, N);
}

int main(int Argc, char **Argv) {
  N = Argc > 1 ? std::atoi(Argv[1]) : 1024;
  Pos.resize(3 * size_t(N));
  Mass.resize(N);
  std::generate(Pos.begin(), Pos.end(), uniform);
  std::generate(Mass.begin(), Mass.end(), uniform);
  Out.assign(size_t(N) * N, -1.f);
  return run(call, Out.data(), Out.size() * sizeof(float),
             Argc > 2 ? Argv[2] : nullptr);
}
