//===- Hints.cpp - ranges that the user states for inputs
//--------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Hints.h"
#include "raise/Verify/Verify.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace raise {
namespace {

class Parser {
public:
  using Lookup = llvm::function_ref<std::optional<double>(llvm::StringRef)>;
  Parser(llvm::StringRef Text, Lookup Names) : Rest(Text), Names(Names) {}

  std::optional<double> sum() {
    auto V = product();
    while (V) {
      bool Minus = false;
      if (eat("-"))
        Minus = true;
      else if (!eat("+"))
        break;
      auto R = product();
      if (!R)
        return std::nullopt;
      *V += Minus ? -*R : *R;
    }
    return V;
  }
  bool eat(llvm::StringRef Token) {
    Rest = Rest.ltrim();
    return Rest.consume_front(Token);
  }
  bool atEnd() { return Rest.trim().empty(); }

private:
  llvm::StringRef Rest;
  Lookup Names;

  std::optional<double> product() {
    auto V = factor();
    while (V && eat("*")) {
      auto R = factor();
      if (!R)
        return std::nullopt;
      *V *= *R;
    }
    return V;
  }

  std::optional<double> factor() {
    if (eat("-")) {
      auto V = factor();
      return V ? std::optional<double>(-*V) : V;
    }
    Rest = Rest.ltrim();
    if (Rest.empty())
      return std::nullopt;
    if (!llvm::isDigit(Rest[0])) {
      llvm::StringRef Name =
          Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
      Rest = Rest.drop_front(Name.size());
      return Name.empty() ? std::nullopt : Names(Name);
    }
    // A number ends before "..": 1..8 is a range.
    size_t N = 0;
    while (N < Rest.size() &&
           (llvm::isDigit(Rest[N]) ||
            (Rest[N] == '.' && !Rest.substr(N).starts_with(".."))))
      ++N;
    if (N + 1 < Rest.size() && (Rest[N] == 'e' || Rest[N] == 'E')) {
      size_t E = N + 1 + (Rest[N + 1] == '-' || Rest[N + 1] == '+');
      while (E < Rest.size() && llvm::isDigit(Rest[E]))
        N = ++E;
    }
    double V;
    bool Bad = Rest.take_front(N).getAsDouble(V);
    Rest = Rest.drop_front(N);
    return Bad ? std::nullopt : std::optional<double>(V);
  }
};

} // namespace

std::optional<HintRange> evaluateHint(
    llvm::StringRef Text,
    llvm::function_ref<std::optional<double>(llvm::StringRef)> Lookup) {
  Parser P(Text, Lookup);
  auto Lo = P.sum();
  if (!Lo)
    return std::nullopt;
  auto Hi = Lo;
  if (P.eat(".."))
    Hi = P.sum();
  if (!Hi || !P.atEnd() || *Hi < *Lo)
    return std::nullopt;
  return HintRange{*Lo, *Hi};
}

/// What is wrong with a parameter's hint. Scalars are those that it may name.
static std::string problemOf(const std::string &Hint,
                             const llvm::StringSet<> &Scalars) {
  std::string Unknown;
  bool Names = false;
  // The parser keeps no more than a reference.
  const auto Lookup = [&](llvm::StringRef Name) -> std::optional<double> {
    Names = true;
    if (Name != "k" && !Scalars.contains(Name) && Unknown.empty())
      Unknown = Name.str();
    return 1;
  };
  Parser P(Hint, Lookup);
  const std::optional<double> Lo = P.sum();
  const std::optional<double> Hi = Lo && P.eat("..") ? P.sum() : Lo;
  if (!Lo || !Hi || !P.atEnd())
    return "'" + Hint +
           "' is no number, no range `low..high` and no multiple `k*P` of a "
           "parameter";
  if (!Unknown.empty())
    return "'" + Hint + "' names '" + Unknown + "', which is no scalar of it";
  if (!Names && *Hi < *Lo)
    return "'" + Hint + "' is a range of nothing";
  return "";
}

std::string problemOfHints(const Function &F, const InputHints &Hints) {
  llvm::StringSet<> Scalars, Buffers;
  std::string All;
  for (const Param &P : F.Params) {
    (P.Scalar ? Scalars : Buffers).insert(P.name());
    All += (All.empty() ? "" : ", ") + P.name().str();
  }
  // In an order that is no hash table's.
  const std::map<std::string, std::string> Sorted = [&] {
    std::map<std::string, std::string> M;
    for (const auto &Each : Hints)
      M[Each.getKey().str()] = Each.getValue();
    return M;
  }();
  for (const auto &[Name, Hint] : Sorted) {
    if (!Scalars.contains(Name) && !Buffers.contains(Name))
      return "'" + F.QualifiedName + "' has no parameter '" + Name +
             "' (its parameters: " + All + ")";
    if (std::string Wrong = problemOf(Hint, Scalars); !Wrong.empty())
      return "of '" + F.QualifiedName + "', " + Name + ": " + Wrong;
  }
  return "";
}

} // namespace raise
