//===- StripLoops.h - loops in their order, by strips -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform. What passes share that write a loop which keeps
// its order as loops over the points of strips.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_STRIPLOOPS_H
#define RAISE_LIB_TRANSFORM_STRIPLOOPS_H

#include "WholeStrips.h"
#include "raise/IR/Visitor.h"
#include <set>

namespace raise {

/// The ordered loops of a region, innermost, of LeastPoints points or more.
class StripLoops : public Rewriter {
public:
  /// What stands in place of a loop over It; null where it stays.
  using Write = llvm::function_ref<StmtRef(
      const Iterator &It, const StmtRef &Body, const SourceLoc &Loc)>;

  StripLoops(const Region &R, int64_t LeastPoints, Write By);
  /// The region with its loops written anew, of which Proved is said; null
  /// where all stay.
  StmtRef run(const std::string &Proved);

private:
  const Region &R;
  const int64_t LeastPoints;
  const Write By;
  std::vector<Guard> Tests;
  bool Changed = false;
  std::set<const Var *> Inside;

  bool isLong(const Iterator &It, ExprRef &Test) const;
  StmtRef rewriteStmt(const StmtRef &S) override;
};

/// Whether It's points are numbers of L's iterations, in its order.
bool goesWith(const Iterator &It, const For &L);

/// List, of It's points, for Lane of the Width points of a strip of Of.
StmtRef laneLoop(IterKind Kind, std::vector<StmtRef> List, const VarRef &Lane,
                 int64_t Width, const Iterator &It, const WholeStrips &Of);

/// Before, then Strip for each strip of Of, and then Points for each point of
/// what is left.
StmtRef stripsAndRest(const WholeStrips &Of, std::vector<StmtRef> Before,
                      std::vector<StmtRef> Strip,
                      llvm::ArrayRef<StmtRef> Points, IterKind Kind,
                      const SourceLoc &Loc);

/// A variable, and an array of Count elements, of a strip's own.
std::shared_ptr<Var> stripScalar(const std::string &Name, const Type &Ty);
BufferRef stripArray(const std::string &Name, const Type &Elem, int64_t Count,
                     const SourceLoc &Loc);
/// The array's element Lane + By.
Access stripElement(const BufferRef &Buf, const VarRef &Lane, int64_t By = 0);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_STRIPLOOPS_H
