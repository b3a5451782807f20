// Adjoints of functions of matmul.cpp, made by clang-raise grad.
#include <vector>

// matmul_adjoint where its arguments overlap or are not what it tests for.
static void matmul_adjoint_general(const float *A, const float *B, float *C,
                                   int n, int m, int k, float *A_adj,
                                   float *B_adj, float *C_adj) {
  std::vector<float> B_tape((long long)(n > 0 ? n : 0) * (m > 0 ? m : 0) *
                            (k > 0 ? k : 0));
  std::vector<float> A_tape((long long)(n > 0 ? n : 0) * (m > 0 ? m : 0) *
                            (k > 0 ? k : 0));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) {
        B_tape[((long long)i * m + j) * k + l] = B[l * m + j];
        A_tape[((long long)i * m + j) * k + l] = A[i * k + l];
        sum += A[i * k + l] * B[l * m + j];
      }
      C[i * m + j] = sum;
    }
  for (int i = n - 1; i >= 0; --i)
    for (int j = m - 1; j >= 0; --j) {
      float sum_adj = C_adj[i * m + j];
      C_adj[i * m + j] = 0;
      for (int l = k - 1; l >= 0; --l) {
        const float B_old = B_tape[((long long)i * m + j) * k + l];
        const float A_old = A_tape[((long long)i * m + j) * k + l];
        A_adj[i * k + l] += sum_adj * B_old;
        B_adj[l * m + j] += A_old * sum_adj;
      }
    }
}

// The adjoint of matmul (matmul.cpp:1): of C with respect to A and B.
// Primal: C[i,j] = Σ_l A[i,l]·B[l,j],  0 ≤ i < n, 0 ≤ j < m, 0 ≤ l < k
// Adjoints overlap as their primals do, and overlap no primal.
void matmul_adjoint(const float *A, const float *B, float *C, int n, int m,
                    int k, float *A_adj, float *B_adj, float *C_adj) {
  const unsigned long long A_at = (unsigned long long)A;
  const unsigned long long A_end = A_at + sizeof(*A) * n * k;
  const unsigned long long C_at = (unsigned long long)C;
  const unsigned long long C_end = C_at + sizeof(*C) * n * m;
  const unsigned long long B_at = (unsigned long long)B;
  const unsigned long long B_end = B_at + sizeof(*B) * m * k;
  if (!(m >= 0 && k >= 0 && (long long)n * k <= 1152921504606846975LL &&
        (long long)m * k <= 1152921504606846975LL &&
        (A_end <= C_at || C_end <= A_at) && (B_end <= C_at || C_end <= B_at) &&
        (A_end <= B_at || B_end <= A_at))) {
    matmul_adjoint_general(A, B, C, n, m, k, A_adj, B_adj, C_adj);
    return;
  }
#pragma omp parallel for if (parallel : (double)n * m * k > 1000000)
  for (int i = 0; i < n; ++i)
    for (long long j_band = 0; j_band < m; j_band += 64) {
      const int j_end = m - j_band < 64 ? m : (int)(j_band + 64);
      float sum[64];
#pragma omp simd
      for (int j = j_band; j < j_end; ++j)
        sum[j - j_band] = 0;
      for (int l = 0; l < k; ++l) {
#pragma omp simd
        for (int j = j_band; j < j_end; ++j)
          sum[j - j_band] += A[i * k + l] * B[l * m + j];
      }
#pragma omp simd
      for (int j = j_band; j < j_end; ++j)
        C[i * m + j] = sum[j - j_band];
    }
#pragma omp parallel for if (parallel : (double)n * m * k > 100000)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      float sum_adj = C_adj[i * m + j];
      for (int l = 0; l < k; ++l)
        A_adj[i * k + l] += sum_adj * B[l * m + j];
    }
#pragma omp parallel for if (parallel : (double)m * n * k > 1000000)
  for (long long j_band = 0; j_band < m; j_band += 64) {
    const int j_end = m - j_band < 64 ? m : (int)(j_band + 64);
    float sum_adj[64];
    for (int i = 0; i < n; ++i) {
#pragma omp simd
      for (int j = j_band; j < j_end; ++j) {
        sum_adj[j - j_band] = C_adj[i * m + j];
        C_adj[i * m + j] = 0;
      }
      for (int l = 0; l < k; ++l) {
#pragma omp simd
        for (int j = j_band; j < j_end; ++j)
          B_adj[l * m + j] += A[i * k + l] * sum_adj[j - j_band];
      }
    }
  }
}
