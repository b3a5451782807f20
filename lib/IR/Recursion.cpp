//===- Recursion.cpp - functions that call themselves ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Recursion.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include <mutex>

using namespace llvm;

namespace raise {

namespace {

/// All calls of a function and of what it calls.
struct Reached : Visitor {
  DenseSet<const Function *> Entered;
  bool Errno = false;
  Reached() { VisitOriginals = true; }
  bool visitExpr(const ExprRef &E) override {
    const auto *C = dyn_cast<Call>(E.get());
    if (!C)
      return true;
    const Function *F = C->Fn->Definition.get();
    Errno |= !F && C->Fn->SetsErrno;
    if (F && Entered.insert(F).second)
      walk(F->Body);
    return true;
  }
};

} // namespace

bool callsItself(const Function &F) {
  Reached R;
  R.walk(F.Body);
  return R.Entered.contains(&F);
}

bool mayReachErrno(const Function &F) {
  Reached R;
  R.walk(F.Body);
  return R.Errno;
}

void keepRing(CalleeRef C) {
  static std::mutex Lock;
  // Not destroyed: what is kept may be in use until the end.
  static auto *const Kept = new std::vector<CalleeRef>;
  const std::lock_guard<std::mutex> Locked(Lock);
  Kept->push_back(std::move(C));
}

} // namespace raise
