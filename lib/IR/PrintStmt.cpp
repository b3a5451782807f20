//===- PrintStmt.cpp - statements as text ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PrinterInternal.h"
#include "TextInternal.h"
#include "raise/IR/Fact.h"

using namespace llvm;

namespace raise::detail {

void Printer::body(const StmtRef &S) {
  OS << "{\n";
  Indent += 2;
  for (const StmtRef &Child : statements(S))
    stmt(Child);
  Indent -= 2;
  line() << '}';
}

void Printer::fact(const Decl &D) {
  line() << (isExtent(D) ? "extent " : "assume ");
  quoted(saysOf(D).str());
  OS << ' ';
  if (isExtent(D)) {
    name(*D.V->Base);
    OS << " = ";
  }
  expr(D.Init);
  OS << ";\n";
}

void Printer::decl(const Decl &D) {
  if (asFact(D))
    return fact(D);
  line() << (D.V->Kind == VarKind::Cursor ? "cursor " : "let ");
  declare(*D.V);
  if (D.Init) {
    OS << " = ";
    expr(D.Init);
  }
  OS << ";\n";
}

void Printer::declBuffer(const DeclBuffer &D) {
  line() << (D.B->PerWarp                      ? "shared warp "
             : D.B->Kind == BufferKind::Shared ? "shared "
             : D.B->Lies == ArrayHome::Heap    ? "heap "
             : D.B->Lies == ArrayHome::Growing ? "tape "
                                               : "array ");
  declare(*D.B);
  if (!D.Init.empty()) {
    OS << " = {";
    list(D.Init);
    OS << '}';
  }
  OS << ";\n";
}

void Printer::forLoop(const For &F) {
  line() << loopWord(F.LKind) << (F.LKind == LoopKind::Serial ? "" : " ")
         << "for (";
  if (!F.DeclaresVar) {
    name(*F.V);
  } else {
    OS << (F.V->Kind == VarKind::Cursor ? "cursor " : "");
    declare(*F.V);
  }
  OS << " = ";
  expr(F.Lo);
  OS << "; ";
  name(*F.V);
  OS << ' ' << spelling(F.Cond) << ' ';
  expr(F.Hi);
  OS << "; ";
  name(*F.V);
  OS << " += ";
  expr(F.Step);
  OS << ") ";
  body(F.Body);
  OS << '\n';
}

void Printer::whileLoop(const While &W) {
  line() << (W.TestFirst ? "" : "do ");
  if (!W.TestFirst) {
    body(W.Body);
    OS << ' ';
  }
  OS << "while (";
  expr(W.Cond);
  OS << ')';
  if (!W.Why.empty()) {
    OS << " why ";
    quoted(W.Why);
  }
  if (W.TestFirst) {
    OS << ' ';
    body(W.Body);
    OS << '\n';
  } else {
    OS << ";\n";
  }
}

void Printer::ifElse(const If &I) {
  OS << "if (";
  expr(I.Cond);
  OS << ") ";
  body(I.Then);
  if (!I.Else) {
    OS << '\n';
    return;
  }
  OS << " else ";
  if (const auto *Chained = dyn_cast<If>(I.Else.get()))
    return ifElse(*Chained);
  body(I.Else);
  OS << '\n';
}

void Printer::opaque(const Opaque &O) {
  line() << "opaque ";
  quoted(O.Text);
  OS << ' ';
  quoted(O.Code);
  OS << ' ';
  quoted(O.Why);
  OS << (O.NoReturn ? " noreturn" : "");
  const auto List = [&](const char *What, const std::vector<VarRef> &Vars) {
    for (size_t I = 0; I < Vars.size(); ++I) {
      OS << (I ? std::string(", ") : " " + std::string(What) + " (");
      name(*Vars[I]);
    }
    OS << (Vars.empty() ? "" : ")");
  };
  List("touches", O.Touches);
  List("keeps", O.Keeps);
  if (O.Pure)
    pureCall(*O.Pure);
  OS << ";\n";
}

void Printer::pureCall(const PureCall &C) {
  OS << (C.ReadsMemory ? " pure " : " const ") << (C.MayThrow ? "throws " : "");
  name(*C.Result);
  OS << " = ";
  quoted(C.Name);
  OS << '(';
  for (size_t I = 0; I < C.Args.size(); ++I) {
    OS << (I ? ", " : "");
    if (C.Args[I].Base) {
      OS << "at ";
      name(*C.Args[I].Base);
      OS << ' ';
    }
    expr(C.Args[I].Value);
  }
  OS << ')';
}

static bool isOne(const ExprRef &E) {
  const auto *C = dyn_cast<IntConst>(E.get());
  return C && C->Value == 1;
}

void Printer::tensorOp(const TensorOp &T) {
  line() << "tensor ";
  if (!T.OpKind.empty()) {
    quoted(T.OpKind);
    OS << ' ';
  }
  OS << '(';
  for (size_t I = 0; I < T.Iterators.size(); ++I) {
    const Iterator &It = T.Iterators[I];
    OS << (I ? ", " : "");
    name(*It.V);
    OS << ": " << iterWord(It.Kind) << ' ';
    expr(It.Lo);
    OS << " .. ";
    expr(It.Hi);
    if (!isOne(It.Step)) {
      OS << " step ";
      expr(It.Step);
    }
  }
  OS << ") ";
  if (T.Mask) {
    OS << "where (";
    expr(T.Mask);
    OS << ") ";
  }
  body(T.Body);
  OS << '\n';
}

void Printer::range(const ElementRange &R) {
  name(*R.Buf);
  OS << ": ";
  expr(R.Lo);
  OS << " .. ";
  expr(R.Hi);
  OS << (R.MayUnderflow ? " underflow" : "");
}

void Printer::guard(const Guard &G) {
  line() << "guard ";
  if (G.Cond) {
    OS << '(';
    expr(G.Cond);
  } else {
    OS << "disjoint (";
    range(G.A);
    OS << ", ";
    range(G.B);
  }
  OS << ") ";
  quoted(G.Why);
  OS << '\n';
}

void Printer::required(ArrayRef<Guard> Guards) {
  OS << " requires {\n";
  Indent += 2;
  for (const Guard &G : Guards)
    guard(G);
  Indent -= 2;
  line() << "}";
}

void Printer::region(const Region &R) {
  line() << "region {\n";
  Indent += 2;
  for (const std::string &Fact : R.Rests.Proved) {
    line() << "proved ";
    quoted(Fact);
    OS << '\n';
  }
  for (const std::string &Assumption : R.Rests.Assumptions) {
    line() << "assume ";
    quoted(Assumption);
    OS << '\n';
  }
  for (const KeptOrder &Kept : R.Rests.Ordered) {
    line() << "ordered ";
    quoted(Kept.Why);
    OS << '\n';
  }
  if (R.Rests.Inspection) {
    line() << "inspect ";
    body(R.Rests.Inspection);
    OS << '\n';
  }
  for (const std::string &Name : R.Rests.Hoisted) {
    line() << "hoisted ";
    quoted(Name);
    OS << '\n';
  }
  if (R.Rests.Regrouped)
    line() << "regrouped\n";
  for (const Guard &G : R.Rests.Guards)
    guard(G);
  if (R.Rests.Means) {
    line() << "means ";
    body(R.Rests.Means);
    OS << '\n';
  }
  line() << "body ";
  body(R.Body);
  OS << '\n';
  line() << "original ";
  body(R.Original);
  OS << '\n';
  Indent -= 2;
  line() << "}\n";
}

void Printer::stmt(const StmtRef &S) {
  switch (S->Kind) {
  case StmtKind::Block:
    line();
    body(S);
    OS << '\n';
    return;
  case StmtKind::Decl:
    return decl(*cast<Decl>(S.get()));
  case StmtKind::DeclBuffer:
    return declBuffer(*cast<DeclBuffer>(S.get()));
  case StmtKind::Assign: {
    const auto *A = cast<Assign>(S.get());
    line();
    name(*A->V);
    OS << ' ' << spelling(A->Op) << ' ';
    expr(A->Value);
    OS << ";\n";
    return;
  }
  case StmtKind::Store: {
    const auto *St = cast<Store>(S.get());
    line() << (St->Atomic ? "atomic " : "");
    access(St->To);
    OS << ' ' << spelling(St->Op) << ' ';
    expr(St->Value);
    OS << ";\n";
    return;
  }
  case StmtKind::For:
    return forLoop(*cast<For>(S.get()));
  case StmtKind::While:
    return whileLoop(*cast<While>(S.get()));
  case StmtKind::If:
    line();
    return ifElse(*cast<If>(S.get()));
  case StmtKind::Barrier:
    line() << (cast<Barrier>(S.get())->OfWarp ? "barrier warp;\n"
                                              : "barrier;\n");
    return;
  case StmtKind::Return:
    line() << "return";
    if (const ExprRef &Value = cast<Return>(S.get())->Value) {
      OS << ' ';
      expr(Value);
    }
    OS << ";\n";
    return;
  case StmtKind::Break:
    line() << "break;\n";
    return;
  case StmtKind::Continue:
    line() << "continue;\n";
    return;
  case StmtKind::Opaque:
    return opaque(*cast<Opaque>(S.get()));
  case StmtKind::TensorOp:
    return tensorOp(*cast<TensorOp>(S.get()));
  case StmtKind::Region:
    return region(*cast<Region>(S.get()));
  }
}

} // namespace raise::detail
