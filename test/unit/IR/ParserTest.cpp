//===- ParserTest.cpp - what the text form means and what it rejects ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestHelpers.h"

using namespace raise;
using namespace raise::test;

namespace {

std::string errorIn(llvm::StringRef Statement) {
  return parseError(("func @f(n: i32, x: f32, b: bool, p: f32*, u: u32) {\n" +
                     Statement + "\n}\n")
                        .str());
}

TEST(Parser, SetsPlaces) {
  FunctionRef F = parse("// comment\nfunc @f(p: f32*, n: i32) {\n"
                        "  p[n + 1] = 1.0:f32;\n}\n");
  const auto *S = llvm::cast<Store>(statements(F->Body)[0].get());
  EXPECT_EQ(S->Loc.File, "t.rir");
  EXPECT_EQ(S->Loc.Line, 3u);
  EXPECT_EQ(S->Loc.Column, 3u);
  EXPECT_EQ(S->Loc.End - S->Loc.Begin, 19u);
  EXPECT_EQ(S->To.Indices[0]->Loc.Column, 5u);
  EXPECT_EQ(F->Loc.Line, 2u);
  EXPECT_EQ(F->Loc.Column, 6u);
}

/// Whether the two expressions over i32 a, b, c are read as one tree.
bool readAlike(const std::string &A, const std::string &B) {
  auto Read = [](const std::string &E) {
    return parse("func @f(a: i32, b: i32, c: i32, d: bool) { let r: bool = " +
                 E + "; }");
  };
  return structurallyEqual(*Read(A), *Read(B));
}

TEST(Parser, PrecedenceIsThatOfC) {
  EXPECT_TRUE(readAlike("a + b * c << 1 < c", "((a + (b * c)) << 1) < c"));
  EXPECT_TRUE(readAlike("a - b - c == a", "((a - b) - c) == a"));
  EXPECT_FALSE(readAlike("a - b - c == a", "(a - (b - c)) == a"));
  EXPECT_TRUE(readAlike("(a | b ^ c & a) != 0", "(a | (b ^ (c & a))) != 0"));
  EXPECT_TRUE(readAlike("d || a < b && b == c", "d || ((a < b) && (b == c))"));
  EXPECT_TRUE(readAlike("a < b == d", "(a < b) == d"));
  EXPECT_TRUE(readAlike("!d && -a % b > ~c", "(!d) && (((-a) % b) > (~c))"));
  EXPECT_TRUE(
      readAlike("d ? d : a < b ? d : !d", "d ? d : ((a < b) ? d : !d)"));
}

TEST(Parser, LeavesLiteralsAlone) {
  FunctionRef F =
      parse("func @f(a: i32): i32 { return a + 0x1f + 007 - -1 * (1 + 2); }");
  EXPECT_EQ(toString(statements(F->Body)[0]),
            "return a + 31 + 7 - -1 * (1 + 2);\n");
}

TEST(Parser, RoundsToTheTypeOnce) {
  // Halfway between two floats but for a digit that a double cannot hold.
  FunctionRef F = parse(
      "func @f(): f32 { return 1.000000059604644775390625000000001:f32; }");
  const auto *R = llvm::cast<Return>(statements(F->Body)[0].get());
  EXPECT_EQ(llvm::cast<FloatConst>(R->Value.get())->Value,
            double(1.00000011920928955f));
}

TEST(Parser, InnerNamesHideOuterOnes) {
  FunctionRef F = parse("func @f(n: i32) {\n"
                        "  for (i: i32 = 0; i < n; i += 1) {\n"
                        "    for (i: i32 = i; i < n; i += 1) { n = i; }\n"
                        "    n = i;\n  }\n}\n");
  const auto *Outer = llvm::cast<For>(statements(F->Body)[0].get());
  const auto *Inner = llvm::cast<For>(statements(Outer->Body)[0].get());
  EXPECT_NE(Outer->V, Inner->V);
  EXPECT_EQ(llvm::cast<VarUse>(Inner->Lo.get())->V, Outer->V);
}

TEST(Parser, CalleesTakeTheirFlagsFromTheBody) {
  FunctionRef F = parse("device @g(a: i32, b: i32): i32 { return a / b; }\n"
                        "device @h(a: f64): f64 { return @exp(a); }\n"
                        "func @f(a: i32, x: f64) { a = @g(a, a); x = @h(x); }");
  auto FnOf = [&](unsigned I) {
    const auto *A = llvm::cast<Assign>(statements(F->Body)[I].get());
    return llvm::cast<Call>(A->Value.get())->Fn;
  };
  EXPECT_TRUE(FnOf(0)->MayTrap);
  EXPECT_FALSE(FnOf(0)->SetsErrno);
  EXPECT_FALSE(FnOf(1)->MayTrap);
  EXPECT_TRUE(FnOf(1)->SetsErrno);
  EXPECT_EQ(FnOf(0)->Definition->Name, "g");
}

TEST(Parser, NamesThePlaceOfAnError) {
  EXPECT_EQ(errorIn("n = n + x;"),
            "t.rir:2:7: the operands of '+' have types i32 and f32");
  EXPECT_EQ(parseError("func @f(n: i32) {\n  n = 1"),
            "t.rir:2:8: expected ';' before the end of the text");
}

TEST(Parser, RejectsWhatIsNotWellTyped) {
  EXPECT_NE(errorIn("n = x;").find("writes a value of type f32 to type i32"),
            std::string::npos);
  EXPECT_NE(errorIn("if (n) { }").find("not bool"), std::string::npos);
  EXPECT_NE(errorIn("n = b ? n : u;").find("i32 and u32"), std::string::npos);
  EXPECT_NE(errorIn("n = !n;").find("operand of '!'"), std::string::npos);
  EXPECT_NE(errorIn("p[x] = x;").find("an index or extent has type f32"),
            std::string::npos);
  EXPECT_NE(errorIn("p[n, n] = x;").find("expected 1 indices"),
            std::string::npos);
  EXPECT_NE(errorIn("p{n}[n] = x;").find("expected 2 indices"),
            std::string::npos);
  EXPECT_NE(errorIn("x = @expf(n);").find("'expf' takes (i32)"),
            std::string::npos);
  EXPECT_NE(errorIn("x = @nothing(x);").find("'nothing'"), std::string::npos);
  EXPECT_NE(errorIn("let y: i32 = u;").find("the initialiser"),
            std::string::npos);
}

TEST(Parser, RejectsWhatIsNotInScope) {
  EXPECT_NE(errorIn("m = 1;").find("'m' is not declared"), std::string::npos);
  EXPECT_NE(errorIn("{ let y: i32; } y = 1;").find("'y' is not declared"),
            std::string::npos);
  EXPECT_NE(errorIn("for (i = 0; i < n; i += 1) { }").find("no variable"),
            std::string::npos);
  EXPECT_NE(errorIn("b = nonnull(n);").find("no buffer"), std::string::npos);
}

TEST(Parser, RejectsLiteralsThatDoNotFit) {
  EXPECT_NE(errorIn("n = 2147483648;").find("does not fit in i32"),
            std::string::npos);
  EXPECT_NE(errorIn("u = -1:u32;").find("does not fit in u32"),
            std::string::npos);
  EXPECT_NE(errorIn("x = 1e39:f32;").find("does not fit in f32"),
            std::string::npos);
  EXPECT_NE(errorIn("x = 1:f32;").find("integer literal"), std::string::npos);
}

TEST(Parser, RejectsBrokenText) {
  EXPECT_NE(errorIn("opaque \"x").find("unterminated"), std::string::npos);
  EXPECT_NE(errorIn("n = #;").find("unexpected character"), std::string::npos);
  EXPECT_NE(errorIn("n = 12ab;").find("followed by 'a'"), std::string::npos);
  EXPECT_NE(errorIn("n = ;").find("expected an expression"), std::string::npos);
  EXPECT_NE(errorIn("for (i: i32 = 0; n < n; i += 1) { }").find("'i'"),
            std::string::npos);
  EXPECT_NE(parseError("void @f() {}").find("expected 'func'"),
            std::string::npos);
  EXPECT_NE(parseError("func @f(a: i32, a: i32) {}").find("second parameter"),
            std::string::npos);
}

} // namespace
