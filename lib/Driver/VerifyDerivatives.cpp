//===- VerifyDerivatives.cpp - what grad wrote, compiled and compared -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "VerifyDerivatives.h"
#include "Candidate.h"
#include "ConstantValues.h"
#include "LibraryHeaders.h"
#include "Rewrite.h"
#include "SourceParts.h"
#include "raise/Driver/Output.h"
#include "raise/Verify/Gradient.h"
#include "clang/AST/ASTContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace raise {

namespace {
/// Files; Eager may be empty.
struct Texts {
  std::string Emitted, Eager;
};
} // namespace

/// EigenFolder: what -isystem is needed for <Eigen/Core>; empty: none.
static GradientJob jobOf(const GradItem &Item, const Texts &Written,
                         const std::string &EigenFolder,
                         const DerivativesOf &Of) {
  GradientJob Job;
  Job.Asked = Item.Asked;
  Job.Made = Item.Made;
  if (Item.Made.OverRange)
    Job.Made.F = Item.Made.OverRange;
  Job.Split = Item.Split;
  Job.Base.Original = Item.Primal;
  Job.Base.Facts = Item.Facts;
  Job.Base.OriginalFile = Of.Source.Path;
  Job.Base.EmittedFile = Written.Emitted;
  Job.Base.EagerFile = Written.Eager;
  for (const std::string &Name : SourceParts::scopeOf(*Item.Decl))
    Job.Base.Entry += Name + "::";
  Job.Scope = Job.Base.Entry;
  Job.Base.Entry += Item.Made.F->Name;
  Job.Base.IncludeDir = sys::path::parent_path(Of.Source.Path).str();
  Job.Base.CompileFlags = buildFlags(Of.Cmd);
  if (!EigenFolder.empty())
    Job.Base.CompileFlags.insert(Job.Base.CompileFlags.end(),
                                 {"-isystem", EigenFolder});
  Job.Base.LanguageC = Of.Cmd.LanguageC;
  Job.Base.IsKernel = Item.Primal->Kind == FunctionKind::Kernel;
  if (Of.Cmd.LanguageC)
    Job.Base.Compiler = "clang-19";
  Job.Base.Alias = Of.Opts.Alias;
  Job.Constants = constantsOf(*Item.Primal, Of.AST);
  addHints(Of.Cfg, Item.Primal->QualifiedName, Job.Base);
  addObjectLayouts(*Item.Decl, Job.Base);
  return Job;
}

void verifyDerivatives(const DerivativesOf &Of, StringRef NewText,
                       ArrayRef<GradItem> Items, ArrayRef<GradItem> Eager,
                       MutableArrayRef<Result> Results) {
  SmallString<128> Folder;
  std::string Problem, EigenFolder;
  if (Of.Opts.Target == Dialect::Cuda)
    Problem = "its kernels are for a GPU; translated by rewrite, they can be "
              "compared here";
  if (LibraryUse(NewText).Eigen) {
    const auto Found =
        eigenFolder(Of.AST.getPreprocessor(), Of.Cfg.EigenInclude);
    if (Found)
      EigenFolder = *Found;
    else
      Problem = EigenNotFound;
  }
  if (std::error_code EC =
          sys::fs::createUniqueDirectory("clang-raise", Folder))
    Problem = "no temporary folder: " + EC.message();
  // The same text, with includes found from where it lies now.
  const auto write = [&](StringRef Name, ArrayRef<GradItem> Those,
                         const Options &Opts, std::string &Text) {
    std::string File =
        (Folder + "/" + Name + (Of.Cmd.LanguageC ? ".c" : ".cpp")).str();
    std::string New = gradFile({Of.AST, Of.OldText, Of.Source.Path, Folder, "",
                                Those, Opts, Of.UserRules.derivatives()})
                          .Text;
    if (New == Text)
      return std::string();
    Text = std::move(New);
    if (Error E = writeWhole(File, Text))
      Problem = toString(std::move(E));
    return File;
  };
  Texts Written;
  if (Problem.empty()) {
    std::string Text;
    Written.Emitted = write("emitted", Items, Of.Opts, Text);
    if (!Eager.empty())
      Written.Eager = write("eager", Eager, eagerOptions(Of.Opts), Text);
  }
  for (size_t I = 0; I < Items.size(); ++I) {
    Result &R = Results[I];
    if (!Problem.empty()) {
      R.Verified = Verification::Inconclusive;
      R.VerifiedDetail = Problem;
      continue;
    }
    const SmallString<128> Own(Folder.str().str() + "/" + std::to_string(I));
    (void)sys::fs::create_directory(Own);
    const VerifyResult V =
        verifyDerivative(jobOf(Items[I], Written, EigenFolder, Of),
                         Of.Settings.Headers + "/runtime", Own);
    R.Verified = verdictOf(V.V);
    R.VerifiedDetail = V.Detail;
    R.Figures = V.Figures;
    if (R.Verified == Verification::Failed) {
      R.Outcome = Status::Failed;
      R.Why = {"CR1901", "the " + R.Kind + " is wrong: " + V.Detail, {}};
    }
  }
  if (!Folder.empty())
    (void)sys::fs::remove_directories(Folder);
}

} // namespace raise
