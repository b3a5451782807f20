//===- AdjointBuilder.h - how an adjoint is made ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Grad. One form of an adjoint: its names and what it calls
// (AdjointNames.cpp), what a statement adds to adjoints (AdjointSums.cpp), the
// two sweeps (ForwardSweep.cpp, ReverseSweep.cpp), loops in which these go
// iteration by iteration (JointLoops.cpp), and the function that they make
// (AdjointForm.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_ADJOINTBUILDER_H
#define RAISE_LIB_GRAD_ADJOINTBUILDER_H

#include "AdjointForm.h"
#include "Contributions.h"
#include "JointLoops.h"
#include "ReversedLoop.h"
#include "Steps.h"
#include "Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace raise::grad {

class AdjointBuilder {
public:
  using Statements = std::vector<StmtRef>;

  AdjointBuilder(const Function &Primal, Structured Plain, const Signature &Sig,
                 Activity Active, AliasMode Alias, Overwrites *Later,
                 Callees &Called, std::set<std::string> NamesInUse);

  FunctionRef whole();
  /// For a function that only computes on scalars: the adjoint of parameter K
  /// is returned.
  FunctionRef ofParameter(unsigned K, std::string Name);

  std::set<std::string> Names;
  std::vector<Reason> *Split = nullptr;

  /// Of loops that are to be reversed by segments.
  Stepping *Steps = nullptr;
  /// Loops whose iterations are to be reversed one by one.
  JointLoops *Joint = nullptr;

private:
  friend class SegmentedLoop;

  /// A function, or a part of one that runs again, forwards and reversed.
  struct Sweep {
    Sweep(FunctionRef F, const llvm::DenseMap<const While *, VarRef> &Counters,
          AliasMode Alias, Overwrites *Later, std::set<std::string> &Names)
        : F(std::move(F)), N(*this->F, Counters, Names),
          Kept(N, Alias, Later, Names) {}
    const FunctionRef F;
    const Nest N;
    Values Kept;
  };
  const Nest &nest() const { return Sweeps.back()->N; }
  Values &kept() const { return Sweeps.back()->Kept; }

  // Adjoints of what has a name
  VarRef adjoint(const VarRef &V);
  BufferRef adjoint(const BufferRef &B);
  /// Variables of one name in scopes apart have adjoints of one name.
  std::string nameFor(llvm::StringRef Of);
  /// The adjoint of what is accessed just before the statement at P.
  Access adjoint(const Access &A, Position P);
  VarRef temporary(llvm::StringRef Name, const Type &T);

  /// What a statement leaves in Use, where the reverse can have it: Value, or
  /// what Mark stands for until something asks for it.
  struct Left {
    ExprRef Use, Value;
    VarRef Mark;
    Position P;
  };

  // Contributions
  CalleeRef byRule(const Callee &C, unsigned K);
  std::string adjointName(const Function &Of, unsigned K);
  CalleeRef callee(const Call &C, unsigned K);
  /// Of a function that calls itself: by its tangent.
  ExprRef byTangent(const Call &C, unsigned K, const ExprRef &Seed);
  ExprRef ofArgument(const Call &C, unsigned K, const ExprRef &Seed);
  ContributionHooks hooks();
  /// Puts the value in the place of its mark, which stands for it among what is
  /// not as the reverse sees it yet.
  void unmark(Statements &Made, const Left &Of);
  /// Statements that add to the adjoint of each source of E what Seed passes on
  /// to it. P is where E is evaluated, Value holds E's value after that.
  void contribute(const ExprRef &E, const Term &From, Position P,
                  const Left &Value, Statements &Out);
  /// Calls that Made makes several times are made once, before it. (It changes
  /// adjoints alone, which no call looks at other than through names.)
  void nameCalls(Statements &Made);
  /// Always: whenever the statement at P runs.
  void add(const Contributions &C, Position P, Statements &Out,
           bool Always = true);
  static StmtRef block(Statements S) {
    return std::make_shared<Block>(std::move(S));
  }
  StmtRef accumulate(const ExprRef &Leaf, Combiner Op, const ExprRef &E,
                     Position P);

  // Statements
  /// The reverse of L, at the end of Out.
  void reverseOf(const List &L, Statements &Out);
  /// Declares the adjoints of what L declares, and what its reverse begins
  /// with.
  void declared(const List &L, Statements &Out);
  /// A local array of zeros.
  void clearedArray(const Buffer &Primal, const BufferRef &B, Statements &Out);
  /// Zero for each floating member that the function names.
  Statements clearedMembers(const Buffer &B, const Access &At) const;
  void reverseOf(const Node &S, Statements &Out);
  /// E: what S computes it by.
  Left valueAfter(const ExprRef &Use, const Node &S, const ExprRef &E);
  void initialised(const Node &S, Statements &Out);
  void assign(const Node &S, Statements &Out);
  void store(const Node &S, Statements &Out);
  /// What is written, and its adjoint.
  struct Target {
    ExprRef Use, Adjoint;
    Combiner Op;
    ExprRef Value;
  };
  StmtRef set(const ExprRef &Place, const ExprRef &Value);
  /// Whether adding to the adjoint of a source of E may change that of T other
  /// than where the source is T itself.
  bool mayMeetTarget(const Target &T, const ExprRef &E) const;
  void update(const Target &T, const Node &S, Statements &Out);
  /// How often the seed of E is read.
  unsigned sources(const ExprRef &E) const;
  std::string valueName(const Target &T);
  /// `T = Value`.
  void replaced(const Target &T, const ExprRef &Value, const Node &S,
                Statements &Out);
  ExprRef conditionOf(const If &I, const Node &S);
  /// Body, the reverse of S's, without the loop where it does something in one
  /// iteration alone, that which set a last choice; null where not.
  StmtRef ofLastChoice(const Node &S, const LoopHeader &H,
                       const Statements &Body) const;
  void branch(const Node &S, Statements &Out);
  void loop(const Node &S, Statements &Out);
  void repeated(const Node &S, Statements &Out);

  // The forward sweep
  void forward(const List &L, Statements &Out);
  StmtRef forward(const List &L);
  void forward(const Node &S, Statements &Out);

  // A loop whose iterations are reversed one by one
  bool isJoint(const Node &S) const;
  bool join(const Node &S, Statements &Sweep);
  /// Notes the arrays that iterations of S do not share (JointLoops::Own).
  void findOwnArrays(const Node &S);
  /// Moves what S, a joint loop, needs of Head to what stands before it.
  void declareFirst(const Node &S, Statements &Head);
  bool isThereBefore(const Node &S, const StmtRef &Of,
                     llvm::ArrayRef<StmtRef> Part) const;

  // A loop by segments
  void segmented(const Node &S, Statements &Out);
  bool isOutside(const VarRef &V) const;
  Statements segment(const Node &S, const StmtRef &Loop,
                     const StepState &State);

  // The whole
  StmtRef body();
  /// Both sweeps, with what is kept between them in a tape.
  StmtRef inTwo(Statements Forward, Statements Reverse);

  const Function &Primal;
  const Structured Plain;
  const AliasMode Alias;
  Overwrites *const Later;
  const Signature &Sig;
  const Activity Active;
  Callees &Called;
  /// The sweep that is being made, those around it before it.
  std::vector<std::unique_ptr<Sweep>> Sweeps;
  std::vector<std::unique_ptr<Sweep>> Finished; ///< what was made names them
  std::vector<const Node *> Segmented;
  /// In place of a loop and its reverse. Before: what the reverse of what
  /// follows the loop leaves for it.
  struct Both {
    Statements Before;
    StmtRef Loop;
    Statements Reverse; ///< what is reverse in Loop
  };
  std::map<const Node *, Both> Joined;
  std::vector<const For *> Around;    ///< joint loops around the sweep
  llvm::DenseSet<const Var *> Chosen; ///< last choices as the reverse has them
  ExprRef Seed;    ///< the adjoint of the result; null for none
  VarRef Returned; ///< the parameter whose adjoint is returned
  llvm::DenseMap<const Var *, VarRef> Vars;
  llvm::DenseMap<const Buffer *, BufferRef> Buffers;
  llvm::DenseMap<const Var *, BufferRef> Results; ///< of parameters by value
  llvm::StringMap<std::string> NameOf;
  /// Of a loop that is reversed by segments: what runs before it, and at the
  /// head of each iteration.
  struct Snapshots {
    Statements Before, EachStep;
  };
  std::map<const Node *, Snapshots> Snapped;
  llvm::DenseSet<const Node *> Counted; ///< while loops whose trips are needed
};

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_ADJOINTBUILDER_H
