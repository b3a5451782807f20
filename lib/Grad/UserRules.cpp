//===- UserRules.cpp - derivatives that the user gives --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Grad/UserRules.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise::grad {

std::string whyNotByRule(const Callee &C, Mode M) {
  const bool Forward = M == Mode::Forward;
  if (!(Forward ? C.Rule->Tangent : C.Rule->Adjoint).empty())
    return "";
  return "calls " + C.Name + " with a value that carries derivatives, and " +
         C.Rule->From + " names no " + (Forward ? "tangent" : "adjoint") +
         " of it";
}

namespace {

/// A function around a call of what gives derivatives.
class Wrapper {
public:
  Wrapper(const Callee &C, const std::string &Name)
      : C(C), Primal(*C.Definition), Made(std::make_shared<Function>(Primal)) {
    Made->Name = Made->QualifiedName = Name;
    Made->InternalLinkage = true;
    Made->Loc = {};
    Used = {Name, C.Rule->Tangent, C.Rule->Adjoint};
    for (const Param &P : Primal.Params) {
      Used.insert(P.name().str());
      pass(P.Scalar, P.name().str());
    }
  }

  CalleeRef tangent() {
    for (const Param &P : Primal.Params)
      if (P.Scalar->Ty.isFloat()) {
        const VarRef T = parameter(P.name(), P.Scalar->Ty, Mode::Forward);
        pass(T, T->Name);
      }
    const std::string Result =
        local(Primal.Name, Primal.Result, Mode::Forward, "");
    return finish(C.Rule->Tangent, Primal.Result, Result);
  }

  CalleeRef adjoint(unsigned K) {
    std::string Result;
    for (const auto &[I, P] : enumerate(Primal.Params)) {
      if (!P.Scalar->Ty.isFloat())
        continue;
      // What gives adjoints adds to them.
      const std::string Name =
          local(P.name(), P.Scalar->Ty, Mode::Reverse, " = 0");
      if (I == K)
        Result = Name;
    }
    const VarRef Seed = parameter(Primal.Name, Primal.Result, Mode::Reverse);
    pass(Seed, Seed->Name);
    Made->Differentiates = Primal.Params[K].name().str();
    return finish(C.Rule->Adjoint, Primal.Params[K].Scalar->Ty, Result);
  }

private:
  void pass(const VarRef &V, const std::string &Text) {
    Args.push_back(Text);
    Touches.push_back(V);
  }

  VarRef parameter(StringRef Of, const Type &T, Mode M) {
    auto V = std::make_shared<Var>();
    V->Name = derivativeName(Of, M, Used);
    V->Ty = T;
    V->Kind = VarKind::Param;
    Made->Params.push_back({V, nullptr});
    return V;
  }

  /// A variable whose address is passed.
  std::string local(StringRef Of, const Type &T, Mode M, StringRef Value) {
    const std::string Name = derivativeName(Of, M, Used);
    Lines.push_back(T.cName() + " " + Name + Value.str() + ";");
    Args.push_back("&" + Name);
    return Name;
  }

  CalleeRef finish(const std::string &Rule, const Type &T,
                   const std::string &Result) {
    Lines.push_back(Rule + "(" + join(Args, ", ") + ");");
    Lines.push_back("return " + Result + ";");
    Made->Result = T;
    Made->Body = std::make_shared<Block>(std::vector<StmtRef>{
        std::make_shared<Opaque>(join(Lines, "\n"), "", "", Touches)});
    auto Fn = std::make_shared<Callee>();
    Fn->Name = Made->Name;
    Fn->Result = T;
    for (const Param &P : Made->Params)
      Fn->Params.push_back(P.Scalar->Ty);
    Fn->MayTrap = true;
    Fn->Definition = Made;
    return Fn;
  }

  const Callee &C;
  const Function &Primal;
  const std::shared_ptr<Function> Made;
  std::set<std::string> Used;
  std::vector<std::string> Lines, Args;
  std::vector<VarRef> Touches;
};

} // namespace

CalleeRef tangentByRule(const Callee &C, std::string Name) {
  return Wrapper(C, Name).tangent();
}

CalleeRef adjointByRule(const Callee &C, unsigned K, std::string Name) {
  return Wrapper(C, Name).adjoint(K);
}

void forEachRule(const Function &F, function_ref<void(const Callee &)> Fn) {
  struct Finder : Visitor {
    DenseSet<const Function *> Entered;
    function_ref<void(const Callee &)> Fn;
    explicit Finder(function_ref<void(const Callee &)> Fn) : Fn(Fn) {}
    bool visitExpr(const ExprRef &E) override {
      auto *C = dyn_cast<Call>(E.get());
      if (C && C->Fn->Rule)
        Fn(*C->Fn);
      else if (C && C->Fn->Definition &&
               Entered.insert(C->Fn->Definition.get()).second)
        walk(C->Fn->Definition->Body);
      return true;
    }
  };
  Finder(Fn).walk(F.Body);
}

} // namespace raise::grad
