//===- Directions.h - values beside a function's inputs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Verify: random values for the derivatives of a function's
// parameters, where parameters that share memory share them.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_DIRECTIONS_H
#define RAISE_LIB_VERIFY_DIRECTIONS_H

#include "raise/Grad/Signature.h"
#include "raise/Interp/Interp.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <random>

namespace raise {

/// Calls Fn for each cell, with the member that it belongs to and its number.
void eachCell(interp::Storage &S,
              llvm::function_ref<void(std::optional<interp::Value> &,
                                      llvm::StringRef Field, size_t Cell)>
                  Fn);
bool isFloat(const std::optional<interp::Value> &V);
/// The cell of that member and number; nothing if there is none.
std::optional<interp::Value> cellAt(const interp::Storage &S,
                                    llvm::StringRef Field, size_t Cell);
/// The same number, or both NaN, or both not set.
bool sameValue(const std::optional<interp::Value> &A,
               const std::optional<interp::Value> &B);
interp::Binding bindingOf(const interp::Inputs &In, llvm::StringRef Name);
/// In with room for steps between two values of float.
interp::Inputs inDouble(const interp::Inputs &In);

/// One value between -1 and 1 for each floating value that a named parameter
/// leads to.
class Directions {
public:
  Directions(const Function &Primal, const grad::Signature &Sig,
             const interp::Inputs &In, uint64_t Seed);

  std::map<std::string, double> Scalars; ///< by the parameter's name
  /// By the storage of In.
  std::map<interp::Storage *, std::shared_ptr<interp::Storage>> Stores;

  /// To (which shares memory as In does) with the derivatives of Sig beside it:
  /// these values, in storages of their own. A scalar whose derivative is
  /// memory gets a cell.
  interp::Inputs beside(const Function &Primal, const grad::Signature &Sig,
                        const interp::Inputs &In,
                        const interp::Inputs &To) const;
  interp::Inputs beside(const Function &Primal, const grad::Signature &Sig,
                        const interp::Inputs &In) const {
    return beside(Primal, Sig, In, In);
  }
};

/// S with K cells in place of each, of the same values.
std::shared_ptr<interp::Storage> repeated(const interp::Storage &S, unsigned K);

/// Whether a named parameter shares memory with one that is not named.
bool overlapsUnnamed(const Function &Primal, const grad::Signature &Sig,
                     const interp::Inputs &In);

/// What Here and There (by names of the primal) do not leave alike; empty for
/// nothing. Where lanes of a warp exchange values, sums may round otherwise.
std::string differentPrimal(const Function &Primal, const interp::Inputs &Here,
                            const interp::Inputs &There);

} // namespace raise

#endif // RAISE_LIB_VERIFY_DIRECTIONS_H
