//===- parallel-nest.cpp - parallel outer loop, vector inner loop ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %conformance %s

#include "Conformance.h"
using namespace conformance;

FORM static void addOuter(float *out, const float *a, const float *b, int n,
                          int m) {
#pragma omp parallel for if ((std::size_t)n * m > 100000)
  for (int j = 0; j < n; ++j) {
#pragma omp simd
    for (int i = 0; i < m; ++i)
      out[j * m + i] = a[j] * b[i];
  }
}

// Row cursors, as an author writes them, live inside the parallel loop.
FORM static void addBias(float *out, const float *inp, const float *bias,
                         int rows, int C) {
#pragma omp parallel for if ((std::size_t)rows * C > 100000)
  for (int r = 0; r < rows; ++r) {
    const float *x = inp + r * C;
    float *o = out + r * C;
#pragma omp simd
    for (int i = 0; i < C; ++i)
      o[i] = x[i] + bias[i];
  }
}

// A cursor that moves while the row is read.
FORM static void rowEnds(float *out, const float *inp, int rows, int C) {
#pragma omp parallel for if ((std::size_t)rows * C > 100000)
  for (int r = 0; r < rows; ++r) {
    const float *p = inp + r * C;
    float last = 0;
    for (int i = 0; i < C; ++i)
      last = 0.5f * last + *p++;
    out[r] = last;
  }
}

static void checkShape(int Rows, int C) {
  long Shape = long(Rows) * 100000 + C;
  size_t Count = size_t(Rows) * C;
  std::vector<float> A = randomFloats(Rows, 1), B = randomFloats(C, 2);
  std::vector<float> X = randomFloats(Count, 3);
  std::vector<float> Want(Count), Got(Count, -7);
  for (int J = 0; J < Rows; ++J)
    for (int I = 0; I < C; ++I)
      Want[J * C + I] = A[J] * B[I];
  addOuter(Got.data(), A.data(), B.data(), Rows, C);
  checkSame(Want, Got, "addOuter", Shape);

  for (int J = 0; J < Rows; ++J)
    for (int I = 0; I < C; ++I)
      Want[J * C + I] = X[J * C + I] + B[I];
  addBias(Got.data(), X.data(), B.data(), Rows, C);
  checkSame(Want, Got, "addBias", Shape);

  std::vector<float> WantEnds(Rows), GotEnds(Rows, -7);
  for (int J = 0; J < Rows; ++J)
    for (int I = 0; I < C; ++I)
      WantEnds[J] = 0.5f * WantEnds[J] + X[J * C + I];
  rowEnds(GotEnds.data(), X.data(), Rows, C);
  checkSame(WantEnds, GotEnds, "rowEnds", Shape);
}

int main() {
  const int Shapes[][2] = {{0, 0}, {0, 5},  {5, 0},   {1, 1},     {1, 1000},
                           {3, 7}, {33, 1}, {64, 65}, {513, 1025}};
  for (const int(&S)[2] : Shapes)
    forThreadCounts([&S] { checkShape(S[0], S[1]); });
}
