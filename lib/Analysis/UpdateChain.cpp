//===- UpdateChain.cpp - several updates in one expression ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Analysis/UpdateChain.h"
#include "raise/IR/Visitor.h"
#include <algorithm>

using namespace llvm;

namespace raise {

static Combiner chainOp(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::Add:
    return Combiner::Add;
  case BinaryOp::Sub:
    return Combiner::Sub;
  case BinaryOp::Mul:
    return Combiner::Mul;
  case BinaryOp::And:
    return Combiner::And;
  case BinaryOp::Or:
    return Combiner::Or;
  case BinaryOp::Xor:
    return Combiner::Xor;
  default:
    return Combiner::None;
  }
}

/// + and - are one operator, by other operands.
static Combiner family(Combiner C) {
  return C == Combiner::Sub ? Combiner::Add : C;
}

std::optional<std::vector<ChainLink>>
updateChain(const ExprRef &E, function_ref<bool(const ExprRef &)> IsTarget) {
  std::vector<ChainLink> Links;
  unsigned Targets = 0;
  forEachExpr(E, [&](const ExprRef &Sub) { Targets += IsTarget(Sub); });
  if (Targets != 1)
    return std::nullopt;
  for (ExprRef At = E; !IsTarget(At);) {
    const auto *B = dyn_cast<Binary>(At.get());
    Combiner Op = B ? chainOp(B->Op) : Combiner::None;
    if (Op == Combiner::None ||
        (!Links.empty() && family(Op) != family(Links.back().Op)))
      return std::nullopt;
    // The first operation of all may have x on its other side.
    bool Mirrored = IsTarget(B->R) && Op != Combiner::Sub;
    Links.push_back({Op, Mirrored ? B->L : B->R});
    At = Mirrored ? B->R : B->L;
  }
  if (Links.size() < 2)
    return std::nullopt;
  std::reverse(Links.begin(), Links.end());
  return Links;
}

} // namespace raise
