//===- DiscoveryTest.cpp - inputs on which a function is defined
//--------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Make.h"

using namespace raise;
using namespace raise::testing;

static Discovered discover(llvm::StringRef IR, bool Kernel = false) {
  VerifyJob J;
  J.Original = parseOne(IR);
  J.IsKernel = Kernel;
  return discoverInputs(J);
}

TEST(Discovery, ExtentsAreExactlyWhatIsTouched) {
  Discovered D = discover(R"(
func @f(y: f64*, x: const f64*, n: i32) {
  for (i: i32 = 1; i < n - 1; i += 1) {
    y[i] = x[i - 1] + x[i + 1];
  }
})");
  ASSERT_EQ(D.Problem, "");
  bool Large = false, Zero = false;
  for (const TestInput &T : D.Inputs) {
    int64_t N = T.In.Scalars.at("n").I;
    Large |= T.Steps >= DiscoverySettings().LargeSteps;
    Zero |= N == 0;
    if (T.Overlaps)
      continue;
    EXPECT_EQ(T.In.Buffers.at("x").Store->size(), N > 2 ? N : 0);
    EXPECT_EQ(T.In.Buffers.at("y").Store->size(), N > 2 ? N - 1 : 0);
  }
  EXPECT_TRUE(Large);
  EXPECT_TRUE(Zero);
}

/// Steps of the largest input, where there is one.
static uint64_t mostSteps(const Discovered &D) {
  uint64_t Most = 0;
  for (const TestInput &T : D.Inputs)
    Most = std::max(Most, T.Steps);
  return Most;
}

TEST(Discovery, LargeInputsAreNoLargerThanNeeded) {
  const DiscoverySettings S;
  // Of cubes of the sizes that are tried, one is in reach of a short run.
  const uint64_t Cube = mostSteps(discover(R"(
func @f(y: f64*, n: i32) {
  for (i: i32 = 0; i < n; i += 1) {
    for (j: i32 = 0; j < n; j += 1) {
      for (k: i32 = 0; k < n; k += 1) {
        y[i] += 1.0:f64;
      }
    }
  }
})"));
  EXPECT_GE(Cube, S.LargeSteps);
  EXPECT_LE(Cube, 4 * S.LargeSteps);
  // Here none is: 400 takes more, and 63 too few.
  const uint64_t Rows = mostSteps(discover(R"(
func @f(y: f64*, n: i32) {
  for (i: i32 = 0; i < n; i += 1) {
    for (j: i32 = 0; j < n; j += 1) {
      for (k: i32 = 0; k < 8; k += 1) {
        y[i] += 1.0:f64;
      }
    }
  }
})"));
  EXPECT_GT(Rows, 4 * S.LargeSteps);
  EXPECT_LE(Rows, S.MaxLargeSteps);
}

TEST(Discovery, IsTheSameEachTime) {
  const char *IR = R"(
func @f(y: i32*, x: const i32*, n: i32) {
  for (i: i32 = 0; i < n; i += 1) {
    y[i] = x[i];
  }
})";
  Discovered A = discover(IR), B = discover(IR);
  ASSERT_EQ(A.Inputs.size(), B.Inputs.size());
  for (size_t I = 0; I < A.Inputs.size(); ++I) {
    EXPECT_EQ(A.Inputs[I].Text, B.Inputs[I].Text);
    const auto &P = A.Inputs[I].In.Buffers.at("x").Store->Cells;
    const auto &Q = B.Inputs[I].In.Buffers.at("x").Store->Cells;
    ASSERT_EQ(P.size(), Q.size());
    for (size_t K = 0; K < P.size(); ++K)
      EXPECT_EQ(P[K] ? P[K]->I : -1, Q[K] ? Q[K]->I : -1);
  }
}

TEST(Discovery, UndefinedInputsAreRejected) {
  // A zero divisor, and an index array that must not be negative.
  Discovered D = discover(R"(
func @f(y: i32*, idx: const i32*, n: i32, d: i32) {
  for (i: i32 = 0; i < n; i += 1) {
    y[idx[i]] = i / d;
  }
})");
  ASSERT_EQ(D.Problem, "");
  for (const TestInput &T : D.Inputs) {
    if (T.In.Scalars.at("n").I > 0) {
      EXPECT_NE(T.In.Scalars.at("d").I, 0);
    }
    for (const auto &C : T.In.Buffers.at("idx").Store->Cells)
      if (C && !T.Overlaps) {
        EXPECT_GE(C->I, 0);
      }
  }
}

TEST(Discovery, NoInputIsAProblem) {
  Discovered D = discover(R"(
func @f(y: i32*) {
  y[-1] = 3;
})");
  EXPECT_TRUE(D.Inputs.empty());
  EXPECT_NE(D.Problem.find("out of range"), std::string::npos) << D.Problem;
  D = discover(R"(
func @f(y: i32*) {
  opaque "asm" "CR1005" "inline assembly";
})");
  EXPECT_NE(D.Problem.find("inline assembly"), std::string::npos) << D.Problem;
}

static const char Guarded[] = R"(
func @f(y: f32*, x: const f32*, n: i32, inc: i32) {
  region {
    guard (inc > 0) "inc > 0"
    guard disjoint (y: 0:i64 .. icast<i64>(n) * icast<i64>(inc), x: 0:i64 .. icast<i64>(n)) "no overlap"
    body {
      tensor "map" (i: parallel 0 .. n) {
        y[i * inc] = x[i];
      }
    }
    original {
      for (i: i32 = 0; i < n; i += 1) {
        y[i * inc] = x[i];
      }
    }
  }
})";

TEST(Discovery, StartsOfThreadsAreCounted) {
  VerifyJob J;
  J.Original = J.Raised = parseOne(R"(
func @f(y: f32*, n: i32, steps: i32) {
  for (t: i32 = 0; t < steps; t += 1) {
    region {
      body { tensor "map" (i: parallel 0 .. n) { y[i] += 1.0:f32; } }
      original { for (i: i32 = 0; i < n; i += 1) { y[i] += 1.0:f32; } }
    }
  }
})");
  Discovered D = discoverInputs(J);
  ASSERT_EQ(D.Problem, "");
  uint64_t Most = 0;
  for (const TestInput &T : D.Inputs) {
    const int64_t Steps = T.In.Scalars.at("steps").I;
    EXPECT_EQ(T.Starts, uint64_t(std::max<int64_t>(Steps, 0)));
    Most = std::max(Most, T.Starts);
  }
  EXPECT_GT(Most, 100u);
}

TEST(Discovery, GuardsBothHoldAndFail) {
  VerifyJob J;
  J.Original = J.Raised = parseOne(Guarded);
  Discovered D = discoverInputs(J);
  ASSERT_EQ(D.Problem, "");
  EXPECT_EQ(D.RaisedStops, "");
  bool Passed = false, Failed = false, Overlaps = false;
  for (const TestInput &T : D.Inputs) {
    Passed |= T.GuardPassed;
    Failed |= T.GuardFailed;
    Overlaps |= T.Overlaps;
  }
  EXPECT_TRUE(Passed);
  EXPECT_TRUE(Failed);
  EXPECT_TRUE(Overlaps);
  J.Alias = AliasMode::Assume;
  for (const TestInput &T : discoverInputs(J).Inputs)
    EXPECT_FALSE(T.Overlaps);
}

TEST(Discovery, SpeculationOfTheRaisedFormIsSeen) {
  VerifyJob J;
  J.Original = parseOne(R"(
func @f(y: f32*, x: const f32*, n: i32) {
  for (i: i32 = 0; i < n; i += 1) {
    y[i] = x[i];
  }
})");
  J.Raised = parseOne(R"(
func @f(y: f32*, x: const f32*, n: i32) {
  for (i: i32 = 0; i < n; i += 1) {
    y[i] = x[i + 1];
  }
})");
  EXPECT_NE(discoverInputs(J).RaisedStops.find("out of range"),
            std::string::npos);
}

TEST(Discovery, HintsBindAndRelate) {
  VerifyJob J;
  J.Original = parseOne(R"(
func @f(y: f32*, C: i32, NH: i32, lo: f32) {
  for (h: i32 = 0; h < NH; h += 1) {
    y[h * (C / NH)] = lo;
  }
})");
  J.Hints["NH"] = "1..4";
  J.Hints["C"] = "k*NH";
  J.Hints["lo"] = "5";
  Discovered D = discoverInputs(J);
  ASSERT_EQ(D.Problem, "");
  for (const TestInput &T : D.Inputs) {
    int64_t NH = T.In.Scalars.at("NH").I;
    EXPECT_GE(NH, 1);
    EXPECT_LE(NH, 4);
    EXPECT_EQ(T.In.Scalars.at("C").I % NH, 0);
    EXPECT_EQ(T.In.Scalars.at("lo").D, 5);
  }
}

TEST(Discovery, LaunchesOfAKernel) {
  Discovered D = discover(R"(
kernel @k(y: f32*, n: i32) {
  grid.x for (blockIdx.x: u32 = 0:u32; blockIdx.x < gridDim.x; blockIdx.x += 1:u32) {
    block.x for (threadIdx.x: u32 = 0:u32; threadIdx.x < blockDim.x; threadIdx.x += 1:u32) {
      let i: i32 = icast<i32>(blockIdx.x * blockDim.x + threadIdx.x);
      if (i < n) {
        y[i] = 1.0:f32;
      }
    }
  }
})",
                          true);
  ASSERT_EQ(D.Problem, "");
  bool Partial = false, Odd = false;
  for (const TestInput &T : D.Inputs) {
    int64_t Threads = T.In.GridDim[0] * T.In.BlockDim[0];
    int64_t N = T.In.Scalars.at("n").I;
    EXPECT_EQ(T.In.Buffers.at("y").Store->size(),
              std::max<int64_t>(0, std::min(N, Threads)));
    Partial |= N > 0 && N < Threads;
    Odd |= T.In.BlockDim[0] % 32 != 0;
  }
  EXPECT_TRUE(Partial);
  EXPECT_TRUE(Odd);
}

TEST(Discovery, InputsAreThoseOnWhichFactsHold) {
  Discovered D = discover(R"(
func @f(y: f64*, x: const f64*, n: i32, m: i32) {
  assume "n % 16 == 0" n % 16 == 0;
  assume "m > n" m > n;
  for (i: i32 = 0; i < n; i += 1) {
    y[i] = x[i + m];
  }
})");
  ASSERT_EQ(D.Problem, "");
  bool Large = false;
  for (const TestInput &T : D.Inputs) {
    const int64_t N = T.In.Scalars.at("n").I, M = T.In.Scalars.at("m").I;
    EXPECT_EQ(N % 16, 0) << T.Text;
    EXPECT_GT(M, N) << T.Text;
    Large |= T.Steps >= DiscoverySettings().LargeSteps;
  }
  EXPECT_TRUE(Large);
  EXPECT_GE(D.Inputs.size(), 8u);
}

TEST(Discovery, BuffersAreAsLongAsIsSaid) {
  Discovered D = discover(R"(
func @f(y: f64*, x: const f64*, k: const i32*, n: i32) {
  extent "x has 2 * n elements" x = cast<i64>(2 * n);
  for (i: i32 = 0; i < n; i += 1) {
    y[i] = x[k[i]];
  }
})");
  ASSERT_EQ(D.Problem, "");
  for (const TestInput &T : D.Inputs) {
    const int64_t N = T.In.Scalars.at("n").I;
    if (!T.Overlaps && N > 0)
      EXPECT_EQ(int64_t(T.In.Buffers.at("x").Store->size()), 2 * N) << T.Text;
  }
}
