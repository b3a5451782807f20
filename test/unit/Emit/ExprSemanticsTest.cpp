//===- ExprSemanticsTest.cpp - printed expressions mean what the IR means -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random expressions over all types are evaluated by the interpreter, printed,
// compiled as C and as C++ by both compilers, and run.
//
//===----------------------------------------------------------------------===//

#include "raise/Emit/Source.h"
#include "raise/IR/Text.h"
#include "raise/Interp/Interp.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <fstream>
#include <random>
#include <unistd.h>

using namespace raise;

namespace {

struct Parameter {
  const char *Name, *Type;
};
constexpr Parameter Parameters[] = {
    {"p8", "i8"},   {"q8", "u8"},   {"p16", "i16"}, {"q16", "u16"},
    {"p32", "i32"}, {"q32", "u32"}, {"p64", "i64"}, {"q64", "u64"},
    {"x", "f32"},   {"y", "f64"},   {"b", "bool"},
};

/// IR text of a random expression of a given type.
class Generator {
public:
  explicit Generator(unsigned Seed) : Random(Seed) {}

  std::string expr(const std::string &Type, int Depth) {
    if (Type == "bool")
      return condition(Depth);
    if (Depth == 0)
      return leaf(Type);
    switch (pick(6)) {
    case 0:
    case 1:
      return binary(Type, Depth);
    case 2: // whatever C would convert to it, silently or not
      return std::string(pick(2) ? "icast<" : "cast<") + Type + ">(" +
             expr(anyType(), Depth - 1) + ")";
    case 3:
      return "(" + condition(Depth - 1) + " ? " + expr(Type, Depth - 1) +
             " : " + expr(Type, Depth - 1) + ")";
    case 4:
      return unary(Type, Depth);
    default:
      return leaf(Type);
    }
  }
  std::string anyType() { return Parameters[pick(11)].Type; }
  unsigned pick(unsigned Count) { return unsigned(Random() % Count); }

private:
  static bool isFloat(const std::string &Type) { return Type[0] == 'f'; }
  /// C computes nothing in types narrower than int.
  static bool isNarrow(const std::string &Type) {
    return Type == "i8" || Type == "u8" || Type == "i16" || Type == "u16";
  }
  std::string leaf(const std::string &Type) {
    if (pick(3) == 0 && Type != "bool") {
      std::string Digits = std::to_string(pick(100));
      return isFloat(Type) ? Digits + ".5:" + Type : Digits + ":" + Type;
    }
    for (const Parameter &P : Parameters)
      if (Type == P.Type)
        return P.Name;
    return "";
  }
  std::string binary(const std::string &Type, int Depth) {
    if (isNarrow(Type))
      return "icast<" + Type + ">(" + binary("i32", Depth) + ")";
    static const char *const Exact[] = {"+", "-", "*", "/",  "%",
                                        "&", "|", "^", "<<", ">>"};
    std::string Op = Exact[pick(isFloat(Type) ? 4 : 10)];
    std::string L = expr(Type, Depth - 1), R = expr(Type, Depth - 1);
    if (Op == "<<" || Op == ">>")
      R = expr("i32", 0) + " & 7";
    return "(" + L + " " + Op + " (" + R + "))";
  }
  std::string unary(const std::string &Type, int Depth) {
    if (isNarrow(Type))
      return leaf(Type);
    std::string Op = !isFloat(Type) && pick(2) ? "~" : "-";
    return "(" + Op + "(" + expr(Type, Depth - 1) + "))";
  }
  std::string condition(int Depth) {
    if (Depth == 0)
      return "b";
    static const char *const Compare[] = {"<", "<=", ">", ">=", "==", "!="};
    std::string Type = anyType();
    if (Type == "bool" || isNarrow(Type))
      Type = "i32";
    switch (pick(6)) {
    case 0:
      return "(" + condition(Depth - 1) + (pick(2) ? " && " : " || ") +
             condition(Depth - 1) + ")";
    case 1:
      return "(!" + condition(Depth - 1) + ")";
    case 2:
      return "icast<bool>(" + expr(Type, Depth - 1) + ")";
    default:
      return "(" + expr(Type, Depth - 1) + " " + Compare[pick(6)] + " " +
             expr(Type, Depth - 1) + ")";
    }
  }
  std::mt19937 Random;
};

interp::Value randomValue(const Type &Ty, Generator &G) {
  if (Ty.isFloat())
    return interp::Value::ofFloat((int(G.pick(2001)) - 1000) / 8.0L, Ty);
  if (Ty.isBool())
    return interp::Value::ofInt(G.pick(2), Ty);
  int64_t V = int64_t(G.pick(400)) - 200;
  if (G.pick(4) == 0) // the ends of the range
    V = Ty.Signed ? (G.pick(2) ? 100 : -101) : -1;
  if (!Ty.Signed && Ty.Bits < 64)
    V &= (int64_t(1) << Ty.Bits) - 1;
  else if (Ty.Bits == 8)
    V = int8_t(V);
  return interp::Value::ofInt(V, Ty);
}

std::string literal(const interp::Value &V) {
  if (!V.Ty.isFloat())
    return V.Ty.Signed || V.Ty.isBool() ? std::to_string(V.I) + "LL"
                                        : std::to_string(uint64_t(V.I)) + "ULL";
  char Text[64];
  snprintf(Text, sizeof Text, "%La", V.D);
  return std::string("(") + (V.Ty.Bits == 32 ? "float" : "double") + ")" +
         Text + "L";
}

/// One program for many expressions; Checks call them with known results.
struct Program {
  std::string Functions, Checks;
  unsigned Count = 0;
};

void addExpression(Program &Out, unsigned Number, bool LanguageC) {
  Generator G(Number);
  std::string Type = G.anyType(), List, Name = "f" + std::to_string(Number);
  for (const Parameter &P : Parameters)
    List += (List.empty() ? "" : ", ") + std::string(P.Name) + ": " + P.Type;
  std::string Text = "func @" + Name + "(" + List + "): " + Type +
                     " { return " + G.expr(Type, 4) + "; }";
  auto Functions = parseIR(Text, Name);
  ASSERT_TRUE(bool(Functions)) << Text << "\n"
                               << llvm::toString(Functions.takeError());
  Function F = *Functions->front();
  F.LanguageC = LanguageC;
  Out.Functions += emitFunction(F, Options());
  for (unsigned Try = 0; Try < 12; ++Try) {
    interp::Inputs In;
    std::string Args;
    for (const Param &P : F.Params) {
      interp::Value V = randomValue(P.Scalar->Ty, G);
      In.Scalars[P.Scalar->Name] = V;
      Args += (Args.empty() ? "" : ", ") + literal(V);
    }
    interp::Outcome O = interp::run(F, In);
    // Where C leaves the result open there is nothing to compare; NaN has many
    // bit patterns.
    if (O.Why != interp::Stop::Done || !O.Result ||
        (O.Result->Ty.isFloat() && O.Result->D != O.Result->D))
      continue;
    bool Infinite = O.Result->Ty.isFloat() && std::isinf(O.Result->D);
    std::string Want =
        Infinite ? (O.Result->D < 0 ? "-__builtin_inf()" : "__builtin_inf()")
                 : literal(*O.Result);
    Out.Checks += "  check(" + std::to_string(Number) + ", " + Name + "(" +
                  Args + ") == " + Want + ");\n";
    ++Out.Count;
  }
}

void compileAndRun(const Program &P, bool LanguageC) {
  std::string Base =
      testing::TempDir() + "raise-expr-" + std::to_string(getpid());
  std::string Source = Base + (LanguageC ? ".c" : ".cpp");
  std::ofstream(Source) << "#include <stdio.h>\nstatic int Failed;\n"
                           "static void check(int N, int Ok) {\n"
                           "  if (!Ok && ++Failed < 20)\n"
                           "    printf(\"expression %d differs\\n\", N);\n}\n"
                        << P.Functions << "int main(void) {\n"
                        << P.Checks << "  return Failed != 0;\n}\n";
  for (const char *Compiler :
       LanguageC ? std::vector<const char *>{"clang-19", "gcc"}
                 : std::vector<const char *>{"clang++-19", "g++"}) {
    // Only warnings about what random code does on purpose are off.
    std::string Command = std::string(Compiler) + " -O0 -w -ffp-contract=off " +
                          Source + " -o " + Base + ".exe && " + Base + ".exe";
    EXPECT_EQ(std::system(Command.c_str()), 0) << Command;
  }
  if (!testing::Test::HasFailure()) {
    std::remove(Source.c_str());
    std::remove((Base + ".exe").c_str());
  }
}

TEST(EmitExprSemantics, RandomExpressionsKeepTheirValue) {
  for (bool LanguageC : {false, true}) {
    Program P;
    for (unsigned Number = 0; Number < 300; ++Number)
      addExpression(P, Number, LanguageC);
    // Enough of them must have a defined value for the test to mean something.
    EXPECT_GT(P.Count, 1000u);
    compileAndRun(P, LanguageC);
  }
}

} // namespace
