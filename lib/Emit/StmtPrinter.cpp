//===- StmtPrinter.cpp - statements as C text -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StmtPrinter.h"
#include "CType.h"
#include "Comment.h"
#include "EigenViews.h"
#include "Origins.h"
#include "RegionPrinter.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace raise {

void Code::append(const Code &Other, unsigned Indent) {
  for (const CodeLine &L : Other.Lines) {
    const bool Flush = L.empty() || L[0] == '#';
    Lines.emplace_back((Flush ? "" : std::string(Indent, ' ')) + L, L.From);
  }
}

Code nested(std::string Header, const Code &Body, bool Braces) {
  Code C;
  C.Statements = 1;
  Braces |= Body.Statements != 1 || Body.NeedsBlock;
  C.line(std::move(Header) + (Braces ? " {" : ""));
  C.append(Body, 2);
  if (Braces)
    C.line("}");
  return C;
}

Code branches(const std::string &Cond, const Code &Then, const Code &Else) {
  Code C = nested("if (" + Cond + ")", Then, true);
  C.Lines.pop_back();
  C.append(nested("} else", Else, true));
  return C;
}

static Code oneLine(std::string Text) {
  Code C;
  C.line(std::move(Text));
  C.Statements = 1;
  return C;
}

// --- Simple statements ------------------------------------------------------

Code StmtPrinter::decl(const Decl &D) {
  const Var &V = *D.V;
  Code C;
  if (V.Kind == VarKind::Cursor) {
    std::string Type = pointerType(*V.Base);
    std::string Text = Type + N.of(&V);
    if (Type.back() != '*' && Type.back() != '&')
      Text = Type + " " + N.of(&V);
    C = oneLine(Text + (D.Init ? " = " + P.pointer(*V.Base, D.Init) : "") +
                ";");
  } else {
    C = oneLine((V.Const ? "const " : "") + P.typeOf(V.Ty) + " " + N.of(&V) +
                (D.Init ? " = " + P.initialiser(D.Init) : "") + ";");
  }
  C.NeedsBlock = true;
  return C;
}

/// Values in braces, a pair for each row: compilers ask for them.
static std::string braced(ArrayRef<std::string> Values,
                          ArrayRef<ExprRef> Extents) {
  std::string Text;
  auto *Rows = dyn_cast<IntConst>(Extents.front().get());
  const size_t Count = Rows ? size_t(Rows->Value) : 0;
  if (Extents.size() > 1 && Count && Values.size() % Count == 0) {
    const size_t Row = Values.size() / Count;
    for (size_t I = 0; I < Count; ++I)
      Text += (I ? ", " : "") +
              braced(Values.slice(I * Row, Row), Extents.drop_front());
  } else {
    Text = join(Values, ", ");
  }
  return "{" + Text + "}";
}

HeapArray StmtPrinter::heapArray(const DeclBuffer &D) {
  return {D.B.get(), P.typeOf(D.B->Elem), P.value(elementCount(*D.B)).Text,
          !D.Init.empty()};
}

static Code declarations(std::vector<std::string> Lines) {
  Code C;
  for (std::string &Line : Lines)
    C.line(std::move(Line));
  C.Statements = 1;
  C.NeedsBlock = true;
  return C;
}

Code StmtPrinter::declBuffer(const DeclBuffer &D) {
  if (D.B->Lies != ArrayHome::Automatic)
    return declarations(heapDeclaration(heapArray(D), P.isC()));
  std::string Text = P.typeOf(D.B->Elem) + " " + D.B->Name;
  if (D.B->Reference) { // one element, by the name of a variable
    if (!D.Init.empty())
      Text += " = " + P.initialiser(D.Init.front());
    Code C = oneLine(Text + ";");
    C.NeedsBlock = true;
    return C;
  }
  for (const ExprRef &E : D.B->Extents)
    Text += "[" + P.value(E).Text + "]";
  if (!D.Init.empty()) {
    std::vector<std::string> Values;
    Values.reserve(D.Init.size());
    for (const ExprRef &E : D.Init)
      Values.push_back(P.initialiser(E));
    const bool Zero = all_of(D.Init, [](const ExprRef &E) {
      auto *C = dyn_cast<IntConst>(withoutImplicitCasts(E).get());
      return C && C->Value == 0;
    });
    Text += Zero ? (P.isC() ? " = {0}" : " = {}")
                 : " = " + braced(Values, D.B->Extents);
  }
  Code C = oneLine(Text + ";");
  C.NeedsBlock = true;
  return C;
}

static StringRef compoundOperator(Combiner Op) {
  switch (Op) {
  case Combiner::None:
    return " = ";
  case Combiner::Add:
    return " += ";
  case Combiner::Sub:
    return " -= ";
  case Combiner::Mul:
    return " *= ";
  case Combiner::Div:
    return " /= ";
  case Combiner::Rem:
    return " %= ";
  case Combiner::And:
    return " &= ";
  case Combiner::Or:
    return " |= ";
  case Combiner::Xor:
    return " ^= ";
  case Combiner::Shl:
    return " <<= ";
  case Combiner::Shr:
    return " >>= ";
  default:
    llvm_unreachable("not an operator of C");
  }
}

/// Cheap and short enough to be written twice.
static bool isSimple(const ExprRef &E) {
  ExprRef Bare = withoutImplicitCasts(E);
  return isa<VarUse>(*Bare) || isa<Load>(*Bare) || isa<IntConst>(*Bare) ||
         isa<FloatConst>(*Bare);
}

Code StmtPrinter::update(const std::string &Target, const Type &Ty, Combiner Op,
                         const ExprRef &Value) {
  if (Op == Combiner::Min || Op == Combiner::Max) {
    // The new value wins only if it compares less (greater): a NaN never does.
    Code C;
    std::string New = parenthesised(P.inType(Value, Value->Ty), Prec::Shift);
    bool Simple = isSimple(Value);
    if (!Simple) {
      std::string Name = N.fresh("value");
      C.line(P.typeOf(Value->Ty) + " " + Name + " = " + P.initialiser(Value) +
             ";");
      C.Statements = 1;
      C.NeedsBlock = true;
      New = Name;
    }
    std::string Old = Target;
    if (Simple && usualArithmetic(Ty, Value->Ty) != promoted(Value->Ty))
      Old = "(" + P.typeOf(Value->Ty) + ")" + Target;
    C.line("if (" + New + (Op == Combiner::Min ? " < " : " > ") + Old + ")");
    C.line("  " + Target + " = " + New + ";");
    C.Statements += 1;
    return C;
  }
  if (Op == Combiner::LAnd || Op == Combiner::LOr) {
    Printed New = P.condition(Value);
    bool And = Op == Combiner::LAnd;
    bool Paren = New.Strength <= (And ? Prec::LOr : Prec::LAnd);
    return oneLine(Target + " = " + Target + (And ? " && " : " || ") +
                   (Paren ? "(" + New.Text + ")" : New.Text) + ";");
  }
  auto *One = dyn_cast<IntConst>(withoutImplicitCasts(Value).get());
  bool Unit = One && One->Value == 1 && One->Spelling.empty() && !Ty.isBool() &&
              Value->Ty.isInt() && Ty.isInt();
  if (Unit && (Op == Combiner::Add || Op == Combiner::Sub))
    return oneLine((Op == Combiner::Add ? "++" : "--") + Target + ";");
  bool Shift = Op == Combiner::Shl || Op == Combiner::Shr;
  // For `x op= v` C computes in the common type of x and of what v is.
  bool Follows = Shift || Op == Combiner::None ||
                 usualArithmetic(Ty, P.converted(Value).Ty) ==
                     usualArithmetic(Ty, Value->Ty);
  std::string Text =
      Follows ? P.initialiser(Value) : P.inType(Value, Value->Ty).Text;
  return oneLine(Target + compoundOperator(Op).str() + Text + ";");
}

Code StmtPrinter::assign(const Assign &A) {
  if (A.V->Kind == VarKind::Cursor) {
    if (A.Op == Combiner::None)
      return oneLine(N.of(A.V.get()) + " = " + P.pointer(*A.V->Base, A.Value) +
                     ";");
    return update(N.of(A.V.get()), A.V->Ty, A.Op, A.Value);
  }
  return update(N.of(A.V.get()), A.V->Ty, A.Op, A.Value);
}

/// An update as CUDA's function for it.
Code StmtPrinter::atomicCall(const Store &S) {
  StringRef Name;
  switch (S.Op) {
  case Combiner::Min:
    Name = "Min";
    break;
  case Combiner::Max:
    Name = "Max";
    break;
  case Combiner::And:
    Name = "And";
    break;
  case Combiner::Or:
    Name = "Or";
    break;
  case Combiner::Xor:
    Name = "Xor";
    break;
  default: // Sub adds what is negated, of floats the same
    Name = "Add";
  }
  const ExprRef Value =
      S.Op == Combiner::Sub ? build::unary(UnaryOp::Neg, S.Value) : S.Value;
  return oneLine("atomic" + Name.str() + "(&" + P.access(S.To) + ", " +
                 P.initialiser(Value) + ");");
}

bool StmtPrinter::isSharedWrite(const Store &S) const {
  const auto Same = [](ArrayRef<ExprRef> A, ArrayRef<ExprRef> B) {
    return A.size() == B.size() && all_of(zip(A, B), [](const auto &Both) {
             return structurallyEqual(std::get<0>(Both), std::get<1>(Both));
           });
  };
  return S.Op == Combiner::None && any_of(SharedWrites, [&](const Store *W) {
           return W == &S ||
                  (W->To.Buf == S.To.Buf && W->To.Field == S.To.Field &&
                   Same(W->To.Indices, S.To.Indices) &&
                   Same(W->To.Extents, S.To.Extents) &&
                   structurallyEqual(W->Value, S.Value));
         });
}

Code StmtPrinter::store(const Store &S) {
  if (S.Atomic && OnDevice)
    return atomicCall(S);
  if (S.To.Buf->Lies == ArrayHome::Growing) {
    Code C;
    for (std::string &Line :
         growingStore(*S.To.Buf, P.value(S.To.Indices.front()).Text,
                      P.value(S.Value).Text, P.isC()))
      C.line(std::move(Line));
    C.Statements = C.Lines.size();
    return C;
  }
  auto Scalar = Kept.find(&S);
  std::string Target = Scalar != Kept.end() ? Scalar->second : P.access(S.To);
  // A member's type is the type of the value that is stored.
  Type Ty = S.To.Field.empty() ? S.To.Buf->Elem : S.Value->Ty;
  Code C;
  if (S.Atomic && InParallel && !OwnArrays.contains(S.To.Buf.get()))
    C.line("#pragma omp atomic");
  else if (isSharedWrite(S))
    C.line("#pragma omp atomic write");
  C.append(update(Target, Ty, S.Op, S.Value));
  C.Statements = 1;
  C.NeedsBlock = C.Lines.size() > 1;
  return C;
}

// --- Control flow -----------------------------------------------------------

Code StmtPrinter::inside(function_ref<Code()> Print) {
  if (Opts.Target != Dialect::Eigen)
    return Print();
  const Names Outside = N;
  Code C = Print();
  N = Outside;
  return C;
}

Code StmtPrinter::printInside(const StmtRef &S) {
  return inside([&] { return print(S); });
}

Code StmtPrinter::ifElse(const If &I) {
  Code Then = printInside(I.Then);
  // An `if` below an `if` would take over its `else`.
  bool Braces = I.Else || Then.Lines.size() != 1;
  if (I.Else && Then.Lines.size() == 1 && Then.Statements == 1 &&
      !Then.NeedsBlock && !isa<If>(*I.Then))
    Braces = false;
  std::string Header = "if (" + P.condition(I.Cond).Text + ")";
  Code C = nested(Header, Then, Braces);
  if (!I.Else)
    return C;
  Code Else = printInside(I.Else);
  bool ElseBraces = Else.Lines.size() != 1 || Braces;
  if (isa<If>(*I.Else) && Else.Statements == 1 && !Else.NeedsBlock) {
    Else.Lines[0] = {(Braces ? "} else " : "else ") + Else.Lines[0],
                     Else.Lines[0].From};
    if (Braces)
      C.Lines.pop_back();
    C.append(Else);
    return C;
  }
  Code Tail =
      nested(C.Lines.back() == "}" ? "} else" : "else", Else, ElseBraces);
  if (C.Lines.back() == "}")
    C.Lines.pop_back();
  C.append(Tail);
  return C;
}

std::string stepText(const std::string &Name, const ExprRef &Step,
                     const ExprPrinter &P) {
  auto *C = dyn_cast<IntConst>(withoutImplicitCasts(Step).get());
  if (C && C->Spelling.empty() && C->Ty.Signed && C->Value < 0 &&
      C->Value != INT64_MIN)
    return C->Value == -1 ? "--" + Name : Name + " -= " + itostr(-C->Value);
  if (C && C->Spelling.empty() && C->Value == 1)
    return "++" + Name;
  // Without a sign, one less is the greatest number more.
  if (C && C->Spelling.empty() && !C->Ty.Signed && C->Ty.isInt() &&
      structurallyEqual(build::intConst(-1, C->Ty), withoutImplicitCasts(Step)))
    return "--" + Name;
  return Name + " += " + P.initialiser(Step);
}

/// Only names move, not the elements.
Code StmtPrinter::changePlaces(const Exchange &X) {
  Code C;
  if (!P.isC()) {
    C.line(X.A->Name + ".swap(" + X.B->Name + ");");
    C.Statements = 1;
    return C;
  }
  const std::string Held = N.fresh("spare");
  C.line(P.typeOf(X.A->Elem) + " *" + Held + " = " + X.A->Name + ";");
  C.line(X.A->Name + " = " + X.B->Name + ";");
  C.line(X.B->Name + " = " + Held + ";");
  C.Statements = 3;
  C.NeedsBlock = true;
  return C;
}

Code StmtPrinter::forLoop(const For &L) {
  const SaveAndRestore In(Repeated, true), InOurs(InLoop, true);
  const SaveAndRestore Inside(OfLoop, Scopes.size());
  const SaveAndRestore Outside(Counters);
  Ranges.addLoop(L);
  Counters.enter(L);
  std::string Name = N.of(L.V.get());
  ExprRef Test = std::make_shared<Binary>(
      L.Cond, build::cast(build::var(L.V), L.Hi->Ty), L.Hi, Type::getBool());
  std::string Start = Name + " = " + P.initialiser(L.Lo);
  if (L.DeclaresVar)
    Start = P.typeOf(L.V->Ty) + " " + Start;
  auto *Same = dyn_cast<VarUse>(L.Lo.get());
  if (!L.DeclaresVar && Same && Same->V == L.V)
    Start = "";
  Code Loop = nested("for (" + Start + "; " + P.value(Test).Text + "; " +
                         stepText(Name, L.Step, P) + ")",
                     printInside(L.Body));
  if (L.LKind == LoopKind::Serial || Directive.empty())
    return Loop;
  Code C;
  SmallVector<StringRef, 2> Lines;
  StringRef(Directive).split(Lines, '\n');
  for (StringRef Line : Lines)
    C.line(Line.str());
  C.append(Loop);
  C.Statements = 1;
  C.NeedsBlock = true;
  return C;
}

/// Declares: the result is declared here, and set nowhere else.
Code StmtPrinter::pureCall(const PureCall &C, bool Declares) {
  std::string Args;
  for (const PureCall::Argument &A : C.Args)
    Args += (Args.empty() ? "" : ", ") +
            (A.Base ? P.pointer(*A.Base, A.Value) : P.initialiser(A.Value));
  std::string Text = N.of(C.Result.get()) + " = " + C.Name + "(" + Args + ");";
  Code Line =
      oneLine(Declares ? "const " + P.typeOf(C.Result->Ty) + " " + Text : Text);
  Line.NeedsBlock = Declares;
  return Line;
}

Code StmtPrinter::whileLoop(const While &W) {
  const SaveAndRestore In(Repeated, true), InOurs(InLoop, true);
  const SaveAndRestore Inside(OfLoop, Scopes.size());
  std::string Cond = P.condition(W.Cond).Text;
  if (W.TestFirst)
    return nested("while (" + Cond + ")", printInside(W.Body));
  Code C = nested("do", printInside(W.Body), /*Braces=*/true);
  C.Lines.back() = "} while (" + Cond + ");";
  return C;
}

bool StmtPrinter::isUsedLater(const Var *V, ArrayRef<StmtRef> Later) const {
  for (const StmtRef &S : Later)
    if (uses(S, V) || assigns(S, V))
      return true;
  return false;
}

/// Whether the statements of Later name B.
static bool isNamedLater(const Buffer &B, ArrayRef<StmtRef> Later,
                         const Names &N) {
  DeclaredNames Name;
  Name.try_emplace(B.Name); // by no entity: any use counts
  return any_of(Later, [&](const StmtRef &S) { return usesOther(S, Name, N); });
}

/// The call whose result Body[At] declares, which follows and is all that sets
/// it.
static const PureCall *declaredCall(ArrayRef<StmtRef> Body, size_t At) {
  auto *D = dyn_cast<Decl>(Body[At].get());
  auto *O =
      At + 1 < Body.size() ? dyn_cast<Opaque>(Body[At + 1].get()) : nullptr;
  if (!D || D->Init || !O || !O->Pure || O->Pure->Result != D->V)
    return nullptr;
  for (const StmtRef &S : Body.drop_front(At + 2))
    if (assigns(S, D->V.get()))
      return nullptr;
  return O->Pure.get();
}

Code StmtPrinter::printAll(ArrayRef<StmtRef> Body) {
  Code C;
  Scopes.emplace_back();
  const auto Close = make_scope_exit([&] { Scopes.pop_back(); });
  eigen::Views Known(N, P);
  DeclaredNames Here; // a block of this list is written without braces,
  if (any_of(Body, [](const StmtRef &S) { return isa<Block>(*S); }))
    for (const StmtRef &S : Body)
      addDeclaredNames(S, N, Here);
  for (size_t I = 0; I < Body.size(); ++I) {
    // Passes leave lets behind that nothing uses any more.
    if (auto *D = dyn_cast<Decl>(Body[I].get()))
      if (!isUsedLater(D->V.get(), Body.drop_front(I + 1)) &&
          !(Behind && isUsedLater(D->V.get(), Behind)))
        continue;
    if (auto *D = dyn_cast<DeclBuffer>(Body[I].get());
        D && D->B->Lies == ArrayHome::Automatic && !D->B->Owner &&
        !D->B->Reference && !isNamedLater(*D->B, Body.drop_front(I + 1), N) &&
        !(Behind && isNamedLater(*D->B, Behind, N)))
      continue;
    if (const PureCall *Call = declaredCall(Body, I);
        Call && !(Behind && assigns(Behind, Call->Result.get()))) {
      Code Line = pureCall(*Call, /*Declares=*/true);
      markLines(Line, originsOf(*Body[I + 1]));
      C.add(Line);
      ++I;
      continue;
    }
    size_t Calls = 0;
    if (auto Call = blasCall(Body.drop_front(I), Calls)) {
      C.add(*Call);
      I += Calls - 1;
      continue;
    }
    if (const size_t Done = eigenGroup(Body.drop_front(I), C, Known)) {
      I += Done - 1;
      continue;
    }
    if (isa<DeclBuffer>(*Body[I])) {
      if (is_contained(Scopes.back(), Body[I]))
        continue;
      std::vector<StmtRef> Found = sharedArrays(Body.drop_front(I), N);
      erase_if(
          Found, // some of them are there, with an earlier allocation
          [&](const StmtRef &S) { return is_contained(Scopes.back(), S); });
      if (Found.size() > 1) {
        std::vector<HeapArray> Arrays;
        for (const StmtRef &S : Found)
          Arrays.push_back(heapArray(cast<DeclBuffer>(*S)));
        append_range(Scopes.back(), Found);
        C.add(declarations(heapDeclarations(
            Arrays,
            {[&](StringRef Base) { return N.fresh(Base); }, N.Pointers, Parts},
            P.isC())));
        continue;
      }
      Scopes.back().push_back(Body[I]);
    }
    DeclaredNames Own;
    if (isa<Block>(*Body[I]))
      addDeclaredNames(Body[I], N, Own);
    // ... unless it declares what is declared beside it, or hides what is used
    // there.
    if (any_of(Own,
               [&](const auto &Name) {
                 return Here.lookup(Name.getKey()).size() > 1;
               }) ||
        (!Own.empty() && any_of(Body, [&](const StmtRef &Other) {
          return Other != Body[I] && usesOther(Other, Own, N);
        }))) {
      C.line("{");
      C.append(print(Body[I]), 2);
      C.line("}");
      ++C.Statements;
      continue;
    }
    C.add(print(Body[I]));
  }
  if (!Body.empty() && !isa<Return, Break, Continue>(*Body.back()))
    release(Scopes.size() - 1, C);
  return C;
}

/// C's arrays on the heap, of all scopes from that of index First on.
void StmtPrinter::release(size_t First, Code &C) {
  for (size_t I = Scopes.size(); P.isC() && I-- > First;)
    for (std::string &Line : heapRelease(Scopes[I], Parts)) {
      C.line(std::move(Line));
      ++C.Statements;
      C.NeedsBlock |= C.Statements > 1;
    }
}

/// What leaves the scopes from that of index First on.
Code StmtPrinter::leave(std::string Jump, size_t First) {
  Code C;
  release(First, C);
  C.add(oneLine(std::move(Jump)));
  return C;
}

Code StmtPrinter::returning(const Return &R) {
  if (!R.Value)
    return leave("return;", 0);
  std::string Value = P.initialiser(R.Value);
  // What lies in an array is read before that is freed.
  bool Reads = false;
  forEachExpr(R.Value, [&](const ExprRef &E) {
    auto *L = dyn_cast<Load>(E.get());
    Reads |= L && L->From.Buf->Lies != ArrayHome::Automatic;
  });
  Code C;
  if (P.isC() && Reads) {
    const std::string Held = N.fresh("result");
    C.line("const " + P.typeOf(R.Value->Ty) + " " + Held + " = " + Value + ";");
    C.NeedsBlock = true;
    C.Statements = 1;
    Value = Held;
  }
  C.add(leave("return " + Value + ";", 0));
  return C;
}

Code StmtPrinter::print(const StmtRef &S) {
  std::vector<std::string> Texts;
  if (Comments)
    Texts = Comments->take(*S);
  Code Bare = printBare(S);
  if (currentTrace())
    markLines(Bare, originsOf(*S));
  if (Texts.empty())
    return Bare;
  Code C;
  for (const std::string &Text : Texts)
    addSourceComment(C, Text);
  C.add(Bare);
  C.NeedsBlock = true;
  return C;
}

Code StmtPrinter::printBare(const StmtRef &S) {
  switch (S->Kind) {
  case StmtKind::Block:
    return printAll(cast<Block>(S.get())->Body);
  case StmtKind::Decl:
    return decl(*cast<Decl>(S.get()));
  case StmtKind::DeclBuffer:
    return declBuffer(*cast<DeclBuffer>(S.get()));
  case StmtKind::Assign:
    return assign(*cast<Assign>(S.get()));
  case StmtKind::Store:
    return store(*cast<Store>(S.get()));
  case StmtKind::For:
    if (const std::optional<Exchange> X = exchangeOf(S, N.Movable))
      return changePlaces(*X);
    return forLoop(*cast<For>(S.get()));
  case StmtKind::While:
    return whileLoop(*cast<While>(S.get()));
  case StmtKind::If:
    return ifElse(*cast<If>(S.get()));
  case StmtKind::Return:
    return returning(*cast<Return>(S.get()));
  case StmtKind::Break:
    return leave("break;", OfLoop);
  case StmtKind::Continue:
    return leave("continue;", OfLoop);
  case StmtKind::Barrier:
    return oneLine("__syncthreads();");
  case StmtKind::Opaque: {
    auto *O = cast<Opaque>(S.get());
    if (O->Pure)
      return pureCall(*O->Pure, /*Declares=*/false);
    // Of a call that does not come back, the lift keeps the expression.
    bool Call = O->NoReturn && !StringRef(O->Text).ends_with(";");
    Code C = oneLine(O->Text + (Call ? ";" : ""));
    C.NeedsBlock = true;
    return C;
  }
  case StmtKind::TensorOp:
    return tensorLoop(*cast<TensorOp>(S.get()), 0);
  case StmtKind::Region: {
    auto *R = cast<Region>(S.get());
    Code Original = print(R->Original);
    if (Originals || !Whole)
      return Original;
    return inside([&] {
      return regionCode(*R, *Whole, Original, Opts, N, P, nullptr, "", Tested);
    });
  }
  }
  llvm_unreachable("unknown statement");
}

} // namespace raise
