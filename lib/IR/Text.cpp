//===- Text.cpp - words, names and strings of the text form ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TextInternal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace raise::detail {

bool isReservedWord(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases("let", "array", "shared", "cursor", "atomic", "for", "while", true)
      .Cases("heap", "tape", "upto", true)
      .Cases("do", "if", "else", "barrier", "return", "break", "continue", true)
      .Cases("opaque", "tensor", "region", "parallel", "simd", "const", true)
      .Cases("cast", "icast", "nonnull", "true", "false", "inf", "nan", true)
      .Cases("grid.x", "grid.y", "grid.z", true)
      .Cases("block.x", "block.y", "block.z", true)
      .Default(false);
}

bool isNameStart(char C) { return isAlpha(C) || C == '_' || C == '$'; }
bool isNameChar(char C) { return isNameStart(C) || isDigit(C); }

bool isPlainName(StringRef Name) {
  if (Name.empty() || !isNameStart(Name[0]))
    return false;
  for (size_t I = 1; I < Name.size(); ++I) {
    if (isNameChar(Name[I]))
      continue;
    if (Name[I] != '.' || I + 1 == Name.size() || !isNameChar(Name[I + 1]))
      return false;
  }
  return true;
}

bool isPlainFunctionName(StringRef Name) {
  // Words joined by "::".
  while (true) {
    auto [Word, Rest] = Name.split("::");
    if (Word.empty() || !isNameStart(Word[0]) || !all_of(Word, isNameChar))
      return false;
    if (Word.size() == Name.size())
      return true;
    Name = Rest;
  }
}

StringRef withoutSuffix(StringRef Name) {
  auto [Base, Digits] = Name.rsplit('.');
  if (Base.empty() || Digits.empty() || !all_of(Digits, isDigit))
    return Name;
  return Base;
}

static bool isSpecial(char C) {
  return C == '"' || C == '`' || C == '\\' || !isPrint(C);
}

std::string escape(StringRef Text) {
  std::string Out;
  for (char C : Text) {
    if (!isSpecial(C)) {
      Out += C;
      continue;
    }
    const auto Byte = static_cast<unsigned char>(C);
    if (C == '\n')
      Out += "\\n";
    else if (C == '"' || C == '`' || C == '\\')
      Out += {'\\', C};
    else
      Out += {'\\', 'x', hexdigit(Byte >> 4), hexdigit(Byte & 15)};
  }
  return Out;
}

static constexpr struct {
  LoopKind Kind;
  const char *Word;
} LoopWords[] = {
    {LoopKind::Parallel, "parallel"}, {LoopKind::Simd, "simd"},
    {LoopKind::Claimed, "claimed"},   {LoopKind::GridX, "grid.x"},
    {LoopKind::GridY, "grid.y"},      {LoopKind::GridZ, "grid.z"},
    {LoopKind::BlockX, "block.x"},    {LoopKind::BlockY, "block.y"},
    {LoopKind::BlockZ, "block.z"},
};

StringRef loopWord(LoopKind K) {
  for (const auto &W : LoopWords)
    if (W.Kind == K)
      return W.Word;
  return "";
}

std::optional<LoopKind> loopKindByWord(StringRef Word) {
  for (const auto &W : LoopWords)
    if (Word == W.Word)
      return W.Kind;
  return std::nullopt;
}

static constexpr struct {
  IterKind Kind;
  const char *Word;
} IterWords[] = {
    {IterKind::Parallel, "parallel"}, {IterKind::Reduction, "reduction"},
    {IterKind::Scan, "scan"},         {IterKind::Serial, "serial"},
    {IterKind::Search, "search"},
};

StringRef iterWord(IterKind K) {
  for (const auto &W : IterWords)
    if (W.Kind == K)
      return W.Word;
  return "";
}

std::optional<IterKind> iterKindByWord(StringRef Word) {
  for (const auto &W : IterWords)
    if (Word == W.Word)
      return W.Kind;
  return std::nullopt;
}

unsigned precedence(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::LOr:
    return 2;
  case BinaryOp::LAnd:
    return 3;
  case BinaryOp::Or:
    return 4;
  case BinaryOp::Xor:
    return 5;
  case BinaryOp::And:
    return 6;
  case BinaryOp::EQ:
  case BinaryOp::NE:
    return 7;
  case BinaryOp::LT:
  case BinaryOp::LE:
  case BinaryOp::GT:
  case BinaryOp::GE:
    return 8;
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return 9;
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return 10;
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return 11;
  }
  return 0;
}

} // namespace raise::detail
