//===- Links.h - which text of a file came from which -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The statements of a source get numbers; each character of the source belongs
// to the innermost statement around it, and each character of the emitted text
// to those that the printer recorded for its line. What was printed is found
// again in the formatted text by all that formatting leaves as it is; where it
// is not, there are no links: never a wrong one.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_REPORT_LINKS_H
#define RAISE_LIB_REPORT_LINKS_H

#include "raise/Report/Review.h"

namespace raise {

/// For each character of a text a set of statements, by its place in Sets: 0 is
/// the empty one.
struct LinkMap {
  std::vector<std::vector<unsigned>> Sets{{}};
  std::vector<unsigned> Of;
  unsigned intern(std::vector<unsigned> Set);
};

/// Where one traced text lies in the emitted one: from its first to behind its
/// last character that is code.
struct Placed {
  size_t Begin = 0, End = 0;
  bool isFound() const { return Begin < End; }
};

class FileLinks {
public:
  explicit FileLinks(const ReviewFile &File);

  LinkMap Source, Emitted;
  /// As File.Functions[I].Emitted[K].
  std::vector<std::vector<Placed>> Places;
  /// The line of the source on which each statement begins, by its number.
  std::vector<unsigned> Lines{0};
  /// What a function became in the emitted text, from the line on which it
  /// begins; empty where it was not changed.
  Placed emittedOf(size_t Function) const;

private:
  void number();
  void place();
  void linkText(const TracedText &Text, size_t First,
                llvm::ArrayRef<size_t> At);
  std::vector<unsigned> statementsAt(const Origins &From) const;
  Placed inPlace(size_t Function) const;

  const ReviewFile &File;
};

} // namespace raise

#endif // RAISE_LIB_REPORT_LINKS_H
