//===- ReviewPages.cpp - the review report as pages -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Assets.h"
#include "FilePage.h"
#include "Html.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace llvm;

namespace raise {

constexpr StringRef ReasonsName = "reasons.html";

/// A name that every file system takes, whatever the source's is: its place in
/// the report makes it unique.
static std::string pageName(const ReviewFile &File, size_t Index) {
  std::string Name = formatv("{0,0+4}-", Index + 1);
  for (char C : sys::path::filename(File.Display).take_front(60))
    Name += isAlnum(C) || C == '.' || C == '-' || C == '_' ? C : '_';
  return Name + ".html";
}

/// The places of page.html, filled. What is put in is not looked at again.
static std::string fill(StringRef Title, StringRef Kind, StringRef Trail,
                        StringRef Body, StringRef Command) {
  const std::pair<StringRef, std::string> Values[] = {
      {"title", html::escape(Title)},
      {"kind", Kind.str()},
      {"trail", Trail.str()},
      {"body", Body.str()},
      {"command", html::escape(Command)},
  };
  std::string Out;
  StringRef Rest = assets::Page;
  while (true) {
    const auto [Before, After] = Rest.split("{{");
    Out += Before;
    if (After.empty())
      return Out;
    const auto [Name, Behind] = After.split("}}");
    for (const auto &[Known, Value] : Values)
      if (Known == Name)
        Out += Value;
    Rest = Behind;
  }
}

static std::string plural(size_t N, StringRef Word) {
  return std::to_string(N) + " " + Word.str() + (N == 1 ? "" : "s");
}

namespace {

class Index {
public:
  explicit Index(ArrayRef<ReviewFile> Files) : Files(Files) {
    for (const ReviewFile &F : Files)
      for (const Result &R : F.Results) {
        ++Counts[R.Outcome];
        ++Total;
        if (!R.Kind.empty())
          Kinds.insert(R.Kind);
      }
  }

  std::string body(StringRef Command) {
    Out = "<h1>Review of clang-raise " + html::escape(Command) + "</h1>\n";
    Out += "<p class=\"lead\">" + plural(Files.size(), "file") + ", " +
           plural(Total, "outcome") +
           ": one for each kernel, each outermost loop and each inner loop "
           "that was tried after its parent was left, or for each derivative. "
           "Open one to see source and result side by side.</p>\n";
    filters();
    for (size_t I = 0; I < Files.size(); ++I)
      file(Files[I], pageName(Files[I], I));
    Out += "<p class=\"none\" hidden>Nothing fits these filters.</p>\n";
    return std::move(Out);
  }

private:
  void filters() {
    Out += "<form class=\"filters\" hidden role=\"search\" "
           "aria-label=\"Filter outcomes\">\n<div class=\"group\" "
           "role=\"group\" aria-label=\"Status\">\n";
    for (Status S :
         {Status::Raised, Status::Partial, Status::Left, Status::Failed})
      if (Counts[S])
        Out += formatv("<button type=\"button\" data-status=\"{0}\" "
                       "aria-pressed=\"false\">{0} {1}</button>\n",
                       spelling(S), Counts[S]);
    Out += "</div>\n<select aria-label=\"Kind\"><option value=\"\">every "
           "kind</option>\n";
    for (const std::string &K : Kinds)
      Out += "<option>" + html::escape(K) + "</option>\n";
    Out += "</select>\n<input type=\"search\" placeholder=\"Function, file, "
           "formula, reason  ( / )\" aria-label=\"Text\">\n"
           "<span class=\"shown\" role=\"status\"></span>\n</form>\n";
  }

  void file(const ReviewFile &F, const std::string &Page) {
    std::map<Status, size_t> Own;
    for (const Result &R : F.Results)
      ++Own[R.Outcome];
    std::string Said;
    for (const auto &[S, N] : Own)
      Said += (Said.empty() ? "" : ", ") + std::to_string(N) + " " +
              spelling(S).str();
    Out += "<section class=\"file\">\n<h2><a href=\"" + Page + "\">" +
           html::escape(F.Display) + "</a> <span class=\"count\">" +
           html::escape(Said) + "</span></h2>\n";
    for (const Reason &E : F.Errors)
      Out += "<p><span class=\"badge failed\">error</span> " +
             html::escape(E.Text) + "</p>\n";
    if (F.Results.empty() && F.Errors.empty())
      Out += "<p class=\"kind\">No kernel, and no loop.</p>\n";
    if (!F.Results.empty())
      table(F, Page);
    Out += "</section>\n";
  }

  void table(const ReviewFile &F, const std::string &Page) {
    Out += "<table>\n<colgroup><col class=\"c1\"><col class=\"c2\"><col "
           "class=\"c3\"><col class=\"c4\"><col class=\"c5\"></colgroup>\n"
           "<thead><tr><th scope=\"col\">Status</th><th "
           "scope=\"col\">Function</th><th scope=\"col\">Kind</th><th "
           "scope=\"col\">What it computes, or why it was left</th><th "
           "scope=\"col\">Verification</th></tr></thead>\n<tbody>\n";
    for (size_t I = 0; I < F.Results.size(); ++I)
      row(F.Results[I], Page + "#r" + std::to_string(I + 1));
    Out += "</tbody>\n</table>\n";
  }

  void row(const Result &R, const std::string &Link) {
    Out += "<tr data-status=\"" + spelling(R.Outcome).str() +
           "\" data-kind=\"" + html::escape(R.Kind) + "\"><td>" +
           statusBadge(R.Outcome) + "</td><td><a href=\"" + Link + "\">" +
           html::escape(R.Function.empty() ? "(no function)" : R.Function) +
           "</a> <span class=\"at\">" + spelling(R.What).str() + ", line " +
           std::to_string(R.Line) + "</span></td><td class=\"kind\">" +
           html::escape(R.Kind) + "</td><td>";
    if (!R.Notation.empty())
      Out += "<div class=\"formula\">" + html::escape(R.Notation) + "</div>";
    if (R.Why.isSet())
      Out += html::escape(R.Why.Text) + " <span class=\"at\">" +
             html::escape(R.Why.Code) + "</span>";
    Out += "</td><td>";
    if (R.Verified != Verification::None)
      Out += spelling(R.Verified);
    Out += "</td></tr>\n";
  }

  ArrayRef<ReviewFile> Files;
  std::map<Status, size_t> Counts;
  size_t Total = 0;
  std::set<std::string> Kinds;
  std::string Out;
};

} // namespace

/// The pages of docs/diagnostics for the codes that occur.
static std::string reasonsBody(ArrayRef<ReviewFile> Files) {
  std::set<std::string> Codes;
  for (const ReviewFile &F : Files) {
    for (const Result &R : F.Results)
      Codes.insert(R.Why.Code);
    for (const Reason &E : F.Errors)
      Codes.insert(E.Code);
  }
  std::string Out =
      "<h1>Reasons</h1>\n<p class=\"lead\">What the codes of this "
      "report mean, and what to do.</p>\n";
  for (const assets::Diagnostic &D : assets::diagnostics())
    if (Codes.count(D.Code.str()))
      Out += ("<section id=\"" + D.Code + "\">\n" + html::fromMarkdown(D.Text) +
              "</section>\n")
                 .str();
  return Out;
}

std::vector<ReviewPage> reviewPages(ArrayRef<ReviewFile> Files,
                                    StringRef Command) {
  const std::string Home = "<a href=\"index.html\">All files</a>";
  const auto Below = [&](StringRef Name) {
    return Home + "<span class=\"sep\">/</span><strong>" + html::escape(Name) +
           "</strong>";
  };
  std::vector<ReviewPage> Pages;
  Pages.push_back({"index.html", fill("Review: clang-raise " + Command.str(),
                                      "index", "<strong>All files</strong>",
                                      Index(Files).body(Command), Command)});
  for (size_t I = 0; I < Files.size(); ++I)
    Pages.push_back(
        {pageName(Files[I], I),
         fill(Files[I].Display + ": review", "source", Below(Files[I].Display),
              filePage(Files[I], ReasonsName), Command)});
  Pages.push_back(
      {ReasonsName.str(), fill("Reasons: review", "reasons", Below("Reasons"),
                               reasonsBody(Files), Command)});
  Pages.push_back({"report.css", assets::Style.str()});
  Pages.push_back({"report.js", assets::Script.str()});
  return Pages;
}

bool isReviewPage(StringRef Text) {
  return Text.starts_with("<!doctype html>") &&
         Text.take_front(300).contains(
             "<meta name=\"generator\" content=\"clang-raise review\">");
}

} // namespace raise
