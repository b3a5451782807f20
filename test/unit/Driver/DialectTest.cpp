//===- DialectTest.cpp - the dialect of what is written -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/ChooseDialect.h"
#include "clang/Basic/LangOptions.h"
#include "gtest/gtest.h"

using namespace raise;

namespace {

clang::LangOptions language(bool CPlusPlus, bool CPlusPlus11) {
  clang::LangOptions Lang;
  Lang.CPlusPlus = CPlusPlus;
  Lang.CPlusPlus11 = CPlusPlus11;
  return Lang;
}

const clang::LangOptions C = language(false, false),
                         Old = language(true, false),
                         New = language(true, true);

TEST(Dialect, OfTheProjectIsForWhatCanHaveIt) {
  ToolOptions Tool;
  Config Cfg;
  EXPECT_EQ(chooseDialect(Tool, Cfg, New), Dialect::OpenMP);
  Cfg.Target = Dialect::Eigen;
  EXPECT_EQ(chooseDialect(Tool, Cfg, New), Dialect::Eigen);
  EXPECT_EQ(chooseDialect(Tool, Cfg, Old), Dialect::OpenMP);
  EXPECT_EQ(chooseDialect(Tool, Cfg, C), Dialect::OpenMP);
}

TEST(Dialect, KernelsAreForGradients) {
  ToolOptions Tool;
  Config Cfg;
  Cfg.Target = Dialect::Cuda;
  Tool.Cmd = Command::Rewrite;
  EXPECT_EQ(chooseDialect(Tool, Cfg, New), Dialect::OpenMP);
  Tool.Cmd = Command::Grad;
  EXPECT_EQ(chooseDialect(Tool, Cfg, New), Dialect::Cuda);
  EXPECT_EQ(chooseDialect(Tool, Cfg, C), Dialect::OpenMP);
  EXPECT_EQ(whyNotDialect(Dialect::Cuda, New, "a.cu"), "");
  EXPECT_EQ(whyNotDialect(Dialect::Cuda, C, "a.c"),
            "target 'cuda' needs C++11 or later, and 'a.c' is C; "
            "--target=openmp can be used for it");
}

TEST(Dialect, OfTheCommandLineWins) {
  ToolOptions Tool;
  Config Cfg;
  Tool.Target = Dialect::Eigen;
  EXPECT_EQ(chooseDialect(Tool, Cfg, C), Dialect::Eigen);
  Tool.Target = Dialect::OpenMP;
  Cfg.Target = Dialect::Eigen;
  EXPECT_EQ(chooseDialect(Tool, Cfg, New), Dialect::OpenMP);
}

TEST(Dialect, SaysWhichLanguageHasNone) {
  EXPECT_EQ(whyNotDialect(Dialect::Eigen, New, "a.cpp"), "");
  EXPECT_EQ(whyNotDialect(Dialect::OpenMP, C, "a.c"), "");
  EXPECT_EQ(whyNotDialect(Dialect::Eigen, C, "a.c"),
            "target 'eigen' needs C++11 or later, and 'a.c' is C; "
            "--target=openmp can be used for it");
  EXPECT_NE(whyNotDialect(Dialect::Eigen, Old, "a.cpp").find("an older C++"),
            std::string::npos);
}

} // namespace
