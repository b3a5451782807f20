/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   gemm.c as one who has a BLAS at hand writes it. */
#include <cblas.h>

void gemm(int n, int m, int l, double alpha, const double *A, const double *B,
          double beta, double *C) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, l, alpha, A, l,
              B, m, beta, C, m);
}
