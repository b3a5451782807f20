//===- Source.h - whole functions as C and C++ text -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_EMIT_SOURCE_H
#define RAISE_EMIT_SOURCE_H

#include "raise/IR/Context.h"

namespace raise {

/// "float *y, const float *x, int /*unused*/": F's parameters as declared.
/// Those that Body does not use lose their name in C++ and keep it in C.
std::string parameterList(const Function &F, const StmtRef &Body,
                          const Options &Opts);
/// "dim3 grid, dim3 /*block*/": what a function made of a kernel takes first.
/// Those that Body does not use have no name, unless all are to have one.
std::string launchParameters(const StmtRef &Body, bool AllNamed);

/// A host or device function as text that compiles by itself, apart from the
/// functions that it calls. Regions print as they are emitted in place, the
/// original in the `else`; with Originals only the originals are printed.
std::string emitFunction(const Function &F, const Options &Opts,
                         bool Originals = false);

/// A function that no source holds, as text: what was made of a function by
/// differentiating it. Pointers that it only follows to one element are written
/// `*p` where no source spells them; in C, unused parameters are cast to void.
/// The text compiles by itself, apart from what F names. Apart: as
/// Context::Apart, of the body of the region that ends F.
using BufferPairs = llvm::ArrayRef<std::pair<const Buffer *, const Buffer *>>;
std::string emitMadeFunction(const Function &F, const Options &Opts,
                             BufferPairs Apart = {});
/// What F's text needs beside it where arrays of it lie on the heap: <vector>,
/// in C <stdlib.h>, and where some of those grow in C, growingText().
struct HeapUse {
  bool Any = false, Grows = false;
  HeapUse &operator|=(const HeapUse &O) {
    Any |= O.Any;
    Grows |= O.Grows;
    return *this;
  }
};
HeapUse heapUseOf(const Function &F);
/// A static function of C that emitted text calls.
std::string growingText();

/// The function that F calls where the guards of its two forms do not hold
/// (Function::GeneralForm), with a comment; empty if there is none.
std::string emitGeneralForm(const Function &F, const Options &Opts);

/// A structure of these members (grad::SplitAdjoint), and in C the function
/// Name_free, which frees its arrays.
std::string emitStructure(const std::string &Name,
                          llvm::ArrayRef<BufferRef> Members, bool C);
std::string emitFree(const std::string &Name,
                     llvm::ArrayRef<BufferRef> Members);

/// Its declaration, with all names of parameters.
std::string emitPrototype(const Function &F);

} // namespace raise

#endif // RAISE_EMIT_SOURCE_H
