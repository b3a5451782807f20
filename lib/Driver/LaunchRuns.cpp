//===- LaunchRuns.cpp - launches that become one loop ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaunchRuns.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace raise;
using llvm::dyn_cast;
using llvm::isa;
using llvm::StringRef;

namespace {

/// Whether E is the same whenever it is evaluated between two launches, and
/// does nothing: numbers and variables of the host's.
bool isPlainValue(const clang::Expr *E) {
  E = E->IgnoreParens();
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr,
          UnaryExprOrTypeTraitExpr, CXXDefaultArgExpr, CXXNullPtrLiteralExpr>(
          E))
    return true;
  if (auto *D = dyn_cast<DeclRefExpr>(E)) {
    auto *V = dyn_cast<VarDecl>(D->getDecl());
    // A kernel may change what is not the function's own.
    return isa<EnumConstantDecl>(D->getDecl()) ||
           (V && !V->getType()->isReferenceType() &&
            !V->getType().isVolatileQualified() &&
            (!V->hasGlobalStorage() || V->getType().isConstQualified()));
  }
  if (auto *M = dyn_cast<clang::MemberExpr>(E))
    return !M->isArrow() && isa<FieldDecl>(M->getMemberDecl()) &&
           !M->getType()->isReferenceType() && isPlainValue(M->getBase());
  if (auto *B = dyn_cast<BinaryOperator>(E))
    return !B->isAssignmentOp() && isPlainValue(B->getLHS()) &&
           isPlainValue(B->getRHS());
  if (auto *U = dyn_cast<UnaryOperator>(E))
    return !U->isIncrementDecrementOp() && U->getOpcode() != UO_Deref &&
           U->getOpcode() != UO_AddrOf && isPlainValue(U->getSubExpr());
  if (auto *C = dyn_cast<CXXConstructExpr>(E)) // dim3
    return llvm::all_of(C->arguments(), isPlainValue);
  if (auto *C = dyn_cast<clang::CastExpr>(E))
    return C->getCastKind() != CK_UserDefinedConversion &&
           isPlainValue(C->getSubExpr());
  if (auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return isPlainValue(M->getSubExpr());
  if (auto *W = dyn_cast<ExprWithCleanups>(E))
    return isPlainValue(W->getSubExpr());
  return false;
}

/// Whether a kernel is one point for each thread: what it is not gains by other
/// loops than these.
bool isPointwise(const Function &Raised) {
  const auto List = statements(Raised.Body);
  auto *R = List.size() == 1 ? dyn_cast<Region>(List.front().get()) : nullptr;
  const auto Body = R ? statements(R->Body) : llvm::ArrayRef<StmtRef>();
  auto *T = Body.size() == 1 ? dyn_cast<TensorOp>(Body.front().get()) : nullptr;
  if (!T || R->Rests.Inspection ||
      !llvm::all_of(T->Iterators, [](const Iterator &I) {
        return I.Kind == IterKind::Parallel;
      }))
    return false;
  bool Loops = false;
  forEachStmt(T->Body, [&](const StmtRef &S) {
    Loops |= isa<TensorOp>(*S) || isa<raise::For>(*S) || isa<raise::While>(*S);
  });
  return !Loops;
}

/// A launch whose arguments can be told.
struct Launch {
  const CUDAKernelCallExpr *Call;
  const CudaKernel *Kernel;
  unsigned Begin, End;
  std::string Grid, Block;
  std::vector<std::string> Args;
};

/// Launches that are one kernel so far.
struct Run {
  FunctionRef Kernel, Raised;     ///< of one launch as it is: Raised is null
  std::vector<std::string> Args;  ///< of each of Kernel's parameters
  std::vector<std::string> Names; ///< of the kernels, in order
  std::string OneByOne;           ///< the calls of these
};

class RunFinder : public RecursiveASTVisitor<RunFinder> {
public:
  RunFinder(const CudaFileInput &In, EditList &Edits)
      : In(In), Edits(Edits), AST(In.Unit.getASTContext()),
        SM(AST.getSourceManager()) {}

  bool VisitFunctionDecl(FunctionDecl *FD) {
    if (!FD->isThisDeclarationADefinition() || FD->isTemplated() ||
        FD->isTemplateInstantiation() || FD->hasAttr<CUDAGlobalAttr>() ||
        FD->hasAttr<CUDADeviceAttr>() || FD->getBeginLoc().isMacroID() ||
        !SM.isInMainFile(FD->getLocation()) || isa<CXXMethodDecl>(FD) ||
        !FD->getLexicalDeclContext()->isTranslationUnit() ||
        llvm::any_of(FD->attrs(), [](const Attr *A) {
          return !A->isImplicit(); // it may stand before the declaration
        }))
      return true;
    Before.clear();
    Into = FD;
    const auto Known = Made;
    visit(FD->getBody());
    if (Before.empty())
      return true;
    const auto Begin = Edits.offset(FD->getBeginLoc(), "the function");
    const auto End = Edits.offsetAfter(FD->getEndLoc(), "the function");
    if (Begin && End)
      Edits.wrap(beforeComment(*Begin), *End, Before, "");
    if (!Begin || isConditional(*Begin))
      Made = Known; // other functions may be compiled without this one
    return true;
  }

private:
  const CudaFileInput &In;
  EditList &Edits;
  ASTContext &AST;
  const SourceManager &SM;
  const FunctionDecl *Into = nullptr;
  std::string Before; ///< functions that stand before the one that launches
  std::set<std::string> Taken;
  std::map<std::string, std::string> Made; ///< functions, by what they do

  /// Whether an `#if` stands around what begins there.
  bool isConditional(unsigned Begin) const {
    const std::string Text = Edits.original(0, Begin);
    llvm::SmallVector<StringRef> Lines;
    StringRef(Text).split(Lines, '\n');
    int Depth = 0;
    for (StringRef L : Lines) {
      L = L.ltrim();
      if (!L.consume_front("#"))
        continue;
      L = L.ltrim();
      Depth += int(L.starts_with("if")) - int(L.starts_with("endif"));
    }
    return Depth != 0;
  }

  /// Where the comment above a function begins, which stays its own; Begin if
  /// there is none.
  unsigned beforeComment(unsigned Begin) const {
    const std::string Text = Edits.original(0, Begin);
    StringRef Above = StringRef(Text).rtrim(" \t");
    if (!Above.ends_with("\n"))
      return Begin;
    unsigned At = Begin;
    while (Above.consume_back("\n")) {
      if (Above.rtrim().ends_with("*/"))
        Above = Above.take_front(Above.rfind("/*") + 2);
      const size_t Line = Above.rfind('\n') + 1; // 0 where there is none
      const StringRef Says = Above.drop_front(Line).ltrim();
      if (!Says.starts_with("//") && Says != "/*")
        break;
      Above = Above.take_front(Line);
      At = unsigned(Line);
    }
    return At;
  }

  void visit(const clang::Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (auto *C = dyn_cast<CompoundStmt>(S))
      joinIn(*C);
    for (const clang::Stmt *Child : S->children())
      visit(Child);
  }

  std::string textOf(const clang::Expr *E) const {
    return Lexer::getSourceText(
               CharSourceRange::getTokenRange(E->getSourceRange()), SM,
               AST.getLangOpts())
        .str();
  }

  std::optional<Launch> launchOf(const clang::Stmt *S) {
    if (auto *E = dyn_cast<clang::Expr>(S))
      S = E->IgnoreImplicit();
    auto *Call = dyn_cast<CUDAKernelCallExpr>(S);
    const FunctionDecl *FD = Call ? Call->getDirectCallee() : nullptr;
    if (!FD || Call->getBeginLoc().isMacroID() || Call->getEndLoc().isMacroID())
      return std::nullopt;
    const auto K = llvm::find_if(In.Kernels, [&](const CudaKernel &Of) {
      return Of.Decl && Of.Decl->getCanonicalDecl() == FD->getCanonicalDecl();
    });
    if (K == In.Kernels.end() || !K->Original || !K->Raised ||
        K->Decl->isTemplateInstantiation() || !isPointwise(*K->Raised) ||
        // What its text names is known where the joined one stands.
        !SM.isInMainFile(K->Decl->getLocation()) ||
        !K->Decl->getLexicalDeclContext()->isTranslationUnit() ||
        !SM.isBeforeInTranslationUnit(K->Decl->getEndLoc(),
                                      Into->getBeginLoc()) ||
        K->Original->Params.size() != Call->getNumArgs())
      return std::nullopt;
    const clang::CallExpr *Config = Call->getConfig();
    for (unsigned I = 0; I < Config->getNumArgs(); ++I)
      if (I < 2 ? !isPlainValue(Config->getArg(I))
                : !isa<CXXDefaultArgExpr>(Config->getArg(I)))
        return std::nullopt;
    Launch L{
        Call, &*K, 0, 0, textOf(Config->getArg(0)), textOf(Config->getArg(1)),
        {}};
    for (const clang::Expr *Arg : Call->arguments()) {
      if (!isPlainValue(Arg) || isa<CXXDefaultArgExpr>(Arg) ||
          Arg->getBeginLoc().isMacroID() || Arg->getEndLoc().isMacroID())
        return std::nullopt;
      L.Args.push_back(textOf(Arg));
    }
    const auto Begin = Edits.offset(Call->getBeginLoc(), "the launch");
    const auto End = Edits.offsetAfter(Call->getEndLoc(), "the launch");
    if (!Begin || !End || L.Grid.empty() || L.Block.empty())
      return std::nullopt;
    L.Begin = *Begin;
    L.End = *End;
    return L;
  }

  void joinIn(const CompoundStmt &C) {
    std::vector<Launch> Row;
    for (const clang::Stmt *S : C.body()) {
      const auto L = launchOf(S);
      const bool Follows =
          L && !Row.empty() && Row.back().Grid == L->Grid &&
          Row.back().Block == L->Block &&
          StringRef(Edits.original(Row.back().End, L->Begin))
                  .find_first_not_of("; \t\r\n") == StringRef::npos;
      if (!Follows) {
        joinRow(Row);
        Row.clear();
      }
      if (L)
        Row.push_back(*L);
    }
    joinRow(Row);
  }

  static Run alone(const Launch &L) {
    Run R;
    R.Kernel = L.Kernel->Original;
    R.Args = L.Args;
    R.Names = {L.Kernel->Decl->getNameAsString()};
    R.OneByOne = callOf(L, L.Kernel->Original->Params);
    return R;
  }

  static std::string callOf(const Launch &L, llvm::ArrayRef<Param> Params) {
    std::string Text =
        "  " + L.Kernel->Decl->getNameAsString() + "(grid, block";
    for (const Param &P : Params)
      Text += ", " + P.name().str();
    return Text + ");\n";
  }

  /// R and L behind it; none where that is not one loop.
  std::optional<Run> extended(const Run &R, const Launch &L) const {
    const Function &Next = *L.Kernel->Original;
    std::map<std::string, std::string> Same;
    std::set<std::string> Used;
    bool Meet = false;
    for (size_t I = 0; I < L.Args.size(); ++I)
      for (size_t J = 0; J < R.Args.size(); ++J) {
        const std::string Of = R.Kernel->Params[J].name().str();
        if (R.Args[J] != L.Args[I] || !Used.insert(Of).second)
          continue;
        Same[Next.Params[I].name().str()] = Of;
        Meet |= Next.Params[I].Buf != nullptr;
        break;
      }
    if (!Meet)
      return std::nullopt;
    Run Both = R;
    Both.Names.push_back(L.Kernel->Decl->getNameAsString());
    Both.Kernel =
        joinLaunches(*R.Kernel, Next, Same, llvm::join(Both.Names, "_"));
    if (!Both.Kernel)
      return std::nullopt;
    Context Ctx;
    Ctx.Opts = In.Opts;
    Ctx.Opts.Alias =
        AliasMode::Check; // nobody speaks for arrays of two kernels
    Both.Raised = raiseFunction(Both.Kernel, Ctx);
    if (!isPointwise(*Both.Raised))
      return std::nullopt;
    std::vector<Param> Its;
    size_t New = R.Kernel->Params.size();
    for (size_t I = 0; I < L.Args.size(); ++I) {
      const auto It = Same.find(Next.Params[I].name().str());
      if (It != Same.end()) {
        Its.push_back(*Both.Kernel->findParam(It->second));
        continue;
      }
      Its.push_back(Both.Kernel->Params[New++]);
      Both.Args.push_back(L.Args[I]);
    }
    Both.OneByOne += callOf(L, Its);
    return Both;
  }

  void joinRow(llvm::ArrayRef<Launch> Row) {
    while (Row.size() > 1) {
      Run R = alone(Row.front());
      size_t Count = 1;
      while (Count < Row.size()) {
        auto More = extended(R, Row[Count]);
        if (!More)
          break;
        R = std::move(*More);
        ++Count;
      }
      if (Count > 1 && !takesReservedName(R))
        write(R, Row.take_front(Count));
      Row = Row.drop_front(Count);
    }
  }

  /// The kernels are called where the parameters are visible.
  static bool takesReservedName(const Run &R) {
    return R.Kernel->findParam("grid") || R.Kernel->findParam("block") ||
           llvm::any_of(R.Names, [&](const std::string &Name) {
             return R.Kernel->findParam(Name) != nullptr;
           });
  }

  std::string freeName(const Run &R) {
    const std::string Base = llvm::join(R.Names, "_");
    const auto IsFree = [&](const std::string &Name) {
      return AST.Idents.find(Name) == AST.Idents.end() &&
             AST.Idents.find(Name + "_range") == AST.Idents.end() &&
             Taken.insert(Name).second;
    };
    std::string Name = Base;
    for (unsigned N = 2; !IsFree(Name); ++N)
      Name = Base + "_" + std::to_string(N);
    return Name;
  }

  void write(const Run &R, llvm::ArrayRef<Launch> Row) {
    // The same launches, with the same in common, further up in the file.
    std::string &Name = Made[emitParameters(*R.Kernel) + R.OneByOne];
    if (Name.empty())
      makeFunction(R, Name = freeName(R));
    std::string Args;
    for (const std::string &A : R.Args)
      Args += ", " + A;
    Edits.replaceAll(Row.front().Begin, Row.back().End,
                     Name + "(" + Row.front().Grid + ", " + Row.front().Block +
                         Args + ")");
  }

  void makeFunction(const Run &R, const std::string &Name) {
    std::string Names;
    for (const Param &P : R.Kernel->Params)
      Names += (Names.empty() ? "" : ", ") + P.name().str();
    const std::string Cond = emitLaunchCondition(*R.Raised, In.Opts);
    const std::string Range =
        Name + "_range(" +
        (rangeNeedsLaunch(*R.Raised) ? "grid, block, " + Names : Names) +
        ");\n";
    Before += emitRangeFunction(*R.Raised, In.Opts, Name + "_range") + "\n";
    Before += "// " + llvm::join(R.Names, ", then ") +
              ", over the same threads: each uses what it made itself.\n";
    Before += "static void " + Name + "(dim3 grid, dim3 block, " +
              emitParameters(*R.Kernel) + ") {\n" +
              "  if (!raise::beginLaunch(grid, block))\n    return;\n";
    Before += Cond == "true" ? "  " + Range + "}\n\n"
                             : "  if (" + Cond + ") {\n    " + Range +
                                   "    return;\n  }\n" + R.OneByOne + "}\n\n";
  }
};

} // namespace

void raise::joinLaunchRuns(const CudaFileInput &In, EditList &Edits) {
  if (In.Mode == CudaMode::Rewrite)
    RunFinder(In, Edits).TraverseDecl(
        In.Unit.getASTContext().getTranslationUnitDecl());
}
