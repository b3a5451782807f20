//===- Verifying.cpp - jobs for the verifier ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Candidate.h"
#include "LibraryHeaders.h"
#include "LoopJobs.h"
#include "raise/Driver/Output.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Verify/Recording.h"
#include "raise/Verify/Verify.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace raise {

namespace {

std::string absolute(StringRef Path, StringRef Folder) {
  SmallString<256> P(Path);
  sys::fs::make_absolute(Folder, P);
  return P.str().str();
}

/// `-Idir`, `-I dir`: appends the option with its path made absolute and
/// returns how many arguments it took; 0 if Args[I] is no such option.
size_t takePathOption(ArrayRef<std::string> Args, size_t I, StringRef Folder,
                      std::vector<std::string> &Out) {
  for (StringRef Name : {"-isystem", "-iquote", "-idirafter", "-include",
                         "-imacros", "-isysroot", "-I", "-F"}) {
    StringRef Arg = Args[I];
    if (!Arg.consume_front(Name))
      continue;
    bool Separate = Arg.empty();
    if (Separate && I + 1 == Args.size())
      return 1;
    StringRef Path = Separate ? StringRef(Args[I + 1]) : Arg;
    Out.push_back(Name.str());
    // -include finds its file on the include path too.
    bool Exists = sys::fs::exists(absolute(Path, Folder));
    Out.push_back(Name == "-include" && !Exists ? Path.str()
                                                : absolute(Path, Folder));
    return 1 + Separate;
  }
  return 0;
}

bool isParsingOnly(StringRef Arg) {
  return Arg.starts_with("--cuda") || Arg.starts_with("-nocuda") ||
         Arg.starts_with("-fcuda") || Arg.starts_with("-foffload") ||
         Arg.starts_with("-resource-dir") || Arg == "-fsyntax-only" ||
         Arg == "-w" || Arg == "-Wno-register" ||
         Arg == "-Wno-unknown-cuda-version";
}

/// The type of the scalar T; none if it is something else.
std::optional<Type> scalarType(clang::QualType T,
                               const clang::ASTContext &AST) {
  const unsigned Bits = AST.getTypeSize(T);
  if (T->isBooleanType())
    return Type::getBool();
  if (T->isIntegralOrEnumerationType())
    return Type::getInt(Bits, T->isSignedIntegerOrEnumerationType());
  if (T->isRealFloatingType() && (Bits == 32 || Bits == 64))
    return Type::getFloat(Bits);
  return std::nullopt;
}

bool addFields(const clang::RecordDecl &RD, const clang::ASTContext &AST,
               unsigned Base, const std::string &Prefix, StructLayout &Out,
               bool Some);

/// The member Path of type T, an array: as one if its elements are scalars,
/// else what each element holds. False if it is anything else, or too large to
/// be told to the harness.
bool addArray(clang::QualType T, const clang::ASTContext &AST, unsigned Offset,
              const std::string &Path, StructLayout &Out) {
  constexpr uint64_t Most = 4096;
  if (!T->isConstantArrayType())
    return false;
  const clang::QualType Elem = AST.getBaseElementType(T);
  const uint64_t Bytes = AST.getTypeSizeInChars(Elem).getQuantity();
  const uint64_t Count =
      Bytes ? AST.getTypeSizeInChars(T).getQuantity() / Bytes : 0;
  if (!Count || Count > Most)
    return false;
  if (const std::optional<Type> Ty = scalarType(Elem, AST)) {
    Out.Fields.push_back({Path, Offset, *Ty, unsigned(Count)});
    return true;
  }
  const clang::RecordDecl *RD = Elem->getAsRecordDecl();
  for (unsigned I = 0; RD && I < Count; ++I)
    if (Out.Fields.size() > Most ||
        !addFields(*RD, AST, Offset + I * Bytes,
                   Path + "[" + std::to_string(I) + "].", Out, /*Some=*/false))
      return false;
  return RD;
}

/// The scalars of a structure, and its arrays. False if it has anything else,
/// unless Some: then that, and arrays, are left out.
bool addFields(const clang::RecordDecl &RD, const clang::ASTContext &AST,
               unsigned Base, const std::string &Prefix, StructLayout &Out,
               bool Some) {
  if (RD.isUnion() || !RD.isCompleteDefinition() || RD.isInvalidDecl())
    return false;
  if (auto *CXX = dyn_cast<clang::CXXRecordDecl>(&RD);
      CXX && (CXX->getNumBases() || CXX->isPolymorphic()))
    return false;
  const clang::ASTRecordLayout &Layout = AST.getASTRecordLayout(&RD);
  for (const clang::FieldDecl *F : RD.fields()) {
    unsigned Offset =
        Base + Layout.getFieldOffset(F->getFieldIndex()) / AST.getCharWidth();
    clang::QualType T = F->getType().getCanonicalType();
    std::string Path = Prefix + F->getNameAsString();
    if (F->isBitField() || Path == Prefix)
      return false;
    if (const clang::RecordDecl *Inner = T->getAsRecordDecl()) {
      if (!addFields(*Inner, AST, Offset, Path + ".", Out, Some) && !Some)
        return false;
    } else if (const std::optional<Type> Ty = scalarType(T, AST)) {
      Out.Fields.push_back({Path, Offset, *Ty});
    } else if (!Some && !addArray(T, AST, Offset, Path, Out)) {
      return false;
    }
  }
  return true;
}

/// The type of the structures that T leads to; null for none.
const clang::RecordDecl *structureOf(clang::QualType T) {
  T = T.getNonReferenceType();
  return (T->isPointerType() ? T->getPointeeType() : T)->getAsRecordDecl();
}

/// Whether `T x;` makes an object whose members may be set.
bool isPlain(const clang::RecordDecl &RD) {
  const auto *CXX = dyn_cast<clang::CXXRecordDecl>(&RD);
  return !CXX || (CXX->hasDefinition() && CXX->isAggregate());
}

/// The name by which C has hints for a function, or nothing.
std::optional<std::string> hintedAs(const Config &C, StringRef Qualified) {
  for (StringRef Name : {Qualified, Qualified.substr(Qualified.rfind(':') + 1)})
    if (C.Inputs.count(Name.str()))
      return Name.str();
  return std::nullopt;
}

void record(Candidate &C, Verification V, const std::string &Detail,
            ArrayRef<Figure> Figures = {}) {
  for (Finding &F : C.Findings) {
    if (!F.R.Rewritten)
      continue;
    F.R.Verified = V;
    F.R.VerifiedDetail = Detail;
    F.R.Figures = Figures;
  }
}

std::string without(std::string Text, StringRef Folder) {
  for (size_t At; (At = Text.find(Folder.str() + "/")) != std::string::npos;)
    Text.erase(At, Folder.size() + 1);
  return Text;
}

/// A folder of its own for one file, removed at the end.
struct WorkFolder {
  SmallString<128> Path;
  std::error_code Problem;
  WorkFolder() {
    Problem = sys::fs::createUniqueDirectory("clang-raise", Path);
  }
  ~WorkFolder() {
    if (!Problem)
      (void)sys::fs::remove_directories(Path);
  }
};

bool hasDynamicShared(const Function &Kernel) {
  bool Found = false;
  forEachStmt(Kernel.Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<DeclBuffer>(S.get());
    Found |= D && isDynamicShared(*D->B);
  });
  return Found;
}

/// A launcher that launches FD by Entry with all the dynamic shared memory that
/// a launch can have: what the kernel touches of it is seen when it runs.
std::string withDynamicShared(const clang::FunctionDecl &FD,
                              const std::string &Entry) {
  clang::PrintingPolicy Policy(FD.getASTContext().getLangOpts());
  Policy.FullyQualifiedName = true;
  std::string Params = "dim3 grid, dim3 block", Args = "grid, block";
  for (const clang::ParmVarDecl *P : FD.parameters()) {
    const std::string Name = "a" + std::to_string(P->getFunctionScopeIndex());
    std::string Declared = Name;
    P->getType().getAsStringInternal(Declared, Policy);
    Params += ", " + Declared;
    Args += ", " + Name;
  }
  const std::string Bytes = std::to_string(MostDynamicShared);
  return "+[](" + Params + ") { cudaFuncSetAttribute(" + Entry +
         ", cudaFuncAttributeMaxDynamicSharedMemorySize, " + Bytes +
         "); raise::configure(" + Bytes + "); " + Entry + "(" + Args + "); }";
}

VerifyJob makeJob(const Candidate &C, const VerifyInput &In) {
  VerifyJob Job;
  Job.Original = C.Lifted;
  Job.Raised = C.Raised;
  StringRef Launcher;
  if (C.KernelIndex >= 0 && size_t(C.KernelIndex) < In.Launchers.size())
    Launcher = In.Launchers[C.KernelIndex];
  Job.Entry = entryExpression(*C.Decl, Launcher);
  if (C.isKernel() && hasDynamicShared(*C.Lifted))
    Job.Entry = withDynamicShared(*C.Decl, Job.Entry);
  Job.IncludeDir = sys::path::parent_path(In.SourcePath).str();
  Job.CompileFlags = buildFlags(*In.Command);
  if (!In.Eigen->empty())
    Job.CompileFlags.insert(Job.CompileFlags.end(), {"-isystem", *In.Eigen});
  if (!In.Library.empty())
    Job.LinkFlags = {StringRef(In.Library).contains('/') ? In.Library
                                                         : "-l" + In.Library};
  if (In.Command->LanguageC)
    Job.Compiler = "clang-19";
  Job.IsKernel = C.isKernel();
  Job.LanguageC = In.Command->LanguageC;
  addHints(*In.Settings, C.Lifted->QualifiedName, Job);
  addLayouts(*C.Decl, Job);
  Job.FP = In.Opts.FP;
  Job.Alias = In.Opts.Alias;
  return Job;
}

/// Tests the loops of functions that could not be tested as a whole.
/// A loop that was raised and would be printed as it stands. What it was raised
/// to can be tested all the same.
bool isKept(const Finding &F) {
  StringRef Code = F.R.Why.Code;
  return F.Raised && !F.R.Rewritten && F.R.What == Construct::Loop &&
         (Code == "CR1601" || Code == "CR1602" || Code == "CR1603");
}

void verifyLoops(ArrayRef<Candidate *> Asked, const VerifyInput &In,
                 StringRef Folder, const std::string &SourceFile) {
  std::vector<VerifyJob> Jobs;
  std::vector<Finding *> Tried;
  for (Candidate *C : Asked)
    for (Finding &F : C->Findings) {
      const bool Kept = isKept(F);
      if (!Kept &&
          (!F.R.Rewritten || F.R.Verified != Verification::Inconclusive))
        continue;
      VerifyJob Job = makeJob(*C, In);
      // A recording is of the function's calls: other inputs are no answer.
      if (!Job.Recording.empty() || !Job.Problem.empty())
        continue;
      std::string Why;
      if (!makeLoopJob(*C, F, In.Loops ? *In.Loops : In.Original, In.Opts,
                       Jobs.size() + 1, Job, Why)) {
        if (Kept) // nothing of it is in what is written
          continue;
        F.R.VerifiedDetail += "; and the loop alone: " + Why;
        continue;
      }
      // The file itself is the source in all three: only the loop differs.
      Job.OriginalFile = Job.EmittedFile = Job.EagerFile = SourceFile;
      Jobs.push_back(std::move(Job));
      Tried.push_back(&F);
    }
  if (Jobs.empty())
    return;
  SmallString<128> Own(Folder);
  sys::path::append(Own, "loops");
  if (std::error_code Problem = sys::fs::create_directory(Own)) {
    for (Finding *F : Tried)
      if (!isKept(*F))
        F->R.VerifiedDetail += "; no temporary folder: " + Problem.message();
    return;
  }
  std::vector<VerifyResult> Verdicts =
      verifyFile(Jobs, In.Headers + "/runtime", Own);
  for (size_t I = 0; I < Tried.size(); ++I) {
    Result &R = Tried[I]->R;
    const std::string Detail = without(Verdicts[I].Detail, Own);
    if (isKept(*Tried[I]) &&
        verdictOf(Verdicts[I].V) == Verification::Inconclusive)
      continue;
    R.Verified = verdictOf(Verdicts[I].V);
    R.Figures = Verdicts[I].Figures;
    R.VerifiedDetail =
        R.Verified == Verification::Inconclusive
            ? R.VerifiedDetail + "; and the loop alone: " + Detail
            : Detail + ", the loop alone";
  }
}

} // namespace

void addLayouts(const clang::FunctionDecl &FD, VerifyJob &Job) {
  const clang::ASTContext &AST = FD.getASTContext();
  for (const clang::ParmVarDecl *P : FD.parameters()) {
    const clang::RecordDecl *RD = structureOf(P->getType());
    if (!RD)
      continue;
    StructLayout Layout;
    Layout.Size = AST.getTypeSizeInChars(AST.getRecordType(RD)).getQuantity();
    if (addFields(*RD, AST, 0, "", Layout, /*Some=*/false))
      Job.Layouts[P->getName()] = std::move(Layout);
  }
}

void addObjectLayouts(const clang::FunctionDecl &FD, VerifyJob &Job) {
  const clang::ASTContext &AST = FD.getASTContext();
  const auto Add = [&](StringRef Name, const clang::RecordDecl *RD) {
    StructLayout Layout;
    if (RD && isPlain(*RD) && addFields(*RD, AST, 0, "", Layout, /*Some=*/true))
      Job.Layouts[Name] = std::move(Layout);
  };
  for (const clang::ParmVarDecl *P : FD.parameters())
    Add(P->getName(), structureOf(P->getType()));
  const auto *M = dyn_cast<clang::CXXMethodDecl>(&FD);
  if (M && M->isInstance()) // what is no parameter in the source comes first
    Add(Job.Original->Params.front().name(), M->getParent());
}

Options eagerOptions(Options Opts) {
  Opts.Machine.ParallelWork = 1;
  return Opts;
}

void addHints(const Config &C, StringRef QualifiedName, VerifyJob &Job) {
  const std::optional<std::string> Name = hintedAs(C, QualifiedName);
  if (!Name)
    return;
  Job.Hints = C.Inputs.at(*Name);
  Job.Recording = Job.Hints.lookup(RecordingKey);
  Job.Hints.erase(RecordingKey);
  if (std::string Wrong = problemOfHints(*Job.Original, Job.Hints);
      !Wrong.empty())
    Job.Problem = C.InputsAt.at(*Name) + ": inputs: " + Wrong;
}

Verification verdictOf(Verdict V) {
  switch (V) {
  case Verdict::Passed:
    return Verification::Passed;
  case Verdict::Failed:
    return Verification::Failed;
  case Verdict::None:
    return Verification::None;
  case Verdict::Racy:
  case Verdict::Inconclusive:
    return Verification::Inconclusive;
  }
  llvm_unreachable("no such verdict");
}

std::vector<std::string> buildFlags(const ParseCommand &Cmd) {
  std::vector<std::string> Out;
  ArrayRef<std::string> Args = Cmd.Arguments;
  for (size_t I = 1; I < Args.size();) {
    StringRef Arg = Args[I];
    if (Arg == "--")
      break;
    if (size_t Taken = takePathOption(Args, I, Cmd.Directory, Out)) {
      // The prelude is for parsing only.
      if (StringRef Path = Out.back();
          Cmd.Cuda && (Path.contains("clang-raise/prelude") ||
                       Path.ends_with("raise_cuda_prelude.h")))
        Out.resize(Out.size() - 2);
      I += Taken;
      continue;
    }
    if (Cmd.Cuda && (Arg == "-x" || Arg == "-Xclang")) {
      I += 2;
      continue;
    }
    if (!isParsingOnly(Arg))
      Out.push_back(Arg.str());
    ++I;
  }
  if (!Cmd.Cuda)
    return Out;
  erase_if(Out, [](StringRef A) {
    return A == "-fopenmp" || A == "-fopenmp-simd" || A == "-std=c++11" ||
           A == "-std=c++14" || A == "--std=c++11" || A == "--std=c++14" ||
           A == "-std=c++98" || A == "-std=c++03";
  });
  if (none_of(Out, [](StringRef A) {
        return A.contains("std=c++") || A.contains("std=gnu++");
      }))
    Out.push_back("-std=c++17");
  Out.push_back("-fopenmp");
  return Out;
}

std::string entryExpression(const clang::FunctionDecl &FD, StringRef Launcher) {
  const clang::ASTContext &AST = FD.getASTContext();
  if (isa<clang::CXXMethodDecl>(FD))
    return "";
  if (!AST.getLangOpts().CPlusPlus)
    return FD.getNameAsString();
  clang::PrintingPolicy Policy(AST.getLangOpts());
  Policy.FullyQualifiedName = true;
  Policy.SuppressUnwrittenScope = true;
  std::string Name;
  raw_string_ostream OS(Name);
  FD.printNestedNameSpecifier(OS, Policy);
  OS << (Launcher.empty() ? FD.getNameAsString() : Launcher.str());
  if (const clang::TemplateArgumentList *Arguments =
          FD.getTemplateSpecializationArgs())
    clang::printTemplateArgumentList(OS, Arguments->asArray(), Policy);
  std::string Signature = FD.getReturnType().getAsString(Policy) + " (*)(";
  std::vector<std::string> Types;
  if (!Launcher.empty())
    Types = {"dim3", "dim3"};
  for (const clang::ParmVarDecl *P : FD.parameters())
    Types.push_back(P->getType().getAsString(Policy));
  Signature += join(Types, ", ") + ")";
  return "static_cast<" + Signature + ">(&" + Name + ")";
}

void verifyCandidates(std::vector<Candidate> &Candidates,
                      const VerifyInput &In) {
  std::vector<Candidate *> Asked, WithLoops;
  for (Candidate &C : Candidates) {
    if (C.isRewritten())
      Asked.push_back(&C);
    if (C.isRewritten() || any_of(C.Findings, isKept))
      WithLoops.push_back(&C);
  }
  if (WithLoops.empty())
    return;
  auto GiveUp = [&](const std::string &Why) {
    for (Candidate *C : Asked)
      record(*C, Verification::Inconclusive, Why);
  };
  if (!In.Missing.empty())
    return GiveUp(In.Missing);
  if (!In.Eigen)
    return GiveUp(EigenNotFound.str());
  WorkFolder Folder;
  if (Folder.Problem)
    return GiveUp("no temporary folder: " + Folder.Problem.message());
  std::string Extension = In.Command->LanguageC ? ".c" : ".cpp";
  std::string Original = (Folder.Path + "/original" + Extension).str();
  std::string Emitted = (Folder.Path + "/emitted" + Extension).str();
  std::string Eager = (Folder.Path + "/eager" + Extension).str();
  for (auto &[Path, Text] :
       {std::pair(Original, In.Original), std::pair(Emitted, In.Emitted),
        std::pair(Eager, In.Eager)})
    if (Error E = writeWhole(Path, Text))
      return GiveUp(toString(std::move(E)));
  std::vector<VerifyJob> Jobs;
  std::vector<Candidate *> Tried;
  for (Candidate *C : Asked) {
    if (In.Loops) {
      record(*C, Verification::Inconclusive, "it stands in a header");
      continue;
    }
    VerifyJob Job = makeJob(*C, In);
    if (Job.Entry.empty()) {
      record(*C, Verification::Inconclusive,
             "a member function cannot be called by the test program");
      continue;
    }
    Job.OriginalFile = Original;
    Job.EmittedFile = Emitted;
    Job.EagerFile = In.Eager.empty() ? "" : Eager;
    Jobs.push_back(std::move(Job));
    Tried.push_back(C);
  }
  std::vector<VerifyResult> Verdicts =
      verifyFile(Jobs, In.Headers + "/runtime", Folder.Path);
  for (size_t I = 0; I < Tried.size(); ++I)
    record(*Tried[I], verdictOf(Verdicts[I].V),
           without(Verdicts[I].Detail, Folder.Path), Verdicts[I].Figures);
  if (!In.Command->Cuda)
    verifyLoops(WithLoops, In, Folder.Path, Original);
}

} // namespace raise
