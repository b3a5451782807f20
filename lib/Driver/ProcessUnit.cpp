//===- ProcessUnit.cpp - one source, or what is known of it already -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Cache.h"
#include "ProcessCommands.h"
#include "raise/Driver/Output.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace raise {

namespace {

/// Where the results of Source are kept; empty where they are not. What
/// verification found depends on more than files.
std::string cacheFolder(const SourceFile &Source,
                        const UnitSettings &Settings) {
  Expected<Config> Cfg = configFor(Source.Path, Settings.FixedConfig);
  if (!Cfg) {
    consumeError(Cfg.takeError());
    return "";
  }
  const ToolOptions &Tool = *Settings.Tool;
  if (Tool.Verify.value_or(Cfg->Verify.value_or(false)))
    return "";
  if (Tool.CacheFolder)
    return *Tool.CacheFolder;
  if (Cfg->CacheFolder.empty() ||
      llvm::sys::path::is_absolute(Cfg->CacheFolder))
    return Cfg->CacheFolder;
  SmallString<256> Folder(llvm::sys::path::parent_path(Cfg->Path));
  llvm::sys::path::append(Folder, Cfg->CacheFolder);
  return Folder.str().str();
}

std::optional<UnitOutput> knownResult(const SourceFile &Source,
                                      StringRef Folder, StringRef Key,
                                      ResultCache &Cache) {
  Expected<std::string> Text = readWhole(Source.Path);
  if (!Text) {
    consumeError(Text.takeError());
    return std::nullopt;
  }
  std::optional<UnitOutput> Known = Cache.find(Folder, Key);
  if (!Known || Cache.factOf(Source.Path) != factOfContent(*Text))
    return std::nullopt;
  Known->OldText = std::move(*Text);
  return Known;
}

} // namespace

UnitOutput processUnit(const SourceFile &Source, StringRef OutputFolder,
                       const UnitSettings &Settings) {
  const std::string Folder =
      Settings.Cache ? cacheFolder(Source, Settings) : "";
  if (!Settings.Cache || Folder.empty()) {
    if (!Settings.Tool->Depfile)
      return processCommands(Source, OutputFolder, Settings, nullptr);
    FileFacts Facts = settingsFacts(Source.Path, Settings);
    UnitOutput Out = processCommands(Source, OutputFolder, Settings, &Facts);
    Out.Inputs = filesOf(Facts);
    return Out;
  }
  const std::string Key = ResultCache::keyOf(Source, OutputFolder, Settings);
  if (std::optional<UnitOutput> Known =
          knownResult(Source, Folder, Key, *Settings.Cache))
    return std::move(*Known);
  FileFacts Facts = settingsFacts(Source.Path, Settings);
  UnitOutput Out = processCommands(Source, OutputFolder, Settings, &Facts);
  Out.Inputs = filesOf(Facts);
  if (Out.Errors.empty() && Out.Refused.empty() && !Out.Cuda &&
      Facts[Source.Path] == factOfContent(Out.OldText))
    Settings.Cache->keep(Folder, Key, Out, std::move(Facts));
  return Out;
}

} // namespace raise
