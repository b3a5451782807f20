//===- Notes.h - what comments in a source tell the tool --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Comments of the form `// clang-raise: ...` are notes to the tool: `off` and
// `on` around what is to stay as it is; `assume(condition)` and
// `extent(pointer, elements)` directly before a loop or the definition of a
// function, where they hold. A note that means nothing is an error at its
// place, never a comment like another one.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_FRONTEND_NOTES_H
#define RAISE_FRONTEND_NOTES_H

#include "raise/IR/Context.h"
#include "clang/Basic/SourceLocation.h"
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class Preprocessor;
class Stmt;
class ValueDecl;
} // namespace clang

namespace raise {

/// An expression over integers, as a note spells it.
struct NoteTerm {
  enum class TermKind { Number, Name, Negative, Not, Operation };
  TermKind Kind = TermKind::Number;
  unsigned At = 0; ///< offset of the text that it was read from
  std::string Name;
  int64_t Value = 0;
  bool Unsigned = false; ///< of a number: it has an `u` behind it
  bool Long = false;     ///< of a number: 64 bits
  BinaryOp Op = BinaryOp::Add;
  std::vector<NoteTerm> Parts;
};

/// One thing that a comment says.
struct Note {
  enum class NoteKind { Off, On, Assume, Extent };
  NoteKind Kind = NoteKind::Off;
  unsigned At = 0;     ///< offset of its first word
  std::string Says;    ///< `n % 4 == 0`; of an extent: `p has n * m elements`
  std::string Pointer; ///< of an extent
  unsigned PointerAt = 0;
  NoteTerm Term; ///< the condition, or the number of elements
};

struct NoteError {
  unsigned At = 0;
  std::string Text;
};

/// The notes of Comment, which begins with its `//` or `/*` and need not be
/// one: none then. Nothing is said of marks of emitted blocks. Offsets count
/// from Comment's beginning.
std::vector<Note> parseNotes(llvm::StringRef Comment,
                             std::optional<NoteError> &Error);

/// The notes of one source.
class SourceNotes {
public:
  /// A condition or an extent that holds where a loop or a function begins.
  struct Fact {
    Note What;
    SourceLoc Loc; ///< of the note
    bool OfFunction = false;
  };
  /// Text that is left as it is; Line is that of its `off`.
  struct OffRange {
    unsigned Begin = 0, End = 0, Line = 0;
  };

  /// Those of File, which stands in the unit once. Blocks are its ranges of
  /// emitted text, whose comments are no notes. Errors gets one entry for each
  /// wrong note.
  SourceNotes(clang::ASTContext &AST, const clang::Preprocessor &PP,
              clang::FileID File,
              llvm::ArrayRef<std::pair<size_t, size_t>> Blocks,
              std::vector<Reason> &Errors);

  clang::FileID file() const { return File; }

  /// The range that holds the offset; null for none.
  const OffRange *offAt(unsigned Offset) const;
  /// One that shares text with [Begin, End); null for none.
  const OffRange *offIn(unsigned Begin, unsigned End) const;
  /// What holds where the loop or the function begins whose text begins there.
  llvm::ArrayRef<Fact> factsOf(unsigned Begin, bool OfFunction) const;
  bool empty() const { return Off.empty() && Facts.empty(); }

private:
  clang::FileID File;
  std::vector<OffRange> Off;
  std::map<std::pair<unsigned, bool>, std::vector<Fact>> Facts;
};

/// The variable of that name which S, a statement of FD (null: FD's body),
/// sees; null if there is none among FD's parameters and local variables.
const clang::ValueDecl *findVariable(const clang::FunctionDecl &FD,
                                     const clang::Stmt *S,
                                     llvm::StringRef Name);

/// Where a function's text begins: with `template` or `extern "C"`, if it does.
unsigned textBegin(const clang::FunctionDecl &FD);

} // namespace raise

#endif // RAISE_FRONTEND_NOTES_H
