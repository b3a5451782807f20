//===- ParseTest.cpp - compile commands and launches ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Frontend/Parse.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
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

TEST(Parse, CudaIsNotParsedWithTheHeadersOfResults) {
  llvm::SmallString<128> Headers;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("headers", Headers));
  const std::string Runtime = (Headers + "/runtime").str();
  ASSERT_FALSE(llvm::sys::fs::create_directory(Runtime));
  clang::tooling::CompileCommand Cmd;
  Cmd.Directory = "/project";
  Cmd.Filename = "k.cu";
  Cmd.CommandLine = {"c++",   "-I" + Runtime, "-isystem", Runtime + "/",
                     "-Iinc", "-c",           "k.cu"};
  const auto NamesRuntime = [&](const std::string &Argument) {
    return llvm::StringRef(Argument).contains(Runtime);
  };
  const ParseCommand Cuda = adjustCommand(Cmd, Headers);
  EXPECT_THAT(Cuda.Arguments, Contains("-Iinc"));
  EXPECT_TRUE(llvm::none_of(Cuda.Arguments, NamesRuntime));
  // Another source of the project needs them.
  Cmd.Filename = Cmd.CommandLine.back() = "main.cpp";
  EXPECT_EQ(llvm::count_if(adjustCommand(Cmd, Headers).Arguments, NamesRuntime),
            2);
  ASSERT_FALSE(llvm::sys::fs::remove_directories(Headers));
}

TEST(Parse, PrecompiledHeadersAreReadAsText) {
  const ParseCommand C =
      adjust({"clang++", "-Xclang", "-include-pch", "-Xclang", "h.pch",
              "-Xclang", "-include", "-Xclang", "h.hxx", "a.cpp"},
             "a.cpp");
  EXPECT_THAT(C.Arguments, Not(Contains("-include-pch")));
  EXPECT_THAT(C.Arguments, Not(Contains("h.pch")));
  EXPECT_THAT(C.Arguments, Contains("h.hxx"));
  // Where nothing else says what is in it, it is needed.
  EXPECT_THAT(adjust({"clang++", "-Xclang", "-include-pch", "-Xclang", "h.pch",
                      "-Xclang", "-include-pch", "a.cpp"},
                     "a.cpp")
                  .Arguments,
              Contains("h.pch"));
}

TEST(Parse, ClangsOwnHeadersComeFromBesideTheTool) {
  llvm::SmallString<128> Prefix;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("prefix", Prefix));
  const std::string Own = (Prefix + "/clang/" CLANG_VERSION_MAJOR_STRING).str();
  clang::tooling::CompileCommand Cmd;
  Cmd.Directory = "/project";
  Cmd.Filename = "a.c";
  Cmd.CommandLine = {"cc", "-c", "a.c"};
  const std::string Tools = (Prefix + "/clang-raise").str();
  EXPECT_THAT(adjustCommand(Cmd, Tools).Arguments,
              Not(Contains("-resource-dir=" + Own)));
  ASSERT_FALSE(llvm::sys::fs::create_directories(Own));
  const ParseCommand Beside = adjustCommand(Cmd, Tools);
  EXPECT_THAT(Beside.Arguments, Contains("-resource-dir=" + Own));
  std::vector<Reason> Errors;
  EXPECT_EQ(parseSource(Beside, Errors), nullptr);
  ASSERT_EQ(Errors.size(), 1u);
  EXPECT_THAT(Errors[0].Text, testing::HasSubstr("install them"));
  ASSERT_FALSE(llvm::sys::fs::remove_directories(Prefix));
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
