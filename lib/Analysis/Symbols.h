//===- Symbols.h - the atoms of index polynomials and their bounds -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every subscript of a loop becomes a polynomial over atoms: variables that the
// loop does not write, iterators, quotients and remainders (the digits of a
// mixed-radix decomposition), and unknowns. What an argument about atoms uses
// without proof is a Fact: a polynomial over values that are known before the
// loop, to be found non-negative by a test at run time.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_SYMBOLS_H
#define RAISE_LIB_ANALYSIS_SYMBOLS_H

#include "Poly.h"
#include "raise/IR/Context.h"
#include "llvm/ADT/DenseMap.h"

namespace raise::analysis {

/// Numbers of facts. A fact's number is greater than those of all facts that
/// must hold before it can be evaluated.
using Needs = std::set<unsigned>;
Needs operator+(Needs A, const Needs &B);

/// P >= 0, for a polynomial over guardable atoms.
struct Fact {
  Poly P;
  std::string Why;
};

/// A polynomial, right under some facts.
struct Bounded {
  Poly P;
  Needs N;
};

enum class Origin {
  Invariant, ///< one value during the whole loop
  Iterator,  ///< of the loop or of one inside it
  Quotient,
  Remainder,
  Unknown, ///< some integer, perhaps another one at each evaluation
};

struct Atom {
  Origin From = Origin::Unknown;
  std::string Name; ///< for people
  bool Varies = true;
  /// Its value as an i64 expression that can be evaluated before the loop, once
  /// the facts Pre hold; null if there is none (a load, a cursor).
  ExprRef Value;
  Needs Pre;
  unsigned Bits = 64;           ///< |value| < 2^Bits
  std::optional<int64_t> Least; ///< never below this
  /// The range of an invariant's type.
  std::optional<int64_t> TypeMin, TypeMax;
  std::vector<Bounded> Lo, Hi; ///< inclusive bounds; each alone is right
  int Node = -1;               ///< of quotients and remainders
  bool Derived = false; ///< an invariant computed from others, e.g. a minimum
  /// Why an unknown is one: a code and a text for the remark.
  std::string Code, Text;
};

/// E == M * Q + R and 0 <= R < M, under the facts N; Q and R are C's E / M and
/// E % M in any case.
struct DivNode {
  Poly E, M;
  AtomId Q, R;
  Needs N;
  std::optional<Needs> Positive; ///< what makes M positive
  bool Euclidean = false;        ///< false: N cannot be had; nothing is known
};

/// Bounds on atoms that hold at one access, from the conditions around it.
struct ExtraBounds {
  std::map<AtomId, std::vector<Bounded>> Lo, Hi;
};

class Symbols {
public:
  const Atom &operator[](AtomId A) const { return Atoms[A]; }
  Atom &at(AtomId A) { return Atoms[A]; }
  unsigned size() const { return Atoms.size(); }
  const DivNode &node(unsigned N) const { return Nodes[N]; }
  unsigned nodeCount() const { return Nodes.size(); }
  const Fact &fact(unsigned F) const { return Facts[F]; }

  AtomId variable(const VarRef &V);
  /// The least or the greatest of some values and 0.
  AtomId extremeVariable(const VarRef &V, bool Least);
  /// An invariant that cannot be tested before the loop, one for each
  /// structurally different expression.
  AtomId invariant(const ExprRef &E);
  AtomId iterator(std::string Name);
  AtomId unknown(std::string Name, std::string Code, std::string Text);

  bool varies(const Poly &P) const;
  /// Last: the atom made last among those that vary.
  bool varies(const Poly &P, AtomId &Last) const;
  bool guardable(const Poly &P) const;
  /// The node for E / M and E % M; simplifications are the caller's matter.
  unsigned divide(const Poly &E, const Poly &M);
  /// The lesser or the greater of two invariants: one of them if that is clear
  /// under N, else a new atom; needs both to be guardable.
  std::optional<Bounded> chooseInvariant(const Poly &A, const Poly &B,
                                         bool Least, const Needs &N = {});
  /// P with digits in place of what has them, where that is one to one.
  Poly expand(const Poly &P, Needs &N) const;
  /// The reverse: P with M * Q + R taken for E wherever it occurs.
  Poly fold(const Poly &P, Needs &N) const;

  /// A bound on P over all iterations, over invariants only.
  std::optional<Bounded> lower(const Poly &P, const ExtraBounds *X = nullptr) {
    return extreme(P, false, X);
  }
  std::optional<Bounded> upper(const Poly &P, const ExtraBounds *X = nullptr) {
    return extreme(P, true, X);
  }
  /// What must be tested so that P >= 0 in all iterations; nothing if that
  /// cannot be tested or is false.
  std::optional<Needs> require(const Poly &P, const std::string &Why,
                               const ExtraBounds *X = nullptr);
  /// Whether P >= 0 (P over invariants) follows from what is known and N.
  bool proves(const Poly &P, const Needs &N = {}) const {
    return provesWhere(P, N, {});
  }
  /// The same, where all of Where are at least 0 too.
  bool provesWhere(const Poly &P, const Needs &N,
                   llvm::ArrayRef<Poly> Where) const;
  /// Whether one of N clearly fails wherever the others hold: together they
  /// would never select the raised form.
  bool contradictory(const Needs &N) const;
  void addKnown(const Poly &P);
  /// P >= 0 wherever the loop is worth anything (it runs twice): a test that
  /// contradicts it would never select the raised form, so it is not made.
  void addSensible(const Poly &P);
  const std::vector<Poly> &known() const { return Known; }

  /// P as an i64 expression, with the facts that keep it from overflowing.
  struct Lowered {
    ExprRef E;
    Needs N;
  };
  std::optional<Lowered> lowerToExpr(const Poly &P);
  /// P >= 0 as a condition. Facts for its evaluation came with require().
  ExprRef lowerFact(const Poly &P) const;
  /// The guards for N, in an order in which each can be evaluated once those
  /// before it hold.
  std::vector<Guard> guards(const Needs &N) const;
  std::string toString(const Poly &P) const;
  /// Value of P with every atom set to a typical size.
  double typical(const Poly &P) const;
  /// Which sign of P is meant: that of `n - m` where a loop runs so often, and
  /// else that of its typical value.
  bool isMeantPositive(const Poly &P) const;

private:
  std::optional<Bounded> extreme(const Poly &P, bool Max, const ExtraBounds *X,
                                 unsigned Depth = 0);
  std::optional<std::pair<bool, Needs>> sign(const Poly &C);
  unsigned addFact(const Poly &P, const std::string &Why);
  std::optional<Needs> limits(const Poly &P, bool Comparison);
  unsigned bits(const Poly &P) const; ///< |P| < 2^bits, at most 62
  ExprRef termExpr(const Monomial &M, int64_t C) const;
  std::optional<int64_t>
  extremeByType(const Monomial &M, bool Greatest,
                const std::map<AtomId, int64_t> &Least) const;
  bool provesByType(const Poly &P,
                    const std::map<AtomId, int64_t> &Least) const;
  bool contradictsSense(const Poly &P) const;
  void learnLeast(const Poly &P, std::map<AtomId, int64_t> &Least) const;
  std::map<AtomId, int64_t> leastUnder(const Needs &N) const;
  AtomId addAtom(Atom A);

  std::vector<Atom> Atoms;
  std::vector<DivNode> Nodes;
  std::vector<Fact> Facts;
  std::vector<Poly> Known, Sensible;
  llvm::DenseMap<const Var *, AtomId> Variables;
  std::vector<std::pair<ExprRef, AtomId>> Invariants;
  std::map<std::pair<Poly, Poly>, unsigned> NodeOf;
  std::map<std::pair<std::pair<Poly, Poly>, bool>, AtomId> Choices;
};

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_SYMBOLS_H
