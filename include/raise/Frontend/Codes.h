//===- Codes.h - why a statement could not be lifted ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each code has a page in docs/diagnostics.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_FRONTEND_CODES_H
#define RAISE_FRONTEND_CODES_H

namespace raise::codes {

inline constexpr const char Volatile[] = "CR1001";
inline constexpr const char Assembly[] = "CR1002";
inline constexpr const char Exception[] = "CR1003";
inline constexpr const char Heap[] = "CR1004";
inline constexpr const char UnknownCall[] = "CR1005";
inline constexpr const char Jump[] = "CR1006";
inline constexpr const char Switch[] = "CR1007";
inline constexpr const char PointerBase[] = "CR1008";
inline constexpr const char PointerCast[] = "CR1009";
inline constexpr const char StaticState[] = "CR1010";
inline constexpr const char IndirectCall[] = "CR1011";
inline constexpr const char UnionOrBitField[] = "CR1012";
inline constexpr const char ClassObject[] = "CR1013";
inline constexpr const char ScalarType[] = "CR1014";
inline constexpr const char Closure[] = "CR1015";
inline constexpr const char AddressTaken[] = "CR1016";
inline constexpr const char Recursion[] = "CR1017";
inline constexpr const char FloatEnvironment[] = "CR1018";
inline constexpr const char CheckedArithmetic[] = "CR1019";
inline constexpr const char InsideOpenMP[] = "CR1020";
inline constexpr const char AtomicValue[] = "CR1021";
inline constexpr const char CudaBuiltin[] = "CR1022";
inline constexpr const char DynamicShared[] = "CR1023";
inline constexpr const char Expression[] = "CR1024";
inline constexpr const char Variadic[] = "CR1025";
inline constexpr const char Signature[] = "CR1026";
inline constexpr const char Statement[] = "CR1027";
inline constexpr const char WrongClaim[] = "CR1030";
inline constexpr const char HiddenName[] = "CR1031";
inline constexpr const char TurnedOff[] = "CR1032";

/// One line of text for a code; empty if there is no such code.
const char *summary(const char *Code);

/// Every code above, in order, ending with null.
extern const char *const All[];

} // namespace raise::codes

#endif // RAISE_FRONTEND_CODES_H
