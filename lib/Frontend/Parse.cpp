//===- Parse.cpp - from a compile command to a Clang AST ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Frontend/Parse.h"
#include "ResourceDir.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/PCHContainerOperations.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;
using namespace llvm;

namespace raise {
namespace {

/// Options that say nothing about the meaning of the source. The value is
/// whether the next argument belongs to them.
bool isDropped(StringRef Arg, bool &TakesNext) {
  TakesNext = false;
  // Output, dependency files, stages.
  for (StringRef Name : {"-o", "-MF", "-MT", "-MQ", "--serialize-diagnostics",
                         "-dumpbase", "-dumpdir"})
    if (Arg == Name)
      return TakesNext = true;
  static const StringSet<> Alone = {"-c",
                                    "-S",
                                    "-E",
                                    "-M",
                                    "-MM",
                                    "-MD",
                                    "-MMD",
                                    "-MG",
                                    "-MP",
                                    "-save-temps",
                                    "-fsyntax-only",
                                    "-Werror",
                                    "-pipe",
                                    "-dc",
                                    "-dw",
                                    "-dlink",
                                    "-rdc=true",
                                    "-rdc=false",
                                    "--relocatable-device-code=true",
                                    "-lineinfo",
                                    "--generate-line-info",
                                    "-use_fast_math",
                                    "--use_fast_math",
                                    "--expt-relaxed-constexpr",
                                    "-expt-relaxed-constexpr",
                                    "--extended-lambda",
                                    "-extended-lambda",
                                    "--expt-extended-lambda",
                                    "-expt-extended-lambda",
                                    "-G",
                                    "--device-debug",
                                    "-restrict"};
  if (Alone.contains(Arg))
    return true;
  // nvcc's own, each with a value that may follow.
  for (StringRef Name : {"-gencode",
                         "-arch",
                         "-code",
                         "-Xptxas",
                         "-ccbin",
                         "-maxrregcount",
                         "--compiler-bindir",
                         "-Xlinker",
                         "-Xnvlink",
                         "--threads",
                         "-t",
                         "-diag-suppress",
                         "--diag-suppress",
                         "-rdc",
                         "-cudart",
                         "--cudart",
                         "--gpu-architecture",
                         "--gpu-code",
                         "--generate-code",
                         "--ptxas-options",
                         "--maxrregcount",
                         "--default-stream"}) {
    if (Arg == Name)
      return TakesNext = true;
    if (Arg.starts_with((Name + "=").str()))
      return true;
  }
  return Arg.starts_with("-Werror=") || Arg.starts_with("--cuda-gpu-arch") ||
         Arg.starts_with("--offload-arch") || Arg.starts_with("-save-temps=") ||
         Arg.starts_with("-Wl,") || Arg.starts_with("-l") ||
         Arg.starts_with("-L");
}

/// nvcc's -Xcompiler passes comma-separated options on to the host compiler.
bool isHostOption(StringRef Arg, StringRef &Value) {
  for (StringRef Name : {"-Xcompiler", "--compiler-options"})
    if (Arg.starts_with(Name)) {
      Value = Arg.drop_front(Name.size());
      return true;
    }
  return false;
}

constexpr StringRef ResourceDir = "-resource-dir=";

/// The folder of Clang's own headers: of a Clang that lies beside the tool's
/// shipped headers (both installed under one prefix), else of the one that the
/// tool was built with.
std::string resourceFolder(StringRef Headers) {
  SmallString<256> Beside(sys::path::parent_path(Headers));
  sys::path::append(Beside, "clang", CLANG_VERSION_MAJOR_STRING);
  return sys::fs::is_directory(Beside) ? Beside.str().str()
                                       : RAISE_RESOURCE_DIR;
}

class Adjuster {
  const tooling::CompileCommand &Cmd;
  const StringRef Headers;
  ParseCommand Out;

public:
  Adjuster(const tooling::CompileCommand &Cmd, StringRef Headers)
      : Cmd(Cmd), Headers(Headers) {}
  ParseCommand run();

private:
  void addUser(StringRef Arg);
  size_t addArgument(size_t I);
  bool isTheFile(StringRef Arg) const;
  bool isPrecompiledText(size_t I) const;
  size_t runtimeOption(size_t I, StringRef Name) const;
  void addCuda();
};

bool Adjuster::isTheFile(StringRef Arg) const {
  SmallString<256> Path(Arg);
  if (!sys::path::is_absolute(Path)) {
    Path = Cmd.Directory;
    sys::path::append(Path, Arg);
  }
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path == Out.File || Arg == Cmd.Filename;
}

void Adjuster::addUser(StringRef Arg) {
  if (Arg.starts_with("-fopenmp-simd"))
    Out.OpenMPSimd = true;
  else if (Arg == "-fno-openmp")
    Out.OpenMP = false;
  else if (Arg == "-fopenmp" || Arg.starts_with("-fopenmp="))
    Out.OpenMP = Out.OpenMPSimd = true;
  if (Arg == "-fno-math-errno" || Arg == "-ffast-math" || Arg == "-Ofast")
    Out.MathErrno = false;
  else if (Arg == "-fmath-errno")
    Out.MathErrno = true;
  Out.Arguments.push_back(Arg.str());
}

/// Handles argument I; returns the index of the next.
size_t Adjuster::addArgument(size_t I) {
  const std::vector<std::string> &Args = Cmd.CommandLine;
  StringRef Arg = Args[I], Value;
  bool TakesNext;
  // What ends in -- is the file; it is put back at the end.
  if (Arg == "--" || isTheFile(Arg))
    return I + 1;
  if (Arg == "-x" && I + 1 < Args.size()) {
    Out.Cuda = Args[I + 1] == "cuda" || Args[I + 1] == "cu";
    Out.LanguageC = Args[I + 1] == "c";
    if (!Out.Cuda)
      Out.Arguments.insert(Out.Arguments.end(), {"-x", Args[I + 1]});
    return I + 2;
  }
  if (isHostOption(Arg, Value)) {
    if (Value.empty() && I + 1 < Args.size())
      Value = Args[++I];
    SmallVector<StringRef> Parts;
    Value.ltrim('=').split(Parts, ',', -1, /*KeepEmpty=*/false);
    for (StringRef Part : Parts) {
      Part = Part.trim("\"'");
      if (!isDropped(Part, TakesNext))
        addUser(Part);
    }
    return I + 1;
  }
  if (isDropped(Arg, TakesNext))
    return I + 1 + TakesNext;
  if (isPrecompiledText(I))
    return I + 4;
  if (Out.Cuda)
    for (StringRef Name : {"-I", "-isystem"})
      if (size_t Taken = runtimeOption(I, Name))
        return I + Taken;
  addUser(Arg);
  return I + 1;
}

/// CMake names a header twice for Clang: precompiled, which may be out of date
/// or not there yet, and as the text that it was made from.
bool Adjuster::isPrecompiledText(size_t I) const {
  static constexpr StringRef Pattern[] = {
      "-Xclang", "-include-pch", "-Xclang", "", "-Xclang", "-include"};
  const ArrayRef<std::string> Rest = ArrayRef(Cmd.CommandLine).drop_front(I);
  return Rest.size() >= std::size(Pattern) &&
         all_of(zip(Pattern, Rest), [](const auto &Pair) {
           const auto &[Wanted, Arg] = Pair;
           return Wanted.empty() || Wanted == Arg;
         });
}

/// How many arguments from I on make option Name lead to the headers that
/// results are built with, 0 if they do not. CUDA is parsed with others of the
/// same names.
size_t Adjuster::runtimeOption(size_t I, StringRef Name) const {
  const std::vector<std::string> &Args = Cmd.CommandLine;
  StringRef Folder = Args[I];
  size_t Taken = 1;
  if (!Folder.consume_front(Name))
    return 0;
  if (Folder.empty() && I + Taken < Args.size())
    Folder = Args[I + Taken++];
  return sys::fs::equivalent(Folder, Headers + "/runtime") ? Taken : 0;
}

void Adjuster::addCuda() {
  const std::string Prelude = (Headers + "/prelude").str();
  for (const char *Flag : {"-x", "cuda", "--cuda-host-only", "-nocudainc",
                           "-nocudalib", "--cuda-path=/nonexistent", "-Xclang",
                           "-fcuda-allow-variadic-functions",
                           "-foffload-implicit-host-device-templates",
                           "-Wno-register", "-Wno-unknown-cuda-version",
                           // Translating a file needs its #include lines.
                           "-Xclang", "-detailed-preprocessing-record"})
    Out.Arguments.push_back(Flag);
  // Found through -isystem, so that it is a system header. What the command
  // itself includes comes after it, as it does with nvcc.
  Out.Arguments.insert(Out.Arguments.end(), {"-isystem", Prelude});
  Out.Arguments.insert(std::next(Out.Arguments.begin()),
                       {"-include", "raise_cuda_prelude.h"});
}

ParseCommand Adjuster::run() {
  SmallString<256> File(Cmd.Filename);
  if (!sys::path::is_absolute(File)) {
    File = Cmd.Directory;
    sys::path::append(File, Cmd.Filename);
  }
  sys::path::remove_dots(File, /*remove_dot_dot=*/true);
  Out.Directory = Cmd.Directory;
  Out.File = std::string(File);
  const StringRef Ext = sys::path::extension(Out.File);
  Out.Cuda = Ext == ".cu";
  Out.LanguageC = Ext == ".c";

  StringRef Driver =
      Cmd.CommandLine.empty() ? "" : sys::path::filename(Cmd.CommandLine[0]);
  const bool IsCxx = Driver.contains("++");
  Out.Arguments.push_back(IsCxx ? "clang++" : "clang");
  if (IsCxx && Ext == ".c")
    Out.LanguageC = false; // as clang++ and g++ treat it
  for (size_t I = 1; I < Cmd.CommandLine.size();)
    I = addArgument(I);
  if (Out.Cuda) {
    Out.LanguageC = false;
    addCuda();
  }
  // The user's warnings are not ours to repeat.
  Out.Arguments.insert(Out.Arguments.end(),
                       {"-w", "-fsyntax-only",
                        ResourceDir.str() + resourceFolder(Headers), "--",
                        Out.File});
  return std::move(Out);
}

/// Keeps the errors.
class Collector : public DiagnosticConsumer {
  std::vector<Reason> &Errors;

public:
  explicit Collector(std::vector<Reason> &Errors) : Errors(Errors) {}
  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error)
      return;
    SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    Reason R;
    R.Code = "CR0201";
    R.Text = std::string(Text);
    // Clang's own text repeats all of the command.
    if (Info.getID() == diag::err_fe_expected_compiler_job)
      R.Text = "the compile command is not that of one C, C++ or CUDA source";
    if (Info.hasSourceManager() && Info.getLocation().isValid()) {
      const SourceManager &SM = Info.getSourceManager();
      const PresumedLoc At =
          SM.getPresumedLoc(SM.getExpansionLoc(Info.getLocation()));
      if (At.isValid()) {
        R.Loc.File = At.getFilename();
        R.Loc.Line = At.getLine();
        R.Loc.Column = At.getColumn();
      }
    }
    Errors.push_back(std::move(R));
  }
};

/// The disk, with the mended source in front where one is needed.
IntrusiveRefCntPtr<vfs::FileSystem> fileSystem(const ParseCommand &Cmd) {
  // A file system of its own, so that threads do not share a working folder.
  IntrusiveRefCntPtr<vfs::FileSystem> Disk =
      vfs::createPhysicalFileSystem().release();
  (void)Disk->setCurrentWorkingDirectory(Cmd.Directory);
  if (!Cmd.Cuda)
    return Disk;
  auto Source = Disk->getBufferForFile(Cmd.File);
  if (!Source)
    return Disk;
  std::optional<std::string> Mended = mendLaunches((*Source)->getBuffer());
  if (!Mended)
    return Disk;
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(Cmd.File, 0, MemoryBuffer::getMemBufferCopy(*Mended));
  auto Overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(Disk);
  Overlay->pushOverlay(Memory);
  return Overlay;
}

} // namespace

std::string shippedHeaders(const char *Argv0, void *MainAddress) {
  SmallString<256> Path(sys::fs::getMainExecutable(Argv0, MainAddress));
  sys::path::remove_filename(Path);
  sys::path::append(Path, "..", "lib", "clang-raise");
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return std::string(Path);
}

ParseCommand adjustCommand(const tooling::CompileCommand &Cmd,
                           StringRef Headers) {
  return Adjuster(Cmd, Headers).run();
}

/// Without them each source would be said to lack a <stddef.h>.
static bool hasOwnHeaders(const ParseCommand &Cmd,
                          std::vector<Reason> &Errors) {
  for (StringRef Arg : reverse(Cmd.Arguments))
    if (Arg.consume_front(ResourceDir)) {
      if (sys::fs::exists(Arg + "/include/stddef.h"))
        return true;
      Errors.push_back(
          {"CR0201",
           "the headers of Clang " CLANG_VERSION_MAJOR_STRING " are not in '" +
               Arg.str() +
               "/include'; install them (the Debian package "
               "libclang-common-" CLANG_VERSION_MAJOR_STRING "-dev)",
           {}});
      return false;
    }
  return true;
}

std::unique_ptr<ASTUnit> parseSource(const ParseCommand &Cmd,
                                     std::vector<Reason> &Errors,
                                     FileFacts *Facts) {
  if (!hasOwnHeaders(Cmd, Errors))
    return nullptr;
  IntrusiveRefCntPtr<vfs::FileSystem> Files = fileSystem(Cmd);
  if (Facts)
    Files = noteFacts(std::move(Files), *Facts);
  const size_t Before = Errors.size();
  std::vector<const char *> Args;
  Args.reserve(Cmd.Arguments.size());
  for (const std::string &A : Cmd.Arguments)
    Args.push_back(A.c_str());
  // Which files the source includes, also where they were there already.
  Args.insert(Args.begin() + 1, {"-Xclang", "-detailed-preprocessing-record"});
  // The engine owns both. NOLINTNEXTLINE(clang-analyzer-cplusplus.*)
  IntrusiveRefCntPtr<DiagnosticsEngine> Diags =
      CompilerInstance::createDiagnostics(new DiagnosticOptions,
                                          new Collector(Errors));
  std::unique_ptr<ASTUnit> Unit = ASTUnit::LoadFromCommandLine(
      Args.data(), Args.data() + Args.size(),
      std::make_shared<PCHContainerOperations>(), Diags, RAISE_RESOURCE_DIR,
      /*StorePreamblesInMemory=*/false, /*PreambleStoragePath=*/StringRef(),
      /*OnlyLocalDecls=*/false, CaptureDiagsKind::None, {},
      /*RemappedFilesKeepOriginalName=*/true,
      /*PrecompilePreambleAfterNParses=*/0, TU_Complete,
      /*CacheCodeCompletionResults=*/false,
      /*IncludeBriefCommentsInCodeCompletion=*/false,
      /*AllowPCHWithCompilerErrors=*/false, SkipFunctionBodiesScope::None,
      /*SingleFileParse=*/false, /*UserFilesAreVolatile=*/true,
      /*ForSerialization=*/false, /*RetainExcludedConditionalBlocks=*/false,
      /*ModuleFormat=*/std::nullopt, /*ErrAST=*/nullptr, std::move(Files));
  if (Errors.size() > Before)
    return nullptr;
  if (!Unit)
    Errors.push_back({"CR0201",
                      "the compile command cannot be used to parse " + Cmd.File,
                      {}});
  return Unit;
}

void applyCommand(const ParseCommand &Cmd, Options &Opts) {
  Opts.OpenMP = Cmd.OpenMP;
  Opts.OpenMPSimd = Cmd.OpenMPSimd;
  Opts.MathErrno = Cmd.MathErrno;
}

} // namespace raise
