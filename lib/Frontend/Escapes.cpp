//===- Escapes.cpp - variables that a pointer may lead to -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In the IR only memory is shared; a scalar is changed by what names it. That
// holds of variables whose addresses are all followed. Where a statement that
// was not understood may have kept one, a loop that works on the variable and
// on what an unknown pointer leads to gets an Opaque, which says so.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::lifting {

bool mayReachVariable(const Buffer &B, const Var &V) {
  return B.Kind == BufferKind::Pointer && !B.Fresh &&
         !(B.Owned && V.Ty.Bits > 8);
}

namespace {

/// Loops of which each is the outermost without statements of unknown effect.
class Marker {
  ArrayRef<VarRef> Kept; ///< their addresses are

  /// The Opaque for L, one of those loops; null if it needs none.
  StmtRef conflict(const StmtRef &L, const Effects &Does) const {
    for (const MemoryAccess &M : Does.Memory) {
      const bool Writes = M.How != MemoryAccess::Mode::Read;
      for (const VarRef &V : Kept)
        if (mayReachVariable(*M.At.Buf, *V) &&
            (is_contained(Does.ScalarWrites, V) ||
             (Writes && is_contained(Does.ScalarReads, V)))) {
          const std::string Text = raise::sourceText(
              std::make_shared<Load>(M.At, M.At.Buf->Elem, M.Loc));
          return std::make_shared<Opaque>(
              Text, codes::AddressTaken,
              "'" + Text + "' may be '" +
                  (V->Says.empty() ? V->Name : V->Says) +
                  "', whose address is kept by a statement that is not "
                  "followed",
              std::vector<VarRef>{V}, M.Loc.isValid() ? M.Loc : L->Loc);
        }
    }
    return nullptr;
  }

  static StmtRef prepend(StmtRef First, const StmtRef &Body) {
    StmtList List{std::move(First), Body};
    return std::make_shared<Block>(std::move(List), Body->Loc);
  }

public:
  explicit Marker(ArrayRef<VarRef> Kept) : Kept(Kept) {}

  StmtRef run(const StmtRef &S) const {
    StmtRef Known;
    if (isa<For>(S.get()) || isa<While>(S.get())) {
      const Effects Does = effectsOf(S);
      if (!Does.Unknown && !(Known = conflict(S, Does)))
        return S;
    }
    const StmtRef New =
        mapChildren(S, [&](const StmtRef &Child) { return run(Child); });
    return Known ? mapChildren(New,
                               [&](const StmtRef &Body) {
                                 return prepend(Known, Body);
                               })
                 : New;
  }
};

} // namespace

StmtRef markEscapes(const StmtRef &Body, ArrayRef<VarRef> Escaped) {
  return Escaped.empty() ? Body : Marker(Escaped).run(Body);
}

} // namespace raise::lifting
