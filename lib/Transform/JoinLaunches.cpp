//===- JoinLaunches.cpp - launches one behind the other as one ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   scale<<<grid, block>>>(t, x, n);     // t[i] = 2 * x[i]
//   shift<<<grid, block>>>(y, t, n);     // y[i] = t[i] + 1
//
// is a kernel whose threads do the one and then the other, if no thread of the
// second uses what another one of the first wrote, or writes what it uses. That
// is what a loop over them is proved by (Function::InOrder), for a loop that
// does first all of the one and then all of the other differs from it by just
// this. Here the kernel is put together; parameters that both launches are
// given the same for are one.
//
//===----------------------------------------------------------------------===//
#include "LaunchForm.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace raise {

namespace {

using StmtList = std::vector<StmtRef>;

/// Gives what a kernel works on other variables and buffers.
class Renaming : public Rewriter {
public:
  DenseMap<const Var *, VarRef> Vars;
  DenseMap<const Buffer *, BufferRef> Buffers;

private:
  VarRef of(const VarRef &V) {
    if (const VarRef To = Vars.lookup(V.get()))
      return To;
    const BufferRef Base = V->Base ? Buffers.lookup(V->Base.get()) : nullptr;
    if (!Base)
      return V;
    auto New = std::make_shared<Var>(*V);
    New->Base = Base;
    return Vars[V.get()] = New;
  }
  Access of(Access A) const {
    if (const BufferRef To = Buffers.lookup(A.Buf.get()))
      A.Buf = To;
    return A;
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *L = dyn_cast<Load>(E.get()))
      return Buffers.count(L->From.Buf.get())
                 ? std::make_shared<Load>(of(L->From), L->Ty, L->Loc)
                 : E;
    if (auto *U = dyn_cast<VarUse>(E.get())) {
      const VarRef V = of(U->V);
      return V == U->V ? E : std::make_shared<VarUse>(V, U->Loc);
    }
    if (auto *N = dyn_cast<NonNull>(E.get()))
      if (const BufferRef To = Buffers.lookup(N->Buf.get()))
        return std::make_shared<NonNull>(To, N->Loc);
    return E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()))
      return std::make_shared<Decl>(of(D->V), D->Init, D->Loc);
    if (auto *A = dyn_cast<Assign>(S.get()))
      return std::make_shared<Assign>(of(A->V), A->Op, A->Value, A->Loc);
    if (auto *L = dyn_cast<For>(S.get()))
      return std::make_shared<For>(of(L->V), L->Lo, L->Cond, L->Hi, L->Step,
                                   L->LKind, L->DeclaresVar, L->Body, L->Loc);
    if (auto *St = dyn_cast<Store>(S.get()))
      return std::make_shared<Store>(of(St->To), St->Op, St->Value, St->Atomic,
                                     St->Loc);
    return S;
  }
};

/// What stands in a kernel by a name.
struct NamesIn : Visitor {
  std::set<std::string> Locals; ///< what it declares
  std::set<std::string> Free;   ///< neither declared in it nor a parameter
  bool WritesGlobals = false;   ///< what both may name is one thing

  void addWords(StringRef Text) {
    while (!Text.empty()) {
      const StringRef Word =
          Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
      if (!Word.empty())
        Free.insert(Word.str());
      Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
    }
  }
  void addBuffer(const Buffer &B, bool Writes) {
    if (B.Kind == BufferKind::Param || B.Kind == BufferKind::Local)
      return;
    addWords(B.Name);
    WritesGlobals |= Writes;
  }
  bool visitExpr(const ExprRef &E) override {
    addWords(E->Ty.Spelling);
    if (auto *U = dyn_cast<VarUse>(E.get());
        U && U->V->Kind == VarKind::External)
      addWords(U->V->Name);
    else if (auto *L = dyn_cast<Load>(E.get()))
      addBuffer(*L->From.Buf, false);
    else if (auto *N = dyn_cast<NonNull>(E.get()))
      addBuffer(*N->Buf, false);
    else if (auto *C = dyn_cast<Call>(E.get()))
      addWords(C->Fn->Name);
    else if (auto *I = dyn_cast<IntConst>(E.get()))
      addWords(I->Spelling);
    else if (auto *X = dyn_cast<FloatConst>(E.get()))
      addWords(X->Spelling);
    return true;
  }
  bool visitStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get())) {
      Locals.insert(D->V->Name);
      addWords(D->V->Ty.Spelling);
    } else if (auto *B = dyn_cast<DeclBuffer>(S.get())) {
      Locals.insert(B->B->Name);
      addWords(B->B->Elem.Spelling);
    } else if (auto *L = dyn_cast<For>(S.get()); L && L->DeclaresVar) {
      Locals.insert(L->V->Name);
    } else if (auto *St = dyn_cast<Store>(S.get())) {
      addBuffer(*St->To.Buf, true);
    }
    return true;
  }
};

bool meet(const std::set<std::string> &A, const std::set<std::string> &B) {
  return any_of(A, [&](const std::string &X) { return B.count(X) != 0; });
}

/// Whether a name in A, or one of the parameters, would say something else in
/// B, or the other way round. (B stands in a block behind A's declarations.)
bool namesClash(const StmtRef &A, const StmtRef &B,
                const std::set<std::string> &Params) {
  NamesIn InA, InB;
  InA.walk(A);
  InB.walk(B);
  return InA.WritesGlobals || InB.WritesGlobals || meet(InA.Locals, InB.Free) ||
         meet(Params, InA.Free) || meet(Params, InB.Free) ||
         meet(Params, InA.Locals) || meet(Params, InB.Locals);
}

/// Whether what a thread does is told by the statements that Renaming knows,
/// and ends where they end.
bool isPlain(const StmtRef &Body) {
  bool Plain = true;
  forEachStmt(Body, [&](const StmtRef &S) {
    switch (S->Kind) {
    case StmtKind::Block:
    case StmtKind::Decl:
    case StmtKind::Assign:
    case StmtKind::Store:
    case StmtKind::If:
    case StmtKind::For:
      break;
    case StmtKind::DeclBuffer:
      Plain &= cast<DeclBuffer>(S.get())->B->Kind == BufferKind::Local;
      break;
    default:
      Plain = false;
    }
  });
  return Plain;
}

/// Second, with the variables of First for those that are declared alike, so
/// that both stand under one condition: `int i = ...; if (i < n)`.
StmtList withSameNames(ArrayRef<StmtRef> First, ArrayRef<StmtRef> Second,
                       const StmtRef &All) {
  StmtList Rest;
  Renaming Same;
  for (const StmtRef &S : Second) {
    const StmtRef Now = Same.run(S);
    auto *D = dyn_cast<Decl>(Now.get());
    const auto IsSame = [&](const StmtRef &Other) {
      auto *O = dyn_cast<Decl>(Other.get());
      return O && D && O->Init && D->Init && O->V->Ty == D->V->Ty &&
             structurallyEqual(Other, Now);
    };
    bool Reads = false;
    if (D && D->Init)
      forEachExpr(D->Init, [&](const ExprRef &E) { Reads |= isa<Load>(*E); });
    const auto It = Reads ? First.end() : find_if(First, IsSame);
    if (!D || It == First.end()) {
      Rest.push_back(Now);
      continue;
    }
    const VarRef &Known = cast<Decl>(It->get())->V;
    bool Changes = false;
    forEachStmt(All, [&](const StmtRef &Sub) {
      auto *A = dyn_cast<Assign>(Sub.get());
      Changes |= A && (A->V == Known || A->V == D->V);
    });
    if (Changes)
      Rest.push_back(Now);
    else
      Same.Vars[D->V.get()] = Known;
  }
  return Rest;
}

/// Whether S leaves what Cond says.
bool keeps(const StmtRef &S, const ExprRef &Cond) {
  bool Keeps = true;
  forEachExpr(Cond, [&](const ExprRef &E) {
    Keeps &= !isa<Load>(*E);
    if (auto *U = dyn_cast<VarUse>(E.get()))
      Keeps &= !assigns(S, U->V.get());
  });
  return Keeps;
}

/// Adds P to F, for both kernels if it is As of the other one; false where that
/// is not one thing. What either promises of a pointer (`__restrict__`) is not
/// so of both.
bool addParam(Function &F, const Param &P, const Param *As,
              const std::string &Name, Renaming &To, Renaming &Other) {
  if (P.Implied || (As && (As->Implied || bool(As->Buf) != bool(P.Buf))))
    return false;
  Param New;
  if (P.Scalar) {
    if (As && As->Scalar->Ty != P.Scalar->Ty)
      return false;
    auto V = std::make_shared<Var>(*P.Scalar);
    V->Name = Name;
    New.Scalar = To.Vars[P.Scalar.get()] = V;
    if (As)
      Other.Vars[As->Scalar.get()] = V;
  } else {
    if (As && (As->Buf->Elem != P.Buf->Elem || As->Buf->rank() != 1 ||
               P.Buf->rank() != 1))
      return false;
    const Buffer &Says = As && P.Buf->Const ? *As->Buf : *P.Buf;
    auto B = std::make_shared<Buffer>(Says);
    B->Name = Name;
    B->Restrict = false;
    for (StringRef Promise : {"__restrict__", "__restrict", "restrict"})
      for (size_t At;
           (At = B->TypeSpelling.find(Promise)) != std::string::npos;)
        B->TypeSpelling.erase(At, Promise.size());
    B->TypeSpelling = StringRef(B->TypeSpelling).rtrim().str();
    New.Buf = To.Buffers[P.Buf.get()] = B;
    if (As)
      Other.Buffers[As->Buf.get()] = B;
  }
  F.Params.push_back(std::move(New));
  return true;
}

/// First and then Second; under one condition, if that is the same for both.
StmtRef joined(const StmtRef &First, const StmtRef &Second) {
  StmtList Out = statements(First).vec();
  StmtList Rest =
      withSameNames(Out, statements(Second),
                    std::make_shared<Block>(StmtList{First, Second}));
  auto *A = Out.empty() ? nullptr : dyn_cast<If>(Out.back().get());
  auto *B = Rest.empty() ? nullptr : dyn_cast<If>(Rest.front().get());
  if (A && B && !A->Else && !B->Else && keeps(A->Then, A->Cond)) {
    const auto Test = [&](const If &I) {
      return std::make_shared<If>(I.Cond, makeBlock({}), nullptr, I.Loc);
    };
    if (structurallyEqual(StmtRef(Test(*A)), StmtRef(Test(*B)))) {
      StmtList Both{A->Then, B->Then};
      Out.back() = std::make_shared<If>(
          A->Cond, std::make_shared<Block>(std::move(Both), A->Loc), nullptr,
          A->Loc);
      Rest.erase(Rest.begin());
    }
  }
  // Blocks of their own: each declares what it likes.
  if (!Rest.empty())
    Out.push_back(std::make_shared<Block>(std::move(Rest), Second->Loc));
  return std::make_shared<Block>(std::move(Out), First->Loc);
}

} // namespace

FunctionRef joinLaunches(const Function &First, const Function &Second,
                         const std::map<std::string, std::string> &Same,
                         const std::string &Name) {
  Context Ctx;
  const FunctionRef A = structureExits(std::make_shared<Function>(First), Ctx),
                    B = structureExits(std::make_shared<Function>(Second), Ctx);
  VarRef IndexA[6], IndexB[6];
  const StmtRef BodyA = threadBody(A->Body, IndexA, Ctx),
                BodyB = threadBody(B->Body, IndexB, Ctx);
  if (!BodyA || !BodyB || !isPlain(BodyA) || !isPlain(BodyB))
    return nullptr;
  auto Both = std::make_shared<Function>(*A);
  Both->Name = Both->QualifiedName = Name;
  Both->InOrder = true;
  Both->UsualBlock = {}; // nothing here waits for others of its block
  Both->Params.clear();
  Renaming ToA, ToB;
  for (unsigned D = 0; D < 6; ++D) {
    ToB.Vars[IndexB[D].get()] = IndexA[D];
    ToB.Vars[B->LaunchDims[D].get()] = A->LaunchDims[D];
  }
  std::set<std::string> Taken;
  for (const Param &P : A->Params) {
    const Param *As = nullptr;
    for (const auto &[Its, Of] : Same)
      if (Of == P.name())
        As = B->findParam(Its);
    if (!addParam(*Both, P, As, P.name().str(), ToA, ToB) ||
        (P.Scalar && As && assigns(BodyA, P.Scalar.get())) ||
        (P.Scalar && As && assigns(BodyB, As->Scalar.get())))
      return nullptr;
    Taken.insert(P.name().str());
  }
  for (const Param &P : B->Params) {
    if (Same.count(P.name().str()))
      continue;
    std::string Own = P.name().str();
    for (unsigned N = 2; !Taken.insert(Own).second; ++N)
      Own = P.name().str() + "_" + std::to_string(N);
    if (!addParam(*Both, P, nullptr, Own, ToB, ToA))
      return nullptr;
  }
  if (namesClash(BodyA, BodyB, Taken))
    return nullptr;
  StmtRef Body = joined(ToA.run(BodyA), ToB.run(BodyB));
  static const LoopKind Order[] = {LoopKind::BlockX, LoopKind::BlockY,
                                   LoopKind::BlockZ, LoopKind::GridX,
                                   LoopKind::GridY,  LoopKind::GridZ};
  static const unsigned Digit[] = {3, 4, 5, 0, 1, 2};
  for (unsigned N = 0; N < 6; ++N) {
    const VarRef &V = IndexA[Digit[N]];
    Body = std::make_shared<For>(
        V, build::intConst(0, V->Ty), BinaryOp::LT,
        build::cast(build::var(A->LaunchDims[Digit[N]]), V->Ty),
        build::intConst(1, V->Ty), Order[N], true, makeBlock({Body}), A->Loc);
  }
  Both->Body = makeBlock({Body});
  return Both;
}

} // namespace raise
