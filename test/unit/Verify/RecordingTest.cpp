//===- RecordingTest.cpp - arguments of real calls ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Verify/Recording.h"
#include "Make.h"

using namespace raise;
using namespace raise::testing;

namespace {

const std::string Head = "# clang-raise recording 1\n";

std::string wrong(const std::string &Text) {
  auto Calls = parseRecording(Text, "r");
  return Calls ? "none" : llvm::toString(Calls.takeError());
}

std::string unfit(const std::string &Body, llvm::StringRef IR) {
  auto Calls = parseRecording(Head + "call f\n" + Body + "end\n", "r");
  if (!Calls)
    return llvm::toString(Calls.takeError());
  auto In = inputsOf(Calls->front(), *parseOne(IR), "r");
  return In ? "none" : llvm::toString(In.takeError());
}

} // namespace

TEST(Recording, CallsAreRead) {
  auto Calls = parseRecording(Head + "\n# a remark\ncall n::f\nn = -3\n"
                                     "x[3] = 1 0x1.8p+1 inf\r\ny = x + 2\n"
                                     "z = null\ne[0] =\n"
                                     "u = 18446744073709551615\nend\n"
                                     "call g\nlaunch 1 2 3 4 5 6\nend\n",
                              "r");
  ASSERT_TRUE(bool(Calls)) << llvm::toString(Calls.takeError());
  ASSERT_EQ(Calls->size(), 2u);
  const RecordedCall &C = Calls->front();
  EXPECT_EQ(C.Function, "n::f");
  EXPECT_EQ(C.Line, 4u);
  EXPECT_EQ(C.Values.at("n").Numbers[0].I, -3);
  EXPECT_EQ(C.Values.at("x").Numbers.size(), 3u);
  EXPECT_EQ(C.Values.at("x").Numbers[1].D, 3.0L);
  EXPECT_EQ(C.Values.at("y").Of, "x");
  EXPECT_EQ(C.Values.at("y").Offset, 2u);
  EXPECT_EQ(C.Values.at("z").Kind, RecordedValue::ValueKind::Null);
  EXPECT_TRUE(C.Values.at("e").Numbers.empty());
  EXPECT_EQ(uint64_t(C.Values.at("u").Numbers[0].I), UINT64_MAX);
  EXPECT_EQ(Calls->back().Grid[2], 3u);
  EXPECT_EQ(Calls->back().Block[0], 4u);
}

TEST(Recording, WhatIsWrongHasItsPlace) {
  EXPECT_EQ(wrong(""), "r:1:1: a recording begins with '# clang-raise "
                       "recording 1'");
  EXPECT_EQ(wrong("call f\n"), "r:1:1: a recording begins with '# clang-raise "
                               "recording 1'");
  EXPECT_EQ(wrong(Head + "n = 3\n"),
            "r:2:1: 'call' and the name of a function are expected");
  EXPECT_EQ(wrong(Head + "call f\nn = 3\n"),
            "r:3:6: no 'end' follows the call on line 2, which was not "
            "recorded to its end");
  EXPECT_EQ(wrong(Head + "call f\ncall g\n"),
            "r:3:1: an 'end' is expected before another 'call': the call on "
            "line 2 was not recorded to its end");
  EXPECT_EQ(wrong(Head + "call f\n  n 3\nend\n"),
            "r:3:3: 'name = value', 'name[count] = values', 'launch' or 'end' "
            "is expected");
  EXPECT_EQ(wrong(Head + "call f\nn = 3 4\nend\n"),
            "r:3:5: a number, 'null' or 'array + offset' is expected, not "
            "'3 4'");
  EXPECT_EQ(wrong(Head + "call f\nx[2] = 3 4 5\nend\n"),
            "r:3:1: 2 elements are announced, and 3 follow");
  EXPECT_EQ(wrong(Head + "call f\nx[2] = 3 4x\nend\n"),
            "r:3:10: '4x' is no number");
  EXPECT_EQ(wrong(Head + "call f\nx[n] = 3\nend\n"),
            "r:3:3: a number of elements is expected in '[]'");
  EXPECT_EQ(wrong(Head + "call f\nn = 3\nn = 4\nend\n"),
            "r:4:1: 'n' is given twice");
  EXPECT_EQ(wrong(Head + "call f\nlaunch 1 1 1 0 1 1\nend\n"),
            "r:3:1: six numbers above zero are expected behind 'launch': the "
            "grid, then the block");
  EXPECT_EQ(wrong(Head + "call f\ny overlaps x\nend\n"),
            "r:3:1: 'y' overlaps 'x' in part: record the one that begins first "
            "before it, with the elements of both");
}

TEST(Recording, ValuesFitTheParameters) {
  const char *IR = "func @f(x: f32*, y: f32*, k: u8*, n: i32) { x[0] = y[0]; }";
  const std::string Rest = "y[1] = 1\nk[1] = 255\n", N = "n = 3\n";
  EXPECT_EQ(unfit("x[2] = 1 2\n" + Rest + N, IR), "none");
  EXPECT_EQ(unfit("x = y + 1\n" + Rest + N, IR), "none");
  EXPECT_EQ(unfit("x = null\n" + Rest + N, IR), "none");
  EXPECT_EQ(unfit(Rest + N, IR), "r:2: the call says nothing of 'x'");
  EXPECT_EQ(unfit("x[1] = 1\n" + Rest, IR),
            "r:2: the call says nothing of 'n'");
  EXPECT_EQ(unfit("x[1] = 1\n" + Rest + "n = 2147483648\n", IR),
            "r:6: 'n' has type int, which does not hold this value");
  EXPECT_EQ(unfit("x[1] = 1\n" + Rest + "n = 2.5\n", IR),
            "r:6: 'n' has type int, which does not hold this value");
  EXPECT_EQ(unfit("x[1] = 1\ny[1] = 1\nk[2] = 0 256\n" + N, IR),
            "r:5: element 1 of 'k' is no unsigned char");
  EXPECT_EQ(unfit("x = 1\n" + Rest + N, IR),
            "r:3: 'x' is an array: 'x[count] = values', 'null' or 'array + "
            "offset' is expected");
  EXPECT_EQ(unfit("x[1] = 1\n" + Rest + "n[1] = 3\n", IR),
            "r:6: 'n' is a number");
  EXPECT_EQ(unfit("x = y + 2\n" + Rest + N, IR),
            "r:3: 'y' has only 1 elements");
  EXPECT_EQ(unfit("x = k + 1\n" + Rest + N, IR),
            "r:3: 'x' and 'k' have elements of different types");
  EXPECT_EQ(unfit("x = n + 1\n" + Rest + N, IR),
            "r:3: 'n' is no array of this call");
  EXPECT_EQ(unfit("x[1] = 1\nq = 3\n" + Rest + N, IR),
            "r:4: 'f' has no parameter 'q'");
  EXPECT_EQ(unfit("launch 1 1 1 1 1 1\nx[1] = 1\n" + Rest + N, IR),
            "r:2: 'launch' is for kernels alone");
}

TEST(Recording, CallsAreTheInputs) {
  WorkFolder Folder;
  VerifyJob J;
  J.Original = parseOne("func @f(y: f64*, x: const f64*, k: const i32*, n: i32)"
                        " { for (i: i32 = 0; i < n; i += 1) { y[i] = x[k[i]]; "
                        "} }");
  const auto Discover = [&](const std::string &Text) {
    J.Recording = Folder.write("r", Head + Text);
    return discoverInputs(J);
  };
  Discovered D = Discover("call f\nn = 2\nk[2] = 5 1\nx[6] = 0 1 2 3 4 5\n"
                          "y[3] = 7 8 9\nend\ncall g\nend\n"
                          "call f\nn = 0\nk[0] =\nx[0] =\ny = null\nend\n");
  ASSERT_EQ(D.Problem, "");
  ASSERT_EQ(D.Inputs.size(), 2u);
  const interp::Inputs &In = D.Inputs[0].In;
  EXPECT_EQ(D.Inputs[0].Text, "recorded: n = 2");
  EXPECT_EQ(In.Buffers.at("y").Store->Cells[0]->D, 7.0L); // as before the call
  EXPECT_EQ(In.Buffers.at("x").Store->size(), 6u);
  EXPECT_EQ(D.Inputs[0].Written, 2u);

  D = Discover("call f\nn = 2\nk[2] = 5 6\nx[6] = 0 1 2 3 4 5\ny[3] = 7 8 9\n"
               "end\n");
  EXPECT_TRUE(D.Inputs.empty());
  EXPECT_NE(D.Problem.find("r:2: the original is not defined on this call"),
            std::string::npos)
      << D.Problem;
  EXPECT_NE(D.Problem.find("'x' at 6"), std::string::npos) << D.Problem;

  D = Discover("call g\nend\n");
  EXPECT_NE(D.Problem.find("holds no call of 'f'"), std::string::npos);
}
