//===- MacroLaunches.h - launches in macros' bodies -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_MACROLAUNCHES_H
#define RAISE_LIB_DRIVER_MACROLAUNCHES_H

#include "CudaEdits.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/LangOptions.h"
#include <map>

namespace raise {

/// Writes launches that the bodies of macros hold as calls, in the macros'
/// definitions: `k<<<grid, block>>>(args)` is one and the same call wherever
/// the macro stands, whatever its parameters are.
class MacroLaunches {
public:
  MacroLaunches(const clang::SourceManager &SM, const clang::LangOptions &LO,
                EditList &Edits)
      : SM(SM), LO(LO), Edits(Edits) {}

  /// Whether Call's brackets come from the body of a macro. If so, an error may
  /// say why they cannot be written there (CR1503).
  bool note(const clang::CUDAKernelCallExpr &Call);
  /// Edits the definitions of all that were noted.
  void write() const;

private:
  /// `k <<< A, B, C, D >>> ( args )` as it is spelled in a macro's definition,
  /// by offsets into its file.
  struct Launch {
    clang::FileID File;
    unsigned Begin = 0, Open = 0;                      ///< of k, and of `<<<`
    std::vector<std::pair<unsigned, unsigned>> Config; ///< between the commas
    unsigned Paren = 0, End = 0; ///< of `(`, and behind its `)`
    std::string Arguments;       ///< trimmed
    bool SomeEmpty = false;      ///< somewhere there are none
  };
  bool read(clang::SourceLocation Open, Launch &L) const;
  std::optional<unsigned> beginIn(const Launch &L,
                                  clang::SourceLocation Begin) const;

  const clang::SourceManager &SM;
  const clang::LangOptions &LO;
  EditList &Edits;
  std::map<clang::SourceLocation, Launch> Found;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_MACROLAUNCHES_H
