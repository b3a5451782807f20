//===- OutlineTest.cpp - a region as a function of its own ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/Outline.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

struct Result {
  std::string Params, States, Why;
};

/// Outlines the first region of Text's function.
Result outlineFirst(llvm::StringRef Text) {
  auto Fs = parseIR(Text, "test.rir");
  if (!Fs)
    return {"", "", llvm::toString(Fs.takeError())};
  FunctionRef F = Fs->back();
  const Region *R = nullptr;
  forEachStmt(F->Body, [&](const StmtRef &S) {
    if (auto *Found = llvm::dyn_cast<Region>(S.get()); Found && !R)
      R = Found;
  });
  Result Out;
  Outlined O = outlineRegion(*R, *F, "alone", Out.Why);
  if (!O.Original)
    return Out;
  EXPECT_EQ(O.Original->Params.size(), O.Raised->Params.size());
  for (const Param &P : O.Original->Params)
    Out.Params += P.name().str() + " ";
  for (const OutlinedState &S : O.States)
    Out.States += S.V->Name + (S.WriteBack ? "! " : " ");
  return Out;
}

std::string region(const std::string &Body, const std::string &Original) {
  return "region { body { " + Body + " } original { " + Original + " } }";
}

TEST(Outline, WhatIsUsedBecomesAParameter) {
  Result R = outlineFirst(
      "external scale: f32; global a: f32[9]; pointer l.out: f32*;"
      "func @f(n: i32, unused: i32) { let s: f32 = 0.0:f32; " +
      region("tensor (i: reduction 0 .. n step 1) { s += a[i] * scale * "
             "l.out[i]; }",
             "for (i: i32 = 0; i < n; i += 1) { s += a[i] * scale * l.out[i]; "
             "}") +
      " a[0] = s; }");
  EXPECT_EQ(R.Why, "");
  EXPECT_EQ(R.Params, "n scale a l.out s_state ");
  EXPECT_EQ(R.States, "s! ");
}

TEST(Outline, WhatIsSaidOfThePlaceGoesAlong) {
  const std::string Map =
      region("tensor (i: parallel 0 .. n) { a[i] = 1.0:f32; }",
             "for (i: i32 = 0; i < n; i += 1) { a[i] = 1.0:f32; }");
  const std::string Facts =
      "assume \"n < m\" n < m; extent \"a has m elements\" a = cast<i64>(m); "
      "extent \"b has n elements\" b = cast<i64>(n); ";
  const std::string Head = "func @f(a: f32*, b: f32*, n: i32, m: i32) { ";
  EXPECT_EQ(outlineFirst(Head + Facts + Map + " }").Params, "n m a ");
  // Not once it has changed, nor after its block.
  EXPECT_EQ(outlineFirst(Head + Facts + "m += 1; " + Map + " }").Params,
            "n a ");
  EXPECT_EQ(outlineFirst(Head + "{ " + Facts + "} " + Map + " }").Params,
            "n a ");
  EXPECT_EQ(outlineFirst(Head + Facts + "for (j: i32 = 0; j < 3; j += 1) { " +
                         Map + " m += j; } }")
                .Params,
            "n a ");
}

TEST(Outline, ADeadVariableIsNotWrittenBack) {
  // The loop counts in a variable of the function; the operation declares it.
  Result R = outlineFirst(
      "func @f(y: f32*, n: i32) { let i: i32; " +
      region("tensor (j: parallel 0 .. n step 1) { y[j] = 0.0:f32; }",
             "for (i = 0; i < n; i += 1) { y[i] = 0.0:f32; }") +
      " }");
  EXPECT_EQ(R.Params, "n y i_state ");
  EXPECT_EQ(R.States, "i ");
}

TEST(Outline, TheLoopsAroundLimitWhatARunMaySee) {
  const std::string Inner =
      region("tensor (j: parallel 0 .. n step 1) { y[j] = x[i]; }",
             "for (j: i32 = 0; j < n; j += 1) { y[j] = x[i]; }");
  auto Limits = [&](const std::string &Head, std::string *Params = nullptr) {
    auto Fs = parseIR("func @f(y: f32*, x: f32*, n: i32, m: i32, idx: i32*) { "
                      "for (q: i32 = 0; q < 4; q += 1) { for (" +
                          Head + ") { " + Inner + " } } }",
                      "test.rir");
    if (!Fs)
      return llvm::toString(Fs.takeError());
    std::string Why;
    const Region *R = nullptr;
    forEachStmt(Fs->back()->Body, [&](const StmtRef &S) {
      if (auto *Found = llvm::dyn_cast<Region>(S.get()))
        R = Found;
    });
    Outlined O = outlineRegion(*R, *Fs->back(), "alone", Why);
    EXPECT_EQ(Why, "");
    if (Params)
      for (const Param &P : O.Original->Params)
        *Params += P.name().str() + " ";
    for (const OutlinedRange &G : O.Ranges)
      EXPECT_EQ(G.Counter->Name, "i");
    return O.Within ? toString(O.Within) : "always";
  };
  std::string Params;
  EXPECT_EQ(Limits("i: i32 = 0; i < m - 1; i += 1", &Params),
            "i < m - 1 && 0 <= i");
  EXPECT_EQ(Params, "n i m y x ");
  EXPECT_EQ(Limits("i: i32 = n; i >= 2; i += -3"),
            "i >= 2 && n >= i && (i - n) % -3 == 0");
  EXPECT_EQ(Limits("i: i32 = 0; i < idx[0]; i += 1"), "always");
}

TEST(Outline, ACursorComesWithItsBase) {
  Result R = outlineFirst(
      "func @f(y: f32*, n: i32) { cursor p: y = 3:i64; " +
      region("tensor (i: parallel 0 .. n step 1) { y[p + icast<i64>(i)] = "
             "0.0:f32; }",
             "for (i: i32 = 0; i < n; i += 1) { y[p + icast<i64>(i)] = "
             "0.0:f32; }") +
      " }");
  EXPECT_EQ(R.Why, "");
  EXPECT_EQ(R.Params, "n p y ");
  EXPECT_EQ(R.States, "");
}

// The test tells a region that returns from one that comes to its end.
TEST(Outline, ARegionThatReturns) {
  Result R = outlineFirst(
      "func @f(x: const i32*, n: i32): i32 { " +
      region("tensor (i: search 0 .. n) { if (x[i] == 0) { return i; } }",
             "for (i: i32 = 0; i < n; i += 1) { if (x[i] == 0) { return i; } "
             "}") +
      " return -1; }");
  EXPECT_EQ(R.Why, "");
  EXPECT_EQ(R.Params, "n x finished_state ");
}

// What the object of a member function holds comes by the names it has there.
TEST(Outline, PartsOfTheObject) {
  Result R = outlineFirst(
      "pointer `this->v.data()`: f32*; external `this->v.size()`: u64; "
      "func @f(this: void*) { " +
      region("tensor (i: parallel 0:u64 .. `this->v.size()` step 1:u64) { "
             "`this->v.data()`[i] = this[0:i64].s:f32; }",
             "for (i: u64 = 0:u64; i < `this->v.size()`; i += 1:u64) { "
             "`this->v.data()`[i] = this[0:i64].s:f32; }") +
      " }");
  EXPECT_EQ(R.Why, "");
  EXPECT_EQ(R.Params, "this->v.size() this->v.data() this ");
}

TEST(Outline, WhatHasNoNameIsRefused) {
  Result R = outlineFirst(
      "global x: f32[9]; func @f(y: f32*, n: i32) { let x: f32 = x[0]; " +
      region("tensor (i: parallel 0 .. n step 1) { y[i] = x; }",
             "for (i: i32 = 0; i < n; i += 1) { y[i] = x; }") +
      " }");
  // The inner x hides the outer one, so only one of them can be meant here.
  EXPECT_EQ(R.Params, "n x y ");
  R = outlineFirst(
      "external `ns::k`: i32; func @f(y: i32*, n: i32) { " +
      region("tensor (i: parallel 0 .. n step 1) { y[i] = `ns::k`; }",
             "for (i: i32 = 0; i < n; i += 1) { y[i] = `ns::k`; }") +
      " }");
  EXPECT_EQ(R.Why, "'ns::k' cannot be a parameter of a test");
}

} // namespace
