//===- Cuda.cpp - what only device code has -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Math.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// The object and the member of `threadIdx.x`: a plain member with the shipped
/// declarations, a property with the CUDA toolkit's.
static bool splitIndex(const clang::Expr *E, StringRef &Object,
                       StringRef &Member) {
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E))
    E = P->getSyntacticForm();
  const clang::Expr *Base = nullptr;
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (!M->getMemberDecl()->getIdentifier())
      return false;
    Base = M->getBase();
    Member = M->getMemberDecl()->getName();
  } else if (const auto *M = dyn_cast<MSPropertyRefExpr>(E)) {
    Base = M->getBaseExpr();
    Member = M->getPropertyDecl()->getName();
  }
  const auto *D =
      Base ? dyn_cast<DeclRefExpr>(Base->IgnoreParenImpCasts()) : nullptr;
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V || !V->hasGlobalStorage() || !V->getIdentifier())
    return false;
  Object = V->getName();
  return true;
}

ExprRef Lifter::launchIndex(const clang::Expr *E) {
  StringRef Object, Member;
  if (!AST.getLangOpts().CUDA || !splitIndex(E, Object, Member))
    return nullptr;
  const int Kind = StringSwitch<int>(Object)
                       .Case("gridDim", 0)
                       .Case("blockDim", 1)
                       .Case("blockIdx", 2)
                       .Case("threadIdx", 3)
                       .Default(-1);
  const int Axis =
      StringSwitch<int>(Member).Case("x", 0).Case("y", 1).Case("z", 2).Default(
          -1);
  if (Kind < 0 || Axis < 0)
    return nullptr;
  if (!IsKernel)
    return refuse(codes::CudaBuiltin, (Object + " outside a kernel").str(),
                  E->getSourceRange());
  const VarRef &V =
      Kind < 2 ? Launch[Kind * 3 + Axis] : Indices[(Kind - 2) * 3 + Axis];
  return std::make_shared<VarUse>(V, locate(E->getSourceRange(), AST));
}

/// `extern __shared__ T a[];`, which D says: all of a kernel's start at one
/// address, so that they are one array.
bool Lifter::bindDynamicShared(const VarDecl *D, SourceRange At) {
  const auto Refuse = [&](const char *Why) {
    return refuse(codes::DynamicShared,
                  "'" + D->getNameAsString() + "' is dynamic shared memory" +
                      Why,
                  At),
           false;
  };
  if (!IsKernel || IsLaunched)
    return Refuse("");
  auto B = std::make_shared<Buffer>();
  B->Name = D->getNameAsString();
  B->Kind = BufferKind::Shared;
  B->Loc = locate(D->getLocation(), AST);
  B->TypeSpelling = spellingOf(D->getType(), AST);
  B->Extents.clear();
  QualType Elem = D->getType();
  if (!arrayExtents(D->getType(), B->Extents, Elem, At))
    return false;
  if (B->Extents.empty() || B->Extents.front() ||
      llvm::any_of(ArrayRef(B->Extents).drop_front(),
                   [](const ExprRef &E) { return !E || !isConstant(E); }))
    return Refuse(" that is no array without a size");
  if (Elem.isVolatileQualified())
    return refuse(codes::Volatile, "'" + B->Name + "' is volatile", At), false;
  if (!elementType(Elem, B->Elem))
    return Refuse(" of a type that is not supported");
  makeFlat(D, Elem, *B);
  if (B->Elem.isVoid() && Elem->getAsRecordDecl()->getParentFunctionOrMethod())
    return Refuse(" of a type that is declared in the kernel");
  if (DynamicShared) {
    if (DynamicShared->Elem != B->Elem || DynamicShared->rank() != B->rank() ||
        !std::equal(B->Extents.begin(), B->Extents.end(),
                    DynamicShared->Extents.begin(),
                    [](const ExprRef &X, const ExprRef &Y) {
                      return structurallyEqual(X, Y);
                    }))
      return Refuse(", which another array of another type shares");
    if (Raw.contains(B.get()))
      Raw.insert(DynamicShared.get());
  } else {
    DynamicShared = B;
    SharedDecls.push_back(std::make_shared<DeclBuffer>(
        DynamicShared, std::vector<ExprRef>(), B->Loc));
  }
  Binding Bound;
  Bound.Kind = Binding::BufferObj;
  Bound.P.Base = DynamicShared;
  Bindings[D] = Bound;
  return true;
}

bool Lifter::atomicStatement(Combiner Op, const clang::CallExpr *E) {
  if (E->getNumArgs() != 2)
    return refuse(codes::CudaBuiltin, "this atomic is not supported",
                  E->getSourceRange()),
           false;
  const Place To = pointee(E->getArg(0));
  const ExprRef V = To.isSet() ? value(E->getArg(1)) : nullptr;
  if (!V)
    return false;
  if (To.Kind != Place::Memory || To.Ty.isVoid() || V->Ty != To.Ty)
    return refuse(codes::CudaBuiltin, "this atomic is not supported",
                  E->getSourceRange()),
           false;
  if (To.Ty.isFloat() && (Op == Combiner::Min || Op == Combiner::Max))
    return refuse(codes::CudaBuiltin,
                  "an atomic minimum or maximum of floating values",
                  E->getSourceRange()),
           false;
  emit(std::make_shared<Store>(To.A, Op, V, /*Atomic=*/true,
                               locateStatement(E, AST)));
  return true;
}

/// Where a pointer leads that a function writes one value through.
Place Lifter::pointee(const clang::Expr *E) {
  const auto *U = dyn_cast<clang::UnaryOperator>(E->IgnoreParenCasts());
  if (U && U->getOpcode() == UO_AddrOf)
    return place(U->getSubExpr());
  Pointer P = pointer(E);
  return P.isSet() ? element(P, nullptr, E->getType()->getPointeeType(),
                             E->getSourceRange())
                   : Place();
}

/// `sincosf(x, &s, &c)`, as raise/device_math.h has it: both values first, then
/// the one and then the other is written.
bool Lifter::sineAndCosine(StringRef Name, const clang::CallExpr *E) {
  const bool IsFloat = Name.ends_with("f");
  const CalleeRef Sine = knownMathCallee(IsFloat ? "sinf" : "sin"),
                  Cosine = knownMathCallee(IsFloat ? "cosf" : "cos");
  ExprRef V = value(E->getArg(0));
  if (!V)
    return false;
  V = spill(build::cast(V, Sine->Params.front()), "angle");
  for (const auto &[Arg, Fn] : {std::pair(1, Sine), std::pair(2, Cosine)}) {
    const Place To = pointee(E->getArg(Arg));
    if (!To.isSet() || !write(To, Combiner::None, build::call(Fn, {V}),
                              locateStatement(E, AST), E->getSourceRange()))
      return false;
  }
  return true;
}

/// `__stcs(p, v)`: a store that goes past a cache.
bool Lifter::cachedStore(const clang::CallExpr *E) {
  const QualType Pointee = E->getArg(0)->getType()->getPointeeType();
  const std::optional<Type> Ty = scalarType(Pointee, AST);
  if (const CastExpr *Seen = asBytes(E->getArg(0)))
    return storeBytes([&] { return bytesAt(Seen, Pointee); }, E->getArg(1));
  if (!Ty || Ty->isVoid())
    return refuse(codes::CudaBuiltin,
                  "a store past a cache of more than a number",
                  E->getSourceRange()),
           false;
  const Pointer P = pointer(E->getArg(0));
  const ExprRef V = P.isSet() ? value(E->getArg(1)) : nullptr;
  if (!V)
    return false;
  const Place To = element(P, nullptr, Pointee, E->getSourceRange());
  return To.isSet() && write(To, Combiner::None, build::cast(V, *Ty),
                             locateStatement(E, AST), E->getSourceRange());
}

int Lifter::cudaStatement(const FunctionDecl *FD, const clang::CallExpr *E) {
  if (!AST.getLangOpts().CUDA || !FD->getIdentifier() ||
      !AST.getSourceManager().isInSystemHeader(
          AST.getSourceManager().getExpansionLoc(FD->getLocation())))
    return 0;
  const StringRef Name = FD->getName();
  if (Name == "__syncthreads") {
    if (!IsKernel)
      return refuse(codes::CudaBuiltin, "a barrier outside a kernel",
                    E->getSourceRange()),
             -1;
    if (IsLaunched)
      return refuse(codes::CudaBuiltin,
                    "the threads of a block wait for each other, and what they "
                    "exchange is not differentiated",
                    E->getSourceRange()),
             -1;
    emit(std::make_shared<Barrier>(locateStatement(E, AST)));
    return 1;
  }
  if (const int Done = waitStatement(FD, E))
    return Done;
  if ((Name == "sincosf" || Name == "sincos" || Name == "__sincosf") &&
      E->getNumArgs() == 3)
    return sineAndCosine(Name, E) ? 1 : -1;
  if ((Name == "__stcs" || Name == "__stcg" || Name == "__stwb" ||
       Name == "__stwt") &&
      E->getNumArgs() == 2)
    return cachedStore(E) ? 1 : -1;
  const auto Op = StringSwitch<std::optional<Combiner>>(Name)
                      .Case("atomicAdd", Combiner::Add)
                      .Case("atomicSub", Combiner::Sub)
                      .Case("atomicMin", Combiner::Min)
                      .Case("atomicMax", Combiner::Max)
                      .Case("atomicAnd", Combiner::And)
                      .Case("atomicOr", Combiner::Or)
                      .Case("atomicXor", Combiner::Xor)
                      .Default(std::nullopt);
  if (Op)
    return atomicStatement(*Op, E) ? 1 : -1;
  return 0;
}

namespace {
/// A device function whose value on the host C's functions can say; the same as
/// in raise/device_math.h, which the reference executor runs.
struct HostMeaning {
  /// OneOver: 1 / x, Converted: x as the result's type, OrWidth: of bits, all
  /// of them where none is set.
  enum { Same, Reciprocal, Quotient, OneOver, Converted, OrWidth } Form = Same;
  StringRef Callee; ///< of <math.h>, or a compiler's; empty for an operator
};
} // namespace

static std::optional<HostMeaning> hostMeaning(StringRef Name, bool IsFloat) {
  using H = HostMeaning;
  return StringSwitch<std::optional<HostMeaning>>(Name)
      .Case("__sinf", H{H::Same, "sinf"})
      .Case("__cosf", H{H::Same, "cosf"})
      .Case("__tanf", H{H::Same, "tanf"})
      .Case("__expf", H{H::Same, "expf"})
      .Case("__logf", H{H::Same, "logf"})
      .Case("__log2f", H{H::Same, "log2f"})
      .Case("__log10f", H{H::Same, "log10f"})
      .Case("__powf", H{H::Same, "powf"})
      .Case("rsqrtf", H{H::Reciprocal, "sqrtf"})
      .Case("rsqrt", H{H::Reciprocal, IsFloat ? "sqrtf" : "sqrt"})
      .Case("rcbrtf", H{H::Reciprocal, "cbrtf"})
      .Case("rcbrt", H{H::Reciprocal, IsFloat ? "cbrtf" : "cbrt"})
      .Cases("__fdividef", "fdividef", "fdivide", H{H::Quotient, ""})
      .Cases("__fdiv_rn", "__ddiv_rn", H{H::Quotient, ""})
      .Cases("__frcp_rn", "__drcp_rn", H{H::OneOver, ""})
      .Case("__fsqrt_rn", H{H::Same, "sqrtf"})
      .Case("__dsqrt_rn", H{H::Same, "sqrt"})
      .Cases("__int2float_rn", "__uint2float_rn", "__int2double_rn",
             "__uint2double_rn", H{H::Converted, ""})
      .Case("__popc", H{H::Same, "__builtin_popcount"})
      .Case("__popcll", H{H::Same, "__builtin_popcountll"})
      .Case("__ffs", H{H::Same, "__builtin_ffs"})
      .Case("__ffsll", H{H::Same, "__builtin_ffsll"})
      .Case("__clz", H{H::OrWidth, "__builtin_clz"})
      .Case("__clzll", H{H::OrWidth, "__builtin_clzll"})
      .Default(std::nullopt);
}

/// A call of such a function; null, and nothing lifted, for any other.
ExprRef Lifter::hostValue(const FunctionDecl *FD, const clang::CallExpr *E) {
  const std::optional<Type> Ty = scalarType(E->getType(), AST);
  if (!Ty || Ty->isVoid())
    return nullptr;
  const auto Meaning = hostMeaning(FD->getName(), Ty->Bits == 32);
  if (!Meaning)
    return nullptr;
  using Form = HostMeaning;
  if (Meaning->Form == Form::OneOver || Meaning->Form == Form::Converted) {
    const ExprRef V = E->getNumArgs() == 1 ? value(E->getArg(0)) : nullptr;
    if (!V || Meaning->Form == Form::Converted)
      return V ? build::cast(V, *Ty) : nullptr;
    return std::make_shared<Binary>(BinaryOp::Div, build::floatConst(1, *Ty),
                                    build::cast(V, *Ty), *Ty,
                                    locate(E->getSourceRange(), AST));
  }
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  const CalleeRef Callee = knownMathCallee(Meaning->Callee);
  const std::vector<Type> Params =
      Callee ? Callee->Params : std::vector<Type>(2, *Ty);
  std::vector<ExprRef> Args;
  if (Params.size() != E->getNumArgs() || !arguments(E, Params, Args))
    return nullptr;
  if (!Callee)
    return std::make_shared<Binary>(BinaryOp::Div, Args[0], Args[1], *Ty, Loc);
  if (Meaning->Form == Form::OrWidth && !isFixed(Args[0]))
    Args[0] = spill(Args[0], "bits");
  ExprRef Value = std::make_shared<raise::Call>(Callee, Args, Loc);
  if (Meaning->Form == Form::OrWidth) // clz of 0 is undefined
    Value = std::make_shared<Select>(
        build::binary(BinaryOp::EQ, Args[0], build::intConst(0, Args[0]->Ty)),
        build::intConst(Params[0].Bits, *Ty), Value, Loc);
  if (Meaning->Form == Form::Reciprocal)
    Value = std::make_shared<Binary>(BinaryOp::Div, build::floatConst(1, *Ty),
                                     Value, *Ty, Loc);
  return Value;
}

/// Whether raise/device_math.h has a function of that name, which does nothing
/// but compute a number from numbers.
static bool isDeviceMath(StringRef Name) {
  static const StringSet<> Known = [] {
    StringSet<> All;
    for (StringRef Name : {"__exp10f",
                           "exp10f",
                           "exp10",
                           "__saturatef",
                           "__frsqrt_rn",
                           "sinpi",
                           "cospi",
                           "sinpif",
                           "cospif",
                           "normcdf",
                           "normcdff",
                           "rhypot",
                           "rhypotf",
                           "norm3d",
                           "norm4d",
                           "norm3df",
                           "norm4df",
                           "rnorm3d",
                           "rnorm4d",
                           "rnorm3df",
                           "rnorm4df",
                           "min",
                           "max",
                           "umin",
                           "umax",
                           "llmin",
                           "llmax",
                           "ullmin",
                           "ullmax",
                           "__fmaf_rn",
                           "__fma_rn",
                           "__int2double_rn",
                           "__uint2double_rn",
                           "__float_as_int",
                           "__float_as_uint",
                           "__int_as_float",
                           "__uint_as_float",
                           "__double_as_longlong",
                           "__longlong_as_double",
                           "__double2hiint",
                           "__double2loint",
                           "__hiloint2double",
                           "__mulhi",
                           "__umulhi",
                           "__umul64hi",
                           "__mul64hi",
                           "__umul24",
                           "__mul24",
                           "__usad",
                           "__sad",
                           "__hadd",
                           "__rhadd",
                           "__uhadd",
                           "__urhadd",
                           "__brev",
                           "__brevll",
                           "__byte_perm",
                           "__funnelshift_l",
                           "__funnelshift_r",
                           "__funnelshift_lc",
                           "__funnelshift_rc"})
      All.insert(Name);
    // Each in four ways of rounding.
    for (StringRef Stem :
         {"__fadd",       "__fsub",        "__fmul",        "__fdiv",
          "__dadd",       "__dsub",        "__dmul",        "__ddiv",
          "__frcp",       "__fsqrt",       "__drcp",        "__dsqrt",
          "__float2int",  "__float2uint",  "__float2ll",    "__float2ull",
          "__double2int", "__double2uint", "__double2ll",   "__double2ull",
          "__int2float",  "__uint2float",  "__ll2float",    "__ull2float",
          "__ll2double",  "__ull2double",  "__double2float"})
      for (StringRef Mode : {"_rn", "_rz", "_ru", "_rd"})
        All.insert((Stem + Mode).str());
    return All;
  }();
  return Known.contains(Name);
}

/// A call of such a function, by its name; null, and nothing lifted, for any
/// other.
ExprRef Lifter::deviceMath(const FunctionDecl *FD, const clang::CallExpr *E) {
  const SourceManager &SM = AST.getSourceManager();
  if (!AST.getLangOpts().CUDA || !FD->getIdentifier() ||
      !isDeviceMath(FD->getName()) ||
      !SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())))
    return nullptr;
  const std::optional<Type> Ty = scalarType(FD->getReturnType(), AST);
  if (!Ty || Ty->isVoid())
    return nullptr;
  auto C = std::make_shared<Callee>();
  C->Name = FD->getNameAsString();
  C->Result = *Ty;
  for (const ParmVarDecl *P : FD->parameters()) {
    const std::optional<Type> Of = scalarType(P->getType(), AST);
    if (!Of || Of->isVoid() || P->getType()->isReferenceType())
      return nullptr;
    C->Params.push_back(*Of);
  }
  std::vector<ExprRef> Args;
  if (C->Params.size() != E->getNumArgs() || !arguments(E, C->Params, Args))
    return nullptr;
  return std::make_shared<raise::Call>(C, Args,
                                       locate(E->getSourceRange(), AST));
}

ExprRef Lifter::cudaValue(const FunctionDecl *FD, const clang::CallExpr *E) {
  if (!AST.getLangOpts().CUDA || !FD->getIdentifier())
    return nullptr;
  const SourceManager &SM = AST.getSourceManager();
  if (!SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())))
    return nullptr;
  const StringRef Name = FD->getName();
  if (Name.starts_with("atomic"))
    return refuse(codes::AtomicValue,
                  ("the value that " + Name + " returns is used").str(),
                  E->getSourceRange());
  if ((Name == "__ldg" || Name == "__ldcs" || Name == "__ldcg" ||
       Name == "__ldca" || Name == "__ldlu") &&
      E->getNumArgs() == 1) { // a load that may go through another cache
    Pointer P = pointer(E->getArg(0));
    if (!P.isSet())
      return nullptr;
    Place From = element(P, nullptr, E->getArg(0)->getType()->getPointeeType(),
                         E->getSourceRange());
    return From.isSet() ? load(From, E->getSourceRange()) : nullptr;
  }
  if (ExprRef V = warpValue(FD, E); V || failed())
    return V;
  return hostValue(FD, E);
}

} // namespace raise::lifting
