//===- Drawing.cpp - a nest and what orders its iterations ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Drawing.h"
#include "Html.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace llvm;

namespace raise {

namespace {

constexpr int Columns = 7, Rows = 4, Gap = 44, Left = 54, Top = 44;

/// The iterations of the loop that carries lie from left to right. What else
/// there is of the nest lies from top to bottom: a loop around it, of which
/// each iteration is a row; or one inside, which each column holds whole.
class Drawing {
public:
  Drawing(ArrayRef<NestLoop> Nest, const Conflict &Meets)
      : Meets(Meets), Carries(*find_if(Nest, IsCarrier)) {
    const auto At = find_if(Nest, IsCarrier);
    if (At != Nest.begin())
      Across = &*std::prev(At);
    else if (std::next(At) != Nest.end())
      Across = &*std::next(At);
    IsInside = Across && Across > &*At;
  }

  std::string run() {
    const int Height = Top + (Across ? Rows - 1 : 0) * Gap + 44;
    const int Width = Left + (Columns - 1) * Gap + 60;
    Out = formatv("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                  "role=\"img\" aria-label=\"{2}\">\n",
                  Width, Height, html::escape(label()))
              .str();
    if (IsInside)
      columns();
    dots();
    if (IsInside || !Across)
      arrows(0);
    else
      for (int R = 0; R < Rows; ++R)
        arrows(R);
    axes(Width, Height);
    return Out + "</svg>\n";
  }

private:
  static bool IsCarrier(const NestLoop &L) { return L.Carries; }
  static int x(int Column) { return Left + Column * Gap; }
  static int y(int Row) { return Top + Row * Gap; }
  int rows() const { return Across ? Rows : 1; }

  /// How far an arrow goes; what is not known is drawn as a step.
  int step() const {
    const int64_t D = Meets.Distance.value_or(1);
    return int(std::min<int64_t>(std::llabs(D), 4));
  }

  std::string label() const {
    return "Iterations of " + Carries.Variable +
           " from left to right; arrows to those that must come later.";
  }

  void columns() {
    for (int C = 0; C < Columns; ++C)
      Out += formatv("<rect class=\"column\" x=\"{0}\" y=\"{1}\" width=\"24\" "
                     "height=\"{2}\" rx=\"12\"/>\n",
                     x(C) - 12, y(0) - 12, (rows() - 1) * Gap + 24);
  }

  void dots() {
    for (int R = 0; R < rows(); ++R)
      for (int C = 0; C < Columns; ++C)
        Out += formatv("<circle class=\"dot\" cx=\"{0}\" cy=\"{1}\" "
                       "r=\"5\"/>\n",
                       x(C), y(R));
  }

  void arrows(int Row) {
    const int D = std::max(step(), 1);
    const char *Kind = Meets.Distance ? "arrow" : "arrow unknown";
    for (int C = 0; C + D < Columns; ++C) {
      // From dot to dot, or from column to column.
      const int X1 = x(C) + 5, X2 = x(C + D) - 5,
                Y = y(Row) - (IsInside ? 14 : 5), Bow = 8 + 5 * D;
      Out += formatv("<path class=\"{0}\" d=\"M{1} {2} Q{3} {4} {5} {2}\"/>\n",
                     Kind, X1, Y, (X1 + X2) / 2, Y - Bow, X2);
      Out += formatv("<path class=\"head\" d=\"M{0} {1} l-7 -2 l4 -5 z\"/>\n",
                     X2 + 1, Y + 1);
    }
  }

  void axes(int Width, int Height) {
    Out += formatv("<text class=\"axis\" x=\"{0}\" y=\"{1}\">{2} →</text>\n",
                   x(0) - 4, Height - 10, html::escape(Carries.Variable));
    Out += formatv("<text class=\"axis more\" x=\"{0}\" y=\"{1}\">…</text>\n",
                   Width - 34, y(0) + 4);
    if (Across)
      Out += formatv("<text class=\"axis\" x=\"12\" y=\"{0}\">{1} ↓</text>\n",
                     y(0) + 5, html::escape(Across->Variable));
  }

  const Conflict &Meets;
  const NestLoop &Carries;
  const NestLoop *Across = nullptr;
  bool IsInside = false;
  std::string Out;
};

std::string codeOf(StringRef Text) {
  return "<code>" + html::escape(Text) + "</code>";
}

std::string caption(const Conflict &M, StringRef Variable) {
  std::string Text = "Each dot is an iteration of the nest. ";
  const std::string Later = M.OtherWrites ? "writes " : "reads ";
  if (!M.Distance)
    return Text + "Some iteration of " + codeOf(Variable) + " writes " +
           codeOf(M.Write) + " and another one " + Later + codeOf(M.Other) +
           ", which is or may be the same element: how far apart they are is "
           "not fixed.";
  const int64_t D = std::llabs(*M.Distance);
  const std::string Steps = std::to_string(D) +
                            (D == 1 ? " iteration" : " iterations") + " of " +
                            codeOf(Variable);
  if (*M.Distance < 0)
    return Text + "An arrow goes from one that " + Later + codeOf(M.Other) +
           " to the one, " + Steps +
           " later, that writes the same element as " + codeOf(M.Write) + ".";
  return Text + "An arrow goes from one that writes " + codeOf(M.Write) +
         " to the one, " + Steps + " later, that " + Later +
         "the same element as " + codeOf(M.Other) + ".";
}

} // namespace

std::string drawNest(const ReviewDetail &Detail) {
  const ArrayRef<NestLoop> Nest = Detail.Nest;
  const auto Carrier =
      find_if(Nest, [](const NestLoop &L) { return L.Carries; });
  if (Carrier == Nest.end() || !Detail.Meets)
    return "";
  std::string Text = "<figure class=\"nest\">\n<pre class=\"heads\">";
  for (size_t I = 0; I < Nest.size(); ++I) {
    const NestLoop &L = Nest[I];
    const std::string Head =
        "for " + L.Variable + " = " + L.First + ";  " + L.Test;
    Text += std::string(2 * I, ' ') +
            (L.Carries ? "<strong>" + html::escape(Head) +
                             "</strong>  ← its iterations meet"
                       : html::escape(Head)) +
            "\n";
  }
  return Text + "</pre>\n" + Drawing(Nest, *Detail.Meets).run() +
         "<figcaption>" + caption(*Detail.Meets, Carrier->Variable) +
         "</figcaption>\n</figure>\n";
}

} // namespace raise
