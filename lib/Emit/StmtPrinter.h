//===- StmtPrinter.h - statements as C text ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_STMTPRINTER_H
#define RAISE_LIB_EMIT_STMTPRINTER_H

#include "ExprPrinter.h"
#include "HeapArrays.h"
#include "Schedule.h"
#include "Work.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Counts.h"
#include "raise/IR/Trace.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

namespace raise {

namespace eigen {
struct Place;
class Views;
} // namespace eigen

/// A line, and the places of the source whose computation stands in it, as far
/// as they are known. A line that is written anew has none.
struct CodeLine : std::string {
  Origins From;
  CodeLine(const char *Text) : std::string(Text) {}
  CodeLine(std::string Text, Origins From = {})
      : std::string(std::move(Text)), From(std::move(From)) {}
};

/// Lines of C text, indented from column 0.
struct Code {
  std::vector<CodeLine> Lines;
  unsigned Statements = 0;
  /// Must stand in braces even where it is one statement: a declaration, or
  /// text that a reader should not meet without them.
  bool NeedsBlock = false;

  void line(std::string Text) { Lines.emplace_back(std::move(Text)); }
  void append(const Code &Other, unsigned Indent = 0);
  /// Other as one more statement of this one.
  void add(const Code &Other) {
    append(Other);
    Statements += Other.Statements;
    NeedsBlock |= Other.NeedsBlock;
  }
};

/// `Header` with Body below it, in braces where they are needed.
Code nested(std::string Header, const Code &Body, bool Braces = false);

/// `if (Cond) { Then } else { Else }`.
Code branches(const std::string &Cond, const Code &Then, const Code &Else);

/// What the head of a loop says last: `++i`.
std::string stepText(const std::string &Name, const ExprRef &Step,
                     const ExprPrinter &P);

/// The comments of the text that a region replaces, as far as they have no
/// place in the new one yet.
class CommentStock {
public:
  /// Those about R itself stay here: they stand above all of it.
  CommentStock(llvm::ArrayRef<SourceComment> All, const Region &R);
  /// Those about S, once.
  std::vector<std::string> take(const Stmt &S);
  std::vector<std::string> takeRest();

private:
  struct Entry {
    const SourceComment *Comment;
    bool Placed;
  };
  std::vector<Entry> Entries;
  SourceLoc Of;
};

class StmtPrinter {
public:
  StmtPrinter(const Options &Opts, Names &N, ExprPrinter &P)
      : Opts(Opts), N(N), P(P) {}

  Code print(const StmtRef &S);
  Code printAll(llvm::ArrayRef<StmtRef> Body);
  /// The loop at Level of T is known to have work for threads.
  void setWorkTested() { WorkTested = true; }
  /// One of several loops that start threads is known to have work for them.
  bool SizesTested = false;
  /// There is work enough for another order of loops, beside which a clause
  /// that fails counts for little.
  bool LayoutTested = false;
  /// What is printed behind by itself, and may use what is declared before it.
  StmtRef Behind;
  /// The clauses that tell whether there is work for threads: what was printed,
  /// and the one size that it is of; null where there are several.
  std::vector<std::pair<std::string, VarRef>> Clauses;
  /// That rows are long enough for sums in vectors, one for each that was
  /// printed (see shortRowTest), and whether they are to be printed without.
  std::vector<ExprRef> RowTests;
  bool ShortRows = false;
  /// The test of sizes, as printed, that holds where this begins; may be empty.
  std::string SizeTest;
  StmtRef SizesOf; ///< what it was made for
  /// What T's form as an expression or a call is run under is tested before.
  void setTested(const TensorOp *T) { FormTested = T; }
  /// What is printed is R's, in F. Where that is a loop, the thread that finds
  /// that there is too little work for others has lost the time of some hundred
  /// elements, each time: only a test that does not cost as much, or none, may
  /// start them there.
  void setAround(const Region &R, const Function &F);
  /// Threads get what they read of R's function F by value.
  void setCaptures(const Region &R, const Function &F) {
    Of = &R;
    In = &F;
  }
  /// Of what they read of F they get the pointers by value.
  void setPointerCaptures(const Function &F) { PointersOf = &F; }
  /// Set to print regions inside: the function in which they stand, and whether
  /// only their originals are wanted.
  const Function *Whole = nullptr;
  bool Originals = false;
  /// Where only a part is printed: of a function that a differentiation made.
  bool IsDerivative = false;
  /// Nothing else updates what is printed at the same time. Kernels and authors
  /// who write `omp atomic` have updates that are so for other threads, too.
  bool OneTeam = false;
  /// It was a kernel's threads that iterations are made of.
  bool OfKernel = false;
  /// What is printed is run by threads of a device.
  bool OnDevice = false;
  /// The author's, with all its clauses: stands above the loop that it is on.
  std::string Directive;
  /// Comments to print above their statements; null for none.
  CommentStock *Comments = nullptr;

  /// What is tested before all that is printed; may be null.
  void setHolding(const std::vector<Guard> *Guards) { Tested = Guards; }

private:
  bool isOfDerivative() const {
    return IsDerivative || (Whole && raise::isDerivative(*Whole));
  }
  Code printBare(const StmtRef &S);
  Code decl(const Decl &D);
  Code declBuffer(const DeclBuffer &D);
  HeapArray heapArray(const DeclBuffer &D);
  void release(size_t First, Code &C);
  Code leave(std::string Jump, size_t First);
  Code returning(const Return &R);
  Code assign(const Assign &A);
  Code store(const Store &S);
  Code atomicCall(const Store &S);
  Code update(const std::string &Target, const Type &Ty, Combiner Op,
              const ExprRef &Value);
  Code forLoop(const For &L);
  Code changePlaces(const Exchange &X);
  Code pureCall(const PureCall &C, bool Declares);
  Code ifElse(const If &I);
  Code whileLoop(const While &W);
  /// What stands in braces of its own, and leaves the names of its views to
  /// others.
  Code inside(llvm::function_ref<Code()> Print);
  Code printInside(const StmtRef &S);
  Code tensorLoop(const TensorOp &T, size_t Level);
  std::optional<Code> eigenForm(const TensorOp &T, size_t Level);
  size_t eigenGroup(llvm::ArrayRef<StmtRef> Body, Code &C, eigen::Views &Known);
  std::optional<Code> blasCall(llvm::ArrayRef<StmtRef> Body, size_t &Done);
  std::optional<Code> blasCall(const TensorOp &T, size_t Level);
  std::optional<Code> blasBatch(const TensorOp &T, size_t Level);
  Code tensorBody(const TensorOp &T);
  Code keptInScalars(const TensorOp &T, size_t Level,
                     const std::vector<Accumulator> &Fresh, const Code &Loop);
  bool InSimd = false;
  bool InPurpose = false; ///< the comment above a loop was written
  bool sharesNext(const TensorOp &T, size_t Level, const LoopPlan &Plan,
                  const Threshold &Limit) const;
  size_t sharedLevels(const TensorOp &T, size_t Level, const LoopPlan &Plan,
                      const Threshold &Limit) const;
  std::string pragma(const TensorOp &T, size_t Level, const LoopPlan &Plan,
                     const Threshold &Limit) const;
  std::string accumulatorName(const Accumulator &A) const;
  eigen::Place eigenPlace() const;
  bool isUsedLater(const Var *V, llvm::ArrayRef<StmtRef> Later) const;

  const Options &Opts;
  Names &N;
  ExprPrinter &P;
  bool InParallel = false, WorkTested = false, Repeated = false;
  bool InLoop = false;  ///< repeated by a loop of what is printed
  bool AsLoops = false; ///< for what a call's test does not let through
  CounterRanges Ranges;
  NotNegative Counters;
  const std::vector<Guard> *Tested = nullptr; ///< before what is printed
  const TensorOp *FormTested = nullptr;
  const TensorOp *CallsTested = nullptr; ///< whose calls are tested around it
  const Region *Of = nullptr; ///< with its function, if it is repeated
  const Function *In = nullptr;
  const Function *PointersOf = nullptr;
  /// Of the operations around: that they run at all, and what they run.
  std::vector<std::pair<ExprRef, StmtRef>> Running;
  /// Declarations of arrays in the blocks that are being printed, outermost
  /// first; those from OfLoop on end with an iteration of the innermost loop.
  std::vector<std::vector<StmtRef>> Scopes;
  size_t OfLoop = 0;
  /// Arrays on the heap that lie in another one's allocation.
  llvm::SmallPtrSet<const Buffer *, 8> Parts;
  /// Elements that are kept in a scalar while their loop runs.
  llvm::DenseMap<const Store *, std::string> Kept;
  /// Of loops that are printed as parallel (see sharedWrites). What is printed
  /// may be a copy.
  std::vector<const Store *> SharedWrites;
  bool isSharedWrite(const Store &S) const;
  /// Of which each thread has one of its own.
  llvm::SmallPtrSet<const Buffer *, 2> OwnArrays;
};

} // namespace raise

#endif // RAISE_LIB_EMIT_STMTPRINTER_H
