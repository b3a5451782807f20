//===- Unnamed.cpp - parameters that nobody named -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The adjoint of a buffer that is neither an independent nor a dependent is
// zero when the reverse sweep begins, and nobody looks at it when that ends: it
// needs memory, and no caller. How much is what the overlap tests of the primal
// are made of: the elements that it touches.
//
//===----------------------------------------------------------------------===//

#include "Unnamed.h"
#include "ForAnySize.h"
#include "Rules.h"
#include "Structured.h"
#include "raise/Analysis/Overwrites.h"
#include "raise/Grad/Activity.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace raise::grad {

namespace {

/// Arrays that are no larger than this, of a known size, lie on the stack.
constexpr int64_t MostOnStack = 64;

size_t choicesIn(const ExprRef &E) {
  size_t Count = 0;
  if (E)
    forEachExpr(E, [&](const ExprRef &Sub) { Count += isa<Select>(*Sub); });
  return Count;
}

class Settler {
public:
  Settler(const Function &F, Signature &Sig, AliasMode Alias)
      : F(F), Sig(Sig), Alias(Alias) {}

  Reason run() {
    const Activity Together = activityOf(F, Sig, Alias);
    forEachStmt(F.Body, [&](const StmtRef &S) {
      if (auto *St = dyn_cast<Store>(S.get()))
        Written.insert(St->To.Buf.get());
    });
    for (const Param &P : F.Params)
      if (P.Buf && Together.isActive(P.Buf.get()) &&
          !Sig.slotOf(F, P.Buf.get()))
        Unnamed.push_back(P.Buf.get());
    if (Unnamed.empty())
      return {};
    if (Alias == AliasMode::Check)
      Sig.Separate.insert(Unnamed.begin(), Unnamed.end());
    Apart = activityOf(F, Sig, Alias);
    Context Ctx;
    Ctx.Opts.Alias = Alias;
    const FunctionRef Plain = withoutJumps(Ctx);
    Ctx.Apart = withoutMatter(*Plain);
    Overwrites Used(*Plain, Ctx);
    findLead(*Plain);
    Reason Why = addWorkspaces(Used);
    if (!Why.isSet())
      Why = require(Used.rests());
    if (Why.isSet()) {
      Sig.Separate.clear();
      Sig.Workspaces.clear();
      Sig.Requires.clear();
      Sig.Apart.clear();
    }
    return Why;
  }

private:
  FunctionRef withoutJumps(Context &Ctx) const {
    const auto Own = std::make_shared<Function>(F);
    if (F.Kind == FunctionKind::Kernel)
      return structureExits(Own, Ctx);
    std::set<std::string> Names = Sig.Names;
    return structured(Own, Names).F;
  }

  /// Pairs of buffers whose overlap is either no matter of an unnamed one's, or
  /// none at all.
  std::vector<std::pair<const Buffer *, const Buffer *>>
  withoutMatter(const Function &Plain) const {
    SetVector<const Buffer *> All;
    forEachExpr(Plain.Body, [&](const ExprRef &E) {
      if (auto *L = dyn_cast<Load>(E.get()))
        All.insert(L->From.Buf.get());
    });
    forEachStmt(Plain.Body, [&](const StmtRef &S) {
      if (auto *St = dyn_cast<Store>(S.get()))
        All.insert(St->To.Buf.get());
    });
    std::vector<std::pair<const Buffer *, const Buffer *>> Pairs;
    // What is written through the one may be read through the other; and it
    // ends the derivatives of what was there, whatever it is.
    const auto PassesOn = [&](const Buffer *A, const Buffer *B) {
      return (Apart.VariedBuffers.count(A) && Apart.UsefulBuffers.count(B)) ||
             (Written.count(A) && Apart.isActive(B));
    };
    const auto Matters = [&](const Buffer *A, const Buffer *B) {
      return (Sig.Separate.count(A) || Sig.Separate.count(B)) &&
             (PassesOn(A, B) || PassesOn(B, A));
    };
    for (size_t I = 0; I < All.size(); ++I)
      for (size_t K = 0; K < I; ++K)
        if (!Matters(All[I], All[K]))
          Pairs.push_back({All[I], All[K]});
    return Pairs;
  }

  /// The scalars that Plain begins by declaring, in terms of parameters.
  void findLead(const Function &Plain) {
    assignedVars(Plain.Body, [&](const VarRef &V) { Changed.insert(V.get()); });
    for (const StmtRef &S : statements(Plain.Body)) {
      auto *D = dyn_cast<Decl>(S.get());
      if (!D)
        return;
      Changed.erase(D->V.get()); // once, here
      bool Fixed = D->Init != nullptr;
      if (Fixed)
        forEachExpr(D->Init, [&](const ExprRef &E) {
          auto *U = dyn_cast<VarUse>(E.get());
          Fixed &= !isa<Load>(*E) && !isa<Call>(*E) &&
                   !(U && Changed.count(U->V.get()));
        });
      if (Fixed)
        Lead[D->V.get()] = substitute(D->Init, Lead);
    }
  }

  static bool isGiven(const Var &V) {
    return V.Kind == VarKind::Param || V.Kind == VarKind::Launch;
  }

  /// E in terms of parameters, and of a launch; null where it has others.
  ExprRef byParameters(const ExprRef &E) const {
    const ExprRef Out = substitute(E, Lead);
    bool Only = true;
    forEachExpr(Out, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      Only &= !isa<Load>(*Sub) &&
              !(U && (!isGiven(*U->V) || Changed.count(U->V.get())));
    });
    return Only ? Out : nullptr;
  }

  Reason addWorkspaces(Overwrites &Used) {
    for (size_t I = 0; I < F.Params.size(); ++I) {
      const BufferRef &B = F.Params[I].Buf;
      if (!B || !is_contained(Unnamed, B.get()) || !Apart.isActive(B.get()))
        continue;
      if (!B->Elem.isFloat() || B->EachElement)
        return {"CR1804", "it holds structures", B->Loc};
      if (F.Kind == FunctionKind::Kernel)
        return {"CR1804", "a kernel allocates nothing", B->Loc};
      const auto Count = Used.elements(*B);
      const ExprRef Size = Count ? byParameters(*Count) : nullptr;
      if (!Size || choicesIn(Size) > 2)
        return {"CR1804",
                "how many elements it has is not known where '" + F.Name +
                    "' begins",
                B->Loc};
      Sig.Workspaces.push_back({I, arrayFor(*B, Size)});
    }
    return {};
  }

  BufferRef arrayFor(const Buffer &B, const ExprRef &Size) {
    const std::shared_ptr<Buffer> D =
        derivativeBuffer(B, derivativeName(lastName(B.Name), Sig.M, Sig.Names));
    D->Kind = BufferKind::Local;
    D->Container = D->Reference = D->Restrict = D->Owned = false;
    D->Apart = D->Fresh = 0;
    D->TypeSpelling.clear();
    D->Extents.front() = Size;
    int64_t Row = 1; // whose subscripts are known to be below their extents
    for (const ExprRef &E : ArrayRef(D->Extents).drop_front())
      Row *= cast<IntConst>(E.get())->Value;
    const auto *Rows = dyn_cast<IntConst>(Size.get());
    if (Rows && Row <= MostOnStack && Rows->Value <= MostOnStack &&
        Rows->Value * Row <= MostOnStack)
      return D;
    D->Lies = ArrayHome::Heap; // rows on the heap are one after the other
    if (D->rank() > 1)
      D->Extents = {build::mul(build::cast(Size, Type::getI64()),
                               build::intConst(Row, Type::getI64()))};
    return D;
  }

  /// No element of R lies below its first: a test of text may go either way
  /// where there are none, and this one must pass.
  static void clamp(ElementRange &R) {
    const Expr *Size = R.Hi.get();
    while (auto *C = dyn_cast<Cast>(Size))
      Size = C->Operand.get();
    auto *First = dyn_cast<IntConst>(R.Lo.get());
    if (!First || First->Value != 0 || variablesOf(R.Hi).size() > 3 ||
        isa<IntConst>(*Size))
      return; // of many sizes it is negative only where they do not fit
    const ExprRef Of(R.Hi, Size), Zero = build::intConst(0, Size->Ty);
    R.Hi = build::cast(
        build::select(build::binary(BinaryOp::GT, Of, Zero), Of, Zero),
        R.Hi->Ty);
  }

  Reason require(Overwrites::Rests R) {
    if (R.Why.isSet())
      return R.Why;
    if (!R.Attained && F.Kind != FunctionKind::Kernel && !R.Guards.empty())
      return {"CR1105",
              "which elements are used hangs on conditions, or on other sizes "
              "than those of the arrays",
              F.Loc};
    for (Guard &G : R.Guards) {
      for (ExprRef *E : {&G.Cond, &G.A.Lo, &G.A.Hi, &G.B.Lo, &G.B.Hi})
        if (*E && !(*E = byParameters(*E)))
          return {"CR1105",
                  "which elements are used is not known where '" + F.Name +
                      "' begins",
                  F.Loc};
      if (G.Cond ? !holdsForSizes(G.Cond, F)
                 : !isEmptyAtFirst(G.A) || !isEmptyAtFirst(G.B) ||
                       choicesIn(G.A.Lo) + choicesIn(G.A.Hi) +
                           choicesIn(G.B.Lo) + choicesIn(G.B.Hi))
        return {"CR1105",
                "which elements are used hangs on how the arguments of '" +
                    F.Name + "' compare",
                F.Loc};
      if (G.Cond)
        continue;
      clamp(G.A);
      clamp(G.B);
      Sig.Apart.push_back({G.A.Buf.get(), G.B.Buf.get()});
    }
    Function Asks = F;
    Asks.Requires = std::move(R.Guards);
    Asks.Body = std::make_shared<Block>(std::vector<StmtRef>());
    const size_t Tests = Asks.Requires.size();
    for (const Workspace &W : Sig.Workspaces) {
      const ExprRef &Size = W.Derivative->Extents.front();
      Guard G; // which is computed behind the tests
      G.Cond = build::binary(BinaryOp::GE, Size, build::intConst(0, Size->Ty));
      Asks.Requires.push_back(std::move(G));
    }
    if (!verify(Asks).empty()) // a loop's step that is 0 where it does not run
      return {"CR1105",
              "which elements are used cannot be computed where '" + F.Name +
                  "' begins",
              F.Loc};
    Asks.Requires.resize(Tests);
    Sig.Requires = std::move(Asks.Requires);
    return {};
  }

  const Function &F;
  Signature &Sig;
  const AliasMode Alias;
  DenseSet<const Buffer *> Written;
  std::vector<const Buffer *> Unnamed; ///< that overlap what is active, or are
  Activity Apart;                      ///< where these overlap nothing
  Substitution Lead;
  DenseSet<const Var *> Changed; ///< scalars that do not keep their values
};

} // namespace

Reason settleUnnamed(const Function &F, Signature &Sig, AliasMode Alias) {
  return Settler(F, Sig, Alias).run();
}

StmtRef declaration(const Workspace &W) {
  const BufferRef &B = W.Derivative;
  size_t Zeros = 1; // one stands for all of an array on the heap
  if (B->Lies == ArrayHome::Automatic)
    for (const ExprRef &E : B->Extents)
      Zeros *= cast<IntConst>(E.get())->Value;
  return std::make_shared<DeclBuffer>(
      B, std::vector<ExprRef>(Zeros, zero(B->Elem)));
}

std::vector<Reason> withReason(std::vector<Reason> Refused,
                               const Reason &NoRoom) {
  if (NoRoom.isSet())
    for (Reason &R : Refused)
      if (R.Code == "CR1804" || R.Code == "CR1806")
        R.Text += " (" + NoRoom.Text + ")";
  return Refused;
}

} // namespace raise::grad
