//===- Constants.cpp - a function without its constants -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "raise/IR/Visitor.h"
#include <map>

using namespace llvm;

namespace raise {

namespace {

using ValueMap = std::map<std::string, std::vector<interp::Value>>;

ExprRef constant(const interp::Value &V, const Type &T) {
  if (T.isFloat())
    return build::floatConst(V.Ty.isFloat() ? double(V.D) : double(V.I), T);
  return build::intConst(V.I, T);
}

class Closer : public Rewriter {
public:
  explicit Closer(const ValueMap &Values) : Values(Values) {}
  std::vector<StmtRef> Arrays;

  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get());
        U && U->V->Kind == VarKind::External) {
      auto It = Values.find(U->V->Name);
      if (It != Values.end() && It->second.size() == 1)
        return constant(It->second[0], E->Ty);
    }
    auto *L = dyn_cast<Load>(E.get());
    if (!L || L->From.Buf->Kind != BufferKind::Global)
      return E;
    Access A = L->From;
    A.Buf = local(A.Buf);
    return std::make_shared<Load>(std::move(A), E->Ty, E->Loc);
  }

private:
  BufferRef local(const BufferRef &B) {
    auto It = Values.find(B->Name);
    if (It == Values.end() || !B->Const || B->Elem.isVoid())
      return B;
    BufferRef &Known = Locals[B.get()];
    if (Known)
      return Known;
    uint64_t Size = 1;
    for (const ExprRef &E : B->Extents) {
      auto *C = E ? dyn_cast<IntConst>(E.get()) : nullptr;
      Size *= C && C->Value > 0 ? uint64_t(C->Value) : 0;
    }
    if (Size != It->second.size())
      return Known = B;
    auto Made = std::make_shared<Buffer>(*B);
    Made->Kind = BufferKind::Local;
    std::vector<ExprRef> Init;
    for (const interp::Value &V : It->second)
      Init.push_back(constant(V, B->Elem));
    Arrays.push_back(std::make_shared<DeclBuffer>(Made, std::move(Init)));
    return Known = std::move(Made);
  }

  const ValueMap &Values;
  std::map<const Buffer *, BufferRef> Locals;
};

} // namespace

FunctionRef withConstants(const Function &F, const ValueMap &Values) {
  Closer C(Values);
  const StmtRef Body = C.run(F.Body);
  std::vector<StmtRef> All = C.Arrays;
  for (const StmtRef &S : statements(Body))
    All.push_back(S);
  return withBody(F, std::make_shared<Block>(std::move(All), F.Body->Loc));
}

} // namespace raise
