//===- Device.h - functions over the memory of a device ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The CUDA dialect: a function whose arrays lie in the memory of a device, as
// kernels and a host function that launches them, in order, on the default
// stream. It does not wait for them. All pointers are the device's; what is
// passed by value is the host's.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_EMIT_DEVICE_H
#define RAISE_EMIT_DEVICE_H

#include "raise/Emit/Source.h"

namespace raise {

/// A function that no source holds (emitMadeFunction), and its general form if
/// it has one (emitGeneralForm). Where that cannot be written for a device, the
/// program ends where the tests fail. About: the comment above the function.
/// Apart: as for emitMadeFunction.
struct DeviceText {
  std::string Text;
  Reason Why; ///< CR1813: there is no such text; unset if there is
};
DeviceText emitDeviceFunction(const Function &F, const Options &Opts,
                              llvm::StringRef About = "",
                              BufferPairs Apart = {});

/// What Text, of such functions, calls and no header has: to stand above it.
std::string deviceHelpers(llvm::StringRef Text);

} // namespace raise

#endif // RAISE_EMIT_DEVICE_H
