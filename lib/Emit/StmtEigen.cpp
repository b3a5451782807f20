//===- StmtEigen.cpp - expressions of Eigen among other statements --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Comment.h"
#include "EigenCode.h"
#include "StmtPrinter.h"

using namespace llvm;

namespace raise {

eigen::Place StmtPrinter::eigenPlace() const {
  return {&Opts, &P, Tested, &Counters};
}

static Code asCode(const eigen::Group &G, bool IsTested) {
  Code C;
  for (std::string &Line : G.lines())
    C.line(std::move(Line));
  C.Statements = unsigned(C.Lines.size());
  C.NeedsBlock = true;
  if (IsTested || G.test().empty())
    return C;
  return nested("if (" + G.test() + ")", C, true);
}

std::optional<Code> StmtPrinter::eigenForm(const TensorOp &T, size_t Level) {
  if (Opts.Target != Dialect::Eigen)
    return std::nullopt;
  eigen::Group G(eigenPlace(), N);
  if (!G.add(T, Level))
    return std::nullopt;
  return asCode(G, Level == 0 && EigenTested == &T);
}

/// How many statements that Body begins with are such expressions: they are in
/// C now, with the views that they share.
size_t StmtPrinter::eigenGroup(ArrayRef<StmtRef> Body, Code &C) {
  if (Opts.Target != Dialect::Eigen)
    return 0;
  const Names Before = N;
  eigen::Group G(eigenPlace(), N);
  size_t Done = 0;
  while (Done < Body.size()) {
    auto *T = dyn_cast<TensorOp>(Body[Done].get());
    if (!T || !G.add(*T))
      break;
    ++Done;
  }
  if (!Done)
    return 0;
  if (Comments)
    for (const StmtRef &S : Body.take_front(Done))
      for (const std::string &Text : Comments->take(*S))
        addSourceComment(C, Text);
  const bool IsTested = EigenTested == Body[0].get();
  // What stands in braces leaves its names to others.
  if (!IsTested && !G.test().empty())
    N = Before;
  C.add(asCode(G, IsTested));
  return Done;
}

} // namespace raise
