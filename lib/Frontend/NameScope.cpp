//===- NameScope.cpp - what a name finds inside a function ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NameScope.h"
#include "Lifter.h"
#include "raise/Frontend/Naming.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

namespace {

class LocalNames : public RecursiveASTVisitor<LocalNames> {
public:
  StringMap<unsigned> &Names;
  std::vector<const UsingDirectiveDecl *> Directives;
  explicit LocalNames(StringMap<unsigned> &Names) : Names(Names) {}
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl *D) {
    Directives.push_back(D);
    return true;
  }
  bool VisitNamedDecl(NamedDecl *D) {
    // A member is found through its object only.
    if (D->getIdentifier() && !D->getDeclContext()->isRecord())
      ++Names[D->getName()];
    return true;
  }
};

thread_local const NameScope *Current = nullptr;

} // namespace

NameScope::NameScope(const FunctionDecl &Root, const NameScope *From,
                     bool Alone)
    : Root(Root), From(From), Alone(Alone), AST(Root.getASTContext()) {
  LocalNames Visitor(Locals);
  for (ParmVarDecl *P : Root.parameters())
    Visitor.TraverseDecl(P);
  if (Root.hasBody())
    Visitor.TraverseStmt(Root.getBody());
  if (const FunctionTemplateDecl *T = Root.getPrimaryTemplate())
    for (const NamedDecl *P : *T->getTemplateParameters())
      if (P->getIdentifier())
        ++Locals[P->getName()];
  std::vector<const UsingDirectiveDecl *> Todo = std::move(Visitor.Directives);
  auto Note = [&](const DeclContext *C) {
    for (const UsingDirectiveDecl *D : C->using_directives())
      Todo.push_back(D);
  };
  for (const DeclContext *C = Root.getDeclContext(); C; C = C->getParent())
    Note(C->getRedeclContext());
  while (!Todo.empty()) {
    const DeclContext *Named =
        Todo.back()->getNominatedNamespace()->getPrimaryContext();
    Todo.pop_back();
    if (is_contained(Opened, Named))
      continue;
    Opened.push_back(Named);
    Note(Named); // it goes on from there
  }
}

NameScope::Use::Use(const NameScope &Scope) : Before(Current) {
  Current = &Scope;
}
NameScope::Use::~Use() { Current = Before; }
const NameScope *NameScope::current() { return Current; }

std::vector<const NamedDecl *> NameScope::lookup(const IdentifierInfo *Name,
                                                 bool &Uncertain) const {
  std::vector<const NamedDecl *> Found;
  auto Take = [&](const DeclContext *C) {
    for (const NamedDecl *F : C->lookup(Name))
      if (!isa<UsingDecl>(F)) // what it names stands beside it
        Found.push_back(F->getUnderlyingDecl());
  };
  for (const DeclContext *C = Root.getDeclContext(); C && Found.empty();
       C = C->getParent()) {
    if (Alone && C->isRecord())
      continue;
    Take(C->getRedeclContext());
    const auto *Class = dyn_cast<CXXRecordDecl>(C);
    Uncertain |= Class && Found.empty() && Class->hasDefinition() &&
                 (Class->hasAnyDependentBases() || Class->hasMemberName(Name));
  }
  // Where the opened names count as declared is not followed: all of them must
  // agree with what was found.
  for (const DeclContext *C : Opened)
    Take(C);
  return Found;
}

/// Whether a lookup that starts in the function's scopes ends at D.
bool NameScope::findsPlain(const NamedDecl *D) const {
  const IdentifierInfo *Id = D->getIdentifier();
  return Id && !isHidden(Id->getName()) && findsOutside(D) &&
         (!From || From->findsOutside(D));
}

/// The same, of a lookup that starts around the function.
bool NameScope::findsOutside(const NamedDecl *D) const {
  bool Uncertain = false;
  const auto Found = lookup(D->getIdentifier(), Uncertain);
  auto IsD = [&](const NamedDecl *F) {
    const auto *A = dyn_cast<TypedefNameDecl>(F),
               *B = dyn_cast<TypedefNameDecl>(D);
    return F->getCanonicalDecl() == D->getCanonicalDecl() ||
           (A && B &&
            AST.hasSameType(A->getUnderlyingType(), B->getUnderlyingType()));
  };
  // Of overloads the call chooses; of anything else there must be one.
  return !Uncertain &&
         (isa<FunctionDecl>(D) && Opened.empty() ? any_of(Found, IsD)
          : isa<FunctionDecl>(D)
              ? any_of(Found, IsD) &&
                    all_of(Found,
                           [&](const NamedDecl *F) {
                             return F->getAsFunction() &&
                                    F->getDeclContext()
                                        ->getRedeclContext()
                                        ->Equals(D->getDeclContext()
                                                     ->getRedeclContext());
                           })
              : !Found.empty() && all_of(Found, IsD));
}

/// Whether D is declared before the function. Members of a class are known in
/// all of it.
bool NameScope::isVisibleFrom(const NamedDecl *D) const {
  if (D->getDeclContext()->isRecord())
    return true;
  const SourceManager &SM = AST.getSourceManager();
  const clang::Decl *First = D->getCanonicalDecl();
  return First->getLocation().isInvalid() ||
         SM.isBeforeInTranslationUnit(First->getLocation(), Root.getEndLoc());
}

/// Whether D may be named outside of the classes that it stands in.
static bool isPublic(const NamedDecl *D) {
  if (const auto *Of = dyn_cast<EnumDecl>(D->getDeclContext()))
    D = Of;
  while (D->getDeclContext()->isRecord()) {
    if (D->getAccess() != AS_public && D->getAccess() != AS_none)
      return false;
    D = cast<NamedDecl>(D->getDeclContext());
  }
  return true;
}

/// Whether D is declared in the function itself, once, for all of its body.
static bool isOwn(const NamedDecl *D, const FunctionDecl &Root) {
  if (isa<ParmVarDecl>(D))
    return D->getDeclContext() == &Root;
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Root.getBody());
  return Body && any_of(Body->body(), [&](const clang::Stmt *S) {
           const auto *Declares = dyn_cast<DeclStmt>(S);
           return Declares && is_contained(Declares->decls(), D);
         });
}

/// `mask<float>`, where its arguments are numbers and types that have names.
std::string
NameScope::nameOfInstance(const VarTemplateSpecializationDecl &D) const {
  std::string Name = nameOf(D.getSpecializedTemplate());
  if (Name.empty())
    return "";
  std::string Arguments;
  const TemplateParameterList &Of =
      *D.getSpecializedTemplate()->getTemplateParameters();
  for (unsigned I = 0; I < D.getTemplateArgs().size(); ++I) {
    const TemplateArgument &A = D.getTemplateArgs()[I];
    const auto *Number = I < Of.size()
                             ? dyn_cast<NonTypeTemplateParmDecl>(Of.getParam(I))
                             : nullptr;
    std::string Each;
    if (A.getKind() == TemplateArgument::Integral && Number &&
        !Number->getType()->getContainedAutoType() && // has the number's type
        A.getIntegralType()->isIntegerType() &&
        !A.getIntegralType()->isEnumeralType())
      Each = toString(A.getAsIntegral(), 10);
    else if (A.getKind() == TemplateArgument::Type)
      Each = spell(A.getAsType());
    if (Each.empty())
      return "";
    Arguments += (Arguments.empty() ? "" : ", ") + Each;
  }
  return Name + "<" + Arguments + ">";
}

std::string NameScope::nameOf(const NamedDecl *D) const {
  if (auto *Instance = dyn_cast<VarTemplateSpecializationDecl>(D))
    return nameOfInstance(*Instance);
  const IdentifierInfo *Id = D->getIdentifier();
  // What is made of a kernel stands outside of all classes.
  const bool IsOutside = Alone || Root.hasAttr<CUDAGlobalAttr>();
  if (!Id || !isVisibleFrom(D) || (IsOutside && !isPublic(D)))
    return "";
  std::string Plain = Id->getName().str();
  // What a kernel becomes is a function beside it.
  const bool IsLocal = D->getParentFunctionOrMethod() != nullptr;
  if (IsLocal && Root.hasAttr<CUDAGlobalAttr>() &&
      (isa<TypeDecl>(D) || isa<EnumConstantDecl>(D)))
    return "";
  if (IsLocal)
    return isOwn(D, Root) && Locals.lookup(Plain) == 1 ? Plain : "";
  if (findsPlain(D))
    return Plain;
  if (!AST.getLangOpts().CPlusPlus)
    return "";
  std::string Name;
  raw_string_ostream OS(Name);
  PrintingPolicy Policy(AST.getLangOpts());
  Policy.SuppressUnwrittenScope = true;
  D->printQualifiedName(OS, Policy);
  if (Name.empty() || Name.find('(') != std::string::npos)
    return "";
  // The outermost of its scopes is enough where that is found.
  const NamedDecl *Outer = nullptr;
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent())
    if (const auto *Named = dyn_cast<NamedDecl>(C);
        Named && Named->getIdentifier())
      Outer = Named;
  if (const auto *Made =
          dyn_cast_or_null<ClassTemplateSpecializationDecl>(Outer))
    Outer = Made->getSpecializedTemplate();
  return Outer && findsPlain(Outer) ? Name : "::" + Name;
}

std::string NameScope::nameOf(const NamedDecl *D, StringRef Written) const {
  const auto [First, Rest] = Written.split("::");
  const bool IsQualified = Written.contains("::");
  const bool IsName = all_of(
      Written, [](char C) { return isAlnum(C) || C == '_' || C == ':'; });
  if (!Foreign && !From && !Alone && IsQualified && IsName &&
      (First.empty() || !isHidden(First)))
    return Written.str();
  return nameOf(D);
}

bool NameScope::findsLibrary(StringRef Name) const {
  if (isHidden(Name))
    return false;
  const auto It = AST.Idents.find(Name);
  if (It == AST.Idents.end())
    return true;
  bool Uncertain = false;
  const auto Found = lookup(It->second, Uncertain);
  return !Uncertain && all_of(Found, [&](const NamedDecl *F) {
    const FunctionDecl *FD = F->getAsFunction();
    // CUDA's overloads are declared by the headers and defined nowhere.
    bool OfCuda = FD && AST.getLangOpts().CUDA && !FD->isDefined();
    return FD && (OfCuda || isLibrary(FD, AST));
  });
}

/// A typedef that the library made for itself: `std::vector<T>::value_type`,
/// and whatever has a name that is kept for it.
static bool isOfLibrary(const NamedDecl *D, StringRef Name) {
  const auto *Of = dyn_cast<TypedefNameDecl>(D);
  if (!Of)
    return false;
  const SourceManager &SM = D->getASTContext().getSourceManager();
  SmallVector<StringRef> Parts;
  Name.split(Parts, "::");
  return (Of->getDeclContext()->isRecord() &&
          SM.isInSystemHeader(SM.getExpansionLoc(Of->getLocation()))) ||
         any_of(Parts, [](StringRef Part) { return Part.starts_with("__"); });
}

std::string NameScope::spell(QualType T) const {
  for (;;) {
    QualType Bare = T;
    std::string Written;
    if (const auto *E = dyn_cast<ElaboratedType>(T.getTypePtr())) {
      if (E->getQualifier())
        Written = spellingOf(T, AST);
      Bare = E->getNamedType();
    }
    const NamedDecl *D = nullptr;
    if (const auto *Def = dyn_cast<TypedefType>(Bare.getTypePtr()))
      D = Def->getDecl();
    else if (const auto *Tag = dyn_cast<TagType>(Bare.getTypePtr()))
      D = Tag->getDecl();
    if (D) {
      const auto *Made = dyn_cast<ClassTemplateSpecializationDecl>(D);
      std::string Name =
          Made ? nameOf(Made->getSpecializedTemplate()) : nameOf(D, Written);
      const bool InC = !AST.getLangOpts().CPlusPlus && isa<TagDecl>(D);
      if (!Name.empty() && !isOfLibrary(D, Name)) {
        if (!Made)
          return InC ? spellingOf(T, AST) : Name;
        // With its arguments, and all that is around these.
        const std::string Whole =
            spellingOf(T.getCanonicalType().getUnqualifiedType(), AST);
        return StringRef(Name).starts_with("::") ? "::" + Whole : Whole;
      }
      if (const auto *Enum = dyn_cast<EnumDecl>(D))
        return spell(Enum->getIntegerType());
    }
    const QualType Next =
        T.getSingleStepDesugaredType(AST).getUnqualifiedType();
    if (Next == T)
      return spellingOf(T, AST);
    T = Next;
  }
}

} // namespace raise::lifting

namespace raise {

std::string typeNameBeside(const FunctionDecl &FD, QualType T) {
  return lifting::NameScope(FD).spell(T.getCanonicalType());
}

std::string nameBeside(const FunctionDecl &FD, const NamedDecl &D) {
  return lifting::NameScope(FD).nameOf(&D);
}

} // namespace raise
