//===- Returns.cpp - early returns as structured code ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"

using namespace llvm;

namespace raise::lifting {
namespace {

enum class Exits { Never, Sometimes, Always };

Exits exits(ArrayRef<StmtRef> List);

Exits exits(const StmtRef &S) {
  if (!S)
    return Exits::Never;
  if (isa<Return>(S.get()))
    return Exits::Always;
  if (const auto *B = dyn_cast<Block>(S.get()))
    return exits(B->Body);
  if (const auto *I = dyn_cast<If>(S.get())) {
    const Exits T = exits(I->Then), E = exits(I->Else);
    return T == E ? T : Exits::Sometimes;
  }
  const StmtRef *Body = nullptr;
  if (const auto *F = dyn_cast<For>(S.get()))
    Body = &F->Body;
  if (const auto *W = dyn_cast<While>(S.get()))
    Body = &W->Body;
  return Body && exits(*Body) != Exits::Never ? Exits::Sometimes : Exits::Never;
}

Exits exits(ArrayRef<StmtRef> List) {
  Exits Found = Exits::Never;
  for (const StmtRef &S : List) {
    const Exits X = exits(S);
    if (X == Exits::Always)
      return X;
    if (X == Exits::Sometimes)
      Found = X;
  }
  return Found;
}

StmtList concat(ArrayRef<StmtRef> A, ArrayRef<StmtRef> B) {
  StmtList List(A.begin(), A.end());
  List.insert(List.end(), B.begin(), B.end());
  return List;
}

/// Left (may be null) is set where the function returns; in a loop the return
/// leaves the loop as well.
StmtList process(ArrayRef<StmtRef> List, const VarRef &Left, bool InLoop);

StmtRef setLeft(const VarRef &Left, const SourceLoc &Loc) {
  return std::make_shared<Assign>(Left, Combiner::None, build::boolConst(true),
                                  Loc);
}

StmtRef withoutReturns(const StmtRef &S, const VarRef &Left, bool InLoop) {
  if (!S)
    return nullptr;
  if (const auto *I = dyn_cast<If>(S.get()))
    return std::make_shared<If>(
        I->Cond, makeBlock(process(statements(I->Then), Left, InLoop)),
        I->Else ? makeBlock(process(statements(I->Else), Left, InLoop))
                : nullptr,
        I->Loc);
  if (const auto *F = dyn_cast<For>(S.get()))
    return std::make_shared<For>(
        F->V, F->Lo, F->Cond, F->Hi, F->Step, F->LKind, F->DeclaresVar,
        makeBlock(process(statements(F->Body), Left, /*InLoop=*/true)), F->Loc);
  const auto *W = cast<While>(S.get());
  return std::make_shared<While>(
      W->Cond, W->TestFirst,
      makeBlock(process(statements(W->Body), Left, /*InLoop=*/true)), W->Why,
      W->Loc);
}

StmtList process(ArrayRef<StmtRef> List, const VarRef &Left, bool InLoop) {
  StmtList Out;
  for (size_t I = 0; I < List.size(); ++I) {
    const StmtRef &S = List[I];
    const ArrayRef<StmtRef> Rest = List.drop_front(I + 1);
    if (exits(S) == Exits::Never) {
      Out.push_back(S);
      continue;
    }
    if (isa<Return>(S.get())) {
      if (Left)
        Out.push_back(setLeft(Left, S->Loc));
      if (InLoop)
        Out.push_back(std::make_shared<Break>(S->Loc));
      return Out;
    }
    if (const auto *B = dyn_cast<Block>(S.get())) {
      StmtList More = process(concat(B->Body, Rest), Left, InLoop);
      Out.insert(Out.end(), More.begin(), More.end());
      return Out;
    }
    if (const auto *If_ = dyn_cast<If>(S.get())) {
      const StmtList Then = concat(statements(If_->Then), {});
      const StmtList Else =
          If_->Else ? concat(statements(If_->Else), {}) : StmtList();
      const bool ThenLeaves = exits(Then) == Exits::Always;
      if (ThenLeaves || exits(Else) == Exits::Always) {
        // What follows runs only where the other branch was taken.
        StmtList T =
            process(ThenLeaves ? Then : concat(Then, Rest), Left, InLoop);
        StmtList E =
            process(ThenLeaves ? concat(Else, Rest) : Else, Left, InLoop);
        if (T.empty() && !E.empty()) {
          Out.push_back(std::make_shared<If>(build::opposite(If_->Cond),
                                             makeBlock(std::move(E)), nullptr,
                                             If_->Loc));
          return Out;
        }
        StmtRef ElseStmt = E.empty() ? nullptr : makeBlock(std::move(E));
        Out.push_back(std::make_shared<If>(If_->Cond, makeBlock(std::move(T)),
                                           std::move(ElseStmt), If_->Loc));
        return Out;
      }
    }
    // Some path inside returns and some does not: a flag remembers.
    VarRef Flag = Left;
    if (!Flag) {
      auto V = std::make_shared<Var>();
      V->Name = "returned";
      V->Ty = Type::getBool();
      Flag = V;
      Out.push_back(
          std::make_shared<Decl>(Flag, build::boolConst(false), S->Loc));
    }
    Out.push_back(withoutReturns(S, Flag, InLoop));
    const bool Loop = isa<For>(S.get()) || isa<While>(S.get());
    if (InLoop && Loop) // the inner loop's break ended only that loop
      Out.push_back(std::make_shared<If>(
          build::var(Flag), std::make_shared<Break>(S->Loc), nullptr, S->Loc));
    if (!Rest.empty()) {
      StmtList After = process(Rest, Left, InLoop);
      Out.push_back(std::make_shared<If>(build::logicalNot(build::var(Flag)),
                                         makeBlock(std::move(After)), nullptr,
                                         S->Loc));
    }
    return Out;
  }
  return Out;
}

} // namespace

void removeReturns(StmtList &List) {
  List = process(List, nullptr, /*InLoop=*/false);
}

} // namespace raise::lifting
