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

/// A host or device function as text that compiles by itself, apart from the
/// functions that it calls. Regions print as they are emitted in place, the
/// original in the `else`; with Originals only the originals are printed.
std::string emitFunction(const Function &F, const Options &Opts,
                         bool Originals = false);

} // namespace raise

#endif // RAISE_EMIT_SOURCE_H
