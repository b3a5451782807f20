//===- Cache.cpp - results that are known already -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Cache.h"
#include "raise/Driver/Output.h"
#include "raise/Driver/Project.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <cstring>
#include <link.h>
#include <set>

using namespace llvm;

namespace raise {

namespace {

constexpr StringRef Magic = "clang-raise results 2\n";

std::string hashOf(StringRef Text) {
  return MD5::hash(ArrayRef(reinterpret_cast<const uint8_t *>(Text.data()),
                            Text.size()))
      .digest()
      .str()
      .str();
}

//===-- Words, each with its length in front
//---------------------------------===//

class Writer {
public:
  std::string Text;
  void add(StringRef Word) {
    Text += std::to_string(Word.size()) + ":";
    Text += Word;
  }
  void add(uint64_t Number) { add(StringRef(std::to_string(Number))); }
  void add(const std::vector<std::string> &Words) {
    add(uint64_t(Words.size()));
    for (const std::string &W : Words)
      add(StringRef(W));
  }
  void add(const Reason &R) {
    for (StringRef Word :
         {StringRef(R.Code), StringRef(R.Text), StringRef(R.Loc.File)})
      add(Word);
    for (unsigned N : {R.Loc.Line, R.Loc.Column, R.Loc.Begin, R.Loc.End,
                       unsigned(R.Loc.InMacro)})
      add(uint64_t(N));
  }
  void add(const Result &R) {
    for (const std::string *Word :
         {&R.File, &R.Function, &R.Kind, &R.Notation, &R.VerifiedDetail})
      add(StringRef(*Word));
    for (unsigned N : {R.Line, R.Column, unsigned(R.What), unsigned(R.Outcome),
                       unsigned(R.Rewritten), unsigned(R.Verified)})
      add(uint64_t(N));
    add(R.Why);
    add(R.Assumptions);
    add(R.Guards);
  }
  /// Without what can be read again, and without headers.
  void add(const UnitOutput &Output) {
    add(uint64_t(Output.Results.size()));
    for (const Result &R : Output.Results)
      add(R);
    add(uint64_t(Output.EditedBlocks.size()));
    for (const Reason &R : Output.EditedBlocks)
      add(R);
    add(uint64_t(Output.NewText.has_value()));
    if (Output.NewText)
      add(StringRef(*Output.NewText));
    add(Output.FunctionsFound);
    add(Output.FunctionNames);
    add(Output.Inputs);
  }
};

/// Reads what Writer wrote; a text of another kind makes it fail, not crash.
class Reader {
public:
  explicit Reader(StringRef Text) : Rest(Text) {}
  bool Failed = false;

  std::string word() {
    auto [Length, After] = Rest.split(':');
    size_t Size = 0;
    if (Failed || Length.getAsInteger(10, Size) || Size > After.size()) {
      Failed = true;
      return "";
    }
    Rest = After.drop_front(Size);
    return After.take_front(Size).str();
  }
  uint64_t number() {
    uint64_t N = 0;
    Failed |= StringRef(word()).getAsInteger(10, N);
    return N;
  }
  std::vector<std::string> words() {
    std::vector<std::string> Words;
    for (uint64_t N = number(); N > 0 && !Failed; --N)
      Words.push_back(word());
    return Words;
  }
  Reason reason() {
    Reason R;
    R.Code = word();
    R.Text = word();
    R.Loc.File = word();
    R.Loc.Line = number();
    R.Loc.Column = number();
    R.Loc.Begin = number();
    R.Loc.End = number();
    R.Loc.InMacro = number();
    return R;
  }
  Result result() {
    Result R;
    for (std::string *Word :
         {&R.File, &R.Function, &R.Kind, &R.Notation, &R.VerifiedDetail})
      *Word = word();
    R.Line = number();
    R.Column = number();
    R.What = Construct(number());
    R.Outcome = Status(number());
    R.Rewritten = number();
    R.Verified = Verification(number());
    R.Why = reason();
    R.Assumptions = words();
    R.Guards = words();
    return R;
  }
  UnitOutput output() {
    UnitOutput Out;
    for (uint64_t N = number(); N > 0 && !Failed; --N)
      Out.Results.push_back(result());
    for (uint64_t N = number(); N > 0 && !Failed; --N)
      Out.EditedBlocks.push_back(reason());
    if (number())
      Out.NewText = word();
    Out.FunctionsFound = words();
    Out.FunctionNames = words();
    Out.Inputs = words();
    return Out;
  }

private:
  StringRef Rest;
};

//===-- Which tool this is
//---------------------------------------------------===//

/// The build id of a loaded program or library; else its file's content.
int addBuildId(dl_phdr_info *Info, size_t, void *Into) {
  auto &Ids = *static_cast<std::string *>(Into);
  for (int I = 0; I < Info->dlpi_phnum; ++I) {
    const auto &Segment = Info->dlpi_phdr[I];
    if (Segment.p_type != PT_NOTE)
      continue;
    const char *At =
        reinterpret_cast<const char *>(Info->dlpi_addr + Segment.p_vaddr);
    const char *End = At + Segment.p_memsz;
    while (At + sizeof(ElfW(Nhdr)) <= End) {
      ElfW(Nhdr) Note;
      std::memcpy(&Note, At, sizeof(Note));
      const char *Name = At + sizeof(Note);
      const char *Text = Name + alignTo(Note.n_namesz, 4);
      if (Note.n_type == NT_GNU_BUILD_ID && Note.n_namesz == 4 &&
          StringRef(Name, 3) == "GNU") {
        Ids += hashOf(StringRef(Text, Note.n_descsz));
        return 0;
      }
      At = Text + alignTo(Note.n_descsz, 4);
    }
  }
  StringRef File = Info->dlpi_name;
  // The kernel's own page has no file.
  if (!File.contains("vdso"))
    Ids += currentFact(File.empty() ? "/proc/self/exe" : File);
  return 0;
}

const std::string &toolId() {
  static const std::string Id = [] {
    std::string Ids;
    dl_iterate_phdr(addBuildId, &Ids);
    return Ids;
  }();
  return Id;
}

void addFactsAbove(FileFacts &Facts, StringRef Source,
                   ArrayRef<StringRef> Names) {
  SmallString<256> Folder(sys::path::parent_path(Source));
  while (!Folder.empty()) {
    for (StringRef Name : Names) {
      SmallString<256> Path(Folder);
      sys::path::append(Path, Name);
      Facts[Path.str().str()] = currentFact(Path);
    }
    if (Folder == sys::path::root_path(Folder))
      break;
    Folder.resize(sys::path::parent_path(Folder).size());
  }
}

std::string fileOf(StringRef Folder, StringRef Key) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, Key + ".result");
  return Path.str().str();
}

} // namespace

FileFacts settingsFacts(StringRef Source, const UnitSettings &Settings) {
  FileFacts Facts;
  addFactsAbove(Facts, Source, {".clang-format", "_clang-format"});
  if (Settings.FixedConfig)
    Facts[Settings.FixedConfig->Path] = currentFact(Settings.FixedConfig->Path);
  else
    addFactsAbove(Facts, Source, {".clang-raise"});
  return Facts;
}

std::vector<std::string> filesOf(const FileFacts &Facts) {
  std::set<std::string> Files;
  for (const auto &[Path, Fact] : Facts)
    if (StringRef(Fact).starts_with("file ") || Fact == "changing") {
      // Build systems drop `a/..` from a path, also where a is a link.
      SmallString<256> File(
          StringRef(Path).contains("/../") ? resolvedPath(Path) : Path);
      sys::path::remove_dots(File);
      Files.insert(File.str().str());
    }
  // A precompiled header of gcc's was looked at, but its text was read.
  std::vector<std::string> Used;
  for (const std::string &File : Files)
    if (StringRef Text = File;
        !Text.consume_back(".gch") || !Files.count(Text.str()))
      Used.push_back(File);
  return Used;
}

std::string ResultCache::keyOf(const SourceFile &Source, StringRef OutputFolder,
                               const UnitSettings &Settings) {
  const ToolOptions &T = *Settings.Tool;
  Writer W;
  W.add(Magic);
  W.add(StringRef(toolId()));
  W.add(uint64_t(T.Cmd));
  for (StringRef Word :
       {StringRef(Source.Path), StringRef(Source.Display), OutputFolder,
        StringRef(Settings.Headers), StringRef(Settings.HeadersBelow)})
    W.add(Word);
  for (const auto &C : Source.Commands) {
    W.add(StringRef(C.Directory));
    W.add(StringRef(C.Filename));
    W.add(C.CommandLine);
  }
  W.add(T.Functions);
  W.add(T.FP ? uint64_t(*T.FP) + 1 : 0);
  W.add(T.Alias ? uint64_t(*T.Alias) + 1 : 0);
  W.add(T.Target ? uint64_t(*T.Target) + 1 : 0);
  if (Settings.FixedConfig)
    W.add(StringRef(Settings.FixedConfig->Path));
  // What adds include folders, or changes the command, from outside.
  for (const char *Name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH",
        "CCC_OVERRIDE_OPTIONS", "SDKROOT", "SOURCE_DATE_EPOCH"})
    W.add(StringRef(sys::Process::GetEnv(Name).value_or("")));
  return hashOf(W.Text);
}

std::string ResultCache::factOf(const std::string &Key) {
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    auto Found = Known.find(Key);
    if (Found != Known.end())
      return Found->second;
  }
  std::string Fact = currentFact(Key);
  std::lock_guard<std::mutex> Lock(Mutex);
  return Known[Key] = std::move(Fact);
}

std::optional<UnitOutput> ResultCache::find(StringRef Folder, StringRef Key) {
  Expected<std::string> File = readWhole(fileOf(Folder, Key));
  if (!File) {
    consumeError(File.takeError());
    return std::nullopt;
  }
  StringRef Text = *File;
  if (!Text.consume_front(Magic) || Text.size() < 32 ||
      hashOf(Text.drop_front(32)) != Text.take_front(32))
    return std::nullopt;
  Reader R(Text.drop_front(32));
  for (uint64_t N = R.number(); N > 0 && !R.Failed; --N) {
    const std::string Path = R.word(), Fact = R.word();
    if (R.Failed || factOf(Path) != Fact)
      return std::nullopt;
  }
  UnitOutput Out = R.output();
  for (uint64_t N = R.number(); N > 0 && !R.Failed; --N) {
    UnitOutput Header = R.output();
    Header.HeaderPath = R.word();
    Header.OldText = R.word();
    Out.Headers.push_back(std::move(Header));
  }
  if (R.Failed)
    return std::nullopt;
  return Out;
}

void ResultCache::keep(StringRef Folder, StringRef Key,
                       const UnitOutput &Output, FileFacts Facts) {
  // What was only looked at: a file under two names is read under one of them.
  for (auto &[Path, Fact] : Facts)
    if (Fact.empty())
      Fact = factOf(Path);
  Writer W;
  W.add(uint64_t(Facts.size()));
  for (const auto &[Path, Fact] : Facts) {
    W.add(StringRef(Path));
    W.add(StringRef(Fact));
  }
  W.add(Output);
  W.add(uint64_t(Output.Headers.size()));
  for (const UnitOutput &Header : Output.Headers) {
    W.add(Header);
    W.add(StringRef(Header.HeaderPath));
    W.add(StringRef(Header.OldText));
  }
  consumeError(
      writeWhole(fileOf(Folder, Key), (Magic + hashOf(W.Text) + W.Text).str()));
}

} // namespace raise
