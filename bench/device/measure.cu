// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The adjoints of kernels.cu as kernels: compared with formulas in double, and
// timed beside the kernels that they are of.
#include "adjoint.h"
#include "kernels.cu"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

static bool Failed;

static void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(Error));
  std::exit(2);
}

using Values = std::vector<float>;

static float *onDevice(const Values &V) {
  float *To = nullptr;
  check(cudaMalloc(&To, V.size() * sizeof(float)));
  check(cudaMemcpy(To, V.data(), V.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  return To;
}
static float *zeros(size_t N) { return onDevice(Values(N)); }

static Values random(size_t N, unsigned Seed) {
  Values V(N);
  for (float &X : V) {
    Seed = Seed * 1664525u + 1013904223u;
    X = (Seed >> 8) / 8388608.0f - 1;
  }
  return V;
}

/// Median of 15 runs, in milliseconds.
static double timed(const std::function<void()> &Run) {
  cudaEvent_t Begin, End;
  check(cudaEventCreate(&Begin));
  check(cudaEventCreate(&End));
  std::vector<float> Times(15);
  Run();
  for (float &Each : Times) {
    check(cudaEventRecord(Begin));
    Run();
    check(cudaEventRecord(End));
    check(cudaEventSynchronize(End));
    check(cudaEventElapsedTime(&Each, Begin, End));
  }
  std::sort(Times.begin(), Times.end());
  return Times[7];
}

static void compare(const char *What, const float *Got,
                    const std::vector<double> &Right) {
  Values Is(Right.size());
  check(cudaMemcpy(Is.data(), Got, Is.size() * sizeof(float),
                   cudaMemcpyDeviceToHost));
  double Error = 0, Most = 0;
  for (size_t I = 0; I < Is.size(); ++I) {
    Error = std::max(Error, std::fabs(Is[I] - Right[I]));
    Most = std::max(Most, std::fabs(Right[I]));
  }
  if (Error <= 2e-4 * Most)
    return;
  std::printf("%s: off by %g of %g\n", What, Error, Most);
  Failed = true;
}

static void report(const char *What, double Kernel, double Adjoint) {
  std::printf("| %s | %.3f | %.3f | %.2f |\n", What, Kernel, Adjoint,
              Adjoint / Kernel);
}

static void measureNorm() {
  const int R = 8192, C = 768;
  const size_t N = size_t(R) * C;
  const Values X = random(N, 1), W = random(C, 2), G = random(N, 3);
  float *Y = zeros(N), *M = zeros(R), *S = zeros(R), *DX = onDevice(X),
        *DW = onDevice(W), *DB = zeros(C), *GY = onDevice(G), *GM = zeros(R),
        *GS = zeros(R), *XA = zeros(N), *WA = zeros(C), *BA = zeros(C);
  const auto Adjoint = [&] {
    norm_adjoint(dim3(R / 256), dim3(256), Y, M, S, DX, DW, DB, R, C, GY, GM,
                 GS, XA, WA, BA);
  };
  Adjoint();
  std::vector<double> RX(N), RW(C), RB(C);
  for (int I = 0; I < R; ++I) {
    const float *Row = &X[size_t(I) * C], *Seed = &G[size_t(I) * C];
    double Mean = 0, Var = 0, Sum = 0, Dot = 0;
    for (int J = 0; J < C; ++J)
      Mean += Row[J] / double(C);
    for (int J = 0; J < C; ++J)
      Var += (Row[J] - Mean) * (Row[J] - Mean) / C;
    const double Scale = 1 / std::sqrt(Var + 1e-5);
    for (int J = 0; J < C; ++J) {
      const double Normal = Scale * (Row[J] - Mean);
      Sum += double(W[J]) * Seed[J];
      Dot += double(W[J]) * Seed[J] * Normal;
      RW[J] += Normal * Seed[J];
      RB[J] += Seed[J];
    }
    for (int J = 0; J < C; ++J)
      RX[size_t(I) * C + J] = Scale * (double(W[J]) * Seed[J] - Sum / C -
                                       Scale * (Row[J] - Mean) * Dot / C);
  }
  compare("norm, x", XA, RX);
  compare("norm, weight", WA, RW);
  compare("norm, bias", BA, RB);
  report("norm of 8192 rows of 768",
         timed([&] { norm<<<R / 256, 256>>>(Y, M, S, DX, DW, DB, R, C); }),
         timed(Adjoint));
}

static void measureGelu() {
  const int N = 8 * 1024 * 3072;
  const Values X = random(N, 4), G = random(N, 5);
  float *Y = zeros(N), *DX = onDevice(X), *GY = onDevice(G), *XA = zeros(N);
  const auto Adjoint = [&] {
    gelu_adjoint(dim3(N / 256), dim3(256), Y, DX, N, GY, XA);
  };
  Adjoint();
  std::vector<double> Right(N);
  for (int I = 0; I < N; ++I) {
    const double V = X[I],
                 T = std::tanh(0.79788456 * (V + 0.044715 * V * V * V));
    Right[I] = G[I] * 0.5 *
               (1 + T + V * (1 - T * T) * 0.79788456 * (1 + 0.134145 * V * V));
  }
  compare("gelu", XA, Right);
  report("gelu of 25 million", timed([&] { gelu<<<N / 256, 256>>>(Y, DX, N); }),
         timed(Adjoint));
}

static void measureProduct() {
  const int N = 1024, Rows = 64; // of which Rows are compared
  const Values A = random(N * N, 6), B = random(N * N, 7), G = random(N * N, 8);
  float *C = zeros(N * N), *DA = onDevice(A), *DB = onDevice(B),
        *GC = onDevice(G), *AA = zeros(N * N), *BA = zeros(N * N);
  const dim3 Grid(N / 32, N / 8), Block(32, 8);
  const auto Adjoint = [&] {
    product_adjoint(Grid, Block, C, DA, DB, N, N, N, GC, AA, BA);
  };
  Adjoint();
  std::vector<double> RA(Rows * N), RB(Rows * N);
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < N; ++J)
      for (int L = 0; L < N; ++L) {
        RA[I * N + L] += double(G[I * N + J]) * B[L * N + J];
        RB[I * N + J] += double(A[L * N + I]) * G[L * N + J];
      }
  compare("product, a", AA, RA);
  compare("product, b", BA, RB);
  report("product of 1024 x 1024",
         timed([&] { product<<<Grid, Block>>>(C, DA, DB, N, N, N); }),
         timed(Adjoint));
}

static void measureSquares() {
  const int N = 1 << 26;
  const Values X = random(N, 9), G = random(N, 10);
  float *Y = zeros(N), *DX = onDevice(X), *GY = onDevice(G), *XA = zeros(N),
        *FA = zeros(1);
  const auto Adjoint = [&] {
    squares_adjoint(dim3(N / 256), dim3(256), Y, DX, 0.5f, N, GY, XA, FA);
  };
  Adjoint();
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += double(X[I]) * X[I] * G[I];
  compare("squares, factor", FA, {Sum});
  report("squares of 67 million, with one sum",
         timed([&] { squares<<<N / 256, 256>>>(Y, DX, 0.5f, N); }),
         timed(Adjoint));
}

int main() {
  cudaDeviceProp Properties;
  check(cudaGetDeviceProperties(&Properties, 0));
  std::printf("| %s | kernel, ms | adjoint, ms | ratio |\n"
              "| --- | --- | --- | --- |\n",
              Properties.name);
  measureNorm();
  measureGelu();
  measureProduct();
  measureSquares();
  check(cudaDeviceSynchronize());
  return Failed;
}
