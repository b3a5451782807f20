//===- GradientRequest.h - one derivative that is asked for ------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_GRADIENTREQUEST_H
#define RAISE_DRIVER_GRADIENTREQUEST_H

#include <string>
#include <vector>

namespace raise {

/// The derivative of one function: what `grad --function=<name>` asks for with
/// its options, or one entry of `gradients` in `.clang-raise`.
struct GradientRequest {
  std::string Function;             ///< as --function names it
  std::vector<std::string> Wrt, Of; ///< empty: defaults
  bool Forward = false;             ///< tangents; else adjoints
  bool Split = false;               ///< adjoints as two functions
  unsigned Directions = 1;          ///< tangents at once
  /// `file:line:column` of the entry; empty for the command line.
  std::string Place;

  /// The same but for the name and the place.
  bool asksTheSameAs(const GradientRequest &O) const {
    return Wrt == O.Wrt && Of == O.Of && Forward == O.Forward &&
           Split == O.Split && Directions == O.Directions;
  }
};

} // namespace raise

#endif // RAISE_DRIVER_GRADIENTREQUEST_H
