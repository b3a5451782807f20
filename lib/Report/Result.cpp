//===- Result.cpp - the outcome for one kernel or loop --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Report/Result.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace raise {

StringRef spelling(Construct C) {
  switch (C) {
  case Construct::Kernel:
    return "kernel";
  case Construct::Loop:
    return "loop";
  case Construct::Function:
    return "function";
  }
  llvm_unreachable("no such construct");
}

StringRef spelling(Status S) {
  switch (S) {
  case Status::Raised:
    return "raised";
  case Status::Partial:
    return "partial";
  case Status::Left:
    return "left";
  case Status::Failed:
    return "failed";
  }
  llvm_unreachable("no such status");
}

StringRef spelling(Verification V) {
  switch (V) {
  case Verification::None:
    return "none";
  case Verification::Passed:
    return "passed";
  case Verification::Failed:
    return "failed";
  case Verification::Inconclusive:
    return "inconclusive";
  }
  llvm_unreachable("no such verdict");
}

} // namespace raise
