//===- Values.h - values of the forward sweep, in the reverse one -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Grad. The reverse of a statement uses values that variables
// and memory had just before that statement ran. Each use is, in this order,
//
//  1. left as it is, where nothing that runs later overwrites it;
//  2. computed again at the head of its scope's reverse, from the declaration,
//     assignment or store that it comes from, where all that this reads can be
//     had without keeping anything in as many loops; or read from memory where
//     the function stores it and leaves it;
//  3. kept: written to a tape at the place where the forward sweep has it, and
//     read at the head of the same scope's reverse.
//
// A value is kept at the outermost place at which it is the one that is used,
// an element that a nest leaves alone before the nest (OuterTapes.cpp). A tape
// has one element for each time that this place is reached: an array over the
// iterations of the loops around it where their numbers are known before the
// outermost of them, else one that grows.
//
// Which values may be overwritten is the "to be recorded" analysis of Hascoet,
// Naumann, Pascual, "To be recorded analysis in reverse-mode automatic
// differentiation", FGCS 21(8), 2005, asked of each use.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_VALUES_H
#define RAISE_LIB_GRAD_VALUES_H

#include "Nest.h"
#include "raise/Analysis/Overwrites.h"
#include "raise/IR/Context.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <functional>
#include <list>
#include <map>
#include <set>

namespace raise::grad {

struct LoopHeader;

class Values {
public:
  /// Assume: buffers that are not the same share no memory. Later may be null:
  /// then whatever writes to a buffer may write to any element.
  Values(const Nest &N, AliasMode Alias, Overwrites *Later,
         std::set<std::string> &Names)
      : N(N), Alias(Alias), Later(Later), Names(Names) {}

  /// N is of a part of the iterations of Whole, which Later knows: the loop
  /// Part, which has the same body; null: what there is is one iteration.
  void setPart(const For *Part, const For *Whole) { PartOf = {Part, Whole}; }
  /// N is of the body of the innermost of Loops, outermost first, of which
  /// Later knows all: what there is is one iteration of each, and what is kept
  /// is kept for it alone.
  void setIteration(std::vector<const For *> Loops) {
    Around = std::move(Loops);
  }
  /// Whether little is kept, for a short time: then slow functions are not
  /// called again.
  bool isNear() const { return !Around.empty(); }
  /// What B holds is not to be read.
  void avoid(const Buffer *B) { Avoided.insert(B); }

  /// E with the value that it has before the statement at P, for the reverse of
  /// P's list or of one inside it. What is not of the function is left alone.
  ExprRef at(const ExprRef &E, Position P) { return resolve(E, P, ~0u); }
  /// The same for what is evaluated in the reverse of the statement at P, at
  /// its place: there counters have been taken back that far.
  ExprRef here(const ExprRef &E, Position P) {
    llvm::SaveAndRestore<bool> InPlace(Here, true);
    return resolve(E, P, ~0u);
  }
  /// The same as at(); null where something would have to be kept.
  ExprRef withoutTape(const ExprRef &E, Position P) { return resolve(E, P, 0); }
  /// The same for a truth value: this, not what it is made of, is kept. It is
  /// one of the expressions of the statement at P, or made of some that are
  /// evaluated together; Always: whenever the statement runs.
  ExprRef condition(const ExprRef &E, Position P, bool Always = false);
  /// Decides which parts of Es, which are evaluated with the statement at P,
  /// are kept as one: at() of each then uses them.
  void keepFactors(llvm::ArrayRef<ExprRef> Es, Position P);
  /// Whether a tape that grows was made so far of values kept in L, or inside.
  bool growsIn(const List &L) const;

  /// Statements at the head of L's reverse, and at places of the forward sweep.
  std::vector<StmtRef> headOf(const List &L) const;
  std::vector<StmtRef> savesAt(Position P) const;
  /// The statement at P of the forward sweep, which uses what is named there.
  StmtRef withNames(const StmtRef &S, Position P) const;

  /// Has Of run in the function's own scope, before the statement that holds S.
  void atHead(const Node &S, StmtRef Of);

  /// The reverse of S, an assignment, if a counter is taken back (see
  /// CountersBack.cpp); null for all others.
  StmtRef takenBack(const Node &S);
  /// Where the reverse of Loop, whose body is Body, takes counters back by one
  /// in each iteration: takes them back before it, by what is returned.
  std::vector<StmtRef> countedOutside(const Node &Loop, const LoopHeader &H,
                                      std::vector<StmtRef> &Body) const;
  /// Begins the reverse of Loop with the counters that its body takes back.
  void addBackCounters(const Node &Loop, std::vector<StmtRef> &Reverse);

  /// The variable that counts in the reverse of a while loop.
  VarRef reverseCounter(const Node &Loop);

  /// Where C was put, if that can be computed in the function's own scope at
  /// any time; else null.
  ExprRef placeOf(const VarRef &C) const;

  /// A cursor into To at the offset of C, a cursor into something else that
  /// at() returned. Null: C does not come from there.
  VarRef cursorInto(const VarRef &C, const BufferRef &To,
                    const std::string &Name);

  bool mayMeet(const Buffer &A, const Buffer &B) const;
  std::string freshName(llvm::StringRef Name);

private:
  /// A declaration at the head of a scope's reverse.
  struct Kept {
    ExprRef Of; ///< a use of the function's, or a truth value
    Position At;
    VarRef V;
    ExprRef Init;
    StmtRef Before; ///< null for none
    ExprRef Cond;   ///< only where this holds is it the value; null: always
  };

  /// What is kept may lie inside of fewer than Depth loops.
  ExprRef resolve(const ExprRef &E, Position P, unsigned Depth);
  ExprRef variable(const ExprRef &Use, Position P, unsigned Depth);
  ExprRef memory(const ExprRef &Use, Position P, unsigned Depth);
  ExprRef storedCopy(const ExprRef &Use, Position At);
  ExprRef known(const ExprRef &Of, Position At,
                const ExprRef &Cond = nullptr) const;
  ExprRef declare(const ExprRef &Of, Position At, VarRef V, ExprRef Init,
                  StmtRef Before = nullptr);
  /// Cond: under which Of is evaluated at all; null for always. There: what
  /// has its value at that place; null: Of itself.
  ExprRef keep(const ExprRef &Of, Position At, llvm::StringRef Name,
               const ExprRef &Cond = nullptr, const ExprRef &There = nullptr);
  VarRef headVariable(const ExprRef &Of, Position At, llvm::StringRef Name);
  /// Keeps the slow calls that the statement at P makes and Es make again.
  void keepCalls(llvm::ArrayRef<ExprRef> Es, Position P);
  void keepCall(const ExprRef &Call, Position P);
  /// Keeps E, a part of the statement at P, which from then on has a name.
  void keepNamed(const ExprRef &E, Position P, const std::string &Name);

  struct Origin {
    Position At;
    const Node *Def = nullptr; ///< ends at At; null: what the scope begins with
    const Node *Iterates = nullptr; ///< the loop that counts with the variable
  };
  Origin originOf(const Var *V, Position P) const;
  Position firstPlaceOf(const Load &L, Position P) const;
  bool changesAfter(const Var *V, Position P) const;
  bool mayChangeAfter(const Access &A, Position P) const;
  bool mayWriteAfter(const Access &A, Position P, const Store *To,
                     const Node &By) const;
  bool mayWriteBefore(const Access &A, Position P, const Store *To,
                      const Node &By, const Node &Whole) const;
  struct Meeting;
  Meeting meetingOf(Position P, const Node &By) const;
  bool mayChange(const Load &L, const Node &By) const;
  /// Whether what L reads at P is what stood there before Whole, a loop around
  /// P: nothing of it writes that element before. Free are other names for the
  /// counters of Whole and of the loops in it.
  bool isReadFirst(const Load &L, Position P, const Node &Whole,
                   const Substitution &Free) const;
  bool isInScope(const Var *V, const List *Reverse) const;
  bool isFixedIn(const ExprRef &E, const Node &Loop) const;
  ExprRef recomputed(const Origin &O, const Var *V);

  /// A variable that Loop, and no loop around it, only adds constants to.
  struct BackCounter {
    const Node *Loop;
    VarRef Of, Back;
    bool Used;
  };
  BackCounter *backCounter(const VarRef &V, Position P);
  ExprRef countedBack(const ExprRef &Use, Position P);

  struct Tape {
    Access Written, Read; ///< by the forward sweep, by the reverse
    StmtRef Back; ///< takes a growing one's position back; null: done already
  };
  /// Besides: loops around At for which there is no dimension. PlaceOf: which
  /// dimension comes first, if not that of the outer loop.
  Tape tapeFor(Position At, const Type &T, llvm::StringRef Name,
               llvm::ArrayRef<const Node *> Besides = {},
               llvm::function_ref<unsigned(const Node &)> PlaceOf = nullptr);
  struct CountedLoop {
    const Node *Loop;
    ExprRef Lo, Hi; ///< known before the outermost loop
  };
  static bool countsItself(const CountedLoop &Of);
  static ExprRef extreme(ExprRef E, llvm::ArrayRef<CountedLoop> Loops,
                         bool Greatest);
  bool countIterations(const List &L, std::vector<CountedLoop> &Loops) const;

  /// A loop around a value that is kept outside of it, by bounds that hold
  /// before the outermost such loop.
  struct Level {
    const Node *Loop;
    VarRef V; ///< which element is copied; null: all iterations use the same
    ExprRef Lo, Hi;
  };
  std::vector<const Node *> loopsThatLeave(const ExprRef &Use,
                                           Position At) const;
  std::optional<std::vector<Level>>
  levelsOf(const ExprRef &Use, llvm::ArrayRef<const Node *> Loops);
  /// Null where no loop can be left out, or for as many loops as Depth.
  ExprRef keepOutside(const ExprRef &Use, Position At, llvm::StringRef Name,
                      unsigned Depth);

  bool isOfPrimal(const ExprRef &E, std::vector<ExprRef> &Leaves) const;
  void primalParts(const ExprRef &E, std::vector<ExprRef> &Parts) const;

  const Nest &N;
  const AliasMode Alias;
  Overwrites *const Later;
  std::set<std::string> &Names;
  std::pair<const For *, const For *> PartOf;
  std::vector<const For *> Around; ///< see setIteration
  llvm::DenseSet<const Buffer *> Avoided;
  std::list<Kept> All;
  llvm::DenseMap<const List *, std::vector<const Kept *>> Heads;
  std::map<std::pair<const List *, unsigned>, std::vector<StmtRef>> Saves;
  std::map<std::pair<const List *, unsigned>, VarRef> Positions;
  /// What has a name from a place of the forward sweep on.
  std::map<std::pair<const List *, unsigned>,
           std::vector<std::pair<ExprRef, VarRef>>>
      Named;
  std::set<std::pair<const List *, unsigned>> Factored; ///< by keepFactors
  llvm::DenseMap<const Node *, VarRef> Counters;
  /// Names of what is declared at heads.
  std::vector<std::pair<const List *, std::string>> HeadNames;
  std::list<BackCounter> BackCounters;
  unsigned Followed = 0; ///< definitions, at the moment
  bool Here = false;     ///< what is resolved is evaluated in its place
};

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_VALUES_H
