//===- ConfiguredMacros.cpp - values that a compile command sets ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ConfiguredMacros.h"
#include "raise/IR/Function.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using llvm::StringRef;

namespace raise {

namespace {

/// The parts of a file that stand under a condition other than that of an
/// include guard, as offsets.
using Parts = std::vector<std::pair<unsigned, unsigned>>;

Parts conditionalParts(StringRef Text, const LangOptions &Lang) {
  struct Open {
    unsigned Begin;
    std::string Guard; ///< `X` of `#ifndef X`
    bool IsGuard;
  };
  Lexer Raw(SourceLocation::getFromRawEncoding(1), Lang, Text.begin(),
            Text.begin(), Text.end());
  std::vector<Open> Stack;
  Parts Found;
  Token T;
  auto Next = [&] { return !Raw.LexFromRawLexer(T); };
  auto Word = [&] {
    return T.is(tok::raw_identifier) ? T.getRawIdentifier() : StringRef();
  };
  bool More = Next();
  // The guard is defined by the directive that follows it.
  bool AfterOpen = false;
  while (More) {
    if (T.isNot(tok::hash) || !T.isAtStartOfLine()) {
      AfterOpen = false;
      More = Next();
      continue;
    }
    const unsigned At = Raw.getCurrentBufferOffset();
    More = Next();
    const std::string Directive = Word().str();
    std::string Name;
    if (More && (Directive == "ifndef" || Directive == "define")) {
      More = Next();
      Name = Word().str();
    }
    if (StringRef(Directive).starts_with("if")) {
      Stack.push_back({At, Name, false});
    } else if (Directive == "define" && AfterOpen && !Stack.empty() &&
               Stack.back().Guard == Name) {
      More = Next();
      Stack.back().IsGuard = !More || T.isAtStartOfLine();
      AfterOpen = false;
      continue;
    } else if (Directive == "endif" && !Stack.empty()) {
      if (!Stack.back().IsGuard)
        Found.push_back({Stack.back().Begin, At});
      Stack.pop_back();
    }
    AfterOpen = Directive == "ifndef";
    while (More && !T.isAtStartOfLine())
      More = Next();
  }
  return Found;
}

} // namespace

/// Tells which macros a compile command may set.
class ConfiguredMacros::Definitions {
public:
  Definitions(ASTUnit &Unit, bool OfHeader)
      : SM(Unit.getSourceManager()), Lang(Unit.getLangOpts()),
        OfHeader(OfHeader) {
    Preprocessor &PP = Unit.getPreprocessor();
    for (const auto &Macro : PP.macros())
      for (const MacroDirective *D =
               PP.getLocalMacroDirectiveHistory(Macro.first);
           D; D = D->getPrevious())
        if (const auto *Def = llvm::dyn_cast<DefMacroDirective>(D))
          if (isConfigured(Def->getInfo()->getDefinitionLoc()))
            Names.insert(Macro.first->getName());
  }
  llvm::StringSet<> Names;

private:
  const SourceManager &SM;
  const LangOptions &Lang;
  const bool OfHeader;
  llvm::DenseMap<FileID, Parts> Conditional;

  bool isConfigured(SourceLocation At) {
    if (At.isInvalid() || SM.isWrittenInBuiltinFile(At) ||
        SM.isInSystemHeader(At))
      return false;
    if (SM.isWrittenInCommandLineFile(At) ||
        (OfHeader && SM.isWrittenInMainFile(At)))
      return true;
    const auto [File, Offset] = SM.getDecomposedLoc(At);
    auto [Known, IsNew] = Conditional.try_emplace(File);
    if (IsNew)
      Known->second = conditionalParts(SM.getBufferData(File), Lang);
    return llvm::any_of(Known->second, [&, Offset = Offset](auto &Part) {
      return Part.first <= Offset && Offset < Part.second;
    });
  }
};

namespace {

/// The macros that make an integer of what a piece of a function names.
class ValuesUsed : public RecursiveASTVisitor<ValuesUsed> {
public:
  ValuesUsed(const ASTContext &AST, const llvm::StringSet<> &Names)
      : AST(AST), SM(AST.getSourceManager()), Names(Names) {}
  struct Use {
    llvm::APSInt Value;
    /// In the text of each definition that was used.
    llvm::SmallVector<SourceLocation, 1> Spelled;
  };
  llvm::MapVector<StringRef, Use> Found;
  /// Text of the function that says nothing of its values: offsets.
  Parts Unknown;

  /// Of F, what stands from Begin to End; of what that names, everything.
  void runOn(const FunctionDecl &F, unsigned Begin, unsigned End) {
    From = Begin;
    To = End;
    TraverseStmt(F.getBody());
    runOnNamed();
  }
  void runOn(const FunctionDecl &F) {
    add(&F);
    runOnNamed();
  }

  // The message of a static_assert has no type.
  bool TraverseStaticAssertDecl(StaticAssertDecl *D) {
    return TraverseStmt(D->getAssertExpr());
  }
  bool VisitExpr(clang::Expr *E) {
    if (!counts(E->getBeginLoc()) ||
        !E->getType()->isIntegralOrEnumerationType() || E->isValueDependent())
      return true;
    SourceLocation Begin = E->getBeginLoc(), End = E->getEndLoc();
    // Each macro whose whole text the expression is, the inner ones first.
    while (Begin.isMacroID() && End.isMacroID() &&
           !SM.isMacroArgExpansion(Begin)) {
      const StringRef Name =
          Lexer::getImmediateMacroName(Begin, SM, AST.getLangOpts());
      const unsigned Last = Lexer::MeasureTokenLength(SM.getSpellingLoc(End),
                                                      SM, AST.getLangOpts());
      SourceLocation First;
      if (!SM.isAtStartOfImmediateMacroExpansion(Begin, &First) ||
          !SM.isAtEndOfImmediateMacroExpansion(End.getLocWithOffset(Last)))
        break;
      clang::Expr::EvalResult Value;
      if (const auto Known = Names.find(Name);
          Known != Names.end() && E->EvaluateAsInt(Value, AST)) {
        Use &U = Found.insert({Known->getKey(), {Value.Val.getInt(), {}}})
                     .first->second;
        const SourceLocation Spelled = SM.getSpellingLoc(Begin);
        if (!llvm::is_contained(U.Spelled, Spelled))
          U.Spelled.push_back(Spelled);
      }
      Begin = First;
      End = SM.getImmediateExpansionRange(End).getEnd();
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (counts(E->getLocation()))
      add(E->getDecl());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) {
    if (counts(E->getMemberLoc()))
      add(E->getMemberDecl());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) {
    if (counts(T.getNameLoc()))
      add(T.getTypedefNameDecl());
    return true;
  }

private:
  const ASTContext &AST;
  const SourceManager &SM;
  const llvm::StringSet<> &Names;
  unsigned From = 0, To = 0;
  bool IsWhole = false;
  llvm::SmallVector<const clang::Decl *, 16> Work;
  llvm::DenseSet<const clang::Decl *> Seen;

  bool counts(SourceLocation L) const {
    const auto [File, At] = SM.getDecomposedExpansionLoc(L);
    if (!IsWhole)
      return At >= From && At < To;
    return File != SM.getMainFileID() ||
           llvm::none_of(Unknown, [At = At](auto &Part) {
             return Part.first <= At && At < Part.second;
           });
  }
  void runOnNamed() {
    IsWhole = true;
    while (!Work.empty())
      TraverseDecl(const_cast<clang::Decl *>(Work.pop_back_val()));
  }
  void add(const clang::Decl *D) {
    if (const auto *F = llvm::dyn_cast<FunctionDecl>(D))
      if (const FunctionDecl *Def = F->getDefinition())
        D = Def;
    if (!SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())) &&
        Seen.insert(D).second)
      Work.push_back(D);
  }
};

Guard isValue(StringRef Name, const llvm::APSInt &Value) {
  Type Ty = Type::getInt(64, !Value.isUnsigned());
  if (Value.isRepresentableByInt64() &&
      Value.getExtValue() == int32_t(Value.getExtValue()))
    Ty = Type::getInt(32, true);
  const int64_t Bits = Value.extOrTrunc(64).getExtValue();
  Guard G;
  G.Cond = std::make_shared<Binary>(
      BinaryOp::EQ, std::make_shared<IntConst>(Bits, Ty, Name.str()),
      std::make_shared<IntConst>(Bits, Ty), Type::getBool());
  G.Why = Name.str() + " is " + llvm::toString(Value, 10);
  return G;
}

} // namespace

ConfiguredMacros::ConfiguredMacros(ASTUnit &Unit, bool OfHeader)
    : Unit(Unit), Defined(std::make_unique<Definitions>(Unit, OfHeader)) {}
ConfiguredMacros::~ConfiguredMacros() = default;

bool ConfiguredMacros::has(StringRef Name) const {
  return Defined->Names.contains(Name);
}

std::vector<ConfiguredMacros::Value>
ConfiguredMacros::valuesIn(const FunctionDecl &F) const {
  std::vector<Value> Values;
  if (Defined->Names.empty())
    return Values;
  ValuesUsed Used(Unit.getASTContext(), Defined->Names);
  Used.runOn(F);
  for (const auto &[Name, Is] : Used.Found)
    Values.push_back({Name.str(), Is.Value});
  return Values;
}

/// What the lift of F did not follow: whatever is called there gives values
/// that nothing is proved of. Only in F's own text, which is lifted once.
static Parts notFollowed(const Region &R, const FunctionDecl &F,
                         const Function &Lifted, const SourceManager &SM) {
  const unsigned Begin = SM.getFileOffset(SM.getExpansionLoc(F.getBeginLoc())),
                 End = SM.getFileOffset(SM.getExpansionLoc(F.getEndLoc()));
  Parts Found;
  forEachStmt(Lifted.Body, [&](const StmtRef &S) {
    const auto *O = llvm::dyn_cast<Opaque>(S.get());
    if (O && O->Loc.File == R.Loc.File && O->Loc.Begin >= Begin &&
        O->Loc.End <= End &&
        (O->Loc.End <= R.Loc.Begin || O->Loc.Begin >= R.Loc.End))
      Found.push_back({O->Loc.Begin, O->Loc.End});
  });
  return Found;
}

/// Whether Name stands for a value at At, by the definition that was used.
static bool isDefinedAt(SourceLocation At, StringRef Name,
                        llvm::ArrayRef<SourceLocation> Spelled, ASTUnit &Unit) {
  Preprocessor &PP = Unit.getPreprocessor();
  const SourceManager &SM = Unit.getSourceManager();
  const MacroInfo *M =
      PP.getMacroDefinitionAtLoc(PP.getIdentifierInfo(Name), At).getMacroInfo();
  return M && M->isObjectLike() && llvm::all_of(Spelled, [&](SourceLocation L) {
           return !SM.isBeforeInTranslationUnit(L, M->getDefinitionLoc()) &&
                  !SM.isBeforeInTranslationUnit(M->getDefinitionEndLoc(), L);
         });
}

MacroTests ConfiguredMacros::testsFor(const Region &R, const FunctionDecl &F,
                                      const Function &Lifted) const {
  MacroTests Tests;
  if (Defined->Names.empty() || !F.getBody())
    return Tests;
  const SourceManager &SM = Unit.getSourceManager();
  ValuesUsed Used(Unit.getASTContext(), Defined->Names);
  Used.Unknown = notFollowed(R, F, Lifted, SM);
  Used.runOn(F, R.Loc.Begin, R.Loc.End);
  const SourceLocation Here =
      SM.getComposedLoc(SM.getMainFileID(), R.Loc.Begin);
  for (const auto &[Name, Use] : Used.Found) {
    Tests.Guards.push_back(isValue(Name, Use.Value));
    if (!Tests.WhyNot.isSet() && !isDefinedAt(Here, Name, Use.Spelled, Unit))
      Tests.WhyNot = {"CR1717",
                      "it rests on the macro '" + Name.str() +
                          "', which another compile command may define "
                          "otherwise and which cannot be tested here",
                      R.Loc};
  }
  return Tests;
}

std::shared_ptr<const Region> withTests(const Region &R,
                                        std::vector<Guard> Tests) {
  Obligations Rests = R.Rests;
  Rests.Guards.insert(Rests.Guards.begin(), Tests.begin(), Tests.end());
  return std::make_shared<Region>(std::move(Rests), R.Body, R.Original, R.Loc);
}

} // namespace raise
