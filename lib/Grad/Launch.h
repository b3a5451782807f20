//===- Launch.h - what the threads of a launch do ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The threads of a launch run in no order, and none reads what another one
// writes other than by atomic updates. So the derivative of a launch is the
// derivative of each thread by itself: in reverse, a thread's forward sweep and
// its reverse sweep stand in one iteration, and nothing is kept between them
// but what one thread needs. What it adds to adjoints of memory that others
// read as well is added atomically.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_LAUNCH_H
#define RAISE_LIB_GRAD_LAUNCH_H

#include "raise/IR/Function.h"
#include <functional>
#include <optional>
#include <set>

namespace raise::grad {

/// Makes of a function its derivative, which takes more parameters.
using Differentiate = std::function<FunctionRef(const FunctionRef &)>;

/// The derivative of a kernel, of which Of makes that of what one thread does
/// (a function of the thread's indices as well). A Region, whose original is
/// for all launches, where those that cover a plain range can be told by it;
/// Used is for the name of that form. Sums: into derivatives they are atomic.
FunctionRef ofLaunch(const FunctionRef &Kernel, const Differentiate &Of,
                     bool Sums, const std::set<std::string> &Used);

/// Of the region that ofLaunch's result ends in, if it does, the tests and what
/// one thread runs over the plain range of the launch. Null if there is none,
/// or if what is to be done there hangs on the launch's shape.
struct RangeOfLaunch {
  Obligations Rests;
  FunctionRef F; ///< Kernel as a host function of the same parameters
};
std::optional<RangeOfLaunch> rangeOfLaunch(const FunctionRef &Kernel);

/// A name for the general form of Made that is not used.
std::string generalName(const Function &Made,
                        const std::set<std::string> &Used);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_LAUNCH_H
