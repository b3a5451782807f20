//===- Blocks.cpp - kernels whose threads wait for each other -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

bool waitsOrShares(const StmtRef &Body) {
  bool Found = false;
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<DeclBuffer>(S.get());
    Found |= isa<Barrier>(*S) || (D && D->B->Kind == BufferKind::Shared);
  });
  return Found;
}

/// "a and b"
std::string listed(const Obligations &Rests) {
  std::string Text;
  for (const Guard &G : Rests.Guards)
    Text += (Text.empty() ? "" : "; ") + G.Why;
  return Text;
}

/// CUDA launches no larger block; what the threads of one share may be as large
/// as that, and no larger.
Guard ofPossibleBlocks(const Function &Kernel) {
  constexpr int64_t Most = 1024;
  const Type Wide = Type::getI64();
  ExprRef All, Threads;
  for (const VarRef &V : ArrayRef(Kernel.LaunchDims).drop_front(3)) {
    const ExprRef Extent = build::cast(build::var(V), Wide);
    const ExprRef Fits = build::binary(BinaryOp::LE, build::var(V),
                                       build::intConst(Most, V->Ty));
    All = All ? build::logicalAnd(All, Fits) : Fits;
    Threads = Threads ? build::mul(Threads, Extent) : Extent;
  }
  Guard G;
  G.Cond = build::logicalAnd(
      All, build::binary(BinaryOp::LE, Threads, build::intConst(Most, Wide)));
  G.Why = "a block has at most 1024 threads";
  return G;
}

} // namespace

BlockForm inBlocks(const FunctionRef &Kernel, FPMode FP) {
  BlockForm Form;
  if (Kernel->Kind != FunctionKind::Kernel || !waitsOrShares(Kernel->Body)) {
    Form.F = Kernel;
    return Form;
  }
  Context Ctx;
  Ctx.Opts.FP = FP;
  const FunctionRef Split =
      splitBarriers(raiseButterflies(structureExits(Kernel, Ctx), Ctx), Ctx);
  const ArrayRef<StmtRef> Body = statements(Split->Body);
  auto *R = Body.size() == 1 ? dyn_cast<Region>(Body.front().get()) : nullptr;
  if (!R || waitsOrShares(R->Body)) {
    Form.Why = {"CR1801",
                "the threads of a block wait for each other or share memory, "
                "and their work could not be cut at the barriers",
                Kernel->Loc};
    if (!Ctx.Missed.empty()) {
      Form.Why.Text += ": " + Ctx.Missed.back().Text;
      if (Ctx.Missed.back().Loc.isValid())
        Form.Why.Loc = Ctx.Missed.back().Loc;
    }
    return Form;
  }
  // Threads that race have no derivative.
  Context Looked;
  (void)raiseLoops(Split, Looked);
  for (const Reason &Why : Looked.Missed)
    if (Why.Code == "CR1102") {
      Form.Why = Why;
      return Form;
    }
  Form.F = withBody(*Kernel, R->Body);
  Form.Rests = R->Rests;
  Form.Rests.Guards.push_back(ofPossibleBlocks(*Kernel));
  return Form;
}

std::string noteOf(const BlockForm &Form) {
  const std::string Tests = listed(Form.Rests);
  return Tests.empty() ? "" : "Tested, else the program ends: " + Tests + ".";
}

FunctionRef forItsLaunches(const FunctionRef &Made, const BlockForm &Form) {
  if (Form.Rests.Guards.empty())
    return Made;
  const StmtRef Unfit = std::make_shared<Opaque>(
      "raise::unfit(\"" + Made->Name + "\", \"" + listed(Form.Rests) + "\")",
      "CR1801", "a launch for which there is no derivative",
      std::vector<VarRef>(), Made->Loc, /*NoReturn=*/true);
  return withBody(*Made, std::make_shared<Region>(Form.Rests, Made->Body, Unfit,
                                                  Made->Loc));
}

} // namespace raise::grad
