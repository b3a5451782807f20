//===- CarryValues.cpp - what the iteration before has stored -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (j) { p[i,j] = c / (a * p[i,j-1] + b); q[i,j] = f(q[i,j-1]); }
//
// A compiler that does not know that p and q are apart, as the region's tests
// found, loads p[i,j-1] again, which has to wait for its store. In a loop that
// runs in its order the value stays in a scalar:
//
//   p_last = p[i,0];
//   for (j) { p_last = c / (a * p_last + b); p[i,j] = p_last; ... }
//
// This is scalar replacement (Callahan, Carr, Kennedy: Improving register
// allocation for subscripted variables, PLDI 1990) for values that are one
// iteration old. All stores stay.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "LoopRuns.h"
#include "PlainName.h"
#include "RegionPass.h"
#include "Subscripts.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// A loop that runs in its order: V starts at First and goes on by Step.
struct OrderedLoop {
  VarRef V;
  ExprRef First;
  int64_t Step;
  StmtRef Body;
};

std::optional<int64_t> asConstant(const ExprRef &E) {
  const Expr *Bare = E.get();
  while (const auto *C = dyn_cast<Cast>(Bare))
    Bare = C->Operand.get();
  const auto *C = dyn_cast<IntConst>(Bare);
  return C ? std::optional(C->Value) : std::nullopt;
}

/// Whether Old is the element that Now was one step of V ago.
bool isOneStepOld(const Subscripts &Old, const Subscripts &Now, const Var *V,
                  int64_t Step) {
  for (size_t D = 0; D < Now.size(); ++D) {
    const auto By =
        Now[D].mentions(V) ? Now[D].coefficient(V) : Polynomial::constant(0);
    if (!By || By->mentions(V) ||
        !(Now[D] - Old[D] == *By * Polynomial::constant(Step)))
      return false;
  }
  return true;
}

/// One value that a loop hands on.
struct Carried {
  size_t At = 0;          ///< which statement of the body stores it
  ExprRef Read;           ///< a load of it, one iteration later
  bool ReadAfter = false; ///< by a statement behind the store, too
  bool Surely = false;    ///< every iteration reads it
};

/// Of one loop in one region.
class Finder {
public:
  Finder(const OrderedLoop &L, const Region &R)
      : L(L), R(R), Body(statements(L.Body)) {}
  std::optional<Carried> run() const;

private:
  std::optional<Carried> carriedBy(size_t At) const;
  bool isPlain(const Access &A) const {
    return A.Buf->Elem.isFloat() && isSteady(A, L.Body);
  }
  bool mayBeStored(const Access &A, const Subscripts &Is,
                   const Store *But) const;

  const OrderedLoop &L;
  const Region &R;
  const llvm::ArrayRef<StmtRef> Body;
};

/// Whether a store of the body, But apart, may be to A's element.
bool Finder::mayBeStored(const Access &A, const Subscripts &Is,
                         const Store *But) const {
  return llvm::any_of(Body, [&](const StmtRef &S) {
    const auto *St = dyn_cast<Store>(S.get());
    if (!St || St == But)
      return false;
    if (St->To.Buf != A.Buf)
      return !areApart(R.Rests.Guards, *St->To.Buf, *A.Buf);
    const auto Other =
        areComparable(St->To, A) ? subscripts(St->To) : std::nullopt;
    return !Other || !differ(*Other, Is);
  });
}

/// What the store at At hands on to the next iteration.
std::optional<Carried> Finder::carriedBy(size_t At) const {
  const auto *St = dyn_cast<Store>(Body[At].get());
  if (!St || St->Op != Combiner::None || St->Atomic || !isPlain(St->To) ||
      St->Value->Ty != St->To.Buf->Elem)
    return std::nullopt;
  const auto Now = subscripts(St->To);
  if (!Now || mayBeStored(St->To, *Now, St))
    return std::nullopt;
  Carried Found;
  std::optional<Subscripts> Old;
  bool Before = false;
  for (size_t I = 0; I < Body.size(); ++I)
    forEachExpr(Body[I], [&](const ExprRef &E) {
      const auto *Ld = dyn_cast<Load>(E.get());
      if (!Ld || !areComparable(Ld->From, St->To) || !isPlain(Ld->From) ||
          Ld->Ty != St->Value->Ty)
        return;
      auto Is = subscripts(Ld->From);
      if (!Is || !isOneStepOld(*Is, *Now, L.V.get(), L.Step))
        return;
      (I > At ? Found.ReadAfter : Before) = true;
      Found.Surely |= loadsSurely(Body[I], E.get());
      Found.Read = E;
      Old = std::move(Is);
    });
  if (!Old || (!Before && !Found.ReadAfter) || mayBeStored(St->To, *Old, St) ||
      !differ(*Old, *Now))
    return std::nullopt;
  Found.At = At;
  return Found;
}

std::optional<Carried> Finder::run() const {
  for (size_t At = 0; At < Body.size(); ++At)
    if (auto Found = carriedBy(At))
      return Found;
  return std::nullopt;
}

/// Reads V where the element of Like was loaded.
class ReadsOf : public Rewriter {
public:
  ReadsOf(Access Like, VarRef V)
      : Like(std::move(Like)), Is(*subscripts(this->Like)), V(std::move(V)) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *Ld = dyn_cast<Load>(E.get());
    if (!Ld || !areComparable(Ld->From, Like))
      return E;
    const auto Other = subscripts(Ld->From);
    return Other && *Other == Is ? build::var(V) : E;
  }

private:
  const Access Like;
  const Subscripts Is;
  const VarRef V;
};

/// The body of L, with what C says in Last.
StmtRef withCarried(const OrderedLoop &L, const Carried &C,
                    const VarRef &Last) {
  ReadsOf Replace(cast<Load>(C.Read.get())->From, Last);
  std::unique_ptr<ReadsOf> ReplaceNew;
  std::vector<StmtRef> Out;
  VarRef New = Last;
  const llvm::ArrayRef<StmtRef> Body = statements(L.Body);
  for (size_t I = 0; I < Body.size(); ++I) {
    const StmtRef S = Replace.run(Body[I]);
    if (I != C.At) {
      Out.push_back(ReplaceNew ? ReplaceNew->run(S) : S);
      continue;
    }
    const auto &St = cast<Store>(*S);
    if (C.ReadAfter) {
      const auto V = std::make_shared<Var>(*Last);
      V->Name = plainName(St.To.Buf->Name) + "_" + L.V->Name;
      V->Const = true;
      Out.push_back(std::make_shared<Decl>(V, St.Value));
      New = V;
    } else if (const auto *U = dyn_cast<VarUse>(St.Value.get());
               !U || U->V != Last) { // a copy of it is what it is already
      Out.push_back(
          std::make_shared<Assign>(Last, Combiner::None, St.Value, St.Loc));
    }
    Out.push_back(std::make_shared<Store>(St.To, Combiner::None,
                                          build::var(New), false, St.Loc));
    ReplaceNew = std::make_unique<ReadsOf>(St.To, New);
  }
  if (C.ReadAfter)
    Out.push_back(
        std::make_shared<Assign>(Last, Combiner::None, build::var(New)));
  return makeBlock(std::move(Out), L.Body->Loc);
}

/// Of one region.
class Carrier {
public:
  Carrier(const Region &R, bool MayTest) : Runs(R, MayTest), R(R) {}
  bool Changed = false;
  LoopRuns Runs;

  std::vector<StmtRef> list(llvm::ArrayRef<StmtRef> Body, bool InLoop);

private:
  StmtRef run(const StmtRef &S, bool InLoop);
  std::vector<StmtRef> carry(OrderedLoop &L, llvm::ArrayRef<StmtRef> Before,
                             const Iterator *It);
  std::vector<StmtRef> inLoop(const StmtRef &S, llvm::ArrayRef<StmtRef> Before);

  const Region &R;
};

/// The access by which Before, which runs in full ahead of the loop, has
/// touched the element of A already.
const Access *touched(llvm::ArrayRef<StmtRef> Before, const Access &A) {
  const auto Is = subscripts(A);
  for (const StmtRef &S : llvm::reverse(Before)) {
    const auto *St = dyn_cast<Store>(S.get());
    if (!St && !isa<Decl>(S.get()) && !isa<For>(S.get()) &&
        !isa<TensorOp>(S.get()) && !isa<Assign>(S.get()))
      return nullptr;
    // What the subscripts say there, they say here.
    bool Set = false;
    forEachExpr(build::load(A), [&](const ExprRef &Sub) {
      const auto *U = dyn_cast<VarUse>(Sub.get());
      Set |= U && assigns(S, U->V.get());
    });
    if (Set)
      return nullptr;
    if (!St || !Is || !areComparable(St->To, A))
      continue;
    const auto Other = subscripts(St->To);
    if (Other && *Other == *Is)
      return &St->To;
  }
  return nullptr;
}

/// What stands before the loop; L's body reads it. It: L as an iterator.
std::vector<StmtRef> Carrier::carry(OrderedLoop &L,
                                    llvm::ArrayRef<StmtRef> Before,
                                    const Iterator *It) {
  std::vector<StmtRef> Out;
  if (!isStraight(L.Body))
    return Out;
  while (const auto C = Finder(L, R).run()) {
    Access First = cast<Load>(C->Read.get())->From;
    const ExprRef Start = build::cast(L.First, L.V->Ty);
    for (ExprRef &E : First.Indices)
      E = ConstantFolder().run(substitute(E, L.V, Start));
    // It is there to be loaded if it was just stored to, or if the loop runs.
    if (const Access *Same = touched(Before, First))
      First = *Same;
    else if (!It || !C->Surely || !Runs.runs(*It))
      break;
    const auto Last = std::make_shared<Var>();
    Last->Name = plainName(First.Buf->Name) + "_last";
    Last->Ty = C->Read->Ty;
    Out.push_back(std::make_shared<Decl>(Last, build::load(First)));
    L.Body = withCarried(L, *C, Last);
    Changed = true;
  }
  return Out;
}

/// S with what is to stand before it, where that is a loop that hands on
/// values; else nothing.
std::vector<StmtRef> Carrier::inLoop(const StmtRef &S,
                                     llvm::ArrayRef<StmtRef> Before) {
  if (const auto *F = dyn_cast<For>(S.get())) {
    const auto By = asConstant(F->Step);
    if (F->LKind != LoopKind::Serial || !By || assigns(F->Body, F->V.get()))
      return {};
    OrderedLoop L{F->V, F->Lo, *By, F->Body};
    std::vector<StmtRef> Out = carry(L, Before, nullptr);
    if (!Out.empty())
      Out.push_back(std::make_shared<For>(F->V, F->Lo, F->Cond, F->Hi, F->Step,
                                          F->LKind, F->DeclaresVar, L.Body,
                                          F->Loc));
    return Out;
  }
  const auto *T = dyn_cast<TensorOp>(S.get());
  if (!T || T->Mask || T->Iterators.empty() ||
      T->Iterators.back().Kind != IterKind::Serial)
    return {};
  const Iterator &It = T->Iterators.back();
  const auto By = asConstant(It.Step);
  if (!By)
    return {};
  const bool Alone = T->Iterators.size() == 1;
  OrderedLoop L{It.V, It.Lo, *By, T->Body};
  Runs.enter(*T);
  std::vector<StmtRef> Out =
      carry(L, Alone ? Before : llvm::ArrayRef<StmtRef>(), &It);
  if (Out.empty())
    return Out;
  Out.push_back(std::make_shared<TensorOp>(std::vector<Iterator>{It}, nullptr,
                                           L.Body, "", T->Loc));
  if (Alone)
    return Out;
  std::vector<Iterator> Rest = T->Iterators;
  Rest.pop_back();
  return {std::make_shared<TensorOp>(std::move(Rest), nullptr,
                                     makeBlock(std::move(Out), T->Loc),
                                     T->OpKind, T->Loc)};
}

std::vector<StmtRef> Carrier::list(llvm::ArrayRef<StmtRef> Body, bool InLoop) {
  std::vector<StmtRef> Out;
  for (const StmtRef &S : Body) {
    const auto *T = dyn_cast<TensorOp>(S.get());
    const bool Within = InLoop || (T && T->Iterators.size() > 1);
    std::vector<StmtRef> New = Within ? inLoop(S, Out) : std::vector<StmtRef>();
    if (New.empty())
      New.push_back(run(S, InLoop));
    Out.insert(Out.end(), New.begin(), New.end());
  }
  return Out;
}

StmtRef Carrier::run(const StmtRef &S, bool InLoop) {
  if (const auto *D = dyn_cast<Decl>(S.get()))
    Runs.enterBand(*D);
  const auto *T = dyn_cast<TensorOp>(S.get());
  if (!T) {
    const bool Loop = isa<For>(S.get()) || isa<While>(S.get());
    return mapChildren(S, [&](const StmtRef &Sub) {
      return Sub ? makeBlock(list(statements(Sub), InLoop || Loop)) : Sub;
    });
  }
  Runs.enter(*T);
  return std::make_shared<TensorOp>(T->Iterators, T->Mask,
                                    makeBlock(list(statements(T->Body), true)),
                                    T->OpKind, T->Loc);
}

StmtRef carried(const Region &R, bool MayTest) {
  Carrier C(R, MayTest);
  StmtRef Body = makeBlock(C.list(statements(R.Body), false));
  if (!C.Changed)
    return nullptr;
  Obligations Rests = R.Rests;
  C.Runs.joinTests(Rests.Guards);
  return laidOut(R, std::move(Body), std::move(Rests));
}

} // namespace

FunctionRef raise::carryValues(FunctionRef F, Context &Ctx) {
  // Expressions of whole arrays have no loops that could hand on anything.
  if (Ctx.Opts.Target != Dialect::OpenMP || !hasPlainOriginals(*F))
    return F;
  return mapRegions(
      F, [](const Region &R) { return carried(R, /*MayTest=*/true); });
}
