//===- Json.cpp - machine-readable results --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Report/Json.h"
#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;

namespace raise {

static Json toJson(const Result &R) {
  Json J;
  J["file"] = R.File;
  J["line"] = R.Line;
  J["column"] = R.Column;
  J["function"] = R.Function;
  J["construct"] = spelling(R.What).str();
  J["status"] = spelling(R.Outcome).str();
  J["rewritten"] = R.Rewritten;
  J["kind"] = R.Kind;
  J["notation"] = R.Notation;
  J["reason"] = R.Why.Text;
  J["code"] = R.Why.Code;
  J["reason_file"] = R.Why.Loc.File;
  J["reason_line"] = R.Why.Loc.Line;
  J["reason_column"] = R.Why.Loc.Column;
  J["assumptions"] = R.Assumptions;
  J["guards"] = R.Guards;
  J["verification"] = spelling(R.Verified).str();
  J["verification_detail"] = R.VerifiedDetail;
  J["verification_inputs"] = Json::array();
  for (const Figure &F : R.Figures)
    J["verification_inputs"].push_back({{"input", F.Input},
                                        {"compared", F.Compared},
                                        {"difference", F.Largest}});
  return J;
}

std::string toJson(llvm::ArrayRef<Result> Results) {
  Json J;
  J["version"] = 1;
  J["results"] = Json::array();
  for (const Result &R : Results)
    J["results"].push_back(toJson(R));
  return J.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace raise
