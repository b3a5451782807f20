//===- ReportFolder.cpp - the review report on disk -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ReportFolder.h"
#include "raise/Driver/Output.h"
#include "raise/Report/Review.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace raise {

static std::string inFolder(StringRef Folder, StringRef Name) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

/// Whether a report left the file, as far as its text says.
static bool isOurs(StringRef Path) {
  Expected<std::string> Text = readWhole(Path);
  if (!Text) {
    consumeError(Text.takeError());
    return false;
  }
  return isReviewPage(*Text);
}

Error checkReportFolder(StringRef Folder) {
  if (sys::fs::exists(Folder) && !sys::fs::is_directory(Folder))
    return createStringError(inconvertibleErrorCode(),
                             "--report needs a folder; '" + Folder +
                                 "' is something else");
  const std::string Index = inFolder(Folder, "index.html");
  if (sys::fs::exists(Index) && !isOurs(Index))
    return createStringError(inconvertibleErrorCode(),
                             "--report would replace '" + Index +
                                 "', which is no page of clang-raise; name "
                                 "another folder");
  return checkWritable(Index, /*MakeFolders=*/true);
}

static ReviewFile reviewOf(const SourceFile &S, const UnitOutput &U,
                           bool IsDerivative) {
  ReviewFile F;
  F.Display = S.Display;
  F.Path = S.Path;
  F.Source = U.OldText;
  F.Emitted = U.NewText;
  F.IsDerivative = IsDerivative;
  F.Raised = U.RaisedText;
  F.Results = U.Results;
  F.Details = U.Details;
  F.Functions = U.Functions;
  F.Errors = U.Errors;
  append_range(F.Errors, U.Refused);
  return F;
}

/// `0001-name.html`
static bool hasNameOfPage(StringRef Name) {
  const auto [Number, Rest] = Name.split('-');
  return Number.size() >= 4 && all_of(Number, isDigit) &&
         Rest.ends_with(".html");
}

Error writeReport(StringRef Folder, StringRef Command,
                  ArrayRef<SourceFile> Sources, ArrayRef<UnitOutput> Units) {
  std::vector<ReviewFile> Files;
  for (auto [S, U] : zip_equal(Sources, Units))
    Files.push_back(reviewOf(S, U, Command == "grad"));
  std::set<std::string> Names;
  for (const ReviewPage &P : reviewPages(Files, Command)) {
    Names.insert(P.Name);
    if (Error E = writeWhole(inFolder(Folder, P.Name), P.Text))
      return E;
  }
  std::error_code EC;
  for (sys::fs::directory_iterator I(Folder, EC), End; I != End && !EC;
       I.increment(EC)) {
    const std::string Name = sys::path::filename(I->path()).str();
    if (hasNameOfPage(Name) && !Names.count(Name) && isOurs(I->path()))
      (void)sys::fs::remove(I->path());
  }
  return Error::success();
}

} // namespace raise
