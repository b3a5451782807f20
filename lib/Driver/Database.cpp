//===- Database.cpp - which files, compiled how ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Database.h"
#include "raise/Driver/Project.h"
#include "clang/Driver/Types.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using clang::tooling::CompilationDatabase;
using clang::tooling::CompileCommand;

namespace raise {

namespace {

Error fail(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

std::string absolutePath(StringRef Path, StringRef Folder = "") {
  SmallString<256> P(Path);
  if (!Folder.empty())
    sys::fs::make_absolute(Folder, P);
  (void)sys::fs::make_absolute(P);
  sys::path::remove_dots(P, /*remove_dot_dot=*/true);
  return P.str().str();
}

Expected<std::unique_ptr<CompilationDatabase>> loadFrom(StringRef File) {
  std::string Problem;
  auto DB = clang::tooling::JSONCompilationDatabase::loadFromFile(
      File, Problem, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!DB)
    return fail("cannot use " + File + ": " + StringRef(Problem).trim() +
                " (let the build system write it again, e.g. cmake "
                "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON)");
  return DB;
}

Expected<std::unique_ptr<CompilationDatabase>> loadFolder(StringRef Folder) {
  SmallString<256> File(Folder);
  sys::path::append(File, "compile_commands.json");
  if (!sys::fs::exists(File))
    return fail("no compile_commands.json in '" + Folder +
                "'; give -p the folder that holds it");
  return loadFrom(File);
}

/// Databases by folder, found by searching upward from a source.
class ParentSearch {
public:
  /// Null if no folder above holds a database.
  Expected<const CompilationDatabase *> find(StringRef Source) {
    SmallString<256> Folder(sys::path::parent_path(Source));
    while (true) {
      SmallString<256> File(Folder);
      sys::path::append(File, "compile_commands.json");
      if (sys::fs::exists(File))
        return loadOnce(File);
      if (Folder.empty() || Folder == sys::path::root_path(Folder))
        return nullptr;
      Folder.resize(sys::path::parent_path(Folder).size());
    }
  }

private:
  Expected<const CompilationDatabase *> loadOnce(StringRef File) {
    auto &Slot = Loaded[File];
    if (!Slot) {
      auto DB = loadFrom(File);
      if (!DB)
        return DB.takeError();
      Slot = std::move(*DB);
    }
    return Slot.get();
  }
  StringMap<std::unique_ptr<CompilationDatabase>> Loaded;
};

bool sameCommand(const CompileCommand &A, const CompileCommand &B) {
  return A.Directory == B.Directory && A.CommandLine == B.CommandLine;
}

/// Commands that differ only in where their output goes are one.
std::vector<CompileCommand> distinct(std::vector<CompileCommand> Commands) {
  std::vector<CompileCommand> Result;
  for (CompileCommand &C : Commands) {
    std::vector<std::string> Line;
    for (size_t I = 0; I < C.CommandLine.size(); ++I) {
      if (C.CommandLine[I] == "-o" && I + 1 < C.CommandLine.size())
        ++I;
      else
        Line.push_back(C.CommandLine[I]);
    }
    C.CommandLine = std::move(Line);
    C.Output.clear();
    if (none_of(Result, [&](auto &R) { return sameCommand(R, C); }))
      Result.push_back(std::move(C));
  }
  return Result;
}

/// `clang-raise ... source -- flags`.
CompileCommand fixedCommand(StringRef Path, ArrayRef<std::string> Flags) {
  SmallString<256> Here;
  (void)sys::fs::current_path(Here);
  CompileCommand C;
  C.Directory = Here.str().str();
  C.Filename = Path.str();
  StringRef Extension = sys::path::extension(Path);
  C.CommandLine.push_back(Extension == ".c" ? "clang" : "clang++");
  append_range(C.CommandLine, Flags);
  C.CommandLine.push_back(Path.str());
  return C;
}

std::string unusable(StringRef Path) {
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Path, Status)) {
    if (EC == std::errc::no_such_file_or_directory ||
        EC == std::errc::not_a_directory)
      return "no such file; check the spelling";
    return "cannot be read: " + EC.message();
  }
  if (sys::fs::is_directory(Status))
    return "is a folder; name source files, or a database with -p";
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForRead(Path);
  if (!File)
    return "cannot be read: " + toString(File.takeError());
  (void)sys::fs::closeFile(*File);
  return "";
}

/// The language that a source has by its name is one of ours, or Command says
/// which it is.
bool isSourceOf(const CompileCommand &Command, StringRef Path) {
  namespace types = clang::driver::types;
  StringRef Extension = sys::path::extension(Path);
  if (any_of(Command.CommandLine, [](StringRef Arg) {
        return Arg.starts_with("-x") || Arg.starts_with("--language");
      }))
    return true;
  types::ID Type = types::lookupTypeForExtension(
      Extension.empty() ? "" : Extension.substr(1));
  return types::isDerivedFromC(Type) && !types::isObjC(Type) &&
         !types::isOpenCL(Type) && !types::isHIP(Type) && !types::isHLSL(Type);
}

/// What the compile commands of S say that cannot be.
std::string problemOf(const SourceFile &S) {
  for (const CompileCommand &C : S.Commands) {
    if (!sys::fs::is_directory(C.Directory))
      return "its compile command runs in '" + C.Directory +
             "', which is no folder; let the build system write the database "
             "again";
    if (!isSourceOf(C, S.Path))
      return "is no C, C++ or CUDA source by its name; name a source, or give "
             "its language to the compiler (-x c++)";
  }
  return "";
}

/// Fills Commands or Problem.
void resolve(SourceFile &S, const CompilationDatabase *DB, StringRef Where) {
  if (DB) {
    S.Commands = distinct(DB->getCompileCommands(S.Path));
    S.Problem = problemOf(S);
  }
  if (S.Problem.empty())
    S.Problem = unusable(S.Path);
  if (!S.Problem.empty())
    return;
  if (!DB) {
    S.Problem = "no compile_commands.json above it; give -p <dir>, or compile "
                "flags after --";
    return;
  }
  if (S.Commands.empty())
    S.Problem =
        ("no compile command for it in " + Where +
         "; build it once with this file, or give compile flags after --")
            .str();
}

std::vector<SourceFile> namedSources(ArrayRef<std::string> Names) {
  std::vector<SourceFile> Result;
  StringSet<> Seen;
  for (const std::string &Name : Names) {
    SourceFile S;
    S.Path = absolutePath(Name);
    S.Display = Name;
    if (Seen.insert(S.Path).second)
      Result.push_back(std::move(S));
  }
  return Result;
}

std::vector<SourceFile> wholeDatabase(const CompilationDatabase &DB) {
  std::vector<std::string> Paths;
  for (const CompileCommand &C : DB.getAllCompileCommands())
    Paths.push_back(absolutePath(C.Filename, C.Directory));
  sort(Paths);
  Paths.erase(std::unique(Paths.begin(), Paths.end()), Paths.end());
  std::vector<SourceFile> Result;
  for (std::string &P : Paths) {
    SourceFile S;
    S.Display = displayPath(P);
    S.Path = std::move(P);
    Result.push_back(std::move(S));
  }
  return Result;
}

} // namespace

Expected<std::vector<SourceFile>> findSources(const ToolOptions &Opts) {
  std::vector<SourceFile> Sources = namedSources(Opts.Sources);
  if (Opts.CompileFlags) {
    for (SourceFile &S : Sources) {
      S.Problem = unusable(S.Path);
      if (!S.Problem.empty())
        continue;
      S.Commands.push_back(fixedCommand(S.Path, *Opts.CompileFlags));
      S.Problem = problemOf(S);
    }
    return Sources;
  }
  if (Opts.BuildPath) {
    auto DB = loadFolder(*Opts.BuildPath);
    if (!DB)
      return DB.takeError();
    if (Opts.Sources.empty())
      Sources = wholeDatabase(**DB);
    if (Sources.empty())
      return fail("the compilation database in '" + *Opts.BuildPath +
                  "' lists no file");
    for (SourceFile &S : Sources)
      resolve(S, DB->get(), "the database in '" + *Opts.BuildPath + "'");
    return Sources;
  }
  ParentSearch Search;
  for (SourceFile &S : Sources) {
    auto DB = Search.find(S.Path);
    if (!DB)
      return DB.takeError();
    resolve(S, *DB, "the compile_commands.json above it");
  }
  return Sources;
}

} // namespace raise
