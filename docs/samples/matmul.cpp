void matmul(const float *A, const float *B, float *C, int n, int m, int k) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += A[i * k + l] * B[l * m + j];
      C[i * m + j] = sum;
    }
}
