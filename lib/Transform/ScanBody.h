//===- ScanBody.h - the running sums of a loop ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_SCANBODY_H
#define RAISE_LIB_TRANSFORM_SCANBODY_H

#include "Subscripts.h"
#include "raise/IR/Function.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace raise {

/// `S Op= Value` as the statement At of a body.
struct Scan {
  VarRef S;
  std::string Name; ///< of what is summed, for names
  size_t At;
  Combiner Op; ///< Add, Sub or Mul
  ExprRef Value;
  size_t Links; ///< operations that each of the source's iterations waits for
};

/// That of Add, Sub or Mul.
BinaryOp operatorOf(Combiner Op);

/// The body of a loop in its order, with its scans found.
class ScanBody {
public:
  ScanBody(const Iterator &It, const StmtRef &Body, const Region &R)
      : It(It), Body(Body), R(R) {}
  /// Whether that is what it is: List computes the same, but for the order in
  /// which is added.
  bool find();
  /// Whether strips of what was found compute the same, and pay.
  bool takesStrips();
  /// Whether an iteration of the source waits for several operations of the one
  /// before.
  bool waitsLong() const {
    return llvm::any_of(Scans, [](const Scan &S) { return S.Links > 1; });
  }

  std::vector<StmtRef> Before; ///< what the loop begins with: a_last = a[lo-1]
  std::vector<StmtRef> List;   ///< each scan in a scalar
  std::vector<Scan> Scans;
  std::vector<StmtRef> Lets; ///< of List, for what is summed
  /// What is summed takes vectors itself: it is stored before it is summed.
  bool ByTerms = false;
  bool IsFree = true; ///< two points' statements have nothing to do with each
                      ///< other, but for the sums

  const Scan *scanAt(size_t I) const {
    const auto S =
        llvm::find_if(Scans, [&](const Scan &S) { return S.At == I; });
    return S == Scans.end() ? nullptr : &*S;
  }
  /// Whether a strip's terms are computed behind this statement of all its
  /// points: it stores what is summed, and uses no sum.
  bool isEarly(size_t I) const { return llvm::is_contained(Early, I); }

private:
  bool addAssign(const Assign &A);
  bool addStore(const Store &St);
  using IsOld = llvm::function_ref<bool(const ExprRef &)>;
  bool isKept(const ExprRef &E, size_t From) const;
  ExprRef forwarded(const ExprRef &E, IsOld Old) const;
  void useLast(const Store &St, const VarRef &Last);
  bool isStoredBefore(const ExprRef &E, const Store &St) const;
  bool isStoredOnce(const Store &St) const;
  void takeEarly();
  bool takeLets();
  bool meets(const StmtRef &S, const Store &St) const;
  bool readsOnlyFirst();
  bool pays();
  Distance between(const Access &Stored, const Access &Other) const;
  bool runsAhead(const ExprRef &E, size_t At) const;

  const Iterator &It;
  const StmtRef &Body;
  const Region &R;
  std::vector<size_t> Early;
};

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_SCANBODY_H
