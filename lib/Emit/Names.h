//===- Names.h - which name each variable gets in emitted text --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A variable keeps its source's name unless another variable, buffer or
// function of that name is used where the declaration would hide it.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_NAMES_H
#define RAISE_LIB_EMIT_NAMES_H

#include "raise/Emit/Exchange.h"
#include "raise/IR/Context.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace raise {

class Names {
public:
  Names() = default;
  /// Names for the variables that Body declares, where Body stands in F.
  /// None of them is in Taken. Inspection, which may be null, is what Body's
  /// region begins with: its variables are visible in the original too.
  Names(const Function &F, const StmtRef &Body,
        const std::set<std::string> *Taken = nullptr,
        const StmtRef &Inspection = nullptr);
  std::string of(const Var *V) const;
  /// A name that nothing in the function has: Base, else Base_2, Base_3 ...
  std::string fresh(llvm::StringRef Base);
  void set(const Var *V, std::string Name) { Given[V] = std::move(Name); }
  /// Arrays that may change names: where a whole function is printed that
  /// nothing else stands in.
  MovableArrays Movable;
  /// Arrays on the heap that are declared as pointers into what several share.
  llvm::DenseSet<const Buffer *> Pointers;

private:
  void nameCounters(const StmtRef &Inspection,
                    const std::set<std::string> *Taken);
  llvm::DenseMap<const Var *, std::string> Given;
  llvm::StringSet<> Known;
};

/// A C identifier for an IR name; launch dimensions become members of the
/// launcher's parameters `grid` and `block`.
std::string plainName(const Var &V);

/// What a subscript is put behind to name an element of B: of a container,
/// which is known by the pointer to its elements, its own name.
llvm::StringRef subscripted(const Buffer &B);

/// What a qualified name or a member's (`ns::x`, `layer.output`) becomes as a
/// part of a name of our own.
std::string asIdentifier(llvm::StringRef Name);

/// What a list of statements declares where it is written without braces of its
/// own: by name, each variable and array, as often as one is declared.
using DeclaredNames = llvm::StringMap<llvm::SmallVector<const void *, 2>>;
void addDeclaredNames(const StmtRef &S, const Names &N, DeclaredNames &Into);

/// Whether S uses, by a name of Declared, what is none of those.
bool usesOther(const StmtRef &S, const DeclaredNames &Declared, const Names &N);

/// Whether S declares V as a local of its own (Decl, own loop variable or
/// iterator).
bool declaresInside(const StmtRef &S, const Var *V);

} // namespace raise

#endif // RAISE_LIB_EMIT_NAMES_H
