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

/// How the kernels of a text run what they run.
struct DeviceUse {
  bool Points = false; ///< a thread for each point
  bool Shared = false; ///< threads share a point, or what they read
  bool Alone = false;  ///< one block, or one thread, runs loops
};

/// What a region of a function does, as a function of its own: F, whose body
/// runs where Tested holds. About: the comment above it.
struct DeviceForm {
  std::string Text;
  std::string Parameters; ///< "float *y, int n", without a launch's
  DeviceUse Use;
  Reason Why; ///< CR1813: there is no such text; unset if there is
};
/// Of a loop of a C++ function. All arrays that F names are handed in.
DeviceForm emitDeviceLoop(const Function &F, llvm::ArrayRef<Guard> Tested,
                          const Options &Opts, llvm::StringRef About);
/// Of a kernel, over its range: it takes a `cudaStream_t stream` first, before
/// that the launch if rangeNeedsLaunch(F).
DeviceForm emitDeviceRange(const Function &Kernel, llvm::StringRef Name,
                           const Options &Opts, llvm::StringRef About);

/// What Text, of such functions, calls and neither a header nor the text Has
/// has: to stand above it.
std::string deviceHelpers(llvm::StringRef Text, llvm::StringRef Has = "");

} // namespace raise

#endif // RAISE_EMIT_DEVICE_H
