//===- StmtEigen.cpp - expressions and calls among other statements -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BlasCall.h"
#include "Comment.h"
#include "EigenCode.h"
#include "Origins.h"
#include "StmtPrinter.h"
#include "raise/IR/Visitor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace raise {

eigen::Place StmtPrinter::eigenPlace() const {
  return {&Opts, &P, Tested, &Counters};
}

static Code asCode(eigen::Group &G, bool IsTested) {
  Code C;
  for (std::string &Line : G.take())
    C.line(std::move(Line));
  C.Statements = unsigned(C.Lines.size());
  C.NeedsBlock = true;
  if (IsTested || G.test().empty())
    return C;
  return nested("if (" + G.test() + ")", C, true);
}

std::optional<Code> StmtPrinter::eigenForm(const TensorOp &T, size_t Level) {
  if (Opts.Target != Dialect::Eigen)
    return std::nullopt;
  eigen::Views V(N, P);
  eigen::Group G(eigenPlace(), V);
  if (!G.add(T, Level))
    return std::nullopt;
  Code C = asCode(G, Level == 0 && FormTested == &T);
  if (currentTrace())
    markLines(C, originsWithin(T));
  return C;
}

/// How many statements that Body begins with are such expressions: they are in
/// C now, with the views that they share and that are not among Known.
size_t StmtPrinter::eigenGroup(ArrayRef<StmtRef> Body, Code &C,
                               eigen::Views &Known) {
  if (Opts.Target != Dialect::Eigen)
    return 0;
  const auto Before = Known.keep();
  eigen::Group G(eigenPlace(), Known);
  size_t Done = 0;
  while (Done < Body.size()) {
    auto *T = dyn_cast<TensorOp>(Body[Done].get());
    if (!T || !G.add(*T))
      break;
    ++Done;
  }
  if (!Done) {
    // What is printed otherwise may change what a view is made of.
    assignedVars(Body[0],
                 [&](const VarRef &V) { Known.forget(N.of(V.get())); });
    return 0;
  }
  if (Comments)
    for (const StmtRef &S : Body.take_front(Done))
      for (const std::string &Text : Comments->take(*S))
        addSourceComment(C, Text);
  const bool IsTested = FormTested == Body[0].get();
  Code Form = asCode(G, IsTested);
  if (currentTrace())
    for (const StmtRef &S : Body.take_front(Done))
      markLines(Form, originsWithin(*S));
  C.add(Form);
  // What stands in braces leaves its names to others.
  if (!IsTested && !G.test().empty())
    Known.restore(Before);
  for (const StmtRef &S : Body.take_front(Done))
    assignedVars(S, [&](const VarRef &V) { Known.forget(N.of(V.get())); });
  return Done;
}

/// The lines of Form behind Before, where Loops are what its test does not let
/// through.
static Code asCode(const eigen::BlasForm &Form, bool IsTested, Code Before,
                   function_ref<Code()> Loops) {
  Code C = std::move(Before);
  for (const std::string &Line : Form.Lines)
    C.line(Line);
  C.Statements += 1;
  C.NeedsBlock |= Form.Lines.size() > 1;
  return IsTested || Form.Test.empty() ? C : branches(Form.Test, C, Loops());
}

// The library brings its own threads.
std::optional<Code> StmtPrinter::blasCall(ArrayRef<StmtRef> Body,
                                          size_t &Done) {
  if (!Opts.Blas || AsLoops || InParallel)
    return std::nullopt;
  const auto Form = eigen::blasForm(Body, eigenPlace(), N);
  if (!Form)
    return std::nullopt;
  Done = Form->Replaced;
  if (Comments)
    for (const StmtRef &S : Body.take_front(Done))
      (void)Comments->take(*S);
  Code Before;
  if (Form->Before) {
    // A clause that starts threads for it costs time where there is no call,
    // as clang asks for the thread's number where the function begins.
    const SaveAndRestore OneThread(InParallel, true);
    Before = print(Form->Before);
  }
  Code C = asCode(*Form, FormTested == Body[0].get(), std::move(Before), [&] {
    const SaveAndRestore Plain(AsLoops, true);
    return printAll(Body.take_front(Done));
  });
  if (currentTrace())
    for (const StmtRef &S : Body.take_front(Done))
      markLines(C, originsWithin(*S));
  return C;
}

/// Calls where one test lets all of them through, else loops, which may have
/// threads; nothing where T is no such batch.
std::optional<Code> StmtPrinter::blasBatch(const TensorOp &T, size_t Level) {
  if (!Opts.Blas || AsLoops || InParallel || CallsTested == &T)
    return std::nullopt;
  const auto Is = eigen::batchOf(T, Level, eigenPlace(), N);
  if (!Is || Is->Test.empty())
    return std::nullopt;
  const auto Under = [&](auto &Setting, auto To) {
    const SaveAndRestore Here(Setting, To);
    return tensorLoop(T, Level);
  };
  const Code Calls = Under(CallsTested, &T);
  return branches(Is->Test, Calls, Under(AsLoops, true));
}

std::optional<Code> StmtPrinter::blasCall(const TensorOp &T, size_t Level) {
  if (!Opts.Blas || AsLoops || InParallel)
    return std::nullopt;
  const auto Form = eigen::blasForm(T, Level, eigenPlace(), N);
  if (!Form)
    return std::nullopt;
  const bool IsTested = CallsTested == &T || (Level == 0 && FormTested == &T);
  Code C = asCode(*Form, IsTested, Code(), [&] {
    const SaveAndRestore Plain(AsLoops, true);
    // What is too small for a call is too small for threads.
    const SaveAndRestore OneThread(InParallel, Level > 0);
    return tensorLoop(T, Level);
  });
  if (currentTrace())
    markLines(C, originsWithin(T));
  return C;
}

} // namespace raise
