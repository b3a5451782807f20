//===- GradUnit.cpp - one source file from text to derivatives ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "GradUnit.h"
#include "Cache.h"
#include "Candidate.h"
#include "GradComment.h"
#include "GradFile.h"
#include "GradNames.h"
#include "GradSchedule.h"
#include "ProcessCommands.h"
#include "Review.h"
#include "Rewrite.h"
#include "Rules.h"
#include "Selection.h"
#include "SourceParts.h"
#include "VerifyDerivatives.h"
#include "raise/Driver/ChooseDialect.h"
#include "raise/Driver/Output.h"
#include "raise/Emit/Device.h"
#include "raise/Emit/TraceScope.h"
#include "raise/Frontend/Lift.h"
#include "raise/Frontend/Notes.h"
#include "raise/Frontend/Parse.h"
#include "raise/Transform/Passes.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

namespace {

class GradUnit {
public:
  GradUnit(const SourceFile &Source, StringRef OutputFolder,
           StringRef HeaderName, const UnitSettings &Settings, FileFacts *Facts)
      : Source(Source), OutputFolder(OutputFolder), HeaderName(HeaderName),
        Settings(Settings), Facts(Facts), Tool(*Settings.Tool) {}

  UnitOutput run(const clang::tooling::CompileCommand &Command) {
    if (!readInputs())
      return std::move(Out);
    Cmd = adjustCommand(Command, Settings.Headers);
    addLibraryRules(Cmd, Settings.Headers);
    AST = parseSource(Cmd, Out.Errors, Facts);
    for (Reason &E : Out.Errors)
      localise(E.Loc);
    if (!AST)
      return std::move(Out);
    setOptions();
    readNotes();
    if (const std::string Why =
            whyNotDialect(Opts.Target, AST->getLangOpts(), Source.Display);
        !Why.empty()) {
      fail(Why);
      return std::move(Out);
    }
    const std::vector<const clang::FunctionDecl *> All = functionsOf(*AST);
    for (const clang::FunctionDecl *FD : All) {
      const std::vector<const GradientRequest *> Asked = requestsFor(*FD);
      if (!isTold(*FD, All))
        for (const GradientRequest *G : Asked)
          differentiate(*FD, *G);
    }
    if (Out.Refused.empty() && Out.Errors.empty() && !Items.empty()) {
      writeText();
      if (Out.NewText && verifies())
        verifyDerivatives(
            {Source, Out.OldText, *AST, Cmd, Settings, Cfg, Opts, UserRules},
            *Out.NewText, Items, Eager, Out.Results);
    }
    for (Reason &R : Out.Refused)
      localise(R.Loc);
    for (Result &R : Out.Results)
      localise(R.Why.Loc);
    Out.Details.resize(Out.Results.size());
    addAsked();
    if (Tool.ReportFolder && Out.Errors.empty())
      addRaised();
    return std::move(Out);
  }

private:
  bool fail(const Twine &Text) {
    Out.Errors.push_back({"", Text.str(), {}});
    return false;
  }

  bool verifies() const {
    return Tool.Verify.value_or(Cfg.Verify.value_or(false));
  }

  /// Derivatives do not rest on notes, but inputs of verification do, and wrong
  /// notes are errors in any case.
  void readNotes() {
    Expected<std::vector<MarkedBlock>> Blocks = findBlocks(Out.OldText);
    if (!Blocks) // an edit of the source's matter
      return consumeError(Blocks.takeError());
    Notes.emplace(AST->getASTContext(), AST->getPreprocessor(),
                  AST->getSourceManager().getMainFileID(), rangesOf(*Blocks),
                  Out.Errors);
    for (Reason &E : Out.Errors)
      localise(E.Loc);
  }

  bool readInputs() {
    Expected<std::string> Text = readWhole(Source.Path);
    if (!Text)
      return fail(toString(Text.takeError()));
    Out.OldText = std::move(*Text);
    Expected<Config> C = configFor(Source.Path, Settings.FixedConfig);
    if (!C)
      return fail(toString(C.takeError()));
    Cfg = std::move(*C);
    return true;
  }

  void setOptions() {
    applyCommand(Cmd, Opts);
    if (Cmd.Cuda) // what is made of CUDA is built with -fopenmp
      Opts.OpenMP = Opts.OpenMPSimd = Opts.HasSizeT = true;
    Opts.Alias =
        Tool.Alias ? *Tool.Alias : Cfg.Alias.value_or(AliasMode::Check);
    Opts.FP = Tool.FP ? *Tool.FP : Cfg.FP.value_or(FPMode::Reduce);
    Opts.Target = chooseDialect(Tool, Cfg, AST->getLangOpts());
    if (Opts.Target == Dialect::Cuda) // the device has the threads
      Opts.OpenMP = Opts.OpenMPSimd = Opts.HasSizeT = true;
    Opts.Machine = Cfg.Machine;
    auto Macros = std::make_shared<std::set<std::string>>();
    for (const auto &Macro : AST->getPreprocessor().macros())
      Macros->insert(Macro.first->getName().str());
    Opts.Macros = std::move(Macros);
    UserRules = Rules(Cfg, *AST);
    append_range(Out.Errors, UserRules.unfit());
    Taken = namesOfUnit(*AST);
    Requests = Source.Gradients;
    if (Requests.empty())
      for (const std::string &F : Tool.Functions)
        Requests.push_back({F, Tool.Wrt, Tool.Of, Tool.Forward, Tool.Split,
                            Tool.Directions, ""});
  }

  grad::Request requestOf(const GradientRequest &G,
                          const clang::FunctionDecl &FD) const {
    grad::Request R;
    R.Wrt = G.Wrt;
    R.Of = G.Of;
    R.Alias = Opts.Alias;
    R.FP = Opts.FP;
    // Whole-array expressions are what Eigen is for; a device's threads have no
    // heap.
    if (Opts.Target == Dialect::Eigen)
      R.Sweep = grad::Request::Sweeps::Two;
    else if (Opts.Target == Dialect::Cuda)
      R.Sweep = grad::Request::Sweeps::OnDevice;
    R.Split = G.Split;
    R.Directions = G.Directions;
    R.Taken = Taken;
    for (const auto &[Name, Steps] : Cfg.Steps)
      if (answersTo(FD, Name))
        R.Steps = Steps;
    return R;
  }

  void localise(SourceLoc &L) const {
    if (L.File == Source.Path)
      L.File = Source.Display;
  }

  /// What is asked of FD, each derivative once.
  std::vector<const GradientRequest *>
  requestsFor(const clang::FunctionDecl &FD) {
    Out.FunctionNames.push_back(FD.getQualifiedNameAsString());
    std::vector<const GradientRequest *> Found;
    for (const GradientRequest &G : Requests)
      if (answersTo(FD, G.Function)) {
        Out.FunctionsFound.push_back(G.Function);
        if (none_of(Found, [&](const GradientRequest *Other) {
              return Other->asksTheSameAs(G);
            }))
          Found.push_back(&G);
      }
    return Found;
  }

  SourceLoc placeOf(const clang::FunctionDecl &FD) const {
    const clang::SourceManager &SM = AST->getSourceManager();
    const clang::PresumedLoc P = SM.getPresumedLoc(FD.getLocation());
    SourceLoc Loc;
    Loc.File = Source.Display;
    Loc.Line = P.getLine();
    Loc.Column = P.getColumn();
    return Loc;
  }

  void refuse(Result R, std::vector<Reason> Why) {
    R.Outcome = Status::Failed;
    R.Why = Why.front();
    Out.Results.push_back(std::move(R));
    append_range(Out.Refused, std::move(Why));
  }

  /// Whether F calls what the configuration has a rule for that cannot be used.
  bool hasWrongRule(const Function &F) {
    const std::vector<Reason> Wrong = UserRules.problemsOf(F);
    for (const Reason &Each : Wrong)
      if (none_of(Out.Errors,
                  [&](const Reason &E) { return E.Text == Each.Text; }))
        Out.Errors.push_back(Each);
    return !Wrong.empty();
  }

  /// For the report, what was asked for and has no derivative.
  void addAsked() {
    for (const clang::FunctionDecl *FD : AskedFor) {
      ReviewFunction F;
      F.Name = FD->getQualifiedNameAsString();
      F.Loc = raise::placeOf(FD->getSourceRange(), AST->getASTContext());
      if (none_of(Out.Functions, [&](const ReviewFunction &Known) {
            return Known.Loc.Begin < F.Loc.End && F.Loc.Begin < Known.Loc.End;
          }))
        Out.Functions.push_back(std::move(F));
    }
    stable_sort(Out.Functions,
                [](const ReviewFunction &A, const ReviewFunction &B) {
                  return A.Loc.Begin < B.Loc.Begin;
                });
  }

  /// For the report, what `rewrite` makes of the primals.
  void addRaised() {
    ToolOptions Rewriting = Tool;
    Rewriting.Cmd = raise::Command::Rewrite;
    Rewriting.Functions.clear();
    for (const GradientRequest &G : Requests)
      Rewriting.Functions.push_back(G.Function);
    Rewriting.Verify = false;
    UnitSettings Alone = Settings;
    Alone.Tool = &Rewriting;
    Alone.Cache = nullptr;
    Alone.HeadersBelow.clear();
    UnitOutput Raised = processCommands(Source, OutputFolder, Alone, nullptr);
    if (!Raised.NewText)
      return;
    for (ReviewFunction &F : Out.Functions)
      for (ReviewFunction &Of : Raised.Functions)
        if (Of.Loc.Begin < F.Loc.End && F.Loc.Begin < Of.Loc.End) {
          F.Raised = std::move(Of.Emitted);
          break;
        }
    Out.RaisedText = std::move(Raised.NewText);
  }

  void differentiate(const clang::FunctionDecl &FD, const GradientRequest &G) {
    const SourceLoc Place = placeOf(FD);
    if (Tool.ReportFolder && !is_contained(AskedFor, &FD))
      AskedFor.push_back(&FD);
    Result R;
    R.File = Source.Display;
    R.Line = Place.Line;
    R.Column = Place.Column;
    R.Function = FD.getQualifiedNameAsString();
    R.What = Construct::Function;
    if (const char *Why = whyNotFunction(FD))
      return refuse(std::move(R), {{"CR1807", Why, Place}});
    LiftedFunction L = lift(FD, AST->getASTContext(),
                            {/*Alone=*/true, Opts.Alias == AliasMode::Assume,
                             &UserRules.functions(), Notes ? &*Notes : nullptr,
                             &AST->getPreprocessor()});
    if (!L.F) {
      Reason Why{"CR1807", "the function is not understood", Place};
      if (!L.Stopped.empty()) {
        Why.Text = L.Stopped.front().Text;
        if (L.Stopped.front().Loc.isValid())
          Why.Loc = L.Stopped.front().Loc;
      }
      return refuse(std::move(R), {Why});
    }
    if (hasWrongRule(*L.F))
      return;
    Context Ctx;
    const FunctionRef Threads = std::exchange(L.F, launchLoops(L.F, Ctx));
    const grad::Request Asked = requestOf(G, FD);
    GradItem Item{
        &FD,
        L.F,
        Asked,
        inGoodOrder(grad::derivativeOf(L.F, Asked,
                                       G.Forward ? grad::Mode::Forward
                                                 : grad::Mode::Reverse),
                    Opts),
        std::nullopt,
        {},
        {}};
    if (!Item.Made.F)
      return refuse(std::move(R), atEntry(Item.Made.Refused, G));
    Item.Launches = L.F != Threads;
    Item.Facts = std::move(L.Facts);
    if (G.Split)
      Item.Split = grad::splitAdjoint(*L.F, *Item.Made.F);
    for (const std::string &Name : namesOf(Item)) {
      if (any_of(Items, [&](const GradItem &Other) {
            return Other.Decl == &FD && is_contained(namesOf(Other), Name);
          }))
        return refuse(std::move(R), {{"CR1807",
                                      "two entries of 'gradients' ask for a '" +
                                          Name + "' in one file",
                                      Place}});
      if (AST->getASTContext().Idents.find(Name) !=
              AST->getASTContext().Idents.end() &&
          Taken.count(Name) && !declaresOnly(FD, Name, *AST))
        return refuse(
            std::move(R),
            {{"CR1807", "the source has a '" + Name + "' of its own", Place}});
    }
    if (const std::string Name = hiddenFunction(FD, Item, *AST); !Name.empty())
      return refuse(std::move(R),
                    {{"CR1809",
                      "the derivative calls '" + Name +
                          "' of <math.h>, and that name means something else "
                          "where it would stand",
                      Place}});
    for (const FunctionRef &Helper : Item.Made.Helpers)
      Taken.insert(Helper->Name);
    R.Outcome = Status::Raised;
    R.Rewritten = true;
    R.Kind = G.Forward ? "tangent" : "adjoint";
    R.Notation = notationOf(Item);
    R.Assumptions = assumptionsOf(Item, Opts);
    Item.Of = Out.Results.size();
    Out.Results.push_back(std::move(R));
    GradItem AtOnce = Item;
    write(Item, Opts);
    if (Opts.Target == Dialect::Cuda)
      if (Reason Why = whyNotForDevice(Item); Why.isSet()) {
        R = std::move(Out.Results.back());
        Out.Results.pop_back();
        R.Rewritten = false;
        return refuse(std::move(R), {std::move(Why)});
      }
    keepCalled(Item);
    Items.push_back(std::move(Item));
    if (!verifies() || Opts.Target == Dialect::Cuda)
      return;
    write(AtOnce, eagerOptions(Opts));
    keepCalled(AtOnce);
    Eager.push_back(std::move(AtOnce));
  }

  static void write(GradItem &Item, const Options &Opts) {
    if (!Item.Split) {
      Item.Written = {scheduled(Item.Made, Opts)};
      return;
    }
    grad::Differentiated Part = Item.Made;
    Part.F = Item.Split->Augmented;
    const FunctionRef First = scheduled(Part, Opts);
    Part.F = Item.Split->Reverse;
    Item.Written = {First, scheduledAfter(Part, *First, Opts)};
  }

  /// Why what is written has no form for a device.
  Reason whyNotForDevice(const GradItem &Item) const {
    if (Item.Split)
      return {"CR1813",
              "--split: not written for a device, which would have to keep "
              "what lies between the two",
              Item.Primal->Loc};
    for (const FunctionRef &F : Item.Written)
      if (Reason Why = emitDeviceFunction(*F, Opts).Why; Why.isSet())
        return Why;
    return {};
  }

  /// Leaves those helpers that what is written calls.
  static void keepCalled(GradItem &Item) {
    std::vector<FunctionRef> &Helpers = Item.Made.Helpers, Called;
    for (const FunctionRef &F : Item.Written)
      llvm::append_range(Called, grad::calledOf(*F, Helpers));
    llvm::erase_if(Helpers, [&](const FunctionRef &H) {
      return !llvm::is_contained(Called, H);
    });
  }

  void writeText() {
    Trace Traced;
    GradFileText T = [&] {
      const TraceScope Recorded(Tool.ReportFolder ? &Traced : nullptr);
      return gradFile({*AST, Out.OldText, Source.Path, OutputFolder, HeaderName,
                       Items, Opts, UserRules.derivatives()});
    }();
    if (Tool.ReportFolder) {
      Out.Functions = reviewDerivatives(Items, Traced, Source.Path);
      Out.Details.resize(Out.Results.size());
      for (const GradItem &Item : Items)
        Out.Details[Item.Of].Notes = notesOf(Item);
    }
    if (!T.Errors.empty()) {
      for (Result &R : Out.Results)
        if (R.Outcome == Status::Raised) {
          R.Outcome = Status::Failed;
          R.Rewritten = false;
          R.Why = T.Errors.front();
        }
      append_range(Out.Refused, std::move(T.Errors));
      return;
    }
    for (auto [Text, To] : {std::pair(&T.Text, &Out.NewText),
                            std::pair(&T.Header, &Out.HeaderText)}) {
      if (Text->empty())
        continue;
      Expected<std::string> Formatted =
          formatChanged("", *Text, Out.OldText, Source.Path);
      if (!Formatted) {
        fail(toString(Formatted.takeError()));
        return;
      }
      *To = std::move(*Formatted);
    }
  }

  const SourceFile &Source;
  const StringRef OutputFolder, HeaderName;
  const UnitSettings &Settings;
  FileFacts *Facts; ///< what was read; may be null
  const ToolOptions &Tool;
  Config Cfg;
  Options Opts;
  Rules UserRules;
  std::vector<GradientRequest> Requests;
  std::set<std::string> Taken; ///< names that must not be declared
  ParseCommand Cmd;
  std::unique_ptr<clang::ASTUnit> AST;
  std::optional<SourceNotes> Notes;
  std::vector<GradItem> Items;
  std::vector<GradItem> Eager; ///< the same as Items, for verification
  std::vector<const clang::FunctionDecl *> AskedFor; ///< where it is reported
  UnitOutput Out;
};

} // namespace

/// The derivatives that all the source's commands agree on.
static UnitOutput gradCommands(const SourceFile &Source, StringRef OutputFolder,
                               StringRef HeaderName,
                               const UnitSettings &Settings, FileFacts *Facts) {
  UnitOutput First = GradUnit(Source, OutputFolder, HeaderName, Settings, Facts)
                         .run(Source.Commands.front());
  for (const auto &Command : ArrayRef(Source.Commands).drop_front()) {
    UnitOutput Other =
        GradUnit(Source, OutputFolder, HeaderName, Settings, Facts)
            .run(Command);
    if (!Other.Errors.empty() && First.Errors.empty())
      return Other;
    if (First.NewText && Other.NewText != First.NewText) {
      First.NewText.reset();
      First.Refused.push_back(
          {"CR1712", "the file's compile commands give different results", {}});
    }
  }
  return First;
}

UnitOutput gradUnit(const SourceFile &Source, StringRef OutputFolder,
                    StringRef HeaderName, const UnitSettings &Settings) {
  if (!Settings.Tool->Depfile)
    return gradCommands(Source, OutputFolder, HeaderName, Settings, nullptr);
  FileFacts Facts = settingsFacts(Source.Path, Settings);
  UnitOutput Out =
      gradCommands(Source, OutputFolder, HeaderName, Settings, &Facts);
  Out.Inputs = filesOf(Facts);
  return Out;
}

} // namespace raise
