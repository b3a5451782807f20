//===- RewriteScalars.cpp - all rewrites of a loop's scalars --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/Visitor.h"
#include "raise/Transform/Scalars.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;

namespace {

using Rewrite = std::optional<StmtRef> (*)(const For &,
                                           const Liveness::VarSet &);

/// Closed forms first: they are what other values are made of. The place of an
/// extremum goes with it, before it is taken for a last value.
const Rewrite Order[] = {substituteInductions, splitArgExtremum,
                         expandWrapArounds, rewriteLastValues};

/// Applies a rewrite to the loops of S that stand in no other.
class Applier {
public:
  Applier(const StmtRef &S, const std::vector<VarRef> &After, Rewrite Apply)
      : Live(around(S, After)), Apply(Apply) {}

  StmtRef run(const StmtRef &S) {
    if (auto *B = dyn_cast<Block>(S.get())) {
      std::vector<StmtRef> Out;
      for (const StmtRef &Sub : B->Body) {
        StmtRef New = run(Sub);
        if (Sub->Kind == StmtKind::For)
          llvm::append_range(Out, statements(New));
        else
          Out.push_back(std::move(New));
      }
      return std::make_shared<Block>(std::move(Out), S->Loc);
    }
    if (auto *I = dyn_cast<If>(S.get()))
      return std::make_shared<If>(I->Cond, run(I->Then),
                                  I->Else ? run(I->Else) : nullptr, I->Loc);
    auto *L = dyn_cast<For>(S.get());
    auto New = L ? Apply(*L, Live.liveAfter(L)) : std::nullopt;
    Changed |= New.has_value();
    return New.value_or(S);
  }

  bool Changed = false;

private:
  Liveness Live;
  Rewrite Apply;

  static Liveness around(const StmtRef &S, const std::vector<VarRef> &After) {
    Function F;
    F.Body = makeBlock({S, std::make_shared<Opaque>("", "", "", After)});
    return Liveness(F);
  }
};

} // namespace

std::optional<StmtRef> raise::rewriteScalars(const For &L,
                                             const Liveness::VarSet &After) {
  StmtRef S = std::make_shared<For>(L);
  std::vector<VarRef> Read;
  assignedVars(S, [&](const VarRef &V) {
    if (After.count(V.get()))
      Read.push_back(V);
  });
  bool Changed = false;
  for (Rewrite Apply : Order) {
    Applier A(S, Read, Apply);
    S = A.run(S);
    Changed |= A.Changed;
  }
  return Changed ? std::optional(S) : std::nullopt;
}
