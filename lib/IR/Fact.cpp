//===- Fact.cpp - what the user says of a place ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Fact.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise {

static constexpr StringRef AssumePrefix = "assume(", ExtentPrefix = "extent(";

static StmtRef make(StringRef Prefix, StringRef Says, ExprRef Value,
                    BufferRef Of, SourceLoc Loc) {
  auto V = std::make_shared<Var>();
  V->Name = Prefix.str() + Says.str() + ")";
  V->Ty = Value->Ty;
  V->Const = true;
  V->Base = std::move(Of);
  V->Loc = Loc;
  return std::make_shared<Decl>(std::move(V), std::move(Value), std::move(Loc));
}

StmtRef makeAssumption(ExprRef Cond, StringRef Says, SourceLoc Loc) {
  assert(Cond->Ty.isBool() && "a condition");
  return make(AssumePrefix, Says, std::move(Cond), nullptr, std::move(Loc));
}

StmtRef makeExtent(BufferRef Of, ExprRef Elements, StringRef Says,
                   SourceLoc Loc) {
  assert(Elements->Ty == Type::getI64() && "a number of elements");
  return make(ExtentPrefix, Says, std::move(Elements), std::move(Of),
              std::move(Loc));
}

const Decl *asFact(const Stmt &S) {
  const auto *D = dyn_cast<Decl>(&S);
  if (!D || !D->Init)
    return nullptr;
  const StringRef Name = D->V->Name;
  return Name.starts_with(AssumePrefix) || Name.starts_with(ExtentPrefix)
             ? D
             : nullptr;
}

bool isExtent(const Decl &Fact) {
  return StringRef(Fact.V->Name).starts_with(ExtentPrefix);
}

StringRef saysOf(const Decl &Fact) {
  return StringRef(Fact.V->Name).drop_front(AssumePrefix.size()).drop_back();
}

bool holdsThrough(const Decl &Fact, const StmtRef &S) {
  bool Holds = true;
  const auto Note = [&](const VarRef &V) { Holds &= !assigns(S, V.get()); };
  forEachExpr(Fact.Init, [&](const ExprRef &E) {
    if (const auto *U = dyn_cast<VarUse>(E.get()))
      Note(U->V);
    else
      Holds &= E->Kind != ExprKind::Load;
  });
  return Holds;
}

} // namespace raise
