//===- CudaFile.h - a CUDA source as portable C++ ----------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `k.cu` becomes C++17 that any C++ compiler builds with
// `-fopenmp -I$(clang-raise --print-include-dir)`: raised kernels call their
// range function where the launch allows it, all others keep their body and run
// on the reference executor (docs/executor.md). What is neither kernel, launch
// nor device-only syntax stays as it was written. A header of the project's
// that holds what must be translated is put in the place of its `#include`.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_CUDAFILE_H
#define RAISE_DRIVER_CUDAFILE_H

#include "raise/IR/Context.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTUnit;
class FunctionDecl;
} // namespace clang

namespace raise {

/// One kernel of the main file, or of a header of the project's.
struct CudaKernel {
  const clang::FunctionDecl *Decl = nullptr;
  FunctionRef Original; ///< as lifted; null where the lift was refused
  /// After the pipeline, with one Region as its body; null where the kernel is
  /// left, and then Why says why (a comment repeats it).
  FunctionRef Raised;
  Reason Why;
};

/// Text that replaces a range of the main file, already final: raised loops of
/// host functions. Ranges do not overlap and hold no launch.
struct HostEdit {
  unsigned Begin = 0, End = 0; ///< byte offsets, half-open
  std::string Text;
};

enum class CudaMode {
  Rewrite,           ///< raised kernels are raised; K_range is emitted and used
  ReferenceExecutor, ///< every kernel as written on the reference executor,
                     ///< host code as written: the original that verification
                     ///< runs
};

struct CudaFileInput {
  /// The parsed file (and its preprocessor).
  clang::ASTUnit &Unit;
  /// Text of the main file as it is on disk. Offsets of the AST are valid in it
  /// (mending of launches keeps every offset).
  llvm::StringRef Source;
  llvm::StringRef SourcePath; ///< absolute
  /// Folder where the result will lie, absolute: relative includes are adapted
  /// to it. Equal to the source's folder if nothing need be adapted.
  llvm::StringRef OutputFolder;
  llvm::ArrayRef<CudaKernel> Kernels; ///< in source order
  llvm::ArrayRef<HostEdit> HostEdits; ///< in source order
  CudaMode Mode = CudaMode::Rewrite;
  Options Opts;
};

struct CudaFileResult {
  std::string Text; ///< unformatted; empty where Errors has entries
  /// The source with the text of headers where Text has theirs, else as it is:
  /// what Text is compared with to see what was changed.
  std::string Plain;
  /// What has no translation (a texture, inline PTX, dynamic parallelism, a
  /// kernel that relies on lockstep...), at its place. The file is not written.
  std::vector<Reason> Errors;
  /// For verification: name of the function that launches kernel K in Text, in
  /// the order of Kernels. Its parameters are `(dim3 grid, dim3 block, args)`.
  /// A kernel with internal linkage keeps it.
  std::vector<std::string> Launchers;
};

CudaFileResult rewriteCudaFile(const CudaFileInput &In);

} // namespace raise

#endif // RAISE_DRIVER_CUDAFILE_H
