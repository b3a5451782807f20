//===- Run.cpp - a run over sources or a database -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Run.h"
#include "Cache.h"
#include "ChooseSources.h"
#include "Deliver.h"
#include "Fixes.h"
#include "GradUnit.h"
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

constexpr StringRef NotInPlace =
    "a CUDA source becomes a file of its own; name it with -o";

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
    processAll();
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
    std::vector<std::string> Paths;
    Paths.reserve(Sources.size());
    for (const SourceFile &S : Sources)
      Paths.push_back(S.Path);
    Root = commonFolder(Paths);
    takeShard(Sources, Opts, Root);
    return leaveOutOthers();
  }

  Error leaveOutOthers() {
    const std::string Project = projectRoot(Opts.BuildPath);
    const bool Any = !Sources.empty();
    const std::vector<Reason> Said =
        leaveOut(Sources, Opts, Settings.FixedConfig, Project);
    for (const Reason &R : Said)
      printMessage(Err, R.Loc.File, 0, 0, Severity::Note, R.Text);
    if (Any && Sources.empty() && editsSources(Opts) && Opts.Sources.empty() &&
        Opts.Shards == 1)
      return fail("nothing of the database is edited; is '" + Project +
                  "' the project's folder? A file .clang-raise marks it");
    return checkDestination();
  }

  bool toStandardOutput() const {
    return Opts.Output ? *Opts.Output == "-" : !editsSources(Opts);
  }

  /// What -o says; empty without it.
  StringRef output() const {
    return Opts.Output ? StringRef(*Opts.Output) : StringRef();
  }

  bool toFolder() const {
    return Opts.Output && *Opts.Output != "-" &&
           (Sources.size() > 1 || Opts.Sources.empty() ||
            StringRef(*Opts.Output).ends_with("/") ||
            sys::fs::is_directory(*Opts.Output));
  }

  static Error fail(const Twine &Text) {
    return createStringError(inconvertibleErrorCode(), Text);
  }

  /// The options that name a file, and their files.
  std::vector<std::pair<StringRef, StringRef>> reports() const {
    std::vector<std::pair<StringRef, StringRef>> Files;
    if (Opts.JsonFile && *Opts.JsonFile != "-")
      Files.emplace_back("--json", *Opts.JsonFile);
    if (Opts.SarifFile)
      Files.emplace_back("--sarif", *Opts.SarifFile);
    if (Opts.FixesFile)
      Files.emplace_back("--export-fixes", *Opts.FixesFile);
    return Files;
  }

  Error checkReports() const {
    const auto Files = reports();
    for (const auto &[Option, File] : Files) {
      if (Error E = checkWritable(File, /*MakeFolders=*/false))
        return E;
      for (const SourceFile &S : Sources)
        if (sys::fs::equivalent(File, S.Path))
          return fail(Option + " names the source '" + S.Display +
                      "', which would be lost; name another file");
      for (const auto &[Other, Same] : Files)
        if (Option != Other && File == Same)
          return fail(Option + " and " + Other + " both name '" + File + "'");
    }
    return Error::success();
  }

  /// Whatever can be known to fail is found before any work is done.
  Error checkDestination() {
    if (Error E = checkReports())
      return E;
    if (Opts.CacheFolder)
      if (Error E = checkWritable(*Opts.CacheFolder + "/x",
                                  /*MakeFolders=*/true))
        return E;
    if (Opts.ReportFolder)
      if (Error E = checkReportFolder(*Opts.ReportFolder))
        return E;
    if (Opts.Cmd == Command::Explain)
      return Error::success();
    if (toStandardOutput() && (Sources.size() > 1 || Opts.Shards > 1))
      return fail("several sources: say where the results go with -o <folder>, "
                  "--in-place, --diff or --check");

    if (toStandardOutput() && Opts.Check)
      return fail("--check compares with a file; -o - names none");
    if (toFolder() && sys::fs::exists(output()) &&
        !sys::fs::is_directory(output()))
      return fail("several sources, but '" + output() +
                  "' is not a folder; name a folder with -o");
    if (Error E = checkDestinations())
      return E;
    for (SourceFile &S : Sources)
      if (S.Problem.empty())
        S.Problem = cannotDeliver(S);
    return Error::success();
  }

  /// What is wrong with the places of all results together.
  Error checkDestinations() const {
    StringMap<StringRef> Owners;
    for (const SourceFile &S : Sources) {
      std::string Path = destination(S);
      if (Path.empty() || Opts.Diff || Opts.FixesFile)
        continue;
      // A source is edited only where --in-place says so; a CUDA source never.
      bool IsCuda = StringRef(S.Path).ends_with(".cu");
      if (Opts.Output && (IsCuda || !Opts.Check) &&
          sys::fs::equivalent(Path, S.Path))
        return fail(IsCuda
                        ? "-o names the CUDA source '" + S.Display +
                              "' itself, which would be lost; name another file"
                        : "-o names the source '" + S.Display + "' itself; " +
                              (Opts.Cmd == Command::Grad
                                   ? "name another file"
                                   : "edit it with --in-place, or name "
                                     "another file"));
      auto [At, New] = Owners.try_emplace(Path, S.Display);
      if (!New)
        return fail("the results of '" + At->second + "' and '" + S.Display +
                    "' would both be '" + Path + "'; give them folders apart");
      for (const auto &[Option, File] : reports())
        if (File == Path)
          return fail(Option + " and -o both name '" + Path + "'");
    }
    if (Opts.Output && !toFolder() && !toStandardOutput() && !Opts.Check)
      return checkWritable(*Opts.Output, /*MakeFolders=*/false);
    return Error::success();
  }

  /// Why the result for S cannot be written; the others are.
  std::string cannotDeliver(const SourceFile &S) const {
    if (StringRef(S.Path).ends_with(".cu") && editsSources(Opts))
      return NotInPlace.str();
    std::string Path = destination(S);
    if (Path.empty() || Opts.Diff || Opts.Check || Opts.FixesFile)
      return "";
    if (Opts.Cmd == Command::Grad)
      if (std::string Why = cannotWriteHeader(headerPath(Path), Path);
          !Why.empty())
        return Why;
    return toString(checkWritable(Path, /*MakeFolders=*/true));
  }

  /// Where the result for S lies; empty for standard output.
  std::string destination(const SourceFile &S) const {
    if (editsSources(Opts))
      return S.Path;
    if (toStandardOutput())
      return "";
    return toFolder() ? mirroredPath(S.Path, Root, output()) : output().str();
  }

  /// Of the header beside a file of derivatives; empty for standard output.
  static std::string headerPath(StringRef Path) {
    if (Path.empty())
      return "";
    SmallString<256> Header(Path);
    sys::path::replace_extension(Header, "h");
    return Header.str().str();
  }

  //===-- All units, several at once
  //-----------------------------------------===//

  void processAll() {
    Units.resize(Sources.size());
    DefaultThreadPool Pool(hardware_concurrency(Opts.Jobs));
    Progress Shown(Err, Sources.size(),
                   Err.is_displayed() && Sources.size() > 1);
    CrashRecoveryContext::Enable();
    for (size_t I = 0; I < Sources.size(); ++I)
      Pool.async([&, I] {
        Shown.started(Sources[I].Display);
        processSafely(I);
        Shown.finished(Sources[I].Display, !Units[I].Errors.empty());
      });
    Pool.wait();
  }

  /// A source that the tool cannot survive does not take the others along.
  void processSafely(size_t I) {
    CrashRecoveryContext Context;
    if (Context.RunSafely([&] { processOne(I); }))
      return;
    Crashed = true;
    Units[I] = UnitOutput();
    Units[I].Errors.push_back(
        {"",
         "clang-raise crashed on this source, which is left as it is; please "
         "report it",
         {}});
  }

  void processOne(size_t I) {
    const SourceFile &S = Sources[I];
    if (!S.Problem.empty()) {
      Units[I].Errors.push_back({"", S.Problem, {}});
      return;
    }
    SmallString<256> Folder(destination(S));
    if (Folder.empty())
      Folder = S.Path;
    (void)sys::fs::make_absolute(Folder);
    sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
    const StringRef Where = sys::path::parent_path(Folder);
    Units[I] = Opts.Cmd == Command::Grad
                   ? gradUnit(S, Where,
                              sys::path::filename(headerPath(destination(S))),
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
    else if (Opts.Verify)
      printVerified(U);
    checkRequirements(S, U);
    if (Opts.Cmd == Command::Rewrite ||
        (Opts.Cmd == Command::Grad && (U.NewText || !U.Refused.empty())))
      deliverText(S, U);
    append_range(Results, U.Results);
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
      if (!Done) // the text of another file is not at hand
        printRemark(OS, R, R.File == S.Display ? U.OldText : "");
  }

  /// Of derivatives; failures are errors, and told where nothing is written.
  void printVerified(const UnitOutput &U) {
    for (const Result &R : U.Results)
      if (R.Verified == Verification::Passed ||
          R.Verified == Verification::Inconclusive)
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
    if (!Bad && U.Cuda && editsSources(Opts)) {
      printMessage(Err, S.Display, 0, 0, Severity::Error, NotInPlace);
      worsen(Unusable);
      Bad = true;
    }
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
    std::string Path = destination(S);
    compare(Path == S.Path ? S.Display : Path, Path, *U.NewText);
    if (U.HeaderText)
      compare(headerPath(Path), headerPath(Path), *U.HeaderText);
  }

  void compare(const std::string &Shown, StringRef Path, StringRef Text) {
    Expected<std::string> Now = readWhole(Path);
    if (!Now)
      return complain(Shown, 0, 0,
                      toString(Now.takeError()) + "; run without --check");
    if (Text != *Now)
      complain(Shown, 0, 0,
               "is not what would be written; " +
                   Twine(Opts.Output || Opts.InPlace
                             ? "run without --check"
                             : "run with --in-place (or -o) instead of "
                               "--check"));
  }

  void write(const SourceFile &S, StringRef Text, UnitOutput &U) {
    if (Opts.Diff) {
      Out << unifiedDiff(U.OldText, Text, S.Display, S.Display);
      return;
    }
    if (Opts.FixesFile)
      return addFixes(S, Text, U);
    std::string Path = destination(S);
    if (Path.empty()) {
      Out << Text;
      return;
    }
    Error Problem =
        Opts.InPlace ? checkUnchanged(S, Text, U) : Error::success();
    if (!Problem)
      Problem = writeWhole(Path, Text);
    if (!Problem && U.HeaderText)
      Problem = writeWhole(headerPath(Path), *U.HeaderText);
    if (Problem) {
      error(toString(std::move(Problem)));
      for (Result &R : U.Results)
        R.Rewritten = false;
    }
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
  std::vector<SourceFile> Sources;
  std::vector<UnitOutput> Units;
  std::string Root;
  std::vector<Result> Results;
  std::vector<Reason> Refused, Problems; ///< for the reports
  std::vector<clang::tooling::Replacement> Fixes;
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
