//===- PathConditions.cpp - when a part of a statement is evaluated -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PathConditions.h"
#include "raise/Grad/Derivatives.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

class Finder {
public:
  explicit Finder(const ExprRef &Part) : Part(Part) {}

  void visit(const ExprRef &E, const ExprRef &Path) {
    if (!E || Always)
      return;
    if (structurallyEqual(E, Part)) {
      note(Path);
      return;
    }
    if (auto *S = dyn_cast<Select>(E.get())) {
      visit(S->Cond, Path);
      visit(S->True, also(Path, S->Cond));
      visit(S->False, also(Path, build::logicalNot(S->Cond)));
      return;
    }
    auto *B = dyn_cast<Binary>(E.get());
    if (B && (B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr)) {
      visit(B->L, Path);
      visit(
          B->R,
          also(Path, B->Op == BinaryOp::LAnd ? B->L : build::logicalNot(B->L)));
      return;
    }
    if (auto *L = dyn_cast<Load>(E.get())) {
      for (const ExprRef &I : L->From.Indices)
        visit(I, Path);
      return;
    }
    for (unsigned K = 0; const ExprRef Operand = operandOf(*E, K); ++K)
      visit(Operand, Path);
  }

  bool isFound() const { return Always || Any; }
  ExprRef found() const { return Always ? nullptr : Any; }

private:
  static ExprRef also(const ExprRef &Path, const ExprRef &Cond) {
    return Path ? build::logicalAnd(Path, Cond) : Cond;
  }
  void note(const ExprRef &Path) {
    if (!Path)
      Always = true;
    else if (any_of(Paths, [&](const ExprRef &P) {
               return structurallyEqual(P, Path);
             }))
      return;
    Paths.push_back(Path);
    if (Path)
      Any = Any ? build::binary(BinaryOp::LOr, Any, Path) : Path;
  }

  const ExprRef &Part;
  std::vector<ExprRef> Paths;
  ExprRef Any;
  bool Always = false;
};

} // namespace

static void visitOwn(const Stmt &S, Finder &F) {
  const auto Visit = [&](const ExprRef &E) { F.visit(E, nullptr); };
  switch (S.Kind) {
  case StmtKind::Decl:
    Visit(cast<Decl>(&S)->Init);
    break;
  case StmtKind::DeclBuffer:
    for_each(cast<DeclBuffer>(&S)->Init, Visit);
    for_each(cast<DeclBuffer>(&S)->B->Extents, Visit);
    break;
  case StmtKind::Assign:
    Visit(cast<Assign>(&S)->Value);
    break;
  case StmtKind::Store:
    for_each(cast<Store>(&S)->To.Indices, Visit);
    Visit(cast<Store>(&S)->Value);
    break;
  case StmtKind::For:
    for (const ExprRef &E :
         {cast<For>(&S)->Lo, cast<For>(&S)->Hi, cast<For>(&S)->Step})
      Visit(E);
    break;
  case StmtKind::While:
    Visit(cast<While>(&S)->Cond);
    break;
  case StmtKind::If:
    Visit(cast<If>(&S)->Cond);
    break;
  case StmtKind::Return:
    Visit(cast<Return>(&S)->Value);
    break;
  default:
    break;
  }
}

/// Adds to Out, a conjunction, what holds wherever all that Part is made of is
/// evaluated.
static void addConditions(const Stmt &S, const ExprRef &Part,
                          std::vector<ExprRef> &Out) {
  // Whoever made an expression may have brought those along.
  if (isa<IntConst>(*Part) || isa<FloatConst>(*Part))
    return;
  Finder F(Part);
  visitOwn(S, F);
  if (F.isFound()) {
    const ExprRef Cond = F.found();
    if (Cond && none_of(Out, [&](const ExprRef &E) {
          return structurallyEqual(E, Cond);
        }))
      Out.push_back(Cond);
    return;
  }
  if (auto *L = dyn_cast<Load>(Part.get()))
    for (const ExprRef &I : L->From.Indices)
      addConditions(S, I, Out);
  for (unsigned K = 0; const ExprRef Operand = operandOf(*Part, K); ++K)
    addConditions(S, Operand, Out);
}

ExprRef pathCondition(const Stmt &S, const ExprRef &Part) {
  std::vector<ExprRef> All;
  addConditions(S, Part, All);
  ExprRef Cond;
  for (const ExprRef &E : All)
    Cond = Cond ? build::logicalAnd(Cond, E) : E;
  return Cond;
}

} // namespace raise::grad
