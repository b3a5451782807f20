//===- EquationsTest.cpp - what is said of code is what it computes -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Equations are turned back into a program: the loops of the original, in which
// nothing is computed but what the equations say. On random programs both leave
// the same memory, also where buffers overlap.
//
//===----------------------------------------------------------------------===//

#include "raise/Emit/Equations.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Text.h"
#include "raise/Interp/Interp.h"
#include "gtest/gtest.h"
#include <random>

using namespace raise;
using llvm::cast;

namespace {

// --- Equations as a program -------------------------------------------------

class Rebuilder {
public:
  explicit Rebuilder(const Equations &All) : All(All) {}
  StmtRef run(const StmtRef &S);

private:
  StmtRef lineOf(const Equation &E) const;
  StmtRef loops(llvm::ArrayRef<Range> Over, StmtRef Body) const;
  StmtRef loop(const StmtRef &S, const StmtRef &Body);
  StmtRef under(llvm::ArrayRef<ExprRef> Conditions, StmtRef S) const;
  StmtRef withSums(llvm::ArrayRef<ExprRef> Needs, StmtRef S) const;
  void addLines(const Stmt *S, bool After, std::vector<StmtRef> &To) const;

  const Equations &All;
};

StmtRef combine(const VarRef &V, Combiner Op, const ExprRef &E) {
  return std::make_shared<Assign>(V, Op, E);
}

StmtRef Rebuilder::loops(llvm::ArrayRef<Range> Over, StmtRef Body) const {
  for (size_t I = Over.size(); I-- > 0;) {
    const Range &R = Over[I];
    Body = std::make_shared<For>(R.V, R.Lo, R.Cond, R.Hi, R.Step,
                                 LoopKind::Serial, true, Body);
  }
  return Body;
}

StmtRef Rebuilder::under(llvm::ArrayRef<ExprRef> Conditions, StmtRef S) const {
  for (size_t I = Conditions.size(); I-- > 0;)
    S = std::make_shared<If>(Conditions[I], S, nullptr);
  return S;
}

/// S, after the sums that Needs name.
StmtRef Rebuilder::withSums(llvm::ArrayRef<ExprRef> Needs, StmtRef S) const {
  std::vector<const Sum *> Used;
  std::function<void(const ExprRef &)> Find = [&](const ExprRef &E) {
    for (const Sum &X : All.Sums)
      if (uses(E, X.Name.get()) &&
          std::find(Used.begin(), Used.end(), &X) == Used.end()) {
        Find(X.Init);
        Used.push_back(&X);
      }
  };
  for (const ExprRef &E : Needs)
    Find(E);
  std::vector<StmtRef> Body;
  for (const Sum *X : Used) {
    Body.push_back(std::make_shared<Decl>(X->Name, X->Init));
    for (const Combined &T : X->Terms) {
      std::vector<ExprRef> Inner = T.Under;
      Inner.push_back(T.Value);
      StmtRef Add = under(T.Under, combine(X->Name, T.Op, T.Value));
      Body.push_back(loops(T.Over, withSums(Inner, Add)));
    }
  }
  Body.push_back(S);
  return makeBlock(Body);
}

StmtRef Rebuilder::lineOf(const Equation &E) const {
  StmtRef Line;
  if (E.Leaves && llvm::isa<Return>(E.At))
    return withSums(E.Where, under(E.Where, std::make_shared<Return>(E.Value)));
  if (E.Leaves)
    return withSums(E.Where, under(E.Where, std::make_shared<Break>()));
  if (E.Array)
    return std::make_shared<DeclBuffer>(E.Array, E.Values);
  if (E.Scalar)
    Line = combine(E.Scalar, E.Op, E.Value);
  else
    Line = std::make_shared<Store>(E.Element, E.Op, E.Value);
  std::vector<ExprRef> Needs{E.Value};
  for (const ExprRef &I : E.Element.Indices)
    Needs.push_back(I);
  if (E.After) {
    Needs.insert(Needs.end(), E.Under.begin(), E.Under.end());
    Line = loops(E.Over, withSums(Needs, under(E.Under, Line)));
    Line = loops(llvm::ArrayRef(E.Loops).take_back(E.Inside), Line);
  } else {
    Line = withSums(Needs, Line);
  }
  // What is summed is read only where the equation holds.
  return withSums(E.Where, under(E.Where, Line));
}

void Rebuilder::addLines(const Stmt *S, bool After,
                         std::vector<StmtRef> &To) const {
  for (const Equation &E : All.Lines)
    if (E.At == S && E.After == After)
      To.push_back(makeBlock({lineOf(E)}));
}

StmtRef Rebuilder::loop(const StmtRef &S, const StmtRef &Body) {
  std::vector<StmtRef> Out;
  const std::vector<Range> &Own = All.Ranges.find(S.get())->second;
  Out.push_back(loops(Own, run(Body)));
  addLines(S.get(), true, Out);
  return makeBlock(Out);
}

StmtRef Rebuilder::run(const StmtRef &S) {
  std::vector<StmtRef> Out;
  switch (S->Kind) {
  case StmtKind::Block:
    // Blocks would end the scope of what is declared.
    for (const StmtRef &Sub : cast<Block>(S.get())->Body) {
      StmtRef New = run(Sub);
      llvm::append_range(Out, statements(New));
    }
    break;
  case StmtKind::If: { // each equation brings its own conditions
    auto *I = cast<If>(S.get());
    for (const StmtRef &Branch : {I->Then, I->Else})
      if (Branch)
        Out.push_back(run(Branch));
    break;
  }
  case StmtKind::For:
    return loop(S, cast<For>(S.get())->Body);
  case StmtKind::TensorOp:
    return loop(S, cast<TensorOp>(S.get())->Body);
  case StmtKind::Decl:
    Out.push_back(std::make_shared<Decl>(cast<Decl>(S.get())->V, nullptr));
    addLines(S.get(), false, Out);
    break;
  case StmtKind::DeclBuffer:
    if (cast<DeclBuffer>(S.get())->Init.empty())
      Out.push_back(S);
    addLines(S.get(), false, Out);
    break;
  default:
    addLines(S.get(), false, Out);
  }
  return makeBlock(Out);
}

// --- Random programs --------------------------------------------------------

/// A program is made of its seed alone: no two draws stand in one expression,
/// whose order of evaluation would be the compiler's choice.
class Generator {
public:
  explicit Generator(unsigned Seed) : Random(Seed) {}
  unsigned pick(unsigned Count) { return unsigned(Random() % Count); }

  std::string function() {
    std::string Body = block(3);
    return "func @f(a: u32*, b: u32*, c: u32* restrict, p: u32, q: u32, n: "
           "i32) {\n" +
           Body + "}\n";
  }

private:
  struct Scope {
    std::vector<std::string> Scalars, Arrays, Iterators;
    bool MayLeave = false; ///< the innermost loop
  };
  Scope Now{{"p", "q"}, {"a", "b", "c"}, {}, false};
  unsigned Fresh = 0;
  std::mt19937 Random;

  const std::string &one(const std::vector<std::string> &L) {
    return L[pick(unsigned(L.size()))];
  }
  std::string index() {
    if (Now.Iterators.empty() || pick(6) == 0)
      return std::to_string(pick(6));
    std::string I = one(Now.Iterators);
    switch (pick(5)) {
    case 0:
      return I + " + 1";
    case 1:
      return I + " + " + one(Now.Iterators);
    default:
      return I;
    }
  }
  std::string element() {
    std::string Array = one(Now.Arrays);
    return Array + "[" + index() + "]";
  }
  std::string leaf() {
    switch (pick(4)) {
    case 0:
      return std::to_string(1 + pick(5)) + ":u32";
    case 1:
      return element();
    case 2:
      if (!Now.Iterators.empty())
        return "icast<u32>(" + one(Now.Iterators) + ")";
      [[fallthrough]];
    default:
      return one(Now.Scalars);
    }
  }
  std::string expr(unsigned Depth) {
    if (Depth == 0 || pick(3) == 0)
      return leaf();
    static const char *const Ops[] = {"+", "-", "*", "&", "^", "+", "*"};
    if (pick(8) == 0) {
      std::string If = condition(), Then = expr(Depth - 1);
      return "(" + If + " ? " + Then + " : " + expr(Depth - 1) + ")";
    }
    std::string L = expr(Depth - 1);
    const char *Op = Ops[pick(7)];
    return "(" + L + " " + Op + " " + expr(Depth - 1) + ")";
  }
  std::string condition() {
    static const char *const Ops[] = {"<", ">", "==", "!="};
    std::string L = leaf();
    const char *Op = Ops[pick(4)];
    return "(" + L + " " + Op + " " + leaf() + ")";
  }
  std::string combiner() {
    static const char *const Ops[] = {
        "=", "+=", "+=", "-=", "*=", "&=", "|=", "^=", "+=", "min=", "max="};
    return std::string(" ") + Ops[pick(11)] + " ";
  }
  std::string loop(unsigned Depth) {
    std::string V = "i" + std::to_string(Fresh++), Head;
    std::string Lo = pick(3) ? "0" : "1";
    Now.MayLeave = false;
    std::string Hi = pick(3) ? "n" : std::to_string(pick(5));
    if (!Now.Iterators.empty() && pick(4) == 0)
      Hi = one(Now.Iterators);
    switch (pick(4)) {
    case 0:
      Head = "for (" + V + ": i32 = " + Lo + "; " + V + " < " + Hi + "; " + V +
             " += 1)";
      break;
    case 1:
      Head = "for (" + V + ": i32 = " + Hi + "; " + V + " > " + Lo + "; " + V +
             " += -1)";
      break;
    default:
      Head = "tensor (" + V + ": serial " + Lo + " .. " + Hi;
      Now.Iterators.push_back(V);
      if (pick(3) == 0) {
        std::string W = "i" + std::to_string(Fresh++);
        Head += ", " + W + ": serial 0 .. " + (pick(2) ? V : "n");
        Now.Iterators.push_back(W);
      } else {
        Now.MayLeave = true;
      }
      if (pick(5) == 0)
        Head += ") where " + condition();
      else
        Head += ")";
      return Head + " {\n" + block(Depth - 1) + "}\n";
    }
    Now.Iterators.push_back(V);
    return Head + " {\n" + block(Depth - 1) + "}\n";
  }
  std::string statement(unsigned Depth) {
    if (Now.MayLeave && pick(8) == 0) {
      Scope Saved = Now;
      std::string Text = "if (" + condition() + ") {\n";
      Text += block(0);
      Now = Saved;
      return Text + (pick(4) ? "break;" : "return;") + "}\n";
    }
    switch (pick(Depth ? 9 : 5)) {
    case 0: {
      std::string Init = expr(2), V = "t" + std::to_string(Fresh++);
      Now.Scalars.push_back(V);
      return "let " + V + ": u32 = " + Init + ";\n";
    }
    case 1:
    case 2:
      if (Now.Scalars.size() > 2) {
        size_t At = 2 + pick(unsigned(Now.Scalars.size()) - 2);
        std::string To = Now.Scalars[At] + combiner();
        return To + expr(2) + ";\n";
      }
      [[fallthrough]];
    case 3:
    case 4: {
      std::string To = element();
      To += combiner();
      return To + expr(2) + ";\n";
    }
    case 5: {
      Scope Saved = Now;
      std::string Text = "if (" + condition() + ") {\n";
      Text += block(Depth - 1) + "}";
      Now = Saved;
      if (pick(2))
        Text += " else {\n" + block(Depth - 1) + "}";
      Now = Saved;
      return Text + "\n";
    }
    default: {
      Scope Saved = Now;
      std::string Text = loop(Depth);
      Now = Saved;
      return Text;
    }
    }
  }
  std::string block(unsigned Depth) {
    std::string Text;
    for (unsigned Count = 1 + pick(4); Count; --Count)
      Text += statement(Depth);
    return Text;
  }
};

/// a, b and c; a and b in one array where Shared is set.
interp::Inputs inputs(unsigned Seed, bool Shared) {
  std::mt19937 Random(Seed);
  auto Make = [&] {
    auto S = std::make_shared<interp::Storage>();
    for (unsigned I = 0; I < 24; ++I)
      S->Cells.push_back(
          interp::Value::ofInt(int64_t(Random() % 9), Type::getInt(32, false)));
    return S;
  };
  interp::Inputs In;
  auto A = Make(), B = Make(), C = Make();
  In.Buffers["a"] = {A, 2};
  In.Buffers["b"] = {Shared ? A : B, int64_t(Random() % 5)};
  In.Buffers["c"] = {C, 0};
  for (const char *Name : {"p", "q"})
    In.Scalars[Name] =
        interp::Value::ofInt(int64_t(Random() % 7), Type::getInt(32, false));
  In.Scalars["n"] = interp::Value::ofInt(int64_t(Random() % 5));
  return In;
}

std::string contents(const interp::Inputs &In) {
  std::string Text;
  for (auto &Entry : In.Buffers) {
    Text += Entry.first + ":";
    for (auto &Cell : Entry.second.Store->Cells)
      Text += " " + std::to_string(Cell->I);
    Text += "\n";
  }
  return Text;
}

TEST(Equations, ComputeWhatTheProgramComputes) {
  unsigned Known = 0, Runs = 0, WithSums = 0, Printed = 0, WithExits = 0;
  for (unsigned Seed = 0; Seed < 8000; ++Seed) {
    Generator G(Seed);
    std::string Text = G.function();
    auto Functions = parseIR(Text, "random");
    ASSERT_TRUE(bool(Functions))
        << Text << llvm::toString(Functions.takeError());
    const Function &F = *Functions->front();
    Equations All = equationsOf(F.Body);
    if (!All.Known)
      continue;
    ++Known;
    WithSums += !All.Sums.empty();
    WithExits += llvm::any_of(All.Lines, [](auto &E) { return E.Leaves; });
    Printed += !notation(F.Body).empty();
    FunctionRef Again = withBody(F, Rebuilder(All).run(F.Body));
    for (unsigned Try = 0; Try < 6; ++Try) {
      interp::Inputs In = inputs(Seed * 8 + Try, Try % 2);
      interp::Inputs Out = interp::clone(In);
      interp::Outcome Want = interp::run(F, In);
      if (Want.Why != interp::Stop::Done)
        continue;
      ++Runs;
      interp::Outcome Got = interp::run(*Again, Out);
      ASSERT_EQ(int(Got.Why), int(interp::Stop::Done))
          << Seed << ": " << Got.Message << "\n"
          << Text << notation(F.Body) << "\n"
          << toString(Again->Body);
      ASSERT_EQ(contents(In), contents(Out)) << Seed << "\n"
                                             << Text << notation(F.Body) << "\n"
                                             << toString(Again->Body);
    }
  }
  RecordProperty("Known", int(Known));
  RecordProperty("WithSums", int(WithSums));
  // Else the test would have compared nothing.
  EXPECT_GT(Known, 1000u);
  EXPECT_GT(Runs, 5000u);
  EXPECT_GT(WithSums, 200u);
  EXPECT_GT(WithExits, 200u);
  EXPECT_GT(Printed, 500u);
}

} // namespace
