//===- ParserInternal.h - recursive descent over the text form --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_IR_PARSERINTERNAL_H
#define RAISE_LIB_IR_PARSERINTERNAL_H

#include "Lexer.h"
#include "raise/IR/Function.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace raise::detail {

struct Symbol {
  VarRef V;
  BufferRef B;
};
using Scope = llvm::StringMap<Symbol>;

/// The first error ends parsing: from then on every function returns null or
/// false, and nothing more is read.
class Parser {
  std::vector<Token> Tokens;
  llvm::StringRef FileName;
  size_t Pos = 0;
  std::string Error;

  std::vector<Scope> Scopes;
  /// Regions being parsed: what their bodies declared, and, while the original
  /// is parsed, whether these are used again (see declared()).
  struct RegionScope {
    Scope Declared;
    bool InOriginal = false;
  };
  std::vector<RegionScope> Regions;
  llvm::StringMap<std::vector<CalleeRef>> Callees;
  /// Those that are declared and may still be defined.
  std::vector<std::shared_ptr<Callee>> Declared;
  std::vector<FunctionRef> Functions;

public:
  Parser(llvm::StringRef Text, llvm::StringRef FileName)
      : Tokens(tokenize(Text)), FileName(FileName) {}
  llvm::Expected<std::vector<FunctionRef>> run();

private:
  // Tokens (Parser.cpp).
  const Token &tok(size_t Ahead = 0) const {
    return Tokens[std::min(Pos + Ahead, Tokens.size() - 1)];
  }
  bool at(llvm::StringRef Spelling) const { return tok().is(Spelling); }
  bool accept(llvm::StringRef Spelling);
  bool expect(llvm::StringRef Spelling);
  bool failed() const { return !Error.empty(); }
  bool fail(const llvm::Twine &What) { return failAt(Pos, What); }
  bool failAt(size_t TokenIndex, const llvm::Twine &What);
  bool expected(const llvm::Twine &What);
  SourceLoc locFrom(size_t FirstToken) const;

  // Names and types.
  bool isName() const;
  bool parseName(std::string &Name);
  bool parseType(Type &Ty);
  bool parseString(std::string &Out);
  std::optional<Type> acceptTypeSuffix();
  const Symbol *lookup(llvm::StringRef Name) const;
  bool inScope(const void *Id) const;
  VarRef declared(llvm::StringRef Name, Var V);
  BufferRef declared(llvm::StringRef Name, Buffer B);
  Symbol reused(llvm::StringRef Name) const;
  void record(llvm::StringRef Name, const Symbol &S);
  VarRef parseVarUse();
  BufferRef parseBufferUse();

  // Top level.
  bool parseTopLevel();
  bool parseExternal();
  bool parseGlobal();
  bool parseDeclare();
  bool parseFunction();
  bool parseParam(Function &F);
  bool parseUsualBlock(Function &F);
  bool parseInOrder(Function &F);
  bool parseRequired(Function &F);
  bool parseGroup(unsigned &Group);
  bool parseOwner(Buffer &B);
  bool parseBufferQualifiers(Buffer &B);
  bool parseParamExtents(Buffer &B);
  bool parseArrayType(Buffer &B);
  bool parsePointerType(Buffer &B);
  bool parseScalarType(Var &V);
  bool parseMost(Var &V);
  bool parseCalleeFlags(Callee &C);
  /// F as what its own body may call, with what its text says of it, before
  /// there is a body; null if it takes more than scalars.
  std::shared_ptr<Callee> openCallee(const Function &F, const Callee &Flags);
  void addCallee(const FunctionRef &F, const std::shared_ptr<Callee> &C);

  // Expressions (ParseExpr.cpp). Null on error.
  ExprRef parseExpr() { return parseSelect(); }
  ExprRef parseSelect();
  ExprRef parseBinary(unsigned MinPrecedence);
  ExprRef parseUnary();
  ExprRef parsePrimary();
  ExprRef parseNumber(bool Negative, size_t First);
  ExprRef parseInteger(bool Negative, size_t First);
  ExprRef parseFloating(bool Negative, size_t First);
  ExprRef parseWord();
  ExprRef parseCast(bool Implicit);
  ExprRef parseNonNull();
  ExprRef parseCall();
  CalleeRef findCallee(llvm::StringRef Name, llvm::ArrayRef<ExprRef> Args);
  bool parseAccess(Access &A);
  bool parseList(std::vector<ExprRef> &List, llvm::StringRef Close);
  ExprRef parseTyped(const Type &Ty, llvm::StringRef What);
  ExprRef parseBool();
  bool atNumber(size_t Ahead) const;

  // Statements (ParseStmt.cpp). Null on error.
  StmtRef parseStmt();
  StmtRef parseBraces();
  StmtRef parseBody();
  bool parseStmts(std::vector<StmtRef> &Out);
  StmtRef parseLet();
  StmtRef parseFact();
  StmtRef parseCursor();
  bool parseCursorType(Var &V);
  StmtRef parseArray();
  StmtRef parseFor();
  StmtRef parseWhile();
  StmtRef parseDo();
  bool parseWhy(std::string &Why);
  StmtRef parseIf();
  StmtRef parseReturn();
  StmtRef parseOpaque();
  bool parseVarList(std::vector<VarRef> &Vars);
  std::shared_ptr<PureCall> parsePureCall();
  StmtRef parseTensor();
  bool parseIterator(std::vector<Iterator> &Out);
  StmtRef parseRegion();
  bool parseObligations(Obligations &Rests);
  bool parseGuard(Guard &G);
  bool parseRange(ElementRange &R);
  StmtRef parseWrite();
  bool parseCombiner(Combiner &Op);
};

} // namespace raise::detail

#endif // RAISE_LIB_IR_PARSERINTERNAL_H
