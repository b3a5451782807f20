//===- Candidate.h - one function on its way through the driver --*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver: what is known about one function between lifting and
// reporting.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_CANDIDATE_H
#define RAISE_LIB_DRIVER_CANDIDATE_H

#include "Findings.h"
#include "Rewrite.h"
#include "SourceLoops.h"
#include "raise/Driver/Unit.h"
#include "raise/Frontend/Parse.h"

namespace raise {

struct Candidate {
  const clang::FunctionDecl *Decl = nullptr;
  FunctionRef Lifted, Raised; ///< null where the lift was refused
  std::vector<Finding> Findings;
  std::vector<SourceDirective> Directives; ///< of OpenMP, in the function
  EditSite Site;
  /// --function and the configuration let it through. Kernels that they do not
  /// are still needed to translate their file.
  bool Selected = true;
  /// Position in CudaFileInput::Kernels.
  int KernelIndex = -1;

  /// A kernel of CUDA's, lifted or not.
  bool Kernel = false;

  bool isKernel() const { return Kernel; }
  bool isRewritten() const {
    for (const Finding &F : Findings)
      if (F.R.Rewritten)
        return true;
    return false;
  }
};

/// Compiles and runs the candidates that were rewritten, and sets Verified and
/// VerifiedDetail of their findings. Original and Emitted are the texts, Eager
/// is Emitted without tests for enough work; for
/// CUDA, Launchers names the functions that launch each kernel, by KernelIndex.
struct VerifyInput {
  std::string Original, Emitted, Eager;
  /// Of a header, its text: loops are tested, in Original, which includes it.
  std::optional<std::string> Loops;
  std::vector<std::string> Launchers;
  std::string SourcePath;
  const ParseCommand *Command = nullptr;
  const Config *Settings = nullptr;
  Options Opts;
  std::string Headers;
  /// What -isystem is needed for <Eigen/Core>; "": none; nothing: it was not
  /// found.
  std::optional<std::string> Eigen = "";
  /// Of BLAS, for what was emitted: the NAME of -lNAME, or a path; "": none.
  std::string Library;
  /// What is needed and not there.
  std::string Missing;
};
void verifyCandidates(std::vector<Candidate> &Candidates,
                      const VerifyInput &In);

/// The flags of a command that matter for building its result: preprocessor,
/// language, code generation; paths absolute. A translated CUDA file gets what
/// SPEC promises it builds with.
std::vector<std::string> buildFlags(const ParseCommand &Cmd);

/// An expression that names FD at the end of its file, with its type, or ""
/// where there is none (a member function, a local class's). With Launcher,
/// names that function with `dim3 grid, dim3 block` before FD's parameters.
std::string entryExpression(const clang::FunctionDecl &FD,
                            llvm::StringRef Launcher = "");

struct VerifyJob;
/// Sets Job.Layouts for parameters that point to structures of scalars.
void addLayouts(const clang::FunctionDecl &FD, VerifyJob &Job);
/// The same for all structures that can be set member by member, with what they
/// hold of scalars, and for the object of a member function.
void addObjectLayouts(const clang::FunctionDecl &FD, VerifyJob &Job);
/// Opts for text without tests for enough work, so that small inputs too run
/// what is parallel.
Options eagerOptions(Options Opts);
/// Sets Job.Hints to what the configuration says of a function's inputs, and
/// Job.Problem where that makes no sense. Job.Original is set.
void addHints(const Config &C, llvm::StringRef QualifiedName, VerifyJob &Job);
enum class Verdict;
Verification verdictOf(Verdict V);

} // namespace raise

#endif // RAISE_LIB_DRIVER_CANDIDATE_H
