//===- FileFacts.cpp - what was read of the disk --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Frontend/FileFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <vector>

using namespace llvm;

namespace raise {

namespace {

std::string hashed(StringRef Kind, StringRef Text) {
  const MD5::MD5Result Hash = MD5::hash(
      ArrayRef(reinterpret_cast<const uint8_t *>(Text.data()), Text.size()));
  return (Kind + " " + Hash.digest()).str();
}

std::string factOfFolder(StringRef Folder) {
  std::vector<std::string> Names;
  std::error_code EC;
  for (sys::fs::directory_iterator I(Folder, EC), End; !EC && I != End;
       I.increment(EC))
    Names.push_back(sys::path::filename(I->path()).str());
  if (EC)
    return "absent";
  sort(Names);
  std::string All;
  for (const std::string &N : Names)
    All += N + '\0';
  return hashed("names", All);
}

/// Notes the content that its reader got.
class NotedFile : public vfs::File {
public:
  NotedFile(std::unique_ptr<vfs::File> Base, std::string &Fact)
      : Base(std::move(Base)), Fact(Fact) {}
  ErrorOr<vfs::Status> status() override { return Base->status(); }
  ErrorOr<std::string> getName() override { return Base->getName(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name,
                                                   int64_t FileSize,
                                                   bool RequiresNullTerminator,
                                                   bool IsVolatile) override {
    auto Buffer =
        Base->getBuffer(Name, FileSize, RequiresNullTerminator, IsVolatile);
    if (!Buffer)
      return Buffer;
    const std::string Now = factOfContent((*Buffer)->getBuffer());
    // What changed between two readings has no one content.
    Fact = Fact.empty() || Fact == Now ? Now : "changing";
    return Buffer;
  }
  std::error_code close() override { return Base->close(); }

private:
  std::unique_ptr<vfs::File> Base;
  std::string &Fact;
};

class NotingFileSystem : public vfs::ProxyFileSystem {
public:
  NotingFileSystem(IntrusiveRefCntPtr<vfs::FileSystem> Base, FileFacts &Facts)
      : ProxyFileSystem(std::move(Base)), Facts(Facts) {}

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    auto Status = getUnderlyingFS().status(Path);
    note(Path, Status);
    return Status;
  }
  bool exists(const Twine &Path) override {
    ErrorOr<vfs::Status> Status = status(Path);
    return Status && Status->exists();
  }
  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    auto File = getUnderlyingFS().openFileForRead(Path);
    if (!File) {
      note(Path, File.getError());
      return File;
    }
    // Empty until it is read.
    return std::make_unique<NotedFile>(std::move(*File), Facts[absolute(Path)]);
  }
  vfs::directory_iterator dir_begin(const Twine &Dir,
                                    std::error_code &EC) override {
    const std::string Folder = absolute(Dir);
    Facts[Folder + "/"] = factOfFolder(Folder);
    return getUnderlyingFS().dir_begin(Dir, EC);
  }

private:
  std::string absolute(const Twine &Path) const {
    SmallString<256> P;
    Path.toVector(P);
    (void)makeAbsolute(P);
    // `..` goes where links lead, so it stays; a slash at the end means names.
    const StringRef Name = StringRef(P).rtrim('/');
    return Name.empty() ? "/" : Name.str();
  }

  void note(const Twine &Path, const ErrorOr<vfs::Status> &Status) {
    std::string &Fact = Facts[absolute(Path)];
    if (!Fact.empty())
      return;
    if (!Status)
      Fact = "absent";
    else if (Status->isDirectory())
      Fact = "folder";
    else if (!Status->isRegularFile())
      Fact = "other";
    // What a file holds is noted when it is read.
  }

  FileFacts &Facts;
};

} // namespace

std::string factOfContent(StringRef Content) { return hashed("file", Content); }

std::string currentFact(StringRef Key) {
  if (Key.size() > 1 && Key.consume_back("/"))
    return factOfFolder(Key);
  sys::fs::file_status Status;
  if (sys::fs::status(Key, Status))
    return "absent";
  if (sys::fs::is_directory(Status))
    return "folder";
  if (!sys::fs::is_regular_file(Status))
    return "other";
  auto Buffer = MemoryBuffer::getFile(Key, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
  return Buffer ? factOfContent((*Buffer)->getBuffer()) : "absent";
}

IntrusiveRefCntPtr<vfs::FileSystem>
noteFacts(IntrusiveRefCntPtr<vfs::FileSystem> Base, FileFacts &Facts) {
  return makeIntrusiveRefCnt<NotingFileSystem>(std::move(Base), Facts);
}

} // namespace raise
