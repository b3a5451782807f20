//===- Findings.cpp - what became of each loop of a function --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Findings.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

namespace {

/// `do S while (0)`: what macros are written as, no loop.
bool runsOnce(const Stmt *S) {
  if (auto *W = dyn_cast<While>(S)) {
    const Expr *Cond = W->Cond.get();
    while (auto *Converted = dyn_cast<Cast>(Cond))
      Cond = Converted->Operand.get();
    auto *C = dyn_cast<IntConst>(Cond);
    return !W->TestFirst && C && C->Value == 0;
  }
  auto *O = dyn_cast<Opaque>(S);
  if (!O || !StringRef(O->Text).ltrim().starts_with("do"))
    return false;
  std::string Tight;
  for (char C : O->Text)
    if (!isSpace(C) && C != ';')
      Tight += C;
  return StringRef(Tight).ends_with("while(0)");
}

bool isLoop(const Stmt *S) {
  if (isa<For>(S) || isa<While>(S))
    return true;
  // A loop that could not be lifted is kept as its text.
  auto *O = dyn_cast<Opaque>(S);
  if (!O)
    return false;
  StringRef Word = StringRef(O->Text).ltrim().take_while(
      [](char C) { return isAlnum(C) || C == '_'; });
  return Word == "for" || Word == "while" || Word == "do";
}

/// Whether something in S, which stands in a loop, leaves an iteration of that
/// loop before its end.
bool leavesIteration(const StmtRef &S, bool Own = true) {
  if (!S)
    return false;
  switch (S->Kind) {
  case StmtKind::Break:
  case StmtKind::Continue:
    return Own;
  case StmtKind::Return:
    return true;
  case StmtKind::Block:
    return llvm::any_of(cast<Block>(S.get())->Body, [=](const StmtRef &Sub) {
      return leavesIteration(Sub, Own);
    });
  case StmtKind::If:
    return leavesIteration(cast<If>(S.get())->Then, Own) ||
           leavesIteration(cast<If>(S.get())->Else, Own);
  case StmtKind::For:
    return leavesIteration(cast<For>(S.get())->Body, false);
  case StmtKind::While:
    return leavesIteration(cast<While>(S.get())->Body, false);
  default:
    return false;
  }
}

/// Whether L is an operation as it stands: a counted loop that runs in its
/// order, all of it. (As a range that counts upwards it would be a TensorOp.)
bool keepsOrder(const For &L) {
  return L.LKind == LoopKind::Serial && !leavesIteration(L.Body);
}

/// Where the loops begin in which the threads of a block wait for each other.
std::set<std::pair<std::string, unsigned>> waitingLoops(const StmtRef &Body) {
  std::set<std::pair<std::string, unsigned>> Found;
  forEachStmt(Body, [&](const StmtRef &S) {
    if (!isLoop(S.get()))
      return;
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (isa<Barrier>(*Sub))
        Found.insert({S->Loc.File, S->Loc.Begin});
    });
  });
  return Found;
}

/// The first loop or unlifted statement that is left inside of R's raised body.
const Stmt *firstUnraised(const Region &R) {
  const Stmt *Found = nullptr;
  const auto Waiting = waitingLoops(R.Original);
  forEachStmt(R.Body, [&](const StmtRef &S) {
    auto *O = dyn_cast<Opaque>(S.get());
    auto *L = dyn_cast<For>(S.get());
    // The block runs it, around operations of its threads.
    if (isLoop(S.get()) && Waiting.count({S->Loc.File, S->Loc.Begin}))
      return;
    // A call before a loop computes a scalar.
    if (!Found && ((L && !keepsOrder(*L)) || isa<While>(S.get()) ||
                   (O && !O->NoReturn && !O->Pure)))
      Found = S.get();
  });
  return Found;
}

class Collector {
public:
  Collector(const Function &F, ArrayRef<Reason> Missed,
            ArrayRef<Reason> Stopped)
      : F(F), Missed(Missed), Stopped(Stopped), Taken(Missed.size(), false) {}

  std::vector<Finding> run() {
    if (F.Kind == FunctionKind::Kernel)
      addKernel();
    else
      walk(F.Body);
    return std::move(Found);
  }

private:
  Finding &add(Construct What, const SourceLoc &Loc) {
    Finding &N = Found.emplace_back();
    N.Loc = Loc;
    N.R.File = Loc.File;
    N.R.Line = Loc.Line;
    N.R.Column = Loc.Column;
    N.R.Function = F.QualifiedName;
    N.R.What = What;
    return N;
  }

  void addKernel() {
    Finding &N = add(Construct::Kernel, F.Loc);
    if (auto *R = dyn_cast_or_null<Region>(F.Body.get()))
      return describe(N, *R);
    // What the lift did not understand is the first cause of all others.
    if (!Stopped.empty())
      N.R.Why = Stopped.front();
    else if (!Missed.empty())
      N.R.Why = Missed.front();
    else
      N.R.Why = {"CR1713", "no pass recognises it as a tensor operation",
                 F.Loc};
  }

  static void describe(Finding &N, const Region &R) {
    N.Raised = &R;
    N.R.Outcome = Status::Raised;
    N.R.Kind = kindOf(R.meaning());
    N.R.Notation = StringRef(notation(R)).trim().str();
    N.R.Assumptions = R.Rests.Assumptions;
    for (const Guard &G : R.Rests.Guards)
      N.R.Guards.push_back(G.Why);
    if (const Stmt *S = firstUnraised(R)) {
      N.R.Outcome = Status::Partial;
      auto *L = dyn_cast<For>(S);
      if (L && L->LKind != LoopKind::Serial)
        N.R.Why = {"CR1020", "its loop stays under the author's directive",
                   S->Loc};
      else
        N.R.Why = {"CR1714",
                   "this part runs in the order in which it is written",
                   S->Loc};
    }
  }

  bool isOurs(const SourceLoc &Loc) const {
    return Loc.isValid() && Loc.File == F.Loc.File &&
           Loc.Begin >= F.Loc.Begin && Loc.End <= F.Loc.End;
  }

  /// Whether something below was raised.
  bool walk(const StmtRef &S) {
    if (!S)
      return false;
    if (auto *R = dyn_cast<Region>(S.get())) {
      if (!isOurs(R->Loc))
        return false;
      describe(add(Construct::Loop, R->Loc), *R);
      return true;
    }
    if (runsOnce(S.get())) {
      auto *W = dyn_cast<While>(S.get());
      return W && walk(W->Body);
    }
    if (isLoop(S.get()))
      return walkLeft(S);
    bool Any = false;
    if (auto *I = dyn_cast<If>(S.get())) {
      Any |= walk(I->Then);
      Any |= walk(I->Else);
    } else if (isa<Block>(S.get())) {
      for (const StmtRef &Sub : statements(S))
        Any |= walk(Sub);
    }
    return Any;
  }

  bool walkLeft(const StmtRef &S) {
    size_t Index = Found.size();
    bool Ours = isOurs(S->Loc);
    Reason Why = reasonFor(*S);
    if (Ours)
      add(Construct::Loop, S->Loc).R.Why = Why;
    bool Any = false;
    if (auto *L = dyn_cast<For>(S.get()))
      Any = walk(L->Body);
    else if (auto *W = dyn_cast<While>(S.get()))
      Any = walk(W->Body);
    if (Ours && Any)
      Found[Index].R.Outcome = Status::Partial;
    return Any;
  }

  static bool holds(const SourceLoc &Outer, const SourceLoc &Inner) {
    return Outer.File == Inner.File && Outer.Begin <= Inner.Begin &&
           Inner.Begin < Outer.End;
  }

  /// Loops are left outermost first and each records one reason, so the first
  /// free reason inside the loop is its own. One whose cause lies in an inlined
  /// function is not inside; then the next free reason is.
  Reason reasonFor(const Stmt &S) {
    if (auto *O = dyn_cast<Opaque>(&S))
      return {O->Code, O->Why, O->Loc};
    for (bool Inside : {true, false})
      for (size_t I = 0; I < Missed.size(); ++I) {
        if (Taken[I] || (Inside && !holds(S.Loc, Missed[I].Loc)))
          continue;
        Taken[I] = true;
        return Missed[I];
      }
    return {"CR1713", "no pass recognises it as a tensor operation", S.Loc};
  }

  const Function &F;
  ArrayRef<Reason> Missed, Stopped;
  std::vector<bool> Taken;
  std::vector<Finding> Found;
};

} // namespace

std::vector<SourceLoc> furtherLoops(const Region &R) {
  const ArrayRef<StmtRef> Loops = statements(R.Original);
  std::vector<SourceLoc> Found;
  if (all_of(Loops, [](const StmtRef &S) { return isa<For>(*S); }))
    for (const StmtRef &S : drop_begin(Loops, Loops.empty() ? 0 : 1))
      Found.push_back(S->Loc);
  return Found;
}

std::vector<Finding> withFurtherLoops(ArrayRef<Finding> Findings) {
  std::vector<Finding> All;
  for (const Finding &F : Findings) {
    All.push_back(F);
    if (!F.Raised || F.R.What != Construct::Loop)
      continue;
    for (const SourceLoc &Loc : furtherLoops(*F.Raised)) {
      Finding &Next = All.emplace_back(F);
      Next.Loc = Loc;
      Next.R.Line = Loc.Line;
      Next.R.Column = Loc.Column;
    }
  }
  return All;
}

bool isOneText(const Region &R, StringRef Source) {
  size_t Begin = StringRef::npos;
  for (const StmtRef &S : statements(R.Original)) {
    StringRef Gap = Source.slice(Begin, S->Loc.Begin).ltrim();
    while (Gap.starts_with("//") || Gap.starts_with("/*"))
      Gap = Gap.split(Gap[1] == '/' ? "\n" : "*/").second.ltrim();
    if (!Gap.empty())
      return false;
    Begin = S->Loc.End;
  }
  return true;
}

std::vector<Finding> findingsOf(const Function &F, ArrayRef<Reason> Missed,
                                ArrayRef<Reason> Stopped) {
  return Collector(F, Missed, Stopped).run();
}

} // namespace raise
