//===- Sarif.cpp - code-scanning results ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Report/Sarif.h"
#include "Assets.h"
#include "raise/Report/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using Json = nlohmann::ordered_json;
using namespace llvm;

namespace raise {

namespace {

constexpr StringRef RootId = "%SRCROOT%";

/// Bytes that a URI cannot hold are written as %XX.
std::string percentEncoded(StringRef Path) {
  std::string Out;
  for (char C : Path)
    if (isAlnum(C) || StringRef("-._~/").contains(C))
      Out += C;
    else
      Out += "%" + toHex(StringRef(&C, 1));
  return Out;
}

/// Text of a message: braces around a number would be a placeholder, and
/// `[a](b)` a link.
std::string messageText(StringRef Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] == '{' || Text[I] == '}')
      Out += Text[I]; // doubled
    const size_t Close = Text[I] == '[' ? Text.find(']', I) : StringRef::npos;
    if (Close != StringRef::npos && Text.substr(Close + 1).starts_with("("))
      Out += '\\';
    Out += Text[I];
  }
  return Out;
}

Json message(StringRef Text) { return {{"text", messageText(Text)}}; }

/// Characters in Bytes. What is not UTF-8 counts byte for byte.
unsigned characters(StringRef Bytes) {
  return count_if(Bytes, [](char C) { return (C & 0xC0) != 0x80; });
}

StringRef lineOf(StringRef Text, unsigned Line) {
  for (; Line > 1 && !Text.empty(); --Line)
    Text = Text.split('\n').second;
  return Text.split('\n').first.rtrim("\r");
}

/// Words of Line with one space between.
std::string normalised(StringRef Line) {
  SmallVector<StringRef, 16> Words;
  SplitString(Line, Words, " \t");
  return join(Words, " ");
}

/// The rule that a result with no code belongs to.
StringRef plainRule(const Result &R) {
  if (R.Verified == Verification::Inconclusive)
    return "inconclusive";
  return R.Outcome == Status::Left ? "left" : "raised";
}

std::string ruleOf(const Result &R) {
  return R.Why.isSet() ? R.Why.Code : plainRule(R).str();
}

/// Whether a reader has something to look at.
bool isFinding(const Result &R) {
  return R.Outcome == Status::Left || R.Outcome == Status::Failed ||
         R.Why.isSet() || R.Verified == Verification::Inconclusive;
}

StringRef levelOf(const Result &R) {
  if (R.Outcome == Status::Failed)
    return "error";
  return R.Verified == Verification::Inconclusive ? "warning" : "note";
}

class Writer {
public:
  explicit Writer(const SarifRun &Run) : Run(Run) {}

  Json log() {
    Json Results = Json::array();
    std::set<std::string> Seen;
    auto Add = [&](Json J) {
      if (Seen.insert(dumped(J)).second)
        Results.push_back(std::move(J));
    };
    for (const Result &R : Run.Results)
      Add(result(R));
    for (const Reason &R : Run.Refused)
      Add(refusal(R));
    addFingerprints(Results);

    Json J;
    J["runs"] = Json::array({run(std::move(Results))});
    J["version"] = "2.1.0";
    J["$schema"] = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                   "schemas/sarif-schema-2.1.0.json";
    return J;
  }

  static std::string dumped(const Json &J, int Indent = -1) {
    return J.dump(Indent, ' ', false, Json::error_handler_t::replace);
  }

private:
  /// A code that the log names has to have its rule there.
  const std::string &named(const std::string &Rule) {
    return *Rules.insert(Rule).first;
  }

  Json run(Json Results) {
    Json Invocation = invocation();
    Json Driver;
    Driver["name"] = "clang-raise";
    Driver["version"] = Run.Version;
    Driver["semanticVersion"] = Run.Version;
    Driver["rules"] = Json::array();
    for (const std::string &Id : Rules)
      Driver["rules"].push_back(rule(Id));

    Json J;
    J["tool"]["driver"] = std::move(Driver);
    J["invocations"] = Json::array({std::move(Invocation)});
    J["originalUriBaseIds"][RootId.str()]["uri"] =
        "file://" + percentEncoded(StringRef(Run.Root).rtrim('/')) + "/";
    J["columnKind"] = "unicodeCodePoints";
    J["results"] = std::move(Results);
    return J;
  }

  Json invocation() {
    Json J;
    J["executionSuccessful"] = Run.ExitStatus != 2;
    J["exitCode"] = Run.ExitStatus;
    J["toolExecutionNotifications"] = Json::array();
    for (const Reason &P : Run.Problems) {
      Json N;
      N["level"] = "error";
      N["message"] = message(P.Text);
      if (P.isSet())
        N["associatedRule"]["id"] = named(P.Code);
      if (!P.Loc.File.empty())
        N["locations"] = Json::array({location(P.Loc)});
      J["toolExecutionNotifications"].push_back(std::move(N));
    }
    return J;
  }

  static Json rule(StringRef Id) {
    Json J;
    J["id"] = Id.str();
    StringRef Short, Help;
    if (Id == "raised") {
      Short = Help = "Proved to be operations on whole arrays.";
    } else if (Id == "left") {
      Short = Help = "Left as it is.";
    } else if (Id == "inconclusive") {
      Short = "A verification came to no result.";
      Help = "Original and result were compiled and run, and no difference was "
             "found, but the inputs say too little.";
    } else {
      // `# CRnnnn: title`, a blank line, the page.
      auto [Title, Rest] = diagnosticPage(Id).split('\n');
      Short = Title.split(": ").second;
      Help = Rest.trim();
    }
    if (!Short.empty())
      J["shortDescription"]["text"] = Short.str();
    if (!Help.empty()) {
      J["help"]["text"] = Help.str();
      J["help"]["markdown"] = Help.str();
    }
    J["defaultConfiguration"]["level"] = Id == "raised"         ? "none"
                                         : Id == "inconclusive" ? "warning"
                                         : Id.starts_with("CR18") ||
                                                 Id.starts_with("CR19") ||
                                                 Id.starts_with("CR15")
                                             ? "error"
                                             : "note";
    return J;
  }

  static bool isAbsolute(StringRef File) {
    return sys::path::is_absolute(File);
  }

  Json artifact(StringRef File) const {
    SmallString<256> Path(File);
    if (!isAbsolute(Path)) {
      Path = Run.Here;
      sys::path::append(Path, File);
    }
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    StringRef Below = Path;
    Json J;
    if (Below.consume_front(StringRef(Run.Root).rtrim('/')) &&
        Below.consume_front("/")) {
      J["uri"] = percentEncoded(Below);
      J["uriBaseId"] = RootId.str();
    } else {
      J["uri"] = "file://" + percentEncoded(Path);
    }
    return J;
  }

  /// Clang's columns count bytes.
  unsigned columnOf(const SourceLoc &L) const {
    StringRef Line = lineOf(Run.TextOf(L.File), L.Line);
    if (L.Column == 0 || L.Column > Line.size() + 1)
      return L.Column;
    return characters(Line.take_front(L.Column - 1)) + 1;
  }

  Json location(const SourceLoc &L) const {
    Json J;
    J["physicalLocation"]["artifactLocation"] = artifact(L.File);
    if (L.Line) {
      Json &Region = J["physicalLocation"]["region"];
      Region["startLine"] = L.Line;
      if (L.Column)
        Region["startColumn"] = columnOf(L);
    }
    return J;
  }

  static SourceLoc placeOf(const Result &R) {
    SourceLoc L;
    L.File = R.File;
    L.Line = R.Line;
    L.Column = R.Column;
    return L;
  }

  Json result(const Result &R) {
    Json J = entry(ruleOf(R), isFinding(R) ? levelOf(R) : "none", placeOf(R),
                   remarkText(R));
    if (!isFinding(R))
      J["kind"] = "pass";
    if (!R.Function.empty())
      J["locations"][0]["logicalLocations"] = Json::array(
          {{{"fullyQualifiedName", R.Function}, {"kind", "function"}}});
    if (R.Why.isSet() && R.Why.Loc.isValid()) {
      Json Related = location(R.Why.Loc);
      Related["id"] = 1;
      Related["message"] =
          message(R.Outcome == Status::Left ? "what stopped it"
                                            : "what the reason speaks of");
      J["relatedLocations"] = Json::array({std::move(Related)});
    }
    if (!R.Fixes.empty())
      J["fixes"] = Json::array({fix(R)});
    Json &P = J["properties"];
    P["construct"] = spelling(R.What).str();
    P["status"] = spelling(R.Outcome).str();
    P["rewritten"] = R.Rewritten;
    P["kind"] = R.Kind;
    P["notation"] = R.Notation;
    P["assumptions"] = R.Assumptions;
    P["guards"] = R.Guards;
    P["verification"] = spelling(R.Verified).str();
    return J;
  }

  /// What an editor may apply.
  Json fix(const Result &R) const {
    Json Change;
    Change["artifactLocation"] = artifact(R.File);
    Change["replacements"] = Json::array();
    for (const LineFix &F : R.Fixes)
      Change["replacements"].push_back(
          {{"deletedRegion",
            {{"startLine", F.First},
             {"startColumn", 1},
             {"endLine", F.End},
             {"endColumn", 1}}},
           {"insertedContent", {{"text", F.Text}}}});
    Json J;
    J["description"] = message("rewrite this file as clang-raise does");
    J["artifactChanges"] = Json::array({std::move(Change)});
    return J;
  }

  Json refusal(const Reason &R) {
    return entry(R.isSet() ? R.Code : "left", "error", R.Loc, R.Text);
  }

  Json entry(const std::string &Rule, StringRef Level, const SourceLoc &Place,
             StringRef Text) {
    Json J;
    J["ruleId"] = named(Rule);
    J["kind"] = "fail";
    J["level"] = Level.str();
    J["message"] = message(Text);
    J["locations"] = Json::array();
    if (!Place.File.empty())
      J["locations"].push_back(location(Place));
    // What the fingerprint is made of; see addFingerprints.
    J["partialFingerprints"]["line"] =
        normalised(lineOf(Run.TextOf(Place.File), Place.Line));
    return J;
  }

  /// What a result is known by when lines above it come and go: its file and
  /// function, the text of its line, and which one of those it is.
  static void addFingerprints(Json &Results) {
    std::map<std::string, unsigned> Count;
    for (Json &J : Results) {
      Json Key = Json::array({J["partialFingerprints"]["line"]});
      if (!J["locations"].empty()) {
        const Json &L = J["locations"][0];
        Key.push_back(L["physicalLocation"]["artifactLocation"]);
        if (L.contains("logicalLocations"))
          Key.push_back(L["logicalLocations"]);
      }
      std::string Text = dumped(Key);
      Text += std::to_string(++Count[Text]);
      const MD5::MD5Result Hash = MD5::hash(ArrayRef(
          reinterpret_cast<const uint8_t *>(Text.data()), Text.size()));
      J["partialFingerprints"] = {{"clangRaiseLine/v1", Hash.digest().str()}};
    }
  }

  const SarifRun &Run;
  std::set<std::string> Rules;
};

} // namespace

StringRef diagnosticPage(StringRef Code) {
  const ArrayRef<assets::Diagnostic> All = assets::diagnostics();
  const auto *P = find_if(All, [&](const auto &D) { return D.Code == Code; });
  return P == All.end() ? StringRef() : P->Text;
}

std::string toSarif(const SarifRun &Run) {
  return Writer::dumped(Writer(Run).log(), 2) + "\n";
}

} // namespace raise
