//===- HeaderFiles.cpp - headers that are edited with their sources -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HeaderFiles.h"
#include "Cache.h"
#include "KernelInstances.h"
#include "raise/Driver/Project.h"
#include "raise/Frontend/Lift.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace raise {

namespace {

std::string absolutePath(StringRef Name, StringRef Folder) {
  SmallString<256> Path(Name);
  sys::fs::make_absolute(Folder, Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

bool isExcluded(StringRef Path, const std::optional<Config> &Fixed) {
  Expected<Config> C = configFor(Path, Fixed);
  if (C)
    return C->excludesFile(Path);
  consumeError(C.takeError()); // told where a source has it
  return true;
}

void leave(UnitOutput &U, StringRef Code, StringRef Why) {
  if (U.NewText)
    U.NewText = U.OldText;
  for (Result &R : U.Results)
    if (R.Rewritten) {
      R.Rewritten = false;
      R.Why = {Code.str(), Why.str(), {}};
    }
}

/// What all who see one header say of it.
class Merged {
public:
  explicit Merged(const UnitOutput &First) : All(First) {}

  void add(const UnitOutput &Other) {
    Agree &= Other.NewText == All.NewText && Other.OldText == All.OldText;
    for (const Result &R : Other.Results) {
      auto Same = find_if(All.Results, [&](const Result &Mine) {
        return Mine.Line == R.Line && Mine.Column == R.Column &&
               Mine.Function == R.Function && Mine.What == R.What;
      });
      if (Same == All.Results.end())
        All.Results.push_back(R);
      else if (isWorse(R, *Same))
        *Same = R;
    }
    for (const std::string &F : Other.FunctionsFound)
      All.FunctionsFound.push_back(F);
  }

  UnitOutput take(StringRef Doubt) {
    All.Details.resize(All.Results.size());
    if (!Agree)
      leave(All, "CR1712",
            "the sources that include the file give different results");
    else if (!Doubt.empty())
      leave(All, "CR1701", Doubt);
    return std::move(All);
  }

private:
  UnitOutput All;
  bool Agree = true;
};

} // namespace

std::vector<ProjectHeader> projectHeaders(clang::ASTContext &AST,
                                          StringRef Folder,
                                          const UnitSettings &Settings,
                                          FileFacts *Facts) {
  const clang::SourceManager &SM = AST.getSourceManager();
  std::map<clang::FileID, bool> Files;
  for (const clang::FunctionDecl *FD : findHeaderCandidates(AST))
    Files[SM.getFileID(SM.getExpansionLoc(FD->getLocation()))] = true;
  std::map<std::string, ProjectHeader> Found; // by path
  for (const auto &[File, Holds] : Files) {
    const clang::OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
    if (!Entry)
      continue;
    const std::string Spelled =
        SM.getFilename(SM.getLocForStartOfFile(File)).str();
    const std::string Path = absolutePath(Spelled, Folder);
    if (!liesBelow(Settings.HeadersBelow, Path))
      continue;
    if (Facts)
      Facts->merge(settingsFacts(Path, Settings));
    if (isExcluded(Path, Settings.FixedConfig))
      continue;
    auto [At, IsNew] = Found.try_emplace(Path);
    ProjectHeader &H = At->second;
    if (!IsNew)
      H.Problem = "the file is included several times, and its text stands for "
                  "several functions";
    H.Spelled = Spelled;
    H.Path = Path;
    H.File = File;
  }
  std::vector<ProjectHeader> Headers;
  Headers.reserve(Found.size());
  for (auto &[Path, H] : Found)
    Headers.push_back(std::move(H));
  return Headers;
}

bool editsHeaders(ArrayRef<UnitOutput> Units) {
  return any_of(Units, [](const UnitOutput &U) {
    return any_of(U.Headers, [](const UnitOutput &H) {
      return H.NewText && *H.NewText != H.OldText;
    });
  });
}

void addHeaders(std::vector<SourceFile> &Sources,
                std::vector<UnitOutput> &Units, ArrayRef<UnitOutput> Witnesses,
                StringRef Doubt) {
  // One file may have several names.
  std::map<sys::fs::UniqueID, std::pair<std::string, Merged>> Of;
  std::vector<sys::fs::UniqueID> InOrder;
  const auto Add = [&](const UnitOutput &U, bool IsWitness) {
    for (const UnitOutput &H : U.Headers) {
      sys::fs::UniqueID Id;
      if (sys::fs::getUniqueID(H.HeaderPath, Id))
        continue;
      auto At = Of.find(Id);
      if (At != Of.end()) {
        At->second.second.add(H);
      } else if (!IsWitness) {
        Of.emplace(Id, std::pair(H.HeaderPath, Merged(H)));
        InOrder.push_back(Id);
      }
    }
  };
  for (const UnitOutput &U : Units)
    Add(U, /*IsWitness=*/false);
  for (const UnitOutput &U : Witnesses)
    Add(U, /*IsWitness=*/true);
  // What is a source of its own has its results as such; but its text must
  // be what those say who include it.
  for (auto [S, U] : zip_equal(Sources, Units)) {
    sys::fs::UniqueID Id;
    if (sys::fs::getUniqueID(S.Path, Id) || !Of.count(Id))
      continue;
    Merged Both = Of.at(Id).second;
    UnitOutput Alone;
    Alone.OldText = U.OldText;
    Alone.NewText = U.NewText;
    Both.add(Alone);
    if (U.NewText && Both.take(Doubt).NewText != U.NewText)
      leave(U, "CR1712",
            "the sources that include the file give different results");
    erase(InOrder, Id);
  }
  std::vector<std::pair<std::string, UnitOutput>> Headers;
  for (const sys::fs::UniqueID &Id : InOrder) {
    auto &[Path, M] = Of.at(Id);
    Headers.emplace_back(Path, M.take(Doubt));
  }
  sort(Headers, [](const auto &A, const auto &B) { return A.first < B.first; });
  for (auto &[Path, U] : Headers) {
    SourceFile S;
    S.Path = Path;
    S.Display = displayPath(Path);
    Sources.push_back(std::move(S));
    Units.push_back(std::move(U));
  }
}

} // namespace raise
