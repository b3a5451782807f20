//===- Check.h - what the tests of the shipped headers share -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#ifndef TEST_SIMT_CHECK_H
#define TEST_SIMT_CHECK_H

#include <cstdio>

inline int Failures = 0;

#define CHECK(Condition)                                                                                               \
  do {                                                                                                                 \
    if (!(Condition)) {                                                                                                \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #Condition);                                                      \
      ++Failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

/// Defines the launcher of a kernel whose body is Name##_thread, as the emitter writes it.
#define KERNEL(Name, Parameters, Arguments)                                                                            \
  static void Name Parameters {                                                                                        \
    if (!raise::beginLaunch(grid, block))                                                                              \
      return;                                                                                                          \
    raise_simt::launch(grid, block, raise::launchSharedBytes(), [&] { Name##_thread Arguments; }, #Name);             \
  }

#endif // TEST_SIMT_CHECK_H
