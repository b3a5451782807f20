//===- Guards.cpp - run-time tests of a region as C text ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Guards.h"
#include "Formula.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <set>

using namespace llvm;

namespace raise {

namespace {

const Type U64 = Type::getInt(64, false);

/// The same bits, computed without a sign: sums and products are the same
/// modulo 2^64, anything else is left as it is and converted.
ExprRef modular(const ExprRef &E) {
  if (auto *B = dyn_cast<Binary>(E.get()))
    if (E->Ty.isInt() && E->Ty.Bits == 64 &&
        (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub ||
         B->Op == BinaryOp::Mul))
      return std::make_shared<Binary>(B->Op, modular(B->L), modular(B->R), U64);
  if (auto *C = dyn_cast<Cast>(E.get()))
    if (E->Ty.isInt() && E->Ty.Bits == 64 && C->Operand->Ty.isInt() &&
        C->Operand->Ty.Bits == 64)
      return modular(C->Operand);
  if (auto *C = dyn_cast<Cast>(E.get()))
    if (E->Ty == Type::getI64() && C->Operand->Ty.isInt())
      return std::make_shared<Cast>(C->Operand, U64, true);
  if (auto *C = dyn_cast<IntConst>(E.get()); C && C->Spelling.empty())
    return std::make_shared<IntConst>(C->Value, C->Value < 0 ? C->Ty : U64);
  return std::make_shared<Cast>(E, U64, true);
}

std::string elementSize(const Buffer &B, const ExprPrinter &P) {
  if (B.Reference)
    return "sizeof(" + B.Name + ")";
  if (B.rank() == 1)
    return "sizeof(*" + P.pointerText(B) + ")";
  std::string Element = B.Name;
  for (unsigned I = 0; I < B.rank(); ++I)
    Element += "[0]";
  return "sizeof(" + Element + ")";
}

bool isZero(const ExprRef &E) {
  auto *C = dyn_cast<IntConst>(withoutImplicitCasts(E).get());
  return C && C->Value == 0;
}

/// Size * a * b for a product a * b: the size comes first, so that C makes
/// everything after it unsigned and 64 bits wide.
ExprRef timesSize(const ExprRef &Size, const ExprRef &E) {
  auto *B = dyn_cast<Binary>(E.get());
  if (B && B->Op == BinaryOp::Mul && E->Ty == U64)
    return std::make_shared<Binary>(BinaryOp::Mul, timesSize(Size, B->L), B->R,
                                    U64);
  return std::make_shared<Binary>(BinaryOp::Mul, Size, E, U64);
}

/// The address of element At, as an integer.
std::string address(const Buffer &B, const ExprRef &At, const ExprPrinter &P) {
  std::string Base =
      "(" + P.SizeType + ")" + (B.Reference ? "&" + B.Name : P.pointerText(B));
  if (isZero(At))
    return Base;
  auto *One = dyn_cast<IntConst>(withoutImplicitCasts(At).get());
  if (One && One->Value == 1)
    return Base + " + " + elementSize(B, P);
  ExprRef Size =
      std::make_shared<IntConst>(B.Elem.sizeInBytes(), U64, elementSize(B, P));
  ExprRef Bytes = timesSize(Size, modular(At));
  return Base + " + " + parenthesised(P.value(Bytes), Prec::Product);
}

/// How the ends of a range are written.
using Ends =
    std::function<std::pair<std::string, std::string>(const ElementRange &)>;

std::string disjoint(const Guard &G, const Ends &EndsOf) {
  auto [ALo, AHi] = EndsOf(G.A);
  auto [BLo, BHi] = EndsOf(G.B);
  std::string Apart = AHi + " <= " + BLo + " || " + BHi + " <= " + ALo;
  // A start below 0 comes out as an address above all others.
  std::string Exist = (G.A.MayUnderflow ? ALo + " <= " + AHi + " && " : "") +
                      (G.B.MayUnderflow ? BLo + " <= " + BHi + " && " : "");
  return Exist.empty() ? Apart : Exist + "(" + Apart + ")";
}

bool isFirst(const ElementRange &R) {
  auto *Hi = dyn_cast<IntConst>(withoutImplicitCasts(R.Hi).get());
  return isZero(R.Lo) && Hi && Hi->Value == 1;
}

/// Containers that have no elements in common: `x.data() != y.data()`. (Of
/// empty ones that may be false.)
std::optional<std::string> otherContainers(const Guard &G,
                                           const ExprPrinter &P) {
  const Buffer &A = *G.A.Buf, &B = *G.B.Buf;
  if (!isWholeContainer(A) || !isWholeContainer(B) || A.Elem != B.Elem ||
      !isFirst(G.A) || !isFirst(G.B))
    return std::nullopt;
  const std::string Other = P.pointerText(A) + " != " + P.pointerText(B);
  return P.EmptyPasses ? Other + " || " + P.pointerText(A) + " == nullptr"
                       : Other;
}

std::string conjunction(ArrayRef<Guard> Guards, const ExprPrinter &P,
                        const Ends &EndsOf) {
  std::vector<std::pair<std::string, bool>> Parts; // text, has || outside
  for (const Guard &G : Guards) {
    std::pair<std::string, bool> Part;
    if (G.Cond) {
      Printed Text = P.condition(G.Cond);
      Part = {Text.Text, Text.Strength < Prec::LAnd};
    } else if (auto Other = otherContainers(G, P)) {
      Part = {*Other, P.EmptyPasses};
    } else {
      Part = {disjoint(G, EndsOf), true};
    }
    if (Part.first != "true" && !is_contained(Parts, Part))
      Parts.push_back(std::move(Part));
  }
  // Ranges come after all conditions: one may divide by what a condition found
  // positive. Among themselves conditions keep their order, for the same
  // reason.
  stable_sort(Parts, [](auto &A, auto &B) { return !A.second && B.second; });
  if (Parts.empty())
    return "true";
  if (Parts.size() == 1)
    return Parts[0].first;
  std::vector<std::string> Texts;
  Texts.reserve(Parts.size());
  for (auto &[Text, Or] : Parts)
    Texts.push_back(Or ? "(" + Text + ")" : Text);
  return join(Texts, " && ");
}

/// Whether the ends of R may be computed only where the conditions hold.
bool mayTrap(const ElementRange &R) {
  bool Divides = R.Buf->Owner && !R.Buf->Owner->Reference;
  for (const ExprRef &E : {R.Lo, R.Hi})
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *B = dyn_cast<Binary>(Sub.get());
      Divides |= B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem);
      Divides |= isa<Load>(*Sub) || isa<Call>(*Sub);
    });
  return Divides;
}

} // namespace

std::string guardCondition(ArrayRef<Guard> Guards, const ExprPrinter &P) {
  return conjunction(Guards, P, [&](const ElementRange &R) {
    return std::make_pair(address(*R.Buf, R.Lo, P), address(*R.Buf, R.Hi, P));
  });
}

NamedGuards nameGuards(ArrayRef<Guard> Guards, const ExprPrinter &P, Names &N) {
  NamedGuards Result;
  using Addresses = std::vector<std::pair<std::string, std::string>>;
  Addresses Starts, Ends; // and their names
  // Text: the address, which may be told in other words.
  const auto nameOf = [&](Addresses &Named, const std::string &Address,
                          const std::string &Name, const std::string &Text) {
    auto It = find_if(Named, [&](auto &E) { return E.first == Address; });
    if (It != Named.end())
      return It->second;
    Named.emplace_back(Address, N.fresh(Name));
    Result.Lines.push_back("const " + P.SizeType + " " + Named.back().second +
                           " = " + Text + ";");
    return Named.back().second;
  };
  Result.Condition = conjunction(Guards, P, [&](const ElementRange &R) {
    std::string Lo = address(*R.Buf, R.Lo, P), Hi = address(*R.Buf, R.Hi, P);
    if (mayTrap(R))
      return std::make_pair(Lo, Hi);
    const std::string Of = asIdentifier(subscripted(*R.Buf));
    const std::string Start = nameOf(Starts, Lo, Of + "_at", Lo);
    // The end is told from the start where that is shorter.
    const std::string Tail = isZero(R.Lo) && StringRef(Hi).starts_with(Lo)
                                 ? Start + Hi.substr(Lo.size())
                                 : Hi;
    return std::make_pair(Start, nameOf(Ends, Hi, Of + "_end", Tail));
  });
  return Result;
}

static void addOnce(std::vector<std::string> &List, std::string Text) {
  if (!is_contained(List, Text))
    List.push_back(std::move(Text));
}

/// "b", "b or c", "b, c or d" for Last "or".
static std::string enumerate(ArrayRef<std::string> Names, StringRef Last) {
  if (Names.size() == 1)
    return Names[0];
  return join(Names.drop_back(), ", ") + " " + Last.str() + " " + Names.back();
}

namespace {

/// Which arrays must not overlap which, said in as few clauses as there are
/// kinds of arrays: those that must keep from the same others are of one kind.
class Disjointness {
public:
  void add(const std::string &A, const std::string &B) {
    const size_t I = numberOf(A), J = numberOf(B);
    if (I == J)
      return addOnce(OfOne, "parts of " + A + " do not overlap");
    Apart[I].insert(J);
    Apart[J].insert(I);
  }

  std::vector<std::string> clauses() const {
    std::vector<std::string> Clauses = OfOne;
    const auto Kinds = kinds();
    for (size_t K = 0; K < Kinds.size(); ++K) {
      std::vector<std::string> Others;
      for (const auto &Later : ArrayRef(Kinds).drop_front(K + 1))
        if (Apart[Kinds[K][0]].count(Later[0]))
          for (size_t Array : Later)
            Others.push_back(Names[Array]);
      std::vector<std::string> These;
      for (size_t Array : Kinds[K])
        These.push_back(Names[Array]);
      const bool AllApart =
          These.size() > 1 && Apart[Kinds[K][0]].count(Kinds[K][1]);
      if (AllApart && These.size() == 2 && Others.empty()) {
        Others.push_back(These.back());
        These.pop_back();
      }
      const std::string Subject = enumerate(These, "and") +
                                  (These.size() == 1 ? " does" : " do") +
                                  " not overlap ";
      if (!Others.empty())
        Clauses.push_back(Subject + enumerate(Others, "or"));
      if (AllApart && These.size() > 1)
        Clauses.push_back(Subject + "each other");
    }
    return Clauses;
  }

private:
  std::vector<std::string> OfOne, Names;
  std::vector<std::set<size_t>> Apart;

  size_t numberOf(const std::string &Name) {
    const auto It = find(Names, Name);
    if (It == Names.end()) {
      Names.push_back(Name);
      Apart.emplace_back();
      return Names.size() - 1;
    }
    return size_t(It - Names.begin());
  }

  /// Whether I and J must keep from the same others: an equivalence, and of
  /// those alike either all keep from each other or none do.
  bool alike(size_t I, size_t J) const {
    std::set<size_t> OfI = Apart[I], OfJ = Apart[J];
    if (OfI.erase(J))
      OfJ.erase(I);
    return OfI == OfJ;
  }

  std::vector<std::vector<size_t>> kinds() const {
    std::vector<std::vector<size_t>> Kinds;
    for (size_t I = 0; I < Names.size(); ++I) {
      const auto It =
          find_if(Kinds, [&](const auto &Kind) { return alike(I, Kind[0]); });
      if (It == Kinds.end())
        Kinds.push_back({I});
      else
        It->push_back(I);
    }
    return Kinds;
  }
};

} // namespace

std::vector<std::string> describeGuards(ArrayRef<Guard> Guards) {
  std::vector<std::string> Conditions;
  Disjointness Arrays;
  for (const Guard &G : Guards)
    if (G.Cond)
      addOnce(Conditions, formulaText(G.Cond));
    else
      Arrays.add(subscripted(*G.A.Buf).str(), subscripted(*G.B.Buf).str());
  append_range(Conditions, Arrays.clauses());
  return Conditions;
}

} // namespace raise
