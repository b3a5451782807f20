//===- FilePage.cpp - the page of one source ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FilePage.h"
#include "CodePane.h"
#include "Drawing.h"
#include "Html.h"
#include "Links.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace raise {

std::string statusBadge(Status S) {
  return ("<span class=\"badge " + spelling(S) + "\">" + spelling(S) +
          "</span>")
      .str();
}

namespace {

class FilePage {
public:
  FilePage(const ReviewFile &File, StringRef Reasons)
      : File(File), RaisedFile(withRaised(File)), Reasons(Reasons), Links(File),
        RaisedLinks(RaisedFile) {
    // A statement is a link where something was made of it.
    HasPartner.assign(Links.Lines.size(), false);
    notePartners(Links.Emitted);
    notePartners(RaisedLinks.Emitted);
    Of.assign(File.Results.size(), File.Functions.size());
    for (size_t I = 0; I < File.Results.size(); ++I)
      Of[I] = functionOf(File.Results[I]);
  }

  std::string run() {
    Out = "<h1>" + html::escape(File.Display) + "</h1>\n";
    for (const Reason &E : File.Errors)
      Out += "<p class=\"reason\"><span class=\"badge failed\">error</span> " +
             reasonText(E) + "</p>\n";
    std::vector<size_t> Shown;
    for (size_t F = 0; F < File.Functions.size(); ++F)
      if (is_contained(Of, F))
        Shown.push_back(F);
    if (File.Results.empty())
      Out += "<p class=\"lead\">There is no kernel and no loop in it.</p>\n";
    else if (Shown.size() > 1)
      jumps(Shown);
    if (any_of(HasPartner, [](bool B) { return B; }))
      Out += "<p class=\"keys\">Point at a statement to see what became of it; "
             "click to keep it. In a pane: <kbd>↓</kbd> <kbd>↑</kbd> go from "
             "statement to statement, <kbd>Enter</kbd> goes across, "
             "<kbd>Esc</kbd> lets go.</p>\n";
    for (size_t F : Shown)
      function(F);
    elsewhere();
    return std::move(Out);
  }

private:
  /// The same statements, beside what `rewrite` makes of them.
  static ReviewFile withRaised(const ReviewFile &File) {
    ReviewFile Raised;
    Raised.Path = File.Path;
    Raised.Source = File.Source;
    Raised.Emitted = File.Raised;
    Raised.Functions = File.Functions;
    for (ReviewFunction &F : Raised.Functions)
      F.Emitted = std::move(F.Raised);
    return Raised;
  }

  void notePartners(const LinkMap &Map) {
    std::vector<bool> Used(Map.Sets.size(), false);
    for (unsigned Set : Map.Of)
      Used[Set] = true;
    for (size_t Set = 0; Set < Used.size(); ++Set)
      for (unsigned S : Map.Sets[Set])
        if (Used[Set])
          HasPartner[S] = true;
  }

  /// The function whose text holds R's place, or none's number.
  size_t functionOf(const Result &R) const {
    if (R.File != File.Display)
      return File.Functions.size();
    for (size_t F = 0; F < File.Functions.size(); ++F)
      if (R.Line >= firstLine(File.Functions[F]) &&
          R.Line <= lastLine(File.Functions[F]))
        return F;
    return File.Functions.size();
  }

  unsigned lineAt(size_t Offset) const {
    return 1 + unsigned(StringRef(File.Source).take_front(Offset).count('\n'));
  }
  unsigned firstLine(const ReviewFunction &F) const {
    return lineAt(F.Loc.Begin);
  }
  unsigned lastLine(const ReviewFunction &F) const {
    return lineAt(F.Loc.End ? F.Loc.End - 1 : 0);
  }

  static unsigned severity(Status S) {
    return S == Status::Failed    ? 3
           : S == Status::Left    ? 2
           : S == Status::Partial ? 1
                                  : 0;
  }
  Status worstOf(size_t F) const {
    Status Worst = Status::Raised;
    for (size_t I = 0; I < Of.size(); ++I)
      if (Of[I] == F && severity(File.Results[I].Outcome) > severity(Worst))
        Worst = File.Results[I].Outcome;
    return Worst;
  }

  void jumps(ArrayRef<size_t> Shown) {
    Out += "<ul class=\"jump\" aria-label=\"Functions\">\n";
    for (size_t F : Shown)
      Out += "<li><a href=\"#f" + std::to_string(F + 1) +
             "\"><span class=\"dot " + spelling(worstOf(F)).str() +
             "\"></span>" + html::escape(File.Functions[F].Name) +
             "</a></li>\n";
    Out += "</ul>\n";
  }

  void function(size_t F) {
    const ReviewFunction &Fn = File.Functions[F];
    Out += "<section class=\"function\" id=\"f" + std::to_string(F + 1) +
           "\">\n<header><h2>" + html::escape(Fn.Name) +
           "</h2><span class=\"at\">lines " + std::to_string(firstLine(Fn)) +
           "–" + std::to_string(lastLine(Fn)) + "</span></header>\n";
    for (size_t I = 0; I < Of.size(); ++I)
      if (Of[I] == F)
        outcome(I);
    panes(F);
    Out += "</section>\n";
  }

  /// What has no text here: of headers, and outside of every function.
  void elsewhere() {
    bool Any = false;
    for (size_t I = 0; I < Of.size(); ++I) {
      if (Of[I] != File.Functions.size())
        continue;
      if (!Any)
        Out += "<section class=\"function\">\n<header><h2>Elsewhere</h2><span "
               "class=\"at\">in headers, outside of functions, "
               "and in blocks that were emitted before</span></header>\n";
      Any = true;
      outcome(I);
    }
    if (Any)
      Out += "</section>\n";
  }

  std::string reasonText(const Reason &R) const {
    std::string Text = html::escape(R.Text);
    if (!R.Code.empty())
      Text += (" <a href=\"" + Reasons + "#" + html::escape(R.Code) + "\">" +
               html::escape(R.Code) + "</a>")
                  .str();
    if (R.Loc.isValid())
      Text +=
          " <span class=\"at\">" +
          html::escape(R.Loc.File == File.Display ? "" : R.Loc.File + ", ") +
          "line " + std::to_string(R.Loc.Line) + "</span>";
    return Text;
  }

  void outcome(size_t I) {
    const Result &R = File.Results[I];
    Out += "<div class=\"outcome\" id=\"r" + std::to_string(I + 1) +
           "\">\n<div class=\"head\">" + statusBadge(R.Outcome) + "<h3>" +
           html::escape(R.Kind.empty() ? spelling(R.What) : StringRef(R.Kind)) +
           "</h3><span class=\"at\">" + spelling(R.What).str() + ", " +
           html::escape(R.File == File.Display ? "" : R.File + ", ") + "line " +
           std::to_string(R.Line) + (R.Rewritten ? ", rewritten" : "") +
           "</span></div>\n";
    if (!R.Notation.empty())
      Out += "<pre class=\"formula\">" + html::escape(R.Notation) + "</pre>\n";
    if (R.Why.isSet())
      Out += "<p class=\"reason\">" + std::string(whyWord(R)) +
             reasonText(R.Why) + "</p>\n";
    if (I < File.Details.size())
      Out += drawNest(File.Details[I]);
    facts(R, I < File.Details.size() ? File.Details[I] : ReviewDetail());
    Out += "</div>\n";
  }

  static StringRef whyWord(const Result &R) {
    switch (R.Outcome) {
    case Status::Raised:
      return "Not rewritten: ";
    case Status::Partial:
      return "Not raised further: ";
    case Status::Left:
      return "Left as it is: ";
    case Status::Failed:
      return "Refused: ";
    }
    llvm_unreachable("no such status");
  }

  void facts(const Result &R, const ReviewDetail &D) {
    std::string List;
    const auto Add = [&](StringRef Name, ArrayRef<std::string> Values) {
      if (Values.empty())
        return;
      List += ("<dt>" + Name + "</dt><dd>").str();
      if (Values.size() == 1)
        List += html::escape(Values.front());
      else {
        List += "<ul>";
        for (const std::string &V : Values)
          List += "<li>" + html::escape(V) + "</li>";
        List += "</ul>";
      }
      List += "</dd>\n";
    };
    Add("Proved", D.Proved);
    Add("Tested at run time", R.Guards);
    Add("Assumed", R.Assumptions);
    Add("Tape and atomics", D.Notes);
    if (R.Verified != Verification::None)
      Add("Verification",
          {spelling(R.Verified).str() +
           (R.VerifiedDetail.empty() ? "" : ": " + R.VerifiedDetail)});
    figures(R, List);
    if (!List.empty())
      Out += "<dl class=\"facts\">\n" + List + "</dl>\n";
  }

  /// Verification by input, folded away.
  static void figures(const Result &R, std::string &List) {
    if (R.Figures.empty())
      return;
    List += "<dt>By input</dt><dd><details><summary>" +
            std::to_string(R.Figures.size()) +
            (R.Figures.size() == 1 ? " input that gave" : " inputs that gave") +
            " something to compare</summary>\n<table "
            "class=\"figures\"><thead><tr><th>Input</th>"
            "<th>Compared</th><th>Largest relative difference</th></tr>"
            "</thead><tbody>\n";
    for (const Figure &F : R.Figures) {
      std::string Difference = "0";
      if (F.Largest != 0) {
        Difference.clear();
        raw_string_ostream(Difference) << format("%.1e", F.Largest);
      }
      List += "<tr><td>" + html::escape(F.Input) + "</td><td>" +
              std::to_string(F.Compared) + "</td><td>" + Difference +
              "</td></tr>\n";
    }
    List += "</tbody></table></details></dd>\n";
  }

  void panes(size_t F) {
    const ReviewFunction &Fn = File.Functions[F];
    const Placed Made = Links.emittedOf(F);
    std::vector<unsigned> Marked;
    for (size_t I = 0; I < Of.size(); ++I)
      if (const Result &R = File.Results[I];
          Of[I] == F && R.Why.Loc.isValid() && R.Outcome != Status::Raised &&
          R.Why.Loc.File == File.Display)
        Marked.push_back(R.Why.Loc.Line);
    const Placed Raised = RaisedLinks.emittedOf(F);
    Out += std::string("<div class=\"panes") +
           (Made.isFound() && Raised.isFound()   ? " three"
            : Made.isFound() || Raised.isFound() ? ""
                                                 : " single") +
           "\">\n";
    pane("Source", Fn.Name,
         {File.Source, Fn.Loc.Begin, Fn.Loc.End, &Links.Source, &HasPartner,
          nullptr, Marked});
    if (Raised.isFound())
      pane("Raised primal", Fn.Name,
           {*RaisedFile.Emitted,
            Raised.Begin,
            Raised.End,
            &RaisedLinks.Emitted,
            &HasPartner,
            &RaisedLinks.Lines,
            {}});
    if (Made.isFound())
      pane(File.IsDerivative ? "Derivative"
           : isAsWritten(F)  ? "As written, on the executor"
                             : "Raised",
           Fn.Name,
           {*File.Emitted,
            Made.Begin,
            Made.End,
            &Links.Emitted,
            &HasPartner,
            &Links.Lines,
            {}});
    Out += "</div>\n";
  }

  /// Whether F is a kernel that was left: each thread runs it.
  bool isAsWritten(size_t F) const {
    for (size_t I = 0; I < Of.size(); ++I)
      if (Of[I] == F && File.Results[I].What == Construct::Kernel)
        return File.Results[I].Outcome == Status::Left;
    return false;
  }

  void pane(StringRef Title, StringRef Function, const PaneContent &Content) {
    Out +=
        ("<div class=\"pane\"><h3>" + Title +
         "</h3><div class=\"code\" tabindex=\"0\" role=\"region\" "
         "aria-label=\"" +
         Title + " of " + html::escape(Function) + "\"><div class=\"lines\">\n")
            .str() +
        codePane(Content) + "</div></div></div>\n";
  }

  const ReviewFile &File;
  const ReviewFile RaisedFile;
  StringRef Reasons;
  const FileLinks Links, RaisedLinks;
  std::vector<bool> HasPartner;
  std::vector<size_t> Of; ///< the function of each result
  std::string Out;
};

} // namespace

std::string filePage(const ReviewFile &File, StringRef Reasons) {
  return FilePage(File, Reasons).run();
}

} // namespace raise
