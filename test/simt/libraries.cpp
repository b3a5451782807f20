// RUN: %everywhere %s %t
// cuBLAS against its definition, random numbers, 16-bit floats, complex numbers, and groups of threads.
#include <raise/simt.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand.h>
#include <curand_kernel.h>

#include "Check.h"

#include <cmath>
#include <vector>

static void checkGemm() {
  cublasHandle_t handle = nullptr;
  CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  // Integers, so that the order of a sum does not matter; a leading dimension larger than the matrix, whose rest must stay.
  for (cublasOperation_t ta : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (cublasOperation_t tb : {CUBLAS_OP_N, CUBLAS_OP_T})
      for (int m : {1, 3, 2050})
        for (int n : {1, 4, 7})
          for (int k : {0, 1, 5}) {
            int lda = (ta == CUBLAS_OP_N ? m : k) + 2, ldb = (tb == CUBLAS_OP_N ? k : n) + 1, ldc = m + 3;
            std::vector<double> A((size_t)lda * (ta == CUBLAS_OP_N ? k : m) + 1), B((size_t)ldb * (tb == CUBLAS_OP_N ? n : k) + 1), C((size_t)ldc * n);
            for (size_t i = 0; i < A.size(); ++i)
              A[i] = (double)(i * 7 % 11) - 5;
            for (size_t i = 0; i < B.size(); ++i)
              B[i] = (double)(i * 5 % 13) - 6;
            for (size_t i = 0; i < C.size(); ++i)
              C[i] = (double)(i % 9);
            std::vector<double> Expected = C, NotRead(C.size(), NAN);
            std::vector<double> WithoutBeta = NotRead;
            for (int j = 0; j < n; ++j)
              for (int i = 0; i < m; ++i) {
                double sum = 0;
                for (int l = 0; l < k; ++l)
                  sum += (ta == CUBLAS_OP_N ? A[i + (size_t)l * lda] : A[l + (size_t)i * lda]) *
                         (tb == CUBLAS_OP_N ? B[l + (size_t)j * ldb] : B[j + (size_t)l * ldb]);
                Expected[i + (size_t)j * ldc] = 2 * sum + 3 * C[i + (size_t)j * ldc];
                WithoutBeta[i + (size_t)j * ldc] = 2 * sum;
              }
            const double alpha = 2, beta = 3, zero = 0;
            CHECK(cublasDgemm(handle, ta, tb, m, n, k, &alpha, A.data(), lda, B.data(), ldb, &beta, C.data(), ldc) == CUBLAS_STATUS_SUCCESS);
            CHECK(C == Expected);
            CHECK(cublasDgemm(handle, ta, tb, m, n, k, &alpha, A.data(), lda, B.data(), ldb, &zero, NotRead.data(), ldc) == CUBLAS_STATUS_SUCCESS);
            for (size_t i = 0; i < C.size(); ++i)
              CHECK(NotRead[i] == WithoutBeta[i] || (std::isnan(NotRead[i]) && std::isnan(WithoutBeta[i])));
          }
  float a[6] = {1, 2, 3, 4, 5, 6}, x[3] = {1, 10, 100}, y[3] = {1, 1, 1}, r = 0;
  const float one = 1, two = 2, none = 0;
  int place = 0;
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 1, 1, &one, a, 2, x, 1, &none, y, 3) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, 1, x, 1, &none, y, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasSgemv(handle, CUBLAS_OP_T, 3, 2, &one, a, 3, x, 1, &two, y, 1) == CUBLAS_STATUS_SUCCESS && y[0] == 323 && y[1] == 656 && y[2] == 1);
  CHECK(cublasSgemv(handle, CUBLAS_OP_N, 3, 2, &one, a, 3, x, 2, &none, y, 1) == CUBLAS_STATUS_SUCCESS && y[0] == 401 && y[2] == 603);
  CHECK(cublasSdot(handle, 2, a, 3, x, -2, &r) == CUBLAS_STATUS_SUCCESS && r == 104); // 1·100 + 4·1
  CHECK(cublasSnrm2(handle, 2, a + 2, 1, &r) == CUBLAS_STATUS_SUCCESS && r == 5);
  CHECK(cublasSasum(handle, 3, x, 1, &r) == CUBLAS_STATUS_SUCCESS && r == 111);
  CHECK(cublasIsamax(handle, 3, x, 1, &place) == CUBLAS_STATUS_SUCCESS && place == 3);
  CHECK(cublasSaxpy(handle, 3, &two, x, 1, a, 2) == CUBLAS_STATUS_SUCCESS && a[0] == 3 && a[2] == 23 && a[4] == 205 && a[1] == 2);
  CHECK(cublasScopy(handle, 3, x, -1, y, 1) == CUBLAS_STATUS_SUCCESS && y[0] == 100 && y[2] == 1);
  CHECK(cublasSger(handle, 2, 2, &one, x, 1, x, 1, a, 2) == CUBLAS_STATUS_SUCCESS && a[3] == 4 + 100);
  CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
}

static void checkRandom() {
  // The known answer of Philox4x32-10 for a counter and key of zeros (Random123, kat_vectors).
  const uint32_t zero[4] = {0, 0, 0, 0};
  uint32_t out[4];
  raise_philox_block(zero, zero, out);
  CHECK(out[0] == 0x6627e8d5u && out[1] == 0xe169c58du && out[2] == 0xbc57ac4cu && out[3] == 0x9b00dbd8u);

  const int n = 100000;
  std::vector<float> u(n), again(n), normal(n);
  curandGenerator_t g = nullptr;
  CHECK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  curandSetPseudoRandomGeneratorSeed(g, 42);
  CHECK(curandGenerateUniform(g, u.data(), n) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateNormal(g, normal.data(), n, 3.0f, 2.0f) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateNormal(g, normal.data(), 3, 0.0f, 1.0f) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  curandSetPseudoRandomGeneratorSeed(g, 42);
  curandGenerateUniform(g, again.data(), n);
  CHECK(u == again);
  curandSetGeneratorOffset(g, 5);
  curandGenerateUniform(g, again.data(), 1);
  CHECK(again[0] == u[5]);
  CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
  CHECK(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR);
  double mean = 0, normalMean = 0, normalSquare = 0;
  for (int i = 0; i < n; ++i) {
    CHECK(u[i] > 0 && u[i] <= 1);
    mean += u[i] / n;
    normalMean += normal[i] / n;
    normalSquare += (normal[i] - 3.0) * (normal[i] - 3.0) / n;
  }
  CHECK(std::fabs(mean - 0.5) < 0.01 && std::fabs(normalMean - 3) < 0.05 && std::fabs(normalSquare - 4) < 0.1);

  curandState a, b;
  curand_init(7, 3, 0, &a);
  curand_init(7, 3, 2, &b);
  curand(&a), curand(&a);
  CHECK(curand(&a) == curand(&b));
  curand_init(7, 4, 3, &b);
  CHECK(curand(&a) != curand(&b));
  double sum = 0;
  for (int i = 0; i < 20000; ++i)
    sum += curand_normal(&a) / 20000;
  CHECK(std::fabs(sum) < 0.03);
}

static void checkSmallFloats() {
  // Every half is its own conversion; neighbours bound the rounding of what lies between, ties to even.
  for (unsigned code = 0; code < 0x7c00; ++code) {
    __half h = __ushort_as_half((unsigned short)code);
    CHECK(__half_as_ushort(__float2half(__half2float(h))) == code);
    if (code < 0x7bff) {
      double low = __half2float(h), high = __half2float(__ushort_as_half((unsigned short)(code + 1)));
      CHECK(low < high);
      CHECK(__half_as_ushort(__double2half((low + high) / 2)) == code + (code & 1));
      CHECK(__half_as_ushort(__double2half(low + (high - low) * 0.75)) == code + 1);
      CHECK(__half_as_ushort(__double2half(-low - (high - low) * 0.25)) == (code | 0x8000));
    }
  }
  CHECK(__half2float(__float2half(65504.0f)) == 65504.0f && std::isinf(__half2float(__float2half(65520.0f))));
  CHECK(__half2float(__float2half(65519.0f)) == 65504.0f && std::isnan(__half2float(__float2half(NAN))));
  CHECK(__half2float(__ushort_as_half(1)) == 0x1p-24f && __half_as_ushort(-__float2half(0.0f)) == 0x8000);
  __half a = 1.5f, b = 2.25f;
  CHECK((float)(a + b) == 3.75f && (float)(a * b) == 3.375f && a < b && __hgt(b, a) && (float)__hmax(a, b) == 2.25f);
  CHECK(__low2float(__floats2half2_rn(1, 2) + __floats2half2_rn(3, 4)) == 4 && sizeof(half2) == 4);
  CHECK(__bfloat16_as_ushort(__float2bfloat16(1.0f)) == 0x3f80 && __bfloat162float(__float2bfloat16(1.00390625f)) == 1.0f);
  CHECK(__bfloat162float(__float2bfloat16(3.0e38f)) < 3.1e38f && (float)(__nv_bfloat16(1.0f) / __nv_bfloat16(3.0f)) == 0.333984375f);
  cuDoubleComplex q = cuCdiv(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, -1));
  CHECK(std::fabs(q.x - 0.1) < 1e-15 && std::fabs(q.y - 0.7) < 1e-15 && cuCabs(make_cuDoubleComplex(3, 4)) == 5 && cuConj(q).y == -q.y);
}

namespace cg = cooperative_groups;
struct Pair {
  float maximum;
  double sum;
};
static void groups_thread(int *out, Pair *pairs) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int t = block.thread_rank();
  out[t] = cg::reduce(tile, t, cg::plus<int>()) + 1000 * tile.meta_group_rank() + 100000 * tile.meta_group_size();
  out[64 + t] = cg::inclusive_scan(tile, 1) * 100 + cg::exclusive_scan(tile, 2) + 10000 * (int)tile.ballot(t % 3 == 0);
  pairs[t] = cg::reduce(tile, Pair{(float)t, 1.0}, [](Pair a, Pair b) {
    return Pair{a.maximum < b.maximum ? b.maximum : a.maximum, a.sum + b.sum};
  });
  block.sync();
}
KERNEL(groups, (dim3 grid, dim3 block, int *out, Pair *pairs), (out, pairs))

static void checkGroups() {
  int out[128];
  Pair pairs[64];
  groups(1, dim3(16, 4), out, pairs);
  for (int t = 0; t < 64; ++t) {
    int first = t / 8 * 8, ballot = 0;
    for (int i = 0; i < 8; ++i)
      ballot |= ((first + i) % 3 == 0) << i;
    CHECK(out[t] == 8 * first + 28 + 1000 * (t / 8) + 800000);
    CHECK(out[64 + t] == (t % 8 + 1) * 100 + t % 8 * 2 + 10000 * ballot);
    CHECK(pairs[t].maximum == first + 7 && pairs[t].sum == 8);
  }
}

int main() {
  checkGemm();
  checkRandom();
  checkSmallFloats();
  checkGroups();
  return Failures != 0;
}
