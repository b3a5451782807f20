//===- Output.h - writing files whole or not at all --------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_OUTPUT_H
#define RAISE_DRIVER_OUTPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace raise {

/// Whether writeWhole would have to fail, as far as can be told without
/// writing: what is there is no regular file, a folder is missing (with
/// MakeFolders: and could not be made), or permission is.
llvm::Error checkWritable(llvm::StringRef Path, bool MakeFolders);

/// Writes Text to Path through a temporary file in the same folder and a
/// rename; makes missing folders; keeps the permissions of a file that is
/// replaced (a new one gets those that the creation mask leaves) and follows a
/// symbolic link to the file that it names. Does not touch a file that already
/// holds Text. On an error nothing has changed.
llvm::Error writeWhole(llvm::StringRef Path, llvm::StringRef Text);

/// The whole of a file.
llvm::Expected<std::string> readWhole(llvm::StringRef Path);

/// The folder that all these absolute file paths have in common.
std::string commonFolder(llvm::ArrayRef<std::string> Files);

/// Source's place below Root, under folder Out.
std::string mirroredPath(llvm::StringRef Source, llvm::StringRef Root,
                         llvm::StringRef Out);

} // namespace raise

#endif // RAISE_DRIVER_OUTPUT_H
