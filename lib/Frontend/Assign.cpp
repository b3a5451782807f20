//===- Assign.cpp - writes ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

bool Lifter::write(const Place &To, Combiner Op, ExprRef Value,
                   const SourceLoc &Loc, SourceRange At) {
  if (To.QualTy.isVolatileQualified() ||
      (To.Kind == Place::Memory && To.A.Buf->Volatile))
    return refuse(codes::Volatile, "a volatile object is written", At), false;
  if (To.Kind == Place::Scalar) {
    if (isNamedMember(*To.V))
      return refuse(codes::ClassObject,
                    "'" + To.V->Name +
                        "', a member of a structure that is known by its "
                        "members' names, is changed",
                    At),
             false;
    // `v = v + N` where N is 0.
    const auto *Same = dyn_cast<VarUse>(Value.get());
    if (Op == Combiner::None && Same && Same->V == To.V &&
        isKernelInstance(*CallStack.front()))
      return true;
    emit(std::make_shared<Assign>(To.V, Op, std::move(Value), Loc));
    return true;
  }
  if (To.Kind == Place::Memory) {
    if (isElementOfSmall(To))
      Value = narrowed(Value, To.A.Buf->Elem);
    emit(std::make_shared<Store>(To.A, Op, std::move(Value), /*Atomic=*/false,
                                 Loc));
    return true;
  }
  return refuse(codes::Expression, "this assignment is not supported", At),
         false;
}

bool Lifter::assign(const clang::BinaryOperator *E, Place *Written) {
  const clang::Expr *Left = E->getLHS(), *Right = E->getRHS();
  const SourceLoc Loc = locateStatement(E, AST);
  if (Left->getType()->isPointerType()) {
    if (Written)
      return refuse(codes::PointerBase,
                    "the value of a pointer's assignment is used",
                    E->getSourceRange()),
             false;
    return assignPointer(E);
  }
  if (Left->getType()->isRecordType())
    return assignRecord(Left, Right, Loc, E->getSourceRange(), Written);
  // As C++17 has it, the right side first; C leaves it open.
  ExprRef Value = value(Right);
  if (!Value)
    return false;
  StmtList Later;
  StmtList *const Saved = Out;
  Out = &Later;
  Place To = place(Left);
  Out = Saved;
  if (!To.isSet())
    return false;
  appendAfter(Value, std::move(Later), "right");
  if (Written) {
    if (To.Kind == Place::Memory && !freeze(To))
      return false;
    *Written = To;
  }
  return write(To, Combiner::None, Value, Loc, E->getSourceRange());
}

static std::optional<Combiner> combinerOf(BinaryOperatorKind K) {
  switch (K) {
  case BO_AddAssign:
    return Combiner::Add;
  case BO_SubAssign:
    return Combiner::Sub;
  case BO_MulAssign:
    return Combiner::Mul;
  case BO_DivAssign:
    return Combiner::Div;
  case BO_RemAssign:
    return Combiner::Rem;
  case BO_AndAssign:
    return Combiner::And;
  case BO_OrAssign:
    return Combiner::Or;
  case BO_XorAssign:
    return Combiner::Xor;
  case BO_ShlAssign:
    return Combiner::Shl;
  case BO_ShrAssign:
    return Combiner::Shr;
  default:
    return std::nullopt;
  }
}

bool Lifter::compound(const CompoundAssignOperator *E, Place *Written) {
  const SourceLoc Loc = locateStatement(E, AST);
  if (E->getComputationResultType()->isFloatingType() && accessesEnvironment(E))
    return refuse(codes::FloatEnvironment,
                  "the floating-point environment is accessed here",
                  E->getSourceRange()),
           false;
  if (E->getType()->isPointerType()) {
    ExprRef By = value(E->getRHS());
    if (!By)
      return false;
    if (Written)
      return refuse(codes::PointerBase,
                    "the value of a pointer's assignment is used",
                    E->getSourceRange()),
             false;
    return movePointer(E->getLHS(), E->getOpcode() == BO_AddAssign, By, E);
  }
  std::optional<Combiner> Op = combinerOf(E->getOpcode());
  std::optional<Type> Compute = scalarType(E->getComputationLHSType(), AST);
  std::optional<Type> Result = scalarType(E->getComputationResultType(), AST);
  if (!Op || !Compute || !Result || *Compute != *Result)
    return refuse(codes::Expression, "this assignment is not supported",
                  E->getSourceRange()),
           false;
  ExprRef Value = value(E->getRHS());
  if (!Value)
    return false;
  StmtList Later;
  StmtList *const Saved = Out;
  Out = &Later;
  Place To = place(E->getLHS());
  Out = Saved;
  if (!To.isSet())
    return false;
  appendAfter(Value, std::move(Later), "right");
  if (To.Kind == Place::Memory &&
      (Written || *Op == Combiner::Shl || *Op == Combiner::Shr))
    if (!freeze(To))
      return false;
  if (Written)
    *Written = To;
  // A shift's count keeps its own type; it is not what is computed in.
  if ((*Op == Combiner::Shl || *Op == Combiner::Shr) && Value->Ty != *Compute) {
    ExprRef Old = load(To, E->getSourceRange());
    if (!Old)
      return false;
    ExprRef New = std::make_shared<Binary>(
        *Op == Combiner::Shl ? BinaryOp::Shl : BinaryOp::Shr,
        build::cast(Old, *Compute), Value, *Compute, Loc);
    return write(To, Combiner::None, build::cast(New, To.Ty), Loc,
                 E->getSourceRange());
  }
  if (Value->Ty != *Compute)
    return refuse(codes::Expression, "this assignment is not supported",
                  E->getSourceRange()),
           false;
  return write(To, *Op, Value, Loc, E->getSourceRange());
}

bool Lifter::increment(const clang::UnaryOperator *E, Place *Written) {
  const SourceLoc Loc = locateStatement(E, AST);
  if (E->getType()->isPointerType()) {
    if (Written)
      return refuse(codes::PointerBase, "the value of this is used",
                    E->getSourceRange()),
             false;
    return movePointer(E->getSubExpr(), E->isIncrementOp(),
                       build::intConst(1, Type::getI64()), E);
  }
  Place To = place(E->getSubExpr());
  if (!To.isSet())
    return false;
  if (Written) {
    if (To.Kind == Place::Memory && !freeze(To))
      return false;
    *Written = To;
  }
  Type Ty = To.Ty;
  if (!Ty.isInt() && !Ty.isFloat())
    return refuse(codes::Expression, "this increment is not supported",
                  E->getSourceRange()),
           false;
  if (Ty.isInt() && Ty.Bits < 32)
    Ty = Type::getI32(); // computed in int, then converted back
  ExprRef One =
      Ty.isFloat() ? build::floatConst(1, Ty) : build::intConst(1, Ty);
  return write(To, E->isIncrementOp() ? Combiner::Add : Combiner::Sub, One, Loc,
               E->getSourceRange());
}

/// The cursor that E names.
static const VarDecl *pointerVariable(const clang::Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

bool Lifter::assignPointer(const clang::BinaryOperator *E) {
  const VarDecl *V = pointerVariable(E->getLHS());
  auto It = V ? Bindings.find(V) : Bindings.end();
  // A call with effects of its own comes first.
  if (const auto *C =
          dyn_cast<clang::CallExpr>(E->getRHS()->IgnoreParenCasts())) {
    const FunctionDecl *FD = target(C);
    if (!FD || !knownBody(FD))
      return FD && refuse(whyUnknown(FD, C->getSourceRange())), false;
  }
  if (It == Bindings.end())
    return refuse(
               codes::PointerBase,
               "'" + shortText(E->getLHS()->getSourceRange(), AST) +
                   "' is a pointer in memory, and is written: storing pointers "
                   "is not supported",
               E->getLHS()->getSourceRange()),
           false;
  const Binding B = It->second;
  if (B.Kind == Binding::Unsupported || B.Why.isSet())
    return refuse(B.Why), false;
  if (B.Kind != Binding::Cursor)
    return refuse(codes::PointerBase,
                  "pointer '" + V->getNameAsString() +
                      "' is set to what may be another object: only pointers "
                      "that move within one are followed",
                  E->getSourceRange()),
           false;
  Pointer P = pointer(E->getRHS());
  if (!P.isSet())
    return false;
  if (P.Base != B.V->Base && mayBeginAnew(V))
    return beginAnew(V, P, E);
  if (P.Base != B.V->Base)
    return refuse(codes::PointerBase,
                  "'" + B.V->Name + "' points into more than one object",
                  E->getSourceRange()),
           false;
  emit(std::make_shared<Assign>(B.V, Combiner::None,
                                P.Offset ? P.Offset
                                         : build::intConst(0, Type::getI64()),
                                locateStatement(E, AST)));
  return true;
}

/// E has V point to To, in another object than before: a variable of its own
/// stands for V from here on.
bool Lifter::beginAnew(const VarDecl *V, const Pointer &To,
                       const clang::BinaryOperator *E) {
  const auto Refuse = [&] {
    return refuse(codes::PointerBase,
                  "'" + V->getNameAsString() +
                      "' points into more than one object",
                  E->getSourceRange()),
           false;
  };
  const bool IsFixed = To.Base->Home == PointerHome::Fixed || IsKernel ||
                       IsDevice || !Inlines.empty();
  if (!llvm::is_contained(Facts.Anew.lookup(V), E->getRHS()) || !IsFixed)
    return Refuse();
  const BufferRef Base = commonBase(V, valuesFrom(V, E->getRHS()));
  if (!Base)
    return false;
  if (Base != To.Base)
    return Refuse();
  const SourceLoc Loc = locateStatement(E, AST);
  VarRef New = fresh(V->getName(), Type::getI64(), Loc);
  auto Cursor = std::const_pointer_cast<Var>(New);
  Cursor->Kind = VarKind::Cursor;
  Cursor->Base = Base;
  Changing.insert(New.get());
  Bindings[V].V = New;
  emit(std::make_shared<Decl>(
      New, To.Offset ? To.Offset : build::intConst(0, Type::getI64()), Loc));
  return true;
}

bool Lifter::movePointer(const clang::Expr *Target, bool Forward, ExprRef By,
                         const clang::Expr *E) {
  const VarDecl *V = pointerVariable(Target);
  auto It = V ? Bindings.find(V) : Bindings.end();
  if (It == Bindings.end() || It->second.Kind != Binding::Cursor) {
    if (It != Bindings.end() &&
        (It->second.Kind == Binding::Unsupported || It->second.Why.isSet()))
      return refuse(It->second.Why), false;
    return refuse(codes::PointerBase,
                  "pointer '" + shortText(Target->getSourceRange(), AST) +
                      "' is moved, and is not followed",
                  E->getSourceRange()),
           false;
  }
  emit(std::make_shared<Assign>(
      It->second.V, Forward ? Combiner::Add : Combiner::Sub,
      scaled(By, Target->getType()->getPointeeType(), *It->second.V->Base, AST),
      locateStatement(E, AST)));
  return true;
}

} // namespace raise::lifting
