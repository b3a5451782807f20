/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   C = alpha A B + beta C, as a textbook has it: rows one after the other, and
   an inner loop that goes down the columns of B. */
void gemm(int n, int m, int l, double alpha, const double *A, const double *B,
          double beta, double *C) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      double sum = 0.0;
      for (int k = 0; k < l; ++k)
        sum += A[i * l + k] * B[k * m + j];
      C[i * m + j] = alpha * sum + beta * C[i * m + j];
    }
}
