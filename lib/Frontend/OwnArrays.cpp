//===- OwnArrays.cpp - arrays that a function allocates -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A vector or a pointer is the function's own array if every use of it is one
// that is listed here: then nothing else leads to its elements. In C++
//
//   std::array<T, n> a, a = {x, y}
//   std::vector<T> v(n), v(n, value), v(w), v(first, last), v{x, y}, v;
//   v[i]  v.begin()  v.end()  v.data()  v.size()  v.empty()  for (T x : v)
//   v.push_back(x)  (of one that began empty, whose elements are only read)
//   std::swap(v, w)  v.swap(w)  (see Rotation.cpp)
//   T *p = new T[n]  delete[] p
//
// and in C
//
//   T *p = malloc(n * sizeof *p), p = calloc(n, sizeof *p), p = NULL;  p[i]
//   if (!p) abort()    free(p)
//   f(p)  p + i  (where pointers are followed)
//   cudaMalloc(&p, n * sizeof *p)  cudaFree(p)  (and their kin)
//   p = raise_room(p, n, sizeof *p)  (of one that began as NULL)
//
// where raise_room is the function that grad emits with arrays which grow.
//
//===----------------------------------------------------------------------===//

#include "FreshScan.h"
#include "OwnUses.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

namespace {

bool isLibraryCall(const clang::CallExpr *C, const ASTContext &AST) {
  const FunctionDecl *FD = C->getDirectCallee();
  return FD->isExternC() && !FD->isDefined() && isLibrary(FD, AST);
}

/// Whether a pointer that begins as E may be an own array.
bool mayAllocate(const clang::Expr *E) {
  return E && (isa<CXXNewExpr>(bare(E)) || callOf(E, "malloc") ||
               callOf(E, "calloc"));
}

/// `sizeof *p`, `sizeof(T)` or their number for elements of type T.
bool isSizeOf(const clang::Expr *E, QualType T, const ASTContext &AST) {
  const auto *U = dyn_cast<UnaryExprOrTypeTraitExpr>(bare(E));
  return U && U->getKind() == UETT_SizeOf &&
         AST.hasSameUnqualifiedType(U->getTypeOfArgument(), T);
}

/// n of `n * sizeof *p + c`, and how many more elements c bytes are.
const clang::Expr *countOf(const clang::Expr *Bytes, QualType T,
                           const ASTContext &AST, int64_t &More) {
  const auto *B = dyn_cast<clang::BinaryOperator>(Bytes->IgnoreParenImpCasts());
  More = 0;
  if (B && B->getOpcode() == BO_Add)
    if (const auto *C =
            dyn_cast<IntegerLiteral>(B->getRHS()->IgnoreParenImpCasts());
        C && C->getValue().ult(1 << 20)) {
      More = C->getValue().getSExtValue() /
             AST.getTypeSizeInChars(T).getQuantity();
      B = dyn_cast<clang::BinaryOperator>(B->getLHS()->IgnoreParenImpCasts());
    }
  if (!B || B->getOpcode() != BO_Mul)
    return nullptr;
  if (isSizeOf(B->getRHS(), T, AST))
    return B->getLHS();
  return isSizeOf(B->getLHS(), T, AST) ? B->getRHS() : nullptr;
}

/// A number of elements without its conversion to size_t, which a loop's bound
/// does not have.
const clang::Expr *withoutSizeCast(const clang::Expr *E) {
  const clang::Expr *Inner = E->IgnoreParenCasts();
  return Inner->getType()->isIntegerType() ? Inner : E;
}

} // namespace

BufferRef Lifter::ownArray(const clang::Expr *Object) const {
  const auto *R =
      dyn_cast_or_null<DeclRefExpr>(Object ? bare(Object) : nullptr);
  const auto *D = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
  return D ? ownArrayOf(D) : nullptr;
}

BufferRef Lifter::ownArrayOf(const VarDecl *D) const {
  if (Owned.count(D))
    return Owned.lookup(D);
  // A parameter of a function whose body stands in the place of its call.
  auto It = Bindings.find(D);
  if (It == Bindings.end() || It->second.Kind != Binding::Alias ||
      It->second.At.Kind != Place::Memory || !It->second.At.A.Indices.empty())
    return nullptr;
  for (const auto &[Of, B] : Owned)
    if (B == It->second.At.A.Buf)
      return B;
  return nullptr;
}

/// Null size: one that grows.
BufferRef Lifter::declareOwn(const VarDecl *D, QualType Elem, ExprRef Size,
                             bool Zero, const SourceLoc &Loc) {
  const Type I64 = Type::getI64();
  auto B = std::make_shared<Buffer>();
  B->Name = D->getNameAsString();
  B->Elem = *scalarType(Elem, AST);
  B->Kind = BufferKind::Local;
  B->Loc = locate(D->getLocation(), AST);
  std::vector<ExprRef> Init;
  if (!Size) {
    B->Lies = ArrayHome::Growing;
    B->Extents = {build::intConst(0, I64)};
    B->Count = fresh(B->Name + "_size", I64, Loc);
    Changing.insert(B->Count.get());
    emit(std::make_shared<Decl>(B->Count, build::intConst(0, I64), Loc));
  } else {
    B->Lies = ArrayHome::Heap;
    // To size_t and back is no way at all.
    while (const auto *C = dyn_cast<raise::Cast>(Size.get())) {
      const Type &Of = C->Operand->Ty;
      if (!C->Ty.isInt() || C->Ty.Bits != 64 || !Of.isInt() || Of.Bits != 64)
        break;
      Size = C->Operand;
    }
    Size = build::cast(Size, I64);
    B->Extents = {isFixed(Size) ? Size : spill(Size, B->Name + "_extent")};
    if (Zero)
      Init = {B->Elem.isFloat() ? build::floatConst(0, B->Elem)
                                : build::intConst(0, B->Elem)};
  }
  Binding Bound;
  Bound.Kind = Binding::BufferObj;
  Bound.P.Base = B;
  Bindings[D] = Bound;
  Owned[D] = B;
  emit(std::make_shared<DeclBuffer>(B, std::move(Init), Loc));
  return B;
}

/// Every element of B is Value.
bool Lifter::fillOwn(const BufferRef &B, const ExprRef &Value,
                     const SourceLoc &Loc) {
  const ExprRef Held = isFixed(Value) ? Value : spill(Value, "filled");
  const VarRef I = fresh("i", Type::getI64(), Loc);
  const StmtRef Store = std::make_shared<raise::Store>(
      Access{B, {build::var(I)}, {}, ""}, Combiner::None,
      build::cast(Held, B->Elem), false, Loc);
  emit(std::make_shared<raise::For>(
      I, build::intConst(0, I->Ty), BinaryOp::LT, B->Extents.front(),
      build::intConst(1, I->Ty), LoopKind::Serial, true,
      std::make_shared<Block>(StmtList{Store}), Loc));
  return true;
}

/// `std::array<T, n> a`, with a list of values or without.
bool Lifter::liftStdArray(const VarDecl *D, const SourceLoc &Loc) {
  const auto *R = D->getType()->getAsCXXRecordDecl();
  if (R->field_empty())
    return false;
  const QualType Elements = R->field_begin()->getType();
  const ConstantArrayType *A = AST.getAsConstantArrayType(Elements);
  const clang::Expr *Init =
      D->getInit() ? D->getInit()->IgnoreImplicit() : nullptr;
  const auto *List = dyn_cast_or_null<InitListExpr>(Init);
  const auto *Made = dyn_cast_or_null<CXXConstructExpr>(Init);
  if (!A || (Init && !List && !(Made && Made->getNumArgs() == 0)))
    return false;
  std::vector<ExprRef> Values;
  if (List && !arrayInit(List->getNumInits() ? List->getInit(0) : nullptr,
                         Elements, Values))
    return false;
  auto B = std::make_shared<Buffer>();
  B->Name = D->getNameAsString();
  B->Elem = *scalarType(A->getElementType(), AST);
  B->Kind = BufferKind::Local;
  B->Extents = {build::intConst(A->getSize().getSExtValue(), Type::getI64())};
  B->Loc = locate(D->getLocation(), AST);
  for (ExprRef &V : Values)
    V = build::cast(V, B->Elem);
  Binding Bound;
  Bound.Kind = Binding::BufferObj;
  Bound.P.Base = B;
  Bindings[D] = Bound;
  Owned[D] = B;
  emit(std::make_shared<DeclBuffer>(B, std::move(Values), Loc));
  return true;
}

/// A vector that begins as a copy: of another, of a range, of a list of values.
bool Lifter::copyIntoOwn(const VarDecl *D, const CXXConstructExpr *C,
                         unsigned Args, const SourceLoc &Loc) {
  const QualType Elem = *containerElement(D->getType().getUnqualifiedType());
  const Type Size = Type::getI64();
  if (const auto *L =
          dyn_cast<CXXStdInitializerListExpr>(C->getArg(0)->IgnoreImplicit())) {
    const auto *List =
        dyn_cast<InitListExpr>(L->getSubExpr()->IgnoreImplicit());
    std::vector<ExprRef> Values;
    for (unsigned I = 0; List && I < List->getNumInits(); ++I) {
      Values.push_back(value(List->getInit(I)));
      if (!Values.back())
        return false;
      if (!isConstant(Values.back()))
        Values.back() = spill(Values.back(), "element");
    }
    if (!List || Args != 1 || Values.empty())
      return false;
    const BufferRef B =
        declareOwn(D, Elem, build::intConst(Values.size(), Size), false, Loc);
    for (size_t I = 0; I < Values.size(); ++I)
      emit(std::make_shared<raise::Store>(
          Access{B, {build::intConst(I, Size)}, {}, ""}, Combiner::None,
          build::cast(Values[I], B->Elem), false, Loc));
    return true;
  }
  Pointer From, To;
  if (Args == 1 && C->getConstructor()->isCopyConstructor()) {
    From.Base = To.Base = containerData(C->getArg(0));
    To.Offset = To.Base ? containerSize(C->getArg(0)) : nullptr;
    if (!To.Offset)
      return false;
  } else if (Args == 2) {
    From = walkEnd(C->getArg(0));
    To = From.isSet() ? walkEnd(C->getArg(1)) : Pointer();
  }
  if (!From.Base || From.Base != To.Base || From.Base->rank() != 1 ||
      From.Base->Elem.isVoid())
    return false;
  ExprRef Count =
      To.Offset ? build::cast(To.Offset, Size) : build::intConst(0, Size);
  if (From.Offset)
    Count = build::sub(Count, build::cast(From.Offset, Size));
  if (From.Offset && !isFixed(From.Offset))
    From.Offset = spill(From.Offset, "offset");
  const BufferRef B = declareOwn(D, Elem, Count, false, Loc);
  const VarRef I = fresh("i", Size, Loc);
  ExprRef At = build::var(I);
  if (From.Offset)
    At = build::add(build::cast(From.Offset, Size), At);
  const ExprRef Read = std::make_shared<Load>(Access{From.Base, {At}, {}, ""},
                                              From.Base->Elem, Loc);
  const StmtRef Store = std::make_shared<raise::Store>(
      Access{B, {build::var(I)}, {}, ""}, Combiner::None,
      build::cast(Read, B->Elem), false, Loc);
  emit(std::make_shared<raise::For>(I, build::intConst(0, Size), BinaryOp::LT,
                                    B->Extents.front(),
                                    build::intConst(1, Size), LoopKind::Serial,
                                    true, makeBlock({Store}), Loc));
  return true;
}

/// Whether D, a pointer, may be given another value than by changing places.
bool Lifter::isGivenOther(const VarDecl *D) const {
  return Facts.Assigned.contains(D) && !Facts.Moves.Rotated.contains(D);
}

/// False without a failure if D is no such array.
bool Lifter::liftOwnArray(const VarDecl *D, const SourceLoc &Loc) {
  const QualType T = D->getType();
  if (!D->hasLocalStorage() || isa<ParmVarDecl>(D) || T.isVolatileQualified() ||
      IsKernel || IsDevice)
    return false;
  const auto IsElement = [&](QualType E) {
    const std::optional<Type> Ty = scalarType(E, AST);
    return Ty && !Ty->isVoid() && !E.isConstQualified() &&
           !E.isVolatileQualified();
  };
  if (T->isRecordType()) {
    const QualType Of = T.getUnqualifiedType();
    if (!isOwner(Of) || !IsElement(*containerElement(Of)))
      return false;
    const auto *C =
        D->getInit()
            ? dyn_cast<CXXConstructExpr>(D->getInit()->IgnoreImplicit())
            : nullptr;
    if (T->getAsCXXRecordDecl()->getName() == "array")
      return isFollowed(D, /*Grows=*/false, Facts.Moves) &&
             liftStdArray(D, Loc);
    if (!C || T->getAsCXXRecordDecl()->getName() != "vector")
      return false;
    unsigned Args = 0;
    while (Args < C->getNumArgs() && !isa<CXXDefaultArgExpr>(C->getArg(Args)))
      ++Args;
    const QualType Elem = *containerElement(Of);
    if (const clang::Expr *Use = strangeUse(D, Args == 0, Facts.Moves))
      return refuse(
                 codes::ClassObject,
                 "'" + D->getNameAsString() +
                     "' is an array of the function's own, and its use in "
                     "line " +
                     std::to_string(locate(Use->getSourceRange(), AST).Line) +
                     " is not followed",
                 Use->getSourceRange()),
             false;
    if (Args == 0)
      return declareOwn(D, Elem, nullptr, false, Loc) != nullptr;
    if (Args > 2 ||
        !C->getConstructor()->getParamDecl(0)->getType()->isIntegerType())
      return copyIntoOwn(D, C, Args, Loc);
    if (Args == 2 && !scalarType(C->getArg(1)->getType(), AST))
      return false; // an allocator
    const ExprRef Size = value(withoutSizeCast(C->getArg(0)));
    const ExprRef Fill = Size && Args == 2 ? value(C->getArg(1)) : nullptr;
    if (!Size || (Args == 2 && !Fill))
      return false;
    const BufferRef B = declareOwn(D, Elem, Size, Args == 1, Loc);
    return Args == 1 || fillOwn(B, Fill, Loc);
  }
  if (!T->isPointerType() || !IsElement(T->getPointeeType()))
    return false;
  if (AST.getLangOpts().CUDA &&
      (!D->getInit() || isNullPointer(D->getInit(), AST)) &&
      isAllocatedOnce(D, Facts.Moves))
    return awaitMemory(D);
  if (const VarDecl *Of = Facts.Moves.Spare.lookup(D))
    return mayAllocate(Of->getInit()) && !D->getInit();
  if (!D->getInit())
    return false;
  const QualType Elem = T->getPointeeType();
  if (isNullPointer(D->getInit(), AST)) {
    // One that grows, if anything makes it grow.
    if (!Facts.Assigned.contains(D) ||
        !isFollowed(D, /*Grows=*/true, Facts.Moves))
      return false;
    return declareOwn(D, Elem, nullptr, false, Loc) != nullptr;
  }
  if (const auto *New = dyn_cast<CXXNewExpr>(bare(D->getInit())))
    return liftNewArray(D, New, Loc);
  const clang::CallExpr *M = callOf(D->getInit(), "malloc");
  const clang::CallExpr *Z = callOf(D->getInit(), "calloc");
  const clang::CallExpr *By = M ? M : Z;
  if (!By || !isLibraryCall(By, AST) || isGivenOther(D) ||
      !isFollowed(D, /*Grows=*/false, Facts.Moves))
    return false;
  int64_t More = 0;
  const clang::Expr *Count =
      M && M->getNumArgs() == 1 ? countOf(M->getArg(0), Elem, AST, More)
      : Z && Z->getNumArgs() == 2 && isSizeOf(Z->getArg(1), Elem, AST)
          ? Z->getArg(0)
          : nullptr;
  ExprRef Size = Count ? value(withoutSizeCast(Count)) : nullptr;
  if (Size && More)
    Size = build::add(build::cast(Size, Type::getI64()),
                      build::intConst(More, Type::getI64()));
  return Size && declareOwn(D, Elem, Size, Z != nullptr, Loc);
}

/// `T *p = new T[n]`, or `new T[n]()`.
bool Lifter::liftNewArray(const VarDecl *D, const CXXNewExpr *New,
                          const SourceLoc &Loc) {
  const std::optional<const clang::Expr *> Count = New->getArraySize();
  const clang::Expr *Init = New->getInitializer();
  const bool Zero = isa_and_nonnull<ImplicitValueInitExpr>(Init);
  if (!Count || !*Count || New->getNumPlacementArgs() || (Init && !Zero) ||
      replacesNew(AST) || isGivenOther(D) || !isFollowed(D, false, Facts.Moves))
    return false;
  const ExprRef Size = value(withoutSizeCast(*Count));
  return Size && declareOwn(D, D->getType()->getPointeeType(), Size, Zero, Loc);
}

bool Lifter::appendOwn(const BufferRef &B, const clang::Expr *E,
                       const SourceLoc &Loc) {
  const ExprRef V = value(E);
  if (!V)
    return false;
  emit(std::make_shared<raise::Store>(Access{B, {build::var(B->Count)}, {}, ""},
                                      Combiner::None, build::cast(V, B->Elem),
                                      false, Loc));
  emit(std::make_shared<Assign>(B->Count, Combiner::Add,
                                build::intConst(1, B->Count->Ty), Loc));
  return true;
}

ExprRef Lifter::pointerDistance(const clang::BinaryOperator *E) {
  const Pointer To = pointer(E->getLHS());
  const Pointer From = To.isSet() ? pointer(E->getRHS()) : Pointer();
  if (!From.isSet() || !To.Base || To.Base != From.Base ||
      To.Base->rank() > 1 ||
      stepOf(E->getLHS()->getType()->getPointeeType(), *To.Base) != 1)
    return nullptr;
  const auto Offset = [](const Pointer &P) {
    return P.Offset ? P.Offset : build::intConst(0, Type::getI64());
  };
  return From.Offset ? build::sub(Offset(To), From.Offset) : Offset(To);
}

int Lifter::manageOwn(const clang::Stmt *S) {
  const SourceLoc Loc = locateStatement(S, AST);
  if (const auto *I = dyn_cast<IfStmt>(S)) {
    for (const auto &[D, B] : Owned)
      if (isNullTest(I, D))
        return 1;
    return 0;
  }
  const auto *E = dyn_cast<clang::Expr>(S);
  if (!E)
    return 0;
  E = E->IgnoreImplicit();
  if (const clang::CallExpr *C = callOf(E, "free"))
    return C->getNumArgs() == 1 && isLibraryCall(C, AST) &&
           ownArray(C->getArg(0)) != nullptr;
  if (const auto *Delete = dyn_cast<CXXDeleteExpr>(E))
    return Delete->isArrayForm() && ownArray(Delete->getArgument()) != nullptr;
  const auto *M = dyn_cast<CXXMemberCallExpr>(E);
  if (M && isPush(M))
    if (const BufferRef B = ownArray(containerObject(M));
        B && B->Lies == ArrayHome::Growing)
      return appendOwn(B, M->getArg(0), Loc) ? 1 : -1;
  if (M && isReserve(M))
    if (const BufferRef B = ownArray(containerObject(M));
        B && B->Lies == ArrayHome::Growing)
      return 1;
  for (const auto &[D, B] : Owned)
    if (roomFor(E, D)) { // there is one more when it is stored to
      emit(std::make_shared<Assign>(B->Count, Combiner::Add,
                                    build::intConst(1, B->Count->Ty), Loc));
      return 1;
    }
  return 0;
}

} // namespace raise::lifting
