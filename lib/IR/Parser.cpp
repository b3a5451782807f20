//===- Parser.cpp - functions and declarations from text ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IRInternal.h"
#include "ParserInternal.h"
#include "TextInternal.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Recursion.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::detail {

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool Parser::failAt(size_t TokenIndex, const Twine &What) {
  if (failed())
    return false;
  const Token &T = Tokens[std::min(TokenIndex, Tokens.size() - 1)];
  Error = (FileName + ":" + Twine(T.Line) + ":" + Twine(T.Column) + ": " +
           (T.Kind == TokenKind::Bad ? Twine(T.Text) : What))
              .str();
  return false;
}

bool Parser::expected(const Twine &What) {
  const Token &T = tok();
  if (T.Kind == TokenKind::End)
    return fail("expected " + What + " before the end of the text");
  return fail("expected " + What + ", found '" + T.Text + "'");
}

bool Parser::accept(StringRef Spelling) {
  if (failed() || !at(Spelling))
    return false;
  ++Pos;
  return true;
}

bool Parser::expect(StringRef Spelling) {
  return accept(Spelling) || expected("'" + Spelling + "'");
}

SourceLoc Parser::locFrom(size_t FirstToken) const {
  const Token &First = Tokens[FirstToken];
  SourceLoc Loc;
  Loc.File = FileName.str();
  Loc.Line = First.Line;
  Loc.Column = First.Column;
  Loc.Begin = First.Begin;
  Loc.End = Pos > FirstToken ? Tokens[Pos - 1].End : First.End;
  return Loc;
}

//===----------------------------------------------------------------------===//
// Names and types
//===----------------------------------------------------------------------===//

bool Parser::isName() const {
  return tok().Kind == TokenKind::Quoted ||
         (tok().Kind == TokenKind::Name && !isReservedWord(tok().Text));
}

bool Parser::parseName(std::string &Name) {
  if (failed() || !isName())
    return expected("a name");
  Name = tok().Text;
  ++Pos;
  return true;
}

bool Parser::parseType(Type &Ty) {
  std::optional<Type> Found;
  if (tok().Kind == TokenKind::Name)
    Found = typeByName(tok().Text);
  if (failed() || !Found)
    return expected("a type");
  Ty = *Found;
  ++Pos;
  return true;
}

bool Parser::parseString(std::string &Out) {
  if (failed() || tok().Kind != TokenKind::String)
    return expected("a string");
  Out = tok().Text;
  ++Pos;
  return true;
}

/// `:f32` after a literal or field, without space, so that the colon of `?:` is
/// none.
std::optional<Type> Parser::acceptTypeSuffix() {
  if (failed() || !at(":") || Pos == 0 || tok().Begin != Tokens[Pos - 1].End ||
      tok(1).Begin != tok().End || tok(1).Kind != TokenKind::Name)
    return std::nullopt;
  std::optional<Type> Ty = typeByName(tok(1).Text);
  if (Ty)
    Pos += 2;
  return Ty;
}

const Symbol *Parser::lookup(StringRef Name) const {
  for (const Scope &S : reverse(Scopes)) {
    auto It = S.find(Name);
    if (It != S.end())
      return &It->second;
  }
  return nullptr;
}

bool Parser::inScope(const void *Id) const {
  for (const Scope &S : Scopes)
    for (const auto &Entry : S)
      if (Entry.second.V.get() == Id || Entry.second.B.get() == Id)
        return true;
  return false;
}

/// A region's original declares again what its body declares: the same
/// variable, as both came from one statement.
Symbol Parser::reused(StringRef Name) const {
  for (const RegionScope &R : reverse(Regions)) {
    auto It = R.Declared.find(Name);
    if (R.InOriginal && It != R.Declared.end())
      return It->second;
  }
  return {};
}

void Parser::record(StringRef Name, const Symbol &S) {
  Scopes.back()[Name] = S;
  for (RegionScope &R : Regions)
    if (!R.InOriginal)
      R.Declared[Name] = S;
}

VarRef Parser::declared(StringRef Name, Var V) {
  V.Name = withoutSuffix(Name).str();
  VarRef Old = reused(Name).V;
  const bool IsSame = Old && Old->Ty == V.Ty && Old->Kind == V.Kind &&
                      Old->Const == V.Const && Old->Base == V.Base &&
                      !inScope(Old.get());
  VarRef New = IsSame ? Old : std::make_shared<const Var>(std::move(V));
  record(Name, {New, nullptr});
  return New;
}

BufferRef Parser::declared(StringRef Name, Buffer B) {
  B.Name = withoutSuffix(Name).str();
  BufferRef Old = reused(Name).B;
  bool IsSame = Old && Old->Elem == B.Elem && Old->Kind == B.Kind &&
                Old->Const == B.Const && Old->Volatile == B.Volatile &&
                Old->rank() == B.rank() && !inScope(Old.get());
  for (size_t I = 0; IsSame && I < B.Extents.size(); ++I)
    IsSame = structurallyEqual(Old->Extents[I], B.Extents[I]);
  BufferRef New = IsSame ? Old : std::make_shared<const Buffer>(std::move(B));
  record(Name, {nullptr, New});
  return New;
}

VarRef Parser::parseVarUse() {
  const size_t First = Pos;
  std::string Name;
  if (!parseName(Name))
    return nullptr;
  const Symbol *S = lookup(Name);
  if (!S || !S->V) {
    failAt(First, "'" + Name + "' is no variable in scope");
    return nullptr;
  }
  return S->V;
}

BufferRef Parser::parseBufferUse() {
  const size_t First = Pos;
  std::string Name;
  if (!parseName(Name))
    return nullptr;
  const Symbol *S = lookup(Name);
  if (!S || !S->B) {
    failAt(First, "'" + Name + "' is no buffer in scope");
    return nullptr;
  }
  return S->B;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

bool Parser::parseScalarType(Var &V) {
  V.Const = accept("const");
  return parseType(V.Ty) && parseMost(V);
}

/// ` upto 1152921504606846975`, or nothing.
bool Parser::parseMost(Var &V) {
  if (!at("upto"))
    return true;
  if (!V.Ty.isInt() || V.Ty.Signed)
    return fail("only an unsigned variable has a greatest value");
  ++Pos;
  int64_t Most = 0;
  if (tok().Kind != TokenKind::Integer ||
      StringRef(tok().Text).getAsInteger(10, Most) || Most <= 0)
    return expected("the greatest value");
  V.Most = Most;
  ++Pos;
  return true;
}

/// ` blocks 16, 16, 1`, or nothing.
bool Parser::parseUsualBlock(Function &F) {
  if (!accept("blocks"))
    return true;
  for (unsigned D = 0; D < 3; ++D) {
    if (D && !expect(","))
      return false;
    if (tok().Kind != TokenKind::Integer ||
        StringRef(tok().Text).getAsInteger(10, F.UsualBlock[D]))
      return expected("how many threads a block has");
    ++Pos;
  }
  return true;
}

/// ` in order`, or nothing.
bool Parser::parseInOrder(Function &F) {
  F.InOrder = accept("in");
  return !F.InOrder || expect("order");
}

/// A number above 0.
bool Parser::parseGroup(unsigned &Group) {
  if (tok().Kind != TokenKind::Integer ||
      StringRef(tok().Text).getAsInteger(10, Group) || Group == 0)
    return expected("the number of a group");
  ++Pos;
  return true;
}

/// `w of l`, `w of each l`: the member, and the buffer of what holds it.
bool Parser::parseOwner(Buffer &B) {
  if (!parseName(B.OwnerField) || !expect("of"))
    return false;
  B.EachElement = accept("each");
  B.Owner = parseBufferUse();
  return B.Owner != nullptr;
}

bool Parser::parseBufferQualifiers(Buffer &B) {
  while (!failed()) {
    if (accept("restrict"))
      B.Restrict = true;
    else if (accept("volatile"))
      B.Volatile = true;
    else if (accept("inlocal"))
      B.Home = PointerHome::Variable;
    else if (accept("inglobal"))
      B.Home = PointerHome::Global;
    else if (accept("inmemory"))
      B.Home = PointerHome::Memory;
    else if (accept("fresh")) {
      if (!parseGroup(B.Fresh))
        return false;
    } else if (accept("apart")) {
      if (!parseGroup(B.Apart))
        return false;
    } else if (accept("owned"))
      B.Owned = true;
    else if (accept("container"))
      B.Container = true;
    else if (accept("member")) {
      if (!parseOwner(B))
        return false;
    } else
      return true;
  }
  return false;
}

/// `[][m]` or `[4, m]`, also mixed.
bool Parser::parseParamExtents(Buffer &B) {
  B.Extents.clear();
  while (accept("[")) {
    do {
      const bool IsOpen = at("]") && B.Extents.empty();
      B.Extents.push_back(IsOpen ? nullptr : parseExpr());
    } while (accept(","));
    if (!expect("]"))
      return false;
    if (B.Extents.back() && !B.Extents.back()->Ty.isInt())
      return fail("an extent is no integer");
  }
  return !failed();
}

/// `const f32*`, of a pointer that is no parameter.
bool Parser::parsePointerType(Buffer &B) {
  B.Const = accept("const");
  if (!parseType(B.Elem))
    return false;
  return (at("[") ? parseParamExtents(B) : expect("*")) &&
         parseBufferQualifiers(B);
}

/// The type of an array that is no parameter.
bool Parser::parseArrayType(Buffer &B) {
  B.Const = accept("const");
  if (!parseType(B.Elem))
    return false;
  if (!at("["))
    return expected("'['");
  return parseParamExtents(B) && parseBufferQualifiers(B);
}

bool Parser::parseParam(Function &F) {
  const size_t First = Pos;
  std::string Name;
  const bool Implied = accept("implied");
  if (!parseName(Name) || !expect(":"))
    return false;
  if (Scopes.back().count(Name))
    return failAt(First, "a second parameter '" + Name + "'");
  const bool Const = accept("const");
  Type Ty;
  if (!parseType(Ty))
    return false;
  if (!at("*") && !at("&") && !at("[")) {
    Var V;
    V.Ty = Ty;
    V.Const = Const;
    V.Kind = VarKind::Param;
    if (!parseMost(V))
      return false;
    V.Loc = locFrom(First);
    F.Params.push_back({declared(Name, std::move(V)), nullptr, Implied});
    return true;
  }
  Buffer B;
  B.Elem = Ty;
  B.Const = Const;
  B.Loc = locFrom(First);
  if (at("["))
    parseParamExtents(B);
  else if (accept("&"))
    B.Reference = true;
  else
    accept("*");
  if (!parseBufferQualifiers(B))
    return false;
  F.Params.push_back({nullptr, declared(Name, std::move(B)), Implied});
  return true;
}

/// A global that two functions of the text declare is one object.
bool Parser::parseExternal() {
  const size_t First = Pos++;
  std::string Name;
  Var V;
  V.Kind = VarKind::External;
  if (!parseName(Name) || !expect(":") || !parseScalarType(V) || !expect(";"))
    return false;
  V.Loc = locFrom(First);
  const Symbol *Old = lookup(Name);
  if (Old && Old->V && Old->V->Ty == V.Ty && Old->V->Const == V.Const &&
      Old->V->Most == V.Most)
    return true;
  if (Old)
    return failAt(First, "'" + Name + "' is declared differently above");
  declared(Name, std::move(V));
  return true;
}

bool Parser::parseGlobal() {
  const bool IsPointer = at("pointer");
  const size_t First = Pos++;
  std::string Name;
  Buffer B;
  B.Kind = IsPointer ? BufferKind::Pointer : BufferKind::Global;
  if (!parseName(Name) || !expect(":") ||
      !(IsPointer ? parsePointerType(B) : parseArrayType(B)) || !expect(";"))
    return false;
  B.Loc = locFrom(First);
  const Symbol *Old = lookup(Name);
  if (!Old) {
    declared(Name, std::move(B));
    return true;
  }
  bool IsSame = Old->B && Old->B->Kind == B.Kind && Old->B->Elem == B.Elem &&
                Old->B->Const == B.Const && Old->B->rank() == B.rank() &&
                Old->B->Home == B.Home && Old->B->Volatile == B.Volatile &&
                Old->B->Fresh == B.Fresh && Old->B->Apart == B.Apart &&
                Old->B->Owned == B.Owned;
  for (size_t I = 0; IsSame && I < B.Extents.size(); ++I)
    IsSame = structurallyEqual(Old->B->Extents[I], B.Extents[I]);
  return IsSame ||
         failAt(First, "'" + Name + "' is declared differently above");
}

bool Parser::parseCalleeFlags(Callee &C) {
  while (!failed()) {
    if (accept("maytrap"))
      C.MayTrap = true;
    else if (accept("errno"))
      C.SetsErrno = true;
    else
      return true;
  }
  return false;
}

/// `declare @name(f32, i32): f32 errno;`: a pure function that is not in the
/// text, or follows.
bool Parser::parseDeclare() {
  ++Pos;
  Callee C;
  if (tok().Kind != TokenKind::Function)
    return expected("a function's name");
  C.Name = tok().Text;
  ++Pos;
  if (!expect("("))
    return false;
  while (!failed() && !at(")")) {
    Type Ty;
    if (!parseType(Ty))
      return false;
    C.Params.push_back(std::move(Ty));
    if (!accept(","))
      break;
  }
  if (!expect(")") || (accept(":") && !parseType(C.Result)) ||
      !parseCalleeFlags(C) || !expect(";"))
    return false;
  const std::string Name = C.Name;
  Declared.push_back(std::make_shared<Callee>(std::move(C)));
  Callees[Name].push_back(Declared.back());
  return true;
}

std::shared_ptr<Callee> Parser::openCallee(const Function &F,
                                           const Callee &Flags) {
  auto C = std::make_shared<Callee>(Flags);
  for (const Param &P : F.Params) {
    if (!P.Scalar)
      return nullptr;
    C->Params.push_back(P.Scalar->Ty);
  }
  C->Name = F.Name;
  C->Result = F.Result;
  const auto Same = [&](const std::shared_ptr<Callee> &D) {
    return D->Name == C->Name && D->Params == C->Params;
  };
  const auto It = llvm::find_if(Declared, Same);
  if (It == Declared.end()) {
    Callees[F.Name].push_back(C);
    return C;
  }
  std::shared_ptr<Callee> Known = std::move(*It);
  Declared.erase(It);
  return Known;
}

/// Later functions may call F. What its text does not say of traps and errno is
/// taken from its body; a call that leads back to F may not come back.
void Parser::addCallee(const FunctionRef &F, const std::shared_ptr<Callee> &C) {
  C->Definition = F;
  const bool IsRing = callsItself(*F);
  C->MayTrap |= IsRing || effectsOf(F->Body).MayTrap;
  C->SetsErrno |= mayReachErrno(*F);
  forEachExpr(F->Body, [&](const ExprRef &E) {
    if (const auto *Inner = dyn_cast<Call>(E.get()))
      C->SetsErrno |= Inner->Fn->SetsErrno;
  });
  if (IsRing)
    keepRing(C);
}

bool Parser::parseFunction() {
  const size_t First = Pos;
  auto F = std::make_shared<Function>();
  F->InternalLinkage = accept("static");
  F->LanguageC = accept("c");
  if (accept("kernel"))
    F->Kind = FunctionKind::Kernel;
  else if (accept("device"))
    F->Kind = FunctionKind::Device;
  else if (!accept("func"))
    return expected("'func', 'kernel' or 'device'");
  if (tok().Kind != TokenKind::Function)
    return expected("a function's name");
  const size_t NameToken = Pos;
  F->Name = F->QualifiedName = tok().Text;
  ++Pos;
  Scopes.emplace_back();
  if (F->Kind == FunctionKind::Kernel) {
    F->LaunchDims = makeLaunchDims();
    for (const VarRef &V : F->LaunchDims)
      Scopes.back()[V->Name] = {V, nullptr};
  }
  if (!expect("("))
    return false;
  while (!failed() && !at(")"))
    if (!parseParam(*F) || !accept(","))
      break;
  Callee Flags;
  if (!expect(")") || !parseUsualBlock(*F) || !parseInOrder(*F) ||
      (accept(":") && !parseType(F->Result)) || !parseCalleeFlags(Flags))
    return false;
  if (accept("requires") && !parseRequired(*F))
    return false;
  const std::shared_ptr<Callee> AsCallee = openCallee(*F, Flags);
  F->Body = parseBraces();
  Scopes.pop_back();
  if (failed())
    return false;
  F->Loc = locFrom(First);
  F->Loc.Line = Tokens[NameToken].Line;
  F->Loc.Column = Tokens[NameToken].Column;
  if (AsCallee)
    addCallee(F, AsCallee);
  Functions.push_back(std::move(F));
  return true;
}

bool Parser::parseTopLevel() {
  if (at("external"))
    return parseExternal();
  if (at("global") || at("pointer"))
    return parseGlobal();
  if (at("declare"))
    return parseDeclare();
  return parseFunction();
}

Expected<std::vector<FunctionRef>> Parser::run() {
  Scopes.emplace_back();
  while (!failed() && tok().Kind != TokenKind::End)
    parseTopLevel();
  if (failed())
    return createStringError(inconvertibleErrorCode(), Error);
  return std::move(Functions);
}

} // namespace raise::detail

namespace raise {

Expected<std::vector<FunctionRef>> parseIR(StringRef Text, StringRef FileName) {
  return detail::Parser(Text, FileName).run();
}

} // namespace raise
