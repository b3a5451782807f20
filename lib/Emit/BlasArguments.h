//===- BlasArguments.h - what calls of BLAS are made of ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_BLASARGUMENTS_H
#define RAISE_LIB_EMIT_BLASARGUMENTS_H

#include "EigenOp.h"
#include "llvm/ADT/StringExtras.h"

namespace raise::eigen {

/// How an argument lies in memory.
struct Operation::Stored {
  std::string Pointer, Step;
  bool Turned = false; ///< its columns are what lies beside each other
};

/// What all calls have.
struct Operation::BlasCall {
  const Product &Is;
  llvm::ArrayRef<std::string> N; ///< of points, for each iterator
  std::string Name, Alpha, Beta;

  const std::string &rows() const { return N[*Is.Of.Row]; }
  const std::string &columns() const { return N[*Is.Of.Column]; }
  const std::string &summed() const { return N[*Is.Of.Summed]; }
  /// To Lines, `name(First,` and Second below it.
  void addTo(std::vector<std::string> &Lines, llvm::StringRef Of,
             llvm::ArrayRef<std::string> First,
             llvm::ArrayRef<std::string> Second) const {
    const std::string Head = Name + Of.str() + "(";
    Lines.push_back(Head + llvm::join(First, ", ") + ",");
    Lines.push_back(std::string(Head.size(), ' ') + llvm::join(Second, ", ") +
                    ");");
  }
};

inline std::string turned(bool Is) {
  return Is ? "CblasTrans" : "CblasNoTrans";
}

} // namespace raise::eigen

#endif // RAISE_LIB_EMIT_BLASARGUMENTS_H
