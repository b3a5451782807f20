//===- Blocks.h - marked blocks in a source ----------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is emitted in place lies between two comments:
//
//   // clang-raise: <id> <hash>
//   // clang-raise: end
//
// so that a later run leaves it as it is, and can tell whether a person changed
// it. The hash covers the text between but for white space and the line breaks
// of comments: formatting a file is not an edit.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_BLOCKS_H
#define RAISE_DRIVER_BLOCKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace raise {

struct MarkedBlock {
  std::string Id;
  unsigned Line = 0, Column = 0; ///< of the first marker, 1-based
  size_t Begin = 0, End = 0;     ///< offsets, from the first marker's `//` to
                                 ///< the end of the last marker
  std::string FirstLine; ///< of the text between, a comment's `//` dropped
  bool Edited = false;   ///< the hash does not match
};

/// All marked blocks of a text, in order. A comment that only resembles a
/// marker is none. An error, `<line>: <text>`, names the line of a first marker
/// without its partner.
llvm::Expected<std::vector<MarkedBlock>> findBlocks(llvm::StringRef Text);

/// Where each of them begins and ends.
std::vector<std::pair<size_t, size_t>>
rangesOf(llvm::ArrayRef<MarkedBlock> Blocks);

/// The block that holds [Begin, End), or null.
const MarkedBlock *blockAround(llvm::ArrayRef<MarkedBlock> Blocks, size_t Begin,
                               size_t End);

/// Markers around Body whose hash is left open until sealBlocks: the text is to
/// be formatted first.
std::string openBlock(llvm::StringRef Id, llvm::StringRef Body);

/// Fills in the hash of each block of Text that openBlock made.
void sealBlocks(std::string &Text);

/// Markers around Body, with a line break before the end marker.
std::string markBlock(llvm::StringRef Id, llvm::StringRef Body);

} // namespace raise

#endif // RAISE_DRIVER_BLOCKS_H
