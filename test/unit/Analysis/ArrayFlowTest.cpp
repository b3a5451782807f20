//===- ArrayFlowTest.cpp - which stores of an array are read --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random programs that fill an array and read it run with and without what
// nothing reads, and with plain stores for what adds to zeros: the results are
// the same. What is found in programs of known forms is told.
//
//===----------------------------------------------------------------------===//

#include "raise/Analysis/ArrayFlow.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Interp/Interp.h"
#include "gtest/gtest.h"
#include <random>

using namespace raise;

namespace {

FunctionRef parsed(const std::string &Body) {
  const std::string Text =
      "func @f(x: f64*, out: f64*, k: const i32*, n: i32, m: i32, c: i32): f64 "
      "{\n" +
      Body + "}\n";
  auto Parsed = parseIR(Text, "test.rir");
  if (!Parsed) {
    ADD_FAILURE() << llvm::toString(Parsed.takeError()) << "\n" << Text;
    return nullptr;
  }
  return Parsed->back();
}

/// The flow of the first array that F declares in its own list.
std::optional<ArrayFlow> flowIn(const Function &F) {
  const auto Body = statements(F.Body);
  for (size_t K = 0; K < Body.size(); ++K)
    if (auto *D = llvm::dyn_cast<DeclBuffer>(Body[K].get()))
      return flowOf(*D, Body.drop_front(K + 1), 500000);
  return std::nullopt;
}

class Without : public Rewriter {
public:
  explicit Without(const ArrayFlow &Flow) : Flow(Flow) {}
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = llvm::dyn_cast<DeclBuffer>(S.get()))
      return Flow.Unread.count(D) ? std::make_shared<DeclBuffer>(D->B) : S;
    auto *St = llvm::dyn_cast<Store>(S.get());
    if (St && Flow.Unread.count(St))
      return nullptr;
    if (!St || !Flow.OnZero.count(St))
      return S;
    return std::make_shared<Store>(St->To, Combiner::None,
                                   St->Op == Combiner::Sub
                                       ? build::unary(UnaryOp::Neg, St->Value)
                                       : St->Value);
  }

private:
  const ArrayFlow &Flow;
};

/// What is found in Body: the lines of stores that nothing reads ("init" for
/// the declaration), and after a bar those of updates of zeros.
std::string found(const std::string &Body) {
  const FunctionRef F = parsed(Body);
  const auto Flow = F ? flowIn(*F) : std::nullopt;
  if (!Flow)
    return "nothing";
  std::string Unread, OnZero;
  unsigned K = 0;
  forEachStmt(F->Body, [&](const StmtRef &S) {
    const std::string Name =
        llvm::isa<DeclBuffer>(*S) ? "init " : std::to_string(K) + " ";
    K += llvm::isa<Store>(*S);
    if (Flow->Unread.count(S.get()))
      Unread += Name;
    if (Flow->OnZero.count(S.get()))
      OnZero += Name;
  });
  return Unread + "| " + OnZero;
}

const char *const Declared = "heap a: f64[n] = {0.0};\n";

std::string up(const std::string &Body, const std::string &Lo = "0",
               const std::string &Hi = "n", const std::string &V = "i") {
  return "for (" + V + ": i32 = " + Lo + "; " + V + " < " + Hi + "; " + V +
         " += 1) {\n" + Body + "}\n";
}

TEST(ArrayFlow, WhatIsClearedLast) {
  // The stores are numbered: 0 adds to zeros, 2 clears for nobody.
  EXPECT_EQ(found(Declared + up("a[i] += x[i];\n") +
                  up("out[i] = a[i];\na[i] = 0.0;\n") + "return 0.0;\n"),
            "2 | 0 ");
}

TEST(ArrayFlow, WhatTheNextStepFillsFirst) {
  const std::string Steps =
      up(up("a[i] += x[i];\nx[i] = 0.0;\n", "1", "n - 1") +
             up("x[i] = a[i] * 2.0;\na[i] = 0.0;\n", "1", "n - 1"),
         "0", "m", "t");
  // What clears is read by the sum alone, which finds nothing else: once that
  // is a plain store, nothing reads it.
  EXPECT_EQ(found(Declared + Steps + "return 0.0;\n"), "| 0 ");
  EXPECT_EQ(found(Declared + Steps + "return a[1];\n"), "| 0 ");
}

TEST(ArrayFlow, WhatOtherIterationsAddTo) {
  EXPECT_EQ(found(Declared + up("a[i] += x[i];\na[i - 1] += x[i];\n", "1") +
                  up("out[i] = a[i];\n") + "return 0.0;\n"),
            "| 0 ");
  EXPECT_EQ(found(Declared + up("a[0] += x[i];\n") + "return a[0];\n"), "| ");
  EXPECT_EQ(found(Declared + up("a[k[i]] += x[i];\n") + "return a[0];\n"),
            "| ");
  EXPECT_EQ(found(Declared + up("if (x[i] > 0.0) {\na[i] = 0.0;\n}\n") +
                  up("a[i] += x[i];\nout[i] = a[i];\n") + "return 0.0;\n"),
            "| 1 ");
}

TEST(ArrayFlow, RowsOfAFlatArray) {
  const std::string Fill = up(up("a[i * m + j] += x[j];\n", "0", "m", "j"));
  EXPECT_EQ(found(Declared + Fill +
                  up(up("out[j] += a[i * m + j];\na[i * m + j] = 0.0;\n", "0",
                        "m", "j")) +
                  "return 0.0;\n"),
            "2 | 0 ");
  // A row that is as long as it likes meets others.
  EXPECT_EQ(found(Declared + up(up("a[i * m + j] += x[j];\n", "0", "c", "j")) +
                  "return a[0];\n"),
            "| ");
}

TEST(ArrayFlow, WhatIsNotFollowed) {
  EXPECT_EQ(found(Declared + up("if (x[i] > 0.0) {\nreturn 1.0;\n}\n") +
                  "return a[0];\n"),
            "nothing");
}

//===-- At random
//-----------------------------------------------------------===//

class Programs {
public:
  explicit Programs(uint64_t Seed) : Random(Seed) {}
  std::string program() {
    std::string Text = pick(2) ? "heap a: f64[64] = {0.0};\n"
                               : "heap a: f64[64] = {0.0};\na[3] = 2.0;\n";
    for (unsigned K = 2 + pick(4); K-- > 0;)
      Text += statement({}, 0);
    return Text +
           (pick(2) ? "return a[" + index({}) + "];\n" : "return 0.0;\n");
  }

private:
  using Loops = std::vector<std::string>;
  std::mt19937_64 Random;
  unsigned Fresh = 0;
  unsigned pick(unsigned N) { return Random() % N; }

  std::string index(const Loops &L) {
    static const char *const Plain[] = {"2", "3", "n + 2", "n", "m + 1"};
    if (L.empty() || pick(8) == 0)
      return Plain[pick(5)];
    const std::string &V = L[pick(L.size())];
    switch (pick(8)) {
    case 0:
      return V + " + 3";
    case 1:
      return V + " + 1";
    case 2:
      return "n + 5 - " + V;
    case 3:
      return "2 * " + V + " + 2";
    case 4:
      return L.front() + " * m + " + L.back() + " + 8";
    case 5:
      return "k[" + V + "] + 2";
    default:
      return V + " + 2";
    }
  }
  std::string loop(Loops L, unsigned Depth) {
    const std::string V = "i" + std::to_string(Fresh++);
    static const char *const Heads[] = {
        "(V: i32 = 0; V < n; V += 1)",       "(V: i32 = 1; V < n - 1; V += 1)",
        "(V: i32 = n - 1; V >= 0; V += -1)", "(V: i32 = 0; V < m; V += 1)",
        "(V: i32 = 0; V <= n; V += 2)",      "(V: i32 = 0; V < k[1]; V += 1)",
        "(V: i32 = n; V > c; V += -1)"};
    std::string Head = Heads[pick(7)];
    for (size_t At; (At = Head.find('V')) != std::string::npos;)
      Head.replace(At, 1, V);
    L.push_back(V);
    std::string Body;
    for (unsigned K = 1 + pick(3); K-- > 0;)
      Body += statement(L, Depth + 1);
    return "for " + Head + " {\n" + Body + "}\n";
  }
  std::string statement(const Loops &L, unsigned Depth) {
    const std::string At = "a[" + index(L) + "]";
    if (Depth < 3 && (L.empty() ? pick(4) != 0 : pick(4) == 0))
      return loop(L, Depth);
    static const char *const Conditions[] = {"x[1] > 0.5", "n > 2", "n >= m",
                                             "x[n] > a[3]", "c == 1"};
    switch (pick(8)) {
    case 0:
    case 1:
      return At + " = 0.0;\n";
    case 2:
    case 3:
      return At + " += x[" + (L.empty() ? "1" : L.back()) + "];\n";
    case 4:
      return At + " -= 0.5;\n";
    case 5:
      return At + " = x[2] + 1.0;\n";
    case 6:
      return "if (" + std::string(Conditions[pick(5)]) + ") {\n" +
             statement(L, 3) + "}" +
             (pick(2) ? " else {\n" + statement(L, 3) + "}\n" : "\n");
    default:
      return "out[" + index(L) + "] += " + At + ";\n";
    }
  }
};

TEST(ArrayFlow, RandomPrograms) {
  unsigned Changed = 0, Ran = 0;
  for (uint64_t Seed = 0; Seed < 300; ++Seed) {
    const std::string Text = Programs(Seed).program();
    const FunctionRef F = parsed(Text);
    ASSERT_TRUE(F);
    const auto Flow = flowIn(*F);
    if (!Flow || (Flow->Unread.empty() && Flow->OnZero.empty()))
      continue;
    ++Changed;
    const FunctionRef G = withBody(*F, Without(*Flow).run(F->Body));
    std::mt19937_64 Random(Seed);
    for (int64_t N = 0; N <= 4; ++N)
      for (int64_t M = 0; M <= 4; M += 2) {
        interp::Inputs In;
        In.Scalars["n"] = interp::Value::ofInt(N);
        In.Scalars["m"] = interp::Value::ofInt(M);
        In.Scalars["c"] = interp::Value::ofInt(int64_t(Random() % 3));
        for (const char *Name : {"x", "out", "k"}) {
          auto Cells = std::make_shared<interp::Storage>();
          for (unsigned Cell = 0; Cell < 64; ++Cell)
            Cells->Cells.push_back(
                Name[0] == 'k'
                    ? interp::Value::ofInt(int64_t(Random() % 4))
                    : interp::Value::ofFloat(0.25 * double(Random() % 5),
                                             Type::getFloat(64)));
          In.Buffers[Name] = {Cells, 0};
        }
        interp::Inputs Other = interp::clone(In);
        const interp::Outcome A = interp::run(*F, In),
                              B = interp::run(*G, Other);
        if (A.Why != interp::Stop::Done)
          continue;
        ++Ran;
        ASSERT_EQ(B.Why, interp::Stop::Done) << B.Message << "\n" << Text;
        ASSERT_EQ(A.Result->D, B.Result->D) << Text;
        for (size_t Cell = 0; Cell < 64; ++Cell)
          ASSERT_EQ(In.Buffers["out"].Store->Cells[Cell]->D,
                    Other.Buffers["out"].Store->Cells[Cell]->D)
              << "n = " << N << ", m = " << M << "\n"
              << Text;
      }
  }
  EXPECT_GT(Changed, 100u);
  EXPECT_GT(Ran, 1000u);
}

} // namespace
