//===- DifferentialTest.cpp - lifted IR means what the source means -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each function of Functions.h runs natively and, lifted, in the interpreter,
// on the same random inputs. Inputs on which C leaves the result undefined
// (the interpreter says so) are passed over, but must not be many.
//
//===----------------------------------------------------------------------===//

#include "raise/Frontend/Lift.h"
#include "raise/Frontend/Parse.h"
#include "raise/IR/Text.h"
#include "raise/Interp/Interp.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

namespace native {
#include "Functions.h"
} // namespace native

using namespace raise;

namespace {

constexpr int Length = 12;

clang::ASTUnit &source() {
  static std::unique_ptr<clang::ASTUnit> Unit = [] {
    clang::tooling::CompileCommand Cmd;
    Cmd.Directory = RAISE_SOURCE_DIR;
    Cmd.Filename =
        std::string(RAISE_SOURCE_DIR) + "/test/unit/Frontend/Functions.h";
    Cmd.CommandLine = {"clang++",    "-x",       "c++",
                       "-std=c++17", "-fopenmp", Cmd.Filename};
    std::vector<Reason> Errors;
    auto Parsed = parseSource(adjustCommand(Cmd, "/none"), Errors);
    for (const Reason &R : Errors)
      ADD_FAILURE() << R.Loc.Line << ": " << R.Text;
    return Parsed;
  }();
  return *Unit;
}

FunctionRef lifted(llvm::StringRef Name) {
  for (const clang::Decl *D :
       source().getASTContext().getTranslationUnitDecl()->decls())
    if (const auto *FD = llvm::dyn_cast<clang::FunctionDecl>(D))
      if (FD->getName() == Name) {
        LiftedFunction L = lift(*FD, source().getASTContext());
        for (const Reason &R : L.Stopped)
          ADD_FAILURE() << Name.str() << ':' << R.Loc.Line << ": " << R.Text;
        for (const std::string &Problem : verify(*L.F))
          ADD_FAILURE() << Problem;
        return L.F;
      }
  ADD_FAILURE() << "no function " << Name.str();
  return nullptr;
}

template <class T> Type typeOf() {
  if (std::is_same_v<T, bool>)
    return Type::getBool();
  if (std::is_floating_point_v<T>)
    return Type::getFloat(sizeof(T) * 8);
  return Type::getInt(sizeof(T) * 8, std::is_signed_v<T>);
}

template <class T> interp::Value valueOf(T V) {
  if constexpr (std::is_floating_point_v<T>)
    return interp::Value::ofFloat(V, typeOf<T>());
  else
    return interp::Value::ofInt(static_cast<int64_t>(V), typeOf<T>());
}

template <class T> bool same(T V, const interp::Value &W) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(V)
               ? std::isnan(W.D)
               : static_cast<T>(W.D) == V &&
                     std::signbit(static_cast<T>(W.D)) == std::signbit(V);
  else
    return static_cast<T>(W.I) == V;
}

using Random = std::mt19937_64;

template <class T> T draw(Random &R) {
  if constexpr (std::is_floating_point_v<T>) {
    switch (R() % 12) {
    case 0:
      return std::numeric_limits<T>::quiet_NaN();
    case 1:
      return 0;
    default:
      return static_cast<T>(static_cast<int>(R() % 4001) - 2000) / 128;
    }
  } else {
    switch (R() % 6) {
    case 0:
      return static_cast<T>(R());
    case 1:
      return std::numeric_limits<T>::max();
    case 2:
      return std::numeric_limits<T>::min();
    default:
      return static_cast<T>(static_cast<int>(R() % 41) - 20);
    }
  }
}

/// An argument: its native value and what the interpreter gets.
template <class T> struct Argument {
  T V;
  Argument(Random &R, const Param &P, interp::Inputs &In)
      : V(P.name() == "n" ? static_cast<T>(R() % (Length + 1)) : draw<T>(R)) {
    In.Scalars[P.name().str()] = valueOf(V);
  }
  T get() { return V; }
  void expectSame(const interp::Inputs &) {}
};

template <class T> struct Argument<T *> {
  using Element = std::remove_const_t<T>;
  Element Data[Length];
  std::string Name;
  Argument(Random &R, const Param &P, interp::Inputs &In)
      : Name(P.name().str()) {
    auto Store = std::make_shared<interp::Storage>();
    for (Element &E : Data) {
      E = draw<Element>(R);
      Store->Cells.push_back(valueOf(E));
    }
    In.Buffers[Name] = {Store, 0};
  }
  T *get() { return Data; }
  void expectSame(const interp::Inputs &In) {
    const interp::Storage &Store = *In.Buffers.at(Name).Store;
    for (int I = 0; I < Length; ++I) {
      ASSERT_TRUE(Store.Cells[I].has_value());
      EXPECT_TRUE(same(Data[I], *Store.Cells[I])) << Name << '[' << I << ']';
    }
  }
};

template <class R, class... A, size_t... I>
bool trial(R (*Native)(A...), const Function &F, Random &Rng,
           std::index_sequence<I...>) {
  interp::Inputs In;
  std::tuple<Argument<A>...> Args{Argument<A>(Rng, F.Params[I], In)...};
  const interp::Outcome Out = interp::run(F, In);
  EXPECT_NE(Out.Why, interp::Stop::Unsupported) << Out.Message;
  if (Out.Why != interp::Stop::Done)
    return false;
  if constexpr (std::is_void_v<R>) {
    Native(std::get<I>(Args).get()...);
  } else {
    const R Result = Native(std::get<I>(Args).get()...);
    EXPECT_TRUE(Out.Result && same(Result, *Out.Result)) << "the result";
  }
  (std::get<I>(Args).expectSame(In), ...);
  return true;
}

template <class R, class... A>
void compare(llvm::StringRef Name, R (*Native)(A...)) {
  FunctionRef F = lifted(Name);
  ASSERT_TRUE(F);
  ASSERT_EQ(F->Params.size(), sizeof...(A));
  Random Rng(7);
  int Done = 0;
  for (int K = 0; K < 400 && !testing::Test::HasFailure(); ++K)
    Done += trial(Native, *F, Rng, std::index_sequence_for<A...>());
  EXPECT_GE(Done, 40) << "too few inputs have a defined result";
}

#define COMPARE(NAME)                                                          \
  TEST(Differential, NAME) { compare(#NAME, native::NAME); }

COMPARE(narrow)
COMPARE(wraps)
COMPARE(compares)
COMPARE(compound)
COMPARE(orders)
COMPARE(cursors)
COMPARE(picks)
COMPARE(switches)
COMPARE(effects)
COMPARE(small)
COMPARE(pairs)
COMPARE(matrix)
COMPARE(shifts)
COMPARE(down)
COMPARE(jumps)
COMPARE(walks)
COMPARE(objects)
COMPARE(claims)

} // namespace
