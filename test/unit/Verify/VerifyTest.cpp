//===- VerifyTest.cpp - host functions, compiled and compared
//-----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Make.h"

using namespace raise;
using namespace raise::testing;

static const char CopyIR[] = R"(
func @f(y: f32*, x: f32*, n: i32) {
  for (i: i32 = 0; i < n; i += 1) {
    y[i] = 2.0:f32 * x[i];
  }
})";
static const char CopyCpp[] = R"(
namespace ns {
static void f(float *y, float *x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}
})";
static const char CopyEntry[] =
    "static_cast<void (*)(float *, float *, int)>(&ns::f)";

/// Verifies a replacement of CopyCpp's body.
static VerifyResult copyAs(const std::string &Body) {
  return verifyPair(
      {CopyIR,
       CopyCpp,
       "namespace ns {\nstatic void f(float *y, float *x, int n) {\n" + Body +
           "}\n}\n",
       CopyEntry,
       {"-std=c++17", "-O1", "-fopenmp", "-Werror", "-MD"}});
}

static const char SafeCopy[] = R"(
  if (y + n <= x || x + n <= y) {
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
      y[i] = 2 * x[i];
  } else {
    for (int i = 0; i < n; i++)
      y[i] = 2 * x[i];
  }
)";

TEST(Verify, Passes) {
  VerifyResult R = copyAs(SafeCopy);
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
  EXPECT_NE(R.Detail.find("inputs, 1, 2 and 4 threads"), std::string::npos)
      << R.Detail;
  // One figure for each input: the same bits.
  EXPECT_EQ(std::to_string(R.Figures.size()),
            R.Detail.substr(0, R.Detail.find(' ')));
  for (const Figure &F : R.Figures) {
    EXPECT_EQ(F.Input.substr(0, 4), "n = ");
    EXPECT_EQ(F.Largest, 0);
  }
}

TEST(Verify, WrongValueFails) {
  VerifyResult R =
      copyAs("for (int i = 0; i < n; i++) y[i] = 2 * x[i] + (i == 32);");
  EXPECT_EQ(R.V, Verdict::Failed);
  EXPECT_NE(R.Detail.find("y[32] is "), std::string::npos) << R.Detail;
}

TEST(Verify, MissingOverlapTestFails) {
  EXPECT_EQ(copyAs("for (int i = n - 1; i >= 0; i--) y[i] = 2 * x[i];").V,
            Verdict::Failed);
}

TEST(Verify, WriteBehindTheBufferFails) {
  VerifyResult R = copyAs(std::string(SafeCopy) + "if (n > 0) y[n] = 1;");
  EXPECT_EQ(R.V, Verdict::Failed);
  EXPECT_NE(R.Detail.find("signal"), std::string::npos) << R.Detail;
}

TEST(Verify, WriteBeforeTheBufferFails) {
  VerifyResult R = copyAs(std::string(SafeCopy) + "if (n > 0) y[-1] = 1;");
  EXPECT_EQ(R.V, Verdict::Failed) << R.Detail;
}

TEST(Verify, ReadBehindTheBufferFails) {
  EXPECT_EQ(copyAs(std::string(SafeCopy) +
                   "if (n > 0) { volatile float v = x[n]; (void)v; }")
                .V,
            Verdict::Failed);
}

TEST(Verify, ModifiedInputFails) {
  VerifyResult R =
      copyAs(std::string(SafeCopy) + "if (n > 3 && y != x) x[3] = 9;");
  EXPECT_EQ(R.V, Verdict::Failed);
  EXPECT_NE(R.Detail.find("x[3] is 9"), std::string::npos) << R.Detail;
}

TEST(Verify, UnwrittenOutputFails) { EXPECT_EQ(copyAs("").V, Verdict::Failed); }

TEST(Verify, EndlessLoopFails) {
  VerifyResult R = copyAs("volatile int stop = 0; while (n > 32 && !stop);" +
                          std::string(SafeCopy));
  EXPECT_EQ(R.V, Verdict::Failed);
  EXPECT_NE(R.Detail.find("did not finish"), std::string::npos) << R.Detail;
}

// Nothing is left to compare but that it came to its end.
TEST(Verify, EndOfTheProgramFails) {
  VerifyResult R = verifyPair(
      {CopyIR, CopyCpp,
       "#include <cstdlib>\nnamespace ns {\nstatic void f(float *y, float *x, "
       "int n) {\n" +
           std::string(SafeCopy) + "if (n == 33) std::exit(0);\n}\n}\n",
       CopyEntry});
  EXPECT_EQ(R.V, Verdict::Failed);
  EXPECT_NE(R.Detail.find("ended the program"), std::string::npos) << R.Detail;
}

TEST(Verify, ErrorThatNeedsThreadsIsFound) {
  VerifyResult R = copyAs(R"(
#pragma omp parallel
    {
      extern int omp_get_num_threads(void);
    }
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads += 1;
    for (int i = 0; i < n; i++)
      y[i] = 2 * x[i] + (threads > 1);
)");
  EXPECT_EQ(R.V, Verdict::Failed);
  EXPECT_NE(R.Detail.find("4 threads"), std::string::npos) << R.Detail;
}

TEST(Verify, CompileErrors) {
  VerifyResult R = copyAs("no such thing;");
  EXPECT_EQ(R.V, Verdict::Failed);
  EXPECT_NE(R.Detail.find("error:"), std::string::npos) << R.Detail;
  R = verifyPair({CopyIR, "broken", CopyCpp, CopyEntry});
  EXPECT_EQ(R.V, Verdict::Inconclusive);
  EXPECT_NE(R.Detail.find("original does not compile"), std::string::npos);
}

TEST(Verify, CrashOfTheOriginalIsInconclusive) {
  // The IR promises more than the source keeps: nothing can be concluded.
  VerifyResult R =
      verifyPair({CopyIR,
                  "namespace ns { void f(float *y, float *x, int n) "
                  "{ __builtin_trap(); } }",
                  CopyCpp, CopyEntry});
  EXPECT_EQ(R.V, Verdict::Inconclusive);
  EXPECT_NE(R.Detail.find("the original crashed"), std::string::npos)
      << R.Detail;
}

static const char SumIR[] = R"(
func @sum(x: const f32*, n: i32) : f32 {
  let s: f32 = 0.0:f32;
  for (i: i32 = 0; i < n; i += 1) {
    s += x[i];
  }
  return s;
})";
static const char SumRaised[] = R"(
func @sum(x: const f32*, n: i32) : f32 {
  let s: f32 = 0.0:f32;
  region {
    body {
      tensor "reduction" (i: reduction 0 .. n) {
        s += x[i];
      }
    }
    original {
      for (i: i32 = 0; i < n; i += 1) {
        s += x[i];
      }
    }
  }
  return s;
})";

/// A sum in C whose loop is replaced.
static VerifyResult sumAs(const std::string &Loop, FPMode FP) {
  auto Text = [](const std::string &Loop) {
    return "float sum(const float *x, int n) {\n  float s = 0;\n" + Loop +
           "\n  return s;\n}\n";
  };
  Pair P{SumIR,
         Text("for (int i = 0; i < n; i++) s += x[i];"),
         Text(Loop),
         "sum",
         {"-O2", "-std=c11"}};
  P.C = true;
  P.FP = FP;
  P.Raised = SumRaised;
  return verifyPair(P);
}

TEST(Verify, ReassociatedSumPassesUnlessStrict) {
  const char *Backwards = "for (int i = n - 1; i >= 0; i--) s += x[i];";
  VerifyResult R = sumAs(Backwards, FPMode::Reduce);
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
  EXPECT_EQ(sumAs(Backwards, FPMode::Strict).V, Verdict::Failed);
}

TEST(Verify, MissingTermOfASumFails) {
  VerifyResult R = sumAs("for (int i = 0; i < n - (n == 257); i++) s += x[i];",
                         FPMode::Reduce);
  EXPECT_EQ(R.V, Verdict::Failed);
  EXPECT_NE(R.Detail.find("the result is"), std::string::npos) << R.Detail;
}

/// A sum whose rounding is amplified some thousand times, with its loop
/// replaced.
static VerifyResult unsteadySumAs(const std::string &Loop) {
  auto IR = [](const std::string &Sum) {
    return "func @f(x: const f32*, n: i32) : f32 {\n  let s: f32 = 0.0:f32;\n" +
           Sum +
           "  let v: f32 = s * s / (1.0:f32 + s * s);\n"
           "  for (k: i32 = 0; k < 26; k += 1) {\n"
           "    v = 3.75:f32 * v * (1.0:f32 - v);\n  }\n  return v;\n}";
  };
  auto Text = [](const std::string &Loop) {
    return "float f(const float *x, int n) {\n  float s = 0;\n" + Loop +
           "\n  float v = s * s / (1.0f + s * s);\n"
           "  for (int k = 0; k < 26; k++)\n    v = 3.75f * v * (1.0f - v);\n"
           "  return v;\n}\n";
  };
  std::string Sum = "for (i: i32 = 0; i < n; i += 1) { s += x[i]; }\n";
  Pair P{IR(Sum),
         Text("for (int i = 0; i < n; i++) s += x[i];"),
         Text(Loop),
         "f",
         {"-O2", "-std=c11"}};
  P.C = true;
  P.Raised = IR("region { body { tensor (i: reduction 0 .. n) { s += x[i]; } } "
                "original { " +
                Sum + "} }\n");
  return verifyPair(P);
}

TEST(Verify, WhatAmplifiesRoundingMayDifferAsFar) {
  VerifyResult R = unsteadySumAs("for (int i = n - 1; i >= 0; i--) s += x[i];");
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
  R = unsteadySumAs(
      "for (int i = 0; i < n - (n > 0 && n < 20); i++) s += x[i];");
  EXPECT_EQ(R.V, Verdict::Failed) << R.Detail;
}

TEST(Verify, NanIsEqualToNanButNotToANumber) {
  const char *IR = R"(
func @top(y: f64*, x: const f64*, n: i32) {
  let m: f64 = -inf:f64;
  for (i: i32 = 0; i < n; i += 1) {
    if (x[i] > m) {
      m = x[i];
    }
    y[i] = x[i] * 0.0;
  }
  y[0] = m;
})";
  auto Text = [](const std::string &Test) {
    return "void top(double *y, const double *x, int n) {\n"
           "  double m = -__builtin_inf();\n"
           "  for (int i = 0; i < n; i++) {\n    if (" +
           Test + ") m = x[i];\n    y[i] = x[i] * 0.0;\n  }\n  y[0] = m;\n}\n";
  };
  const char *Entry =
      "static_cast<void (*)(double *, const double *, int)>(&top)";
  EXPECT_EQ(verifyPair({IR, Text("x[i] > m"), Text("m < x[i]"), Entry}).V,
            Verdict::Passed);
  // Differs only where there is a NaN.
  EXPECT_EQ(verifyPair({IR, Text("x[i] > m"), Text("!(x[i] <= m)"), Entry}).V,
            Verdict::Failed);
}

TEST(Verify, OneBrokenEntryDoesNotSpoilTheOthers) {
  WorkFolder Dir;
  VerifyJob J;
  J.Original = parseOne(CopyIR);
  J.OriginalFile = Dir.write("in.cpp", CopyCpp);
  J.EmittedFile = Dir.write("out.cpp", CopyCpp);
  J.Entry = CopyEntry;
  J.CompileFlags = {"-std=c++17"};
  VerifyJob Bad = J;
  Bad.Entry = "&nowhere";
  auto Rs = verifyFile({J, Bad}, RAISE_RUNTIME_DIR, Dir.Path);
  EXPECT_EQ(Rs[0].V, Verdict::Passed) << Rs[0].Detail;
  EXPECT_EQ(Rs[1].V, Verdict::Inconclusive) << Rs[1].Detail;
}

TEST(Verify, ALoopBelowTheFile) {
  // The file needs what only its program has; the loop below it does not.
  const char *File =
      "extern float shared[]; float *whole() { return shared; }\n";
  auto Below = [](const std::string &Body) {
    return "static void alone(float *y, float *x, int n) {\n" + Body + "}\n";
  };
  auto Verify = [&](const std::string &Emitted) {
    WorkFolder Dir;
    VerifyJob J;
    J.Original = parseOne(CopyIR);
    J.OriginalFile = J.EmittedFile = Dir.write("in.cpp", File);
    J.OriginalBelow = Below(SafeCopy);
    J.EmittedBelow = Below(Emitted);
    J.Entry = "&alone";
    J.CompileFlags = {"-std=c++17", "-ffunction-sections", "-fdata-sections",
                      "-fvisibility=hidden", "-Wl,--gc-sections"};
    return verifyFile({J}, RAISE_RUNTIME_DIR, Dir.Path)[0];
  };
  VerifyResult R = Verify(SafeCopy);
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
  EXPECT_EQ(Verify("for (int i = 0; i < n; i++) y[i] = 0;\n").V,
            Verdict::Failed);
  EXPECT_EQ(Verify("nonsense\n").V, Verdict::Failed);
}

TEST(Verify, StructuresByTheirLayout) {
  const char *IR = R"(
func @move(p: f32*, n: i32) {
  for (i: i32 = 0; i < n; i += 1) {
    p[i].x += p[i].v;
  }
})";
  auto Text = [](const std::string &Step) {
    return "struct P { double pad; float x, v; };\n"
           "void move(P *p, int n) {\n  for (int i = 0; i < n; i++)\n    " +
           Step + ";\n}\n";
  };
  auto Verify = [&](const std::string &Step) {
    WorkFolder Dir;
    VerifyJob J;
    J.Original = parseOne(IR);
    J.OriginalFile = Dir.write("in.cpp", Text("p[i].x += p[i].v"));
    J.EmittedFile = Dir.write("out.cpp", Text(Step));
    J.Entry = "static_cast<void (*)(P *, int)>(&move)";
    J.CompileFlags = {"-std=c++17"};
    Type F32 = Type::getFloat(32);
    J.Layouts["p"] = {16, {{"x", 8, F32}, {"v", 12, F32}}};
    return verifyFile({J}, RAISE_RUNTIME_DIR, Dir.Path)[0];
  };
  VerifyResult R = Verify("p[i].x = p[i].x + p[i].v");
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
  EXPECT_EQ(Verify("p[i].v += p[i].x").V, Verdict::Failed);
}

TEST(Verify, StructuresThatHoldArrays) {
  const char *IR = R"(
func @move(p: void*, n: i32, implied `p[].v`: f64[][3:i64] member v of each p) {
  for (i: i32 = 0; i < n; i += 1) {
    for (k: i32 = 0; k < 3; k += 1) {
      `p[].v`[i, k] += icast<f64>(p[i].m:f32);
    }
  }
})";
  auto Text = [](const std::string &Step) {
    return "struct P { double x; double v[3]; float m; int k[2]; };\n"
           "void move(P *p, int n) {\n  for (int i = 0; i < n; i++)\n"
           "    for (int k = 0; k < 3; k++)\n      " +
           Step + ";\n}\n";
  };
  auto Verify = [&](const std::string &Step, unsigned Count) {
    WorkFolder Dir;
    VerifyJob J;
    J.Original = parseOne(IR);
    J.OriginalFile = Dir.write("in.cpp", Text("p[i].v[k] += p[i].m"));
    J.EmittedFile = Dir.write("out.cpp", Text(Step));
    J.Entry = "static_cast<void (*)(P *, int)>(&move)";
    J.CompileFlags = {"-std=c++17"};
    const Type F32 = Type::getFloat(32), F64 = Type::getFloat(64);
    J.Layouts["p"] = {48,
                      {{"x", 0, F64},
                       {"v", 8, F64, Count},
                       {"m", 32, F32},
                       {"k", 36, Type::getI32(), 2}}};
    return verifyFile({J}, RAISE_RUNTIME_DIR, Dir.Path)[0];
  };
  VerifyResult R = Verify("p[i].v[k] = p[i].v[k] + p[i].m", 3);
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
  // The last element of the array of the last structure.
  R = Verify("p[i].v[k] += i == n - 1 && k == 2 ? 0 : p[i].m", 3);
  EXPECT_EQ(R.V, Verdict::Failed) << R.Detail;
  // Arrays that the function does not touch are compared as well.
  EXPECT_EQ(Verify("p[i].v[k] += p[i].m, p[i].k[1] = 0", 3).V, Verdict::Failed);
  // A layout that is not that of the array.
  R = Verify("p[i].v[k] += p[i].m", 2);
  EXPECT_EQ(R.V, Verdict::Inconclusive) << R.Detail;
  EXPECT_NE(R.Detail.find("cannot make"), std::string::npos) << R.Detail;
}

TEST(Verify, RaisedCodeBehindATestForEnoughWorkRunsOnSmallInputs) {
  auto Text = [](const std::string &Test, const std::string &Body) {
    return "namespace ns {\nstatic void f(float *y, float *x, int n) {\n  if "
           "(" +
           Test + ") {\n" + Body + "  } else {\n" + SafeCopy + "  }\n}\n}\n";
  };
  auto Verify = [&](const std::string &Body) {
    WorkFolder Dir;
    VerifyJob J;
    J.Original = parseOne(CopyIR);
    J.OriginalFile = Dir.write("in.cpp", CopyCpp);
    J.EmittedFile = Dir.write("out.cpp", Text("n > 1000000000", Body));
    J.EagerFile = Dir.write("eager.cpp", Text("true", Body));
    J.Entry = CopyEntry;
    J.CompileFlags = {"-std=c++17", "-fopenmp"};
    return verifyFile({J}, RAISE_RUNTIME_DIR, Dir.Path)[0];
  };
  VerifyResult R = Verify(SafeCopy);
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
  R = Verify("if (n == 33) return;\n" + std::string(SafeCopy));
  EXPECT_EQ(R.V, Verdict::Failed);
  EXPECT_NE(R.Detail.find("without the test for enough work"),
            std::string::npos)
      << R.Detail;
}
