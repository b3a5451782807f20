//===- SizeTest.cpp - tests of sizes as people write them -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/SizeTest.h"
#include "llvm/Support/Casting.h"
#include <optional>

using llvm::dyn_cast;

namespace raise {

/// A number that the source does not name, and whose sums with another one fit
/// an int.
static std::optional<int64_t> plainNumber(const ExprRef &E) {
  constexpr int64_t Large = int64_t(1) << 30;
  const auto *C = dyn_cast<IntConst>(E.get());
  const bool Plain =
      C && C->Value < Large && C->Value > -Large &&
      (C->Spelling.empty() || C->Spelling == std::to_string(C->Value));
  return Plain ? std::optional(C->Value) : std::nullopt;
}

ExprRef sizeTest(BinaryOp Op, ExprRef L, ExprRef R) {
  for (;;) {
    const auto *Sum = dyn_cast<Binary>(L.get());
    // What is not signed starts again from 0, and narrower sums are cut off.
    if (!Sum || !Sum->Ty.isInt() || !Sum->Ty.Signed || Sum->Ty.Bits < 32 ||
        (Sum->Op != BinaryOp::Add && Sum->Op != BinaryOp::Sub))
      break;
    const auto By = plainNumber(Sum->R), Than = plainNumber(R);
    if (!By || !Than)
      break;
    R = build::intConst(Sum->Op == BinaryOp::Add ? *Than - *By : *Than + *By,
                        R->Ty);
    L = Sum->L;
  }
  return build::binary(Op, std::move(L), std::move(R));
}

} // namespace raise
