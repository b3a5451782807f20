//===- Notes.cpp - the notes of a source, and where they hold -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text is lexed once more, with its comments. A note belongs to the loop,
// or to the function, whose first token is the next one that is neither a
// comment nor part of a preprocessor's line (`#pragma omp`, `#ifdef`).
//
//===----------------------------------------------------------------------===//
#include "raise/Frontend/Notes.h"
#include "NoteScope.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessingRecord.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace raise {

unsigned textBegin(const FunctionDecl &FD) {
  const SourceManager &SM = FD.getASTContext().getSourceManager();
  SourceLocation Begin = FD.getBeginLoc();
  if (const FunctionTemplateDecl *T = FD.getDescribedFunctionTemplate())
    Begin = T->getBeginLoc();
  else if (const FunctionDecl *Pattern = FD.getTemplateInstantiationPattern();
           Pattern && Pattern != &FD)
    return textBegin(*Pattern);
  if (const auto *L = dyn_cast<LinkageSpecDecl>(FD.getLexicalDeclContext());
      L && !L->hasBraces())
    Begin = L->getBeginLoc();
  return SM.getFileOffset(SM.getExpansionLoc(Begin));
}

namespace {

/// A token of the main file that is none of a preprocessor's line.
struct Token {
  unsigned Begin = 0, End = 0;
  bool EndsDeclaration = false; ///< one of ; { }
};

struct CommentToken {
  unsigned Begin = 0, End = 0;
  bool InDirective = false;
  size_t Next = 0; ///< the number of the token behind it
};

/// What a note may stand before.
struct Anchor {
  const FunctionDecl *FD = nullptr;
  const clang::Stmt *Loop = nullptr; ///< null: the function
};

class AnchorFinder : public RecursiveASTVisitor<AnchorFinder> {
public:
  AnchorFinder(const ASTContext &AST, FileID File)
      : SM(AST.getSourceManager()), File(File) {}
  std::map<unsigned, Anchor> Loops;     ///< by where they begin
  std::map<unsigned, Anchor> Functions; ///< by where their names stand

  bool TraverseDecl(clang::Decl *D) {
    if (!D)
      return true;
    if (auto *FD = dyn_cast<FunctionDecl>(D)) {
      if (SM.getFileID(SM.getExpansionLoc(FD->getLocation())) != File)
        return true;
      if (FD->doesThisDeclarationHaveABody() && !FD->isImplicit())
        Functions.insert(
            {SM.getFileOffset(SM.getExpansionLoc(FD->getLocation())), {FD}});
      SaveAndRestore Saved(In, static_cast<const FunctionDecl *>(FD));
      return Base::TraverseDecl(D);
    }
    return Base::TraverseDecl(D);
  }
  // Loops of a lambda are none that anything is told of.
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool VisitStmt(clang::Stmt *S) {
    if (In && isLoopStatement(S) &&
        SM.getFileID(SM.getExpansionLoc(S->getBeginLoc())) == File)
      Loops.insert( // the outermost of those that one macro writes
          {SM.getFileOffset(SM.getExpansionLoc(S->getBeginLoc())), {In, S}});
    return true;
  }

private:
  using Base = RecursiveASTVisitor<AnchorFinder>;
  const SourceManager &SM;
  const FileID File;
  const FunctionDecl *In = nullptr;
};

class NoteReader {
public:
  NoteReader(ASTContext &AST, const Preprocessor &PP, FileID File,
             ArrayRef<std::pair<size_t, size_t>> Blocks,
             std::vector<Reason> &Errors)
      : AST(AST), SM(AST.getSourceManager()), PP(PP), File(File),
        Blocks(Blocks), Errors(Errors), Text(SM.getBufferData(File)) {}

  std::vector<SourceNotes::OffRange> Off;
  std::map<std::pair<unsigned, bool>, std::vector<SourceNotes::Fact>> Facts;

  void run() {
    if (!Text.contains("clang-raise:"))
      return;
    lex();
    for (const CommentToken &C : Comments)
      comment(C);
    if (Open)
      Off.push_back({Open->Begin, unsigned(Text.size()), Open->Line});
  }

private:
  ASTContext &AST;
  const SourceManager &SM;
  const Preprocessor &PP;
  const FileID File;
  ArrayRef<std::pair<size_t, size_t>> Blocks;
  std::vector<Reason> &Errors;
  const StringRef Text;
  std::vector<Token> Tokens;
  std::vector<CommentToken> Comments;
  std::optional<AnchorFinder> Anchors;
  std::optional<SourceNotes::OffRange> Open;

  SourceLoc at(unsigned Offset) const {
    SourceLoc L;
    L.File = SM.getFilename(SM.getLocForStartOfFile(File)).str();
    L.Line = SM.getLineNumber(File, Offset);
    L.Column = SM.getColumnNumber(File, Offset);
    L.Begin = L.End = Offset;
    return L;
  }
  void fail(unsigned Offset, const Twine &Why) {
    Errors.push_back({"CR0202", Why.str(), at(Offset)});
  }

  /// Code that the preprocessor drops.
  bool isSkipped(unsigned Offset) const {
    PreprocessingRecord *Record = PP.getPreprocessingRecord();
    const SourceLocation Loc =
        SM.getLocForStartOfFile(File).getLocWithOffset(Offset);
    return Record && any_of(Record->getSkippedRanges(), [&](SourceRange R) {
             return SM.getFileID(R.getBegin()) == File &&
                    SM.isBeforeInTranslationUnit(R.getBegin(), Loc) &&
                    SM.isBeforeInTranslationUnit(Loc, R.getEnd());
           });
  }

  bool liesInBlock(unsigned Offset) const {
    return any_of(Blocks, [&](const auto &B) {
      return B.first <= Offset && Offset < B.second;
    });
  }

  void lex() {
    Lexer L(SM.getLocForStartOfFile(File), AST.getLangOpts(), Text.begin(),
            Text.begin(), Text.end());
    L.SetCommentRetentionState(true);
    clang::Token T;
    bool InDirective = false;
    for (bool AtEnd = false; !AtEnd;) {
      AtEnd = L.LexFromRawLexer(T);
      if (T.is(tok::eof))
        break;
      const unsigned Begin = SM.getFileOffset(T.getLocation());
      if (T.isAtStartOfLine())
        InDirective = T.is(tok::hash);
      if (T.is(tok::comment))
        Comments.push_back(
            {Begin, Begin + T.getLength(), InDirective, Tokens.size()});
      else if (!InDirective && !isSkipped(Begin))
        Tokens.push_back({Begin, Begin + T.getLength(),
                          T.isOneOf(tok::semi, tok::l_brace, tok::r_brace)});
    }
  }

  void comment(const CommentToken &C) {
    const StringRef Written = Text.slice(C.Begin, C.End);
    if (!Written.contains("clang-raise:") || liesInBlock(C.Begin))
      return;
    std::optional<NoteError> Wrong;
    const std::vector<Note> Notes = parseNotes(Written, Wrong);
    if ((Notes.empty() && !Wrong) || isSkipped(C.Begin))
      return;
    if (C.InDirective)
      return fail(C.Begin, "a note in a preprocessor's line says nothing of "
                           "the code: move it to a line of its own");
    if (Wrong)
      return fail(C.Begin + Wrong->At, Wrong->Text);
    for (const Note &N : Notes)
      if (N.Kind == Note::NoteKind::Off || N.Kind == Note::NoteKind::On)
        turn(C, N);
      else
        fact(C, N);
  }

  void turn(const CommentToken &C, const Note &N) {
    const SourceLoc Loc = at(C.Begin + N.At);
    if (N.Kind == Note::NoteKind::Off) {
      if (Open)
        return fail(Loc.Begin, "it is off since line " + Twine(Open->Line) +
                                   ": an 'on' is expected before another "
                                   "'off'");
      Open = SourceNotes::OffRange{C.End, C.End, Loc.Line};
      return;
    }
    if (!Open)
      return fail(Loc.Begin, "'on' without an 'off' before it");
    Open->End = C.Begin;
    Off.push_back(*Open);
    Open.reset();
  }

  /// What C stands directly before.
  std::optional<Anchor> anchorOf(const CommentToken &C) {
    if (C.Next == Tokens.size())
      return std::nullopt;
    if (!Anchors) {
      Anchors.emplace(AST, File);
      Anchors->TraverseDecl(AST.getTranslationUnitDecl());
    }
    const unsigned Begin = Tokens[C.Next].Begin;
    if (auto It = Anchors->Loops.find(Begin); It != Anchors->Loops.end())
      return It->second;
    // The first function behind it, if its text begins here.
    auto It = Anchors->Functions.lower_bound(Begin);
    if (It == Anchors->Functions.end() || textBegin(*It->second.FD) < C.Begin)
      return std::nullopt;
    for (size_t I = C.Next; I < Tokens.size() && Tokens[I].Begin < It->first;
         ++I)
      if (Tokens[I].EndsDeclaration)
        return std::nullopt;
    return It->second;
  }

  void fact(const CommentToken &C, const Note &N) {
    const SourceLoc Loc = at(C.Begin + N.At);
    // What it was written for has become a block.
    if (C.Next < Tokens.size() && liesInBlock(Tokens[C.Next].Begin))
      return;
    const std::optional<Anchor> A = anchorOf(C);
    const StringRef Word =
        N.Kind == Note::NoteKind::Assume ? "assume" : "extent";
    if (!A)
      return fail(Loc.Begin, "'" + Word +
                                 "' must stand directly before a loop or the "
                                 "definition of a function");
    const FactScope Scope(*A->FD, A->Loop);
    if (std::optional<NoteError> Wrong = Scope.check(N))
      return fail(C.Begin + Wrong->At, Wrong->Text);
    const unsigned Begin =
        A->Loop ? SM.getFileOffset(SM.getExpansionLoc(A->Loop->getBeginLoc()))
                : textBegin(*A->FD);
    Facts[{Begin, !A->Loop}].push_back({N, Loc, !A->Loop});
  }
};

} // namespace

SourceNotes::SourceNotes(ASTContext &AST, const Preprocessor &PP, FileID File,
                         ArrayRef<std::pair<size_t, size_t>> Blocks,
                         std::vector<Reason> &Errors)
    : File(File) {
  NoteReader Reader(AST, PP, File, Blocks, Errors);
  Reader.run();
  Off = std::move(Reader.Off);
  Facts = std::move(Reader.Facts);
}

const SourceNotes::OffRange *SourceNotes::offAt(unsigned Offset) const {
  for (const OffRange &R : Off)
    if (R.Begin <= Offset && Offset < R.End)
      return &R;
  return nullptr;
}

const SourceNotes::OffRange *SourceNotes::offIn(unsigned Begin,
                                                unsigned End) const {
  for (const OffRange &R : Off)
    if (R.Begin < End && Begin < R.End)
      return &R;
  return nullptr;
}

ArrayRef<SourceNotes::Fact> SourceNotes::factsOf(unsigned Begin,
                                                 bool OfFunction) const {
  auto It = Facts.find({Begin, OfFunction});
  if (It == Facts.end())
    return {};
  return It->second;
}

} // namespace raise
