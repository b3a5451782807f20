//===- Hints.cpp - ranges that the user states for inputs
//--------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Hints.h"
#include "llvm/ADT/StringExtras.h"

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

} // namespace raise
