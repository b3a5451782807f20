//===- MemoryBlocks.cpp - calls that copy or fill blocks of elements ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// memcpy, memmove, memset, std::copy, std::copy_n, std::fill and std::fill_n
// are loops over the elements that they copy or fill. The type of an element is
// that of the pointers before they became void pointers: nothing is taken apart
// or put together.
//
//===----------------------------------------------------------------------===//

#include "MemoryBlock.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

namespace {

enum class BlockOp { None, Memcpy, Memmove, Memset, Copy, CopyN, Fill, FillN };

BlockOp blockOp(const FunctionDecl *FD, const clang::CallExpr *E,
                const ASTContext &AST) {
  if (!FD->getIdentifier() || !isLibrary(FD, AST))
    return BlockOp::None;
  StringRef Name = FD->getName();
  if (FD->isInStdNamespace() && !FD->isExternC()) {
    const BlockOp Op = StringSwitch<BlockOp>(Name)
                           .Case("copy", BlockOp::Copy)
                           .Case("copy_n", BlockOp::CopyN)
                           .Case("fill", BlockOp::Fill)
                           .Case("fill_n", BlockOp::FillN)
                           .Default(BlockOp::None);
    // With an execution policy there is one more.
    return E->getNumArgs() == 3 ? Op : BlockOp::None;
  }
  if (AST.getLangOpts().CUDA && Name.consume_front("cudaMem"))
    return StringSwitch<BlockOp>(Name)
        .Cases("cpy", "cpyAsync", BlockOp::Memcpy)
        .Cases("set", "setAsync", BlockOp::Memset)
        .Default(BlockOp::None);
  if (!FD->getBuiltinID())
    return BlockOp::None;
  Name.consume_front("__builtin_");
  const bool Checked = Name.consume_front("__") && Name.consume_back("_chk");
  if (E->getNumArgs() != (Checked ? 4 : 3))
    return BlockOp::None;
  return StringSwitch<BlockOp>(Name)
      .Case("memcpy", BlockOp::Memcpy)
      .Case("memmove", BlockOp::Memmove)
      .Case("memset", BlockOp::Memset)
      .Default(BlockOp::None);
}

/// E before it became a pointer to bytes: what it points to says its type.
const clang::Expr *beforeCasts(const clang::Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    const auto *C = dyn_cast<CastExpr>(E);
    if (!C || (C->getCastKind() != CK_BitCast && C->getCastKind() != CK_NoOp) ||
        !C->getSubExpr()->getType()->isPointerType())
      return E;
    E = C->getSubExpr();
  }
}

/// The type that an iterator, or a pointer, leads to.
QualType elementOf(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    return T->getPointeeType();
  const auto *R = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T->getAsCXXRecordDecl());
  if (!R || !R->getIdentifier() || R->getName() != "__normal_iterator" ||
      R->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return QualType();
  return R->getTemplateArgs()[0].getAsType()->getPointeeType();
}

ExprRef wide(const ExprRef &E) { return build::cast(E, Type::getI64()); }

} // namespace

/// An array of several dimensions, or a row of one.
bool Lifter::blockOfArray(const Place &At, MemoryBlock &B) {
  const Buffer &Buf = *At.A.Buf;
  for (unsigned I = At.A.Indices.size() + 1; I < Buf.rank(); ++I) {
    const auto *N = dyn_cast_or_null<IntConst>(Buf.Extents[I].get());
    if (!N || N->Value <= 0)
      return refuse(codes::UnknownCall,
                    "copies or fills '" + Buf.Name +
                        "', an array whose rows have no constant size",
                    B.Range),
             false;
    B.Inner.push_back(N->Value);
  }
  B.Kind = MemoryBlock::Elements;
  B.At = At;
  return freeze(B.At);
}

/// What the address E, of a variable or an array, leads to.
bool Lifter::blockOfObject(const clang::Expr *Object, MemoryBlock &B) {
  const Place At = place(Object);
  if (!At.isSet())
    return false;
  if (At.Kind == Place::Scalar && !isNamedMember(*At.V)) {
    B.Kind = MemoryBlock::Variable;
    B.At = At;
    return true;
  }
  if (At.Kind == Place::Record && At.Path.empty()) {
    B.Kind = MemoryBlock::Parts;
    B.At = At;
    return true;
  }
  if (At.Kind == Place::Memory && At.Path.empty() && !At.A.isView()) {
    const Buffer &Buf = *At.A.Buf;
    if (At.A.Indices.size() < Buf.rank())
      return blockOfArray(At, B);
    if (Buf.rank() == 1) {
      B.Kind = MemoryBlock::Elements;
      B.At = At;
      B.Offset = wide(At.A.Indices[0]);
      B.At.A.Indices.clear();
      if (!isFixed(B.Offset))
        B.Offset = spill(B.Offset, "offset");
      return true;
    }
  }
  return refuse(codes::UnknownCall,
                "copies or fills '" + shortText(Object->getSourceRange(), AST) +
                    "', which is not followed as a block of elements",
                B.Range),
         false;
}

bool Lifter::memoryBlock(const clang::Expr *E, MemoryBlock &B) {
  E = beforeCasts(E);
  B.Range = E->getSourceRange();
  B.Elem = elementOf(E->getType());
  if (B.Elem.isNull() || B.Elem->isVoidType() || B.Elem.isVolatileQualified())
    return refuse(codes::UnknownCall,
                  "what '" + shortText(B.Range, AST) +
                      "' leads to has no type that is known here",
                  B.Range),
           false;
  B.Elem = AST.getBaseElementType(B.Elem).getUnqualifiedType();
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf)
    return blockOfObject(U->getSubExpr(), B);
  if (const auto *C = dyn_cast<CastExpr>(E);
      C && C->getCastKind() == CK_ArrayToPointerDecay) {
    const clang::Expr *Array = C->getSubExpr()->IgnoreParens();
    if (isa<ArraySubscriptExpr>(Array) ||
        AST.getAsArrayType(
            AST.getAsArrayType(Array->getType())->getElementType()))
      return blockOfObject(Array, B);
  }
  Pointer P = walkEnd(E);
  if (!P.isSet())
    return false;
  if (P.Base && stepOf(B.Elem, *P.Base) != 1)
    return refuse(codes::PointerCast,
                  "'" + shortText(B.Range, AST) + "' sees the elements of '" +
                      P.Base->Name + "' as others",
                  B.Range),
           false;
  if (P.Scalar) {
    B.Kind = MemoryBlock::Variable;
    B.At.Kind = Place::Scalar;
    B.At.V = P.Scalar;
    B.At.Ty = P.Scalar->Ty;
    return true;
  }
  B.At.Kind = Place::Memory;
  B.At.A.Buf = P.Base;
  if (P.Base->rank() > 1)
    return P.Offset ? (refuse(codes::PointerBase,
                              "a pointer into an array of several dimensions",
                              B.Range),
                       false)
                    : blockOfArray(B.At, B);
  B.Kind = MemoryBlock::Elements;
  B.Offset = P.Offset;
  if (B.Offset && !isFixed(B.Offset))
    B.Offset = spill(B.Offset, "offset");
  return true;
}

/// One element of a block: the I-th row's, at Index in it.
Access Lifter::blockElement(const MemoryBlock &B, ArrayRef<VarRef> Index,
                            ArrayRef<uint64_t> Shape) {
  Access A = B.At.A;
  if (!B.Inner.empty()) {
    for (const VarRef &V : Index)
      A.Indices.push_back(build::var(V));
    return A;
  }
  ExprRef Flat = build::var(Index[0]);
  for (size_t I = 0; I < Shape.size(); ++I)
    Flat =
        build::add(build::mul(Flat, build::intConst(Shape[I], Type::getI64())),
                   build::var(Index[I + 1]));
  A.Indices.push_back(B.Offset ? build::add(B.Offset, wide(Flat)) : Flat);
  return A;
}

/// What is written to one element: of a structure, each member.
void Lifter::writeElement(const MemoryBlock &Block, Access To,
                          const MemoryBlock *From, Access Read,
                          const ExprRef &Value, const SourceLoc &Loc) {
  const std::optional<Type> Ty = scalarType(Block.Elem, AST);
  const std::vector<Member> Members =
      Ty ? std::vector<Member>{{"", *Ty}} : *plainMembers(Block.Elem, AST);
  for (const Member &M : Members) {
    To.Field = M.Path;
    ExprRef V = Value ? build::cast(Value, M.Ty) : zeroOf(M.Ty);
    if (From) {
      Read.Field = M.Path;
      const Type Was = Ty ? *scalarType(From->Elem, AST) : M.Ty;
      V = build::cast(std::make_shared<Load>(Read, Was, Loc), M.Ty);
    }
    emit(std::make_shared<Store>(To, Combiner::None, V, /*Atomic=*/false, Loc));
  }
}

/// for (i …) for (j …) Body(i, j, …).
void Lifter::loopOver(const ExprRef &Count, ArrayRef<uint64_t> Shape,
                      bool Forward, const SourceLoc &Loc,
                      function_ref<void(ArrayRef<VarRef>)> Body, char First) {
  const Type Ty = Count->Ty;
  const ExprRef One = build::intConst(1, Ty), Zero = build::intConst(0, Ty);
  std::vector<VarRef> Index;
  for (size_t I = 0; I <= Shape.size(); ++I)
    Index.push_back(fresh(std::string(1, char(First + I)), Ty, Loc));
  StmtList List;
  StmtList *const Saved = Out;
  Out = &List;
  Body(Index);
  Out = Saved;
  StmtRef S = makeBlock(std::move(List), Loc);
  const auto Loop = [&](const VarRef &V, const ExprRef &N, bool Up) {
    const ExprRef Last = build::sub(N, One), Down = build::intConst(-1, Ty);
    return std::make_shared<raise::For>(
        V, Up ? Zero : Last, Up ? BinaryOp::LT : BinaryOp::GE, Up ? N : Zero,
        Up ? One : Down, LoopKind::Serial, /*DeclaresVar=*/true, S, Loc);
  };
  for (size_t I = Shape.size(); I > 0; --I)
    S = makeBlock({Loop(Index[I], build::intConst(Shape[I - 1], Ty), true)},
                  Loc);
  emit(Loop(Index[0], Count, Forward));
}

bool areApart(const Buffer &A, const Buffer &B) {
  const auto IsOwn = [](const Buffer &X) {
    return X.Kind == BufferKind::Local;
  };
  const auto IsOther = [](const Buffer &X) {
    return X.Kind == BufferKind::Param || X.Kind == BufferKind::Global;
  };
  return &A != &B && ((IsOwn(A) && IsOwn(B)) || (IsOwn(A) && IsOther(B)) ||
                      (IsOther(A) && IsOwn(B)));
}

/// The direction of memmove inside of one buffer is known only when it runs.
bool Lifter::moveElements(const MemoryBlock &To, const MemoryBlock &From,
                          const ExprRef &Count, const SourceLoc &Loc) {
  const auto Copy = [&](bool Forward) {
    loopOver(Count, {}, Forward, Loc, [&](ArrayRef<VarRef> I) {
      writeElement(To, blockElement(To, I, {}), &From,
                   blockElement(From, I, {}), nullptr, Loc);
    });
  };
  if (areApart(*To.At.A.Buf, *From.At.A.Buf))
    return Copy(true), true;
  const ExprRef Zero = build::intConst(0, Type::getI64());
  if (To.At.A.Buf == From.At.A.Buf) {
    const ExprRef Into = To.Offset ? To.Offset : Zero;
    const ExprRef OutOf = From.Offset ? From.Offset : Zero;
    const auto *L = dyn_cast<IntConst>(Into.get());
    const auto *R = dyn_cast<IntConst>(OutOf.get());
    if (L && R)
      return Copy(L->Value <= R->Value), true;
    StmtList Up, Down;
    StmtList *const Saved = Out;
    Out = &Up;
    Copy(true);
    Out = &Down;
    Copy(false);
    Out = Saved;
    emit(std::make_shared<If>(build::binary(BinaryOp::LE, Into, OutOf),
                              makeBlock(std::move(Up), Loc),
                              makeBlock(std::move(Down), Loc), Loc));
    return true;
  }
  const std::optional<Type> Ty = scalarType(To.Elem, AST);
  if (!Ty)
    return refuse(codes::UnknownCall,
                  "moves structures between '" + From.At.A.Buf->Name +
                      "' and '" + To.At.A.Buf->Name + "', which may overlap",
                  To.Range),
           false;
  auto Held = std::make_shared<Buffer>();
  Held->Name = "moved";
  Held->Kind = BufferKind::Local;
  Held->Lies = ArrayHome::Heap;
  Held->Elem = *Ty;
  Held->Extents = {Count};
  Held->Loc = Loc;
  MemoryBlock Middle;
  Middle.Kind = MemoryBlock::Elements;
  Middle.At.A.Buf = Held;
  Middle.Elem = To.Elem;
  emit(std::make_shared<DeclBuffer>(Held, std::vector<ExprRef>(), Loc));
  return moveElements(Middle, From, Count, Loc) &&
         moveElements(To, Middle, Count, Loc);
}

/// A block that begins at a row must end in it.
bool Lifter::staysInRow(const MemoryBlock &B, const IntConst *Count) {
  const Access &A = B.At.A;
  if (B.Kind != MemoryBlock::Elements || A.Indices.empty())
    return true;
  const auto *Rows =
      dyn_cast_or_null<IntConst>(A.Buf->Extents[A.Indices.size()].get());
  return Count && Rows && Count->Value <= Rows->Value;
}

/// Value: what fills the block; null for zero bytes. From: null to fill.
bool Lifter::writeBlock(const MemoryBlock &To, const MemoryBlock *From,
                        const ExprRef &Value, ExprRef Count, bool MayOverlap,
                        const clang::CallExpr *E) {
  const SourceLoc Loc = locateStatement(E, AST);
  const auto *N = dyn_cast<IntConst>(Count.get());
  const auto IsObject = [](const MemoryBlock *B) {
    return B && B->Kind != MemoryBlock::Elements;
  };
  if (IsObject(&To) || IsObject(From)) {
    if (!N || N->Value != 1)
      return refuse(codes::UnknownCall,
                    "copies or fills more or less than one variable",
                    E->getSourceRange()),
             false;
    return writeObject(To, From, Value, Loc, E->getSourceRange());
  }
  for (const MemoryBlock *B : {&To, From})
    if (B && B->At.A.Buf && B->At.A.Buf->Reference && !(N && N->Value == 1))
      return refuse(codes::AddressTaken,
                    "an element beside what '" + B->At.A.Buf->Name +
                        "' refers to",
                    B->Range),
             false;
  for (const MemoryBlock *B : {&To, From})
    if (B && !staysInRow(*B, N))
      return refuse(codes::UnknownCall,
                    "copies or fills more than a row of an array", B->Range),
             false;
  if (!isFixed(Count))
    Count = spill(Count, "count");
  const std::vector<uint64_t> Shape =
      To.Inner.empty() && From ? From->Inner : To.Inner;
  if (From && !From->Inner.empty() && From->Inner != Shape)
    return refuse(codes::UnknownCall,
                  "copies between arrays whose rows differ in size",
                  E->getSourceRange()),
           false;
  if (MayOverlap && From) {
    if (!Shape.empty() && !areApart(*To.At.A.Buf, *From->At.A.Buf))
      return refuse(codes::UnknownCall, "moves rows of arrays that may overlap",
                    E->getSourceRange()),
             false;
    if (Shape.empty())
      return moveElements(To, *From, Count, Loc);
  }
  loopOver(Count, Shape, /*Forward=*/true, Loc, [&](ArrayRef<VarRef> I) {
    writeElement(To, blockElement(To, I, Shape), From,
                 From ? blockElement(*From, I, Shape) : Access(), Value, Loc);
  });
  return true;
}

/// A block that is one variable, or one structure.
bool Lifter::writeObject(const MemoryBlock &To, const MemoryBlock *From,
                         const ExprRef &Value, const SourceLoc &Loc,
                         SourceRange Range) {
  const auto PlaceOf = [&](const MemoryBlock &B) {
    Place P = B.At;
    if (B.Kind != MemoryBlock::Elements)
      return P;
    P.A.Indices = {B.Offset ? B.Offset : build::intConst(0, Type::getI64())};
    P.QualTy = B.Elem;
    if (std::optional<Type> Ty = scalarType(B.Elem, AST))
      P.Ty = *Ty;
    return P;
  };
  std::vector<Member> Members;
  const std::optional<Type> Ty = scalarType(To.Elem, AST);
  Members = Ty ? std::vector<Member>{{"", *Ty}} : *plainMembers(To.Elem, AST);
  const auto Part = [&](const MemoryBlock &B, size_t I) {
    Place P = PlaceOf(B);
    if (P.Kind == Place::Record) {
      P.Kind = Place::Scalar;
      P.V = P.Parts[I];
    }
    P.A.Field = Members[I].Path;
    P.Ty = Members[I].Ty;
    P.QualTy = B.Elem;
    return P;
  };
  for (size_t I = 0; I < Members.size(); ++I) {
    ExprRef V = Value ? Value : zeroOf(Members[I].Ty);
    if (From) {
      Place Read = Part(*From, I);
      if (Ty)
        Read.Ty = *scalarType(From->Elem, AST);
      V = load(Read, Range);
    }
    if (!V || !write(Part(To, I), Combiner::None, build::cast(V, Members[I].Ty),
                     Loc, Range))
      return false;
  }
  return true;
}

bool Lifter::checkElements(const MemoryBlock &To, const MemoryBlock *From,
                           bool ByBytes, SourceRange At) {
  if (From && !AST.hasSameType(To.Elem, From->Elem) &&
      (ByBytes || To.Elem->isRecordType() || From->Elem->isRecordType()))
    return refuse(codes::UnknownCall,
                  "copies bytes of '" + spellingOf(From->Elem, AST) +
                      "' into '" + spellingOf(To.Elem, AST) + "'",
                  At),
           false;
  if (const std::optional<Type> Ty = scalarType(To.Elem, AST);
      Ty ? !Ty->isVoid() : plainMembers(To.Elem, AST).has_value())
    return true;
  return refuse(codes::UnknownCall,
                "copies or fills elements of type '" +
                    spellingOf(To.Elem, AST) + "', which is more than scalars",
                At),
         false;
}

ExprRef Lifter::foldCall(const FunctionDecl *FD, const clang::CallExpr *E) {
  const bool Sums = FD->getIdentifier() && FD->isInStdNamespace() &&
                    FD->getName() == "accumulate" && E->getNumArgs() == 3;
  const bool Multiplies = FD->getIdentifier() && FD->isInStdNamespace() &&
                          FD->getName() == "inner_product" &&
                          E->getNumArgs() == 4;
  if (!Settings.Alone || (!Sums && !Multiplies))
    return nullptr;
  const std::optional<Type> Ty = scalarType(E->getType(), AST);
  MemoryBlock A, B;
  if (!memoryBlock(E->getArg(0), A))
    return nullptr;
  ExprRef Count = blockLength(A, E->getArg(1));
  if (!Count || (Multiplies && !memoryBlock(E->getArg(2), B)))
    return nullptr;
  const ExprRef Start = value(E->getArg(Multiplies ? 3 : 2));
  if (!Start)
    return nullptr;
  const auto ElementType = [&](const MemoryBlock &Of) {
    const std::optional<Type> T = scalarType(Of.Elem, AST);
    return Of.Kind == MemoryBlock::Elements && Of.Inner.empty() && T &&
                   T->isFloat()
               ? T
               : std::nullopt;
  };
  const std::optional<Type> AT = ElementType(A),
                            BT = Multiplies ? ElementType(B) : AT;
  if (!Ty || !Ty->isFloat() || !AT || !BT)
    return refuse(codes::UnknownCall,
                  "calls " + FD->getQualifiedNameAsString() +
                      " on what are no floating values",
                  E->getSourceRange());
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  if (!isFixed(Count))
    Count = spill(Count, "count");
  const VarRef V = fresh(Multiplies ? "product" : "sum", *Ty, Loc);
  Changing.insert(V.get());
  emit(std::make_shared<Decl>(V, build::cast(Start, *Ty), Loc));
  loopOver(wide(Count), {}, /*Forward=*/true, Loc, [&](ArrayRef<VarRef> I) {
    ExprRef Each = std::make_shared<Load>(blockElement(A, I, {}), *AT, Loc);
    if (Multiplies) {
      const Type &Wider = AT->Bits < BT->Bits ? *BT : *AT;
      Each = build::mul(
          build::cast(Each, Wider),
          build::cast(std::make_shared<Load>(blockElement(B, I, {}), *BT, Loc),
                      Wider));
    }
    if (Each->Ty.Bits < Ty->Bits)
      Each = build::cast(Each, *Ty);
    emit(std::make_shared<Assign>(V, Combiner::Add, Each, Loc));
  });
  return std::make_shared<VarUse>(V, Loc);
}

int Lifter::blockCall(const FunctionDecl *FD, const clang::CallExpr *E) {
  const BlockOp Op = blockOp(FD, E, AST);
  if (!Settings.Alone || Op == BlockOp::None)
    return 0;
  const bool Fills =
      Op == BlockOp::Memset || Op == BlockOp::Fill || Op == BlockOp::FillN;
  const bool ByBytes =
      Op == BlockOp::Memcpy || Op == BlockOp::Memmove || Op == BlockOp::Memset;
  const bool HasEnd = Op == BlockOp::Copy || Op == BlockOp::Fill;
  // The arguments: to, from, size; from, end, to; to, end, value; …
  const unsigned ToArg = ByBytes || Fills ? 0 : 2, FromArg = ByBytes ? 1 : 0;
  MemoryBlock To, From;
  ExprRef Value, Count;
  if ((!Fills && !ByBytes && !memoryBlock(E->getArg(FromArg), From)) ||
      (ToArg == 0 && !memoryBlock(E->getArg(0), To)) ||
      (!Fills && ByBytes && !memoryBlock(E->getArg(FromArg), From)))
    return -1;
  if (HasEnd)
    Count = blockLength(Fills ? To : From, E->getArg(1));
  else if (!ByBytes)
    Count = value(E->getArg(1));
  if (!ByBytes && (!Count || (ToArg == 2 && !memoryBlock(E->getArg(2), To))))
    return -1;
  if (!checkElements(To, Fills ? nullptr : &From, ByBytes, E->getSourceRange()))
    return -1;
  if (ByBytes)
    Count = blockCount(E->getArg(2), To, Fills ? nullptr : &From);
  if (!Count)
    return -1;
  if (Count->Ty != Type::getI32())
    Count = wide(Count);
  if (Op == BlockOp::Memset) {
    const ExprRef Byte = value(E->getArg(1));
    const auto *C = dyn_cast_or_null<IntConst>(Byte.get());
    if (!C || C->Value != 0)
      return failed() ? -1
                      : (refuse(codes::UnknownCall,
                                "fills memory with bytes other than zeros",
                                E->getArg(1)->getSourceRange()),
                         -1);
  } else if (Fills) {
    Value = value(E->getArg(2));
    if (!Value)
      return -1;
    if (!isConstant(Value))
      Value = spill(Value, "value");
  }
  return writeBlock(To, Fills ? nullptr : &From, Value, Count,
                    Op == BlockOp::Memmove, E)
             ? 1
             : -1;
}

} // namespace raise::lifting
