//===- LoadsFirst.cpp - what a thread reads before what it writes ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoadsFirst.h"
#include "Names.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::device {

namespace {

using MayMeet = function_ref<bool(const Buffer &, const Buffer &)>;

class LoadsFirst : public Rewriter {
public:
  explicit LoadsFirst(MayMeet Meet) : Meet(Meet) {}

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *B = dyn_cast<Block>(S.get());
    if (!B)
      return S;
    std::vector<StmtRef> Out;
    Waiting.clear();
    for (const StmtRef &Sub : B->Body) {
      auto *St = dyn_cast<Store>(Sub.get());
      if (St && !St->Atomic) {
        if (any_of(Waiting, [&](const Store *W) { return isBetween(*W, *St); }))
          flush(Out);
        Waiting.push_back(St);
        Held.push_back(Sub);
        continue;
      }
      if (!isa<Decl, Assign>(*Sub) ||
          any_of(Waiting, [&](const Store *W) { return hangsOn(Sub, *W); }))
        flush(Out);
      Out.push_back(Sub);
    }
    flush(Out);
    return Out == B->Body ? S : std::make_shared<Block>(std::move(Out), S->Loc);
  }

  bool reads(const ExprRef &E, const Buffer &B) const {
    bool Reads = false;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *L = dyn_cast<Load>(Sub.get());
      Reads |= L && Meet(*L->From.Buf, B);
    });
    return Reads;
  }

  bool reads(const Store &S, const Buffer &B) const {
    const auto Of = [&](const ExprRef &E) { return reads(E, B); };
    return Of(S.Value) || any_of(S.To.Indices, Of) || any_of(S.To.Extents, Of);
  }

  /// Whether the second may not run before or beside the first.
  bool isBetween(const Store &First, const Store &Second) const {
    return Meet(*First.To.Buf, *Second.To.Buf) ||
           reads(Second, *First.To.Buf) || reads(First, *Second.To.Buf);
  }

  /// Whether S, a scalar's, may not run before W.
  bool hangsOn(const StmtRef &S, const Store &W) const {
    auto *D = dyn_cast<Decl>(S.get());
    const ExprRef Value = D ? D->Init : cast<Assign>(S.get())->Value;
    const Var *V = D ? D->V.get() : cast<Assign>(S.get())->V.get();
    bool Uses = uses(W.Value, V);
    for (const auto *List : {&W.To.Indices, &W.To.Extents})
      for (const ExprRef &E : *List)
        Uses |= uses(E, V);
    return Uses || (Value && reads(Value, *W.To.Buf));
  }

  /// Stores that do not meet: updates before those that replace, and what an
  /// update reads, but for the first, before all of them.
  void flush(std::vector<StmtRef> &Out) {
    std::stable_partition(Held.begin(), Held.end(), [](const StmtRef &S) {
      return cast<Store>(S.get())->Op != Combiner::None;
    });
    std::vector<StmtRef> Stores;
    bool Any = false;
    for (const StmtRef &S : Held) {
      auto *St = cast<Store>(S.get());
      const std::optional<BinaryOp> Op = operatorOf(*St);
      if (Any && Op) {
        auto Old = std::make_shared<Var>();
        Old->Name = asIdentifier(St->To.Buf->Name) + "_old";
        Old->Ty = St->To.Buf->Elem;
        Old->Const = true;
        Out.push_back(std::make_shared<Decl>(Old, build::load(St->To), S->Loc));
        Stores.push_back(std::make_shared<Store>(
            St->To, Combiner::None,
            build::binary(*Op, build::var(Old), St->Value), /*Atomic=*/false,
            S->Loc));
      } else {
        Stores.push_back(S);
      }
      Any = true;
    }
    append_range(Out, Stores);
    Waiting.clear();
    Held.clear();
  }

  static std::optional<BinaryOp> operatorOf(const Store &S) {
    if (!S.To.Field.empty() || S.Value->Ty != S.To.Buf->Elem)
      return std::nullopt;
    switch (S.Op) {
    case Combiner::Add:
      return BinaryOp::Add;
    case Combiner::Sub:
      return BinaryOp::Sub;
    case Combiner::Mul:
      return BinaryOp::Mul;
    default:
      return std::nullopt;
    }
  }

  MayMeet Meet;
  std::vector<const Store *> Waiting;
  std::vector<StmtRef> Held; ///< the same
};

} // namespace

StmtRef loadsFirst(const StmtRef &S, MayMeet Meet) {
  return LoadsFirst(Meet).run(S);
}

} // namespace raise::device
