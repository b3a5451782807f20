//===- Conflicts.h - do two accesses meet in different iterations? -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_CONFLICTS_H
#define RAISE_LIB_ANALYSIS_CONFLICTS_H

#include "IslProblem.h"
#include "Walk.h"

namespace raise::analysis {

/// One equation of A's index at iteration i with B's at iteration i'.
struct Dimension {
  Poly A, B;
};

/// An index equation split into dimensions, equivalent to it under N. The
/// method is that of parametric delinearisation (Grosser, Ramanujam, Pouchet,
/// Sadayappan, Pop, ICS 2015): strides that divide one another are radices, and
/// a sum of digits in range is zero only if each digit is.
struct Splitting {
  std::vector<Dimension> Dimensions; ///< innermost first
  std::vector<Poly> Strides;         ///< of the dimensions
  Needs N;
};

/// How strides are told apart.
enum class SplitMode {
  Whole,      ///< one dimension; only if all coefficients are numbers
  Parameters, ///< by the parameters in the coefficients
  Full,       ///< by numbers too
  Mirrored,   ///< by the parameters; what does not vary goes innermost
};
std::optional<Splitting> split(Symbols &S, const Poly &A, const Poly &B,
                               const ExtraBounds &XA, const ExtraBounds &XB,
                               SplitMode Mode);

/// The same for indices by declared dimension, each of which is split alone.
std::optional<Splitting> splitEach(Symbols &S, const std::vector<Poly> &A,
                                   const std::vector<Poly> &B,
                                   const ExtraBounds &XA, const ExtraBounds &XB,
                                   SplitMode Mode);

struct Meeting {
  enum class Verdict {
    Never,  ///< in different iterations, under N
    Proved, ///< some two iterations do
    Unknown,
    Budget,
  };
  Verdict V = Verdict::Unknown;
  Needs N;
  /// For Proved: B's iteration minus A's, if it is always the same.
  std::optional<int64_t> Distance;
  bool AFirst = true, BFirst = true; ///< in which order it may happen
  /// For Proved, by findAvoiding: of each entry, any one that is at least zero
  /// excludes what it stands for; all entries together, that they meet. Over
  /// what the loop does not change.
  std::vector<std::vector<Poly>> Avoiding;
};

/// Which pairs of iterations are asked about.
enum class When {
  Different, ///< any two that differ
  Before,    ///< A's comes earlier than B's
  Same,      ///< one iteration
  After,     ///< A's comes later
};

class ConflictTest {
public:
  ConflictTest(Symbols &S, const Walk &W, const For &Loop, IslBudget &Budget)
      : S(S), W(W), Loop(Loop), Budget(Budget) {}
  /// Whether A in one iteration and B in another touch one element; both access
  /// the same buffer. Proved is answered for When::Different only.
  Meeting test(const Touch &A, const Touch &B, When Pairs = When::Different);
  /// The iterations are numbered by the loop's variable, and it falls.
  bool countsDown() const;

  /// Of the loop and the one that is its body, which count by one, upwards (1)
  /// or downwards (-1).
  struct Diagonals {
    int64_t Skew, Outer, Inner;
  };
  /// Set: Before and After ask only about pairs of points of which the later
  /// one, numbered Skew*i + j by the iterations of both loops, does not have
  /// the greater number.
  std::optional<Diagonals> Fronts;
  /// Set: a meeting that is proved comes with what would exclude it.
  bool FindsAvoiding = false;

private:
  using Key = std::pair<Monomial, int>;
  /// A difference of one digit, in one direction.
  struct Branch {
    std::vector<std::pair<AtomId, bool>> Signs; ///< atom, and whether a < a'
    Needs N;
    std::optional<AtomId> Quotient; ///< if it ends with one
  };
  struct System {
    std::vector<Linear> Constraints;
    std::map<Key, unsigned> Variables;
    std::set<AtomId> Atoms;
    bool Exact = true;
    bool ParametersInEquations = false;
  };
  Meeting attempt(const Touch &A, const Touch &B, const std::vector<Poly> &PA,
                  const std::vector<Poly> &PB, SplitMode Mode, Needs N,
                  bool Generous, When Pairs);
  unsigned variable(System &Sys, const Monomial &M, int Instance);
  Linear linear(System &Sys, const Poly &P, int Instance);
  void addAtLeastZero(System &Sys, const Poly &P, int Instance);
  void addInstance(System &Sys, const Touch &T, const std::vector<Poly> &Roots,
                   int Instance, Needs &N, bool Generous);
  void addInvariantDigits(System &Sys, Needs &N, bool Generous);
  std::vector<Branch> branches(AtomId A, const std::set<AtomId> &Mentioned);
  void addFronts(System &Sys, const Touch &A, const Touch &B, When Pairs);
  IslBudget::Answer decide(System Sys, const Branch &B);
  void measure(const System &Sys, Meeting &M);
  void findAvoiding(const System &Sys, Meeting &M);

  Symbols &S;
  const Walk &W;
  const For &Loop;
  IslBudget &Budget;
};

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_CONFLICTS_H
