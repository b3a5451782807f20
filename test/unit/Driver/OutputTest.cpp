//===- OutputTest.cpp - writing files whole or not at all -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Output.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace raise;
using testing::HasSubstr;

namespace {

class Output : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("output", Folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  std::string at(llvm::StringRef Name) {
    llvm::SmallString<128> P(Folder);
    llvm::sys::path::append(P, Name);
    return P.str().str();
  }
  static void write(const std::string &Path, llvm::StringRef Text) {
    if (llvm::Error E = writeWhole(Path, Text))
      ADD_FAILURE() << toString(std::move(E));
  }
  static std::string read(const std::string &Path) {
    auto T = readWhole(Path);
    return T ? *T : "error: " + toString(T.takeError());
  }
  unsigned count() {
    std::error_code EC;
    unsigned N = 0;
    for (llvm::sys::fs::directory_iterator I(Folder, EC), E; I != E && !EC;
         I.increment(EC))
      ++N;
    return N;
  }
  llvm::SmallString<128> Folder;
};

} // namespace

TEST_F(Output, MakesFoldersAndReplaces) {
  write(at("a/b/c.cpp"), "one");
  EXPECT_EQ(read(at("a/b/c.cpp")), "one");
  write(at("a/b/c.cpp"), "two");
  EXPECT_EQ(read(at("a/b/c.cpp")), "two");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Output, KeepsPermissions) {
  namespace fs = llvm::sys::fs;
  write(at("x"), "one");
  ASSERT_FALSE(
      fs::setPermissions(at("x"), fs::all_read | fs::all_write | fs::all_exe));
  write(at("x"), "two");
  EXPECT_EQ(*fs::getPermissions(at("x")),
            fs::all_read | fs::all_write | fs::all_exe);
}

TEST_F(Output, IsCheckedWithoutWriting) {
  auto Check = [&](const std::string &Path, bool MakeFolders) {
    llvm::Error E = checkWritable(Path, MakeFolders);
    return toString(std::move(E));
  };
  EXPECT_EQ(Check(at("new"), false), "");
  EXPECT_THAT(Check(at("a/b/new"), false), HasSubstr("there is no folder"));
  EXPECT_EQ(Check(at("a/b/new"), true), "");
  EXPECT_THAT(Check(Folder.str().str(), true), HasSubstr("not a regular file"));
  EXPECT_EQ(count(), 0u);
  write(at("file"), "text");
  EXPECT_EQ(Check(at("file"), false), "");
  EXPECT_THAT(Check(at("file/new"), true), HasSubstr("is not a folder"));
  EXPECT_EQ(read(at("file")), "text");
}

TEST_F(Output, FollowsALink) {
  write(at("real"), "one");
  ASSERT_FALSE(llvm::sys::fs::create_link(at("real"), at("link")));
  write(at("link"), "two");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(at("link")));
  EXPECT_EQ(read(at("real")), "two");
}

TEST_F(Output, FailureChangesNothing) {
  ASSERT_FALSE(llvm::sys::fs::create_directory(at("folder")));
  llvm::Error E = writeWhole(at("folder"), "text");
  EXPECT_THAT(toString(std::move(E)), HasSubstr("not a regular file"));
  write(at("file"), "text");
  llvm::Error F = writeWhole(at("file/below"), "text");
  EXPECT_THAT(toString(std::move(F)), HasSubstr("cannot write"));
  EXPECT_EQ(count(), 2u);
}

TEST(OutputPaths, Mirror) {
  EXPECT_EQ(commonFolder({"/a/b/c.c", "/a/b/d/e.c"}), "/a/b");
  EXPECT_EQ(commonFolder({"/a/b/c.c", "/a/bb/e.c"}), "/a");
  EXPECT_EQ(commonFolder({"/a/b/c.c"}), "/a/b");
  EXPECT_EQ(mirroredPath("/a/b/d/e.cu", "/a/b", "out"), "out/d/e.cu");
  EXPECT_EQ(mirroredPath("/a/b/e.c", "/a/b", "out"), "out/e.c");
}
