//===- Refusals.cpp - what cannot be differentiated, and where ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Grad/Activity.h"
#include "raise/Grad/Derivatives.h"
#include "raise/Grad/UserRules.h"
#include "raise/IR/Recursion.h"
#include "raise/IR/SmallFloat.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <set>

using namespace llvm;

namespace raise::grad {

namespace {

class Refusals : public Visitor {
public:
  Refusals(const Function &F, const Signature &Sig, AliasMode Alias)
      : F(F), Sig(Sig), Active(activityOf(F, Sig, Alias)),
        Apart(activityOf(F, Sig, AliasMode::Assume)) {
    if (!Sig.Slots.empty() || Sig.ResultDependent)
      Way = Sig.M;
  }

  std::vector<Reason> run() {
    for (const Param &P : F.Params)
      if (P.Scalar)
        arithmetic(P.Scalar->Ty, Active.isActive(P.Scalar.get()),
                   P.Scalar->Loc);
    walk(F.Body);
    return std::move(Found);
  }

private:
  void refuse(std::string Code, const Twine &Text, const SourceLoc &At) {
    Found.push_back({std::move(Code), Text.str(),
                     At.isValid() || Around.empty() ? At : Around.back()->Loc});
  }

  bool visitStmt(const StmtRef &S) override {
    Around.push_back(S.get());
    switch (S->Kind) {
    case StmtKind::Opaque:
      opaque(*cast<Opaque>(S.get()));
      break;
    case StmtKind::Barrier:
      waits(*cast<Barrier>(S.get()));
      break;
    case StmtKind::DeclBuffer:
      shared(*cast<DeclBuffer>(S.get())->B, S->Loc);
      break;
    case StmtKind::TensorOp:
    case StmtKind::Region:
      refuse("CR1801", "this form of statement has no derivative", S->Loc);
      break;
    case StmtKind::Store:
      store(*cast<Store>(S.get()));
      break;
    case StmtKind::Decl:
      arithmetic(cast<Decl>(S.get())->V->Ty,
                 Active.isActive(cast<Decl>(S.get())->V.get()), S->Loc);
      break;
    default:
      break;
    }
    return true;
  }
  void leaveStmt(const StmtRef &) override { Around.pop_back(); }

  bool visitExpr(const ExprRef &E) override {
    if (auto *L = dyn_cast<Load>(E.get()))
      memory(*L->From.Buf, L->Ty, E->Loc);
    auto *C = dyn_cast<Call>(E.get());
    if (!C || !C->Ty.isFloat() || hasRule(*C->Fn))
      return true;
    if (none_of(C->Args, [&](auto &A) { return Active.isActive(A); }))
      return true;
    if (C->Fn->Rule) {
      // Before there is a signature, the direction is not known.
      const std::string Why = Way ? whyNotByRule(*C->Fn, *Way) : std::string();
      if (!Why.empty())
        refuse("CR1808",
               Why + (InRing ? ", which is called by a function that calls "
                               "itself: of those there is a tangent in reverse "
                               "mode too"
                             : ""),
               E->Loc);
    } else if (!C->Fn->Definition)
      refuse("CR1808",
             "calls " + C->Fn->Name +
                 " with a value that carries derivatives, and its own "
                 "derivative is not known",
             E->Loc);
    else
      callee(*C->Fn->Definition);
    return true;
  }

  /// What a called function contains stops as well, where it stands. One that
  /// calls itself has a tangent in either mode.
  void callee(const Function &Called) {
    const std::optional<Mode> Own =
        Way && callsItself(Called) ? Mode::Forward : Way;
    if (!Entered->insert({&Called, Own}).second)
      return;
    const Signature None; // Inner refers to it
    Refusals Inner(Called, None, AliasMode::Check);
    Inner.Way = Own;
    Inner.InRing = Own != Way || InRing;
    Inner.Entered = Entered;
    Inner.Active = Inner.Apart = activityOfCallee(Called);
    llvm::append_range(Found, Inner.run());
  }

  void opaque(const Opaque &O) {
    if (!O.Pure) {
      refuse("CR1801",
             O.Why.empty() ? std::string("a statement that is not understood")
                           : "not differentiated: " + O.Why,
             O.Loc);
      return;
    }
    if (Active.isActive(O.Pure->Result.get()))
      refuse("CR1808",
             "calls " + O.Pure->Name +
                 (O.Pure->ReadsMemory
                      ? ", which may read what carries derivatives"
                      : " with a value that carries derivatives") +
                 ", and its own derivative is not known",
             O.Loc);
  }

  /// An exchange of a warp waits twice: once is enough to say.
  void waits(const Barrier &B) {
    const SourceLoc &Last = Waits;
    if (B.OfWarp && Last.isValid() && Last.File == B.Loc.File &&
        Last.Line == B.Loc.Line && Last.Column == B.Loc.Column)
      return;
    Waits = B.Loc;
    refuse("CR1801",
           Twine(B.OfWarp ? "the threads of a warp exchange values here, which"
                          : "the threads of a block wait for each other, and "
                            "what they exchange") +
               " is not differentiated",
           B.Loc);
  }

  void shared(const Buffer &B, const SourceLoc &At) {
    if (B.Kind == BufferKind::Shared && !B.PerWarp) // the exchange says it
      refuse("CR1801",
             "the kernel shares '" + B.Name +
                 "' among the threads of a block, and what they exchange is "
                 "not differentiated",
             At);
  }

  void store(const Store &S) {
    const Type &Ty = S.To.Field.empty() ? S.To.Buf->Elem : S.Value->Ty;
    if (!Ty.isFloat())
      return;
    memory(*S.To.Buf, Ty, S.Loc);
    if (S.Atomic && S.Op != Combiner::Add && S.Op != Combiner::Sub &&
        Active.isActive(S.To.Buf.get()))
      refuse("CR1810", "an atomic update other than a sum carries derivatives",
             S.Loc);
  }

  void arithmetic(const Type &Ty, bool IsActive, const SourceLoc &At) {
    if (IsActive && (Ty.Bits < 32 || Ty.Bits > 64))
      refuse("CR1810",
             "values of type " + Ty.cName() +
                 " carry derivatives; these are "
                 "for float and double",
             At);
  }

  /// Buf is touched at At: where its derivatives would lie must be known.
  void memory(const Buffer &Buf, const Type &Ty, const SourceLoc &At) {
    if (!Ty.isFloat() || !Active.isActive(&Buf))
      return;
    // What is computed with is float; tangents are laid out as their primals.
    if (!isBFloat16(Ty) || Way != Mode::Reverse)
      arithmetic(Ty, true, At);
    if (Buf.Lies == ArrayHome::Growing && !Buf.Count)
      refuse("CR1801", "'" + Buf.Name + "' grows, and nothing counts how far",
             At);
    if (Buf.Volatile)
      refuse("CR1801", "'" + Buf.Name + "' is volatile", At);
    if (Sig.slotOf(F, &Buf) || Sig.workspaceOf(F, &Buf) ||
        Buf.Kind == BufferKind::Local || !Told.insert(&Buf).second)
      return;
    if (!Apart.isActive(&Buf))
      refuse("CR1806",
             "'" + Buf.Name +
                 "' may overlap memory that carries derivatives and is not "
                 "named itself; name it in --wrt or --of, or say that pointers "
                 "do not overlap with --alias=assume",
             At);
    else if (Buf.Kind == BufferKind::Param)
      refuse("CR1804",
             "'" + Buf.Name +
                 "' carries derivatives from what --wrt names to what --of "
                 "names; name it in one of them",
             At);
    else
      refuse("CR1805",
             "'" + Buf.Name +
                 "' carries derivatives and is no parameter, so the caller "
                 "could not give or take them",
             At);
  }

  const Function &F;
  const Signature &Sig;
  Activity Active, Apart;
  std::optional<Mode> Way;
  bool InRing = false; ///< Way is not the one that was asked for
  SourceLoc Waits;     ///< the last barrier that was told of
  std::vector<const Stmt *> Around;
  using Visits = std::set<std::pair<const Function *, std::optional<Mode>>>;
  std::shared_ptr<Visits> Entered = std::make_shared<Visits>();
  DenseSet<const Buffer *> Told;
  std::vector<Reason> Found;
};

} // namespace

std::vector<Reason>
whyNotDifferentiable(const Function &F, const Signature &Sig, AliasMode Alias) {
  return Refusals(F, Sig, Alias).run();
}

} // namespace raise::grad
