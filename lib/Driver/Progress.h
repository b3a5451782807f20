//===- Progress.h - how far a run is ------------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_PROGRESS_H
#define RAISE_LIB_DRIVER_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <mutex>

namespace raise {

/// One line of a terminal that is written again and again:
///   [12/340] 2 running, 1 failed, 3:05 left: src/a.c
/// and is gone at the end. May be told from several threads.
class Progress {
public:
  using Clock = std::chrono::steady_clock;

  Progress(llvm::raw_ostream &OS, size_t Total, bool Shown)
      : OS(OS), Total(Total), Shown(Shown), Begin(Clock::now()) {}
  ~Progress() {
    if (Shown)
      OS << "\r\x1b[K";
  }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void started(llvm::StringRef Name);
  void finished(llvm::StringRef Name, bool IsFailure);

private:
  void show(llvm::StringRef Name);

  llvm::raw_ostream &OS;
  const size_t Total;
  const bool Shown;
  const Clock::time_point Begin;
  std::mutex Mutex;
  size_t Running = 0, Done = 0, Failed = 0;
};

/// What the line says; Seconds is the time since the run began.
std::string progressText(size_t Done, size_t Total, size_t Running,
                         size_t Failed, double Seconds, llvm::StringRef Name);

} // namespace raise

#endif // RAISE_LIB_DRIVER_PROGRESS_H
