//===- Destinations.cpp - where the results of a run go -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Destinations.h"
#include "ChooseSources.h"
#include "Deliver.h"
#include "ReportFolder.h"
#include "raise/Driver/Output.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace raise {

static Error fail(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

Destinations::Destinations(const ToolOptions &Options,
                           ArrayRef<SourceFile> Sources, std::string Root)
    : Opts(&Options), Root(std::move(Root)),
      IsConfigured(any_of(
          Sources, [](const SourceFile &S) { return !S.Output.empty(); })),
      ToFolder(Options.Output && *Options.Output != "-" &&
               (Sources.size() > 1 || Options.Sources.empty() ||
                StringRef(*Options.Output).ends_with("/") ||
                sys::fs::is_directory(*Options.Output))) {}

bool Destinations::toStandardOutput() const {
  return Opts->Output ? *Opts->Output == "-"
                      : !editsSources(*Opts) && !IsConfigured;
}

/// What -o says; empty without it.
StringRef Destinations::output() const {
  return Opts->Output ? StringRef(*Opts->Output) : StringRef();
}

/// The options that name a file, and their files.
Destinations::NamedFiles Destinations::reports() const {
  NamedFiles Files;
  if (Opts->JsonFile && *Opts->JsonFile != "-")
    Files.emplace_back("--json", *Opts->JsonFile);
  if (Opts->SarifFile)
    Files.emplace_back("--sarif", *Opts->SarifFile);
  if (Opts->Depfile)
    Files.emplace_back("--depfile", *Opts->Depfile);
  if (Opts->FixesFile)
    Files.emplace_back("--export-fixes", *Opts->FixesFile);
  return Files;
}

Error Destinations::checkReports(ArrayRef<SourceFile> Sources) const {
  const auto Files = reports();
  for (const auto &[Option, File] : Files) {
    if (Error E = checkWritable(File, /*MakeFolders=*/false))
      return E;
    for (const SourceFile &S : Sources)
      if (sys::fs::equivalent(File, S.Path))
        return fail(Option + " names the source '" + S.Display +
                    "', which would be lost; name another file");
    for (const auto &[Other, Same] : Files)
      if (Option != Other && File == Same)
        return fail(Option + " and " + Other + " both name '" + File + "'");
  }
  return Error::success();
}

/// Whatever can be known to fail is found before any work is done.
Error Destinations::check(MutableArrayRef<SourceFile> Sources) const {
  if (Error E = checkReports(Sources))
    return E;
  if (Opts->CacheFolder)
    if (Error E = checkWritable(*Opts->CacheFolder + "/x",
                                /*MakeFolders=*/true))
      return E;
  if (Opts->ReportFolder)
    if (Error E = checkReportFolder(*Opts->ReportFolder))
      return E;
  if (Opts->Cmd == Command::Explain)
    return Error::success();
  if (toStandardOutput() && (Sources.size() > 1 || Opts->Shards > 1))
    return fail(Opts->Cmd == Command::Grad
                    ? "several sources: say where the results go with -o "
                      "<folder>"
                    : "several sources: say where the results go with -o "
                      "<folder>, --in-place, --diff or --check");

  if (toStandardOutput() && Opts->Check)
    return fail("--check compares with a file; -o - names none");
  if (ToFolder && sys::fs::exists(output()) && !sys::fs::is_directory(output()))
    return fail("several sources, but '" + output() +
                "' is not a folder; name a folder with -o");
  if (Error E = checkAll(Sources))
    return E;
  for (SourceFile &S : Sources)
    if (S.Problem.empty())
      S.Problem = cannotDeliver(S);
  return Error::success();
}

/// What is wrong with the places of all results together.
Error Destinations::checkAll(ArrayRef<SourceFile> Sources) const {
  StringMap<StringRef> Owners;
  for (const SourceFile &S : Sources) {
    std::string Path = of(S);
    if (Path.empty() || Opts->Diff || Opts->FixesFile)
      continue;
    // A source is edited only where --in-place says so; a CUDA source never.
    bool IsCuda = StringRef(S.Path).ends_with(".cu");
    if (Opts->Output && (IsCuda || !Opts->Check) &&
        sys::fs::equivalent(Path, S.Path))
      return fail(IsCuda
                      ? "-o names the CUDA source '" + S.Display +
                            "' itself, which would be lost; name another file"
                      : "-o names the source '" + S.Display + "' itself; " +
                            (Opts->Cmd == Command::Grad
                                 ? "name another file"
                                 : "edit it with --in-place, or name "
                                   "another file"));
    auto [At, New] = Owners.try_emplace(Path, S.Display);
    if (!New)
      return fail("the results of '" + At->second + "' and '" + S.Display +
                  "' would both be '" + Path + "'; give them folders apart");
    for (const auto &[Option, File] : reports())
      if (File == Path)
        return fail(Option + " and -o both name '" + Path + "'");
  }
  if (Opts->Output && !ToFolder && !toStandardOutput() && !Opts->Check)
    return checkWritable(*Opts->Output, /*MakeFolders=*/false);
  return Error::success();
}

/// Why the result for S cannot be written; the others are.
std::string Destinations::cannotDeliver(const SourceFile &S) const {
  if (StringRef(S.Path).ends_with(".cu") && editsSources(*Opts) &&
      Opts->Target != Dialect::Cuda)
    return NotInPlace.str();
  std::string Path = of(S);
  if (Path.empty() || Opts->Diff || Opts->Check || Opts->FixesFile)
    return "";
  if (Opts->Cmd == Command::Grad)
    if (std::string Why = cannotWriteHeader(headerOf(Path), Path); !Why.empty())
      return Why;
  return toString(checkWritable(Path, /*MakeFolders=*/true));
}

/// Where the result for S lies; empty for standard output.
std::string Destinations::of(const SourceFile &S) const {
  if (!S.Output.empty())
    return S.Output;
  if (editsSources(*Opts))
    return S.Path;
  if (toStandardOutput())
    return "";
  if (!ToFolder)
    return output().str();
  const std::string Path = mirroredPath(S.Path, Root, output());
  const bool FromCuda = StringRef(S.Path).ends_with(".cu"),
             ToCuda = Opts->Target == Dialect::Cuda;
  if (FromCuda != ToCuda) // what plain C++ becomes beside its loops is both
    return FromCuda                     ? Path + ".cpp"
           : Opts->Cmd == Command::Grad ? Path + ".cu"
                                        : Path;
  return Path;
}

/// Of the header beside a file of derivatives; empty for standard output.
std::string Destinations::headerOf(StringRef Path) {
  if (Path.empty())
    return "";
  SmallString<256> Header(Path);
  sys::path::replace_extension(Header, "h");
  return Header.str().str();
}

} // namespace raise
