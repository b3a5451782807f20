//===- AdjointForm.h - a function run, then reversed ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_ADJOINTFORM_H
#define RAISE_LIB_GRAD_ADJOINTFORM_H

#include "JointLoops.h"
#include "Structured.h"
#include "TangentCallees.h"
#include "raise/Analysis/Overwrites.h"
#include "raise/Grad/Activity.h"
#include "raise/Grad/Signature.h"
#include <map>

namespace raise::grad {

/// The adjoints of the functions that are called: for each definition and
/// parameter one, whatever form calls it.
struct Callees {
  std::set<std::string> *Names = nullptr;
  std::map<std::pair<const Function *, unsigned>, CalleeRef> Made;
  /// By the primal's name and the parameter.
  std::map<std::pair<std::string, unsigned>, CalleeRef> ByRule;
  std::vector<FunctionRef> InOrder;
  CalleeRef Stride;        ///< see strideFunction; null while nothing calls it
  TangentCallees Tangents; ///< of functions that call themselves
};

/// What was asked about loops over time steps, and what became of it.
struct Stepping {
  const Checkpoints &Asked;
  Overwrites &Ranges; ///< of the function without jumps
  Reason Why;         ///< set: a loop cannot be reversed by segments
  std::vector<std::string> Notes; ///< what is kept, for the reader
};

/// `f_adjoint`: the forward sweep of Plain, which is Primal without jumps, and
/// the reverse sweep. Alias and Later as for Values. Names: those in use.
/// Split: null, or where reasons go for which the two sweeps cannot be apart
/// (see Split.h). Steps: null, or the loops that are reversed by segments; the
/// result is meaningless where Why was set. Joint: null, or the loops whose
/// iterations are reversed one by one, with Later; likewise for Failed.
FunctionRef adjointForm(const Function &Primal, const Structured &Plain,
                        const Signature &Sig, AliasMode Alias,
                        Overwrites *Later, Callees &Called,
                        std::set<std::string> Names,
                        std::vector<Reason> *Split = nullptr,
                        Stepping *Steps = nullptr, JointLoops *Joint = nullptr);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_ADJOINTFORM_H
