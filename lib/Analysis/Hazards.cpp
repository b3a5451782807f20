//===- Hazards.cpp - statements that fix the order of a loop --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Hazards.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::analysis {

namespace {

/// Statements that no order but the written one can be given to.
class HazardFinder : public Visitor {
public:
  HazardFinder(bool Blocks, bool Threads, bool MayLeave)
      : Blocks(Blocks), Threads(Threads), MayLeave(MayLeave) {}
  Reason Why;
  bool visitStmt(const StmtRef &S) override {
    const auto *O = dyn_cast<Opaque>(S.get());
    // What the frontend stopped at says more than that it stopped.
    if (O && !(O->NoReturn && MayLeave) && (!Why.isSet() || weight(*O) > Of)) {
      Of = weight(*O);
      Why = {O->Code.empty() ? "CR1111" : O->Code,
             O->Why.empty() ? "the loop contains '" + O->Text +
                                  "', which is not understood"
                            : O->Why,
             S->Loc};
    }
    if (isa<Barrier>(S.get()) && !(Blocks && Depth > 0))
      set("the loop contains a barrier", S);
    if (isa<Return>(S.get()) && !Threads && !MayLeave)
      set("the loop may return", S);
    if (isa<Break>(S.get()) && Depth == 0 && !MayLeave)
      set("the loop may break", S);
    if (const auto *W = dyn_cast<Store>(S.get())) {
      if (W->To.Buf->Volatile)
        set("'" + W->To.Buf->Name + "' is volatile", S);
      else if (W->To.Buf->Lies == ArrayHome::Growing)
        set("'" + W->To.Buf->Name + "' grows by what each iteration appends",
            S);
    }
    Depth += isa<For>(S.get()) || isa<While>(S.get());
    return true;
  }
  void leaveStmt(const StmtRef &S) override {
    Depth -= isa<For>(S.get()) || isa<While>(S.get());
  }
  bool visitExpr(const ExprRef &E) override {
    if (const auto *L = dyn_cast<Load>(E.get()))
      if (L->From.Buf->Volatile && !Why.isSet())
        Why = {"CR1111", "'" + L->From.Buf->Name + "' is volatile", E->Loc};
    if (const auto *C = dyn_cast<Call>(E.get()))
      if (C->Fn->MayTrap && !Why.isSet())
        Why = {"CR1111", "'" + C->Fn->Name + "' may not return", E->Loc};
    return true;
  }

private:
  /// How much O stands in the way: an object may be there for the sake of a
  /// call, and so may a pointer; a call without effects might be moved away.
  static unsigned weight(const Opaque &O) {
    const StringRef Why = O.Why;
    // What is made of a type that is not supported is asked for by much of what
    // follows.
    const bool Makes = Why.contains("is made in the loop");
    const size_t Line = Why.rfind("(line ");
    const bool Elsewhere = Line != StringRef::npos;
    // What an earlier statement may have moved is stopped by that one.
    if (Elsewhere && Why.ends_with(")") && !Why.substr(Line).contains(", in "))
      return 0;
    if (O.Pure || (O.Code == "CR1013" && !Makes))
      return 1;
    if ((O.Code != "CR1004" && O.Code != "CR1005") || O.NoReturn)
      return 2;
    // What the loop itself calls is seen by its reader.
    return Elsewhere ? 3 : 4;
  }
  unsigned Of = 4; ///< the weight of Why's statement
  void set(std::string Text, const StmtRef &S) {
    if (!Why.isSet())
      Why = {"CR1111", std::move(Text), S->Loc};
  }
  bool Blocks, Threads, MayLeave;
  int Depth = 0;
};

} // namespace

Reason findHazard(const For &L, bool MayLeave) {
  bool Blocks = L.LKind == LoopKind::GridX || L.LKind == LoopKind::GridY ||
                L.LKind == LoopKind::GridZ;
  HazardFinder H(Blocks, isThreadLoop(L.LKind), MayLeave);
  H.walk(L.Body);
  return H.Why;
}

} // namespace raise::analysis
