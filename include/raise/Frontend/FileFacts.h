//===- FileFacts.h - what was read of the disk -------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All that parsing a source depends on: the content of each file, the names in
// each folder that was listed, and what was looked for and is not there (a new
// header in an earlier include folder changes what is included).
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_FRONTEND_FILEFACTS_H
#define RAISE_FRONTEND_FILEFACTS_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <string>

namespace raise {

/// By absolute path, what it was: "absent", "folder", "file <hash>", "other".
/// A key "<folder>/" stands for the names in the folder: "names <hash>".
using FileFacts = std::map<std::string, std::string>;

/// The fact about Key as it is now, in the words of FileFacts.
std::string currentFact(llvm::StringRef Key);

/// What a file with this content is.
std::string factOfContent(llvm::StringRef Content);

/// Base, with all that is asked of it noted in Facts, which must outlive the
/// result. A file is noted as it was read; that of one that nobody read is
/// empty.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
noteFacts(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base,
          FileFacts &Facts);

} // namespace raise

#endif // RAISE_FRONTEND_FILEFACTS_H
