//===- IntoLoops.cpp - a free iterator goes inside of loops ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The statements of the body run one after the other, each for all points (of a
// band). A scalar that lives from one to the next is the element that it is
// stored to in the end, an element of an array with one for each point, or is
// computed again.
//
//===----------------------------------------------------------------------===//
#include "IntoLoops.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

static bool isLoop(const StmtRef &S) {
  return isa<TensorOp>(S.get()) || isa<For>(S.get()) || isa<While>(S.get());
}

bool raise::hasLoop(const StmtRef &S) {
  bool Found = false;
  forEachStmt(S, [&](const StmtRef &Sub) { Found |= isLoop(Sub); });
  return Found;
}

bool raise::setsRange(const StmtRef &S, const Var *V) {
  const auto Uses = [&](const ExprRef &E) { return E && uses(E, V); };
  if (auto *L = dyn_cast<For>(S.get()))
    return Uses(L->Lo) || Uses(L->Hi) || Uses(L->Step);
  if (auto *T = dyn_cast<TensorOp>(S.get()))
    return llvm::any_of(T->Iterators, [&](const Iterator &I) {
      return Uses(I.Lo) || Uses(I.Hi) || Uses(I.Step);
    });
  return false;
}

namespace {

bool mentions(const StmtRef &S, const Var *V) {
  return S && (uses(S, V) || assigns(S, V));
}

/// Whether S sets V after its declaration.
bool setsAgain(const StmtRef &S, const Var *V) {
  unsigned Times = 0;
  assignedVars(S, [&](const VarRef &Set) { Times += Set.get() == V; });
  return Times > 1;
}

/// Puts an iterator inside of the loops of a body.
class Sinker {
public:
  /// Width: points of a band; 0 to go inside whole. So does what is known to
  /// have no more points than a band.
  Sinker(const Iterator &It, const Region &Around, int64_t Width)
      : It(It), Around(Around), Points(knownPoints(It)),
        Width(Points && *Points >= 1 && *Points <= Width ? *Points : Width),
        Banded(Width != 0 && this->Width == Width &&
               !(Points && *Points == Width)),
        HasArrays(Width != 0) {}

  /// T, of which Front are the other iterators. Null where something stands in
  /// the way.
  StmtRef run(const TensorOp &T, std::vector<Iterator> Front);

private:
  using List = std::vector<StmtRef>;

  std::vector<unsigned> runsOf(const List &Body) const;
  void findOnce(const List &Body);
  bool classify(const List &Body);
  bool useDestination(const List &Body, const Decl &D);
  std::optional<List> sink(const List &Body);
  StmtRef sinkLoop(const StmtRef &S);
  void close(List &Run, List &Out);
  void makeBand();
  bool isFixed(const ExprRef &E) const;
  bool isCheap(const Decl &D) const;
  bool addArray(const Decl &D);

  static bool mayBeElement(const Type &Ty) {
    return (Ty.isFloat() || Ty.isInt()) && Ty.Bits <= 64;
  }

  static std::optional<int64_t> knownPoints(const Iterator &It) {
    const auto *Lo = dyn_cast<IntConst>(It.Lo.get());
    const auto *Hi = dyn_cast<IntConst>(It.Hi.get());
    return Lo && Hi ? std::optional(Hi->Value - Lo->Value) : std::nullopt;
  }
  StmtRef forOnePoint(const StmtRef &S) const;

  const Iterator It;
  const Region &Around;
  const std::optional<int64_t> Points;
  const int64_t Width; ///< of an array with an element for each point
  const bool Banded, HasArrays;
  StmtRef All;                          ///< the body
  llvm::DenseSet<const Var *> Declared; ///< anywhere in it
  llvm::DenseSet<const Var *> Each;     ///< differ from point to point
  llvm::DenseSet<const Var *> Once;     ///< are the same for all points
  std::vector<std::pair<VarRef, StmtRef>> Again; ///< are declared where needed
  std::vector<std::pair<VarRef, Access>> Memory; ///< become elements
  std::vector<StmtRef> Arrays;
  BandsOf Over;
  VarRef Band, BandEnd;
  Iterator Inner;
};

bool Sinker::isFixed(const ExprRef &E) const {
  bool Fixed = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    Fixed &= !(U && (U->V == It.V || Each.contains(U->V.get())));
  });
  return Fixed;
}

/// Whether D's variable is what an element becomes in the end, so that the
/// element can stand for it all the while.
bool Sinker::useDestination(const List &Body, const Decl &D) {
  const Store *To = nullptr;
  for (const StmtRef &S : Body) {
    const auto *St = dyn_cast<Store>(S.get());
    const auto *U = St ? dyn_cast<VarUse>(St->Value.get()) : nullptr;
    if (U && U->V == D.V && St->Op == Combiner::None && !To)
      To = St;
    else if (To && mentions(S, D.V.get()))
      return false;
  }
  if (!To || To->To.Buf->Elem != D.V->Ty || !To->To.Field.empty())
    return false;
  for (const ExprRef &I : To->To.Indices) {
    bool Plain = true;
    forEachExpr(I, [&](const ExprRef &E) {
      const auto *U = dyn_cast<VarUse>(E.get());
      Plain &= !isa<Load>(E.get()) && !isa<Call>(E.get()) &&
               !(U && Declared.contains(U->V.get()));
    });
    if (!Plain)
      return false;
  }
  unsigned Meets = 0;
  for (const MemoryAccess &A : effectsOf(All).Memory)
    Meets += A.At.Buf == To->To.Buf ||
             !areApart(Around.Rests.Guards, *A.At.Buf, *To->To.Buf);
  if (Meets != 1) // the copy itself
    return false;
  Memory.push_back({D.V, To->To});
  return true;
}

/// Whether D's value is as well computed once more.
bool Sinker::isCheap(const Decl &D) const {
  bool Cheap = D.Init && !setsAgain(All, D.V.get()) && !D.V->Ty.isFloat();
  if (Cheap)
    forEachExpr(D.Init, [&](const ExprRef &E) {
      const auto *B = dyn_cast<Binary>(E.get());
      const auto *U = dyn_cast<VarUse>(E.get());
      Cheap &= !isa<Load>(E.get()) && !isa<Call>(E.get()) &&
               !(B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem)) &&
               !(U && Each.contains(U->V.get()) &&
                 llvm::none_of(Again,
                               [&](const auto &A) { return A.first == U->V; }));
    });
  return Cheap;
}

/// An array with an element for each point of the band in place of D.
bool Sinker::addArray(const Decl &D) {
  if (!HasArrays || D.V->Kind == VarKind::Cursor || !mayBeElement(D.V->Ty))
    return false;
  auto B = std::make_shared<Buffer>();
  B->Name = D.V->Name;
  B->Elem = D.V->Ty;
  B->Kind = BufferKind::Local;
  B->Extents = {build::intConst(Width, Type::getI64())};
  B->Loc = D.Loc;
  Arrays.push_back(
      std::make_shared<DeclBuffer>(B, std::vector<ExprRef>(), D.Loc));
  Access At;
  At.Buf = B;
  const auto *Lo = dyn_cast<IntConst>(It.Lo.get());
  if (Banded)
    At.Indices = {
        build::sub(build::cast(build::var(It.V), Band->Ty), build::var(Band))};
  else if (Lo->Value == 0)
    At.Indices = {build::var(It.V)};
  else
    At.Indices = {build::sub(build::var(It.V), It.Lo)};
  Memory.push_back({D.V, At});
  return true;
}

/// The number of the run of statements without loops that each of Body stands
/// in; what is computed once for all points stands between two.
std::vector<unsigned> Sinker::runsOf(const List &Body) const {
  std::vector<unsigned> RunOf;
  unsigned Run = 0;
  bool WasAlone = false;
  for (const StmtRef &S : Body) {
    const auto *D = dyn_cast<Decl>(S.get());
    const bool Alone = hasLoop(S) || (D && Once.contains(D->V.get()));
    Run += Alone || WasAlone;
    WasAlone = Alone;
    RunOf.push_back(Run);
  }
  return RunOf;
}

/// Whether a statement of Body outside of the Ith one's run mentions V.
static bool leavesRun(const std::vector<StmtRef> &Body,
                      const std::vector<unsigned> &RunOf, size_t I,
                      const Var *V) {
  for (size_t K = 0; K < Body.size(); ++K)
    if (RunOf[K] != RunOf[I] && mentions(Body[K], V))
      return true;
  return false;
}

/// Finds what is the same for all points and is needed outside of the run that
/// it is declared in.
void Sinker::findOnce(const List &Body) {
  const std::vector<unsigned> RunOf = runsOf(Body);
  llvm::DenseSet<const Var *> Fixed;
  for (const StmtRef &S : Body)
    if (const auto *D = dyn_cast<Decl>(S.get())) {
      if (D->Init && !setsAgain(All, D->V.get()) && isFixed(D->Init))
        Fixed.insert(D->V.get());
      else
        Each.insert(D->V.get());
    }
  std::vector<ExprRef> Needed;
  for (size_t I = Body.size(); I-- > 0;) {
    const auto *D = dyn_cast<Decl>(Body[I].get());
    if (!D || !Fixed.contains(D->V.get()))
      continue;
    if (leavesRun(Body, RunOf, I, D->V.get()) ||
        llvm::any_of(Needed,
                     [&](const ExprRef &E) { return uses(E, D->V.get()); })) {
      Once.insert(D->V.get());
      Needed.push_back(D->Init);
    } else {
      Each.insert(D->V.get());
    }
  }
}

/// What becomes of each variable that the body declares between its loops.
bool Sinker::classify(const List &Body) {
  findOnce(Body);
  const std::vector<unsigned> RunOf = runsOf(Body);
  for (size_t I = 0; I < Body.size(); ++I) {
    const auto *D = dyn_cast<Decl>(Body[I].get());
    if (!D || Once.contains(D->V.get()) ||
        !leavesRun(Body, RunOf, I, D->V.get()))
      continue;
    if (isCheap(*D))
      Again.push_back({D->V, Body[I]});
    else if (!useDestination(Body, *D) && !addArray(*D))
      return false;
  }
  return true;
}

/// Scalars that became elements.
class ToElements : public Rewriter {
public:
  explicit ToElements(llvm::ArrayRef<std::pair<VarRef, Access>> Memory) {
    for (const auto &[V, At] : Memory)
      Elements[V.get()] = At;
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *U = dyn_cast<VarUse>(E.get());
    const auto At = U ? Elements.find(U->V.get()) : Elements.end();
    return At == Elements.end() ? E : build::load(At->second);
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get())) {
      const auto At = Elements.find(D->V.get());
      if (At == Elements.end())
        return S;
      return D->Init ? std::make_shared<Store>(At->second, Combiner::None,
                                               D->Init, false, S->Loc)
                     : nullptr;
    }
    auto *A = dyn_cast<Assign>(S.get());
    const auto At = A ? Elements.find(A->V.get()) : Elements.end();
    if (At != Elements.end())
      return std::make_shared<Store>(At->second, A->Op, A->Value, false,
                                     S->Loc);
    // The copy to the element that it is.
    auto *St = dyn_cast<Store>(S.get());
    auto *L = St ? dyn_cast<Load>(St->Value.get()) : nullptr;
    return L && St->Op == Combiner::None && sameAccess(L->From, St->To)
               ? nullptr
               : S;
  }

private:
  llvm::DenseMap<const Var *, Access> Elements;
};

/// `if (i == 3) S` as S for that point, where it is known to be one.
StmtRef Sinker::forOnePoint(const StmtRef &S) const {
  const auto List = statements(S);
  const auto *I = List.size() == 1 ? dyn_cast<If>(List[0].get()) : nullptr;
  const auto *Test = I && !I->Else ? dyn_cast<Binary>(I->Cond.get()) : nullptr;
  if (!Points || !Test || Test->Op != BinaryOp::EQ)
    return nullptr;
  const auto Plain = [](ExprRef E) {
    while (const auto *C = dyn_cast<Cast>(E.get())) {
      if (!C->Ty.isInt() || C->Ty.Bits < 32 || !C->Operand->Ty.isInt())
        break;
      E = C->Operand;
    }
    return E;
  };
  const ExprRef L = Plain(Test->L), R = Plain(Test->R);
  const auto *U = dyn_cast<VarUse>(L.get());
  const auto *At = dyn_cast<IntConst>(R.get());
  const int64_t Lo = dyn_cast<IntConst>(It.Lo.get())->Value;
  if (!U || U->V != It.V || !At || Lo < 0 || At->Value < Lo ||
      At->Value >= Lo + *Points)
    return nullptr;
  return substitute(I->Then, It.V, build::intConst(At->Value, It.V->Ty));
}

/// Run, statements without loops, for each point.
void Sinker::close(List &Run, List &Out) {
  if (Run.empty())
    return;
  List Body;
  for (const auto &A : llvm::reverse(Again)) {
    const auto Mentions = [&](const StmtRef &S) {
      return mentions(S, A.first.get());
    };
    if (llvm::any_of(Run, Mentions) || llvm::any_of(Body, Mentions))
      Body.insert(Body.begin(), A.second);
  }
  llvm::append_range(Body, Run);
  Run.clear();
  auto V = std::make_shared<Var>(*It.V);
  Iterator I = Inner;
  I.V = V;
  StmtRef One = ToElements(Memory).run(makeBlock(std::move(Body), It.V->Loc));
  if (!One || statements(One).empty())
    return;
  if (const StmtRef Once = forOnePoint(One)) {
    Out.push_back(Once);
    return;
  }
  One = substitute(One, It.V, build::var(V));
  Out.push_back(std::make_shared<TensorOp>(std::vector<Iterator>{I}, nullptr,
                                           One, "", One->Loc));
}

StmtRef Sinker::sinkLoop(const StmtRef &S) {
  if (auto *If_ = dyn_cast<If>(S.get())) {
    if (!isFixed(If_->Cond))
      return nullptr;
    auto Then = sink(statements(If_->Then));
    auto Else = If_->Else ? sink(statements(If_->Else)) : List();
    if (!Then || !Else)
      return nullptr;
    return std::make_shared<If>(
        If_->Cond, makeBlock(std::move(*Then), If_->Loc),
        If_->Else ? makeBlock(std::move(*Else), If_->Loc) : nullptr, If_->Loc);
  }
  if (setsRange(S, It.V.get()))
    return nullptr;
  for (const Var *V : Each)
    if (setsRange(S, V))
      return nullptr;
  if (auto *L = dyn_cast<For>(S.get())) {
    auto Body = sink(statements(L->Body));
    return Body ? std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                        L->LKind, L->DeclaresVar,
                                        makeBlock(std::move(*Body), L->Loc),
                                        L->Loc)
                : nullptr;
  }
  auto *T = dyn_cast<TensorOp>(S.get());
  auto Body = T ? sink(statements(T->Body)) : std::nullopt;
  if (!Body)
    return nullptr;
  std::vector<Iterator> Its = T->Iterators;
  for (Iterator &I : Its)
    if (I.Kind == IterKind::Reduction) // each element's sum in its order
      I.Kind = IterKind::Serial;
  auto *Only =
      Body->size() == 1 ? dyn_cast<TensorOp>((*Body)[0].get()) : nullptr;
  if (Only && !Only->Mask) {
    llvm::append_range(Its, Only->Iterators);
    return std::make_shared<TensorOp>(std::move(Its), nullptr, Only->Body, "",
                                      T->Loc);
  }
  return std::make_shared<TensorOp>(
      std::move(Its), nullptr, makeBlock(std::move(*Body), T->Loc), "", T->Loc);
}

std::optional<Sinker::List> Sinker::sink(const List &Body) {
  if (!classify(Body))
    return std::nullopt;
  List Out, Run;
  for (const StmtRef &S : Body) {
    const auto *D = dyn_cast<Decl>(S.get());
    if (D && Once.contains(D->V.get())) {
      close(Run, Out);
      Out.push_back(S);
      continue;
    }
    if (D && llvm::any_of(Again, [&](const auto &A) {
          return A.first == D->V;
        })) // where it is needed
      continue;
    if (!hasLoop(S)) {
      Run.push_back(S);
      continue;
    }
    close(Run, Out);
    StmtRef In = sinkLoop(S);
    if (!In)
      return std::nullopt;
    Out.push_back(std::move(In));
  }
  close(Run, Out);
  return Out;
}

void Sinker::makeBand() {
  Inner = It;
  if (!Banded)
    return;
  Over = makeBands(It, Width, "band");
  Band = Over.Bands.V;
  BandEnd = Over.End->V;
  Inner = Over.Points;
}

StmtRef Sinker::run(const TensorOp &T, std::vector<Iterator> Front) {
  All = T.Body;
  forEachStmt(All, [&](const StmtRef &S) {
    if (auto *D = dyn_cast<Decl>(S.get()))
      Declared.insert(D->V.get());
  });
  makeBand();
  auto Sunk = sink(statements(All));
  if (!Sunk)
    return nullptr;
  if (!Banded) {
    Sunk->insert(Sunk->begin(), Arrays.begin(), Arrays.end());
    StmtRef Body = makeBlock(std::move(*Sunk), T.Loc);
    return Front.empty() ? Body
                         : std::make_shared<TensorOp>(std::move(Front), nullptr,
                                                      Body, T.OpKind, T.Loc);
  }
  List Out = {Over.End};
  llvm::append_range(Out, Arrays);
  llvm::append_range(Out, *Sunk);
  Front.push_back(Over.Bands);
  return std::make_shared<TensorOp>(std::move(Front), nullptr,
                                    makeBlock(std::move(Out), T.Loc), T.OpKind,
                                    T.Loc);
}

} // namespace

BandsOf raise::makeBands(const Iterator &It, int64_t Width,
                         const std::string &Name) {
  const auto Named = [&](const char *Suffix, Type Ty) {
    auto V = std::make_shared<Var>();
    V->Name = It.V->Name + Suffix;
    V->Ty = std::move(Ty);
    V->Loc = It.V->Loc;
    return V;
  };
  const VarRef Band = Named(("_" + Name).c_str(),
                            It.V->Ty.Bits < 64 ? Type::getI64() : It.V->Ty);
  const auto End = Named("_end", It.V->Ty);
  End->Const = true;
  const Type Wide = Band->Ty;
  const ExprRef Size = build::intConst(Width, Wide);
  const ExprRef Left = build::sub(build::cast(It.Hi, Wide), build::var(Band));
  BandsOf Of;
  Of.End = std::make_shared<Decl>(
      End,
      build::select(build::lt(Left, Size), It.Hi,
                    build::cast(build::add(build::var(Band), Size), It.V->Ty)));
  Of.Points = It;
  Of.Points.Lo = build::cast(build::var(Band), It.V->Ty);
  Of.Points.Hi = build::var(End);
  Of.Bands = It;
  Of.Bands.V = Band;
  Of.Bands.Lo = build::cast(It.Lo, Wide);
  Of.Bands.Hi = build::cast(It.Hi, Wide);
  Of.Bands.Step = Size;
  return Of;
}

StmtRef raise::goInside(const TensorOp &T, std::vector<Iterator> Front,
                        const Iterator &It, const Region &Around,
                        int64_t Width) {
  return Sinker(It, Around, Width).run(T, std::move(Front));
}
