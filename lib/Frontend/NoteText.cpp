//===- NoteText.cpp - the language of notes -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   notes     = note { [","] note }
//   note      = "off" | "on" | "assume" "(" term ")"
//             | "extent" "(" name "," term ")"
//   term      = C's expressions of names and whole numbers with
//               || && == != < <= > >= + - * / % ! and parentheses
//
//===----------------------------------------------------------------------===//
#include "raise/Frontend/Notes.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

namespace {

constexpr StringRef Words[] = {"off", "on", "assume", "extent"};

bool isNameStart(char C) { return isAlpha(C) || C == '_'; }
bool isNamePart(char C) { return isAlnum(C) || C == '_'; }

/// Deep enough for people; the parser calls itself.
constexpr unsigned MostDepth = 64;

class NoteParser {
public:
  NoteParser(StringRef Text, size_t At, std::optional<NoteError> &Error)
      : Text(Text), At(At), Error(Error) {}

  std::vector<Note> run() {
    std::vector<Note> Found;
    skipSpace();
    do {
      Note N;
      if (!note(N))
        return {};
      Found.push_back(std::move(N));
      skipSpace();
      if (accept(",") && atEnd()) {
        fail(At, "another note is expected after ','");
        return {};
      }
    } while (!atEnd());
    if (Found.size() > 1)
      for (const Note &N : Found)
        if (N.Kind == Note::NoteKind::Off || N.Kind == Note::NoteKind::On) {
          fail(N.At, "'off' and 'on' stand in comments of their own");
          return {};
        }
    return Found;
  }

private:
  StringRef Text;
  size_t At;
  std::optional<NoteError> &Error;
  unsigned Depth = 0;

  bool fail(size_t Where, const Twine &Why) {
    if (!Error)
      Error = NoteError{unsigned(Where), Why.str()};
    return false;
  }

  /// A block comment's lines may each begin with `*`, which no term does.
  void skipSpace() {
    while (At < Text.size() && isSpace(Text[At])) {
      const bool Line = Text[At++] == '\n';
      if (!Line)
        continue;
      const size_t Next = Text.find_first_not_of(" \t\r", At);
      if (Next != StringRef::npos && Text[Next] == '*')
        At = Next + 1;
    }
  }
  bool atEnd() {
    skipSpace();
    return At == Text.size();
  }
  bool accept(StringRef Token) {
    skipSpace();
    if (!Text.substr(At).starts_with(Token))
      return false;
    At += Token.size();
    return true;
  }
  /// What stands next, for a message.
  std::string next() {
    skipSpace();
    if (At == Text.size())
      return "the end of the comment";
    size_t End = At + 1;
    if (isNamePart(Text[At]))
      while (End < Text.size() && isNamePart(Text[End]))
        ++End;
    return "'" + Text.slice(At, End).str() + "'";
  }
  bool expect(StringRef Token) {
    return accept(Token) ||
           fail(At, "'" + Token + "' is expected before " + next());
  }
  StringRef name() {
    skipSpace();
    const size_t Begin = At;
    if (At < Text.size() && isNameStart(Text[At]))
      while (At < Text.size() && isNamePart(Text[At]))
        ++At;
    return Text.slice(Begin, At);
  }

  bool note(Note &N) {
    skipSpace();
    N.At = At;
    const StringRef Word = name();
    if (Word == "off" || Word == "on") {
      N.Kind = Word == "off" ? Note::NoteKind::Off : Note::NoteKind::On;
      if (atEnd() || Text[At] == ',')
        return true;
      return fail(At, "the comment should end after '" + Word +
                          "', not go on "
                          "with " +
                          next());
    }
    if (Word == "assume") {
      N.Kind = Note::NoteKind::Assume;
      if (!expect("("))
        return false;
      const size_t Begin = At;
      if (!term(N.Term))
        return false;
      N.Says = spaced(Text.slice(Begin, At));
      return expect(")");
    }
    if (Word == "extent") {
      N.Kind = Note::NoteKind::Extent;
      if (!expect("("))
        return false;
      skipSpace();
      N.PointerAt = At;
      N.Pointer = name().str();
      if (N.Pointer.empty())
        return fail(At, "the name of a pointer is expected before " + next());
      if (!expect(","))
        return false;
      const size_t Begin = At;
      if (!term(N.Term))
        return false;
      N.Says =
          N.Pointer + " has " + spaced(Text.slice(Begin, At)) + " elements";
      return expect(")");
    }
    return unknown(N.At, Word);
  }

  bool unknown(size_t Where, StringRef Word) {
    if (Word.empty())
      return fail(Where, "a note is expected before " + next() +
                             ": off, on, assume(…) or extent(…)");
    StringRef Nearest;
    unsigned Least = 3;
    for (StringRef Known : Words)
      if (unsigned D = Word.edit_distance(Known, true, Least); D < Least) {
        Least = D;
        Nearest = Known;
      }
    return fail(Where,
                "unknown note '" + Word + "'" +
                    (Nearest.empty() ? "; notes are off, on, assume(…) "
                                       "and extent(…)"
                                     : "; did you mean '" + Nearest + "'?"));
  }

  /// The text on one line, with single spaces.
  static std::string spaced(StringRef Part) {
    std::string Out;
    for (char C : Part.trim())
      if (!isSpace(C))
        Out += C;
      else if (Out.back() != ' ')
        Out += ' ';
    return Out;
  }

  struct Operator {
    StringRef Token;
    BinaryOp Op;
    unsigned Strength;
  };
  /// Longer ones first.
  static constexpr Operator Operators[] = {
      {"||", BinaryOp::LOr, 1}, {"&&", BinaryOp::LAnd, 2},
      {"==", BinaryOp::EQ, 3},  {"!=", BinaryOp::NE, 3},
      {"<=", BinaryOp::LE, 4},  {">=", BinaryOp::GE, 4},
      {"<", BinaryOp::LT, 4},   {">", BinaryOp::GT, 4},
      {"+", BinaryOp::Add, 5},  {"-", BinaryOp::Sub, 5},
      {"*", BinaryOp::Mul, 6},  {"/", BinaryOp::Div, 6},
      {"%", BinaryOp::Rem, 6}};

  const Operator *binaryOperator() {
    skipSpace();
    const StringRef Rest = Text.substr(At);
    for (StringRef Other : {"<<", ">>", "++", "--", "+=", "-="})
      if (Rest.starts_with(Other))
        return nullptr;
    for (const Operator &O : Operators)
      if (Rest.starts_with(O.Token))
        return &O;
    return nullptr;
  }

  bool term(NoteTerm &T, unsigned Least = 1) {
    if (++Depth > MostDepth)
      return fail(At, "the expression is nested too deeply");
    if (!unary(T))
      return false;
    for (const Operator *O; (O = binaryOperator()) && O->Strength >= Least;) {
      NoteTerm Whole;
      Whole.Kind = NoteTerm::TermKind::Operation;
      Whole.At = At;
      Whole.Op = O->Op;
      At += O->Token.size();
      NoteTerm Right;
      if (!term(Right, O->Strength + 1))
        return false;
      Whole.Parts.push_back(std::move(T));
      Whole.Parts.push_back(std::move(Right));
      T = std::move(Whole);
    }
    --Depth;
    return true;
  }

  bool unary(NoteTerm &T) {
    skipSpace();
    T.At = At;
    const bool Negative = accept("-");
    if (Negative || (!Text.substr(At).starts_with("!=") && accept("!"))) {
      if (++Depth > MostDepth)
        return fail(At, "the expression is nested too deeply");
      T.Kind =
          Negative ? NoteTerm::TermKind::Negative : NoteTerm::TermKind::Not;
      T.Parts.emplace_back();
      const bool Done = unary(T.Parts.back());
      --Depth;
      return Done;
    }
    if (accept("(")) {
      const unsigned Open = At - 1;
      if (!term(T))
        return false;
      if (!accept(")"))
        return fail(At, "')' is expected before " + next() +
                            ", for the '(' in column " + Twine(columnOf(Open)) +
                            " of the comment");
      return true;
    }
    if (At < Text.size() && isDigit(Text[At]))
      return number(T);
    const StringRef Name = name();
    if (Name.empty())
      return fail(At, "a name or a whole number is expected before " + next());
    skipSpace();
    if (At < Text.size() &&
        (Text[At] == '(' || Text[At] == '[' || Text[At] == '.' ||
         Text.substr(At).starts_with("->") ||
         Text.substr(At).starts_with("::")))
      return fail(T.At, "only names of variables and whole numbers may stand "
                        "in a note, and '" +
                            Name + "' is followed by '" + Text.substr(At, 1) +
                            "'");
    T.Kind = NoteTerm::TermKind::Name;
    T.Name = Name.str();
    return true;
  }

  unsigned columnOf(size_t Where) const {
    return unsigned(Where - Text.rfind('\n', Where)); // npos is -1
  }

  bool number(NoteTerm &T) {
    StringRef Rest = Text.substr(At).take_while(
        [](char C) { return isAlnum(C) || C == '.' || C == '_'; });
    const StringRef All = Rest;
    At += Rest.size();
    StringRef Digits = Rest;
    while (!Digits.empty() && StringRef("uUlL").contains(Digits.back())) {
      T.Unsigned |= toLower(Digits.back()) == 'u';
      T.Long |= toLower(Digits.back()) == 'l';
      Digits = Digits.drop_back();
    }
    const bool Hex = Digits.starts_with_insensitive("0x");
    uint64_t Value = 0;
    // A leading 0 would be octal.
    if ((Digits.size() > 1 && Digits[0] == '0' && !Hex) ||
        Digits.getAsInteger(Hex ? 0 : 10, Value) || Value > uint64_t(INT64_MAX))
      return fail(T.At, "'" + All +
                            "' is no decimal or hexadecimal whole "
                            "number of 64 bits");
    T.Kind = NoteTerm::TermKind::Number;
    T.Value = int64_t(Value);
    T.Long |= Value > (T.Unsigned ? UINT32_MAX : uint64_t(INT32_MAX));
    return true;
  }
};

} // namespace

std::vector<Note> parseNotes(StringRef Comment,
                             std::optional<NoteError> &Error) {
  StringRef Rest = Comment;
  const bool IsBlock = Rest.consume_front("/*");
  if (!IsBlock && !Rest.consume_front("//"))
    return {};
  Rest = Rest.ltrim("/*!").ltrim();
  if (!Rest.consume_front("clang-raise:"))
    return {};
  StringRef Body = Comment;
  if (IsBlock)
    Body.consume_back("*/");
  const size_t Begin = Comment.size() - Rest.size();
  // A mark of an emitted block, or what is left of one.
  const StringRef First = Rest.ltrim().take_until(isSpace);
  const StringRef Behind = Rest.ltrim().drop_front(First.size()).trim();
  if (!IsBlock && ((First == "end" && Behind.empty()) ||
                   (First.contains(':') && !Behind.contains(' '))))
    return {};
  return NoteParser(Body, Begin, Error).run();
}

} // namespace raise
