//===- ConfiguredGradients.cpp - what .clang-raise asks grad for ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ConfiguredGradients.h"
#include "raise/Driver/Project.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace raise {

namespace {

Error fail(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

/// The folder of the file, absolute.
std::string folderOf(StringRef File) {
  SmallString<256> Path(File);
  (void)sys::fs::make_absolute(Path);
  sys::path::remove_filename(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

std::string inFolder(StringRef Folder, StringRef Name) {
  SmallString<256> Path(Name);
  sys::fs::make_absolute(Folder, Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

bool isSource(const SourceFile &S, StringRef Path) {
  return S.Path == Path || sys::fs::equivalent(S.Path, Path);
}

class Collector {
public:
  Collector(ArrayRef<SourceFile> Sources, bool IsDatabase)
      : Sources(Sources), IsDatabase(IsDatabase) {}

  Error add(const Config &C) {
    const std::string Folder = folderOf(C.Path);
    for (const Config::GradientEntry &E : C.Gradients)
      if (Error Problem = add(E, Folder))
        return Problem;
    return Error::success();
  }

  std::vector<SourceFile> take() { return std::move(Found); }

private:
  Error add(const Config::GradientEntry &E, const std::string &Folder) {
    const std::string Source = inFolder(Folder, E.Source),
                      Output = inFolder(Folder, E.Output);
    const auto *S =
        find_if(Sources, [&](const auto &S) { return isSource(S, Source); });
    if (S == Sources.end()) {
      if (!IsDatabase)
        return Error::success();
      return fail(E.Request.Place + ": the source '" + E.Source + "' " +
                  (sys::fs::exists(Source)
                       ? "is not in the compilation database; build it once, "
                         "or mend the entry"
                       : "does not exist"));
    }
    // What a project's own settings say may not write outside of it.
    if (!liesBelow(resolvedPath(Folder), Output))
      return fail(E.Request.Place + ": the output '" + E.Output +
                  "' lies outside of the folder of this file; name one below "
                  "it, or use --function and -o");
    if (isSource(*S, Output))
      return fail(E.Request.Place + ": the output is the source itself; name "
                                    "another file");
    auto Same = find_if(Found, [&](const SourceFile &F) {
      return F.Path == S->Path && F.Output == Output;
    });
    if (Same == Found.end()) {
      Found.push_back(*S);
      Found.back().Output = Output;
      Same = std::prev(Found.end());
    }
    Same->Gradients.push_back(E.Request);
    return Error::success();
  }

  ArrayRef<SourceFile> Sources;
  bool IsDatabase;
  std::vector<SourceFile> Found;
};

} // namespace

Expected<std::vector<SourceFile>>
configuredGradients(ArrayRef<SourceFile> Sources, bool IsDatabase,
                    const std::optional<Config> &FixedConfig) {
  std::map<std::string, Config> Configs; // by path
  for (const SourceFile &S : Sources) {
    const std::string Path =
        FixedConfig ? FixedConfig->Path : findConfig(S.Path);
    if (Path.empty() || Configs.count(Path))
      continue;
    Expected<Config> C = configFor(S.Path, FixedConfig);
    if (!C)
      return C.takeError();
    Configs.emplace(Path, std::move(*C));
  }
  Collector All(Sources, IsDatabase);
  for (const auto &[Path, C] : Configs)
    if (Error E = All.add(C))
      return std::move(E);
  std::vector<SourceFile> Found = All.take();
  if (Found.empty())
    return fail(Twine("grad needs a function: name it with --function=<name>, "
                      "or list it under 'gradients' in ") +
                (Configs.empty() ? StringRef(".clang-raise")
                                 : StringRef(Configs.begin()->first)));
  return Found;
}

Error checkConfiguredNames(ArrayRef<SourceFile> Sources,
                           ArrayRef<UnitOutput> Units) {
  for (auto [S, U] : zip_equal(Sources, Units))
    for (const GradientRequest &G : S.Gradients) {
      if (!U.Errors.empty() || is_contained(U.FunctionsFound, G.Function))
        continue;
      const std::vector<StringRef> Names(U.FunctionNames.begin(),
                                         U.FunctionNames.end());
      const StringRef Nearest =
          nearestName(StringRef(G.Function).split('(').first, Names);
      return fail(G.Place + ": no function with a body in '" + S.Display +
                  "' is called '" + G.Function + "'" +
                  (Nearest.empty()
                       ? std::string()
                       : "; did you mean '" + Nearest.str() + "'?"));
    }
  return Error::success();
}

} // namespace raise
