//===- CollectedResults.h - what is reported of one file --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_COLLECTEDRESULTS_H
#define RAISE_LIB_DRIVER_COLLECTEDRESULTS_H

#include "Candidate.h"
#include "raise/Driver/Blocks.h"

namespace raise {

/// Of a block that an earlier run emitted.
SourceLoc placeOf(const MarkedBlock &B, llvm::StringRef Display);

/// Whether L, in the file that places name Spelled, is a part of such a block.
bool liesInBlock(const SourceLoc &L, llvm::StringRef Spelled,
                 llvm::ArrayRef<MarkedBlock> Blocks);

/// One result for each loop, kernel and emitted block, in the order of the
/// text; what headers hold comes last. Instantiations of a template, which
/// share their text, are one.
class CollectedResults {
public:
  struct FileNames {
    llvm::StringRef Spelled, Display;
  };
  CollectedResults(FileNames File, llvm::ArrayRef<MarkedBlock> Blocks)
      : File(File), Blocks(Blocks) {}

  std::vector<Result> of(llvm::ArrayRef<Candidate> Candidates,
                         llvm::ArrayRef<Finding> Unreached);

private:
  void add(llvm::ArrayRef<Finding> Findings,
           const clang::FunctionDecl *Pattern);
  void addKernels(llvm::ArrayRef<Candidate> Candidates);
  Result ofBlock(const MarkedBlock &B) const;

  const FileNames File;
  const llvm::ArrayRef<MarkedBlock> Blocks;
  std::vector<Result> All;
  /// For each result its function's pattern, null for a block.
  std::vector<const clang::FunctionDecl *> Instances;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_COLLECTEDRESULTS_H
