//===- GradientTest.cpp - right and wrong tangents, compiled --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Verify/Gradient.h"
#include "raise/Grad/Adjoint.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

class UpdatesDropper : public Rewriter {
public:
  explicit UpdatesDropper(std::string Of) : Of(std::move(Of)) {}

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *St = llvm::dyn_cast<Store>(S.get());
    return St && St->To.Buf->Name == Of ? makeBlock({}) : S;
  }

  const std::string Of;
};

class Gradient : public ::testing::Test {
protected:
  llvm::SmallString<128> Folder;
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("gradient", Folder));
  }
  void TearDown() override { (void)llvm::sys::fs::remove_directories(Folder); }

  std::string write(const std::string &Name, const std::string &Text) {
    const std::string Path = (Folder + "/" + Name).str();
    std::error_code EC;
    llvm::raw_fd_ostream(Path, EC) << Text;
    return Path;
  }

  static FunctionRef primal() {
    auto Parsed = parseIR(
        "func @f(y: f32* restrict, x: const f32* restrict, a: f32, n: i32): "
        "f32 {\n  let s: f32 = 0.0:f32;\n"
        "  for (i: i32 = 0; i < n; i += 1) {\n"
        "    y[i] = x[i] * x[i] * a;\n    s += y[i];\n  }\n"
        "  return s;\n}\n",
        "f.rir");
    EXPECT_TRUE(bool(Parsed));
    return Parsed->front();
  }

  /// Body is the emitted tangent's.
  VerifyResult verify(const std::string &Body) {
    GradientJob Job;
    Job.Base.Original = primal();
    Job.Asked.Of = {"return", "y"};
    Job.Made = grad::tangentOf(Job.Base.Original, Job.Asked);
    EXPECT_TRUE(Job.Made.F);
    Job.Base.OriginalFile = write("original.cpp", "int main() {}\n");
    Job.Base.EmittedFile = write(
        "emitted.cpp", "float f_tangent(float *y, const float *x, float a, int "
                       "n, float *y_tan, float *x_tan, float a_tan, float "
                       "*f_tan) {\n" +
                           Body + "}\n");
    Job.Base.Entry = "f_tangent";
    return verifyDerivative(Job, Folder, Folder);
  }

  const std::string Right =
      "  float s = 0, s_tan = 0;\n"
      "  for (int i = 0; i < n; ++i) {\n"
      "    y_tan[i] = 2 * x[i] * x_tan[i] * a + x[i] * x[i] * a_tan;\n"
      "    y[i] = x[i] * x[i] * a;\n    s_tan += y_tan[i];\n    s += y[i];\n"
      "  }\n  *f_tan = s_tan;\n  return s;\n";

  std::string writeAdjoint(const std::string &Name, const std::string &Body) {
    return write(Name, "extern \"C\" int omp_get_max_threads();\n"
                       "void f_adjoint(float *y, const float *x, float a, int "
                       "n, float *y_adj, float *x_adj, float *a_adj, float "
                       "f_adj) {\n" +
                           Body + "}\n");
  }

  /// Body is the emitted adjoint's; Without: the updates of that buffer are
  /// left out of the adjoint as it was derived. Eager: the body without tests
  /// for enough work, if there is one.
  VerifyResult verifyAdjoint(const std::string &Body,
                             const std::string &Without = "",
                             const std::string &Eager = "") {
    GradientJob Job;
    Job.Base.Original = primal();
    Job.Made = grad::adjointOf(Job.Base.Original, Job.Asked);
    EXPECT_TRUE(Job.Made.F);
    Job.Made.F =
        withBody(*Job.Made.F, UpdatesDropper(Without).run(Job.Made.F->Body));
    Job.Base.OriginalFile = write("original.cpp", "int main() {}\n");
    Job.Base.EmittedFile = writeAdjoint("emitted.cpp", Body);
    if (!Eager.empty())
      Job.Base.EagerFile = writeAdjoint("eager.cpp", Eager);
    Job.Base.CompileFlags = {"-fopenmp"};
    Job.Base.Entry = "f_adjoint";
    return verifyDerivative(Job, Folder, Folder);
  }

  const std::string RightAdjoint =
      "  for (int i = 0; i < n; ++i)\n    y[i] = x[i] * x[i] * a;\n"
      "  for (int i = 0; i < n; ++i) {\n"
      "    const float d = y_adj[i] + f_adj;\n"
      "    x_adj[i] += 2 * x[i] * d * a;\n    *a_adj += x[i] * x[i] * d;\n"
      "    y_adj[i] = 0;\n  }\n";

  VerifyResult verifyWith(const std::string &Old, const std::string &New) {
    std::string Body = Right;
    const size_t At = Body.find(Old);
    EXPECT_NE(At, std::string::npos);
    return verify(Body.replace(At, Old.size(), New));
  }
};

TEST_F(Gradient, ARightTangentPasses) {
  const VerifyResult R = verify(Right);
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
}

TEST_F(Gradient, AWrongTangentFails) {
  EXPECT_EQ(verifyWith(" + x[i] * x[i] * a_tan", "").V, Verdict::Failed);
  EXPECT_EQ(verifyWith("*f_tan = s_tan", "*f_tan = 0").V, Verdict::Failed);
  EXPECT_EQ(verifyWith("i < n", "i + 1 < n").V, Verdict::Failed);
}

TEST_F(Gradient, ARightAdjointPasses) {
  const VerifyResult R = verifyAdjoint(RightAdjoint);
  EXPECT_EQ(R.V, Verdict::Passed) << R.Detail;
}

TEST_F(Gradient, AWrongAdjointFails) {
  for (const char *Part :
       {"*a_adj += x[i] * x[i] * d;", "2 * ", " + f_adj", "y_adj[i] = 0;"}) {
    std::string Body = RightAdjoint;
    Body.erase(Body.find(Part), std::string(Part).size());
    EXPECT_EQ(verifyAdjoint(Body).V, Verdict::Failed) << Part;
  }
}

/// What small inputs would not come to is run too, and by several threads.
TEST_F(Gradient, AWrongParallelFormFails) {
  const std::string Sum = "*a_adj += x[i] * x[i] * d;";
  std::string Racy = RightAdjoint;
  Racy.insert(Racy.find(Sum), "if (omp_get_max_threads() < 4) ");
  const VerifyResult Right = verifyAdjoint(RightAdjoint, "", RightAdjoint);
  EXPECT_EQ(Right.V, Verdict::Passed) << Right.Detail;
  for (const VerifyResult &R :
       {verifyAdjoint(Racy), verifyAdjoint(RightAdjoint, "", Racy)}) {
    EXPECT_EQ(R.V, Verdict::Failed) << R.Detail;
    EXPECT_NE(R.Detail.find("with 4 threads"), std::string::npos) << R.Detail;
  }
}

/// That the text says what was derived is not enough.
TEST_F(Gradient, AWrongDerivationFails) {
  for (const auto &[Buffer, Update] :
       {std::pair("x_adj", "x_adj[i] += 2 * x[i] * d * a;"),
        std::pair("a_adj", "*a_adj += x[i] * x[i] * d;")}) {
    std::string Body = RightAdjoint;
    Body.erase(Body.find(Update), std::string(Update).size());
    const VerifyResult R = verifyAdjoint(Body, Buffer);
    EXPECT_EQ(R.V, Verdict::Failed) << Buffer;
    EXPECT_NE(R.Detail.find("along a direction"), std::string::npos)
        << R.Detail;
  }
}

TEST_F(Gradient, AWrongPrimalFails) {
  EXPECT_EQ(verifyWith("y[i] = x[i] * x[i] * a", "y[i] = x[i] * a").V,
            Verdict::Failed);
  EXPECT_EQ(verifyWith("return s", "return s_tan").V, Verdict::Failed);
}

TEST_F(Gradient, TextThatDoesNotCompileFails) {
  const VerifyResult R = verifyWith("*f_tan = s_tan", "*f_tan = t");
  EXPECT_EQ(R.V, Verdict::Failed);
  EXPECT_NE(R.Detail.find("does not compile"), std::string::npos) << R.Detail;
}

} // namespace
