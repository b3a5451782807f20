//===- ChooseSources.cpp - which of the sources are worked on -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ChooseSources.h"
#include "GradUnit.h"
#include "raise/Driver/Output.h"
#include "raise/Driver/Project.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include <map>

using namespace llvm;

namespace raise {

bool editsSources(const ToolOptions &Opts) {
  return Opts.InPlace || Opts.Diff || Opts.FixesFile ||
         (Opts.Cmd == Command::Rewrite && Opts.Check && !Opts.Output);
}

void takeShard(std::vector<SourceFile> &Sources, const ToolOptions &Opts,
               StringRef Root) {
  if (Opts.Shards == 1)
    return;
  erase_if(Sources, [&](const SourceFile &S) {
    StringRef Below = S.Path;
    Below.consume_front(Root);
    const uint64_t Hash = MD5Hash(Below.ltrim('/'));
    return Hash % Opts.Shards != Opts.Shard - 1;
  });
}

static bool wasMadeByGrad(StringRef Path) {
  Expected<std::string> Text = readWhole(Path);
  if (Text)
    return isMadeByGrad(*Text);
  consumeError(Text.takeError());
  return false;
}

std::vector<Reason> leaveOut(std::vector<SourceFile> &Sources,
                             const ToolOptions &Opts,
                             const std::optional<Config> &FixedConfig,
                             StringRef ProjectRoot,
                             std::vector<SourceFile> &LeftOut) {
  const bool IsDatabase = Opts.Sources.empty();
  std::vector<Reason> Said;
  std::map<std::string, size_t> Excluded; // by configuration
  const auto Say = [&](StringRef File, const Twine &Text) {
    Reason R;
    R.Text = Text.str();
    R.Loc.File = File.str();
    Said.push_back(std::move(R));
  };
  const auto IsLeft = [&](const SourceFile &S) {
    if (IsDatabase && editsSources(Opts) && !liesBelow(ProjectRoot, S.Path)) {
      Say(S.Display, "lies outside of the project's folder '" + ProjectRoot +
                         "' and is left as it is");
      return true;
    }
    if (IsDatabase && editsSources(Opts) && wasMadeByGrad(S.Path)) {
      Say(S.Display, "was made by clang-raise grad, which keeps it as it is");
      return true;
    }
    if (!S.Gradients.empty()) // an entry names it
      return false;
    Expected<Config> Cfg = configFor(S.Path, FixedConfig);
    if (!Cfg) { // told where the file is processed
      consumeError(Cfg.takeError());
      return false;
    }
    if (!Cfg->excludesFile(S.Path) || !(IsDatabase || editsSources(Opts)))
      return false;
    if (IsDatabase)
      ++Excluded[Cfg->Path];
    else
      Say(S.Display,
          "is left as it is, as 'exclude' in '" + Cfg->Path + "' asks for");
    return true;
  };
  erase_if(Sources, [&](const SourceFile &S) {
    const bool Left = IsLeft(S);
    if (Left)
      LeftOut.push_back(S);
    return Left;
  });
  for (const auto &[Path, Count] : Excluded)
    Say(Path, "'exclude' leaves out " + Twine(Count) +
                  (Count == 1 ? " file" : " files") + " of the database");
  return Said;
}

void leaveForConflict(UnitOutput &Unit) {
  Unit.NewText = Unit.OldText;
  for (Result &R : Unit.Results)
    if (R.Rewritten) {
      R.Rewritten = false;
      R.Why = {
          "CR1712", "the file's compile commands give different results", {}};
    }
}

void reconcile(ArrayRef<SourceFile> Sources,
               MutableArrayRef<UnitOutput> Units) {
  std::map<sys::fs::UniqueID, std::vector<UnitOutput *>> Of;
  for (auto [S, U] : zip(Sources, Units)) {
    sys::fs::UniqueID Id;
    if (U.NewText && !sys::fs::getUniqueID(S.Path, Id))
      Of[Id].push_back(&U);
  }
  for (auto &Entry : Of) {
    const std::vector<UnitOutput *> &Same = Entry.second;
    if (all_of(Same, [&](const UnitOutput *U) {
          return U->NewText == Same.front()->NewText;
        }))
      continue;
    for (UnitOutput *U : Same)
      leaveForConflict(*U);
  }
}

} // namespace raise
