//===- Captures.cpp - what a parallel loop takes from around it -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace raise {

namespace {

/// Declared as a pointer, or as an array parameter, which is one.
bool isPointerParameter(const Buffer &B) {
  const StringRef Type = B.TypeSpelling;
  if (B.Kind != BufferKind::Param || B.Reference || Type.contains('&') ||
      Type.contains('<') || (!Type.contains('*') && !Type.contains('[')))
    return false;
  // Pointers to arrays of variable size have no plain copy.
  return all_of(drop_begin(B.Extents),
                [](const ExprRef &E) { return E && isa<IntConst>(*E); });
}

class Finder : public Visitor {
public:
  explicit Finder(ArrayRef<Accumulator> Kept) : Kept(Kept) {}
  std::vector<BufferRef> Buffers; // each once
  std::vector<VarRef> Vars;

  bool visitExpr(const ExprRef &E) override {
    if (auto *L = dyn_cast<Load>(E.get()))
      addBuffer(L->From.Buf);
    else if (auto *U = dyn_cast<VarUse>(E.get()))
      addOnce(Vars, U->V);
    return true;
  }
  bool visitStmt(const StmtRef &S) override {
    auto *St = dyn_cast<Store>(S.get());
    if (St &&
        any_of(Kept, [&](const Accumulator &A) { return A.Element == St; })) {
      walk(St->Value);
      return false;
    }
    if (St)
      addBuffer(St->To.Buf);
    return true;
  }

private:
  ArrayRef<Accumulator> Kept;
  /// B, and what is named where it is an array in each element of that.
  void addBuffer(BufferRef B) {
    addOnce(Buffers, B);
    while (B->EachElement)
      addOnce(Buffers, B = B->Owner);
  }
  template <typename T> static void addOnce(std::vector<T> &To, const T &X) {
    if (!is_contained(To, X))
      To.push_back(X);
  }
};

/// Whether a reduction hands each thread elements of its own by B's name.
bool isOwnRow(const Buffer &B, ArrayRef<Accumulator> Kept) {
  return any_of(Kept,
                [&](const Accumulator &A) { return A.Array.get() == &B; });
}

/// The scalars that S declares.
void addDeclared(const StmtRef &S, SmallPtrSetImpl<const Var *> &Into) {
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *D = dyn_cast<Decl>(Sub.get()))
      Into.insert(D->V.get());
    else if (auto *L = dyn_cast<For>(Sub.get()); L && L->DeclaresVar)
      Into.insert(L->V.get());
    else if (auto *T = dyn_cast<TensorOp>(Sub.get()))
      for (const Iterator &I : T->Iterators)
        Into.insert(I.V.get());
  });
}

} // namespace

std::vector<VarRef> reloadedScalars(const TensorOp &T,
                                    ArrayRef<Accumulator> Kept) {
  const StmtRef Whole = std::make_shared<TensorOp>(T);
  Finder Used(Kept);
  Used.walk(Whole);
  SmallPtrSet<const Var *, 16> Own;
  addDeclared(Whole, Own);
  assignedVars(Whole, [&](const VarRef &V) { Own.insert(V.get()); });
  std::vector<Type> Stored;
  unsigned Loops = T.Iterators.size();
  forEachStmt(T.Body, [&](const StmtRef &S) {
    Loops += isa<For>(*S) || isa<While>(*S) || isa<TensorOp>(*S);
    if (auto *St = dyn_cast<Store>(S.get()))
      Stored.push_back(St->To.Buf->Elem);
  });
  std::vector<VarRef> Found;
  for (const VarRef &V : Used.Vars)
    if ((Loops > 1 || Stored.size() > 1) && V->Ty.isFloat() &&
        is_contained(Stored, V->Ty) &&
        (V->Kind == VarKind::Param || V->Kind == VarKind::Local) &&
        !Own.contains(V.get()))
      Found.push_back(V);
  return Found;
}

std::vector<BufferRef> usedPointers(const TensorOp &T, const Function &F,
                                    ArrayRef<Accumulator> Kept) {
  Finder Used(Kept);
  Used.walk(StmtRef(std::make_shared<TensorOp>(T)));
  std::vector<BufferRef> Found;
  for (const Param &P : F.Params)
    if (!P.Implied && P.Buf && is_contained(Used.Buffers, P.Buf) &&
        isPointerParameter(*P.Buf) && !isOwnRow(*P.Buf, Kept))
      Found.push_back(P.Buf);
  return Found;
}

Captures capturedValues(const TensorOp &T, const Function &F,
                        const StmtRef &Region, ArrayRef<Accumulator> Kept) {
  const StmtRef Whole = std::make_shared<TensorOp>(T);
  Finder Used(Kept);
  Used.walk(Whole);
  SmallPtrSet<const Var *, 16> Declared, Own;
  addDeclared(Whole, Own);
  assignedVars(Whole, [&](const VarRef &V) { Own.insert(V.get()); });
  addDeclared(F.Body, Declared);
  addDeclared(Region, Declared);
  Captures Found;
  for (const Param &P : F.Params) {
    if (P.Implied) // a clause lists variables, no members of one
      continue;
    if (P.Scalar)
      Declared.insert(P.Scalar.get());
    else if (is_contained(Used.Buffers, P.Buf) && isPointerParameter(*P.Buf) &&
             !isOwnRow(*P.Buf, Kept))
      Found.Pointers.push_back(P.Buf);
  }
  for (const VarRef &V : Used.Vars)
    if (V->Kind != VarKind::Cursor && Declared.contains(V.get()) &&
        !Own.contains(V.get()))
      Found.Scalars.push_back(V);
  return Found;
}

} // namespace raise
