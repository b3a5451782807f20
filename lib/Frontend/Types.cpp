//===- Types.cpp - Clang's types and places -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

std::string spellingOf(QualType T, const ASTContext &AST) {
  PrintingPolicy Policy(AST.getLangOpts());
  Policy.SuppressTagKeyword = AST.getLangOpts().CPlusPlus;
  Policy.Bool = AST.getLangOpts().CPlusPlus;
  return T.getAsString(Policy);
}

std::string emittedSpelling(QualType T, const ASTContext &AST) {
  const NameScope *Scope = NameScope::current();
  return Scope ? Scope->spell(T) : spellingOf(T, AST);
}

static std::optional<Type> integerType(QualType T, const ASTContext &AST) {
  const uint64_t Bits = AST.getTypeSize(T);
  if (Bits != 8 && Bits != 16 && Bits != 32 && Bits != 64)
    return std::nullopt;
  return Type::getInt(Bits, T->isSignedIntegerOrEnumerationType());
}

Type liftedType(QualType T, const ASTContext &AST) {
  std::optional<Type> Ty = scalarType(T, AST);
  assert(Ty && "no scalar");
  return Ty.value_or(Type::getVoid());
}

std::optional<Type> scalarType(QualType QT, const ASTContext &AST) {
  const QualType T = QT.getCanonicalType().getUnqualifiedType();
  std::optional<Type> Found;
  if (T->isVoidType())
    return Type::getVoid();
  if (T->isBooleanType())
    Found = Type::getBool();
  else if (const auto *E = T->getAs<EnumType>())
    Found = E->getDecl()->isComplete()
                ? scalarType(E->getDecl()->getIntegerType(), AST)
                : std::nullopt;
  else if (const auto *B = dyn_cast<BuiltinType>(T.getTypePtr())) {
    if (B->isInteger())
      Found = integerType(T, AST);
    else if (B->getKind() == BuiltinType::Float)
      Found = Type::getFloat(32);
    else if (B->getKind() == BuiltinType::Double)
      Found = Type::getFloat(64);
    else if (B->getKind() == BuiltinType::LongDouble &&
             &AST.getFloatTypeSemantics(T) == &APFloat::x87DoubleExtended())
      Found = Type::getFloat(80);
  }
  if (Found)
    Found->Spelling = emittedSpelling(QT.getUnqualifiedType(), AST);
  return Found;
}

//===-- Places
//--------------------------------------------------------------===//

/// Whether the end of a range that lies in a macro is the end of what the
/// macro expands to, so that the whole expansion is inside the range.
static bool endsInMacro(SourceLocation End, const ASTContext &AST) {
  return End.isMacroID() && !Lexer::isAtEndOfMacroExpansion(
                                End, AST.getSourceManager(), AST.getLangOpts());
}

static SourceLoc makeLoc(SourceRange Range, const ASTContext &AST,
                         bool Statement) {
  SourceLoc L;
  if (Range.isInvalid())
    return L;
  const SourceManager &SM = AST.getSourceManager();
  const LangOptions &Lang = AST.getLangOpts();
  const SourceLocation Begin = SM.getExpansionLoc(Range.getBegin());
  SourceLocation End = Range.getEnd().isMacroID()
                           ? SM.getExpansionRange(Range.getEnd()).getEnd()
                           : Range.getEnd();
  End = Lexer::getLocForEndOfToken(End, 0, SM, Lang);
  const auto [BeginFile, BeginOffset] = SM.getDecomposedLoc(Begin);
  L.File = SM.getFilename(Begin).str();
  L.Line = SM.getLineNumber(BeginFile, BeginOffset);
  L.Column = SM.getColumnNumber(BeginFile, BeginOffset);
  L.Begin = L.End = BeginOffset;
  L.InMacro = Range.getBegin().isMacroID() || endsInMacro(Range.getEnd(), AST);
  if (End.isInvalid())
    return L;
  const auto [EndFile, EndOffset] = SM.getDecomposedLoc(End);
  if (EndFile != BeginFile) {
    L.InMacro = true; // it spans an #include: not one piece of text
    return L;
  }
  L.End = EndOffset;
  if (!Statement)
    return L;
  // The semicolon is no part of an expression statement's range.
  const StringRef Text = SM.getBufferData(BeginFile);
  if (EndOffset > 0 && Text[EndOffset - 1] != '}' && Text[EndOffset - 1] != ';')
    if (std::optional<Token> Next = Lexer::findNextToken(
            SM.getExpansionRange(Range.getEnd()).getEnd(), SM, Lang))
      if (Next->is(tok::semi) && SM.getFileID(Next->getLocation()) == BeginFile)
        L.End = SM.getFileOffset(Next->getLocation()) + 1;
  return L;
}

SourceLoc locate(SourceRange Range, const ASTContext &AST) {
  return makeLoc(Range, AST, /*Statement=*/false);
}

SourceLoc locateStatement(const clang::Stmt *S, const ASTContext &AST) {
  return makeLoc(S->getSourceRange(), AST, /*Statement=*/true);
}

std::string sourceText(SourceRange Range, const ASTContext &AST) {
  return Lexer::getSourceText(AST.getSourceManager().getExpansionRange(Range),
                              AST.getSourceManager(), AST.getLangOpts())
      .str();
}

std::string shortText(SourceRange Range, const ASTContext &AST) {
  constexpr size_t LongestText = 60;
  std::string Text = sourceText(Range, AST);
  // Of the first call the name alone; what follows it stays.
  for (size_t Open = 1; Open < Text.size(); ++Open) {
    if (Text.size() <= LongestText && Text.find('\n') == std::string::npos)
      break;
    if (Text[Open] != '(' ||
        (!isAlnum(Text[Open - 1]) && Text[Open - 1] != '_'))
      continue;
    size_t Close = Open, Depth = 0;
    for (; Close < Text.size(); ++Close) {
      Depth += Text[Close] == '(';
      if (Text[Close] == ')' && --Depth == 0)
        break;
    }
    Text = Text.substr(0, Open) + "(…" +
           (Close < Text.size() ? Text.substr(Close) : ")");
  }
  return Text;
}

std::string pointerName(const clang::Expr *E, const ASTContext &AST) {
  constexpr size_t LongestName = 40;
  const std::string Text = sourceText(E->getSourceRange(), AST);
  const bool IsName = !Text.empty() && Text.size() <= LongestName &&
                      Text.find('\n') == std::string::npos;
  return IsName ? "'" + Text + "'" : "this pointer";
}

std::string macroName(const clang::Expr *E, const ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  const SourceLocation Begin = E->getBeginLoc(), End = E->getEndLoc();
  if (!Begin.isMacroID() || !End.isMacroID() ||
      !Lexer::isAtStartOfMacroExpansion(Begin, SM, AST.getLangOpts()) ||
      !Lexer::isAtEndOfMacroExpansion(End, SM, AST.getLangOpts()))
    return "";
  const CharSourceRange B = SM.getExpansionRange(Begin),
                        N = SM.getExpansionRange(End);
  // One identifier: an object-like macro, the same at both ends.
  if (B.getBegin() != B.getEnd() || B.getBegin() != N.getBegin() ||
      N.getBegin() != N.getEnd())
    return "";
  const StringRef Name = Lexer::getSourceText(B, SM, AST.getLangOpts());
  return isValidAsciiIdentifier(Name) ? Name.str() : "";
}

std::string tokenText(SourceLocation L, const ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  const SourceLocation Spelled = SM.getSpellingLoc(L);
  if (SM.isWrittenInScratchSpace(Spelled) ||
      SM.isWrittenInBuiltinFile(Spelled) ||
      SM.isWrittenInCommandLineFile(Spelled))
    return "";
  SmallString<32> Buffer;
  bool Invalid = false;
  const StringRef Text =
      Lexer::getSpelling(Spelled, Buffer, SM, AST.getLangOpts(), &Invalid);
  return Invalid ? "" : Text.str();
}

//===-- Structures
//----------------------------------------------------------===//

/// Whether T is an array of scalars, with constant extents.
static bool isScalarArray(QualType T, const ASTContext &AST) {
  if (!AST.getAsConstantArrayType(T))
    return false;
  while (const ConstantArrayType *A = AST.getAsConstantArrayType(T))
    T = A->getElementType();
  if (T->isArrayType() || T.isVolatileQualified())
    return false;
  const std::optional<Type> Ty = scalarType(T, AST);
  return Ty ? !Ty->isVoid()
            : !T->isReferenceType() && (isBFloat16(T) || isHalf(T));
}

/// Arrays: null where an array is no member that is allowed.
static bool addMembers(const RecordDecl *R, const std::string &Prefix,
                       std::vector<Member> &Members,
                       std::vector<ArrayMember> *Arrays,
                       const ASTContext &AST) {
  R = R->getDefinition();
  if (!R || R->isUnion() || R->isInvalidDecl())
    return false;
  if (const auto *C = dyn_cast<CXXRecordDecl>(R))
    if (C->getNumBases() || C->isPolymorphic() || !C->isTriviallyCopyable() ||
        !C->hasTrivialDestructor())
      return false;
  for (const FieldDecl *Field : R->fields()) {
    const QualType T = Field->getType();
    if (Field->isBitField() || Field->isUnnamedBitField() ||
        Field->getName().empty() || T.isVolatileQualified() ||
        Field->isMutable())
      return false;
    const std::string Path = Prefix + Field->getName().str();
    if (const RecordDecl *Inner = T->getAsRecordDecl()) {
      if (!addMembers(Inner, Path + ".", Members, Arrays, AST))
        return false;
      continue;
    }
    if (Arrays && isScalarArray(T, AST)) {
      Arrays->push_back({Path, T});
      continue;
    }
    std::optional<Type> Ty = scalarType(T, AST);
    if (!Ty || Ty->isVoid())
      return false;
    Members.push_back({Path, *Ty});
  }
  return true;
}

std::optional<std::vector<Member>> plainMembers(QualType T,
                                                const ASTContext &AST) {
  const RecordDecl *R = T->getAsRecordDecl();
  std::vector<Member> Members;
  if (!R || !addMembers(R, "", Members, nullptr, AST) || Members.empty())
    return std::nullopt;
  return Members;
}

std::optional<ObjectMembers> objectMembers(QualType T, const ASTContext &AST) {
  const RecordDecl *R = T->getAsRecordDecl();
  ObjectMembers M;
  if (!R || !addMembers(R, "", M.Scalars, &M.Arrays, AST) || M.Arrays.empty())
    return std::nullopt;
  return M;
}

std::vector<Member> scalarMembers(QualType T, const ASTContext &AST) {
  if (auto Plain = plainMembers(T, AST))
    return *Plain;
  const auto M = objectMembers(T, AST);
  return M ? M->Scalars : std::vector<Member>();
}

} // namespace raise::lifting
