//===- Output.cpp - writing files whole or not at all ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Output.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace raise {

namespace {

Error cannotWrite(StringRef Path, const Twine &Why) {
  return createStringError(inconvertibleErrorCode(),
                           "cannot write '" + Path + "': " + Why);
}

/// Target becomes the file that Path stands for, Old what is there now.
Error checkTarget(StringRef Path, SmallVectorImpl<char> &Target,
                  sys::fs::file_status &Old) {
  Target.assign(Path.begin(), Path.end());
  // Replacing a link by a file would detach what the link stood for.
  if (sys::fs::is_symlink_file(Path))
    if (std::error_code EC = sys::fs::real_path(Path, Target))
      return cannotWrite(Path, EC.message());
  if (sys::fs::status(Target, Old))
    return Error::success(); // nothing is there
  if (!sys::fs::is_regular_file(Old))
    return cannotWrite(Path, "it is not a regular file");
  if (!sys::fs::can_write(Target))
    return cannotWrite(Path, "permission denied");
  return Error::success();
}

Error writeTemporary(sys::fs::TempFile &File, StringRef Text) {
  raw_fd_ostream OS(File.FD, /*shouldClose=*/false);
  OS << Text;
  OS.flush();
  if (OS.has_error()) {
    std::error_code EC = OS.error();
    OS.clear_error();
    return errorCodeToError(EC);
  }
  return Error::success();
}

} // namespace

Expected<std::string> readWhole(StringRef Path) {
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!File)
    return createStringError(File.getError(), "cannot read '" + Path + "': " +
                                                  File.getError().message());
  return (*File)->getBuffer().str();
}

Error checkWritable(StringRef Path, bool MakeFolders) {
  SmallString<256> Target;
  sys::fs::file_status Old;
  if (Error E = checkTarget(Path, Target, Old))
    return E;
  SmallString<256> Folder(sys::path::parent_path(Target));
  if (Folder.empty())
    Folder = ".";
  if (!sys::fs::exists(Folder) && !MakeFolders)
    return cannotWrite(Path,
                       "there is no folder '" + Folder + "'; make it first");
  while (!sys::fs::exists(Folder)) {
    Folder.resize(sys::path::parent_path(Folder).size());
    if (Folder.empty())
      Folder = ".";
  }
  if (!sys::fs::is_directory(Folder))
    return cannotWrite(Path, "'" + Folder + "' is not a folder");
  if (sys::fs::access(Folder, sys::fs::AccessMode::Write))
    return cannotWrite(Path, "no permission to write in '" + Folder + "'");
  return Error::success();
}

Error writeWhole(StringRef Path, StringRef Text) {
  SmallString<256> Target;
  sys::fs::file_status Old;
  if (Error E = checkTarget(Path, Target, Old))
    return E;
  bool Exists = sys::fs::exists(Old);
  if (Exists) {
    Expected<std::string> Now = readWhole(Target);
    if (Now && *Now == Text)
      return Error::success();
    consumeError(Now.takeError());
  }
  StringRef Folder = sys::path::parent_path(Target);
  if (!Folder.empty())
    if (std::error_code EC = sys::fs::create_directories(Folder))
      return cannotWrite(Path, "no folder '" + Folder + "': " + EC.message());
  unsigned Mode = Exists ? unsigned(Old.permissions())
                         : unsigned(sys::fs::all_read | sys::fs::all_write);
  Expected<sys::fs::TempFile> File = sys::fs::TempFile::create(
      Twine(Target) + ".%%%%%%.tmp", Mode | sys::fs::owner_write);
  if (!File)
    return cannotWrite(Path, toString(File.takeError()));
  if (Error E = writeTemporary(*File, Text)) {
    consumeError(File->discard());
    return cannotWrite(Path, toString(std::move(E)));
  }
  // The creation mask may have dropped bits that the old file had.
  if (Exists)
    (void)sys::fs::setPermissions(File->TmpName, Old.permissions());
  if (Error E = File->keep(Target))
    return cannotWrite(Path, toString(std::move(E)));
  return Error::success();
}

std::string commonFolder(ArrayRef<std::string> Files) {
  if (Files.empty())
    return "";
  SmallString<256> Common(sys::path::parent_path(Files.front()));
  for (const std::string &F : Files.drop_front())
    while (!Common.empty() && Common != sys::path::root_path(Common)) {
      StringRef Rest = F;
      if (Rest.consume_front(Common) && Rest.starts_with("/"))
        break;
      Common.resize(sys::path::parent_path(Common).size());
    }
  return Common.str().str();
}

std::string mirroredPath(StringRef Source, StringRef Root, StringRef Out) {
  StringRef Below = Source;
  if (!Below.consume_front(Root))
    Below = sys::path::filename(Source);
  SmallString<256> Path(Out);
  sys::path::append(Path, Below.ltrim('/'));
  return Path.str().str();
}

} // namespace raise
