//===- EquationReader.h - reading statements as equations -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_EQUATIONREADER_H
#define RAISE_LIB_EMIT_EQUATIONREADER_H

#include "Names.h"
#include "Notation.h"
#include "raise/Emit/Equations.h"
#include <map>
#include <set>
#include <tuple>

namespace raise {
namespace equations {

/// A definition of V: at S itself, or (Within) all of those inside S. S is null
/// for one that no equation can make.
struct Def {
  const Stmt *S = nullptr;
  const Var *V = nullptr;
  bool Within = false;
  bool operator<(const Def &O) const {
    return std::tie(S, V, Within) < std::tie(O.S, O.V, O.Within);
  }
  bool operator==(const Def &O) const {
    return std::tie(S, V, Within) == std::tie(O.S, O.V, O.Within);
  }
};

struct State {
  ExprRef Value; ///< null: only the name is right, once Defs are equations
  std::vector<Def> Defs;
  size_t Depth = 0; ///< loops around the definition
};

struct Mentions {
  llvm::DenseSet<const Var *> Vars;
  llvm::DenseSet<const Buffer *> Buffers;
};

/// What reading again is to do differently. Both only grow, but Required starts
/// anew when Separate has grown.
struct Decisions {
  std::set<Def> Required;
  /// Loops over which the variable is not to be summed.
  std::set<std::pair<const Stmt *, const Var *>> Separate;
  /// How often the value of a definition is read, as counted in the first
  /// round.
  std::map<std::pair<const Stmt *, const Var *>, unsigned> Uses;
  bool Counting = true;
};

struct Condition {
  ExprRef Holds;
  bool Dead = false; ///< what it was computed from has changed
};

/// A loop being read.
struct Level {
  const Stmt *Loop;
  size_t Ranges, Conditions; ///< how many are around it
};

struct Accumulator {
  size_t Ranges, Conditions;
  std::vector<Combined> Terms;
  bool Failed = false;
};

class Reader {
public:
  Reader(const StmtRef &Root, llvm::ArrayRef<Guard> Guards, Decisions &D)
      : Root(Root), Guards(Guards), D(D) {}

  /// The equations, unless Asked or GaveUp is set afterwards.
  Equations Out;
  bool Asked = false, GaveUp = false;
  void readRoot();

private:
  void read(const StmtRef &S);
  void readBlock(const Block &B);
  void readDecl(const Decl &S);
  void readArray(const DeclBuffer &S);
  void readAssign(const Assign &A);
  void readStore(const Store &S);
  void readExit(const StmtRef &S);
  void readIf(const StmtRef &S, const If &I);
  void merge(llvm::DenseMap<const Var *, State> Then, const ExprRef &Cond,
             bool Dead);
  void readLoop(const StmtRef &S, std::vector<Range> Ranges,
                const ExprRef &Mask, const StmtRef &Body);
  void enterRanges(const StmtRef &S, std::vector<Range> Ranges);
  void finish(const StmtRef &S, const VarRef &V, Accumulator A);
  bool sumOverLoops(const Store &S, const Access &To, const ExprRef &Value);

  ExprRef known(const ExprRef &E);
  Access known(const Access &A);
  ExprRef use(const VarRef &V);
  void require(llvm::ArrayRef<Def> Defs);
  bool isRequired(const Stmt *S, const Var *V) const;
  void define(const Stmt *S, const VarRef &V, const ExprRef &Value,
              Equation Line);
  void line(Equation Line);
  bool isSum(const ExprRef &Value) const;
  bool isTooLong(const ExprRef &Value, const Stmt *S, const VarRef &V) const;
  bool isDigit(const VarRef &V, const ExprRef &Value) const;

  bool mayAlias(const Buffer *A, const Buffer *B) const;
  void addMentions(const ExprRef &E, Mentions &M) const;
  bool mentions(const ExprRef &E, const Var *V) const;
  bool dependsOn(const ExprRef &E, const Buffer *B) const;
  void changed(const Var *V);
  void changed(const Buffer *B);
  /// Drops what Stale says rests on something that has changed.
  void invalidate(llvm::function_ref<bool(const ExprRef &)> Stale);
  bool isFixedIn(const Mentions &M, const StmtRef &Loop,
                 llvm::ArrayRef<Range> Bound) const;
  bool onlyCombines(const StmtRef &Loop, const Var *V) const;
  std::vector<VarRef> assignedIn(const StmtRef &Loop) const;
  unsigned usesOf(const Stmt *S, const Var *V) const;

  StmtRef Root;
  llvm::ArrayRef<Guard> Guards;
  Decisions &D;
  llvm::DenseMap<const Var *, State> States;
  std::vector<Condition> Conditions;
  std::vector<Range> Ranges;
  std::vector<Level> Levels;
  std::vector<const Stmt *> Enclosing;
  llvm::DenseMap<const Var *, Accumulator> Accumulators;
  llvm::DenseMap<const Var *, Mentions> OfSums;
  llvm::DenseSet<const Var *> Digits;
  NotationPrinter Widths;
};

/// 0: does not combine in any order. Sums and differences go together.
int combinerClass(Combiner Op);
/// Whether combining many values of type From into a To is one operation on
/// all: no conversion on the way may lose what adds up.
bool combinesExactly(Combiner Op, const Type &To, const Type &From);
bool isUseOf(const ExprRef &E, const Var *V);

} // namespace equations
} // namespace raise

#endif // RAISE_LIB_EMIT_EQUATIONREADER_H
