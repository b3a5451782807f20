//===- SarifTest.cpp - code-scanning results ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Report/Sarif.h"
#include "gtest/gtest.h"
#include <nlohmann/json.hpp>

using namespace raise;
using nlohmann::json;

static json runOf(std::vector<Result> Results, llvm::StringRef Text = "",
                  std::vector<Reason> Refused = {},
                  std::vector<Reason> Problems = {}, int Status = 0) {
  auto TextOf = [&](llvm::StringRef) { return Text; };
  json J = json::parse(toSarif({Results, Refused, Problems, Status, "1.2.3",
                                "/p q", "/p q/here", TextOf}),
                       nullptr, /*allow_exceptions=*/false);
  return J["runs"][0];
}

static Result left(std::string File, unsigned Line, unsigned Column) {
  Result R;
  R.File = std::move(File);
  R.Line = Line;
  R.Column = Column;
  R.Function = "n::f";
  R.Why = {"CR1101", "why", {R.File, Line, Column, 0, 0, false}};
  return R;
}

TEST(Sarif, LevelsFollowTheOutcome) {
  Result Failed = left("a.c", 1, 1), Raised, Unsure;
  Failed.Outcome = Status::Failed;
  Failed.Why.Code = "CR1901";
  Raised.File = Unsure.File = "a.c";
  Raised.Line = Unsure.Line = 2;
  Raised.Outcome = Unsure.Outcome = Status::Raised;
  Unsure.Verified = Verification::Inconclusive;
  json J = runOf({left("a.c", 1, 1), Failed, Raised, Unsure});
  std::vector<std::string> Found;
  for (const json &R : J["results"])
    Found.push_back(R["ruleId"].get<std::string>() + " " +
                    R["level"].get<std::string>() + " " +
                    R["kind"].get<std::string>());
  EXPECT_EQ(Found, (std::vector<std::string>{
                       "CR1101 note fail", "CR1901 error fail",
                       "raised none pass", "inconclusive warning fail"}));
  // Each has its rule, a code's with the text of its page.
  ASSERT_EQ(J["tool"]["driver"]["rules"].size(), 4u);
  const json &Rule = J["tool"]["driver"]["rules"][0];
  EXPECT_EQ(Rule["id"], "CR1101");
  EXPECT_EQ(Rule["shortDescription"]["text"],
            "an iteration uses what an earlier one wrote");
  EXPECT_NE(Rule["help"]["markdown"].get<std::string>().find("What to do"),
            std::string::npos);
}

TEST(Sarif, FilesAreNamedBelowTheProject) {
  json J = runOf({left("../a b.c", 1, 1), left("/usr/x.h", 1, 1)});
  EXPECT_EQ(J["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file:///p%20q/");
  auto At = [&](int I) {
    return J["results"][I]["locations"][0]["physicalLocation"]
            ["artifactLocation"];
  };
  EXPECT_EQ(At(0)["uri"], "a%20b.c");
  EXPECT_EQ(At(0)["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(At(1)["uri"], "file:///usr/x.h");
}

TEST(Sarif, ColumnsCountCharacters) {
  json J = runOf({left("a.c", 2, 6)}, "x\n\xc3\xa9\xe2\x82\xac?y");
  EXPECT_EQ(J["results"][0]["locations"][0]["physicalLocation"]["region"]
             ["startColumn"],
            3);
}

TEST(Sarif, MessagesHoldNoLinksAndNoPlaceholders) {
  Result R = left("a.c", 1, 1);
  R.Why.Text = "f[i](x) {0} \xff a[i]";
  EXPECT_EQ(runOf({R})["results"][0]["message"]["text"],
            "not raised: f\\[i](x) {{0}} \xef\xbf\xbd a[i]");
}

TEST(Sarif, FingerprintsSurviveOtherLines) {
  auto Print = [](const json &J, int I) {
    return J["results"][I]["partialFingerprints"]["clangRaiseLine/v1"]
        .get<std::string>();
  };
  json Before =
      runOf({left("a.c", 1, 1), left("a.c", 2, 1)}, "for (;;)\nfor (;;)\n");
  json After = runOf({left("a.c", 2, 3), left("a.c", 3, 1)},
                     "new\n  for  (;;)\nfor (;;)\n");
  EXPECT_NE(Print(Before, 0), Print(Before, 1));
  EXPECT_EQ(Print(Before, 0), Print(After, 0));
  EXPECT_EQ(Print(Before, 1), Print(After, 1));
}

TEST(Sarif, AHeadersLoopIsThereOnce) {
  EXPECT_EQ(runOf({left("a.h", 1, 1), left("a.h", 1, 1)})["results"].size(),
            1u);
}

TEST(Sarif, ProblemsAreNotifications) {
  json J = runOf(
      {}, "", {{"CR1801", "no", {"a.c", 1, 1, 0, 0, false}}},
      {{"CR0201", "bad", {"b.c", 3, 4, 0, 0, false}}, {"", "worse", {}}}, 2);
  EXPECT_EQ(J["results"][0]["level"], "error");
  const json &I = J["invocations"][0];
  EXPECT_EQ(I["executionSuccessful"], false);
  EXPECT_EQ(I["exitCode"], 2);
  ASSERT_EQ(I["toolExecutionNotifications"].size(), 2u);
  EXPECT_EQ(I["toolExecutionNotifications"][0]["associatedRule"]["id"],
            "CR0201");
  EXPECT_FALSE(I["toolExecutionNotifications"][1].contains("locations"));
}

TEST(Sarif, EveryPageIsAtHand) {
  EXPECT_TRUE(diagnosticPage("CR1101").starts_with("# CR1101: "));
  EXPECT_EQ(diagnosticPage("CR9999"), "");
}
