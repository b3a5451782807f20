//===- ReviewTest.cpp - pages for a review --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Report/Review.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace raise;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr llvm::StringRef Source = "void f(int n, float *x) {\n"
                                   "  for (int i = 0; i < n; ++i)\n"
                                   "    x[i] = 1;\n"
                                   "}\n";

SourceLoc placeOf(llvm::StringRef Text) {
  const size_t At = Source.find(Text);
  SourceLoc L;
  L.File = "/a.cpp";
  L.Line = 1 + unsigned(Source.take_front(At).count('\n'));
  L.Column = 1;
  L.Begin = unsigned(At);
  L.End = unsigned(At + Text.size());
  return L;
}

/// f with its loop, which was rewritten to Printed, and looks like Emitted now.
ReviewFile fileWith(llvm::StringRef Printed, llvm::StringRef Emitted) {
  ReviewFile File;
  File.Display = "a.cpp";
  File.Path = "/a.cpp";
  File.Source = Source.str();
  File.Emitted = Emitted.str();
  ReviewFunction F;
  F.Name = "f";
  F.Loc = placeOf(Source.rtrim());
  const SourceLoc Loop = placeOf("for (int i = 0; i < n; ++i)\n    x[i] = 1;"),
                  Store = placeOf("x[i] = 1;");
  F.Statements = {F.Loc, Loop, Store};
  TracedText T;
  T.Of = F.Loc;
  T.Replaces = Loop;
  SourceLoc Head = Loop;
  Head.End = Head.Begin + 1;
  T.Lines = {{"for (int i = 0; i < n; ++i)", {Head}},
             {"  " + Printed.str(), {Store}}};
  F.Emitted = {T};
  File.Functions = {F};
  Result R;
  R.File = "a.cpp";
  R.Line = 2;
  R.Function = "f";
  R.Outcome = Status::Raised;
  R.Kind = "map";
  File.Results = {R};
  File.Details.resize(1);
  return File;
}

std::string pageOf(const ReviewFile &File) {
  for (const ReviewPage &P : reviewPages({File}, "rewrite"))
    if (llvm::StringRef(P.Name).starts_with("0001-"))
      return P.Text;
  return "";
}

TEST(Review, LinksSurviveFormatting) {
  // Numbers: 1 is the function, 2 the loop, 3 the store.
  const std::string Page =
      pageOf(fileWith("x[i] = 1;", "void f(int n, float *x) {\n"
                                   "  // a comment\n"
                                   "  for (int i = 0;\n"
                                   "       i < n; ++i) {\n"
                                   "    x[i]\n"
                                   "        = 1;\n"
                                   "  }\n"
                                   "}\n"));
  EXPECT_THAT(Page, HasSubstr("<span class=\"from\">2</span><code>       "
                              "<span class=\"l\" data-l=\"2\">i &lt; n"));
  EXPECT_THAT(Page, HasSubstr("<span class=\"from\">3</span><code>        "
                              "<span class=\"l\" data-l=\"3\">= "));
  EXPECT_THAT(Page, HasSubstr("<span class=\"l\" data-l=\"3\">x[i]"));
}

TEST(Review, WhatCannotBeFoundIsNotLinked) {
  const std::string Page = pageOf(
      fileWith("x[i] = 2;", "void f(int n, float *x) {\n  x[i] = 1;\n}\n"));
  EXPECT_THAT(Page, Not(HasSubstr("data-l")));
  EXPECT_THAT(Page, HasSubstr("class=\"panes single\""));
}

TEST(Review, TextIsText) {
  ReviewFile File = fileWith("x[i] = 1;", Source);
  File.Display = "<img onerror=\"a\" src='b'>.cpp";
  File.Results[0].File = File.Display;
  File.Results[0].Function = "</script>&<b>";
  File.Results[0].Notation = "a < b\x01\xff";
  File.Functions[0].Name = File.Results[0].Function;
  for (const ReviewPage &P : reviewPages({File}, "rewrite")) {
    if (!llvm::StringRef(P.Name).ends_with(".html"))
      continue;
    EXPECT_THAT(P.Text, Not(HasSubstr("<img")));
    EXPECT_THAT(P.Text, Not(HasSubstr("<b>")));
    EXPECT_TRUE(isReviewPage(P.Text));
    EXPECT_EQ(llvm::StringRef(P.Text).count("</script>"), 1u);
  }
  const std::string Page = pageOf(File);
  EXPECT_THAT(Page, HasSubstr("&lt;img onerror=&quot;a&quot; "
                              "src=&#39;b&#39;&gt;.cpp"));
  EXPECT_THAT(Page, HasSubstr("&lt;/script&gt;&amp;&lt;b&gt;"));
  EXPECT_THAT(Page, HasSubstr("a &lt; b\xEF\xBF\xBD\xEF\xBF\xBD"));
  EXPECT_FALSE(isReviewPage("<!doctype html><title>mine</title>"));
}

TEST(Review, DrawsWhatIsKnown) {
  ReviewFile File = fileWith("x[i] = 1;", Source);
  Result &R = File.Results[0];
  R.Outcome = Status::Left;
  R.Why = {"CR1101", "an iteration reads", placeOf("x[i] = 1;")};
  File.Details[0].Meets =
      Conflict{placeOf("for (int"), "u[i]", "u[i - 2]", false, 2};
  File.Details[0].Nest = {{"t", "0", "t < m", false},
                          {"i", "2", "i < n", true}};
  const std::string Page = pageOf(File);
  EXPECT_THAT(Page, HasSubstr("<strong>for i = 2;  i &lt; n</strong>"));
  EXPECT_THAT(Page,
              HasSubstr("2 iterations of <code>i</code> later, that reads "
                        "the same element as <code>u[i - 2]</code>"));
  // Four rows, and in each five arrows over two steps.
  EXPECT_EQ(llvm::StringRef(Page).count("class=\"arrow\""), 20u);
  File.Details[0].Nest.clear();
  EXPECT_THAT(pageOf(File), Not(HasSubstr("<svg")));
}

} // namespace
