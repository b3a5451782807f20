//===- ArrayFlow.cpp - which stores of an array are read ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Analysis/ArrayFlow.h"
#include "ArrayTouches.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <isl/ctx.h>
#include <isl/flow.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/union_map.h>

using namespace llvm;

namespace raise {
using namespace analysis;

namespace {

/// More accesses than this are not looked at.
constexpr size_t MostTouches = 60;

/// One array's accesses as isl reads them.
class Problem {
public:
  Problem(const ArrayTouches &T, unsigned long MaxOperations)
      : Touches(T), Ctx(isl_ctx_alloc()) {
    isl_options_set_on_error(Ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(Ctx, MaxOperations);
  }
  ~Problem() { isl_ctx_free(Ctx); }
  Problem(const Problem &) = delete;
  Problem &operator=(const Problem &) = delete;

  /// The pairs of touches of which the second reads a value of the first; 0 is
  /// the declaration, the others count from 1. None: the budget is spent.
  std::optional<std::vector<std::pair<unsigned, unsigned>>> run(unsigned Rank) {
    Dimensions = Rank;
    for (const ArrayTouch &T : Touches.All)
      Depth = std::max(Depth, T.Places.size() + T.Iterations.size());
    std::string Must = "T0[] -> A[" + elements() + "]; ", May, Reads,
                Order = "T0[] -> [" + zeros(Depth) + "]; ";
    unsigned K = 0;
    for (const ArrayTouch &T : Touches.All) {
      ++K;
      const bool Known = isKnown(T);
      std::string &Into = !T.Writes ? Reads : Known && T.Exact ? Must : May;
      Into += access(T, K, Known);
      Order += order(T, K);
    }
    isl_union_map *Schedule = map(Order);
    isl_union_access_info *Info = isl_union_access_info_from_sink(map(Reads));
    Info = isl_union_access_info_set_must_source(Info, map(Must));
    Info = isl_union_access_info_set_may_source(Info, map(May));
    Info = isl_union_access_info_set_schedule_map(Info, Schedule);
    isl_union_flow *Flow = isl_union_access_info_compute_flow(Info);
    isl_union_map *Pairs = isl_union_flow_get_may_dependence(Flow);
    isl_union_flow_free(Flow);
    std::vector<std::pair<unsigned, unsigned>> Out;
    const bool Ok =
        isl_union_map_foreach_map(Pairs, collect, &Out) == isl_stat_ok &&
        !isl_ctx_last_error(Ctx);
    isl_union_map_free(Pairs);
    if (!Ok)
      return std::nullopt;
    return Out;
  }

private:
  static isl_stat collect(isl_map *M, void *Into) {
    const auto Number = [&](isl_dim_type Side) {
      unsigned N = 0;
      StringRef(isl_map_get_tuple_name(M, Side))
          .drop_front()
          .getAsInteger(10, N);
      return N;
    };
    static_cast<std::vector<std::pair<unsigned, unsigned>> *>(Into)->push_back(
        {Number(isl_dim_in), Number(isl_dim_out)});
    isl_map_free(M);
    return isl_stat_ok;
  }

  std::string elements() const {
    std::string Out;
    for (unsigned D = 0; D < Dimensions; ++D)
      Out += (D ? ", e" : "e") + std::to_string(D);
    return Out;
  }
  static std::string zeros(size_t N) {
    return join(std::vector<std::string>(N, "0"), ", ");
  }

  /// A product of what does not vary is a number of its own.
  std::string text(const Poly &P) {
    std::string Out = std::to_string(P.constantTerm());
    for (const auto &[M, C] : P.terms()) {
      if (M.empty())
        continue;
      std::string Name;
      if (Touches.varies(M))
        Name = "i" + std::to_string(M.front());
      else
        Name = "p" + std::to_string(
                         Numbers.try_emplace(M, Numbers.size()).first->second);
      Out += " + " + std::to_string(C) + " * " + Name;
    }
    return "(" + Out + ")";
  }

  std::string tuple(const ArrayTouch &T, unsigned K) const {
    std::vector<std::string> Names;
    for (const std::vector<AtomId> *List : {&T.Iterations, &T.Unknown})
      for (AtomId A : *List)
        Names.push_back("i" + std::to_string(A));
    return "T" + std::to_string(K) + "[" + join(Names, ", ") + "]";
  }

  std::string domain(const ArrayTouch &T) {
    std::string Out = "true";
    for (const Condition &C : T.Where)
      Out += " and " + text(C.P) + (C.Equality ? " = 0" : " >= 0");
    return Out;
  }

  /// Whether the element is one that isl can be told, and nothing else names.
  bool isKnown(const ArrayTouch &T) {
    if (!T.Element || T.Element->size() != Dimensions ||
        !all_of(*T.Element, [&](const Poly &P) { return Touches.isAffine(P); }))
      return false;
    for (size_t D = 0; D < T.Extents.size(); ++D) {
      const std::string Digit = text((*T.Element)[D + 1]),
                        Where = domain(T) + " and (" + Digit + " < 0 or " +
                                Digit + " >= " + text(T.Extents[D]) + ")";
      isl_map *Outside = isl_map_read_from_str(
          Ctx,
          (head() + "{ " + tuple(T, 0) + " -> [] : " + Where + " }").c_str());
      const bool Inside = isl_map_is_empty(Outside) == isl_bool_true;
      isl_map_free(Outside);
      if (!Inside)
        return false;
    }
    return true;
  }

  std::string access(const ArrayTouch &T, unsigned K, bool Known) {
    std::string Out = tuple(T, K) + " -> A[" + elements() + "] : " + domain(T);
    for (unsigned D = 0; D < Dimensions && Known; ++D)
      Out += " and e" + std::to_string(D) + " = " + text((*T.Element)[D]);
    // Nothing is read beyond the end.
    for (unsigned D = 0; D < Dimensions && Known && !T.Writes; ++D)
      if (Touches.Sizes.size() == Dimensions && Touches.Sizes[D])
        Out += " and e" + std::to_string(D) + " < " + text(*Touches.Sizes[D]);
    return Out + "; ";
  }

  std::string order(const ArrayTouch &T, unsigned K) const {
    // Behind the declaration, which is 0.
    std::vector<std::string> When;
    for (size_t D = 0; D < T.Places.size(); ++D) {
      When.push_back(std::to_string(T.Places[D] + 1));
      if (D < T.Iterations.size())
        When.push_back("i" + std::to_string(T.Iterations[D]));
    }
    When.resize(Depth, "0");
    return tuple(T, K) + " -> [" + join(When, ", ") + "]; ";
  }

  std::string head() const {
    std::vector<std::string> Names;
    for (const auto &[M, N] : Numbers)
      Names.push_back("p" + std::to_string(N));
    return "[" + join(Names, ", ") + "] -> ";
  }

  isl_union_map *map(const std::string &Parts) const {
    return isl_union_map_read_from_str(Ctx,
                                       (head() + "{ " + Parts + "}").c_str());
  }

  const ArrayTouches &Touches;
  isl_ctx *Ctx;
  unsigned Dimensions = 0;
  size_t Depth = 0;
  std::map<Monomial, unsigned> Numbers;
};

} // namespace

std::optional<ArrayFlow> flowOf(const DeclBuffer &D, ArrayRef<StmtRef> Rest,
                                unsigned long MaxIslOperations) {
  const ArrayTouches Touches(*D.B, Rest);
  if (!Touches.Followed || Touches.All.size() > MostTouches)
    return std::nullopt;
  size_t Rank = D.B->rank();
  for (const ArrayTouch &T : Touches.All)
    if (T.Element)
      Rank = std::max(Rank, T.Element->size());
  const auto Pairs = Problem(Touches, MaxIslOperations).run(Rank);
  if (!Pairs)
    return std::nullopt;
  const size_t Count = Touches.All.size() + 1;
  std::vector<bool> IsRead(Count), OnZero(Count, true);
  const bool ZeroAtFirst = !D.Init.empty() && all_of(D.Init, isZeroNumber);
  for (const auto &[From, To] : *Pairs) {
    IsRead[From] = true;
    if (!(From ? Touches.All[From - 1].Zero : ZeroAtFirst))
      OnZero[To] = false;
  }
  ArrayFlow Out;
  if (!IsRead[0] && !D.Init.empty())
    Out.Unread.insert(&D);
  for (size_t K = 1; K < Count; ++K) {
    const ArrayTouch &T = Touches.All[K - 1];
    if (T.Writes && !IsRead[K])
      Out.Unread.insert(T.By);
    if (T.OfUpdate && OnZero[K])
      Out.OnZero.insert(T.By);
  }
  return Out;
}

} // namespace raise
