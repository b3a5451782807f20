//===- Run.cpp - a run over sources or a database -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Run.h"
#include "raise/Driver/Diff.h"
#include "raise/Driver/Output.h"
#include "raise/Driver/Unit.h"
#include "raise/Report/Json.h"
#include "raise/Report/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

using namespace llvm;

namespace raise {

namespace {

constexpr int Done = 0, CheckFailed = 1, Unusable = 2;

class Run {
public:
  Run(ToolOptions Options, StringRef Headers, raw_ostream &Out,
      raw_ostream &Err)
      : Opts(std::move(Options)), Out(Out), Err(Err) {
    Settings.Tool = &Opts;
    Settings.Headers = Headers.str();
  }

  int execute() {
    if (Error E = prepare())
      return error(toString(std::move(E)));
    processAll();
    for (size_t I = 0; I < Sources.size(); ++I)
      deliver(Sources[I], Units[I]);
    checkFunctionNames();
    writeJson();
    return ExitStatus;
  }

private:
  //===-- Before
  //-----------------------------------------------------------===//

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
    for (const SourceFile &S : Sources)
      Paths.push_back(S.Path);
    Root = commonFolder(Paths);
    return checkDestination();
  }

  bool toStandardOutput() const {
    return !Opts.Output ? !Opts.InPlace && !Opts.Diff && !Opts.Check
                        : *Opts.Output == "-";
  }

  bool toFolder() const {
    return Opts.Output && *Opts.Output != "-" &&
           (Sources.size() > 1 || Opts.Sources.empty() ||
            StringRef(*Opts.Output).ends_with("/") ||
            sys::fs::is_directory(*Opts.Output));
  }

  Error checkDestination() {
    if (Opts.Cmd != Command::Rewrite)
      return Error::success();
    auto Fail = [](const Twine &Text) {
      return createStringError(inconvertibleErrorCode(), Text);
    };
    if (toStandardOutput() && Sources.size() > 1)
      return Fail("several sources: say where the results go with -o <folder>, "
                  "--in-place, --diff or --check");
    if (toStandardOutput() && Opts.Check)
      return Fail("--check compares with a file; -o - names none");
    if (toFolder() && sys::fs::exists(*Opts.Output) &&
        !sys::fs::is_directory(*Opts.Output))
      return Fail("several sources, but '" + *Opts.Output +
                  "' is not a folder; name a folder with -o");
    // A CUDA source is translated into another file, never replaced.
    for (const SourceFile &S : Sources)
      if (Opts.Output && *Opts.Output != "-" &&
          StringRef(S.Path).ends_with(".cu") &&
          sys::fs::equivalent(destination(S), S.Path))
        return Fail("-o names the CUDA source '" + S.Display +
                    "' itself, which would be lost; name another file");
    return Error::success();
  }

  /// Where the result for S lies; empty for standard output.
  std::string destination(const SourceFile &S) const {
    if (Opts.InPlace || Opts.Diff || (Opts.Check && !Opts.Output))
      return S.Path;
    if (toStandardOutput())
      return "";
    return toFolder() ? mirroredPath(S.Path, Root, *Opts.Output) : *Opts.Output;
  }

  //===-- All units, several at once
  //-----------------------------------------===//

  void processAll() {
    Units.resize(Sources.size());
    DefaultThreadPool Pool(hardware_concurrency(Opts.Jobs));
    bool Show = Err.is_displayed() && Sources.size() > 1;
    std::mutex Mutex;
    size_t Finished = 0;
    for (size_t I = 0; I < Sources.size(); ++I)
      Pool.async([&, I] {
        processOne(I);
        if (!Show)
          return;
        std::lock_guard<std::mutex> Lock(Mutex);
        Err << "[" << ++Finished << "/" << Sources.size() << "] "
            << Sources[I].Display << '\n';
      });
    Pool.wait();
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
    sys::fs::make_absolute(Folder);
    sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
    Units[I] = processUnit(S, sys::path::parent_path(Folder), Settings);
  }

  //===-- One unit's results
  //---------------------------------------------------===//

  int error(const Twine &Text) {
    printMessage(Err, "clang-raise", 0, 0, Severity::Error, Text.str());
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

  void deliver(const SourceFile &S, UnitOutput &U) {
    if (!U.Errors.empty()) {
      printReasons(S, U.Errors, Severity::Error);
      if (S.Problem.empty())
        printMessage(Err, S.Display, 0, 0, Severity::Error,
                     "the source could not be used; mend the errors above, or "
                     "its compile command");
      return worsen(Unusable);
    }
    for (const std::string &F : U.FunctionsFound)
      FunctionsFound.push_back(F);
    append_range(FunctionNames, U.FunctionNames);
    raw_ostream &Remarks = Opts.Cmd == Command::Explain ? Out : Err;
    for (const Result &R : U.Results)
      // The text of another file is not at hand.
      printRemark(Remarks, R, R.File == S.Display ? U.OldText : "");
    checkRequirements(S, U);
    if (Opts.Cmd == Command::Rewrite)
      deliverText(S, U);
    append_range(Results, U.Results);
  }

  void checkRequirements(const SourceFile &S, const UnitOutput &U) {
    for (const Result &R : U.Results) {
      bool Required = R.What == Construct::Kernel || !Opts.Functions.empty();
      if (Opts.RequireRaised && Required && R.Outcome == Status::Left)
        complain(R.File, R.Line, R.Column,
                 "'" + R.Function +
                     "' is left, which --require-raised forbids");
      if (Opts.RequireVerified && R.Verified == Verification::Inconclusive)
        complain(R.File, R.Line, R.Column,
                 "verification of '" + R.Function +
                     "' is inconclusive, which --require-verified forbids");
    }
    if (!U.Refused.empty()) {
      printReasons(S, U.Refused, Severity::Error);
      complain(S.Display, 0, 0,
               "the file cannot be translated; nothing is "
               "written for it");
    }
  }

  void complain(StringRef File, unsigned Line, unsigned Column,
                const Twine &Text) {
    printMessage(Err, File, Line, Column, Severity::Error, Text.str());
    worsen(CheckFailed);
  }

  void deliverText(const SourceFile &S, UnitOutput &U) {
    bool Bad = !U.NewText;
    for (const Result &R : U.Results)
      if (R.Verified == Verification::Failed) {
        complain(R.File, R.Line, R.Column,
                 "verification of '" + R.Function +
                     "' failed; nothing is written for this file");
        Bad = true;
      }
    if (!Bad && U.Cuda &&
        (Opts.InPlace || Opts.Diff || (Opts.Check && !Opts.Output))) {
      printMessage(Err, S.Display, 0, 0, Severity::Error,
                   "a CUDA source becomes a file of its own; name it with -o");
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
      complain(R.Loc.File, R.Loc.Line, R.Loc.Column, R.Text);
    std::string Path = destination(S);
    std::string Shown = Path == S.Path ? S.Display : Path;
    Expected<std::string> Now = readWhole(Path);
    if (!Now)
      return complain(Shown, 0, 0,
                      toString(Now.takeError()) + "; run without --check");
    if (*Now != *U.NewText)
      complain(Shown, 0, 0,
               "is not what would be written; run without --check");
  }

  void write(const SourceFile &S, StringRef Text, UnitOutput &U) {
    if (Opts.Diff) {
      Out << unifiedDiff(U.OldText, Text, S.Display, S.Display);
      return;
    }
    std::string Path = destination(S);
    if (Path.empty()) {
      Out << Text;
      return;
    }
    if (Error E = writeWhole(Path, Text)) {
      error(toString(std::move(E)));
      for (Result &R : U.Results)
        R.Rewritten = false;
    }
  }

  //===-- After
  //----------------------------------------------------------------===//

  void checkFunctionNames() {
    if (ExitStatus == Unusable)
      return;
    for (const std::string &F : Opts.Functions) {
      if (is_contained(FunctionsFound, F))
        continue;
      std::vector<StringRef> Names(FunctionNames.begin(), FunctionNames.end());
      StringRef Nearest = nearestName(StringRef(F).split('(').first, Names);
      error("no kernel, and no function with a loop, is called '" + F + "'" +
            (Nearest.empty() ? std::string()
                             : "; did you mean '" + Nearest.str() + "'?"));
    }
  }

  void writeJson() {
    if (!Opts.JsonFile)
      return;
    std::string Text = toJson(Results);
    if (*Opts.JsonFile == "-")
      Out << Text;
    else if (Error E = writeWhole(*Opts.JsonFile, Text))
      error(toString(std::move(E)));
  }

  ToolOptions Opts;
  UnitSettings Settings;
  raw_ostream &Out, &Err;
  std::vector<SourceFile> Sources;
  std::vector<UnitOutput> Units;
  std::string Root;
  std::vector<Result> Results;
  std::vector<std::string> FunctionsFound, FunctionNames;
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

int runTool(ArrayRef<StringRef> Arguments, StringRef Headers, raw_ostream &Out,
            raw_ostream &Err) {
  Expected<ParsedArguments> Parsed = parseArguments(Arguments);
  if (!Parsed) {
    printMessage(Err, "clang-raise", 0, 0, Severity::Error,
                 toString(Parsed.takeError()));
    return Unusable;
  }
  if (Parsed->Answer) {
    answer(*Parsed->Answer, Headers, Out);
    return Done;
  }
  return Run(std::move(Parsed->Options), Headers, Out, Err).execute();
}

} // namespace raise
