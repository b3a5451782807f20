//===- ParseTest.cpp - compile commands and launches ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Frontend/Parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace raise;
using testing::Contains;
using testing::Not;

namespace {

ParseCommand adjust(std::vector<std::string> Line, std::string File) {
  clang::tooling::CompileCommand Cmd;
  Cmd.Directory = "/project/build";
  Cmd.Filename = std::move(File);
  Cmd.CommandLine = std::move(Line);
  return adjustCommand(Cmd, "/headers");
}

TEST(Parse, OutputAndDependencyOptionsGo) {
  const ParseCommand C = adjust(
      {"cc", "-O2", "-Iinc", "-MD", "-MF", "a.d", "-c", "-o", "a.o", "../a.c"},
      "../a.c");
  EXPECT_EQ(C.File, "/project/a.c");
  EXPECT_TRUE(C.LanguageC);
  EXPECT_THAT(C.Arguments, Contains("-O2"));
  EXPECT_THAT(C.Arguments, Contains("-Iinc"));
  for (const char *Gone : {"-MD", "-MF", "a.d", "-c", "-o", "a.o", "../a.c"})
    EXPECT_THAT(C.Arguments, Not(Contains(Gone))) << Gone;
  EXPECT_EQ(C.Arguments.back(), "/project/a.c");
  EXPECT_FALSE(C.OpenMP);
  EXPECT_TRUE(C.MathErrno);
}

TEST(Parse, NvccOptionsGoAndHostOptionsStay) {
  const ParseCommand C =
      adjust({"nvcc", "-gencode", "arch=compute_70,code=sm_70", "-Xptxas", "-v",
              "--use_fast_math", "-DGPU", "-Xcompiler", "-fopenmp,-Wall", "-c",
              "k.cu"},
             "k.cu");
  EXPECT_TRUE(C.Cuda);
  EXPECT_FALSE(C.LanguageC);
  EXPECT_TRUE(C.OpenMP);
  EXPECT_THAT(C.Arguments, Contains("-DGPU"));
  EXPECT_THAT(C.Arguments, Contains("-fopenmp"));
  EXPECT_THAT(C.Arguments, Contains("-Wall"));
  EXPECT_THAT(C.Arguments, Contains("--cuda-host-only"));
  EXPECT_THAT(C.Arguments, Contains("/headers/prelude"));
  for (const char *Gone : {"-gencode", "arch=compute_70,code=sm_70", "-Xptxas",
                           "-v", "--use_fast_math", "-Xcompiler"})
    EXPECT_THAT(C.Arguments, Not(Contains(Gone))) << Gone;
}

TEST(Parse, LanguageFollowsDriverAndOption) {
  EXPECT_FALSE(adjust({"g++", "a.c"}, "a.c").LanguageC);
  EXPECT_TRUE(adjust({"gcc", "a.c"}, "a.c").LanguageC);
  EXPECT_TRUE(adjust({"clang++", "-x", "cuda", "a.cpp"}, "a.cpp").Cuda);
  EXPECT_FALSE(adjust({"cc", "-fno-math-errno", "a.c"}, "a.c").MathErrno);
  EXPECT_TRUE(adjust({"cc", "-fopenmp-simd", "a.c"}, "a.c").OpenMPSimd);
  EXPECT_FALSE(adjust({"cc", "-fopenmp-simd", "a.c"}, "a.c").OpenMP);
}

TEST(Parse, ErrorsHavePlacesAndNoUnit) {
  clang::tooling::CompileCommand Cmd;
  Cmd.Directory = "/";
  Cmd.Filename = "/does/not/exist.c";
  Cmd.CommandLine = {"cc", "/does/not/exist.c"};
  std::vector<Reason> Errors;
  EXPECT_EQ(parseSource(adjustCommand(Cmd, "/headers"), Errors), nullptr);
  ASSERT_FALSE(Errors.empty());
  EXPECT_EQ(Errors[0].Code, "CR0201");
}

TEST(MendLaunches, JoinsAndKeepsTheLength) {
  const std::string Source = "void f() { k << < g, b >> > (x); }";
  const std::optional<std::string> Mended = mendLaunches(Source);
  ASSERT_TRUE(Mended.has_value());
  EXPECT_EQ(*Mended, "void f() { k <<<  g, b >>>  (x); }");
  EXPECT_EQ(Mended->size(), Source.size());
}

TEST(MendLaunches, LeavesTheRestAlone) {
  EXPECT_EQ(mendLaunches("k<<<g, b>>>(x);"), std::nullopt);
  EXPECT_EQ(mendLaunches("// k << < g\nint a = b << 2;"), std::nullopt);
  EXPECT_EQ(mendLaunches("const char *s = \"<< <\";"), std::nullopt);
  EXPECT_EQ(mendLaunches("A<B<int>> > x;"), std::nullopt);
}

} // namespace
