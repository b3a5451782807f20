//===- EigenViews.cpp - buffers as arrays and matrices of Eigen -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EigenViews.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise::eigen {

/// The type's own spelling, as the buffer's declaration has it.
std::string Views::elementOf(const Buffer &B) const {
  StringRef Text = B.Elem.Spelling;
  if (!Text.empty())
    return Text.str();
  if (B.Elem.isInt() && B.Elem.Bits == 64) {
    std::string Pointer = pointerType(B);
    Text = StringRef(Pointer).rtrim(" *");
    Text.consume_front("const ");
    return Text.str();
  }
  return P.typeOf(B.Elem);
}

bool Views::canView(const Buffer &B) {
  const Type &T = B.Elem;
  if (T.isFloat())
    return T.Bits == 32 || T.Bits == 64;
  // Which of the types of 64 bits it is, only a declaration tells.
  if (T.isInt() && T.Bits == 64)
    return !T.Spelling.empty() || StringRef(B.TypeSpelling).contains('*');
  return T.isInt() || (T.isBool() && !B.Container);
}

/// What Eigen calls arrays of such elements: the f of ArrayXf.
static std::string suffixOf(StringRef Element) {
  return Element == "float"    ? "f"
         : Element == "double" ? "d"
         : Element == "int"    ? "i"
                               : "";
}

std::string Views::typeOf(const View &V) {
  const std::string Element = elementOf(*V.Buf), Suffix = suffixOf(Element);
  const bool IsArray = V.Kind == Algebra::Array;
  if (!V.TwoDimensional) {
    std::string Name = IsArray ? "Eigen::ArrayX" : "Eigen::VectorX";
    return Suffix.empty() ? Name + "<" + Element + ">" : Name + Suffix;
  }
  const std::string Type = (IsArray ? "Eigen::Array<" : "Eigen::Matrix<") +
                           Element +
                           ", Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>";
  for (auto &[Of, Name] : Known.Aliases)
    if (Of == Type)
      return Name;
  std::string Name =
      N.fresh((IsArray ? "RowArray" : "RowMatrix") +
              (Suffix.empty() ? "_" + asIdentifier(Element) : Suffix));
  Known.Aliases.push_back({Type, Name});
  return Name;
}

/// A name for all elements of what Name is one pointer to.
static std::string collective(const Buffer &B, bool TwoDimensional) {
  std::string Name = asIdentifier(subscripted(B));
  while (!Name.empty() && Name.back() == '_')
    Name.pop_back();
  if (TwoDimensional)
    return Name + "_mat";
  if (Name.empty() || !isAlpha(Name.back()))
    return Name + "_vec";
  return Name + (toLower(Name.back()) == 's' ? "_vec" : "s");
}

static bool same(const View &A, const View &B) {
  return A.Buf == B.Buf && A.Kind == B.Kind &&
         A.TwoDimensional == B.TwoDimensional && A.Pointer == B.Pointer &&
         A.Sizes == B.Sizes && A.Stride == B.Stride;
}

Views::State Views::keep() const { return {Known, N}; }

void Views::restore(const State &S) {
  Known = S.Known;
  N = S.N;
}

std::string Views::name(const View &V, bool Written) {
  for (Declared &D : Known.Views)
    if (same(D.V, V)) {
      D.Written |= Written;
      return D.Name;
    }
  typeOf(V); // its alias gets its name first
  std::string Name = N.fresh(collective(*V.Buf, V.TwoDimensional));
  Known.Views.push_back({V, Name, Written});
  return Name;
}

std::vector<std::string> Views::lines() const {
  std::vector<std::string> Lines;
  for (auto &[Type, Name] : Known.Aliases)
    Lines.push_back("using " + Name + " = " + Type + ";");
  for (const Declared &D : Known.Views) {
    const View &V = D.V;
    const bool Fixed = !V.Stride.empty() &&
                       all_of(V.Stride, [](char C) { return isDigit(C); });
    const std::string Kind =
        V.TwoDimensional ? "Eigen::OuterStride<" : "Eigen::InnerStride<";
    std::string Stride, Value;
    if (!V.Stride.empty())
      Stride = Kind + (Fixed ? V.Stride : "") + ">";
    if (!Stride.empty() && !Fixed)
      Value = ", " + Stride + "(" + V.Stride + ")";
    // Aliases are known by now.
    Lines.push_back("Eigen::Map<" + std::string(D.Written ? "" : "const ") +
                    const_cast<Views *>(this)->typeOf(V) +
                    (Stride.empty() ? "" : ", 0, " + Stride) + "> " + D.Name +
                    "(" + V.Pointer + ", " + join(V.Sizes, ", ") + Value +
                    ");");
  }
  return Lines;
}

} // namespace raise::eigen
