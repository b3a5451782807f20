//===- UsualStyleTest.cpp - the style a file is written in ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../../../lib/Driver/UsualStyle.h"
#include "gtest/gtest.h"

using namespace raise;
using clang::format::FormatStyle;

namespace {

const FormatStyle Plain = clang::format::getLLVMStyle();

TEST(UsualStyleTest, NothingToLearnFromIsLLVMs) {
  EXPECT_EQ(usualStyle(""), Plain);
  EXPECT_EQ(usualStyle("int x;\n"), Plain);
  EXPECT_EQ(usualStyle("void f() {\n  g();\n}\n"), Plain);
}

TEST(UsualStyleTest, IndentsAsMostBlocksDo) {
  const FormatStyle S = usualStyle("void f() {\n"
                                   "    for (;;) { // round and round\n"
                                   "\n"
                                   "#pragma unroll\n"
                                   "        g();\n"
                                   "      }\n"
                                   "}\n"
                                   "void h() {\n"
                                   "  g();\n"
                                   "}\n");
  EXPECT_EQ(S.IndentWidth, 4u);
  EXPECT_EQ(S.UseTab, FormatStyle::UT_Never);
}

TEST(UsualStyleTest, ContinuedParametersAreNoBlock) {
  EXPECT_EQ(usualStyle("void f(int a,\n"
                       "       int b) {\n"
                       "   g();\n"
                       "}\n")
                .IndentWidth,
            2u);
}

TEST(UsualStyleTest, Tabs) {
  const FormatStyle S =
      usualStyle("void f() {\n\tfor (;;) {\n\t\tg();\n\t}\n}\n");
  EXPECT_EQ(S.UseTab, FormatStyle::UT_ForContinuationAndIndentation);
  EXPECT_EQ(S.IndentWidth, S.TabWidth);
}

TEST(UsualStyleTest, StarsOfDeclarations) {
  EXPECT_EQ(
      usualStyle("void f(float* x, const my_t* y, T *z);\n").PointerAlignment,
      FormatStyle::PAS_Left);
  EXPECT_EQ(
      usualStyle("void f(float *x, const my_t *y, T* z);\n").PointerAlignment,
      FormatStyle::PAS_Right);
  // Products and casts say nothing.
  EXPECT_EQ(usualStyle("y = a* b + n* c + (float*)p;\n").PointerAlignment,
            Plain.PointerAlignment);
}

TEST(UsualStyleTest, Braces) {
  EXPECT_EQ(usualStyle("void f()\n{\n  if (x)\n  {\n    g();\n  }\n}\n")
                .BreakBeforeBraces,
            FormatStyle::BS_Allman);
  // Of functions alone, others stand behind their statements.
  EXPECT_EQ(usualStyle("void f()\n{\n  if (x) {\n    for (;;) {\n      g();\n"
                       "    }\n  }\n}\n")
                .BreakBeforeBraces,
            Plain.BreakBeforeBraces);
  // GNU's are indented.
  EXPECT_EQ(usualStyle("void f ()\n  {\n    if (x)\n      {\n        g ();\n"
                       "      }\n  }\n")
                .BreakBeforeBraces,
            Plain.BreakBeforeBraces);
}

} // namespace
