//===- Make.h - jobs for the tests of verification --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TEST_UNIT_VERIFY_MAKE_H
#define RAISE_TEST_UNIT_VERIFY_MAKE_H

#include "raise/IR/Text.h"
#include "raise/Verify/Discovery.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

namespace raise::testing {

inline FunctionRef parseOne(llvm::StringRef Text) {
  auto Fs = parseIR(Text, "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError());
    return nullptr;
  }
  return Fs->back();
}

/// A folder that is removed at the end.
struct WorkFolder {
  llvm::SmallString<128> Path;
  WorkFolder() {
    if (llvm::sys::fs::createUniqueDirectory("raise-verify", Path))
      ADD_FAILURE() << "no folder for the test";
  }
  ~WorkFolder() { llvm::sys::fs::remove_directories(Path); }
  std::string write(llvm::StringRef Name, llvm::StringRef Text) {
    llvm::SmallString<128> P(Path);
    llvm::sys::path::append(P, Name);
    std::error_code EC;
    llvm::raw_fd_ostream OS(P, EC);
    OS << Text;
    return std::string(P);
  }
};

struct Pair {
  std::string IR, Original, Emitted, Entry;
  std::vector<std::string> Flags = {"-std=c++17", "-O1"};
  bool Kernel = false, C = false;
  FPMode FP = FPMode::Reduce;
  std::string Raised = ""; ///< IR
};

inline VerifyResult verifyPair(const Pair &P) {
  WorkFolder Dir;
  VerifyJob J;
  J.Original = parseOne(P.IR);
  if (!P.Raised.empty())
    J.Raised = parseOne(P.Raised);
  J.OriginalFile = Dir.write("in.cpp", P.Original);
  J.EmittedFile = Dir.write("out.cpp", P.Emitted);
  J.Entry = P.Entry;
  J.CompileFlags = P.Flags;
  J.IsKernel = P.Kernel;
  J.LanguageC = P.C;
  J.FP = P.FP;
  J.TimeoutSeconds = 2;
  if (P.C)
    J.Compiler = "clang-19";
  return verifyFile({J}, RAISE_RUNTIME_DIR, Dir.Path)[0];
}

} // namespace raise::testing

#endif // RAISE_TEST_UNIT_VERIFY_MAKE_H
