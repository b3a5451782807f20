//===- Rewrite.cpp - raised loops into the text of their file -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rewrite.h"
#include "Comments.h"
#include "MemberAccess.h"
#include "SourceLoops.h"
#include "Unbraced.h"
#include "raise/Driver/Diff.h"
#include "raise/Emit/OpenMP.h"
#include "raise/Emit/TraceScope.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

namespace {

constexpr StringRef EndMark = "// clang-raise: end";

/// A line of Text that is a preprocessor directive.
bool hasDirective(StringRef Text) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    if (Line.ltrim().starts_with("#"))
      return true;
    Text = Rest;
  }
  return false;
}

/// The last line before Begin that is not blank, without its indentation. What
/// stands on Begin's own line counts.
StringRef lineBefore(StringRef Source, unsigned Begin) {
  StringRef Before = Source.take_front(Begin).rtrim();
  return Before.drop_front(Before.rfind('\n') + 1).ltrim();
}

/// The indentation of a statement at Offset once it has a line of its own.
/// Of the line with Offset.
static unsigned lineIndent(StringRef Source, size_t Offset) {
  StringRef Line = Source.drop_front(Source.take_front(Offset).rfind('\n') + 1);
  return Line.size() - Line.ltrim(" \t").size();
}

unsigned indentOf(StringRef Source, unsigned Offset) {
  StringRef Before = Source.take_front(Offset);
  StringRef Line = Before.drop_front(Before.rfind('\n') + 1);
  unsigned Indent = Line.size() - Line.ltrim(" \t").size();
  return Line.size() == Indent ? Indent : Indent + 2;
}

Reason no(StringRef Code, const Twine &Text, const SourceLoc &Loc) {
  return {Code.str(), Text.str(), Loc};
}

} // namespace

unsigned textBegin(const Region &R, StringRef Source) {
  const unsigned Begin = R.Loc.Begin;
  if (!keepsDirective(R) || Begin > Source.size())
    return Begin;
  auto LineStart = [&](size_t At) {
    return Source.take_front(At).rfind('\n') + 1;
  };
  size_t Line = LineStart(Begin);
  if (Line == 0 || !Source.slice(Line, Begin).trim().empty())
    return Begin;
  do // lines that the directive continues on
    Line = LineStart(Line - 1);
  while (Line > 0 && Source.take_front(Line - 1).rtrim("\r").ends_with("\\"));
  StringRef Text = Source.slice(Line, Begin);
  StringRef Words = Text.ltrim();
  if (!Words.starts_with("#pragma"))
    return Begin;
  return unsigned(Line + (Text.size() - Words.size()));
}

Reason whyNotKept(StringRef Directive, const Region &R, const Options &Opts) {
  // These speak of the variable of the loop, or of the loops inside, and hold
  // of the text as it is.
  for (StringRef Clause : {"lastprivate", "linear", "collapse", "ordered"})
    if (Directive.contains(Clause))
      return no("CR1708",
                "the clause '" + Clause +
                    "' of its directive belongs to the loop as written",
                R.Loc);
  if (!Directive.starts_with("#pragma"))
    return no("CR1708", "its directive does not stand on the line before it",
              R.Loc);
  // What names a macro brings in, or that a comment ends the line, is not seen.
  if (Directive.contains("//") || Directive.contains("/*"))
    return no("CR1708", "a comment stands in its directive", R.Loc);
  SmallVector<StringRef, 16> Words;
  SplitString(Directive, Words, " \t\r\n\\#()[],:+-*/%<>=!&|?.");
  for (StringRef Word : Words)
    if (Opts.Macros && Opts.Macros->count(Word.str()))
      return no("CR1702",
                "part of its directive comes from the macro '" + Word + "'",
                R.Loc);
  return {};
}

EditSite editSite(const clang::FunctionDecl &FD) {
  EditSite Site;
  Site.Decl = &FD;
  const clang::ASTContext &AST = FD.getASTContext();
  Site.Lang = &AST.getLangOpts();
  return Site;
}

bool hasWord(StringRef Source, StringRef Name) {
  auto InWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t At = Source.find(Name); At != StringRef::npos;
       At = Source.find(Name, At + 1)) {
    size_t End = At + Name.size();
    if ((At == 0 || !InWord(Source[At - 1])) &&
        (End == Source.size() || !InWord(Source[End])))
      return true;
  }
  return false;
}

/// What the source has to hold for Name to mean the same there: of a
/// container's size or elements, the container.
static StringRef spelledPart(StringRef Name) {
  if (!Name.consume_back(".size()"))
    Name.consume_back(".data()");
  Name.consume_front("this->"); // may be left out
  return Name;
}

/// A member that R names and the function's text does not: it came from a
/// function that was put in place of its call, and is private to it.
static std::string unnamedMember(const Region &R, StringRef Function,
                                 const clang::FunctionDecl &F) {
  std::string Found;
  auto Check = [&](const Access &A) {
    if (A.Buf->Kind != BufferKind::Pointer && !A.Buf->EachElement &&
        A.Field.empty())
      return;
    StringRef Name = A.Buf->Name;
    Name.consume_back(".data()");
    if (mayName(F, A.Field.empty() ? Name.str() : (Name + "." + A.Field).str()))
      return;
    std::string Text = spelledPart(Name).str() + "." + A.Field;
    SmallVector<StringRef, 4> Words;
    SplitString(Text, Words, ".->()*&:[]");
    for (StringRef W : Words)
      if (Found.empty() && W != "this" && !hasWord(Function, W))
        Found = A.Buf->Name + (A.Field.empty() ? "" : "." + A.Field);
  };
  forEachExpr(R.Body, [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()))
      Check(L->From);
  });
  forEachStmt(R.Body, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      Check(St->To);
  });
  return Found;
}

/// The scalars, and pointers that move, that R uses and does not declare.
static std::vector<const Var *> outerScalars(const Region &R) {
  llvm::SmallPtrSet<const Var *, 16> Own;
  auto Declares = [&](const StmtRef &S) {
    if (auto *D = dyn_cast<raise::Decl>(S.get()))
      Own.insert(D->V.get());
    if (auto *F = dyn_cast<raise::For>(S.get()); F && F->DeclaresVar)
      Own.insert(F->V.get());
    if (auto *T = dyn_cast<TensorOp>(S.get()))
      for (const Iterator &I : T->Iterators)
        Own.insert(I.V.get());
  };
  forEachStmt(R.Body, Declares);
  if (R.Rests.Inspection)
    forEachStmt(R.Rests.Inspection, Declares);
  std::vector<const Var *> Found;
  auto Add = [&](const Var &V) {
    if (!Own.contains(&V) && !is_contained(Found, &V))
      Found.push_back(&V);
  };
  auto Look = [&](const auto &In) {
    if (In)
      forEachExpr(In, [&](const ExprRef &E) {
        if (auto *U = dyn_cast<VarUse>(E.get()))
          Add(*U->V);
      });
  };
  Look(R.Body);
  assignedVars(R.Body, [&](const VarRef &V) { Add(*V); });
  Look(R.Rests.Inspection);
  for (const Guard &G : R.Rests.Guards)
    for (const ExprRef &E : {G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi})
      Look(E);
  return Found;
}

/// Of Outer, what the lift invented (for a member of a local structure, say):
/// there is nothing in the source to use.
static std::string unnamedScalar(ArrayRef<const Var *> Outer, StringRef Source,
                                 const clang::FunctionDecl &F) {
  for (const Var *V : Outer)
    if (!hasWord(Source, spelledPart(V->Name)) &&
        !(StringRef(V->Name).contains('.') && mayName(F, V->Name)))
      return V->Name;
  return "";
}

Reason whyNotEditable(const Region &R, const EditSite &Site, StringRef Source,
                      StringRef SourcePath, ArrayRef<MarkedBlock> Blocks) {
  const SourceLoc &L = R.Loc;
  if (L.File != SourcePath)
    return no("CR1701", "it stands in another file than the source", L);
  if (L.InMacro)
    return no("CR1702", "part of it comes from a macro", L);
  if (L.Begin >= L.End || L.End > Source.size())
    return no("CR1702", "its text cannot be found in the file", L);
  if (Site.Decl->isTemplateInstantiation())
    return no("CR1704", "it stands in a template", L);
  if (Site.Decl->isConstexpr())
    return no("CR1705",
              "it stands in a constexpr function, where pragmas are "
              "not allowed",
              L);
  for (const clang::FunctionDecl *D : Site.Decl->redecls())
    if (D->hasAttr<clang::OMPDeclareSimdDeclAttr>())
      return no("CR1020",
                "it stands in a function under 'omp declare simd', which "
                "vectors call: no parallel loop is allowed there",
                L);
  if (!Site.Lang->CPlusPlus && !Site.Lang->C99)
    return no("CR1706",
              "the C standard of the compile command is older than "
              "C99, which the result needs",
              L);
  for (const MarkedBlock &B : Blocks)
    if (B.Begin < L.End && L.Begin < B.End)
      return no("CR1707", "it holds a block that was emitted before", L);
  const std::vector<const Var *> Outer = outerScalars(R);
  if (std::string Name = unnamedScalar(Outer, Source, *Site.Decl);
      !Name.empty())
    return no("CR1716",
              "the raised form needs a variable ('" + Name +
                  "') that the source has under no name",
              L);
  for (const Var *V : Outer)
    if (V->SeesParts)
      return no("CR1716",
                "the raised form needs the elements that '" + V->Name +
                    "' points to, which the source sees as parts of other "
                    "objects",
                L);
  SourceLoc Whole =
      placeOf(Site.Decl->getSourceRange(), Site.Decl->getASTContext());
  if (std::string Name =
          unnamedMember(R, Source.slice(Whole.Begin, Whole.End), *Site.Decl);
      !Name.empty())
    return no("CR1716",
              "the raised form needs a member ('" + Name +
                  "') that the function does not name itself",
              L);
  if (hasDirective(Source.slice(L.Begin, L.End)))
    return no("CR1703", "a preprocessor directive stands inside it", L);
  StringRef Pragma = lineBefore(Source, textBegin(R, Source));
  // Polyhedral tools mark a region by two lines, and no loop.
  if (Pragma.consume_front("#pragma") && Pragma.trim() != "scop" &&
      Pragma.trim() != "endscop")
    return no("CR1708",
              "'#pragma " + Pragma.trim().str() +
                  "' before it belongs to the loop as written",
              L);
  return {};
}

namespace {
/// What a piece of a function's text names from outside of it, and what is
/// written for it does not: lambdas, whose bodies take the places of their
/// calls, and references, which are what they refer to. Nothing may be left
/// that uses the name.
class NamesLeftBehind : public clang::RecursiveASTVisitor<NamesLeftBehind> {
public:
  std::vector<std::string> Names; ///< of lambdas
  /// References that nothing but the piece uses.
  std::vector<std::string> references() const {
    std::vector<std::string> Found;
    for (const clang::VarDecl *V : Inside)
      if (!is_contained(Outside, V))
        Found.push_back(V->getNameAsString());
    return Found;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *E) {
    const auto *V = dyn_cast<clang::VarDecl>(E->getDecl());
    if (!V || !V->isLocalVarDecl() || !V->getType()->isReferenceType() ||
        holds(V->getLocation()))
      return true;
    auto &List = holds(E->getLocation()) ? Inside : Outside;
    if (!is_contained(List, V))
      List.push_back(V);
    return true;
  }
  NamesLeftBehind(const clang::SourceManager &SM, unsigned Begin, unsigned End)
      : SM(SM), Begin(Begin), End(End) {}
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *E) {
    auto *D =
        E->getOperator() == clang::OO_Call
            ? dyn_cast<clang::DeclRefExpr>(E->getArg(0)->IgnoreParenImpCasts())
            : nullptr;
    const auto *Type = D ? D->getType()->getAsCXXRecordDecl() : nullptr;
    if (!Type || !Type->isLambda() || !holds(E->getBeginLoc()) ||
        holds(D->getDecl()->getLocation()))
      return true;
    std::string Name = D->getDecl()->getNameAsString();
    if (!is_contained(Names, Name))
      Names.push_back(std::move(Name));
    return true;
  }

private:
  const clang::SourceManager &SM;
  unsigned Begin, End;
  std::vector<const clang::VarDecl *> Inside, Outside;
  bool holds(clang::SourceLocation L) const {
    unsigned At = SM.getFileOffset(SM.getExpansionLoc(L));
    return At >= Begin && At < End;
  }
};
} // namespace

bool namesIt(StringRef Text, StringRef Name) {
  SmallVector<StringRef, 32> Lines;
  Text.split(Lines, '\n');
  return any_of(Lines, [&](StringRef Line) {
    return !Line.ltrim().starts_with("//") && hasWord(Line, Name);
  });
}

/// Sets the lines of Site's function around E.
static void addContext(Edit &E, const EditSite &Site, StringRef Source) {
  const clang::SourceManager &SM =
      Site.Decl->getASTContext().getSourceManager();
  unsigned From =
      SM.getFileOffset(SM.getExpansionLoc(Site.Decl->getBeginLoc()));
  unsigned To = SM.getFileOffset(SM.getExpansionLoc(Site.Decl->getEndLoc()));
  if (From > E.Begin || To < E.End || To > Source.size())
    return;
  E.From = Source.take_front(From).rfind('\n') + 1;
  size_t End = Source.find('\n', To);
  E.To = End == StringRef::npos ? Source.size() : End + 1;
}

/// Where the text ends that R replaces: behind a comment on R's last statement,
/// which would seem to be about the next one. Behind a brace it says what ends
/// there, and does so of the block.
static unsigned textEnd(const Region &R, StringRef Source) {
  if (Source.take_front(R.Loc.End).ends_with("}"))
    return R.Loc.End;
  const StringRef Line =
      Source.drop_front(R.Loc.End).take_until([](char C) { return C == '\n'; });
  StringRef Rest = Line.trim();
  const bool IsBlock = Rest.starts_with("/*");
  const bool Ends = IsBlock ? Rest.find("*/") == Rest.size() - 2
                            : Rest.starts_with("//") && !Rest.ends_with("\\");
  const bool Ours = Rest.contains("clang-raise:");
  return Ends && !Ours ? R.Loc.End + unsigned(Line.rtrim().size()) : R.Loc.End;
}

Edit makeEdit(const Region &R, const Function &F, const EditSite &Site,
              StringRef Source, StringRef Id, const Options &Opts) {
  const unsigned Begin = textBegin(R, Source), TextEnd = textEnd(R, Source);
  StringRef Original = Source.slice(Begin, TextEnd);
  unsigned Column = indentOf(Source, R.Loc.Begin);
  std::string Indent(Column, ' ');
  // Comments above a pragma keep the column that they have here.
  std::string Body =
      Indent + emitRegion(R, F, Original, Opts, Column,
                          commentsIn(Source, R.Loc.Begin, TextEnd, *Site.Lang));
  NamesLeftBehind Left(Site.Decl->getASTContext().getSourceManager(),
                       R.Loc.Begin, R.Loc.End);
  Left.TraverseStmt(Site.Decl->getBody());
  for (const std::string &Name : Left.references())
    if (!namesIt(Body, Name))
      Left.Names.push_back(Name);
  for (const std::string &Name : Left.Names)
    Body += Indent + "(void)" + Name + ";\n";
  return makeEdit(R, Site, Source, Id, Body);
}

Edit makeEdit(const Region &R, const EditSite &Site, StringRef Source,
              StringRef Id, StringRef Body) {
  const unsigned Begin = textBegin(R, Source);
  const std::string Indent(indentOf(Source, R.Loc.Begin), ' ');
  Edit E;
  if (const Trace *T = currentTrace(); T && !T->Texts.empty())
    E.Traced = T->Texts.back();
  E.Begin = Begin;
  E.End = textEnd(R, Source);
  addContext(E, Site, Source);
  // A comment needs its line to itself.
  StringRef Ahead = Source.take_front(Begin).rtrim(" \t");
  if (!lineBefore(Source, Begin).empty() && Ahead.back() != '\n') {
    E.Text = "\n" + Indent;
    E.Begin = Ahead.size();
  }
  E.Text += openBlock(Id, Body);
  // The body of an `if` without braces gets them: an `else` of ours would seem
  // to be the author's. They open on the head's line, if nothing follows there.
  if (const auto Of = headOfUnbraced(*Site.Decl, R.Loc.Begin)) {
    const bool Follows =
        Of->End <= Begin && Source.slice(Of->End, Begin).trim().empty();
    if (Follows)
      E.Begin = Of->End;
    E.Text =
        std::string(Follows            ? " {\n"
                    : E.Begin == Begin ? "{\n"
                                       : "\n" + Indent + "{\n") +
        Indent + StringRef(E.Text).ltrim("\n ").str() + "\n" +
        (Follows ? std::string(lineIndent(Source, Of->Begin), ' ') : Indent) +
        "}";
  }
  StringRef After = Source.drop_front(E.End).ltrim(" \t");
  if (After.starts_with("\n") || After.starts_with("\r") || After.empty())
    return E;
  E.End = Source.size() - After.size();
  if (StringRef(E.Text).ends_with("}") && After.starts_with("else"))
    E.Text += " ";
  else if (After.starts_with("}")) // of what began on this line, or before
    E.Text += "\n" + std::string(lineIndent(Source, R.Loc.Begin), ' ');
  else
    E.Text += "\n" + Indent;
  return E;
}

void addToBlock(Edit &E, StringRef Line) {
  // The block's last line is its mark.
  const size_t End =
      StringRef(E.Text).rfind('\n', StringRef(E.Text).rfind(EndMark));
  const size_t Mark = E.Text.find_first_not_of(' ', End + 1);
  E.Text.insert(End + 1, std::string(Mark - End - 1, ' ') + Line.str() + "\n");
}

BlockNames::BlockNames(ArrayRef<MarkedBlock> Blocks) {
  for (const MarkedBlock &B : Blocks)
    Used.push_back(B.Id);
}

std::string BlockNames::next(StringRef FunctionName) {
  // Markers are kept short, so that formatting has no cause to break them; an
  // operator's name may hold a space.
  std::string Name = FunctionName.take_front(24).str();
  std::replace(Name.begin(), Name.end(), ' ', '_');
  for (unsigned N = 1;; ++N) {
    std::string Id = Name + ":" + std::to_string(N);
    if (is_contained(Used, Id))
      continue;
    Used.push_back(Id);
    return Id;
  }
}

} // namespace raise
