/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Runs one form of the product of square matrices. */
#include "driver.h"

void gemm(int n, int m, int l, double alpha, const double *A, const double *B,
          double beta, double *C);

static int n;
static double *A, *B, *C;

static void call(void) { gemm(n, n, n, 1.5, A, B, 0.5, C); }

int main(int argc, char **argv) {
  n = argc > 1 ? atoi(argv[1]) : 512;
  const size_t count = (size_t)n * n;
  A = malloc(count * sizeof *A);
  B = malloc(count * sizeof *B);
  C = malloc(count * sizeof *C);
  if (!A || !B || !C)
    return 1;
  for (size_t i = 0; i < count; ++i) {
    A[i] = uniform() - 0.5;
    B[i] = uniform() - 0.5;
    C[i] = uniform() - 0.5;
  }
  return run(call, C, count * sizeof *C, argc > 2 ? argv[2] : NULL);
}
