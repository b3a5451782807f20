//===- EigenCode.h - the Eigen form of operations as lines ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_EIGENCODE_H
#define RAISE_LIB_EMIT_EIGENCODE_H

#include "EigenOp.h"

namespace raise::eigen {

/// Operations that stand after one another, with their views before them.
class Group {
public:
  /// Known: what was declared before them.
  Group(const Place &Where, Views &Known) : Where(Where), V(Known) {}
  /// Adds the iterators of T from Level on. False, and nothing happens, where
  /// that has no such form, or is run under another test than what is here.
  bool add(const TensorOp &T, size_t Level = 0);
  bool empty() const { return Statements.empty(); }
  const std::string &test() const { return Test; }
  /// New views, then statements; without the test.
  std::vector<std::string> take();

private:
  Place Where;
  Views &V;
  std::vector<const TensorOp *> Operations;
  std::string Test;
  std::vector<std::string> Statements;
};

/// The test of R's body, where that is one operation with such a form.
std::optional<std::string> testOf(const Region &R, const Place &Where,
                                  const Names &N);

/// S, where regions that test nothing and are nothing but expressions, as
/// Where's dialect writes them, are their operations: among what stands around
/// them in F these share views. N: the names of what F declares.
StmtRef withoutFrames(const StmtRef &S, const Function &F, const Place &Where,
                      const Names &N);

/// Whether a line is the declaration of a view.
bool declaresView(llvm::StringRef Line);

} // namespace raise::eigen

#endif // RAISE_LIB_EMIT_EIGENCODE_H
