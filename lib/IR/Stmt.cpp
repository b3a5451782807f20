//===- Stmt.cpp - helpers of statements -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Stmt.h"
#include "llvm/Support/ErrorHandling.h"

namespace raise {

llvm::StringRef spelling(Combiner C) {
  switch (C) {
  case Combiner::None:
    return "=";
  case Combiner::Add:
    return "+=";
  case Combiner::Sub:
    return "-=";
  case Combiner::Mul:
    return "*=";
  case Combiner::Div:
    return "/=";
  case Combiner::Rem:
    return "%=";
  case Combiner::Min:
    return "min=";
  case Combiner::Max:
    return "max=";
  case Combiner::And:
    return "&=";
  case Combiner::Or:
    return "|=";
  case Combiner::Xor:
    return "^=";
  case Combiner::Shl:
    return "<<=";
  case Combiner::Shr:
    return ">>=";
  case Combiner::LAnd:
    return "&&=";
  case Combiner::LOr:
    return "||=";
  }
  llvm_unreachable("unknown combiner");
}

bool isThreadLoop(LoopKind K) { return K >= LoopKind::GridX; }

bool isOrdered(IterKind K) {
  return K == IterKind::Scan || K == IterKind::Serial || K == IterKind::Search;
}

llvm::ArrayRef<StmtRef> statements(const StmtRef &S) {
  if (!S)
    return {};
  if (const auto *B = llvm::dyn_cast<Block>(S.get()))
    return B->Body;
  return llvm::ArrayRef<StmtRef>(S);
}

StmtRef makeBlock(std::vector<StmtRef> Body, SourceLoc Loc) {
  if (Body.size() == 1)
    return std::move(Body.front());
  return std::make_shared<Block>(std::move(Body), std::move(Loc));
}

} // namespace raise
