//===- DeviceFile.cpp - raised code as kernels, in its source -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceFile.h"
#include "GradFile.h"
#include "LibraryHeaders.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Outline.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace raise {

/// A conjunction of First and Tests, which may be "true".
static std::string bothHold(const std::string &First, StringRef Tests) {
  if (Tests == "true")
    return First;
  int Depth = 0;
  bool Splits = false; // a disjunction that is not in parentheses
  for (size_t I = 0; I < Tests.size(); ++I) {
    Depth += Tests[I] == '(';
    Depth -= Tests[I] == ')';
    Splits |= Depth == 0 && (Tests[I] == '|' || Tests[I] == '?');
  }
  return First + " && " + (Splits ? "(" + Tests + ")" : Tests).str();
}

static Reason left(const Twine &Text, const SourceLoc &Loc) {
  return {"CR1813", ("not written for a device: " + Text).str(), Loc};
}

/// Why kernels that are used like this are not written.
static Reason whyNotUse(const DeviceUse &Use, const SourceLoc &Loc) {
  if (Use.Alone)
    return left("part of it would be run by one thread or one block", Loc);
  if (!Use.Points && !Use.Shared)
    return left("no threads would share it", Loc);
  return {};
}

DeviceFile::DeviceFile(clang::ASTUnit &Unit, StringRef Source,
                       StringRef SourcePath, ArrayRef<MarkedBlock> Blocks,
                       const Options &Opts)
    : Unit(Unit), Source(Source), SourcePath(SourcePath), Blocks(Blocks),
      Opts(Opts), Taken(namesOfUnit(Unit)) {}

std::string DeviceFile::freshName(std::string Base) {
  std::string Name = Base;
  for (unsigned N = 2; Taken.count(Name) || namesIt(Source, Name); ++N)
    Name = Base + "_" + std::to_string(N);
  Taken.insert(Name);
  return Name;
}

/// Lines of a comment: what R computes.
static std::string aboutRegion(const Region &R, StringRef Indent = "") {
  const std::string Formulas = notation(R);
  std::string Text;
  for (StringRef Line : split(Formulas, '\n'))
    if (!Line.empty())
      Text += (Indent + "// " + Line + "\n").str();
  return Text;
}

// --- Loops ------------------------------------------------------------------

namespace {

/// A loop's parts as parameters of a function.
class OutlinedLoop {
public:
  /// Fresh: a name like the one given that nothing in the file has.
  OutlinedLoop(const Region &R, const Candidate &C, const std::string &Name,
               const Options &Opts,
               function_ref<std::string(std::string)> Fresh)
      : Fresh(Fresh) {
    read(R, C, Name);
    if (!Why.isSet())
      Form = emitDeviceLoop(F, R.Rests.Guards, Opts, aboutRegion(R));
  }

  /// What stands in place of the loop where it may.
  std::string call() const {
    std::string Text;
    for (const auto &[V, Element] : Values)
      Text += formatv("raise_value<{0}> {1};\n", V->Ty.cName(), Element).str();
    Text += F.Name + "(" + join(Arguments, ", ") + ");\n";
    for (const auto &[V, Element] : Values)
      Text += formatv("{0} = {1}.get();\n", V->Name, Element).str();
    if (Values.empty()) // to read a value is to wait
      Text += "raise_finish(" + join(Arrays, ", ") + ");\n";
    return Text;
  }

  Reason Why;
  DeviceForm Form;
  std::vector<std::string> Arrays; ///< their names

private:
  function_ref<std::string(std::string)> Fresh;
  Function F;
  std::vector<std::string> Arguments;
  std::vector<std::pair<VarRef, std::string>> Values;

  void read(const Region &R, const Candidate &C, const std::string &Name) {
    std::string Text;
    Outlined O = outlineRegion(R, *C.Raised, Name, Text);
    if (!O.Raised)
      return stop(Text, R);
    if (O.Finished)
      return stop("the loop may leave its function", R);
    if (R.Rests.Inspection)
      return stop("tests before it look at memory", R);
    for (const Guard &G : R.Rests.Guards)
      for (const ExprRef &E : {G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi})
        if (E)
          forEachExpr(E, [&](const ExprRef &Sub) {
            if (isa<Load>(*Sub))
              stop("tests before it look at memory", R);
          });
    F = *O.Raised;
    F.InternalLinkage = true;
    F.Result = Type::getVoid();
    F.Name = Name;
    F.Loc = R.Loc;
    F.Params.clear();
    for (const Param &P : O.Raised->Params)
      if (none_of(O.States, [&](const OutlinedState &S) {
            return P.Buf == S.State || (P.Scalar && P.Scalar == S.V);
          }))
        addParam(P, R);
    std::vector<StmtRef> Before, After;
    // In the order of the function's parameters.
    stable_sort(F.Params, [&](const Param &A, const Param &B) {
      return placeOf(A.name(), *C.Raised) < placeOf(B.name(), *C.Raised);
    });
    for (const Param &P : F.Params) {
      Arguments.push_back(P.name().str());
      if (P.Buf)
        Arrays.push_back(P.name().str());
    }
    for (const OutlinedState &S : O.States)
      addState(S, R, Before, After);
    append_range(Before, statements(R.Body));
    append_range(Before, After);
    F.Body = makeBlock(std::move(Before));
    if (Arrays.empty())
      stop("it uses no array", R);
  }

  static size_t placeOf(StringRef Name, const raise::Function &Of) {
    const auto It =
        find_if(Of.Params, [&](const Param &P) { return P.name() == Name; });
    return It - Of.Params.begin();
  }

  void stop(const Twine &Text, const Region &R) {
    if (!Why.isSet())
      Why = left(Text, R.Loc);
  }

  void addParam(const Param &P, const Region &R) {
    const StringRef Name = P.name();
    if (!all_of(Name, [](char C) { return isAlnum(C) || C == '_'; }))
      return stop("'" + Name + "' is part of an object", R);
    if (P.Scalar && P.Scalar->Kind == VarKind::Cursor)
      return stop("'" + Name + "' is a pointer that moves", R);
    if (P.Buf &&
        (P.Buf->Kind == BufferKind::Local || P.Buf->Kind == BufferKind::Global))
      return stop("'" + Name + "' is an array of the host's", R);
    F.Params.push_back(P);
  }

  /// A scalar that the loop sets.
  void addState(const OutlinedState &S, const Region &R,
                std::vector<StmtRef> &Before, std::vector<StmtRef> &After) {
    bool IsUsed = false;
    forEachExpr(R.Body, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      IsUsed |= U && U->V == S.V;
    });
    assignedVars(R.Body, [&](const VarRef &V) { IsUsed |= V == S.V; });
    if (!IsUsed && !S.WriteBack)
      return; // a counter that is declared outside
    if (!S.WriteBack || S.V->Kind == VarKind::Cursor ||
        StringRef(S.V->Name).contains('.'))
      return stop("'" + S.V->Name + "' has a value that only the host can have",
                  R);
    auto State = std::make_shared<Buffer>(*S.State);
    State->Name = Fresh(S.V->Name + "_element");
    State->Reference = State->Restrict = false;
    State->Extents = {nullptr};
    Access At;
    At.Buf = State;
    At.Indices = {build::intConst(0, Type::getI64())};
    auto Given = std::make_shared<Var>(*S.V);
    Given->Name = Fresh(S.V->Name + "_before");
    Given->Kind = VarKind::Param;
    Before.push_back(std::make_shared<Decl>(S.V, build::var(Given), R.Loc));
    After.push_back(std::make_shared<Store>(At, Combiner::None, build::var(S.V),
                                            false, R.Loc));
    Values.push_back({S.V, State->Name});
    append_range(Arguments, std::vector<std::string>{S.V->Name, State->Name});
    F.Params.push_back({Given, nullptr});
    F.Params.push_back({nullptr, State});
  }
};

} // namespace

namespace {
/// Types, and enumerators, that are declared within a function.
class LocalTypes : public clang::RecursiveASTVisitor<LocalTypes> {
public:
  std::vector<std::string> Names;
  bool VisitTypeDecl(clang::TypeDecl *D) {
    Names.push_back(D->getNameAsString());
    return true;
  }
  bool VisitEnumConstantDecl(clang::EnumConstantDecl *D) {
    Names.push_back(D->getNameAsString());
    return true;
  }
};
} // namespace

/// Why Text, kernels above FD for the body R, would not compile there.
static Reason whyNotAbove(const clang::FunctionDecl &FD, const Region &R,
                          StringRef Text) {
  LocalTypes Local;
  Local.TraverseStmt(FD.getBody());
  for (const std::string &Name : Local.Names)
    if (!Name.empty() && namesIt(Text, Name))
      return left("'" + Name + "' is declared inside of the function", R.Loc);
  Reason Why;
  forEachExpr(R.Body, [&](const ExprRef &E) {
    auto *Called = dyn_cast<Call>(E.get());
    if (Called && Called->Fn->Definition && !Why.isSet())
      Why = left("it calls '" + Called->Fn->Name +
                     "', which is a function of the host",
                 R.Loc);
  });
  return Why;
}

Reason DeviceFile::addLoop(const Candidate &C, const Region &R) {
  if (isa<clang::CXXMethodDecl>(C.Decl))
    return left("it stands in a member function", R.Loc);
  if (C.Decl->isConstexpr())
    return left("it stands in a constexpr function", R.Loc);
  const std::set<std::string> Before = Taken;
  DevicePiece P;
  P.Of = &C;
  P.Raised = &R;
  P.Name = freshName(C.Raised->Name + "_on_device");
  const OutlinedLoop Loop(R, C, P.Name, Opts, [&](std::string Base) {
    return freshName(std::move(Base));
  });
  Reason Why = Loop.Why.isSet() ? Loop.Why : Loop.Form.Why;
  if (!Why.isSet())
    Why = whyNotUse(Loop.Form.Use, R.Loc);
  if (!Why.isSet())
    Why = whyNotAbove(*C.Decl, R, Loop.Form.Text);
  if (Why.isSet()) {
    Taken = Before;
    return Why;
  }
  P.Above = "#ifdef __CUDACC__\n" + Loop.Form.Text + "#endif\n";
  const std::string Tests = emitGuards(R, *C.Raised, Opts);
  P.Condition =
      bothHold("raise_on_device(" + join(Loop.Arrays, ", ") + ")", Tests);
  P.Statement = Loop.call();
  Pieces.push_back(std::move(P));
  return {};
}

// --- Kernels ----------------------------------------------------------------

namespace {

/// The launches of a kernel, behind it in its file.
class LaunchFinder : public clang::RecursiveASTVisitor<LaunchFinder> {
public:
  explicit LaunchFinder(const clang::FunctionDecl &Kernel)
      : Kernel(Kernel), SM(Kernel.getASTContext().getSourceManager()) {}
  std::vector<const clang::CUDAKernelCallExpr *> Found;

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *Call) {
    const clang::FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && Callee->getCanonicalDecl() == Kernel.getCanonicalDecl() &&
        Call->getBeginLoc().isFileID() && Call->getEndLoc().isFileID() &&
        SM.isInMainFile(Call->getBeginLoc()) &&
        SM.isBeforeInTranslationUnit(Kernel.getEndLoc(), Call->getBeginLoc()))
      Found.push_back(Call);
    return true;
  }

private:
  const clang::FunctionDecl &Kernel;
  const clang::SourceManager &SM;
};

} // namespace

/// Behind FD, and the line that it ends on if nothing else does.
static size_t endOf(const clang::FunctionDecl &FD, StringRef Source) {
  const clang::SourceManager &SM = FD.getASTContext().getSourceManager();
  const size_t Own =
      SM.getFileOffset(SM.getExpansionLoc(FD.getEndLoc())) + strlen("}");
  const size_t End = std::min(Source.find('\n', Own), Source.size());
  const StringRef Rest = Source.slice(Own, End).trim();
  if (!Rest.empty() && !Rest.starts_with("//"))
    return Own; // what is there may close a namespace
  return std::min(End + 1, Source.size());
}

Reason DeviceFile::addKernel(const Candidate &C, const Region &R) {
  const clang::FunctionDecl &FD = *C.Decl;
  if (FD.isTemplateInstantiation())
    return left("it is an instance of a template", R.Loc);
  if (isa<clang::CXXMethodDecl>(FD))
    return left("it is a member of a class", R.Loc);
  const clang::SourceManager &SM = Unit.getSourceManager();
  if (!FD.getEndLoc().isFileID() || !SM.isInMainFile(FD.getEndLoc()))
    return left("part of it comes from a macro, or another file", R.Loc);
  const size_t Behind = endOf(FD, Source);
  for (const MarkedBlock &B : Blocks) // that a run before this one wrote
    if (B.Begin >= Behind && StringRef(B.Id).split(':').first == FD.getName() &&
        Source.slice(Behind, B.Begin).trim().empty())
      return {"CR1707", "a block that was emitted before stands behind it",
              R.Loc};
  for (const Param &P : C.Raised->Params)
    if (is_contained({"grid", "block", "bytes", "stream"}, P.name()) ||
        P.name() == C.Raised->Name)
      return left("what launches it has a '" + P.name() + "' of its own",
                  R.Loc);
  LaunchFinder Finder(FD);
  Finder.TraverseDecl(Unit.getASTContext().getTranslationUnitDecl());
  if (Finder.Found.empty())
    return left("nothing behind it in this file launches it", R.Loc);
  const std::set<std::string> Before = Taken;
  DevicePiece P;
  P.Of = &C;
  P.Raised = &R;
  P.Launches = std::move(Finder.Found);
  const std::string Range = freshName(C.Raised->Name + "_range");
  P.Name = freshName(C.Raised->Name + "_launch");
  const DeviceForm Form =
      emitDeviceRange(*C.Raised, Range, Opts, aboutRegion(R));
  Reason Why = Form.Why;
  if (!Why.isSet())
    Why = whyNotUse(Form.Use, R.Loc);
  if (!Why.isSet() && !Form.Use.Shared)
    Why = left("a thread for each point is what it has", R.Loc);
  if (Why.isSet()) {
    Taken = Before;
    return Why;
  }
  std::vector<std::string> Names;
  for (const Param &Each : C.Raised->Params)
    Names.push_back(Each.name().str());
  const std::string Arguments = join(Names, ", ");
  const std::string Tests = emitLaunchCondition(*C.Raised, Opts);
  P.Above =
      Form.Text +
      formatv(
          "\n// {0}<<<grid, block, bytes, stream>>>({1}), by these kernels "
          "where it covers the range.\n"
          "static void {2}(dim3 grid, dim3 block, size_t bytes, cudaStream_t "
          "stream{3}{4}) {{\n"
          "if ({5})\n"
          "{6}(stream{7}{8});\nelse\n"
          "{0}<<<grid, block, bytes, stream>>>({1});\n}\n",
          C.Raised->Name, Arguments, P.Name, Names.empty() ? "" : ", ",
          Form.Parameters,
          bothHold("raise_can_launch(grid, block, bytes)", Tests), Range,
          rangeNeedsLaunch(*C.Raised) ? ", grid, block" : "",
          Names.empty() ? "" : ", " + Arguments)
          .str();
  Pieces.push_back(std::move(P));
  return {};
}

// --- Text -------------------------------------------------------------------

/// Where the lines begin that the declaration of FD, with the comment above it,
/// stands on.
static size_t beginOf(const clang::FunctionDecl &FD, StringRef Source) {
  const clang::SourceManager &SM = FD.getASTContext().getSourceManager();
  clang::SourceLocation Begin = FD.getBeginLoc();
  if (auto *L = dyn_cast<clang::LinkageSpecDecl>(FD.getLexicalDeclContext());
      L && !L->hasBraces())
    Begin = L->getBeginLoc();
  const auto LineBegin = [&](size_t At) {
    return Source.take_front(At).rfind('\n') + 1;
  };
  const size_t Own = SM.getFileOffset(SM.getExpansionLoc(Begin));
  size_t At = LineBegin(Own);
  if (!Source.slice(At, Own).trim().empty())
    return Own; // `namespace n { void f() ...`
  bool InComment = false;
  while (At > 0) {
    const size_t Above = LineBegin(At - 1);
    const StringRef Line = Source.slice(Above, At).trim();
    if (!InComment && Line.ends_with("*/"))
      InComment = true;
    else if (!InComment && !Line.starts_with("//"))
      break;
    if (InComment && Line.contains("/*"))
      InComment = false;
    At = Above;
  }
  return At;
}

Edit DeviceFile::editOf(const DevicePiece &P, StringRef Id) const {
  const Region &R = *P.Raised;
  const StringRef Original = Source.slice(R.Loc.Begin, R.Loc.End);
  const bool IsOne = statements(R.Original).size() == 1;
  const SourceLoc &L = R.Loc;
  const StringRef Line = Source.take_front(L.Begin).rsplit('\n').second;
  const std::string Indent(Line.trim().empty() ? Line.size() : 0, ' ');
  std::string Body = aboutRegion(R, Indent) + Indent +
                     "// As kernels, where a device reaches its arrays.\n"
                     "#ifdef __CUDACC__\nif (" +
                     P.Condition + ") {\n" + P.Statement + "} else\n#endif\n" +
                     (IsOne ? "" : "{\n") + Original.str() +
                     (IsOne ? "" : "\n}") + "\n";
  return makeEdit(R, P.Of->Site, Source, Id, Body);
}

/// Name, of a function beside Kernel, where Call stands.
static std::string nameAt(const clang::CUDAKernelCallExpr &Call,
                          const clang::FunctionDecl &Kernel,
                          const std::string &Name) {
  const clang::SourceManager &SM = Kernel.getASTContext().getSourceManager();
  const auto *Ref =
      dyn_cast<clang::DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts());
  std::string Scope;
  bool Inside = Ref && !Ref->hasQualifier();
  for (const clang::DeclContext *D = Kernel.getLexicalDeclContext(); D;
       D = D->getLexicalParent())
    if (const auto *N = dyn_cast<clang::NamespaceDecl>(D)) {
      if (!N->isAnonymousNamespace() && !N->isInline())
        Scope.insert(0, N->getNameAsString() + "::");
      Inside &= SM.isPointWithin(Call.getBeginLoc(), N->getBeginLoc(),
                                 N->getEndLoc());
    }
  return Inside || Scope.empty() ? Name : "::" + Scope + Name;
}

/// `K<<<grid, block, bytes, stream>>>(args)` as a call of Name.
static std::optional<std::string> callFor(const clang::CUDAKernelCallExpr &Call,
                                          StringRef Name,
                                          const clang::ASTContext &AST) {
  const auto TextOf = [&](const clang::Expr *E) {
    return clang::Lexer::getSourceText(
        clang::Lexer::makeFileCharRange(
            clang::CharSourceRange::getTokenRange(E->getSourceRange()),
            AST.getSourceManager(), AST.getLangOpts()),
        AST.getSourceManager(), AST.getLangOpts());
  };
  const clang::CallExpr *Config = Call.getConfig();
  std::vector<std::string> Args;
  for (unsigned I = 0; I < 4; ++I) {
    const bool Written = I < Config->getNumArgs() &&
                         !isa<clang::CXXDefaultArgExpr>(Config->getArg(I));
    Args.push_back(Written ? TextOf(Config->getArg(I)).str() : "0");
  }
  for (const clang::Expr *A : Call.arguments())
    if (!isa<clang::CXXDefaultArgExpr>(A))
      Args.push_back(TextOf(A).str());
    else
      return std::nullopt; // the launcher has no default
  if (any_of(Args, [](const std::string &A) { return A.empty(); }))
    return std::nullopt;
  return (Name + "(" + join(Args, ", ") + ")").str();
}

Expected<std::string> DeviceFile::text() const {
  if (Pieces.empty())
    return Source.str();
  const clang::ASTContext &AST = Unit.getASTContext();
  const clang::SourceManager &SM = AST.getSourceManager();
  BlockNames Ids(Blocks);
  std::vector<Edit> Edits;
  std::string All;
  const auto Insert = [&](size_t At, std::string Text) {
    Edit E;
    E.Begin = E.End = unsigned(At);
    E.Text = std::move(Text);
    Edits.push_back(std::move(E));
  };
  for (const DevicePiece &P : Pieces) {
    const std::string Above = openBlock(Ids.next(P.Of->Raised->Name), P.Above);
    All += P.Above + P.Statement + P.Condition;
    if (P.Of->isKernel()) {
      const size_t At = endOf(*P.Of->Decl, Source);
      const bool EndsLine = At > 0 && Source[At - 1] == '\n';
      Insert(At, (EndsLine ? "\n" : "\n\n") + Above + "\n");
      for (const clang::CUDAKernelCallExpr *L : P.Launches)
        if (auto Text = callFor(*L, nameAt(*L, *P.Of->Decl, P.Name), AST)) {
          Edit E;
          E.Begin = SM.getFileOffset(L->getBeginLoc());
          E.End = SM.getFileOffset(clang::Lexer::getLocForEndOfToken(
              L->getEndLoc(), 0, SM, AST.getLangOpts()));
          E.Text = std::move(*Text);
          Edits.push_back(std::move(E));
        }
      continue;
    }
    const size_t At = beginOf(*P.Of->Decl, Source);
    const bool BeginsLine = At == 0 || Source[At - 1] == '\n';
    Insert(At, (BeginsLine ? "" : "\n") + Above + "\n\n");
    Edits.push_back(editOf(P, Ids.next(P.Of->Raised->Name)));
  }
  const std::string Helpers = deviceHelpers(All, Source);
  if (!Helpers.empty()) {
    const bool IsCuda = AST.getLangOpts().CUDA;
    Edit E;
    size_t At = behindIncludes(Source); // before all that calls them
    for (const Edit &Other : Edits)
      At = std::min<size_t>(At, Other.Begin);
    E.Begin = E.End = unsigned(At);
    E.Text =
        "\n" +
        openBlock(Ids.next("device"), (IsCuda ? "" : "#ifdef __CUDACC__\n") +
                                          std::string("#include <cstdio>\n"
                                                      "#include <cstdlib>\n") +
                                          StringRef(Helpers).rtrim().str() +
                                          "\n" + (IsCuda ? "" : "#endif\n")) +
        "\n";
    Edits.insert(Edits.begin(), std::move(E));
  }
  stable_sort(Edits,
              [](const Edit &A, const Edit &B) { return A.Begin < B.Begin; });
  std::string Text;
  size_t At = 0;
  for (const Edit &E : Edits) {
    // Blanks between two loops on one line may be both edits'.
    Text += (Source.slice(At, std::max<size_t>(At, E.Begin)) + E.Text).str();
    At = E.End;
  }
  Text += Source.drop_front(At);
  auto Formatted = formatChanged(Source, Text, Source, SourcePath);
  if (!Formatted)
    return Formatted.takeError();
  sealBlocks(*Formatted);
  return Formatted;
}

} // namespace raise
