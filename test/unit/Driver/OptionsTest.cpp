//===- OptionsTest.cpp - the command line ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace raise;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

static ToolOptions good(std::vector<llvm::StringRef> Args) {
  auto P = parseArguments(Args);
  if (!P) {
    ADD_FAILURE() << toString(P.takeError());
    return {};
  }
  return P->Options;
}

static std::string bad(std::vector<llvm::StringRef> Args) {
  auto P = parseArguments(Args);
  if (P) {
    ADD_FAILURE() << "accepted";
    return "";
  }
  return toString(P.takeError());
}

TEST(Options, ValueForms) {
  ToolOptions O = good({"rewrite", "-p", "b", "-j4", "--fp=strict", "--alias",
                        "assume", "-o=out", "a.c", "b.c"});
  EXPECT_EQ(O.Cmd, Command::Rewrite);
  EXPECT_EQ(O.BuildPath, "b");
  EXPECT_EQ(O.Jobs, 4u);
  EXPECT_EQ(O.FP, FPMode::Strict);
  EXPECT_EQ(O.Alias, AliasMode::Assume);
  EXPECT_EQ(O.Output, "out");
  EXPECT_THAT(O.Sources, ElementsAre("a.c", "b.c"));
}

TEST(Options, FlagsAfterDashesAreNotOurs) {
  ToolOptions O = good({"explain", "a.c", "--", "-O2", "--in-place"});
  EXPECT_FALSE(O.InPlace);
  EXPECT_THAT(*O.CompileFlags, ElementsAre("-O2", "--in-place"));
}

TEST(Options, EmptyFlagListIsAList) {
  EXPECT_TRUE(good({"explain", "a.c", "--"}).CompileFlags.has_value());
  EXPECT_FALSE(good({"explain", "a.c"}).CompileFlags.has_value());
}

TEST(Options, RequireVerifiedImpliesVerify) {
  EXPECT_EQ(good({"rewrite", "a.c", "--require-verified"}).Verify, true);
  EXPECT_EQ(good({"rewrite", "a.c"}).Verify, std::nullopt);
}

TEST(Options, UnknownOptionNamesTheNearest) {
  EXPECT_THAT(bad({"rewrite", "a.c", "--chek"}), HasSubstr("'--check'"));
  EXPECT_THAT(bad({"rewrite", "a.c", "--frobnicate"}),
              HasSubstr("clang-raise --help"));
}

TEST(Options, UnknownCommandNamesTheNearest) {
  EXPECT_THAT(bad({"rewirte", "a.c"}), HasSubstr("'rewrite'"));
  EXPECT_THAT(bad({"a.c"}), HasSubstr("rewrite, grad and explain"));
}

TEST(Options, WhatRepairsACheck) {
  EXPECT_EQ(good({"rewrite", "-p", "p", "--check", "--json", "o.json", "a b.c"})
                .Repair,
            "clang-raise rewrite --in-place -p p 'a b.c'");
  EXPECT_EQ(good({"rewrite", "-j4", "-o", "out", "--check", "--sarif=x", "a.c",
                  "--", "-DA=$B", "it's"})
                .Repair,
            "clang-raise rewrite -j4 -o out a.c -- '-DA=$B' 'it'\\''s'");
  EXPECT_EQ(good({"grad", "-p", "build", "--check"}).Repair,
            "clang-raise grad -p build");
}

TEST(Options, DepfileIsAboutWrittenFiles) {
  EXPECT_EQ(good({"grad", "--function=f", "a.c", "-o", "x.c", "--depfile=x.d"})
                .Depfile,
            "x.d");
  EXPECT_EQ(good({"grad", "-p", "build", "--depfile=x.d"}).Depfile, "x.d");
  EXPECT_THAT(bad({"rewrite", "a.c", "--depfile=x.d"}), HasSubstr("-o"));
  EXPECT_THAT(bad({"explain", "a.c", "--depfile=x.d"}),
              HasSubstr("does not apply to explain"));
}

TEST(Options, Refusals) {
  EXPECT_THAT(bad({}), HasSubstr("no command"));
  EXPECT_THAT(bad({"rewrite"}), HasSubstr("no source"));
  EXPECT_THAT(bad({"rewrite", "a.c", "--in-place", "--diff"}),
              HasSubstr("only one of"));
  EXPECT_THAT(bad({"rewrite", "a.c", "-o", "x", "--diff"}),
              HasSubstr("only one of"));
  EXPECT_THAT(bad({"explain", "a.c", "--in-place"}),
              HasSubstr("does not apply to explain"));
  EXPECT_THAT(bad({"rewrite", "a.c", "--fp=loose"}), HasSubstr("'loose'"));
  EXPECT_THAT(bad({"rewrite", "a.c", "--target=hip"}), HasSubstr("cuda"));
  EXPECT_THAT(bad({"rewrite", "a.c", "-j", "0"}), HasSubstr("1 to 4096"));
  EXPECT_THAT(bad({"rewrite", "a.c", "-j", "x"}), HasSubstr("'x'"));
  EXPECT_THAT(bad({"rewrite", "a.c", "-o"}), HasSubstr("needs a value"));
  EXPECT_THAT(bad({"rewrite", "a.c", "--json="}), HasSubstr("empty value"));
  EXPECT_THAT(bad({"rewrite", "a.c", "--check=1"}),
              HasSubstr("takes no value"));
  EXPECT_THAT(bad({"rewrite", "a.c", "-p", "a", "-p", "b"}),
              HasSubstr("twice"));
  EXPECT_THAT(bad({"rewrite", "-p", "b", "a.c", "--", "-O2"}),
              HasSubstr("not both"));
  EXPECT_THAT(bad({"rewrite", "-", "--", "-O2"}), HasSubstr("standard input"));
  EXPECT_THAT(bad({"grad", "--function=f", "--split", "--mode=forward", "a.c"}),
              HasSubstr("--split is for --mode=reverse"));
  EXPECT_THAT(bad({"--check", "rewrite", "a.c"}),
              HasSubstr("follow a command"));
}

TEST(Options, HelpIsByCommandAndTrueToTheTable) {
  auto P = parseArguments({"explain", "--help"});
  ASSERT_TRUE(bool(P));
  ASSERT_TRUE(P->Answer.has_value());
  EXPECT_EQ(P->Answer->About, Command::Explain);
  EXPECT_THAT(helpText(Command::Explain), Not(HasSubstr("--in-place")));
  EXPECT_THAT(helpText(Command::Rewrite), HasSubstr("--in-place"));
  EXPECT_THAT(helpText(Command::Grad), HasSubstr("--wrt"));
  EXPECT_THAT(helpText(Command::Rewrite), Not(HasSubstr("--wrt")));
  // What is not built does not exist.
  EXPECT_THAT(helpText(std::nullopt), Not(HasSubstr("stablehlo")));
  EXPECT_THAT(helpText(std::nullopt), HasSubstr("--report"));
  EXPECT_THAT(helpText(std::nullopt), HasSubstr("--sarif"));
  EXPECT_THAT(helpText(Command::Explain), HasSubstr("--cache"));
  EXPECT_THAT(helpText(Command::Grad), Not(HasSubstr("--cache")));
  EXPECT_THAT(helpText(Command::Grad), HasSubstr("--split"));
  EXPECT_THAT(helpText(Command::Rewrite), Not(HasSubstr("--split")));
  EXPECT_THAT(helpText(Command::Grad), HasSubstr("--directions=<k>"));
  EXPECT_THAT(helpText(Command::Rewrite), Not(HasSubstr("--directions")));
}

TEST(Options, DirectionsAreForForwardMode) {
  const auto With = [](llvm::StringRef K, llvm::StringRef Mode) {
    return parseArguments({"grad", "--function=f", Mode, K, "a.cpp"});
  };
  auto P = With("--directions=64", "--mode=forward");
  ASSERT_TRUE(bool(P));
  EXPECT_EQ(P->Options.Directions, 64u);
  for (llvm::StringRef K : {"0", "65", "-1", "4x"})
    EXPECT_THAT(
        toString(
            With(("--directions=" + K).str(), "--mode=forward").takeError()),
        HasSubstr("needs a number from 1 to 64, not '" + K.str()));
  EXPECT_THAT(toString(With("--directions=1", "--mode=reverse").takeError()),
              HasSubstr("--directions is for --mode=forward"));
}

TEST(Options, NearestName) {
  EXPECT_EQ(nearestName("functoins", {"functions", "fp"}), "functions");
  EXPECT_EQ(nearestName("zzz", {"functions", "fp"}), "");
}

TEST(Options, AShardIsOneOfSome) {
  ToolOptions O = good({"explain", "-p", "b", "--shard=2/3"});
  EXPECT_EQ(O.Shard, 2u);
  EXPECT_EQ(O.Shards, 3u);
  for (const char *Value : {"0/3", "4/3", "2", "/", "a/b", "1/", "-1/2"})
    EXPECT_THAT(bad({"explain", "-p", "b", "--shard", Value}),
                HasSubstr("such as 1/4"))
        << Value;
  EXPECT_THAT(bad({"explain", "a.c", "--shard=1/2"}),
              HasSubstr("name no sources"));
}
