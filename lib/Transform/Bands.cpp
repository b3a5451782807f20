//===- Bands.cpp - a free iterator goes inside of the loops of its body ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Points of a Parallel iterator j have nothing to do with one another, so its
// body's statements may be run one after the other for many of them:
//
//   for (j) { s = 0; for (k) s += a[k][j]; c[j] = s; }
//   for (j) c[j] = 0;  for (k) for (j) c[j] += a[k][j];
//
// Each point still does what it did in its own order, so nothing rounds
// otherwise. That pays where j goes along the lines of memory and the loops of
// the body go across them. Where a scalar lives from one statement to the next,
// or j is what threads share out, it goes inside by bands: a scalar becomes an
// array with an element for each point of a band.
//
//===----------------------------------------------------------------------===//
#include "LinesTouched.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Points of a band: some vectors of whatever type, and few enough that what a
/// band touches of a matrix's rows stays in a cache while other loops go over
/// it again.
int64_t bandWidth(const MachineFacts &Machine) {
  return std::max<int64_t>(2 * int64_t(Machine.VectorBytes), 1);
}

/// Points with which a loop of vectors pays.
int64_t longEnough(const MachineFacts &Machine) {
  return std::max<int64_t>(int64_t(Machine.VectorBytes) / 2, 1);
}

bool isLoop(const StmtRef &S) {
  return isa<TensorOp>(S.get()) || isa<For>(S.get()) || isa<While>(S.get());
}

bool hasLoop(const StmtRef &S) {
  bool Found = false;
  forEachStmt(S, [&](const StmtRef &Sub) { Found |= isLoop(Sub); });
  return Found;
}

bool mentions(const StmtRef &S, const Var *V) {
  return S && (uses(S, V) || assigns(S, V));
}

/// Whether S sets V after its declaration.
bool setsAgain(const StmtRef &S, const Var *V) {
  unsigned Times = 0;
  assignedVars(S, [&](const VarRef &Set) { Times += Set.get() == V; });
  return Times > 1;
}

/// Whether nothing in S ends an iteration or has effects that are not known.
bool isPlain(const StmtRef &S) {
  bool Plain = true;
  forEachStmt(S, [&](const StmtRef &Sub) {
    const auto *L = dyn_cast<For>(Sub.get());
    const auto *T = dyn_cast<TensorOp>(Sub.get());
    const auto *St = dyn_cast<Store>(Sub.get());
    const auto *D = dyn_cast<Decl>(Sub.get());
    const bool Known = isa<Block>(Sub.get()) || D || isa<Assign>(Sub.get()) ||
                       St || isa<If>(Sub.get()) || L || T;
    Plain &= Known &&
             !(L && (!L->DeclaresVar || L->LKind != LoopKind::Serial)) &&
             !(T && T->Mask) && !(St && (St->Atomic || St->To.Buf->Volatile));
    Plain &= !(T && llvm::any_of(T->Iterators, [](const Iterator &I) {
                 return I.Kind == IterKind::Search;
               }));
  });
  return Plain;
}

/// Scalars that S writes and does not declare.
bool writesOuterScalars(const StmtRef &S) {
  llvm::DenseSet<const Var *> Own;
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *D = dyn_cast<Decl>(Sub.get()))
      Own.insert(D->V.get());
    if (auto *L = dyn_cast<For>(Sub.get()))
      Own.insert(L->V.get());
    if (auto *T = dyn_cast<TensorOp>(Sub.get()))
      for (const Iterator &I : T->Iterators)
        Own.insert(I.V.get());
  });
  bool Writes = false;
  assignedVars(S, [&](const VarRef &V) { Writes |= !Own.count(V.get()); });
  return Writes;
}

//===----------------------------------------------------------------------===//
// Is it worth it
//===----------------------------------------------------------------------===//

/// Lines that the innermost loops of S come to, a step of each.
struct Lines {
  double Now = 0;       ///< by their own variables
  double Then = 0;      ///< by V, once it is innermost
  bool Blocked = false; ///< by a loop of which V sets the range
};

bool setsRange(const StmtRef &S, const Var *V) {
  const auto Uses = [&](const ExprRef &E) { return E && uses(E, V); };
  if (auto *L = dyn_cast<For>(S.get()))
    return Uses(L->Lo) || Uses(L->Hi) || Uses(L->Step);
  if (auto *T = dyn_cast<TensorOp>(S.get()))
    return llvm::any_of(T->Iterators, [&](const Iterator &I) {
      return Uses(I.Lo) || Uses(I.Hi) || Uses(I.Step);
    });
  return false;
}

void countLines(const StmtRef &S, const Var *V, Lines &Sum) {
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (!isLoop(Sub))
      return;
    Sum.Blocked |= setsRange(Sub, V);
    const auto *L = dyn_cast<For>(Sub.get());
    const auto *T = dyn_cast<TensorOp>(Sub.get());
    const StmtRef &Body = L ? L->Body : T ? T->Body : Sub;
    if ((!L && !T) || hasLoop(Body))
      return;
    const Var *Own = L ? L->V.get() : T->Iterators.back().V.get();
    Sum.Now += linesPerStep(Body, Own);
    Sum.Then += linesPerStep(Body, V);
  });
}

//===----------------------------------------------------------------------===//
// How it is done
//===----------------------------------------------------------------------===//

/// Puts an iterator inside of the loops of a body.
class Sinker {
public:
  /// Width: points of a band; 0 to go inside whole.
  Sinker(const Iterator &It, const Region &Around, int64_t Width)
      : It(It), Around(Around), Width(Width), Banded(Width != 0) {}

  /// T, of which Front are the other iterators. Null where something stands in
  /// the way.
  StmtRef run(const TensorOp &T, std::vector<Iterator> Front);

private:
  using List = std::vector<StmtRef>;

  std::vector<unsigned> runsOf(const List &Body) const;
  void findOnce(const List &Body);
  bool classify(const List &Body);
  bool useDestination(const List &Body, const Decl &D);
  bool isApart(const Buffer &A, const Buffer &B) const;
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

  const Iterator It;
  const Region &Around;
  const int64_t Width;
  const bool Banded;
  StmtRef All;                          ///< the body
  llvm::DenseSet<const Var *> Declared; ///< anywhere in it
  llvm::DenseSet<const Var *> Each;     ///< differ from point to point
  llvm::DenseSet<const Var *> Once;     ///< are the same for all points
  std::vector<std::pair<VarRef, StmtRef>> Again; ///< are declared where needed
  std::vector<std::pair<VarRef, Access>> Memory; ///< become elements
  std::vector<StmtRef> Arrays;
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

/// Two buffers that share no byte, by what they are or by a test of the region.
bool Sinker::isApart(const Buffer &A, const Buffer &B) const {
  const auto IsOwn = [](const Buffer &Of, const Buffer &From) {
    return Of.Kind == BufferKind::Local && From.Kind != BufferKind::Pointer;
  };
  if (A.Restrict || B.Restrict || IsOwn(A, B) || IsOwn(B, A) ||
      (A.Apart && A.Apart == B.Apart))
    return true;
  return llvm::any_of(Around.Rests.Guards, [&](const Guard &G) {
    return !G.Cond && ((G.A.Buf.get() == &A && G.B.Buf.get() == &B) ||
                       (G.A.Buf.get() == &B && G.B.Buf.get() == &A));
  });
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
    Meets += A.At.Buf == To->To.Buf || !isApart(*A.At.Buf, *To->To.Buf);
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
  if (!Banded || D.V->Kind == VarKind::Cursor || !mayBeElement(D.V->Ty))
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
  At.Indices = {
      build::sub(build::cast(build::var(It.V), Band->Ty), build::var(Band))};
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

/// The band's first point, in a type that holds any of the iterator's and a
/// step more, and its end.
void Sinker::makeBand() {
  const auto Named = [&](const char *Suffix, Type Ty) {
    auto V = std::make_shared<Var>();
    V->Name = It.V->Name + Suffix;
    V->Ty = std::move(Ty);
    V->Loc = It.V->Loc;
    return V;
  };
  Inner = It;
  if (!Banded)
    return;
  Band = Named("_band", It.V->Ty.Bits < 64 ? Type::getI64() : It.V->Ty);
  auto End = Named("_end", It.V->Ty);
  End->Const = true;
  BandEnd = End;
  Inner.Lo = build::cast(build::var(Band), It.V->Ty);
  Inner.Hi = build::var(BandEnd);
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
    StmtRef Body = makeBlock(std::move(*Sunk), T.Loc);
    return Front.empty() ? Body
                         : std::make_shared<TensorOp>(std::move(Front), nullptr,
                                                      Body, T.OpKind, T.Loc);
  }
  const Type Wide = Band->Ty;
  const ExprRef Size = build::intConst(Width, Wide);
  const ExprRef Left = build::sub(build::cast(It.Hi, Wide), build::var(Band));
  List Out = {std::make_shared<Decl>(
      BandEnd, build::select(
                   build::lt(Left, Size), It.Hi,
                   build::cast(build::add(build::var(Band), Size), It.V->Ty)))};
  llvm::append_range(Out, Arrays);
  llvm::append_range(Out, *Sunk);
  Iterator Bands = It;
  Bands.V = Band;
  Bands.Lo = build::cast(It.Lo, Wide);
  Bands.Hi = build::cast(It.Hi, Wide);
  Bands.Step = Size;
  Front.push_back(Bands);
  return std::make_shared<TensorOp>(std::move(Front), nullptr,
                                    makeBlock(std::move(Out), T.Loc), T.OpKind,
                                    T.Loc);
}

//===----------------------------------------------------------------------===//
// Which
//===----------------------------------------------------------------------===//

class Banding {
public:
  /// MayTest: small sizes may go to the region's original.
  Banding(const Region &R, const MachineFacts &Machine, bool MayTest)
      : R(R), Machine(Machine), MayTest(MayTest) {}

  bool Changed = false;
  std::vector<Guard> Tests;

  StmtRef run(const StmtRef &S, bool InParallel);

private:
  StmtRef tensorOp(const TensorOp &T, bool InParallel);
  bool mayGoInside(const TensorOp &T, size_t N) const;
  bool isInside(const Var *V) const;
  bool isLong(const Iterator &It);

  const Region &R;
  const MachineFacts &Machine;
  const bool MayTest;
  std::vector<Iterator> Outer; ///< around what is looked at
};

/// Whether each of T's iterators could follow its Nth one's place.
bool Banding::mayGoInside(const TensorOp &T, size_t N) const {
  const Iterator &It = T.Iterators[N];
  const auto *By = dyn_cast<IntConst>(It.Step.get());
  const auto *First = dyn_cast<IntConst>(It.Lo.get());
  if (It.Kind != IterKind::Parallel || !By || By->Value != 1 ||
      (It.V->Ty.Bits >= 64 && !(First && First->Value >= 0)))
    return false;
  return llvm::none_of(llvm::ArrayRef<Iterator>(T.Iterators).drop_front(N + 1),
                       [&](const Iterator &Later) {
                         return uses(Later.Lo, It.V.get()) ||
                                uses(Later.Hi, It.V.get()) ||
                                uses(Later.Step, It.V.get());
                       });
}

/// T with its Nth iterator last of those around the body: those that keep an
/// order become loops of the body.
TensorOp withInnermost(const TensorOp &T, size_t N) {
  std::vector<Iterator> Front = T.Iterators, Rest;
  const Iterator It = Front[N];
  const auto Ordered =
      std::find_if(Front.begin() + N + 1, Front.end(), [](const Iterator &I) {
        return I.Kind != IterKind::Parallel;
      });
  Rest.assign(Ordered, Front.end());
  Front.erase(Ordered, Front.end());
  Front.erase(Front.begin() + N);
  Front.push_back(It);
  if (Rest.empty())
    return TensorOp(std::move(Front), T.Mask, T.Body, T.OpKind, T.Loc);
  return TensorOp(
      std::move(Front), T.Mask,
      std::make_shared<TensorOp>(std::move(Rest), nullptr, T.Body, "", T.Loc),
      T.OpKind, T.Loc);
}

/// Whether V is declared or set in the region.
bool Banding::isInside(const Var *V) const {
  bool Inside = assigns(R.Body, V);
  forEachStmt(R.Body, [&](const StmtRef &S) {
    const auto *D = dyn_cast<Decl>(S.get());
    const auto *L = dyn_cast<For>(S.get());
    const auto *T = dyn_cast<TensorOp>(S.get());
    Inside |= (D && D->V.get() == V) || (L && L->V.get() == V) ||
              (T && llvm::any_of(T->Iterators, [&](const Iterator &I) {
                 return I.V.get() == V;
               }));
  });
  return Inside;
}

/// Whether It has points enough, or a test says so where that is known before.
bool Banding::isLong(const Iterator &It) {
  const int64_t Enough = longEnough(Machine);
  ExprRef Lo = It.Lo, Hi = It.Hi;
  for (const Iterator &I : llvm::reverse(Outer)) {
    Lo = substitute(Lo, I.V, I.Lo);
    Hi = substitute(Hi, I.V, I.Lo);
  }
  const auto First = Polynomial::of(Lo), Last = Polynomial::of(Hi);
  if (!First || !Last)
    return false;
  // Hi - Lo, as the sum and difference of variables and a number.
  Polynomial Rest = *Last - *First;
  const Type Wide = Type::getI64();
  ExprRef Span;
  bool Known = true;
  const auto Take = [&](const ExprRef &In) {
    forEachExpr(In, [&](const ExprRef &E) {
      const auto *U = dyn_cast<VarUse>(E.get());
      if (!U || !Rest.mentions(U->V.get()))
        return;
      const auto Times = Rest.coefficient(U->V.get());
      const auto By = Times ? Times->asConstant() : std::nullopt;
      Known &= By && (*By == 1 || *By == -1) && !isInside(U->V.get()) &&
               U->V->Ty.Bits < 64;
      if (!Known)
        return;
      const ExprRef V = build::cast(E, Wide);
      if (*By < 0)
        Known &= Span != nullptr;
      if (Known)
        Span = !Span ? V : *By > 0 ? build::add(Span, V) : build::sub(Span, V);
      Rest = Rest.without(U->V.get());
    });
  };
  Take(Hi);
  Take(Lo);
  const auto Number = Rest.asConstant();
  if (!Known || !Number)
    return false;
  if (!Span)
    return *Number >= Enough;
  Guard G;
  G.Cond = build::binary(BinaryOp::GE, Span,
                         build::intConst(Enough - *Number, Wide));
  G.Why = "rows are long enough for vectors";
  Tests.push_back(std::move(G));
  return true;
}

StmtRef Banding::tensorOp(const TensorOp &T, bool InParallel) {
  if (T.Mask || !isPlain(T.Body) || writesOuterScalars(T.Body))
    return nullptr;
  std::optional<TensorOp> Best;
  double Least = 0;
  for (size_t N = 0; N < T.Iterators.size(); ++N) {
    if (!mayGoInside(T, N))
      continue;
    TensorOp With = withInnermost(T, N);
    if (!hasLoop(With.Body))
      continue;
    Lines L;
    countLines(With.Body, With.Iterators.back().V.get(), L);
    // A change of order must pay clearly.
    if (L.Blocked || L.Then * 1.5 >= L.Now || (Best && L.Then >= Least))
      continue;
    Best.emplace(std::move(With));
    Least = L.Then;
  }
  if (!Best)
    return nullptr;
  std::vector<Iterator> Front = Best->Iterators;
  const Iterator It = Front.back();
  Front.pop_back();
  const std::vector<Guard> Before = Tests;
  llvm::append_range(Outer, Front);
  const bool Pays = !MayTest || isLong(It);
  Outer.resize(Outer.size() - Front.size());
  if (!Pays)
    return nullptr;
  const bool Threads = InParallel || llvm::any_of(Front, [](const Iterator &I) {
                         return I.Kind == IterKind::Parallel;
                       });
  // Whole, what stood between the loops is computed even if there is no point:
  // a test says that there are some, but where other iterators set the range.
  const bool IsSame =
      llvm::none_of(Front,
                    [&](const Iterator &I) {
                      return uses(It.Lo, I.V.get()) || uses(It.Hi, I.V.get());
                    }) &&
      llvm::none_of(Outer, [&](const Iterator &I) {
        return uses(It.Lo, I.V.get()) || uses(It.Hi, I.V.get());
      });
  StmtRef Out = Threads && IsSame && MayTest
                    ? Sinker(It, R, /*Width=*/0).run(*Best, Front)
                    : nullptr;
  if (!Out)
    Out = Sinker(It, R, bandWidth(Machine)).run(*Best, Front);
  if (!Out)
    Tests = Before;
  return Out;
}

StmtRef Banding::run(const StmtRef &S, bool InParallel) {
  const auto *T = dyn_cast<TensorOp>(S.get());
  if (!T)
    return mapChildren(
        S, [&](const StmtRef &Sub) { return run(Sub, InParallel); });
  if (StmtRef Out = tensorOp(*T, InParallel)) {
    Changed = true;
    return Out;
  }
  InParallel |= llvm::any_of(T->Iterators, [](const Iterator &I) {
    return I.Kind == IterKind::Parallel;
  });
  llvm::append_range(Outer, T->Iterators);
  StmtRef Body = run(T->Body, InParallel);
  Outer.resize(Outer.size() - T->Iterators.size());
  return Body == T->Body ? S
                         : std::make_shared<TensorOp>(T->Iterators, T->Mask,
                                                      Body, T->OpKind, T->Loc);
}

/// Whether E >= m, since E >= n is tested for an n that is no less.
bool isImplied(const Expr &Weak, const Expr &Strong) {
  const auto *W = dyn_cast<Binary>(&Weak), *S = dyn_cast<Binary>(&Strong);
  if (!W || !S || W->Op != BinaryOp::GE || S->Op != BinaryOp::GE ||
      !structurallyEqual(W->L, S->L))
    return false;
  const auto *Low = dyn_cast<IntConst>(W->R.get());
  const auto *High = dyn_cast<IntConst>(S->R.get());
  return Low && High && Low->Value <= High->Value;
}

/// Where a test fails, a kernel runs thread by thread, and a derivative in its
/// general form: either is far slower than any order of the loops.
bool hasPlainOriginal(const Function &F) {
  return F.Kind != FunctionKind::Kernel &&
         llvm::none_of(F.Params, [](const Param &P) {
           return P.Buf && P.Buf->Derivative != 0;
         });
}

class Regions : public Rewriter {
public:
  Regions(const MachineFacts &Machine, bool MayTest)
      : Machine(Machine), MayTest(MayTest) {}

private:
  const MachineFacts &Machine;
  const bool MayTest;
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *R = dyn_cast<Region>(S.get());
    if (!R)
      return S;
    Banding B(*R, Machine, MayTest);
    StmtRef Body = B.run(R->Body, false);
    if (!B.Changed)
      return S;
    Obligations Rests = R->Rests;
    if (!Rests.Means)
      Rests.Means = R->Body;
    // What they imply need not be tested.
    llvm::erase_if(Rests.Guards, [&](const Guard &G) {
      return llvm::any_of(B.Tests, [&](const Guard &Test) {
        return G.Cond && isImplied(*G.Cond, *Test.Cond);
      });
    });
    // Tests of values come before those of ranges, which may need them.
    Rests.Guards.insert(Rests.Guards.begin(), B.Tests.begin(), B.Tests.end());
    return std::make_shared<Region>(std::move(Rests), Body, R->Original,
                                    R->Loc);
  }
};

} // namespace

FunctionRef raise::sinkIterators(FunctionRef F, Context &Ctx) {
  // Expressions of whole arrays have no order of loops.
  if (Ctx.Opts.Target == Dialect::Eigen)
    return F;
  return withBody(*F,
                  Regions(Ctx.Opts.Machine, hasPlainOriginal(*F)).run(F->Body));
}
