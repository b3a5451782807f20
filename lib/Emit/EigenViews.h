//===- EigenViews.h - buffers as arrays and matrices of Eigen ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is declared before the expressions: an Eigen::Map for each part of a
// buffer that they name. Operations that follow one another share views.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_EIGENVIEWS_H
#define RAISE_LIB_EMIT_EIGENVIEWS_H

#include "EigenIndex.h"

namespace raise::eigen {

/// Whether Text has Name as a word.
bool names(llvm::StringRef Text, llvm::StringRef Name);

/// Whether `*` of what is viewed is that of elements or of matrices.
enum class Algebra { Array, Matrix };

/// A Map as it is declared.
struct View {
  BufferRef Buf;
  Algebra Kind = Algebra::Array;
  bool TwoDimensional = false;
  std::string Pointer;
  std::vector<std::string> Sizes; ///< rows and columns, or elements
  std::string Stride; ///< between rows, or elements; empty: there is no gap
};

class Views {
public:
  Views(Names &N, const ExprPrinter &P) : N(N), P(P) {}
  /// What was declared so far, and the same again.
  struct State;
  State keep() const;
  void restore(const State &S);
  /// The name of V, which is declared now if no view like it was.
  std::string name(const View &V, bool Written);
  /// The declarations that were not taken yet, which hold from now on.
  std::vector<std::string> take();
  /// Leaves out views that are made of a variable of this name: it changes.
  void forget(llvm::StringRef Variable);
  /// Whether elements of B can be named as Eigen's scalars.
  static bool canView(const Buffer &B);

private:
  struct Declared {
    View V;
    std::string Name;
    bool Written;
    bool Taken = false;
  };
  struct Lists {
    std::vector<Declared> Views;
    /// Of types: what each stands for, and its name.
    std::vector<std::pair<std::string, std::string>> Aliases;
    size_t TakenAliases = 0;
  };
  std::string typeOf(const View &V);
  std::string elementOf(const Buffer &B) const;

  Names &N;
  const ExprPrinter &P;
  Lists Known;
};

struct Views::State {
  Lists Known;
  Names N;
};

} // namespace raise::eigen

#endif // RAISE_LIB_EMIT_EIGENVIEWS_H
