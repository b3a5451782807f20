//===- Figure.h - what a test found on one input ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_FIGURE_H
#define RAISE_IR_FIGURE_H

#include <cstdint>
#include <string>

namespace raise {

/// Of one input of a verification that passed.
struct Figure {
  std::string Input;     ///< "n = 33, inc = 2"
  uint64_t Compared = 0; ///< values, or slopes of a derivative
  /// The largest difference: |x - y| relative to the larger of |x|, |y| and the
  /// largest input; of slopes, to 1 + |slope| + |value|. 0: the same bits.
  double Largest = 0;
};

} // namespace raise

#endif // RAISE_IR_FIGURE_H
