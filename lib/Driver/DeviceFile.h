//===- DeviceFile.h - raised code as kernels, in its source -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver: `rewrite --target=cuda`. A loop of a C++ function
// gets kernels beside it, which run where all of its arrays lie in memory that
// a device reaches; a kernel gets others for those launches that cover its
// range, where threads of these share work or memory that those of the kernel
// do not. What was written stays, for all else.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_DEVICEFILE_H
#define RAISE_LIB_DRIVER_DEVICEFILE_H

#include "Candidate.h"
#include "raise/Emit/Device.h"
#include <set>

namespace clang {
class ASTUnit;
class CUDAKernelCallExpr;
} // namespace clang

namespace raise {

/// A loop or kernel with its device form.
struct DevicePiece {
  const Candidate *Of = nullptr;
  const Region *Raised = nullptr;
  std::string Name;  ///< of the function that launches the kernels
  std::string Above; ///< these, before the loop's function or behind the kernel
  /// Of a loop: the statement that runs where it may, and the condition.
  std::string Condition, Statement;
  /// Of a kernel: the launches that go through it.
  std::vector<const clang::CUDAKernelCallExpr *> Launches;
};

class DeviceFile {
public:
  /// Taken: names that nothing may be called by; what is added joins them.
  DeviceFile(clang::ASTUnit &Unit, llvm::StringRef Source,
             llvm::StringRef SourcePath, llvm::ArrayRef<MarkedBlock> Blocks,
             const Options &Opts);

  /// Adds R, of C; or says why it is left.
  Reason addLoop(const Candidate &C, const Region &R);
  Reason addKernel(const Candidate &C, const Region &R);

  /// The source with all that was added.
  llvm::Expected<std::string> text() const;

private:
  std::string freshName(std::string Base);
  Edit editOf(const DevicePiece &P, llvm::StringRef Id) const;

  clang::ASTUnit &Unit;
  llvm::StringRef Source, SourcePath;
  llvm::ArrayRef<MarkedBlock> Blocks;
  Options Opts;
  std::set<std::string> Taken;
  std::vector<DevicePiece> Pieces;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_DEVICEFILE_H
