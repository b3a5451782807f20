//===- Launch.cpp - kernels where host functions launch them --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CUDA leaves the order of a launch's threads open, and launches into one
// stream run one after another. So `k<<<grid, block>>>(args)` is the six loops
// over the threads, with the kernel's body in them and the extents in variables
// that are declared before; a launch of no blocks runs nothing. What threads
// exchange inside of a block is not followed.
//
//===----------------------------------------------------------------------===//

#include "FreshScan.h"
#include "Lifter.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

static const char *const IndexNames[] = {"blockIdx.x",  "blockIdx.y",
                                         "blockIdx.z",  "threadIdx.x",
                                         "threadIdx.y", "threadIdx.z"};

std::array<VarRef, 6> Lifter::threadIndices(const SourceLoc &Loc) {
  std::array<VarRef, 6> All;
  for (unsigned I = 0; I < 6; ++I)
    All[I] = fresh(IndexNames[I], Launch[I]->Ty, Loc);
  return All;
}

/// The grid and block loops, outermost first: grid.z .. grid.x, block.z ..
/// block.x. Shared arrays stand between the two.
StmtRef Lifter::threadLoops(StmtRef Body, const SourceLoc &Loc) {
  static const LoopKind Kinds[] = {LoopKind::GridX,  LoopKind::GridY,
                                   LoopKind::GridZ,  LoopKind::BlockX,
                                   LoopKind::BlockY, LoopKind::BlockZ};
  for (unsigned I : {3, 4, 5, 0, 1, 2}) {
    const Type &U32 = Launch[I]->Ty;
    Body = std::make_shared<raise::For>(
        Indices[I], build::intConst(0, U32), BinaryOp::LT,
        build::var(Launch[I]), build::intConst(1, U32), Kinds[I],
        /*DeclaresVar=*/true, std::move(Body), Loc);
    if (I == 5 && !SharedDecls.empty()) {
      StmtList List = SharedDecls;
      List.push_back(std::move(Body));
      Body = std::make_shared<raise::Block>(std::move(List), Loc);
    }
  }
  return Body;
}

/// Declares gridDim and blockDim as Config gives them.
bool Lifter::launchShape(const clang::CallExpr *Config) {
  if (Config->getNumArgs() > 3 && !isa<CXXDefaultArgExpr>(Config->getArg(3)) &&
      !isNullPointer(Config->getArg(3), AST))
    return refuse(codes::CudaBuiltin,
                  "the launch is in a stream of its own, whose order among "
                  "the others is not followed",
                  Config->getArg(3)->getSourceRange()),
           false;
  if (Config->getNumArgs() > 2 &&
      Config->getArg(2)->HasSideEffects(AST, /*IncludePossibleEffects=*/false))
    return refuse(codes::CudaBuiltin, "the size of shared memory has an effect",
                  Config->getArg(2)->getSourceRange()),
           false;
  std::vector<ExprRef> Extents;
  for (unsigned I = 0; I < 2; ++I) {
    std::vector<ExprRef> Each;
    if (!recordValue(Config->getArg(I), Each))
      return false;
    if (Each.size() != 3)
      return refuse(codes::CudaBuiltin, "the launch has no shape of three",
                    Config->getSourceRange()),
             false;
    Extents.insert(Extents.end(), Each.begin(), Each.end());
  }
  const SourceLoc Loc = locate(Config->getSourceRange(), AST);
  for (unsigned I = 0; I < 6; ++I) {
    Launch[I] = fresh(Launch[I]->Name, Launch[I]->Ty, Loc);
    emit(std::make_shared<Decl>(Launch[I],
                                build::cast(Extents[I], Launch[I]->Ty), Loc));
  }
  return true;
}

/// A thread has its own copy of each parameter that the kernel changes.
bool Lifter::ownParams(const FunctionDecl &Body, StmtList &List) {
  for (const ParmVarDecl *P : Body.parameters()) {
    if (!Facts.Assigned.contains(P) && !Facts.Addressed.contains(P))
      continue;
    Binding &B = Bindings[P];
    const auto Copy = [&](VarRef &V) {
      const VarRef From = V;
      auto Own = std::make_shared<Var>(*From);
      if (Own->Kind != VarKind::Cursor)
        Own->Kind = VarKind::Local;
      Own->Const = false;
      Own->Says.clear();
      V = Own;
      Changing.insert(V.get());
      List.push_back(std::make_shared<Decl>(V, build::var(From), V->Loc));
    };
    if (B.Kind == Binding::Scalar || B.Kind == Binding::Cursor)
      Copy(B.V);
    else if (B.Kind == Binding::Record)
      for (VarRef &V : B.At.Parts)
        Copy(V);
    else
      return refuse(codes::CudaBuiltin,
                    "parameter '" + P->getNameAsString() +
                        "' changes, and a thread's own copy of it is not "
                        "followed",
                    P->getSourceRange()),
             false;
    if (B.Kind == Binding::Scalar && Facts.Addressed.contains(P))
      Addressed.push_back(B.V);
  }
  return true;
}

bool Lifter::liftLaunch(const CUDAKernelCallExpr *E) {
  const FunctionDecl *FD = target(E);
  if (!FD)
    return false;
  const FunctionDecl *Body = knownBody(FD);
  const std::string Name = FD->getNameAsString();
  if (!Settings.Alone || IsKernel || IsDevice)
    return refuse(codes::UnknownCall,
                  "launches " + Name + ", whose effects are not followed here",
                  E->getSourceRange()),
           false;
  if (!Body)
    return refuse(codes::UnknownCall,
                  "launches " + Name + ", which has no body in this file",
                  E->getSourceRange()),
           false;
  const SourceLoc Loc = locateStatement(E, AST);
  const SaveAndRestore SavedLaunch(Launch), SavedIndices(Indices);
  StmtList List;
  if (!launchShape(E->getConfig()) ||
      !bindArguments(*Body, ArrayRef(E->getArgs(), E->getNumArgs()),
                     /*Private=*/true))
    return false;
  Indices = threadIndices(Loc);
  const SaveAndRestore InKernel(IsKernel, true), InLaunch(IsLaunched, true);
  if (!ownParams(*Body, List) || !liftInlined(FD, {Body, {}}, List)) {
    Failure.Text = "launches " + Name + " (line " +
                   std::to_string(Failure.Loc.Line) + "): " + Failure.Text;
    return false;
  }
  removeReturns(List);
  emit(threadLoops(makeBlock(std::move(List), Loc), Loc));
  return true;
}

} // namespace raise::lifting
