//===- ChooseDialect.cpp - the dialect of what is written -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/ChooseDialect.h"
#include "clang/Basic/LangOptions.h"

using namespace llvm;

namespace raise {

Dialect chooseDialect(const ToolOptions &Tool, const Config &Cfg,
                      const clang::LangOptions &Lang) {
  if (Tool.Target)
    return *Tool.Target;
  // A project's setting is for those of its files that it can be for.
  const Dialect Set = Cfg.Target.value_or(Dialect::OpenMP);
  const bool IsFor =
      Lang.CPlusPlus11 && (Set != Dialect::Cuda || Tool.Cmd == Command::Grad);
  return IsFor ? Set : Dialect::OpenMP;
}

std::string whyNotDialect(Dialect Chosen, const clang::LangOptions &Lang,
                          StringRef Source) {
  if (Chosen == Dialect::OpenMP || Lang.CPlusPlus11)
    return "";
  const StringRef Name = Chosen == Dialect::Cuda ? "cuda" : "eigen";
  return ("target '" + Name + "' needs C++11 or later, and '" + Source +
          "' is " + (Lang.CPlusPlus ? "compiled as an older C++" : "C") +
          "; --target=openmp can be used for it")
      .str();
}

} // namespace raise
