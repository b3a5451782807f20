//===- Shape.cpp - what a function's inputs look like
//------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Shape.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <algorithm>

namespace raise {
namespace {

class Looker : public Visitor {
public:
  Looker(InputShape &S, const Function &F,
         const llvm::StringMap<StructLayout> &L)
      : S(S), Layouts(L) {
    // In a loop that was made a function, what was global is a parameter.
    for (const Param &P : F.Params)
      Supplied.insert(P.Buf ? static_cast<const void *>(P.Buf.get())
                            : P.Scalar.get());
  }

  bool visitExpr(const ExprRef &E) override {
    if (isRank(*E))
      return false;
    if (auto *N = llvm::dyn_cast<NonNull>(E.get()))
      S.TestedForNull.insert(N->Buf->Name);
    if (auto *U = llvm::dyn_cast<VarUse>(E.get()))
      var(*U->V);
    if (auto *L = llvm::dyn_cast<Load>(E.get()))
      access(L->From);
    return true;
  }
  bool visitStmt(const StmtRef &St) override {
    if (auto *Str = llvm::dyn_cast<Store>(St.get()))
      access(Str->To);
    return true;
  }
  void declared(const Buffer &B) {
    if (B.Kind != BufferKind::Shared)
      return;
    for (const ExprRef &E : B.Extents)
      if (auto *C = llvm::dyn_cast_or_null<IntConst>(E.get()))
        if (C->Value > 0 && C->Value <= 1024)
          S.SharedSizes.push_back(C->Value);
  }

private:
  InputShape &S;
  static bool isNamed(const Expr &E, llvm::StringRef Name) {
    auto *U = llvm::dyn_cast<VarUse>(&E);
    return U && U->V->Name == Name;
  }
  /// `(z * ny + y) * nx + x`: where a thread stands in its block, whose other
  /// dimensions are then not looked at for their own sake.
  static bool isRank(const Expr &E) {
    const auto Parts = [](const Expr &Sum, const Expr *&L, const Expr *&R) {
      auto *Add = llvm::dyn_cast<Binary>(&Sum);
      auto *Mul = Add && Add->Op == BinaryOp::Add
                      ? llvm::dyn_cast<Binary>(Add->L.get())
                      : nullptr;
      L = Mul && Mul->Op == BinaryOp::Mul ? Mul->L.get() : nullptr;
      R = Add ? Add->R.get() : nullptr;
      return L && R;
    };
    const Expr *Rows, *X, *Z, *Y;
    return Parts(E, Rows, X) && isNamed(*X, "threadIdx.x") &&
           Parts(*Rows, Z, Y) && isNamed(*Y, "threadIdx.y") &&
           isNamed(*Z, "threadIdx.z");
  }
  const llvm::StringMap<StructLayout> &Layouts;
  llvm::SmallPtrSet<const void *, 8> Supplied;

  void problem(std::string Text) {
    if (S.Problem.empty())
      S.Problem = std::move(Text);
  }
  void var(const Var &V) {
    if (V.Kind == VarKind::External && !Supplied.contains(&V))
      problem(llvm::StringRef(V.Name).contains("()")
                  ? "reads '" + V.Name + "', which is no argument of its own"
                  : "reads the global variable '" + V.Name + "'");
    llvm::StringRef Name = V.Name;
    S.UsesBlockY |= Name == "threadIdx.y";
    S.UsesBlockZ |= Name == "threadIdx.z";
    S.UsesGridY |= Name == "blockIdx.y";
    S.UsesGridZ |= Name == "blockIdx.z";
  }
  void access(const Access &A) {
    const bool Given = Supplied.contains(A.Buf.get());
    if (A.Buf->Kind == BufferKind::Global && !Given)
      problem("uses the global array '" + A.Buf->Name + "'");
    if (A.Buf->Kind == BufferKind::Pointer && !Given)
      problem("uses '" + A.Buf->Name + "', which may point anywhere");
    if ((!A.Field.empty() || A.Buf->Elem.isVoid()) && Given &&
        !Layouts.count(A.Buf->Name))
      problem("elements of '" + A.Buf->Name +
              "' are structures whose layout is not known");
  }
};

bool isHalf(const Type &T) { return T.isFloat() && T.Bits == 16; }

/// The launch's own loops name every dimension; what counts is the thread.
StmtRef threadBody(const Function &F) {
  StmtRef S = F.Body;
  while (S) {
    // Shared arrays stand before the loops over a block's threads.
    if (auto *B = llvm::dyn_cast<Block>(S.get());
        B && !B->Body.empty() &&
        llvm::all_of(llvm::ArrayRef(B->Body).drop_back(), [](const auto &Sub) {
          auto *D = llvm::dyn_cast<DeclBuffer>(Sub.get());
          return D && D->B->Kind == BufferKind::Shared;
        }))
      S = B->Body.back();
    else if (auto *L = llvm::dyn_cast<For>(S.get());
             L && isThreadLoop(L->LKind))
      S = L->Body;
    else
      break;
  }
  return S;
}

bool rounds(Combiner Op, const Type &Ty) {
  return Ty.isFloat() && (Op == Combiner::Add || Op == Combiner::Sub ||
                          Op == Combiner::Mul || Op == Combiner::Div);
}

class RoundingFinder : public Visitor {
public:
  bool Found = false;
  bool AtomicsOnly;
  explicit RoundingFinder(bool AtomicsOnly) : AtomicsOnly(AtomicsOnly) {}
  bool visitStmt(const StmtRef &S) override {
    if (auto *R = llvm::dyn_cast<Region>(S.get()))
      Found |= !AtomicsOnly && R->Rests.Regrouped;
    if (auto *T = llvm::dyn_cast<TensorOp>(S.get()))
      for (const Iterator &I : T->Iterators)
        Inside |= I.Kind == IterKind::Reduction || I.Kind == IterKind::Scan;
    if (auto *F = llvm::dyn_cast<For>(S.get()))
      Inside |= F->LKind == LoopKind::Parallel || F->LKind == LoopKind::Simd ||
                F->LKind == LoopKind::Claimed;
    if (auto *A = llvm::dyn_cast<Assign>(S.get()))
      Found |= !AtomicsOnly && Inside && rounds(A->Op, A->V->Ty);
    if (auto *St = llvm::dyn_cast<Store>(S.get()))
      Found |= (St->Atomic || (!AtomicsOnly && Inside)) &&
               rounds(St->Op, St->Value->Ty);
    return true;
  }

private:
  /// Once inside a reduction, what follows counts as inside: a sum may be
  /// reassociated where it only seems that it cannot.
  bool Inside = false;
};

} // namespace

const Buffer *arrayInEach(const Function &F, const Buffer &Of,
                          llvm::StringRef Field) {
  for (const Param &P : F.Params)
    if (P.Buf && P.Buf->EachElement && P.Buf->Owner->Name == Of.Name &&
        P.Buf->OwnerField == Field)
      return P.Buf.get();
  return nullptr;
}

/// Whether the array B, which lies in each element of another buffer, is one of
/// the layout of that.
static bool isLaidOut(const Buffer &B, const llvm::StringMap<StructLayout> &L) {
  const auto It = L.find(B.Owner->Name);
  if (It == L.end() || B.Owner->rank() != 1 || B.Owner->EachElement)
    return false;
  uint64_t Count = 1;
  for (const ExprRef &E : llvm::ArrayRef(B.Extents).drop_front()) {
    const auto *C = llvm::dyn_cast_or_null<IntConst>(E.get());
    Count *= C ? uint64_t(C->Value) : 0;
  }
  return llvm::any_of(It->second.Fields, [&](const StructLayout::Field &F) {
    return F.Path == B.OwnerField && F.Ty == B.Elem && F.Count == Count &&
           Count;
  });
}

InputShape shapeOf(const Function &F, const llvm::StringMap<StructLayout> &L) {
  InputShape S;
  S.Problem = F.MissingSignature;
  for (const Param &P : F.Params) {
    if (P.Buf) {
      S.Buffers.push_back(P.Buf);
      if (P.Buf->EachElement && !isLaidOut(*P.Buf, L))
        S.Problem =
            "parameter '" + wholeOf(*P.Buf).Name +
            "' leads to structures that a test cannot make: it makes those of "
            "scalars and of arrays of scalars";
      if (isHalf(P.Buf->Elem))
        S.Problem = "'" + P.Buf->Name + "' has 16-bit floating elements";
    } else if (P.Scalar->Ty.isFloat()) {
      S.Floats.push_back(P.Scalar);
      if (isHalf(P.Scalar->Ty))
        S.Problem = "'" + P.Scalar->Name + "' is a 16-bit floating value";
    } else {
      S.Ints.push_back(P.Scalar);
    }
  }
  Looker Look(S, F, L);
  forEachStmt(F.Body, [&](const StmtRef &St) {
    if (auto *D = llvm::dyn_cast<DeclBuffer>(St.get()))
      Look.declared(*D->B);
  });
  if (StmtRef Body = threadBody(F))
    Look.walk(Body);
  std::sort(S.SharedSizes.begin(), S.SharedSizes.end());
  S.SharedSizes.erase(std::unique(S.SharedSizes.begin(), S.SharedSizes.end()),
                      S.SharedSizes.end());
  return S;
}

std::array<unsigned, 3> blockAskedFor(const Function *Raised) {
  std::array<unsigned, 3> Asked{};
  auto *R = Raised ? llvm::dyn_cast<Region>(Raised->Body.get()) : nullptr;
  if (!R)
    return Asked;
  static const char *const Names[] = {"blockDim.x", "blockDim.y", "blockDim.z"};
  for (const Guard &G : R->Rests.Guards) {
    auto *B = llvm::dyn_cast_or_null<Binary>(G.Cond.get());
    if (!B || B->Op != BinaryOp::EQ)
      continue;
    auto *U = llvm::dyn_cast<VarUse>(B->L.get());
    auto *C = llvm::dyn_cast<IntConst>(B->R.get());
    for (unsigned D = 0; U && C && D != 3; ++D)
      if (U->V->Name == Names[D] && C->Value > 0 && C->Value <= 1024)
        Asked[D] = unsigned(C->Value);
  }
  return Asked;
}

bool hasRoundingReduction(const Function &Original, const Function *Raised) {
  RoundingFinder InOriginal(true), InRaised(false);
  InOriginal.walk(Original.Body);
  if (Raised)
    InRaised.walk(Raised->Body);
  return InOriginal.Found || InRaised.Found;
}

} // namespace raise
