//===- Loop.cpp - counted loops -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A `for` becomes a For where its variable, bound and step are those of a
// counted loop that its body cannot change. Everything else becomes a While
// that says why (While.cpp).
//
//===----------------------------------------------------------------------===//

#include "LoopLifter.h"
#include "ShiftedBounds.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

//===-- Counted loops
//-------------------------------------------------------===//

/// What stands before the loop, and the first value.
bool LoopLifter::liftInit() {
  const clang::Stmt *Init = S->getInit();
  if (const auto *D = dyn_cast_or_null<DeclStmt>(Init)) {
    for (const clang::Decl *Child : D->decls()) {
      const auto *X = dyn_cast<VarDecl>(Child);
      if (!X)
        return no("the loop's header declares more than variables");
      if (X != Counter) {
        if (!L.liftDecl(X, Init))
          return false;
        continue;
      }
      if (!X->getInit() || !(Lo = L.value(X->getInit())))
        return no("the loop's variable has no first value");
      Declares = true;
      Binding B;
      B.Kind = Binding::Scalar;
      B.V = L.declare(X, liftedType(X->getType(), L.AST));
      L.Bindings[X] = B;
    }
  } else if (const auto *E = dyn_cast_or_null<clang::Expr>(Init)) {
    // `j = 0, i = 0`: the counter's assignment becomes the first value.
    std::vector<const clang::Expr *> Parts;
    const clang::Expr *Rest = E->IgnoreParens();
    while (const auto *C = dyn_cast<clang::BinaryOperator>(Rest)) {
      if (C->getOpcode() != BO_Comma)
        break;
      Parts.insert(Parts.begin(), C->getRHS());
      Rest = C->getLHS()->IgnoreParens();
    }
    Parts.insert(Parts.begin(), Rest);
    for (const clang::Expr *P : Parts) {
      const auto *A = dyn_cast<clang::BinaryOperator>(P->IgnoreParens());
      if (P == Parts.back() && A && A->getOpcode() == BO_Assign &&
          variable(A->getLHS()) == Counter) {
        if (!(Lo = L.value(A->getRHS())))
          return false;
      } else if (!L.liftEffect(P)) {
        return false;
      }
    }
  }
  if (Claimed && Claimed->PrivateCounter && !Declares) {
    if (!Lo)
      return no("the loop's variable has no first value");
    Binding B;
    B.Kind = Binding::Scalar;
    B.V = L.declare(Counter, liftedType(Counter->getType(), L.AST));
    L.Bindings[Counter] = B;
    Declares = true;
  }
  auto It = L.Bindings.find(Counter);
  if (It == L.Bindings.end() || It->second.Kind != Binding::Scalar)
    return no("the loop's variable is not a plain local");
  V = It->second.V;
  if (!Lo)
    Lo = build::var(V);
  return true;
}

/// Whether E reads an object that there is whatever runs: of the member
/// function, or that a reference leads to.
bool Lifter::isThere(const ExprRef &E) const {
  const auto *Ld = dyn_cast<Load>(E.get());
  if (!Ld || Ld->From.isView() || Ld->From.Indices.size() != 1)
    return false;
  const auto IsFirst = [](const Access &A) {
    const auto *At = dyn_cast<IntConst>(A.Indices[0].get());
    return At && At->Value == 0;
  };
  return IsFirst(Ld->From) &&
         (Ld->From.Buf->Reference ||
          (This.Kind == Place::Memory && Ld->From.Buf == This.A.Buf &&
           This.A.Indices.size() == 1 && IsFirst(This.A)));
}

/// The values that the body sees: from one below the first down to 0. Where the
/// loop ends, the variable is one below that, as the last test leaves it.
bool LoopLifter::liftCountdown() {
  if (uses(Lo, V.get()))
    return no("the loop has no step");
  Lo = build::sub(Lo, build::intConst(1, V->Ty));
  Hi = build::intConst(Op == BinaryOp::GE ? 0 : -1, V->Ty);
  return true;
}

bool LoopLifter::liftBounds() {
  if (Countdown)
    return liftCountdown();
  ExprRef Least;
  for (const Limit &By : Limits) {
    if (!liftBound(By))
      return false;
    if (Least) {
      // The original asks for it only where those before hold.
      bool Plain = true;
      forEachExpr(Hi, [&](const ExprRef &E) {
        Plain &= isa<VarUse>(*E) || isa<IntConst>(*E) || isa<raise::Cast>(*E) ||
                 L.isThere(E);
      });
      if (!Plain)
        return no("a bound of the loop is only looked at while another holds");
      if (Hi->Ty != Least->Ty)
        return no("the loop's bounds are of different types");
      Hi = build::select(build::binary(Op, Least, Hi), Least, Hi);
    }
    Least = Hi;
  }
  return true;
}

/// Hi in the type of the comparison.
bool LoopLifter::liftBound(const Limit &By) {
  const size_t Before = L.Out->size();
  if (!(Hi = L.value(By.Bound)))
    return false;
  if (L.Out->size() != Before)
    return no("the loop's bound has an effect");
  if (!Hi->Ty.isInt())
    return no("the loop's variable is not compared as an integer");
  // The counter must be converted to the bound's type in one step.
  ExprRef Left = L.value(By.Counter);
  if (!Left)
    return false;
  const auto *C = dyn_cast<raise::Cast>(Left.get());
  const auto *U = dyn_cast<VarUse>(C ? C->Operand.get() : Left.get());
  if (U && U->V == V && Left->Ty == Hi->Ty)
    return true;
  if (variable(By.Counter) == Counter)
    return no("the loop's variable is converted more than once to be compared");
  if (L.Out->size() != Before)
    return no("the loop's condition has an effect");
  const auto Plain = plainBound({Left, Op, Hi, V, Lo, !StepBy && !StepDown});
  if (!Plain || (Plain->Op != Op && Limits.size() > 1))
    return no("where the sum that the loop's condition compares wraps is not "
              "known");
  Hi = Plain->Hi;
  Op = Plain->Op;
  return true;
}

/// The step, negated for a loop that counts down.
bool LoopLifter::liftStep() {
  if (!StepBy) {
    Step = build::intConst(1, V->Ty.Bits < 32 ? Type::getI32() : V->Ty);
  } else {
    const size_t Before = L.Out->size();
    if (!(Step = L.value(StepBy)))
      return false;
    if (L.Out->size() != Before)
      return no("the loop's step has an effect");
    if (!Step->Ty.isInt())
      return no("the loop's step is no integer");
  }
  if (StepDown) {
    // i -= s is i += -s: in unsigned arithmetic always, in signed if -s does
    // not overflow.
    const auto *C = dyn_cast<IntConst>(Step.get());
    if (!C && Step->Ty.Signed)
      return no("the loop counts down by an amount that is not a constant");
    Step = C ? L.integerConstant(-llvm::APSInt(llvm::APInt(64, C->Value, true),
                                               /*isUnsigned=*/false),
                                 Step->Ty, "", {})
             : build::unary(UnaryOp::Neg, Step);
  }
  return Step->Ty == V->Ty || fitStep();
}

/// Gives the step the variable's type. C computes in the common type and
/// converts back; that is the variable's own arithmetic for unsigned types, and
/// for signed ones where nothing overflows.
bool LoopLifter::fitStep() {
  const Type &Ty = V->Ty;
  const auto *C = dyn_cast<IntConst>(Step.get());
  const auto Finish = [&] {
    if (C)
      Step = L.integerConstant(llvm::APSInt(llvm::APInt(64, C->Value, true),
                                            /*isUnsigned=*/false),
                               Ty, C->Spelling, {});
    else
      Step = build::cast(Step, Ty);
    return true;
  };
  if (!Ty.Signed || Step->Ty.Bits < Ty.Bits)
    return Finish();
  if (C && (C->Value == 1 || C->Value == -1) &&
      Op == (C->Value == 1 ? BinaryOp::LT : BinaryOp::GT)) {
    // Narrower than int: a bound that was as narrow keeps it in range.
    const auto *Widened = dyn_cast<raise::Cast>(Hi.get());
    const auto *Limit = dyn_cast<IntConst>(Hi.get());
    const int64_t Max = (int64_t(1) << (Ty.Bits - 1)) - 1;
    if ((Widened && Widened->Operand->Ty.isInt() &&
         Widened->Operand->Ty.Bits + !Widened->Operand->Ty.Signed <= Ty.Bits) ||
        (Limit && Limit->Value >= -Max && Limit->Value <= Max))
      return Finish();
  }
  // A grid-stride loop, `i += blockDim.x * gridDim.x`. Its index passes the
  // largest int only if the bound is within one stride of it; every thread
  // would then go on from a negative index, which no kernel can mean. Likewise
  // one of the lanes of a warp or a tile, `i += 32U`: sums and products of
  // natural numbers, which are no negative step in disguise.
  constexpr int64_t MostStride = 1 << 20;
  bool LaunchOnly = Step->Ty.Bits == Ty.Bits && Ty.Bits == 32;
  bool HasNumber = false, HasOther = false;
  forEachExpr(Step, [&](const ExprRef &X) {
    const auto *U = dyn_cast<VarUse>(X.get());
    const auto *B = dyn_cast<Binary>(X.get());
    const auto *K = dyn_cast<IntConst>(X.get());
    HasNumber |= K != nullptr;
    HasOther |= B && B->Op != BinaryOp::Add && B->Op != BinaryOp::Mul;
    LaunchOnly &= B || isa<raise::Cast>(X.get()) ||
                  (L.IsKernel && K && K->Value > 0 && K->Value <= MostStride) ||
                  (U && is_contained(L.Launch, U->V));
  });
  if (LaunchOnly && !(HasNumber && HasOther))
    return Finish();
  return no(
      "the loop's variable is stepped in another type, where it may wrap");
}

/// Whether the body may assign X. What an Opaque of the body does is read off
/// the source.
bool LoopLifter::mayChange(const VarRef &X, const StmtRef &Body) {
  bool Changes = false, HasOpaque = false;
  const bool IsKept = llvm::is_contained(L.Addressed, X) &&
                      (llvm::is_contained(L.Escaped, X) || L.Loops.size() > 0 ||
                       L.Facts.HasLabel);
  forEachStmt(Body, [&](const StmtRef &S) {
    const auto *O = dyn_cast<Opaque>(S.get());
    HasOpaque |= O && !O->Pure;
    // A jump into the body may come from where X is changed.
    Changes |= O && O->Code == codes::Jump &&
               llvm::is_contained(O->Touches, X) &&
               L.Changing.contains(X.get());
    if (const auto *A = dyn_cast<Assign>(S.get()))
      Changes |= A->V == X;
    if (const auto *To = dyn_cast<Store>(S.get()); To && IsKept)
      Changes |= mayReachVariable(*To->To.Buf, *X);
    if (const auto *F = dyn_cast<raise::For>(S.get()))
      Changes |= F->V == X;
  });
  for (const VarDecl *D : InBody.Assigned)
    if (auto It = L.Bindings.find(D); It != L.Bindings.end())
      Changes |= It->second.V == X;
  return Changes || (HasOpaque && (llvm::is_contained(L.Addressed, X) ||
                                   L.Unowned.contains(X.get())));
}

namespace {
/// Leaves out calls that change nothing but a variable of their own.
class WithoutPureCalls : public Rewriter {
public:
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *O = dyn_cast<Opaque>(S.get());
    return O && O->Pure ? nullptr : S;
  }
};
} // namespace

/// The store or the unknown statement of Body that may change From; empty if
/// there is none.
std::string LoopLifter::changerOf(const ExprRef &From, const StmtRef &Body) {
  const Access &A = cast<Load>(From.get())->From;
  const Effects Does = effectsOf(WithoutPureCalls().run(Body));
  const std::string Name = raise::sourceText(From);
  for (const MemoryAccess &M : Does.Memory)
    if (M.How != MemoryAccess::Mode::Read &&
        alias(*A.Buf, *M.At.Buf) != AliasResult::No &&
        (A.Buf != M.At.Buf || A.Field == M.At.Field) &&
        !L.holdsContainer(*A.Buf, *M.At.Buf)) {
      const Load Target(M.At, M.At.Buf->Elem);
      // Not even new memory is followed into a member.
      const std::string Where =
          M.At.Buf->Owner && M.At.Buf->Home == PointerHome::Memory
              ? " (where the member '" + M.At.Buf->Name +
                    "' leads is not followed)"
              : "";
      return "the store to '" +
             raise::sourceText(std::make_shared<Load>(Target)) +
             "' may change '" + Name + "'" + Where;
    }
  return Does.Unknown ? "the body may change '" + Name + "'" : "";
}

/// How Body may change X: by its name, or by its address.
std::string LoopLifter::changerOf(const VarRef &X, const StmtRef &Body) {
  bool Named = X == V;
  std::string Through;
  forEachStmt(Body, [&](const StmtRef &S) {
    if (const auto *A = dyn_cast<Assign>(S.get()))
      Named |= A->V == X;
    if (const auto *F = dyn_cast<raise::For>(S.get()))
      Named |= F->V == X;
    const auto *To = dyn_cast<Store>(S.get());
    if (To && Through.empty() && mayReachVariable(*To->To.Buf, *X))
      Through =
          raise::sourceText(std::make_shared<Load>(To->To, To->To.Buf->Elem));
  });
  for (const VarDecl *D : InBody.Assigned)
    if (auto It = L.Bindings.find(D); It != L.Bindings.end())
      Named |= It->second.V == X;
  if (Named)
    return "the body changes '" + X->Name + "'";
  if (Through.empty())
    return "the body may change '" + X->Name + "'";
  return "the store to '" + Through + "' may be to '" + X->Name +
         "' (its address is kept by a statement that is not followed)";
}

/// Whether the body cannot change E, which is the loop's bound or step (What);
/// else says why.
bool LoopLifter::isStable(const ExprRef &E, const StmtRef &Body,
                          const char *What) {
  std::string Changer;
  forEachExpr(E, [&](const ExprRef &X) {
    if (!Changer.empty())
      return;
    if (const auto *U = dyn_cast<VarUse>(X.get());
        U && (U->V == V || mayChange(U->V, Body)))
      Changer = changerOf(U->V, Body);
    if (isa<Load>(X.get()))
      Changer = changerOf(X, Body);
  });
  return Changer.empty() ||
         no(Changer + ", which the loop's " + What + " uses");
}

StmtRef LoopLifter::run() {
  if (S->getConditionVariable())
    return no("the condition declares a variable"), nullptr;
  if (!matchCountdown() && !matchStep())
    return nullptr;
  if (L.Facts.Addressed.contains(Counter))
    return no("the address of the loop's variable is taken"), nullptr;
  StmtList *const Saved = L.Out;
  L.Out = &Outer;
  StmtList Body;
  const std::optional<Binding> OldCounter =
      L.Bindings.count(Counter) ? std::optional(L.Bindings[Counter])
                                : std::nullopt;
  bool Done = liftInit() && liftBounds() && liftStep();
  const auto Steps = [&]() -> bool {
    for (const clang::Expr *E : MoreSteps)
      if (!L.liftEffect(E))
        return false;
    return true;
  };
  L.Counters.push_back(V);
  if (Claimed && Claimed->Depth > 1) {
    L.Pending = *Claimed;
    --L.Pending->Depth;
  } else if (Claimed) {
    L.declarePrivates(*Claimed, Body);
  }
  Done = Done && L.liftLoopBody(S->getBody(), Steps, Body);
  L.Counters.pop_back();
  L.Out = &Body;
  Done = Done && Steps();
  L.Out = Saved;
  const bool Private = Claimed && Claimed->PrivateCounter;
  if (!Done)
    return nullptr;
  StmtRef B =
      makeBlock(std::move(Body), locate(S->getBody()->getSourceRange(), L.AST));
  InBody.scan(S->getBody());
  if (InBody.Assigned.contains(Counter) || mayChange(V, B))
    return no("the body assigns the loop's variable"), nullptr;
  // Under a directive they are what they were before the loop: OpenMP forbids
  // that they change.
  StmtRef Loop = std::make_shared<raise::For>(
      V, Lo, Op, Hi, Step, Claimed ? Claimed->Kind : LoopKind::Serial, Declares,
      B, locateStatement(S, L.AST));
  if (!Claimed && (!isStable(Hi, B, "bound") || !isStable(Step, B, "step")))
    return AsIf = Loop, nullptr;
  if (Private && OldCounter)
    L.Bindings[Counter] = *OldCounter; // the loop had one of its own
  if (Outer.empty())
    return Loop;
  Outer.push_back(Loop);
  return std::make_shared<raise::Block>(std::move(Outer), Loop->Loc);
}

/// 1: S, a counted loop, was lifted; -1: it is opaque; 0: it is no counted
/// loop, for the reason Why.
int Lifter::liftCounted(const ForStmt *S, std::string &Why) {
  const Checkpoint Start = checkpoint();
  const size_t Before = Out->size();
  LoopLifter Counted(*this, S, nullptr);
  if (StmtRef Loop = Counted.run()) {
    emit(Loop);
    return 1;
  }
  if (failed() || Counted.Why.empty())
    return -1;
  rollBack(Start);
  Out->resize(Before);
  if (Counted.matched())
    Why = Counted.Why;
  return 0;
}

bool Lifter::liftFor(const ForStmt *S) {
  const ScopeGuard Scope(*this);
  const Checkpoint Start = checkpoint();
  const size_t Before = Out->size();
  if (!Pending)
    if (const int Done = liftWalk(S))
      return Done > 0;
  std::optional<Claim> Own;
  Own.swap(Pending);
  LoopLifter Counted(*this, S, Own ? &*Own : nullptr);
  if (StmtRef Loop = Counted.run()) {
    emit(Loop);
    return true;
  }
  Pending = std::nullopt;
  if (failed() || Counted.Why.empty())
    return false;
  if (Own)
    return refuse(codes::InsideOpenMP,
                  "the loop of an OpenMP directive is not understood: " +
                      Counted.Why,
                  S->getSourceRange()),
           false;
  rollBack(Start);
  Out->resize(Before);
  return liftForAsWhile(S, Counted.Why, Counted.AsIf);
}

} // namespace raise::lifting
