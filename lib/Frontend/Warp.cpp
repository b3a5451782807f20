//===- Warp.cpp - what the threads of a warp do together ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each operation of a warp is an exchange through an array that the warp's
// lanes share: a lane stores its value, the lanes wait, each reads what it is
// to have, and they wait again so that the array is free. What the source
// leaves undefined (a lane that does not take part) needs no meaning here: an
// exchange is one where all lanes of the warp reach it, which whoever cuts the
// kernel there sees to.
//
// Cooperative groups that lie inside of a block have no state: a thread's rank
// in a block or in a tile of 2^k threads follows from the group's type.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

static constexpr int64_t WarpSize = 32;

//===-- Groups of threads -------------------------------------------------===//

/// Whether R is one of cooperative groups' own.
static bool isOfGroups(const CXXRecordDecl *R) {
  const auto *N =
      dyn_cast<NamespaceDecl>(R->getDeclContext()->getRedeclContext());
  return N && N->getName() == "cooperative_groups" &&
         N->getParent()->getRedeclContext()->isTranslationUnit();
}

/// The number of threads of a tile, or 0 for a whole block; none if T is no
/// such group.
static std::optional<unsigned> groupSize(QualType T) {
  const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  if (!R || !R->getIdentifier() || !isOfGroups(R))
    return std::nullopt;
  if (R->getName() == "thread_block")
    return 0;
  const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(R);
  if (!S || R->getName() != "thread_block_tile" ||
      S->getTemplateArgs()[0].getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return S->getTemplateArgs()[0].getAsIntegral().getZExtValue();
}

bool isThreadGroup(QualType T) { return groupSize(T).has_value(); }

/// The number of threads of the group that tile E is a part of; 0 for a block,
/// none where that is not known: `thread_block_tile<32>` does not name it, and
/// has it from what the variable is made of.
std::optional<unsigned> Lifter::tileParent(const clang::Expr *E) const {
  E = E->IgnoreParenImpCasts()->IgnoreImplicit();
  while (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (C->getNumArgs() != 1)
      return std::nullopt;
    E = C->getArg(0)->IgnoreParenImpCasts()->IgnoreImplicit();
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto It = D ? TileParents.find(D->getDecl()) : TileParents.end();
  if (It != TileParents.end())
    return It->second;
  const auto *S = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      E->getType().getNonReferenceType()->getAsCXXRecordDecl());
  if (!S || !groupSize(E->getType()))
    return std::nullopt;
  const TemplateArgument &Parent = S->getTemplateArgs()[1];
  return Parent.getKind() == TemplateArgument::Type
             ? groupSize(Parent.getAsType())
             : std::nullopt;
}

void Lifter::bindThreadGroup(const VarDecl *D, const clang::Expr *Init) {
  if (const auto Parent = Init ? tileParent(Init) : std::nullopt)
    TileParents[D] = *Parent;
}

ExprRef Lifter::threadRank() const {
  const auto At = [&](unsigned Axis) { return build::var(Indices[3 + Axis]); };
  const auto Size = [&](unsigned Axis) { return build::var(Launch[3 + Axis]); };
  return build::add(
      build::mul(build::add(build::mul(At(2), Size(1)), At(1)), Size(0)),
      At(0));
}

ExprRef Lifter::lane() const {
  return build::cast(
      build::rem(threadRank(), build::intConst(WarpSize, Launch[0]->Ty)),
      Type::getI32());
}

static ExprRef ofSize(const ExprRef &E, int64_t Size) {
  return build::intConst(Size, E->Ty);
}

/// A member function of a group that says where the thread stands in it.
ExprRef Lifter::rankValue(StringRef Name, unsigned Size,
                          const clang::CallExpr *E) {
  const ExprRef Rank = threadRank();
  const ExprRef Block =
      build::mul(build::mul(build::var(Launch[3]), build::var(Launch[4])),
                 build::var(Launch[5]));
  const bool IsCount = Name == "size" || Name == "num_threads";
  if (Size == 0)
    return IsCount ? Block : Name == "thread_rank" ? Rank : nullptr;
  if (IsCount)
    return ofSize(Rank, Size);
  if (Name == "thread_rank")
    return build::rem(Rank, ofSize(Rank, Size));
  const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
  if (!Call || (Name != "meta_group_rank" && Name != "meta_group_size"))
    return nullptr;
  const std::optional<unsigned> Parent =
      tileParent(Call->getImplicitObjectArgument());
  if (!Parent)
    return refuse(codes::CudaBuiltin,
                  "what the tile is a part of is not known here",
                  E->getSourceRange());
  if (Name == "meta_group_size")
    return *Parent ? ofSize(Rank, *Parent / Size)
                   : build::div(build::add(Block, ofSize(Rank, Size - 1)),
                                ofSize(Rank, Size));
  return build::div(*Parent ? build::rem(Rank, ofSize(Rank, *Parent)) : Rank,
                    ofSize(Rank, Size));
}

//===-- Exchanges ---------------------------------------------------------===//

/// A name for the values of V, which the lanes exchange.
static std::string exchangeName(const clang::Expr *V, StringRef Otherwise) {
  const auto *D = dyn_cast<DeclRefExpr>(V->IgnoreParenImpCasts());
  return (D && D->getDecl()->getIdentifier() ? D->getDecl()->getName()
                                             : Otherwise)
             .str() +
         "_of";
}

void Lifter::warpBarrier(const SourceLoc &Loc) {
  emit(std::make_shared<Barrier>(Loc, /*OfWarp=*/true));
}

/// An array of the warp that each lane has stored its V in, once all have.
BufferRef Lifter::exchange(const ExprRef &V, std::string Name,
                           const SourceLoc &Loc) {
  auto B = std::make_shared<Buffer>();
  B->Name = std::move(Name);
  B->Elem = V->Ty;
  B->Kind = BufferKind::Shared;
  B->PerWarp = true;
  B->Extents = {build::intConst(WarpSize, Type::getI64())};
  B->Loc = Loc;
  SharedDecls.push_back(
      std::make_shared<DeclBuffer>(B, std::vector<ExprRef>(), Loc));
  Access To;
  To.Buf = B;
  To.Indices = {lane()};
  emit(std::make_shared<Store>(To, Combiner::None, V, /*Atomic=*/false, Loc));
  warpBarrier(Loc);
  return B;
}

static ExprRef elementAt(const BufferRef &B, ExprRef At) {
  Access From;
  From.Buf = B;
  From.Indices = {std::move(At)};
  return build::load(std::move(From));
}

static std::optional<int64_t> constantOf(const clang::Expr *E,
                                         const ASTContext &AST) {
  clang::Expr::EvalResult R;
  if (E->isValueDependent() || !E->EvaluateAsInt(R, AST))
    return std::nullopt;
  return R.Val.getInt().getExtValue();
}

static bool isFullMask(const clang::Expr *E, const ASTContext &AST) {
  const std::optional<int64_t> Mask = constantOf(E, AST);
  return Mask && (*Mask & 0xffffffff) == 0xffffffff;
}

/// Whether a shuffle by E may mean to leave the warp: a number that does, or
/// what comes from outside.
static bool mayBeLarge(const ExprRef &E) {
  if (auto *K = dyn_cast<IntConst>(E.get()))
    return K->Value < 0 || K->Value >= WarpSize;
  bool Given = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    Given |= isa<raise::Load>(*Sub) || (U && U->V->Kind == VarKind::Param);
  });
  return Given;
}

/// The lane whose value a shuffle gives: of those of the same Width lanes; the
/// lane itself where there is none. By is an int, or what became one.
static ExprRef sourceLane(StringRef Kind, const ExprRef &Lane, ExprRef By,
                          int64_t Width) {
  const Type I32 = Type::getI32(), U32 = Type::getInt(32, false);
  const auto Int = [&](int64_t V) { return build::intConst(V, I32); };
  const auto Bits = [&](const ExprRef &E) { return build::cast(E, U32); };
  const auto *K = dyn_cast<IntConst>(By.get());
  // The hardware looks at five bits. A loop of the warp's own steps stays in
  // these.
  if ((Kind == "_up" || Kind == "_down") && mayBeLarge(By)) {
    By = K ? Int(K->Value & (WarpSize - 1))
           : build::binary(BinaryOp::And, build::cast(By, I32),
                           Int(WarpSize - 1));
    K = dyn_cast<IntConst>(By.get());
  }
  const bool Small = K && K->Value >= 0 && K->Value < Width;
  const bool Whole = Width == WarpSize;
  const ExprRef Start =
      Whole ? Int(0) : build::binary(BinaryOp::And, Lane, Int(-Width));
  if (Kind == "") {
    const ExprRef Of =
        Small ? By : build::binary(BinaryOp::And, By, Int(Width - 1));
    return Whole ? Of : build::binary(BinaryOp::Or, Start, Of);
  }
  if (Kind == "_xor") {
    const ExprRef Other = build::binary(BinaryOp::Xor, Lane, By);
    if (Small)
      return Other;
    const ExprRef Last =
        Whole ? Int(Width - 1) : build::add(Start, Int(Width - 1));
    return build::select(build::binary(BinaryOp::LE, Bits(Other), Bits(Last)),
                         Other, Lane);
  }
  const bool Up = Kind == "_up";
  const ExprRef Within = Whole ? Lane : build::sub(Lane, Start);
  const ExprRef Most = Up ? Within : build::sub(Int(Width - 1), Within);
  const ExprRef Cond = Small
                           ? build::binary(BinaryOp::LE, By, Most)
                           : build::binary(BinaryOp::LE, Bits(By), Bits(Most));
  return build::select(Cond, Up ? build::sub(Lane, By) : build::add(Lane, By),
                       Lane);
}

/// What a group of Size lanes makes of all their values: the same for each.
ExprRef Lifter::warpReduction(const ExprRef &V, Combiner Op, unsigned Size,
                              std::string Name, const SourceLoc &Loc) {
  const BufferRef B = exchange(V, std::move(Name), Loc);
  const ExprRef First = Size == WarpSize
                            ? build::intConst(0)
                            : build::binary(BinaryOp::And, lane(),
                                            build::intConst(-int64_t(Size)));
  const VarRef Result = fresh("all", V->Ty, Loc),
               I = fresh("l", Type::getI32(), Loc);
  Changing.insert(Result.get());
  emit(std::make_shared<Decl>(Result, elementAt(B, First), Loc));
  const ExprRef At =
      Size == WarpSize ? build::var(I) : build::add(First, build::var(I));
  emit(std::make_shared<raise::For>(
      I, build::intConst(1), BinaryOp::LT, build::intConst(Size),
      build::intConst(1), LoopKind::Serial, /*DeclaresVar=*/true,
      makeBlock({std::make_shared<Assign>(Result, Op, elementAt(B, At), Loc)}),
      Loc));
  warpBarrier(Loc);
  return build::var(Result);
}

/// The votes of a tile of Size lanes, 32 of them for a warp.
ExprRef Lifter::warpVote(StringRef Name, const clang::Expr *Predicate,
                         unsigned Size, const SourceLoc &Loc) {
  ExprRef V = value(Predicate);
  if (!V)
    return nullptr;
  V = build::cast(build::cast(V, Type::getBool()), Type::getI32());
  if (Name == "any" || Name == "all")
    return warpReduction(V, Name == "any" ? Combiner::Or : Combiner::And, Size,
                         "vote_of", Loc);
  const Type U32 = Type::getInt(32, false);
  const ExprRef Shift =
      Size == WarpSize
          ? lane()
          : build::binary(BinaryOp::And, lane(), build::intConst(Size - 1));
  return warpReduction(build::binary(BinaryOp::Shl, build::cast(V, U32), Shift),
                       Combiner::Or, Size, "vote_of", Loc);
}

/// E, an int, without having been unsigned on the way.
static ExprRef withoutDetour(ExprRef E) {
  const auto *C = dyn_cast<raise::Cast>(E.get());
  const auto *Inner = C ? dyn_cast<raise::Cast>(C->Operand.get()) : nullptr;
  return Inner && Inner->Ty.isInt() && Inner->Ty.Bits == 32 &&
                 Inner->Operand->Ty == E->Ty
             ? Inner->Operand
             : E;
}

ExprRef Lifter::shuffle(StringRef Kind, const clang::Expr *Value,
                        const clang::Expr *By, int64_t Width,
                        const clang::CallExpr *E) {
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  const std::optional<Type> Ty =
      scalarType(E->getType().getNonReferenceType(), AST);
  if (!Ty || Ty->isVoid() || Ty->Bits > 64)
    return refuse(codes::CudaBuiltin, "a shuffle of more than a number",
                  E->getSourceRange());
  std::vector<ExprRef> Args;
  for (const clang::Expr *Arg : {Value, By}) {
    ExprRef V = value(Arg);
    if (!V)
      return nullptr;
    Args.push_back(build::cast(V, Arg == Value ? *Ty : Type::getI32()));
    if (Arg == By)
      break;
    if (!isFixed(Args[0]) && By->HasSideEffects(AST))
      Args[0] = spill(Args[0], "value");
  }
  Args[1] = withoutDetour(Args[1]);
  if (const std::optional<int64_t> K = constantOf(By, AST))
    Args[1] = build::intConst(int32_t(*K));
  else if (!isFixed(Args[1]) && !isa<VarUse>(*Args[1]))
    Args[1] = spill(Args[1], "offset");
  const BufferRef B = exchange(Args[0], exchangeName(Value, "value"), Loc);
  const VarRef Result = fresh("shuffled", *Ty, Loc);
  emit(std::make_shared<Decl>(
      Result, elementAt(B, sourceLane(Kind, lane(), Args[1], Width)), Loc));
  warpBarrier(Loc);
  return std::make_shared<VarUse>(Result, Loc);
}

//===-- Calls -------------------------------------------------------------===//

static std::optional<Combiner> reductionOf(StringRef Name) {
  return StringSwitch<std::optional<Combiner>>(Name)
      .Cases("plus", "add", Combiner::Add)
      .Cases("less", "min", Combiner::Min)
      .Cases("greater", "max", Combiner::Max)
      .Cases("bit_and", "and", Combiner::And)
      .Cases("bit_or", "or", Combiner::Or)
      .Cases("bit_xor", "xor", Combiner::Xor)
      .Default(std::nullopt);
}

bool Lifter::mayExchange(const clang::CallExpr *E) {
  if (IsKernel && !IsLaunched)
    return true;
  refuse(codes::CudaBuiltin,
         IsLaunched ? "the threads of a warp exchange values, which is not "
                      "differentiated"
                    : "an operation of a warp outside a kernel",
         E->getSourceRange());
  return false;
}

/// A function of CUDA's, or a member of a group, that lanes call together.
ExprRef Lifter::warpValue(const FunctionDecl *FD, const clang::CallExpr *E) {
  StringRef Name = FD->getName();
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  if (const auto *M = dyn_cast<CXXMethodDecl>(FD)) {
    const std::optional<unsigned> Size =
        groupSize(AST.getRecordType(M->getParent()));
    if (!Size || !IsKernel)
      return nullptr;
    if (ExprRef Rank = rankValue(Name, *Size, E); Rank || failed())
      return Rank;
    if (*Size == 0)
      return nullptr;
    if (Name.consume_front("shfl") && E->getNumArgs() == 2)
      return mayExchange(E)
                 ? shuffle(Name, E->getArg(0), E->getArg(1), *Size, E)
                 : nullptr;
    if ((Name == "any" || Name == "all" || Name == "ballot") &&
        E->getNumArgs() == 1)
      return mayExchange(E) ? warpVote(Name, E->getArg(0), *Size, Loc)
                            : nullptr;
    return nullptr;
  }
  if (Name == "reduce" && E->getNumArgs() == 3 &&
      groupSize(E->getArg(0)->getType()).value_or(0)) {
    const CXXRecordDecl *R = E->getArg(2)->getType()->getAsCXXRecordDecl();
    const auto Op = R && R->getIdentifier() && isOfGroups(R)
                        ? reductionOf(R->getName())
                        : std::nullopt;
    const std::optional<Type> Ty = scalarType(E->getType(), AST);
    if (!Op || !Ty || Ty->isVoid() || Ty->isBool())
      return refuse(codes::CudaBuiltin,
                    "a reduction by an operation that is not known",
                    E->getSourceRange());
    ExprRef V = mayExchange(E) ? value(E->getArg(1)) : nullptr;
    return V ? warpReduction(build::cast(V, *Ty), *Op,
                             *groupSize(E->getArg(0)->getType()),
                             exchangeName(E->getArg(1), "value"), Loc)
             : nullptr;
  }
  if (!Name.consume_front("__") || !Name.consume_back("_sync"))
    return nullptr;
  if (Name.consume_front("shfl") && E->getNumArgs() == 4) {
    const std::optional<int64_t> Width = constantOf(E->getArg(3), AST);
    if (!Width || *Width < 1 || *Width > WarpSize || (*Width & (*Width - 1)) ||
        E->getArg(0)->HasSideEffects(AST))
      return refuse(codes::CudaBuiltin,
                    "a shuffle whose width is not known here",
                    E->getSourceRange());
    return mayExchange(E) ? shuffle(Name, E->getArg(1), E->getArg(2), *Width, E)
                          : nullptr;
  }
  const bool IsVote = Name == "any" || Name == "all" || Name == "ballot";
  const auto Op =
      Name.consume_front("reduce_") ? reductionOf(Name) : std::nullopt;
  if ((!IsVote && !Op) || E->getNumArgs() != 2)
    return nullptr;
  if (!isFullMask(E->getArg(0), AST))
    return refuse(codes::CudaBuiltin,
                  "calls " + FD->getNameAsString() +
                      " for lanes that are not known to be all of the warp's",
                  E->getSourceRange());
  if (!mayExchange(E))
    return nullptr;
  if (IsVote)
    return warpVote(Name, E->getArg(1), WarpSize, Loc);
  const std::optional<Type> Ty = scalarType(E->getType(), AST);
  ExprRef V = Ty ? value(E->getArg(1)) : nullptr;
  return V ? warpReduction(build::cast(V, *Ty), *Op, WarpSize,
                           exchangeName(E->getArg(1), "value"), Loc)
           : nullptr;
}

/// 0 if the call is no waiting of a warp or a group, 1 if it was lifted, -1 if
/// refused.
int Lifter::waitStatement(const FunctionDecl *FD, const clang::CallExpr *E) {
  const StringRef Name = FD->getName();
  std::optional<unsigned> Size;
  if (const auto *M = dyn_cast<CXXMethodDecl>(FD))
    Size = groupSize(AST.getRecordType(M->getParent()));
  else if (Name == "sync" && E->getNumArgs() == 1)
    Size = groupSize(E->getArg(0)->getType());
  else if (Name == "__syncwarp")
    Size = WarpSize;
  if (!Size || (Name != "sync" && Name != "__syncwarp"))
    return 0;
  if (!mayExchange(E))
    return -1;
  emit(std::make_shared<Barrier>(locateStatement(E, AST),
                                 /*OfWarp=*/*Size != 0));
  return 1;
}

} // namespace raise::lifting
