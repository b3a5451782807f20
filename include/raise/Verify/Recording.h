//===- Recording.h - arguments of real calls, kept in a file -----*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What <raise/record.h> writes, and anybody may (docs/recorded-inputs.md):
//
//   # clang-raise recording 1
//   call saxpy
//   n = 3
//   a = 0x1p+1
//   x[3] = 1 2 3
//   y = x + 1
//   end
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_VERIFY_RECORDING_H
#define RAISE_VERIFY_RECORDING_H

#include "raise/Interp/Interp.h"
#include "llvm/Support/Error.h"

namespace raise {

/// The key of `inputs: {f: {recorded: file}}` in .clang-raise.
inline constexpr llvm::StringLiteral RecordingKey = "recorded";

/// What a recording says of one name: a number, an array of them, or a pointer.
/// Numbers are of type i64, u64 (where i64 is too small) or f64.
struct RecordedValue {
  enum class ValueKind { Number, Array, Null, Into } Kind = ValueKind::Number;
  std::vector<interp::Value> Numbers; ///< one, or the elements
  std::string Of;                     ///< of Into: the array ...
  uint64_t Offset = 0;                ///< ... and the element that it leads to
  unsigned Line = 0;
};

struct RecordedCall {
  std::string Function; ///< as the recording names it
  unsigned Line = 0;
  std::map<std::string, RecordedValue> Values;
  uint64_t Grid[3] = {1, 1, 1}, Block[3] = {1, 1, 1};
  bool Launch = false; ///< the two are given
};

/// The calls of a recording's text, in order. An error names Name:line:column.
llvm::Expected<std::vector<RecordedCall>> parseRecording(llvm::StringRef Text,
                                                         llvm::StringRef Name);

/// The same of a file.
llvm::Expected<std::vector<RecordedCall>> readRecording(llvm::StringRef Path);

/// The arguments of Call for F: storages of just the recorded size. An error
/// says what does not fit, by Name:line.
llvm::Expected<interp::Inputs>
inputsOf(const RecordedCall &Call, const Function &F, llvm::StringRef Name);

} // namespace raise

#endif // RAISE_VERIFY_RECORDING_H
