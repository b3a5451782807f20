//===- Poly.h - integer polynomials over symbols ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Polynomials with 64-bit integer coefficients over atoms (numbered symbols,
// see Symbols.h). They denote mathematical integers: nothing wraps. A
// computation whose coefficients would not fit makes the result invalid, and
// everything computed from it; callers test valid() before they conclude.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_POLY_H
#define RAISE_LIB_ANALYSIS_POLY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace raise::analysis {

using AtomId = unsigned;
/// Atoms in ascending order, with repetition; empty for the constant term.
using Monomial = std::vector<AtomId>;

Monomial multiply(const Monomial &A, const Monomial &B);
/// A / B, if B's atoms are among A's.
std::optional<Monomial> divide(const Monomial &A, const Monomial &B);

class Poly {
public:
  Poly() = default;
  static Poly constant(int64_t C);
  static Poly atom(AtomId A);
  static Poly term(Monomial M, int64_t C);

  bool valid() const { return Ok; }
  bool isZero() const { return Ok && Terms.empty(); }
  bool isConstant() const;
  /// The constant term.
  int64_t constantTerm() const;
  /// The atom, if this is exactly one atom.
  std::optional<AtomId> asAtom() const;
  const std::map<Monomial, int64_t> &terms() const { return Terms; }

  Poly operator+(const Poly &O) const;
  Poly operator-(const Poly &O) const;
  Poly operator*(const Poly &O) const;
  Poly operator-() const;
  bool operator==(const Poly &O) const {
    return Ok && O.Ok && Terms == O.Terms;
  }
  bool operator!=(const Poly &O) const { return !(*this == O); }
  bool operator<(const Poly &O) const { return Terms < O.Terms; }

  /// Q with *this == Q * D, if there is one.
  std::optional<Poly> divideExactly(const Poly &D) const;
  std::set<AtomId> atoms() const;
  bool mentions(AtomId A) const;
  /// *this == Linear * A + Rest, or nothing where A occurs with a power.
  std::optional<std::pair<Poly, Poly>> splitLinear(AtomId A) const;
  Poly substitute(AtomId A, const Poly &To) const;
  /// The terms for which Keep is true.
  Poly filter(llvm::function_ref<bool(const Monomial &)> Keep) const;
  /// The greatest common divisor of the coefficients; 0 for the zero.
  int64_t content() const;
  Poly dividedBy(int64_t C) const; ///< C divides every coefficient

private:
  void add(const Monomial &M, int64_t C);
  std::map<Monomial, int64_t> Terms; // no zero coefficients
  bool Ok = true;
};

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_POLY_H
