//===- Fixes.cpp - edits for clang-apply-replacements ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Fixes.h"
#include "raise/Driver/Diff.h"
#include "clang/Tooling/ReplacementsYaml.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using clang::tooling::Replacement;
using clang::tooling::TranslationUnitReplacements;

namespace raise {

Expected<std::vector<Replacement>>
replacementsFor(StringRef Path, StringRef Old, StringRef New) {
  std::vector<Replacement> Result;
  for (const LineEdit &E : lineEdits(Old, New))
    Result.emplace_back(Path, E.Begin, E.End - E.Begin, E.Text);
  const std::string Text = toYaml(Path, Result);
  TranslationUnitReplacements Again;
  yaml::Input In(Text);
  In >> Again;
  if (In.error() || Again.Replacements != Result)
    return createStringError(inconvertibleErrorCode(),
                             "its name or text is not UTF-8, which "
                             "--export-fixes needs; edit it with --in-place");
  return Result;
}

std::string toYaml(StringRef MainSource, std::vector<Replacement> All) {
  TranslationUnitReplacements Document;
  Document.MainSourceFile = MainSource.str();
  Document.Replacements = std::move(All);
  std::string Text;
  raw_string_ostream OS(Text);
  yaml::Output Out(OS);
  Out << Document;
  return Text;
}

} // namespace raise
