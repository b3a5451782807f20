//===- ScanBody.h - the running sums of a loop ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_SCANBODY_H
#define RAISE_LIB_TRANSFORM_SCANBODY_H

#include "Subscripts.h"
#include "raise/IR/Function.h"

namespace raise {

/// `S Op= Value` as the statement At of a body.
struct Scan {
  VarRef S;
  std::string Name; ///< of what is summed, for names
  size_t At;
  Combiner Op; ///< Add, Sub or Mul
  ExprRef Value;
};

/// That of Add, Sub or Mul.
BinaryOp operatorOf(Combiner Op);

/// The body of a loop in its order, with its scans found.
class ScanBody {
public:
  ScanBody(const Iterator &It, const StmtRef &Body, const Region &R)
      : It(It), Body(Body), R(R) {}
  /// Whether that is what it is, and strips of it pay.
  bool find();

  std::vector<StmtRef> Before; ///< what the loop begins with: a_last = a[lo-1]
  std::vector<StmtRef> List;   ///< each scan in a scalar
  std::vector<Scan> Scans;
  std::vector<StmtRef> Lets; ///< of List, for what is summed
  bool IsFree = true; ///< two points' statements have nothing to do with each
                      ///< other, but for the sums

  const Scan *scanAt(size_t I) const {
    const auto S =
        llvm::find_if(Scans, [&](const Scan &S) { return S.At == I; });
    return S == Scans.end() ? nullptr : &*S;
  }

private:
  bool addAssign(const Assign &A);
  bool addStore(const Store &St);
  bool isOld(const ExprRef &E, const Store &St) const;
  bool isStoredOnce(const Store &St) const;
  bool takeLets();
  bool readsOnlyFirst();
  bool pays() const;
  Distance between(const Access &Stored, const Access &Other) const;
  bool runsAhead(const ExprRef &E, size_t At) const;

  const Iterator &It;
  const StmtRef &Body;
  const Region &R;
};

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_SCANBODY_H
