//===- Config.cpp - the reader of .clang-raise ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Config.h"
#include "raise/Driver/Options.h"
#include "raise/Verify/Recording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;

namespace raise {

namespace {

/// Walks the YAML tree. Every complaint has a place; the first one wins.
class Reader {
public:
  Reader(StringRef Text, StringRef Name)
      : FileName(Name.str()), Buffer(MemoryBuffer::getMemBuffer(Text, Name)),
        Stream(Buffer->getMemBufferRef(), Sources, /*ShowColors=*/false) {
    Sources.setDiagHandler(&Reader::onDiagnostic, this);
  }

  Expected<Config> run() {
    yaml::document_iterator Document = Stream.begin();
    if (Document != Stream.end()) {
      yaml::Node *Root = Document->getRoot();
      // An empty file holds one null document.
      if (Root && !isa<yaml::NullNode>(Root))
        readRoot(*Root);
    }
    if (Message.empty() && Stream.failed())
      Message = FileName + ": this is not YAML";
    if (!Message.empty())
      return createStringError(inconvertibleErrorCode(), Message);
    return std::move(Result);
  }

private:
  using Handler = function_ref<void(StringRef Key, yaml::Node &Value)>;

  static void onDiagnostic(const SMDiagnostic &D, void *Self) {
    auto &R = *static_cast<Reader *>(Self);
    if (R.Message.empty())
      R.Message = (R.FileName + ":" + Twine(D.getLineNo()) + ":" +
                   Twine(D.getColumnNo() + 1) + ": " + D.getMessage())
                      .str();
  }

  void complain(yaml::Node &At, const Twine &Text) {
    if (!Message.empty())
      return;
    auto [Line, Column] = Sources.getLineAndColumn(At.getSourceRange().Start);
    Message = (FileName + ":" + Twine(Line) + ":" + Twine(Column) + ": " + Text)
                  .str();
  }

  /// Calls Take for each key of a mapping. With Known, another key is an error.
  void readMapping(yaml::Node &N, const Twine &What, ArrayRef<StringRef> Known,
                   Handler Take) {
    auto *Map = dyn_cast<yaml::MappingNode>(&N);
    if (!Map)
      return complain(N, What + " must be a mapping (key: value)");
    std::vector<std::string> Seen;
    for (yaml::KeyValueNode &Entry : *Map) {
      auto *KeyNode = dyn_cast_or_null<yaml::ScalarNode>(Entry.getKey());
      if (!KeyNode)
        return complain(N, What + " has a key that is not a plain word");
      SmallString<32> Storage;
      std::string Key = KeyNode->getValue(Storage).str();
      if (!Known.empty() && !is_contained(Known, StringRef(Key)))
        return complain(*KeyNode, unknownKey(Key, Known));
      if (is_contained(Seen, Key))
        return complain(*KeyNode, "key '" + Key + "' is given twice");
      Seen.push_back(Key);
      yaml::Node *Value = Entry.getValue();
      if (!Value || !Message.empty())
        return;
      Take(Key, *Value);
      if (!Message.empty())
        return;
    }
  }

  static std::string unknownKey(StringRef Key, ArrayRef<StringRef> Known) {
    StringRef Nearest = nearestName(Key, Known);
    std::string Text = ("unknown key '" + Key + "'").str();
    if (!Nearest.empty())
      return Text + "; did you mean '" + Nearest.str() + "'?";
    return Text + "; the keys here are " +
           join(Known.begin(), Known.end(), ", ");
  }

  std::optional<std::string> readScalar(yaml::Node &N, const Twine &What) {
    auto *Scalar = dyn_cast<yaml::ScalarNode>(&N);
    if (!Scalar) {
      complain(N, What + " must be a single value");
      return std::nullopt;
    }
    SmallString<32> Storage;
    return Scalar->getValue(Storage).str();
  }

  void readList(yaml::Node &N, const Twine &What,
                std::vector<std::string> &Out) {
    auto *List = dyn_cast<yaml::SequenceNode>(&N);
    if (!List)
      return complain(N, What + " must be a list ([a, b])");
    for (yaml::Node &Item : *List)
      if (std::optional<std::string> Text =
              readScalar(Item, "an entry of " + What))
        Out.push_back(*Text);
  }

  void readNumber(yaml::Node &N, StringRef Key, uint64_t &Out) {
    std::optional<std::string> Text = readScalar(N, Key);
    if (Text && (StringRef(*Text).getAsInteger(10, Out) || Out == 0))
      complain(N, Key + " must be a number above zero, not '" + *Text + "'");
  }

  template <typename T>
  void readChoice(yaml::Node &N, StringRef Key, std::optional<T> &Out,
                  Expected<T> (*Parse)(StringRef)) {
    std::optional<std::string> Text = readScalar(N, Key);
    if (!Text)
      return;
    Expected<T> Value = Parse(*Text);
    if (Value)
      Out.emplace(*Value);
    else
      complain(N, toString(Value.takeError()));
  }

  static Expected<bool> parseBool(StringRef Text) {
    if (Text == "true" || Text == "false")
      return Text == "true";
    return createStringError(inconvertibleErrorCode(),
                             "verify is true or false, not '" + Text + "'");
  }

  void readRoot(yaml::Node &N) {
    static constexpr StringRef Keys[] = {
        "functions",     "target",  "fp",           "alias",  "verify",
        "eigen-include", "blas",    "blas-library", "inputs", "derivatives",
        "checkpoint",    "machine", "exclude",      "cache",  "gradients"};
    readMapping(N, "the configuration", Keys,
                [&](StringRef Key, yaml::Node &V) {
                  if (Key == "functions")
                    readFunctions(V);
                  else if (Key == "target")
                    readChoice(V, Key, Result.Target, parseTarget);
                  else if (Key == "fp")
                    readChoice(V, Key, Result.FP, parseFPMode);
                  else if (Key == "alias")
                    readChoice(V, Key, Result.Alias, parseAliasMode);
                  else if (Key == "verify")
                    readChoice(V, Key, Result.Verify, parseBool);
                  else if (Key == "eigen-include")
                    Result.EigenInclude = readScalar(V, Key).value_or("");
                  else if (Key == "blas")
                    readBlas(V, Key);
                  else if (Key == "blas-library")
                    Result.BlasLibrary = readScalar(V, Key).value_or("");
                  else if (Key == "exclude")
                    readList(V, Key, Result.ExcludeFiles);
                  else if (Key == "cache")
                    Result.CacheFolder = readScalar(V, Key).value_or("");
                  else if (Key == "inputs")
                    readInputs(V);
                  else if (Key == "derivatives")
                    readDerivatives(V);
                  else if (Key == "checkpoint")
                    readCheckpoints(V);
                  else if (Key == "gradients")
                    readGradients(V);
                  else
                    readMachine(V);
                });
  }

  void readBlas(yaml::Node &N, StringRef Key) {
    const std::optional<std::string> Text = readScalar(N, Key);
    if (Text && *Text != "cblas" && *Text != "none")
      complain(N, "blas is cblas or none, not '" + *Text + "'");
    Result.Blas = Text == "cblas";
  }

  void readFunctions(yaml::Node &N) {
    static constexpr StringRef Keys[] = {"include", "exclude"};
    readMapping(N, "functions", Keys, [&](StringRef Key, yaml::Node &V) {
      readList(V, Key, Key == "include" ? Result.Include : Result.Exclude);
    });
  }

  void readInputs(yaml::Node &N) {
    readMapping(N, "inputs", {}, [&](StringRef Function, yaml::Node &Hints) {
      StringMap<std::string> &Out = Result.Inputs[Function.str()];
      const auto [Line, Column] =
          Sources.getLineAndColumn(Hints.getSourceRange().Start);
      Result.InputsAt[Function.str()] =
          (FileName + ":" + Twine(Line) + ":" + Twine(Column)).str();
      readMapping(
          Hints, "inputs of " + Function, {},
          [&](StringRef Param, yaml::Node &Hint) {
            if (std::optional<std::string> Text = readScalar(Hint, Param))
              Out[Param] =
                  Param == RecordingKey ? recording(Hint, *Text) : *Text;
          });
    });
  }

  /// The path of a recording, which must be one.
  std::string recording(yaml::Node &N, StringRef Written) {
    SmallString<256> Path(Written);
    if (!sys::path::is_absolute(Path)) {
      Path = sys::path::parent_path(FileName);
      sys::path::append(Path, Written);
    }
    if (Error E = readRecording(Path).takeError())
      complain(N, toString(std::move(E)));
    return std::string(Path);
  }

  void readDerivatives(yaml::Node &N) {
    static constexpr StringRef Keys[] = {"adjoint", "tangent"};
    readMapping(N, "derivatives", {}, [&](StringRef Function, yaml::Node &V) {
      Config::Rule &Rule = Result.Derivatives[Function.str()];
      std::tie(Rule.Line, Rule.Column) =
          Sources.getLineAndColumn(V.getSourceRange().Start);
      readMapping(V, "the derivatives of " + Function, Keys,
                  [&](StringRef Key, yaml::Node &Name) {
                    std::string &Out =
                        Key == "tangent" ? Rule.Tangent : Rule.Adjoint;
                    Out = readScalar(Name, Key).value_or("");
                    if (Out.empty())
                      complain(Name, Key + " must name a function");
                  });
      if (Rule.Tangent.empty() && Rule.Adjoint.empty())
        complain(V, "the derivatives of " + Function +
                        " need a tangent or an adjoint");
    });
  }

  void readCheckpoints(yaml::Node &N) {
    readMapping(N, "checkpoint", {}, [&](StringRef Function, yaml::Node &V) {
      readCheckpoint(V, Function, Result.Steps[Function.str()]);
    });
  }

  /// A list, or its one entry.
  void readNames(yaml::Node &N, StringRef Key, std::vector<std::string> &Out) {
    if (isa<yaml::SequenceNode>(N))
      readList(N, Key, Out);
    else if (std::optional<std::string> Text = readScalar(N, Key))
      Out.push_back(*Text);
    if (Message.empty() && (Out.empty() || is_contained(Out, "")))
      complain(N, Key + " must name at least one thing, and none by an empty "
                        "name");
  }

  void readGradients(yaml::Node &N) {
    auto *List = dyn_cast<yaml::SequenceNode>(&N);
    if (!List)
      return complain(N, "gradients must be a list of entries (- function: f)");
    for (yaml::Node &Item : *List)
      readGradient(Item);
  }

  void readGradient(yaml::Node &N) {
    static constexpr StringRef Keys[] = {"function", "source",    "output",
                                         "wrt",      "of",        "mode",
                                         "split",    "directions"};
    Config::GradientEntry E;
    GradientRequest &G = E.Request;
    auto [Line, Column] = Sources.getLineAndColumn(N.getSourceRange().Start);
    G.Place =
        FileName + ":" + std::to_string(Line) + ":" + std::to_string(Column);
    uint64_t Directions = 0;
    readMapping(N, "an entry of gradients", Keys,
                [&](StringRef Key, yaml::Node &V) {
                  if (Key == "function")
                    G.Function = readScalar(V, Key).value_or("");
                  else if (Key == "source")
                    E.Source = readScalar(V, Key).value_or("");
                  else if (Key == "output")
                    E.Output = readScalar(V, Key).value_or("");
                  else if (Key == "wrt")
                    readNames(V, Key, G.Wrt);
                  else if (Key == "of")
                    readNames(V, Key, G.Of);
                  else if (Key == "mode")
                    G.Forward = readWord(V, Key, "forward", "reverse");
                  else if (Key == "split")
                    G.Split = readWord(V, Key, "true", "false");
                  else
                    readNumber(V, Key, Directions);
                });
    for (auto [Key, Value] : {std::pair("function", StringRef(G.Function)),
                              std::pair("source", StringRef(E.Source)),
                              std::pair("output", StringRef(E.Output))})
      if (Value.empty())
        complain(N, Twine("an entry of gradients needs '") + Key + "'");
    if (Directions > MaxDirections)
      complain(N, "directions must be a number from 1 to 64");
    else if (Directions && !G.Forward)
      complain(N, "directions is for 'mode: forward': an adjoint is that of "
                  "one result");
    else if (G.Split && G.Forward)
      complain(N, "split is for 'mode: reverse': a tangent keeps nothing");
    G.Directions = Directions ? Directions : 1;
    Result.Gradients.push_back(std::move(E));
  }

  static constexpr uint64_t MaxDirections = 64;

  /// Whether it is Yes; else it must be No.
  bool readWord(yaml::Node &N, StringRef Key, StringRef Yes, StringRef No) {
    const std::optional<std::string> Text = readScalar(N, Key);
    if (Text && *Text != Yes && *Text != No)
      complain(N, Key + " is " + Yes + " or " + No + ", not '" + *Text + "'");
    return Text == Yes;
  }

  static constexpr uint64_t MaxSnapshots = 1000000;

  void readCheckpoint(yaml::Node &N, StringRef Function,
                      grad::Checkpoints &Out) {
    static constexpr StringRef Keys[] = {"loop", "scheme", "every",
                                         "snapshots"};
    const unsigned Line =
        Sources.getLineAndColumn(N.getSourceRange().Start).first;
    Out.Place = FileName + ":" + std::to_string(Line);
    std::string Scheme;
    uint64_t Every = 0, Snapshots = 0;
    readMapping(N, "checkpoint of " + Function, Keys,
                [&](StringRef Key, yaml::Node &V) {
                  if (Key == "every")
                    return readNumber(V, Key, Every);
                  if (Key == "snapshots")
                    return readNumber(V, Key, Snapshots);
                  const std::optional<std::string> Text = readScalar(V, Key);
                  if (!Text)
                    return;
                  if (Key == "loop")
                    Out.Loop = *Text;
                  else if (*Text == "periodic" || *Text == "binomial")
                    Scheme = *Text;
                  else
                    complain(V, "scheme must be periodic or binomial, not '" +
                                    *Text + "'");
                });
    if (Out.Loop.empty())
      complain(N, "checkpoint of " + Function +
                      " needs 'loop': the variable of the loop over time "
                      "steps");
    else if (Scheme.empty())
      complain(N, "checkpoint of " + Function +
                      " needs 'scheme: periodic' or 'scheme: binomial'");
    else if (Scheme == "binomial" ? Every != 0 : Snapshots != 0)
      complain(N, "checkpoint of " + Function + ": '" +
                      (Scheme == "binomial"
                           ? "every' is for 'scheme: periodic'"
                           : "snapshots' is for 'scheme: binomial'"));
    else if (Scheme == "binomial" ? Snapshots == 0 || Snapshots > MaxSnapshots
                                  : Every == 0 || Every > INT32_MAX)
      complain(N, "checkpoint of " + Function +
                      (Scheme == "binomial"
                           ? " needs 'snapshots': how many states are kept at "
                             "most, 1 to " +
                                 std::to_string(MaxSnapshots)
                           : std::string(" needs 'every': the number of steps "
                                         "from one snapshot to the next")));
    Out.Every = Every;
    Out.Snapshots = Snapshots;
  }

  void readMachine(yaml::Node &N) {
    static constexpr StringRef Keys[] = {"vector-bytes", "cache-line-bytes",
                                         "parallel-work"};
    readMapping(N, "machine", Keys, [&](StringRef Key, yaml::Node &V) {
      uint64_t Number = 1;
      readNumber(V, Key, Number);
      if (Key == "parallel-work")
        Result.Machine.ParallelWork = Number;
      else if (Number > 4096 || (Number & (Number - 1)))
        complain(V, Key + " must be a power of two up to 4096");
      else if (Key == "vector-bytes")
        Result.Machine.VectorBytes = Number;
      else
        Result.Machine.CacheLineBytes = Number;
    });
  }

  std::string FileName;
  std::unique_ptr<MemoryBuffer> Buffer;
  SourceMgr Sources;
  yaml::Stream Stream;
  std::string Message;
  Config Result;
};

bool matches(StringRef Pattern, StringRef Name) {
  size_t Star = Pattern.find('*');
  if (Star == StringRef::npos)
    return Pattern == Name;
  if (!Name.consume_front(Pattern.take_front(Star)))
    return false;
  StringRef Rest = Pattern.drop_front(Star + 1);
  for (size_t I = 0; I <= Name.size(); ++I)
    if (matches(Rest, Name.drop_front(I)))
      return true;
  return false;
}

/// As in paths: `*` stays within a name, `**` does not.
bool matchesPath(StringRef Pattern, StringRef Path) {
  const size_t Star = Pattern.find('*');
  if (Star == StringRef::npos)
    return Pattern == Path;
  if (!Path.consume_front(Pattern.take_front(Star)))
    return false;
  StringRef Rest = Pattern.drop_front(Star + 1);
  const bool Deep = Rest.consume_front("*");
  // `**/x` is x in this folder too.
  if (Deep && Rest.starts_with("/") && matchesPath(Rest.drop_front(), Path))
    return true;
  for (size_t I = 0; I <= Path.size(); ++I) {
    if (matchesPath(Rest, Path.drop_front(I)))
      return true;
    if (I < Path.size() && Path[I] == '/' && !Deep)
      return false;
  }
  return false;
}

} // namespace

bool Config::excludesFile(StringRef File) const {
  SmallString<256> Folder(Path);
  (void)sys::fs::make_absolute(Folder);
  sys::path::remove_filename(Folder);
  sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
  if (!File.consume_front(StringRef(Folder).rtrim('/')) ||
      !File.consume_front("/"))
    return false;
  return any_of(ExcludeFiles, [&](StringRef Pattern) {
    Pattern = Pattern.rtrim('/');
    Pattern.consume_front("./");
    for (StringRef Part = File; !Part.empty();
         Part = sys::path::parent_path(Part))
      if (matchesPath(Pattern, Part))
        return true;
    return false;
  });
}

bool Config::selects(StringRef QualifiedName) const {
  auto Matches = [&](const std::string &P) {
    return matches(P, QualifiedName);
  };
  return (Include.empty() || any_of(Include, Matches)) &&
         none_of(Exclude, Matches);
}

Expected<Config> parseConfig(StringRef Text, StringRef FileName) {
  return Reader(Text, FileName).run();
}

Expected<Config> loadConfig(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Path);
  if (!File)
    return createStringError(File.getError(),
                             "cannot read the configuration '" + Path +
                                 "': " + File.getError().message());
  Expected<Config> C = parseConfig((*File)->getBuffer(), Path);
  if (C)
    C->Path = Path.str();
  return C;
}

std::string findConfig(StringRef SourceFile) {
  SmallString<256> Folder(SourceFile);
  (void)sys::fs::make_absolute(Folder);
  sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
  for (sys::path::remove_filename(Folder); !Folder.empty();) {
    SmallString<256> Candidate(Folder);
    sys::path::append(Candidate, ".clang-raise");
    if (sys::fs::exists(Candidate) && !sys::fs::is_directory(Candidate))
      return Candidate.str().str();
    if (Folder == sys::path::root_path(Folder))
      break;
    Folder.resize(sys::path::parent_path(Folder).size());
  }
  return "";
}

Expected<Config> configFor(StringRef SourceFile,
                           const std::optional<Config> &Fixed) {
  if (Fixed)
    return *Fixed;
  const std::string Path = findConfig(SourceFile);
  return Path.empty() ? Config() : loadConfig(Path);
}

} // namespace raise
