//===- Rewrite.h - raised loops into the text of their file ------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. Decides whether the text of a raised loop can be
// replaced where it stands, replaces it by a marked block, and formats what was
// replaced in the project's own style.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_REWRITE_H
#define RAISE_LIB_DRIVER_REWRITE_H

#include "raise/Driver/Blocks.h"
#include "raise/IR/Context.h"
#include "raise/IR/Trace.h"
#include "llvm/Support/Error.h"

namespace clang {
class FunctionDecl;
class LangOptions;
} // namespace clang

namespace raise {

/// What the syntax tree says about editing inside one function.
struct EditSite {
  const clang::FunctionDecl *Decl = nullptr;
  const clang::LangOptions *Lang = nullptr;
};
EditSite editSite(const clang::FunctionDecl &FD);

/// Why the text of R cannot be replaced where it stands; unset if it can.
Reason whyNotEditable(const Region &R, const EditSite &Site,
                      llvm::StringRef Source, llvm::StringRef SourcePath,
                      llvm::ArrayRef<MarkedBlock> Blocks);

/// Where the text begins that R replaces: with the author's directive, if one
/// stays on its loop. R's own place if that directive is not the line before.
unsigned textBegin(const Region &R, llvm::StringRef Source);

/// Why a directive of this text, which a loop of R keeps, cannot stand on the
/// loop that is written; unset if it can.
Reason whyNotKept(llvm::StringRef Directive, const Region &R,
                  const Options &Opts);

/// One replacement of source text, not yet formatted.
struct Edit {
  unsigned Begin = 0, End = 0;
  std::string Text;
  /// The lines of the function around it, which are formatted on their own;
  /// everything where they are not known.
  unsigned From = 0, To = UINT_MAX;
  TracedText Traced; ///< where there is a TraceScope
};

/// The marked block for R in F, with the comments of what it replaces.
Edit makeEdit(const Region &R, const Function &F, const EditSite &Site,
              llvm::StringRef Source, llvm::StringRef Id, const Options &Opts);

/// The marked block Body, whole lines, in the place of R.
Edit makeEdit(const Region &R, const EditSite &Site, llvm::StringRef Source,
              llvm::StringRef Id, llvm::StringRef Body);

/// Adds Line, a statement, to the end of E's block.
void addToBlock(Edit &E, llvm::StringRef Line);

/// Whether Name stands in Source as a word of its own.
bool hasWord(llvm::StringRef Source, llvm::StringRef Name);

/// Whether code in Text has Name as a word, and not only its comments.
bool namesIt(llvm::StringRef Text, llvm::StringRef Name);

/// Source with Edits (in order, disjoint) applied, the edited lines formatted
/// in the style that the project's .clang-format sets for the file at Path
/// (where there is none, in the one usual in Source), and the blocks sealed.
llvm::Expected<std::string> applyEdits(llvm::StringRef Source,
                                       llvm::ArrayRef<Edit> Edits,
                                       llvm::StringRef Path);

/// New with the lines that are not Old's formatted in the style of the file at
/// Path, which holds Source. Other lines keep their text.
llvm::Expected<std::string> formatChanged(llvm::StringRef Old,
                                          llvm::StringRef New,
                                          llvm::StringRef Source,
                                          llvm::StringRef Path);

/// Ids for new blocks of one file: `name:1`, `name:2`, ... that no block of the
/// file has.
class BlockNames {
public:
  explicit BlockNames(llvm::ArrayRef<MarkedBlock> Blocks);
  std::string next(llvm::StringRef FunctionName);

private:
  std::vector<std::string> Used;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_REWRITE_H
