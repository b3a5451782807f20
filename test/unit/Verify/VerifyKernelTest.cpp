//===- VerifyKernelTest.cpp - CUDA originals on the reference executor
//--------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Make.h"

using namespace raise;
using namespace raise::testing;

static std::string kernelIR(const std::string &Body) {
  return R"(
kernel @k(y: f32*, x: f32*, n: i32) {
  grid.x for (blockIdx.x: u32 = 0:u32; blockIdx.x < gridDim.x; blockIdx.x += 1:u32) {
    block.x for (threadIdx.x: u32 = 0:u32; threadIdx.x < blockDim.x; threadIdx.x += 1:u32) {
      let i: i32 = icast<i32>(blockIdx.x * blockDim.x + threadIdx.x);
)" + Body +
         "\n    }\n  }\n}\n";
}

static std::string executed(const std::string &Body) {
  return R"(#include <raise/simt.h>
static void k_thread(float *y, float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
)" + Body +
         R"(
}
void k(dim3 grid, dim3 block, float *y, float *x, int n) {
  if (!raise::beginLaunch(grid, block))
    return;
  raise_simt::launch(grid, block, raise::launchSharedBytes(), [&] { k_thread(y, x, n); }, "k");
}
)";
}

static std::string emitted(const std::string &Loop) {
  return R"(#include <raise/cuda.h>
void k(dim3 grid, dim3 block, float *y, float *x, int n) {
  if (!raise::beginLaunch(grid, block))
    return;
  long threads = (long)grid.x * grid.y * grid.z * block.x * block.y * block.z;
  long count = n < (long)grid.x * block.x ? n : (long)grid.x * block.x;
  (void)threads;
)" + Loop +
         "\n}\n";
}

static VerifyResult verifyKernel(const std::string &IRBody,
                                 const std::string &Body,
                                 const std::string &Loop) {
  Pair P{kernelIR(IRBody),
         executed(Body),
         emitted(Loop),
         "static_cast<void (*)(dim3, dim3, float *, float *, int)>(&k)",
         {"-std=c++17", "-O1", "-fopenmp"}};
  P.Kernel = true;
  return verifyPair(P);
}

TEST(VerifyKernel, Passes) {
  VerifyResult R = verifyKernel("if (i < n) { y[i] = x[i] * x[i]; }",
                                "if (i < n) y[i] = x[i] * x[i];",
                                "#pragma omp parallel for\nfor (long i = 0; i "
                                "< count; i++) y[i] = x[i] * x[i];");
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
  EXPECT_NE(R.Detail.find("three thread orders"), std::string::npos);
}

TEST(VerifyKernel, ALaunchThatCoversLessIsTested) {
  VerifyResult R = verifyKernel(
      "if (i < n) { y[i] = x[i] * x[i]; }", "if (i < n) y[i] = x[i] * x[i];",
      "for (long i = 0; i < n; i++) y[i] = x[i] * x[i];");
  EXPECT_EQ(R.V, Verdict::Failed) << R.Detail;
}

TEST(VerifyKernel, RacyOriginal) {
  VerifyResult R =
      verifyKernel("if (i < n) { y[0] = icast<f32>(i); }",
                   "if (i < n) y[0] = i;", "if (count > 0) y[0] = count - 1;");
  EXPECT_EQ(R.V, Verdict::Racy) << R.Detail;
}

TEST(VerifyKernel, SameValueStoresAreNoRace) {
  VerifyResult R =
      verifyKernel("if (i < n) { y[0] = 1.0:f32; }", "if (i < n) y[0] = 1;",
                   "if (count > 0) y[0] = 1;");
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
}

TEST(VerifyKernel, AtomicSumWithinTolerance) {
  std::string Sum =
      "float s = 0; for (long i = count - 1; i >= 0; i--) s += x[i];"
      "if (count > 0) y[0] += s";
  VerifyResult R = verifyKernel(
      "if (i < n) { atomic y[0] += x[i]; }",
      "if (i < n) atomicAdd(&y[0], x[i]);",
      // The overlap of y and x has no defined result in parallel.
      "if (y == x) { for (long i = 0; i < count; i++) y[0] += x[i]; "
      "return; }" +
          Sum + ";");
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
  R = verifyKernel("if (i < n) { atomic y[0] += x[i]; }",
                   "if (i < n) atomicAdd(&y[0], x[i]);", Sum + " + 1;");
  EXPECT_EQ(R.V, Verdict::Failed) << R.Detail;
}

TEST(VerifyKernel, SharedMemoryAndBarrier) {
  // Each block reverses its 64 elements.
  std::string IR = R"(
      shared s: f32[64];
      s[threadIdx.x] = x[i];
      barrier;
      y[i] = s[63:u32 - threadIdx.x];)";
  std::string Body = "auto &s = RAISE_SHARED(float[64]);\n"
                     "s[threadIdx.x] = x[i];\n__syncthreads();\n"
                     "y[i] = s[63 - threadIdx.x];";
  auto Loop = [](const std::string &Index) {
    return "for (unsigned b = 0; b < grid.x; b++) { float s[64];\n"
           "for (int t = 0; t < 64; t++) s[t] = x[b * 64 + t];\n"
           "for (int t = 0; t < 64; t++) y[b * 64 + t] = s[" +
           Index + "]; }";
  };
  VerifyResult R = verifyKernel(IR, Body, Loop("63 - t"));
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
  EXPECT_EQ(verifyKernel(IR, Body, Loop("t")).V, Verdict::Failed);
}
