//===- Object.cpp - containers and member functions -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of the standard library's classes only the elements and the size of vectors,
// arrays and spans are followed: `v[i]`, `v.size()`, `v.data()`. Anything else
// that is done with one is Opaque, so both stay what they are where nothing is.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

//===-- Containers
//----------------------------------------------------------===//

std::optional<QualType> containerElement(QualType T) {
  T = T.getNonReferenceType();
  const auto *R = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T->getAsCXXRecordDecl());
  if (!R || !R->isInStdNamespace() || !R->getIdentifier() ||
      (R->getName() != "vector" && R->getName() != "array" &&
       R->getName() != "span"))
    return std::nullopt;
  const TemplateArgumentList &Args = R->getTemplateArgs();
  if (Args.size() == 0 || Args[0].getKind() != TemplateArgument::Type)
    return std::nullopt;
  const QualType Elem = Args[0].getAsType();
  if (R->getName() == "vector" && Elem->isBooleanType())
    return std::nullopt; // its elements are no objects
  // The elements of a span have the constness that its type says.
  const bool IsSpan = R->getName() == "span";
  return T.isConstQualified() && !IsSpan ? Elem.withConst() : Elem;
}

/// Whether it is the library's own, and no specialisation by the program.
static bool isFromLibrary(const ClassTemplateSpecializationDecl *R) {
  const SourceManager &SM = R->getASTContext().getSourceManager();
  const CXXRecordDecl *Pattern = R->getTemplateInstantiationPattern();
  return R->getSpecializationKind() != TSK_ExplicitSpecialization && Pattern &&
         SM.isInSystemHeader(SM.getExpansionLoc(Pattern->getLocation()));
}

bool replacesNew(const ASTContext &AST) {
  for (const OverloadedOperatorKind Op : {OO_New, OO_Array_New})
    for (const NamedDecl *D : AST.getTranslationUnitDecl()->lookup(
             AST.DeclarationNames.getCXXOperatorName(Op)))
      if (const auto *FD = dyn_cast<FunctionDecl>(D);
          FD && FD->isReplaceableGlobalAllocationFunction() &&
          FD->isDefined() &&
          (FD->hasAttr<CUDAHostAttr>() || !FD->hasAttr<CUDADeviceAttr>()))
        return true; // Clang's headers define those of CUDA's devices
  return false;
}

bool ownsElements(QualType T) {
  const auto *R = cast<ClassTemplateSpecializationDecl>(
      T.getNonReferenceType()->getAsCXXRecordDecl());
  if (!isFromLibrary(R))
    return false;
  if (R->getName() != "vector")
    return R->getName() == "array";
  if (replacesNew(R->getASTContext()))
    return false;
  // Of allocators only the library's is known to give out new memory.
  const TemplateArgumentList &Args = R->getTemplateArgs();
  const auto *By = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Args.size() == 2 && Args[1].getKind() == TemplateArgument::Type
          ? Args[1].getAsType()->getAsCXXRecordDecl()
          : nullptr);
  return By && By->isInStdNamespace() && By->getIdentifier() &&
         By->getName() == "allocator" && isFromLibrary(By);
}

/// Whether another object might live in a container's elements of this type.
static bool providesStorage(QualType Elem) {
  return Elem->isCharType() || Elem->isStdByteType() || Elem->isRecordType();
}

bool holdsContainers(QualType T) {
  const auto *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  if (!R || !R->hasDefinition())
    return false;
  bool Any = false;
  for (const FieldDecl *F : R->fields())
    if (const auto Elem = containerElement(F->getType());
        Elem && ownsElements(F->getType())) {
      if (providesStorage(*Elem))
        return false;
      Any = true;
    }
  return Any;
}

ContainerOp containerOp(const clang::CallExpr *E) {
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(E->getDirectCallee());
  if (!M || !M->isInstance() ||
      !containerElement(QualType(M->getParent()->getTypeForDecl(), 0)))
    return ContainerOp::None;
  if (M->getOverloadedOperator() == OO_Subscript)
    return ContainerOp::Subscript;
  if (!M->getIdentifier() || M->getNumParams() != 0)
    return ContainerOp::None;
  return StringSwitch<ContainerOp>(M->getName())
      .Case("front", ContainerOp::Front)
      .Case("back", ContainerOp::Back)
      .Case("size", ContainerOp::Size)
      .Case("empty", ContainerOp::Empty)
      .Cases("data", "begin", "cbegin", ContainerOp::Begin)
      .Cases("end", "cend", ContainerOp::End)
      .Default(ContainerOp::None);
}

const clang::Expr *castByCall(const clang::CallExpr *E) {
  switch (E->getBuiltinCallee()) {
  case Builtin::BImove:
  case Builtin::BImove_if_noexcept:
  case Builtin::BIforward:
  case Builtin::BIas_const:
    break;
  default:
    return nullptr;
  }
  const QualType T = E->getType().getNonReferenceType();
  return E->getNumArgs() == 1 && T.isTriviallyCopyableType(
                                     E->getDirectCallee()->getASTContext())
             ? E->getArg(0)
             : nullptr;
}

const clang::Expr *containerObject(const clang::CallExpr *E) {
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    const clang::Expr *Object = M->getImplicitObjectArgument();
    return Object->getType()->isPointerType() ? nullptr : Object;
  }
  return E->getArg(0);
}

/// What Object's elements and size are known by: what it is a part of, and how
/// it is written.
bool Lifter::containerPlace(const clang::Expr *Object, ContainerName &Name) {
  const Place P = Object ? place(Object->IgnoreParenImpCasts()) : Place();
  if (P.Kind == Place::Frozen) {
    if (P.Of->getTLSKind() != VarDecl::TLS_None ||
        P.Of->hasAttr<OMPThreadPrivateDeclAttr>())
      return refuse(codes::StaticState,
                    "'" + P.Of->getNameAsString() + "' is thread-local",
                    Object->getSourceRange()),
             false;
    Name.Of = P.Of;
    Name.Text = P.Path;
  } else if (P.Kind == Place::Memory && P.A.Indices.size() == 1 &&
             !P.A.isView()) {
    const auto *At = dyn_cast<IntConst>(P.A.Indices[0].get());
    if (!At || At->Value != 0 || P.A.Field.empty())
      return refuse(codes::ClassObject,
                    "'" + shortText(Object->getSourceRange(), AST) +
                        "' is one of several containers",
                    Object->getSourceRange()),
             false;
    Name.In = P.A.Buf;
    Name.Text = memberName(P.A);
  } else {
    return refuse(codes::ClassObject, "this container is not followed",
                  Object ? Object->getSourceRange() : SourceRange()),
           false;
  }
  Name.Ty = P.QualTy;
  if (!containerElement(Name.Ty)) // of a class that derives from a container
    return refuse(codes::ClassObject,
                  "'" + Name.Text + "' has type '" + spellingOf(Name.Ty, AST) +
                      "', which is not followed",
                  Object->getSourceRange()),
           false;
  return true;
}

/// The number that the elements of Name's container and of others that are part
/// of the same object have in common; 0 for none.
unsigned Lifter::apartness(const ContainerName &Name) {
  if (!ownsElements(Name.Ty))
    return 0;
  if (Name.In)
    return Name.In->Apart ? Name.In->Apart : groupOf(Name.In.get());
  // Variables that are no references are objects apart.
  return groupOf(Name.Of->getType()->isReferenceType() ? Name.Of : nullptr);
}

unsigned Lifter::groupOf(const void *Whole) {
  return Wholes.try_emplace(Whole, Wholes.size() + 1).first->second;
}

BufferRef Lifter::containerData(const clang::Expr *Object) {
  if (BufferRef B = ownArray(Object))
    return B;
  ContainerName Name;
  if (!containerPlace(Object, Name))
    return nullptr;
  const std::string Text = Name.Text + ".data()";
  BufferRef &B =
      Name.In ? Members[{Name.In.get(), Text}] : Globals[{Name.Of, Text}];
  if (B)
    return B;
  if (Name.In && (B = impliedContainer(Name.Text, Name.Ty,
                                       locate(Object->getExprLoc(), AST))))
    return B;
  auto Elements =
      makeNamed(Text, AST.getPointerType(*containerElement(Name.Ty)),
                PointerHome::Variable, Object->getExprLoc());
  if (!Elements)
    return refuse(codes::ClassObject,
                  "the elements of '" + Name.Text + "' are not supported",
                  Object->getSourceRange());
  Elements->Apart = apartness(Name);
  Elements->Owner = Name.In;
  // For types of its own a program may specialise much of the library.
  Elements->Owned = Name.Ty->getAsCXXRecordDecl()->getName() == "vector" &&
                    (*containerElement(Name.Ty))->isArithmeticType() &&
                    ownsElements(Name.Ty);
  if (Name.Of && Name.Text == Name.Of->getName())
    Elements->Fresh = Memory.groupOf(Name.Of->getCanonicalDecl());
  return B = Elements;
}

ExprRef Lifter::containerSize(const clang::Expr *Object) {
  if (BufferRef B = ownArray(Object)) {
    const Type Size = liftedType(AST.getSizeType(), AST);
    const ExprRef Count = B->Count ? build::var(B->Count) : B->Extents.front();
    // The size of another container is one already.
    const auto *C = dyn_cast<raise::Cast>(Count.get());
    return C && C->Operand->Ty == Size && C->Ty.Bits == Size.Bits
               ? C->Operand
               : build::cast(Count, Size);
  }
  ContainerName Name;
  if (!containerPlace(Object, Name))
    return nullptr;
  const Type Size = liftedType(AST.getSizeType(), AST);
  const auto *R =
      cast<ClassTemplateSpecializationDecl>(Name.Ty->getAsCXXRecordDecl());
  if (R->getName() == "array")
    return build::intConst(
        R->getTemplateArgs()[1].getAsIntegral().getSExtValue(), Size);
  const std::string Text = Name.Text + ".size()";
  VarRef &V =
      Name.In ? Sizes[{Name.In.get(), Text}] : Externals[{Name.Of, Text}];
  if (!V && Name.In && Name.In->Kind == BufferKind::Param && Settings.Alone)
    V = impliedSize(Name.Text, *containerElement(Name.Ty),
                    locate(Object->getExprLoc(), AST));
  if (!V) {
    auto New = std::make_shared<Var>();
    New->Name = Text;
    New->Ty = Size;
    New->Kind = VarKind::External;
    New->Const = true;
    New->Most = mostElements(*containerElement(Name.Ty));
    New->Loc = locate(Object->getExprLoc(), AST);
    V = New;
    Unowned.insert(V.get());
  }
  return build::var(V);
}

/// Whether Elements are those of a container that is a member of Object: they
/// lie in memory of the container's own.
bool Lifter::holdsContainer(const Buffer &Object,
                            const Buffer &Elements) const {
  auto It = Members.find({&Object, Elements.Name});
  return It != Members.end() && It->second.get() == &Elements &&
         StringRef(Elements.Name).ends_with(".data()");
}

/// The value of a call of a container's member; null and no failure if it is
/// none that is followed.
ExprRef Lifter::containerValue(const clang::CallExpr *E) {
  const ContainerOp Op = containerOp(E);
  if (Op != ContainerOp::Size && Op != ContainerOp::Empty)
    return nullptr;
  ExprRef Size = containerSize(containerObject(E));
  if (!Size || Op == ContainerOp::Size)
    return Size;
  return build::binary(BinaryOp::EQ, Size, build::intConst(0, Size->Ty));
}

/// data(), begin() and end(), and what is added to them.
Pointer Lifter::containerPointer(const clang::CallExpr *E) {
  Pointer P;
  const ContainerOp Op = containerOp(E);
  if (Op != ContainerOp::Begin && Op != ContainerOp::End)
    return P;
  P.Base = containerData(containerObject(E));
  if (P.Base && Op == ContainerOp::End) {
    ExprRef Size = containerSize(containerObject(E));
    if (!Size)
      return Pointer();
    P.Offset = build::cast(Size, Type::getI64());
  }
  return P;
}

//===-- Member functions
//----------------------------------------------------===//

/// The object that a member function is called on.
bool Lifter::calledObject(const clang::CallExpr *E, Place &Object) {
  const auto *M = dyn_cast<CXXMemberCallExpr>(E);
  const clang::Expr *Of = M ? M->getImplicitObjectArgument()
                          : isa<CXXOperatorCallExpr>(E) ? E->getArg(0)
                                                        : nullptr;
  if (!Of)
    return refuse(codes::ClassObject, "the object of this call is not known",
                  E->getSourceRange()),
           false;
  // A constructor's or a base's object is only a part of what has the name.
  const clang::Expr *Bare = Of->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(Bare);
      C && C->getCastKind() != CK_NoOp && C->getCastKind() != CK_LValueToRValue)
    return refuse(codes::ClassObject, "a member function of a base class",
                  E->getSourceRange()),
           false;
  if (!Of->getType()->isPointerType()) {
    Object = place(Of);
  } else if (isa<CXXThisExpr>(Of->IgnoreParenImpCasts())) {
    Object = This;
  } else {
    const Pointer P = pointer(Of);
    if (P.isSet())
      Object = element(P, nullptr, Of->getType()->getPointeeType(),
                       E->getSourceRange());
  }
  return Object.isSet() ? freeze(Object)
                        : (refuse(codes::ClassObject, "a member of this object",
                                  E->getSourceRange()),
                           false);
}

/// Where the member function is called, its members are those of Object.
bool Lifter::mayEnter(const FunctionDecl *FD, const clang::CallExpr *E) {
  const SourceManager &SM = AST.getSourceManager();
  if (SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())))
    return refuse(codes::UnknownCall,
                  "calls " + FD->getQualifiedNameAsString() +
                      ", a member function of a library",
                  E->getSourceRange()),
           false;
  return true;
}

/// Whether S surely changes nothing: it has no assignment, and no calls but of
/// containers.
static bool onlyReads(const clang::Stmt *S, const ASTContext &AST) {
  const auto *E = dyn_cast_or_null<clang::Expr>(S);
  if (!E || E->HasSideEffects(AST, /*IncludePossibleEffects=*/false))
    return false;
  const auto *C = dyn_cast<clang::CallExpr>(E);
  return (!C || containerOp(C) != ContainerOp::None) &&
         llvm::all_of(S->children(), [&](const clang::Stmt *Child) {
           return isa<CXXThisExpr>(E) || onlyReads(Child, AST);
         });
}

/// What a member function without parameters returns, if that is one expression
/// that changes nothing: it stands where the call stands, without a variable.
/// Null and no failure if FD is none.
ExprRef Lifter::accessorValue(const FunctionDecl *FD,
                              const clang::CallExpr *E) {
  const auto *M = dyn_cast<CXXMethodDecl>(FD);
  const FunctionDecl *Body = knownBody(FD);
  const auto *Block = Body ? dyn_cast<CompoundStmt>(Body->getBody()) : nullptr;
  const auto *Only = Block && Block->size() == 1
                         ? dyn_cast<ReturnStmt>(Block->body_front())
                         : nullptr;
  if (!M || !M->isInstance() || M->getParent()->isLambda() ||
      FD->getNumParams() != 0 || FD->getReturnType()->isReferenceType() ||
      !Only || !Only->getRetValue() || !onlyReads(Only->getRetValue(), AST))
    return nullptr;
  const size_t Before = Out->size();
  ExprRef Value;
  const bool Done = expandCall(E, [&](const clang::Expr *Returned) {
    return (Value = value(Returned)) != nullptr;
  });
  if (Done && Out->size() == Before)
    return Value;
  Out->resize(Before); // what stands in the way, its statements say
  Failure = {};
  return nullptr;
}

/// A call of a function that only returns an expression, for what that
/// expression stands for. In: what to do with it.
bool Lifter::expandCall(const clang::CallExpr *E,
                        function_ref<bool(const clang::Expr *)> In) {
  const FunctionDecl *FD = target(E);
  const FunctionDecl *Body = FD ? knownBody(FD) : nullptr;
  if (!Body)
    return FD && refuse(whyUnknown(FD, E->getSourceRange())), false;
  const auto *Block = dyn_cast<CompoundStmt>(Body->getBody());
  const auto *Only = Block && Block->size() == 1
                         ? dyn_cast<ReturnStmt>(Block->body_front())
                         : nullptr;
  if (!Only || !Only->getRetValue() || FD->isVariadic() ||
      is_contained(CallStack, FD->getCanonicalDecl()) || !mayEnter(FD, E))
    return failed() ? false
                    : (refuse(codes::UnknownCall,
                              "calls " + FD->getQualifiedNameAsString() +
                                  ", which returns a pointer or a reference",
                              E->getSourceRange()),
                       false);
  Place Object;
  const auto *M = dyn_cast<CXXMethodDecl>(FD);
  const bool HasObject = M && M->isInstance();
  if (HasObject && M->getParent()->isLambda())
    return refuse(codes::Closure, "a lambda that returns a reference",
                  E->getSourceRange()),
           false;
  if (HasObject && !calledObject(E, Object))
    return false;
  const unsigned Skip = HasObject && isa<CXXOperatorCallExpr>(E) ? 1 : 0;
  Facts.scan(Body->getBody());
  const bool Private = onlyReads(Only->getRetValue(), AST);
  std::vector<Binding> Bound(Body->getNumParams());
  for (unsigned I = 0; I < Body->getNumParams(); ++I)
    if (I + Skip >= E->getNumArgs() ||
        !bindArgument(Body->getParamDecl(I), E->getArg(I + Skip), Private,
                      Bound[I]))
      return false;
  for (unsigned I = 0; I < Body->getNumParams(); ++I)
    Bindings[Body->getParamDecl(I)] = Bound[I];
  SaveAndRestore SavedThis(This, HasObject ? Object : Place());
  CallStack.push_back(FD->getCanonicalDecl());
  Inlines.push_back({Body, {}});
  const bool Done = In(Only->getRetValue());
  Inlines.pop_back();
  CallStack.pop_back();
  return Done;
}

} // namespace raise::lifting
