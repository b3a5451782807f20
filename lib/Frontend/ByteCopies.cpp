//===- ByteCopies.cpp - objects that only carry bytes ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `*reinterpret_cast<int4 *>(p) = *reinterpret_cast<const int4 *>(q)` moves
// sixteen bytes, whatever an int4 is made of; so do a variable of such a type
// that memcpy fills or reads, and the loads and stores past a cache. Where the
// bytes come from an array and go to one with the same type of elements, the
// elements are copied. What lies between names no bytes of its own: it is the
// elements themselves, as long as no statement stands between them and their
// use.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// E without the casts between pointers around it.
static const clang::Expr *beforePointerCasts(const clang::Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    const auto *C = dyn_cast<clang::CastExpr>(E);
    if (!C || (C->getCastKind() != CK_BitCast && C->getCastKind() != CK_NoOp) ||
        !C->getSubExpr()->getType()->isPointerType())
      return E;
    E = C->getSubExpr();
  }
}

static bool isMemcpy(const clang::CallExpr *E) {
  const unsigned Id = E->getBuiltinCallee();
  return (Id == Builtin::BImemcpy || Id == Builtin::BI__builtin_memcpy) &&
         E->getNumArgs() == 3;
}

/// The variable whose address E is; null for anything else.
static const VarDecl *addressed(const clang::Expr *E) {
  const auto *U = dyn_cast<clang::UnaryOperator>(beforePointerCasts(E));
  const auto *D = U && U->getOpcode() == UO_AddrOf
                      ? dyn_cast<DeclRefExpr>(U->getSubExpr()->IgnoreParens())
                      : nullptr;
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

/// What E, an object, is a copy of.
static const clang::Expr *copiedFrom(const clang::Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *C = dyn_cast<CXXConstructExpr>(E);
        C && C->getConstructor()->isCopyOrMoveConstructor() &&
        C->getNumArgs() == 1)
      E = C->getArg(0);
    else if (const auto *C = dyn_cast<ExprWithCleanups>(E))
      E = C->getSubExpr();
    else if (const auto *C = dyn_cast<MaterializeTemporaryExpr>(E))
      E = C->getSubExpr();
    else if (const auto *C = dyn_cast<clang::CastExpr>(E);
             C && (C->getCastKind() == CK_NoOp ||
                   C->getCastKind() == CK_LValueToRValue))
      E = C->getSubExpr();
    else
      return E;
  }
}

namespace {
/// How a function uses a variable.
struct CopyUses {
  const VarDecl *Of;
  function_ref<bool(const clang::Expr *)> SeesBytes;
  unsigned Copies = 0, Others = 0;
  /// How often memcpy fills it, and how often that is a statement of the block
  /// that declares it: all that comes behind it there sees that.
  unsigned Fills = 0, PlainFills = 0;
  bool HasLabel = false;

  void countPlainFills(const CompoundStmt &B) {
    bool Declares = false;
    for (const clang::Stmt *S : B.body()) {
      if (const auto *D = dyn_cast<DeclStmt>(S))
        Declares |= is_contained(D->decls(), Of);
      const auto *E = dyn_cast<clang::Expr>(S);
      const auto *C =
          E ? dyn_cast<clang::CallExpr>(E->IgnoreImplicit()) : nullptr;
      PlainFills +=
          Declares && C && isMemcpy(C) && addressed(C->getArg(0)) == Of;
    }
  }
  bool isIt(const clang::Expr *E) const {
    const auto *D = dyn_cast<DeclRefExpr>(copiedFrom(E));
    return D && D->getDecl() == Of;
  }
  void visit(const clang::Stmt *S) {
    if (!S || isa<UnaryExprOrTypeTraitExpr>(S))
      return;
    HasLabel |= isa<LabelStmt, SwitchCase>(S);
    if (const auto *B = dyn_cast<CompoundStmt>(S))
      countPlainFills(*B);
    if (const auto *C = dyn_cast<clang::CallExpr>(S); C && isMemcpy(C)) {
      Fills += addressed(C->getArg(0)) == Of;
      for (unsigned I = 0; I < 3; ++I)
        if (I < 2 && addressed(C->getArg(I)) == Of)
          ++Copies;
        else
          visit(C->getArg(I));
      return;
    }
    if (const auto *R = dyn_cast<ReturnStmt>(S);
        R && R->getRetValue() && isIt(R->getRetValue()))
      return;
    if (const auto *C = dyn_cast<CXXOperatorCallExpr>(S);
        C && C->getOperator() == OO_Equal && C->getNumArgs() == 2 &&
        isIt(C->getArg(1)) && SeesBytes(C->getArg(0))) {
      ++Copies;
      visit(C->getArg(0));
      return;
    }
    const auto *D = dyn_cast<DeclRefExpr>(S);
    Others += D && D->getDecl() == Of;
    for (const clang::Stmt *Child : S->children())
      visit(Child);
  }
};
} // namespace

/// Whether D, an object, begins without a value.
static bool beginsEmpty(const VarDecl *D) {
  const auto *Made = dyn_cast_or_null<CXXConstructExpr>(D->getInit());
  return !D->getInit() || (Made && Made->getNumArgs() == 0 &&
                           Made->getConstructor()->isTrivial() &&
                           !Made->requiresZeroInitialization());
}

/// Whether all that is done with D, an object, is to copy its bytes.
bool Lifter::isOnlyCopied(const VarDecl *D) const {
  const QualType T = D->getType();
  const auto *FD = dyn_cast<FunctionDecl>(D->getDeclContext());
  const bool IsOwn =
      isa<ParmVarDecl>(D) || !Inlines.empty() || (IsKernel && !Settings.Alone);
  if (!IsOwn || !T->isRecordType() || !T.isTriviallyCopyableType(AST) ||
      T.isVolatileQualified() || !FD || !FD->getBody())
    return false;
  const auto SeesBytes = [this](const clang::Expr *E) {
    return isSeenAsBytes(E);
  };
  CopyUses Uses{D, SeesBytes};
  Uses.visit(FD->getBody());
  const bool IsGiven = isa<ParmVarDecl>(D) || !beginsEmpty(D);
  const bool IsFilledOnce =
      Uses.Fills == 1 && Uses.PlainFills == 1 && !Uses.HasLabel;
  return Uses.Copies && !Uses.Others &&
         (IsGiven ? Uses.Fills == 0 : IsFilledOnce);
}

bool Lifter::liftBytesDecl(const VarDecl *D) {
  Binding B;
  B.Kind = Binding::OfBytes;
  if (!beginsEmpty(D)) {
    B.Held = bytesOf(D->getInit());
    if (!B.Held.isSet())
      return false;
  }
  Bindings[D] = B;
  return true;
}

/// The cast by which Pointer sees scalars as an object of another type; null
/// if it does not, or if the object is made of the same scalars.
const CastExpr *Lifter::asBytes(const clang::Expr *Pointer) const {
  const auto *C = dyn_cast<CastExpr>(Pointer->IgnoreParens());
  while (C && C->getCastKind() == CK_NoOp)
    C = dyn_cast<CastExpr>(C->getSubExpr()->IgnoreParens());
  if (!C || C->getCastKind() != CK_BitCast ||
      !C->getSubExpr()->getType()->isPointerType())
    return nullptr;
  const QualType From = C->getSubExpr()->getType()->getPointeeType(),
                 To = C->getType()->getPointeeType();
  const std::optional<Type> Ty = scalarType(From, AST);
  const bool IsScalar = Ty ? !Ty->isVoid() : isSmall(From);
  return IsScalar && To->isRecordType() && To.isTriviallyCopyableType(AST) &&
                 !From.isVolatileQualified() && !To.isVolatileQualified() &&
                 !maySee(From, To, AST)
             ? C
             : nullptr;
}

/// The pointer that the lvalue E is reached by, `*p` or `p[i]`; null for
/// others.
static const clang::Expr *reachedBy(const clang::Expr *E) {
  E = E->IgnoreParens();
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E))
    return U->getOpcode() == UO_Deref ? U->getSubExpr() : nullptr;
  const auto *A = dyn_cast<ArraySubscriptExpr>(E);
  return A ? A->getBase() : nullptr;
}

/// Whether the lvalue E is such an object.
bool Lifter::isSeenAsBytes(const clang::Expr *E) const {
  const clang::Expr *By = reachedBy(E);
  return By && asBytes(By);
}

/// What E, such an object, is made of.
Bytes Lifter::bytesReached(const clang::Expr *E) {
  Bytes B = bytesAt(asBytes(reachedBy(E)), E->getType());
  const auto *A = dyn_cast<ArraySubscriptExpr>(E->IgnoreParens());
  if (!A || !B.isSet())
    return B;
  const ExprRef Index = value(A->getIdx());
  if (!Index || !Index->Ty.isIntegral())
    return Bytes();
  const Type I64 = Type::getI64();
  ExprRef At =
      build::mul(build::cast(Index, I64), build::intConst(B.Elements, I64));
  if (B.At.Offset)
    At = build::add(build::cast(B.At.Offset, I64), At);
  B.At.Offset = isFixed(At) ? At : spill(At, "offset");
  B.Since = Emitted;
  return B;
}

Bytes Lifter::bytesAt(const CastExpr *Seen, QualType T) {
  const CharUnits Size = AST.getTypeSizeInChars(T);
  Bytes B = elementsAt(Seen->getSubExpr(), Size.getQuantity());
  B.Aligned = AST.getTypeAlignInChars(T) == Size;
  return B;
}

/// The elements that Size bytes from Address on are.
Bytes Lifter::elementsAt(const clang::Expr *Address, int64_t Size) {
  const clang::Expr *E = beforePointerCasts(Address);
  Bytes B;
  const auto *U = dyn_cast<clang::UnaryOperator>(E);
  if (U && U->getOpcode() == UO_AddrOf &&
      U->getSubExpr()->getType()->isConstantArrayType()) {
    const Place P = place(U->getSubExpr());
    if (P.Kind == Place::Memory && P.A.Indices.empty() && P.Path.empty())
      B.At.Base = P.A.Buf;
  } else {
    B.At = pointer(E);
  }
  if (failed())
    return Bytes();
  const Buffer *Base = B.At.Base.get();
  const int64_t Each = Base ? int64_t(Base->Elem.sizeInBytes()) : 0;
  if (!Base || Base->Elem.isVoid() || Base->rank() != 1 || Raw.contains(Base) ||
      Base->Volatile || Each == 0 || Size % Each != 0)
    return refuse(codes::PointerCast,
                  "the bytes that '" +
                      shortText(Address->getSourceRange(), AST) +
                      "' leads to are not followed",
                  Address->getSourceRange()),
           Bytes();
  if (B.At.Offset && !isFixed(B.At.Offset))
    B.At.Offset = spill(B.At.Offset, "offset");
  B.Elements = Size / Each;
  B.Since = Emitted;
  B.Loops = Loops.size();
  return B;
}

/// Whether FD's only `return` is its last statement.
static bool returnsAtEnd(const FunctionDecl &FD) {
  unsigned Returns = 0;
  const std::function<void(const clang::Stmt *)> Count =
      [&](const clang::Stmt *S) {
        Returns += isa_and_nonnull<ReturnStmt>(S);
        if (S && !isa<LambdaExpr>(S))
          for (const clang::Stmt *Child : S->children())
            Count(Child);
      };
  const auto *Body = dyn_cast<CompoundStmt>(FD.getBody());
  if (!Body || Body->body_empty() || !isa<ReturnStmt>(Body->body_back()))
    return false;
  Count(Body);
  return Returns == 1;
}

/// What E, an object, is a copy of, as elements.
Bytes Lifter::bytesOf(const clang::Expr *E) {
  if (failed())
    return Bytes();
  E = copiedFrom(E);
  const QualType T = E->getType();
  if (E->isLValue() && isSeenAsBytes(E))
    return bytesReached(E);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto It = Bindings.find(D->getDecl());
    if (It != Bindings.end() && It->second.Kind == Binding::OfBytes) {
      const Bytes &Held = It->second.Held;
      return isCurrent(Held, E->getSourceRange()) ? Held : Bytes();
    }
  }
  if (const auto *C = dyn_cast<clang::CallExpr>(E); C && E->isPRValue()) {
    const FunctionDecl *FD = target(C);
    if (!FD)
      return Bytes();
    const SourceManager &SM = AST.getSourceManager();
    if (FD->getIdentifier() && C->getNumArgs() == 1 &&
        SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())) &&
        (FD->getName() == "__ldg" || FD->getName() == "__ldcs" ||
         FD->getName() == "__ldcg"))
      if (const CastExpr *Seen = asBytes(C->getArg(0)))
        return bytesAt(Seen, T);
    const FunctionDecl *Body = knownBody(FD);
    std::vector<VarRef> None;
    Bytes Result;
    if (Body && returnsAtEnd(*Body) &&
        inlineCall(FD, C, None, nullptr, &Result))
      return Result;
    if (failed())
      return Bytes();
  }
  return refuse(codes::ClassObject,
                "the bytes of an object of type '" + spellingOf(T, AST) + "'",
                E->getSourceRange()),
         Bytes();
}

/// Whether B's elements are still what they were: no statement came between.
bool Lifter::isCurrent(const Bytes &B, SourceRange At) {
  if (B.isSet() && B.Since == Emitted && B.Loops == Loops.size())
    return true;
  return refuse(codes::ClassObject,
                "the bytes of '" + shortText(At, AST) +
                    "' are not those of one array here",
                At),
         false;
}

bool Lifter::copyElements(const Bytes &From, const Bytes &To, SourceRange At) {
  if (From.Since != Emitted || From.Elements != To.Elements ||
      From.At.Base->Elem != To.At.Base->Elem)
    return refuse(codes::ClassObject,
                  "bytes of '" + From.At.Base->Name + "' become others of '" +
                      To.At.Base->Name + "'",
                  At),
           false;
  const SourceLoc Loc = locate(At, AST);
  const auto Element = [](const Bytes &B, const VarRef &I) {
    const ExprRef K = build::var(I);
    const ExprRef At =
        B.At.Offset ? build::add(B.At.Offset, build::cast(K, B.At.Offset->Ty))
                    : K;
    return Access{B.At.Base, {At}, {}, ""};
  };
  const auto Copy = [&](const Bytes &Read, const Bytes &Write) {
    loopOver(
        build::intConst(From.Elements), {}, /*Forward=*/true, Loc,
        [&](ArrayRef<VarRef> I) {
          emit(std::make_shared<Store>(
              Element(Write, I[0]), Combiner::None,
              std::make_shared<Load>(Element(Read, I[0]), From.At.Base->Elem,
                                     Loc),
              /*Atomic=*/false, Loc));
        },
        'k');
  };
  if ((From.Aligned && To.Aligned) || areApart(*From.At.Base, *To.At.Base)) {
    Copy(From, To);
    return true;
  }
  // All is read before any is written.
  auto Held = std::make_shared<Buffer>();
  Held->Name = "moved";
  Held->Kind = BufferKind::Local;
  Held->Elem = From.At.Base->Elem;
  Held->Extents = {build::intConst(From.Elements, Type::getI64())};
  Held->Loc = Loc;
  emit(std::make_shared<DeclBuffer>(Held, std::vector<ExprRef>(), Loc));
  Bytes Middle;
  Middle.At.Base = Held;
  Copy(From, Middle);
  Copy(Middle, To);
  return true;
}

bool Lifter::storeBytes(function_ref<Bytes()> To, const clang::Expr *From) {
  const Bytes Read = bytesOf(From);
  if (!Read.isSet())
    return false;
  const Bytes Into = To();
  return Into.isSet() && copyElements(Read, Into, From->getSourceRange());
}

/// `*reinterpret_cast<T *>(p) = From`.
bool Lifter::storeBytes(const clang::Expr *To, const clang::Expr *From) {
  return storeBytes([&] { return bytesReached(To); }, From);
}

/// memcpy to or from an object that only carries bytes. 0 if the call is none,
/// 1 if it was lifted, -1 if refused.
int Lifter::copyBytes(const FunctionDecl *FD, const clang::CallExpr *E) {
  (void)FD;
  if (!isMemcpy(E))
    return 0;
  const auto Carrier = [&](unsigned Arg) -> Binding * {
    const VarDecl *D = addressed(E->getArg(Arg));
    const auto It = D ? Bindings.find(D) : Bindings.end();
    return It != Bindings.end() && It->second.Kind == Binding::OfBytes
               ? &It->second
               : nullptr;
  };
  const unsigned Into = Carrier(0) ? 0 : 1;
  if (!Carrier(Into))
    return 0;
  const SourceRange At = E->getSourceRange();
  const QualType T = addressed(E->getArg(Into))->getType();
  const int64_t Whole = AST.getTypeSizeInChars(T).getQuantity();
  clang::Expr::EvalResult Size;
  if (!E->getArg(2)->EvaluateAsInt(Size, AST) ||
      Size.Val.getInt().getSExtValue() != Whole || Carrier(1 - Into))
    return refuse(codes::ClassObject,
                  "copies a part of an object that only carries bytes", At),
           -1;
  const Bytes Other = elementsAt(E->getArg(1 - Into), Whole);
  if (!Other.isSet())
    return -1;
  if (Into == 0) {
    Carrier(0)->Held = Other;
    return isCurrent(Other, At) ? 1 : -1;
  }
  const Bytes Held = Carrier(1)->Held;
  return isCurrent(Held, E->getArg(1)->getSourceRange()) &&
                 copyElements(Held, Other, At)
             ? 1
             : -1;
}

} // namespace raise::lifting
