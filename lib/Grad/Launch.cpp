//===- Launch.cpp - what the threads of a launch do -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

using Statements = std::vector<StmtRef>;

bool runsInAnyOrder(const For &L) {
  return isThreadLoop(L.LKind) || L.LKind == LoopKind::Parallel;
}

/// Loops in any order, of a block's threads, one iteration after the other: one
/// thread of the derivative runs them.
class InOrder : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *L = dyn_cast<For>(S.get());
    if (!L || L->LKind != LoopKind::Parallel)
      return S;
    return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                 LoopKind::Serial, L->DeclaresVar, L->Body,
                                 L->Loc);
  }
};

/// Updates of one thread, which no other thread meets.
class ByOneThread : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *St = dyn_cast<Store>(S.get());
    if (!St || !St->Atomic)
      return S;
    return std::make_shared<Store>(St->To, St->Op, St->Value, /*Atomic=*/false,
                                   St->Loc);
  }
};

/// What stands around the statements whose derivative is that of a thread:
/// loops in any order, and the conditions under which a thread does anything.
class Threads {
public:
  explicit Threads(const Differentiate &Of) : Of(Of) {}

  FunctionRef Made; ///< the derivative of what one thread does
  bool Any = false; ///< loops over threads

  StmtRef run(const Function &F, const StmtRef &Body) {
    const ArrayRef<StmtRef> All = statements(Body);
    const Stmt *Last = All.empty() ? nullptr : All.back().get();
    auto *L = dyn_cast_or_null<For>(Last);
    auto *I = dyn_cast_or_null<If>(Last);
    const bool Enters = L ? runsInAnyOrder(*L) : I && !I->Else && Any;
    if (!Enters || !all_of(All.drop_back(), isPlain))
      return thread(F, Body);
    // What carries derivatives, or changes, is each thread's own.
    Statements Out, Within;
    for (const StmtRef &S : All.drop_back()) {
      auto *D = cast<Decl>(S.get());
      const bool Stays = Within.empty() && !D->V->Ty.isFloat() && D->Init &&
                         !assigns(All.back(), D->V.get());
      (Stays ? Out : Within).push_back(S);
    }
    if (I && !Within.empty() && usesAny(I->Cond, Within))
      return thread(F, Body);
    append_range(Within, statements(L ? L->Body : I->Then));
    const auto Rest = std::make_shared<Block>(std::move(Within));
    if (L) {
      Any = true;
      Out.push_back(std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                          LoopKind::Parallel, true,
                                          run(F, Rest), L->Loc));
    } else {
      Out.push_back(
          std::make_shared<If>(I->Cond, run(F, Rest), nullptr, I->Loc));
    }
    return std::make_shared<Block>(std::move(Out));
  }

private:
  static bool isPlain(const StmtRef &S) {
    auto *D = dyn_cast<Decl>(S.get());
    bool Plain = D != nullptr;
    if (D && D->Init)
      forEachExpr(D->Init, [&](const ExprRef &E) { Plain &= !isa<Load>(*E); });
    return Plain;
  }
  static bool usesAny(const ExprRef &E, ArrayRef<StmtRef> Declared) {
    return any_of(Declared, [&](const StmtRef &S) {
      return uses(E, cast<Decl>(S.get())->V.get());
    });
  }

  StmtRef thread(const Function &F, const StmtRef &Body) {
    auto One = std::make_shared<Function>(F);
    One->Kind = FunctionKind::Host;
    One->LaunchDims = {};
    One->Body = InOrder().run(Body);
    Made = Of(One);
    return Made->Body;
  }

  const Differentiate &Of;
};

/// Sums into the adjoints of memory, of which other threads may have a share.
class Shared : public Rewriter {
public:
  explicit Shared(const StmtRef &Body) {
    forEachStmt(Body, [&](const StmtRef &S) {
      if (auto *D = dyn_cast<DeclBuffer>(S.get()))
        Own.insert(D->B.get());
    });
  }

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *St = dyn_cast<Store>(S.get());
    if (!St || St->Atomic || !St->To.Buf->Derivative ||
        Own.count(St->To.Buf.get()) ||
        (St->Op != Combiner::Add && St->Op != Combiner::Sub))
      return S;
    return std::make_shared<Store>(St->To, St->Op, St->Value, /*Atomic=*/true,
                                   St->Loc);
  }

  DenseSet<const Buffer *> Own;
};

StmtRef overThreads(const Function &Kernel, const StmtRef &Body,
                    const Differentiate &Of, bool Sums,
                    FunctionRef &Signature) {
  Threads T(Of);
  const StmtRef Made = T.run(Kernel, Body);
  Signature = T.Made;
  return T.Any && Sums ? Shared(Made).run(Made) : Made;
}

} // namespace

std::string generalName(const Function &Made,
                        const std::set<std::string> &Used) {
  std::string Name = Made.Name + "_general";
  while (Used.count(Name))
    Name += '_';
  return Name;
}

FunctionRef ofLaunch(const FunctionRef &Kernel, const Differentiate &Of,
                     bool Sums, const std::set<std::string> &Used) {
  Context Ctx;
  const FunctionRef Plain = structureExits(Kernel, Ctx);
  FunctionRef Made;
  StmtRef Body = overThreads(*Kernel, Plain->Body, Of, Sums, Made);
  auto Whole = std::make_shared<Function>(*Made);
  Whole->Kind = FunctionKind::Kernel;
  Whole->LaunchDims = Kernel->LaunchDims;
  const FunctionRef Merged = mergeLaunch(Plain, Ctx);
  if (auto *R = dyn_cast<Region>(Merged->Body.get())) {
    FunctionRef OfRange;
    const StmtRef Range = overThreads(*Kernel, R->Body, Of, Sums, OfRange);
    Body = std::make_shared<Region>(R->Rests, Range, Body, R->Loc);
    Whole->GeneralForm = generalName(*Whole, Used);
  }
  Whole->Body = Body;
  return Whole;
}

std::optional<RangeOfLaunch> rangeOfLaunch(const FunctionRef &Kernel) {
  Context Ctx;
  const FunctionRef Merged = mergeLaunch(structureExits(Kernel, Ctx), Ctx);
  auto *R = dyn_cast<Region>(Merged->Body.get());
  if (!R)
    return std::nullopt;
  auto Range = std::make_shared<Function>(*Kernel);
  Range->Kind = FunctionKind::Host;
  Range->LaunchDims = {};
  Range->Body = ByOneThread().run(InOrder().run(R->Body));
  return RangeOfLaunch{R->Rests, std::move(Range)};
}

} // namespace raise::grad
