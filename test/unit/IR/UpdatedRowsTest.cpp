//===- UpdatedRowsTest.cpp - rows that a loop only updates ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/UpdatedRows.h"
#include "TestHelpers.h"
#include "raise/IR/Text.h"
#include "gtest/gtest.h"

using namespace raise;
using namespace raise::test;

namespace {

/// A function whose body is one loop, and what is found of its buffer y.
struct Rows {
  FunctionRef F;
  StmtRef Loop;
  BufferRef Y;
  std::optional<UpdatedRow> Found;

  explicit Rows(const std::string &Body) {
    F = parse("func @f(y: f32*, x: const f32*, k: const i32*, n: i32, m: "
              "i32, l: i64) { " +
              Body + " }");
    Loop = statements(F->Body).front();
    Y = F->Params.front().Buf;
    Found = updatedRow(Loop, *Y);
  }
  std::string tests() const {
    std::string Text;
    for (const Guard &G : Found->Tests)
      Text += (Text.empty() ? "" : "; ") + toString(G.Cond);
    return Text;
  }
};

} // namespace

TEST(UpdatedRows, AreFound) {
  const Rows R("for (r: i32 = 0; r < n; r += 1) { for (i: i32 = 0; i < m; i += "
               "1) { y[i] += x[r * m + i]; } }");
  ASSERT_TRUE(R.Found);
  EXPECT_EQ(toString(R.Found->Length), "m");
  EXPECT_EQ(R.tests(), "icast<i64>(m) >= 1:i64; icast<i64>(m) <= 16384:i64; "
                       "icast<i64>(n) >= 1:i64");
  EXPECT_EQ(toString(hasManyRows(R.Loop, *R.Y)), "icast<i64>(n) >= 64:i64");
  EXPECT_FALSE(areTested(*R.Found, {}));
  EXPECT_TRUE(areTested(*R.Found, R.Found->Tests));
  std::vector<Guard> Stronger = R.Found->Tests;
  Stronger[2].Cond = hasManyRows(R.Loop, *R.Y);
  EXPECT_TRUE(areTested(*R.Found, Stronger));
  std::vector<Guard> Weaker = R.Found->Tests;
  Weaker.pop_back();
  EXPECT_FALSE(areTested(*R.Found, Weaker));
}

TEST(UpdatedRows, OfKnownLengthsNeedNoTests) {
  const Rows R("for (r: i32 = 0; r < 100; r += 1) { for (i: i32 = 0; i < 16; i "
               "+= 1) { y[i] += x[r]; } }");
  ASSERT_TRUE(R.Found);
  EXPECT_EQ(R.tests(), "");
  EXPECT_EQ(toString(hasManyRows(R.Loop, *R.Y)), "true");
  const Rows Long("for (r: i32 = 0; r < 100; r += 1) { for (i: i32 = 0; i < "
                  "16385; i += 1) { y[i] += x[r]; } }");
  EXPECT_FALSE(Long.Found);
}

TEST(UpdatedRows, AreCountedByAllLoopsAround) {
  const Rows R("for (b: i32 = 0; b < n; b += 1) { for (t: i32 = 0; t < 8; t += "
               "1) { for (i: i32 = 0; i < m; i += 1) { y[i] += x[t]; } } }");
  ASSERT_TRUE(R.Found);
  EXPECT_EQ(toString(hasManyRows(R.Loop, *R.Y)), "icast<i64>(n) >= 8:i64");
  const Rows Wide(
      "for (b: i32 = 0; b < n; b += 1) { for (t: i64 = 0:i64; t < l; "
      "t += 1:i64) { for (i: i32 = 0; i < m; i += 1) { y[i] += x[b]; } } "
      "}");
  ASSERT_TRUE(Wide.Found);
  EXPECT_EQ(toString(hasManyRows(Wide.Loop, *Wide.Y)),
            "icast<i64>(n) >= 64:i64");
}

// A reduction that names a row touches all of it.
TEST(UpdatedRows, AreUpdatedWhole) {
  const auto In = [](const std::string &Inner) {
    return "for (r: i32 = 0; r < n; r += 1) { " + Inner + " }";
  };
  for (const std::string &Body :
       {In("for (i: i32 = 0; i < m; i += 1) { if (k[r] == i) { y[i] += x[r]; } "
           "}"),
        In("for (i: i32 = 1; i < m; i += 1) { y[i] += x[r]; }"),
        In("for (i: i32 = 0; i < m; i += 2) { y[i] += x[r]; }"),
        In("if (k[r] > 0) { for (i: i32 = 0; i < m; i += 1) { y[i] += x[r]; } "
           "}"),
        In("for (j: i32 = 0; j < k[r]; j += 1) { for (i: i32 = 0; i < m; i += "
           "1) { y[i] += x[r]; } }"),
        In("for (i: i32 = 0; i < m; i += 1) { if (k[i] > 2) { break; } y[i] += "
           "x[r]; }"),
        In("for (i: i32 = 0; i < r; i += 1) { y[i] += x[r]; }"),
        In("for (i: i32 = 0; i < m; i += 1) { y[i] += y[0] * x[r]; }"),
        In("for (i: i32 = 0; i < m; i += 1) { y[i] = x[r]; }"),
        In("for (i: i32 = 0; i < m; i += 1) { y[i + 1] += x[r]; }"),
        In("for (i: i32 = 0; i < m; i += 1) { y[r] += x[i]; }"),
        In("for (i: i32 = 0; i < m; i += 1) { y[i] += x[r]; } for (i: i32 = 0; "
           "i < n; i += 1) { y[i] += x[r]; }")}) {
    const Rows R(Body);
    EXPECT_FALSE(R.Found) << Body;
  }
  // Beside one that is, others may be left out.
  EXPECT_TRUE(Rows(In("for (i: i32 = 0; i < m; i += 1) { y[i] += x[r]; } for "
                      "(i: i32 = 1; i < m; i += 1) { if (k[r] > 0) { y[i] += "
                      "x[i]; } }"))
                  .Found);
}
