//===- OwnMemory.cpp - what memory of the function's own is made of -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `extern __shared__ char raw[];` is memory, and what its pointers are
// converted to says of what: then it is an array of that. An array of
// structures of nothing but floats is one of floats, where some of the code
// sees it so. (Of parameters this cannot be said: their types are those of the
// callers.)
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include <algorithm>

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// The variable whose memory the pointer, or the element, E leads to; null if
/// its text does not say.
static const VarDecl *ownerOf(const clang::Expr *E) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      E = A->getBase();
    } else if (const auto *U = dyn_cast<clang::UnaryOperator>(E)) {
      if (U->getOpcode() != UO_AddrOf && U->getOpcode() != UO_Deref)
        return nullptr;
      E = U->getSubExpr();
    } else if (const auto *B = dyn_cast<clang::BinaryOperator>(E)) {
      if (!B->isAdditiveOp())
        return nullptr;
      E = B->getLHS()->getType()->isIntegerType() ? B->getRHS() : B->getLHS();
    } else {
      const auto *D = dyn_cast<DeclRefExpr>(E);
      return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    }
  }
}

/// The one sort of scalars that Views make of D's memory; none if they make
/// none, or several.
static std::optional<Type> seenAs(const VarDecl *D,
                                  ArrayRef<const CastExpr *> Views,
                                  const ASTContext &AST) {
  std::optional<Type> Seen;
  for (const CastExpr *C : Views) {
    if (ownerOf(C->getSubExpr()) != D)
      continue;
    QualType To = C->getType();
    To = To->isPointerType() ? To->getPointeeType() : To.getNonReferenceType();
    if (To->isVoidType() || isByte(To))
      continue;
    const std::optional<Type> Ty = soleScalar(To, AST);
    if (!Ty || (Seen && *Seen != *Ty))
      return std::nullopt;
    Seen = Ty;
  }
  return Seen;
}

/// B is the memory of D, an array of Elem: makes it one of scalars, if that is
/// how it is seen.
void Lifter::makeFlat(const VarDecl *D, QualType Elem, Buffer &B) {
  const bool AnySize = !B.Extents.empty() && !B.Extents.front();
  if (AnySize && B.Elem.isVoid())
    B.ElemBytes = uint64_t(AST.getTypeSizeInChars(Elem).getQuantity());
  if (B.rank() != 1 || B.Reference || Elem.isVolatileQualified())
    return;
  const std::optional<Type> Seen = seenAs(D, Facts.Views, AST);
  const bool Bytes = isByte(Elem);
  if (!Seen || Seen->isVoid() ||
      (!Bytes && (!Elem->isRecordType() || soleScalar(Elem, AST) != Seen)))
    return;
  const uint64_t Size = Seen->sizeInBytes();
  const uint64_t Each = uint64_t(AST.getTypeSizeInChars(Elem).getQuantity());
  if (!AnySize) {
    const auto *N = dyn_cast<IntConst>(B.Extents.front().get());
    if (!N || Size == 0 || uint64_t(N->Value) * Each % Size != 0)
      return;
    B.Extents.front() = build::intConst(
        int64_t(uint64_t(N->Value) * Each / Size), Type::getI64());
  }
  B.Elem = *Seen;
  if (Bytes)
    Raw.insert(&B);
}

/// Whether T is what B was declared as an array of, and B is seen otherwise.
bool Lifter::isRaw(QualType T, const Buffer &B) const {
  return Raw.contains(&B) && isByte(T);
}

namespace {

using Wide = __int128;
using Interval = std::pair<Wide, Wide>;

Interval allOf(const Type &T) {
  const Wide One = 1;
  if (!T.isInt())
    return {0, 1};
  return T.Signed ? Interval{-(One << (T.Bits - 1)), (One << (T.Bits - 1)) - 1}
                  : Interval{0, (One << T.Bits) - 1};
}

bool isWithin(const Interval &In, const Interval &Of) {
  return In.first >= Of.first && In.second <= Of.second;
}

/// Numbers of bytes, divided by Size.
class Quotient {
public:
  Quotient(int64_t Size, ArrayRef<VarRef> Threads, const Substitution &Kept)
      : Size(Size), Threads(Threads), Kept(Kept) {}

  /// Null if E may leave a rest, or if what was multiplied, or converted, may
  /// have wrapped. (What wraps in 64 bits is as far as it would be without.)
  ExprRef of(const ExprRef &E) const {
    if (const auto *C = dyn_cast<IntConst>(E.get()))
      return C->Value % Size ? nullptr
                             : build::intConst(C->Value / Size, Type::getI64());
    if (const ExprRef Is = kept(E))
      return of(Is);
    if (const auto *C = dyn_cast<Cast>(E.get())) {
      const Type &From = C->Operand->Ty;
      const bool Same = C->Ty.isInt() && From.isInt() &&
                        (isWithin(rangeOf(C->Operand), allOf(C->Ty)) ||
                         (C->Ty.Bits == 64 && From.Bits == 64) ||
                         (C->Ty.Bits == 64 && From.Signed));
      return Same ? of(C->Operand) : nullptr;
    }
    const auto *B = dyn_cast<Binary>(E.get());
    if (!B || !E->Ty.isInt() ||
        (E->Ty.Bits != 64 && !E->Ty.Signed && !staysInType(*B)))
      return nullptr;
    if (B->Op == BinaryOp::Mul) {
      for (const bool Right : {true, false})
        if (const auto N = number(Right ? B->R : B->L); N && *N % Size == 0)
          return build::mul(wide(Right ? B->L : B->R),
                            build::intConst(*N / Size, Type::getI64()));
      return nullptr;
    }
    if (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub)
      return nullptr;
    const ExprRef L = of(B->L), R = of(B->R);
    return L && R ? B->Op == BinaryOp::Add ? build::add(L, R) : build::sub(L, R)
                  : nullptr;
  }

private:
  const int64_t Size;
  const ArrayRef<VarRef> Threads; ///< threadIdx.x, .y, .z
  const Substitution &Kept;       ///< what variables always hold

  /// E in 64 bits, in which `(size_t)n` is as far as n.
  static ExprRef wide(ExprRef E) {
    while (const auto *C = dyn_cast<Cast>(E.get())) {
      const Type &From = C->Operand->Ty;
      if (C->Ty.Bits != 64 || !From.isInt() ||
          (From.Bits != 64 && !From.Signed))
        break;
      E = C->Operand;
    }
    return build::cast(E, Type::getI64());
  }

  ExprRef kept(const ExprRef &E) const {
    const auto *U = dyn_cast<VarUse>(E.get());
    return U ? Kept.lookup(U->V.get()) : nullptr;
  }

  std::optional<int64_t> number(ExprRef E) const {
    while (const auto *C = dyn_cast<Cast>(E.get())) {
      if (!isWithin(rangeOf(C->Operand), allOf(C->Ty)))
        return std::nullopt;
      E = C->Operand;
    }
    const auto *N = dyn_cast<IntConst>(E.get());
    return N ? std::optional(N->Value) : std::nullopt;
  }

  /// The values that E may have.
  Interval rangeOf(const ExprRef &E) const {
    constexpr int MostThreads = 1024; // that CUDA allows in a block
    const Interval All = allOf(E->Ty);
    const auto Known = [&](const Interval &In) {
      return isWithin(In, All) ? In : All;
    };
    if (const auto *C = dyn_cast<IntConst>(E.get()))
      return Known({C->Value, C->Value});
    if (const ExprRef Is = kept(E))
      return Known(rangeOf(Is));
    if (const auto *U = dyn_cast<VarUse>(E.get())) {
      if (is_contained(Threads, U->V))
        return Known({0, MostThreads - 1});
      const bool IsBlock = U->V->Kind == VarKind::Launch &&
                           StringRef(U->V->Name).starts_with("blockDim");
      return IsBlock ? Known({1, MostThreads}) : All;
    }
    if (const auto *C = dyn_cast<Cast>(E.get()))
      return C->Operand->Ty.isInt() ? Known(rangeOf(C->Operand)) : All;
    const auto *B = dyn_cast<Binary>(E.get());
    const auto In = B ? valuesOf(*B) : std::nullopt;
    return In ? Known(*In) : All;
  }

  /// What B would be if nothing wrapped.
  std::optional<Interval> valuesOf(const Binary &B) const {
    if (!B.L->Ty.isInt() || !B.R->Ty.isInt())
      return std::nullopt;
    const auto [L0, L1] = rangeOf(B.L);
    const auto [R0, R1] = rangeOf(B.R);
    const Wide Most = Wide(1) << 62;
    if (B.Op == BinaryOp::Add)
      return Interval(L0 + R0, L1 + R1);
    if (B.Op == BinaryOp::Sub)
      return Interval(L0 - R1, L1 - R0);
    if (B.Op != BinaryOp::Mul || L0 < -Most || L1 > Most || R0 < -Most ||
        R1 > Most)
      return std::nullopt;
    const auto [Least, Largest] =
        std::minmax({L0 * R0, L0 * R1, L1 * R0, L1 * R1});
    return Interval(Least, Largest);
  }

  bool staysInType(const Binary &B) const {
    const auto In = valuesOf(B);
    return In && isWithin(*In, allOf(B.Ty));
  }
};

} // namespace

/// How many elements of B so many bytes are; null if that is not known.
ExprRef Lifter::elementsInBytes(const ExprRef &Bytes, const Buffer &B) const {
  return Quotient(int64_t(B.Elem.sizeInBytes()),
                  ArrayRef(Indices).drop_front(3), KeptValues)
      .of(Bytes);
}

/// V holds Init wherever it is named.
void Lifter::keepValue(const VarRef &V, const ExprRef &Init) {
  bool Kept =
      V->Ty.isInt() && Init && Init->Ty == V->Ty && !Changing.contains(V.get());
  if (Kept)
    forEachExpr(Init, [&](const ExprRef &E) {
      const auto *U = dyn_cast<VarUse>(E.get());
      Kept &= !isa<Load>(E.get()) && !isa<raise::Call>(E.get()) &&
              !(U && Changing.contains(U->V.get()));
    });
  if (Kept)
    KeptValues[V.get()] = Init;
}

std::nullptr_t Lifter::refuseBytes(const Buffer &B, SourceRange At) {
  return refuse(codes::PointerCast,
                "the bytes of '" + B.Name +
                    "' are used as they are, and as elements of type '" +
                    B.Elem.cName() + "'",
                At);
}

//===-- Arrays in the elements of others
//---------------------------------------------------------------===//

/// `p[i].a`, of type T, as an array of one more dimension. In a block's own
/// memory, which nothing else leads to, it is one of its own. Null where that
/// is not followed.
BufferRef Lifter::arrayInElements(const Access &A, QualType T) {
  const Buffer &In = *A.Buf;
  const bool IsOwn = In.Kind == BufferKind::Shared;
  if (IsLaunched || !Outermost || A.isView() || A.Indices.size() != In.rank() ||
      In.Volatile || (!IsOwn && wholeOf(In).Kind != BufferKind::Param))
    return nullptr;
  // Arrays of the first element have names already, which would seem apart.
  if (any_of(Members, [&](const auto &Named) {
        return Named.first.first == &In && Named.second &&
               Named.second->Home == PointerHome::Fixed;
      }))
    return nullptr;
  BufferRef &Known = InElements[{&In, A.Field}];
  if (Known)
    return Known;
  auto B = std::make_shared<Buffer>();
  B->Extents = In.Extents;
  QualType Elem = T;
  if (!arrayExtents(T, B->Extents, Elem, clang::SourceRange()) ||
      Elem.isVolatileQualified() || !elementType(Elem, B->Elem))
    return nullptr;
  B->Kind = In.Kind;
  B->Const = In.Const; // not what a reference to const says of it
  B->Fresh = In.Fresh;
  B->Apart = In.Apart;
  B->Owned = In.Owned;
  B->Loc = In.Loc;
  if (IsOwn) {
    if (!B->Extents.front())
      return nullptr; // how much there is, is told in bytes of the whole
    B->Name = In.Name + "_" + A.Field;
    std::replace(B->Name.begin(), B->Name.end(), '.', '_');
    SharedDecls.push_back(
        std::make_shared<DeclBuffer>(B, std::vector<ExprRef>(), B->Loc));
    return Known = B;
  }
  B->Name = In.Name + "[]." + A.Field;
  B->Owner = A.Buf;
  B->OwnerField = A.Field;
  B->EachElement = true;
  ObjectMembers.push_back({nullptr, B, /*Implied=*/true});
  return Known = B;
}

} // namespace raise::lifting
