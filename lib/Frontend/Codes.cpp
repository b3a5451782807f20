//===- Codes.cpp - why a statement could not be lifted --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Frontend/Codes.h"
#include "llvm/ADT/StringRef.h"

namespace raise::codes {
namespace {

struct Entry {
  const char *Code, *Summary;
};

constexpr Entry Table[] = {
    {Volatile, "a volatile object is accessed"},
    {Assembly, "inline assembly"},
    {Exception, "an exception is thrown or caught"},
    {Heap, "memory is allocated or freed"},
    {UnknownCall, "the effects of a call are not known"},
    {Jump, "goto or a label"},
    {Switch, "a switch whose cases fall through or leave early"},
    {PointerBase, "the object that a pointer points into is not known"},
    {PointerCast, "a pointer is converted to another type"},
    {StaticState, "a static or thread-local variable that can change"},
    {IndirectCall, "a call whose target is not known"},
    {UnionOrBitField, "a union or a bit-field"},
    {ClassObject, "an object that is not made of plain scalars"},
    {ScalarType, "a type that is not supported"},
    {Closure, "a lambda or a coroutine"},
    {AddressTaken, "a pointer is used in a way that is not followed"},
    {Recursion, "a recursive call"},
    {FloatEnvironment, "the floating-point environment is accessed"},
    {CheckedArithmetic, "signed overflow is trapped or wraps"},
    {InsideOpenMP, "an OpenMP directive that is not followed"},
    {AtomicValue, "the value that an atomic returns is used"},
    {CudaBuiltin, "a CUDA built-in that is not supported"},
    {DynamicShared, "dynamic shared memory"},
    {Expression, "an expression that is not supported"},
    {Variadic, "a call with variable arguments"},
    {Signature, "a parameter or result that is not supported"},
    {Statement, "a statement that is not supported"},
    {WrongClaim, "an OpenMP directive claims what does not hold"},
    {HiddenName, "a name that would find something else"},
    {TurnedOff, "the author has it left as it is"},
};

} // namespace

const char *const All[] = {Volatile,
                           Assembly,
                           Exception,
                           Heap,
                           UnknownCall,
                           Jump,
                           Switch,
                           PointerBase,
                           PointerCast,
                           StaticState,
                           IndirectCall,
                           UnionOrBitField,
                           ClassObject,
                           ScalarType,
                           Closure,
                           AddressTaken,
                           Recursion,
                           FloatEnvironment,
                           CheckedArithmetic,
                           InsideOpenMP,
                           AtomicValue,
                           CudaBuiltin,
                           DynamicShared,
                           Expression,
                           Variadic,
                           Signature,
                           Statement,
                           WrongClaim,
                           HiddenName,
                           TurnedOff,
                           nullptr};

const char *summary(const char *Code) {
  for (const Entry &E : Table)
    if (llvm::StringRef(E.Code) == Code)
      return E.Summary;
  return "";
}

} // namespace raise::codes
