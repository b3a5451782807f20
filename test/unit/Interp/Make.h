//===- Make.h - short constructors for interpreter tests --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TEST_UNIT_INTERP_MAKE_H
#define RAISE_TEST_UNIT_INTERP_MAKE_H

#include "raise/IR/Math.h"
#include "raise/Interp/Races.h"
#include "gtest/gtest.h"

namespace raise::interp::testing {

inline const Type I32 = Type::getI32(), I64 = Type::getI64(),
                  U32 = Type::getInt(32, false), F32 = Type::getFloat(32),
                  F64 = Type::getFloat(64);

inline VarRef scalar(std::string Name, Type Ty = I32,
                     VarKind Kind = VarKind::Local) {
  auto V = std::make_shared<Var>();
  V->Name = std::move(Name);
  V->Ty = std::move(Ty);
  V->Kind = Kind;
  return V;
}
inline BufferRef buffer(std::string Name, Type Elem = I32,
                        BufferKind Kind = BufferKind::Param,
                        std::vector<ExprRef> Extents = {nullptr}) {
  auto B = std::make_shared<Buffer>();
  B->Name = std::move(Name);
  B->Elem = std::move(Elem);
  B->Kind = Kind;
  B->Extents = std::move(Extents);
  return B;
}
inline ExprRef i(int64_t V, Type Ty = I32) { return build::intConst(V, Ty); }
inline ExprRef d(double V, Type Ty = F64) { return build::floatConst(V, Ty); }
inline ExprRef use(const VarRef &V) { return build::var(V); }
/// Unfolded, so that the interpreter sees the operator.
inline ExprRef op(BinaryOp Op, ExprRef L, ExprRef R) {
  Type Ty = isComparison(Op) || Op == BinaryOp::LAnd || Op == BinaryOp::LOr
                ? Type::getBool()
                : L->Ty;
  return std::make_shared<Binary>(Op, L, R, Ty);
}
inline ExprRef conv(ExprRef E, Type To) {
  return std::make_shared<Cast>(E, To, true);
}
inline Access at(const BufferRef &B, std::vector<ExprRef> Indices) {
  return {B, std::move(Indices), {}, ""};
}
inline ExprRef get(const BufferRef &B, ExprRef Index) {
  return build::load(at(B, {std::move(Index)}));
}
inline StmtRef let(const VarRef &V, ExprRef Init) {
  return std::make_shared<Decl>(V, Init);
}
inline StmtRef set(const VarRef &V, ExprRef E, Combiner Op = Combiner::None) {
  return std::make_shared<Assign>(V, Op, E);
}
inline StmtRef put(const BufferRef &B, ExprRef Index, ExprRef E,
                   Combiner Op = Combiner::None, bool Atomic = false) {
  return std::make_shared<Store>(at(B, {std::move(Index)}), Op, E, Atomic);
}
inline StmtRef block(std::vector<StmtRef> Body) {
  return std::make_shared<Block>(std::move(Body));
}
inline StmtRef loop(const VarRef &V, ExprRef Lo, ExprRef Hi, StmtRef Body,
                    LoopKind Kind = LoopKind::Serial) {
  return std::make_shared<For>(V, Lo, BinaryOp::LT, Hi, i(1, V->Ty), Kind, true,
                               Body);
}
inline StmtRef when(ExprRef C, StmtRef Then, StmtRef Else = nullptr) {
  return std::make_shared<If>(C, Then, Else);
}
inline StmtRef ret(ExprRef E = nullptr) { return std::make_shared<Return>(E); }

struct Maker {
  Function F;
  VarRef param(std::string Name, Type Ty = I32) {
    VarRef V = scalar(std::move(Name), std::move(Ty), VarKind::Param);
    F.Params.push_back({V, nullptr});
    return V;
  }
  BufferRef pointer(std::string Name, Type Elem = I32) {
    BufferRef B = buffer(std::move(Name), std::move(Elem));
    F.Params.push_back({nullptr, B});
    return B;
  }
  Function &body(std::vector<StmtRef> Body) {
    F.Name = "f";
    F.Body = block(std::move(Body));
    return F;
  }
};

/// Evaluates an expression without parameters.
inline Outcome result(ExprRef E) {
  Maker M;
  M.F.Result = E->Ty;
  Inputs In;
  return run(M.body({ret(E)}), In);
}

inline std::shared_ptr<Storage> cells(std::vector<int64_t> Values,
                                      Type Ty = I32) {
  auto S = std::make_shared<Storage>();
  for (int64_t V : Values)
    S->Cells.push_back(Ty.isFloat() ? Value::ofFloat(V, Ty)
                                    : Value::ofInt(V, Ty));
  return S;
}
inline std::vector<int64_t> ints(const Storage &S) {
  std::vector<int64_t> Out;
  for (const auto &C : S.Cells)
    Out.push_back(C ? (C->Ty.isFloat() ? int64_t(C->D) : C->I) : -999);
  return Out;
}

} // namespace raise::interp::testing

#endif // RAISE_TEST_UNIT_INTERP_MAKE_H
