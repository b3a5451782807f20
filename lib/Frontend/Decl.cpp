//===- Decl.cpp - local variables -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

VarRef Lifter::fresh(StringRef Name, const Type &Ty, const SourceLoc &Loc,
                     std::string Says) {
  auto V = std::make_shared<Var>();
  V->Says = std::move(Says);
  V->Name = Name.str();
  V->Ty = Ty;
  V->Loc = Loc;
  return V;
}

VarRef Lifter::declare(const VarDecl *D, const Type &Ty, std::string Says) {
  auto V = std::make_shared<Var>();
  V->Says = std::move(Says);
  // Names that are kept for the library are not given by anybody else.
  V->Name = StringRef(D->getNameAsString()).ltrim('_').str();
  const bool Reserved =
      StringRef(D->getName()).starts_with("__") && !Inlines.empty();
  if (!Reserved || V->Name.empty())
    V->Name = D->getNameAsString();
  V->Ty = Ty;
  V->Const = D->getType().isConstQualified();
  V->Loc = locate(D->getLocation(), AST);
  if (Facts.Assigned.contains(D))
    Changing.insert(V.get());
  if (Facts.Addressed.contains(D))
    Addressed.push_back(V);
  return V;
}

bool Lifter::liftScalarDecl(const VarDecl *D, const Type &Ty,
                            const SourceLoc &Loc) {
  ExprRef Init;
  if (D->getInit() && !(Init = value(D->getInit())))
    return false;
  Binding B;
  B.Kind = Binding::Scalar;
  B.V = declare(D, Ty);
  Bindings[D] = B;
  emit(std::make_shared<Decl>(B.V, Init, Loc));
  if (IsKernel && !Raw.empty() && !Facts.Addressed.contains(D))
    keepValue(B.V, Init);
  return true;
}

ExprRef zeroOf(const Type &Ty, QualType Of) {
  if (Ty.isFloat())
    return build::floatConst(0, Ty);
  // C++ makes no enumerator of a number that nobody casts.
  std::string Spelling;
  if (!Of.isNull() && Of->isEnumeralType() && !Ty.Spelling.empty())
    Spelling = "(" + Ty.Spelling + ")0";
  return std::make_shared<IntConst>(0, Ty, Spelling);
}

/// Adds what Next gives to Values, which were evaluated before.
bool Lifter::addValue(std::vector<ExprRef> &Values,
                      function_ref<ExprRef()> Next) {
  StmtList Later;
  StmtList *const Saved = Out;
  Out = &Later;
  const ExprRef V = Next();
  Out = Saved;
  if (!V)
    return false;
  for (ExprRef &Earlier : Values)
    if (!Later.empty() && Earlier && !isFixed(Earlier))
      Earlier = spill(Earlier, "value");
  Out->insert(Out->end(), Later.begin(), Later.end());
  Values.push_back(V);
  return true;
}

/// The values of an array's initialiser, row-major; missing ones are zero.
bool Lifter::arrayInit(const clang::Expr *Init, QualType T,
                       std::vector<ExprRef> &Values) {
  const ConstantArrayType *A = AST.getAsConstantArrayType(T);
  if (!A && Init)
    return addValue(Values, [&] { return value(Init); });
  if (!A) {
    const std::optional<Type> Ty = scalarType(T, AST);
    if (Ty)
      Values.push_back(zeroOf(*Ty, T));
    return Ty.has_value();
  }
  const auto *List = dyn_cast_or_null<InitListExpr>(Init);
  if (Init && !List && !isa<ImplicitValueInitExpr>(Init))
    return refuse(codes::Expression, "an initialiser that is not a list",
                  Init->getSourceRange()),
           false;
  for (uint64_t I = 0, N = A->getSize().getZExtValue(); I < N; ++I) {
    const clang::Expr *E = !List                     ? nullptr
                           : I < List->getNumInits() ? List->getInit(I)
                                                     : List->getArrayFiller();
    if (isa_and_nonnull<ImplicitValueInitExpr>(E))
      E = nullptr;
    if (!arrayInit(E, A->getElementType(), Values))
      return false;
  }
  return true;
}

bool Lifter::liftArrayDecl(const VarDecl *D, const SourceLoc &Loc) {
  auto B = std::make_shared<Buffer>();
  B->Name = D->getNameAsString();
  const bool Shared = D->hasAttr<CUDASharedAttr>();
  B->Kind = Shared ? BufferKind::Shared : BufferKind::Local;
  B->Loc = locate(D->getLocation(), AST);
  B->TypeSpelling = spellingOf(D->getType(), AST);
  B->Extents.clear();
  QualType Elem = D->getType();
  if (isDynamicShared(D))
    return bindDynamicShared(D, D->getSourceRange());
  if (!arrayExtents(D->getType(), B->Extents, Elem, D->getSourceRange()))
    return false;
  if (B->Extents.empty()) { // a __shared__ scalar: one element
    B->Extents.push_back(build::intConst(1, Type::getI64()));
    B->Reference = true;
  }
  B->Volatile = Elem.isVolatileQualified();
  if (B->Volatile)
    return refuse(codes::Volatile, "'" + B->Name + "' is volatile",
                  D->getSourceRange()),
           false;
  for (ExprRef &E : B->Extents) {
    if (!E)
      return refuse(codes::Expression, "an array of unknown size",
                    D->getSourceRange()),
             false;
    if (!isConstant(E))
      E = spill(E, B->Name + "_extent");
  }
  if (!elementType(Elem, B->Elem))
    return refuse(codes::ClassObject,
                  "array '" + B->Name + "' has elements of type '" +
                      spellingOf(Elem, AST) + "'",
                  D->getSourceRange()),
           false;
  if (Shared)
    makeFlat(D, Elem, *B);
  // Raised code stands outside of the kernel, and could not name it.
  if (IsKernel && B->Elem.isVoid() &&
      Elem->getAsRecordDecl()->getParentFunctionOrMethod())
    return refuse(codes::ClassObject,
                  "array '" + B->Name +
                      "' has elements of a type that is declared in the kernel",
                  D->getSourceRange()),
           false;
  std::vector<ExprRef> Init;
  if (D->getInit() && !isa<CXXConstructExpr>(D->getInit()->IgnoreImplicit())) {
    if (B->Elem.isVoid())
      return refuse(codes::ClassObject,
                    "an array of structures with an initialiser",
                    D->getSourceRange()),
             false;
    if (!arrayInit(D->getInit()->IgnoreImplicit(), D->getType(), Init))
      return false;
  }
  Binding Bound;
  Bound.Kind = Binding::BufferObj;
  if (B->Reference) {
    Bound.Kind = Binding::Alias;
    Bound.At.Kind = Place::Memory;
    Bound.At.A.Buf = B;
    Bound.At.A.Indices = {build::intConst(0, Type::getI64())};
    Bound.At.QualTy = D->getType();
    if (!B->Elem.isVoid())
      Bound.At.Ty = B->Elem;
  }
  Bound.P.Base = B;
  Bindings[D] = Bound;
  StmtRef S = std::make_shared<DeclBuffer>(B, std::move(Init), Loc);
  if (Shared)
    SharedDecls.push_back(S);
  else
    emit(S);
  return true;
}

bool Lifter::liftPointerDecl(const VarDecl *D, const SourceLoc &Loc) {
  if (Facts.Addressed.contains(D))
    return refuse(codes::AddressTaken,
                  "the address of pointer '" + D->getNameAsString() +
                      "' is taken",
                  D->getSourceRange()),
           false;
  // Lifted again, it is no more what its name said the time before.
  Bindings.erase(D);
  BufferRef Base = commonBase(D);
  if (!Base && mayBeginAnew(D)) {
    Failure = {};
    Base = commonBase(D, valuesFrom(D, nullptr));
  }
  if (!Base)
    return false;
  // A name of its own says more than a distance from what may have changed
  // since: but in a loop, which this would be opaque in, only where it may.
  const bool IsLoose = Base->Home != PointerHome::Fixed && Inlines.empty() &&
                       !IsKernel && !IsDevice;
  if (const Pin By = Pinned.lookup(D); IsLoose && By.By.isSet())
    return refuse(By.By), false;
  if (IsLoose && (Loops.empty() || Pinned.contains(D)))
    return refuse(codes::PointerBase,
                  "'" + D->getNameAsString() +
                      "' is where a pointer that may change leads now",
                  D->getSourceRange()),
           false;
  Pointer P;
  if (D->getInit()) {
    P = pointer(D->getInit());
    if (!P.isSet())
      return false;
  }
  auto V = std::make_shared<Var>();
  V->Name = D->getNameAsString();
  V->Ty = Type::getI64();
  V->Kind = VarKind::Cursor;
  V->Base = Base;
  V->SeesParts = !Base->Elem.isVoid() &&
                 !scalarType(D->getType()->getPointeeType(), AST) &&
                 isViewOf(D->getType()->getPointeeType(), *Base, AST);
  V->Const = D->getType().isConstQualified();
  V->Loc = locate(D->getLocation(), AST);
  if (Facts.Assigned.contains(D))
    Changing.insert(V.get());
  Binding B;
  B.Kind = Binding::Cursor;
  B.V = V;
  Bindings[D] = B;
  if (IsLoose)
    Loose.push_back({D, Out, Out->size(),
                     Base->Home == PointerHome::Variable
                         ? LooseReference::NoStore
                         : LooseReference::OfBytes,
                     Base});
  ExprRef Init;
  if (P.isSet())
    Init = P.Offset ? P.Offset : build::intConst(0, Type::getI64());
  emit(std::make_shared<Decl>(V, Init, Loc));
  return true;
}

bool Lifter::liftReferenceDecl(const VarDecl *D, const SourceLoc &Loc) {
  const clang::Expr *Init = D->getInit();
  const QualType Referee = D->getType()->getPointeeType();
  // A reference to a value extends a temporary.
  if (Init && Init->IgnoreImplicit()->isPRValue() && Referee.isConstQualified())
    if (std::optional<Type> Ty = scalarType(Referee, AST)) {
      ExprRef E = value(Init);
      if (!E)
        return false;
      Binding B;
      B.Kind = Binding::Scalar;
      B.V = fresh(D->getNameAsString(), *Ty, locate(D->getLocation(), AST));
      Bindings[D] = B;
      emit(std::make_shared<Decl>(B.V, E, Loc));
      return true;
    }
  if (Pinned.contains(D))
    return refuse(codes::PointerBase,
                  "'" + D->getNameAsString() + "' refers to '" +
                      shortText(Init->getSourceRange(), AST) +
                      "', whose name may lead elsewhere later",
                  D->getSourceRange()),
           false;
  Place P = Init ? place(Init) : Place();
  if (!P.isSet() || !freeze(P))
    return refuse(codes::Expression,
                  "reference '" + D->getNameAsString() +
                      "' is bound to something that is not followed",
                  D->getSourceRange()),
           false;
  Binding B;
  B.Kind = Binding::Alias;
  B.At = P;
  Bindings[D] = B;
  noteReference(D, P);
  return true;
}

/// Keeps D, which refers to To, in mind if To's text need not lead there for as
/// long as D lives.
void Lifter::noteReference(const VarDecl *D, const Place &To) {
  if (To.Kind != Place::Memory || !Inlines.empty())
    return;
  const Buffer &B = *To.A.Buf;
  bool Moves = B.Kind == BufferKind::Pointer && B.Home != PointerHome::Fixed;
  const auto By = Moves && B.Home != PointerHome::Variable
                      ? LooseReference::AnyStore
                      : LooseReference::NoStore;
  for (const ExprRef &I : To.A.Indices)
    forEachExpr(I, [&](const ExprRef &E) {
      const auto *U = dyn_cast<VarUse>(E.get());
      Moves |= U && Unowned.contains(U->V.get());
    });
  if (Moves)
    Loose.push_back({D, Out, Out->size(), By, To.A.Buf});
}

/// Whether the language lets S write a part of anything, as a pointer.
static bool storesByte(const Store &S) {
  const Type &Elem = S.To.Buf->Elem;
  return (Elem.isVoid() ? S.Value->Ty : Elem).Bits <= 8;
}

/// At the end of Scope, a list of statements: whether one of the references
/// that were noted since Known ones were may be found elsewhere by then. They
/// are pinned: Scope is to be lifted again.
bool Lifter::pinReferences(size_t Known, const StmtList &Scope) {
  bool Any = false;
  for (size_t I = Known; I < Loose.size(); ++I) {
    const LooseReference &R = Loose[I];
    Pin By = {R.Into, {}};
    bool Unknown = false, Stores = false, Loops = false;
    for (size_t At = R.In == &Scope ? R.Before : 0; At < Scope.size(); ++At)
      forEachStmt(Scope[At], [&](const StmtRef &S) {
        const auto *O = dyn_cast<Opaque>(S.get());
        Unknown |= O && !O->Pure;
        if (O && !O->Pure && !By.By.isSet())
          By.By = {O->Code,
                   O->Why + " (line " + std::to_string(O->Loc.Line) + ")",
                   O->Loc};
        if (const auto *Set = dyn_cast<Store>(S.get()))
          Stores |= R.By == LooseReference::AnyStore ||
                    (R.By == LooseReference::OfBytes && storesByte(*Set));
        Loops |= isa<raise::For>(S.get()) || isa<raise::While>(S.get());
      });
    // Only what is raised asks where it is: a loop.
    if (Loops && (Unknown || Stores))
      Any |= Pinned.try_emplace(R.D, By).second;
  }
  Loose.resize(std::min(Known, Loose.size()));
  return Any;
}

/// D, a reference or a variable with an address, is what its own name says.
bool Lifter::bindReferenceByName(const VarDecl *D) {
  const QualType To = D->getType().getNonReferenceType();
  const auto New = makeNamed(D->getNameAsString(), AST.getPointerType(To),
                             PointerHome::Fixed, D->getLocation());
  if (!New || New->rank() != 1)
    return false;
  New->Reference = true;
  if (const BufferRef Into = Pinned.lookup(D).Into) {
    New->Fresh = Into->Fresh;
    New->Owned = Into->Owned;
  }
  if (holdsContainers(To))
    New->Apart = groupOf(New.get());
  New->TypeSpelling = spellingOf(D->getType(), AST);
  Binding B;
  B.Kind = Binding::Alias;
  B.At.Kind = Place::Memory;
  B.At.A.Buf = New;
  B.At.A.Indices = {build::intConst(0, Type::getI64())};
  B.At.QualTy = To;
  if (!New->Elem.isVoid())
    B.At.Ty = New->Elem;
  Bindings[D] = B;
  return true;
}

std::vector<VarRef> Lifter::makeParts(StringRef Name, QualType T,
                                      const SourceLoc &Loc) {
  std::vector<VarRef> Parts;
  for (const Member &M : scalarMembers(T, AST)) {
    std::string Part = (Name + "_" + M.Path).str();
    std::replace(Part.begin(), Part.end(), '.', '_');
    Parts.push_back(fresh(Part, M.Ty, Loc, (Name + "." + M.Path).str()));
    Changing.insert(Parts.back().get());
  }
  return Parts;
}

bool Lifter::liftRecordDecl(const VarDecl *D, const SourceLoc &Loc) {
  std::vector<ExprRef> Values;
  const clang::Expr *Init = D->getInit();
  const auto *Construct =
      Init ? dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit()) : nullptr;
  const bool Empty = !Init || (Construct && Construct->getNumArgs() == 0 &&
                               Construct->getConstructor()->isTrivial() &&
                               !Construct->requiresZeroInitialization());
  const bool Made = !Empty && Construct && isMadeHere(Construct);
  if (!Empty && !Made && !recordValue(Init, Values))
    return false;
  Binding B;
  B.Kind = Binding::Record;
  B.At.Kind = Place::Record;
  B.At.QualTy = B.At.At = D->getType();
  B.At.Parts = makeParts(D->getName(), D->getType(), Loc);
  if (Facts.Addressed.contains(D))
    Addressed.insert(Addressed.end(), B.At.Parts.begin(), B.At.Parts.end());
  Bindings[D] = B;
  for (size_t I = 0; I < B.At.Parts.size(); ++I)
    emit(std::make_shared<Decl>(B.At.Parts[I],
                                Values.empty() ? nullptr : Values[I], Loc));
  return !Made || construct(Construct, B.At);
}

/// Whether a lambda of class R copies, where it is made, what may have another
/// value where it is called.
bool Lifter::readsNow(const CXXRecordDecl &R) const {
  return llvm::any_of(R.captures(), [&](const LambdaCapture &C) {
    const auto *V =
        C.capturesVariable() ? dyn_cast<VarDecl>(C.getCapturedVar()) : nullptr;
    return V && (V->isInitCapture() || (C.getCaptureKind() == LCK_ByCopy &&
                                        Facts.Assigned.contains(V)));
  });
}

bool Lifter::liftDeclInner(const VarDecl *D, const SourceLoc &Loc) {
  const QualType T = D->getType();
  if (D->getTLSKind() != VarDecl::TLS_None)
    return refuse(codes::StaticState,
                  "'" + D->getNameAsString() + "' is thread-local",
                  D->getSourceRange()),
           false;
  if (D->hasAttr<CUDASharedAttr>()) {
    if (IsLaunched)
      return refuse(codes::CudaBuiltin,
                    "the threads of a block share '" + D->getNameAsString() +
                        "', and what they exchange is not differentiated",
                    D->getSourceRange()),
             false;
    // A function that is called several times has one array.
    const auto It = Bindings.find(D);
    if (It != Bindings.end() &&
        llvm::any_of(SharedDecls, [&](const StmtRef &S) {
          return cast<DeclBuffer>(S.get())->B == It->second.P.Base;
        }))
      return true;
    return liftArrayDecl(D, Loc);
  }
  if (IsKernel && isThreadGroup(T))
    return bindThreadGroup(D, D->getInit()), true; // it has no state
  if (D->isStaticLocal()) {
    if (T.isConstQualified() || AST.getBaseElementType(T).isConstQualified())
      return true; // bound as a global when it is used
    return refuse(codes::StaticState,
                  "'" + D->getNameAsString() +
                      "' is static and keeps its value between calls",
                  D->getSourceRange()),
           false;
  }
  if (D->hasExternalStorage())
    return true;
  if (T.isVolatileQualified())
    return refuse(codes::Volatile, "'" + D->getNameAsString() + "' is volatile",
                  D->getSourceRange()),
           false;
  if (D->hasAttr<CleanupAttr>() && !T->isPointerType())
    return refuse(codes::ClassObject,
                  "what the end of '" + D->getNameAsString() +
                      "' does is not followed",
                  D->getSourceRange()),
           false;
  if (Settings.Alone && isErrorCode(T) && !T->isReferenceType())
    return liftErrorCode(D);
  if (std::optional<Type> Ty = scalarType(T, AST))
    return liftScalarDecl(D, *Ty, Loc);
  if (isSmall(T) && !T->isReferenceType())
    return liftSmallDecl(D, Loc);
  if (T->isArrayType())
    return liftArrayDecl(D, Loc);
  if (Settings.Alone && (liftOwnArray(D, Loc) || failed()))
    return !failed();
  if (T->isPointerType())
    return liftPointerDecl(D, Loc);
  if (T->isReferenceType())
    return liftReferenceDecl(D, Loc);
  // A lambda is its body where it is called; anything else that is done with
  // it is opaque.
  if (const CXXRecordDecl *R = T->getAsCXXRecordDecl(); R && R->isLambda())
    return !readsNow(*R) ||
           (refuse(codes::Closure,
                   "'" + D->getNameAsString() +
                       "' keeps values of variables that change",
                   D->getSourceRange()),
            false);
  if (isOnlyCopied(D))
    return liftBytesDecl(D);
  if (plainMembers(T, AST))
    return liftRecordDecl(D, Loc);
  if (T->isRecordType() && D->getInit() && !Facts.Assigned.contains(D) &&
      !Facts.Addressed.contains(D))
    if (const Place Part = objectPart(D->getInit());
        Part.Kind == Place::Frozen) {
      Binding B;
      B.Kind = Binding::Frozen;
      B.At = Part;
      Bindings[D] = B;
      return true;
    }
  if (failed())
    return false;
  if (mayOwnObject(T))
    return liftObjectDecl(D, Loc);
  // What an unknown function does says more than the type of its result.
  const auto *Made =
      D->getInit() ? dyn_cast<clang::CallExpr>(D->getInit()->IgnoreImplicit())
                   : nullptr;
  const FunctionDecl *By = Made ? Made->getDirectCallee() : nullptr;
  if (By && !knownBody(By))
    return refuse(whyUnknown(By, Made->getSourceRange())), false;
  const RecordDecl *R = T->getAsRecordDecl();
  // It is known by its members' names where it stands; what stops is that a
  // loop makes it anew.
  if (R && !R->isUnion() && !Loops.empty() &&
      T.getCanonicalType()->isRecordType())
    return refuse(codes::ClassObject,
                  "'" + D->getNameAsString() + "', of type '" +
                      spellingOf(T, AST) +
                      "', which is more than scalars, is made in the loop",
                  D->getSourceRange()),
           false;
  return refuse(R && R->isUnion() ? codes::UnionOrBitField
                : R               ? codes::ClassObject
                                  : codes::ScalarType,
                "'" + D->getNameAsString() + "' has type '" +
                    spellingOf(T, AST) + "', which is not supported",
                D->getSourceRange()),
         false;
}

/// What may change member Path of D, a structure.
PointerHome Lifter::memberHome(const VarDecl *D, StringRef Path) const {
  return writesMember(D, Path) ? PointerHome::Variable : PointerHome::Fixed;
}

/// Whether the function assigns D's member Path (which begins with D's name),
/// what it is a part of, or a part of it.
bool Lifter::writesMember(const VarDecl *D, StringRef Path) const {
  if (Facts.Whole.contains(D))
    return true;
  auto It = Facts.Members.find(D);
  if (It == Facts.Members.end())
    return false;
  const auto Holds = [](StringRef Whole, StringRef Part) {
    return Part.consume_front(Whole) && (Part.empty() || Part.front() == '.');
  };
  return llvm::any_of(It->second, [&](const std::string &Written) {
    return Holds(Written, Path) || Holds(Path, Written);
  });
}

/// A pointer or a structure of unknown value can still be referred to by its
/// name. What changes it later is Opaque; a structure whose address is taken is
/// memory, which a store may change as well. False if D is no such variable.
bool Lifter::bindByName(const VarDecl *D) {
  const QualType T = D->getType();
  if (T.isVolatileQualified() || D->getName().empty() || IsKernel || IsDevice ||
      !Inlines.empty())
    return false;
  if (T->isReferenceType() && Pinned.contains(D))
    return bindReferenceByName(D);
  Binding B;
  if (T->isPointerType()) {
    B.Kind = Binding::BufferObj;
    B.P.Base = pointerByName(
        D, D->getNameAsString(), T,
        // A group is fresh only if no address of it is kept.
        Facts.Addressed.contains(D) && !Memory.groupOf(D->getCanonicalDecl())
            ? PointerHome::Memory
        : Facts.Assigned.contains(D) ? PointerHome::Variable
                                     : PointerHome::Fixed);
    if (!B.P.Base)
      return false;
  } else if (T->isReferenceType() && T->getPointeeType()->isArrayType()) {
    // The array's name is the address of its first element.
    B.Kind = Binding::BufferObj;
    B.P.Base = pointerByName(D, D->getNameAsString(),
                             AST.getArrayDecayedType(T->getPointeeType()),
                             PointerHome::Fixed);
    if (!B.P.Base)
      return false;
  } else if (!T->isRecordType() || T->isUnionType()) {
    return false;
  } else if (Facts.Addressed.contains(D)) {
    // The elements of a container are known by the name that it has anyway.
    return !containerElement(T) && bindReferenceByName(D);
  } else {
    B.Kind = Binding::Frozen;
    B.At.Kind = Place::Frozen;
    B.At.Of = D;
    B.At.Path = D->getNameAsString();
    B.At.QualTy = T;
  }
  Bindings[D] = B;
  return true;
}

/// A variable whose declaration was not understood: a scalar may hold anything
/// that the Opaque left in it; of others nothing is known.
void Lifter::declareUnknown(const VarDecl *D) {
  if (bindByName(D))
    return;
  Binding B;
  B.Why = Failure;
  std::optional<Type> Ty = scalarType(D->getType(), AST);
  if (Ty && !Ty->isVoid() && !D->getType().isVolatileQualified() &&
      !D->isStaticLocal() && D->getTLSKind() == VarDecl::TLS_None) {
    B.Kind = Binding::Scalar;
    B.V = declare(D, *Ty);
    Changing.insert(B.V.get());
    emit(
        std::make_shared<Decl>(B.V, nullptr, locate(D->getSourceRange(), AST)));
  }
  Bindings[D] = B;
}

bool Lifter::liftDecl(const VarDecl *D, const clang::Stmt *S) {
  const size_t Before = Out->size();
  const Checkpoint Start = checkpoint();
  if (!liftDeclInner(D, locateStatement(S, AST))) {
    if (!Inlines.empty())
      return false;
    Out->resize(Before);
    rollBack(Start);
    declareUnknown(D);
    makeOpaque(S, Out->size());
  }
  noteEnding(D);
  return true;
}

} // namespace raise::lifting
