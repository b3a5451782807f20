//===- main.cpp - clang-raise ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Run.h"
#include "raise/Frontend/Parse.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

int main(int Argc, const char **Argv) {
  llvm::InitLLVM Init(Argc, Argv);
  llvm::setBugReportMsg(
      "clang-raise stopped by an error of its own; please report it "
      "with the source and the command line.\n");
  for (llvm::raw_fd_ostream *OS :
       {&llvm::outs(), static_cast<llvm::raw_fd_ostream *>(&llvm::errs())})
    OS->enable_colors(OS->has_colors());
  llvm::SmallVector<llvm::StringRef> Arguments(Argv + 1, Argv + Argc);
  // Any address of the program's does. NOLINTBEGIN(performance-no-int-to-ptr)
  std::string Headers = raise::shippedHeaders(
      Argv[0], reinterpret_cast<void *>(reinterpret_cast<intptr_t>(&main)));
  // NOLINTEND(performance-no-int-to-ptr)
  int Status = raise::runTool(Arguments, Headers, llvm::outs(), llvm::errs());
  llvm::outs().flush();
  if (!llvm::outs().has_error()) {
    // What a crash has left behind cannot be cleaned up.
    if (raise::survivedCrash()) {
      llvm::errs().flush();
      std::_Exit(Status);
    }
    return Status;
  }
  llvm::errs() << "clang-raise: error: cannot write to standard output: "
               << llvm::outs().error().message() << '\n';
  llvm::outs().clear_error();
  return 2;
}
