//===- HeapArrays.h - arrays on the heap, as C and C++ text -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In C++ such an array is a vector. In C it is allocated, ends the program if
// there is no memory (as a vector would, where nothing catches that), and is
// freed at the end of the block that declares it.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_HEAPARRAYS_H
#define RAISE_LIB_EMIT_HEAPARRAYS_H

#include "raise/IR/Stmt.h"

namespace raise {

/// Size is the text of the number of elements, of a type that may be negative.
/// Zero: the elements are set to zero.
std::vector<std::string> heapDeclaration(const Buffer &B,
                                         const std::string &ElementType,
                                         const std::string &Size, bool Zero,
                                         bool C);
/// What stores Value to the element after the last one, which Index says.
std::vector<std::string> growingStore(const Buffer &B, const std::string &Index,
                                      const std::string &Value, bool C);
/// Body without variables that count the elements of arrays that grow, where
/// nothing but those arrays' stores looks at them: a vector knows its end.
StmtRef withoutCounts(const StmtRef &Body);
/// What stands at the end of a block of Body in C.
std::vector<std::string> heapRelease(llvm::ArrayRef<StmtRef> Body);

} // namespace raise

#endif // RAISE_LIB_EMIT_HEAPARRAYS_H
