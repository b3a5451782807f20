//===- CudaRuntime.cpp - what a host function has CUDA do -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For a whole function that runs on one thread, with one memory (LiftSettings):
// device memory is an array of the function's own like any other that it
// allocates, copies and fills are those of blocks of memory (MemoryBlocks), and
// nothing waits. It is taken that the runtime's calls succeed: their results
// are cudaSuccess, and so is every variable that only such results are given,
// so that what tests for errors is not there.
//
//===----------------------------------------------------------------------===//

#include "FreshScan.h"
#include "Lifter.h"
#include "MemoryBlock.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

namespace {

enum class RuntimeOp { None, Nothing, Allocate, Free, Memcpy, Memset };

/// What FD does, and where its stream stands among the arguments (0: nowhere).
std::pair<RuntimeOp, unsigned> runtimeOp(StringRef Name) {
  using R = std::pair<RuntimeOp, unsigned>;
  return StringSwitch<R>(Name)
      .Cases("cudaDeviceSynchronize", "cudaThreadSynchronize",
             "cudaGetLastError", "cudaPeekAtLastError", "cudaSetDevice",
             R{RuntimeOp::Nothing, 0})
      .Case("cudaStreamSynchronize", R{RuntimeOp::Nothing, 0})
      .Cases("cudaMalloc", "cudaMallocManaged", "cudaMallocHost",
             "cudaHostAlloc", R{RuntimeOp::Allocate, 0})
      .Case("cudaMallocAsync", R{RuntimeOp::Allocate, 2})
      .Cases("cudaFree", "cudaFreeHost", R{RuntimeOp::Free, 0})
      .Case("cudaFreeAsync", R{RuntimeOp::Free, 1})
      .Case("cudaMemcpy", R{RuntimeOp::Memcpy, 0})
      .Case("cudaMemcpyAsync", R{RuntimeOp::Memcpy, 4})
      .Case("cudaMemset", R{RuntimeOp::Memset, 0})
      .Case("cudaMemsetAsync", R{RuntimeOp::Memset, 3})
      .Default(R{RuntimeOp::None, 0});
}

bool isRuntime(const FunctionDecl *FD, const ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  return AST.getLangOpts().CUDA && FD->getIdentifier() &&
         SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())) &&
         FD->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

/// The variable whose address E is, through casts.
const VarDecl *addressedIn(const clang::Expr *E) {
  const auto *U = dyn_cast<clang::UnaryOperator>(E->IgnoreParenCasts());
  const auto *R = U && U->getOpcode() == UO_AddrOf
                      ? dyn_cast<DeclRefExpr>(U->getSubExpr()->IgnoreParens())
                      : nullptr;
  return R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
}

} // namespace

const VarDecl *allocatedBy(const clang::CallExpr *E, const ASTContext &AST) {
  const FunctionDecl *FD = E->getDirectCallee();
  return FD && isRuntime(FD, AST) && E->getNumArgs() > 1 &&
                 runtimeOp(FD->getName()).first == RuntimeOp::Allocate
             ? addressedIn(E->getArg(0))
             : nullptr;
}

bool isErrorCode(QualType T) {
  const auto *E = T.getNonReferenceType()->getAs<EnumType>();
  return E && E->getDecl()->getIdentifier() &&
         E->getDecl()->getName() == "cudaError";
}

/// The address of D is taken by one call alone, which allocates: until then it
/// leads nowhere.
bool Lifter::awaitMemory(const VarDecl *D) {
  Owned.erase(D);
  Awaited[D] = Out;
  Binding B;
  B.Why = {codes::PointerBase,
           "'" + D->getNameAsString() +
               "' is used where its memory is not allocated yet",
           locate(D->getSourceRange(), AST)};
  Bindings[D] = B;
  return true;
}

bool Lifter::allocate(const clang::CallExpr *E) {
  const VarDecl *D = addressedIn(E->getArg(0));
  if (D && Owned.count(D) && Awaited.count(D))
    return true; // by the statement that is lifted again
  const auto It = D ? Awaited.find(D) : Awaited.end();
  if (It == Awaited.end())
    return refuse(codes::Heap,
                  "what " + E->getDirectCallee()->getNameAsString() +
                      " allocates for '" +
                      shortText(E->getArg(0)->getSourceRange(), AST) +
                      "' is not followed: only a local pointer that is given "
                      "memory once is",
                  E->getSourceRange()),
           false;
  const QualType Elem = D->getType()->getPointeeType();
  const clang::Expr *Bytes = E->getArg(1);
  const ExprRef Size =
      Bytes->HasSideEffects(AST, false)
          ? nullptr
          : elementsIn(Bytes, AST.getTypeSizeInChars(Elem).getQuantity());
  if (failed())
    return false;
  if (!Size || (It->second != Out && !isFixed(Size)))
    return refuse(codes::Heap,
                  "the size '" + shortText(Bytes->getSourceRange(), AST) +
                      "' is not seen to be a multiple of the size of '" +
                      spellingOf(Elem, AST) + "'" +
                      (Size ? " that stays what it is" : ""),
                  Bytes->getSourceRange()),
           false;
  // A block around the call, of a macro that checks it, is not its life.
  StmtList *const Saved = Out;
  Out = It->second;
  declareOwn(D, Elem, Size, /*Zero=*/false, locateStatement(E, AST));
  Out = Saved;
  return true;
}

/// 0 if the call is no such thing, 1 if it was lifted, -1 if refused.
int Lifter::runtimeCall(const FunctionDecl *FD, const clang::CallExpr *E) {
  if (!Settings.Alone || IsKernel || IsDevice || !isRuntime(FD, AST))
    return 0;
  const auto [Op, Stream] = runtimeOp(FD->getName());
  if (Op == RuntimeOp::None)
    return 0;
  const bool Waits = FD->getName() == "cudaStreamSynchronize";
  if (Waits || (Stream && Stream < E->getNumArgs())) {
    const clang::Expr *In = E->getArg(Waits ? 0 : Stream);
    if (!isa<CXXDefaultArgExpr>(In) && !isNullPointer(In, AST))
      return refuse(codes::CudaBuiltin,
                    FD->getNameAsString() +
                        " in a stream of its own, whose order among the others "
                        "is not followed",
                    In->getSourceRange()),
             -1;
  }
  switch (Op) {
  case RuntimeOp::Allocate:
    return allocate(E) ? 1 : -1;
  case RuntimeOp::Memcpy:
  case RuntimeOp::Memset:
    return blockCall(FD, E);
  case RuntimeOp::Free:
    if (ownArray(E->getArg(0)) || isNullPointer(E->getArg(0), AST))
      return 1;
    return refuse(codes::Heap,
                  "calls " + FD->getNameAsString() +
                      " on memory that the function did not allocate",
                  E->getSourceRange()),
           -1;
  default:
    for (const clang::Expr *Arg : E->arguments())
      if (Arg->HasSideEffects(AST) && !value(Arg))
        return -1;
    return 1;
  }
}

/// The value of E, an error code: that of success, whatever E did.
ExprRef Lifter::errorValue(const clang::Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *B = dyn_cast<clang::BinaryOperator>(E);
      B && B->getOpcode() == BO_Assign && isErrorCode(B->getLHS()->getType())) {
    const auto *R = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
    const auto It = R ? Bindings.find(R->getDecl()) : Bindings.end();
    if (It == Bindings.end() || It->second.Kind != Binding::Value)
      return refuse(codes::UnknownCall,
                    "an error code is kept where it is not followed",
                    E->getSourceRange());
    return errorValue(B->getRHS());
  }
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    if (const auto It = Bindings.find(R->getDecl());
        It != Bindings.end() && It->second.Kind == Binding::Value)
      return It->second.E;
  const auto *Call = dyn_cast<clang::CallExpr>(E);
  const FunctionDecl *FD = Call ? Call->getDirectCallee() : nullptr;
  if (const int Done = FD ? runtimeCall(FD, Call) : 0)
    return Done < 0 ? nullptr
                    : build::intConst(0, *scalarType(E->getType(), AST));
  ExprRef V = FD && knownBody(FD) ? call(Call) : valueInner(E);
  if (!V && !failed())
    return refuse(codes::Expression, "this expression is not supported",
                  E->getSourceRange());
  // A function that returns one: each of its returns was looked at.
  if (V && FD)
    return build::intConst(0, V->Ty);
  const auto *C = dyn_cast_or_null<IntConst>(V.get());
  if (V && (!C || C->Value != 0))
    return refuse(codes::UnknownCall,
                  "an error code that is not what CUDA's runtime returns",
                  E->getSourceRange());
  return V;
}

/// A variable for error codes: cudaSuccess in all of its life.
bool Lifter::liftErrorCode(const VarDecl *D) {
  if (Facts.Addressed.contains(D))
    return refuse(codes::AddressTaken,
                  "the address of error code '" + D->getNameAsString() +
                      "' is taken",
                  D->getSourceRange()),
           false;
  Binding B;
  B.Kind = Binding::Value;
  B.E = D->getInit() ? errorValue(D->getInit())
                     : build::intConst(0, *scalarType(D->getType(), AST));
  if (!B.E)
    return false;
  Bindings[D] = B;
  return true;
}

bool mentionsErrorCode(const clang::Stmt *S) {
  const auto *E = dyn_cast_or_null<clang::Expr>(S);
  return E && (isErrorCode(E->getType()) ||
               any_of(E->children(), [](const clang::Stmt *Sub) {
                 return mentionsErrorCode(Sub);
               }));
}

static std::optional<int64_t> knownValue(const ExprRef &E) {
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value;
  if (auto *C = dyn_cast<raise::Cast>(E.get()))
    if (const auto V = knownValue(C->Operand); V && (*V == 0 || *V == 1))
      return V;
  if (auto *U = dyn_cast<Unary>(E.get()); U && U->Op == UnaryOp::Not)
    if (const auto V = knownValue(U->Operand))
      return !*V;
  auto *B = dyn_cast<Binary>(E.get());
  const auto L = B ? knownValue(B->L) : std::nullopt;
  const auto R = B ? knownValue(B->R) : std::nullopt;
  if (!B || !L || !R)
    return std::nullopt;
  if (B->Op == BinaryOp::EQ)
    return *L == *R;
  if (B->Op == BinaryOp::NE)
    return *L != *R;
  return std::nullopt;
}

/// Cond, which E is, without the tests for errors: these are decided.
ExprRef Lifter::withoutErrorTests(const clang::Expr *E, const ExprRef &Cond) {
  if (!Settings.Alone || !AST.getLangOpts().CUDA || !mentionsErrorCode(E))
    return Cond;
  if (const auto V = knownValue(Cond))
    return build::boolConst(*V != 0);
  return Cond;
}

} // namespace raise::lifting
