//===- ThreadVarying.cpp - what differs among a block's threads -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ThreadVarying.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

/// E without the conversions around it.
static ExprRef withoutCasts(ExprRef E) {
  while (auto *C = dyn_cast<Cast>(E.get()))
    E = C->Operand;
  return E;
}

bool isTable(const DeclBuffer &D, const StmtRef &Body) {
  bool Is = !D.Init.empty() && all_of(D.Init, [](const ExprRef &E) {
    return isa<IntConst>(*withoutCasts(E)) || isa<FloatConst>(*withoutCasts(E));
  });
  if (Is)
    forEachStmt(Body, [&](const StmtRef &S) {
      auto *St = dyn_cast<Store>(S.get());
      auto *Cursor = dyn_cast<Decl>(S.get());
      Is &= !(St && St->To.Buf == D.B) && !(Cursor && Cursor->V->Base == D.B);
    });
  return Is;
}

ThreadVarying::ThreadVarying(const StmtRef &Body, std::set<const Var *> Seeds,
                             bool OfWarp)
    : Vars(std::move(Seeds)), OfWarp(OfWarp) {
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<DeclBuffer>(S.get());
    if (D && D->B->Kind == BufferKind::Local && !isTable(*D, Body))
      OwnArrays.insert(D->B.get());
  });
  close(Body);
}

bool ThreadVarying::varies(const ExprRef &E) const {
  bool Yes = false;
  if (E)
    forEachExpr(E, [&](const ExprRef &Sub) {
      if (auto *U = dyn_cast<VarUse>(Sub.get()))
        Yes |= contains(U->V.get());
      if (auto *L = dyn_cast<Load>(Sub.get()))
        Yes |= OwnArrays.count(L->From.Buf.get()) != 0 ||
               (L->From.Buf->PerWarp && !OfWarp);
    });
  return Yes;
}

void ThreadVarying::add(const StmtRef &Body, const Var *V) {
  if (Vars.insert(V).second)
    close(Body);
}

/// What is set from a varying value, or under a varying condition, varies.
void ThreadVarying::close(const StmtRef &Body) {
  for (size_t Old = SIZE_MAX; Old != Vars.size();) {
    Old = Vars.size();
    spread(Body, /*Under=*/false, /*Last=*/!OfWarp);
  }
}

static CalleeRef rangeOf(const For &L) {
  auto C = std::make_shared<Callee>();
  C->Name = "range";
  C->Result = Type::getBool();
  C->Params = {L.Lo->Ty, L.Hi->Ty, L.Step->Ty};
  return C;
}

ExprRef conditionOf(const Stmt *S) {
  if (auto *I = dyn_cast<If>(S))
    return I->Cond;
  if (auto *W = dyn_cast<While>(S))
    return W->Cond;
  auto *L = dyn_cast<For>(S);
  if (!L || isThreadLoop(L->LKind))
    return nullptr;
  // How often it runs depends on all three.
  return build::call(rangeOf(*L), {L->Lo, L->Hi, L->Step});
}

/// Whether S leaves an iteration of the loop around it, or the loop.
static bool isJump(const StmtRef &S) {
  return isa<Break>(*S) || isa<Continue>(*S);
}

/// Whether some threads leave a loop, or skip the rest of an iteration, that S
/// is part of, and others do not.
bool ThreadVarying::someLeave(const StmtRef &S, bool Under) const {
  if (isJump(S))
    return Under;
  if (isa<For>(*S) || isa<While>(*S))
    return false; // jumps inside are its own
  const ExprRef Cond = conditionOf(S.get());
  Under |= Cond && varies(Cond);
  bool Some = false;
  forEachPart(S, [&](const StmtRef &Sub) { Some |= someLeave(Sub, Under); });
  return Some;
}

static bool waits(const StmtRef &S) {
  bool Yes = false;
  if (S)
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *B = dyn_cast<Barrier>(Sub.get());
      Yes |= B && !B->OfWarp;
    });
  return Yes;
}

bool endsOthers(const StmtRef &S) {
  auto *I = dyn_cast<If>(S.get());
  return I && waits(I->Then) != waits(I->Else);
}

void ThreadVarying::spread(const StmtRef &S, bool Under, bool Last) {
  if (!S)
    return;
  if (auto *D = dyn_cast<Decl>(S.get()); D && varies(D->Init))
    Vars.insert(D->V.get());
  if (auto *A = dyn_cast<Assign>(S.get()); A && (Under || varies(A->Value)))
    Vars.insert(A->V.get());
  bool Inner = Under;
  if (ExprRef Cond = conditionOf(S.get()))
    Inner |= varies(Cond);
  if (auto *I = dyn_cast<If>(S.get()); I && Last && endsOthers(S)) {
    // What the threads set that end is theirs alone.
    spread(I->Then, waits(I->Then) ? Under : Inner, /*Last=*/true);
    spread(I->Else, waits(I->Else) ? Under : Inner, /*Last=*/true);
    return;
  }
  if (isa<For>(*S) || isa<While>(*S))
    forEachPart(S,
                [&](const StmtRef &Body) { Inner |= someLeave(Body, false); });
  if (auto *L = dyn_cast<For>(S.get());
      L && !isThreadLoop(L->LKind) &&
      (varies(L->Lo) || varies(L->Step) || (!L->DeclaresVar && Inner)))
    Vars.insert(L->V.get());
  if (isa<Block>(*S)) {
    for (const StmtRef &Sub : statements(S))
      spread(Sub, Inner, Last && Sub == statements(S).back());
    return;
  }
  auto *L = dyn_cast<For>(S.get());
  Last &= isa<If>(*S) || (L && isThreadLoop(L->LKind));
  forEachPart(S, [&](const StmtRef &Sub) { spread(Sub, Inner, Last); });
}

void forEachPart(const StmtRef &S, function_ref<void(const StmtRef &)> Fn) {
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Sub : cast<Block>(S.get())->Body)
      Fn(Sub);
    return;
  case StmtKind::If:
    Fn(cast<If>(S.get())->Then);
    if (cast<If>(S.get())->Else)
      Fn(cast<If>(S.get())->Else);
    return;
  case StmtKind::For:
    Fn(cast<For>(S.get())->Body);
    return;
  case StmtKind::While:
    Fn(cast<While>(S.get())->Body);
    return;
  default:
    return;
  }
}

} // namespace raise
