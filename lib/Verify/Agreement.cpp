//===- Agreement.cpp - whether two runs left the same ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Agreement.h"
#include <cmath>

namespace raise {

using interp::Storage;
using interp::Value;

static bool agree(const std::optional<Value> &A, const std::optional<Value> &B,
                  bool Rounds) {
  if (!A || !B)
    return !A == !B;
  if (A->I != B->I)
    return false;
  if (A->D == B->D || (std::isnan(A->D) && std::isnan(B->D)))
    return true;
  long double Scale = std::max({1.0L, std::fabs(A->D), std::fabs(B->D)});
  return Rounds && std::fabs(A->D - B->D) <= 1e-3L * Scale;
}

bool agree(const Storage &A, const Storage &B, bool Rounds) {
  auto Planes = [&](const Storage::Plane &P, const Storage::Plane &Q) {
    for (size_t I = 0; I < P.size() && I < Q.size(); ++I)
      if (!agree(P[I], Q[I], Rounds))
        return false;
    return true;
  };
  if (!Planes(A.Cells, B.Cells))
    return false;
  for (const auto &[Field, Plane] : A.Fields) {
    auto It = B.Fields.find(Field);
    if (It != B.Fields.end() && !Planes(Plane, It->second))
      return false;
  }
  return true;
}

} // namespace raise
