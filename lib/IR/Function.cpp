//===- Function.cpp - functions -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Function.h"
#include "llvm/ADT/STLExtras.h"

namespace raise {

const Param *Function::findParam(llvm::StringRef Name) const {
  for (const Param &P : Params)
    if (P.name() == Name)
      return &P;
  return nullptr;
}

bool isDerivative(const Function &F) {
  return llvm::any_of(
      F.Params, [](const Param &P) { return P.Buf && P.Buf->Derivative != 0; });
}

bool hasPlainOriginals(const Function &F) {
  return F.Kind != FunctionKind::Kernel && !isDerivative(F);
}

FunctionRef withBody(const Function &F, StmtRef Body) {
  auto Copy = std::make_shared<Function>(F);
  Copy->Body = std::move(Body);
  return Copy;
}

std::array<VarRef, 6> makeLaunchDims() {
  static const char *const Names[] = {"gridDim.x",  "gridDim.y",  "gridDim.z",
                                      "blockDim.x", "blockDim.y", "blockDim.z"};
  std::array<VarRef, 6> Dims;
  for (size_t I = 0; I < Dims.size(); ++I) {
    auto V = std::make_shared<Var>();
    V->Name = Names[I];
    V->Ty = Type::getInt(32, false);
    V->Kind = VarKind::Launch;
    V->Const = true;
    Dims[I] = std::move(V);
  }
  return Dims;
}

} // namespace raise
