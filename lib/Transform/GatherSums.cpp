//===- GatherSums.cpp - what each element gets, instead of what each gives ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The transposed form of a stencil scatters:
//
//   for (i) { u[i-1] += a * v[i]; u[i+1] += b * v[i]; }
//
// so that no two iterations can run at once. Each statement's iterations,
// renumbered by the element that they add to, gather:
//
//   for (i) u[i] += a * v[i+1];
//   for (i) u[i] += b * v[i-1];
//
// The renumbering is a shift, so it maps the points of a range one to one
// whatever the subscripts are: only the order of the sums changes. Of a nest
// the outer loops are shared, with tests of where each statement's range ends.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "Peel.h"
#include "PlainNest.h"
#include "SumLoops.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Takes what is added to a converted sum of ints, which does not overflow, to
/// the number there: a subscript of a tape at the iteration before.
struct WideFolder : ConstantFolder {
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto IsSum = [](const Binary *B) {
      return B && B->Ty.isInt() && B->Ty.Signed &&
             (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub);
    };
    const auto NumberOf = [](const Binary &B) -> std::optional<int64_t> {
      auto *C = dyn_cast<IntConst>(B.R.get());
      if (!C || !C->Spelling.empty() || C->Value < 0 || C->Value > 1024)
        return std::nullopt;
      return B.Op == BinaryOp::Add ? C->Value : -C->Value;
    };
    auto *B = dyn_cast<Binary>(E.get());
    auto *Wide = IsSum(B) ? dyn_cast<Cast>(B->L.get()) : nullptr;
    auto *Sum = Wide ? dyn_cast<Binary>(Wide->Operand.get()) : nullptr;
    if (!IsSum(Sum) || Sum->Ty.Bits >= B->Ty.Bits || !NumberOf(*B) ||
        !NumberOf(*Sum))
      return ConstantFolder::rewriteExpr(E);
    return plusConstant(build::cast(Sum->L, B->Ty),
                        *NumberOf(*B) + *NumberOf(*Sum));
  }
};

class GatherSums : SumLoops {
public:
  using SumLoops::run;
  using SumLoops::SumLoops;
  bool Changed = false;

private:
  StmtRef loop(const StmtRef &S, const For &L) override {
    const Obligations Before = N.Rests;
    if (auto Out = gathered(S)) {
      Changed = true;
      return makeBlock(std::move(*Out), L.Loc);
    }
    N.Rests = Before;
    StmtRef Body = bodyOf(L, L);
    return Body == L.Body ? S : withLoopBody(L, std::move(Body));
  }

  static bool loads(const PlainNest &P, const Buffer *B) {
    bool Any = false;
    for (const Item &I : P.Items)
      forEachExpr(I.S, [&](const ExprRef &E) {
        auto *Ld = dyn_cast<Load>(E.get());
        Any |= Ld && Ld->From.Buf.get() == B;
      });
    return Any;
  }
  static bool stores(const StmtRef &S, const Buffer *B) {
    bool Any = false;
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *St = dyn_cast<Store>(Sub.get());
      Any |= St && St->To.Buf.get() == B;
    });
    return Any;
  }

  /// Whether elements of B are met by several statements in iterations of the
  /// outermost loop of P that differ, and it would gain from telling them
  /// apart.
  bool isScattered(const PlainNest &P, const Buffer *B) const {
    std::set<int64_t> Outermost;
    for (const Item &I : P.Items) {
      if (I.Sums == B)
        Outermost.insert(I.By.front());
      else if (stores(I.S, B))
        return false;
    }
    return Outermost.size() > 1 && (P.Loops.size() == 1 || Ctx.Opts.OpenMP) &&
           !loads(P, B);
  }

  const Buffer *choose(const PlainNest &P) const {
    for (const Item &I : P.Items)
      if (I.Sums && isScattered(P, I.Sums))
        return I.Sums;
    return nullptr;
  }

  std::optional<std::vector<StmtRef>> gathered(const StmtRef &S) {
    if (Ctx.Brief.count(llvm::cast<For>(S.get())->V.get()))
      return std::nullopt;
    const auto Whole = readPlainNest(S);
    if (!Whole)
      return std::nullopt;
    const Buffer *B = choose(*Whole);
    if (!B || !mayRenumber(*Whole))
      return std::nullopt;
    std::vector<StmtRef> Parts{S};
    const auto IsOther = [&](const Item &I) { return I.Sums != B; };
    if (llvm::any_of(Whole->Items, IsOther)) {
      auto Two = apart(Whole->Loops, 0, [&](const StmtRef &Sub) -> unsigned {
        if (isa<If>(*Sub)) // the test alone
          return 0;
        return stores(Sub, B) ? 2 : isa<Decl>(*Sub) ? 0 : 1;
      });
      if (!Two)
        return std::nullopt;
      Parts = std::move(*Two);
    }
    std::vector<StmtRef> Out;
    for (StmtRef &Part : Parts) {
      if (!stores(Part, B)) {
        Out.push_back(Part);
        continue;
      }
      auto P = readPlainNest(Part);
      if (!P || llvm::any_of(P->Items, IsOther))
        return std::nullopt;
      StmtRef New = gather(std::move(*P));
      if (!New)
        return std::nullopt;
      llvm::append_range(Out, statements(New));
    }
    return Out;
  }

  /// Whether all iterations of P may run in any order.
  bool mayRenumber(const PlainNest &P) {
    const auto Outer = llvm::ArrayRef(P.Loops).drop_back();
    if (!Outer.empty() && !mayReorder(Outer))
      return false;
    const size_t Depth = N.Loops.size();
    llvm::append_range(N.Loops, Outer);
    const bool Free = isFreeButForSums(*P.Loops.back());
    N.Loops.resize(Depth);
    return Free;
  }

  /// E + C. Where that might overflow, Tests say that it does not.
  static ExprRef shifted(const ExprRef &E, int64_t C,
                         std::vector<Guard> &Tests) {
    const Type &Ty = E->Ty;
    const int64_t Most =
        Ty.Bits == 64 ? INT64_MAX : (int64_t(1) << (Ty.Bits - 1)) - 1;
    const int64_t Least = Ty.Signed ? -Most - 1 : 0;
    if (C == 0)
      return E;
    if (const auto Value = constantValue(E)) {
      int64_t Sum = 0;
      if (__builtin_add_overflow(*Value, C, &Sum) || Sum < Least || Sum > Most)
        return nullptr;
      return build::intConst(Sum, Ty);
    }
    // Base + Had becomes Base + Has.
    ExprRef Base = E;
    int64_t Had = 0;
    auto *B = dyn_cast<Binary>(E.get());
    if (B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub))
      if (auto *K = dyn_cast<IntConst>(B->R.get());
          K && K->Value > INT32_MIN && K->Value <= INT32_MAX) {
        Base = B->L;
        Had = B->Op == BinaryOp::Add ? K->Value : -K->Value;
      }
    const int64_t Has = Had + C;
    const bool IsBetween =
        Had > 0 ? Has >= 0 && Has <= Had : Has <= 0 && Has >= Had;
    if (!IsBetween) {
      const int64_t Limit = Has > 0 ? Most - Has : Ty.Signed ? 0 : -Has;
      const auto Op = Has > 0 ? BinaryOp::LE : BinaryOp::GE;
      Tests.push_back(
          {build::binary(Op, Base, build::intConst(Limit, Ty)), {}, {}, ""});
    }
    return plusConstant(E, C);
  }

  /// What is being built: P's statements, each for the elements that it adds
  /// to.
  struct Gathering {
    PlainNest P;
    Shift Least, Most;
    std::vector<Guard> Tests;
    bool Ok = true;

    explicit Gathering(PlainNest Nest) : P(std::move(Nest)) {
      const size_t Depth = P.Loops.size();
      Least.assign(Depth, INT64_MAX);
      Most.assign(Depth, INT64_MIN);
      for (const Item &I : P.Items)
        for (size_t K = 0; K < Depth; ++K) {
          Least[K] = std::min(Least[K], I.By[K]);
          Most[K] = std::max(Most[K], I.By[K]);
        }
      for (size_t K = 0; K < Depth; ++K) {
        Ok &= Least[K] == Most[K] || (Least[K] > -64 && Most[K] < 64);
        if (Least[K] != Most[K])
          continue;
        // A loop that all agree on stays as it is.
        Least[K] = Most[K] = 0;
        for (Item &I : P.Items)
          I.By[K] = 0;
      }
    }
    const For &row() const { return *P.Loops.back(); }
    ExprRef bound(const ExprRef &E, int64_t C) {
      ExprRef Out = shifted(E, C, Tests);
      Ok &= Out != nullptr;
      // No test before the nest could look at what counts in it.
      for (const For *L : P.Loops)
        Ok &= Tests.empty() || !uses(Tests.back().Cond, L->V.get());
      return Out ? Out : E;
    }
  };
  using Items = std::vector<const Item *>;

  /// Values of the nest's variables in the iteration that adds to an element,
  /// with At for that of the innermost.
  static Substitution iterationOf(const Gathering &G, const Item &I,
                                  const ExprRef &At) {
    Substitution Out;
    for (size_t K = 0; K + 1 < I.By.size(); ++K)
      Out[G.P.Loops[K]->V.get()] =
          plusConstant(build::var(G.P.Loops[K]->V), -I.By[K]);
    Out[G.row().V.get()] = At;
    return Out;
  }
  static StmtRef at(const Gathering &G, const Item &I, const ExprRef &At) {
    return WideFolder().run(substitute(I.S, iterationOf(G, I, At)));
  }

  static StmtRef rowLoop(const Gathering &G, ExprRef Lo, ExprRef Hi,
                         StmtRef Body) {
    const For &L = G.row();
    return withOwnVariables(
        std::make_shared<For>(L.V, std::move(Lo), L.Cond, std::move(Hi), L.Step,
                              L.LKind, true, std::move(Body), L.Loc));
  }

  /// Each shift's statements in a loop of their own.
  static std::vector<StmtRef> oneByOne(Gathering &G, const Items &Row) {
    std::vector<int64_t> Shifts;
    for (const Item *I : Row)
      if (!llvm::is_contained(Shifts, I->By.back()))
        Shifts.push_back(I->By.back());
    const For &L = G.row();
    std::vector<StmtRef> Out;
    for (const int64_t By : Shifts) {
      std::vector<StmtRef> Same;
      for (const Item *I : Row)
        if (I->By.back() == By)
          Same.push_back(at(G, *I, plusConstant(build::var(L.V), -By)));
      const Substitution Outer = iterationOf(G, *Row.front(), build::var(L.V));
      Out.push_back(rowLoop(G, G.bound(substitute(L.Lo, Outer), By),
                            G.bound(substitute(L.Hi, Outer), By),
                            makeBlock(std::move(Same))));
    }
    return Out;
  }

  /// Sums to one element as one sum. What a number or a variable multiplies is
  /// summed first.
  static StmtRef together(const std::vector<StmtRef> &Sums) {
    auto *First = llvm::cast<Store>(Sums.front().get());
    struct Product {
      ExprRef Factor, Of; ///< Factor may be null
      BinaryOp Sign;
    };
    std::vector<Product> Terms;
    const auto Plus = [](Product &To, const ExprRef &E, BinaryOp Sign) {
      To.Of = build::binary(Sign == To.Sign ? BinaryOp::Add : BinaryOp::Sub,
                            To.Of, E);
    };
    for (const StmtRef &S : Sums) {
      auto *St = llvm::cast<Store>(S.get());
      const auto Sign = St->Op == First->Op ? BinaryOp::Add : BinaryOp::Sub;
      auto *B = dyn_cast<Binary>(St->Value.get());
      if (!B || B->Op != BinaryOp::Mul ||
          !(isa<FloatConst>(*B->L) || isa<VarUse>(*B->L))) {
        Terms.push_back({nullptr, St->Value, Sign});
        continue;
      }
      auto Same = llvm::find_if(Terms, [&](const Product &T) {
        return T.Factor && structurallyEqual(T.Factor, B->L);
      });
      if (Same == Terms.end())
        Terms.push_back({B->L, B->R, Sign});
      else
        Plus(*Same, B->R, Sign);
    }
    const auto Whole = [](const Product &T) {
      return T.Factor ? build::mul(T.Factor, T.Of) : T.Of;
    };
    Product Sum{nullptr, Whole(Terms.front()), Terms.front().Sign};
    for (const Product &T : llvm::ArrayRef(Terms).drop_front())
      Plus(Sum, Whole(T), T.Sign);
    return std::make_shared<Store>(First->To, First->Op, Sum.Of,
                                   /*Atomic=*/false, First->Loc);
  }

  /// All in one loop over the elements that each statement adds to, with the
  /// few at either end before and after it; a row that has no such element as
  /// it was, unless the row's end is known to be AtLeast. Nothing where that
  /// would be long.
  std::vector<StmtRef> interior(Gathering &G, const Items &Row,
                                int64_t AtLeast = INT64_MIN) const {
    int64_t Least = INT64_MAX, Most = INT64_MIN;
    for (const Item *I : Row) {
      Least = std::min(Least, I->By.back());
      Most = std::max(Most, I->By.back());
      if (!isa<Store>(*I->S) ||
          !structurallyEqual(
              firstIndices(at(
                  G, *I, plusConstant(build::var(G.row().V), -I->By.back()))),
              firstIndices(at(G, *Row.front(),
                              plusConstant(build::var(G.row().V),
                                           -Row.front()->By.back())))))
        return {};
    }
    const int64_t Width = Most - Least;
    if (Width == 0 || Width > 4)
      return {};
    const For &L = G.row();
    const Substitution Outer = iterationOf(G, *Row.front(), build::var(L.V));
    const ExprRef Lo = substitute(L.Lo, Outer), Hi = substitute(L.Hi, Outer);
    // No sum of these overflows where the row has an element of each kind.
    const auto First = constantValue(Lo);
    if (!First || *First < -1024 || *First > 1024)
      return {};
    if (const auto End = constantValue(Hi); End && *End < *First + Width)
      return {};
    std::vector<StmtRef> Out;
    const auto Ends = [&](bool Right) {
      for (int64_t M = 0; M < Width; ++M) {
        std::vector<StmtRef> Sums;
        for (const Item *I : Row) {
          const int64_t Before = I->By.back() - Least;
          if (Right ? M < Before : M >= Before)
            Sums.push_back(
                at(G, *I, plusConstant(Right ? Hi : Lo, M - Before)));
        }
        Out.push_back(together(Sums));
      }
    };
    std::vector<StmtRef> All, Short;
    for (const Item *I : Row) {
      All.push_back(at(G, *I, plusConstant(build::var(L.V), -I->By.back())));
      Short.push_back(at(G, *I, build::var(L.V)));
    }
    Ends(/*Right=*/false);
    // Less is no number only where the row is short.
    const ExprRef End =
        Least > 0 ? G.bound(Hi, Least) : plusConstant(Hi, Least);
    Out.push_back(rowLoop(G, plusConstant(Lo, Most), End, together(All)));
    Ends(/*Right=*/true);
    if (constantValue(Hi) || AtLeast >= *First + Width)
      return Out;
    StmtRef Rest = rowLoop(G, Lo, Hi, makeBlock(std::move(Short)));
    Ctx.Brief.insert(llvm::cast<For>(Rest.get())->V.get());
    return {std::make_shared<If>(atLeast(Hi, *First + Width),
                                 makeBlock(std::move(Out)), Rest)};
  }

  /// E >= C, as `n >= C + k` where E is `n - k`.
  static ExprRef atLeast(const ExprRef &E, int64_t C) {
    auto *B = dyn_cast<Binary>(E.get());
    auto *K =
        B && B->Op == BinaryOp::Sub ? dyn_cast<IntConst>(B->R.get()) : nullptr;
    const bool Moves = K && K->Value >= 0 && K->Value <= 1024;
    const ExprRef &Of = Moves ? B->L : E;
    return build::binary(BinaryOp::GE, Of,
                         build::intConst(Moves ? C + K->Value : C, Of->Ty));
  }

  /// Where S, a sum, adds to.
  static ExprRef firstIndices(const StmtRef &S) {
    return build::load(llvm::cast<Store>(S.get())->To);
  }

  /// The tests of which iterations of the outer loops reach the statements that
  /// are shifted there as I is.
  static ExprRef reaches(Gathering &G, const Item &I) {
    ExprRef Where;
    const auto Test = [&](BinaryOp Op, const For &L, const ExprRef &E) {
      ExprRef C = build::binary(Op, build::var(L.V), E);
      Where = Where ? build::logicalAnd(Where, C) : C;
    };
    for (size_t K = 0; K + 1 < I.By.size(); ++K) {
      const For &L = *G.P.Loops[K];
      if (I.By[K] > G.Least[K])
        Test(BinaryOp::GE, L, G.bound(L.Lo, I.By[K]));
      if (I.By[K] < G.Most[K])
        Test(BinaryOp::LT, L, G.bound(L.Hi, I.By[K]));
    }
    return Where;
  }

  /// Rows that all statements reach, all of them in one loop; Border are the
  /// others, each statement with its own test. Nothing where that would be
  /// long.
  StmtRef innerRows(Gathering &G, const StmtRef &Border) const {
    Items All;
    for (const Item &I : G.P.Items)
      All.push_back(&I);
    const For &Row = G.row();
    int64_t AtLeast = INT64_MIN; ///< what the tests say of the row's end
    ExprRef Where;
    const auto Test = [&](BinaryOp Op, const For &L, const ExprRef &E) {
      ExprRef C = build::binary(Op, build::var(L.V), E);
      Where = Where ? build::logicalAnd(Where, C) : C;
    };
    for (size_t K = 0; K + 1 < G.P.Loops.size(); ++K) {
      const For &L = *G.P.Loops[K];
      if (uses(Row.Lo, L.V.get()) || uses(Row.Hi, L.V.get()))
        return nullptr;
      if (G.Least[K] == G.Most[K])
        continue;
      Test(BinaryOp::GE, L, G.bound(L.Lo, G.Most[K]));
      Test(BinaryOp::LT, L, G.bound(L.Hi, G.Least[K]));
      const auto Lo = constantValue(L.Lo);
      if (Lo && std::abs(*Lo) <= 1024 && structurallyEqual(L.Hi, Row.Hi))
        AtLeast = std::max(AtLeast, *Lo + G.Most[K] - G.Least[K] + 1);
    }
    std::vector<StmtRef> Inner = interior(G, All, AtLeast);
    return Inner.empty() || !Where
               ? nullptr
               : std::make_shared<If>(Where, makeBlock(std::move(Inner)),
                                      Border);
  }

  /// P's statements, each for the elements that it adds to. Null where a bound
  /// of theirs is not to be had.
  StmtRef gather(PlainNest Nest) {
    Gathering G(std::move(Nest));
    const size_t Depth = G.P.Loops.size();
    const auto SameOuter = [](const Item &A, const Item &B) {
      return std::equal(A.By.begin(), std::prev(A.By.end()), B.By.begin());
    };
    std::vector<StmtRef> Body;
    std::vector<Items> Groups;
    for (const Item &I : G.P.Items) {
      auto Group = llvm::find_if(
          Groups, [&](const Items &Of) { return SameOuter(*Of.front(), I); });
      if (Group == Groups.end())
        Group = Groups.insert(Group, Items());
      Group->push_back(&I);
    }
    for (const Items &Row : Groups) {
      std::vector<StmtRef> Rows = interior(G, Row);
      if (Rows.empty())
        Rows = oneByOne(G, Row);
      if (ExprRef Where = reaches(G, *Row.front()))
        Body.push_back(
            std::make_shared<If>(Where, makeBlock(std::move(Rows)), nullptr));
      else
        llvm::append_range(Body, Rows);
    }
    StmtRef Out = makeBlock(std::move(Body), G.P.Loops.front()->Loc);
    if (Groups.size() > 1)
      if (StmtRef Inner = innerRows(G, Out))
        Out = std::move(Inner);
    for (size_t K = Depth - 1; K-- > 0;) {
      const For &L = *G.P.Loops[K];
      Out = std::make_shared<For>(L.V, G.bound(L.Lo, G.Least[K]), L.Cond,
                                  G.bound(L.Hi, G.Most[K]), L.Step, L.LKind,
                                  true, Out, L.Loc);
    }
    return G.Ok && adopt(G.Tests, *G.P.Loops.front()) ? Out : nullptr;
  }
};

} // namespace

FunctionRef raise::gatherSums(FunctionRef F, Context &Ctx) {
  // What is left beside one array's sums may scatter to others.
  for (unsigned Round = 0; Round < 8; ++Round) {
    GatherSums Pass(*F, Ctx);
    StmtRef Body = Pass.run(F->Body);
    if (!Pass.Changed)
      break;
    F = withBody(*F, std::move(Body));
  }
  return F;
}
