//===- SourceParts.cpp - parts of a source that another repeats -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SourceParts.h"
#include "Preamble.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace raise {

void addWords(StringRef Text, std::set<std::string> &Words) {
  const auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  while (!Text.empty()) {
    const StringRef Word = Text.take_while(IsPart);
    if (!Word.empty())
      Words.insert(Word.str());
    Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
  }
}

std::vector<std::string> SourceParts::scopeOf(const clang::Decl &D,
                                              bool Named) {
  std::vector<std::string> Scope;
  for (const DeclContext *C = D.getDeclContext(); C; C = C->getParent())
    if (const auto *N = llvm::dyn_cast<NamespaceDecl>(C))
      if (!Named || !N->isAnonymousNamespace())
        Scope.insert(Scope.begin(), N->getName().str());
  return Scope;
}

namespace {

/// Of a member, the outermost class around it, which is repeated as a whole; of
/// an instance, its template.
const NamedDecl *withItsClass(const NamedDecl *D) {
  while (const auto *Class =
             llvm::dyn_cast<CXXRecordDecl>(D->getDeclContext())) {
    const CXXRecordDecl *Def = Class->getDefinition();
    D = Def ? Def : Class;
  }
  if (const auto *S = llvm::dyn_cast<ClassTemplateSpecializationDecl>(D);
      S && !S->isExplicitSpecialization())
    return S->getSpecializedTemplate();
  if (const auto *R = llvm::dyn_cast<CXXRecordDecl>(D))
    if (const ClassTemplateDecl *T = R->getDescribedClassTemplate())
      return T;
  return D;
}

/// Declarations of the source's own text that some functions refer to, and so
/// on.
class References : public RecursiveASTVisitor<References> {
public:
  explicit References(const OwnText &Own) : Own(Own) {}
  std::vector<const NamedDecl *> Found;
  std::vector<const NamedDecl *> Members; ///< for which their classes are found

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    add(E->getDecl());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) {
    add(T.getTypedefNameDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc T) {
    add(T.getDecl());
    return true;
  }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc T) {
    if (const auto *D = llvm::dyn_cast_or_null<ClassTemplateDecl>(
            T.getTypePtr()->getTemplateName().getAsTemplateDecl()))
      add(D);
    return true;
  }
  void add(const NamedDecl *D) {
    if (D->isTemplateParameter())
      return; // it stands in its template
    if (const auto *C = llvm::dyn_cast<EnumConstantDecl>(D))
      D = llvm::cast<EnumDecl>(C->getDeclContext());
    if (const auto *F = llvm::dyn_cast<FunctionDecl>(D)) {
      if (const FunctionDecl *Def = F->getDefinition())
        D = F = Def;
      // What an overload of the same name says would be taken for its text.
      if (const FunctionDecl *Of = F->getTemplateInstantiationPattern())
        if (FunctionTemplateDecl *T = Of->getDescribedFunctionTemplate())
          D = T;
    }
    if (const auto *T = llvm::dyn_cast<TagDecl>(D))
      if (const TagDecl *Def = T->getDefinition())
        D = Def;
    if (const auto *V = llvm::dyn_cast<VarDecl>(D)) {
      if (V->isLocalVarDeclOrParm() && !V->isStaticLocal())
        return;
      if (const VarDecl *Def = V->getDefinition())
        D = Def;
    }
    const NamedDecl *Member = D;
    D = withItsClass(D);
    if (D != Member && Own.has(D->getLocation()) && Seen.insert(Member).second)
      Members.push_back(Member);
    if (!Own.has(D->getLocation()) || !Seen.insert(D).second)
      return;
    Found.push_back(D);
    TraverseDecl(const_cast<NamedDecl *>(D));
  }

private:
  const OwnText &Own;
  llvm::DenseSet<const NamedDecl *> Seen;
};

/// Whether a function keeps something from one call to the next.
class HasState : public RecursiveASTVisitor<HasState> {
public:
  const VarDecl *Found = nullptr;
  bool VisitVarDecl(VarDecl *V) {
    if (V->isStaticLocal() && !V->getType().isConstQualified())
      Found = V;
    return true;
  }
};

class Collector {
public:
  Collector(ASTUnit &Unit, const OwnText &Own, std::vector<Reason> &Errors)
      : Unit(Unit), Own(Own), SM(Unit.getSourceManager()),
        Lang(Unit.getLangOpts()), Errors(Errors) {}

  using Piece = SourceParts::Piece;

  StringRef textOf(SourceRange R, unsigned &Offset) const {
    const CharSourceRange Chars =
        Lexer::makeFileCharRange(CharSourceRange::getTokenRange(R), SM, Lang);
    if (Chars.isInvalid())
      return "";
    Offset = Own.offset(Chars.getBegin());
    return Lexer::getSourceText(Chars, SM, Lang);
  }

  SourceLoc locate(SourceLocation L) const {
    const PresumedLoc P = SM.getPresumedLoc(SM.getExpansionLoc(L));
    SourceLoc Loc;
    if (P.isValid()) {
      Loc.File = P.getFilename();
      Loc.Line = P.getLine();
      Loc.Column = P.getColumn();
    }
    return Loc;
  }

  void refuse(const NamedDecl &D, const llvm::Twine &Why) {
    Errors.push_back(
        {"CR1809",
         "the derivative uses '" + D.getNameAsString() + "', " + Why.str(),
         locate(D.getLocation())});
  }

  /// Refuses a member of a class that only this file sees, where a copy of the
  /// class would have a state of its own.
  void checkMember(const NamedDecl &D) {
    if (D.getFormalLinkage() != Linkage::Internal)
      return;
    const auto *V = llvm::dyn_cast<VarDecl>(&D);
    if (V && !Unit.getASTContext()
                  .getBaseElementType(V->getType())
                  .isConstQualified())
      return refuse(D, "which only this file sees and may change");
    if (const auto *F = llvm::dyn_cast<FunctionDecl>(&D))
      (void)hasState(*F);
  }

  /// How D is repeated; nothing after an error.
  std::optional<Piece> pieceOf(const NamedDecl &D) {
    Piece P;
    P.Scope = SourceParts::scopeOf(D, /*Named=*/false);
    const StringRef Text = textOf(D.getSourceRange(), P.Offset);
    P.End = P.Offset + Text.size();
    if (Text.empty()) {
      refuse(D, "which a macro writes, so that its text cannot be repeated");
      return std::nullopt;
    }
    if (const auto *F = llvm::dyn_cast<FunctionDecl>(&D))
      return function(*F, Text, std::move(P));
    if (const auto *T = llvm::dyn_cast<FunctionTemplateDecl>(&D)) {
      if (T->isThisDeclarationADefinition() && hasState(*T->getTemplatedDecl()))
        return std::nullopt;
      P.Text =
          (Text + (T->isThisDeclarationADefinition() ? "\n" : ";\n")).str();
      return P;
    }
    if (const auto *V = llvm::dyn_cast<VarDecl>(&D))
      return variable(*V, Text, std::move(P));
    P.Text = (Text + ";\n").str();
    P.Type = &D;
    return P;
  }

private:
  /// Refuses what F keeps for itself.
  bool hasState(const FunctionDecl &F) {
    HasState State;
    State.TraverseDecl(const_cast<FunctionDecl *>(&F));
    if (State.Found)
      refuse(*State.Found, "which '" + F.getNameAsString() +
                               "' keeps from one call to the next, so that a "
                               "copy would have a state of its own");
    return State.Found;
  }

  std::optional<Piece> function(const FunctionDecl &F, StringRef Text,
                                Piece P) {
    if (!F.isThisDeclarationADefinition()) {
      P.Text = (Text + ";\n").str();
      return P;
    }
    // A device function is seen by its own file alone.
    const bool Device =
        F.hasAttr<CUDADeviceAttr>() && !F.hasAttr<CUDAHostAttr>();
    const bool Internal = Device || F.getFormalLinkage() == Linkage::Internal;
    if (Internal || (Lang.CPlusPlus && F.isInlined())) {
      if (hasState(F))
        return std::nullopt;
      const bool Exported = F.getFormalLinkage() != Linkage::Internal;
      P.Text = ((Device && Exported && !F.isInlined() ? "static " : "") + Text +
                "\n")
                   .str();
      return P;
    }
    if (F.isInlined()) {
      refuse(F, "which is inline and not static");
      return std::nullopt;
    }
    unsigned BodyAt = 0;
    textOf(F.getBody()->getSourceRange(), BodyAt);
    P.Text = (Text.take_front(BodyAt - P.Offset).rtrim() + ";\n").str();
    if (Lang.CPlusPlus && F.isExternC() &&
        !StringRef(P.Text).starts_with("extern"))
      P.Text = "extern \"C\" " + P.Text;
    return P;
  }

  std::optional<Piece> variable(const VarDecl &V, StringRef Text, Piece P) {
    if (V.hasAttr<CUDASharedAttr>()) // an array of the derivative's own
      return std::nullopt;
    const QualType Elem = Unit.getASTContext().getBaseElementType(V.getType());
    const bool Internal =
        V.getFormalLinkage() == Linkage::Internal || V.isStaticLocal();
    if (V.getTLSKind() != VarDecl::TLS_None) {
      refuse(V, "which each thread has for itself");
      return std::nullopt;
    }
    if (Internal && !Elem.isConstQualified()) {
      refuse(V, "which only this file sees and may change");
      return std::nullopt;
    }
    if (Internal) {
      P.Text = (Text + ";\n").str();
      return P;
    }
    std::string Name = V.getNameAsString();
    PrintingPolicy Policy(Lang);
    V.getType().getAsStringInternal(Name, Policy);
    P.Text = (V.isExternC() && Lang.CPlusPlus ? "extern \"C\" " : "extern ") +
             Name + ";\n";
    return P;
  }

  ASTUnit &Unit;
  const OwnText &Own;
  const SourceManager &SM;
  const LangOptions &Lang;
  std::vector<Reason> &Errors;
};

/// A name that D gives to the rest of the file.
bool names(const NamedDecl &D, const std::set<std::string> &Words) {
  if (const auto *E = llvm::dyn_cast<EnumDecl>(&D))
    for (const EnumConstantDecl *C : E->enumerators())
      if (Words.count(C->getNameAsString()))
        return true;
  return Words.count(D.getNameAsString());
}

/// Whether Words name a type that is a member of D.
bool namesInside(const TagDecl &D, const std::set<std::string> &Words) {
  return llvm::any_of(D.decls(), [&](const clang::Decl *M) {
    const auto *T = llvm::dyn_cast<TypeDecl>(M);
    return T && T->getName() != D.getName() && names(*T, Words);
  });
}

} // namespace

/// What opens names to the file: `using std::sqrt`.
static void addUsings(const DeclContext *C, const OwnText &Own,
                      Collector &Texts, const std::set<std::string> &Words,
                      std::vector<SourceParts::Piece> &Out) {
  for (const clang::Decl *D : C->decls()) {
    if (!Own.has(D->getLocation()))
      continue;
    if (const auto *N = llvm::dyn_cast<NamespaceDecl>(D))
      addUsings(N, Own, Texts, Words, Out);
    bool Wanted = false;
    if (const auto *U = llvm::dyn_cast<UsingDecl>(D))
      Wanted = Words.count(U->getNameAsString());
    if (const auto *U = llvm::dyn_cast<UsingDirectiveDecl>(D))
      Wanted = !U->isImplicit() &&
               llvm::any_of(U->getNominatedNamespace()->redecls(),
                            [&](const NamespaceDecl *R) {
                              return !Own.has(R->getLocation());
                            });
    if (!Wanted)
      continue;
    SourceParts::Piece P;
    P.Scope = SourceParts::scopeOf(*D, /*Named=*/false);
    P.Text = (Texts.textOf(D->getSourceRange(), P.Offset) + ";\n").str();
    P.End = P.Offset + P.Text.size();
    Out.push_back(std::move(P));
  }
}

/// Functions that a piece names before their own piece, since the source
/// declares them above it, are declared there again.
static void declareBeforeUse(const References &Refs,
                             const std::set<const void *> &Done,
                             const OwnText &Own, Collector &Texts,
                             std::vector<SourceParts::Piece> &Found) {
  std::vector<SourceParts::Piece> More;
  for (const NamedDecl *D : Refs.Found) {
    const auto *F = llvm::dyn_cast<FunctionDecl>(D);
    const FunctionDecl *First = F ? F->getCanonicalDecl() : nullptr;
    if (!F || First == F || !Done.count(F) || !Own.has(First->getLocation()))
      continue;
    unsigned At = 0;
    (void)Texts.textOf(F->getSourceRange(), At);
    const auto Own = llvm::find_if(Found, [&](const SourceParts::Piece &P) {
      return P.Offset == At && !P.Text.empty();
    });
    if (Own == Found.end() ||
        llvm::none_of(Found, [&](const SourceParts::Piece &P) {
          std::set<std::string> Words;
          addWords(P.Text, Words);
          return P.Offset < At && Words.count(F->getNameAsString());
        }))
      continue;
    SourceParts::Piece P = *Own;
    const llvm::StringRef Text =
        Texts.textOf(First->getSourceRange(), P.Offset);
    P.End = P.Offset + Text.size();
    P.Text = (Text + ";\n").str();
    if (!llvm::StringRef(Own->Text).rtrim().ends_with(";"))
      More.push_back(std::move(P)); // it is repeated with its body
    else
      std::tie(Own->Offset, Own->End) = std::pair(P.Offset, P.End);
  }
  llvm::append_range(Found, std::move(More));
}

std::vector<SourceParts::Piece>
SourceParts::partsFor(llvm::ArrayRef<const FunctionDecl *> Roots,
                      llvm::ArrayRef<const FunctionDecl *> Others,
                      std::set<std::string> Words,
                      std::vector<Reason> &Errors) const {
  llvm::append_range(Errors, Own.errors());
  References Refs(Own);
  for (const FunctionDecl *FD : Roots)
    Refs.TraverseDecl(const_cast<FunctionDecl *>(FD));
  for (const FunctionDecl *FD : Others)
    Refs.add(FD);
  for (const FunctionDecl *FD : Roots) { // what has the object's type
    const DeclContext *Of = FD->getDeclContext();
    while (Of->getParent() && Of->getParent()->isRecord())
      Of = Of->getParent();
    if (const auto *Class = llvm::dyn_cast<CXXRecordDecl>(Of))
      Refs.add(Class);
  }
  Collector Texts(Unit, Own, Errors);
  const MacroParts Macros(Unit, Own);
  std::vector<Piece> Found;
  std::set<const void *> Done;
  // What is repeated names more.
  for (bool Changed = true; Changed;) {
    Changed = false;
    const auto Take = [&](const void *Key, std::optional<Piece> P) {
      Changed |= Done.insert(Key).second;
      if (!P)
        return;
      addWords(P->Text, Words);
      Found.push_back(std::move(*P));
    };
    for (const NamedDecl *D : Refs.Found)
      if (!Done.count(D) && names(*D, Words))
        Take(D, Texts.pieceOf(*D));
    for (const auto &[Name, P] : Macros.all())
      if (!Done.count(&P) && Words.count(Name))
        Take(&P, P);
  }
  for (const NamedDecl *D : Refs.Members)
    if (names(*D, Words))
      Texts.checkMember(*D);
  declareBeforeUse(Refs, Done, Own, Texts, Found);
  addUsings(Unit.getASTContext().getTranslationUnitDecl(), Own, Texts, Words,
            Found);
  // The preamble has the macros before the last include.
  const unsigned Last = lastIncludeOf(Unit, Own);
  llvm::erase_if(Found, [&](const Piece &P) {
    return P.Offset < Last && StringRef(P.Text).ltrim().starts_with("#");
  });
  llvm::stable_sort(Found, [](const Piece &A, const Piece &B) {
    return std::pair(A.Offset, B.End) < std::pair(B.Offset, A.End);
  });
  // A structure inside a typedef, the declarators of one declaration.
  std::vector<Piece> Apart;
  for (Piece &P : Found)
    if (Apart.empty() || P.Offset >= Apart.back().End)
      Apart.push_back(std::move(P));
  return Apart;
}

std::vector<SourceParts::Piece>
SourceParts::forwardDeclarations(llvm::ArrayRef<Piece> Parts,
                                 std::set<std::string> Words,
                                 std::vector<Reason> &Errors) const {
  std::vector<Piece> Out;
  // What stands for a type names it.
  for (const Piece &P : llvm::reverse(Parts))
    if (P.Type && llvm::isa<TypedefNameDecl>(P.Type) && names(*P.Type, Words))
      addWords(P.Text, Words);
  Collector Texts(Unit, Own, Errors);
  const bool InC = !Unit.getLangOpts().CPlusPlus;
  const auto Forward = [&](const TagDecl &Tag) {
    return (Tag.getKindName() + " " + Tag.getName()).str();
  };
  for (const Piece &P : Parts) {
    if (!P.Type || !names(*P.Type, Words))
      continue;
    Piece F = P;
    const auto *T = llvm::dyn_cast<TypedefNameDecl>(P.Type);
    const auto *Tag = llvm::dyn_cast<TagDecl>(P.Type);
    if (T && T->getUnderlyingType()->getAsTagDecl() &&
        StringRef(P.Text).contains('{'))
      Tag = T->getUnderlyingType()->getAsTagDecl();
    const bool IsTemplate = llvm::isa<ClassTemplateDecl>(P.Type);
    if (Tag || IsTemplate) {
      if (IsTemplate || Tag->getName().empty() || llvm::isa<EnumDecl>(Tag) ||
          namesInside(*Tag, Words)) {
        Texts.refuse(*P.Type, "a type that a header cannot declare without "
                              "defining it; move it to a header of its own");
        continue;
      }
      F.Text = Forward(*Tag) + ";\n";
      if (T)
        F.Text += (InC || T->getName() != Tag->getName())
                      ? "typedef " + Forward(*Tag) + " " +
                            T->getNameAsString() + ";\n"
                      : "";
    }
    Out.push_back(std::move(F));
  }
  return Out;
}

} // namespace raise
