//===- Directions.cpp - tangents of several directions --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Directions.h"
#include "raise/Grad/Derivatives.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <limits>

using namespace llvm;

namespace raise::grad {

namespace {

ExprRef directions(unsigned K) { return build::intConst(K, Type::getI64()); }

/// Where K values for each element of a container of a fixed number of them
/// are; empty if no such type can be written.
std::string widerArray(const Buffer &B, unsigned K) {
  auto *N = dyn_cast<IntConst>(B.Extents[0].get());
  if (!N || StringRef(B.TypeSpelling).contains("span"))
    return "";
  return "std::array<" + B.Elem.cName() + ", " +
         std::to_string(N->Value * int64_t(K)) + "> &";
}

/// Whether B's type says how many elements it has, or may do so, where no wider
/// type can be written.
bool isOfFixedLength(const Buffer &B, unsigned K) {
  if (!B.Container || B.Owned)
    return false;
  if (B.Extents[0])
    return widerArray(B, K).empty();
  const StringRef T = B.TypeSpelling;
  return !T.contains("span<") || T.contains(',');
}

} // namespace

BufferRef withDirections(const Buffer &B, unsigned K) {
  auto Wide = std::make_shared<Buffer>(B);
  ExprRef &First = Wide->Extents[0];
  if (B.rank() > 1) { // a dimension of their own
    Wide->Extents.push_back(build::intConst(K));
    Wide->TypeSpelling.clear();
  } else if (!First) {
    if (StringRef(B.TypeSpelling).contains('['))
      Wide->TypeSpelling.clear();
  } else if (B.Container) {
    Wide->TypeSpelling = widerArray(B, K);
    First = build::mul(build::cast(First, Type::getI64()), directions(K));
  } else if (B.Kind == BufferKind::Param) {
    First = nullptr;
    Wide->TypeSpelling.clear();
  } else if (B.Lies == ArrayHome::Automatic) {
    Wide->Extents.push_back(build::intConst(K));
  } else {
    First = build::mul(build::cast(First, Type::getI64()), directions(K));
  }
  return Wide;
}

std::shared_ptr<Buffer> arrayOf(const Var &V, unsigned K) {
  auto B = std::make_shared<Buffer>();
  B->Name = V.Name;
  B->Elem = V.Ty;
  B->Loc = V.Loc;
  B->Kind = V.Kind == VarKind::Param ? BufferKind::Param : BufferKind::Local;
  B->Const = V.Kind == VarKind::Param;
  B->Extents = {build::intConst(K)};
  return B;
}

Signature withDirections(const Function &Primal, Signature Of, unsigned K,
                         std::vector<Reason> &Refused) {
  Of.Directions = K;
  // A scalar's tangents overlap nothing, as a value does not.
  unsigned Above = Of.Result.Buf ? Of.Result.Buf->Derivative : 0;
  for (const Slot &S : Of.Slots)
    if (S.Derivative.Buf)
      Above = std::max(Above, S.Derivative.Buf->Derivative);
  for (const Param &P : Primal.Params)
    if (P.Buf)
      Above = std::max(Above, P.Buf->Derivative);
  for (Slot &S : Of.Slots) {
    const Param &P = Primal.Params[S.Index];
    const auto Refuse = [&](const Twine &Text) {
      Refused.push_back({"CR1811", Text.str(),
                         P.Buf->Loc.isValid() ? P.Buf->Loc : Primal.Loc});
    };
    if (S.Derivative.Scalar) {
      const auto Array = arrayOf(*S.Derivative.Scalar, K);
      Array->Derivative = Above + 1;
      S.Derivative = {nullptr, Array};
      continue;
    }
    const Buffer &B = *S.Derivative.Buf;
    if (B.Elem.isVoid())
      Refuse("'" + P.name() +
             "' leads to structures, whose members hold one tangent each; "
             "leave out --directions, or name other parameters");
    else if (isOfFixedLength(B, K))
      Refuse("'" + P.name() + "' is a '" + P.Buf->TypeSpelling +
             "', whose number of elements may be a part of its type: no room "
             "for " +
             Twine(K) + " tangents of each; pass a std::span of any length");
    else
      S.Derivative.Buf = withDirections(B, K);
  }
  if (Of.Result.Buf) {
    auto Result = std::make_shared<Buffer>(*Of.Result.Buf);
    Result->Extents = {build::intConst(K)};
    Of.Result.Buf = std::move(Result);
  }
  return Of;
}

namespace {

class Lowering {
public:
  Lowering(const Function &F, const TangentPlaces &Places, const Signature &One,
           const Signature &Many, std::set<std::string> &Names,
           std::vector<Reason> &Refused)
      : F(F), Places(Places), K(Many.Directions), Names(Names),
        Refused(Refused) {
    Loops.K = K;
    Loops.Names = &Names;
    Loops.Direction = direction();
    for (size_t I = 0; I < One.Slots.size(); ++I)
      parameter(One.Slots[I].Derivative, Many.Slots[I].Derivative);
    if (One.Result.Buf)
      parameter(One.Result, Many.Result);
  }

  FunctionRef run() {
    findTangents();
    auto Made = std::make_shared<Function>(F);
    for (Param &P : Made->Params)
      if (auto It =
              Params.find(P.Scalar ? static_cast<const void *>(P.Scalar.get())
                                   : P.Buf.get());
          It != Params.end())
        P = {nullptr, It->second};
    std::vector<Piece> Lead = copies();
    const StmtRef Body = F.Body;
    for (const StmtRef &S : statements(Body))
      add(S, Lead);
    Made->Body = std::make_shared<Block>(Loops.inLoops(Lead), Body->Loc);
    return Refused.empty() ? Made : nullptr;
  }

private:
  void refuse(const Twine &Text, const SourceLoc &At) {
    Refused.push_back({"CR1811", Text.str(), At.isValid() ? At : F.Loc});
  }

  VarRef direction() {
    auto V = std::make_shared<Var>();
    V->Name = "d";
    while (!Names.insert(V->Name).second)
      V->Name += '_';
    V->Ty = Type::getI32();
    return V;
  }

  void parameter(const Param &Old, const Param &New) {
    Params[Old.Scalar ? static_cast<const void *>(Old.Scalar.get())
                      : Old.Buf.get()] = New.Buf;
    Loops.Tangents.insert(New.Buf.get());
    if (Old.Scalar)
      Loops.Arrays[Old.Scalar.get()] = New.Buf;
    else
      Buffers[Old.Buf.get()] = New.Buf;
  }

  //===-- What holds tangents
  //--------------------------------------------------===//

  bool isTangent(const Var *V) const {
    return V->Kind != VarKind::Cursor &&
           (Places.Vars.count(V) || Derived.count(V) || Params.count(V));
  }
  bool isTangent(const Buffer *B) const {
    return Places.Buffers.count(B) || Buffers.count(B);
  }
  bool isTangentCursor(const Var *V) const {
    return V->Kind == VarKind::Cursor && isTangent(V->Base.get());
  }

  bool usesTangents(const ExprRef &E) const {
    bool Found = false;
    forEachExpr(E, [&](const ExprRef &Sub) {
      if (auto *U = dyn_cast<VarUse>(Sub.get()))
        Found |= isTangent(U->V.get());
      else if (auto *L = dyn_cast<Load>(Sub.get()))
        Found |= isTangent(L->From.Buf.get());
    });
    return Found;
  }

  /// Names for parts of tangents are tangents; and how often each is used.
  void findTangents() {
    for (size_t Before = ~size_t(0); Before != Derived.size();) {
      Before = Derived.size();
      forEachStmt(F.Body, [&](const StmtRef &S) {
        auto *D = dyn_cast<Decl>(S.get());
        if (D && D->Init && D->V->Ty.isFloat() && !isTangent(D->V.get()) &&
            usesTangents(D->Init))
          Derived.insert(D->V.get());
      });
    }
    forEachExpr(F.Body, [&](const ExprRef &E) {
      if (auto *U = dyn_cast<VarUse>(E.get()))
        ++Loops.Uses[U->V.get()];
    });
    forEachStmt(F.Body, [&](const StmtRef &S) {
      if (auto *A = dyn_cast<Assign>(S.get()))
        ++Loops.Uses[A->V.get()];
    });
  }

  const BufferRef &array(const VarRef &V) {
    BufferRef &A = Loops.Arrays[V.get()];
    if (!A) {
      A = arrayOf(*V, K);
      Loops.Tangents.insert(A.get());
    }
    return A;
  }

  const BufferRef &wide(const BufferRef &B) {
    BufferRef &W = Buffers[B.get()];
    if (!W) {
      W = withDirections(*B, K);
      Loops.Tangents.insert(W.get());
    }
    return W;
  }

  VarRef cursor(const VarRef &V) {
    VarRef &C = Cursors[V.get()];
    if (!C) {
      auto Made = std::make_shared<Var>(*V);
      Made->Base = wide(V->Base);
      C = std::move(Made);
    }
    return C;
  }

  /// Parameters that the function changes are the caller's: it changes copies.
  std::vector<Piece> copies() {
    std::vector<Piece> Lead;
    for (const Param &P : F.Params) {
      if (!P.Scalar || !isTangent(P.Scalar.get()) ||
          !assigns(F.Body, P.Scalar.get()))
        continue;
      const BufferRef Given = Loops.Arrays[P.Scalar.get()];
      Var Local = *P.Scalar;
      Local.Kind = VarKind::Local;
      Local.Name += "_now";
      while (!Names.insert(Local.Name).second)
        Local.Name += '_';
      const BufferRef Own = arrayOf(Local, K);
      Loops.Tangents.insert(Own.get());
      Loops.Arrays[P.Scalar.get()] = Own;
      Lead.push_back({std::make_shared<DeclBuffer>(Own)});
      Lead.push_back({std::make_shared<Store>(at(Own), Combiner::None,
                                              std::make_shared<raise::Load>(
                                                  at(Given), P.Scalar->Ty)),
                      true});
    }
    return Lead;
  }

  //===-- Expressions for one direction
  //----------------------------------------===//

  ExprRef number() const { return build::var(Loops.Direction); }
  Access at(const BufferRef &Array) const {
    return {Array, {number()}, {}, ""};
  }

  /// An offset among tangents of one direction, among those of all.
  ExprRef scaled(const ExprRef &Offset, const SourceLoc &At) {
    if (auto *U = dyn_cast<VarUse>(Offset.get());
        U && isTangentCursor(U->V.get()))
      return build::var(cursor(U->V));
    bool Moves = false;
    forEachExpr(Offset, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Moves |= U && isTangentCursor(U->V.get());
    });
    if (!Moves)
      return build::mul(build::cast(Offset, Type::getI64()), directions(K));
    auto *B = dyn_cast<Binary>(Offset.get());
    if (B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub))
      return build::binary(B->Op, scaled(B->L, At), scaled(B->R, At));
    if (auto *S = dyn_cast<Select>(Offset.get()))
      return build::select(S->Cond, scaled(S->True, At), scaled(S->False, At));
    refuse("a pointer is computed in a way that is not followed for several "
           "directions",
           At);
    return Offset;
  }

  Access access(const Access &A, const SourceLoc &At) {
    Access W{wide(A.Buf), A.Indices, A.Extents, A.Field};
    if (!A.Field.empty())
      refuse("'" + A.Buf->Name +
                 "' holds structures, whose members hold one "
                 "tangent each; leave out --directions",
             At);
    const bool Moves = any_of(A.Indices, [&](const ExprRef &I) {
      bool Found = false;
      forEachExpr(I, [&](const ExprRef &E) {
        auto *U = dyn_cast<VarUse>(E.get());
        Found |= U && isTangentCursor(U->V.get());
      });
      return Found;
    });
    if (Moves && A.Indices.size() == 1) {
      W.Indices = {build::add(scaled(A.Indices[0], At),
                              build::cast(number(), Type::getI64()))};
      return W;
    }
    if (Moves)
      refuse("a pointer is used in a way that is not followed for several "
             "directions",
             At);
    const bool Single = A.Buf->Reference || isResult(*A.Buf);
    if (Single) {
      W.Indices = {number()};
      return W;
    }
    auto *Constant = dyn_cast<IntConst>(W.Indices[0].get());
    if (W.Buf->rank() == 1 && Constant && !A.isView() &&
        Constant->Value < std::numeric_limits<int>::max() / 64) {
      W.Indices = {
          build::add(build::intConst(Constant->Value * int64_t(K)), number())};
      return W;
    }
    W.Indices.push_back(number());
    if (W.Buf->rank() == 1)
      W.Extents.push_back(directions(K));
    return W;
  }

  /// A pointer to one value.
  bool isResult(const Buffer &B) const {
    auto It = Params.find(&B);
    return It != Params.end() && It->second->rank() == 1 &&
           It->second->Extents[0] && !It->second->Container;
  }

  ExprRef inDirection(const ExprRef &E, const SourceLoc &At) {
    struct Leaves : Rewriter {
      Lowering &In;
      const SourceLoc &At;
      Leaves(Lowering &In, const SourceLoc &At) : In(In), At(At) {}
      ExprRef rewriteExpr(const ExprRef &E) override {
        if (auto *U = dyn_cast<VarUse>(E.get()); U && In.isTangent(U->V.get()))
          return std::make_shared<raise::Load>(In.at(In.array(U->V)), E->Ty);
        auto *L = dyn_cast<raise::Load>(E.get());
        if (L && In.isTangent(L->From.Buf.get()))
          return std::make_shared<raise::Load>(In.access(L->From, At), E->Ty);
        return E;
      }
    };
    return Leaves(*this, At).run(E);
  }

  //===-- Statements
  //-----------------------------------------------------------===//

  StmtRef nested(const StmtRef &S) {
    std::vector<Piece> Inner;
    for (const StmtRef &Child : statements(S))
      add(Child, Inner);
    return std::make_shared<Block>(Loops.inLoops(Inner), S->Loc);
  }

  void add(const StmtRef &S, std::vector<Piece> &Out) {
    if (auto *D = dyn_cast<Decl>(S.get()))
      return decl(S, *D, Out);
    if (auto *D = dyn_cast<DeclBuffer>(S.get()); D && isTangent(D->B.get()))
      return declBuffer(*D, Out);
    if (auto *A = dyn_cast<Assign>(S.get()))
      return assign(S, *A, Out);
    if (auto *St = dyn_cast<Store>(S.get());
        St && isTangent(St->To.Buf.get())) {
      Out.push_back({std::make_shared<Store>(access(St->To, S->Loc), St->Op,
                                             inDirection(St->Value, S->Loc),
                                             St->Atomic, S->Loc),
                     true});
      return;
    }
    const StmtRef Whole =
        isa<Block>(*S) ? nested(S) : mapChildren(S, [&](const StmtRef &C) {
          return C ? nested(C) : C;
        });
    Out.push_back({Whole});
  }

  void decl(const StmtRef &S, const Decl &D, std::vector<Piece> &Out) {
    if (isTangentCursor(D.V.get())) {
      Out.push_back({std::make_shared<Decl>(
          cursor(D.V), D.Init ? scaled(D.Init, S->Loc) : nullptr, S->Loc)});
      return;
    }
    if (!isTangent(D.V.get())) {
      Out.push_back({S});
      return;
    }
    const BufferRef A = array(D.V);
    if (D.Init && isZero(D.Init)) {
      Out.push_back({std::make_shared<DeclBuffer>(
          A, std::vector<ExprRef>(K, D.Init), S->Loc)});
      return;
    }
    Out.push_back(
        {std::make_shared<DeclBuffer>(A, std::vector<ExprRef>(), S->Loc)});
    if (D.Init)
      Out.push_back(
          {std::make_shared<Store>(at(A), Combiner::None,
                                   inDirection(D.Init, S->Loc), false, S->Loc),
           true, D.V});
  }

  static bool isZero(const ExprRef &E) {
    const Expr *Inner = E.get();
    while (auto *C = dyn_cast<Cast>(Inner))
      Inner = C->Operand.get();
    auto *C = dyn_cast<IntConst>(Inner);
    return C && C->Value == 0;
  }

  void declBuffer(const DeclBuffer &D, std::vector<Piece> &Out) {
    const BufferRef B = wide(D.B);
    if (B->Lies == ArrayHome::Growing)
      refuse("'" + B->Name +
                 "' grows with its primal by one tangent at a "
                 "time; leave out --directions",
             D.Loc);
    if (D.Init.empty() || all_of(D.Init, isZero)) {
      const size_t Each = B->Lies == ArrayHome::Automatic ? K : 1;
      Out.push_back({std::make_shared<DeclBuffer>(
          B,
          D.Init.empty()
              ? std::vector<ExprRef>()
              : std::vector<ExprRef>(D.Init.size() * Each, D.Init[0]),
          D.Loc)});
      return;
    }
    Out.push_back(
        {std::make_shared<DeclBuffer>(B, std::vector<ExprRef>(), D.Loc)});
    for (size_t I = 0; I < D.Init.size(); ++I)
      Out.push_back({std::make_shared<Store>(
                         Access{B, indicesOf(*D.B, I), {}, ""}, Combiner::None,
                         inDirection(D.Init[I], D.Loc), false, D.Loc),
                     true});
  }

  /// Of element I, counted row by row, of an array of known extents.
  std::vector<ExprRef> indicesOf(const Buffer &B, size_t I) const {
    std::vector<ExprRef> Indices;
    for (const ExprRef &E : reverse(B.Extents)) {
      auto *N = dyn_cast<IntConst>(E.get());
      const size_t Extent = N ? N->Value : I + 1;
      Indices.insert(Indices.begin(), build::intConst(I % Extent));
      I /= Extent;
    }
    Indices.push_back(number());
    return Indices;
  }

  void assign(const StmtRef &S, const Assign &A, std::vector<Piece> &Out) {
    if (isTangentCursor(A.V.get())) {
      if (A.Op != Combiner::None && A.Op != Combiner::Add &&
          A.Op != Combiner::Sub)
        refuse("a pointer is moved in a way that is not followed for several "
               "directions",
               S->Loc);
      Out.push_back({std::make_shared<Assign>(
          cursor(A.V), A.Op, scaled(A.Value, S->Loc), S->Loc)});
      return;
    }
    if (!isTangent(A.V.get())) {
      Out.push_back({S});
      return;
    }
    Out.push_back(
        {std::make_shared<Store>(at(array(A.V)), A.Op,
                                 inDirection(A.Value, S->Loc), false, S->Loc),
         true});
  }

  const Function &F;
  const TangentPlaces &Places;
  const unsigned K;
  std::set<std::string> &Names;
  std::vector<Reason> &Refused;
  DirectionLoops Loops;
  DenseSet<const Var *> Derived;
  DenseMap<const void *, BufferRef> Params;
  DenseMap<const Buffer *, BufferRef> Buffers;
  DenseMap<const Var *, VarRef> Cursors;
};

} // namespace

FunctionRef inDirections(const Function &Tangent, const TangentPlaces &Places,
                         const Signature &One, const Signature &Many,
                         std::set<std::string> &Names,
                         std::vector<Reason> &Refused) {
  return Lowering(Tangent, Places, One, Many, Names, Refused).run();
}

} // namespace raise::grad
