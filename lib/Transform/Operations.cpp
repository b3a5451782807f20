//===- Operations.cpp - tensor operations of a loop and its body ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;

StmtRef raise::makeOp(Iterator It, const StmtRef &Body, SourceLoc Loc) {
  std::vector<Iterator> Its{std::move(It)};
  auto List = statements(Body);
  auto *T = List.size() == 1 ? dyn_cast<TensorOp>(List.front().get()) : nullptr;
  if (T && !T->Mask) {
    Its.insert(Its.end(), T->Iterators.begin(), T->Iterators.end());
    return std::make_shared<TensorOp>(std::move(Its), nullptr, T->Body, "",
                                      std::move(Loc));
  }
  return std::make_shared<TensorOp>(std::move(Its), nullptr, Body, "",
                                    std::move(Loc));
}

void raise::addOnce(std::vector<std::string> &Into,
                    const std::vector<std::string> &From) {
  for (const std::string &S : From)
    if (!llvm::is_contained(Into, S))
      Into.push_back(S);
}
