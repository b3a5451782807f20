//===- Symbols.cpp - atoms, digits and facts ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Symbols.h"
#include "raise/IR/Text.h"
#include "llvm/Support/MathExtras.h"

namespace raise::analysis {

Needs operator+(Needs A, const Needs &B) {
  A.insert(B.begin(), B.end());
  return A;
}

AtomId Symbols::addAtom(Atom A) {
  Atoms.push_back(std::move(A));
  return Atoms.size() - 1;
}

AtomId Symbols::variable(const VarRef &V) {
  auto It = Variables.find(V.get());
  if (It != Variables.end())
    return It->second;
  Atom A;
  A.From = Origin::Invariant;
  A.Name = V->Name;
  A.Varies = false;
  bool Signed = V->Ty.isInt() && V->Ty.Signed;
  A.Bits = V->Ty.isBool() ? 1 : Signed ? V->Ty.Bits - 1 : V->Ty.Bits;
  if (A.Bits < 63) {
    A.TypeMax = (int64_t(1) << A.Bits) - 1;
    A.TypeMin = Signed ? -*A.TypeMax - 1 : 0;
  }
  if (V->Most) {
    A.TypeMin = 0;
    A.TypeMax = V->Most;
    A.Bits = llvm::Log2_64(*V->Most) + 1;
  }
  // A cursor is a pointer in the source: as a number it has no spelling there.
  if (V->Kind != VarKind::Cursor)
    A.Value = build::cast(build::var(V), Type::getI64());
  if (V->Kind == VarKind::Launch)
    A.Least = 1;
  else if (!Signed)
    A.Least = 0;
  AtomId Id = addAtom(std::move(A));
  Variables[V.get()] = Id;
  return Id;
}

AtomId Symbols::extremeVariable(const VarRef &V, bool Least) {
  AtomId Id = variable(V);
  if (Least)
    Atoms[Id].TypeMax = 0;
  else
    Atoms[Id].Least = Atoms[Id].TypeMin = 0;
  return Id;
}

AtomId Symbols::invariant(const ExprRef &E) {
  for (auto &[Known, Id] : Invariants)
    if (structurallyEqual(*Known, *E))
      return Id;
  Atom A;
  A.From = Origin::Invariant;
  A.Name = sourceText(E);
  A.Varies = false;
  if (E->Ty.isBool() || !E->Ty.Signed)
    A.Least = 0;
  AtomId Id = addAtom(std::move(A));
  Invariants.push_back({E, Id});
  return Id;
}

AtomId Symbols::iterator(std::string Name) {
  Atom A;
  A.From = Origin::Iterator;
  A.Name = std::move(Name);
  return addAtom(std::move(A));
}

AtomId Symbols::unknown(std::string Name, std::string Code, std::string Text) {
  Atom A;
  A.Name = std::move(Name);
  A.Code = std::move(Code);
  A.Text = std::move(Text);
  return addAtom(std::move(A));
}

bool Symbols::varies(const Poly &P) const {
  for (AtomId A : P.atoms())
    if (Atoms[A].Varies)
      return true;
  return false;
}

bool Symbols::guardable(const Poly &P) const {
  for (AtomId A : P.atoms())
    if (Atoms[A].Varies || !Atoms[A].Value)
      return false;
  return P.valid();
}

unsigned Symbols::divide(const Poly &E, const Poly &M) {
  auto It = NodeOf.find({E, M});
  if (It != NodeOf.end())
    return It->second;
  unsigned Id = Nodes.size();
  NodeOf[{E, M}] = Id;
  Nodes.push_back({E, M, 0, 0, {}, std::nullopt, false});

  std::string Text = toString(E) + " / " + toString(M);
  auto Positive = require(M - Poly::constant(1), "the divisor is positive");
  auto NonNegative = require(E, "what is split into digits is not negative");

  Nodes[Id].Positive = Positive;

  Atom Q, R;
  Q.From = Origin::Quotient;
  R.From = Origin::Remainder;
  Q.Name = "(" + Text + ")";
  R.Name = "(" + toString(E) + " % " + toString(M) + ")";
  Q.Node = R.Node = Id;
  Q.Derived = R.Derived = true;
  Q.Varies = R.Varies = varies(E) || varies(M);
  if (Positive) {
    // Division truncates, so it is monotone in E for a positive divisor even
    // where E is negative.
    auto Bound = [&](bool Max) -> std::optional<Bounded> {
      if (varies(M))
        return std::nullopt;
      auto B = Max ? upper(E) : lower(E);
      if (!B)
        return std::nullopt;
      if (auto Whole = B->P.divideExactly(M))
        return Bounded{*Whole, B->N + *Positive};
      // (M*k - 1) / M == k - 1 where k > 0; where k <= 0 the quotient of the
      // truncating division can only be greater, but then no E is in range.
      if (Max)
        if (auto K = (B->P + Poly::constant(1)).divideExactly(M))
          if (NonNegative)
            return Bounded{*K - Poly::constant(1),
                           B->N + *Positive + *NonNegative};
      if (B->P.isConstant() && M.isConstant())
        return Bounded{Poly::constant(B->P.constantTerm() / M.constantTerm()),
                       B->N};
      auto Inner =
          varies(E) ? std::optional<unsigned>(divide(B->P, M)) : std::nullopt;
      if (!Inner)
        return std::nullopt;
      return Bounded{Poly::atom(Nodes[*Inner].Q), B->N + *Positive};
    };
    Nodes[Id].Euclidean = bool(NonNegative);
    if (Q.Varies) {
      if (NonNegative) {
        Q.Lo.push_back({Poly(), *Positive + *NonNegative});
        R.Lo.push_back({Poly(), *Positive + *NonNegative});
        Nodes[Id].N = *Positive + *NonNegative;
      } else {
        if (auto B = Bound(false))
          Q.Lo.push_back(*B);
        R.Lo.push_back({Poly::constant(1) - M, *Positive});
      }
      if (auto B = Bound(true))
        Q.Hi.push_back(*B);
      R.Hi.push_back({M - Poly::constant(1), *Positive});
    } else {
      if (NonNegative)
        Nodes[Id].N = *Positive + *NonNegative;
      auto EE = lowerToExpr(E), EM = lowerToExpr(M);
      if (EE && EM) {
        Q.Value = build::div(EE->E, EM->E);
        R.Value = build::rem(EE->E, EM->E);
        Q.Pre = R.Pre = EE->N + EM->N + *Positive;
        Q.Bits = R.Bits = bits(E);
      }
      if (proves(E) && proves(M - Poly::constant(1)))
        Q.Least = R.Least = 0;
      // M is positive wherever these are evaluated.
      if (auto Of = E.asAtom(); Of && Atoms[*Of].TypeMax) {
        int64_t Divisor = M.isConstant() ? M.constantTerm() : 1;
        R.TypeMax = std::max<int64_t>(*Atoms[*Of].TypeMax, 0);
        R.TypeMin = std::min<int64_t>(*Atoms[*Of].TypeMin, 0);
        Q.TypeMax = *R.TypeMax / Divisor;
        Q.TypeMin = *R.TypeMin / Divisor;
        if (M.isConstant()) {
          R.TypeMax = std::min(*R.TypeMax, Divisor - 1);
          R.TypeMin = std::max(*R.TypeMin, 1 - Divisor);
        }
      }
    }
  }
  AtomId QId = addAtom(std::move(Q));
  AtomId RId = addAtom(std::move(R));
  Nodes[Id].Q = QId;
  Nodes[Id].R = RId;
  return Id;
}

std::optional<Bounded> Symbols::chooseInvariant(const Poly &A, const Poly &B,
                                                bool Least, const Needs &N) {
  if (proves(A - B, N))
    return Bounded{Least ? B : A, N};
  if (proves(B - A, N))
    return Bounded{Least ? A : B, N};
  if (!guardable(A) || !guardable(B))
    return std::nullopt;
  auto Key = std::make_pair(std::make_pair(A, B), Least);
  auto It = Choices.find(Key);
  if (It != Choices.end())
    return Bounded{Poly::atom(It->second), Atoms[It->second].Pre};
  auto EA = lowerToExpr(A), EB = lowerToExpr(B);
  if (!EA || !EB)
    return std::nullopt;
  Atom R;
  R.From = Origin::Invariant;
  R.Name = std::string(Least ? "min" : "max") + "(" + toString(A) + ", " +
           toString(B) + ")";
  R.Varies = false;
  R.Bits = std::max(bits(A), bits(B));
  R.Pre = EA->N + EB->N;
  R.Derived = true;
  ExprRef AFirst = build::lt(EA->E, EB->E);
  R.Value = Least ? build::select(AFirst, EA->E, EB->E)
                  : build::select(AFirst, EB->E, EA->E);
  AtomId Id = addAtom(std::move(R));
  Choices[Key] = Id;
  return Bounded{Poly::atom(Id), Atoms[Id].Pre};
}

Poly Symbols::expand(const Poly &P, Needs &N) const {
  Poly R = P;
  for (const DivNode &D : Nodes) {
    if (!D.Euclidean || varies(D.M))
      continue;
    for (AtomId A : D.E.atoms()) {
      auto Split = D.E.splitLinear(A);
      if (!Atoms[A].Varies || !R.mentions(A) || !Split ||
          Split->first != Poly::constant(1) || varies(Split->second))
        continue;
      R = R.substitute(A,
                       D.M * Poly::atom(D.Q) + Poly::atom(D.R) - Split->second);
      N = N + D.N;
      break;
    }
  }
  return R;
}

Poly Symbols::fold(const Poly &P, Needs &N) const {
  Poly R = P;
  // Digits come after what they are digits of.
  for (auto It = Nodes.rbegin(); It != Nodes.rend(); ++It) {
    const DivNode &D = *It;
    if (!D.Euclidean || !R.mentions(D.Q) || !R.mentions(D.R))
      continue;
    auto Low = R.splitLinear(D.R);
    if (!Low)
      continue;
    Poly Whole = Low->first * (D.M * Poly::atom(D.Q) + Poly::atom(D.R));
    Poly Rest = R - Whole;
    if (!Rest.valid() || Rest.mentions(D.Q) || Rest.mentions(D.R))
      continue;
    R = Rest + Low->first * D.E;
    N = N + D.N;
  }
  return R;
}

unsigned Symbols::addFact(const Poly &P, const std::string &Why) {
  for (unsigned I = 0; I < Facts.size(); ++I)
    if (Facts[I].P == P)
      return I;
  Facts.push_back({P, Why});
  return Facts.size() - 1;
}

std::string Symbols::toString(const Poly &P) const {
  std::string S;
  // Products before constants, as people write sums.
  for (int Constants = 0; Constants < 2; ++Constants)
    for (auto &[M, C] : P.terms()) {
      if (M.empty() != bool(Constants))
        continue;
      int64_t Magnitude = C < 0 ? -C : C;
      S += S.empty() ? (C < 0 ? "-" : "") : (C < 0 ? " - " : " + ");
      if (Magnitude != 1 || M.empty())
        S += std::to_string(Magnitude) + (M.empty() ? "" : "*");
      for (size_t I = 0; I < M.size(); ++I)
        S += (I ? "*" : "") + Atoms[M[I]].Name;
    }
  if (S.empty())
    return "0";
  return P.terms().size() > 1 ? "(" + S + ")" : S;
}

} // namespace raise::analysis
