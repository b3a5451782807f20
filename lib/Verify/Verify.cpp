//===- Verify.cpp - original and result, compiled, run, compared
//--------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Verify/Verify.h"
#include "Internal.h"
#include "Shape.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace raise {

llvm::StringRef name(Verdict V) {
  switch (V) {
  case Verdict::Passed:
    return "passed";
  case Verdict::Failed:
    return "failed";
  case Verdict::Inconclusive:
    return "inconclusive";
  case Verdict::Racy:
    return "racy";
  case Verdict::None:
    return "none";
  }
  return "";
}

namespace {

/// The jobs of one file.
class FileVerifier {
public:
  FileVerifier(llvm::ArrayRef<VerifyJob> Jobs, llvm::StringRef RuntimeDir,
               llvm::StringRef WorkDir)
      : Jobs(Jobs), RuntimeDir(RuntimeDir), WorkDir(WorkDir),
        Results(Jobs.size()), Found(Jobs.size()) {}

  std::vector<VerifyResult> go() {
    for (unsigned I = 0; I < Jobs.size(); ++I)
      discover(I);
    std::vector<unsigned> Open = open();
    if (Open.empty())
      return std::move(Results);
    std::string Error = buildHarness(Jobs, WorkDir, "harness");
    if (!Error.empty()) {
      for (unsigned I : Open)
        Results[I] = {Verdict::Inconclusive,
                      "the test program does not compile: " + Error};
      return std::move(Results);
    }
    for (bool Exact : {true, false}) {
      if (!Exact && !flagsAffectRounding(Jobs[0].CompileFlags))
        continue;
      buildAndRun(open(), Exact);
    }
    for (unsigned I : open())
      Results[I] =
          reachedRaisedCode(I)
              ? VerifyResult{Verdict::Passed, passedText(I), Tested[I]}
              : VerifyResult{Verdict::Inconclusive,
                             "no input was found on which the run-time "
                             "tests of the raised code hold"};
    return std::move(Results);
  }

private:
  llvm::ArrayRef<VerifyJob> Jobs;
  llvm::StringRef RuntimeDir, WorkDir;
  std::vector<VerifyResult> Results;
  std::vector<Discovered> Found;
  /// Inputs that were usable, by job; the worse of its builds.
  std::map<unsigned, std::vector<Figure>> Tested;

  std::string path(const llvm::Twine &Name) const {
    llvm::SmallString<256> P(WorkDir);
    llvm::sys::path::append(P, Name);
    return std::string(P);
  }
  /// Jobs without a verdict.
  std::vector<unsigned> open() const {
    std::vector<unsigned> Out;
    for (unsigned I = 0; I < Results.size(); ++I)
      if (Results[I].V == Verdict::None)
        Out.push_back(I);
    return Out;
  }

  void discover(unsigned I) {
    DiscoverySettings S;
    S.Specials = !flagsAssumeFinite(Jobs[I].CompileFlags);
    Found[I] = discoverInputs(Jobs[I], S);
    if (!Found[I].RaisedStops.empty())
      Results[I] = {Verdict::Failed,
                    "the raised form does what the original does not: " +
                        Found[I].RaisedStops};
    else if (Found[I].Racy && Found[I].Substantial < 3)
      Results[I] = {Verdict::Racy,
                    "the result of the original depends on the order of "
                    "threads (" +
                        Found[I].RacyText + ")"};
    else if (Found[I].Inputs.empty())
      Results[I] = {Verdict::Inconclusive, Found[I].Problem};
    else if (!writeData(path("job" + llvm::Twine(I) + ".data"), Jobs[I],
                        Found[I].Inputs))
      Results[I] = {Verdict::Inconclusive, "cannot write the inputs"};
    // Files hold them now: all jobs' together would not fit in memory.
    for (TestInput &T : Found[I].Inputs)
      T.In = {};
  }

  enum Text { Original, Emitted, Eager };
  static llvm::StringRef libraryOf(Text T) {
    return T == Original ? "original" : T == Emitted ? "emitted" : "eager";
  }
  bool hasEager() const { return !Jobs[0].EagerFile.empty(); }

  std::string build(llvm::ArrayRef<unsigned> Numbers, Text T, bool Exact,
                    llvm::StringRef Name) {
    std::vector<const VerifyJob *> Some;
    for (unsigned I : Numbers)
      Some.push_back(&Jobs[I]);
    if (Some.empty())
      Some.push_back(&Jobs[0]);
    return buildLibrary(Some, Numbers,
                        T == Original  ? Jobs[0].OriginalFile
                        : T == Emitted ? Jobs[0].EmittedFile
                                       : Jobs[0].EagerFile,
                        T == Original  ? &VerifyJob::OriginalBelow
                        : T == Emitted ? &VerifyJob::EmittedBelow
                                       : &VerifyJob::EagerBelow,
                        Exact, RuntimeDir, WorkDir, Name);
  }

  void closeAll(llvm::ArrayRef<unsigned> Numbers, Text T,
                const std::string &Error) {
    std::string What = T == Original ? "the original"
                       : T == Emitted
                           ? "the emitted text"
                           : "the text without tests for enough work";
    What += " does not compile: " + Error;
    for (unsigned I : Numbers)
      Results[I] = {T == Emitted ? Verdict::Failed : Verdict::Inconclusive,
                    What};
  }

  /// Builds both libraries for all open jobs at once; where that fails though
  /// the files alone compile, one job's entry is at fault: each is built alone.
  void buildAndRun(std::vector<unsigned> Open, bool Exact) {
    if (Open.empty())
      return;
    std::string Suffix = Exact ? "-exact" : "-flags";
    for (Text T : {Original, Emitted, Eager}) {
      if (T == Eager && !hasEager())
        continue;
      std::string Name = (libraryOf(T) + Suffix).str();
      std::string Error = build(Open, T, Exact, Name);
      if (Error.empty())
        continue;
      std::string Plain = build({}, T, Exact, Name + "-plain");
      if (!Plain.empty() || Open.size() == 1) {
        closeAll(Open, T, Error);
        return;
      }
      const size_t Half = Open.size() / 2;
      buildAndRun({Open.begin(), Open.begin() + Half}, Exact);
      buildAndRun({Open.begin() + Half, Open.end()}, Exact);
      return;
    }
    for (unsigned I : Open)
      runJob(I, Exact, Suffix);
  }

  bool comparesExactly(unsigned I, bool ExactBuild) const {
    const VerifyJob &J = Jobs[I];
    // Atomic sums have no fixed order even as written.
    if (!ExactBuild || J.FP == FPMode::Fast ||
        hasRoundingReduction(*J.Original, nullptr))
      return false;
    return J.FP == FPMode::Strict ||
           !hasRoundingReduction(*J.Original, J.Raised.get());
  }

  void runJob(unsigned I, bool ExactBuild, const std::string &Suffix) {
    const VerifyJob &J = Jobs[I];
    std::string Number = std::to_string(I);
    // Fourteen runs of each input at most; few take long.
    unsigned Seconds =
        (size_t(J.TimeoutSeconds) + 1) * 10 * Found[I].Inputs.size();
    std::vector<std::string> Arguments = {
        path("harness"),
        path("original" + Suffix + ".so"),
        path("emitted" + Suffix + ".so"),
        path("job" + Number + ".data"),
        Number,
        comparesExactly(I, ExactBuild) ? "exact" : "close",
        std::to_string(J.TimeoutSeconds),
        J.IsKernel ? "kernel" : "host"};
    if (hasEager())
      Arguments.push_back(path("eager" + Suffix + ".so"));
    ProgramResult R =
        runProgram(Arguments, path("job" + Number + Suffix + ".log"), Seconds);
    auto [Word, Detail] = llvm::StringRef(R.Output).trim().split('\t');
    if (Word == "passed") {
      addFigures(Detail.split('\n').second, Tested[I]);
      return;
    }
    Verdict V = Word == "failed" ? Verdict::Failed
                : Word == "racy" ? Verdict::Racy
                                 : Verdict::Inconclusive;
    std::string Text = Word == "inconclusive" || V != Verdict::Inconclusive
                           ? Detail.str()
                           : "the test program stopped: " + R.Output;
    if (!ExactBuild && V == Verdict::Failed)
      Text += " (with the project's own flags)";
    Results[I] = {V, Text};
  }

  /// Lines `input \t values \t difference`.
  static void addFigures(llvm::StringRef Lines, std::vector<Figure> &Into) {
    std::vector<Figure> Found;
    for (llvm::StringRef Line : llvm::split(Lines, '\n')) {
      auto [Input, Rest] = Line.split('\t');
      auto [Compared, Largest] = Rest.split('\t');
      Figure F{Input.str(), 0, 0};
      if (Compared.getAsInteger(10, F.Compared) ||
          Largest.getAsDouble(F.Largest))
        continue;
      for (const Figure &Known : Into)
        if (Known.Input == F.Input)
          F.Largest = std::max(F.Largest, Known.Largest);
      Found.push_back(std::move(F));
    }
    Into = std::move(Found);
  }

  bool reachedRaisedCode(unsigned I) const {
    bool Passes = false, Fails = false;
    for (const TestInput &T : Found[I].Inputs) {
      Passes |= T.GuardPassed;
      Fails |= T.GuardFailed;
    }
    return Passes || !Fails;
  }

  std::string passedText(unsigned I) {
    bool Fails = false;
    for (const TestInput &T : Found[I].Inputs)
      Fails |= T.GuardFailed;
    std::string Text = std::to_string(Tested[I].size()) +
                       (Jobs[I].Recording.empty() ? " inputs"
                        : Tested[I].size() == 1   ? " recorded input"
                                                  : " recorded inputs") +
                       ", 1, 2 and 4 threads";
    if (Jobs[I].IsKernel)
      Text += ", three thread orders";
    if (Found[I].Racy)
      Text +=
          ", inputs on which threads race left out (" + Found[I].RacyText + ")";
    if (Fails)
      Text += ", run-time tests both holding and failing";
    return Text;
  }
};

} // namespace

std::vector<VerifyResult> verifyFile(llvm::ArrayRef<VerifyJob> Jobs,
                                     llvm::StringRef RuntimeDir,
                                     llvm::StringRef WorkDir) {
  if (Jobs.empty())
    return {};
  return FileVerifier(Jobs, RuntimeDir, WorkDir).go();
}

} // namespace raise
