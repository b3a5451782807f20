//===- AccessPrinter.cpp - elements of buffers and cursors as C text ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CType.h"
#include "ExprPrinter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

namespace {

/// A term of a sum with its sign.
struct Term {
  ExprRef E;
  bool Minus = false;
};

/// The terms of a 64-bit sum, in order. Sums in a narrower type stay whole:
/// their overflow is their own.
void collectTerms(const ExprRef &E, bool Minus, std::vector<Term> &Terms) {
  auto *B = dyn_cast<Binary>(E.get());
  if (B && E->Ty.Bits == 64 &&
      (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub)) {
    collectTerms(B->L, Minus, Terms);
    collectTerms(B->R, Minus != (B->Op == BinaryOp::Sub), Terms);
    return;
  }
  Terms.push_back({E, Minus});
}

ExprRef sumOf(ArrayRef<Term> Terms) {
  ExprRef Sum;
  for (const Term &T : Terms) {
    if (!Sum)
      Sum = T.Minus ? std::make_shared<Unary>(UnaryOp::Neg, T.E, T.E->Ty) : T.E;
    else
      Sum = std::make_shared<Binary>(T.Minus ? BinaryOp::Sub : BinaryOp::Add,
                                     Sum, T.E, Sum->Ty);
  }
  return Sum;
}

bool isZero(const ExprRef &E) {
  auto *C = dyn_cast<IntConst>(withoutImplicitCasts(E).get());
  return C && C->Value == 0;
}

} // namespace

CursorSplit splitCursor(const ExprRef &Index, const Buffer *Base) {
  std::vector<Term> Terms;
  collectTerms(Index, false, Terms);
  auto It = find_if(Terms, [&](const Term &T) {
    auto *U = dyn_cast<VarUse>(T.E.get());
    return U && !T.Minus && U->V->Kind == VarKind::Cursor &&
           U->V->Base.get() == Base;
  });
  if (It == Terms.end())
    return {};
  VarRef Cursor = cast<VarUse>(It->E.get())->V;
  Terms.erase(It);
  erase_if(Terms, [](const Term &T) { return isZero(T.E); });
  return {Cursor, sumOf(Terms)};
}

ExprRef flatIndex(const Access &A, bool Wide) {
  if (!A.isView())
    return A.Indices[0];
  auto Cast = [](const ExprRef &E, const Type &T) { return build::cast(E, T); };
  ExprRef Flat = A.Indices[0];
  if (Wide)
    Flat = Cast(Flat, Type::getI64());
  for (size_t K = 0; K < A.Extents.size(); ++K) {
    ExprRef Extent = A.Extents[K], Next = A.Indices[K + 1];
    Type T = usualArithmetic(usualArithmetic(Flat->Ty, Extent->Ty), Next->Ty);
    // Horner's first product is with a digit that is often constant zero; the
    // builder folds it only where the extent is constant, too.
    Flat = isZero(Flat) ? Cast(Next, T)
                        : build::add(build::mul(Cast(Flat, T), Cast(Extent, T)),
                                     Cast(Next, T));
  }
  return Flat;
}

std::string ExprPrinter::subscript(const ExprRef &Index) const {
  Printed P = value(Index);
  // gcc warns of subscripts that are plain char, which is signed here.
  if (P.Ty.isInt() && P.Ty.Bits == 8 && P.Ty.Signed)
    return "(int)" + parenthesised(P, Prec::Unary);
  return P.Text;
}

std::string ExprPrinter::flat(const Access &A) const {
  auto Wide = WideIndex.find(A.Buf.get());
  ExprRef Index = flatIndex(A, Wide != WideIndex.end() && Wide->second);
  CursorSplit Split = splitCursor(Index, A.Buf.get());
  std::string Base =
      Split.Cursor ? Name.of(Split.Cursor.get()) : subscripted(*A.Buf).str();
  ExprRef Rest = Split.Cursor ? Split.Rest : Index;
  bool IsContainer = !Split.Cursor && (A.Buf->Container || Base != A.Buf->Name);
  bool First = !IsContainer && Rest && isZero(Rest) &&
               (Split.Cursor || !A.Field.empty() || Single.count(A.Buf.get()));
  if (Rest && !First)
    return Base + "[" + subscript(Rest) + "]" +
           (A.Field.empty() ? "" : "." + A.Field);
  return A.Field.empty() ? "*" + Base : Base + "->" + A.Field;
}

/// `p[i].a[j]`
std::string ExprPrinter::memberAccess(const Access &A) const {
  const size_t Own = A.Buf->Owner->rank();
  const Access Of{A.Buf->Owner,
                  {A.Indices.begin(), A.Indices.begin() + Own},
                  {},
                  A.Buf->OwnerField};
  std::string Text = access(Of);
  for (const ExprRef &I : ArrayRef(A.Indices).drop_front(Own))
    Text += "[" + subscript(I) + "]";
  return A.Field.empty() ? Text : Text + "." + A.Field;
}

std::string ExprPrinter::access(const Access &A) const {
  if (A.Buf->EachElement)
    return memberAccess(A);
  if (A.Buf->Reference)
    return A.Field.empty() ? A.Buf->Name : A.Buf->Name + "." + A.Field;
  if (A.isView() || A.Buf->rank() == 1)
    return flat(A);
  std::string Text = A.Buf->Name;
  for (const ExprRef &I : A.Indices)
    Text += "[" + subscript(I) + "]";
  return A.Field.empty() ? Text : Text + "." + A.Field;
}

std::string ExprPrinter::pointerText(const Buffer &B) const {
  const bool IsVector =
      B.Container ||
      (B.Kind == BufferKind::Local && B.Lies != ArrayHome::Automatic &&
       !LanguageC && !Name.Pointers.contains(&B));
  return B.Name + (IsVector ? ".data()" : "");
}

std::string ExprPrinter::pointer(const Buffer &Base,
                                 const ExprRef &Offset) const {
  std::vector<Term> Terms;
  collectTerms(Offset, false, Terms);
  std::string Text = pointerText(Base);
  for (auto It = Terms.begin(); It != Terms.end(); ++It) {
    auto *U = dyn_cast<VarUse>(It->E.get());
    if (U && !It->Minus && U->V->Kind == VarKind::Cursor &&
        U->V->Base.get() == &Base) {
      Text = Name.of(U->V.get());
      Terms.erase(It);
      break;
    }
  }
  for (const Term &T : Terms)
    if (!isZero(T.E))
      Text +=
          (T.Minus ? " - " : " + ") + parenthesised(value(T.E), Prec::Product);
  return Text;
}

std::string pointerType(const Buffer &Base) {
  if (!Base.Elem.Spelling.empty())
    return (Base.Const ? "const " : "") + Base.Elem.Spelling + " *";
  StringRef Spelling = Base.TypeSpelling;
  size_t Star = Spelling.rfind('*');
  bool FunctionLike = Spelling.contains('(');
  if (Star != StringRef::npos && !FunctionLike)
    return Spelling.substr(0, Star + 1).str();
  size_t Bracket = Spelling.find('[');
  if (Bracket != StringRef::npos && !FunctionLike && Star == StringRef::npos)
    return Spelling.substr(0, Bracket).rtrim().str() + " *";
  return (Base.Const ? "const " : "") + typeName(Base.Elem, false) + " *";
}

} // namespace raise
