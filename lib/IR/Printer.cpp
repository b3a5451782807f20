//===- Printer.cpp - functions and what they refer to, as text ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IRInternal.h"
#include "PrinterInternal.h"
#include "raise/IR/Math.h"
#include "raise/IR/Recursion.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace raise {
namespace {

using detail::Printer;

/// What a function refers to outside itself, each in order of first use.
struct References : Visitor {
  SetVector<const Var *> Externals;
  SetVector<const Buffer *> Globals;
  SetVector<const Callee *> Callees;

  References() { VisitOriginals = true; }

  void add(const Buffer &B) {
    if ((B.Kind == BufferKind::Global || B.Kind == BufferKind::Pointer) &&
        Globals.insert(&B))
      for (const ExprRef &E : B.Extents)
        walk(E);
  }
  void add(const Var &V) {
    if (V.Kind == VarKind::External)
      Externals.insert(&V);
    if (V.Base)
      add(*V.Base);
  }
  bool visitExpr(const ExprRef &E) override {
    if (const auto *U = dyn_cast<VarUse>(E.get()))
      add(*U->V);
    if (const auto *L = dyn_cast<Load>(E.get()))
      add(*L->From.Buf);
    if (const auto *C = dyn_cast<Call>(E.get()))
      Callees.insert(C->Fn.get());
    return true;
  }
  bool visitStmt(const StmtRef &S) override {
    if (const auto *St = dyn_cast<Store>(S.get()))
      add(*St->To.Buf);
    if (const auto *D = dyn_cast<Decl>(S.get()))
      add(*D->V);
    if (const auto *F = dyn_cast<For>(S.get()))
      add(*F->V);
    if (const auto *O = dyn_cast<Opaque>(S.get())) {
      for (const VarRef &V : O->Touches)
        add(*V);
      for (const VarRef &V : O->Keeps)
        add(*V);
      if (O->Pure)
        for (const PureCall::Argument &A : O->Pure->Args)
          if (A.Base)
            add(*A.Base);
    }
    if (const auto *R = dyn_cast<Region>(S.get()))
      for (const Guard &G : R->Rests.Guards)
        for (const BufferRef &B : {G.A.Buf, G.B.Buf})
          if (B)
            add(*B);
    return true;
  }
  void addFunction(const Function &F) {
    for (const Param &P : F.Params)
      if (P.Buf)
        for (const ExprRef &E : P.Buf->Extents)
          walk(E);
    walk(F.Body);
  }
};

std::string typeList(ArrayRef<Type> Types) {
  std::string Out;
  for (const Type &Ty : Types)
    Out += (Out.empty() ? "" : ", ") + Ty.name();
  return Out;
}

/// Functions are told apart by name and parameter types.
std::string keyOf(const Function &F) {
  std::string Key = F.Name + "(";
  for (const Param &P : F.Params)
    Key += (P.Scalar ? P.Scalar->Ty.name() : P.Buf->Elem.name() + "*") + ",";
  return Key + ")";
}

bool isKnown(const Callee &C) {
  CalleeRef Known = knownMathCallee(C.Name);
  return Known && Known->Result == C.Result && Known->Params == C.Params &&
         Known->SetsErrno == C.SetsErrno && Known->MayTrap == C.MayTrap;
}

class ModulePrinter {
  raw_ostream &OS;
  StringMap<const Function *> Listed;
  StringMap<const Callee *> CalleeOf;
  StringSet<> Done;
  StringSet<> Open; ///< what they call is printed first

public:
  explicit ModulePrinter(raw_ostream &OS) : OS(OS) {}
  void list(const Function &F) {
    Listed.try_emplace(keyOf(F), &F);
    References Refs;
    Refs.addFunction(F);
    for (const Callee *C : Refs.Callees)
      if (C->Definition &&
          CalleeOf.try_emplace(keyOf(*C->Definition), C).second)
        listCallees(*C->Definition);
  }
  void printOnce(const Function &F);

private:
  void listCallees(const Function &F) {
    References Refs;
    Refs.addFunction(F);
    for (const Callee *C : Refs.Callees)
      if (C->Definition &&
          CalleeOf.try_emplace(keyOf(*C->Definition), C).second)
        listCallees(*C->Definition);
  }
  void callee(const Callee &C);
  void declaration(const Callee &C);
  void attributes(const Callee &C);
  void header(const Function &F);
  void parameters(const Function &F, Printer &P);
  void function(const Function &F, const References &Refs);
};

void ModulePrinter::attributes(const Callee &C) {
  OS << (C.MayTrap ? " maytrap" : "") << (C.SetsErrno ? " errno" : "");
}

/// The text of a callee must stand before its use; that of one which calls the
/// function that uses it cannot.
void ModulePrinter::callee(const Callee &C) {
  if (C.Definition) {
    const Function *Newer = Listed.lookup(keyOf(*C.Definition));
    // A listed one of these has its turn, so that reading keeps the order.
    if (!Done.contains(keyOf(*C.Definition)) && Newer && callsItself(*Newer))
      return declaration(C);
    if (Open.contains(keyOf(*C.Definition)))
      return declaration(C);
    return printOnce(Newer ? *Newer : *C.Definition);
  }
  if (!isKnown(C))
    declaration(C);
}

void ModulePrinter::declaration(const Callee &C) {
  if (!Done.insert("declare " + C.Name + "(" + typeList(C.Params)).second)
    return;
  OS << "declare ";
  detail::printFunctionName(OS, C.Name);
  OS << '(' << typeList(C.Params) << ')';
  if (!C.Result.isVoid())
    OS << ": " << C.Result.name();
  attributes(C);
  OS << ";\n";
}

void ModulePrinter::header(const Function &F) {
  OS << (F.InternalLinkage ? "static " : "") << (F.LanguageC ? "c " : "");
  switch (F.Kind) {
  case FunctionKind::Host:
    OS << "func ";
    break;
  case FunctionKind::Kernel:
    OS << "kernel ";
    break;
  case FunctionKind::Device:
    OS << "device ";
    break;
  }
  detail::printFunctionName(OS, F.Name);
}

void ModulePrinter::parameters(const Function &F, Printer &P) {
  OS << '(';
  for (size_t I = 0; I < F.Params.size(); ++I) {
    OS << (I ? ", " : "") << (F.Params[I].Implied ? "implied " : "");
    if (F.Params[I].Scalar)
      P.declare(*F.Params[I].Scalar);
    else
      P.declare(*F.Params[I].Buf);
  }
  OS << ')';
}

void ModulePrinter::function(const Function &F, const References &Refs) {
  Printer P(OS);
  for (const Var *V : Refs.Externals) {
    OS << "external ";
    P.declare(*V);
    OS << ";\n";
  }
  for (const Buffer *B : Refs.Globals) {
    OS << (B->Kind == BufferKind::Pointer ? "pointer " : "global ");
    P.declare(*B);
    OS << ";\n";
  }
  P.reserve(F);
  header(F);
  parameters(F, P);
  if (F.UsualBlock != std::array<int64_t, 3>{})
    OS << " blocks " << F.UsualBlock[0] << ", " << F.UsualBlock[1] << ", "
       << F.UsualBlock[2];
  if (F.InOrder)
    OS << " in order";
  if (!F.Result.isVoid())
    OS << ": " << F.Result.name();
  if (const Callee *C = CalleeOf.lookup(keyOf(F)))
    attributes(*C);
  if (!F.Requires.empty())
    P.required(F.Requires);
  OS << ' ';
  P.body(F.Body);
  OS << '\n';
}

void ModulePrinter::printOnce(const Function &F) {
  if (!Done.insert(keyOf(F)).second)
    return;
  References Refs;
  Refs.addFunction(F);
  Open.insert(keyOf(F));
  for (const Callee *C : Refs.Callees)
    if (!C->Definition || keyOf(*C->Definition) != keyOf(F))
      callee(*C);
  Open.erase(keyOf(F));
  if (Done.size() > 1)
    OS << '\n';
  function(F, Refs);
}

} // namespace

void detail::Printer::reserve(const Function &F) {
  for (const VarRef &V : F.LaunchDims)
    if (V)
      Names.get(*V);
}

void print(raw_ostream &OS, ArrayRef<FunctionRef> Functions) {
  ModulePrinter P(OS);
  for (const FunctionRef &F : Functions)
    P.list(*F);
  for (const FunctionRef &F : Functions)
    P.printOnce(*F);
}

void print(raw_ostream &OS, const Function &F) {
  ModulePrinter P(OS);
  P.list(F);
  P.printOnce(F);
}

void print(raw_ostream &OS, const StmtRef &S, unsigned Indent) {
  Printer(OS, Indent).stmt(S);
}

void print(raw_ostream &OS, const ExprRef &E) { Printer(OS).expr(E); }

std::string toString(const ExprRef &E) {
  std::string Out;
  raw_string_ostream OS(Out);
  print(OS, E);
  return Out;
}

std::string sourceText(const ExprRef &E) {
  std::string Out;
  raw_string_ostream OS(Out);
  Printer P(OS);
  P.printAsSource();
  P.exprAlone(E);
  return Out;
}

std::string toString(const StmtRef &S) {
  std::string Out;
  raw_string_ostream OS(Out);
  print(OS, S);
  return Out;
}

} // namespace raise
