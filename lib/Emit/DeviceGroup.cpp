//===- DeviceGroup.cpp - what a block of threads runs together ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceCode.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace raise::device {

// --- Waiting ----------------------------------------------------------------

Group::Touched Group::touchedBy(const ExprRef &E) const {
  Touched T;
  if (E)
    forEachExpr(E, [&](const ExprRef &Sub) {
      if (auto *L = dyn_cast<Load>(Sub.get()))
        T.Read.insert(L->From.Buf.get());
    });
  return T;
}

Group::Touched Group::touchedBy(const StmtRef &S) const {
  struct Finder : Visitor {
    Touched T;
    bool visitExpr(const ExprRef &E) override {
      if (auto *L = dyn_cast<Load>(E.get()))
        T.Read.insert(L->From.Buf.get());
      return true;
    }
    bool visitStmt(const StmtRef &Sub) override {
      if (auto *St = dyn_cast<Store>(Sub.get())) {
        T.Written.insert(St->To.Buf.get());
        if (St->Op != Combiner::None)
          T.Read.insert(St->To.Buf.get());
      }
      return true;
    }
  } F;
  F.VisitOriginals = true; // which of a region with tests are what is printed
  F.walk(S);
  return F.T;
}

Code Group::before(const Touched &Now) {
  const auto AnyMeet = [&](const DenseSet<const Buffer *> &As,
                           const DenseSet<const Buffer *> &Bs) {
    return any_of(As, [&](const Buffer *A) {
      return any_of(Bs, [&](const Buffer *B) { return On.meet(*A, *B); });
    });
  };
  Code C;
  if (AnyMeet(Since.Written, Now.Read) || AnyMeet(Since.Written, Now.Written) ||
      AnyMeet(Since.Read, Now.Written)) {
    C.line("__syncthreads();");
    C.Statements = 1;
    Since = {};
  }
  Since.Read.insert(Now.Read.begin(), Now.Read.end());
  Since.Written.insert(Now.Written.begin(), Now.Written.end());
  return C;
}

// --- Statements -------------------------------------------------------------

Code Group::array(const DeclBuffer &D) {
  const Buffer &B = *D.B;
  int64_t Bytes = B.Elem.sizeInBytes();
  std::string Text = "__shared__ " + On.P.typeOf(B.Elem) + " " + B.Name;
  for (const ExprRef &E : B.Extents) {
    auto *C = E ? dyn_cast<IntConst>(E.get()) : nullptr;
    if (!C || B.Lies != ArrayHome::Automatic || B.Reference) {
      On.refuse("a block of threads would share '" + B.Name +
                    "', whose size is known at run time only",
                D.Loc);
      return {};
    }
    Bytes *= C->Value;
    Text += "[" + On.P.value(E).Text + "]";
  }
  if (Bytes > 32768 || !D.Init.empty())
    On.refuse("a block of threads would share '" + B.Name +
                  "', which is too large for it or has values of its own",
              D.Loc);
  Code C;
  C.line(Text + ";");
  C.Statements = 1;
  C.NeedsBlock = true;
  return C;
}

Code Group::pointLoop(const Points &At, StringRef First, StringRef Step) {
  const std::string Number = On.N.fresh("point");
  const Code Body = On.withIterators(At, Number, On.thread(At.Body));
  Code Loop =
      nested("for (" + On.P.SizeType + " " + Number + " = " + First.str() +
                 "; " + Number + " < " + countOf(At, On.P) + "; " + Number +
                 " += " + Step.str() + ")",
             Body, /*Braces=*/true);
  const std::string Any = anyPoint(At, On.P);
  return Any.empty() ? Loop : nested("if (" + Any + ")", Loop);
}

Code Group::points(const Points &At) {
  Shares = true;
  return pointLoop(At, "threadIdx.x", "blockDim.x");
}

/// One thread does it, and all see it.
Code Group::byOne(const StmtRef &S) {
  Alone |= hasLoops(S);
  return nested("if (threadIdx.x == 0)", On.thread(S));
}

namespace {
/// Without assignments to what is declared outside.
class NoUpdates : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *A = dyn_cast<Assign>(S.get());
    return A && A->Op != Combiner::None
               ? std::make_shared<Decl>(std::make_shared<Var>(), A->Value)
               : S;
  }
};
} // namespace

static StmtRef withoutUpdates(const StmtRef &S) { return NoUpdates().run(S); }

/// Whether each iteration of T has elements of its own there: an index is a
/// multiple of T's iterator, from what is the same for all of them on.
static bool isOwn(const Store &S, const TensorOp &T) {
  if (S.Op == Combiner::None) // else the order would matter
    return true;
  const Var *V = T.Iterators.front().V.get();
  return T.Iterators.size() == 1 && any_of(S.To.Indices, [&](const ExprRef &E) {
           const auto Factor = factorOf(V, E);
           bool Fixed = Factor && *Factor != 0;
           forEachExpr(E, [&](const ExprRef &Sub) {
             auto *U = dyn_cast<VarUse>(Sub.get());
             Fixed &= !isa<Load>(*Sub) && !isa<Call>(*Sub) &&
                      !(U && U->V.get() != V && assigns(T.Body, U->V.get()));
           });
           return Fixed;
         });
}

std::optional<std::vector<VarRef>> sumsOf(const TensorOp &T, FPMode FP) {
  std::vector<VarRef> Sums;
  bool Ok = none_of(T.Iterators,
                    [](const Iterator &It) { return isOrdered(It.Kind); });
  forEachStmt(T.Body, [&](const StmtRef &S) {
    auto *A = dyn_cast<Assign>(S.get());
    auto *St = dyn_cast<Store>(S.get());
    Ok &= !isa<Return, Break>(*S) && (!St || St->Atomic || isOwn(*St, T));
    if (!A || declaresInside(T.Body, A->V.get()))
      return;
    Ok &= (A->Op == Combiner::Add || A->Op == Combiner::Sub) &&
          A->Value->Ty == A->V->Ty &&
          combinesInAnyOrder(A->Op, A->V->Ty, A->Value->Ty, FP);
    if (!is_contained(Sums, A->V))
      Sums.push_back(A->V);
  });
  for (const VarRef &V : Sums)
    Ok &= !uses(withoutUpdates(T.Body), V.get());
  return Ok && !Sums.empty() ? std::optional(Sums) : std::nullopt;
}

static Points freely(const TensorOp &T) {
  std::vector<Iterator> Its = T.Iterators;
  for (Iterator &It : Its)
    It.Kind = IterKind::Parallel;
  return pointsOf(TensorOp(Its, T.Mask, T.Body, T.OpKind, T.Loc));
}

Code Group::some(const TensorOp &T, StringRef First, StringRef Step) {
  return pointLoop(freely(T), First, Step);
}

static FPMode orderOf(const Options &Opts) {
  return Opts.FP == FPMode::Strict ? FPMode::Strict : FPMode::Fast;
}

/// The scalar outside of T that it takes the largest or smallest of, if that is
/// all it does.
static const Assign *extremumOf(const TensorOp &T) {
  const Assign *Found = nullptr;
  bool Ok = none_of(T.Iterators,
                    [](const Iterator &It) { return isOrdered(It.Kind); });
  forEachStmt(T.Body, [&](const StmtRef &S) {
    auto *A = dyn_cast<Assign>(S.get());
    Ok &= !isa<Store, Return, Break, Opaque>(*S);
    if (!A || declaresInside(T.Body, A->V.get()))
      return;
    Ok &= !Found && (A->Op == Combiner::Max || A->Op == Combiner::Min) &&
          A->Value->Ty == A->V->Ty && !uses(A->Value, A->V.get());
    Found = A;
  });
  return Ok ? Found : nullptr;
}

/// The largest or smallest of all: each thread begins with what there was, of
/// which there may be as many as there are threads.
Code Group::extremum(const TensorOp &T, const Assign &A) {
  Code C = points(freely(T));
  const std::string Name = On.N.of(A.V.get());
  C.line(Name + " = raise_block_" + (A.Op == Combiner::Max ? "max" : "min") +
         "(" + Name + ");");
  C.Statements = 2;
  C.NeedsBlock = true;
  Since = {}; // all have waited for each other
  return C;
}

/// A sum by all threads: each has a share of the terms.
Code Group::sum(const TensorOp &T) {
  const auto Sums = sumsOf(T, orderOf(On.Opts));
  if (!Sums && On.Opts.FP != FPMode::Strict)
    if (const Assign *A = extremumOf(T))
      return extremum(T, *A);
  if (!Sums) {
    // Its order is kept: by all, who then have the scalars, or by one.
    bool Stores = false, Keeps = false;
    forEachStmt(T.Body, [&](const StmtRef &S) { Stores |= isa<Store>(*S); });
    assignedVars(T.Body, [&](const VarRef &V) {
      Keeps |=
          !declaresInside(T.Body, V.get()) &&
          none_of(T.Iterators, [&](const Iterator &It) { return It.V == V; });
    });
    const StmtRef S = std::make_shared<TensorOp>(T);
    if (!Stores) {
      Alone = true;
      return On.thread(S);
    }
    if (!Keeps)
      return byOne(S);
    On.refuse("a loop in order both stores and computes what is used later",
              T.Loc);
    return {};
  }
  // Each thread's share, under the names of the sums.
  Code C;
  std::vector<std::string> Wholes;
  for (const VarRef &V : *Sums) {
    Wholes.push_back(On.N.of(V.get()));
    const std::string Share = On.N.fresh(Wholes.back() + "_share");
    C.line(On.P.typeOf(V->Ty) + " " + Share + " = 0;");
    On.N.set(V.get(), Share);
  }
  C.append(points(freely(T)));
  for (auto [V, Whole] : zip(*Sums, Wholes)) {
    C.line(Whole + " += raise_block_sum(" + On.N.of(V.get()) + ");");
    On.N.set(V.get(), Whole);
  }
  C.Statements = unsigned(C.Lines.size());
  C.NeedsBlock = true;
  Since = {}; // all have waited for each other
  return C;
}

Code Group::share(const TensorOp &T, ArrayRef<Part> Parts) {
  Code C;
  for (const Part &Each : Parts)
    C.line(On.P.typeOf(Each.Sum->Ty) + " " + On.N.of(Each.Sum.get()) + " = 0;");
  const std::string Size = "(" + On.P.SizeType + ")";
  C.append(pointLoop(freely(T), Size + "blockIdx.x * blockDim.x + threadIdx.x",
                     Size + "gridDim.x * blockDim.x"));
  for (const Part &Each : Parts) {
    const std::string Name = On.N.of(Each.Sum.get());
    C.line(formatv("{0} = raise_block_sum({0});", Name));
    C.line("if (threadIdx.x == 0)");
    C.line(formatv("  {0}[blockIdx.x] = {1};", Each.Array, Name));
  }
  C.Statements = unsigned(C.Lines.size());
  return C;
}

/// What a loop's body leaves undone, the next iteration may meet.
Code Group::repeated(std::string Header, const StmtRef &Body) {
  const Touched All = touchedBy(Body);
  Since.Read.insert(All.Read.begin(), All.Read.end());
  Code Text;
  if (!All.Written.empty()) { // from the iteration before
    Text.line("__syncthreads();");
    Since = {};
  }
  Text.append(print(Body));
  Text.Statements = 2;
  Since.Read.insert(All.Read.begin(), All.Read.end());
  Since.Written.insert(All.Written.begin(), All.Written.end());
  return nested(std::move(Header), Text, /*Braces=*/true);
}

Code Group::print(const StmtRef &S) {
  if (auto *B = dyn_cast<Block>(S.get()))
    return list(B->Body);
  if (auto *R = dyn_cast<Region>(S.get()))
    return print(R->Rests.Guards.empty() && !R->Rests.Inspection ? R->Body
                                                                 : R->Original);
  if (auto *D = dyn_cast<DeclBuffer>(S.get()))
    return array(*D);
  if (auto *T = dyn_cast<TensorOp>(S.get())) {
    const Points At = pointsOf(*T);
    Code C = before(touchedBy(S));
    bool Keeps = false;
    assignedVars(T->Body, [&](const VarRef &V) {
      Keeps |= !declaresInside(S, V.get());
    });
    C.add(At.Iterators.empty() || Keeps ? sum(*T) : points(At));
    return C;
  }
  if (isa<Decl, Assign, Return, Break, Continue>(*S)) {
    Code C = before(touchedBy(S));
    C.add(On.thread(S));
    return C;
  }
  if (isa<Store>(*S)) {
    Code C = before(touchedBy(S));
    C.add(byOne(S));
    return C;
  }
  if (auto *I = dyn_cast<If>(S.get())) {
    Code C = before(touchedBy(I->Cond));
    const Touched Outside = Since;
    const Code Then = print(I->Then);
    Touched After = std::exchange(Since, Outside);
    const std::string Cond = On.P.condition(I->Cond).Text;
    C.add(I->Else ? branches(Cond, Then, print(I->Else))
                  : nested("if (" + Cond + ")", Then, true));
    Since.Read.insert(After.Read.begin(), After.Read.end());
    Since.Written.insert(After.Written.begin(), After.Written.end());
    return C;
  }
  if (auto *L = dyn_cast<For>(S.get())) {
    const StmtRef Empty = std::make_shared<Block>(std::vector<StmtRef>());
    Code C = before(touchedBy(L->Lo));
    C.add(before(touchedBy(L->Hi)));
    StmtPrinter Print(On.Opts, On.N, On.P);
    const std::string Head =
        Print
            .print(std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                         LoopKind::Serial, L->DeclaresVar,
                                         Empty, L->Loc))
            .Lines.front();
    C.add(repeated(StringRef(Head).rtrim(" {").str(), L->Body));
    // The test is made once more by those that leave last.
    for (const ExprRef &E : {L->Hi, L->Step}) {
      const Touched Test = touchedBy(E);
      Since.Read.insert(Test.Read.begin(), Test.Read.end());
    }
    return C;
  }
  if (auto *W = dyn_cast<While>(S.get())) {
    if (W->TestFirst && touchedBy(W->Cond).Read.empty())
      return repeated("while (" + On.P.condition(W->Cond).Text + ")", W->Body);
  }
  On.refuse("a block of threads cannot run this together", S->Loc);
  return {};
}

Code Group::list(ArrayRef<StmtRef> Body) {
  Code C;
  for (size_t I = 0; I < Body.size(); ++I) {
    if (auto *D = dyn_cast<Decl>(Body[I].get());
        D && none_of(Body.drop_front(I + 1), [&](const StmtRef &S) {
          return uses(S, D->V.get()) || assigns(S, D->V.get());
        }))
      continue;
    C.add(print(Body[I]));
  }
  return C;
}

} // namespace raise::device
