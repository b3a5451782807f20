//===- Conflicts.cpp - do two accesses meet in different iterations? ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The question becomes systems of linear constraints over two copies of what
// varies (instance 0 for A, 1 for B) and over the invariant monomials, each of
// which counts as one variable. That forgets how monomials are related, which
// only enlarges the sets, so "empty" stays right.
//
// Iterations differ if and only if some digit of theirs differs. One system is
// asked for each digit and direction.
//
//===----------------------------------------------------------------------===//

#include "Conflicts.h"
#include <algorithm>

namespace raise::analysis {

static bool within(const Needs &A, const Needs &B) {
  return std::includes(B.begin(), B.end(), A.begin(), A.end());
}

unsigned ConflictTest::variable(System &Sys, const Monomial &M, int Instance) {
  bool Varies = S.varies(Poly::term(M, 1));
  if (Varies)
    Sys.Atoms.insert(M.begin(), M.end());
  // As variables, products and derived values are freer than they are.
  if (M.size() > 1)
    Sys.Exact = false;
  for (AtomId A : M)
    if (!Varies && S[A].Derived)
      Sys.Exact = false;
  return Sys.Variables
      .emplace(Key(M, Varies ? Instance : -1), Sys.Variables.size())
      .first->second;
}

Linear ConflictTest::linear(System &Sys, const Poly &P, int Instance) {
  Linear L;
  for (auto &[M, C] : P.terms()) {
    if (M.empty())
      L.Constant = C;
    else
      L.Coefficients[variable(Sys, M, Instance)] += C;
  }
  return L;
}

void ConflictTest::addAtLeastZero(System &Sys, const Poly &P, int Instance) {
  if (P.valid())
    Sys.Constraints.push_back(linear(Sys, P, Instance));
}

/// All that is known of one iteration's values: bounds of the atoms that the
/// roots mention, directly or not, relations of digits, and the access's path.
void ConflictTest::addInstance(System &Sys, const Touch &T,
                               const std::vector<Poly> &Roots, int Instance,
                               Needs &N, bool Generous) {
  std::set<AtomId> Seen, Todo;
  auto Visit = [&](const Poly &P) {
    for (AtomId A : P.atoms())
      if (S[A].Varies && !Seen.count(A))
        Todo.insert(A);
  };
  auto May = [&](const Needs &Uses) {
    if (Generous)
      N = N + Uses;
    bool Ok = within(Uses, N);
    Sys.Exact &= Ok;
    return Ok;
  };
  for (const Poly &P : Roots)
    Visit(P);
  // An access inside loops needs a point of theirs, whatever it mentions.
  for (AtomId I : T.Iterators)
    Visit(Poly::atom(I));
  for (const Bounded &B : T.Path)
    if (May(B.N)) {
      addAtLeastZero(Sys, B.P, Instance);
      Visit(B.P);
    }
  while (!Todo.empty()) {
    AtomId A = *Todo.begin();
    Todo.erase(Todo.begin());
    Seen.insert(A);
    const Atom &X = S[A];
    Poly P = Poly::atom(A);
    // A bound through a derived value says less than the exact relation that
    // it came from.
    bool Related = X.Node >= 0 && S.node(X.Node).Euclidean &&
                   S.node(X.Node).M.isConstant();
    Related |= W.Constraints.count(A) != 0;
    auto Redundant = [&](const Poly &Bound) {
      bool Derived = false;
      for (AtomId Y : Bound.atoms())
        Derived |= S[Y].Derived && !S[Y].Varies;
      return Related && Derived;
    };
    for (const Bounded &B : X.Lo)
      if (!Redundant(B.P) && May(B.N)) {
        addAtLeastZero(Sys, P - B.P, Instance);
        Visit(B.P);
      }
    for (const Bounded &B : X.Hi)
      if (!Redundant(B.P) && May(B.N)) {
        addAtLeastZero(Sys, B.P - P, Instance);
        Visit(B.P);
      }
    if (X.From == Origin::Unknown)
      Sys.Exact = false;
    if (X.Node >= 0) {
      const DivNode &D = S.node(X.Node);
      if (D.Euclidean && May(D.N)) {
        Linear L = linear(Sys, D.E - D.M * Poly::atom(D.Q) - Poly::atom(D.R),
                          Instance);
        L.Equality = true;
        Sys.Constraints.push_back(L);
        Visit(D.E);
        Visit(Poly::atom(D.Q) + Poly::atom(D.R));
      } else
        Sys.Exact = false;
    }
    auto [First, Last] = W.Constraints.equal_range(A);
    for (auto It = First; It != Last; ++It)
      if (May(It->second.N)) {
        addAtLeastZero(Sys, It->second.P, Instance);
        Visit(It->second.P);
      }
  }
}

/// What is known of quotients and remainders of invariants that the system
/// mentions: of `w / 2` more than that it is some number.
void ConflictTest::addInvariantDigits(System &Sys, Needs &N, bool Generous) {
  for (unsigned I = 0; I < S.nodeCount(); ++I) {
    const DivNode &D = S.node(I);
    const bool Named = Sys.Variables.count(Key({D.Q}, -1)) ||
                       Sys.Variables.count(Key({D.R}, -1));
    if (!Named || !D.Euclidean || !D.M.isConstant() || S.varies(D.E) ||
        !(Generous || within(D.N, N)))
      continue;
    N = N + D.N;
    const Poly R = Poly::atom(D.R);
    Linear L = linear(Sys, D.E - D.M * Poly::atom(D.Q) - R, 0);
    L.Equality = true;
    Sys.Constraints.push_back(L);
    addAtLeastZero(Sys, R, 0);
    addAtLeastZero(Sys, D.M - Poly::constant(1) - R, 0);
  }
}

/// The ways in which A may differ between two iterations. A's own sign takes
/// part only where an equation or a condition mentions A.
std::vector<ConflictTest::Branch>
ConflictTest::branches(AtomId A, const std::set<AtomId> &Mentioned) {
  std::vector<Branch> R{{}};
  bool Leaf = true;
  for (unsigned I = 0; I < S.nodeCount(); ++I) {
    const DivNode &D = S.node(I);
    auto Split = D.E.splitLinear(A);
    if (!D.Euclidean || !Split || !Split->first.isConstant() ||
        Split->first.isZero() || S.varies(Split->second))
      continue;
    Leaf = false;
    std::vector<Branch> Next;
    for (AtomId Digit : {D.Q, D.R})
      for (const Branch &Sub : branches(Digit, Mentioned))
        for (const Branch &Old : R) {
          Branch B = Old;
          B.Signs.insert(B.Signs.end(), Sub.Signs.begin(), Sub.Signs.end());
          B.N = B.N + Sub.N + D.N;
          if (Sub.Quotient)
            B.Quotient = Sub.Quotient;
          Next.push_back(std::move(B));
        }
    if (Next.size() <= 256)
      R = std::move(Next);
  }
  if (Leaf || Mentioned.count(A)) {
    std::vector<Branch> Signed;
    for (const Branch &B : R)
      for (bool Less : {true, false}) {
        Signed.push_back(B);
        Signed.back().Signs.push_back({A, Less});
      }
    R = std::move(Signed);
  }
  if (Leaf && S[A].From == Origin::Quotient)
    for (Branch &B : R)
      B.Quotient = A;
  return R;
}

/// Adds that the later point's front is not the later one.
void ConflictTest::addFronts(System &Sys, const Touch &A, const Touch &B,
                             When Pairs) {
  const int64_t Later = Pairs == When::Before ? 1 : -1;
  Linear L;
  const auto Add = [&](AtomId First, AtomId Second, int64_t By) {
    L.Coefficients[variable(Sys, {Second}, 1)] -= By * Later;
    L.Coefficients[variable(Sys, {First}, 0)] += By * Later;
  };
  Add(W.Root.A, W.Root.A, Fronts->Skew * Fronts->Outer);
  Add(A.Iterators[1], B.Iterators[1], Fronts->Inner);
  Sys.Constraints.push_back(L);
}

IslBudget::Answer ConflictTest::decide(System Sys, const Branch &B) {
  for (auto [A, Less] : B.Signs) {
    Linear L;
    unsigned X = variable(Sys, {A}, 0), Y = variable(Sys, {A}, 1);
    L.Coefficients[X] = Less ? -1 : 1;
    L.Coefficients[Y] = Less ? 1 : -1;
    L.Constant = -1;
    Sys.Constraints.push_back(L);
  }
  return Budget.isEmpty(Sys.Variables.size(), Sys.Constraints);
}

void ConflictTest::measure(const System &Sys, Meeting &M) {
  System Copy = Sys;
  unsigned X = variable(Copy, {W.Root.A}, 0), Y = variable(Copy, {W.Root.A}, 1);
  auto Differ = [&](int64_t From, bool Above) {
    Linear L; // Above: y - x >= From; else y - x <= From
    L.Coefficients[X] = Above ? -1 : 1;
    L.Coefficients[Y] = Above ? 1 : -1;
    L.Constant = Above ? -From : From;
    return L;
  };
  auto Feasible = [&](const Linear &L) {
    auto C = Copy.Constraints;
    C.push_back(L);
    return Budget.isEmpty(Copy.Variables.size(), C) != IslBudget::Answer::Empty;
  };
  M.AFirst = Feasible(Differ(1, true));
  M.BFirst = Feasible(Differ(-1, false));
  if (M.AFirst == M.BFirst)
    return;
  auto C = Copy.Constraints;
  C.push_back(M.AFirst ? Differ(1, true) : Differ(-1, false));
  auto Point = Budget.sample(Copy.Variables.size(), C);
  if (Point.empty())
    return;
  int64_t D = Point[Y] - Point[X];
  bool Other = M.AFirst
                   ? Feasible(Differ(D + 1, true)) ||
                         (D > 1 &&
                          [&] {
                            auto E = C;
                            E.push_back(Differ(D - 1, false));
                            return Budget.isEmpty(Copy.Variables.size(), E) !=
                                   IslBudget::Answer::Empty;
                          }())
                   : Feasible(Differ(D - 1, false)) || (D < -1 && [&] {
                       auto E = C;
                       E.push_back(Differ(D + 1, true));
                       return Budget.isEmpty(Copy.Variables.size(), E) !=
                              IslBudget::Answer::Empty;
                     }());
  if (!Other)
    M.Distance = D;
}

/// What the invariants have to be for two iterations to meet, in each of the
/// two orders, and so what they must not be.
void ConflictTest::findAvoiding(const System &Sys, Meeting &M) {
  for (bool Less : {true, false}) {
    System Way = Sys;
    Linear L;
    L.Coefficients[variable(Way, {W.Root.A}, 0)] = Less ? -1 : 1;
    L.Coefficients[variable(Way, {W.Root.A}, 1)] = Less ? 1 : -1;
    L.Constant = -1;
    Way.Constraints.push_back(L);
    const auto Count = unsigned(Way.Variables.size());
    if (Budget.isEmpty(Count, Way.Constraints) == IslBudget::Answer::Empty)
      continue;
    std::map<unsigned, Monomial> Named;
    std::set<unsigned> Kept;
    for (const auto &[K, V] : Way.Variables)
      if (K.second < 0) {
        Kept.insert(V);
        Named[V] = K.first;
      }
    std::vector<Poly> Any;
    for (const Linear &C : Budget.project(Count, Way.Constraints, Kept)) {
      if (C.Equality)
        continue;
      Poly P = Poly::constant(-1 - C.Constant);
      for (const auto &[V, K] : C.Coefficients)
        P = P - Poly::term(Named[V], K);
      Any.push_back(P);
    }
    M.Avoiding.push_back(std::move(Any));
  }
}

Meeting ConflictTest::attempt(const Touch &A, const Touch &B,
                              const std::vector<Poly> &PA,
                              const std::vector<Poly> &PB, SplitMode Mode,
                              Needs N, bool Generous, When Pairs) {
  Meeting M;
  ExtraBounds XA = A.bounds(S), XB = B.bounds(S);
  auto Dims = splitEach(S, PA, PB, XA, XB, Mode);
  if (!Dims)
    return M;
  N = N + Dims->N;
  Poly Root = Poly::atom(W.Root.A);

  std::set<AtomId> ZeroQuotients;
  for (unsigned Round = 0; Round < 2; ++Round) {
    System Sys;
    std::vector<Poly> RootsA{Root}, RootsB{Root};
    for (const Dimension &D : Dims->Dimensions) {
      RootsA.push_back(D.A);
      RootsB.push_back(D.B);
      Linear L = linear(Sys, D.A, 0), R = linear(Sys, D.B, 1);
      for (auto &[V, C] : R.Coefficients)
        if ((L.Coefficients[V] -= C) == 0)
          L.Coefficients.erase(V);
      L.Constant -= R.Constant;
      L.Equality = true;
      for (auto &[K, V] : Sys.Variables)
        Sys.ParametersInEquations |= K.second < 0 && L.Coefficients.count(V);
      Sys.Constraints.push_back(L);
    }
    addInstance(Sys, A, RootsA, 0, N, Generous);
    addInstance(Sys, B, RootsB, 1, N, Generous);
    addInvariantDigits(Sys, N, Generous);
    for (const Poly &K : S.known())
      addAtLeastZero(Sys, K, 0);
    for (unsigned F : N)
      addAtLeastZero(Sys, S.fact(F).P, 0);
    for (AtomId Q : ZeroQuotients)
      for (int I : {0, 1}) {
        Linear L = linear(Sys, Poly::atom(Q), I);
        L.Equality = true;
        Sys.Constraints.push_back(L);
      }

    if (Pairs == When::Same) {
      Linear L = linear(Sys, Root, 0);
      L.Coefficients[variable(Sys, {W.Root.A}, 1)] -= 1;
      L.Equality = true;
      Sys.Constraints.push_back(L);
      auto Answer = decide(Sys, {});
      if (Answer == IslBudget::Answer::Empty)
        M.V = Meeting::Verdict::Never;
      else if (Answer == IslBudget::Answer::Unknown)
        M.V = Meeting::Verdict::Budget;
      M.N = N;
      return M;
    }
    Branch Up{{{W.Root.A, true}}, {}, {}}, Down{{{W.Root.A, false}}, {}, {}};
    // One direction: the other counts as empty, and each branch goes that way.
    bool OnlyUp = Pairs == (countsDown() ? When::After : When::Before);
    bool OnlyDown = Pairs == (countsDown() ? When::Before : When::After);
    if (OnlyUp || OnlyDown) {
      Linear L;
      L.Coefficients[variable(Sys, {W.Root.A}, 0)] = OnlyUp ? -1 : 1;
      L.Coefficients[variable(Sys, {W.Root.A}, 1)] = OnlyUp ? 1 : -1;
      L.Constant = -1;
      Sys.Constraints.push_back(L);
      if (Fronts && A.Iterators.size() > 1 && B.Iterators.size() > 1)
        addFronts(Sys, A, B, Pairs);
    }
    auto First = decide(Sys, Up), Second = decide(Sys, Down);
    if (First == IslBudget::Answer::Unknown ||
        Second == IslBudget::Answer::Unknown) {
      M.V = Meeting::Verdict::Budget;
      return M;
    }
    if (First == IslBudget::Answer::Empty &&
        Second == IslBudget::Answer::Empty) {
      M.V = Meeting::Verdict::Never;
      M.N = N;
      return M;
    }
    // With what would exclude it, it may hang on parameters, in memory that no
    // launch reaches from outside.
    const bool MayHang =
        FindsAvoiding && A.At.Buf->Kind == BufferKind::Local && Sys.Exact;
    if (Pairs == When::Different && Sys.Exact &&
        (!Sys.ParametersInEquations || MayHang) && A.Exact && B.Exact) {
      M.V = Meeting::Verdict::Proved;
      measure(Sys, M);
      if (FindsAvoiding)
        findAvoiding(Sys, M);
      return M;
    }
    bool AllEmpty = true;
    std::set<AtomId> Open, Mentioned;
    for (const auto *Roots : {&RootsA, &RootsB})
      for (size_t I = 1; I < Roots->size(); ++I)
        for (AtomId X : (*Roots)[I].atoms())
          Mentioned.insert(X);
    for (const Touch *T : {&A, &B})
      for (const Bounded &P : T->Path)
        for (AtomId X : P.P.atoms())
          Mentioned.insert(X);
    for (const Branch &Br : branches(W.Root.A, Mentioned)) {
      auto Answer = decide(Sys, Br);
      if (Answer == IslBudget::Answer::Unknown) {
        M.V = Meeting::Verdict::Budget;
        return M;
      }
      N = N + Br.N;
      if (Answer == IslBudget::Answer::Empty)
        continue;
      AllEmpty = false;
      if (!Br.Quotient) {
        Open.clear();
        break;
      }
      Open.insert(*Br.Quotient);
    }
    if (AllEmpty) {
      M.V = Meeting::Verdict::Never;
      M.N = N;
      return M;
    }
    if (Open.empty() || Round > 0)
      break;
    // The top digit of a chain (b = rest % batch) repeats unless the count is
    // the product of the radices: that becomes a fact. Only for a rest that is
    // itself a quotient: nobody writes i % n for an i that is below n.
    for (AtomId Q : Open) {
      const DivNode &D = S.node(S[Q].Node);
      auto E = D.E.asAtom();
      if (!E || S[*E].From != Origin::Quotient)
        return M;
      auto Small = S.require(D.M - Poly::constant(1) - D.E,
                             "the indices cover each digit's range once");
      if (!Small)
        return M;
      N = N + *Small + D.N;
      ZeroQuotients.insert(Q);
    }
  }
  return M;
}

/// Whether two paths of members may name one byte.
static bool fieldsOverlap(const std::string &A, const std::string &B) {
  auto Contains = [](const std::string &Outer, const std::string &Inner) {
    return Outer.empty() || Outer == Inner ||
           (Inner.size() > Outer.size() &&
            Inner.compare(0, Outer.size(), Outer) == 0 &&
            Inner[Outer.size()] == '.');
  };
  return Contains(A, B) || Contains(B, A);
}

bool ConflictTest::countsDown() const {
  const auto *Step = llvm::dyn_cast<IntConst>(Loop.Step.get());
  return W.Root.V.P == Poly::atom(W.Root.A) &&
         (Loop.Cond == BinaryOp::GT || Loop.Cond == BinaryOp::GE ||
          (Step && Step->Value < 0));
}

Meeting ConflictTest::test(const Touch &A, const Touch &B, When Pairs) {
  Meeting Best;
  Best.V = Meeting::Verdict::Never;
  if (!fieldsOverlap(A.At.Field, B.At.Field) || excludeEachOther(A, B))
    return Best;
  Best.V = Meeting::Verdict::Unknown;
  Needs Base = A.N + B.N + W.Root.V.N;
  Needs Digits;
  bool ByDimension = !A.Dims.empty() && A.Dims.size() == B.Dims.size();
  const std::vector<Poly> PA = ByDimension ? A.Dims : std::vector<Poly>{A.P},
                          PB = ByDimension ? B.Dims : std::vector<Poly>{B.P};
  std::vector<Poly> EA, EB;
  for (const Poly &P : PA)
    EA.push_back(S.expand(P, Digits));
  for (const Poly &P : PB)
    EB.push_back(S.expand(P, Digits));
  bool Expands = EA != PA || EB != PB;
  for (bool Generous : {false, true})
    for (bool Expanded : {false, true}) {
      if (Expanded && !Expands)
        continue;
      for (SplitMode Mode : {SplitMode::Whole, SplitMode::Parameters,
                             SplitMode::Full, SplitMode::Mirrored}) {
        Meeting M = attempt(A, B, Expanded ? EA : PA, Expanded ? EB : PB, Mode,
                            Expanded ? Base + Digits : Base, Generous, Pairs);
        if (M.V == Meeting::Verdict::Never && S.contradictory(M.N))
          continue;
        if (M.V != Meeting::Verdict::Unknown)
          return M;
      }
    }
  return Best;
}

} // namespace raise::analysis
