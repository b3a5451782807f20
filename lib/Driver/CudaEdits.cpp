//===- CudaEdits.cpp - changes inside of a CUDA file's functions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaEdits.h"
#include "ArchitectureTests.h"
#include "KernelNames.h"
#include "MacroLaunches.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/SaveAndRestore.h"
#include <algorithm>

using namespace raise;
using namespace clang;

//===-- EditList ----------------------------------------------------------===//

EditList::EditList(const SourceManager &SM, const LangOptions &LO)
    : SM(SM), LO(LO) {
  auto Add = [&](FileID File) {
    if (!Source.empty())
      Source += '\0'; // no offset belongs to two files
    const unsigned Begin = Source.size();
    Source += SM.getBufferData(File);
    Files.push_back(File);
    Pieces.emplace_back(Begin, Source.size());
  };
  Add(SM.getMainFileID());
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &E = SM.getLocalSLocEntry(I);
    if (!E.isFile() || SrcMgr::isSystem(E.getFile().getFileCharacteristic()))
      continue;
    const FileID File =
        SM.getFileID(SourceLocation::getFromRawEncoding(E.getOffset()));
    if (File != SM.getMainFileID() && SM.getFileEntryRefForID(File))
      Add(File);
  }
}

std::optional<EditList::Piece> EditList::file(FileID File) const {
  const auto At = llvm::find(Files, File);
  if (At == Files.end())
    return std::nullopt;
  return Pieces[At - Files.begin()];
}

bool EditList::covers(SourceLocation Loc) const {
  Loc = SM.getExpansionLoc(Loc);
  return file(SM.getFileID(Loc)) && !SM.isInSystemHeader(Loc);
}

bool EditList::isChanged(FileID File) const {
  const auto P = file(File);
  return P && llvm::any_of(Edits, [&](const Edit &E) {
           return P->first <= E.Begin && E.End <= P->second;
         });
}

void EditList::error(std::string Code, std::string Text, SourceLocation Loc) {
  if (Silent)
    return;
  // Each instance of a template meets it again.
  if (!Told.insert({Code, SM.getExpansionLoc(Loc).getRawEncoding()}).second)
    return;
  PresumedLoc P = SM.getPresumedLoc(SM.getExpansionLoc(Loc));
  raise::SourceLoc At;
  if (P.isValid()) {
    At.File = P.getFilename();
    At.Line = P.getLine();
    At.Column = P.getColumn();
  }
  Errors.push_back({std::move(Code), std::move(Text), std::move(At)});
}

std::optional<unsigned> EditList::offset(SourceLocation Loc, const char *What) {
  if (Loc.isMacroID()) {
    // An argument of a macro is written in the file, a macro's body is not.
    if (!SM.isMacroArgExpansion(Loc)) {
      error("CR1503",
            std::string(What) + " stands in the body of a macro, which cannot "
                                "be translated in place; write it out",
            Loc);
      return std::nullopt;
    }
    Loc = SM.getSpellingLoc(Loc);
  }
  const auto P = file(SM.getFileID(Loc));
  if (!P) {
    error("CR1502",
          std::string(What) + " stands in a system header, which is not "
                              "translated; move it into the project",
          Loc);
    return std::nullopt;
  }
  return P->first + SM.getFileOffset(Loc);
}

std::optional<unsigned> EditList::offsetAfter(SourceLocation Loc,
                                              const char *What) {
  // The last token may itself be a macro's name: then its end counts.
  if (Loc.isMacroID() && !SM.isMacroArgExpansion(Loc)) {
    SourceLocation End = SM.getExpansionRange(Loc).getEnd();
    if (!Lexer::isAtEndOfMacroExpansion(Loc, SM, LO))
      return offset(Loc, What);
    Loc = End;
  }
  auto At = offset(Loc, What);
  if (!At)
    return At;
  SourceLocation File = SM.getFileLoc(Loc);
  return *At + Lexer::MeasureTokenLength(File, SM, LO);
}

bool EditList::isOneFile(unsigned Begin, unsigned End) {
  const auto Holds = [](const Piece &P, unsigned At) {
    return P.first <= At && At <= P.second;
  };
  const auto P =
      llvm::find_if(Pieces, [&](const Piece &P) { return Holds(P, Begin); });
  if (Holds(*P, End))
    return true;
  error("CR1502",
        "what is to be translated begins in one file and ends in another; "
        "write it in one",
        SM.getComposedLoc(Files[P - Pieces.begin()], Begin - P->first));
  return false;
}

void EditList::replace(unsigned Begin, unsigned End, std::string Text) {
  if (!isOneFile(Begin, End))
    return;
  Edits.push_back({Begin, End, std::move(Text), 0});
}

void EditList::wrap(unsigned Begin, unsigned End, std::string Before,
                    std::string After) {
  if (!isOneFile(Begin, End))
    return;
  ++Wraps;
  Edits.push_back({Begin, Begin, std::move(Before), Wraps});
  Edits.push_back({End, End, std::move(After), -Wraps});
}

std::string EditList::text(unsigned Begin, unsigned End) const {
  std::vector<const Edit *> Inside;
  for (const Edit &E : Edits)
    if (Begin <= E.Begin && E.End <= End)
      Inside.push_back(&E);
  // At one offset: what closes an inner range, then the outer ones; then what
  // opens the outer ranges, then the inner ones; then a replacement.
  auto Key = [](const Edit *E) {
    bool Replaces = E->Begin != E->End || E->Rank == 0;
    return std::make_tuple(E->Begin, Replaces ? 1 : 0, E->Rank);
  };
  std::stable_sort(
      Inside.begin(), Inside.end(),
      [&](const Edit *A, const Edit *B) { return Key(A) < Key(B); });
  std::string Out;
  unsigned At = Begin;
  for (const Edit *E : Inside) {
    if (E->Begin < At)
      continue; // inside a piece that was replaced as a whole
    Out += StringRef(Source).slice(At, E->Begin);
    Out += E->Text;
    At = E->End;
  }
  Out += StringRef(Source).slice(At, End);
  return Out;
}

void EditList::replaceAll(unsigned Begin, unsigned End, std::string Text) {
  Edits.erase(std::remove_if(Edits.begin(), Edits.end(),
                             [&](const Edit &E) {
                               return Begin <= E.Begin && E.End <= End;
                             }),
              Edits.end());
  replace(Begin, End, std::move(Text));
}

//===-- Bodies ------------------------------------------------------------===//

namespace {

/// (Templates of the host's may be called from device code: they get the
/// attribute without the word.)
bool isDeviceCode(const FunctionDecl *FD) {
  if (!FD)
    return false;
  const auto *Device = FD->getAttr<CUDADeviceAttr>();
  return FD->hasAttr<CUDAGlobalAttr>() || (Device && !Device->isImplicit());
}

/// Instances of templates are visited for what only they tell: which accesses
/// are of volatile objects. All else is edited in the pattern's text.
class BodyEditor : public RecursiveASTVisitor<BodyEditor> {
public:
  BodyEditor(ASTContext &AST, EditList &Edits,
             llvm::ArrayRef<SourceRange> Skipped)
      : AST(AST), SM(AST.getSourceManager()), Edits(Edits), Asks(SM, Skipped),
        Macros(SM, AST.getLangOpts(), Edits) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  void run() {
    TraverseDecl(AST.getTranslationUnitDecl());
    checkKernelNames(AST, Edits);
    Macros.write();
    wrapAll();
    Asks.check(Edits);
  }

  bool TraverseDecl(clang::Decl *D) {
    auto *FD = llvm::dyn_cast_or_null<FunctionDecl>(D);
    if (FD && SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())))
      return true;
    const auto *Special =
        llvm::dyn_cast_or_null<ClassTemplateSpecializationDecl>(D);
    const bool IsInstance = (FD && FD->isTemplateInstantiation()) ||
                            (Special && !Special->isExplicitSpecialization());
    llvm::SaveAndRestore<bool> In(InInstance, InInstance || IsInstance);
    llvm::SaveAndRestore<const FunctionDecl *> Of(Function, FD ? FD : Function);
    // A header may hold much that this source has no use for, and that compiles
    // as it is.
    llvm::SaveAndRestore<bool> Quiet(
        Edits.Silent,
        FD ? !inMainFile(FD->getLocation()) && !mayRun() : Edits.Silent);
    if (FD && !InInstance) {
      dropNoInline(FD);
      Asks.addBody(*FD, isDeviceCode(FD));
    }
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  bool TraverseLambdaExpr(LambdaExpr *L) {
    llvm::SaveAndRestore<const FunctionDecl *> Of(
        Function,
        isDeviceCode(L->getCallOperator()) ? L->getCallOperator() : Function);
    return RecursiveASTVisitor::TraverseLambdaExpr(L);
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Call) {
    llvm::SaveAndRestore<bool> Loud(Edits.Silent, false);
    if (InInstance || isForeign(Call->getBeginLoc()))
      return true;
    if (isDeviceCode(Function)) {
      Edits.error("CR1504",
                  "a kernel that launches kernels (dynamic parallelism) is not "
                  "supported",
                  Call->getBeginLoc());
      return true;
    }
    if (Macros.note(*Call))
      return true;
    const CallExpr *Config = Call->getConfig();
    auto Begin = Edits.offset(Call->getBeginLoc(), "the launch");
    auto Open = Edits.offset(Config->getBeginLoc(), "the launch");
    auto Close = Edits.offset(Config->getEndLoc(), "the launch");
    auto End = Edits.offsetAfter(Call->getEndLoc(), "the launch");
    if (!Begin || !Open || !Close || !End)
      return true;
    // K <<< grid, block, bytes, stream >>> (args)
    unsigned AfterClose = *Close + 3;
    size_t Paren = Edits.original(AfterClose, *End).find('(');
    std::string Arguments = Edits.original(AfterClose + Paren + 1, *End - 1);
    bool HasArguments =
        StringRef(Arguments).find_first_not_of(" \t\r\n") != StringRef::npos;
    unsigned ConfigEnd = *Close;
    std::string Configure;
    if (isWritten(Config, 2)) {
      const clang::Expr *Block = Config->getArg(1), *Bytes = Config->getArg(2);
      auto BlockEnd = Edits.offsetAfter(Block->getEndLoc(), "the launch");
      auto BytesBegin =
          Edits.offset(spelled(Bytes->getBeginLoc()), "the launch");
      auto BytesEnd = Edits.offsetAfter(Bytes->getEndLoc(), "the launch");
      if (!BlockEnd || !BytesBegin || !BytesEnd)
        return true;
      std::string Stream = "0";
      if (isWritten(Config, 3)) {
        const clang::Expr *S = Config->getArg(3);
        auto SBegin = Edits.offset(spelled(S->getBeginLoc()), "the launch");
        auto SEnd = Edits.offsetAfter(S->getEndLoc(), "the launch");
        if (!SBegin || !SEnd)
          return true;
        Stream = Edits.original(*SBegin, *SEnd);
      }
      std::string BytesText = Edits.original(*BytesBegin, *BytesEnd);
      if (BytesText != "0" || Stream != "0")
        Configure = "raise::configure(" + BytesText + ", " + Stream + "), ";
      ConfigEnd = *BlockEnd;
    }
    if (!Configure.empty())
      // One expression, whatever statement it stands in.
      Edits.wrap(*Begin, *End, "(" + Configure, ")");
    Edits.replace(*Open, *Open + 3, "(");
    Edits.replace(ConfigEnd, AfterClose + Paren + 1, HasArguments ? ", " : "");
    return true;
  }

  bool VisitDeclStmt(DeclStmt *DS) {
    llvm::SaveAndRestore<bool> Loud(Edits.Silent, false);
    const auto IsShared = [](const clang::Decl *D) {
      return isa<VarDecl>(D) && D->hasAttr<CUDASharedAttr>();
    };
    const auto Found = llvm::find_if(DS->decls(), IsShared);
    if (InInstance || Found == DS->decl_end() || isForeign(DS->getBeginLoc()))
      return true;
    if (!isPlainShared(*DS, *cast<VarDecl>(*Found)))
      return true;
    std::string Text;
    for (clang::Decl *D : DS->decls()) {
      auto *V = cast<VarDecl>(D);
      std::string Type = typeText(V);
      if (!Text.empty())
        Text += " ";
      if (V->hasExternalStorage()) {
        QualType Elem = AST.getBaseElementType(V->getType());
        std::string Name = Elem.getAsString(AST.getPrintingPolicy());
        Text += (Twine(Name) + " *" + V->getName() +
                 " = raise_simt::dynamicShared<" + Name + ">();")
                    .str();
      } else {
        Text +=
            "auto &" + V->getNameAsString() + " = RAISE_SHARED(" + Type + ");";
      }
    }
    auto Begin = Edits.offset(SM.getExpansionLoc(DS->getBeginLoc()),
                              "the shared variable");
    auto End = Edits.offsetAfter(DS->getEndLoc(), "the shared variable");
    if (Begin && End)
      Edits.replaceAll(*Begin, *End, Text);
    return true;
  }

  /// Whether DS can be written as a reference to the block's memory; else says
  /// why not.
  bool isPlainShared(const DeclStmt &DS, const VarDecl &V) {
    // What `__shared__` and the type come from is one macro's body.
    const SourceLocation Type = V.getTypeSpecStartLoc();
    if (Type.isMacroID() && !SM.isMacroArgExpansion(Type) &&
        SM.getExpansionLoc(Type) == SM.getExpansionLoc(DS.getBeginLoc()))
      return Edits.offset(Type, "the shared variable").has_value();
    const auto *Array = AST.getAsArrayType(V.getType());
    const bool IsFlat = !V.hasExternalStorage() ||
                        (Array && !AST.getAsArrayType(Array->getElementType()));
    if (isa<VarDecl>(*DS.decl_begin()) && IsFlat)
      return true;
    Edits.error("CR1505",
                "'" + V.getNameAsString() +
                    (IsFlat ? "' is shared memory of a type that is declared "
                              "with it; declare the type first"
                            : "' is dynamic shared memory of more than one "
                              "dimension; declare one, and compute the index"),
                V.getLocation());
    return false;
  }

  bool VisitAsmStmt(clang::AsmStmt *S) {
    if (isDeviceCode(Function) && !isForeign(S->getAsmLoc()))
      Edits.error("CR1507",
                  "inline assembly of a device has no counterpart in the host "
                  "runtime",
                  S->getAsmLoc());
    return true;
  }

  /// The prelude marks what it declares only so that it can be named here.
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    llvm::SaveAndRestore<bool> Loud(Edits.Silent, false);
    for (const auto *A : Ref->getDecl()->specific_attrs<AnnotateAttr>())
      if (A->getAnnotation() == "raise.unsupported" &&
          !isForeign(Ref->getLocation()))
        Edits.error("CR1507",
                    "'" + Ref->getDecl()->getNameAsString() +
                        "' has no counterpart in the host runtime" +
                        successor(*Ref->getDecl()),
                    Ref->getLocation());
    return true;
  }

  /// CUDA 9 gave warp operations a mask and new names, which are supported.
  static std::string successor(const NamedDecl &Old) {
    if (!Old.getIdentifier())
      return "";
    ASTContext &AST = Old.getASTContext();
    std::string New = Old.getName().str() + "_sync";
    if (AST.getTranslationUnitDecl()->lookup(&AST.Idents.get(New)).empty())
      return "";
    return "; write '" + New + "', which names the threads that take part";
  }

  bool VisitVarDecl(VarDecl *V) {
    if (V->isFileVarDecl() && V->hasAttr<CUDASharedAttr>() &&
        (inMainFile(V->getLocation()) ||
         (V->isReferenced() && !isForeign(V->getLocation()))))
      Edits.error("CR1505",
                  "'" + V->getNameAsString() +
                      "' is shared memory declared outside of a function; "
                      "declare it in the kernels that use it",
                  V->getLocation());
    return true;
  }

  //===-- Volatile accesses -----------------------------------------------===//

  bool VisitBinaryOperator(BinaryOperator *B) {
    if (!B->isAssignmentOp() || !isVolatileInDevice(B->getLHS()))
      return true;
    auto Begin = Edits.offset(B->getBeginLoc(), "the volatile access");
    auto Op = Edits.offset(B->getOperatorLoc(), "the volatile access");
    auto OpEnd = Edits.offsetAfter(B->getOperatorLoc(), "the volatile access");
    auto LEnd =
        Edits.offsetAfter(B->getLHS()->getEndLoc(), "the volatile access");
    auto End = Edits.offsetAfter(B->getEndLoc(), "the volatile access");
    if (!Begin || !Op || !OpEnd || !LEnd || !End)
      return true;
    if (B->getOpcode() != BO_Assign)
      Wraps.insert({*Begin, *LEnd, "raise_simt::vol("});
    else if (Wraps.insert({*Begin, *End, "raise_simt::volatileStore("}).second)
      Edits.replace(*LEnd, *OpEnd, ",");
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->isIncrementDecrementOp() && isVolatileInDevice(U->getSubExpr()))
      wrapExpr(U->getSubExpr(), "raise_simt::vol(");
    return true;
  }

  bool VisitImplicitCastExpr(ImplicitCastExpr *C) {
    // (What `v = x` is written as gives the value.)
    const auto *B = dyn_cast<BinaryOperator>(C->getSubExpr()->IgnoreParens());
    if (C->getCastKind() == CK_LValueToRValue &&
        !(B && B->getOpcode() == BO_Assign) &&
        isVolatileInDevice(C->getSubExpr()))
      wrapExpr(C->getSubExpr(), "raise_simt::volatileLoad(");
    return true;
  }

private:
  ASTContext &AST;
  const SourceManager &SM;
  EditList &Edits;
  ArchitectureTests Asks;
  MacroLaunches Macros;
  const FunctionDecl *Function = nullptr;
  bool InInstance = false;

  /// What is put around a range: outer ranges come first.
  struct Wrap {
    unsigned Begin, End;
    std::string Before;
    bool operator<(const Wrap &W) const {
      return std::make_tuple(Begin, ~End, Before) <
             std::make_tuple(W.Begin, ~W.End, W.Before);
    }
  };
  std::set<Wrap> Wraps;

  void wrapAll() {
    for (const Wrap &W : Wraps)
      Edits.wrap(W.Begin, W.End, W.Before, ")");
  }

  /// No text of the project's.
  bool isForeign(SourceLocation Loc) const { return !Edits.covers(Loc); }
  bool mayRun() const {
    if (!Function)
      return false;
    if (FunctionTemplateDecl *T = Function->getDescribedFunctionTemplate())
      return T->spec_begin() != T->spec_end();
    return Function->isDependentContext() ||
           Function->isUsed(/*CheckUsedAttr=*/false) ||
           Function->isReferenced() ||
           (Function->isExternallyVisible() && !Function->isInlined());
  }

  bool inMainFile(SourceLocation Loc) const {
    return SM.getFileID(SM.getExpansionLoc(Loc)) == SM.getMainFileID();
  }

  /// A macro's name stands for what it expands to.
  SourceLocation spelled(SourceLocation Loc) const {
    if (Loc.isMacroID() &&
        Lexer::isAtStartOfMacroExpansion(Loc, SM, AST.getLangOpts()) &&
        !SM.isMacroArgExpansion(Loc))
      return SM.getExpansionLoc(Loc);
    return Loc;
  }

  static bool isWritten(const CallExpr *Config, unsigned N) {
    return Config->getNumArgs() > N &&
           !isa<CXXDefaultArgExpr>(Config->getArg(N));
  }

  bool isVolatileInDevice(const clang::Expr *E) const {
    return isDeviceCode(Function) && E->isGLValue() &&
           E->getType().isVolatileQualified() && !isForeign(E->getBeginLoc());
  }

  void wrapExpr(const clang::Expr *E, const char *Before) {
    auto Begin = Edits.offset(E->getBeginLoc(), "the volatile access");
    auto End = Edits.offsetAfter(E->getEndLoc(), "the volatile access");
    if (Begin && End)
      Wraps.insert({*Begin, *End, Before});
  }

  /// The type of a shared variable as the source wrote it, extents included.
  std::string typeText(const VarDecl *V) const {
    std::string Extents;
    TypeLoc TL = V->getTypeSourceInfo()->getTypeLoc();
    while (auto A = TL.getAs<ArrayTypeLoc>()) {
      std::string Size;
      if (const clang::Expr *E = A.getSizeExpr())
        Size = Lexer::getSourceText(
                   Lexer::makeFileCharRange(
                       CharSourceRange::getTokenRange(E->getSourceRange()), SM,
                       AST.getLangOpts()),
                   SM, AST.getLangOpts())
                   .str();
      Extents += "[" + Size + "]";
      TL = A.getElementLoc();
    }
    return TL.getType().getAsString(AST.getPrintingPolicy()) + Extents;
  }

  bool hasBlank(unsigned At) const { return Edits.original(At, At + 1) == " "; }

  /// The word __noinline__ belongs to libstdc++.
  void dropNoInline(const FunctionDecl *FD) {
    const auto *A = FD->getAttr<NoInlineAttr>();
    if (!A || isForeign(A->getLocation()))
      return;
    SourceLocation Loc = SM.getExpansionLoc(A->getLocation());
    StringRef Word = Lexer::getSourceText(
        CharSourceRange::getTokenRange(Loc, Loc), SM, AST.getLangOpts());
    if (Word == "__noinline__")
      if (auto At = Edits.offset(Loc, "the attribute"))
        Edits.replace(*At, *At + Word.size() + hasBlank(*At + Word.size()), "");
  }
};

} // namespace

void raise::editBodies(ASTContext &AST, EditList &Edits,
                       llvm::ArrayRef<SourceRange> Skipped) {
  BodyEditor(AST, Edits, Skipped).run();
}
