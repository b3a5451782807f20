//===- Programs.cpp - differentiable programs at random -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Programs.h"
#include "raise/IR/Text.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace raise::testing {

FunctionRef functionIn(const std::string &Text, llvm::StringRef Name) {
  auto Parsed = parseIR(Text, "test.rir");
  if (!Parsed) {
    ADD_FAILURE() << llvm::toString(Parsed.takeError()) << "\n" << Text;
    return nullptr;
  }
  for (const FunctionRef &F : *Parsed) {
    if (F->Name != Name)
      continue;
    for (const std::string &Problem : verify(*F))
      ADD_FAILURE() << Problem << "\n" << Text;
    return F;
  }
  ADD_FAILURE() << "no function " << Name.str();
  return nullptr;
}

std::string Programs::number() {
  return std::to_string(pick(7)) + "." + std::to_string(25 * pick(4));
}

/// 0 .. 3n + 3
std::string Programs::index() {
  if (Indices.empty())
    return std::to_string(pick(4));
  const std::string &I = Indices[pick(Indices.size())];
  switch (pick(4)) {
  case 0:
    return I + " + " + std::to_string(pick(4));
  case 1:
    return "k[" + I + "]";
  case 2:
    return "2 * " + I + " + 1";
  default:
    return I;
  }
}

/// The callee called by itself, in an expression of it.
std::string Programs::again() {
  const auto Any = [&] { return Scalars[pick(Scalars.size())]; };
  return "(d > 0 ? @h(@sin(" + Any() + "), " + Any() + ", d - 1) : " + Any() +
         ")";
}

std::string Programs::leaf() {
  if (InCallee && Ring && pick(6) == 0)
    return again();
  switch (InCallee ? 4 + pick(3) : pick(8)) {
  case 0:
  case 1:
    return "x[" + index() + "]";
  case 2:
    return "y[" + index() + "]";
  case 3:
    return "z[" + index() + "]";
  case 4:
    return number();
  default:
    return Scalars[pick(Scalars.size())];
  }
}

std::string Programs::cond(unsigned Depth) {
  static const char *const Ops[] = {" < ", " <= ", " > ", " >= "};
  return expr(Depth) + Ops[pick(4)] + expr(Depth);
}

std::string Programs::expr(unsigned Depth) {
  if (Depth == 0)
    return leaf();
  auto E = [&] { return "(" + expr(Depth - 1) + ")"; };
  switch (pick(InCallee ? 17 : 18)) {
  case 0:
  case 1:
    return E() + " + " + E();
  case 2:
    return E() + " - " + E();
  case 3:
  case 4:
    return E() + " * " + E();
  case 5: {
    const std::string X = E();
    return X + " * " + X;
  }
  case 6: {
    const std::string D = E();
    return E() + " / (1.5 + " + D + " * " + D + ")";
  }
  case 7: {
    const std::string D = E();
    return "1.0 / (1.5 + " + D + " * " + D + ")";
  }
  case 8:
    return "-" + E();
  case 9:
    return "@sin" + E();
  case 10:
    return "@exp(@cos" + E() + ")";
  case 11:
    return "@tanh" + E();
  case 12: {
    const std::string X = E();
    return "@sqrt(0.5 + " + X + " * " + X + ")";
  }
  case 13:
    return pick(2) ? "@fabs" + E() : "@fmax(" + E() + ", " + E() + ")";
  case 14:
    return "(" + cond(Depth - 1) + " ? " + E() + " : " + E() + ")";
  case 15: {
    const std::string X = E();
    return "@pow(0.5 + " + X + " * " + X + ", " +
           (pick(2) ? "1.5" : "@sin" + E()) + ")";
  }
  case 16:
    return pick(2) ? "@floor" + E() + " * 0.5"
                   : "icast<f64>(cast<i32>(" + std::string("@sin") + E() +
                         " * 9.0))";
  default:
    return "@g(@sin" + E() + ", " + leaf() + ")";
  }
}

std::string Programs::block(unsigned Depth) {
  const size_t Known = Scalars.size(), Loops = Indices.size();
  std::string Text = "{\n";
  for (unsigned I = 0, E = 1 + pick(3); I < E; ++I)
    Text += statement(Depth);
  Scalars.resize(Known);
  Indices.resize(Loops);
  return Text + "}\n";
}

/// A value that stays bounded, whatever is fed back.
static std::string bounded(const std::string &E) {
  return "2.0 * @sin(" + E + ")";
}

std::string Programs::statement(unsigned Depth) {
  const std::string Name = std::to_string(Fresh++);
  const std::string V = Scalars[pick(Scalars.size())];
  static const char *const Updates[] = {
      " = ", " = ", " += ", " -= ", " *= ", " min= ", " max= "};
  const std::string Op = Updates[pick(7)];
  if (Loops && Depth && pick(4) == 0)
    return loop(Name, Depth);
  switch (pick(Depth ? 12 : 6)) {
  case 0: {
    const std::string Text =
        "let s" + Name + ": f64 = " + bounded(expr(2)) + ";\n";
    Scalars.push_back("s" + Name);
    return Text;
  }
  case 1:
    return V + Op + bounded(expr(2)) + ";\n";
  case 2:
    return "y[" + index() + "]" + Op + bounded(expr(2)) + ";\n";
  case 3:
    return "z[" + index() + "]" + Op + bounded(expr(2)) + ";\n";
  case 4: {
    const std::string D = expr(1);
    return V + " /= 1.5 + (" + D + ") * (" + D + ");\n";
  }
  case 5:
    return "cursor c" + Name + ": y = icast<i64>(" + index() + ");\n" + "y[c" +
           Name + "]" + Op + bounded("y[c" + Name + "] + " + expr(1)) + ";\n";
  case 6:
  case 7: {
    std::string Text =
        "for (i" + Name + ": i32 = 0; i" + Name + " < n; i" + Name + " += 1) ";
    Indices.push_back("i" + Name);
    Text += block(Depth - 1);
    Indices.pop_back();
    return Text;
  }
  case 8:
    return "if (" + cond(1) + ") " + block(Depth - 1) +
           (pick(2) ? "else " + block(Depth - 1) : "");
  case 9: {
    const std::string W = "w" + Name;
    const size_t Known = Scalars.size();
    const std::string Body = statement(0);
    const std::string Leave =
        pick(2) ? "if (" + cond(1) + ") { break; }\n" : "";
    Scalars.resize(Known);
    return "let " + W + ": i32 = 0;\nwhile (" + W + " < n) {\n" + W +
           " += 1;\n" + Body + Leave + "}\n";
  }
  case 10: {
    std::string Text = "array t" + Name + ": f64[2] = {" + bounded(expr(1)) +
                       ", " + bounded(expr(1)) + "};\nt" + Name + "[1] *= t" +
                       Name + "[0];\n";
    const std::string S = "let s" + Name + ": f64 = t" + Name + "[1];\n";
    Scalars.push_back("s" + Name);
    return Text + S;
  }
  default:
    return pick(3)
               ? V + " = " + bounded(V + " * " + V + " + " + expr(1)) + ";\n"
               : "if (" + cond(1) + ") { return " + expr(2) + "; }\n";
  }
}

/// Loops that step, count down, start where another stands, are left, whose
/// variable is the function's, or that look for a greatest element.
std::string Programs::loop(const std::string &Name, unsigned Depth) {
  const std::string I = "i" + Name;
  std::string Head, Before, After;
  switch (pick(6)) {
  case 0:
    Head = "for (" + I + ": i32 = n - 1; " + I + " >= 0; " + I + " += -1) ";
    break;
  case 1:
    Head = "for (" + I + ": i32 = 1; " + I + " < n; " + I + " += 2) ";
    break;
  case 2:
    Head = "for (" + I + ": i32 = 0; " + I +
           " <= " + (Indices.empty() ? "n - 1" : Indices.back()) + "; " + I +
           " += 1) ";
    break;
  case 3:
    Before = "let " + I + ": i32 = 0;\n";
    Head = "for (" + I + " = 0; " + I + " < n; " + I + " += 1) ";
    After = "x0 += icast<f64>(" + I + ") * 0.125;\n";
    break;
  case 4:
    Head = "for (" + I + ": i64 = 0:i64; " + I + " != icast<i64>(n); " + I +
           " += 1:i64) ";
    break;
  default:
    Head = "for (" + I + ": i32 = 0; " + I + " < n; " + I + " += 1) ";
  }
  const bool Wide = Head.find("i64") != std::string::npos;
  if (!Wide)
    Indices.push_back(I);
  std::string Body = block(Depth - 1), Best;
  if (pick(3) == 0) {
    Best = "m" + Name;
    Before += "let " + Best + ": f64 = 0.25;\n";
    Body.insert(2, "if (" + expr(1) + (pick(2) ? " > " : " >= ") + Best +
                       ") { " + Best + " = " + bounded(expr(1)) + "; }\n");
  }
  if (!Wide)
    Indices.pop_back();
  if (pick(3) == 0) {
    const std::string Jump = pick(2) ? "break" : "continue";
    Body.insert(2, "if (" + cond(1) + ") { " + Jump + "; }\n");
  }
  if (!After.empty())
    After.replace(0, 2, Scalars[pick(Scalars.size())]);
  if (!Best.empty())
    Scalars.push_back(Best);
  return Before + Head + Body + After;
}

std::string Programs::callee() {
  Scalars = {"p", "q"};
  InCallee = true;
  std::string Body = "let r: f64 = " + expr(2) + ";\nif (" + cond(1) +
                     ") { return r * p; }\n" + "r += " + expr(2) +
                     ";\nreturn r;\n}\n";
  InCallee = false;
  if (!Ring)
    return "device @g(p: f64, q: f64): f64 errno {\n" + Body;
  return "device @h(p: f64, q: f64, d: i32): f64 maytrap errno {\n" + Body +
         "device @g(p: f64, q: f64): f64 maytrap errno {\n"
         "return @h(p, q, 2);\n}\n";
}

std::string Programs::program() {
  std::string Text = callee();
  Scalars = {"a", "b"};
  Text += "func @f(y: f64*, z: f64*, x: const f64*, k: const i32*, a: f64, b: "
          "f64, n: i32): f64 {\nlet s: f64 = 0.0;\n";
  Scalars.push_back("s");
  for (unsigned I = 0, E = 2 + pick(4); I < E; ++I)
    Text += statement(2);
  return Text + "return " + expr(2) + ";\n}\n";
}

//===-- Rows
//---------------------------------------------------------------===//

/// An element of row r, or seldom one of another.
std::string Programs::ofRow(const std::string &Column) {
  static const char *const Arrays[] = {"x", "x", "y", "z"};
  std::string At = "3 * r + " + Column;
  if (pick(40) == 0)
    At = pick(2) ? "3 * r + 3" : "r";
  return std::string(Arrays[pick(4)]) + "[" + At + "]";
}

std::string Programs::rowValue(const std::string &Column) {
  const auto Leaf = [&]() -> std::string {
    switch (pick(5)) {
    case 0:
      return Scalars[pick(Scalars.size())];
    case 1:
      return "w[" + Column + "]";
    default:
      return ofRow(Column);
    }
  };
  switch (pick(7)) {
  case 0:
    return "@exp(@sin(" + Leaf() + "))";
  case 1:
    return "@tanh(" + Leaf() + " * " + Leaf() + ")";
  case 2:
    return Leaf() + " * " + Leaf();
  case 3:
    return "@sin(" + Leaf() + ") * @sin(" + Leaf() + ")";
  case 4:
    return Leaf() + " / (1.5 + " + Leaf() + " * 0.0)";
  case 5:
    return Leaf() + " + " + number();
  default:
    return "@pow(0.5 + @fabs(" + Leaf() + "), 1.5)";
  }
}

std::string Programs::rowStatement(unsigned Depth) {
  const std::string Name = std::to_string(Fresh++);
  const std::string Column = Depth ? std::to_string(pick(3)) : "j";
  switch (pick(Depth ? 9 : 4)) {
  case 0:
    return (pick(2) ? "y" : "z") + ("[3 * r + " + Column + "]") +
           (pick(3) ? " = " : " += ") + bounded(rowValue(Column)) + ";\n";
  case 1:
    return "w[" + Column + "]" + (pick(4) ? " = " : " += ") +
           bounded(rowValue(Column)) + ";\n";
  case 2:
    return "s += " + bounded(rowValue(Column)) + ";\n";
  case 3:
    return Scalars.back() + " += " + bounded(rowValue(Column)) + ";\n";
  case 4: {
    const std::string Text =
        "let t" + Name + ": f64 = " + bounded(rowValue(Column)) + ";\n";
    Scalars.push_back("t" + Name);
    return Text;
  }
  case 5: {
    const std::string T = "t" + Name;
    std::string Text = "let " + T +
                       ": f64 = -9.0;\nfor (j: i32 = 0; j < 3; j "
                       "+= 1) {\nif (" +
                       ofRow("j") + " > " + T + ") { " + T + " = " +
                       ofRow("j") + "; }\n}\n";
    Scalars.push_back(T);
    return Text;
  }
  case 6: {
    const size_t Known = Scalars.size();
    const std::string Text = "if (" + rowValue(Column) + " > " + number() +
                             ") {\n" + rowStatement(1) + "}\n";
    Scalars.resize(Known);
    return Text;
  }
  default: {
    const size_t Known = Scalars.size();
    std::string Text = "for (j: i32 = 0; j < 3; j += 1) {\n";
    for (unsigned I = 0, E = 1 + pick(2); I < E; ++I)
      Text += rowStatement(0);
    Scalars.resize(Known);
    return Text + "}\n";
  }
  }
}

std::string Programs::rows() {
  std::string Text =
      "func @f(y: f64*, z: f64*, x: const f64*, k: const i32*, a: f64, b: "
      "f64, n: i32): f64 {\nlet s: f64 = 0.0;\n"
      "heap w: f64[icast<i64>(3)] = {0.0};\n";
  static const char *const Before[] = {
      "", "", "w[0] = @sin(a);\n", "y[1] = @exp(x[0]) * b;\n",
      "for (i: i32 = 0; i < n; i += 1) { z[i] *= x[i]; }\n"};
  static const char *const After[] = {
      "",
      "y[0] = y[0] + 3.0 * s;\n",
      "s = s * b;\n",
      "s = @sin(s);\n",
      "a = @sin(s) * x[0];\n",
      "for (i: i32 = 0; i < n; i += 1) { y[i] *= x[i] + 0.5; }\n",
      "for (i: i32 = 0; i < n; i += 1) { s += y[i] * z[i]; }\n",
      "w[1] = w[1] * a;\ns += w[1] * w[2];\n",
      "z[0] = @exp(@sin(z[1] + a));\ny[2] = z[0] * b;\n"};
  static const char *const Heads[] = {
      "for (r: i32 = 0; r < n; r += 1) {\n",
      "for (r: i32 = 0; r < n; r += 1) {\n",
      "for (r: i32 = n - 1; r >= 0; r += -1) {\n",
      "for (r: i32 = 0; r < n; r += 2) {\n",
      "for (o: i32 = 0; o < 2; o += 1) {\nfor (r: i32 = o; r < n; r += 2) {\n"};
  Text += Before[pick(5)];
  const std::string Head = Heads[pick(5)];
  Scalars = {"a", "b"};
  Text += Head + "let t: f64 = 0.0;\n";
  Scalars.push_back("t");
  if (pick(2)) // else what an earlier row left is read now and then
    Text += "for (j: i32 = 0; j < 3; j += 1) {\nw[j] = " +
            bounded("@exp(@sin(" + ofRow("j") + "))") + ";\n}\n";
  for (unsigned I = 0, E = 2 + pick(4); I < E; ++I)
    Text += rowStatement(1);
  if (pick(2))
    Text += "s += t;\n";
  Text += Head[5] == 'o' ? "}\n}\n" : "}\n";
  Text += After[pick(9)];
  static const char *const Ends[] = {"s", "2.0 * s + a", "@sin(s)", "a",
                                     "s * x[1]"};
  return Text + "return " + Ends[pick(5)] + ";\n}\n";
}

std::string textOf(const Function &F) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(OS, F);
  return Text;
}

interp::Inputs inputsFor(std::mt19937_64 &Random, unsigned N, bool Overlap) {
  using interp::Value;
  const Type F64 = Type::getFloat(64);
  const auto Real = [&] {
    return Value::ofFloat(std::uniform_real_distribution<double>(-2, 2)(Random),
                          F64);
  };
  interp::Inputs In;
  const unsigned Size = 3 * N + 4;
  for (const char *Name : {"x", "y", "z"}) {
    auto S = std::make_shared<interp::Storage>();
    for (unsigned I = 0; I < Size + 2; ++I)
      S->Cells.push_back(Real());
    In.Buffers[Name].Store = S;
  }
  if (Overlap)
    In.Buffers["z"] = {In.Buffers["y"].Store, 1};
  auto K = std::make_shared<interp::Storage>();
  for (unsigned I = 0; I < Size; ++I)
    K->Cells.push_back(Value::ofInt(Random() % Size));
  In.Buffers["k"].Store = K;
  In.Scalars["a"] = Real();
  In.Scalars["b"] = Real();
  In.Scalars["n"] = Value::ofInt(N);
  return In;
}

} // namespace raise::testing
