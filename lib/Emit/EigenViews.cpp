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

/// What the names end with that a differentiation makes of others: `_adj`,
/// `_tape2`.
static StringRef endingOf(StringRef Name) {
  const StringRef Whole = Name;
  Name = Name.rtrim("0123456789");
  for (StringRef Ending : {"_adj", "_tan", "_tape"})
    if (Name.ends_with(Ending))
      return Whole.drop_front(Name.size() - Ending.size());
  return "";
}

/// A name for all elements of what Name is one pointer to: `xs` for x, `xs_adj`
/// for x_adj.
static std::string collective(const Buffer &B, bool TwoDimensional) {
  std::string Name = asIdentifier(subscripted(B));
  while (!Name.empty() && Name.back() == '_')
    Name.pop_back();
  if (TwoDimensional)
    return Name + "_mat";
  const std::string Ending = endingOf(Name).str();
  StringRef One = StringRef(Name).drop_back(Ending.size());
  if (StringRef(Ending).starts_with("_tape")) // `tape.x_tape`
    One.consume_front("tape_");
  if (One.empty() || !isAlpha(One.back()) || toLower(One.back()) == 's')
    return Name + "_vec";
  return One.str() + "s" + Ending;
}

/// Whether no store changes where B is.
static bool staysPut(const Buffer &B) {
  return B.Kind != BufferKind::Pointer || B.Home == PointerHome::Fixed ||
         B.Home == PointerHome::Variable;
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
    if (same(D.V, V) &&
        (!D.Taken || (staysPut(*V.Buf) && (D.Written || !Written)))) {
      D.Written |= Written;
      return D.Name;
    }
  typeOf(V); // its alias gets its name first
  std::string Name = N.fresh(collective(*V.Buf, V.TwoDimensional));
  Known.Views.push_back({V, Name, Written});
  return Name;
}

static std::string declaration(const View &V, StringRef Type, bool Written,
                               StringRef Name) {
  const bool Fixed =
      !V.Stride.empty() && all_of(V.Stride, [](char C) { return isDigit(C); });
  std::string Stride, Value;
  if (!V.Stride.empty())
    Stride = std::string(V.TwoDimensional ? "Eigen::OuterStride<"
                                          : "Eigen::InnerStride<") +
             (Fixed ? V.Stride : "") + ">";
  if (!Stride.empty() && !Fixed)
    Value = ", " + Stride + "(" + V.Stride + ")";
  return ("Eigen::Map<" + Twine(Written ? "" : "const ") + Type +
          (Stride.empty() ? "" : ", 0, " + Stride) + "> " + Name + "(" +
          V.Pointer + ", " + join(V.Sizes, ", ") + Value + ");")
      .str();
}

std::vector<std::string> Views::take() {
  std::vector<std::string> Lines;
  for (; Known.TakenAliases < Known.Aliases.size(); ++Known.TakenAliases) {
    auto &[Type, Name] = Known.Aliases[Known.TakenAliases];
    Lines.push_back("using " + Name + " = " + Type + ";");
  }
  for (Declared &D : Known.Views) {
    if (D.Taken)
      continue;
    Lines.push_back(declaration(D.V, typeOf(D.V), D.Written, D.Name));
    D.Taken = true;
  }
  return Lines;
}

bool names(StringRef Text, StringRef Name) {
  auto InWord = [](char C) { return isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != StringRef::npos;
       At = Text.find(Name, At + 1))
    if ((At == 0 || !InWord(Text[At - 1])) &&
        (At + Name.size() == Text.size() || !InWord(Text[At + Name.size()])))
      return true;
  return false;
}

void Views::forget(StringRef Variable) {
  erase_if(Known.Views, [&](const Declared &D) {
    return names(D.V.Pointer, Variable) || names(D.V.Stride, Variable) ||
           any_of(D.V.Sizes,
                  [&](const std::string &S) { return names(S, Variable); });
  });
}

} // namespace raise::eigen
