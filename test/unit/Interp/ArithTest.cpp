//===- ArithTest.cpp - C's arithmetic
//----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Make.h"
#include "raise/IR/SmallFloat.h"
#include <cmath>
#include <limits>

using namespace raise;
using namespace raise::interp;
using namespace raise::interp::testing;
using B = BinaryOp;

static int64_t intOf(ExprRef E) {
  Outcome O = result(E);
  EXPECT_EQ(O.Why, Stop::Done) << O.Message;
  return O.Result ? O.Result->I : -999;
}
static long double floatOf(ExprRef E) {
  Outcome O = result(E);
  EXPECT_EQ(O.Why, Stop::Done) << O.Message;
  return O.Result ? O.Result->D : -999;
}
static Stop stopOf(ExprRef E) { return result(E).Why; }

static const int64_t Max = std::numeric_limits<int32_t>::max(),
                     Min = std::numeric_limits<int32_t>::min();

TEST(Arith, SignedOverflowStops) {
  EXPECT_EQ(stopOf(op(B::Add, i(Max), i(1))), Stop::SignedOverflow);
  EXPECT_EQ(stopOf(op(B::Sub, i(Min), i(1))), Stop::SignedOverflow);
  EXPECT_EQ(stopOf(op(B::Mul, i(65536), i(32768))), Stop::SignedOverflow);
  EXPECT_EQ(stopOf(op(B::Div, i(Min), i(-1))), Stop::SignedOverflow);
  EXPECT_EQ(stopOf(op(B::Rem, i(Min), i(-1))), Stop::SignedOverflow);
  EXPECT_EQ(stopOf(std::make_shared<Unary>(UnaryOp::Neg, i(Min), I32)),
            Stop::SignedOverflow);
  int64_t Max64 = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(stopOf(op(B::Add, i(Max64, I64), i(1, I64))), Stop::SignedOverflow);
  EXPECT_EQ(stopOf(op(B::Div, i(-Max64 - 1, I64), i(-1, I64))),
            Stop::SignedOverflow);
  EXPECT_EQ(intOf(op(B::Add, i(Max, I64), i(1, I64))), Max + 1);
}

TEST(Arith, UnsignedWraps) {
  EXPECT_EQ(intOf(op(B::Add, i(0xffffffff, U32), i(2, U32))), 1);
  EXPECT_EQ(intOf(op(B::Sub, i(0, U32), i(1, U32))), 0xffffffff);
  EXPECT_EQ(intOf(op(B::LT, i(-1, U32), i(1, U32))), 0);
}

TEST(Arith, DivisionByZero) {
  EXPECT_EQ(stopOf(op(B::Div, i(1), i(0))), Stop::DivisionByZero);
  EXPECT_EQ(stopOf(op(B::Rem, i(1, U32), i(0, U32))), Stop::DivisionByZero);
  EXPECT_EQ(floatOf(op(B::Div, d(1), d(0))), INFINITY);
  EXPECT_EQ(intOf(op(B::Div, i(-7), i(2))), -3);
  EXPECT_EQ(intOf(op(B::Rem, i(-7), i(2))), -1);
}

TEST(Arith, Shifts) {
  EXPECT_EQ(stopOf(op(B::Shl, i(1), i(32))), Stop::BadShift);
  EXPECT_EQ(stopOf(op(B::Shr, i(1), i(-1))), Stop::BadShift);
  EXPECT_EQ(stopOf(op(B::Shl, i(-1), i(1))), Stop::SignedOverflow);
  EXPECT_EQ(stopOf(op(B::Shl, i(2), i(31))), Stop::SignedOverflow);
  EXPECT_EQ(intOf(op(B::Shl, i(1), i(31))), Min); // C++17 [expr.shift]
  EXPECT_EQ(intOf(op(B::Shl, i(3, U32), i(31))), 0x80000000);
  EXPECT_EQ(intOf(op(B::Shr, i(-8), i(1))), -4);
  EXPECT_EQ(intOf(op(B::Shr, i(-8, U32), i(1))), 0x7ffffffc);
}

TEST(Arith, FloatsRoundAtEachOperation) {
  float A = 16777216.0f;
  EXPECT_EQ(floatOf(op(B::Sub, op(B::Add, d(A, F32), d(1, F32)), d(A, F32))),
            0);
  EXPECT_EQ(floatOf(op(B::Sub, op(B::Add, d(A), d(1)), d(A))), 1);
  EXPECT_EQ(floatOf(op(B::Mul, d(0.1f, F32), d(0.1f, F32))), 0.1f * 0.1f);
  EXPECT_EQ(floatOf(conv(d(0.1), F32)), 0.1f);
  Type F80 = Type::getFloat(80);
  EXPECT_EQ(floatOf(op(B::Div, conv(d(1), F80), conv(d(3), F80))), 1.0L / 3);
  EXPECT_EQ(floatOf(conv(d(2049), Type::getFloat(16))), 2048);
  // Eight digits: a tie goes to the even one; float's range.
  EXPECT_EQ(floatOf(conv(d(257), getBFloat16())), 256);
  EXPECT_EQ(floatOf(conv(d(259), getBFloat16())), 260);
  EXPECT_EQ(floatOf(conv(conv(d(1e38), getBFloat16()), Type::getFloat(32))),
            floatOf(conv(d(1e38), getBFloat16())));
  EXPECT_EQ(floatOf(conv(d(3.4e38), getBFloat16())), INFINITY);
}

TEST(Arith, Conversions) {
  EXPECT_EQ(intOf(conv(d(-3.9), I32)), -3);
  EXPECT_EQ(stopOf(conv(d(2147483648.0), I32)), Stop::FloatToIntRange);
  EXPECT_EQ(intOf(conv(d(2147483647.5), I32)), Max);
  EXPECT_EQ(stopOf(conv(d(-1), U32)), Stop::FloatToIntRange);
  EXPECT_EQ(intOf(conv(d(-0.5), U32)), 0);
  EXPECT_EQ(stopOf(conv(d(NAN), I64)), Stop::FloatToIntRange);
  EXPECT_EQ(intOf(conv(d(NAN), Type::getBool())), 1);
  EXPECT_EQ(intOf(conv(i(300), Type::getInt(8))), 44);
  EXPECT_EQ(intOf(conv(i(-1), U32)), 0xffffffff);
  EXPECT_EQ(floatOf(conv(i(-1, Type::getInt(64, false)), F64)),
            18446744073709551615.0);
  EXPECT_EQ(floatOf(conv(i(16777217), F32)), 16777216);
}

TEST(Arith, NanAndComparisons) {
  EXPECT_EQ(intOf(op(B::EQ, d(NAN), d(NAN))), 0);
  EXPECT_EQ(intOf(op(B::NE, d(NAN), d(NAN))), 1);
  EXPECT_EQ(intOf(op(B::GE, d(NAN), d(1))), 0);
  EXPECT_EQ(intOf(std::make_shared<Unary>(UnaryOp::BitNot, i(0, U32), U32)),
            0xffffffff);
}

TEST(Arith, LazyOperators) {
  ExprRef Trap = op(B::EQ, op(B::Div, i(1), i(0)), i(1));
  ExprRef No = build::boolConst(false), Yes = build::boolConst(true);
  EXPECT_EQ(intOf(op(B::LAnd, No, Trap)), 0);
  EXPECT_EQ(intOf(op(B::LOr, Yes, Trap)), 1);
  EXPECT_EQ(stopOf(op(B::LAnd, Yes, Trap)), Stop::DivisionByZero);
  EXPECT_EQ(intOf(std::make_shared<Select>(Yes, i(4), op(B::Div, i(1), i(0)))),
            4);
}

TEST(Arith, Bits) {
  const Type U32 = Type::getInt(32, false), U64 = Type::getInt(64, false);
  const auto Of = [&](llvm::StringRef Name, int64_t V, Type Ty) {
    return build::call(knownMathCallee(Name), {build::intConst(V, Ty)});
  };
  EXPECT_EQ(intOf(Of("__builtin_popcount", 0xF00F, U32)), 8);
  EXPECT_EQ(intOf(Of("__builtin_popcount", -1, U32)), 32);
  EXPECT_EQ(intOf(Of("__builtin_popcountll", -1, U64)), 64);
  EXPECT_EQ(intOf(Of("__builtin_ffs", 0, Type::getI32())), 0);
  EXPECT_EQ(intOf(Of("__builtin_ffs", Min, Type::getI32())), 32);
  EXPECT_EQ(intOf(Of("__builtin_ffsll", INT64_MIN, Type::getI64())), 64);
  EXPECT_EQ(intOf(Of("__builtin_clz", 1, U32)), 31);
  EXPECT_EQ(intOf(Of("__builtin_clz", -1, U32)), 0);
  EXPECT_EQ(intOf(Of("__builtin_clzll", 1, U64)), 63);
  EXPECT_EQ(intOf(Of("__builtin_ctzll", INT64_MIN, U64)), 63);
  EXPECT_EQ(stopOf(Of("__builtin_clz", 0, U32)), Stop::BadShift);
  EXPECT_EQ(stopOf(Of("__builtin_ctz", 0, U32)), Stop::BadShift);
}

TEST(Arith, MathInItsOwnType) {
  EXPECT_EQ(floatOf(build::call(knownMathCallee("expf"), {d(1.5f, F32)})),
            std::exp(1.5f));
  EXPECT_EQ(floatOf(build::call(knownMathCallee("exp"), {d(1.5)})),
            std::exp(1.5));
  EXPECT_EQ(floatOf(build::call(knownMathCallee("fmax"), {d(NAN), d(2)})), 2);
  EXPECT_EQ(intOf(build::call(knownMathCallee("abs"), {i(-3)})), 3);
  EXPECT_EQ(stopOf(build::call(knownMathCallee("abs"), {i(Min)})),
            Stop::SignedOverflow);
  auto Unknown = std::make_shared<Callee>();
  Unknown->Name = "mystery";
  Unknown->Result = F64;
  Unknown->Params = {F64};
  EXPECT_EQ(stopOf(build::call(Unknown, {d(1)})), Stop::Unsupported);
}
