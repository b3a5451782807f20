//===- SplitBarriers.cpp - kernels whose threads wait for each other ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel with barriers or shared arrays becomes a loop over blocks, in which
// what a thread does is cut at the barriers: loops over the threads of the
// block, with what all threads do alike around them (BarrierPhases.h). Shared
// arrays are the block's own.
//
//===----------------------------------------------------------------------===//
#include "BarrierPhases.h"
#include "BarrierRaces.h"
#include "FoldConstants.h"
#include "LaunchForm.h"
#include "raise/IR/Effects.h"
#include "raise/Transform/Barriers.h"
#include "raise/Transform/IndexMath.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;

namespace raise {

namespace {

constexpr unsigned NumDims = 6; // as Index of threadBody

/// The loops over a launch, outermost first, by their place in Index.
constexpr unsigned OutermostFirst[] = {2, 1, 0, 5, 4, 3};

/// What is left of Body's array when it is the block's.
class OwnArray : public Rewriter {
public:
  OwnArray(BufferRef From, BufferRef To)
      : From(std::move(From)), To(std::move(To)) {}

private:
  BufferRef From, To;
  DenseMap<const Var *, VarRef> Cursors;
  Access moved(Access A) const {
    if (A.Buf == From)
      A.Buf = To;
    return A;
  }
  VarRef moved(const VarRef &V) {
    if (V->Base != From)
      return V;
    VarRef &Own = Cursors[V.get()];
    if (!Own) {
      auto New = std::make_shared<Var>(*V);
      New->Base = To;
      Own = New;
    }
    return Own;
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *L = dyn_cast<Load>(E.get()); L && L->From.Buf == From)
      return std::make_shared<Load>(moved(L->From), E->Ty, E->Loc);
    if (auto *U = dyn_cast<VarUse>(E.get()); U && U->V->Base == From)
      return std::make_shared<VarUse>(moved(U->V), E->Loc);
    return E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *St = dyn_cast<Store>(S.get()); St && St->To.Buf == From)
      return std::make_shared<Store>(moved(St->To), St->Op, St->Value,
                                     St->Atomic, S->Loc);
    if (auto *D = dyn_cast<DeclBuffer>(S.get()); D && D->B == From)
      return std::make_shared<DeclBuffer>(To, D->Init, S->Loc);
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->V->Base == From)
      return std::make_shared<Decl>(moved(D->V), D->Init, S->Loc);
    if (auto *A = dyn_cast<Assign>(S.get()); A && A->V->Base == From)
      return std::make_shared<Assign>(moved(A->V), A->Op, A->Value, S->Loc);
    return S;
  }
};

/// The loops over a launch around Body, and the arrays between them.
struct LaunchNest {
  VarRef Index[NumDims];
  std::vector<BufferRef> Shared;
  StmtRef Body;
};

/// None where F has not the form that the frontend produces.
std::optional<LaunchNest> launchNest(const Function &F) {
  LaunchNest N;
  StmtRef S = F.Body;
  for (unsigned D : OutermostFirst) {
    for (;;) {
      ArrayRef<StmtRef> List = statements(S);
      if (!isa<Block>(*S) || List.empty())
        break;
      for (const StmtRef &Sub : List.drop_back()) {
        auto *Array = dyn_cast<DeclBuffer>(Sub.get());
        if (!Array || !Array->Init.empty())
          return std::nullopt;
        N.Shared.push_back(Array->B);
      }
      S = List.back();
    }
    auto *L = dyn_cast<For>(S.get());
    if (!L || !isThreadLoop(L->LKind))
      return std::nullopt;
    N.Index[D] = L->V;
    S = L->Body;
  }
  N.Body = S;
  return N;
}

/// Sums and products with 0, and conversions of it, as what they come to.
StmtRef withoutZeros(const StmtRef &S) {
  struct Folder : Rewriter {
    ExprRef rewriteExpr(const ExprRef &E) override {
      if (auto *C = dyn_cast<Cast>(E.get())) {
        auto *K = dyn_cast<IntConst>(C->Operand.get());
        return K && K->Value == 0 && E->Ty.isInt() ? build::intConst(0, E->Ty)
                                                   : E;
      }
      auto *B = dyn_cast<Binary>(E.get());
      if (!B || !E->Ty.isInt())
        return E;
      const auto IsZero = [](const ExprRef &X) {
        auto *K = dyn_cast<IntConst>(X.get());
        return K && K->Value == 0;
      };
      if (B->Op == BinaryOp::Add)
        return IsZero(B->L) ? B->R : IsZero(B->R) ? B->L : E;
      if (B->Op == BinaryOp::Sub)
        return IsZero(B->R) ? B->L : E;
      return B->Op == BinaryOp::Mul && (IsZero(B->L) || IsZero(B->R))
                 ? build::intConst(0, E->Ty)
                 : E;
    }
  } F;
  return F.run(S);
}

class BarrierSplitter {
public:
  BarrierSplitter(FunctionRef F, Context &Ctx)
      : F(std::move(F)), Ctx(Ctx), Index(Nest.Index), Body(Nest.Body) {}

  FunctionRef run() {
    std::optional<LaunchNest> Found = launchNest(*F);
    if (!Found)
      return F;
    Nest = std::move(*Found);
    bool Waits = !Nest.Shared.empty();
    forEachStmt(Body, [&](const StmtRef &S) { Waits |= isa<Barrier>(*S); });
    if (!Waits)
      return F; // merge-launch has more to say of it
    Reason Why = findDivergentBarrier(*F);
    if (!Why.isSet())
      Why = whyNot();
    if (Why.isSet())
      return left(Why);
    ownParameters();
    nameIterators();
    takeLiteralBlocks();
    ownArrays();
    renameArrays();
    std::set<const Var *> Threads;
    for (unsigned D = 3; D < NumDims; ++D)
      if (Iterator[D])
        Threads.insert(Iterator[D].get());
    Phases All = cutAtBarriers(Body, std::move(Threads));
    if (All.Why.isSet())
      return left(All.Why);
    StmtList Out = keepAcross(All);
    if (All.Why.isSet())
      return left(All.Why);
    Obligations Rests = obligations();
    if (Reason Race = findRaces(All, Rests.Guards); Race.isSet())
      return left(Race);
    emit(All.List, Out);
    StmtRef S = makeBlock(std::move(Out), F->Loc);
    for (unsigned D : {0, 1, 2})
      if (Iterator[D])
        S = loopOver(D, Iterator[D], std::move(S));
    return withBody(*F, std::make_shared<Region>(
                            std::move(Rests), makeBlock({S}), F->Body, F->Loc));
  }

private:
  FunctionRef F;
  Context &Ctx;
  LaunchNest Nest;
  VarRef (&Index)[NumDims];
  StmtRef &Body;
  VarRef Iterator[NumDims];        ///< null: the kernel never looks at it
  int64_t Literal[NumDims] = {};   ///< the kernel's own number for an extent
  StmtList Own;                    ///< the block's arrays
  std::vector<ExprRef> MustFitInt; ///< i64, what indices stay below

  FunctionRef left(const Reason &Why) {
    Ctx.Missed.push_back(Why);
    return F;
  }

  Reason whyNot() const {
    Reason Why;
    forEachStmt(Body, [&](const StmtRef &S) {
      if (Why.isSet())
        return;
      if (auto *O = dyn_cast<Opaque>(S.get()))
        Why = {O->Code, O->Why, O->Loc};
      else if (isa<Return>(*S))
        Why = {"CR1403",
               "a thread ends in the middle of a loop or of nested conditions",
               S->Loc};
    });
    return Why;
  }

  const VarRef &extent(unsigned D) const { return F->LaunchDims[D]; }
  ExprRef extentIn(unsigned D, const Type &Ty) const {
    return Literal[D] ? build::intConst(Literal[D], Ty)
                      : build::cast(build::var(extent(D)), Ty);
  }

  /// A thread has its own copy of each parameter that the kernel changes.
  void ownParameters() {
    StmtList List;
    for (const Param &P : F->Params) {
      if (!P.Scalar || !assigns(Body, P.Scalar.get()))
        continue;
      auto Copy = std::make_shared<Var>(*P.Scalar);
      Copy->Kind = VarKind::Local;
      Copy->Const = false;
      struct Renamer : Rewriter {
        VarRef From, To;
        ExprRef rewriteExpr(const ExprRef &E) override {
          auto *U = dyn_cast<VarUse>(E.get());
          return U && U->V == From ? build::var(To) : E;
        }
        StmtRef rewriteStmt(const StmtRef &S) override {
          if (auto *A = dyn_cast<Assign>(S.get()); A && A->V == From)
            return std::make_shared<Assign>(To, A->Op, A->Value, S->Loc);
          if (auto *L = dyn_cast<For>(S.get()); L && L->V == From)
            return std::make_shared<For>(To, L->Lo, L->Cond, L->Hi, L->Step,
                                         L->LKind, L->DeclaresVar, L->Body,
                                         S->Loc);
          return S;
        }
      } R;
      R.From = P.Scalar;
      R.To = Copy;
      Body = R.run(Body);
      List.push_back(
          std::make_shared<Decl>(Copy, build::var(P.Scalar), P.Scalar->Loc));
    }
    if (List.empty())
      return;
    append_range(List, statements(Body));
    Body = std::make_shared<Block>(std::move(List), Body->Loc);
  }

  void takeLiteralBlocks() {
    VarRef Names[NumDims];
    for (unsigned D = 0; D < NumDims; ++D)
      Names[D] = Iterator[D] ? Iterator[D] : Index[D];
    const auto Sizes = literalBlockSizes(Body, Names);
    for (unsigned D = 0; D < 3; ++D)
      if (Sizes[D]) {
        Literal[D + 3] = Sizes[D];
        Body = withExtent(Body, extent(D + 3), Sizes[D]);
      }
  }

  static const Expr *withoutCasts(const Expr *E) {
    while (auto *C = dyn_cast<Cast>(E)) {
      if (!C->Operand->Ty.isInt() || C->Ty.Bits < 32)
        break;
      E = C->Operand.get();
    }
    return E;
  }

  /// The variable that is declared to be the index V and never changed.
  VarRef declaredAs(const Var *V) const {
    VarRef Found;
    forEachStmt(Body, [&](const StmtRef &S) {
      auto *D = dyn_cast<Decl>(S.get());
      if (Found || !D || !D->Init || !D->V->Ty.isInt() || D->V->Ty.Bits < 32 ||
          D->V->Kind == VarKind::Cursor)
        return;
      auto *U = dyn_cast<VarUse>(withoutCasts(D->Init.get()));
      unsigned Sets = 0;
      assignedVars(Body, [&](const VarRef &Set) { Sets += Set == D->V; });
      if (U && U->V.get() == V && Sets == 1)
        Found = D->V;
    });
    return Found;
  }

  std::string freshName(unsigned D, const std::set<std::string> &Taken) const {
    // `block` and `grid` are the launcher's own.
    const unsigned First = D < 3 ? 0 : 3;
    const bool Alone = all_of(seq(First, First + 3), [&](unsigned Other) {
      return Other == D || !uses(Body, Index[Other].get());
    });
    std::string Base = D < 3 ? "b" : "t";
    if (!Alone)
      Base += "xyz"[D % 3];
    std::string Name = Base;
    for (unsigned N = 1; Taken.count(Name); ++N)
      Name = Base + std::to_string(N);
    return Name;
  }

  /// An int for each index that the kernel looks at, or the variable that the
  /// kernel has for it; sums and products of indices and extents that are made
  /// ints are computed as such, since all of them are.
  void nameIterators() {
    std::set<std::string> Taken;
    for (const Param &P : F->Params)
      Taken.insert(P.name().str());
    assignedVars(Body, [&](const VarRef &V) { Taken.insert(V->Name); });
    for (const BufferRef &B : Nest.Shared)
      Taken.insert(B->Name);
    std::set<const Var *> Dropped;
    for (unsigned D = 0; D < NumDims; ++D) {
      if (!uses(Body, Index[D].get()))
        continue;
      if (const VarRef Declared = declaredAs(Index[D].get())) {
        Iterator[D] = Declared;
        Dropped.insert(Declared.get());
        continue;
      }
      auto V = std::make_shared<Var>();
      V->Name = freshName(D, Taken);
      V->Ty = Type::getI32();
      Iterator[D] = V;
    }
    struct Replacer : Rewriter {
      BarrierSplitter &S;
      const std::set<const Var *> &Dropped;
      Replacer(BarrierSplitter &S, const std::set<const Var *> &Dropped)
          : S(S), Dropped(Dropped) {}
      ExprRef rewriteExpr(const ExprRef &E) override {
        if (auto *U = dyn_cast<VarUse>(E.get()))
          for (unsigned D = 0; D < NumDims; ++D)
            if (U->V == S.Index[D])
              return build::cast(build::var(S.Iterator[D]), E->Ty);
        if (auto *L = dyn_cast<Load>(E.get())) {
          Access From = L->From;
          return S.plainIndices(From)
                     ? std::make_shared<Load>(From, E->Ty, E->Loc)
                     : E;
        }
        auto *C = dyn_cast<Cast>(E.get());
        return C && C->Ty.isInt() && C->Ty.Bits >= 32
                   ? S.narrowed(E, C->Operand, E->Ty)
                   : E;
      }
      StmtRef rewriteStmt(const StmtRef &St) override {
        auto *D = dyn_cast<Decl>(St.get());
        if (D && Dropped.count(D->V.get()))
          return nullptr;
        auto *W = dyn_cast<Store>(St.get());
        Access At = W ? W->To : Access();
        return W && S.plainIndices(At)
                   ? std::make_shared<Store>(At, W->Op, W->Value, W->Atomic,
                                             St->Loc)
                   : St;
      }
    } R(*this, Dropped);
    Body = R.run(Body);
  }

  /// Has indices that are made of indices of threads, which are never negative,
  /// be ints, unsigned or not as they were. False if there is nothing to do.
  bool plainIndices(Access &At) {
    bool Any = false;
    for (ExprRef &E : At.Indices) {
      auto *C = dyn_cast<Cast>(E.get());
      auto *U = dyn_cast<VarUse>(withoutCasts(E.get()));
      if (C && U && is_contained(Iterator, U->V)) {
        E = std::make_shared<VarUse>(U->V, E->Loc);
        Any = true;
      } else if (isa<Binary>(*E) && E->Ty == Type::getInt(32, false)) {
        ExprRef Int = narrowed(E, E, Type::getI32());
        Any |= Int != E;
        E = std::move(Int);
      }
    }
    return Any;
  }

  /// E, which stands for the unsigned number Of in type Ty, computed as an int
  /// (which MustFitInt asks for) where Of is made of indices and extents; else
  /// E.
  ExprRef narrowed(const ExprRef &E, const ExprRef &Of, const Type &Ty) {
    ExprRef Most;
    const ExprRef Int = asInt(Of, Most);
    if (!Int)
      return E;
    if (isa<Binary>(*withoutCasts(Of.get())) &&
        none_of(MustFitInt,
                [&](const ExprRef &M) { return structurallyEqual(M, Most); }))
      MustFitInt.push_back(Most);
    return build::cast(Int, Ty);
  }

  /// E, which is made of indices, extents and natural numbers by sums and
  /// products, as an int; Most is what it stays below, or its value, in 64
  /// bits. Null for anything else.
  ExprRef asInt(const ExprRef &E, ExprRef &Most) const {
    const Type I32 = Type::getI32(), I64 = Type::getI64();
    if (!E->Ty.isInt())
      return nullptr;
    if (auto *K = dyn_cast<IntConst>(E.get())) {
      if (K->Value < 0 || K->Value > MostFactor)
        return nullptr;
      Most = build::intConst(K->Value, I64);
      return std::make_shared<IntConst>(K->Value, I32, K->Spelling, E->Loc);
    }
    if (auto *U = dyn_cast<VarUse>(E.get())) {
      for (unsigned D = 0; D < NumDims; ++D) {
        if (Iterator[D] == U->V || extent(D) == U->V) {
          Most = extentIn(D, I64);
          return build::cast(E, I32);
        }
      }
      return nullptr;
    }
    if (auto *C = dyn_cast<Cast>(E.get()))
      return C->Ty.Bits >= 32 ? asInt(C->Operand, Most) : nullptr;
    auto *B = dyn_cast<Binary>(E.get());
    if (!B || E->Ty.Bits > 32 ||
        (B->Op != BinaryOp::Add && B->Op != BinaryOp::Mul))
      return nullptr;
    ExprRef MostL, MostR;
    const ExprRef L = asInt(B->L, MostL), R = L ? asInt(B->R, MostR) : nullptr;
    if (!R || bitsOf(B->L) + bitsOf(B->R) > 61)
      return nullptr;
    Most = build::binary(B->Op, MostL, MostR);
    return std::make_shared<Binary>(B->Op, L, R, I32, E->Loc);
  }

  static constexpr int64_t MostFactor = 1 << 20;

  /// Most binary digits of a number that asInt takes.
  unsigned bitsOf(const ExprRef &E) const {
    if (auto *C = dyn_cast<Cast>(E.get()))
      return bitsOf(C->Operand);
    if (auto *K = dyn_cast<IntConst>(E.get()))
      return Log2_64(uint64_t(K->Value) + 1) + 1;
    if (auto *U = dyn_cast<VarUse>(E.get())) {
      static const unsigned Bits[] = {31, 16, 16, 11, 11, 7};
      for (unsigned D = 0; D < NumDims; ++D)
        if (Iterator[D] == U->V || extent(D) == U->V)
          return Bits[D];
      return 64;
    }
    auto *B = cast<Binary>(E.get());
    return B->Op == BinaryOp::Mul ? bitsOf(B->L) + bitsOf(B->R)
                                  : std::max(bitsOf(B->L), bitsOf(B->R)) + 1;
  }

  /// `grid` and `block` are the launch's.
  static std::string ownName(const std::string &Name) {
    return Name == "grid" || Name == "block" ? "own_" + Name : Name;
  }

  void renameArrays() {
    std::vector<BufferRef> Named;
    forEachStmt(Body, [&](const StmtRef &S) {
      auto *D = dyn_cast<DeclBuffer>(S.get());
      if (D && ownName(D->B->Name) != D->B->Name)
        Named.push_back(D->B);
    });
    for (const BufferRef &B : Named) {
      auto Array = std::make_shared<Buffer>(*B);
      Array->Name = ownName(B->Name);
      Body = OwnArray(B, Array).run(Body);
    }
  }

  void ownArrays() {
    for (const BufferRef &B : Nest.Shared) {
      auto Array = std::make_shared<Buffer>(*B);
      Array->Kind = BufferKind::Local;
      Array->Name = ownName(B->Name);
      if (isDynamicShared(*B)) { // pages that are not touched cost nothing
        int64_t Row = int64_t(B->Elem.Bits) / 8;
        for (size_t D = 1; D < B->Extents.size(); ++D)
          Row *= constantValue(B->Extents[D]).value_or(1);
        Array->Extents[0] =
            build::intConst(MostDynamicShared / std::max<int64_t>(Row, 1));
      }
      Body = OwnArray(B, Array).run(Body);
      Own.push_back(std::make_shared<DeclBuffer>(Array));
    }
  }

  /// Every expression that the block evaluates outside of the loops over its
  /// threads.
  static void forEachOfBlock(const PhaseList &List,
                             function_ref<void(const ExprRef &)> Fn) {
    for (const PhaseNode &N : List) {
      if (N.Kind == PhaseNode::Once)
        for (const StmtRef &S : N.List)
          forEachExpr(S, Fn);
      if (N.Kind == PhaseNode::Nest)
        if (const ExprRef Cond = conditionOf(N.Control.get()))
          forEachExpr(Cond, Fn);
      forEachOfBlock(N.Then, Fn);
      forEachOfBlock(N.Else, Fn);
    }
  }

  /// The block's arrays. One that the block itself looks at starts as zeros: a
  /// compiler cannot know that there are threads, and warns.
  StmtList startedArrays(const Phases &All) const {
    std::set<const Buffer *> Read;
    forEachOfBlock(All.List, [&](const ExprRef &E) {
      if (auto *L = dyn_cast<Load>(E.get()))
        Read.insert(L->From.Buf.get());
    });
    StmtList Out;
    for (const StmtRef &S : Own) {
      const BufferRef &B = cast<DeclBuffer>(S.get())->B;
      const std::optional<int64_t> Size = constantElements(*B);
      if (!Read.count(B.get()) || !Size || B->Elem.isVoid()) {
        Out.push_back(S);
        continue;
      }
      const ExprRef Zero = build::cast(build::intConst(0), B->Elem);
      Out.push_back(std::make_shared<DeclBuffer>(
          B, std::vector<ExprRef>(size_t(*Size), Zero)));
    }
    return Out;
  }

  static std::optional<int64_t> constantElements(const Buffer &B) {
    int64_t Size = 1;
    for (const ExprRef &E : B.Extents) {
      const std::optional<int64_t> N = E ? constantValue(E) : std::nullopt;
      if (!N)
        return std::nullopt;
      Size *= *N;
    }
    return Size;
  }

  StmtList keepAcross(Phases &All) {
    std::vector<VarRef> Iterators;
    std::vector<int64_t> Sizes;
    std::vector<ExprRef> Extents;
    for (unsigned D : {5, 4, 3})
      if (Iterator[D]) {
        Iterators.push_back(Iterator[D]);
        Sizes.push_back(Literal[D]);
        Extents.push_back(extentIn(D, Type::getI32()));
      }
    StmtList Out = startedArrays(All);
    append_range(Out, AcrossBarriers(All, Body, std::move(Iterators),
                                     std::move(Sizes), std::move(Extents))
                          .run());
    return Out;
  }

  Reason findRaces(const Phases &All, std::vector<Guard> &Guards) const {
    std::vector<std::shared_ptr<const For>> Blocks;
    for (unsigned D : {2, 1, 0})
      if (Iterator[D])
        Blocks.push_back(loopOver(D, Iterator[D], makeBlock({})));
    const auto OverThreads = [&](StmtRef S) {
      std::vector<std::shared_ptr<const For>> Loops;
      for (unsigned D : {3, 4, 5})
        if (Iterator[D]) {
          Loops.insert(Loops.begin(), loopOver(D, Iterator[D], S));
          S = Loops.front();
        }
      return Loops;
    };
    return BarrierRaces(*F, Ctx, All, std::move(Blocks), OverThreads)
        .find(Guards);
  }

  std::shared_ptr<const For> loopOver(unsigned D, const VarRef &V,
                                      StmtRef S) const {
    return std::make_shared<For>(V, build::intConst(0, V->Ty), BinaryOp::LT,
                                 extentIn(D, V->Ty), build::intConst(1, V->Ty),
                                 LoopKind::Parallel, true, std::move(S),
                                 F->Loc);
  }

  void emit(const PhaseList &List, StmtList &Out) const {
    for (const PhaseNode &N : List)
      switch (N.Kind) {
      case PhaseNode::Wait:
        break;
      case PhaseNode::Once:
        append_range(Out, N.List);
        break;
      case PhaseNode::Threads:
        append_range(Out, statements(overThreads(makeBlock(N.List, F->Loc))));
        break;
      case PhaseNode::Nest:
        if (StmtRef S = around(N))
          Out.push_back(std::move(S));
        break;
      }
  }

  /// S for each thread; for the first alone where no other does anything.
  StmtRef overThreads(StmtRef S) const {
    for (unsigned D : {3, 4, 5})
      if (Iterator[D] && !takeFirst(S, Iterator[D])) {
        auto V = std::make_shared<Var>(*Iterator[D]);
        S = loopOver(D, V, substitute(S, Iterator[D], build::var(V)));
      }
    return S;
  }

  /// S, where it is declarations and an `if (t == 0 && ...)` for the iterator
  /// V, with 0 for it.
  static bool takeFirst(StmtRef &S, const VarRef &V) {
    const ArrayRef<StmtRef> List = statements(S);
    auto *I = List.empty() ? nullptr : dyn_cast<If>(List.back().get());
    if (!I || I->Else || any_of(List.drop_back(), [](const StmtRef &D) {
          return !isa<Decl>(*D);
        }))
      return false;
    std::vector<ExprRef> All;
    conjuncts(I->Cond, All);
    ExprRef Rest;
    bool Found = false;
    for (const ExprRef &C : All) {
      auto *B = dyn_cast<Binary>(C.get());
      auto *U = B ? dyn_cast<VarUse>(withoutCasts(B->L.get())) : nullptr;
      auto *K = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
      if (U && U->V == V && K && K->Value == 0 && B->Op == BinaryOp::EQ)
        Found = true;
      else
        Rest = build::logicalAnd(Rest, C);
    }
    if (!Found)
      return false;
    StmtList Out = List.drop_back().vec();
    if (Rest)
      Out.push_back(std::make_shared<If>(Rest, I->Then, nullptr, I->Loc));
    else
      append_range(Out, statements(I->Then));
    S = substitute(std::make_shared<Block>(std::move(Out), S->Loc), V,
                   build::intConst(0, V->Ty));
    S = withoutZeros(S);
    return true;
  }

  static bool hasTraps(const ExprRef &E) { return effectsOf(E).MayTrap; }

  /// N's statement around its pieces; null where it would do nothing.
  StmtRef around(const PhaseNode &N) const {
    StmtList Then, Else;
    emit(N.Then, Then);
    emit(N.Else, Else);
    const Stmt *S = N.Control.get();
    StmtRef Inner = std::make_shared<Block>(std::move(Then), S->Loc);
    if (auto *I = dyn_cast<If>(S);
        I && statements(Inner).empty() && Else.empty() && !hasTraps(I->Cond))
      return nullptr;
    if (auto *I = dyn_cast<If>(S))
      return std::make_shared<If>(
          I->Cond, Inner,
          I->Else ? std::make_shared<Block>(std::move(Else), S->Loc) : nullptr,
          S->Loc);
    if (auto *W = dyn_cast<While>(S))
      return std::make_shared<While>(W->Cond, W->TestFirst, Inner, W->Why,
                                     S->Loc, nullptr);
    auto *L = cast<For>(S);
    return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step, L->LKind,
                                 L->DeclaresVar, Inner, S->Loc);
  }

  Obligations obligations() const {
    Obligations O;
    std::vector<unsigned> Unused;
    ExprRef Once;
    for (unsigned D = 0; D < NumDims; ++D)
      if (!Iterator[D]) {
        Unused.push_back(D);
        Once = build::logicalAnd(
            Once, build::binary(BinaryOp::EQ, build::var(extent(D)),
                                build::intConst(1, extent(D)->Ty)));
      }
    if (Once)
      O.Guards.push_back({Once, {}, {}, unusedText(Unused)});
    for (unsigned D = 0; D < NumDims; ++D)
      if (Literal[D])
        O.Guards.push_back(
            {build::binary(BinaryOp::EQ, build::var(extent(D)),
                           build::intConst(Literal[D], extent(D)->Ty)),
             {},
             {},
             extent(D)->Name + " is " + std::to_string(Literal[D])});
    for (const ExprRef &Most : MustFitInt)
      O.Guards.push_back(
          {build::binary(BinaryOp::LE, Most,
                         build::intConst(std::numeric_limits<int32_t>::max(),
                                         Type::getI64())),
           {},
           {},
           "a thread's index fits an int"});
    return O;
  }
};

} // namespace

FunctionRef splitBarriers(FunctionRef F, Context &Ctx) {
  if (F->Kind != FunctionKind::Kernel)
    return F;
  return BarrierSplitter(F, Ctx).run();
}

} // namespace raise
