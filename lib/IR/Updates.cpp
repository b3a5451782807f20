//===- Updates.cpp - updates whose order does not matter ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/Updates.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace raise {

Combiner familyOf(Combiner Op) {
  return Op == Combiner::Sub ? Combiner::Add : Op;
}

std::optional<BinaryOp> updateOperator(Combiner Op) {
  switch (Op) {
  case Combiner::Add:
    return BinaryOp::Add;
  case Combiner::Sub:
    return BinaryOp::Sub;
  case Combiner::Mul:
    return BinaryOp::Mul;
  case Combiner::Div:
    return BinaryOp::Div;
  case Combiner::Rem:
    return BinaryOp::Rem;
  case Combiner::And:
    return BinaryOp::And;
  case Combiner::Or:
    return BinaryOp::Or;
  case Combiner::Xor:
    return BinaryOp::Xor;
  default:
    return std::nullopt;
  }
}

std::optional<Combiner> commutingUpdate(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::Add:
    return Combiner::Add;
  case BinaryOp::Mul:
    return Combiner::Mul;
  case BinaryOp::And:
    return Combiner::And;
  case BinaryOp::Or:
    return Combiner::Or;
  case BinaryOp::Xor:
    return Combiner::Xor;
  case BinaryOp::LAnd:
    return Combiner::LAnd;
  case BinaryOp::LOr:
    return Combiner::LOr;
  default:
    return std::nullopt;
  }
}

bool rounds(Combiner Op, const Type &Elem, const Type &Value) {
  const bool Arithmetic = familyOf(Op) == Combiner::Add || Op == Combiner::Mul;
  return Arithmetic && (Elem.isFloat() || Value.isFloat());
}

bool combinesInAnyOrder(Combiner Op, const Type &Elem, const Type &Value,
                        FPMode FP) {
  if (Elem.isBool() || (Elem.isIntegral() && Value.isFloat()))
    return false; // rounds to an integer in every step
  switch (Op) {
  case Combiner::Add:
  case Combiner::Sub:
  case Combiner::Mul:
    return FP != FPMode::Strict || !rounds(Op, Elem, Value);
  case Combiner::And:
  case Combiner::Or:
  case Combiner::Xor:
  case Combiner::Min: // of floats, which of two zeros came first is lost
  case Combiner::Max:
    return Elem.isIntegral();
  default:
    return false;
  }
}

bool fitsEachThread(const Buffer &B) {
  int64_t Bytes = B.Elem.sizeInBytes();
  for (const ExprRef &E : B.Extents) {
    const auto *Count = llvm::dyn_cast_or_null<IntConst>(E.get());
    if (!Count || Count->Value <= 0 || Count->Value > MostBytesOfThread)
      return false;
    Bytes *= Count->Value;
    if (Bytes > MostBytesOfThread)
      return false;
  }
  const bool Named =
      llvm::all_of(B.Name, [](char C) { return llvm::isAlnum(C) || C == '_'; });
  const bool IsArray =
      B.Kind == BufferKind::Global ||
      (B.Kind == BufferKind::Local && B.Lies == ArrayHome::Automatic);
  return Named && IsArray && Bytes > 0 && !B.Volatile && !B.Owned &&
         !B.Container && !B.Reference && !B.Owner;
}

} // namespace raise
