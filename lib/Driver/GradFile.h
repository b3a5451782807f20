//===- GradFile.h - derivatives as a file of their own -----------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. The derivatives of some functions of one source as a
// source that compiles by itself beside the original and links with it, and the
// header that declares them. It repeats the source's includes and, of what the
// source declares itself, what the derivatives name: macros, types, constants,
// internal functions. What the source exports is declared, never defined.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_GRADFILE_H
#define RAISE_LIB_DRIVER_GRADFILE_H

#include "raise/Grad/Adjoint.h"

namespace clang {
class ASTUnit;
class FunctionDecl;
} // namespace clang

namespace raise {

struct GradItem {
  const clang::FunctionDecl *Decl = nullptr;
  FunctionRef Primal; ///< as lifted
  grad::Request Asked;
  grad::Differentiated Made;
  /// With --split, Made.F is these two.
  std::optional<grad::SplitAdjoint> Split;
  std::vector<FunctionRef> Written; ///< what there is, as it is written
  size_t Of = 0;                    ///< the index of its result
  bool Launches = false;            ///< of kernels, by a host function
  std::vector<StmtRef> Facts = {};  ///< what notes say of the parameters
};

struct GradFileInput {
  clang::ASTUnit &Unit;
  llvm::StringRef Source, SourcePath, OutputFolder;
  /// The name of the header, for its guard; empty for none.
  llvm::StringRef HeaderName;
  llvm::ArrayRef<GradItem> Items;
  Options Opts;
  /// What derivatives may call and the primals do not.
  std::vector<const clang::FunctionDecl *> Others;
};

struct GradFileText {
  std::string Text, Header; ///< not formatted
  /// CR1809: something that the derivatives name and that cannot be repeated.
  std::vector<Reason> Errors;
};

GradFileText gradFile(const GradFileInput &In);

/// The names that a file derived from the unit must not give to something new.
std::set<std::string> namesOfUnit(clang::ASTUnit &Unit);

} // namespace raise

#endif // RAISE_LIB_DRIVER_GRADFILE_H
