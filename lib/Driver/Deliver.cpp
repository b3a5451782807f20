//===- Deliver.cpp - what a run leaves on the disk ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Deliver.h"
#include "GradUnit.h"
#include "raise/Driver/Diff.h"
#include "raise/Driver/Output.h"
#include "raise/Driver/Project.h"
#include "raise/Report/Sarif.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace raise {

std::string cannotWriteHeader(const std::string &Header, StringRef Path) {
  if (Header == Path)
    return "-o names a header; name the source that goes with it";
  Expected<std::string> Now = readWhole(Header);
  if (!Now) {
    consumeError(Now.takeError());
    return toString(checkWritable(Header, /*MakeFolders=*/true));
  }
  if (!isMadeByGrad(*Now))
    return "the header beside the result would be '" + Header +
           "', which was not made by clang-raise grad; name another file "
           "with -o";
  return "";
}

Error checkUnchanged(const SourceFile &S, StringRef Text, const UnitOutput &U) {
  Expected<std::string> Now = readWhole(S.Path);
  if (!Now)
    return Now.takeError();
  // It may be there already, under another name of the file.
  if (*Now == U.OldText || *Now == Text)
    return Error::success();
  return createStringError(
      inconvertibleErrorCode(),
      Twine("'") + S.Display +
          "' changed while it was worked on and is left as it is; run "
          "again");
}

void offerFixes(const SourceFile &S, UnitOutput &U) {
  const auto First = find_if(U.Results, [&](const Result &R) {
    return R.Rewritten && R.File == S.Display;
  });
  const StringRef Old = U.OldText;
  // What does not end in a line's end has no line behind its last one.
  if (First == U.Results.end() || !U.NewText || !Old.ends_with("\n") ||
      !json::isUTF8(*U.NewText))
    return;
  const auto LineAt = [&](size_t Offset) {
    return unsigned(1 + Old.take_front(Offset).count('\n'));
  };
  for (const LineEdit &E : lineEdits(Old, *U.NewText))
    First->Fixes.push_back({LineAt(E.Begin), LineAt(E.End), E.Text});
}

std::string sarifOf(const RunOutcome &Run, ArrayRef<SourceFile> Sources,
                    ArrayRef<UnitOutput> Units) {
  StringMap<std::string> Texts;
  for (auto [S, U] : zip(Sources, Units))
    Texts[S.Display] = U.OldText;
  auto TextOf = [&](StringRef File) -> StringRef {
    auto [At, New] = Texts.try_emplace(File);
    if (!New)
      return At->second;
    if (Expected<std::string> Text = readWhole(File))
      At->second = std::move(*Text);
    else
      consumeError(Text.takeError());
    return At->second;
  };
  return toSarif({Run.Results, Run.Refused, Run.Problems, Run.ExitStatus,
                  RAISE_VERSION, Run.Project, resolvedPath("."), TextOf});
}

} // namespace raise
