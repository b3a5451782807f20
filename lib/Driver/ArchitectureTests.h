//===- ArchitectureTests.h - code that asks for its device ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `#ifdef __CUDA_ARCH__` has one text for devices and one for the host. What is
// emitted runs on the host, where the macro is not defined: device code would
// silently do what was meant for the host.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_ARCHITECTURETESTS_H
#define RAISE_LIB_DRIVER_ARCHITECTURETESTS_H

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include <vector>

namespace raise {

class EditList;

class ArchitectureTests {
public:
  /// Skipped: the text that the preprocessor left out, from the directive that
  /// it hangs on to the one that ends it.
  ArchitectureTests(const clang::SourceManager &SM,
                    llvm::ArrayRef<clang::SourceRange> Skipped)
      : SM(SM), Skipped(Skipped) {}
  void addBody(const clang::FunctionDecl &FD, bool IsDevice);
  /// An error, CR1508, for each directive of the project's files that asks for
  /// __CUDA_ARCH__ in device code, and for each outside of functions that asks
  /// whether it is there. (Tests of its number there choose what an older
  /// device would get; a host function gets what it had.)
  void check(EditList &Edits) const;

private:
  struct Body {
    clang::FileID File;
    unsigned Begin, End;
    bool IsDevice;
  };
  const clang::SourceManager &SM;
  const llvm::ArrayRef<clang::SourceRange> Skipped;
  std::vector<Body> Bodies;

  const Body *around(clang::FileID File, unsigned At) const;
  bool isSkipped(clang::FileID File, unsigned At) const;
  void checkFile(clang::FileID File, EditList &Edits) const;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_ARCHITECTURETESTS_H
