//===- Values.cpp - values of the forward sweep, in the reverse one -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "PathConditions.h"
#include "Repeated.h"
#include "ReversedLoop.h"
#include "Rules.h"
#include "raise/Grad/Derivatives.h"
#include "raise/Grad/Signature.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

/// How many definitions a value is followed through.
static constexpr unsigned MaxDepth = 64;

std::string Values::freshName(StringRef Name) {
  std::string Text = Name.str();
  for (unsigned K = 2; !Names.insert(Text).second; ++K)
    Text = Name.str() + std::to_string(K);
  return Text;
}

//===-- What may change
//----------------------------------------------------===//

bool Values::mayMeet(const Buffer &A, const Buffer &B) const {
  if (&A == &B)
    return true;
  const AliasResult R = alias(A, B);
  return R == AliasResult::Must ||
         (R == AliasResult::May && Alias == AliasMode::Check);
}

/// A member and what holds it may overlap; two other members never do.
static bool mayOverlap(StringRef A, StringRef B) {
  return A.empty() || B.empty() || A == B || A.starts_with(B.str() + ".") ||
         B.starts_with(A.str() + ".");
}

/// Whether Fn holds for something that may run after what is before P has run.
static bool anyAfter(Position P, function_ref<bool(const Node &)> Fn) {
  unsigned From = P.Index;
  for (const List *L = P.L; L; L = outer(*L)) {
    const bool Again = L->Owner && L->Owner->isLoop();
    for (const std::unique_ptr<Node> &N : L->Nodes)
      if ((Again || N->Index >= From) && Fn(*N))
        return true;
    if (!L->Owner)
      return false;
    if (Again && L->Owner->Trips && Fn(*L->Owner))
      return true;
    From = L->Owner->Index + 1;
  }
  return false;
}

bool Values::changesAfter(const Var *V, Position P) const {
  return anyAfter(P, [&](const Node &N) { return N.Sets.count(V) != 0; });
}

bool Values::mayChangeAfter(const Access &A, Position P) const {
  return any_of(N.Stores, [&](const auto &Pair) {
    const Store *S = Pair.first;
    const auto Holds = [&](const Node &N) { return is_contained(N.Stores, S); };
    return mayMeet(*A.Buf, *S->To.Buf) && mayOverlap(A.Field, S->To.Field) &&
           anyAfter(P, Holds) && mayWriteAfter(A, P, S, *Pair.second);
  });
}

/// Where a statement By and what is at P stand to each other.
struct Values::Meeting {
  const List *Common = nullptr; ///< the innermost that holds both
  unsigned From = 0;            ///< of P's, in Common
  bool Through = false;         ///< P stands within its statement there
  unsigned Holder = 0;          ///< of By's
  /// Around Common, outermost first; nothing where one of them is no For.
  std::optional<std::vector<const For *>> Loops;
};

Values::Meeting Values::meetingOf(Position P, const Node &By) const {
  Meeting M;
  M.Common = P.L;
  M.From = P.Index;
  while (!isWithin(By.In, M.Common)) {
    M.From = M.Common->Owner->Index;
    M.Through = true;
    M.Common = outer(*M.Common);
  }
  const Node *Holder = &By;
  while (Holder->In != M.Common)
    Holder = Holder->In->Owner;
  M.Holder = Holder->Index;
  std::vector<const For *> Loops;
  for (const List *L = M.Common; L->Owner; L = outer(*L))
    if (auto *F = dyn_cast<For>(L->Owner->S.get()))
      Loops.insert(Loops.begin(), F == PartOf.first ? PartOf.second : F);
    else if (L->Owner->isLoop())
      return M;
  M.Loops = std::move(Loops);
  return M;
}

/// The statement that an access at P is of.
static const Stmt *statementAt(Position P) {
  const unsigned K = P.Ends ? P.Index - 1 : P.Index;
  return K < P.L->Nodes.size() ? P.L->Nodes[K]->S.get() : nullptr;
}

/// To, of By, may run after what is before P.
bool Values::mayWriteAfter(const Access &A, Position P, const Store *To,
                           const Node &By) const {
  if (!Later)
    return true;
  // The scopes around both, and which statements of the innermost lead there.
  Meeting M = meetingOf(P, By);
  if (!M.Loops)
    return true;
  const bool Same = M.Holder >= M.From + (M.Through ? 1 : 0);
  if (PartOf.second && !PartOf.first)
    M.Loops->insert(M.Loops->begin(), PartOf.second);
  M.Loops->insert(M.Loops->begin(), Around.begin(), Around.end());
  // Another statement's access of the same text may happen more rarely.
  const Stmt *In = statementAt(P);
  return !In ||
         Later->mayWrite(To, In, A, *M.Loops, Same, /*First=*/Around.size());
}

/// To, of By, may have run before what is at P, in an execution of Whole, a
/// loop around both.
bool Values::mayWriteBefore(const Access &A, Position P, const Store *To,
                            const Node &By, const Node &Whole) const {
  if (!Later || PartOf.second)
    return true;
  Meeting M = meetingOf(P, By);
  const Stmt *In = statementAt(P);
  if (!M.Loops || !In)
    return true;
  M.Loops->insert(M.Loops->begin(), Around.begin(), Around.end());
  const auto First = find(*M.Loops, cast<For>(Whole.S.get()));
  return First == M.Loops->end() ||
         Later->mayHaveWritten(To, In, A, *M.Loops,
                               size_t(First - M.Loops->begin()),
                               M.Holder < M.From);
}

bool Values::mayChange(const Load &L, const Node &By) const {
  bool Changes = false;
  forEachExpr(std::make_shared<Load>(L), [&](const ExprRef &E) {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      Changes |= By.Sets.count(U->V.get()) != 0;
    auto *Inner = dyn_cast<Load>(E.get());
    if (!Inner)
      return;
    const Access &A = Inner->From;
    Changes |= By.Declares.count(A.Buf.get()) != 0 ||
               any_of(By.Stores, [&](const Store *S) {
                 return mayMeet(*A.Buf, *S->To.Buf) &&
                        mayOverlap(A.Field, S->To.Field);
               });
  });
  return Changes;
}

bool Values::isReadFirst(const Load &L, Position P, const Node &Whole,
                         const Substitution &Free) const {
  bool Fixed = !Whole.Declares.count(L.From.Buf.get());
  for (const std::vector<ExprRef> *Of : {&L.From.Indices, &L.From.Extents})
    for (const ExprRef &E : *Of)
      forEachExpr(substitute(E, Free), [&](const ExprRef &Sub) {
        if (auto *U = dyn_cast<VarUse>(Sub.get()))
          Fixed &= Whole.Sets.count(U->V.get()) == 0;
        if (auto *Inner = dyn_cast<Load>(Sub.get()))
          Fixed &= !mayChange(*Inner, Whole);
      });
  return Fixed && none_of(N.Stores, [&](const auto &Pair) {
           const Store *S = Pair.first;
           return is_contained(Whole.Stores, S) &&
                  mayMeet(*L.From.Buf, *S->To.Buf) &&
                  mayOverlap(L.From.Field, S->To.Field) &&
                  mayWriteBefore(L.From, P, S, *Pair.second, Whole);
         });
}

bool Values::isInScope(const Var *V, const List *) const {
  const List *Scope = N.scopeOf(V);
  return !Scope || Scope == &N.Root;
}

//===-- Where a value comes from
//-------------------------------------------===//

Values::Origin Values::originOf(const Var *V, Position P) const {
  unsigned From = P.Index;
  for (const List *L = P.L;; L = outer(*L)) {
    for (unsigned K = From; K-- > 0;)
      if (L->Nodes[K]->Sets.count(V))
        return {{L, K + 1}, L->Nodes[K].get(), nullptr};
    const Node *Owner = L->Owner;
    if (!Owner)
      return {{L, 0}, nullptr, nullptr};
    if (auto *F = dyn_cast<For>(Owner->S.get()); F && F->V.get() == V)
      return {{L, 0}, nullptr, Owner};
    if (Owner->Trips.get() == V)
      return {{L, 0}, nullptr, Owner};
    if (Owner->isLoop() && Owner->Sets.count(V))
      return {{L, 0}, nullptr, nullptr};
    From = Owner->Index;
  }
}

/// The first place of P's list from which on L has one value up to P.
Position Values::firstPlaceOf(const Load &L, Position P) const {
  unsigned K = P.Index;
  while (K > 0 && !mayChange(L, *P.L->Nodes[K - 1]))
    --K;
  return {P.L, K};
}

/// Whether V has a value whenever P is reached.
static bool isSet(const Nest &N, const Var *V, const Node *Def) {
  const List *Scope = N.scopeOf(V);
  if (!Scope)
    return true; // a parameter
  if (Def && (isa<Decl>(*Def->S) || isa<Assign>(*Def->S) ||
              isa<Opaque>(*Def->S) || Def->Trips.get() == V))
    return !isa<Decl>(*Def->S) || cast<Decl>(Def->S.get())->Init;
  return any_of(Scope->Nodes, [&](const std::unique_ptr<Node> &Of) {
    auto *D = dyn_cast<Decl>(Of->S.get());
    return D && D->V.get() == V && D->Init;
  });
}

//===-- Heads
//--------------------------------------------------------------===//

ExprRef Values::known(const ExprRef &Of, Position At,
                      const ExprRef &Cond) const {
  for (const Kept &K : All)
    if (K.At == At && structurallyEqual(K.Of, Of) &&
        (!K.Cond || (Cond && structurallyEqual(K.Cond, Cond))))
      return build::cast(build::var(K.V), Of->Ty);
  return nullptr;
}

/// When the statement at P evaluates Part; null for always.
static ExprRef conditionAt(Position P, const ExprRef &Part) {
  return P.Ends || P.Index >= P.L->Nodes.size()
             ? nullptr
             : pathCondition(*P.L->Nodes[P.Index]->S, Part);
}

VarRef Values::headVariable(const ExprRef &Of, Position At, StringRef Name) {
  auto V = std::make_shared<Var>();
  auto *U = dyn_cast<VarUse>(Of.get());
  if (U)
    *V = *U->V;
  V->Kind =
      U && U->V->Kind == VarKind::Cursor ? VarKind::Cursor : VarKind::Local;
  V->Ty = Of->Ty;
  V->Const = true;
  // Where the variable's own scope is reversed, it keeps its name.
  const bool Own = U && loopsAround(*At.L) && N.scopeOf(U->V.get()) == At.L;
  const bool Taken = any_of(HeadNames, [&](const auto &H) {
    return H.second == Name &&
           (isWithin(H.first, At.L) || isWithin(At.L, H.first));
  });
  V->Name = Own && !Taken ? Name.str() : freshName(Name.str() + "_old");
  HeadNames.push_back({At.L, V->Name});
  return V;
}

ExprRef Values::declare(const ExprRef &Of, Position At, VarRef V, ExprRef Init,
                        StmtRef Before) {
  All.push_back({Of, At, V, std::move(Init), std::move(Before), nullptr});
  if (All.back().Init)
    Heads[At.L].push_back(&All.back());
  return build::cast(build::var(V), Of->Ty);
}

std::vector<StmtRef> Values::headOf(const List &L) const {
  std::vector<StmtRef> Out;
  for (const Kept *K : Heads.lookup(&L)) {
    if (K->Before)
      Out.push_back(K->Before);
    Out.push_back(std::make_shared<Decl>(K->V, K->Init));
  }
  return Out;
}

std::vector<StmtRef> Values::savesAt(Position P) const {
  auto It = Saves.find({P.L, P.Index});
  std::vector<StmtRef> Out =
      It == Saves.end() ? std::vector<StmtRef>() : It->second;
  if (auto At = Positions.find({P.L, P.Index}); At != Positions.end())
    Out.push_back(std::make_shared<Assign>(At->second, Combiner::Add,
                                           build::intConst(1, Type::getI64())));
  return Out;
}

StmtRef Values::withNames(const StmtRef &S, Position P) const {
  const auto At = Named.find({P.L, P.Index});
  StmtRef Out = S;
  if (At != Named.end())
    for (const auto &[Of, V] : At->second)
      Out = replaced(Out, Of, build::var(V));
  return Out;
}

VarRef Values::reverseCounter(const Node &Loop) {
  VarRef &V = Counters[&Loop];
  if (!V) {
    auto *F = dyn_cast<For>(Loop.S.get());
    auto Made = std::make_shared<Var>(F ? *F->V : *Loop.Trips);
    if (!F || !F->DeclaresVar)
      Made->Name = freshName(F ? F->V->Name : "k");
    Made->Kind = VarKind::Local;
    V = F && F->DeclaresVar ? F->V : VarRef(std::move(Made));
  }
  return V;
}

ExprRef Values::placeOf(const VarRef &C) const {
  const Origin O = originOf(C.get(), {&N.Root, unsigned(N.Root.Nodes.size())});
  auto *D = O.Def ? dyn_cast<Decl>(O.Def->S.get()) : nullptr;
  if (!D || D->V != C || !D->Init || O.At.L != &N.Root)
    return nullptr;
  bool Fixed = !isSlow(D->Init);
  forEachExpr(D->Init, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    Fixed &=
        !isa<Load>(*E) && !(U && (!isInScope(U->V.get(), nullptr) ||
                                  changesAfter(U->V.get(), before(*O.Def))));
  });
  return Fixed ? D->Init : nullptr;
}

VarRef Values::cursorInto(const VarRef &C, const BufferRef &To,
                          const std::string &Name) {
  const auto Moved = [&](ExprRef Init) {
    auto V = std::make_shared<Var>(*C);
    V->Name = Name;
    V->Base = To;
    return std::pair(VarRef(V), std::move(Init));
  };
  const ExprRef Of = build::var(C);
  auto It = find_if(All, [&](const Kept &K) { return K.V == C && K.Init; });
  const List *L = It == All.end() ? &N.Root : It->At.L;
  // One for each cursor and buffer.
  for (const Kept &K : All)
    if (K.V->Base == To && structurallyEqual(K.Of, Of))
      return K.V;
  if (It == All.end() && (!N.Vars.count(C.get()) || !isInScope(C.get(), L)))
    return nullptr;
  const ExprRef Place = It == All.end() ? placeOf(C) : It->Init;
  ExprRef Init = Place ? Place : Of;
  if (Place) {
    Substitution Map;
    forEachExpr(Place, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      if (U && U->V->Kind == VarKind::Cursor)
        if (VarRef Inner = cursorInto(U->V, To, freshName(Name)))
          Map[U->V.get()] = build::var(Inner);
    });
    if (!Map.empty())
      Init = substitute(Init, Map);
  }
  auto [V, Value] = Moved(Init);
  declare(Of, {L, 0}, V, Value);
  return V;
}

//===-- Uses
//---------------------------------------------------------------===//

ExprRef Values::recomputed(const Origin &O, const Var *V) {
  if (!O.Def)
    return nullptr;
  const unsigned Depth = loopsAround(*O.At.L);
  llvm::SaveAndRestore<bool> AtHead(Here, false);
  if (auto *D = dyn_cast<Decl>(O.Def->S.get()))
    return D->Init && !(isNear() && isSlow(D->Init))
               ? resolve(D->Init, before(*O.Def), Depth)
               : nullptr;
  auto *A = dyn_cast<Assign>(O.Def->S.get());
  if (!A || A->V.get() != V || (isNear() && isSlow(A->Value)))
    return nullptr;
  if (A->Op == Combiner::None)
    return resolve(A->Value, before(*O.Def), Depth);
  if (V->Kind == VarKind::Cursor || !V->Ty.isIntegral() ||
      A->Value->Ty != V->Ty ||
      (A->Op != Combiner::Add && A->Op != Combiner::Sub))
    return nullptr;
  const ExprRef Old = resolve(build::var(A->V), before(*O.Def), Depth);
  const ExprRef By = Old ? resolve(A->Value, before(*O.Def), Depth) : nullptr;
  if (!By)
    return nullptr;
  return A->Op == Combiner::Add ? build::add(Old, By) : build::sub(Old, By);
}

static bool hasLoad(const ExprRef &E) {
  bool Found = false;
  forEachExpr(E, [&](const ExprRef &Sub) { Found |= isa<Load>(*Sub); });
  return Found;
}

/// Memory that the function gives the value to, and leaves so.
ExprRef Values::storedCopy(const ExprRef &Use, Position At) {
  const Var *V = cast<VarUse>(Use.get())->V.get();
  llvm::SaveAndRestore<bool> AtHead(Here, false);
  for (unsigned K = At.Index; K < At.L->Nodes.size(); ++K) {
    const Node &N = *At.L->Nodes[K];
    auto *S = dyn_cast<Store>(N.S.get());
    if (S && S->Op == Combiner::None && structurallyEqual(S->Value, Use) &&
        (S->To.Field.empty() ? S->To.Buf->Elem : Use->Ty) == Use->Ty &&
        none_of(S->To.Indices, hasLoad)) // which the store might change
      return resolve(std::make_shared<Load>(S->To, Use->Ty), after(N), 0);
    if (N.Sets.count(V))
      break;
  }
  return nullptr;
}

ExprRef Values::variable(const ExprRef &Use, Position P, unsigned Depth) {
  const VarRef &V = cast<VarUse>(Use.get())->V;
  if (!N.Vars.count(V.get()) || V->Kind == VarKind::External)
    return Use;
  Origin O = originOf(V.get(), P);
  if (O.Iterates) {
    const VarRef Counter = reverseCounter(*O.Iterates);
    return Counter == V ? Use : build::var(Counter);
  }
  if (isInScope(V.get(), P.L) && !changesAfter(V.get(), O.At))
    return Use;
  if (ExprRef K = known(Use, O.At))
    return K;
  if (ExprRef Back = countedBack(Use, P))
    return Back;
  if (ExprRef Init = recomputed(O, V.get()))
    return declare(Use, O.At, headVariable(Use, O.At, V->Name), Init);
  if (ExprRef Copy = storedCopy(Use, O.At))
    return declare(Use, O.At, headVariable(Use, O.At, V->Name), Copy);
  if (loopsAround(*O.At.L) >= Depth)
    return nullptr;
  if (isSet(N, V.get(), O.Def))
    return keep(Use, O.At, V->Name);
  return keep(Use, P, V->Name, conditionAt(P, Use));
}

ExprRef Values::memory(const ExprRef &Use, Position P, unsigned Depth) {
  auto &L = *cast<Load>(Use.get());
  if (!N.Buffers.count(L.From.Buf.get()))
    return Use;
  if (Avoided.count(L.From.Buf.get()))
    return nullptr;
  const List *Scope = N.scopeOf(L.From.Buf.get());
  const bool Visible = !Scope || Scope == &N.Root;
  if (Visible && !mayChangeAfter(L.From, P)) {
    Access A = L.From;
    bool Known = true;
    for (std::vector<ExprRef> *List : {&A.Indices, &A.Extents})
      for (ExprRef &E : *List) {
        E = resolve(E, P, Depth);
        Known &= E != nullptr;
        if (!Known)
          return nullptr;
      }
    return std::make_shared<Load>(std::move(A), L.Ty, L.Loc);
  }
  llvm::SaveAndRestore<bool> AtHead(Here, false);
  const Position At = firstPlaceOf(L, P);
  if (ExprRef K = known(Use, At))
    return K;
  if (At.Index > 0) {
    const Node &Def = *At.L->Nodes[At.Index - 1];
    auto *S = dyn_cast<Store>(Def.S.get());
    if (S && S->Op == Combiner::None && sameAccess(S->To, L.From) &&
        !(isNear() && isSlow(S->Value)))
      if (ExprRef Init = resolve(S->Value, before(Def), loopsAround(*At.L)))
        return declare(Use, At,
                       headVariable(Use, At, lastName(L.From.Buf->Name).str()),
                       build::cast(Init, L.Ty));
  }
  const std::string Name = lastName(L.From.Buf->Name).str();
  // What may not be there is not read ahead of the test for it.
  const ExprRef Cond = conditionAt(P, Use);
  if (!Cond)
    if (ExprRef Once = keepOutside(Use, At, Name, Depth))
      return Once;
  if (loopsAround(*At.L) >= Depth)
    return nullptr;
  return Cond ? keep(Use, P, Name, Cond) : keep(Use, At, Name);
}

ExprRef Values::resolve(const ExprRef &E, Position P, unsigned Depth) {
  switch (E->Kind) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::NonNull:
    return E;
  case ExprKind::VarUse:
  case ExprKind::Load: {
    if (Followed > MaxDepth)
      return nullptr;
    ++Followed;
    ExprRef R = isa<VarUse>(*E) ? variable(E, P, Depth) : memory(E, P, Depth);
    --Followed;
    return R;
  }
  default:
    if (Factored.count({P.L, P.Index}))
      if (ExprRef K = known(E, P))
        return K;
    break;
  }
  std::vector<ExprRef> Operands;
  bool Same = true;
  for (unsigned K = 0; const ExprRef Operand = operandOf(*E, K); ++K) {
    Operands.push_back(resolve(Operand, P, Depth));
    if (!Operands.back())
      return nullptr;
    Same &= Operands.back() == Operand;
  }
  if (Same)
    return E;
  switch (E->Kind) {
  case ExprKind::Unary:
    return std::make_shared<Unary>(cast<Unary>(E.get())->Op, Operands[0], E->Ty,
                                   E->Loc);
  case ExprKind::Binary:
    return std::make_shared<Binary>(cast<Binary>(E.get())->Op, Operands[0],
                                    Operands[1], E->Ty, E->Loc);
  case ExprKind::Select:
    return std::make_shared<Select>(Operands[0], Operands[1], Operands[2],
                                    E->Loc);
  case ExprKind::Cast:
    return std::make_shared<Cast>(Operands[0], E->Ty,
                                  cast<Cast>(E.get())->Implicit, E->Loc);
  case ExprKind::Call:
    return std::make_shared<Call>(cast<Call>(E.get())->Fn, Operands, E->Loc);
  default:
    llvm_unreachable("handled above");
  }
}

ExprRef Values::condition(const ExprRef &E, Position P, bool Always) {
  {
    llvm::SaveAndRestore<bool> InPlace(Here, true);
    if (ExprRef R = resolve(E, P, loopsAround(*P.L)))
      return R;
  }
  return keep(E, P, "taken", Always ? nullptr : conditionAt(P, E));
}

} // namespace raise::grad
