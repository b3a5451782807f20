//===- MergeLaunch.cpp - a launch's threads as plain ranges ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The six loops over grid and block become one loop for each index that the
// kernel really uses. An expression over blockIdx and threadIdx whose
// coefficients form a mixed-radix number (1, blockDim.x, gridDim.x*blockDim.x,
// ...) counts the threads of its dimensions one by one; where those dimensions
// are used in no other way, its value is the iterator, from 0 to the product of
// their extents. A dimension that is used otherwise is an iterator by itself;
// one that is not used must have extent 1, which the launch is tested for. A
// guard `if (i < n)` around the body becomes the end of the range, when the
// launch is tested to reach it; a grid-stride loop needs no such test.
//
//===----------------------------------------------------------------------===//
#include "LaunchExtents.h"
#include "LaunchForm.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Barriers.h"
#include "raise/Transform/IndexMath.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <set>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

constexpr unsigned NumDims = 6; // as Index of threadBody

/// Iterates over a set of thread dimensions, least significant first.
struct Group {
  std::vector<unsigned> Digits;
  VarRef Iterator;
  ExprRef Bound;           ///< a guard's n in i < n; null: the whole range
  bool GridStride = false; ///< the bound comes from a grid-stride loop
};

class LaunchMerger {
public:
  /// Known: of the launch, if it is one that stands in a host function.
  LaunchMerger(FunctionRef F, Context &Ctx, const LaunchExtents *Known)
      : F(std::move(F)), Ctx(Ctx), Known(Known) {}

  FunctionRef run() {
    if (Reason Why = findDivergentBarrier(*F); Why.isSet()) {
      if (Ctx.Missed.empty()) // else split-barriers has said it
        Ctx.Missed.push_back(std::move(Why));
      return F;
    }
    Body = threadBody(F->Body, Index, Ctx);
    if (Body)
      Body = withoutLaunchNames(withoutAsserts(Body, Asserted), Index);
    if (!Body || !isMergeable())
      return F;
    takeLiteralBlocks();
    collectUses();
    formGroups();
    replaceUses();
    hoistInvariants();
    if (!takeGridStride())
      takeGuards();
    return withBody(*F, build());
  }

private:
  FunctionRef F;
  Context &Ctx;
  const LaunchExtents *const Known;
  std::vector<Guard> Asserted;
  VarRef Index[NumDims];
  StmtRef Body;
  /// Maximal expressions that count threads, with their digits.
  std::vector<std::pair<ExprRef, std::vector<unsigned>>> Uses;
  std::vector<Group> Groups;
  std::vector<unsigned> Unused;
  std::vector<StmtRef> Hoisted;
  std::set<const Var *> Fixed; ///< hoisted variables
  std::vector<StmtRef> List;   ///< statements of the body

  /// The kernel's own number for the extent of a thread dimension; 0 for none.
  int64_t Literal[NumDims] = {};

  const VarRef &extent(unsigned Digit) const { return F->LaunchDims[Digit]; }
  Polynomial extentOf(unsigned Digit) const {
    return Literal[Digit] ? Polynomial::constant(Literal[Digit])
                          : Polynomial::variable(extent(Digit).get());
  }
  ExprRef extentIn(unsigned Digit, const Type &Ty) const {
    return Literal[Digit] ? build::intConst(Literal[Digit], Ty)
                          : build::cast(build::var(extent(Digit)), Ty);
  }

  void takeLiteralBlocks() {
    auto Sizes = literalBlockSizes(Body, Index);
    for (unsigned D = 0; D != 3; ++D)
      if (Sizes[D]) {
        Literal[D + 3] = Sizes[D];
        Body = withExtent(Body, extent(D + 3), Sizes[D]);
      }
  }

  bool isMergeable() {
    Reason Why;
    forEachStmt(Body, [&](const StmtRef &S) {
      if (Why.isSet())
        return;
      if (auto *O = dyn_cast<Opaque>(S.get()))
        Why = {O->Code, O->Why, O->Loc};
      else if (isa<Barrier>(S.get()))
        Why = {"CR1402", "the threads of a block wait for each other here",
               S->Loc};
      else if (isa<Return>(S.get()))
        Why = {"CR1403",
               "a thread ends in the middle of a loop or of nested conditions",
               S->Loc};
      else if (auto *D = dyn_cast<DeclBuffer>(S.get());
               D && D->B->Kind == BufferKind::Shared)
        Why = {"CR1401",
               "the kernel shares '" + D->B->Name +
                   "' among the threads of a block",
               D->Loc};
    });
    if (Why.isSet() && Ctx.Missed.empty()) // else split-barriers has said it
      Ctx.Missed.push_back(Why);
    return !Why.isSet();
  }

  /// The digits that E counts, least significant first, if E is a mixed-radix
  /// number of thread indices and nothing else.
  std::vector<unsigned> digitsOf(const ExprRef &E) const {
    auto P = Polynomial::of(E);
    if (!P)
      return {};
    std::vector<unsigned> Digits;
    Polynomial Stride = Polynomial::constant(1);
    for (bool Found = true; Found;) {
      Found = false;
      for (unsigned D = 0; D != NumDims; ++D) {
        if (!P->mentions(Index[D].get()))
          continue;
        auto C = P->coefficient(Index[D].get());
        if (!C || !(*C == Stride))
          continue;
        Digits.push_back(D);
        Stride = Stride * extentOf(D);
        *P = P->without(Index[D].get());
        Found = true;
        break;
      }
    }
    return P->isZero() ? Digits : std::vector<unsigned>();
  }

  void collectUses() {
    struct Collector : Visitor {
      LaunchMerger &M;
      explicit Collector(LaunchMerger &M) : M(M) {}
      bool visitExpr(const ExprRef &E) override {
        auto Digits = M.digitsOf(E);
        if (Digits.empty())
          return true;
        M.Uses.emplace_back(E, std::move(Digits));
        return false;
      }
    } C(*this);
    C.walk(Body);
  }

  void formGroups() {
    std::vector<std::vector<unsigned>> Distinct;
    for (auto &[E, Digits] : Uses)
      if (!llvm::is_contained(Distinct, Digits))
        Distinct.push_back(Digits);
    auto Overlap = [](const std::vector<unsigned> &A,
                      const std::vector<unsigned> &B) {
      return llvm::any_of(A,
                          [&](unsigned D) { return llvm::is_contained(B, D); });
    };
    std::set<unsigned> Single;
    for (auto &A : Distinct) {
      bool Alone = llvm::none_of(
          Distinct, [&](auto &B) { return &A != &B && Overlap(A, B); });
      if (Alone && A.size() > 1)
        Groups.push_back({A, nullptr, nullptr, false});
      else
        Single.insert(A.begin(), A.end());
    }
    for (unsigned D : Single)
      Groups.push_back({{D}, nullptr, nullptr, false});
    for (unsigned D = 0; D != NumDims; ++D)
      if (llvm::none_of(Groups, [&](const Group &G) {
            return llvm::is_contained(G.Digits, D);
          }))
        Unused.push_back(D);
    // Outermost first: z before y before x, and blocks before their threads.
    llvm::stable_sort(Groups, [](const Group &A, const Group &B) {
      unsigned DA = A.Digits.front(), DB = B.Digits.front();
      return std::make_pair(DA % 3, DB / 3) > std::make_pair(DB % 3, DA / 3);
    });
  }

  static const Expr *stripCasts(const Expr *E) {
    while (auto *C = dyn_cast<Cast>(E)) {
      if (!C->Operand->Ty.isInt() || C->Ty.Bits < 32)
        break;
      E = C->Operand.get();
    }
    return E;
  }

  bool isAssigned(const Var *V) const { return assigns(Body, V); }

  /// A name for G's iterator that nothing in the kernel has.
  std::string freshName(const Group &G) const {
    std::set<std::string> Taken;
    for (const Param &P : F->Params)
      Taken.insert(P.name().str());
    forEachStmt(Body, [&](const StmtRef &S) {
      if (auto *D = dyn_cast<Decl>(S.get()))
        Taken.insert(D->V->Name);
      if (auto *L = dyn_cast<For>(S.get()))
        Taken.insert(L->V->Name);
    });
    for (const Group &G : Groups)
      if (G.Iterator)
        Taken.insert(G.Iterator->Name);
    // `block` and `grid` are the launcher's own.
    std::string Base = G.Digits.size() > 1    ? "id"
                       : G.Digits.front() < 3 ? "b"
                                              : "t";
    for (const std::string &Name :
         {Base, std::string(Base == "b" ? "blk" : "thread")})
      if (!Taken.count(Name))
        return Name;
    for (unsigned N = 1;; ++N)
      if (std::string Name = Base + std::to_string(N); !Taken.count(Name))
        return Name;
  }

  /// The one variable that is declared to be G's index and never changed; it
  /// can serve as the iterator.
  VarRef declaredIndex(const Group &G) const {
    VarRef Found;
    forEachStmt(Body, [&](const StmtRef &S) {
      auto *D = dyn_cast<Decl>(S.get());
      if (!D || !D->Init || Found || !D->V->Ty.isInt() || D->V->Ty.Bits < 32)
        return;
      const Expr *Init = stripCasts(D->Init.get());
      for (auto &[E, Digits] : Uses)
        if (Digits == G.Digits && stripCasts(E.get()) == Init)
          Found = D->V;
    });
    return Found;
  }

  void replaceUses() {
    std::set<const Var *> Dropped;
    for (Group &G : Groups) {
      VarRef Declared = declaredIndex(G);
      if (Declared && !isAssigned(Declared.get(), /*BesidesDecl=*/true)) {
        G.Iterator = Declared;
        Dropped.insert(Declared.get());
        continue;
      }
      auto V = std::make_shared<Var>();
      V->Name = freshName(G);
      V->Ty = Declared ? Declared->Ty : Type::getI32();
      G.Iterator = V;
    }
    struct Replacer : Rewriter {
      LaunchMerger &M;
      std::set<const Var *> &Dropped;
      Replacer(LaunchMerger &M, std::set<const Var *> &Dropped)
          : M(M), Dropped(Dropped) {}
      ExprRef rewriteExpr(const ExprRef &E) override {
        auto Digits = M.digitsOf(E);
        for (const Group &G : M.Groups)
          if (G.Digits == Digits)
            return build::cast(build::var(G.Iterator), E->Ty);
        return E;
      }
      StmtRef rewriteStmt(const StmtRef &S) override {
        auto *D = dyn_cast<Decl>(S.get());
        return D && Dropped.count(D->V.get()) ? nullptr : S;
      }
    } R(*this, Dropped);
    // Children are rewritten first, so `threadIdx.x` inside a merged index must
    // not be taken for an index of its own: groups do not share digits, and a
    // single digit is a group only where it is used alone.
    Body = R.run(Body);
    Body = stripRoundTrips(Body);
    List = statements(Body).vec();
  }

  bool isAssigned(const Var *V, bool BesidesDecl) const {
    bool Found = false;
    forEachStmt(Body, [&](const StmtRef &S) {
      if (auto *A = dyn_cast<Assign>(S.get()))
        Found |= A->V.get() == V;
      if (auto *L = dyn_cast<For>(S.get()))
        Found |= L->V.get() == V;
      if (auto *D = dyn_cast<Decl>(S.get()); D && !BesidesDecl)
        Found |= D->V.get() == V;
    });
    return Found;
  }

  /// (int)(unsigned)i is i for the iterators, whose ranges fit int.
  StmtRef stripRoundTrips(const StmtRef &S) {
    struct Stripper : Rewriter {
      LaunchMerger &M;
      explicit Stripper(LaunchMerger &M) : M(M) {}
      ExprRef rewriteExpr(const ExprRef &E) override {
        auto *C = dyn_cast<Cast>(E.get());
        if (!C || !C->Ty.isInt() || C->Ty.Bits < 32)
          return E;
        auto *U = dyn_cast<VarUse>(stripCasts(E.get()));
        if (!U || !M.isIterator(U->V))
          return E;
        // A widening through unsigned is the same value, since 0 <= i.
        return build::cast(build::var(U->V), C->Ty, /*Implicit=*/true);
      }
    } St(*this);
    return St.run(S);
  }

  bool isIterator(const VarRef &V) const {
    return llvm::any_of(Groups,
                        [&](const Group &G) { return G.Iterator == V; });
  }

  /// E has the same value for every thread.
  bool isInvariant(const ExprRef &E) const {
    bool Yes = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      if (isa<Load>(Sub.get()) || isa<Call>(Sub.get()))
        Yes = false;
      if (auto *U = dyn_cast<VarUse>(Sub.get()))
        Yes &= Fixed.count(U->V.get()) != 0 || U->V->Kind == VarKind::Launch ||
               ((Known || U->V->Kind == VarKind::Param) &&
                !isAssigned(U->V.get()) && !isIterator(U->V));
    });
    return Yes;
  }

  /// Leading declarations that are the same for all threads move out of the
  /// range. Every thread evaluates them, and a launch has at least one.
  void hoistInvariants() {
    std::vector<StmtRef> Rest;
    bool Leading = true;
    for (const StmtRef &S : List) {
      auto *D = dyn_cast<Decl>(S.get());
      Leading &= D != nullptr;
      if (Leading && D->Init && !isAssigned(D->V.get(), true) &&
          isInvariant(D->Init) &&
          !(Known && effectsOf(D->Init).MayTrap)) { // there may be no thread
        Hoisted.push_back(S);
        Fixed.insert(D->V.get());
      } else {
        Rest.push_back(S);
      }
    }
    List = std::move(Rest);
  }

  Polynomial threadCount(const Group &G) const {
    Polynomial P = Polynomial::constant(1);
    for (unsigned D : G.Digits)
      P = P * extentOf(D);
    return P;
  }

  /// The group whose index E is, at a point before any assignment.
  Group *groupOf(const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(stripCasts(E.get()));
    if (!U)
      return nullptr;
    const Var *V = U->V.get();
    // A copy `int index = id` that later code changes.
    for (const StmtRef &S : List)
      if (auto *D = dyn_cast<Decl>(S.get()); D && D->V.get() == V && D->Init)
        if (auto *From = dyn_cast<VarUse>(stripCasts(D->Init.get())))
          V = From->V.get();
    for (Group &G : Groups)
      if (G.Iterator.get() == V)
        return &G;
    return nullptr;
  }

  bool onlyDeclsBeforeLast() const {
    if (List.empty())
      return false;
    return llvm::all_of(llvm::ArrayRef(List).drop_back(),
                        [](const StmtRef &S) { return isa<Decl>(S.get()); });
  }

  /// for (i = index; i < n; i += <number of threads>) body.
  bool takeGridStride() {
    if (!onlyDeclsBeforeLast())
      return false;
    auto *L = dyn_cast<For>(List.back().get());
    // That both fit an int is tested (addGuards), but of no launch that is
    // known.
    const bool Fits = L && (L->Hi->Ty == L->V->Ty ||
                            (!Known && L->V->Ty == Type::getI32() &&
                             L->Hi->Ty.isInt() && L->Hi->Ty.Bits == 32));
    if (!L || L->Cond != BinaryOp::LT || !isInvariant(L->Hi) || !Fits)
      return false;
    Group *G = groupOf(L->Lo);
    auto Step = Polynomial::of(L->Step);
    if (!G || !Step || !(*Step == threadCount(*G)))
      return false;
    // Nothing else may look at the thread's own index, or at what the loop's
    // variable holds outside of it.
    for (const StmtRef &S : llvm::ArrayRef(List).drop_back()) {
      auto *D = cast<Decl>(S.get());
      if (D->V != L->V && D->Init && uses(D->Init, G->Iterator.get()))
        return false;
      if (D->V != L->V && assigns(L->Body, D->V.get()))
        return false;
    }
    if (uses(L->Body, G->Iterator.get()) && G->Iterator != L->V)
      return false;
    G->Iterator = L->V;
    G->Bound = L->Hi;
    G->GridStride = true;
    std::vector<StmtRef> NewList;
    for (const StmtRef &S : llvm::ArrayRef(List).drop_back())
      if (cast<Decl>(S.get())->V != L->V)
        NewList.push_back(S);
    for (const StmtRef &S : statements(L->Body))
      NewList.push_back(S);
    List = std::move(NewList);
    return true;
  }

  /// if (i < n && ...) around everything but declarations.
  void takeGuards() {
    if (!onlyDeclsBeforeLast())
      return;
    auto *I = dyn_cast<If>(List.back().get());
    if (!I || I->Else)
      return;
    std::vector<ExprRef> All;
    conjuncts(I->Cond, All);
    ExprRef Rest;
    for (const ExprRef &C : All) {
      auto *B = dyn_cast<Binary>(C.get());
      ExprRef L, R;
      if (B && B->Op == BinaryOp::LT)
        L = B->L, R = B->R;
      else if (B && B->Op == BinaryOp::GT)
        L = B->R, R = B->L;
      Group *G = L ? groupOf(L) : nullptr;
      if (G && !G->Bound && isInvariant(R) &&
          (!Known || Known->covers(wideCount(*G), inlineHoisted(R))))
        G->Bound = R;
      else
        Rest = build::logicalAnd(Rest, C);
    }
    List.pop_back();
    if (Rest) {
      List.push_back(std::make_shared<If>(Rest, I->Then, nullptr, I->Loc));
    } else {
      for (const StmtRef &S : statements(I->Then))
        List.push_back(S);
    }
  }

  /// The number of threads of G in 64 bits, where it cannot overflow: the
  /// limits of CUDA are 2^31, 2^16, 2^16 blocks and 2^10 threads in a block.
  ExprRef wideCount(const Group &G) const { return countIn(G, Type::getI64()); }

  ExprRef countIn(const Group &G, const Type &Ty) const {
    ExprRef E;
    for (unsigned D : G.Digits) {
      ExprRef X = extentIn(D, Ty);
      E = E ? build::mul(E, X) : X;
    }
    return E;
  }

  /// E over parameters and launch dimensions only: hoisted declarations put in.
  ExprRef inlineHoisted(ExprRef E) const {
    for (const StmtRef &S : llvm::reverse(Hoisted))
      E = substitute(E, cast<Decl>(S.get())->V, cast<Decl>(S.get())->Init);
    return E;
  }

  void addGuards(Obligations &O) const {
    llvm::append_range(O.Guards, Asserted);
    ExprRef Once;
    for (unsigned D : Unused)
      Once = build::logicalAnd(
          Once, build::binary(BinaryOp::EQ, build::var(extent(D)),
                              build::intConst(1, extent(D)->Ty)));
    if (Once)
      O.Guards.push_back({Once, {}, {}, unusedText(Unused)});
    for (unsigned D = 0; D != NumDims; ++D)
      if (Literal[D])
        O.Guards.push_back(
            {build::binary(BinaryOp::EQ, build::var(extent(D)),
                           build::intConst(Literal[D], extent(D)->Ty)),
             {},
             {},
             extent(D)->Name + " is " + std::to_string(Literal[D])});
    for (const Group &G : Groups) {
      ExprRef Count = wideCount(G);
      if (G.Digits.size() > 1)
        O.Guards.push_back(
            {build::binary(BinaryOp::LE, Count,
                           build::intConst(std::numeric_limits<int32_t>::max(),
                                           Type::getI64())),
             {},
             {},
             "a thread's index fits an int"});
      if (!G.Bound)
        continue;
      ExprRef Bound = inlineHoisted(G.Bound);
      if (G.GridStride) {
        // The last step of `i += blockDim.x * gridDim.x` goes past the bound,
        // in unsigned arithmetic that is then converted to int.
        if (Bound->Ty.Bits <= 32)
          O.Guards.push_back(
              {build::binary(
                   BinaryOp::LE,
                   build::add(build::cast(Bound, Type::getI64()), Count),
                   build::intConst(std::numeric_limits<int32_t>::max(),
                                   Type::getI64())),
               {},
               {},
               "a thread's index fits an int"});
        continue;
      }
      // Compared as the kernel compares, in the bound's type if that is wide.
      Type Wide = Bound->Ty.Bits == 64 ? Bound->Ty : Type::getI64();
      O.Guards.push_back({build::binary(BinaryOp::GE, build::cast(Count, Wide),
                                        build::cast(Bound, Wide)),
                          {},
                          {},
                          "the launch covers the range"});
    }
  }

  /// Whether what addGuards would test is known of the launch. The step of a
  /// grid-stride loop passes no largest int, as the loop's form says already.
  bool isGranted() const {
    const auto Is = [&](unsigned D, int64_t Size) {
      return Known->isExtent(extent(D), Size);
    };
    for (unsigned D = 0; D != NumDims; ++D)
      if (Literal[D] && !Is(D, Literal[D]))
        return false;
    return llvm::all_of(Unused, [&](unsigned D) { return Is(D, 1); }) &&
           llvm::all_of(Groups, [&](const Group &G) {
             return (G.Bound || G.Iterator->Ty == Type::getI32()) &&
                    (G.Digits.size() == 1 || Known->fitsIndex(wideCount(G)));
           });
  }

  StmtRef build() {
    Obligations O;
    if (!Known)
      addGuards(O);
    else if (!isGranted())
      return F->Body;
    StmtRef Inner = makeBlock(List, F->Body->Loc);
    for (const Group &G : llvm::reverse(Groups)) {
      const Type &Ty = G.Iterator->Ty;
      ExprRef Hi = !G.Bound       ? countIn(G, Ty)
                   : G.GridStride ? build::cast(G.Bound, Ty)
                                  : G.Bound;
      // Threads run in any order; the iterations that one thread makes of a
      // grid-stride loop do not, until they are proved independent.
      LoopKind Kind =
          G.GridStride || Known ? LoopKind::Serial : LoopKind::Parallel;
      Inner = std::make_shared<For>(G.Iterator, build::intConst(0, Ty),
                                    BinaryOp::LT, Hi, build::intConst(1, Ty),
                                    Kind, true, Inner, F->Loc);
    }
    std::vector<StmtRef> Out = Hoisted;
    Out.push_back(Inner);
    return std::make_shared<Region>(std::move(O), makeBlock(std::move(Out)),
                                    F->Body, F->Loc);
  }
};

} // namespace

FunctionRef raise::mergeLaunch(FunctionRef F, Context &Ctx) {
  if (F->Kind != FunctionKind::Kernel)
    return F;
  return LaunchMerger(F, Ctx, nullptr).run();
}

StmtRef raise::mergeKnownLaunch(const FunctionRef &Kernel,
                                const LaunchExtents &Known) {
  Context Unheard;
  const FunctionRef Merged = LaunchMerger(Kernel, Unheard, &Known).run();
  auto *R = dyn_cast<Region>(Merged->Body.get());
  return R ? R->Body : nullptr;
}
