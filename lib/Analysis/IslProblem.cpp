//===- IslProblem.cpp - isl decides about integer points ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IslProblem.h"
#include "llvm/ADT/Hashing.h"
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

namespace raise::analysis {

IslBudget::IslBudget(unsigned long MaxOperations) : Ctx(isl_ctx_alloc()) {
  isl_options_set_on_error(Ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(Ctx, MaxOperations);
}

IslBudget::~IslBudget() { isl_ctx_free(Ctx); }

static isl_basic_set *build(isl_ctx *Ctx, unsigned Variables,
                            const std::vector<Linear> &S) {
  isl_space *Space = isl_space_set_alloc(Ctx, 0, Variables);
  isl_local_space *Local = isl_local_space_from_space(isl_space_copy(Space));
  isl_basic_set *B = isl_basic_set_universe(Space);
  for (const Linear &L : S) {
    isl_constraint *C =
        L.Equality
            ? isl_constraint_alloc_equality(isl_local_space_copy(Local))
            : isl_constraint_alloc_inequality(isl_local_space_copy(Local));
    for (auto &[V, K] : L.Coefficients)
      C = isl_constraint_set_coefficient_val(C, isl_dim_set, V,
                                             isl_val_int_from_si(Ctx, K));
    C = isl_constraint_set_constant_val(C,
                                        isl_val_int_from_si(Ctx, L.Constant));
    B = isl_basic_set_add_constraint(B, C);
  }
  isl_local_space_free(Local);
  return B;
}

size_t IslBudget::Hash::operator()(const System &S) const {
  return llvm::hash_combine_range(S.begin(), S.end());
}

/// A system as numbers: no two have the same.
static std::vector<int64_t> numbersOf(unsigned Variables,
                                      const std::vector<Linear> &S) {
  std::vector<int64_t> Numbers{int64_t(Variables)};
  for (const Linear &L : S) {
    Numbers.insert(Numbers.end(), {int64_t(L.Equality), L.Constant,
                                   int64_t(L.Coefficients.size())});
    for (const auto &[V, K] : L.Coefficients)
      Numbers.insert(Numbers.end(), {int64_t(V), K});
  }
  return Numbers;
}

IslBudget::Answer IslBudget::isEmpty(unsigned Variables,
                                     const std::vector<Linear> &S) {
  Asked += (S.size() + 1) * (Variables + 1);
  Exhausted |= Asked > MaxCoefficients;
  if (Exhausted)
    return Answer::Unknown;
  const auto [Known, IsNew] =
      Emptiness.try_emplace(numbersOf(Variables, S), false);
  if (!IsNew)
    return Known->second ? Answer::Empty : Answer::NotEmpty;
  isl_basic_set *B = build(Ctx, Variables, S);
  isl_bool Empty = isl_basic_set_is_empty(B);
  isl_basic_set_free(B);
  if (Empty < 0) {
    Exhausted = true;
    return Answer::Unknown;
  }
  Known->second = Empty;
  return Empty ? Answer::Empty : Answer::NotEmpty;
}

std::vector<int64_t> IslBudget::sample(unsigned Variables,
                                       const std::vector<Linear> &S) {
  std::vector<int64_t> R;
  if (Exhausted)
    return R;
  isl_point *P = isl_basic_set_sample_point(build(Ctx, Variables, S));
  if (!P || isl_point_is_void(P) != isl_bool_false) {
    isl_point_free(P);
    return R;
  }
  for (unsigned V = 0; V < Variables; ++V) {
    isl_val *C = isl_point_get_coordinate_val(P, isl_dim_set, V);
    R.push_back(isl_val_get_num_si(C));
    isl_val_free(C);
  }
  isl_point_free(P);
  return R;
}

namespace {
struct Named {
  std::vector<unsigned> Variables; ///< that isl's dimensions stand for
  std::vector<Linear> Constraints;
};
} // namespace

/// Adds C to the constraints of Into, which is a Named.
static isl_stat collect(isl_constraint *C, void *Into) {
  auto &[Names, Out] = *static_cast<Named *>(Into);
  Linear L;
  L.Equality = isl_constraint_is_equality(C) == isl_bool_true;
  const auto Number = [](isl_val *V) {
    const int64_t N = isl_val_get_num_si(V);
    isl_val_free(V);
    return N;
  };
  for (unsigned I = 0; I < Names.size(); ++I)
    if (int64_t K =
            Number(isl_constraint_get_coefficient_val(C, isl_dim_set, int(I))))
      L.Coefficients[Names[I]] = K;
  L.Constant = Number(isl_constraint_get_constant_val(C));
  isl_constraint_free(C);
  Out.push_back(std::move(L));
  return isl_stat_ok;
}

std::vector<Linear> IslBudget::project(unsigned Variables,
                                       const std::vector<Linear> &S,
                                       const std::set<unsigned> &Kept) {
  if (Exhausted)
    return {};
  isl_set *Set = isl_set_from_basic_set(build(Ctx, Variables, S));
  for (unsigned V = Variables; V-- > 0;)
    if (!Kept.count(V))
      Set = isl_set_project_out(Set, isl_dim_set, V, 1);
  isl_basic_set *Hull = isl_set_simple_hull(isl_set_remove_divs(Set));
  Named Into{{Kept.begin(), Kept.end()}, {}};
  const bool Ok =
      isl_basic_set_foreach_constraint(Hull, collect, &Into) == isl_stat_ok;
  isl_basic_set_free(Hull);
  Exhausted |= !Ok;
  return Ok ? std::move(Into.Constraints) : std::vector<Linear>();
}

} // namespace raise::analysis
