//===- SymbolicIndex.cpp - integer expressions as polynomials -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Signed arithmetic of C does not wrap where it is evaluated, so it is that of
// the integers. Unsigned and narrowing results are integers only inside their
// type's range: that is proved, or becomes a fact, or the value is unknown.
//
//===----------------------------------------------------------------------===//

#include "Walk.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::analysis {

static Poly one() { return Poly::constant(1); }

/// A load of what only stores to other buffers might change counts as
/// invariant: it is an access of the loop, so its buffer is told apart from
/// theirs, or the loop is left. (Until the first store that changed it, all is
/// as it was before the loop; that store would be where the tests say that none
/// is.)
bool Walk::isInvariant(const ExprRef &E) const {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (const auto *U = dyn_cast<VarUse>(Sub.get()))
      Ok &= !Inside.count(U->V.get());
    if (const auto *L = dyn_cast<Load>(Sub.get())) {
      Ok &= !Own.count(L->From.Buf.get()) && !L->From.Buf->Volatile;
      // Members of one buffer's elements do not overlap.
      Ok &= !WrittenFields.count({L->From.Buf.get(), L->From.Field});
    }
  });
  return Ok;
}

bool Walk::isFixed(const ExprRef &E) const {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *U = dyn_cast<VarUse>(Sub.get());
    if (!U || !Inside.count(U->V.get()))
      return;
    auto It = Values.find(U->V.get());
    Ok &= It != Values.end() && !S.varies(It->second.P);
  });
  return Ok;
}

Value Walk::giveUp(const ExprRef &E, const char *Code, std::string Text) {
  if (isInvariant(E))
    return {Poly::atom(S.invariant(E)), {}, nullptr};
  AtomId A = S.unknown(sourceText(E), Code, std::move(Text));
  if (E->Ty.isBool() || (E->Ty.isInt() && !E->Ty.Signed))
    S.at(A).Lo.push_back({Poly(), {}});
  if (E->Ty.isBool() || (E->Ty.isInt() && E->Ty.Bits < 32)) {
    unsigned Bits = E->Ty.isBool() ? 1 : E->Ty.Bits - E->Ty.Signed;
    S.at(A).Hi.push_back({Poly::constant((1 << Bits) - 1), {}});
    if (E->Ty.isInt() && E->Ty.Signed)
      S.at(A).Lo.push_back({Poly::constant(-(1 << Bits)), {}});
  }
  return {Poly::atom(A), {}, nullptr};
}

/// What must hold where E is followed as a number of T.
std::string staysIn(const ExprRef &E, const Type &T) {
  auto *C = dyn_cast<Cast>(E.get());
  if (!C)
    return sourceText(E) + " does not wrap";
  std::string Name = T.cName();
  StringRef Article =
      StringRef("aeio").contains(Name[0]) ? " fits an " : " fits a ";
  return sourceText(C->Operand) + Article.str() + Name;
}

/// What it takes that P, a number of T, cannot get beyond T's values by the
/// types of what it is made of: products of two ints in 64 bits, say.
std::optional<Needs> Walk::staysBelow(const Poly &P, const Type &T) {
  if (T.Bits < 64)
    return std::nullopt;
  auto B = S.lower(Poly::constant((int64_t(1) << 62) - 1) - P);
  return B && S.proves(B->P, B->N) ? std::optional(B->N) : std::nullopt;
}

/// V converted to T; From is the type that V fits in already, null after
/// arithmetic that may have left T.
Value Walk::fit(Value V, const Type &T, const ExprRef &E, const Type *From) {
  if (!V.P.valid())
    return giveUp(E, "CR1104", "too large to follow");
  if (T.isBool() || (T.Signed && T.Bits == 64 && (!From || From->Signed)))
    return V;
  std::string Why = staysIn(E, T);
  auto Lo = T.Signed ? Poly::constant(int64_t(1) << (T.Bits - 1)) : Poly();
  // Past 2^60 no index is computed.
  auto Hi = Poly::constant(
      (int64_t(1) << std::min<unsigned>(60, T.Bits - T.Signed)) - 1);
  bool MayBeLess =
      !From || (From->Signed && (!T.Signed || From->Bits > T.Bits));
  bool MayBeGreater = !From || From->Bits - From->Signed > T.Bits - T.Signed;
  auto Below = MayBeLess ? S.require(V.P + Lo, Why) : Needs{};
  auto Above = MayBeGreater ? staysBelow(V.P, T) : Needs{};
  if (!Above)
    Above = S.require(Hi - V.P, Why);
  if (!Below || !Above)
    return giveUp(E, "CR1106",
                  "'" + sourceText(E) + "' may wrap in " + T.cName());
  return {V.P, V.N + *Below + *Above, V.Means};
}

Value Walk::truth(std::vector<Bounded> True, std::vector<Bounded> False,
                  const ExprRef &E) {
  Value V = giveUp(E, "CR1104", "a condition used as a number");
  auto M = std::make_shared<Implied>();
  M->WhenTrue = std::move(True);
  M->WhenFalse = std::move(False);
  V.Means = std::move(M);
  return V;
}

Value Walk::eval(const ExprRef &E) {
  if (!E->Ty.isIntegral())
    return giveUp(E, "CR1104", "not an integer");
  switch (E->Kind) {
  case ExprKind::IntConst: {
    int64_t C = cast<IntConst>(E.get())->Value;
    if ((C < 0 && !E->Ty.Signed) || C == INT64_MIN)
      return giveUp(E, "CR1104", "a constant too large to follow");
    return {Poly::constant(C), {}, nullptr};
  }
  case ExprKind::VarUse: {
    const VarRef &V = cast<VarUse>(E.get())->V;
    auto It = Values.find(V.get());
    if (It != Values.end())
      return It->second;
    if (!Inside.count(V.get())) {
      if (auto D = definition(V))
        return *D;
      return {Poly::atom(S.variable(V)), {}, nullptr};
    }
    return Values[V.get()] =
               giveUp(E, "CR1107",
                      "'" + V->Name + "' comes from an earlier iteration");
  }
  case ExprKind::Load: {
    Value V =
        giveUp(E, "CR1109", "'" + sourceText(E) + "' is loaded from memory");
    if (Inspect)
      inspect(E, V);
    return V;
  }
  case ExprKind::Unary: {
    const auto *U = cast<Unary>(E.get());
    if (U->Op == UnaryOp::Neg) {
      Value V = eval(U->Operand);
      V.P = -V.P;
      V.Means = nullptr;
      return E->Ty.Signed && E->Ty.Bits >= 32 ? V : fit(V, E->Ty, E);
    }
    if (U->Op == UnaryOp::Not) {
      Value V = eval(U->Operand);
      if (V.Means)
        return truth(V.Means->WhenFalse, V.Means->WhenTrue, E);
    }
    return giveUp(E, "CR1104", "'" + sourceText(E) + "' is not understood");
  }
  case ExprKind::Binary:
    return evalBinary(*cast<Binary>(E.get()), E);
  case ExprKind::Select:
    return evalSelect(*cast<Select>(E.get()), E);
  case ExprKind::Cast:
    return evalCast(*cast<Cast>(E.get()), E);
  case ExprKind::FloatConst:
  case ExprKind::Call:
  case ExprKind::NonNull:
    break;
  }
  return giveUp(E, "CR1104", "'" + sourceText(E) + "' is not understood");
}

Value Walk::evalBinary(const Binary &B, const ExprRef &E) {
  if (isComparison(B.Op) || B.Op == BinaryOp::LAnd || B.Op == BinaryOp::LOr)
    return evalCompare(B, E);
  Value L = eval(B.L), R = eval(B.R);
  Needs N = L.N + R.N;
  auto Done = [&](Poly P) -> Value {
    Value V{std::move(P), N, nullptr};
    bool Undefined = E->Ty.Signed && E->Ty.Bits >= 32 && V.P.valid();
    return Undefined ? V : fit(V, E->Ty, E);
  };
  bool Shift =
      R.P.isConstant() && R.P.constantTerm() >= 0 && R.P.constantTerm() < 31;
  switch (B.Op) {
  case BinaryOp::Add:
    return Done(L.P + R.P);
  case BinaryOp::Sub:
    return Done(L.P - R.P);
  case BinaryOp::Mul:
    return Done(L.P * R.P);
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return evalDivision(L, R, B.Op == BinaryOp::Rem, E);
  case BinaryOp::Shl:
    if (Shift)
      return Done(L.P * Poly::constant(int64_t(1) << R.P.constantTerm()));
    break;
  case BinaryOp::Shr:
  case BinaryOp::And: {
    // Rounding is towards minus infinity: a division only if nothing is
    // negative.
    int64_t C = R.P.isConstant() ? R.P.constantTerm() : -1;
    bool Mask = B.Op == BinaryOp::And && C >= 0 && (C & (C + 1)) == 0;
    if (!(Mask || (B.Op == BinaryOp::Shr && Shift)))
      break;
    auto NonNegative = S.require(L.P, sourceText(B.L) + " is not negative");
    if (!NonNegative)
      break;
    L.N = L.N + *NonNegative;
    Poly M = Poly::constant(Mask ? C + 1 : int64_t(1) << C);
    return evalDivision(L, {M, {}, nullptr}, Mask, E);
  }
  default:
    break;
  }
  return giveUp(E, "CR1104", "'" + sourceText(E) + "' is not understood");
}

/// Where this is evaluated the divisor is not zero.
Value Walk::evalDivision(const Value &L, const Value &R, bool Remainder,
                         const ExprRef &E) {
  Needs N = L.N + R.N;
  if (!L.P.valid() || !R.P.valid() || S.varies(R.P) || R.P.isZero())
    return giveUp(E, "CR1104",
                  "'" + sourceText(E) + "' divides by what varies in the loop");
  if (auto Q = L.P.divideExactly(R.P))
    return {Remainder ? Poly() : *Q, N, nullptr};
  if (L.P.isConstant() && R.P.isConstant() && R.P.constantTerm() != -1) {
    const int64_t A = L.P.constantTerm(), B = R.P.constantTerm();
    return {Poly::constant(Remainder ? A % B : A / B), N, nullptr};
  }
  // (M*k + r) / M is k where 0 <= r < M and k is not negative.
  auto Proved = [&](const Poly &P) {
    auto B = S.lower(P);
    return B && B->N.empty() && S.proves(B->P);
  };
  Poly Whole = L.P.filter([&](const Monomial &M) {
    return Poly::term(M, L.P.terms().at(M)).divideExactly(R.P).has_value();
  });
  Poly Rest = L.P - Whole;
  auto Quotient = Whole.divideExactly(R.P);
  if (Quotient && Proved(Rest) && Proved(R.P - one() - Rest) && Proved(Whole))
    return {Remainder ? Rest : *Quotient, N, nullptr};
  const DivNode &D = S.node(S.divide(L.P, R.P));
  return {Poly::atom(Remainder ? D.R : D.Q), N, nullptr};
}

Value Walk::evalCompare(const Binary &B, const ExprRef &E) {
  Value L = eval(B.L), R = eval(B.R);
  std::vector<Bounded> True, False;
  if (B.Op == BinaryOp::LAnd || B.Op == BinaryOp::LOr) {
    if (L.Means && R.Means) {
      bool And = B.Op == BinaryOp::LAnd;
      for (const auto *M : {L.Means.get(), R.Means.get()}) {
        const auto &From = And ? M->WhenTrue : M->WhenFalse;
        auto &To = And ? True : False;
        To.insert(To.end(), From.begin(), From.end());
      }
    }
    return truth(True, False, E);
  }
  if (!B.L->Ty.isIntegral())
    return truth({}, {}, E);
  Needs N = L.N + R.N;
  Poly D = L.P - R.P;
  if (!D.valid())
    return truth({}, {}, E);
  switch (B.Op) {
  case BinaryOp::LT:
    True = {{-D - one(), N}}, False = {{D, N}};
    break;
  case BinaryOp::LE:
    True = {{-D, N}}, False = {{D - one(), N}};
    break;
  case BinaryOp::GT:
    True = {{D - one(), N}}, False = {{-D, N}};
    break;
  case BinaryOp::GE:
    True = {{D, N}}, False = {{-D - one(), N}};
    break;
  case BinaryOp::EQ:
  case BinaryOp::NE: {
    auto &Equal = B.Op == BinaryOp::EQ ? True : False;
    auto &Differ = B.Op == BinaryOp::EQ ? False : True;
    Equal = {{D, N}, {-D, N}};
    // A comparison of a truth value with 0 or 1.
    const auto &M = L.Means;
    if (M && R.P.isConstant() && R.P.constantTerm() == 0)
      Equal = M->WhenFalse, Differ = M->WhenTrue;
    break;
  }
  default:
    break;
  }
  return truth(std::move(True), std::move(False), E);
}

Value Walk::evalSelect(const Select &Sel, const ExprRef &E) {
  Value T = eval(Sel.True), F = eval(Sel.False), C = eval(Sel.Cond);
  if (!T.P.valid() || !F.P.valid())
    return giveUp(E, "CR1104", "too large to follow");
  return eitherOf(T, F, C, [&] {
    return giveUp(E, "CR1104",
                  "'" + sourceText(E) + "' is chosen by a condition");
  });
}

/// T where C holds, else F. Unknown: what it is called if it is neither, the
/// bounds of both are added.
Value Walk::eitherOf(const Value &T, const Value &F, const Value &C,
                     llvm::function_ref<Value()> Unknown) {
  if (T.P == F.P)
    return {T.P, T.N + F.N, nullptr};
  Needs N = T.N + F.N;
  // a < b ? a : b is at most both; so is a <= b ? a : b.
  bool IsMin = false, IsMax = false;
  if (C.Means && C.Means->WhenTrue.size() == 1) {
    Poly D = C.Means->WhenTrue[0].P, Gap = F.P - T.P;
    IsMin = D == Gap || D == Gap - one();
    IsMax = D == -Gap || D == -Gap - one();
    N = N + C.Means->WhenTrue[0].N;
  }
  if ((IsMin || IsMax) && !S.varies(T.P) && !S.varies(F.P))
    if (auto B = S.chooseInvariant(T.P, F.P, IsMin))
      return {B->P, N + B->N, nullptr};
  Value V = Unknown();
  auto A = V.P.asAtom();
  if (!A || !S[*A].Varies)
    return V;
  if (IsMin)
    S.at(*A).Hi.insert(S.at(*A).Hi.end(), {{T.P, N}, {F.P, N}});
  if (IsMax)
    S.at(*A).Lo.insert(S.at(*A).Lo.end(), {{T.P, N}, {F.P, N}});
  // Either arm bounds, each under its own condition.
  auto Arm = [&](const Poly &P, bool Outcome) {
    ExtraBounds X;
    if (C.Means) {
      Touch Scratch;
      Scratch.Path = Outcome ? C.Means->WhenTrue : C.Means->WhenFalse;
      X = Scratch.bounds(S);
    }
    return std::make_pair(S.lower(P, &X), S.upper(P, &X));
  };
  auto [TLo, THi] = Arm(T.P, true);
  auto [FLo, FHi] = Arm(F.P, false);
  if (TLo && FLo && !IsMax)
    if (auto B = S.chooseInvariant(TLo->P, FLo->P, true))
      S.at(*A).Lo.push_back({B->P, N + B->N + TLo->N + FLo->N});
  if (THi && FHi && !IsMin)
    if (auto B = S.chooseInvariant(THi->P, FHi->P, false))
      S.at(*A).Hi.push_back({B->P, N + B->N + THi->N + FHi->N});
  return V;
}

Value Walk::evalCast(const Cast &C, const ExprRef &E) {
  const Type &From = C.Operand->Ty;
  if (!From.isIntegral())
    return giveUp(E, "CR1104", "'" + sourceText(E) + "' is not understood");
  Value V = eval(C.Operand);
  if (E->Ty.isBool()) {
    if (From.isBool() || V.Means)
      return V.Means ? truth(V.Means->WhenTrue, V.Means->WhenFalse, E) : V;
    std::vector<Bounded> Zero = {{V.P, V.N}, {-V.P, V.N}}, NotZero;
    if (!From.Signed)
      NotZero = {{V.P - one(), V.N}};
    return truth(std::move(NotZero), std::move(Zero), E);
  }
  return fit(V, E->Ty, E, &From);
}

} // namespace raise::analysis
