//===- Progress.cpp - how far a run is ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Progress.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace raise {

namespace {

/// A name that is too long for a line would leave lines behind.
constexpr size_t LongestName = 40;

std::string shortName(StringRef Name) {
  std::string Short;
  for (char C :
       Name.size() > LongestName ? Name.take_back(LongestName - 3) : Name)
    Short += uint8_t(C) < 0x20 || C == 0x7F ? '?' : C;
  return Name.size() > LongestName ? "..." + Short : Short;
}

} // namespace

std::string progressText(size_t Done, size_t Total, size_t Running,
                         size_t Failed, double Seconds, StringRef Name) {
  std::string Text = formatv("[{0}/{1}] {2} running", Done, Total, Running);
  if (Failed)
    Text += formatv(", {0} failed", Failed);
  if (Done && Done < Total) {
    const auto Left = size_t(Seconds / double(Done) * double(Total - Done));
    Text += formatv(", {0}:{1}{2} left", Left / 60, Left % 60 < 10 ? "0" : "",
                    Left % 60);
  }
  return Text + ": " + shortName(Name);
}

void Progress::started(StringRef Name) {
  std::lock_guard<std::mutex> Lock(Mutex);
  ++Running;
  show(Name);
}

void Progress::finished(StringRef Name, bool IsFailure) {
  std::lock_guard<std::mutex> Lock(Mutex);
  --Running;
  ++Done;
  Failed += IsFailure;
  show(Name);
}

void Progress::show(StringRef Name) {
  if (!Shown)
    return;
  const std::chrono::duration<double> Since = Clock::now() - Begin;
  OS << "\r\x1b[K"
     << progressText(Done, Total, Running, Failed, Since.count(), Name);
  OS.flush();
}

} // namespace raise
