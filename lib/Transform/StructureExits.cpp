//===- StructureExits.cpp - early exits become conditions -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `if (c) return; rest` becomes `if (!c) { rest }` in the threads of a kernel,
// and `if (c) continue; rest` likewise in loops, so that every later pass sees
// the condition of a statement above it. Exits that do not have this shape (a
// return from inside a loop, say) stay as they are.
//
//===----------------------------------------------------------------------===//
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Exit is the statement that ends the innermost structured level: Return in
/// the threads of a kernel, Continue in a loop, none outside. A statement is in
/// tail position when nothing of its level follows it; there, an exit and the
/// end of the list are the same.
class ExitStructurer {
public:
  explicit ExitStructurer(bool Kernel) : Kernel(Kernel) {}
  using ExitKind = std::optional<StmtKind>;

  StmtRef run(const StmtRef &S, ExitKind Exit) {
    if (!S)
      return S;
    switch (S->Kind) {
    case StmtKind::Block:
      return makeBlock(runList(cast<Block>(S.get())->Body, Exit), S->Loc);
    case StmtKind::If: {
      auto *I = cast<If>(S.get());
      return std::make_shared<If>(I->Cond, run(I->Then, Exit),
                                  run(I->Else, Exit), I->Loc);
    }
    case StmtKind::For: {
      auto *L = cast<For>(S.get());
      // A return ends the thread, so inside the threads' loops it is to the
      // body what `continue` is to an ordinary loop.
      StmtKind Inner = Kernel && isThreadLoop(L->LKind) ? StmtKind::Return
                                                        : StmtKind::Continue;
      return std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                   L->LKind, L->DeclaresVar,
                                   run(asBlock(L->Body), Inner), L->Loc);
    }
    default:
      // The body of a while loop may be reached again with other values of what
      // its condition reads; it is not raised, so it is left as written.
      return S;
    }
  }

private:
  bool Kernel;

  static StmtRef asBlock(const StmtRef &S) {
    return isa<Block>(S.get())
               ? S
               : std::make_shared<Block>(std::vector<StmtRef>{S}, S->Loc);
  }

  static bool isExit(const StmtRef &S, ExitKind Exit) {
    return Exit && S->Kind == *Exit;
  }

  static bool endsIn(const StmtRef &S, ExitKind Exit) {
    if (!S)
      return false;
    auto List = statements(S);
    return !List.empty() && isExit(List.back(), Exit);
  }

  /// Whether S can leave the current level other than by its end. (A `continue`
  /// of an inner loop belongs to that loop; a `return` never does.)
  static bool mayLeave(const StmtRef &S, ExitKind Exit) {
    if (!S || !Exit)
      return false;
    if (isExit(S, Exit))
      return true;
    switch (S->Kind) {
    case StmtKind::Block:
      return llvm::any_of(cast<Block>(S.get())->Body, [&](const StmtRef &Sub) {
        return mayLeave(Sub, Exit);
      });
    case StmtKind::If:
      return mayLeave(cast<If>(S.get())->Then, Exit) ||
             mayLeave(cast<If>(S.get())->Else, Exit);
    case StmtKind::For:
      return *Exit == StmtKind::Return &&
             mayLeave(cast<For>(S.get())->Body, Exit);
    case StmtKind::While:
      return *Exit == StmtKind::Return &&
             mayLeave(cast<While>(S.get())->Body, Exit);
    default:
      return false;
    }
  }

  std::vector<StmtRef> withoutLast(const StmtRef &S, ExitKind Exit) {
    std::vector<StmtRef> List = statements(S).vec();
    List.pop_back();
    return runList(List, Exit);
  }

  /// List is in tail position of its level.
  std::vector<StmtRef> runList(llvm::ArrayRef<StmtRef> List, ExitKind Exit) {
    std::vector<StmtRef> Out;
    for (unsigned N = 0; N != List.size(); ++N) {
      const StmtRef &S = List[N];
      if (isExit(S, Exit))
        return Out; // nothing after an exit is reached
      bool Last = N + 1 == List.size();
      if (Last || !mayLeave(S, Exit) || isa<For>(S.get())) {
        // Where S cannot leave, there is no exit of this level in it to mend;
        // a loop mends only its own exits.
        Out.push_back(run(S, Exit));
        continue;
      }
      auto *I = dyn_cast<If>(S.get());
      bool ThenExits = I && endsIn(I->Then, Exit);
      bool ElseExits = I && endsIn(I->Else, Exit);
      if (!ThenExits && !ElseExits) {
        // An exit that is not the end of a branch: left, with all that follows.
        Out.insert(Out.end(), List.begin() + N, List.end());
        return Out;
      }
      if (ThenExits && ElseExits) {
        Out.push_back(std::make_shared<If>(
            I->Cond, makeBlock(withoutLast(I->Then, Exit)),
            makeBlock(withoutLast(I->Else, Exit)), I->Loc));
        return Out;
      }
      appendBranch(Out, *I, ThenExits, List.drop_front(N + 1), Exit);
      return Out;
    }
    return Out;
  }

  /// One branch of I leaves; the other goes on to Tail.
  void appendBranch(std::vector<StmtRef> &Out, const If &I, bool ThenExits,
                    llvm::ArrayRef<StmtRef> Tail, ExitKind Exit) {
    std::vector<StmtRef> Rest;
    if (const StmtRef &Other = ThenExits ? I.Else : I.Then)
      Rest = statements(Other).vec();
    Rest.insert(Rest.end(), Tail.begin(), Tail.end());
    Rest = runList(Rest, Exit);
    std::vector<StmtRef> Leaving =
        withoutLast(ThenExits ? I.Then : I.Else, Exit);
    if (Leaving.empty()) {
      ExprRef GoOn = ThenExits ? build::opposite(I.Cond) : I.Cond;
      if (!Rest.empty())
        Out.push_back(
            std::make_shared<If>(GoOn, makeBlock(Rest), nullptr, I.Loc));
      return;
    }
    ExprRef Leave = ThenExits ? I.Cond : build::opposite(I.Cond);
    Out.push_back(std::make_shared<If>(Leave, makeBlock(Leaving),
                                       Rest.empty() ? nullptr : makeBlock(Rest),
                                       I.Loc));
  }
};

} // namespace

FunctionRef raise::structureExits(FunctionRef F, Context &) {
  bool Kernel = F->Kind == FunctionKind::Kernel;
  // Outside of loops a host function's `return` separates what is before from
  // what is after; it is no business of the loops.
  return withBody(*F, ExitStructurer(Kernel).run(F->Body, std::nullopt));
}
