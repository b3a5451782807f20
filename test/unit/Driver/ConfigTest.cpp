//===- ConfigTest.cpp - the reader of .clang-raise ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace raise;
using testing::HasSubstr;

static Config good(llvm::StringRef Text) {
  auto C = parseConfig(Text, "cfg");
  if (!C) {
    ADD_FAILURE() << toString(C.takeError());
    return {};
  }
  return *C;
}

static std::string bad(llvm::StringRef Text) {
  auto C = parseConfig(Text, "cfg");
  if (C) {
    ADD_FAILURE() << "accepted";
    return "";
  }
  return toString(C.takeError());
}

TEST(Config, EmptyIsTheDefault) {
  EXPECT_EQ(good("").FP, std::nullopt);
  EXPECT_TRUE(good("# only a comment\n").selects("any"));
}

TEST(Config, GradientsThatCannotBe) {
  const std::string Whole = "function: f, source: a.c, output: b.c";
  EXPECT_EQ(bad("gradients: {function: f}\n"),
            "cfg:1:13: gradients must be a list of entries (- function: f)");
  EXPECT_EQ(bad("gradients:\n  - {function: f, source: a.c}\n"),
            "cfg:2:6: an entry of gradients needs 'output'");
  EXPECT_EQ(bad("gradients:\n  - {source: a.c, output: b.c}\n"),
            "cfg:2:6: an entry of gradients needs 'function'");
  EXPECT_EQ(bad("gradients: [{" + Whole + ", mod: forward}]\n"),
            "cfg:1:53: unknown key 'mod'; did you mean 'mode'?");
  EXPECT_EQ(bad("gradients: [{" + Whole + ", mode: both}]\n"),
            "cfg:1:59: mode is forward or reverse, not 'both'");
  EXPECT_EQ(bad("gradients: [{" + Whole + ", wrt: []}]\n"),
            "cfg:1:59: wrt must name at least one thing, and none by an empty "
            "name");
  EXPECT_THAT(bad("gradients: [{" + Whole + ", directions: 3}]\n"),
              HasSubstr("directions is for 'mode: forward'"));
  EXPECT_THAT(
      bad("gradients: [{" + Whole + ", mode: forward, directions: 65}]\n"),
      HasSubstr("directions must be a number from 1 to 64"));
  EXPECT_THAT(bad("gradients: [{" + Whole + ", mode: forward, split: true}]\n"),
              HasSubstr("split is for 'mode: reverse'"));
}

TEST(Config, EveryKey) {
  Config C = good("functions:\n  include: ['n::*']\n  exclude: [n::secret]\n"
                  "target: openmp\nblas: cblas\nblas-library: mkl_rt\n"
                  "fp: strict\nalias: assume\nverify: true\n"
                  "inputs: {attn: {C: k*NH, NH: 1..4}}\n"
                  "checkpoint:\n"
                  "  heat: {loop: t, scheme: periodic, every: 16}\n"
                  "  wave: {loop: s, scheme: binomial, snapshots: 10}\n"
                  "gradients: [{function: f, source: a.c, output: b.c, wrt: x, "
                  "of: [y, z], mode: forward, directions: 4}]\n"
                  "machine: {vector-bytes: 64, cache-line-bytes: 128, "
                  "parallel-work: 1000}\n");
  EXPECT_TRUE(C.selects("n::f"));
  EXPECT_FALSE(C.selects("n::secret"));
  EXPECT_FALSE(C.selects("m::f"));
  EXPECT_TRUE(C.Blas);
  EXPECT_EQ(C.BlasLibrary, "mkl_rt");
  EXPECT_EQ(C.FP, FPMode::Strict);
  EXPECT_EQ(C.Alias, AliasMode::Assume);
  EXPECT_EQ(C.Verify, true);
  EXPECT_EQ(C.Inputs["attn"]["C"], "k*NH");
  EXPECT_EQ(C.Inputs["attn"]["NH"], "1..4");
  EXPECT_EQ(C.Steps["heat"].Loop, "t");
  EXPECT_EQ(C.Steps["heat"].Every, 16);
  EXPECT_EQ(C.Steps["heat"].Place, "cfg:12");
  EXPECT_EQ(C.Steps["wave"].Snapshots, 10);
  ASSERT_EQ(C.Gradients.size(), 1u);
  const Config::GradientEntry &G = C.Gradients.front();
  EXPECT_EQ(G.Source, "a.c");
  EXPECT_EQ(G.Output, "b.c");
  EXPECT_EQ(G.Request.Function, "f");
  EXPECT_THAT(G.Request.Wrt, testing::ElementsAre("x"));
  EXPECT_THAT(G.Request.Of, testing::ElementsAre("y", "z"));
  EXPECT_TRUE(G.Request.Forward);
  EXPECT_FALSE(G.Request.Split);
  EXPECT_EQ(G.Request.Directions, 4u);
  EXPECT_EQ(G.Request.Place, "cfg:14:14");
  EXPECT_EQ(C.Machine.VectorBytes, 64u);
  EXPECT_EQ(C.Machine.CacheLineBytes, 128u);
  EXPECT_EQ(C.Machine.ParallelWork, 1000u);
}

TEST(Config, UnknownKeyNamesPlaceAndNearest) {
  EXPECT_EQ(bad("fp: strict\nfunctoins: {}\n"),
            "cfg:2:1: unknown key 'functoins'; did you mean 'functions'?");
  EXPECT_THAT(bad("functions: {includes: [a]}"), HasSubstr("'include'"));
  EXPECT_THAT(bad("zzz: 1"), HasSubstr("the keys here are functions, target"));
}

TEST(Config, WrongValues) {
  EXPECT_THAT(bad("fp: loose"), HasSubstr("cfg:1:5: fp is strict"));
  EXPECT_THAT(bad("target: hip"), HasSubstr("'hip'"));
  EXPECT_THAT(bad("blas: mkl"), HasSubstr("cfg:1:7: blas is cblas or none"));
  EXPECT_THAT(bad("functions: [a]"), HasSubstr("must be a mapping"));
  EXPECT_THAT(bad("functions: {include: a}"), HasSubstr("must be a list"));
  EXPECT_THAT(bad("verify: maybe"), HasSubstr("true or false"));
  EXPECT_THAT(bad("machine: {vector-bytes: 48}"), HasSubstr("power of two"));
  EXPECT_THAT(bad("machine: {parallel-work: -1}"), HasSubstr("above zero"));
  EXPECT_THAT(bad("fp: fast\nfp: strict"), HasSubstr("twice"));
  EXPECT_EQ(bad("checkpoint: {f: {lop: t}}"),
            "cfg:1:18: unknown key 'lop'; did you mean 'loop'?");
  EXPECT_THAT(bad("checkpoint: {f: {loop: t, scheme: revolve}}"),
              HasSubstr("cfg:1:35: scheme must be periodic or binomial"));
  EXPECT_THAT(bad("checkpoint: {f: {loop: t, scheme: binomial}}"),
              HasSubstr("needs 'snapshots'"));
  EXPECT_THAT(
      bad("checkpoint: {f: {loop: t, scheme: binomial, snapshots: 9999999}}"),
      HasSubstr("1 to 1000000"));
  EXPECT_THAT(bad("checkpoint: {f: {loop: t, scheme: binomial, every: 2}}"),
              HasSubstr("'every' is for 'scheme: periodic'"));
  EXPECT_THAT(bad("checkpoint: {f: {loop: t, scheme: periodic, every: 2, "
                  "snapshots: 2}}"),
              HasSubstr("'snapshots' is for 'scheme: binomial'"));
  EXPECT_THAT(bad("checkpoint: {f: {loop: t, scheme: periodic, every: 0}}"),
              HasSubstr("every must be a number above zero"));
  EXPECT_THAT(bad("checkpoint: {f: {loop: t, scheme: periodic}}"),
              HasSubstr("needs 'every'"));
  EXPECT_THAT(bad("checkpoint: {f: {scheme: periodic, every: 2}}"),
              HasSubstr("needs 'loop'"));
  EXPECT_THAT(bad("checkpoint: {f: {loop: t, every: 2}}"),
              HasSubstr("needs 'scheme: periodic'"));
  EXPECT_THAT(bad("just text"), HasSubstr("must be a mapping"));
  EXPECT_THAT(bad("a: [unclosed"), HasSubstr("cfg:1:"));
}

TEST(Config, PatternsMatchWhole) {
  Config C = good("functions: {include: ['a*c']}");
  EXPECT_TRUE(C.selects("abc"));
  EXPECT_TRUE(C.selects("ac"));
  EXPECT_FALSE(C.selects("abcd"));
}

TEST(Config, RulesOfDerivatives) {
  const Config C = good("derivatives:\n  g: {adjoint: g_back, tangent: g_on}\n"
                        "  n::h:\n    adjoint: n::h_adjoint\n");
  ASSERT_EQ(C.Derivatives.size(), 2u);
  EXPECT_EQ(C.Derivatives.at("g").Adjoint, "g_back");
  EXPECT_EQ(C.Derivatives.at("g").Tangent, "g_on");
  EXPECT_EQ(C.Derivatives.at("g").Line, 2u);
  EXPECT_EQ(C.Derivatives.at("n::h").Tangent, "");
  EXPECT_THAT(bad("derivatives:\n  g: {adjont: g_back}\n"),
              HasSubstr("cfg:2:7: unknown key 'adjont'; did you mean"));
  EXPECT_THAT(bad("derivatives: {g: {}}\n"),
              HasSubstr("need a tangent or an adjoint"));
  EXPECT_THAT(bad("derivatives: {g: {adjoint: [a, b]}}\n"),
              HasSubstr("must be a single value"));
  EXPECT_THAT(bad("derivatives: {g: f}\n"), HasSubstr("must be a mapping"));
}

TEST(Config, ExcludedFilesAreCountedFromItsFolder) {
  auto C = parseConfig("exclude: [third_party, gen/*.c, '**/made.c', ./x/]",
                       "/p/.clang-raise");
  ASSERT_TRUE(bool(C));
  C->Path = "/p/.clang-raise";
  for (const char *File :
       {"/p/third_party/a.c", "/p/third_party/deep/a.c", "/p/gen/a.c",
        "/p/made.c", "/p/a/b/made.c", "/p/x/y.c"})
    EXPECT_TRUE(C->excludesFile(File)) << File;
  for (const char *File : {"/p/a.c", "/p/third_party2/a.c", "/p/gen/deep/a.c",
                           "/p/a/third_party/a.c", "/p/a/remade.c",
                           "/q/third_party/a.c", "/pp/made.c"})
    EXPECT_FALSE(C->excludesFile(File)) << File;
  EXPECT_FALSE(Config().excludesFile("/p/a.c"));
}
