//===- HeapArrays.h - arrays on the heap, as C and C++ text -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In C++ such an array is a vector, or a part of one. In C it is allocated,
// ends the program if there is no memory (as a vector would, where nothing
// catches that), and is freed at the end of the block that declares it.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_HEAPARRAYS_H
#define RAISE_LIB_EMIT_HEAPARRAYS_H

#include "Names.h"
#include "raise/IR/Stmt.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace raise {

/// An array on the heap that a list of statements declares.
struct HeapArray {
  const Buffer *B;
  std::string ElementType;
  /// The text of the number of elements, of a type that may be negative.
  std::string Size;
  bool Zero; ///< the elements are set to zero
};

std::vector<std::string> heapDeclaration(const HeapArray &A, bool C);
/// The number of B's elements, without a conversion to the type that an extent
/// has.
const ExprRef &elementCount(const Buffer &B);
/// The arrays that Body, which begins with one of them, declares and that one
/// allocation may serve: those that keep their place and size.
std::vector<StmtRef> sharedArrays(llvm::ArrayRef<StmtRef> Body, const Names &N);
/// Arrays that are declared together: those of one type share an allocation.
/// (Of several that are freed together, the C library gives back to the system
/// what is more than twice the largest, and each call would begin with as many
/// page faults.) Fresh gives names that are free; Shared gets the arrays that
/// are pointers then.
struct SharedArrays {
  llvm::function_ref<std::string(llvm::StringRef)> Fresh;
  llvm::DenseSet<const Buffer *> &Shared;
  /// In C: those behind the first of an allocation, which are not freed.
  llvm::SmallPtrSetImpl<const Buffer *> &Parts;
};
std::vector<std::string> heapDeclarations(llvm::ArrayRef<HeapArray> Arrays,
                                          const SharedArrays &To, bool C);
/// What stores Value to the element after the last one, which Index says.
std::vector<std::string> growingStore(const Buffer &B, const std::string &Index,
                                      const std::string &Value, bool C);
/// Body without variables that count the elements of arrays that grow, where
/// nothing but those arrays' stores looks at them: a vector knows its end.
StmtRef withoutCounts(const StmtRef &Body);
/// What stands at the end of a block of Body in C.
std::vector<std::string>
heapRelease(llvm::ArrayRef<StmtRef> Body,
            const llvm::SmallPtrSetImpl<const Buffer *> &Parts);

} // namespace raise

#endif // RAISE_LIB_EMIT_HEAPARRAYS_H
