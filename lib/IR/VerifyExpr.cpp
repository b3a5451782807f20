//===- VerifyExpr.cpp - invariants of expressions -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IRInternal.h"
#include "VerifierInternal.h"
#include <cmath>

using namespace llvm;

namespace raise::detail {

void Verifier::typed(const ExprRef &E, const Type &Ty, const Twine &What) {
  if (!E)
    return report(What + " is missing");
  expr(E);
  if (E->Ty != Ty)
    report(What + " has type " + E->Ty.name() + ", not " + Ty.name());
}

void Verifier::integer(const ExprRef &E, const Twine &What) {
  if (!E)
    return report(What + " is missing");
  expr(E);
  if (!E->Ty.isInt())
    report(What + " has type " + E->Ty.name() + ", no integer");
}

void Verifier::use(const Var &V, const SourceLoc &Loc) {
  if (V.Kind != VarKind::External && !Visible.contains(&V))
    report("variable '" + V.Name + "' is not in scope",
           Loc.isValid() ? Loc : At);
}

void Verifier::use(const Buffer &B) {
  if (B.Kind != BufferKind::Global && B.Kind != BufferKind::Pointer &&
      !Visible.contains(&B))
    report("buffer '" + B.Name + "' is not in scope");
}

void Verifier::access(const Access &A) {
  if (!A.Buf)
    return report("an access has no buffer");
  use(*A.Buf);
  if (A.isView() && A.Buf->rank() != 1)
    report("a view of '" + A.Buf->Name + "', which has " +
           Twine(A.Buf->rank()) + " dimensions");
  const size_t Wanted = A.isView() ? A.Extents.size() + 1 : A.Buf->rank();
  if (A.Indices.size() != Wanted)
    report("'" + A.Buf->Name + "' is accessed with " + Twine(A.Indices.size()) +
           " indices, not " + Twine(Wanted));
  for (const ExprRef &E : A.Extents)
    integer(E, "an extent of a view of '" + A.Buf->Name + "'");
  for (const ExprRef &E : A.Indices)
    integer(E, "an index of '" + A.Buf->Name + "'");
  if (A.Field.empty() && A.Buf->Elem.isVoid())
    report("'" + A.Buf->Name + "' holds no scalars: a field is missing");
}

void Verifier::load(const Load &L) {
  access(L.From);
  if (!L.From.Buf)
    return;
  if (L.From.Field.empty() && !L.From.Buf->Elem.isVoid() &&
      L.Ty != L.From.Buf->Elem)
    report("a load of type " + L.Ty.name() + " from '" + L.From.Buf->Name +
           "' of " + L.From.Buf->Elem.name());
  if (L.Ty.isVoid())
    report("a load of type void from '" + L.From.Buf->Name + "'");
}

void Verifier::intConst(const IntConst &C) {
  if (!C.Ty.isIntegral())
    report("an integer constant of type " + C.Ty.name());
  else if (wrapToType(C.Value, C.Ty) != C.Value)
    report("constant " + Twine(C.Value) + " is not extended from " +
           C.Ty.name());
}

void Verifier::floatConst(const FloatConst &C) {
  if (!C.Ty.isFloat())
    return report("a floating constant of type " + C.Ty.name());
  if (!std::isnan(C.Value) && roundToType(C.Value, C.Ty) != C.Value)
    report("a constant is not rounded to " + C.Ty.name());
}

void Verifier::call(const Call &C) {
  if (C.Args.size() != C.Fn->Params.size())
    return report("'" + C.Fn->Name + "' is called with " +
                  Twine(C.Args.size()) + " arguments, not " +
                  Twine(C.Fn->Params.size()));
  for (size_t I = 0; I < C.Args.size(); ++I)
    typed(C.Args[I], C.Fn->Params[I],
          "argument " + Twine(I + 1) + " of '" + C.Fn->Name + "'");
  if (C.Ty != C.Fn->Result)
    report("a call of '" + C.Fn->Name + "' has type " + C.Ty.name());
}

void Verifier::expr(const ExprRef &E) {
  if (!E)
    return report("an operand is missing");
  const Expr *P = E.get();
  std::string Problem;
  switch (E->Kind) {
  case ExprKind::IntConst:
    return intConst(*cast<IntConst>(P));
  case ExprKind::FloatConst:
    return floatConst(*cast<FloatConst>(P));
  case ExprKind::VarUse:
    return use(*cast<VarUse>(P)->V, E->Loc);
  case ExprKind::Load:
    return load(*cast<Load>(P));
  case ExprKind::Unary: {
    const auto *U = cast<Unary>(P);
    expr(U->Operand);
    Problem = U->Operand ? unaryProblem(U->Op, U->Operand->Ty) : "";
    if (Problem.empty() && U->Operand && U->Ty != U->Operand->Ty)
      Problem = "the result of '" + spelling(U->Op).str() + "' has type " +
                U->Ty.name();
    break;
  }
  case ExprKind::Binary: {
    const auto *B = cast<Binary>(P);
    expr(B->L);
    expr(B->R);
    if (!B->L || !B->R)
      return;
    Problem = binaryProblem(B->Op, B->L->Ty, B->R->Ty);
    if (Problem.empty() && B->Ty != resultType(B->Op, B->L->Ty))
      Problem = "the result of '" + spelling(B->Op).str() + "' has type " +
                B->Ty.name();
    break;
  }
  case ExprKind::Select: {
    const auto *S = cast<Select>(P);
    typed(S->Cond, Type::getBool(), "the condition of '?:'");
    expr(S->True);
    expr(S->False);
    if (S->True && S->False && S->True->Ty != S->False->Ty)
      Problem = "the alternatives of '?:' have types " + S->True->Ty.name() +
                " and " + S->False->Ty.name();
    break;
  }
  case ExprKind::Cast: {
    const auto *C = cast<Cast>(P);
    expr(C->Operand);
    if (E->Ty.isVoid() || (C->Operand && C->Operand->Ty.isVoid()))
      Problem = "a cast from or to void";
    break;
  }
  case ExprKind::Call:
    return call(*cast<Call>(P));
  case ExprKind::NonNull:
    use(*cast<NonNull>(P)->Buf);
    if (cast<NonNull>(P)->Buf->Kind != BufferKind::Param &&
        cast<NonNull>(P)->Buf->Kind != BufferKind::Pointer)
      Problem = "nonnull of an array";
    break;
  }
  if (!Problem.empty())
    report(Problem, E->Loc.isValid() ? E->Loc : At);
}

} // namespace raise::detail
