//===- Review.cpp - what the driver knows for the review report -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Review.h"
#include "raise/Analysis/Conflicts.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace raise {

namespace {

/// The places of all statements of F, and of the functions of the file at Path
/// that it calls.
class Statements {
public:
  Statements(StringRef Path, std::vector<SourceLoc> &Into)
      : Path(Path), Into(Into) {}

  void add(const Function &F) {
    if (!Seen.insert(&F).second)
      return;
    add(F.Loc);
    if (!F.Body)
      return;
    forEachStmt(F.Body, [&](const StmtRef &S) {
      if (!isa<Block>(*S))
        add(S->Loc);
    });
    forEachExpr(F.Body, [&](const ExprRef &E) {
      if (auto *C = dyn_cast<Call>(E.get()); C && C->Fn->Definition)
        add(*C->Fn->Definition);
    });
  }

private:
  void add(const SourceLoc &Loc) {
    if (Loc.isValid() && Loc.File == Path && Loc.Begin < Loc.End)
      Into.push_back(Loc);
  }

  StringRef Path;
  std::vector<SourceLoc> &Into;
  std::set<const Function *> Seen;
};

ReviewFunction reviewOf(const Function &F, StringRef Path) {
  ReviewFunction R;
  R.Name = F.QualifiedName;
  R.Loc = F.Loc;
  Statements(Path, R.Statements).add(F);
  return R;
}

bool isSamePlace(const SourceLoc &A, const SourceLoc &B) {
  return A.File == B.File && A.Begin == B.Begin;
}

/// The loops of F around At, outermost first.
std::vector<const For *> loopsAt(const Function &F, const SourceLoc &At) {
  std::vector<const For *> Around;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    if (L && L->Loc.isValid() && !isThreadLoop(L->LKind) &&
        L->Loc.File == At.File && L->Loc.Begin <= At.Begin &&
        At.Begin < L->Loc.End)
      Around.push_back(L);
  });
  return Around;
}

/// What orders the iterations of one of F's Loops, which stand in each other.
std::optional<Conflict> conflictOf(const Function &F,
                                   ArrayRef<const For *> Loops) {
  for (size_t I = 0; I < Loops.size(); ++I) {
    LoopQuery Q;
    Q.Loop = Loops[I];
    Q.Enclosing = Loops.take_front(I).vec();
    if (auto Found = findConflict(Q, F, Context()))
      return Found;
  }
  return std::nullopt;
}

/// Codes of reasons that speak of an order: CR1101 to CR1103, and of what was
/// raised in its order.
bool speaksOfOrder(const Reason &Why) {
  return is_contained({"CR1101", "CR1102", "CR1103", "CR1603", "CR1714"},
                      StringRef(Why.Code));
}

void addNest(ReviewDetail &D, const Function &F, const Reason &Why) {
  if (!speaksOfOrder(Why))
    return;
  const std::vector<const For *> Loops = loopsAt(F, Why.Loc);
  const auto Meets = conflictOf(F, Loops);
  if (!Meets || none_of(Loops, [&](const For *L) {
        return isSamePlace(L->Loc, Meets->Loop);
      }))
    return;
  D.Meets = Meets;
  for (const For *L : Loops)
    D.Nest.push_back(
        {L->V->Name, sourceText(L->Lo),
         L->V->Name + " " + spelling(L->Cond).str() + " " + sourceText(L->Hi),
         isSamePlace(L->Loc, Meets->Loop)});
}

/// "x_tape[n], on the heap"
std::string arrayText(const Buffer &B) {
  std::string Text = B.Name;
  for (const ExprRef &E : B.Extents)
    if (E)
      Text += "[" + sourceText(E) + "]";
  if (B.Lies == ArrayHome::Growing)
    return Text + ", which grows with each iteration, on the heap";
  return Text +
         (B.Lies == ArrayHome::Automatic ? ", on the stack" : ", on the heap");
}

/// An array that the forward sweep fills for the reverse sweep: none of the
/// primal's. Where threads wait for each other, the cut at the barriers adds
/// arrays as well.
bool isTape(const Buffer &B, const std::set<std::string> &OfPrimal) {
  return !OfPrimal.count(B.Name) && StringRef(B.Name).contains("_tape");
}

/// Hands each text to the function that it was made of; texts without a place
/// go to the next one that has one.
void distribute(const Trace &Traced, std::vector<ReviewFunction> &Functions) {
  std::vector<TracedText> Waiting;
  for (const TracedText &T : Traced.Texts) {
    Waiting.push_back(T);
    for (ReviewFunction &F : Functions)
      if (T.Of.isValid() && isSamePlace(T.Of, F.Loc)) {
        append_range(F.Emitted, Waiting);
        Waiting.clear();
        break;
      }
  }
}

} // namespace

std::vector<ReviewFunction> reviewFunctions(ArrayRef<Candidate> Candidates,
                                            const Trace &Traced,
                                            StringRef Path) {
  std::vector<ReviewFunction> All;
  for (const Candidate &C : Candidates) {
    if (!C.Selected || !C.Decl)
      continue;
    ReviewFunction R;
    if (C.Lifted)
      R = reviewOf(*C.Lifted, Path);
    R.Name = C.Decl->getQualifiedNameAsString();
    R.Loc = placeOf(C.Decl->getSourceRange(), C.Decl->getASTContext());
    if (C.Lifted) // as what is printed names it
      R.Loc.Begin = C.Lifted->Loc.Begin;
    // Instantiations of a template share their text.
    if (R.Loc.File != Path || any_of(All, [&](const ReviewFunction &Other) {
          return isSamePlace(Other.Loc, R.Loc);
        }))
      continue;
    All.push_back(std::move(R));
  }
  stable_sort(All, [](const ReviewFunction &A, const ReviewFunction &B) {
    return A.Loc.Begin < B.Loc.Begin;
  });
  distribute(Traced, All);
  return All;
}

std::vector<ReviewDetail> reviewDetails(ArrayRef<Result> Results,
                                        ArrayRef<Candidate> Candidates) {
  std::vector<ReviewDetail> Details;
  for (const Result &R : Results) {
    ReviewDetail &D = Details.emplace_back();
    for (const Candidate &C : Candidates)
      for (const Finding &F : C.Findings) {
        if (F.R.File != R.File || F.R.Line != R.Line || F.R.What != R.What ||
            F.R.Column != R.Column)
          continue;
        if (F.Raised && D.Proved.empty())
          D.Proved = F.Raised->Rests.Proved;
        if (C.Lifted && D.Nest.empty())
          addNest(D, *C.Lifted, R.Why);
      }
  }
  return Details;
}

std::vector<std::string> notesOf(const GradItem &Item) {
  std::vector<std::string> Notes, Adjoints;
  std::set<std::string> OfPrimal;
  forEachStmt(Item.Primal->Body, [&](const StmtRef &S) {
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      OfPrimal.insert(D->B->Name);
  });
  unsigned Atomic = 0;
  for (const FunctionRef &F : Item.Written)
    forEachStmt(F->Body, [&](const StmtRef &S) {
      if (auto *St = dyn_cast<Store>(S.get()))
        Atomic += St->Atomic;
      auto *D = dyn_cast<DeclBuffer>(S.get());
      if (!D || D->B->Owner || (!D->B->Derivative && !isTape(*D->B, OfPrimal)))
        return;
      const bool Adjoint = D->B->Derivative;
      std::string Text = (Adjoint ? "Workspace of adjoints in " : "Kept in ") +
                         F->Name + ": " + arrayText(*D->B) + ".";
      auto &List = Adjoint ? Adjoints : Notes;
      if (!is_contained(List, Text))
        List.push_back(std::move(Text));
    });
  if (Item.Split)
    for (const BufferRef &B : Item.Split->Members)
      Notes.push_back("On the tape: " + B->OwnerField + ".");
  if (Notes.empty())
    Notes.push_back("Nothing is kept: no tape.");
  append_range(Notes, Adjoints);
  append_range(Notes, Item.Made.Notes);
  Notes.push_back(
      Atomic ? std::to_string(Atomic) +
                   (Atomic == 1 ? " update is atomic." : " updates are atomic.")
             : "No update is atomic.");
  return Notes;
}

std::vector<ReviewFunction> reviewDerivatives(ArrayRef<GradItem> Items,
                                              const Trace &Traced,
                                              StringRef Path) {
  std::vector<ReviewFunction> All;
  for (const GradItem &Item : Items) {
    ReviewFunction R = reviewOf(*Item.Primal, Path);
    if (none_of(All, [&](const ReviewFunction &Other) {
          return isSamePlace(Other.Loc, R.Loc);
        }))
      All.push_back(std::move(R));
  }
  distribute(Traced, All);
  return All;
}

} // namespace raise
