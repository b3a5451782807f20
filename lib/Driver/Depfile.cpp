//===- Depfile.cpp - results and what they were made from -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Depfile.h"

using namespace llvm;

namespace raise {

/// As compilers write it (-MD): what make reads as one word.
static void addPath(std::string &Rule, StringRef Path) {
  for (size_t I = 0; I < Path.size(); ++I) {
    if (Path[I] == ' ') {
      // A backslash before a space must not hide it.
      for (size_t J = I; J > 0 && Path[J - 1] == '\\'; --J)
        Rule += '\\';
      Rule += '\\';
    } else if (Path[I] == '#') {
      Rule += '\\';
    } else if (Path[I] == '$') {
      Rule += '$';
    }
    Rule += Path[I];
  }
}

std::string makeRule(StringRef Target, ArrayRef<std::string> Inputs) {
  std::string Rule;
  addPath(Rule, Target);
  Rule += ':';
  for (const std::string &Input : Inputs) {
    Rule += " \\\n  ";
    addPath(Rule, Input);
  }
  Rule += '\n';
  return Rule;
}

} // namespace raise
