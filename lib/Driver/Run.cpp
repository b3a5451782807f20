//===- Run.cpp - a run over sources or a database -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Run.h"
#include "Cache.h"
#include "ChooseSources.h"
#include "ConfiguredGradients.h"
#include "Deliver.h"
#include "Depfile.h"
#include "Destinations.h"
#include "Fixes.h"
#include "GradUnit.h"
#include "HeaderFiles.h"
#include "Progress.h"
#include "ReportFolder.h"
#include "raise/Driver/Diff.h"
#include "raise/Driver/Output.h"
#include "raise/Driver/Project.h"
#include "raise/Driver/Unit.h"
#include "raise/Report/Explained.h"
#include "raise/Report/Json.h"
#include "raise/Report/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>

using namespace llvm;

namespace raise {

namespace {

std::atomic<bool> Crashed{false};

constexpr int Done = 0, CheckFailed = 1, Unusable = 2;

class Run {
public:
  Run(ToolOptions Options, StringRef Headers, raw_ostream &Out,
      raw_ostream &Err)
      : Opts(std::move(Options)), Out(Out), Err(Err) {
    Settings.Tool = &Opts;
    Settings.Headers = Headers.str();
    // What is kept has not what a report shows of each function.
    if (Opts.Cmd != Command::Grad && !Opts.ReportFolder)
      Settings.Cache = &Cache;
  }

  int execute() {
    if (Error E = prepare())
      return error(toString(std::move(E)));
    Units = processAll(Sources);
    takeHeaders();
    if (Error E = checkFunctionNames())
      return error(toString(std::move(E)));
    if (editsSources(Opts))
      reconcile(Sources, Units);
    for (size_t I = 0; I < Sources.size(); ++I)
      deliver(Sources[I], Units[I]);
    noteUnverified();
    writeReports();
    if (Opts.ReportFolder)
      if (Error E =
              writeReport(*Opts.ReportFolder, nameOf(Opts.Cmd), Sources, Units))
        return error(toString(std::move(E)));
    return ExitStatus;
  }

private:
  //===-- Before --------------------------------------------------------===//

  Error prepare() {
    if (Opts.ConfigFile) {
      Expected<Config> C = loadConfig(*Opts.ConfigFile);
      if (!C)
        return C.takeError();
      Settings.FixedConfig = std::move(*C);
    }
    Expected<std::vector<SourceFile>> Found = findSources(Opts);
    if (!Found)
      return Found.takeError();
    Sources = std::move(*Found);
    if (Opts.Cmd == Command::Grad && Opts.Functions.empty()) {
      Found = configuredGradients(Sources, Opts.Sources.empty(),
                                  Settings.FixedConfig);
      if (!Found)
        return Found.takeError();
      Sources = std::move(*Found);
    }
    std::vector<std::string> Paths;
    Paths.reserve(Sources.size());
    for (const SourceFile &S : Sources)
      Paths.push_back(S.Path);
    const std::string Root = commonFolder(Paths);
    takeShard(Sources, Opts, Root);
    if (Error E = leaveOutOthers())
      return E;
    To = Destinations(Opts, Sources, Root);
    return To.check(Sources);
  }

  Error leaveOutOthers() {
    const std::string Project = projectRoot(Opts.BuildPath);
    const bool Any = !Sources.empty();
    const std::vector<Reason> Said =
        leaveOut(Sources, Opts, Settings.FixedConfig, Project, LeftOut);
    for (const Reason &R : Said)
      printMessage(Err, R.Loc.File, 0, 0, Severity::Note, R.Text);
    if (Any && Sources.empty() && editsSources(Opts) && Opts.Sources.empty() &&
        Opts.Shards == 1 && none_of(LeftOut, [&](const SourceFile &S) {
          return liesBelow(Project, S.Path);
        }))
      return fail("nothing of the database is edited; is '" + Project +
                  "' the project's folder? A file .clang-raise marks it");
    // A header is edited as all its sources see it, so all must be there.
    if (Opts.Sources.empty() && Opts.Shards == 1 &&
        (Opts.Cmd == Command::Explain || editsSources(Opts)))
      Settings.HeadersBelow = Project;
    return Error::success();
  }

  static Error fail(const Twine &Text) {
    return createStringError(inconvertibleErrorCode(), Text);
  }

  //===-- All units, several at once
  //-----------------------------------------===//

  std::vector<UnitOutput> processAll(ArrayRef<SourceFile> Sources) {
    std::vector<UnitOutput> Units(Sources.size());
    DefaultThreadPool Pool(hardware_concurrency(Opts.Jobs));
    Progress Shown(Err, Sources.size(),
                   Err.is_displayed() && Sources.size() > 1);
    CrashRecoveryContext::Enable();
    for (size_t I = 0; I < Sources.size(); ++I)
      Pool.async([&, I] {
        Shown.started(Sources[I].Display);
        Units[I] = processSafely(Sources[I]);
        Shown.finished(Sources[I].Display, !Units[I].Errors.empty());
      });
    Pool.wait();
    return Units;
  }

  /// Headers become entries of Sources and Units.
  void takeHeaders() {
    if (Settings.HeadersBelow.empty())
      return;
    // What is left alone may include a header, too.
    std::vector<UnitOutput> Witnesses;
    if (editsHeaders(Units))
      Witnesses = processAll(LeftOut);
    std::string Doubt;
    for (const auto &[Files, Of] :
         {std::pair(&Sources, &Units), std::pair(&LeftOut, &Witnesses)})
      for (auto [S, U] : zip(*Files, *Of))
        if (!U.Errors.empty() && Doubt.empty() && !isAssembly(S.Path))
          Doubt = "'" + S.Display +
                  "', which may include the file, could not be read";
    addHeaders(Sources, Units, Witnesses, Doubt);
  }

  static bool isAssembly(StringRef Path) {
    return StringRef(Path.lower()).ends_with(".s") ||
           StringRef(Path.lower()).ends_with(".asm");
  }

  /// A source that the tool cannot survive does not take the others along.
  UnitOutput processSafely(const SourceFile &S) {
    UnitOutput Out;
    CrashRecoveryContext Context;
    if (Context.RunSafely([&] { Out = processOne(S); }))
      return Out;
    Crashed = true;
    UnitOutput Nothing;
    Nothing.Errors.push_back(
        {"",
         "clang-raise crashed on this source, which is left as it is; please "
         "report it",
         {}});
    return Nothing;
  }

  UnitOutput processOne(const SourceFile &S) {
    if (!S.Problem.empty()) {
      UnitOutput Out;
      Out.Errors.push_back({"", S.Problem, {}});
      return Out;
    }
    SmallString<256> Folder(To.of(S));
    if (Folder.empty())
      Folder = S.Path;
    (void)sys::fs::make_absolute(Folder);
    sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
    const StringRef Where = sys::path::parent_path(Folder);
    return Opts.Cmd == Command::Grad
               ? gradUnit(S, Where,
                          sys::path::filename(Destinations::headerOf(To.of(S))),
                          Settings)
               : processUnit(S, Where, Settings);
  }

  /// Before anything is written: a name that no function has is a mistake in
  /// the command line, not a request to do nothing.
  Error checkFunctionNames() {
    // What cannot be read, or is another shard's, may hold the function.
    if (Opts.Shards > 1 ||
        any_of(Units, [](const UnitOutput &U) { return !U.Errors.empty(); }))
      return Error::success();
    if (Error E = checkConfiguredNames(Sources, Units))
      return E;
    for (const std::string &F : Opts.Functions) {
      auto Finds = [&](const UnitOutput &U) {
        return is_contained(U.FunctionsFound, F);
      };
      if (any_of(Units, Finds))
        continue;
      std::vector<StringRef> Names;
      for (const UnitOutput &U : Units)
        Names.insert(Names.end(), U.FunctionNames.begin(),
                     U.FunctionNames.end());
      StringRef Nearest = nearestName(StringRef(F).split('(').first, Names);
      const std::string None =
          Opts.Cmd == Command::Grad
              ? "no function with a body is called '"
              : "no kernel, and no function with a loop, is called '";
      return fail(None + F + "'" +
                  (Nearest.empty()
                       ? std::string()
                       : "; did you mean '" + Nearest.str() + "'?"));
    }
    return Error::success();
  }

  //===-- One unit's results
  //---------------------------------------------------===//

  int error(const Twine &Text) {
    printMessage(Err, "clang-raise", 0, 0, Severity::Error, Text.str());
    Problems.push_back({"", Text.str(), {}});
    worsen(Unusable);
    return ExitStatus;
  }

  void worsen(int Status) { ExitStatus = std::max(ExitStatus, Status); }

  void printReasons(const SourceFile &S, ArrayRef<Reason> Reasons,
                    Severity How) {
    for (const Reason &R : Reasons) {
      std::string Text = R.Text;
      if (!R.Code.empty())
        Text += " [" + R.Code + "]";
      bool Placed = R.Loc.isValid();
      printMessage(Err, Placed ? R.Loc.File : S.Display, R.Loc.Line,
                   R.Loc.Column, How, Text);
    }
  }

  /// For the reports; a reason without a place is that of the file.
  static void record(const SourceFile &S, ArrayRef<Reason> Reasons,
                     std::vector<Reason> &Into) {
    for (Reason R : Reasons) {
      if (R.Loc.File.empty())
        R.Loc.File = S.Display;
      Into.push_back(std::move(R));
    }
  }

  void deliver(const SourceFile &S, UnitOutput &U) {
    if (!U.Errors.empty()) {
      printReasons(S, U.Errors, Severity::Error);
      record(S, U.Errors, Problems);
      if (S.Problem.empty())
        printMessage(Err, S.Display, 0, 0, Severity::Error,
                     "the source could not be used; mend the errors above, or "
                     "its compile command");
      return worsen(Unusable);
    }
    raw_ostream &Remarks =
        Opts.Cmd == Command::Explain && Opts.JsonFile != "-" ? Out : Err;
    if (Opts.Cmd != Command::Grad)
      printRemarks(Remarks, S, U);
    else
      printVerified(U);
    checkRequirements(S, U);
    if (Opts.Cmd == Command::Rewrite ||
        (Opts.Cmd == Command::Grad && (U.NewText || !U.Refused.empty())))
      deliverText(S, U);
    append_range(Results, U.Results);
  }

  /// --quiet leaves what somebody must look at: a verification without a
  /// result.
  bool isSaid(const Result &R) const {
    return !Opts.Quiet || R.Verified == Verification::Inconclusive;
  }

  /// Of functions that were asked for, under the lines that they are about.
  void printRemarks(raw_ostream &OS, const SourceFile &S, const UnitOutput &U) {
    std::vector<bool> Printed(U.Results.size(), false);
    if (Opts.Cmd == Command::Explain && !Opts.Functions.empty())
      for (const ReviewFunction &F : U.Functions) {
        const std::vector<bool> There =
            printExplained(OS, U.OldText, F, U.Results, S.Display);
        for (size_t I = 0; I < There.size(); ++I)
          Printed[I] = Printed[I] || There[I];
      }
    for (auto [R, Done] : zip_equal(U.Results, Printed))
      if (!Done && isSaid(R)) // the text of another file is not at hand
        printRemark(OS, R, R.File == S.Display ? U.OldText : "");
  }

  /// Of derivatives; failures are errors, and told where nothing is written.
  void printVerified(const UnitOutput &U) {
    for (const Result &R : U.Results)
      if (isSaid(R) && (R.Verified == Verification::Passed ||
                        R.Verified == Verification::Inconclusive))
        printMessage(Err, R.File, R.Line, R.Column, Severity::Remark,
                     "the " + R.Kind + " of '" + R.Function +
                         "': verification " +
                         (R.Verified == Verification::Passed ? "passed"
                                                             : "inconclusive") +
                         " (" + R.VerifiedDetail + ")");
  }

  void checkRequirements(const SourceFile &S, const UnitOutput &U) {
    for (const Result &R : U.Results) {
      bool Required = R.What == Construct::Kernel || !Opts.Functions.empty();
      if (Opts.RequireRaised && Required && R.Outcome == Status::Left)
        complain(R.File, R.Line, R.Column,
                 "'" + R.Function +
                     "' is left, which --require-raised forbids");
      if (Opts.RequireVerified && R.Rewritten &&
          R.Verified == Verification::None)
        complain(R.File, R.Line, R.Column,
                 "'" + R.Function +
                     "' was not verified, which --require-verified forbids");
      if (Opts.RequireVerified && R.Verified == Verification::Inconclusive)
        complain(R.File, R.Line, R.Column,
                 "verification of '" + R.Function +
                     "' is inconclusive, which --require-verified forbids");
    }
    if (!U.Refused.empty()) {
      printReasons(S, U.Refused, Severity::Error);
      record(S, U.Refused, Refused);
      complain(S.Display, 0, 0,
               Opts.Cmd == Command::Grad
                   ? "a function cannot be differentiated; nothing is written "
                     "for this file"
                   : "the file cannot be translated; nothing is "
                     "written for it");
    }
  }

  void complain(StringRef File, unsigned Line, unsigned Column,
                const Twine &Text) {
    printMessage(Err, File, Line, Column, Severity::Error, Text.str());
    Problems.push_back(
        {"", Text.str(), {File.str(), Line, Column, 0, 0, false}});
    worsen(CheckFailed);
  }

  void deliverText(const SourceFile &S, UnitOutput &U) {
    bool Bad = !U.NewText;
    for (const Result &R : U.Results)
      if (R.Verified == Verification::Failed) {
        complain(R.File, R.Line, R.Column,
                 "verification of '" + R.Function +
                     "' failed; nothing is written for this file" +
                     (R.VerifiedDetail.empty() ? "" : ": " + R.VerifiedDetail));
        Bad = true;
      }
    if (!Bad && U.Cuda && editsSources(Opts) && Opts.Target != Dialect::Cuda) {
      printMessage(Err, S.Display, 0, 0, Severity::Error, NotInPlace);
      worsen(Unusable);
      Bad = true;
    }
    if (!Bad && Opts.SarifFile && editsSources(Opts) && !Opts.InPlace)
      offerFixes(S, U);
    if (Opts.Check)
      return check(S, U, Bad);
    if (!Bad)
      return write(S, *U.NewText, U);
    for (Result &R : U.Results)
      R.Rewritten = false;
  }

  void check(const SourceFile &S, UnitOutput &U, bool Bad) {
    for (Result &R : U.Results)
      R.Rewritten = false;
    if (Bad)
      return;
    for (const Reason &R : U.EditedBlocks)
      complain(R.Loc.File, R.Loc.Line, R.Loc.Column,
               R.Text + "; delete its two marker lines to keep the edit");
    std::string Path = To.of(S);
    compare(Path == S.Path ? S.Display : displayPath(Path), Path, *U.NewText);
    if (U.HeaderText)
      compare(displayPath(Destinations::headerOf(Path)),
              Destinations::headerOf(Path), *U.HeaderText);
  }

  /// Shows what would change, and how it comes about.
  void compare(const std::string &Shown, StringRef Path, StringRef Text) {
    Expected<std::string> Now = readWhole(Path);
    if (!Now)
      return complain(Shown, 0, 0,
                      toString(Now.takeError()) +
                          "; to write it, run: " + Opts.Repair);
    if (Text == *Now)
      return;
    complain(Shown, 0, 0,
             "is not what would be written; to mend it, run: " + Opts.Repair);
    // Standard output may be taken by --json=-.
    (Opts.JsonFile == "-" ? Err : Out) << unifiedDiff(*Now, Text, Shown, Shown);
  }

  void write(const SourceFile &S, StringRef Text, UnitOutput &U) {
    if (Opts.Diff) {
      Out << unifiedDiff(U.OldText, Text, S.Display, S.Display);
      return;
    }
    if (Opts.FixesFile)
      return addFixes(S, Text, U);
    std::string Path = To.of(S);
    if (Path.empty()) {
      Out << Text;
      return;
    }
    Error Problem =
        Opts.InPlace ? checkUnchanged(S, Text, U) : Error::success();
    if (!Problem)
      Problem = writeWhole(Path, Text);
    if (!Problem && U.HeaderText)
      Problem = writeWhole(Destinations::headerOf(Path), *U.HeaderText);
    if (Problem) {
      error(toString(std::move(Problem)));
      for (Result &R : U.Results)
        R.Rewritten = false;
      return;
    }
    Rules += makeRule(Path, U.Inputs);
  }

  void addFixes(const SourceFile &S, StringRef Text, UnitOutput &U) {
    const std::string Path = resolvedPath(S.Path);
    auto Edits = replacementsFor(Path, U.OldText, Text);
    if (Edits) {
      // The file may be there already, under another name.
      if (none_of(Fixes,
                  [&](const auto &R) { return R.getFilePath() == Path; }))
        append_range(Fixes, *Edits);
      return;
    }
    error("'" + S.Display + "': " + toString(Edits.takeError()));
    for (Result &R : U.Results)
      R.Rewritten = false;
  }

  //===-- After ---------------------------------------------------------===//

  /// A user who asked for verification learns that there was none.
  void noteUnverified() {
    bool None = all_of(Results, [](const Result &R) {
      return R.Verified == Verification::None;
    });
    if (Opts.Verify.value_or(false) && ExitStatus == Done && None)
      printMessage(Err, "clang-raise", 0, 0, Severity::Note,
                   "nothing was rewritten, so nothing was verified");
  }

  void writeReports() {
    if (Opts.JsonFile) {
      std::string Text = toJson(Results);
      if (*Opts.JsonFile == "-")
        Out << Text;
      else if (Error E = writeWhole(*Opts.JsonFile, Text))
        error(toString(std::move(E)));
    }
    if (Opts.Depfile)
      if (Error E = writeWhole(*Opts.Depfile, Rules))
        error(toString(std::move(E)));
    if (Opts.FixesFile)
      if (Error E = writeWhole(*Opts.FixesFile, toYaml("", Fixes)))
        error(toString(std::move(E)));
    if (Opts.SarifFile)
      if (Error E = writeWhole(*Opts.SarifFile,
                               sarifOf({Results, Refused, Problems, ExitStatus,
                                        projectRoot(Opts.BuildPath)},
                                       Sources, Units)))
        error(toString(std::move(E)));
  }

  ToolOptions Opts;
  UnitSettings Settings;
  raw_ostream &Out, &Err;
  std::vector<SourceFile> Sources, LeftOut;
  std::vector<UnitOutput> Units;
  Destinations To;
  std::vector<Result> Results;
  std::vector<Reason> Refused, Problems; ///< for the reports
  std::vector<clang::tooling::Replacement> Fixes;
  std::string Rules; ///< for --depfile
  ResultCache Cache;
  int ExitStatus = Done;
};

void answer(const ImmediateAnswer &A, StringRef Headers, raw_ostream &Out) {
  switch (A.W) {
  case ImmediateAnswer::What::Help:
    Out << helpText(A.About);
    break;
  case ImmediateAnswer::What::Version:
    Out << "clang-raise " RAISE_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
    break;
  case ImmediateAnswer::What::IncludeDir:
    Out << Headers << "/runtime\n";
    break;
  }
}

} // namespace

bool survivedCrash() { return Crashed; }

int runTool(ArrayRef<StringRef> Arguments, StringRef Headers, raw_ostream &Out,
            raw_ostream &Err) {
  Expected<ParsedArguments> Parsed = parseArguments(Arguments);
  if (!Parsed) {
    printMessage(Err, "clang-raise", 0, 0, Severity::Error,
                 toString(Parsed.takeError()));
    return Unusable;
  }
  if (const std::optional<ImmediateAnswer> &Answer = Parsed->Answer) {
    answer(*Answer, Headers, Out);
    return Done;
  }
  return Run(std::move(Parsed->Options), Headers, Out, Err).execute();
}

} // namespace raise
