//===- RoundTripTest.cpp - parse(print(F)) equals F -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestHelpers.h"
#include "raise/IR/Fact.h"
#include "raise/IR/Math.h"
#include "raise/IR/Visitor.h"
#include <cmath>

using namespace raise;
using namespace raise::test;
using namespace raise::build;

namespace {

const Type I32 = Type::getI32(), I64 = Type::getI64(), F32 = Type::getFloat(32),
           F64 = Type::getFloat(64);

template <typename T, typename... Args> StmtRef make(Args &&...A) {
  return std::make_shared<T>(std::forward<Args>(A)...);
}
template <typename T, typename... Args> ExprRef makeExpr(Args &&...A) {
  return std::make_shared<T>(std::forward<Args>(A)...);
}

void expectRoundTrip(const Function &F) {
  const std::string Text = printed(F);
  std::vector<FunctionRef> Functions = parseAll(Text);
  ASSERT_FALSE(Functions.empty()) << Text;
  const Function &Back = *Functions.back();
  EXPECT_TRUE(structurallyEqual(F, Back)) << Text << printed(Back);
  EXPECT_EQ(Text, printed(Back));
}

/// A function that returns E, over what E needs.
void expectExpr(const ExprRef &E, std::vector<VarRef> Vars = {},
                std::vector<BufferRef> Buffers = {}) {
  Function F = makeFunction(std::move(Vars), std::move(Buffers),
                            make<Block>(std::vector<StmtRef>{make<Return>(E)}));
  F.Result = E->Ty;
  expectRoundTrip(F);
}

VarRef param(std::string Name, Type Ty = I32) {
  return makeVar(std::move(Name), std::move(Ty), VarKind::Param);
}

void expectBody(std::vector<StmtRef> Body, std::vector<VarRef> Vars = {},
                std::vector<BufferRef> Buffers = {}) {
  expectRoundTrip(makeFunction(std::move(Vars), std::move(Buffers),
                               make<Block>(std::move(Body))));
}

TEST(RoundTrip, IntConstants) {
  for (unsigned Bits : {8u, 16u, 32u, 64u})
    for (bool Signed : {false, true})
      for (int64_t V : {int64_t(0), int64_t(1), int64_t(-1), INT64_MIN,
                        int64_t(1) << (Bits - 1)})
        expectExpr(intConst(V, Type::getInt(Bits, Signed)));
  expectExpr(boolConst(true));
  expectExpr(boolConst(false));
}

TEST(RoundTrip, FloatConstants) {
  for (unsigned Bits : {16u, 32u, 64u, 80u})
    for (double V : {0.0, -0.0, 1.0, -1.5, 0.1, 1e-5, 1e4, 65504.0,
                     double(INFINITY), -double(INFINITY), std::nan("")})
      expectExpr(floatConst(V, Type::getFloat(Bits)));
  for (double V : {1e300, 5e-324, 1.7976931348623157e308, 1.0 / 3})
    expectExpr(floatConst(V, F64));
  for (double V : {1e-45, 3.4028234663852886e38, 1e10})
    expectExpr(floatConst(V, F32));
}

TEST(RoundTrip, NegationOfAConstantIsNoNegativeConstant) {
  ExprRef One = makeExpr<IntConst>(1, I32);
  ExprRef Neg = makeExpr<Unary>(UnaryOp::Neg, One, I32);
  EXPECT_FALSE(structurallyEqual(Neg, intConst(-1)));
  expectExpr(Neg);
  expectExpr(makeExpr<Unary>(UnaryOp::Neg, Neg, I32));
  expectExpr(makeExpr<Unary>(UnaryOp::Neg, intConst(-1), I32));
  expectExpr(makeExpr<Unary>(UnaryOp::Neg, floatConst(INFINITY, F32), F32));
}

/// All pairs of operators, nested on either side: parentheses must be right.
TEST(RoundTrip, NestedBinaryOperators) {
  const auto First = BinaryOp::Add, LastInt = BinaryOp::Xor;
  VarRef A = param("a"), B = param("b"), C = param("c");
  for (int I = int(First); I <= int(LastInt); ++I)
    for (int J = int(First); J <= int(LastInt); ++J) {
      auto Inner = makeExpr<Binary>(BinaryOp(I), var(A), var(B), I32);
      expectExpr(makeExpr<Binary>(BinaryOp(J), Inner, var(C), I32), {A, B, C});
      expectExpr(makeExpr<Binary>(BinaryOp(J), var(C), Inner, I32), {A, B, C});
    }
}

TEST(RoundTrip, ComparisonsAndLogic) {
  VarRef A = param("a"), B = param("b");
  const Type Bool = Type::getBool();
  for (int I = int(BinaryOp::LT); I <= int(BinaryOp::NE); ++I) {
    auto Less = makeExpr<Binary>(BinaryOp(I), var(A), var(B), Bool);
    for (int J = int(BinaryOp::EQ); J <= int(BinaryOp::LOr); ++J) {
      expectExpr(makeExpr<Binary>(BinaryOp(J), Less, boolConst(true), Bool),
                 {A, B});
      expectExpr(makeExpr<Binary>(BinaryOp(J), boolConst(true), Less, Bool),
                 {A, B});
    }
    expectExpr(makeExpr<Unary>(UnaryOp::Not, Less, Bool), {A, B});
  }
  auto And =
      makeExpr<Binary>(BinaryOp::LAnd, boolConst(true), boolConst(false), Bool);
  expectExpr(makeExpr<Binary>(BinaryOp::LOr, And, And, Bool));
  auto Or =
      makeExpr<Binary>(BinaryOp::LOr, boolConst(true), boolConst(false), Bool);
  expectExpr(makeExpr<Binary>(BinaryOp::LAnd, Or, Or, Bool));
}

TEST(RoundTrip, SelectsNestEverywhere) {
  VarRef C = param("c", Type::getBool());
  ExprRef Inner = makeExpr<Select>(var(C), intConst(1, I64), intConst(2, I64));
  expectExpr(makeExpr<Select>(var(C), Inner, Inner), {C});
  expectExpr(makeExpr<Binary>(BinaryOp::Add, Inner, Inner, I64), {C});
  ExprRef BoolSelect = makeExpr<Select>(var(C), var(C), var(C));
  expectExpr(makeExpr<Select>(BoolSelect, BoolSelect, BoolSelect), {C});
}

TEST(RoundTrip, CastsKeepTheirKind) {
  VarRef A = param("a");
  Function F = makeFunction({A}, {},
                            make<Block>(std::vector<StmtRef>{make<Return>(
                                makeExpr<Cast>(var(A), F32, false))}));
  F.Result = F32;
  EXPECT_NE(printed(F).find("return cast<f32>(a)"), std::string::npos);
  expectRoundTrip(F);
  expectExpr(makeExpr<Cast>(var(A), Type::getBool(), true), {A});
}

TEST(RoundTrip, LoadsThroughViewsAndFields) {
  VarRef I = param("i"), T = param("T"), C = param("C");
  BufferRef P = makeBuffer("p");
  expectExpr(load({P, {var(I)}, {}, ""}), {I}, {P});
  expectExpr(load({P, {var(I), var(I), var(I)}, {var(T), var(C)}, ""}),
             {I, T, C}, {P});
  BufferRef S = makeBuffer("s", Type::getVoid());
  expectExpr(makeExpr<Load>(Access{S, {var(I)}, {}, "pos.x"}, F32), {I}, {S});
  expectExpr(makeExpr<Load>(Access{S, {var(I)}, {}, "if"}, F32), {I}, {S});
}

TEST(RoundTrip, CallsOfKnownDeclaredAndDefinedFunctions) {
  VarRef X = param("x", F32), Y = param("y", F32);
  expectExpr(call(knownMathCallee("expf"), {var(X)}), {X});

  auto Foreign = std::make_shared<Callee>();
  Foreign->Name = "std::clamp<float>";
  Foreign->Result = F32;
  Foreign->Params = {F32, F32};
  Foreign->MayTrap = Foreign->SetsErrno = true;
  expectExpr(call(Foreign, {var(X), var(X)}), {X});

  auto Square = std::make_shared<Function>(makeFunction(
      {Y}, {},
      make<Block>(std::vector<StmtRef>{make<Return>(mul(var(Y), var(Y)))})));
  Square->Name = "square";
  Square->Kind = FunctionKind::Device;
  Square->Result = F32;
  auto C = std::make_shared<Callee>();
  C->Name = "square";
  C->Result = F32;
  C->Params = {F32};
  C->MayTrap = true;
  C->Definition = Square;
  expectExpr(add(call(C, {var(X)}), call(Foreign, {var(X), var(X)})), {X});
}

TEST(RoundTrip, OverloadsAreToldApartByTheirTypes) {
  auto Single = std::make_shared<Callee>(), Double = std::make_shared<Callee>();
  Single->Name = Double->Name = "std::foo";
  Single->Result = F32;
  Single->Params = {F32};
  Double->Result = F64;
  Double->Params = {F64};
  VarRef X = param("x", F32), Y = param("y", F64);
  expectExpr(add(cast(call(Single, {var(X)}), F64), call(Double, {var(Y)})),
             {X, Y});
}

TEST(RoundTrip, NonNull) {
  BufferRef P = makeBuffer("p");
  expectExpr(makeExpr<NonNull>(P), {}, {P});
}

TEST(RoundTrip, Parameters) {
  VarRef N = param("n");
  auto Const = std::make_shared<Buffer>(*makeBuffer("a"));
  Const->Const = Const->Restrict = true;
  auto Volatile = std::make_shared<Buffer>(*makeBuffer("b"));
  Volatile->Volatile = true;
  auto Array = std::make_shared<Buffer>(*makeBuffer("c"));
  Array->Extents = {nullptr, var(N), intConst(4)};
  auto Fixed = std::make_shared<Buffer>(*makeBuffer("d"));
  Fixed->Extents = {intConst(8)};
  auto Ref = std::make_shared<Buffer>(*makeBuffer("e"));
  Ref->Reference = true;
  auto Scalar = std::make_shared<Var>(*param("let", F64));
  Scalar->Const = true;
  expectBody({}, {N, Scalar}, {Const, Volatile, Array, Fixed, Ref});
}

TEST(RoundTrip, DeclarationsAndAssignments) {
  VarRef X = makeVar("x"), Y = makeVar("y", F64), N = param("n");
  BufferRef P = makeBuffer("p");
  auto Cursor = std::make_shared<Var>(*makeVar("o", I64, VarKind::Cursor));
  Cursor->Base = P;
  expectBody({make<Decl>(X, nullptr), make<Decl>(Y, floatConst(1, F64)),
              make<Decl>(Cursor, intConst(0, I64)),
              make<Assign>(Cursor, Combiner::Add, intConst(1, I64)),
              make<Assign>(X, Combiner::None, var(N))},
             {N}, {P});
}

TEST(RoundTrip, Facts) {
  VarRef N = param("n");
  BufferRef P = makeBuffer("p", F32);
  const StmtRef Assumed = makeAssumption(lt(intConst(0), var(N)), "0 < n"),
                Sized = makeExtent(P, cast(var(N), I64), "p has n elements");
  EXPECT_FALSE(isExtent(*asFact(*Assumed)));
  EXPECT_TRUE(isExtent(*asFact(*Sized)));
  EXPECT_EQ(saysOf(*asFact(*Assumed)).str(), "0 < n");
  EXPECT_EQ(saysOf(*asFact(*Sized)).str(), "p has n elements");
  // A variable of that name is none.
  VarRef V = makeVar("assume", I32, VarKind::Local);
  const StmtRef Let = make<Decl>(V, intConst(1)),
                Set = make<Assign>(V, Combiner::None, intConst(2));
  EXPECT_EQ(asFact(*Let), nullptr);
  expectBody({Assumed, Sized, Let, Set}, {N}, {P});
  const StmtRef Other = makeAssumption(lt(intConst(0), var(N)), "n > 0");
  EXPECT_FALSE(structurallyEqual(Assumed, Other));
}

TEST(Facts, HoldWhileTheirVariablesDo) {
  VarRef N = param("n"), M = param("m");
  const StmtRef Fact = makeAssumption(lt(var(N), intConst(9)), "n < 9");
  const Decl &D = *asFact(*Fact);
  EXPECT_TRUE(holdsThrough(D, make<Assign>(M, Combiner::None, intConst(1))));
  EXPECT_FALSE(holdsThrough(D, make<Assign>(N, Combiner::Add, intConst(1))));
  EXPECT_FALSE(holdsThrough(
      D, make<Opaque>("f(&n)", "CR1005", "why", std::vector<VarRef>{N})));
}

TEST(RoundTrip, EveryCombiner) {
  VarRef X = param("x"), C = param("c", Type::getBool());
  BufferRef P = makeBuffer("p", I32);
  std::vector<StmtRef> Body;
  for (int I = 0; I <= int(Combiner::Shr); ++I) {
    const Access To{P, {intConst(0)}, {}, ""};
    Body.push_back(make<Assign>(X, Combiner(I), intConst(1)));
    Body.push_back(make<Store>(To, Combiner(I), intConst(1)));
    if (I)
      Body.push_back(make<Store>(To, Combiner(I), intConst(1), true));
  }
  Body.push_back(make<Assign>(C, Combiner::LAnd, boolConst(true)));
  Body.push_back(make<Assign>(C, Combiner::LOr, boolConst(true)));
  expectBody(std::move(Body), {X, C}, {P});
}

TEST(RoundTrip, LocalArrays) {
  BufferRef A = makeBuffer("a", F32, BufferKind::Local);
  auto Local = std::make_shared<Buffer>(*A);
  Local->Extents = {intConst(1), intConst(2)};
  auto Const = std::make_shared<Buffer>(*Local);
  Const->Const = true;
  expectBody(
      {make<DeclBuffer>(Local),
       make<DeclBuffer>(Const, std::vector<ExprRef>{floatConst(1, F32),
                                                    floatConst(2, F32)})});
}

StmtRef loop(VarRef V, LoopKind Kind, bool Declares, StmtRef Body) {
  return make<For>(V, intConst(0), BinaryOp::LT, intConst(8), intConst(1), Kind,
                   Declares, std::move(Body));
}

TEST(RoundTrip, LoopsOfEveryKind) {
  Function F = makeFunction({param("n")}, {}, nullptr);
  F.Kind = FunctionKind::Kernel;
  F.LaunchDims = makeLaunchDims();
  std::vector<StmtRef> Body;
  for (int K = 0; K <= int(LoopKind::BlockZ); ++K)
    Body.push_back(loop(makeVar("i"), LoopKind(K), true, make<Barrier>()));
  Body.push_back(
      loop(F.Params[0].Scalar, LoopKind::Serial, false, make<Continue>()));
  Body.push_back(make<For>(makeVar("j"), intConst(9), BinaryOp::GE,
                           var(F.LaunchDims[0]), intConst(-1), LoopKind::Serial,
                           true, make<Break>()));
  F.Body = make<Block>(std::move(Body));
  expectRoundTrip(F);
}

TEST(RoundTrip, WhilesAndIfs) {
  VarRef C = param("c", Type::getBool());
  StmtRef Set = make<Assign>(C, Combiner::None, boolConst(false));
  StmtRef Inner = make<If>(var(C), Set, Set);
  expectBody({make<While>(var(C), true, Set, "two \"exits\"\n"),
              make<While>(var(C), false, Set), make<If>(var(C), Set, nullptr),
              make<If>(var(C), Set, Inner),
              make<If>(var(C), Inner, make<Block>(std::vector<StmtRef>{}))},
             {C});
}

TEST(RoundTrip, NestedBlocksStay) {
  VarRef C = param("c");
  StmtRef Set = make<Assign>(C, Combiner::None, intConst(1));
  StmtRef One = make<Block>(std::vector<StmtRef>{Set});
  StmtRef Two = make<Block>(std::vector<StmtRef>{One});
  expectBody({One, Two, loop(makeVar("i"), LoopKind::Serial, true, Two)}, {C});
}

TEST(RoundTrip, Opaque) {
  VarRef C = param("c");
  expectBody({make<Opaque>("f(\"\\x\xc3\xa4\");\n\tg();", "CR1005", "calls f",
                           std::vector<VarRef>{C}),
              make<Opaque>("exit(1)", "CR1005", "calls exit",
                           std::vector<VarRef>{C}, SourceLoc(),
                           /*NoReturn=*/true),
              make<Opaque>("", "", "")},
             {C});
}

TEST(RoundTrip, TensorOpsAndRegions) {
  VarRef N = param("n"), I = makeVar("i"), K = makeVar("k"), J = makeVar("k"),
         S = makeVar("s", F32);
  BufferRef P = makeBuffer("p"), Q = makeBuffer("q");
  StmtRef Sum = make<Assign>(S, Combiner::Add, load({Q, {var(K)}, {}, ""}));
  for (IterKind Kind : {IterKind::Parallel, IterKind::Reduction, IterKind::Scan,
                        IterKind::Serial, IterKind::Search}) {
    StmtRef Op = make<TensorOp>(
        std::vector<Iterator>{
            {I, intConst(0), var(N), intConst(1), IterKind::Parallel},
            {K, var(I), var(N), intConst(2), Kind}},
        lt(var(I), var(K)), Sum, "reduction");
    StmtRef Original =
        loop(I, LoopKind::Serial, true, loop(K, LoopKind::Serial, true, Sum));
    Obligations Rests;
    Rests.Proved = {"a", "b"};
    Rests.Assumptions = {"c"};
    Rests.Guards.push_back({lt(intConst(0), var(N)), {}, {}, "n > 0"});
    Rests.Guards.push_back({nullptr,
                            {P, intConst(0, I64), cast(var(N), I64)},
                            {Q, intConst(1, I64), intConst(2, I64)},
                            "apart"});
    expectBody(
        {make<Decl>(S, floatConst(0, F32)), make<Region>(Rests, Op, Original),
         make<TensorOp>(
             std::vector<Iterator>{{J, intConst(0), var(N), intConst(1), Kind}},
             nullptr,
             make<Assign>(S, Combiner::Add, load({Q, {var(J)}, {}, ""})))},
        {N}, {P, Q});
  }
}

TEST(RoundTrip, OriginalAndBodyOfARegionShareVariables) {
  FunctionRef F = parse("func @f(n: i32, p: f32*) {\n"
                        "  region {\n"
                        "    body { tensor (i: parallel 0 .. n) { p[i] = "
                        "1.0:f32; } }\n"
                        "    original { for (i: i32 = 0; i < n; i += 1) { "
                        "p[i] = 1.0:f32; } }\n"
                        "  }\n}\n");
  const auto *R = llvm::cast<Region>(statements(F->Body)[0].get());
  EXPECT_EQ(llvm::cast<TensorOp>(R->Body.get())->Iterators[0].V,
            llvm::cast<For>(R->Original.get())->V);
}

TEST(RoundTrip, GlobalsAndExternals) {
  auto Table =
      std::make_shared<Buffer>(*makeBuffer("table", F32, BufferKind::Global));
  Table->Extents = {intConst(4)};
  VarRef N = makeVar("N", I32, VarKind::External);
  expectExpr(load({Table, {var(N)}, {}, ""}));
}

TEST(RoundTrip, SignaturesKeepTheirFlags) {
  Function F = makeFunction({}, {}, make<Block>(std::vector<StmtRef>{}));
  F.InternalLinkage = F.LanguageC = true;
  expectRoundTrip(F);
  F.Kind = FunctionKind::Device;
  expectRoundTrip(F);
}

TEST(RoundTrip, Requirements) {
  BufferRef X = makeBuffer("x", F64), Y = makeBuffer("y", F64);
  Function F = makeFunction({}, {X, Y}, make<Block>(std::vector<StmtRef>{}));
  const Type I64 = Type::getI64();
  Guard Apart;
  Apart.A = {X, intConst(0, I64), intConst(4, I64)};
  Apart.B = {Y, intConst(2, I64), intConst(6, I64), /*MayUnderflow=*/true};
  Apart.Why = "x and y do not overlap";
  Guard Holds;
  Holds.Cond = boolConst(true);
  F.Requires = {Holds, Apart};
  expectRoundTrip(F);
  Function Without = F;
  Without.Requires.pop_back();
  EXPECT_FALSE(structurallyEqual(F, Without));
}

TEST(Printer, FirstOfEqualNamesKeepsIt) {
  VarRef X = param("x");
  StmtRef Use = make<Assign>(X, Combiner::None, var(X));
  Function F =
      makeFunction({X}, {},
                   make<Block>(std::vector<StmtRef>{
                       loop(makeVar("x"), LoopKind::Serial, true, Use),
                       loop(makeVar("x"), LoopKind::Serial, true, Use)}));
  const std::string Text = printed(F);
  EXPECT_NE(Text.find("@f(x: i32)"), std::string::npos);
  EXPECT_NE(Text.find("for (x.1: i32"), std::string::npos);
  EXPECT_NE(Text.find("for (x.2: i32"), std::string::npos);
  FunctionRef Back = parse(Text);
  EXPECT_EQ(llvm::cast<For>(statements(Back->Body)[1].get())->V->Name, "x");
}

TEST(Printer, OddNamesAreQuoted) {
  VarRef X = param("operator`\\"), Y = param("for"), Z = param("a b");
  expectExpr(add(add(var(X), var(Y)), var(Z)), {X, Y, Z});
}

} // namespace
