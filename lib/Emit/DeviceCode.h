//===- DeviceCode.h - statements as kernels and launches --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of a function all of whose arrays lie in the memory of a device. What uses
// no memory stays on the host; operations become kernels, one thread or one
// block of threads for each of their points; what is left between them, with
// the scalars that it computes from memory, is run by one block.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_DEVICECODE_H
#define RAISE_LIB_EMIT_DEVICECODE_H

#include "DevicePoints.h"
#include "StmtPrinter.h"
#include "raise/Emit/Device.h"
#include "llvm/ADT/DenseSet.h"

namespace raise::device {

class Printer {
public:
  /// Body: what is to be printed of F. Tested: what holds where it runs.
  Printer(const Function &F, const StmtRef &Body, const Options &Opts, Names &N,
          ExprPrinter &P, llvm::ArrayRef<Guard> Tested);

  /// Host code for S, which launches the kernels that join kernels().
  Code print(const StmtRef &S);
  /// A launch of one thread for each of the threads around Body, the nest of
  /// loops over grid and block that a kernel's body is.
  Code launch(const StmtRef &Nest);

  const std::vector<Code> &kernels() const { return Kernels; }
  /// How the kernels are run.
  const DeviceUse &use() const { return Use; }
  /// What launches and allocations name behind their other arguments; "" for
  /// the default stream.
  std::string Stream;
  /// Whether all arrays are handed in, whatever they are in the source.
  bool AllPassed = false;
  /// Why there is no such code; unset if there is.
  const Reason &why() const { return Why; }

private:
  friend class Group;

  void refuse(std::string Text, const SourceLoc &Loc);
  Code list(llvm::ArrayRef<StmtRef> Body);
  Code decl(const Decl &D);
  Code array(const DeclBuffer &D);
  std::string allocation(llvm::StringRef Type, llvm::StringRef Name,
                         llvm::StringRef Count, bool Cleared = false) const;
  Code operation(const TensorOp &T);
  std::optional<Code> row(const Points &At);
  std::optional<Code> columnSums(const Points &At);
  std::optional<Code> tiledSum(const Points &At);
  Code region(const Region &R);
  Code serial(llvm::ArrayRef<StmtRef> Body);
  /// Kernels for the sums of all points that Body begins with, with plain
  /// declarations among them. Body becomes what follows, and Adding what stands
  /// before that: the declarations, and what adds up the parts of blocks.
  Code leadingSums(llvm::ArrayRef<StmtRef> &Body, Code &Adding);
  /// A kernel that holds Body, the text of Of and of the iterators Own, and its
  /// launch.
  Code kernel(const Code &Body, const StmtRef &Of, std::string Blocks,
              std::string Threads, llvm::ArrayRef<Iterator> Own = {});
  std::string nameFor(const StmtRef &Of);
  /// Body, which runs at point Number of At, behind the iterators that it uses.
  Code withIterators(const Points &At, llvm::StringRef Number,
                     const Code &Body) const;
  /// Statements of a thread.
  Code thread(const StmtRef &S);
  bool checkThread(const StmtRef &S);
  /// Body without the arrays on the heap that each of Count points of it
  /// declares. Host allocates them for all, and Lines find those of the point
  /// Number.
  StmtRef withoutArrays(const StmtRef &Body, const std::string &Count,
                        const std::string &Number, Code &Host, Code &Lines);
  bool usesMemory(const ExprRef &E) const;
  bool isForHost(const StmtRef &S) const;
  bool isFrame(const StmtRef &S) const;
  bool touchesMemory(const StmtRef &S) const;
  void noteComputed(const StmtRef &S);

  const Function &F;
  Options Opts;
  Names &N;
  ExprPrinter &P;
  std::vector<Code> Kernels;
  std::set<std::string> KernelNames;
  /// What a kernel may be handed. Array: of a pointer, what it leads to (Into:
  /// at some element).
  struct Argument {
    std::string Name, Type;
    const Buffer *Array = nullptr;
    bool Into = false;
  };
  std::vector<Argument> Visible;
  std::vector<Guard> Tested;
  bool meet(const Buffer &A, const Buffer &B) const;
  std::string declare(const Argument &A,
                      const llvm::DenseSet<const Buffer *> &Written,
                      const std::vector<const Argument *> &All,
                      bool Waits) const;
  /// The condition that the code which was printed last is all under.
  std::string Under;
  /// Scalars that the host has where it launches kernels.
  llvm::DenseSet<const Var *> OfHost;
  /// Scalars that hang on what is in memory.
  llvm::DenseSet<const Var *> Computed;
  DeviceUse Use;
  Reason Why;
};

/// Statements that a block of threads runs together: each has the scalars, one
/// stores, and all share the points of operations.
class Group {
public:
  explicit Group(Printer &On) : On(On) {}
  bool Shares = false; ///< some loop's iterations
  bool Alone = false;  ///< each thread, or one, runs a loop as it is
  Code print(const StmtRef &S);
  /// What the threads of a whole grid add up of T, which is a sum: each block
  /// keeps its part. Into Parts: the sums' types and names, and the arrays of
  /// parts.
  struct Part {
    VarRef Sum;
    std::string Array;
  };
  Code share(const TensorOp &T, llvm::ArrayRef<Part> Parts);
  /// The points of T, a sum, of which this thread has every Step-th from First
  /// on.
  Code some(const TensorOp &T, llvm::StringRef First, llvm::StringRef Step);

private:
  struct Touched {
    llvm::DenseSet<const Buffer *> Read, Written;
  };
  Code list(llvm::ArrayRef<StmtRef> Body);
  Code points(const Points &P);
  Code sum(const TensorOp &T);
  Code extremum(const TensorOp &T, const Assign &A);
  Code pointLoop(const Points &P, llvm::StringRef First, llvm::StringRef Step);
  Code byOne(const StmtRef &S);
  Code repeated(std::string Header, const StmtRef &Body);
  Code array(const DeclBuffer &D);
  Touched touchedBy(const StmtRef &S) const;
  Touched touchedBy(const ExprRef &E) const;
  /// What must be waited for before S, which is noted as done.
  Code before(const Touched &S);

  Printer &On;
  Touched Since; ///< the last barrier
};

/// Whether S is a loop, or has one.
bool hasLoops(const StmtRef &S);

/// The scalars outside of T that it adds to, if iterations are free but for
/// these sums.
std::optional<std::vector<VarRef>> sumsOf(const TensorOp &T, FPMode FP);

} // namespace raise::device

#endif // RAISE_LIB_EMIT_DEVICECODE_H
