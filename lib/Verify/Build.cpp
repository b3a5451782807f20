//===- Build.cpp - compiling for verification
//---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Internal.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace raise {

static std::string inDir(llvm::StringRef Dir, const llvm::Twine &Name) {
  llvm::SmallString<256> P(Dir);
  llvm::sys::path::append(P, Name);
  return std::string(P);
}

static bool writeText(llvm::StringRef Path, llvm::StringRef Text) {
  std::error_code EC;
  llvm::raw_fd_ostream OS(Path, EC);
  if (EC)
    return false;
  OS << Text;
  OS.close();
  bool Bad = OS.has_error();
  OS.clear_error();
  return !Bad;
}

ProgramResult runProgram(llvm::ArrayRef<std::string> Arguments,
                         llvm::StringRef OutputFile, unsigned Seconds) {
  ProgramResult R;
  std::string Program = Arguments[0];
  if (!llvm::sys::path::is_absolute(Program)) {
    auto Found = llvm::sys::findProgramByName(Program);
    if (!Found) {
      R.Output = "'" + Program + "' is not on the PATH";
      return R;
    }
    Program = *Found;
  }
  std::vector<llvm::StringRef> Args(Arguments.begin(), Arguments.end());
  // What is there is written over, not replaced: a longer text would show.
  (void)llvm::sys::fs::remove(OutputFile);
  std::optional<llvm::StringRef> Redirects[] = {llvm::StringRef(""), OutputFile,
                                                OutputFile};
  std::string Message;
  R.Status = llvm::sys::ExecuteAndWait(Program, Args, std::nullopt, Redirects,
                                       Seconds, 0, &Message);
  R.TimedOut = R.Status == -2;
  if (auto Text = llvm::MemoryBuffer::getFile(OutputFile))
    R.Output = (*Text)->getBuffer().str();
  if (R.Status < 0)
    R.Output += Message;
  return R;
}

/// Flags that take their value from the next argument and are dropped with it.
static bool dropsNext(llvm::StringRef F) {
  return F == "-o" || F == "-x" || F == "-MF" || F == "-MT" || F == "-MQ" ||
         F == "--serialize-diagnostics";
}

static bool dropped(llvm::StringRef F) {
  for (llvm::StringRef Prefix :
       {"-M", "-Werror", "-pedantic-errors", "-fsanitize", "-flto", "-fprofile",
        "--cuda", "-nocuda", "-save-temps", "-fcoverage", "-stdlib++-isystem"})
    if (F.starts_with(Prefix))
      return true;
  return llvm::is_contained({"-c", "-S", "-E", "-fsyntax-only", "--coverage",
                             "-static", "-pie", "-fPIE", "-fpie", "-no-pie"},
                            F);
}

static std::vector<std::string> usableFlags(llvm::ArrayRef<std::string> Flags) {
  std::vector<std::string> Out;
  bool Optimises = false;
  for (size_t I = 0; I < Flags.size(); ++I) {
    if (dropsNext(Flags[I])) {
      ++I;
      continue;
    }
    if (dropped(Flags[I]))
      continue;
    Optimises |= llvm::StringRef(Flags[I]).starts_with("-O");
    Out.push_back(Flags[I]);
  }
  if (!Optimises) // a wrong pragma often shows only in vectorised code
    Out.push_back("-O2");
  return Out;
}

bool flagsAffectRounding(llvm::ArrayRef<std::string> Flags) {
#ifdef __x86_64__
  for (llvm::StringRef F : Flags)
    for (llvm::StringRef Prefix :
         {"-m", "-Ofast", "-ffast-math", "-funsafe-math", "-ffp-",
          "-fassociative-math", "-freciprocal-math", "-Xclang", "-fveclib"})
      if (F.starts_with(Prefix))
        return true;
  return false; // the baseline has no fused operation
#else
  return true;
#endif
}

bool flagsAssumeFinite(llvm::ArrayRef<std::string> Flags) {
  return llvm::any_of(Flags, [](llvm::StringRef F) {
    return F == "-Ofast" || F == "-ffast-math" || F == "-ffinite-math-only" ||
           F.starts_with("-fno-honor");
  });
}

std::string firstError(const ProgramResult &R) {
  if (R.Status == 0)
    return "";
  if (R.TimedOut)
    return "the compiler did not finish";
  llvm::SmallVector<llvm::StringRef, 0> Lines;
  llvm::StringRef(R.Output).split(Lines, '\n');
  for (llvm::StringRef L : Lines)
    if (L.contains("error:") || L.contains("error :"))
      return L.trim().str();
  for (llvm::StringRef L : Lines)
    if (!L.trim().empty())
      return L.trim().str();
  return "the compiler failed";
}

/// The source, included so that it is compiled as it is, and below it a pointer
/// to each function that the harness calls.
static std::string wrapperText(llvm::ArrayRef<const VerifyJob *> Jobs,
                               llvm::ArrayRef<unsigned> Numbers,
                               llvm::StringRef SourceFile,
                               std::string VerifyJob::*Below, bool C) {
  std::string Text = "#include \"" + SourceFile.str() + "\"\n";
  for (const VerifyJob *J : Jobs)
    Text += J->*Below;
  std::string Attribute = "__attribute__((visibility(\"default\"), used)) ";
  for (size_t I = 0; I < Jobs.size(); ++I) {
    std::string Name = "raise_entry_" + std::to_string(Numbers[I]);
    llvm::raw_string_ostream OS(Text);
    if (!C)
      OS << "extern \"C\" {\n";
    OS << "extern " << Attribute << "void *const " << Name << ";\n"
       << "void *const " << Name << " = (void *)(" << Jobs[I]->Entry << ");\n";
    if (!C)
      OS << "}\n";
  }
  return Text;
}

std::string buildLibrary(llvm::ArrayRef<const VerifyJob *> Jobs,
                         llvm::ArrayRef<unsigned> Numbers,
                         llvm::StringRef SourceFile,
                         std::string VerifyJob::*Below, bool Exact,
                         llvm::StringRef RuntimeDir, llvm::StringRef WorkDir,
                         llvm::StringRef Name) {
  const VerifyJob &Job = *Jobs[0];
  std::string Source = inDir(WorkDir, Name + (Job.LanguageC ? ".c" : ".cpp"));
  if (!writeText(Source,
                 wrapperText(Numbers.empty()
                                 ? llvm::ArrayRef<const VerifyJob *>()
                                 : Jobs,
                             Numbers, SourceFile, Below, Job.LanguageC)))
    return "cannot write '" + Source + "'";
  std::vector<std::string> Args{Job.Compiler};
  for (std::string &F : usableFlags(Job.CompileFlags))
    Args.push_back(std::move(F));
  if (!Job.IncludeDir.empty()) {
    Args.push_back("-iquote");
    Args.push_back(Job.IncludeDir);
  }
  Args.insert(Args.end(), {"-I", RuntimeDir.str(), "-w", "-fPIC", "-shared",
                           "-Wl,-Bsymbolic"});
  if (Exact)
    Args.insert(Args.end(), {"-fno-fast-math", "-ffp-contract=off"});
  Args.insert(Args.end(), {"-x", Job.LanguageC ? "c" : "c++", Source, "-o",
                           inDir(WorkDir, Name + ".so"), "-lm"});
  llvm::append_range(Args, Job.LinkFlags);
  return firstError(
      runProgram(Args, inDir(WorkDir, Name + ".log"), /*Seconds=*/300));
}

std::vector<std::string> compileArguments(const VerifyJob &Job,
                                          llvm::StringRef RuntimeDir) {
  std::vector<std::string> Args{Job.Compiler};
  for (std::string &F : usableFlags(Job.CompileFlags))
    Args.push_back(std::move(F));
  if (!Job.IncludeDir.empty()) {
    Args.push_back("-iquote");
    Args.push_back(Job.IncludeDir);
  }
  Args.insert(Args.end(), {"-I", RuntimeDir.str(), "-w", "-fno-fast-math",
                           "-ffp-contract=off"});
  return Args;
}

std::string buildHarness(llvm::ArrayRef<VerifyJob> Jobs,
                         llvm::StringRef WorkDir, llvm::StringRef Name) {
  std::string Source = inDir(WorkDir, Name + ".cpp");
  if (!writeText(Source, harnessSource(Jobs)))
    return "cannot write '" + Source + "'";
  // The comparison needs no project flag. A C compiler also compiles C++; only
  // the library would be missing, and none of it is used.
  return firstError(
      runProgram({Jobs[0].Compiler, "-x", "c++", "-std=c++17", "-O1", "-w",
                  Source, "-o", inDir(WorkDir, Name), "-ldl", "-lm"},
                 inDir(WorkDir, Name + ".log"), 300));
}

} // namespace raise
