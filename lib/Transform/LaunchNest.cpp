//===- LaunchNest.cpp - the loops of a kernel as it is lifted -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaunchNest.h"

using namespace llvm;

namespace raise {

std::optional<LaunchNest> launchNest(StmtRef S) {
  LaunchNest N;
  for (unsigned D : {2, 1, 0, 5, 4, 3}) {
    for (;;) {
      ArrayRef<StmtRef> List = statements(S);
      if (!isa<Block>(*S) || List.empty())
        break;
      for (const StmtRef &Sub : List.drop_back()) {
        auto *Array = dyn_cast<DeclBuffer>(Sub.get());
        if (!Array || !Array->Init.empty())
          return std::nullopt;
        N.Shared.push_back(Array->B);
      }
      S = List.back();
    }
    auto *L = dyn_cast<For>(S.get());
    if (!L || !isThreadLoop(L->LKind))
      return std::nullopt;
    N.Index[D] = L->V;
    S = L->Body;
  }
  N.Body = S;
  return N;
}

} // namespace raise
