//===- ParseStmt.cpp - statements from text -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IRInternal.h"
#include "ParserInternal.h"
#include "TextInternal.h"
#include "raise/IR/Fact.h"
#include "llvm/ADT/ScopeExit.h"

using namespace llvm;

namespace raise::detail {

bool Parser::parseStmts(std::vector<StmtRef> &Out) {
  if (!expect("{"))
    return false;
  Scopes.emplace_back();
  while (!failed() && !at("}")) {
    StmtRef S = parseStmt();
    if (!S)
      return false;
    Out.push_back(std::move(S));
  }
  Scopes.pop_back();
  return expect("}");
}

StmtRef Parser::parseBraces() {
  const size_t First = Pos;
  std::vector<StmtRef> Body;
  if (!parseStmts(Body))
    return nullptr;
  return std::make_shared<Block>(std::move(Body), locFrom(First));
}

/// A body of one statement is that statement, unless it is itself a block: the
/// braces around a block would be lost.
StmtRef Parser::parseBody() {
  const size_t First = Pos;
  std::vector<StmtRef> Body;
  if (!parseStmts(Body))
    return nullptr;
  if (Body.size() == 1 && !isa<Block>(Body.front().get()))
    return Body.front();
  return std::make_shared<Block>(std::move(Body), locFrom(First));
}

StmtRef Parser::parseLet() {
  const size_t First = Pos++;
  std::string Name;
  Var V;
  if (!parseName(Name) || !expect(":") || !parseScalarType(V))
    return nullptr;
  ExprRef Init;
  if (accept("=") && !(Init = parseTyped(V.Ty, "the initialiser")))
    return nullptr;
  if (!expect(";"))
    return nullptr;
  V.Loc = locFrom(First);
  VarRef Declared = declared(Name, std::move(V));
  return std::make_shared<Decl>(std::move(Declared), std::move(Init),
                                locFrom(First));
}

/// `assume "n > 0" n > 0;` or `extent "p has n elements" p = cast<i64>(n);`
StmtRef Parser::parseFact() {
  const size_t First = Pos;
  const bool Extent = at("extent");
  ++Pos;
  std::string Says;
  BufferRef Of;
  if (!parseString(Says) ||
      (Extent && (!(Of = parseBufferUse()) || !expect("="))))
    return nullptr;
  ExprRef Value = Extent ? parseTyped(Type::getI64(), "the number of elements")
                         : parseTyped(Type::getBool(), "what is assumed");
  if (!Value || !expect(";"))
    return nullptr;
  return Extent
             ? makeExtent(std::move(Of), std::move(Value), Says, locFrom(First))
             : makeAssumption(std::move(Value), Says, locFrom(First));
}

bool Parser::parseCursorType(Var &V) {
  V.Kind = VarKind::Cursor;
  V.Ty = Type::getI64();
  V.Const = accept("const");
  V.Base = parseBufferUse();
  return V.Base != nullptr;
}

StmtRef Parser::parseCursor() {
  const size_t First = Pos++;
  std::string Name;
  Var V;
  if (!parseName(Name) || !expect(":") || !parseCursorType(V))
    return nullptr;
  ExprRef Init;
  if (accept("=") && !(Init = parseTyped(V.Ty, "the offset")))
    return nullptr;
  if (!expect(";"))
    return nullptr;
  V.Loc = locFrom(First);
  VarRef Declared = declared(Name, std::move(V));
  return std::make_shared<Decl>(std::move(Declared), std::move(Init),
                                locFrom(First));
}

StmtRef Parser::parseArray() {
  const size_t First = Pos;
  Buffer B;
  B.Kind = accept("shared") ? BufferKind::Shared : BufferKind::Local;
  B.PerWarp = B.Kind == BufferKind::Shared && accept("warp");
  if (accept("heap"))
    B.Lies = ArrayHome::Heap;
  else if (accept("tape"))
    B.Lies = ArrayHome::Growing;
  else if (B.Kind == BufferKind::Local)
    ++Pos;
  std::string Name;
  if (!parseName(Name) || !expect(":") || !parseArrayType(B))
    return nullptr;
  std::vector<ExprRef> Init;
  const size_t InitToken = Pos;
  if (accept("=") && (!expect("{") || !parseList(Init, "}")))
    return nullptr;
  for (const ExprRef &E : Init)
    if (E->Ty != B.Elem) {
      failAt(InitToken, "an initialiser has type " + E->Ty.name() + ", not " +
                            B.Elem.name());
      return nullptr;
    }
  if (!expect(";"))
    return nullptr;
  B.Loc = locFrom(First);
  BufferRef Declared = declared(Name, std::move(B));
  return std::make_shared<DeclBuffer>(std::move(Declared), std::move(Init),
                                      locFrom(First));
}

static std::optional<BinaryOp> loopCondition(const Token &T) {
  for (BinaryOp Op :
       {BinaryOp::LT, BinaryOp::LE, BinaryOp::GT, BinaryOp::GE, BinaryOp::NE})
    if (T.is(spelling(Op)))
      return Op;
  return std::nullopt;
}

/// The variable comes into scope once the bounds are read, but the text names
/// it before; a bound that uses the name means what was declared outside.
StmtRef Parser::parseFor() {
  const size_t First = Pos;
  LoopKind Kind = LoopKind::Serial;
  if (std::optional<LoopKind> K = loopKindByWord(tok().Text)) {
    Kind = *K;
    ++Pos;
  }
  if (!expect("for") || !expect("("))
    return nullptr;
  const bool IsCursor = accept("cursor");
  const size_t NameToken = Pos;
  std::string Name;
  if (!parseName(Name))
    return nullptr;
  Var New;
  VarRef V;
  const bool Declares = accept(":");
  if (Declares) {
    if (!(IsCursor ? parseCursorType(New) : parseScalarType(New)))
      return nullptr;
    New.Loc = locFrom(NameToken);
  } else if (const Symbol *S = lookup(Name); S && S->V) {
    V = S->V;
  } else {
    failAt(NameToken, "'" + Name + "' is no variable in scope");
    return nullptr;
  }
  const Type Ty = Declares ? New.Ty : V->Ty;
  auto ExpectName = [&] {
    if (!isName() || tok().Text != Name)
      return expected("'" + Name + "'");
    ++Pos;
    return true;
  };
  if (!expect("="))
    return nullptr;
  ExprRef Lo = parseTyped(Ty, "the first value");
  if (!Lo || !expect(";") || !ExpectName())
    return nullptr;
  std::optional<BinaryOp> Cond = loopCondition(tok());
  if (!Cond) {
    expected("a comparison");
    return nullptr;
  }
  ++Pos;
  ExprRef Hi = parseExpr();
  if (!Hi || !expect(";") || !ExpectName() || !expect("+="))
    return nullptr;
  ExprRef Step = parseTyped(Ty, "the step");
  if (!Step || !expect(")"))
    return nullptr;
  Scopes.emplace_back();
  if (Declares)
    V = declared(Name, std::move(New));
  StmtRef Body = parseBody();
  Scopes.pop_back();
  if (!Body)
    return nullptr;
  return std::make_shared<For>(std::move(V), std::move(Lo), *Cond,
                               std::move(Hi), std::move(Step), Kind, Declares,
                               std::move(Body), locFrom(First));
}

bool Parser::parseWhy(std::string &Why) {
  return !accept("why") || parseString(Why);
}

StmtRef Parser::parseWhile() {
  const size_t First = Pos++;
  std::string Why;
  if (!expect("("))
    return nullptr;
  ExprRef Cond = parseBool();
  if (!Cond || !expect(")") || !parseWhy(Why))
    return nullptr;
  StmtRef Body = parseBody();
  if (!Body)
    return nullptr;
  return std::make_shared<While>(std::move(Cond), true, std::move(Body), Why,
                                 locFrom(First));
}

StmtRef Parser::parseDo() {
  const size_t First = Pos++;
  std::string Why;
  StmtRef Body = parseBody();
  if (!Body || !expect("while") || !expect("("))
    return nullptr;
  ExprRef Cond = parseBool();
  if (!Cond || !expect(")") || !parseWhy(Why) || !expect(";"))
    return nullptr;
  return std::make_shared<While>(std::move(Cond), false, std::move(Body), Why,
                                 locFrom(First));
}

StmtRef Parser::parseIf() {
  const size_t First = Pos++;
  if (!expect("("))
    return nullptr;
  ExprRef Cond = parseBool();
  if (!Cond || !expect(")"))
    return nullptr;
  StmtRef Then = parseBody();
  if (!Then)
    return nullptr;
  StmtRef Else;
  if (accept("else") && !(Else = at("if") ? parseIf() : parseBody()))
    return nullptr;
  return std::make_shared<If>(std::move(Cond), std::move(Then), std::move(Else),
                              locFrom(First));
}

StmtRef Parser::parseReturn() {
  const size_t First = Pos++;
  ExprRef Value;
  if (!at(";") && !(Value = parseExpr()))
    return nullptr;
  if (!expect(";"))
    return nullptr;
  return std::make_shared<Return>(std::move(Value), locFrom(First));
}

StmtRef Parser::parseOpaque() {
  const size_t First = Pos++;
  std::string Text, Code, Why;
  std::vector<VarRef> Touches, Keeps;
  if (!parseString(Text) || !parseString(Code) || !parseString(Why))
    return nullptr;
  const bool NoReturn = accept("noreturn");
  if ((accept("touches") && !parseVarList(Touches)) ||
      (accept("keeps") && !parseVarList(Keeps)))
    return nullptr;
  std::shared_ptr<PureCall> Pure;
  if ((at("pure") || at("const")) && !(Pure = parsePureCall()))
    return nullptr;
  if (!expect(";"))
    return nullptr;
  return std::make_shared<Opaque>(Text, Code, Why, std::move(Touches),
                                  locFrom(First), NoReturn, std::move(Pure),
                                  std::move(Keeps));
}

/// `(a, b)`.
bool Parser::parseVarList(std::vector<VarRef> &Vars) {
  if (!expect("("))
    return false;
  do {
    VarRef V = parseVarUse();
    if (!V)
      return false;
    Vars.push_back(std::move(V));
  } while (accept(","));
  return expect(")");
}

/// `pure s = "norm"(at in 0, n)`.
std::shared_ptr<PureCall> Parser::parsePureCall() {
  auto Call = std::make_shared<PureCall>();
  Call->ReadsMemory = at("pure");
  ++Pos;
  Call->MayThrow = accept("throws");
  if (!(Call->Result = parseVarUse()) || !expect("=") ||
      !parseString(Call->Name) || !expect("("))
    return nullptr;
  while (!accept(")")) {
    if (!Call->Args.empty() && !expect(","))
      return nullptr;
    PureCall::Argument A;
    if (accept("at") && !(A.Base = parseBufferUse()))
      return nullptr;
    if (!(A.Value = parseExpr()))
      return nullptr;
    Call->Args.push_back(std::move(A));
  }
  return Call;
}

bool Parser::parseIterator(std::vector<Iterator> &Out) {
  const size_t First = Pos;
  std::string Name;
  if (!parseName(Name) || !expect(":"))
    return false;
  std::optional<IterKind> Kind = iterKindByWord(tok().Text);
  if (!Kind)
    return expected("parallel, reduction, scan, serial or search");
  ++Pos;
  Iterator It;
  It.Kind = *Kind;
  if (!(It.Lo = parseExpr()) || !expect(".."))
    return false;
  if (!It.Lo->Ty.isInt())
    return failAt(First, "an iterator of type " + It.Lo->Ty.name());
  if (!(It.Hi = parseTyped(It.Lo->Ty, "the end of the range")))
    return false;
  It.Step = std::make_shared<IntConst>(1, It.Lo->Ty, "", locFrom(First));
  if (accept("step") && !(It.Step = parseTyped(It.Lo->Ty, "the step")))
    return false;
  Var V;
  V.Ty = It.Lo->Ty;
  V.Loc = locFrom(First);
  It.V = declared(Name, std::move(V));
  Out.push_back(std::move(It));
  return true;
}

StmtRef Parser::parseTensor() {
  const size_t First = Pos++;
  std::string Kind;
  if (tok().Kind == TokenKind::String && !parseString(Kind))
    return nullptr;
  if (!expect("("))
    return nullptr;
  Scopes.emplace_back();
  std::vector<Iterator> Iterators;
  do {
    if (!parseIterator(Iterators))
      return nullptr;
  } while (accept(","));
  ExprRef Mask;
  if (!expect(")"))
    return nullptr;
  if (accept("where") &&
      (!expect("(") || !(Mask = parseBool()) || !expect(")")))
    return nullptr;
  StmtRef Body = parseBody();
  Scopes.pop_back();
  if (!Body)
    return nullptr;
  return std::make_shared<TensorOp>(std::move(Iterators), std::move(Mask),
                                    std::move(Body), Kind, locFrom(First));
}

bool Parser::parseRange(ElementRange &R) {
  R.Buf = parseBufferUse();
  if (!R.Buf || !expect(":"))
    return false;
  R.Lo = parseTyped(Type::getI64(), "the start of the range");
  if (!R.Lo || !expect(".."))
    return false;
  R.Hi = parseTyped(Type::getI64(), "the end of the range");
  R.MayUnderflow = R.Hi && accept("underflow");
  return R.Hi != nullptr;
}

bool Parser::parseGuard(Guard &G) {
  if (accept("disjoint")) {
    if (!expect("(") || !parseRange(G.A) || !expect(",") || !parseRange(G.B))
      return false;
  } else {
    if (!expect("("))
      return false;
    G.Cond = parseBool();
  }
  return !failed() && expect(")") && parseString(G.Why);
}

bool Parser::parseRequired(Function &F) {
  if (!expect("{"))
    return false;
  while (accept("guard"))
    if (!parseGuard(F.Requires.emplace_back()))
      return false;
  return !failed() && expect("}");
}

bool Parser::parseObligations(Obligations &Rests) {
  while (!failed()) {
    if (accept("proved")) {
      if (!parseString(Rests.Proved.emplace_back()))
        return false;
    } else if (accept("assume")) {
      if (!parseString(Rests.Assumptions.emplace_back()))
        return false;
    } else if (accept("ordered")) {
      if (!parseString(Rests.Ordered.emplace_back().Why))
        return false;
    } else if (accept("inspect")) {
      // What it declares is seen up to the end of the region.
      std::vector<StmtRef> Body;
      if (!expect("{"))
        return false;
      while (!failed() && !at("}")) {
        StmtRef S = parseStmt();
        if (!S)
          return false;
        Body.push_back(std::move(S));
      }
      if (!expect("}"))
        return false;
      Rests.Inspection = makeBlock(std::move(Body));
    } else if (accept("hoisted")) {
      if (!parseString(Rests.Hoisted.emplace_back()))
        return false;
    } else if (accept("regrouped")) {
      Rests.Regrouped = true;
    } else if (accept("guard")) {
      if (!parseGuard(Rests.Guards.emplace_back()))
        return false;
    } else {
      return true;
    }
  }
  return false;
}

StmtRef Parser::parseRegion() {
  const size_t First = Pos++;
  Obligations Rests;
  Scopes.emplace_back();
  auto Leave = make_scope_exit([&] { Scopes.pop_back(); });
  if (!expect("{") || !parseObligations(Rests))
    return nullptr;
  Regions.emplace_back();
  if (accept("means") && !(Rests.Means = parseBody()))
    return nullptr;
  if (!expect("body"))
    return nullptr;
  StmtRef Body = parseBody();
  Regions.back().InOriginal = true;
  if (!Body || !expect("original"))
    return nullptr;
  StmtRef Original = parseBody();
  Regions.pop_back();
  if (!Original || !expect("}"))
    return nullptr;
  return std::make_shared<Region>(std::move(Rests), std::move(Body),
                                  std::move(Original), locFrom(First));
}

bool Parser::parseCombiner(Combiner &Op) {
  // min= and max= are two tokens.
  for (Combiner C : {Combiner::Min, Combiner::Max})
    if (at(spelling(C).drop_back()) && tok(1).is("=") &&
        tok(1).Begin == tok().End) {
      Op = C;
      Pos += 2;
      return true;
    }
  for (int I = 0; I <= static_cast<int>(Combiner::LOr); ++I) {
    Op = static_cast<Combiner>(I);
    if (accept(spelling(Op)))
      return true;
  }
  return expected("an assignment");
}

StmtRef Parser::parseWrite() {
  const size_t First = Pos;
  const bool Atomic = accept("atomic");
  if (!isName()) {
    expected("a statement");
    return nullptr;
  }
  const Symbol *S = lookup(tok().Text);
  if (!S) {
    fail("'" + tok().Text + "' is not declared");
    return nullptr;
  }
  VarRef V = S->V;
  Access To;
  if (V)
    ++Pos;
  else if (!parseAccess(To))
    return nullptr;
  if (V && Atomic) {
    failAt(First, "an atomic write to a scalar variable");
    return nullptr;
  }
  const size_t OpToken = Pos;
  Combiner Op;
  if (!parseCombiner(Op))
    return nullptr;
  ExprRef Value = parseExpr();
  if (!Value || !expect(";"))
    return nullptr;
  if (V || To.Field.empty()) {
    const std::string Problem =
        writeProblem(Op, V ? V->Ty : To.Buf->Elem, Value->Ty);
    if (!Problem.empty()) {
      failAt(OpToken, Problem);
      return nullptr;
    }
  }
  if (V)
    return std::make_shared<Assign>(std::move(V), Op, std::move(Value),
                                    locFrom(First));
  return std::make_shared<Store>(std::move(To), Op, std::move(Value), Atomic,
                                 locFrom(First));
}

StmtRef Parser::parseStmt() {
  const size_t First = Pos;
  if (at("{"))
    return parseBraces();
  if (at("let"))
    return parseLet();
  if ((at("assume") || at("extent")) && Pos + 1 < Tokens.size() &&
      Tokens[Pos + 1].Kind == TokenKind::String)
    return parseFact();
  if (at("cursor"))
    return parseCursor();
  if (at("array") || at("shared") || at("heap") || at("tape"))
    return parseArray();
  if (at("while"))
    return parseWhile();
  if (at("do"))
    return parseDo();
  if (at("if"))
    return parseIf();
  if (at("return"))
    return parseReturn();
  if (at("opaque"))
    return parseOpaque();
  if (at("tensor"))
    return parseTensor();
  if (at("region"))
    return parseRegion();
  if (accept("barrier")) {
    const bool OfWarp = accept("warp");
    return expect(";") ? std::make_shared<Barrier>(locFrom(First), OfWarp)
                       : nullptr;
  }
  if (accept("break"))
    return expect(";") ? std::make_shared<Break>(locFrom(First)) : nullptr;
  if (accept("continue"))
    return expect(";") ? std::make_shared<Continue>(locFrom(First)) : nullptr;
  if (at("for") ||
      (tok().Kind == TokenKind::Name && loopKindByWord(tok().Text)))
    return parseFor();
  return parseWrite();
}

} // namespace raise::detail
