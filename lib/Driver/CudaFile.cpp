//===- CudaFile.cpp - a CUDA source as portable C++ -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/CudaFile.h"
#include "CudaEdits.h"
#include "CudaHeaders.h"
#include "KernelInstances.h"
#include "LaunchRuns.h"
#include "SourceLoops.h"
#include "SourceParts.h"
#include "raise/Emit/OpenMP.h"
#include "raise/Emit/TraceScope.h"
#include "raise/Transform/Barriers.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessingRecord.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"

using namespace raise;
using namespace clang;
namespace path = llvm::sys::path;

namespace {

/// The names that range functions got, in each scope.
using RangeNames = std::set<std::pair<const DeclContext *, std::string>>;

/// One kernel's text, put together. Plans: the kernel, or all instantiations of
/// a template.
class KernelWriter {
public:
  KernelWriter(ASTContext &AST, EditList &Edits, const CudaFileInput &In,
               const FunctionDecl &FD,
               std::vector<const CudaKernel *> Instances, RangeNames &Taken)
      : AST(AST), SM(AST.getSourceManager()), Edits(Edits), In(In), FD(FD),
        Plans(std::move(Instances)) {
    collectParams();
    if (In.Mode == CudaMode::Rewrite && !takesReservedName())
      for (const CudaKernel *K : Plans)
        if (K->Raised)
          addRange(*K, Taken);
  }

  void run() {
    auto Range = declRange();
    if (!Range || !isPlainDeclaration(*Range))
      return;
    if (!FD.isThisDeclarationADefinition()) {
      Edits.replaceAll(Range->first, Range->second,
                       templateHead() + linkage() + "void " + name() + "(" +
                           launcherParams(/*Names=*/true) + ")");
      return;
    }
    std::string Text;
    for (const RangeText &R : Ranges)
      Text += emitRangeFunction(*R.Kernel, In.Opts, R.Name, R.Of.Name) + "\n";
    if (Ranges.empty() && In.Mode == CudaMode::Rewrite)
      Text += whyComment();
    Text += threadFunction() + "\n\n" + launcher();
    Edits.replaceAll(Range->first, Range->second, Text);
  }

  /// Whether the text asks for <type_traits>.
  bool comparesTypes() const {
    return llvm::any_of(Ranges, [](const RangeText &R) {
      return StringRef(R.Of.Condition).contains("std::is_same_v");
    });
  }

private:
  ASTContext &AST;
  const SourceManager &SM;
  EditList &Edits;
  const CudaFileInput &In;
  const FunctionDecl &FD;
  const std::vector<const CudaKernel *> Plans;
  struct ParamText {
    std::string Declaration, Name;
    std::string Plain; ///< Declaration without its default argument
    bool Used;
  };
  std::vector<ParamText> Params;
  /// What is called over a range, and for which arguments of the template.
  struct RangeText {
    FunctionRef Kernel;
    std::string Name;
    KernelInstance Of;
  };
  std::vector<RangeText> Ranges;

  void addRange(const CudaKernel &K, RangeNames &Taken) {
    RangeText R{K.Raised, name() + "_range", {}};
    if (K.Decl != &FD) {
      R.Of = kernelInstance(*K.Decl);
      const std::string Base = R.Name + "_" + R.Of.Suffix;
      const auto IsFree = [&] {
        return AST.Idents.find(R.Name) == AST.Idents.end() &&
               Taken.insert({FD.getDeclContext(), R.Name}).second;
      };
      R.Name = Base;
      for (unsigned N = 2; !IsFree(); ++N)
        R.Name = Base + "_" + std::to_string(N);
    }
    Ranges.push_back(std::move(R));
  }

  std::string name() const { return FD.getNameAsString(); }

  void collectParams() {
    for (const ParmVarDecl *P : FD.parameters()) {
      ParamText T;
      T.Name = P->getNameAsString();
      T.Used = P->isUsed() || P->isReferenced();
      CharSourceRange R = Lexer::makeFileCharRange(
          CharSourceRange::getTokenRange(P->getSourceRange()), SM,
          AST.getLangOpts());
      T.Declaration = Lexer::getSourceText(R, SM, AST.getLangOpts()).str();
      if (T.Name.empty() || T.Declaration.empty()) {
        if (T.Name.empty())
          T.Name = "unnamed" + std::to_string(Params.size() + 1);
        llvm::raw_string_ostream OS(T.Declaration);
        T.Declaration.clear();
        // (C++ has the dots before the name.)
        const auto *Pack = P->getType()->getAs<PackExpansionType>();
        (Pack ? Pack->getPattern() : P->getType())
            .print(OS, AST.getPrintingPolicy(), (Pack ? "..." : "") + T.Name);
      }
      if (P->isParameterPack())
        T.Name += "...";
      T.Plain = T.Declaration;
      if (P->hasDefaultArg() && !P->hasInheritedDefaultArg()) {
        const auto Begin = Edits.offset(R.getBegin(), "the kernel");
        const auto Value = Edits.offset(P->getDefaultArgRange().getBegin(),
                                        "the default argument");
        const size_t Equals =
            Begin && Value && *Value - *Begin < T.Declaration.size()
                ? T.Declaration.rfind('=', *Value - *Begin)
                : std::string::npos;
        if (Equals == std::string::npos)
          Edits.error("CR1506",
                      "this default argument is not followed; give all "
                      "arguments at the launch",
                      P->getLocation());
        else
          T.Plain = StringRef(T.Declaration).take_front(Equals).rtrim().str();
      }
      Params.push_back(std::move(T));
    }
  }

  /// The launcher's own parameters must not hide the kernel's.
  bool takesReservedName() const {
    return llvm::any_of(Params, [](const ParamText &P) {
      const StringRef Name = StringRef(P.Name).rtrim('.');
      return Name == "grid" || Name == "block";
    });
  }
  std::string gridName() const {
    return takesReservedName() ? "grid_" : "grid";
  }
  std::string blockName() const {
    return takesReservedName() ? "block_" : "block";
  }

  std::string launcherParams(bool Names) const {
    std::string Out =
        Names ? "dim3 " + gridName() + ", dim3 " + blockName() : "dim3, dim3";
    for (const ParamText &P : Params)
      Out += ", " + P.Declaration;
    return Out;
  }

  std::string arguments() const {
    std::string Out;
    for (const ParamText &P : Params)
      Out += (Out.empty() ? "" : ", ") + P.Name;
    return Out;
  }

  const LinkageSpecDecl *bracelessLinkage() const {
    auto *L = dyn_cast<LinkageSpecDecl>(FD.getLexicalDeclContext());
    return L && !L->hasBraces() ? L : nullptr;
  }

  std::string linkage() const {
    if (bracelessLinkage())
      return "extern \"C\" ";
    return FD.getStorageClass() == SC_Static ? "static " : "";
  }

  std::string templateHead() const {
    const FunctionTemplateDecl *T = FD.getDescribedFunctionTemplate();
    if (!T)
      return "";
    SourceRange R(T->getBeginLoc(), T->getTemplateParameters()->getRAngleLoc());
    return Lexer::getSourceText(CharSourceRange::getTokenRange(R), SM,
                                AST.getLangOpts())
               .str() +
           "\n";
  }

  std::string templateArguments() const {
    const FunctionTemplateDecl *T = FD.getDescribedFunctionTemplate();
    if (!T)
      return "";
    std::string Out;
    for (const NamedDecl *P : *T->getTemplateParameters()) {
      if (!P->getIdentifier())
        break; // the body cannot ask for it: its default does
      Out += (Out.empty() ? "<" : ", ") + P->getNameAsString() +
             (P->isParameterPack() ? "..." : "");
    }
    return Out.empty() ? "" : Out + ">";
  }

  std::optional<std::pair<unsigned, unsigned>> declRange() {
    SourceLocation Begin = FD.getBeginLoc();
    if (const FunctionTemplateDecl *T = FD.getDescribedFunctionTemplate())
      Begin = T->getBeginLoc();
    if (const LinkageSpecDecl *L = bracelessLinkage())
      Begin = L->getBeginLoc();
    // `__global__` itself is a macro: its name is what stands in the file.
    if (Begin.isMacroID() && !SM.isMacroArgExpansion(Begin)) {
      if (!Lexer::isAtStartOfMacroExpansion(Begin, SM, AST.getLangOpts())) {
        Edits.offset(Begin, "the kernel");
        return std::nullopt;
      }
      Begin = SM.getExpansionLoc(Begin);
    }
    // One that a macro's definition writes has no text of its own.
    if (const clang::Stmt *Body =
            FD.isThisDeclarationADefinition() ? FD.getBody() : nullptr;
        Body && Body->getBeginLoc().isMacroID() &&
        !SM.isMacroArgExpansion(Body->getBeginLoc())) {
      Edits.error("CR1502",
                  "a kernel that a macro writes is not translated; write out "
                  "what the macro stands for",
                  FD.getLocation());
      return std::nullopt;
    }
    auto B = Edits.offset(Begin, "the kernel");
    auto E = Edits.offsetAfter(FD.getEndLoc(), "the kernel");
    if (!B || !E)
      return std::nullopt;
    return std::make_pair(*B, *E);
  }

  /// Whether the launcher can stand where the declaration does; else says why
  /// not.
  bool isPlainDeclaration(std::pair<unsigned, unsigned> Range) {
    const char *Why = nullptr;
    if (FD.getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
      Why = "an explicit specialization of a kernel is not translated; write "
            "a kernel of its own";
    else if (FD.getQualifier())
      Why = "a kernel that is defined outside of its namespace or class is not "
            "translated; define it inside";
    if (Why) {
      Edits.error("CR1502", Why, FD.getLocation());
      return false;
    }
    unsigned End = Range.second;
    if (FD.isThisDeclarationADefinition())
      if (auto At = Edits.offset(SM.getFileLoc(FD.getBody()->getBeginLoc()),
                                 "the kernel"))
        End = *At;
    const std::string Head = Edits.original(Range.first, End);
    llvm::SmallVector<StringRef> Lines;
    StringRef(Head).split(Lines, '\n');
    if (llvm::none_of(Lines,
                      [](StringRef L) { return L.ltrim().starts_with("#"); }))
      return true;
    Edits.error("CR1502",
                "a kernel whose declaration has preprocessor directives in it "
                "is not translated; write them before it",
                FD.getLocation());
    return false;
  }

  static std::string reasonText(const Reason &Why) {
    std::string Place = Why.Loc.isValid()
                            ? (" (" + path::filename(Why.Loc.File) + ":" +
                               llvm::Twine(Why.Loc.Line) + ")")
                                  .str()
                            : "";
    return Why.Text + Place + " [" + Why.Code + "]";
  }

  std::string whyComment() const {
    if (Plans.empty() || !Plans.front()->Why.isSet())
      return "// Runs as written on the reference executor.\n";
    return "// Runs as written on the reference executor: " +
           reasonText(Plans.front()->Why) + ".\n";
  }

  /// What the thread function is there for, beside range functions.
  std::string threadComment() const {
    if (Ranges.empty())
      return "";
    if (!FD.getDescribedFunctionTemplate())
      return "// As written, for launches that the range does not describe: "
             "what one thread does.\n";
    std::string Out =
        Ranges.size() > 1
            ? "// As written, for launches that the ranges do not describe"
            : "// As written, for launches that the range does not describe";
    Out += " and for other arguments of the template: what one thread does.\n";
    for (const CudaKernel *K : Plans)
      if (!K->Raised && K->Why.isSet())
        Out += "// " + nameOfInstance(*K->Decl) + ": " + reasonText(K->Why) +
               ".\n";
    return Out;
  }

  std::string threadFunction() {
    std::string Out =
        threadComment() + templateHead() + "static void " + name() + "_thread(";
    bool First = true;
    for (const ParamText &P : Params) {
      Out += (First ? "" : ", ");
      if (!P.Used)
        Out += "[[maybe_unused]] ";
      Out += P.Plain;
      First = false;
    }
    const clang::Stmt *Body = FD.getBody();
    auto B = Edits.offset(SM.getFileLoc(Body->getBeginLoc()), "the kernel");
    auto E = Edits.offset(SM.getFileLoc(Body->getEndLoc()), "the kernel");
    const std::string Text = B && E ? Edits.text(*B, *E + 1) : "";
    if (Ranges.empty() && B && E)
      traceAsWritten(Out + ") ", Text, Edits.original(*B, *E + 1));
    return Out + ") " + Text;
  }

  /// For a report: the lines of Body, which were those of Original.
  void traceAsWritten(StringRef Head, StringRef Body, StringRef Original) {
    Trace *To = currentTrace();
    if (!To)
      return;
    TracedText T;
    T.Of = !Plans.empty() && Plans.front()->Original
               ? Plans.front()->Original->Loc
               : placeOf(FD.getSourceRange(), AST);
    const bool SameLines = Body.count('\n') == Original.count('\n');
    SourceLoc At = T.Of;
    At.Begin = SM.getFileOffset(SM.getFileLoc(FD.getBody()->getBeginLoc()));
    for (bool First = true; !Body.empty(); First = false) {
      const auto [Line, Rest] = Body.split('\n');
      At.End = At.Begin + unsigned(Original.split('\n').first.size());
      T.Lines.push_back({First ? (Head + Line).str() : Line.str(),
                         SameLines ? Origins{At} : Origins{}});
      At.Begin = At.End + 1;
      Original = Original.split('\n').second;
      Body = Rest;
    }
    To->Texts.push_back(std::move(T));
  }

  std::string launcher() const {
    std::string Grid = gridName(), Block = blockName();
    std::string Out = templateHead() + linkage() + "void " + name() + "(" +
                      launcherParams(true) + ") {\n" +
                      "  if (!raise::beginLaunch(" + Grid + ", " + Block +
                      "))\n    return;\n";
    for (const RangeText &R : Ranges) {
      const std::string Cond = emitLaunchCondition(*R.Kernel, In.Opts);
      const std::string Call = R.Name + "(" + rangeArguments(R) + ");\n";
      const bool Always = Cond == "true";
      if (R.Of.Condition.empty() && Always)
        return Out + "  " + Call + "}";
      if (!R.Of.Condition.empty())
        Out += "  if constexpr (" + R.Of.Condition + ") {\n";
      Out += (Always ? "" : "  if (" + Cond + ") {\n") + ("    " + Call) +
             "    return;\n" + (Always ? "" : "  }\n");
      if (!R.Of.Condition.empty())
        Out += "  }\n";
    }
    return Out + "  raise_simt::launch(" + Grid + ", " + Block +
           ", raise::launchSharedBytes(), [&] { " + name() + "_thread" +
           templateArguments() + "(" + arguments() + "); }, \"" + name() +
           "\");\n}";
  }

  /// A range that ends with the launch, not with a parameter, is told the
  /// launch.
  std::string rangeArguments(const RangeText &R) const {
    std::string Args = arguments();
    if (!rangeNeedsLaunch(*R.Kernel))
      return Args;
    return Args.empty() ? "grid, block" : "grid, block, " + Args;
  }
};

/// Finds the kernels' declarations in all that is translated.
class KernelFinder : public RecursiveASTVisitor<KernelFinder> {
public:
  explicit KernelFinder(const EditList &Edits) : Edits(Edits) {}
  std::vector<const FunctionDecl *> Kernels;

  /// Explicit instantiations, which stand in the text as what they were.
  std::vector<const FunctionDecl *> Instantiated;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *FD) {
    const auto Kind = FD->getTemplateSpecializationKind();
    if ((Kind == TSK_ExplicitInstantiationDeclaration ||
         Kind == TSK_ExplicitInstantiationDefinition) &&
        FD->hasAttr<CUDAGlobalAttr>() && Edits.covers(FD->getLocation()))
      Instantiated.push_back(FD);
    if (!FD->isTemplateInstantiation() && FD->hasAttr<CUDAGlobalAttr>() &&
        Edits.covers(FD->getLocation()))
      Kernels.push_back(FD);
    return true;
  }

private:
  const EditList &Edits;
};

} // namespace

/// What CUDA leaves undefined has no translation to be equal to.
static void refuseUndefined(const CudaFileInput &In, EditList &Edits) {
  const SourceManager &SM = In.Unit.getSourceManager();
  for (const CudaKernel &K : In.Kernels) {
    if (!K.Original || !K.Decl)
      continue;
    if (!SM.isInMainFile(SM.getExpansionLoc(K.Decl->getLocation())) &&
        !K.Decl->isReferenced())
      continue; // a header's, which this source does not launch
    if (Reason Why = findDivergentBarrier(*K.Original); Why.Code == "CR1404")
      Edits.Errors.push_back(std::move(Why));
    if (K.Why.Code == "CR1405")
      Edits.Errors.push_back(K.Why);
  }
}

CudaFileResult raise::rewriteCudaFile(const CudaFileInput &In) {
  ASTContext &AST = In.Unit.getASTContext();
  const SourceManager &SM = AST.getSourceManager();
  EditList Edits(SM, AST.getLangOpts()), Plain(SM, AST.getLangOpts());
  CudaFileResult Result;
  for (const HostEdit &H : In.HostEdits)
    Edits.replace(H.Begin, H.End, H.Text);
  llvm::ArrayRef<SourceRange> Skipped;
  if (auto *Record = In.Unit.getPreprocessor().getPreprocessingRecord())
    Skipped = Record->getSkippedRanges();
  editBodies(AST, Edits, Skipped);
  KernelFinder Finder(Edits);
  Finder.TraverseDecl(AST.getTranslationUnitDecl());
  refuseUndefined(In, Edits);
  for (const FunctionDecl *FD : Finder.Instantiated)
    Edits.error("CR1502",
                "an explicit instantiation of a kernel is not translated; "
                "launch it where the template is known",
                FD->getPointOfInstantiation());
  auto FileOf = [&](const FunctionDecl *FD) {
    return SM.getFileID(SM.getExpansionLoc(FD->getLocation()));
  };
  std::set<FileID> WithKernels;
  for (const FunctionDecl *FD : Finder.Kernels)
    WithKernels.insert(FileOf(FD));
  const CudaHeaders Headers(In.Unit, Edits, std::move(WithKernels));
  const CudaHeaders::Folders Folders{path::parent_path(In.SourcePath),
                                     In.OutputFolder};
  RangeNames Taken;
  bool ComparesTypes = false;
  for (const FileID File : Headers.innermostFirst()) {
    Headers.mendIncludes(File, Folders, Edits);
    Headers.mendIncludes(File, Folders, Plain);
    for (const FunctionDecl *FD : Finder.Kernels) {
      if (FileOf(FD) != File)
        continue;
      std::vector<const CudaKernel *> Plans;
      for (const CudaKernel &K : In.Kernels)
        if (K.Decl &&
            (K.Decl == FD || K.Decl->getTemplateInstantiationPattern() == FD))
          Plans.push_back(&K);
      KernelWriter Writer(AST, Edits, In, *FD, std::move(Plans), Taken);
      Writer.run();
      ComparesTypes |= Writer.comparesTypes();
    }
    Headers.paste(File, Edits);
    Headers.paste(File, Plain);
  }
  joinLaunchRuns(In, Edits);
  if (!Edits.Errors.empty()) {
    Result.Errors = std::move(Edits.Errors);
    return Result;
  }
  const auto Main = Edits.textOf(SM.getMainFileID());
  std::string Text = Edits.text(Main.first, Main.second);
  const StringRef Mark = "\xEF\xBB\xBF"; // of UTF-8, which begins a file
  const size_t First = StringRef(Text).starts_with(Mark) ? Mark.size() : 0;
  std::string Head = "#include <raise/simt.h>\n";
  if (ComparesTypes)
    Head += "#include <type_traits>\n";
  // What asks for a compiler of CUDA gets the answer that it got here.
  for (const char *Macro : {"__CUDACC__", "__NVCC__"})
    if (Edits.mentions(Macro))
      Head += std::string("#define ") + Macro + " 1\n";
  // It was read without OpenMP, which it is built with.
  if (Edits.mentions("_OPENMP") && !AST.getLangOpts().OpenMP)
    Head += "#undef _OPENMP\n";
  Text.insert(First, Head);
  Result.Text = std::move(Text);
  Result.Plain = Plain.text(Main.first, Main.second);
  for (const CudaKernel &K : In.Kernels)
    Result.Launchers.push_back(K.Decl ? K.Decl->getNameAsString() : "");
  return Result;
}
