//===- VerifierTest.cpp - each invariant, violated ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestHelpers.h"
#include "raise/IR/Math.h"
#include "gmock/gmock.h"

using namespace raise;
using namespace raise::test;
using namespace raise::build;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

const Type I32 = Type::getI32(), I64 = Type::getI64(), Bool = Type::getBool(),
           F32 = Type::getFloat(32);

template <typename T, typename... Args> StmtRef make(Args &&...A) {
  return std::make_shared<T>(std::forward<Args>(A)...);
}
template <typename T, typename... Args> ExprRef makeExpr(Args &&...A) {
  return std::make_shared<T>(std::forward<Args>(A)...);
}

/// Trees that no text can say, over parameters n (i32) and p (f32*).
struct Verifier : testing::Test {
  VarRef N = makeVar("n", I32, VarKind::Param);
  BufferRef P = makeBuffer("p");
  std::vector<std::string> in(StmtRef S) {
    return verify(makeFunction({N}, {P}, std::move(S)));
  }
  StmtRef set(ExprRef Value) {
    return make<Assign>(N, Combiner::None, std::move(Value));
  }
  std::vector<std::string> inExpr(ExprRef E) {
    return in(make<Decl>(makeVar("t", E->Ty), E));
  }
  Access at(ExprRef Index) { return {P, {std::move(Index)}, {}, ""}; }
};

std::vector<std::string> inText(const std::string &Body,
                                const std::string &Kind = "kernel") {
  return verify(*parse(
      Kind + " @f(n: i32, x: f32, k: const i32, p: f32*, c: const f32*) {" +
      Body + "}"));
}

#define EXPECT_ONE(Problems, Text)                                             \
  EXPECT_THAT(Problems, ElementsAre(HasSubstr(Text)))

TEST_F(Verifier, AcceptsWhatIsRight) {
  EXPECT_THAT(in(set(intConst(1))), IsEmpty());
  EXPECT_THAT(
      inText("let s: f32 = 0.0:f32;"
             "block.x for (i: u32 = 0:u32; i < blockDim.x; i += 1:u32) {"
             "  shared t: f32[8]; t[0] = x; barrier;"
             "  if (n > 0) { continue; } }"
             "tensor (i: parallel 0 .. n) where (i > 1) {"
             "  let a: f32 = 0.0:f32;"
             "  tensor (j: reduction 0 .. i) { a += c[j]; }"
             "  if (a > 0.0:f32) { a = x; } p[i] = a; }"
             "tensor (i: reduction 0 .. n) { s += c[i]; }"
             "tensor (i: scan 0 .. n) { s += c[i]; p[i] = s; }"
             "region { guard (n / 2 > 0) \"\" body { } original { } }"),
      IsEmpty());
}

TEST_F(Verifier, OperandTypes) {
  EXPECT_ONE(inExpr(makeExpr<Binary>(BinaryOp::Add, intConst(1),
                                     intConst(1, I64), I32)),
             "the operands of '+' have types i32 and i64");
  EXPECT_ONE(
      inExpr(makeExpr<Binary>(BinaryOp::LT, intConst(1), intConst(1), I32)),
      "the result of '<' has type i32");
  EXPECT_ONE(inExpr(makeExpr<Binary>(BinaryOp::Rem, floatConst(1, F32),
                                     floatConst(1, F32), F32)),
             "the operands of '%'");
  EXPECT_ONE(
      inExpr(makeExpr<Binary>(BinaryOp::LAnd, intConst(1), intConst(1), Bool)),
      "not bool");
  EXPECT_ONE(inExpr(makeExpr<Unary>(UnaryOp::Not, intConst(1), I32)),
             "the operand of '!'");
  EXPECT_ONE(inExpr(makeExpr<Unary>(UnaryOp::Neg, intConst(1), I64)),
             "the result of '-'");
  EXPECT_ONE(inExpr(makeExpr<Select>(intConst(1), intConst(1), intConst(1))),
             "the condition of '?:' has type i32");
  EXPECT_ONE(
      inExpr(makeExpr<Select>(boolConst(true), intConst(1), intConst(1, I64))),
      "the alternatives of '?:'");
  EXPECT_ONE(inExpr(makeExpr<Call>(knownMathCallee("expf"),
                                   std::vector<ExprRef>{intConst(1)})),
             "argument 1 of 'expf' has type i32");
  EXPECT_ONE(
      inExpr(makeExpr<Call>(knownMathCallee("expf"), std::vector<ExprRef>{})),
      "0 arguments");
}

TEST_F(Verifier, Constants) {
  EXPECT_ONE(inExpr(makeExpr<IntConst>(256, Type::getInt(8, false))),
             "not extended from u8");
  EXPECT_ONE(inExpr(makeExpr<FloatConst>(0.1, F32)), "not rounded to f32");
  EXPECT_ONE(inExpr(makeExpr<IntConst>(1, F32)), "of type f32");
}

TEST_F(Verifier, Accesses) {
  EXPECT_ONE(inExpr(makeExpr<Load>(
                 Access{P, {intConst(0), intConst(0)}, {}, ""}, F32)),
             "with 2 indices, not 1");
  EXPECT_ONE(
      inExpr(makeExpr<Load>(Access{P, {intConst(0)}, {intConst(0)}, ""}, F32)),
      "with 1 indices, not 2");
  EXPECT_ONE(inExpr(makeExpr<Load>(at(floatConst(1, F32)), F32)),
             "an index of 'p' has type f32");
  EXPECT_ONE(inExpr(makeExpr<Load>(at(intConst(0)), I32)),
             "a load of type i32");
  BufferRef S = makeBuffer("s", Type::getVoid());
  EXPECT_ONE(
      verify(makeFunction(
          {}, {S},
          make<Decl>(makeVar("t", F32),
                     makeExpr<Load>(Access{S, {intConst(0)}, {}, ""}, F32)))),
      "a field is missing");
}

TEST_F(Verifier, Scope) {
  VarRef X = makeVar("x");
  EXPECT_ONE(in(set(var(X))), "'x' is not in scope");
  EXPECT_ONE(inExpr(load({makeBuffer("q"), {intConst(0)}, {}, ""})),
             "'q' is not in scope");
  StmtRef D = make<Decl>(X, intConst(1));
  StmtRef Nested = make<Block>(std::vector<StmtRef>{D});
  EXPECT_ONE(in(make<Block>(std::vector<StmtRef>{Nested, set(var(X))})),
             "'x' is not in scope");
  EXPECT_ONE(in(make<Block>(std::vector<StmtRef>{D, D})), "declared again");
  // A loop's bounds cannot see its variable.
  EXPECT_ONE(in(make<For>(X, var(X), BinaryOp::LT, intConst(1), intConst(1),
                          LoopKind::Serial, true,
                          make<Block>(std::vector<StmtRef>{}))),
             "'x' is not in scope");
  EXPECT_ONE(in(make<DeclBuffer>(makeBuffer("q"))), "is no local array");
}

TEST_F(Verifier, Writes) {
  EXPECT_ONE(in(set(intConst(1, I64))), "'=' writes a value of type i64");
  EXPECT_ONE(in(make<Assign>(N, Combiner::Add, intConst(1, Type::getInt(8)))),
             "'+=' writes a value of type i8");
  EXPECT_THAT(in(make<Assign>(N, Combiner::Add, floatConst(1, F32))),
              IsEmpty());
  EXPECT_ONE(in(make<Store>(at(intConst(0)), Combiner::None, floatConst(1, F32),
                            true)),
             "no combiner");
  EXPECT_ONE(inText("k = 1;"), "constant 'k' is written");
  EXPECT_ONE(inText("c[0] = x;"), "constant buffer 'c' is written");
  // Launch dimensions are constant besides.
  EXPECT_THAT(inText("gridDim.x = 1:u32;"),
              ElementsAre(HasSubstr("constant 'gridDim.x' is written"),
                          HasSubstr("'gridDim.x' may only be read")));
}

TEST_F(Verifier, Control) {
  EXPECT_ONE(inText("break;"), "outside a loop");
  EXPECT_ONE(inText("continue;"), "outside a loop");
  EXPECT_ONE(inText("barrier;", "func"), "barrier outside a kernel");
  EXPECT_ONE(inText("grid.x for (i: i32 = 0; i < n; i += 1) { }", "func"),
             "thread loop outside a kernel");
  EXPECT_ONE(inText("shared s: f32[4];", "func"), "outside a kernel");
  EXPECT_ONE(inText("return 1;"), "has type i32, not void");
  EXPECT_ONE(verify(*parse("func @f(): i32 { return; }")),
             "return without a value");
  EXPECT_ONE(inText("for (i: i32 = 0; i < n; i += 1) { i = 2; }"),
             "assigns its variable 'i'");
  EXPECT_ONE(in(make<If>(intConst(1), set(intConst(1)), nullptr)),
             "the condition of an if");
  EXPECT_ONE(in(make<While>(intConst(1), true, set(intConst(1)))),
             "the condition of a loop");
  EXPECT_ONE(in(nullptr), "a body is missing");
}

TEST_F(Verifier, ForBounds) {
  auto Loop = [&](Type Ty, ExprRef Lo, BinaryOp Cond, ExprRef Step) {
    return in(make<For>(makeVar("i", Ty), Lo, Cond, intConst(1, I64), Step,
                        LoopKind::Serial, true,
                        make<Block>(std::vector<StmtRef>{})));
  };
  EXPECT_THAT(Loop(I32, intConst(0), BinaryOp::LT, intConst(1)), IsEmpty());
  EXPECT_ONE(Loop(I32, intConst(0, I64), BinaryOp::LT, intConst(1)),
             "the first value of 'i'");
  EXPECT_ONE(Loop(I32, intConst(0), BinaryOp::LT, intConst(1, I64)),
             "the step of 'i'");
  EXPECT_ONE(Loop(I32, intConst(0), BinaryOp::EQ, intConst(1)), "is '=='");
  EXPECT_ONE(Loop(F32, floatConst(0, F32), BinaryOp::LT, floatConst(1, F32)),
             "loop variable 'i' has type f32");
}

TEST_F(Verifier, Arrays) {
  EXPECT_ONE(inText("array a: f32[2] = {x};"), "not one for each element");
  EXPECT_ONE(inText("array a: f32[];"), "has no size");
  auto B = std::make_shared<Buffer>(*makeBuffer("b", F32, BufferKind::Local));
  B->Extents = {floatConst(1, F32)};
  EXPECT_ONE(in(make<DeclBuffer>(B)), "an extent of 'b'");
}

TEST_F(Verifier, TensorOps) {
  EXPECT_ONE(inText("tensor (i: parallel 0 .. n) { x = 1.0:f32; }"),
             "without reduction");
  EXPECT_ONE(inText("tensor (i: reduction 0 .. n) { x = 1.0:f32; }"),
             "replaces scalar 'x'");
  EXPECT_ONE(inText("tensor (i: reduction 0 .. n) { x += 1.0:f32; "
                    "x *= 2.0:f32; }"),
             "two combiners");
  EXPECT_THAT(inText("tensor (i: reduction 0 .. n) { x += 1.0:f32; "
                     "x -= 2.0:f32; }"),
              IsEmpty());
  EXPECT_ONE(inText("tensor (i: parallel 0 .. n) { tensor (j: reduction 0 .. "
                    "n) { x += 1.0:f32; } }"),
             "without reduction");
  EXPECT_ONE(inText("tensor (i: parallel 0 .. n step 0) { }"),
             "is not positive");
  EXPECT_ONE(inText("tensor (i: serial 0 .. n) { i = 1; }"),
             "iterator 'i' is assigned");
  EXPECT_ONE(in(make<TensorOp>(std::vector<Iterator>{}, nullptr,
                               make<Block>(std::vector<StmtRef>{}))),
             "no iterator");
}

TEST_F(Verifier, StatementsThatATensorOpMayNotHold) {
  for (const char *S : {"return;", "barrier;", "opaque \"\" \"\" \"\";",
                        "region { body { } original { } }"})
    EXPECT_ONE(inText(std::string("tensor (i: parallel 0 .. n) { ") + S + "}"),
               "may not contain");
}

TEST_F(Verifier, APointMayBeTheLastInOrderOnly) {
  const std::string Exits[] = {"break;", "if (n == 2) { break; }",
                               "if (n == 2) { return; }",
                               "opaque \"exit(0)\" \"CR1005\" \"\" noreturn;"};
  for (const std::string &Exit : Exits)
    for (const char *Kind : {"serial", "scan", "search"})
      EXPECT_THAT(inText(std::string("tensor (i: ") + Kind + " 0 .. n) { " +
                         Exit + " }"),
                  IsEmpty());
  for (const char *Its : {"i: parallel 0 .. n", "i: reduction 0 .. n",
                          "i: search 0 .. n, j: search 0 .. n"}) {
    EXPECT_ONE(inText(std::string("tensor (") + Its + ") { break; }"),
               "a break");
    EXPECT_ONE(inText(std::string("tensor (") + Its + ") { return; }"),
               "may not contain");
  }
  // Not out of the operation around. Any point may skip what is left of it.
  EXPECT_ONE(inText("tensor (i: serial 0 .. n) { tensor (j: parallel 0 .. n) { "
                    "break; } }"),
             "a break");
  EXPECT_ONE(inText("for (k: i32 = 0; k < n; k += 1) { tensor (j: parallel 0 "
                    ".. n) { break; } }"),
             "a break");
  for (const char *Kind : {"search", "parallel"})
    EXPECT_THAT(
        inText(std::string("tensor (i: ") + Kind + " 0 .. n) { continue; }"),
        IsEmpty());
}

TEST_F(Verifier, Regions) {
  EXPECT_ONE(inText("region { guard (4 / n > 0) \"\" body { } original { } }"),
             "a guard may trap");
  EXPECT_ONE(in(make<Region>(Obligations{}, set(intConst(1)), nullptr)),
             "lacks its body or its original");
  Obligations Both;
  Both.Guards.push_back({boolConst(true), {P, nullptr, nullptr}, {}, ""});
  EXPECT_ONE(in(make<Region>(Both, set(intConst(1)), set(intConst(1)))),
             "either a condition or two ranges");
  Obligations Ranges;
  Ranges.Guards.push_back({nullptr,
                           {P, intConst(0), intConst(0, I64)},
                           {P, intConst(0, I64), intConst(0, I64)},
                           ""});
  EXPECT_ONE(in(make<Region>(Ranges, set(intConst(1)), set(intConst(1)))),
             "the start of a guard's range has type i32");
}

TEST_F(Verifier, Signatures) {
  Function F = makeFunction({makeVar("v")}, {}, set(intConst(1)));
  F.Params[0].Scalar = N;
  F.LaunchDims = makeLaunchDims();
  EXPECT_EQ(verify(F).size(), 6u);
  EXPECT_ONE(verify(makeFunction({makeVar("v")}, {}, make<Return>(nullptr))),
             "parameter 'v' has another kind");
  Function Empty = makeFunction({}, {}, make<Return>(nullptr));
  Empty.Params.emplace_back();
  EXPECT_ONE(verify(Empty), "neither scalar nor buffer");
}

TEST_F(Verifier, NamesThePlace) {
  EXPECT_ONE(inText("\n  break;"), "t.rir:2:3: in 'f': a break");
}

} // namespace
