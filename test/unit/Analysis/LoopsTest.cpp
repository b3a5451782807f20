//===- LoopsTest.cpp - one loop, one answer -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each reason has a smallest loop that gives it, beside the same loop without
// its cause, which is independent. Every "independent" is checked by brute
// force.
//
//===----------------------------------------------------------------------===//

#include "LoopChecks.h"
#include "raise/IR/Text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace raise;
using namespace raise::testing;
using ::testing::HasSubstr;

namespace {

std::string function(const std::string &Body) {
  return "func @f(a: f64* restrict, b: f64* restrict, c: i32* restrict, n: "
         "i32, "
         "m: i32, k: i32, s: f64) {\n" +
         Body + "\n}\n";
}

/// The answer as "independent", or its code; with a brute-force check.
std::string answer(const std::string &Text, Question Q = {}) {
  Answer A =
      ask(Text.compare(0, 4, "func") == 0 || Text.compare(0, 6, "kernel") == 0
              ? Text
              : function(Text),
          Q);
  if (!A.Error.empty())
    return A.Error;
  if (!A.independent())
    return (A.Facts.R == LoopFacts::Result::Conflict ? "conflict "
                                                     : "unknown ") +
           A.Facts.Why.Code;
  Trial T = tryMany(A, 5, 60);
  if (!T.Violation.empty())
    return "WRONG: " + T.Violation + "\n" + A.toString();
  if (T.Ran == 0)
    return "independent, but never run\n" + A.toString();
  return "independent";
}

std::string reason(const std::string &Body, Question Q = {}) {
  return ask(function(Body), Q).Facts.Why.Text;
}

std::string over(const std::string &Body) {
  return "for (i: i32 = 0; i < n; i += 1) { " + Body + " }";
}

TEST(Loops, Flow) {
  EXPECT_EQ(answer(over("a[i + 1] = a[i] + 1.0;")), "conflict CR1101");
  EXPECT_EQ(answer(over("a[i + 1] = b[i] + 1.0;")), "independent");
  EXPECT_EQ(
      reason(over("a[i + 1] = a[i] + 1.0;")),
      "iteration i reads 'a[i]', which iteration i - 1 writes (distance 1)");
  EXPECT_EQ(reason("for (i: i32 = 6; i < n; i += 3) { a[i] = a[i - 6]; }"),
            "iteration i reads 'a[i - 6]', which iteration i - 6 writes "
            "(distance 2)");
}

TEST(Loops, Anti) {
  EXPECT_EQ(answer(over("a[i] = a[i + 1] + 1.0;")), "conflict CR1102");
  EXPECT_EQ(answer(over("a[i] = b[i + 1] + 1.0;")), "independent");
  EXPECT_EQ(reason(over("a[i] = a[i + 2] + 1.0;")),
            "iteration i reads 'a[i + 2]', which iteration i + 2 writes later "
            "(distance 2)");
}

TEST(Loops, OrderOfADescendingLoop) {
  std::string Down = "for (i: i32 = n - 1; i >= 1; i += -1) { ";
  EXPECT_EQ(answer(Down + "a[i] = a[i - 1]; }"), "conflict CR1102");
  EXPECT_EQ(answer(Down + "a[i - 1] = a[i]; }"), "conflict CR1101");
  EXPECT_EQ(
      reason(Down + "a[i - 1] = a[i]; }"),
      "iteration i reads 'a[i]', which iteration i + 1 writes (distance 1)");
  EXPECT_EQ(answer(Down + "a[i] = b[i - 1]; }"), "independent");
}

TEST(Loops, Output) {
  EXPECT_EQ(answer(over("a[i / 2] = s;")), "conflict CR1103");
  EXPECT_EQ(answer(over("a[i * 2] = s;")), "independent");
  EXPECT_EQ(answer(over("a[i] = s; a[i + 1] = s;")), "conflict CR1103");
  EXPECT_EQ(answer(over("a[2 * i] = s; a[2 * i + 1] = s;")), "independent");
}

TEST(Loops, SubscriptNotUnderstood) {
  EXPECT_EQ(answer(over("a[i ^ 5] = s;")), "unknown CR1104");
  EXPECT_EQ(answer(over("a[i] = s;")), "independent");
  EXPECT_EQ(answer(over("a[i] = a[c[i]] + 1.0;")), "unknown CR1104");
  EXPECT_EQ(answer(over("a[i] = b[c[i]] + 1.0;")), "independent");
}

TEST(Loops, OverlapWithUnknownRange) {
  std::string Gather = "y[i] = x[c[i]]; } }";
  std::string Head =
      "(x: f64*, c: i32*, n: i32) { for (i: i32 = 0; i < n; i += 1) { ";
  // Every iteration reads its index: a look at all of them gives the range.
  Answer Looked = ask("func @f(y: f64*, " + Head.substr(1) + Gather);
  EXPECT_TRUE(Looked.independent()) << Looked.toString();
  ASSERT_EQ(Looked.Facts.Inspections.size(), 1u);
  EXPECT_EQ(toString(Looked.Facts.Inspections[0].Element), "c[i]");
  for (const char *Sometimes :
       {"if (x[i] > 1.0) { y[i] = x[c[i]]; } } }",
        "y[i] = x[i] > 1.0 ? x[c[i]] : 0.0; } }",
        "for (j: i32 = 0; j < n; j += 1) { if (x[j] > 1.0) { break; } "
        "y[i] = x[c[j]]; } } }"})
    EXPECT_THAT(answer("func @f(y: f64*, " + Head.substr(1) + Sometimes),
                HasSubstr("unknown CR11"))
        << Sometimes;
  EXPECT_EQ(answer("func @f(y: f64* restrict, " + Head.substr(1) + Gather),
            "independent");
  Question Q;
  Q.Opts.Alias = AliasMode::Assume;
  Answer A = ask("func @f(y: f64*, " + Head.substr(1) + Gather, Q);
  EXPECT_TRUE(A.independent());
  ASSERT_EQ(A.Facts.Assumed.size(), 2u);
  EXPECT_THAT(A.Facts.Assumed[0], HasSubstr("do not overlap"));
}

TEST(Loops, MayWrap) {
  auto Text = [](const char *Index) {
    return std::string("func @f(a: f64*, p: i64*, n: u32, m: u32) {"
                       "for (i: u32 = 0:u32; i < n; i += 1:u32) { "
                       "let q: i64 = p[0]; a[") +
           Index + "] = 1.0; } }";
  };
  EXPECT_EQ(answer(Text("icast<u32>(q) + i")), "unknown CR1106");
  EXPECT_EQ(answer(Text("i * m")), "independent");
  EXPECT_EQ(answer("func @f(a: f64*, n: u32, m: u32) {"
                   "for (i: u32 = 0:u32; i < n; i += 1:u32) { a[i * m + 1:u32] "
                   "= 1.0; } }"),
            "independent");
  EXPECT_EQ(
      answer("func @f(a: f64*, n: i32) { for (i: i32 = 0; i < n; i += 1) { "
             "a[icast<u8>(i)] = 1.0; } }"),
      "independent");
}

TEST(Loops, WrapIsGuarded) {
  Answer A =
      ask("func @f(a: f64*, n: u32, m: u32) { for (i: u32 = 0:u32; i < n; "
          "i += 1:u32) { a[i + m] = 1.0; } }");
  ASSERT_TRUE(A.independent());
  ASSERT_EQ(A.Facts.Guards.size(), 1u) << A.toString();
  EXPECT_EQ(toString(A.Facts.Guards.back().Cond),
            "icast<i64>(n) + icast<i64>(m) <= 4294967296:i64");
}

TEST(Loops, CarriedScalar) {
  EXPECT_EQ(answer("let t: f64 = s; " + over("a[i] = t; t = b[i];")),
            "conflict CR1107");
  EXPECT_EQ(answer("let t: f64 = s; " + over("t = b[i]; a[i] = t;")),
            "independent");
  EXPECT_EQ(answer("let j: i32 = 0; " + over("a[j] = s; j += 2;")),
            "conflict CR1107");
}

TEST(Loops, LastValue) {
  Question Q;
  Q.LiveOut = {"t"};
  std::string If = "let t: f64 = s; " + over("if (b[i] > 0.0) { t = b[i]; }");
  EXPECT_EQ(answer(If + " a[0] = t;", Q), "unknown CR1108");
  EXPECT_EQ(answer(If), "independent") << "nobody reads t";
  Answer A = ask(
      function("let t: f64 = s; " + over("t = b[i]; a[i] = t;") + " a[0] = t;"),
      Q);
  ASSERT_TRUE(A.independent());
  ASSERT_EQ(A.Facts.LastValue.size(), 1u);
  EXPECT_TRUE(A.Facts.Private.empty());
  EXPECT_EQ(answer("let t: f64 = s; " +
                       over("if (b[i] > 0.0) { continue; } t = b[i];") +
                       " a[0] = t;",
                   Q),
            "unknown CR1108");
}

TEST(Loops, IndirectStore) {
  EXPECT_EQ(answer(over("a[c[i]] = s;")), "unknown CR1109");
  EXPECT_EQ(answer(over("a[i] = s;")), "independent");
  EXPECT_EQ(answer(over("atomic a[c[i]] += s;")), "independent");
}

TEST(Loops, MinMaxAndNaN) {
  auto Best = [](const char *Update) {
    return "let t: f64 = s; " + over(Update) + " a[0] = t;";
  };
  Question Q;
  Q.LiveOut = {"t"};
  EXPECT_EQ(answer(Best("if (b[i] > t) { t = b[i]; }"), Q), "independent");
  EXPECT_EQ(answer(Best("t = b[i] < t ? b[i] : t;"), Q), "independent");
  EXPECT_EQ(answer(Best("if (b[i] >= t) { t = b[i]; }"), Q), "unknown CR1110");
  EXPECT_EQ(answer(Best("t = t > b[i] ? t : b[i];"), Q), "unknown CR1110");
  Answer A = ask(function(Best("if (t > b[i]) { t = b[i]; }")), Q);
  ASSERT_EQ(A.Facts.Reductions.size(), 1u);
  EXPECT_EQ(A.Facts.Reductions[0].Op, Combiner::Min);
  EXPECT_FALSE(A.Facts.Reductions[0].Rounds);
  // Integers have no NaN.
  EXPECT_EQ(answer("let t: i32 = k; " + over("t = t > c[i] ? t : c[i];"), {}),
            "independent");
}

TEST(Loops, Hazards) {
  EXPECT_EQ(answer(over("opaque \"f();\" \"CR1005\" \"call\";")),
            "unknown CR1005");
  EXPECT_EQ(answer(over("if (b[i] > s) { break; } a[i] = s;")),
            "unknown CR1111");
  EXPECT_EQ(answer(over("if (b[i] > s) { continue; } a[i] = s;")),
            "independent");
  EXPECT_EQ(answer(over("if (b[i] > s) { return; } a[i] = s;")),
            "unknown CR1111");
  EXPECT_EQ(answer("func @f(a: f64* volatile, n: i32) { for (i: i32 = 0; i < "
                   "n; i += 1) { a[i] = 1.0; } }"),
            "unknown CR1111");
  EXPECT_EQ(answer(over("for (j: i32 = 0; j < m; j += 1) { if (b[j] > s) { "
                        "break; } } a[i] = s;")),
            "independent");
}

TEST(Loops, Bounds) {
  EXPECT_EQ(answer("for (i: i32 = 0; i < n; i += k) { a[i] = s; }"),
            "independent");
  EXPECT_EQ(answer("for (i: i32 = 0; i != n; i += 1) { a[i] = s; }"),
            "independent");
  EXPECT_EQ(answer("for (i: i32 = 0; i != n; i += 2) { a[i] = s; }"),
            "unknown CR1112");
  EXPECT_EQ(answer("for (i: i32 = n; i > m; i += -2) { a[i] = s; }"),
            "independent");
  EXPECT_EQ(answer("func @f(a: f64*, n: u32) { for (i: u32 = 0:u32; i <= n; i "
                   "+= 1:u32) { a[i] = 1.0; } }"),
            "independent");
  EXPECT_EQ(answer("func @f(a: f64*, n: u64) { for (i: i32 = 0; i < n; i += 1) "
                   "{ a[i] = 1.0; } }"),
            "independent");
  EXPECT_EQ(answer("func @f(a: f64*, n: i32) { for (i: u8 = 0:u8; i < n; i += "
                   "1:u8) { a[i] = 1.0; } }"),
            "independent");
}

TEST(Loops, BoundsBecomeGuards) {
  auto Guards = [](const std::string &Text) {
    std::string S;
    for (const Guard &G : ask(Text).Facts.Guards)
      S += (S.empty() ? "" : "; ") + (G.Cond ? toString(G.Cond) : "ranges");
    return S;
  };
  EXPECT_EQ(Guards(function("for (i: i32 = 0; i < n; i += k) { a[i] = s; }")),
            "icast<i64>(k) > 0:i64");
  EXPECT_EQ(Guards(function("for (i: i32 = 0; i != n; i += 1) { a[i] = s; }")),
            "icast<i64>(n) >= 0:i64");
  // A byte that is compared with more than it can hold never ends the loop.
  EXPECT_EQ(Guards("func @f(a: f64*, n: i32) { for (i: u8 = 0:u8; i < n; i += "
                   "1:u8) { a[i] = 1.0; } }"),
            "icast<i64>(n) <= 255:i64");
  EXPECT_EQ(Guards(function(over("a[i * k] = s;"))), "icast<i64>(k) > 0:i64");
  EXPECT_EQ(Guards(function(over("a[i] = s;"))), "");
}

TEST(Loops, DeclaredDimensions) {
  // A subscript stays in its own dimension, or the program is undefined: no
  // guard says how j and m relate to the extent.
  auto Over = [](const char *Body) {
    return std::string("func @f(a: f64[][8], m: i32, n: i32) { for (i: i32 = "
                       "0; i < n; i += 1) { for (j: i32 = 0; j < m; j += 1) "
                       "{ ") +
           Body + " } } }";
  };
  EXPECT_EQ(answer(Over("a[i, j] = 1.0;")), "independent");
  EXPECT_TRUE(ask(Over("a[i, j] = 1.0;")).Facts.Guards.empty());
  EXPECT_EQ(answer(Over("a[i, j] = a[i + 1, j];")), "conflict CR1102");
  EXPECT_EQ(answer(Over("a[0, j] = 1.0;")), "conflict CR1103");
}

TEST(Loops, PartsOfARow) {
  // Rows of q, k and v in one array: 3 * m rows of k elements for each i.
  auto Parts = [](const char *Store) {
    return over(std::string("for (t: i32 = 0; t < m; t += 1) { for (e: i32 = "
                            "0; e < k; e += 1) { ") +
                Store + " = a[i * m * k * 3 + t * k * 3 + e]; } }");
  };
  EXPECT_EQ(answer(Parts("a[i * m * k * 3 + t * k * 3 + k * 2 + e]")),
            "independent");
  EXPECT_EQ(answer(Parts("a[i * m * k * 3 + t * k * 3 + k * 3 + e]")),
            "unknown CR1101");
}

TEST(Loops, NoTestThatNeverHolds) {
  // Independent only where one iteration runs: no such test is made.
  EXPECT_EQ(answer(over("for (j: i32 = 0; j < m; j += 1) { a[i * m + j] = s; "
                        "a[i * m + m * 2 + j] = s; }")),
            "conflict CR1103");
  EXPECT_EQ(answer(over("for (j: i32 = 0; j < m; j += 1) { a[i + j] = s; }")),
            "conflict CR1103");
  // Rows of m - k, or of k - m: a loop over them says which is meant.
  for (const char *Row : {"(m - k)", "(k - m)"}) {
    const std::string Each =
        std::string("for (j: i32 = 0; j < ") + Row + "; j += 1) { a[i * ";
    const Answer A = ask(function(over(Each + Row + " + j] = s; }")));
    EXPECT_TRUE(A.independent() && A.Facts.Guards.empty()) << A.toString();
    EXPECT_EQ(tryMany(A).Violation, "");
  }
}

TEST(Loops, Budget) {
  Question Q;
  Q.Opts.MaxIslOperations = 1;
  EXPECT_EQ(answer(over("a[i + 1] = a[i] + 1.0;"), Q), "unknown CR1190");
  EXPECT_EQ(answer(over("a[i + 1] = a[i] + 1.0;")), "conflict CR1101");
}

TEST(Loops, Reductions) {
  Answer A =
      ask(function("let t: f64 = s; " + over("t += b[i];") + " a[0] = t;"));
  ASSERT_TRUE(A.independent()) << A.toString();
  ASSERT_EQ(A.Facts.Reductions.size(), 1u);
  EXPECT_EQ(A.Facts.Reductions[0].Op, Combiner::Add);
  EXPECT_TRUE(A.Facts.Reductions[0].Rounds);

  A = ask(function(over("a[k] = a[k] + b[i];")));
  ASSERT_TRUE(A.independent()) << A.toString();
  ASSERT_EQ(A.Facts.Reductions.size(), 1u);
  EXPECT_FALSE(A.Facts.Reductions[0].Scalar);

  // Read in between: a scan, no reduction.
  EXPECT_EQ(answer("let t: f64 = s; " + over("t += b[i]; a[i] = t;")),
            "conflict CR1107");
  EXPECT_EQ(answer(over("a[k] += b[i]; b[i] = a[k];")), "conflict CR1101");

  // Other elements of the buffer, where it is known that they are others.
  EXPECT_EQ(answer(over("a[n] += a[i];")), "independent");
  EXPECT_EQ(answer(over("a[n] += a[i]; a[n + 1] += b[i];")), "independent");
  EXPECT_EQ(answer(over("a[n] += a[i]; a[i] = 0.0;")), "independent");
  EXPECT_EQ(answer(over("a[n - 1] += a[i];")), "conflict CR1103");
  EXPECT_EQ(answer(over("a[n] += a[i + 1];")), "conflict CR1103");
  EXPECT_EQ(answer(over("a[k] += a[i];")), "conflict CR1103");
  EXPECT_EQ(answer(over("if (i < k) { a[k] += a[i]; }")), "independent");
  // Several updates in one expression, in their order.
  EXPECT_EQ(answer("let t: f64 = s; " + over("t = b[i] + t - b[i + 1] + 1.0;")),
            "independent");
  EXPECT_EQ(answer("let t: f64 = s; " + over("t = b[i] + (t - b[i + 1]) * s;")),
            "conflict CR1107");
  EXPECT_EQ(answer("let t: f64 = s; " + over("t = b[i] - t + 1.0;")),
            "conflict CR1107");
  // Two operators.
  EXPECT_EQ(answer("let t: f64 = s; " + over("t += b[i]; t *= 2.0;")),
            "conflict CR1107");
  // A float that takes doubles is rounded at each step.
  EXPECT_EQ(answer("let t: f32 = 0.0:f32; " + over("t += b[i];")),
            "conflict CR1107");
  // && skips its right side: no load may be added.
  EXPECT_EQ(answer("let t: bool = true; " + over("t = t && b[i] > 0.0;")),
            "conflict CR1107");
  EXPECT_EQ(answer("let t: bool = true; " +
                   over("let v: bool = b[i] > 0.0; t = t && v;")),
            "independent");
}

TEST(Loops, Threads) {
  Question Q;
  Q.Threads = true;
  EXPECT_EQ(answer(over("a[0] = 1.0;"), Q), "independent")
      << "one and the same value";
  EXPECT_EQ(answer(over("a[0] = b[i];"), Q), "conflict CR1103");
  EXPECT_EQ(answer(over("a[0] += b[i];"), Q), "conflict CR1103")
      << "a race, no reduction";
  EXPECT_EQ(answer(over("atomic a[0] += b[i];"), Q), "independent");
  EXPECT_EQ(answer(over("a[c[i]] = b[i];"), Q), "unknown CR1109")
      << "not proved";
  EXPECT_EQ(answer(over("if (k > 0) { a[0] = b[i]; }"), Q), "conflict CR1103");
  EXPECT_EQ(answer(over("for (j: i32 = 3; j < 3; j += 1) { a[0] = b[i]; }"), Q),
            "independent");
}

TEST(Loops, Shapes) {
  // Rows of m elements, under a guard where the row may be longer.
  EXPECT_EQ(
      answer(over("for (j: i32 = 0; j < m; j += 1) { a[i * m + j] = s; }")),
      "independent");
  EXPECT_EQ(
      answer(over("for (j: i32 = 0; j < k; j += 1) { a[i * m + j] = s; }")),
      "independent");
  EXPECT_EQ(
      answer(over("for (j: i32 = 0; j < 4; j += 1) { a[i * 4 + j] = s; }")),
      "independent");
  EXPECT_EQ(
      answer(over("for (j: i32 = 0; j <= 4; j += 1) { a[i * 4 + j] = s; }")),
      "conflict CR1103");
  EXPECT_EQ(
      answer(over("for (j: i32 = 0; j <= i; j += 1) { a[i * n + j] = s; }")),
      "independent");
  EXPECT_EQ(
      answer(over(
          "for (j: i32 = 0; j < i; j += 1) { a[i * n + j] = a[j * n + i]; }")),
      "independent");
  EXPECT_EQ(
      answer(over(
          "for (j: i32 = 0; j < n; j += 1) { a[i * n + j] = a[j * n + i]; }")),
      "conflict CR1101");
  // A declared array.
  EXPECT_EQ(answer("func @f(m: i32, a: f64[][m], n: i32) { for (i: i32 = 0; i "
                   "< n; i += 1) {"
                   "for (j: i32 = 0; j < m; j += 1) { a[i, j] = 1.0; } } }"),
            "independent");
  // Members do not overlap each other.
  EXPECT_EQ(answer(over("a[i].x = a[i + 1].y;")), "independent");
}

TEST(Loops, StridesMustNest) {
  // What lies below a stride may be forgotten only if all strides above are
  // multiples of it: here n and m are unrelated.
  EXPECT_THAT(
      answer(
          "for (i0: i32 = n - 1; i0 >= 0; i0 += -1) {"
          "if (m == i0) { a[i0 % m + i0] = 1.0; } a[1 / m + i0 * n] += 2.0; }"),
      ::testing::Not(HasSubstr("WRONG")));
}

TEST(Loops, AnInnerRangeHoldsInsideOnly) {
  // That the inner loop has an iteration says nothing about i outside it.
  EXPECT_EQ(answer(over("for (j: i32 = i; j < 3; j += 3) { b[i] = s; } "
                        "a[i + i] = s; a[i + m + 3] = 1.0;")),
            "unknown CR1103");
}

TEST(Loops, Induction) {
  EXPECT_EQ(answer(over("let p: i32 = i * m; for (j: i32 = 0; j < m; j += 1) { "
                        "a[p] = s; p += 1; }")),
            "independent");
  EXPECT_EQ(answer(over("let p: i32 = i; for (j: i32 = 0; j < m; j += 1) { "
                        "if (b[j] > s) { p += 1; } a[p] = s; }")),
            "unknown CR1104");
}

TEST(Loops, FixedConditionsExclude) {
  EXPECT_EQ(answer(over("if (k > 0) { a[i] = s; } else { a[0] = b[i]; }")),
            "conflict CR1103");
  EXPECT_EQ(answer(over("if (k > 0) { a[i] = s; } if (k > 0) { b[i] = 1.0; } "
                        "else { b[i] = a[i + 1]; }")),
            "independent");
}

TEST(Loops, Inner) {
  Question Q;
  Q.Which = 1;
  Answer A = ask(function(over("for (j: i32 = 0; j < i; j += 1) { a[i * n + j] "
                               "= a[i * n + j - n]; }")),
                 Q);
  EXPECT_TRUE(A.independent()) << A.toString();
  EXPECT_TRUE(A.Facts.Guards.empty()) << A.toString();
}

TEST(Loops, DefinitionsAreLookedUp) {
  // A row pointer from outside the loop has a range in terms of parameters.
  std::string Text =
      "func @f(y: f64*, x: f64*, n: i32, m: i32) { for (i: i32 = 0; i < n; i "
      "+= 1) {"
      "cursor p: x = icast<i64>(i * m); let q: i32 = i * m; CHANGE "
      "for (j: i32 = 0; j < m; j += 1) { y[q + j] = x[p + icast<i64>(j)]; } } "
      "}";
  auto With = [&](const std::string &Change) {
    std::string T = Text;
    T.replace(T.find("CHANGE"), 6, Change);
    Question Q;
    Q.Which = 1;
    return ask(T, Q);
  };
  Answer A = With("");
  ASSERT_TRUE(A.independent()) << A.toString();
  ASSERT_EQ(A.Facts.Guards.size(), 1u) << A.toString();
  EXPECT_EQ(toString(A.Facts.Guards[0].A.Lo), "icast<i64>(i) * icast<i64>(m)")
      << A.toString();
  EXPECT_EQ(With("p += 1:i64;").Facts.Why.Code, "CR1105");
  EXPECT_EQ(With("if (m > 3) { m = 3; }").Facts.Why.Code, "CR1105")
      << "m is not what it was";
}

TEST(Loops, KnownConditionsNeedNoGuard) {
  // What Enclosing implies is not tested again.
  Question Q;
  Q.Which = 1;
  Answer A = ask(function("for (k2: i32 = 1; k2 < n; k2 += 1) { for (i: i32 = "
                          "0; i < m; i += 1) { a[i * k2] = s; } }"),
                 Q);
  EXPECT_TRUE(A.independent()) << A.toString();
  EXPECT_TRUE(A.Facts.Guards.empty()) << A.toString();
}

/// The tests of ranges that the loop over i is given, a line each: `p[Lo, Hi)
/// x[Lo, Hi)`. All are held against runs.
std::string testsOfRanges(const std::string &Function) {
  const Answer A = ask(Function);
  EXPECT_TRUE(A.independent()) << A.toString();
  const Trial T = tryMany(A, 7, 600);
  EXPECT_EQ(T.Violation, "") << A.toString();
  EXPECT_GT(T.Ran, 0u) << A.toString();
  EXPECT_EQ(tryExtremes(A, 50), "") << A.toString();
  const auto Text = [](const ElementRange &R) {
    return R.Buf->Name + "[" + toString(R.Lo) + ", " + toString(R.Hi) + ")";
  };
  std::string Out;
  for (const Guard &G : A.Facts.Guards)
    if (!G.Cond)
      Out += Text(G.A) + " " + Text(G.B) + "\n";
  return Out;
}

TEST(Loops, RangesInOthersNeedNoTestsOfTheirOwn) {
  const auto Lines = [](const std::string &Body) {
    return testsOfRanges("func @f(p: f64[9][9], x: f64*, y: f64[9][9] "
                         "restrict, n: i32, m: i32) { "
                         "for (i: i32 = 1; "
                         "i < n - 1; i += 1) {" +
                         Body + "} }");
  };
  const std::string Row = "p[9:i64, 10:i64 * icast<i64>(n) - 19:i64)",
                    Column = "p[9:i64, 9:i64 * icast<i64>(n) - 17:i64)",
                    Of = " x[1:i64, icast<i64>(n) - 1:i64)\n";
  const std::string Inner = "for (j: i32 = 1; j < n - 1; j += 1) { p[i, j] = "
                            "x[j] + p[i, j - 1]; }";
  // Where the column is touched, the rows are: their loop runs.
  EXPECT_EQ(Lines("p[i, 0] = 1.0; " + Inner), Row + Of);
  EXPECT_EQ(Lines("if (m > 3) { p[i, 0] = 1.0; } " + Inner), Row + Of);
  // They may not be.
  EXPECT_EQ(Lines("p[i, 0] = 1.0; if (m > 3) { " + Inner + " }"),
            Column + Of + Row + Of);
  EXPECT_EQ(Lines("p[i, 0] = 1.0; for (j: i32 = 1; j < m - 1; j += 1) { "
                  "p[i, j] = x[j] + p[i, j - 1]; }"),
            Column + " x[1:i64, icast<i64>(m) - 1:i64)\n"
                     "p[9:i64, 9:i64 * icast<i64>(n) + icast<i64>(m) - "
                     "19:i64) x[1:i64, icast<i64>(m) - 1:i64)\n");
  // Of p only the column is written: x may overlap the rest.
  EXPECT_EQ(Lines("p[i, 0] = x[i]; for (j: i32 = 1; j < n - 1; j += 1) { "
                  "y[i, j] = p[i, j] + p[i, j - 1]; }"),
            "x[1:i64, icast<i64>(n) - 1:i64) " + Column + "\n");
}

} // namespace
