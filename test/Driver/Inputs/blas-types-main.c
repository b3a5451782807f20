// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emitted text and its original on the same whole numbers.
#include <cblas.h>
#include <stdio.h>
#include <string.h>
#include ORIGINAL
#define inner emittedInner
#define byRows emittedByRows
#define byColumns emittedByColumns
#define batch emittedBatch
#define triangles emittedTriangles
#define eachOther emittedEachOther
#include EMITTED
#undef inner
#undef byRows
#undef byColumns
#undef batch
#undef triangles
#undef eachOther

enum { Size = 60000 };
static T A[Size], B[Size], C[Size], D[Size];
static int Wrong = 0;

static void fill(void) {
  unsigned Seed = 1;
  for (int At = 0; At < Size; ++At) {
    T *Of[] = {A, B, C};
    for (int K = 0; K < 3; ++K) {
      Seed = Seed * 1103515245u + 12345u;
      Of[K][At] = (T)((int)((Seed >> 16) % 7) - 3);
    }
  }
  memcpy(D, C, sizeof(C));
}

static void compare(const char *Name, int N, int M) {
  for (int At = 0; At < Size; ++At)
    if (C[At] != D[At]) {
      printf("%s differs at %d, %d\n", Name, N, M);
      ++Wrong;
      break;
    }
  fill();
}

int main(void) {
  const int Sizes[][2] = {{0, 5},   {5, 0},   {1, 1},   {2, 3},   {7, 200},
                          {25, 31}, {24, 8},  {90, 64}, {64, 90}, {1, 5000},
                          {5000, 1}};
  fill();
  for (unsigned At = 0; At < sizeof(Sizes) / sizeof(Sizes[0]); ++At) {
    const int N = Sizes[At][0], M = Sizes[At][1];
    C[0] = inner(A, B, N * M);
    D[0] = emittedInner(A, B, N * M);
    compare("inner", N, M);
    byRows(C, A, B, N, M);
    emittedByRows(D, A, B, N, M);
    compare("byRows", N, M);
    byColumns(C, A, B, N, M);
    emittedByColumns(D, A, B, N, M);
    compare("byColumns", N, M);
    if (N > 100)
      continue;
    batch(C, A, B, 5, N, M);
    emittedBatch(D, A, B, 5, N, M);
    compare("batch", N, M);
    triangles(C, A, 5, N, M);
    emittedTriangles(D, A, 5, N, M);
    compare("triangles", N, M);
    eachOther(C, A, B, N, M);
    emittedEachOther(D, A, B, N, M);
    compare("eachOther", N, M);
  }
  return Wrong != 0;
}
