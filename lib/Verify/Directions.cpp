//===- Directions.cpp - values beside a function's inputs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Directions.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace raise {

using interp::Binding;
using interp::Inputs;
using interp::Storage;
using interp::Value;

void eachCell(
    Storage &S,
    function_ref<void(std::optional<Value> &, StringRef Field, size_t Cell)>
        Fn) {
  for (size_t I = 0; I < S.Cells.size(); ++I)
    Fn(S.Cells[I], "", I);
  for (auto &[Field, Plane] : S.Fields)
    for (size_t I = 0; I < Plane.size(); ++I)
      Fn(Plane[I], Field, I);
}

bool isFloat(const std::optional<Value> &V) { return V && V->Ty.isFloat(); }

std::optional<Value> cellAt(const Storage &S, StringRef Field, size_t Cell) {
  const Storage::Plane *P = &S.Cells;
  if (!Field.empty()) {
    auto It = S.Fields.find(Field.str());
    if (It == S.Fields.end())
      return std::nullopt;
    P = &It->second;
  }
  return Cell < P->size() ? (*P)[Cell] : std::nullopt;
}

bool sameValue(const std::optional<Value> &A, const std::optional<Value> &B) {
  if (!A || !B)
    return !A && !B;
  if (A->Ty.isFloat())
    return A->D == B->D || (A->D != A->D && B->D != B->D);
  return A->I == B->I;
}

Binding bindingOf(const Inputs &I, StringRef Name) {
  auto It = I.Buffers.find(Name.str());
  return It == I.Buffers.end() ? Binding() : It->second;
}

Inputs inDouble(const Inputs &In) {
  Inputs Wide = interp::clone(In);
  const auto Widen = [](Value &V) {
    if (V.Ty.isFloat() && V.Ty.Bits < 64)
      V = Value::ofFloat(V.D, Type::getFloat(64));
  };
  for (auto &[Name, V] : Wide.Scalars)
    Widen(V);
  for (auto &[Name, B] : Wide.Buffers)
    if (B.Store)
      eachCell(*B.Store, [&](std::optional<Value> &V, StringRef, size_t) {
        if (V)
          Widen(*V);
      });
  return Wide;
}

Directions::Directions(const Function &Primal, const grad::Signature &Sig,
                       const Inputs &In, uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  const auto Pick = [&] {
    return std::uniform_real_distribution<double>(-1, 1)(Random);
  };
  for (const grad::Slot &S : Sig.Slots) {
    const Param &P = Primal.Params[S.Index];
    if (P.Scalar) {
      Scalars[P.name().str()] = Pick();
      continue;
    }
    const Binding B = bindingOf(In, P.name());
    if (!B.Store || Stores.count(B.Store.get()))
      continue;
    auto Direction = std::make_shared<Storage>(*B.Store);
    eachCell(*Direction, [&](std::optional<Value> &V, StringRef, size_t) {
      if (isFloat(V))
        V = Value::ofFloat(Pick(), V->Ty);
      else
        V.reset();
    });
    Stores[B.Store.get()] = std::move(Direction);
  }
}

Inputs Directions::beside(const Function &Primal, const grad::Signature &Sig,
                          const Inputs &In, const Inputs &To) const {
  Inputs B = interp::clone(To);
  std::map<Storage *, std::shared_ptr<Storage>> Copies;
  for (const grad::Slot &S : Sig.Slots) {
    const Param &P = Primal.Params[S.Index];
    const std::string Name = S.Derivative.name().str();
    if (P.Scalar) {
      const Value V = Value::ofFloat(Scalars.at(P.name().str()), P.Scalar->Ty);
      if (S.Derivative.Scalar) {
        B.Scalars[Name] = V;
        continue;
      }
      Binding Cell;
      Cell.Store = std::make_shared<Storage>();
      Cell.Store->Cells = {V};
      B.Buffers[Name] = Cell;
      continue;
    }
    const Binding From = bindingOf(In, P.name());
    Binding Beside = From;
    if (From.Store) {
      auto &Copy = Copies[From.Store.get()];
      if (!Copy)
        Copy = std::make_shared<Storage>(*Stores.at(From.Store.get()));
      Beside.Store = Copy;
    }
    B.Buffers[Name] = Beside;
  }
  return B;
}

bool overlapsUnnamed(const Function &Primal, const grad::Signature &Sig,
                     const Inputs &In) {
  for (const grad::Slot &S : Sig.Slots) {
    if (!Primal.Params[S.Index].Buf)
      continue;
    const Binding Mine = bindingOf(In, Primal.Params[S.Index].name());
    for (size_t I = 0; Mine.Store && I < Primal.Params.size(); ++I) {
      const Param &P = Primal.Params[I];
      const bool Named = any_of(
          Sig.Slots, [&](const grad::Slot &Other) { return Other.Index == I; });
      if (P.Buf && !Named && bindingOf(In, P.name()).Store == Mine.Store)
        return true;
    }
  }
  return false;
}

/// Whether what threads sum together may be summed in another order.
static bool sumsTogether(const Function &Primal) {
  bool Found = false;
  forEachStmt(Primal.Body,
              [&](const StmtRef &S) { Found |= isa<Barrier>(*S); });
  return Found;
}

static bool isNear(const std::optional<Value> &A,
                   const std::optional<Value> &B) {
  if (!isFloat(A) || !isFloat(B))
    return false;
  const double X = double(A->D), Y = double(B->D);
  return std::fabs(X - Y) <= 1e-11 * (1 + std::fabs(X));
}

std::string differentPrimal(const Function &Primal, const Inputs &Here,
                            const Inputs &There) {
  std::string Different;
  const bool Rounds = sumsTogether(Primal);
  for (const Param &P : Primal.Params) {
    if (!P.Buf)
      continue;
    const Binding A = bindingOf(Here, P.name()), B = bindingOf(There, P.name());
    if (!A.Store)
      continue;
    eachCell(*A.Store,
             [&](std::optional<Value> &V, StringRef Field, size_t Cell) {
               const std::optional<Value> Other = cellAt(*B.Store, Field, Cell);
               if (!sameValue(V, Other) && !(Rounds && isNear(V, Other)))
                 Different = P.name().str();
             });
  }
  return Different;
}

} // namespace raise
