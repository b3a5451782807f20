// Adjoints of functions of matmul.cpp, made by clang-raise grad.
#include <vector>

// matmul_adjoint where its arguments overlap or are not what it tests for.
static void matmul_adjoint_general(const float *A, const float *B, float *C,
                                   int n, int m, int k, float *A_adj,
                                   float *B_adj, float *C_adj) {
  const std::size_t B_tape_size =
      (long long)(n > 0 ? n : 0) * (m > 0 ? m : 0) * (k > 0 ? k : 0);
  std::vector<float> arrays(2 * B_tape_size);
  float *B_tape = arrays.data();
  float *A_tape = B_tape + B_tape_size;
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
  {
    // C[i,j] = Σ_l A[i,l]·B[l,j],  0 ≤ i < n, 0 ≤ j < m, 0 ≤ l < k
    const int i_rest = m < 16 || k < 16 || n < 8 ? 0 : n / 2 * 2;
    if (i_rest > 0) {
      // Tiles of 2 x 32 sums, which stay in registers.
#pragma omp parallel for if (parallel : (double)i_rest * m * k > 200000)       \
    collapse(2)
      for (long long i_block = 0; i_block < i_rest; i_block += 64)
        for (long long j_strip = 0; j_strip < m; j_strip += 32) {
          const int i_end =
              i_rest - i_block < 64 ? i_rest : (int)(i_block + 64);
          const int j_end = m - j_strip < 32 ? m : (int)(j_strip + 32);
          float sum[64][32];
          for (int i = 0; i < 64; ++i) {
#pragma omp simd
            for (int j = 0; j < 32; ++j)
              sum[i][j] = 0.0f;
          }
          for (long long l_block = 0; l_block < k; l_block += 128) {
            const int l_end = k - l_block < 128 ? k : (int)(l_block + 128);
            float B_strip[4096];
            // In one piece, and zero beyond the end.
            for (int l = l_block; l < l_end; ++l) {
#pragma omp simd
              for (int j = j_strip; j < j_end; ++j)
                B_strip[(l - l_block) * 32 + (j - j_strip)] = B[l * m + j];
#pragma omp simd
              for (long long j = j_end - j_strip; j < 32; ++j)
                B_strip[(l - l_block) * 32 + j] = 0.0f;
            }
            for (int i_tile = i_block; i_tile < i_end; i_tile += 2) {
              float sum_tile[2][32];
              for (int i = 0; i < 2; ++i) {
#pragma omp simd
                for (int j = 0; j < 32; ++j)
                  sum_tile[i][j] = sum[i_tile - i_block + i][j];
              }
              float *B_packed = B_strip;
              for (int l = l_block; l < l_end; ++l) {
#pragma omp simd
                for (int j = 0; j < 32; ++j)
                  for (int i = 0; i < 2; ++i)
                    sum_tile[i][j] += A[(i_tile + i) * k + l] *
                                      B_packed[(l - l_block) * 32 + j];
              }
              for (int i = 0; i < 2; ++i) {
#pragma omp simd
                for (int j = 0; j < 32; ++j)
                  sum[i_tile - i_block + i][j] = sum_tile[i][j];
              }
            }
          }
          for (int i = i_block; i < i_end; ++i) {
#pragma omp simd
            for (int j = j_strip; j < j_end; ++j)
              C[i * m + j] = sum[i - i_block][j - j_strip];
          }
        }
    }
    if (i_rest < n) {
      // Rows that fill no tile.
      for (int i = i_rest; i < n; ++i)
        for (long long j_band = 0; j_band < m; j_band += 64) {
          const int j_end = m - j_band < 64 ? m : (int)(j_band + 64);
          float sum_2[64];
#pragma omp simd
          for (int j = j_band; j < j_end; ++j)
            sum_2[j - j_band] = 0;
          for (int l = 0; l < k; ++l) {
#pragma omp simd
            for (int j = j_band; j < j_end; ++j)
              sum_2[j - j_band] += A[i * k + l] * B[l * m + j];
          }
#pragma omp simd
          for (int j = j_band; j < j_end; ++j)
            C[i * m + j] = sum_2[j - j_band];
        }
    }
  }
  {
    // sum_adj = C_adj[i,j]
    // A_adj[i,l] += sum_adj·B[l,j],  0 ≤ i < n, 0 ≤ j < m, 0 ≤ l < k
    const int i_rest = k < 16 || m < 16 || n < 8 ? 0 : n / 2 * 2;
    if (i_rest > 0) {
      // Tiles of 2 x 32 sums, which stay in registers.
#pragma omp parallel for if (parallel : (double)i_rest * k * m > 200000)       \
    collapse(2)
      for (long long i_block = 0; i_block < i_rest; i_block += 64)
        for (long long l_strip = 0; l_strip < k; l_strip += 32) {
          const int i_end =
              i_rest - i_block < 64 ? i_rest : (int)(i_block + 64);
          const int l_end = k - l_strip < 32 ? k : (int)(l_strip + 32);
          float A_adj_block[64][32];
          for (int i = 0; i < 64; ++i) {
#pragma omp simd
            for (int l = 0; l < 32; ++l)
              A_adj_block[i][l] = 0.0f;
          }
          for (int i = i_block; i < i_end; ++i) {
#pragma omp simd
            for (int l = l_strip; l < l_end; ++l)
              A_adj_block[i - i_block][l - l_strip] = A_adj[i * k + l];
          }
          for (long long j_block = 0; j_block < m; j_block += 128) {
            const int j_end = m - j_block < 128 ? m : (int)(j_block + 128);
            float B_strip[4096];
            // In one piece, and zero beyond the end.
            for (int j = j_block; j < j_end; ++j) {
              for (int l = l_strip; l < l_end; ++l)
                B_strip[(j - j_block) * 32 + (l - l_strip)] = B[l * m + j];
#pragma omp simd
              for (long long l = l_end - l_strip; l < 32; ++l)
                B_strip[(j - j_block) * 32 + l] = 0.0f;
            }
            for (int i_tile = i_block; i_tile < i_end; i_tile += 2) {
              float A_adj_tile[2][32];
              for (int i = 0; i < 2; ++i) {
#pragma omp simd
                for (int l = 0; l < 32; ++l)
                  A_adj_tile[i][l] = A_adj_block[i_tile - i_block + i][l];
              }
              float *B_packed = B_strip;
              for (int j = j_block; j < j_end; ++j) {
#pragma omp simd
                for (int l = 0; l < 32; ++l)
                  for (int i = 0; i < 2; ++i)
                    A_adj_tile[i][l] += C_adj[(i_tile + i) * m + j] *
                                        B_packed[(j - j_block) * 32 + l];
              }
              for (int i = 0; i < 2; ++i) {
#pragma omp simd
                for (int l = 0; l < 32; ++l)
                  A_adj_block[i_tile - i_block + i][l] = A_adj_tile[i][l];
              }
            }
          }
          for (int i = i_block; i < i_end; ++i) {
#pragma omp simd
            for (int l = l_strip; l < l_end; ++l)
              A_adj[i * k + l] = A_adj_block[i - i_block][l - l_strip];
          }
        }
    }
    if (i_rest < n) {
      // Rows that fill no tile.
      for (int i = i_rest; i < n; ++i)
        for (int j = 0; j < m; ++j) {
          float sum_adj = C_adj[i * m + j];
          for (int l = 0; l < k; ++l)
            A_adj[i * k + l] += sum_adj * B[l * m + j];
        }
    }
  }
  {
    // sum_adj = C_adj[i,j]
    // B_adj[l,j] += A[i,l]·sum_adj,  0 ≤ j < m, 0 ≤ i < n, 0 ≤ l < k
    const int j_rest = k < 16 || n < 16 || m < 8 ? 0 : m / 2 * 2;
    if (j_rest > 0) {
      // Tiles of 2 x 32 sums, which stay in registers.
#pragma omp parallel for if (parallel : (double)j_rest * k * n > 200000)       \
    collapse(2)
      for (long long j_block = 0; j_block < j_rest; j_block += 64)
        for (long long l_strip = 0; l_strip < k; l_strip += 32) {
          const int j_end =
              j_rest - j_block < 64 ? j_rest : (int)(j_block + 64);
          const int l_end = k - l_strip < 32 ? k : (int)(l_strip + 32);
          float B_adj_block[64][32];
          for (int j = 0; j < 64; ++j) {
#pragma omp simd
            for (int l = 0; l < 32; ++l)
              B_adj_block[j][l] = 0.0f;
          }
          for (int j = j_block; j < j_end; ++j)
            for (int l = l_strip; l < l_end; ++l)
              B_adj_block[j - j_block][l - l_strip] = B_adj[l * m + j];
          for (long long i_block = 0; i_block < n; i_block += 128) {
            const int i_end = n - i_block < 128 ? n : (int)(i_block + 128);
            float A_strip[4096];
            // In one piece, and zero beyond the end.
            for (int i = i_block; i < i_end; ++i) {
#pragma omp simd
              for (int l = l_strip; l < l_end; ++l)
                A_strip[(i - i_block) * 32 + (l - l_strip)] = A[i * k + l];
#pragma omp simd
              for (long long l = l_end - l_strip; l < 32; ++l)
                A_strip[(i - i_block) * 32 + l] = 0.0f;
            }
            for (int j_tile = j_block; j_tile < j_end; j_tile += 2) {
              float B_adj_tile[2][32];
              for (int j = 0; j < 2; ++j) {
#pragma omp simd
                for (int l = 0; l < 32; ++l)
                  B_adj_tile[j][l] = B_adj_block[j_tile - j_block + j][l];
              }
              float *A_packed = A_strip;
              for (int i = i_block; i < i_end; ++i) {
#pragma omp simd
                for (int l = 0; l < 32; ++l)
                  for (int j = 0; j < 2; ++j)
                    B_adj_tile[j][l] += A_packed[(i - i_block) * 32 + l] *
                                        C_adj[i * m + (j_tile + j)];
              }
              for (int j = 0; j < 2; ++j) {
#pragma omp simd
                for (int l = 0; l < 32; ++l)
                  B_adj_block[j_tile - j_block + j][l] = B_adj_tile[j][l];
              }
            }
          }
          for (int j = j_block; j < j_end; ++j)
            for (int l = l_strip; l < l_end; ++l)
              B_adj[l * m + j] = B_adj_block[j - j_block][l - l_strip];
        }
    }
    if (j_rest < m) {
      // Rows that fill no tile.
      for (int j = j_rest; j < m; ++j)
        for (int i = 0; i < n; ++i) {
          float sum_adj = C_adj[i * m + j];
          for (int l = 0; l < k; ++l)
            B_adj[l * m + j] += A[i * k + l] * sum_adj;
        }
    }
  }
#pragma omp parallel for if (parallel : (double)n * m > 200000)
  for (int i = 0; i < n; ++i) {
#pragma omp simd
    for (int j = 0; j < m; ++j)
      C_adj[i * m + j] = 0;
  }
}
