//===- NotesTest.cpp - the language of notes ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Frontend/Notes.h"
#include "gtest/gtest.h"

using namespace raise;

namespace {

using Kind = NoteTerm::TermKind;

/// A term with every operator in parentheses.
std::string show(const NoteTerm &T) {
  switch (T.Kind) {
  case Kind::Number:
    return std::to_string(T.Value) + (T.Unsigned ? "u" : "") +
           (T.Long ? "l" : "");
  case Kind::Name:
    return T.Name;
  case Kind::Negative:
    return "-" + show(T.Parts[0]);
  case Kind::Not:
    return "!" + show(T.Parts[0]);
  case Kind::Operation:
    return "(" + show(T.Parts[0]) + " " + spelling(T.Op).str() + " " +
           show(T.Parts[1]) + ")";
  }
  return "";
}

std::vector<Note> good(llvm::StringRef Comment) {
  std::optional<NoteError> Wrong;
  std::vector<Note> Notes = parseNotes(Comment, Wrong);
  EXPECT_FALSE(Wrong) << Comment.str() << ": " << Wrong->Text;
  return Notes;
}

std::string term(const std::string &Text) {
  std::vector<Note> Notes = good("// clang-raise: assume(" + Text + ")");
  return Notes.size() == 1 ? show(Notes[0].Term) : "none";
}

/// "<offset>: <message>".
std::string wrong(llvm::StringRef Comment) {
  std::optional<NoteError> Wrong;
  EXPECT_TRUE(parseNotes(Comment, Wrong).empty()) << Comment.str();
  return Wrong ? std::to_string(Wrong->At) + ": " + Wrong->Text : "none";
}

} // namespace

TEST(Notes, AreCommentsThatBeginSo) {
  for (const char *Other :
       {"// clang-format off", "// see clang-raise: off", "/* text */",
        "// clang-raise off", "// clang-raise: end",
        "// clang-raise: scale:1 0123456789abcdef",
        "// clang-raise: ns::f<4>:2 0123456789abcdef"}) {
    std::optional<NoteError> Wrong;
    EXPECT_TRUE(parseNotes(Other, Wrong).empty()) << Other;
    EXPECT_FALSE(Wrong) << Other;
  }
}

TEST(Notes, OffAndOn) {
  for (const char *Off :
       {"// clang-raise: off", "//clang-raise:off", "/* clang-raise: off */",
        "/// clang-raise:  off  "}) {
    std::vector<Note> Notes = good(Off);
    ASSERT_EQ(Notes.size(), 1u) << Off;
    EXPECT_EQ(Notes[0].Kind, Note::NoteKind::Off);
  }
  EXPECT_EQ(good("// clang-raise: on")[0].Kind, Note::NoteKind::On);
  EXPECT_EQ(good("// clang-raise: on")[0].At, 16u);
}

TEST(Notes, PrecedenceIsThatOfC) {
  EXPECT_EQ(term("n"), "n");
  EXPECT_EQ(term("n % 4 == 0"), "((n % 4) == 0)");
  EXPECT_EQ(term("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(term("a - (b - c) * 2"), "(a - ((b - c) * 2))");
  EXPECT_EQ(term("a < b == c > d"), "((a < b) == (c > d))");
  EXPECT_EQ(term("a||b&&!c"), "(a || (b && !c))");
  EXPECT_EQ(term("- -a + 1"), "(--a + 1)");
  EXPECT_EQ(term("a != -b"), "(a != -b)");
  EXPECT_EQ(term("(((a)))"), "a");
}

TEST(Notes, NumbersHaveTheirTypes) {
  EXPECT_EQ(term("2147483647"), "2147483647");
  EXPECT_EQ(term("2147483648"), "2147483648l");
  EXPECT_EQ(term("4u"), "4u");
  EXPECT_EQ(term("4UL"), "4ul");
  EXPECT_EQ(term("4294967296u"), "4294967296ul");
  EXPECT_EQ(term("0x1F"), "31");
  EXPECT_EQ(term("9223372036854775807"), "9223372036854775807l");
}

TEST(Notes, TextIsKeptOnOneLine) {
  EXPECT_EQ(good("/* clang-raise: assume(  n >\n   0 ) */")[0].Says, "n > 0");
  const Note N = good("// clang-raise: extent(p, n*m)")[0];
  EXPECT_EQ(N.Kind, Note::NoteKind::Extent);
  EXPECT_EQ(N.Pointer, "p");
  EXPECT_EQ(N.Says, "p has n*m elements");
  EXPECT_EQ(show(N.Term), "(n * m)");
}

TEST(Notes, SeveralFacts) {
  EXPECT_EQ(good("// clang-raise: assume(n > 0), extent(p, n)").size(), 2u);
  EXPECT_EQ(good("// clang-raise: assume(n > 0) assume(m > 0)").size(), 2u);
  EXPECT_EQ(wrong("// clang-raise: assume(n > 0),"),
            "30: another note is expected after ','");
  EXPECT_EQ(wrong("// clang-raise: off, on"),
            "16: 'off' and 'on' stand in comments of their own");
}

TEST(Notes, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_EQ(wrong("// clang-raise:"), "15: a note is expected before the end "
                                      "of the comment: off, on, assume(…) or "
                                      "extent(…)");
  EXPECT_EQ(wrong("// clang-raise: asume(n > 0)"),
            "16: unknown note 'asume'; did you mean 'assume'?");
  EXPECT_EQ(wrong("// clang-raise: vectorise"),
            "16: unknown note 'vectorise'; notes are off, on, assume(…) and "
            "extent(…)");
  EXPECT_EQ(wrong("// clang-raise: off for now"),
            "20: the comment should end after 'off', not go on with 'for'");
  EXPECT_EQ(wrong("// clang-raise: assume n > 0"),
            "23: '(' is expected before 'n'");
  EXPECT_EQ(wrong("// clang-raise: assume(n > )"),
            "27: a name or a whole number is expected before ')'");
  EXPECT_EQ(wrong("// clang-raise: assume(n > 0"),
            "28: ')' is expected before the end of the comment");
  EXPECT_EQ(wrong("// clang-raise: assume((n > 0)"),
            "30: ')' is expected before the end of the comment");
  EXPECT_EQ(wrong("// clang-raise: assume(n = 0)"),
            "25: ')' is expected before '='");
  EXPECT_EQ(wrong("// clang-raise: assume(n << 1 > 0)"),
            "25: ')' is expected before '<'");
  EXPECT_EQ(wrong("// clang-raise: assume(f(n) > 0)"),
            "23: only names of variables and whole numbers may stand in a "
            "note, and 'f' is followed by '('");
  EXPECT_EQ(wrong("// clang-raise: assume(n > 1.5)"),
            "27: '1.5' is no decimal or hexadecimal whole number of 64 bits");
  EXPECT_EQ(wrong("// clang-raise: assume(n > 010)"),
            "27: '010' is no decimal or hexadecimal whole number of 64 bits");
  EXPECT_EQ(wrong("// clang-raise: extent(, n)"),
            "23: the name of a pointer is expected before ','");
  EXPECT_EQ(wrong("// clang-raise: extent(p n)"),
            "25: ',' is expected before 'n'");
}

TEST(Notes, NestingIsBounded) {
  const std::string Deep(100000, '('), Minus(100000, '-');
  EXPECT_NE(wrong("// clang-raise: assume(" + Deep).find("too deeply"),
            std::string::npos);
  EXPECT_NE(wrong("// clang-raise: assume(" + Minus).find("too deeply"),
            std::string::npos);
}
