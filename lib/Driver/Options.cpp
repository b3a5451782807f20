//===- Options.cpp - the command line -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace llvm;

namespace raise {

StringRef nameOf(Command C) {
  return C == Command::Rewrite ? "rewrite"
         : C == Command::Grad  ? "grad"
                               : "explain";
}

namespace {

constexpr unsigned ForRewrite = 1, ForExplain = 2, ForGrad = 4,
                   ForText = ForRewrite | ForGrad, ForAll = 7;

enum class Id {
  BuildPath,
  Function,
  Mode,
  Split,
  Directions,
  Wrt,
  Of,
  Target,
  Output,
  InPlace,
  Diff,
  Fixes,
  Check,
  Verify,
  RequireRaised,
  RequireVerified,
  Alias,
  FP,
  Json,
  Sarif,
  Depfile,
  Quiet,
  Report,
  Config,
  Cache,
  Jobs,
  Shard,
  IncludeDir,
  Version,
  Help,
};

/// One row for each option; help and parsing read the same table.
struct OptionRow {
  Id Which;
  StringRef Name;  // with its dashes
  StringRef Value; // placeholder of the value; empty for a switch
  unsigned Commands;
  StringRef Help;
};

constexpr OptionRow Table[] = {
    {Id::BuildPath, "-p", "<dir>", ForAll,
     "folder of compile_commands.json (default: searched upward from the "
     "source)"},
    {Id::Function, "--function", "<name>", ForAll,
     "only functions with this (qualified) name, or name(parameter types); "
     "repeatable"},
    {Id::Mode, "--mode", "reverse|forward", ForGrad,
     "adjoints (default) or tangents"},
    {Id::Split, "--split", "", ForGrad,
     "adjoints as two functions: one that keeps what the reverse sweep needs, "
     "and that sweep"},
    {Id::Directions, "--directions", "<k>", ForGrad,
     "with --mode=forward: k tangents at once, 1 to 64 (default 1)"},
    {Id::Wrt, "--wrt", "<a,b>", ForGrad,
     "independents (default: floating scalars by value, and floating buffers "
     "that are read)"},
    {Id::Of, "--of", "<y>", ForGrad,
     "dependents (default: the return value, called return, else the floating "
     "buffers that are written)"},
    {Id::Target, "--target", "openmp|eigen|cuda", ForText,
     "dialect of the result (default openmp)"},
    {Id::Output, "-o", "<path>", ForText,
     "output file, or folder for several sources; - is standard output"},
    {Id::InPlace, "--in-place", "", ForRewrite, "edit the sources"},
    {Id::Diff, "--diff", "", ForRewrite, "print a unified diff"},
    {Id::Fixes, "--export-fixes", "<yaml>", ForRewrite,
     "write the edits for clang-apply-replacements"},
    {Id::Check, "--check", "", ForText,
     "write no source; exit 1 if what is on disk is not what would be written"},
    {Id::Verify, "--verify", "", ForText,
     "compile original and result, run both, compare"},
    {Id::RequireRaised, "--require-raised", "", ForRewrite,
     "a kernel or named function that is left is an error"},
    {Id::RequireVerified, "--require-verified", "", ForText,
     "a verification that is inconclusive is an error (implies --verify)"},
    {Id::Alias, "--alias", "check|assume", ForText,
     "pointers that may overlap: test at run time (default), or assume that "
     "they do not"},
    {Id::FP, "--fp", "strict|reduce|fast", ForText,
     "which roundings may change (default reduce)"},
    {Id::Json, "--json", "<file>", ForAll, "write machine-readable results"},
    {Id::Sarif, "--sarif", "<file>", ForAll,
     "write code-scanning results (SARIF 2.1.0)"},
    {Id::Depfile, "--depfile", "<file>", ForText,
     "with -o: write which files the results were made from, as rules of make"},
    {Id::Quiet, "--quiet", "", ForText,
     "no remarks, but for an inconclusive verification (explain says the "
     "rest)"},
    {Id::Report, "--report", "<dir>", ForAll,
     "write pages for a review: source and result side by side"},
    {Id::Config, "--config", "<file>", ForAll,
     "settings (default: the nearest .clang-raise above the source)"},
    {Id::Cache, "--cache", "<dir>", ForRewrite | ForExplain,
     "keep results there; what has not changed is not worked out again"},
    {Id::Jobs, "-j", "<n>", ForAll, "translation units at once"},
    {Id::Shard, "--shard", "<i/n>", ForAll,
     "only the i-th of n parts of the database's files"},
    {Id::IncludeDir, "--print-include-dir", "", ForAll,
     "print the folder of the headers that emitted code may include"},
    {Id::Version, "--version", "", ForAll, "print the version"},
    {Id::Help, "--help", "", ForAll, "print this text"},
};

Error fail(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

unsigned maskOf(Command C) {
  return C == Command::Rewrite ? ForRewrite
         : C == Command::Grad  ? ForGrad
                               : ForExplain;
}

std::optional<Command> commandNamed(StringRef Name) {
  if (Name == "rewrite")
    return Command::Rewrite;
  if (Name == "grad")
    return Command::Grad;
  if (Name == "explain")
    return Command::Explain;
  return std::nullopt;
}

/// The row of Arg (`--fp=strict`, `-j4`, `-p`), and the value that is part of
/// Arg itself, if any.
const OptionRow *findRow(StringRef Arg, std::optional<StringRef> &Value) {
  auto [Name, Rest] = Arg.split('=');
  for (const OptionRow &Row : Table) {
    if (Row.Name == Name) {
      if (Arg.contains('='))
        Value = Rest;
      return &Row;
    }
    // -j4
    if (Row.Which == Id::Jobs && Arg.starts_with("-j") && Arg.size() > 2 &&
        isDigit(Arg[2])) {
      Value = Arg.drop_front(2);
      return &Row;
    }
  }
  if (Name == "-h" || Name == "-help")
    return findRow("--help", Value);
  return nullptr;
}

Error unknownOption(StringRef Arg) {
  std::vector<StringRef> Names;
  for (const OptionRow &Row : Table)
    Names.push_back(Row.Name);
  StringRef Nearest = nearestName(Arg.split('=').first, Names);
  if (Nearest.empty())
    return fail("unknown option '" + Arg +
                "'; see clang-raise --help (compile flags go after --)");
  return fail("unknown option '" + Arg + "'; did you mean '" + Nearest + "'?");
}

class Parser {
public:
  explicit Parser(ArrayRef<StringRef> Args) : Args(Args) {}

  Expected<ParsedArguments> run() {
    if (Args.empty())
      return fail("no command; the commands are rewrite, grad and explain (see "
                  "clang-raise --help)");
    if (Error E = parseAll())
      return std::move(E);
    if (Result.Answer)
      return std::move(Result);
    if (!SawCommand)
      return fail("no command; write 'clang-raise rewrite', 'clang-raise "
                  "grad' or 'clang-raise explain' before the options");
    if (Error E = checkCombination())
      return std::move(E);
    Opts.Repair = repair();
    return std::move(Result);
  }

private:
  Error parseAll() {
    while (Next < Args.size()) {
      StringRef Arg = Args[Next++];
      if (Arg == "--") {
        Opts.CompileFlags.emplace();
        for (; Next < Args.size(); ++Next)
          Opts.CompileFlags->push_back(Args[Next].str());
        break;
      }
      if (Error E = Arg.starts_with("-") && Arg != "-" ? parseOption(Arg)
                                                       : parseWord(Arg))
        return E;
    }
    return Error::success();
  }

  Error parseWord(StringRef Arg) {
    if (SawCommand) {
      if (Arg == "-")
        return fail("a source cannot be read from standard input; name a file");
      if (Arg.empty())
        return fail("an empty word stands where a source is named; name a file "
                    "(is a variable of the script unset?)");
      Opts.Sources.push_back(Arg.str());
      Words.push_back(Arg);
      return Error::success();
    }
    std::optional<Command> C = commandNamed(Arg);
    if (!C) {
      StringRef Nearest = nearestName(Arg, {"rewrite", "grad", "explain"});
      return fail("unknown command '" + Arg + "'; " +
                  (Nearest.empty()
                       ? Twine("the commands are rewrite, grad and explain")
                       : "did you mean '" + Nearest + "'?"));
    }
    Opts.Cmd = *C;
    Words.push_back(Arg);
    SawCommand = true;
    return Error::success();
  }

  Error parseOption(StringRef Arg) {
    std::optional<StringRef> Value;
    const OptionRow *Row = findRow(Arg, Value);
    if (!Row)
      return unknownOption(Arg);
    if (Row->Value.empty() && Value)
      return fail("option '" + Row->Name + "' takes no value");
    if (!Row->Value.empty() && !Value) {
      if (Next == Args.size() || Args[Next] == "--")
        return fail("option '" + Row->Name + "' needs a value: " + Row->Name +
                    (Row->Name.size() == 2 ? " " : "=") + Row->Value);
      Value = Args[Next++];
    }
    if (Value && Value->empty())
      return fail("option '" + Row->Name + "' has an empty value; it takes " +
                  Row->Value);
    keepForRepair(*Row, Arg, Value);
    bool Immediate = Row->Which == Id::Help || Row->Which == Id::Version ||
                     Row->Which == Id::IncludeDir;
    if (!Immediate && !SawCommand)
      return fail(
          "option '" + Row->Name +
          "' must follow a command: clang-raise <rewrite|grad|explain> " +
          Row->Name);
    if (!Immediate && !(Row->Commands & maskOf(Opts.Cmd)))
      return fail("option '" + Row->Name + "' does not apply to " +
                  nameOf(Opts.Cmd));
    return apply(*Row, Value.value_or(StringRef()));
  }

  /// What reports and checks has no part in writing.
  void keepForRepair(const OptionRow &Row, StringRef Arg,
                     std::optional<StringRef> Value) {
    if (Row.Which == Id::Check || Row.Which == Id::Json ||
        Row.Which == Id::Sarif || Row.Which == Id::Report)
      return;
    Words.push_back(Arg);
    if (Value && Arg == Row.Name) // a word of its own
      Words.push_back(*Value);
  }

  std::string repair() const {
    std::string Text = "clang-raise";
    for (StringRef Word : Words) {
      Text += " " + quoted(Word);
      if (Word == nameOf(Opts.Cmd) && Opts.Cmd == Command::Rewrite &&
          !Opts.InPlace && !Opts.Output)
        Text += " --in-place";
    }
    if (Opts.CompileFlags) {
      Text += " --";
      for (const std::string &Flag : *Opts.CompileFlags)
        Text += " " + quoted(Flag);
    }
    return Text;
  }

  /// As a POSIX shell reads it as one word.
  static std::string quoted(StringRef Word) {
    if (!Word.empty() && all_of(Word, [](char C) {
          return isAlnum(C) || StringRef("_@%+=:,./-").contains(C);
        }))
      return Word.str();
    std::string Text = "'";
    for (char C : Word)
      Text += C == '\'' ? std::string("'\\''") : std::string(1, C);
    return Text + "'";
  }

  Error apply(const OptionRow &Row, StringRef Value) {
    switch (Row.Which) {
    case Id::BuildPath:
      return setOnce(Opts.BuildPath, Row, Value);
    case Id::Output:
      return setOnce(Opts.Output, Row, Value);
    case Id::Json:
      return setOnce(Opts.JsonFile, Row, Value);
    case Id::Sarif:
      return setOnce(Opts.SarifFile, Row, Value);
    case Id::Depfile:
      return setOnce(Opts.Depfile, Row, Value);
    case Id::Quiet:
      Opts.Quiet = true;
      break;
    case Id::Fixes:
      return setOnce(Opts.FixesFile, Row, Value);
    case Id::Cache:
      return setOnce(Opts.CacheFolder, Row, Value);
    case Id::Shard:
      return parseShard(Value);
    case Id::Report:
      return setOnce(Opts.ReportFolder, Row, Value);
    case Id::Config:
      return setOnce(Opts.ConfigFile, Row, Value);
    case Id::Function:
      Opts.Functions.push_back(Value.str());
      break;
    case Id::Mode:
      if (Value != "forward" && Value != "reverse")
        return fail("mode is reverse or forward, not '" + Value + "'");
      Opts.Forward = Value == "forward";
      OfOneGradient = Row.Name;
      break;
    case Id::Split:
      Opts.Split = true;
      OfOneGradient = Row.Name;
      break;
    case Id::Directions:
      if (Value.getAsInteger(10, Opts.Directions) || Opts.Directions == 0 ||
          Opts.Directions > 64)
        return fail("option '--directions' needs a number from 1 to 64, not '" +
                    Value + "'");
      AsksDirections = true;
      OfOneGradient = Row.Name;
      break;
    case Id::Wrt:
      OfOneGradient = Row.Name;
      return addNames(Opts.Wrt, Row, Value);
    case Id::Of:
      OfOneGradient = Row.Name;
      return addNames(Opts.Of, Row, Value);
    case Id::Target:
      return assign(Opts.Target, parseTarget(Value));
    case Id::InPlace:
      Opts.InPlace = true;
      break;
    case Id::Diff:
      Opts.Diff = true;
      break;
    case Id::Check:
      Opts.Check = true;
      break;
    case Id::Verify:
      Opts.Verify = true;
      break;
    case Id::RequireRaised:
      Opts.RequireRaised = true;
      break;
    case Id::RequireVerified:
      Opts.RequireVerified = true;
      Opts.Verify = true;
      break;
    case Id::Alias:
      return assign(Opts.Alias, parseAliasMode(Value));
    case Id::FP:
      return assign(Opts.FP, parseFPMode(Value));
    case Id::Jobs:
      if (Value.getAsInteger(10, Opts.Jobs) || Opts.Jobs == 0 ||
          Opts.Jobs > 4096)
        return fail("option '-j' needs a number from 1 to 4096, not '" + Value +
                    "'");
      break;
    case Id::IncludeDir:
      answer(ImmediateAnswer::What::IncludeDir);
      break;
    case Id::Version:
      answer(ImmediateAnswer::What::Version);
      break;
    case Id::Help:
      answer(ImmediateAnswer::What::Help);
      break;
    }
    return Error::success();
  }

  Error parseShard(StringRef Value) {
    auto [Part, Parts] = Value.split('/');
    if (Part.getAsInteger(10, Opts.Shard) ||
        Parts.getAsInteger(10, Opts.Shards) || Opts.Shard == 0 ||
        Opts.Shard > Opts.Shards)
      return fail("option '--shard' needs a part and the number of parts, such "
                  "as 1/4, not '" +
                  Value + "'");
    AsksShard = true;
    return Error::success();
  }

  void answer(ImmediateAnswer::What W) {
    if (Result.Answer)
      return;
    Result.Answer.emplace();
    Result.Answer->W = W;
    if (SawCommand)
      Result.Answer->About = Opts.Cmd;
  }

  static Error addNames(std::vector<std::string> &Names, const OptionRow &Row,
                        StringRef Value) {
    SmallVector<StringRef, 4> Parts;
    Value.split(Parts, ',');
    for (StringRef Part : Parts) {
      Part = Part.trim();
      if (Part.empty())
        return fail("option '" + Row.Name + "' has an empty name in '" + Value +
                    "'");
      if (!is_contained(Names, Part))
        Names.push_back(Part.str());
    }
    return Error::success();
  }

  static Error setOnce(std::optional<std::string> &Slot, const OptionRow &Row,
                       StringRef Value) {
    if (Slot)
      return fail("option '" + Row.Name + "' is given twice");
    Slot = Value.str();
    return Error::success();
  }

  template <typename T>
  static Error assign(std::optional<T> &Slot, Expected<T> Value) {
    if (!Value)
      return Value.takeError();
    Slot = *Value;
    return Error::success();
  }

  Error checkCombination() {
    if (Opts.InPlace + Opts.Diff + Opts.Output.has_value() +
            Opts.FixesFile.has_value() >
        1)
      return fail("only one of -o, --in-place, --diff and --export-fixes can "
                  "be given");
    if (Opts.Check && Opts.FixesFile)
      return fail("--check writes nothing, so it does not go with "
                  "--export-fixes");
    if (Opts.FixesFile == "-")
      return fail("--export-fixes names a file; - is none");
    const bool WritesFiles =
        Opts.Output ? *Opts.Output != "-"
                    : Opts.Cmd == Command::Grad && Opts.Functions.empty();
    if (Opts.Depfile && (Opts.Check || !WritesFiles))
      return fail("--depfile says what the files that -o writes are made from; "
                  "name one with -o, and leave out --check");
    if (Opts.Depfile == "-")
      return fail("--depfile names a file; - is none");
    if (AsksShard && !Opts.Sources.empty())
      return fail("--shard is a part of a database's files; name no sources");
    bool TextOnOutput = Opts.Output ? *Opts.Output == "-"
                                    : !Opts.InPlace && !Opts.Check &&
                                          !Opts.FixesFile && !isConfigured();
    if (Error E = checkGrad())
      return E;
    if (Opts.Split && Opts.Forward)
      return fail("--split is for --mode=reverse: a tangent keeps nothing");
    if (AsksDirections && !Opts.Forward)
      return fail("--directions is for --mode=forward: an adjoint is that of "
                  "one result");
    if (Opts.Cmd != Command::Explain && TextOnOutput && Opts.JsonFile == "-")
      return fail("--json=- and the result would both go to standard output; "
                  "name a file for one of them");
    if (Opts.SarifFile == "-")
      return fail("--sarif names a file; - is none");
    if (Opts.CompileFlags && Opts.BuildPath)
      return fail("give either -p <dir> or compile flags after --, not both");
    if (Opts.CompileFlags && Opts.Sources.empty())
      return fail("compile flags after -- need a source: clang-raise " +
                  nameOf(Opts.Cmd) + " <source>... -- <flags>");
    if (Opts.Sources.empty() && !Opts.BuildPath)
      return fail("no source; name source files, or a compilation database "
                  "with -p <dir>");
    return Error::success();
  }

  /// Whether `.clang-raise` says what is differentiated.
  bool isConfigured() const {
    return Opts.Cmd == Command::Grad && Opts.Functions.empty();
  }

  Error checkGrad() const {
    if (Opts.Cmd != Command::Grad)
      return Error::success();
    if (!Opts.Functions.empty())
      return Opts.Check && !Opts.Output
                 ? fail("--check compares with a file; name it with -o")
                 : Error::success();
    // The entries of `gradients` say these.
    if (!OfOneGradient.empty() || Opts.Output)
      return fail("grad needs the function for '" +
                  (Opts.Output ? StringRef("-o") : OfOneGradient) +
                  "': clang-raise grad --function=<name> <source>... (without "
                  "it, .clang-raise says what is made)");
    return Error::success();
  }

  ArrayRef<StringRef> Args;
  std::vector<StringRef> Words; ///< of Options::Repair
  StringRef OfOneGradient;      ///< an option that speaks of one derivative
  size_t Next = 0;
  bool SawCommand = false, AsksDirections = false, AsksShard = false;
  ParsedArguments Result;
  ToolOptions &Opts = Result.Options;
};

} // namespace

StringRef nearestName(StringRef Word, ArrayRef<StringRef> Candidates) {
  StringRef Best;
  unsigned BestDistance = std::numeric_limits<unsigned>::max();
  for (StringRef C : Candidates) {
    unsigned Distance = Word.edit_distance(C);
    if (Distance < BestDistance) {
      BestDistance = Distance;
      Best = C;
    }
  }
  // Farther than a third of the word is another word.
  return BestDistance <= std::max<size_t>(1, (Word.size() + 1) / 3) ? Best : "";
}

Expected<FPMode> parseFPMode(StringRef Text) {
  if (Text == "strict")
    return FPMode::Strict;
  if (Text == "reduce")
    return FPMode::Reduce;
  if (Text == "fast")
    return FPMode::Fast;
  return fail("fp is strict, reduce or fast, not '" + Text + "'");
}

Expected<AliasMode> parseAliasMode(StringRef Text) {
  if (Text == "check")
    return AliasMode::Check;
  if (Text == "assume")
    return AliasMode::Assume;
  return fail("alias is check or assume, not '" + Text + "'");
}

Expected<Dialect> parseTarget(StringRef Text) {
  if (Text == "openmp")
    return Dialect::OpenMP;
  if (Text == "eigen")
    return Dialect::Eigen;
  if (Text == "cuda")
    return Dialect::Cuda;
  return fail("target '" + Text +
              "' is not available; the target is openmp, eigen or cuda");
}

Expected<ParsedArguments> parseArguments(ArrayRef<StringRef> Args) {
  return Parser(Args).run();
}

std::string helpText(std::optional<Command> About) {
  std::string Text;
  raw_string_ostream OS(Text);
  std::string Name = About ? nameOf(*About).str() : "<command>";
  OS << "usage: clang-raise " << Name
     << " [options] <source>... [-- <compile flags>]\n"
     << "       clang-raise " << Name
     << " -p <build-dir> [options] [<source>...]\n\n";
  if (!About)
    OS << "commands:\n"
          "  rewrite  replace recognised kernels and loops by raised code\n"
          "  grad     make functions that compute derivatives\n"
          "  explain  say what each kernel and loop is, and why one was left "
          "alone\n\n";
  OS << "options:\n";
  for (const OptionRow &Row : Table) {
    if (About && !(Row.Commands & maskOf(*About)))
      continue;
    std::string Left = Row.Name.str();
    if (!Row.Value.empty())
      Left += (Row.Name.size() == 2 ? " " : "=") + Row.Value.str();
    OS << "  " << left_justify(Left, 28) << Row.Help;
    if (!About && Row.Commands != ForAll)
      OS << (Row.Commands == ForRewrite ? " (rewrite)"
             : Row.Commands == ForGrad  ? " (grad)"
             : Row.Commands == ForText  ? " (rewrite, grad)"
                                        : " (rewrite, explain)");
    OS << '\n';
  }
  OS << "\nexit status: 0 done; 1 a check or a verification failed, a gradient "
        "was\nrefused, or with --require-raised something was left; 2 the "
        "command line, a source or "
        "its\n"
        "compile command could not be used\n";
  return Text;
}

} // namespace raise
