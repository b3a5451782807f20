//===- PrintExpr.cpp - expressions and declarations as text ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IRInternal.h"
#include "PrinterInternal.h"
#include "TextInternal.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace llvm;

namespace raise::detail {

static std::string written(StringRef Name) {
  if (isPlainName(Name) && !isReservedWord(Name))
    return Name.str();
  return "`" + escape(Name) + "`";
}

StringRef NameTable::get(const void *Id, StringRef Name) {
  std::string &Entry = Names[Id];
  if (!Entry.empty())
    return Entry;
  // A number that is already there would be lost in reading the text again.
  const std::string Base = withoutSuffix(Name).str();
  std::string Unique = Base;
  for (unsigned N = 1; !Taken.insert(Unique).second; ++N)
    Unique = Base + "." + std::to_string(N);
  return Entry = written(Unique);
}

void printFunctionName(raw_ostream &OS, StringRef Name) {
  if (isPlainFunctionName(Name))
    OS << '@' << Name;
  else
    OS << "@\"" << escape(Name) << '"';
}

void Printer::quoted(StringRef Text) { OS << '"' << escape(Text) << '"'; }

void Printer::list(ArrayRef<ExprRef> Exprs) {
  for (size_t I = 0; I < Exprs.size(); ++I) {
    OS << (I ? ", " : "");
    exprAlone(Exprs[I]);
  }
}

void Printer::exprAlone(const ExprRef &E) {
  if (const auto *U = AsSource ? dyn_cast<VarUse>(E.get()) : nullptr)
    OS << said(*U->V, /*Alone=*/true);
  else
    expr(E);
}

std::string said(const Var &V, bool Alone) {
  if (V.Says.empty())
    return V.Name;
  const bool Whole = Alone || V.Says.find(' ') == std::string::npos;
  return Whole ? V.Says : "(" + V.Says + ")";
}

/// The pointer into B that is a term of E, and in Rest the other terms; null
/// if there is none.
static const Var *takeCursor(const ExprRef &E, const Buffer *B, ExprRef &Rest) {
  if (const auto *U = dyn_cast<VarUse>(E.get())) {
    bool IsCursor = U->V->Kind == VarKind::Cursor && U->V->Base.get() == B;
    return IsCursor ? U->V.get() : nullptr;
  }
  const auto *Sum = dyn_cast<Binary>(E.get());
  if (!Sum || Sum->Op != BinaryOp::Add)
    return nullptr;
  for (bool Left : {true, false}) {
    ExprRef Inner;
    const ExprRef &Other = Left ? Sum->R : Sum->L;
    if (const Var *V = takeCursor(Left ? Sum->L : Sum->R, B, Inner)) {
      Rest = !Inner ? Other
             : Left ? build::add(Inner, Other)
                    : build::add(Other, Inner);
      return V;
    }
  }
  return nullptr;
}

void Printer::access(const Access &A) {
  if (AsSource && A.Buf->EachElement && !A.isView() &&
      A.Indices.size() >= A.Buf->Owner->rank()) {
    const auto Own = A.Indices.begin() + A.Buf->Owner->rank();
    access({A.Buf->Owner, {A.Indices.begin(), Own}, {}, A.Buf->OwnerField});
    for (auto I = Own; I != A.Indices.end(); ++I) {
      OS << '[';
      exprAlone(*I);
      OS << ']';
    }
    OS << (A.Field.empty() ? "" : "." + A.Field);
    return;
  }
  ExprRef Rest;
  if (const Var *V = AsSource && !A.isView() && A.Indices.size() == 1
                         ? takeCursor(A.Indices[0], A.Buf.get(), Rest)
                         : nullptr) {
    OS << (Rest || !A.Field.empty() ? "" : "*") << said(*V, /*Alone=*/false);
    if (Rest) {
      OS << '[';
      exprAlone(Rest);
      OS << ']';
    }
    OS << (A.Field.empty() ? "" : Rest ? "." : "->") << A.Field;
    return;
  }
  // A container's element is named by the container.
  if (StringRef Of = A.Buf->Name; AsSource && Of.consume_back(".data()"))
    OS << Of;
  else
    name(*A.Buf);
  if (AsSource && A.Buf->Reference) {
    OS << (A.Field.empty() ? "" : "." + A.Field);
    return;
  }
  const auto *First =
      A.Indices.size() == 1 ? dyn_cast<IntConst>(A.Indices[0].get()) : nullptr;
  if (AsSource && First && First->Value == 0 && !A.Field.empty()) {
    OS << "->" << A.Field;
    return;
  }
  if (A.isView()) {
    OS << '{';
    list(A.Extents);
    OS << '}';
  }
  if (AsSource && !A.isView() && !A.Indices.empty()) {
    for (const ExprRef &I : A.Indices) {
      OS << '[';
      exprAlone(I);
      OS << ']';
    }
  } else {
    OS << '[';
    list(A.Indices);
    OS << ']';
  }
  if (!A.Field.empty())
    OS << '.' << (isPlainName(A.Field) ? A.Field : written(A.Field));
}

void Printer::intConst(const IntConst &C) {
  if (C.Ty.isBool()) {
    OS << (C.Value ? "true" : "false");
    return;
  }
  if (C.Ty.Signed)
    OS << C.Value;
  else
    OS << static_cast<uint64_t>(C.Value);
  if (C.Ty != Type::getI32() && !AsSource)
    OS << ':' << C.Ty.name();
}

/// The fewest digits that read back as the same value of that type.
static std::string digits(double Magnitude, const Type &Ty) {
  std::string Text;
  for (int Precision = 1; Precision <= 17; ++Precision) {
    raw_string_ostream(Text = "") << format("%.*g", Precision, Magnitude);
    std::optional<double> Back = parseFloat(Text, Ty);
    if (Back && *Back == Magnitude)
      break;
  }
  if (Text.find_first_of(".e") == std::string::npos)
    Text += ".0";
  return Text;
}

void Printer::floatConst(const FloatConst &C) {
  if (std::isnan(C.Value)) {
    OS << "nan:" << C.Ty.name();
    return;
  }
  if (std::signbit(C.Value))
    OS << '-';
  if (std::isinf(C.Value)) {
    OS << "inf:" << C.Ty.name();
    return;
  }
  OS << digits(std::fabs(C.Value), C.Ty);
  if (C.Ty != Type::getFloat(64) && !AsSource)
    OS << ':' << C.Ty.name();
}

/// `-1` is a constant, `-(1)` the negation of one.
void Printer::unary(const Unary &U) {
  OS << spelling(U.Op);
  const bool IsConstant =
      isa<IntConst>(U.Operand.get()) || isa<FloatConst>(U.Operand.get());
  if (U.Op != UnaryOp::Neg || !IsConstant)
    return expr(U.Operand, 12);
  OS << '(';
  expr(U.Operand);
  OS << ')';
}

void Printer::call(const Call &C) {
  printFunctionName(OS, C.Fn->Name);
  OS << '(';
  list(C.Args);
  OS << ')';
}

static unsigned precedenceOf(const Expr &E) {
  if (const auto *B = dyn_cast<Binary>(&E))
    return precedence(B->Op);
  return isa<Select>(E) ? 1 : isa<Unary>(E) ? 12 : 13;
}

void Printer::compound(const Expr &E) {
  if (const auto *B = dyn_cast<Binary>(&E)) {
    expr(B->L, precedence(B->Op));
    OS << ' ' << spelling(B->Op) << ' ';
    return expr(B->R, precedence(B->Op) + 1);
  }
  if (const auto *U = dyn_cast<Unary>(&E))
    return unary(*U);
  const auto &S = cast<Select>(E);
  expr(S.Cond, 2);
  OS << " ? ";
  expr(S.True);
  OS << " : ";
  expr(S.False, 1);
}

void Printer::sourceCast(const Cast &C, unsigned MinPrecedence) {
  if (C.Implicit)
    return expr(C.Operand, MinPrecedence);
  OS << '(' << C.Ty.cName() << ')';
  expr(C.Operand, 12);
}

void Printer::expr(const ExprRef &E, unsigned MinPrecedence) {
  switch (E->Kind) {
  case ExprKind::IntConst:
    return intConst(*cast<IntConst>(E.get()));
  case ExprKind::FloatConst:
    return floatConst(*cast<FloatConst>(E.get()));
  case ExprKind::VarUse:
    return name(*cast<VarUse>(E.get())->V);
  case ExprKind::Load: {
    const Access &From = cast<Load>(E.get())->From;
    access(From);
    if (E->Ty != From.Buf->Elem && !AsSource)
      OS << ':' << E->Ty.name();
    return;
  }
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Select: {
    const bool Parens = precedenceOf(*E) < MinPrecedence;
    OS << (Parens ? "(" : "");
    compound(*E);
    OS << (Parens ? ")" : "");
    return;
  }
  case ExprKind::Cast:
    if (AsSource)
      return sourceCast(*cast<Cast>(E.get()), MinPrecedence);
    OS << (cast<Cast>(E.get())->Implicit ? "icast<" : "cast<") << E->Ty.name()
       << ">(";
    expr(cast<Cast>(E.get())->Operand);
    OS << ')';
    return;
  case ExprKind::Call:
    return call(*cast<Call>(E.get()));
  case ExprKind::NonNull:
    OS << (AsSource ? "" : "nonnull(");
    name(*cast<NonNull>(E.get())->Buf);
    OS << (AsSource ? "" : ")");
    return;
  }
}

void Printer::declare(const Var &V) {
  name(V);
  OS << ": " << (V.Const ? "const " : "");
  if (V.Kind == VarKind::Cursor)
    name(*V.Base);
  else
    OS << V.Ty.name();
  if (V.Most)
    OS << " upto " << *V.Most;
}

/// `f32*` is a pointer; `f32[n]`, `f32[][m]` and, for arrays that are no
/// parameters, `f32[4, m]` have declared extents.
void Printer::declare(const Buffer &B) {
  name(B);
  OS << ": " << (B.Const ? "const " : "") << B.Elem.name();
  const bool IsParam =
      B.Kind == BufferKind::Param || B.Kind == BufferKind::Pointer;
  if (B.Reference) {
    OS << '&';
  } else if (IsParam && B.rank() == 1 && !B.Extents[0]) {
    OS << '*';
  } else {
    OS << '[';
    for (size_t I = 0; I < B.Extents.size(); ++I) {
      OS << (I == 0 ? "" : IsParam ? "][" : ", ");
      if (B.Extents[I])
        expr(B.Extents[I]);
    }
    OS << ']';
  }
  OS << (B.Restrict ? " restrict" : "") << (B.Volatile ? " volatile" : "");
  static const char *const Homes[] = {"", " inlocal", " inglobal", " inmemory"};
  OS << Homes[unsigned(B.Home)];
  if (B.Fresh)
    OS << " fresh " << B.Fresh;
  if (B.Apart)
    OS << " apart " << B.Apart;
  if (B.Owned)
    OS << " owned";
  if (B.Container)
    OS << " container";
  if (B.Kind == BufferKind::Param && B.Owner &&
      B.Owner->Kind == BufferKind::Param) {
    OS << " member "
       << (isPlainName(B.OwnerField) ? B.OwnerField : written(B.OwnerField))
       << (B.EachElement ? " of each " : " of ");
    name(*B.Owner);
  }
}

} // namespace raise::detail
