//===- KernelInstances.cpp - what a template kernel was instantiated to ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelInstances.h"
#include "SourceLoops.h"
#include "SourceParts.h"
#include "raise/Frontend/Naming.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

namespace {

using clang::QualType;

std::string quoted(const clang::NamedDecl &D) {
  return "'" + D.getNameAsString() + "'";
}

//===-- What has to be declared already -----------------------------------===//

/// Looks for what an instantiation uses and the file declares behind the
/// template: its text could not stand in front of that.
class LaterUses : public clang::RecursiveASTVisitor<LaterUses> {
public:
  explicit LaterUses(const clang::FunctionDecl &Kernel)
      : SM(Kernel.getASTContext().getSourceManager()),
        Begin(SM.getExpansionLoc(patternOf(Kernel)->getBeginLoc())) {}

  const clang::NamedDecl *Found = nullptr;

  bool shouldVisitImplicitCode() const { return true; }

  bool VisitExpr(clang::Expr *E) {
    addType(E->getType());
    return !Found;
  }
  bool VisitVarDecl(clang::VarDecl *V) {
    addType(V->getType());
    return !Found;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *E) { return addUse(*E->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr *E) {
    return addUse(*E->getMemberDecl());
  }

  void addType(QualType T) {
    if (T.isNull())
      return;
    T = T.getCanonicalType().getNonReferenceType();
    while (const clang::Type *Inner = T->getPointeeOrArrayElementType()) {
      if (Inner == T.getTypePtr())
        break;
      T = QualType(Inner, 0).getCanonicalType();
    }
    const clang::TagDecl *Tag = T->getAsTagDecl();
    if (!Tag || !Seen.insert(Tag).second || Tag->getParentFunctionOrMethod())
      return;
    const auto *Made = dyn_cast<clang::ClassTemplateSpecializationDecl>(Tag);
    if (!Made || Made->isExplicitSpecialization())
      return add(Tag->getDefinition() ? *Tag->getDefinition() : *Tag);
    const clang::CXXRecordDecl *Of = Made->getTemplateInstantiationPattern();
    add(Of ? cast<clang::NamedDecl>(*Of) : *Made->getSpecializedTemplate());
    for (const clang::TemplateArgument &A : Made->getTemplateArgs().asArray())
      if (A.getKind() == clang::TemplateArgument::Type)
        addType(A.getAsType());
  }

private:
  const clang::SourceManager &SM;
  const clang::SourceLocation Begin;
  DenseSet<const clang::Decl *> Seen;

  void add(const clang::NamedDecl &D) {
    const clang::SourceLocation Loc = SM.getExpansionLoc(D.getLocation());
    if (!Found && Loc.isValid() && SM.isBeforeInTranslationUnit(Begin, Loc))
      Found = &D;
  }

  bool addUse(const clang::ValueDecl &D) {
    // Raised code has an array of its own for what a block shares.
    if (D.hasAttr<clang::CUDASharedAttr>())
      return !Found;
    if (!D.getParentFunctionOrMethod() && !D.getDeclContext()->isRecord())
      addNamed(D);
    const auto *FD = dyn_cast<clang::FunctionDecl>(&D);
    const clang::FunctionDecl *Def = FD ? FD->getDefinition() : nullptr;
    if (Def && Def->hasBody() && !Found && Seen.insert(Def).second &&
        !SM.isInSystemHeader(SM.getExpansionLoc(Def->getLocation())))
      TraverseStmt(Def->getBody());
    return !Found;
  }

  /// Of an instantiation its template counts, unless it has a text of its own.
  void addNamed(const clang::ValueDecl &D) {
    if (const auto *FD = dyn_cast<clang::FunctionDecl>(&D)) {
      if (FD->getTemplateSpecializationKind() ==
          clang::TSK_ExplicitSpecialization)
        return add(FD->getDefinition() ? *FD->getDefinition() : *FD);
      if (const clang::FunctionTemplateDecl *T = FD->getPrimaryTemplate())
        return add(*T->getCanonicalDecl());
    }
    if (const auto *S = dyn_cast<clang::VarTemplateSpecializationDecl>(&D);
        S && !S->isExplicitSpecialization())
      return add(*S->getSpecializedTemplate()->getCanonicalDecl());
    add(*cast<clang::NamedDecl>(D.getCanonicalDecl()));
  }
};

//===-- Arguments ---------------------------------------------------------===//

/// T in front of the template, or "" where it has no name there.
std::string spelledType(const clang::FunctionDecl &FD, QualType T) {
  T = T.getCanonicalType();
  const std::string Const = T.isConstQualified() ? "const " : "";
  if (T.isVolatileQualified() || T.isRestrictQualified())
    return "";
  T = T.getUnqualifiedType();
  if (T->isPointerType() || T->isLValueReferenceType()) {
    const std::string To = spelledType(FD, T->getPointeeType());
    if (To.empty() || T->getPointeeType()->isArrayType())
      return "";
    return To + (To.back() == '*' ? "" : " ") +
           (T->isPointerType() ? "*" : "&") + (Const.empty() ? "" : "const");
  }
  const auto *Builtin = dyn_cast<clang::BuiltinType>(T.getTypePtr());
  if (Builtin && (Builtin->isArithmeticType() || Builtin->isVoidType()))
    return Const + typeNameBeside(FD, T);
  const clang::TagDecl *Tag = T->getAsTagDecl();
  if (!Tag || Tag->getParentFunctionOrMethod() || !Tag->getIdentifier())
    return "";
  const auto *Made = dyn_cast<clang::ClassTemplateSpecializationDecl>(Tag);
  if (!Made)
    return nameBeside(FD, *Tag).empty() ? "" : Const + typeNameBeside(FD, T);
  if (nameBeside(FD, *Made->getSpecializedTemplate()).empty())
    return "";
  for (const clang::TemplateArgument &A : Made->getTemplateArgs().asArray())
    if (A.getKind() == clang::TemplateArgument::Type
            ? spelledType(FD, A.getAsType()).empty()
            : A.getKind() != clang::TemplateArgument::Integral)
      return "";
  return Const + typeNameBeside(FD, T);
}

std::string spelledNumber(const APSInt &Value) {
  const std::string Digits = toString(Value, 10);
  if (Value.isSigned() ? Value.isSignedIntN(32) : Value.isIntN(31))
    return Digits;
  if (Value.isSigned() && Value.isMinSignedValue()) // C has no such literal
    return "(" + toString(APSInt(Value + 1, false), 10) + "LL - 1)";
  return Digits + (Value.isSigned() ? "LL" : "ULL");
}

/// The enumerator of E that has Value and can be named, or "".
std::string spelledEnumerator(const clang::FunctionDecl &FD,
                              const clang::EnumDecl &E, const APSInt &Value) {
  for (const clang::EnumConstantDecl *C : E.enumerators())
    if (APSInt::isSameValue(C->getInitVal(), Value))
      if (std::string Name = nameBeside(FD, *C); !Name.empty())
        return Name;
  return "";
}

struct Argument {
  std::string Text, Condition;
};

Argument typeArgument(const clang::FunctionDecl &FD, const std::string &Param,
                      QualType T) {
  const std::string Text = spelledType(FD, T);
  return {Text, "std::is_same_v<" + Param + ", " + Text + ">"};
}

Argument valueArgument(const clang::FunctionDecl &FD, const std::string &Param,
                       const clang::TemplateArgument &A) {
  const QualType T = A.getIntegralType();
  const APSInt Value = A.getAsIntegral();
  if (T->isBooleanType())
    return {Value.getBoolValue() ? "true" : "false",
            (Value.getBoolValue() ? "" : "!") + Param};
  const auto *Of = T->getAs<clang::EnumType>();
  const std::string Name =
      Of ? spelledEnumerator(FD, *Of->getDecl(), Value) : "";
  if (!Name.empty())
    return {Name, Param + " == " + Name};
  const std::string Text = spelledNumber(Value);
  return {Text, (Of ? "static_cast<long long>(" + Param + ")" : Param) +
                    " == " + Text};
}

/// Text as the end of an identifier: words and `_`.
std::string asIdentifier(StringRef Text) {
  std::string Out;
  const auto Add = [&](StringRef Word) {
    Out += (Out.empty() ? "" : "_") + Word.str();
  };
  while (!Text.empty()) {
    const StringRef Word =
        Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
    if (!Word.trim('_').empty())
      Add(Word.trim('_'));
    else if (Text.front() == '*')
      Add("ptr");
    else if (Text.front() == '&')
      Add("ref");
    else if (Text.front() == '-')
      Add("minus");
    Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
  }
  return Out;
}

const clang::TemplateParameterList &
parametersOf(const clang::FunctionDecl &FD) {
  // (A declaration of the template may name them otherwise.)
  const clang::FunctionTemplateDecl *T =
      patternOf(FD)->getDescribedFunctionTemplate();
  return *(T ? T : FD.getPrimaryTemplate())->getTemplateParameters();
}

//===-- What cannot be chosen ---------------------------------------------===//

std::string whyNotParameter(const clang::NamedDecl &P) {
  if (P.isParameterPack())
    return "with a parameter pack, " + quoted(P);
  if (isa<clang::TemplateTemplateParmDecl>(P))
    return "with a parameter that is a template, " + quoted(P);
  if (!P.getIdentifier() || P.isImplicit())
    return "with a parameter that has no name";
  const auto *Value = dyn_cast<clang::NonTypeTemplateParmDecl>(&P);
  if (Value && (Value->getType()->isDependentType() ||
                Value->getType()->getContainedDeducedType()))
    return "with a parameter whose type is not fixed, " + quoted(P);
  return "";
}

/// Text names something that a template parameter hides.
bool namesParameter(StringRef Text, const clang::TemplateParameterList &List) {
  std::set<std::string> Words;
  addWords(Text, Words);
  return any_of(List, [&](const clang::NamedDecl *P) {
    return Words.count(P->getNameAsString());
  });
}

std::string whyNotArgument(const clang::FunctionDecl &FD,
                           const clang::NamedDecl &P,
                           const clang::TemplateArgument &A) {
  if (A.getKind() == clang::TemplateArgument::Type) {
    const std::string Text = spelledType(FD, A.getAsType());
    if (!Text.empty() && !namesParameter(Text, parametersOf(FD)))
      return "";
    LaterUses Later(FD);
    Later.addType(A.getAsType());
    return Later.Found ? "whose argument for " + quoted(P) +
                             " is declared behind the kernel"
                       : "whose argument for " + quoted(P) +
                             " has no name in front of the kernel";
  }
  if (A.getKind() == clang::TemplateArgument::Integral &&
      A.getAsIntegral().getBitWidth() <= 64)
    return "";
  return "whose argument for " + quoted(P) + " is neither a type nor a number";
}

/// Why the launcher cannot choose what FD, an instantiation, became; "" if it
/// can.
std::string whyNotInstance(const clang::FunctionDecl &FD) {
  const clang::TemplateArgumentList *Arguments =
      FD.getTemplateSpecializationArgs();
  if (!Arguments || !patternOf(FD)->getDescribedFunctionTemplate() ||
      FD.getDeclContext()->isRecord())
    return "of a class";
  const clang::TemplateParameterList &List = parametersOf(FD);
  for (unsigned I = 0; I < List.size(); ++I) {
    std::string Why = whyNotParameter(*List.getParam(I));
    if (Why.empty())
      Why = whyNotArgument(FD, *List.getParam(I), Arguments->get(I));
    if (!Why.empty())
      return Why;
  }
  LaterUses Later(FD);
  Later.TraverseDecl(const_cast<clang::FunctionDecl *>(&FD));
  return Later.Found ? "that uses " + quoted(*Later.Found) +
                           ", which is declared behind it"
                     : "";
}

int rankOf(const Result &R) {
  switch (R.Outcome) {
  case Status::Raised:
    return 0;
  case Status::Partial:
    return 1;
  case Status::Left:
    return 2;
  case Status::Failed:
    return 3;
  }
  llvm_unreachable("no such status");
}

/// From the best to what has to be said of all.
int rankOf(Verification V) {
  switch (V) {
  case Verification::Passed:
    return 0;
  case Verification::None:
    return 1;
  case Verification::Inconclusive:
    return 2;
  case Verification::Failed:
    return 3;
  }
  llvm_unreachable("no such verdict");
}

void addVerdicts(Result &R, ArrayRef<const Candidate *> Instances) {
  const Candidate *Worst = nullptr;
  for (const Candidate *C : Instances) {
    const Finding &F = C->Findings.front();
    if (F.R.Rewritten &&
        (!Worst ||
         rankOf(F.R.Verified) > rankOf(Worst->Findings.front().R.Verified)))
      Worst = C;
  }
  if (!Worst)
    return;
  const Result &Of = Worst->Findings.front().R;
  R.Rewritten = true;
  R.Verified = Of.Verified;
  R.VerifiedDetail = Of.VerifiedDetail;
  R.Figures = Of.Figures;
  if (Instances.size() > 1 && rankOf(Of.Verified) > 1)
    R.VerifiedDetail = nameOfInstance(*Worst->Decl) + ": " + Of.VerifiedDetail;
}

} // namespace

std::string nameOfInstance(const clang::FunctionDecl &FD) {
  std::string Text;
  raw_string_ostream OS(Text);
  clang::PrintingPolicy Policy(FD.getASTContext().getLangOpts());
  FD.getNameForDiagnostic(OS, Policy, /*Qualified=*/false);
  return Text;
}

KernelInstance kernelInstance(const clang::FunctionDecl &FD) {
  const clang::TemplateArgumentList &Arguments =
      *FD.getTemplateSpecializationArgs();
  const clang::TemplateParameterList &List = parametersOf(FD);
  std::vector<std::string> Texts, Suffixes, Conditions;
  for (unsigned I = 0; I < List.size(); ++I) {
    const std::string Param = List.getParam(I)->getNameAsString();
    const clang::TemplateArgument &A = Arguments.get(I);
    const Argument Arg = A.getKind() == clang::TemplateArgument::Type
                             ? typeArgument(FD, Param, A.getAsType())
                             : valueArgument(FD, Param, A);
    Texts.push_back(Arg.Text);
    Suffixes.push_back(asIdentifier(Arg.Text));
    Conditions.push_back(Arg.Condition);
  }
  return {FD.getNameAsString() + "<" + join(Texts, ", ") + ">",
          join(Suffixes, "_"), join(Conditions, " && ")};
}

Reason whyNotKernel(const clang::FunctionDecl &FD, const SourceLoc &Loc) {
  if (FD.getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization)
    return {"CR1704", "it is an explicit specialization of a template", Loc};
  if (FD.isTemplateInstantiation())
    if (std::string Why = whyNotInstance(FD); !Why.empty())
      return {"CR1704", "it stands in a template " + Why, Loc};
  for (const clang::ParmVarDecl *P : FD.parameters())
    if (P->getName() == "grid" || P->getName() == "block")
      return {"CR1715",
              "the emitted function needs the name '" + P->getName().str() +
                  "' for the launch",
              Loc};
  return {};
}

bool isWorse(const Result &A, const Result &B) { return rankOf(A) > rankOf(B); }

Result resultOfInstances(ArrayRef<const Candidate *> Instances) {
  const Candidate *Worst = Instances.front(), *Taken = nullptr, *Left = nullptr;
  for (const Candidate *C : Instances) {
    const Finding &F = C->Findings.front();
    if (isWorse(F.R, Worst->Findings.front().R))
      Worst = C;
    const Candidate *&First = F.IsTaken ? Taken : Left;
    First = First ? First : C;
  }
  Result R = Worst->Findings.front().R;
  if (Taken && Left) {
    R = Taken->Findings.front().R;
    R.Outcome = Status::Partial;
    R.Why = Left->Findings.front().R.Why;
    R.Why.Text = nameOfInstance(*Left->Decl) + " is left: " + R.Why.Text;
  }
  addVerdicts(R, Instances);
  return R;
}

} // namespace raise
