//===- LaunchLoops.cpp - launches in host functions as plain loops --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where a host function launches a kernel, the frontend leaves declarations of
// the extents and the six loops over the threads, with the kernel's body in
// them. They run one thread after another, which is one of the orders that CUDA
// may take. Where the extents are known to cover a plain range, there is one
// loop over that; else the loops over blocks and threads stay, without those of
// extent 1.
//
//===----------------------------------------------------------------------===//
#include "LaunchExtents.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

namespace {

using Statements = std::vector<StmtRef>;
using Extents = std::array<VarRef, 6>;

/// (int)(unsigned)e is e, for an int e.
class WithoutRoundTrips : public Rewriter {
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *Outer = dyn_cast<Cast>(E.get());
    auto *Inner = Outer ? dyn_cast<Cast>(Outer->Operand.get()) : nullptr;
    return Inner && Inner->Ty.isInt() && Inner->Ty.Bits >= E->Ty.Bits &&
                   Inner->Operand->Ty == E->Ty
               ? Inner->Operand
               : E;
  }
};

class LaunchLoops : public Rewriter {
public:
  explicit LaunchLoops(const StmtRef &Body) {
    DenseMap<const Var *, unsigned> Times;
    assignedVars(Body, [&](const VarRef &V) { ++Times[V.get()]; });
    forEachStmt(Body, [&](const StmtRef &S) {
      auto *D = dyn_cast<Decl>(S.get());
      if (D && D->Init && Times.lookup(D->V.get()) == 1)
        Defined[D->V.get()] = D->Init;
    });
    for (const auto &[V, N] : Times)
      if (N > 1 || !Defined.count(V))
        Changing.insert(V);
    // What is made of variables that change is known only where it is set.
    while (dropChanging())
      ;
  }

private:
  bool dropChanging() {
    for (const auto &[V, Init] : Defined)
      if (!isFixed(Init)) {
        Changing.insert(V);
        Defined.erase(V);
        return true;
      }
    return false;
  }

  bool isFixed(const ExprRef &E) const {
    bool Fixed = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      Fixed &= !isa<Load>(*Sub) && !(U && Changing.count(U->V.get()));
    });
    return Fixed;
  }

  StmtRef rewriteStmt(const StmtRef &S) override {
    if (!isa<Block>(*S))
      return S;
    Statements Out;
    bool Any = false;
    for (const StmtRef &Part : statements(S)) {
      auto *L = dyn_cast<For>(Part.get());
      if (L && L->LKind == LoopKind::GridZ) {
        launch(Part, Out);
        Any = true;
      } else {
        Out.push_back(Part);
      }
    }
    return Any ? std::make_shared<Block>(std::move(Out), S->Loc) : S;
  }

  /// Nest joins Before, in which its extents are declared.
  void launch(const StmtRef &Nest, Statements &Before) {
    Extents Dims = extentsOf(Nest);
    Substitution Values = valuesOf(Dims, Before);
    const LaunchExtents Known(Dims, Values);
    Function Kernel;
    Kernel.Name = "launch";
    Kernel.Kind = FunctionKind::Kernel;
    Kernel.LaunchDims = Dims;
    Kernel.Body = std::make_shared<Block>(Statements{Nest}, Nest->Loc);
    Kernel.Loc = Nest->Loc;
    StmtRef Loops = mergeKnownLaunch(std::make_shared<Function>(Kernel), Known);
    if (!Loops)
      Loops = inOrder(Nest, Dims, Known);
    Loops = named(Loops, Dims, Values, Before);
    append_range(Before, statements(WithoutRoundTrips().run(Loops)));
  }

  static Extents extentsOf(const StmtRef &Nest) {
    Extents Dims;
    const Stmt *At = Nest.get();
    for (unsigned D : {2, 1, 0, 5, 4, 3}) {
      auto *L = cast<For>(At);
      Dims[D] = cast<VarUse>(L->Hi.get())->V;
      At = D == 3 ? nullptr : statements(L->Body).front().get();
    }
    return Dims;
  }

  /// What Dims, whose declarations stand in Before, hold at its end.
  Substitution valuesOf(const Extents &Dims, ArrayRef<StmtRef> Before) const {
    Substitution Values = Defined;
    for (size_t I = Before.size(); I-- > 0;) {
      auto *D = dyn_cast<Decl>(Before[I].get());
      if (!D || !is_contained(Dims, D->V))
        continue;
      bool Kept = true;
      forEachExpr(D->Init, [&](const ExprRef &E) {
        auto *U = dyn_cast<VarUse>(E.get());
        Kept &= !isa<Load>(*E) &&
                !(U && any_of(Before.drop_front(I), [&](const StmtRef &S) {
                    return assigns(S, U->V.get());
                  }));
      });
      if (Kept)
        Values[D->V.get()] = D->Init;
      else
        Values.erase(D->V.get());
    }
    return Values;
  }

  /// The loops that have more than one iteration.
  static StmtRef inOrder(const StmtRef &Nest, const Extents &Dims,
                         const LaunchExtents &Known) {
    std::vector<const For *> Loops;
    StmtRef Body = Nest;
    for (unsigned D = 0; D < Dims.size(); ++D) {
      auto *L = cast<For>(Body.get());
      Loops.push_back(L);
      Body = D + 1 < Dims.size() ? statements(L->Body).front() : L->Body;
    }
    static const unsigned Order[] = {2, 1, 0, 5, 4, 3};
    const auto IsLoop = [&](unsigned D) { return !Known.isExtent(Dims[D], 1); };
    const bool Plain = none_of(
        ArrayRef(Order), [&](unsigned D) { return D % 3 != 0 && IsLoop(D); });
    for (size_t I = Loops.size(); I-- > 0;) {
      const For &L = *Loops[I];
      const unsigned D = Order[I];
      if (!IsLoop(D)) {
        Body = substitute(Body, L.V, build::intConst(0, L.V->Ty));
        continue;
      }
      auto V = std::make_shared<Var>(*L.V);
      V->Name = D < 3 ? "block" : "thread";
      if (!Plain)
        V->Name += std::string("_") + "xyz"[D % 3];
      // No extent that CUDA accepts is beyond int, and below zero nothing runs.
      const Type I32 = Type::getI32();
      V->Ty = I32;
      Body = std::make_shared<For>(
          V, build::intConst(0, I32), L.Cond, build::cast(L.Hi, I32),
          build::intConst(1, I32), LoopKind::Serial, true,
          substitute(Body, L.V, build::cast(build::var(V), L.V->Ty)), L.Loc);
    }
    return Body;
  }

  /// Loops with the extents' values for the extents; those that are not to be
  /// computed again have names.
  static StmtRef named(StmtRef Loops, const Extents &Dims,
                       const Substitution &Values, Statements &Before) {
    for (unsigned D = 0; D < Dims.size(); ++D) {
      const VarRef &V = Dims[D];
      const auto At = find_if(Before, [&](const StmtRef &S) {
        auto *Set = dyn_cast<Decl>(S.get());
        return Set && Set->V == V;
      });
      if (!uses(Loops, V.get())) {
        Before.erase(At);
        continue;
      }
      if (const ExprRef Value = Values.lookup(V.get())) {
        Loops = substitute(Loops, V, Value);
        Before.erase(At);
        continue;
      }
      auto Own = std::make_shared<Var>(*V);
      Own->Name = std::string(D < 3 ? "grid_" : "block_") + "xyz"[D % 3];
      *At =
          std::make_shared<Decl>(Own, cast<Decl>(At->get())->Init, (*At)->Loc);
      Loops = substitute(Loops, V, build::var(Own));
    }
    return Loops;
  }

  Substitution Defined; ///< variables that keep what they are declared with
  DenseSet<const Var *> Changing;
};

} // namespace

FunctionRef launchLoops(FunctionRef F, Context &) {
  bool Any = false;
  forEachStmt(F->Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    Any |= L && isThreadLoop(L->LKind);
  });
  if (!Any || F->Kind != FunctionKind::Host)
    return F;
  return withBody(*F, LaunchLoops(F->Body).run(F->Body));
}

} // namespace raise
