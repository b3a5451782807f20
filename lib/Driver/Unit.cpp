//===- Unit.cpp - one source file from text to results --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Unit.h"
#include "ArgumentSizes.h"
#include "Candidate.h"
#include "ChooseSources.h"
#include "CollectedResults.h"
#include "ConfiguredMacros.h"
#include "DeviceFile.h"
#include "HeaderFiles.h"
#include "KernelInstances.h"
#include "LaunchSizes.h"
#include "LeftUncalled.h"
#include "LibraryHeaders.h"
#include "ProcessCommands.h"
#include "Review.h"
#include "Rewrite.h"
#include "Selection.h"
#include "SourceLoops.h"
#include "Unreached.h"
#include "UnsetVariables.h"
#include "raise/Driver/ChooseDialect.h"
#include "raise/Driver/CudaFile.h"
#include "raise/Driver/Output.h"
#include "raise/Driver/Project.h"
#include "raise/Emit/OpenMP.h"
#include "raise/Emit/TraceScope.h"
#include "raise/Frontend/Codes.h"
#include "raise/Frontend/Lift.h"
#include "raise/Frontend/Notes.h"
#include "raise/Transform/Passes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace llvm;

namespace raise {

namespace {

/// The file whose text is worked on: a source, or a header of it.
struct Subject {
  std::string Path, Display;
  std::string Spelled; ///< as the AST and places in the IR name it
  clang::FileID File;  ///< set once there is an AST
  bool IsHeader = false;
};

/// One compile command of one source.
class UnitProcessor {
public:
  UnitProcessor(const SourceFile &Source, StringRef OutputFolder,
                const UnitSettings &Settings, FileFacts *Facts)
      : Source(Source), On{Source.Path, Source.Display, Source.Path, {}, false},
        OutputFolder(OutputFolder), Settings(Settings), Facts(Facts),
        Tool(*Settings.Tool) {}

  UnitOutput run(const clang::tooling::CompileCommand &Command) {
    if (!readText() || !readConfig())
      return std::move(Out);
    Cmd = adjustCommand(Command, Settings.Headers);
    Out.Cuda = Cmd.Cuda;
    AST = parseSource(Cmd, Out.Errors, Facts);
    if (!AST) {
      for (Reason &R : Out.Errors)
        localise(R.Loc);
      return std::move(Out);
    }
    On.File = AST->getSourceManager().getMainFileID();
    setOptions();
    if (!fitsTarget() || !readNotes())
      return std::move(Out);
    work();
    if (Out.Errors.empty() && !Settings.HeadersBelow.empty())
      addHeaders(Command.Directory);
    return std::move(Out);
  }

private:
  using Command = raise::Command;

  /// A header of Of's source.
  UnitProcessor(const UnitProcessor &Of, const ProjectHeader &H)
      : Source(Of.Source),
        On{H.Path, displayPath(H.Path), H.Spelled, H.File, true},
        OutputFolder(Of.OutputFolder), Settings(Of.Settings), Facts(nullptr),
        Tool(Of.Tool), Cfg(Of.Cfg), Opts(Of.Opts), Cmd(Of.Cmd), AST(Of.AST) {
    Out.HeaderPath = H.Path;
  }

  void work() {
    const KnownSizes Known(Sizes);
    Arguments = std::make_unique<ArgumentSizes>(AST->getASTContext());
    for (const clang::FunctionDecl *FD : candidates())
      addCandidate(*FD);
    addUnreached();
    chooseEdits();
    if (Tool.Cmd == Command::Rewrite)
      writeText();
    collectResults();
  }

  std::vector<const clang::FunctionDecl *> candidates() const {
    return On.IsHeader ? findCandidates(AST->getASTContext(), On.File)
                       : findCandidates(AST->getASTContext());
  }

  void addHeaders(StringRef Folder) {
    for (const ProjectHeader &H :
         projectHeaders(AST->getASTContext(), Folder, Settings, Facts)) {
      UnitOutput Of = UnitProcessor(*this, H).runOnHeader(H.Problem);
      for (Reason &E : Of.Errors)
        Out.Errors.push_back(std::move(E));
      Out.Headers.push_back(std::move(Of));
    }
  }

  UnitOutput runOnHeader(StringRef Problem) {
    // As it was read, whatever became of it since.
    Out.OldText = AST->getSourceManager().getBufferData(On.File).str();
    if (!readBlocks() || !readNotes())
      return std::move(Out);
    Opts.HasSizeT = declaresSizeT();
    // What is said of a CUDA file is said of what becomes of it.
    if (!Cmd.Cuda && Problem.empty())
      work();
    else if (Tool.Cmd == Command::Rewrite)
      Out.NewText = Out.OldText;
    return std::move(Out);
  }

  //===-- Inputs
  //-----------------------------------------------------------===//

  bool fail(const Twine &Text, SourceLoc Loc = {}) {
    Out.Errors.push_back({"", Text.str(), std::move(Loc)});
    return false;
  }

  /// Text is `<line>: <message>`.
  bool failInLine(StringRef Text) {
    auto [Number, Message] = Text.split(": ");
    SourceLoc Loc;
    Loc.File = On.Display;
    Loc.Column = 1;
    Number.getAsInteger(10, Loc.Line);
    return fail(Message, Loc);
  }

  bool readText() {
    Expected<std::string> Text = readWhole(On.Path);
    if (!Text)
      return fail(toString(Text.takeError()));
    Out.OldText = std::move(*Text);
    return readBlocks();
  }

  bool readBlocks() {
    Expected<std::vector<MarkedBlock>> Found = findBlocks(Out.OldText);
    if (!Found)
      return failInLine(toString(Found.takeError()));
    Blocks = std::move(*Found);
    for (const MarkedBlock &B : Blocks)
      if (B.Edited)
        Out.EditedBlocks.push_back(
            {"CR1709",
             "the block '" + B.Id + "' was edited by hand and is left as it is",
             placeOf(B, On.Display)});
    return true;
  }

  bool readNotes() {
    Notes.emplace(AST->getASTContext(), AST->getPreprocessor(), On.File,
                  rangesOf(Blocks), Out.Errors);
    for (Reason &R : Out.Errors)
      localise(R.Loc);
    return Out.Errors.empty();
  }

  bool readConfig() {
    Expected<Config> C = configFor(Source.Path, Settings.FixedConfig);
    if (!C)
      return fail(toString(C.takeError()));
    Cfg = std::move(*C);
    return true;
  }

  void setOptions() {
    applyCommand(Cmd, Opts);
    // A translated CUDA file is built with -fopenmp.
    if (Cmd.Cuda)
      Opts.OpenMP = Opts.OpenMPSimd = true;
    Opts.FP = Tool.FP ? *Tool.FP : Cfg.FP.value_or(FPMode::Reduce);
    Opts.Alias =
        Tool.Alias ? *Tool.Alias : Cfg.Alias.value_or(AliasMode::Check);
    Opts.Target = chooseDialect(Tool, Cfg, AST->getLangOpts());
    Opts.Blas = Cfg.Blas;
    Opts.Machine = Cfg.Machine;
    Opts.HasSizeT = declaresSizeT();
    auto Macros = std::make_shared<std::set<std::string>>();
    for (const auto &Macro : AST->getPreprocessor().macros())
      Macros->insert(Macro.first->getName().str());
    Opts.Macros = std::move(Macros);
  }

  bool fitsTarget() {
    const std::string Why =
        whyNotDialect(Opts.Target, AST->getLangOpts(), Source.Display);
    return Why.empty() || fail(Why);
  }

  /// Whether `size_t` can be written in every function of the file.
  bool declaresSizeT() const {
    if (Cmd.Cuda) // the runtime header, which comes first, declares it
      return true;
    clang::ASTContext &Ctx = AST->getASTContext();
    std::vector<const clang::FunctionDecl *> Functions = candidates();
    if (Functions.empty())
      return false;
    const clang::SourceManager &SM = AST->getSourceManager();
    for (const clang::NamedDecl *D :
         Ctx.getTranslationUnitDecl()->lookup(&Ctx.Idents.get("size_t")))
      if (llvm::isa<clang::TypedefNameDecl>(D) &&
          SM.isBeforeInTranslationUnit(D->getLocation(),
                                       Functions.front()->getLocation()))
        return true;
    return false;
  }

  bool wantsVerification() const {
    return Tool.Verify.value_or(Cfg.Verify.value_or(false));
  }

  /// Places in the source, and in headers below its folder, are shown as the
  /// user named it.
  void localise(std::string &File) const {
    StringRef Below = File;
    if (File == On.Spelled)
      File = On.Display;
    else if (File == Source.Path)
      File = Source.Display;
    else if (Below.consume_front(sourceFolder()) && Below.consume_front("/"))
      File = StringRef(Source.Display)
                 .drop_back(llvm::sys::path::filename(Source.Display).size())
                 .str() +
             Below.str();
  }
  void localise(SourceLoc &L) const { localise(L.File); }

  //===-- Functions
  //--------------------------------------------------------===//

  bool isSelected(const clang::FunctionDecl &FD) {
    std::string Name = FD.getQualifiedNameAsString();
    Out.FunctionNames.push_back(Name);
    bool Asked = Tool.Functions.empty();
    for (const std::string &F : Tool.Functions)
      if (answersTo(FD, F)) {
        Out.FunctionsFound.push_back(F);
        Asked = true;
      }
    return Asked && Cfg.selects(Name);
  }

  void addCandidate(const clang::FunctionDecl &FD) {
    Candidate C;
    C.Decl = &FD;
    C.Selected = isSelected(FD);
    Considered[patternOf(FD)] |= C.Selected;
    C.Kernel = FD.hasAttr<clang::CUDAGlobalAttr>();
    if (!C.Selected && !C.Kernel)
      return;
    LiftSettings How;
    How.Notes = &*Notes;
    How.Macros = &AST->getPreprocessor();
    LiftedFunction L = lift(FD, AST->getASTContext(), How);
    if (L.F && C.Kernel)
      L.F = withUsualBlock(*L.F, FD);
    C.Lifted = L.F;
    C.Site = editSite(FD);
    if (L.F && !Cmd.Cuda)
      Arguments->add(FD, *L.F, Sizes);
    const bool Fuse = Opts.Fuse && !Cmd.Cuda;
    raiseFor(C, L, Fuse);
    // What cannot be written as one is tried loop by loop.
    if (Fuse && any_of(C.Findings, [&](const Finding &F) {
          return F.Raised && !furtherLoops(*F.Raised).empty() &&
                 (!isOneText(*F.Raised, Out.OldText) ||
                  whyNotLoop(C, *F.Raised).isSet());
        }))
      raiseFor(C, L, /*Fuse=*/false);
    Candidates.push_back(std::move(C));
  }

  FunctionRef withUsualBlock(const Function &F, const clang::FunctionDecl &FD) {
    if (!Launched)
      Launched.emplace(AST->getASTContext());
    auto Known = std::make_shared<Function>(F);
    Known->UsualBlock = Launched->blockOf(FD);
    return Known;
  }

  void raiseFor(Candidate &C, const LiftedFunction &L, bool Fuse) const {
    C.Findings.clear();
    if (L.F) {
      Context Ctx;
      Ctx.Opts = Opts;
      Ctx.Opts.Fuse = Fuse;
      C.Raised = raiseFunction(L.F, Ctx);
      C.Findings = findingsOf(*C.Raised, Ctx.Missed, L.Stopped);
    } else if (C.isKernel()) {
      addUnliftedKernel(C, L.Stopped);
    }
    if (!C.isKernel())
      addUnreachedLoops(C, L.Stopped);
  }

  static void addUnliftedKernel(Candidate &C, ArrayRef<Reason> Stopped) {
    Finding F;
    F.Loc = placeOf(*C.Decl);
    F.R.File = F.Loc.File;
    F.R.Line = F.Loc.Line;
    F.R.Column = F.Loc.Column;
    F.R.Function = C.Decl->getQualifiedNameAsString();
    F.R.What = Construct::Kernel;
    if (!Stopped.empty())
      F.R.Why = Stopped.front();
    C.Findings.push_back(std::move(F));
  }

  /// What the file writes and no candidate covers.
  void addUnreached() {
    auto IsAsked = [&](const clang::FunctionDecl *FD) {
      if (!FD)
        return Tool.Functions.empty() && Cfg.selects("");
      auto Known = Considered.find(FD);
      return Known == Considered.end() ? isSelected(*FD) : Known->second;
    };
    Unreached =
        unreachedConstructs(AST->getASTContext(), On.File, Candidates, IsAsked);
  }

  //===-- Edits
  //------------------------------------------------------------===//

  /// Decides for each finding whether it is rewritten, or why not.
  void chooseEdits() {
    if (forDevice())
      Device.emplace(*AST, Out.OldText, On.Path, Blocks, Opts);
    for (Candidate &C : Candidates)
      for (Finding &F : C.Findings) {
        if (!F.Raised || !C.Selected)
          continue;
        if (liesInBlock(F.Loc, On.Spelled, Blocks))
          continue; // reported as a block
        Reason Why;
        if (forDevice())
          Why = whyNotOnDevice(C, F);
        else if (F.R.What == Construct::Loop)
          Why = whyNotLoop(C, *F.Raised);
        else if (Why = whyNotKernel(*C.Decl, F.Loc); !Why.isSet())
          // A kernel's plain form always pays, but may not be expressible.
          Why = whyNotEmit(*F.Raised, *C.Raised, Opts);
        F.IsTaken = !Why.isSet();
        if (Why.isSet())
          F.R.Why = Why;
        else
          F.R.Rewritten = Tool.Cmd == Command::Rewrite;
      }
  }

  Reason whyNotLoop(const Candidate &C, const Region &R) const {
    if (Cmd.Cuda)
      return {"CR1710",
              C.Lifted->Kind == FunctionKind::Device
                  ? "a device function's loop is rewritten with the kernels "
                    "that call it"
                  : "loops of a CUDA file's host functions are kept as written",
              R.Loc};
    const unsigned Begin = textBegin(R, Out.OldText);
    Reason Why = underDirective(C, R.Loc, Begin);
    if (!Why.isSet() && keepsDirective(R))
      Why = whyNotKept(StringRef(Out.OldText).slice(Begin, R.Loc.Begin).rtrim(),
                       R, Opts);
    // What a lift has not told apart stays all the same.
    if (const auto *Off =
            R.Loc.File == On.Spelled ? Notes->offIn(Begin, R.Loc.End) : nullptr;
        Off && !Why.isSet())
      Why = {codes::TurnedOff,
             "'clang-raise: off' on line " + std::to_string(Off->Line) +
                 " has a part of it left as it is",
             R.Loc};
    if (!Why.isSet())
      Why = whyNotEditable(R, C.Site, Out.OldText, On.Spelled, Blocks);
    if (!Why.isSet())
      Why = whyNotEmit(R, *C.Raised, Opts);
    if (!Why.isSet())
      Why = whyNotSet(*C.Decl, R.Loc);
    return Why.isSet() ? Why : macroTests(C, R).WhyNot;
  }

  bool forDevice() const { return Opts.Target == Dialect::Cuda; }

  /// Adds F, of C, to what is written for a device.
  Reason whyNotOnDevice(const Candidate &C, const Finding &F) {
    const Region &R = *F.Raised;
    if (On.IsHeader)
      return {"CR1813", "not written for a device: it stands in a header",
              R.Loc};
    if (F.R.What == Construct::Loop) {
      Reason Why = whyNotLoop(C, R);
      return Why.isSet() ? Why : Device->addLoop(C, R);
    }
    const Reason Why = whyNotKernel(*C.Decl, F.Loc);
    return Why.isSet() ? Why : Device->addKernel(C, R);
  }

  MacroTests macroTests(const Candidate &C, const Region &R) const {
    if (!Configured)
      Configured = std::make_unique<ConfiguredMacros>(*AST, On.IsHeader);
    return Configured->testsFor(R, *C.Site.Decl, *C.Lifted);
  }

  Expected<std::string> textInPlace() {
    std::vector<raise::Edit> Edits;
    BlockNames Names(Blocks);
    for (Candidate &C : Candidates)
      for (Finding &F : C.Findings)
        if (F.R.Rewritten)
          Edits.push_back(makeEdit(
              *withTests(*F.Raised, macroTests(C, *F.Raised).Guards), *C.Raised,
              C.Site, Out.OldText, Names.next(C.Raised->Name), Opts));
    sort(Edits, [](auto &A, auto &B) { return A.Begin < B.Begin; });
    if (Trace *T = currentTrace()) // in the order of the text
      for (auto [Text, E] : zip_equal(T->Texts, Edits))
        Text = E.Traced;
    nameFunctionsLeft(AST->getASTContext(), On.File, Edits);
    LibraryUse Uses;
    for (const raise::Edit &E : Edits)
      Uses.add(E.Text);
    auto Text = applyEdits(Out.OldText, Edits, On.Path);
    if (!Text)
      return Text;
    return withHeaders(*Text, Uses);
  }

  std::vector<CudaKernel> cudaKernels() {
    std::vector<CudaKernel> Kernels;
    for (Candidate &C : Candidates) {
      if (!C.Decl->hasAttr<clang::CUDAGlobalAttr>())
        continue;
      CudaKernel K;
      K.Decl = C.Decl;
      K.Original = C.Lifted;
      const Finding &F = C.Findings.front();
      if (F.R.Rewritten)
        K.Raised = C.Raised;
      else if (!C.Selected)
        K.Why = {"CR1711", "it was not selected for raising", F.Loc};
      else
        K.Why = F.R.Why;
      localise(K.Why.Loc);
      C.KernelIndex = Kernels.size();
      Kernels.push_back(std::move(K));
    }
    return Kernels;
  }

  StringRef sourceFolder() const {
    return llvm::sys::path::parent_path(Source.Path);
  }

  /// Folder is where the text will lie. Texts that are only compiled and run
  /// lie in no folder that is known yet: they find the source's includes from
  /// the source's folder.
  CudaFileResult translate(CudaMode Mode, StringRef Folder) {
    std::vector<CudaKernel> Kernels = cudaKernels();
    CudaFileResult R = rewriteCudaFile(
        {*AST, Out.OldText, Source.Path, Folder, Kernels, {}, Mode, Opts});
    if (Mode == CudaMode::Rewrite)
      R.Text = withHeaders(R.Text, LibraryUse(R.Text));
    return R;
  }

  Expected<std::string> textOfCuda() {
    CudaFileResult R = translate(CudaMode::Rewrite, OutputFolder);
    Launchers = std::move(R.Launchers);
    for (Reason &E : R.Errors) {
      localise(E.Loc);
      Out.Refused.push_back(std::move(E));
    }
    if (!Out.Refused.empty())
      return std::string();
    return formatChanged(R.Plain, R.Text, Out.OldText, Source.Path + ".cpp");
  }

  /// Sets NewText, or Errors, or Refused.
  void writeText() {
    auto Produce = [&]() -> bool {
      const TraceScope Recorded(Tool.ReportFolder ? &Traced : nullptr);
      Expected<std::string> Text = forDevice() ? Device->text()
                                   : Cmd.Cuda  ? textOfCuda()
                                               : textInPlace();
      if (!Text)
        return fail(toString(Text.takeError()));
      if (!Out.Refused.empty())
        return false;
      Out.NewText = std::move(*Text);
      return true;
    };
    if (Produce() && wantsVerification())
      forDevice() ? leaveUnverified() : verifyText();
  }

  /// Nothing here is assumed to have a device.
  void leaveUnverified() {
    for (Candidate &C : Candidates)
      for (Finding &F : C.Findings)
        if (F.R.Rewritten) {
          F.R.Verified = Verification::Inconclusive;
          F.R.VerifiedDetail = "its kernels are for a GPU; translated by "
                               "rewrite, they can be compared here";
        }
  }

  /// The text that runs raised code for the smallest input; "" where that
  /// is no other text.
  std::string eagerText() {
    const Options Asked = std::exchange(Opts, eagerOptions(Opts));
    Expected<std::string> Text =
        Cmd.Cuda ? translate(CudaMode::Rewrite, sourceFolder()).Text
                 : textInPlace();
    Opts = Asked;
    if (!Text) {
      consumeError(Text.takeError());
      return "";
    }
    return Out.NewText == *Text ? "" : *Text;
  }

  void verifyText() {
    VerifyInput In;
    In.Original = Out.OldText;
    In.Emitted = Out.NewText.value_or("");
    In.Eager = eagerText();
    if (Cmd.Cuda) {
      In.Emitted = translate(CudaMode::Rewrite, sourceFolder()).Text;
      CudaFileResult R = translate(CudaMode::ReferenceExecutor, sourceFolder());
      // What can be rewritten can be translated: an error here is an error
      // there.
      In.Original = std::move(R.Text);
      In.Launchers = Launchers;
    }
    if (On.IsHeader) { // it is tested loop by loop, in what includes it
      In.Loops = In.Original;
      Expected<std::string> Text = readWhole(Source.Path);
      if (!Text) {
        consumeError(Text.takeError());
        return;
      }
      In.Original = std::move(*Text);
    }
    In.SourcePath = Source.Path;
    In.Command = &Cmd;
    In.Settings = &Cfg;
    In.Opts = Opts;
    In.Headers = Settings.Headers;
    const LibraryUse Uses(In.Emitted);
    if (Uses.Eigen)
      In.Eigen = eigenFolder(AST->getPreprocessor(), Cfg.EigenInclude);
    if (Uses.Blas && !findsBlas(AST->getPreprocessor()))
      In.Missing = "<cblas.h> was not found where the compile command looks "
                   "(Debian: libopenblas-dev)";
    if (Uses.Blas)
      In.Library = Cfg.BlasLibrary;
    verifyCandidates(Candidates, In);
  }

  //===-- Results
  //----------------------------------------------------------===//

  void collectResults() {
    if (!Out.Errors.empty())
      return;
    std::vector<Result> All = CollectedResults({On.Spelled, On.Display}, Blocks)
                                  .of(Candidates, Unreached);
    if (Tool.ReportFolder ||
        (Tool.Cmd == Command::Explain && !Tool.Functions.empty())) {
      Out.Details = reviewDetails(All, Candidates);
      Out.Functions = reviewFunctions(Candidates, Traced, On.Spelled);
    }
    for (Result &R : All) {
      if (R.Verified == Verification::Failed) {
        R.Outcome = Status::Failed;
        R.Why = {
            "CR1901", "original and result differ: " + R.VerifiedDetail, {}};
      }
      if (!Out.Refused.empty())
        R.Rewritten = false;
      localise(R.File);
      localise(R.Why.Loc);
    }
    Out.Results = std::move(All);
  }

  const SourceFile &Source;
  Subject On;
  StringRef OutputFolder;
  const UnitSettings &Settings;
  FileFacts *Facts; ///< what was read; may be null
  const ToolOptions &Tool;
  Config Cfg;
  Options Opts;
  ParseCommand Cmd;
  std::shared_ptr<clang::ASTUnit> AST;
  mutable std::unique_ptr<ConfiguredMacros> Configured; ///< once it is asked
  std::unique_ptr<ArgumentSizes> Arguments;
  ArraySizes Sizes; ///< of buffers of Candidates
  std::vector<MarkedBlock> Blocks;
  std::optional<SourceNotes> Notes;
  std::vector<Candidate> Candidates;
  std::optional<LaunchSizes> Launched; ///< once it is asked
  std::optional<DeviceFile> Device;    ///< where that is what is written
  std::vector<Finding> Unreached;
  /// The patterns that were looked at, and whether one of their instantiations
  /// was asked for.
  DenseMap<const clang::FunctionDecl *, bool> Considered;
  std::vector<std::string> Launchers;
  Trace Traced; ///< of what is written, for --report
  UnitOutput Out;
};

} // namespace

UnitOutput processCommands(const SourceFile &Source, StringRef OutputFolder,
                           const UnitSettings &Settings, FileFacts *Facts) {
  UnitOutput First = UnitProcessor(Source, OutputFolder, Settings, Facts)
                         .run(Source.Commands.front());
  for (const auto &Command : ArrayRef(Source.Commands).drop_front()) {
    UnitOutput Other =
        UnitProcessor(Source, OutputFolder, Settings, Facts).run(Command);
    if (!Other.Errors.empty() && First.Errors.empty())
      return Other;
    // The source cannot hold two texts.
    if (First.NewText && Other.NewText != First.NewText)
      leaveForConflict(First);
    append_range(First.Headers, std::move(Other.Headers));
  }
  return First;
}

} // namespace raise
