//===- raise-emit.cpp - prints IR text as C and C++ -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tool for developers of the emitter: reads functions in the IR's text form
// and prints what would be put in the place of each region, the range function
// of each kernel, or whole functions that a test can compile.
//
//===----------------------------------------------------------------------===//

#include "raise/Emit/Device.h"
#include "raise/Emit/OpenMP.h"
#include "raise/Emit/Source.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace raise;

static cl::OptionCategory Category("raise-emit options");

static cl::opt<std::string> InputFile(cl::Positional, cl::init("-"),
                                      cl::desc("<file.rir>"),
                                      cl::cat(Category));
static cl::opt<bool>
    Whole("whole",
          cl::desc("Print whole functions, their names followed "
                   "by _raised and _original"),
          cl::cat(Category));
static cl::opt<bool> Why("why",
                         cl::desc("Print kind and notation of each region, "
                                  "and why it would be left"),
                         cl::cat(Category));
static cl::opt<bool> LanguageC("c", cl::desc("Print C"), cl::cat(Category));
static cl::opt<bool> NoOpenMP("no-openmp", cl::desc("As without -fopenmp"),
                              cl::cat(Category));
static cl::opt<bool> SimdOnly("openmp-simd", cl::desc("As with -fopenmp-simd"),
                              cl::cat(Category));
static cl::opt<bool> SizeT("size-t", cl::init(true),
                           cl::desc("size_t is declared (default)"),
                           cl::cat(Category));
static cl::opt<bool> MathErrno("math-errno", cl::init(true),
                               cl::desc("<cmath> may set errno (default)"),
                               cl::cat(Category));
static cl::opt<uint64_t>
    ParallelWork("parallel-work", cl::init(MachineFacts().ParallelWork),
                 cl::desc("Operations below which a loop stays serial"),
                 cl::cat(Category));
static cl::opt<FPMode>
    FP("fp", cl::desc("How floating arithmetic may change"),
       cl::values(clEnumValN(FPMode::Strict, "strict", "not at all"),
                  clEnumValN(FPMode::Reduce, "reduce",
                             "order of reductions (default)"),
                  clEnumValN(FPMode::Fast, "fast", "as for real numbers")),
       cl::init(FPMode::Reduce), cl::cat(Category));

static cl::opt<Dialect>
    Target("target", cl::desc("What to print"),
           cl::values(clEnumValN(Dialect::OpenMP, "openmp",
                                 "loops with OpenMP (default)"),
                      clEnumValN(Dialect::Eigen, "eigen",
                                 "expressions of Eigen where they can be"),
                      clEnumValN(Dialect::Cuda, "cuda",
                                 "kernels and what launches them")),
           cl::init(Dialect::OpenMP), cl::cat(Category));

static cl::opt<bool> Blas("blas",
                          cl::desc("Products of matrices as calls of CBLAS"),
                          cl::cat(Category));

static Options options() {
  Options Opts;
  Opts.Blas = Blas;
  Opts.Target = Target;
  Opts.FP = FP;
  Opts.OpenMP = !NoOpenMP && !SimdOnly;
  Opts.OpenMPSimd = !NoOpenMP;
  Opts.HasSizeT = SizeT;
  Opts.MathErrno = MathErrno;
  Opts.Machine.ParallelWork = ParallelWork;
  return Opts;
}

static std::string textOf(const Function &F, const StmtRef &Original) {
  Function Part = F;
  Part.Body = Original;
  // The text between the braces stands for the source's.
  std::string Text = emitFunction(Part, options(), /*Originals=*/true);
  StringRef Inner = StringRef(Text).drop_front(Text.find('\n') + 1);
  return Inner.take_front(Inner.rfind('}')).rtrim().ltrim(' ').str();
}

static void printWhole(const Function &F) {
  for (bool Originals : {false, true}) {
    Function Named = F;
    Named.Name += Originals ? "_original" : "_raised";
    outs() << emitFunction(Named, options(), Originals) << "\n";
  }
}

static void printRegions(const Function &F) {
  forEachStmt(F.Body, [&](const StmtRef &S) {
    auto *R = dyn_cast<Region>(S.get());
    if (!R)
      return;
    if (!Why) {
      outs() << "  " << emitRegion(*R, F, textOf(F, R->Original), options(), 2)
             << "\n";
      return;
    }
    outs() << F.Name << ": " << kindOf(R->meaning()) << "\n"
           << notation(*R) << "\n";
    if (Reason Left = whyNotEmit(*R, F, options()); Left.isSet())
      outs() << "left: " << Left.Text << " [" << Left.Code << "]\n";
  });
}

static void printFunction(Function F) {
  F.LanguageC = LanguageC;
  if (Target == Dialect::Cuda) {
    const DeviceText Text = emitDeviceFunction(F, options());
    outs() << (Text.Why.isSet()
                   ? "left: " + Text.Why.Text + " [" + Text.Why.Code + "]\n"
                   : Text.Text);
    return;
  }
  if (Whole && F.Kind != FunctionKind::Kernel)
    printWhole(F);
  else if (F.Kind == FunctionKind::Kernel && !Why)
    outs() << "// launch: " << emitLaunchCondition(F, options()) << "\n"
           << emitRangeFunction(F, options());
  else if (F.Kind != FunctionKind::Device)
    printRegions(F);
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(argc, argv, "prints IR text as C and C++\n");
  auto Text = MemoryBuffer::getFileOrSTDIN(InputFile);
  if (!Text) {
    WithColor::error() << InputFile << ": " << Text.getError().message()
                       << "\n";
    return 2;
  }
  auto Functions = parseIR((*Text)->getBuffer(), InputFile);
  if (!Functions) {
    WithColor::error() << toString(Functions.takeError()) << "\n";
    return 1;
  }
  for (const FunctionRef &F : *Functions) {
    for (const std::string &Problem : verify(*F)) {
      WithColor::error() << F->Name << ": " << Problem << "\n";
      return 1;
    }
    printFunction(*F);
  }
  return 0;
}
