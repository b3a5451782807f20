//===- LaunchForm.cpp - what a kernel takes for granted of a launch -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaunchForm.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using llvm::dyn_cast;
using llvm::isa;

namespace raise {

StmtRef threadBody(const StmtRef &Body, llvm::MutableArrayRef<VarRef> Index,
                   Context &Ctx) {
  static const LoopKind Order[] = {LoopKind::GridZ,  LoopKind::GridY,
                                   LoopKind::GridX,  LoopKind::BlockZ,
                                   LoopKind::BlockY, LoopKind::BlockX};
  static const unsigned Digit[] = {2, 1, 0, 5, 4, 3};
  StmtRef S = Body;
  for (unsigned N = 0; N != Index.size(); ++N) {
    while (isa<Block>(S.get()) && statements(S).size() == 1)
      S = statements(S).front();
    auto *L = dyn_cast<For>(S.get());
    if (!L || L->LKind != Order[N]) {
      for (const StmtRef &Sub : statements(S))
        if (auto *D = dyn_cast<DeclBuffer>(Sub.get())) {
          Ctx.miss("CR1401",
                   "the kernel shares '" + D->B->Name +
                       "' among the threads of a block",
                   D->Loc);
          return nullptr;
        }
      return nullptr; // merged already, or made by hand
    }
    Index[Digit[N]] = L->V;
    S = L->Body;
  }
  return S;
}

/// CUDA allows no more threads in a block.
static constexpr int64_t MostThreads = 1024;

/// c where E is `c * Block + Thread`; 0 for anything else.
static int64_t literalIn(const ExprRef &E, const Var *Block,
                         const Var *Thread) {
  auto P = Polynomial::of(E);
  if (!P || !P->mentions(Block) || !P->mentions(Thread))
    return 0;
  auto Weight = P->coefficient(Block), Unit = P->coefficient(Thread);
  if (!Weight || !Unit || !P->without(Block).without(Thread).isZero())
    return 0;
  auto Size = Weight->asConstant();
  if (Unit->asConstant() != 1 || !Size || *Size < 2 || *Size > MostThreads)
    return 0;
  return *Size;
}

/// Whether Body counts in steps below Size from what Thread is part of, as in
/// `i * 64 + threadIdx.x`: a thread then does several elements of a block's,
/// and Size is not how many threads there are.
static bool countsInSteps(const StmtRef &Body, const Var *Thread,
                          int64_t Size) {
  std::set<const Var *> Parts{Thread};
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<Decl>(S.get());
    auto P = D && D->Init ? Polynomial::of(D->Init) : std::nullopt;
    for (const Var *V : std::set<const Var *>(Parts))
      if (auto C = P ? P->coefficient(V) : std::nullopt;
          C && C->asConstant() == 1)
        Parts.insert(D->V.get());
  });
  bool Found = false;
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    if (!L || Found)
      return;
    forEachExpr(L->Body, [&](const ExprRef &E) {
      auto P = E->Ty.isInt() ? Polynomial::of(E) : std::nullopt;
      auto Step = P ? P->coefficient(L->V.get()) : std::nullopt;
      auto By = Step ? Step->asConstant() : std::nullopt;
      Found |= By && *By > 1 && *By < Size &&
               llvm::any_of(
                   Parts,
                   [&](const Var *V) {
                     auto C = P->coefficient(V);
                     return C && C->asConstant() == 1;
                   });
    });
  });
  return Found;
}

std::array<int64_t, 3> literalBlockSizes(const StmtRef &Body,
                                         llvm::ArrayRef<VarRef> Index) {
  std::array<int64_t, 3> Sizes{};
  std::array<bool, 3> Differ{};
  forEachExpr(Body, [&](const ExprRef &E) {
    for (unsigned D = 0; D != 3; ++D) {
      int64_t Size = literalIn(E, Index[D].get(), Index[D + 3].get());
      if (!Size)
        continue;
      Differ[D] |= Sizes[D] && Sizes[D] != Size;
      Sizes[D] = Size;
    }
  });
  for (unsigned D = 0; D != 3; ++D)
    if (Differ[D] ||
        (Sizes[D] && countsInSteps(Body, Index[D + 3].get(), Sizes[D])))
      Sizes[D] = 0;
  return Sizes;
}

StmtRef withExtent(const StmtRef &Body, const VarRef &Extent, int64_t Size) {
  struct Replacer : Rewriter {
    const VarRef &Extent;
    int64_t Size;
    Replacer(const VarRef &Extent, int64_t Size) : Extent(Extent), Size(Size) {}
    ExprRef rewriteExpr(const ExprRef &E) override {
      auto *U = dyn_cast<VarUse>(E.get());
      return U && U->V == Extent ? build::intConst(Size, E->Ty) : E;
    }
  } R(Extent, Size);
  return R.run(Body);
}

StmtRef withoutAsserts(const StmtRef &Body, std::vector<Guard> &Tests) {
  const auto Ends = [](const StmtRef &S) -> const Opaque * {
    const llvm::ArrayRef<StmtRef> List =
        S ? statements(S) : llvm::ArrayRef<StmtRef>();
    auto *O = List.size() == 1 ? dyn_cast<Opaque>(List.front().get()) : nullptr;
    return O && O->NoReturn ? O : nullptr;
  };
  const auto IsEmpty = [](const StmtRef &S) {
    return !S || statements(S).empty();
  };
  std::vector<StmtRef> Out;
  // What is the same for all threads.
  const auto IsOfLaunch = [&](const ExprRef &Cond) {
    bool Is = !effectsOf(Cond).MayTrap;
    forEachExpr(Cond, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Is &= !isa<Load>(*E) && !isa<Call>(*E) &&
            (!U || U->V->Kind == VarKind::Launch ||
             (U->V->Kind == VarKind::Param && !assigns(Body, U->V.get())));
    });
    return Is;
  };
  Substitution Known; // names for such
  for (const StmtRef &S : statements(Body)) {
    if (auto *D = dyn_cast<Decl>(S.get());
        D && D->Init && D->V->Kind == VarKind::Local) {
      const ExprRef Init = substitute(D->Init, Known);
      unsigned Sets = 0;
      assignedVars(Body, [&](const VarRef &V) { Sets += V == D->V; });
      if (Sets == 1 && IsOfLaunch(Init))
        Known[D->V.get()] = build::cast(Init, D->V->Ty);
    }
    auto *I = dyn_cast<If>(S.get());
    const Opaque *Then = I && IsEmpty(I->Else) ? Ends(I->Then) : nullptr;
    const Opaque *Else = I && IsEmpty(I->Then) ? Ends(I->Else) : nullptr;
    const ExprRef Cond = Then || Else ? substitute(I->Cond, Known) : nullptr;
    if (!Cond || !IsOfLaunch(Cond)) {
      Out.push_back(S);
      continue;
    }
    Guard G;
    G.Cond = Then ? build::opposite(Cond) : Cond;
    G.Why = "what it asserts holds";
    Tests.push_back(std::move(G));
  }
  return Tests.empty() ? Body : makeBlock(std::move(Out), Body->Loc);
}

namespace {

/// Puts what names stand for where an index or a stride is looked for.
class WithoutNames : public Rewriter {
public:
  WithoutNames(const StmtRef &Body, llvm::ArrayRef<VarRef> Index)
      : Index(Index) {
    std::map<const Var *, unsigned> Sets;
    assignedVars(Body, [&](const VarRef &V) { ++Sets[V.get()]; });
    forEachStmt(Body, [&](const StmtRef &S) {
      auto *D = dyn_cast<Decl>(S.get());
      if (!D || !D->Init || D->V->Kind != VarKind::Local || !D->V->Ty.isInt() ||
          D->V->Ty.Bits < 32 || Sets[D->V.get()] != 1)
        return;
      const ExprRef Init = known(D->Init, Of);
      const std::optional<bool> Counts = ofLaunch(Init);
      if (!Counts)
        return;
      const ExprRef Value = build::cast(Init, D->V->Ty);
      Of[D->V.get()] = Value;
      if (*Counts)
        Indices[D->V.get()] = Value;
    });
  }
  bool any() const { return !Of.empty(); }
  bool isNamed(const Var *V) const { return Of.count(V); }

private:
  llvm::ArrayRef<VarRef> Index;
  Substitution Of, Indices; ///< all names, and those of what threads differ in

  static ExprRef known(const ExprRef &E, const Substitution &Names) {
    return Names.empty() ? E : substitute(E, Names);
  }

  /// Whether E, which is made of extents and indices alone, mentions an index;
  /// none if it is made of anything else, or of none of them.
  std::optional<bool> ofLaunch(const ExprRef &E) const {
    if (!Polynomial::of(E))
      return std::nullopt;
    bool Counts = false, Any = false, Other = false;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      if (!U)
        return;
      const bool IsIndex = llvm::is_contained(Index, U->V);
      Counts |= IsIndex;
      Any |= IsIndex || U->V->Kind == VarKind::Launch;
      Other |= !IsIndex && U->V->Kind != VarKind::Launch;
    });
    return Any && !Other ? std::optional(Counts) : std::nullopt;
  }

  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->Init) {
      const ExprRef All = known(D->Init, Of);
      const ExprRef Init =
          ofLaunch(All).value_or(false) ? All : known(D->Init, Indices);
      return Init == D->Init ? S : std::make_shared<Decl>(D->V, Init, D->Loc);
    }
    if (auto *L = dyn_cast<For>(S.get()))
      return std::make_shared<For>(L->V, known(L->Lo, Indices), L->Cond, L->Hi,
                                   known(L->Step, Of), L->LKind, L->DeclaresVar,
                                   L->Body, L->Loc);
    return S;
  }
};

} // namespace

StmtRef withoutLaunchNames(const StmtRef &Body, llvm::ArrayRef<VarRef> Index) {
  WithoutNames Names(Body, Index);
  if (!Names.any())
    return Body;
  const StmtRef New = Names.run(Body);
  struct Unused : Rewriter {
    const WithoutNames &Names;
    const StmtRef &In;
    Unused(const WithoutNames &Names, const StmtRef &In)
        : Names(Names), In(In) {}
    StmtRef rewriteStmt(const StmtRef &S) override {
      auto *D = dyn_cast<Decl>(S.get());
      return D && Names.isNamed(D->V.get()) && !uses(In, D->V.get()) ? nullptr
                                                                     : S;
    }
  };
  for (StmtRef Old = New;;) { // a name of a name
    StmtRef Fewer = Unused(Names, Old).run(Old);
    if (Fewer == Old)
      return Old;
    Old = std::move(Fewer);
  }
}

std::string unusedText(llvm::ArrayRef<unsigned> Unused) {
  if (Unused == llvm::ArrayRef<unsigned>{1, 2, 4, 5})
    return "the launch is one-dimensional";
  if (Unused == llvm::ArrayRef<unsigned>{2, 5})
    return "the launch is two-dimensional";
  return "the launch has extent 1 in each dimension that the kernel does not "
         "use";
}

void conjuncts(const ExprRef &E, std::vector<ExprRef> &Out) {
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || B->Op != BinaryOp::LAnd) {
    Out.push_back(E);
    return;
  }
  conjuncts(B->L, Out);
  conjuncts(B->R, Out);
}

} // namespace raise
