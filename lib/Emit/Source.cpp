//===- Source.cpp - whole functions as C and C++ text ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Emit/Source.h"
#include "CType.h"
#include "EigenCode.h"
#include "Guards.h"
#include "HeapArrays.h"
#include "MadeFunction.h"
#include "Origins.h"
#include "RegionPrinter.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

/// A declarator: the name goes where C wants it in the type.
static std::string declare(StringRef Type, StringRef Name) {
  size_t Inner = Type.find("(*");
  if (Inner == StringRef::npos)
    Inner = Type.find("(&");
  if (Inner != StringRef::npos)
    return (Type.take_front(Inner + 2) + Name + Type.drop_front(Inner + 2))
        .str();
  size_t Bracket = Type.find('[');
  if (Bracket != StringRef::npos)
    return (Type.take_front(Bracket).rtrim() + " " + Name +
            Type.drop_front(Bracket))
        .str();
  bool Tight = Type.ends_with("*") || Type.ends_with("&");
  return (Type + (Tight || Name.empty() ? "" : " ") + Name).str();
}

static std::string bufferType(const Buffer &B, const ExprPrinter &P) {
  if (!B.TypeSpelling.empty())
    return B.TypeSpelling;
  std::string Type = (B.Const ? "const " : "") + P.typeOf(B.Elem);
  if (B.Volatile)
    Type = "volatile " + Type;
  if (B.Reference)
    return Type + " &";
  if (B.rank() == 1 && !B.Extents[0])
    return Type + (B.Restrict ? " *__restrict" : " *");
  for (const ExprRef &E : B.Extents)
    Type += "[" + (E ? P.value(E).Text : "") + "]";
  return Type;
}

static bool mentions(const StmtRef &Body, const Param &P) {
  if (P.Scalar)
    return uses(Body, P.Scalar.get()) || assigns(Body, P.Scalar.get());
  // Both forms of what was raised, and what chooses between them, are printed.
  struct Finder : Visitor {
    const Buffer *Buf;
    bool Found = false;
    bool isOf(const Buffer &B) const {
      return &B == Buf || &wholeOf(B) == Buf || B.Owner.get() == Buf;
    }
    bool visitExpr(const ExprRef &E) override {
      auto *L = dyn_cast<Load>(E.get());
      auto *N = dyn_cast<NonNull>(E.get());
      auto *U = dyn_cast<VarUse>(E.get());
      Found |= (L && isOf(*L->From.Buf)) || (N && N->Buf.get() == Buf) ||
               (U && U->V->Base.get() == Buf);
      return true;
    }
    bool visitStmt(const StmtRef &S) override {
      auto *St = dyn_cast<Store>(S.get());
      Found |= St && isOf(*St->To.Buf);
      auto *D = dyn_cast<DeclBuffer>(S.get()); // of a member that is an array
      Found |= D && D->B->Owner.get() == Buf;
      if (auto *R = dyn_cast<Region>(S.get()))
        for (const Guard &G : R->Rests.Guards)
          Found |= G.A.Buf.get() == Buf || G.B.Buf.get() == Buf;
      return true;
    }
  } F;
  F.Buf = P.Buf.get();
  F.VisitOriginals = true;
  F.walk(Body);
  return F.Found;
}

/// A parameter that is an extent of another one's type.
static bool isInATypeOf(const Function &F, const Param &P) {
  if (!P.Scalar)
    return false;
  for (const Param &Other : F.Params)
    if (Other.Buf)
      for (const ExprRef &E : Other.Buf->Extents)
        if (E && uses(E, P.Scalar.get()))
          return true;
  return false;
}

/// Whether Body uses what P gives besides itself, `P.size()` or `P->x`.
static bool givesAnother(const Function &F, const StmtRef &Body,
                         const Param &P) {
  return any_of(F.Params, [&](const Param &Other) {
    StringRef Rest = Other.name();
    return Other.Implied && Rest.consume_front(P.name()) &&
           (Rest.starts_with(".") || Rest.starts_with("->")) &&
           mentions(Body, Other);
  });
}

static std::string parameters(const Function &F, const StmtRef &Body,
                              bool AllNamed) {
  Names N;
  ExprPrinter P(N, F.LanguageC);
  std::vector<std::string> List;
  for (const Param &Pa : F.Params) {
    if (Pa.Implied)
      continue;
    bool Named = AllNamed || F.LanguageC || mentions(Body, Pa) ||
                 isInATypeOf(F, Pa) || givesAnother(F, Body, Pa);
    std::string Type =
        Pa.Scalar ? P.typeOf(Pa.Scalar->Ty) : bufferType(*Pa.Buf, P);
    std::string Name = Pa.name().str();
    List.push_back(Named || Name.empty() ? declare(Type, Name)
                                         : declare(Type, "/*" + Name + "*/"));
  }
  if (List.empty())
    return F.LanguageC ? "void" : "";
  return join(List, ", ");
}

std::string emitParameters(const Function &F) {
  return parameters(F, F.Body, /*AllNamed=*/true);
}

std::string parameterList(const Function &F, const StmtRef &Body,
                          const Options &Opts) {
  (void)Opts;
  return parameters(F, Body, /*AllNamed=*/false);
}

/// S, where a block that stands among other statements is those statements: it
/// is printed without braces, so its variables are visible behind it.
StmtRef spliced(const StmtRef &S) {
  const StmtRef Mapped = mapChildren(S, spliced);
  auto *B = dyn_cast<Block>(Mapped.get());
  const auto IsBlock = [](const StmtRef &Sub) { return isa<Block>(*Sub); };
  if (!B || none_of(B->Body, IsBlock))
    return Mapped;
  std::vector<StmtRef> All;
  for (const StmtRef &Sub : B->Body)
    if (IsBlock(Sub))
      append_range(All, cast<Block>(Sub.get())->Body);
    else
      All.push_back(Sub);
  return std::make_shared<Block>(std::move(All), S->Loc);
}

namespace {
/// Of each region what it raised and what it was, as two branches, behind what
/// it looks at before them.
class BothForms : public Rewriter {
public:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *R = dyn_cast<Region>(S.get());
    if (!R)
      return S;
    const StmtRef Both =
        std::make_shared<If>(build::boolConst(true), R->Body, R->Original);
    if (!R->Rests.Inspection)
      return Both;
    std::vector<StmtRef> All = statements(R->Rests.Inspection).vec();
    All.push_back(Both);
    return std::make_shared<If>(build::boolConst(true),
                                makeBlock(std::move(All)), nullptr);
  }
};
} // namespace

/// What has to do with the names that F's body is printed with.
StmtRef allPrinted(const Function &F) {
  return spliced(BothForms().run(F.Body));
}

std::string emitFunction(const Function &F, const Options &Opts,
                         bool Originals) {
  Names N(F, allPrinted(F));
  ExprPrinter P(N, F.LanguageC);
  StmtPrinter Printer(Opts, N, P);
  Printer.Whole = &F;
  Printer.Originals = Originals;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    if (auto *R = dyn_cast<Region>(S.get()))
      noteIndexWidths(R->Original, P);
  });
  if (Opts.HasSizeT)
    P.SizeType = "size_t";
  std::string Head = P.typeOf(F.Result) + " " + F.Name + "(" +
                     parameterList(F, F.Body, Opts) + ")";
  if (F.InternalLinkage)
    Head = "static " + Head;
  Code C = nested(Head, Printer.print(F.Body), true);
  C.Lines.front().From = originsOf(F);
  record(C, F);
  return join(C.Lines, "\n") + "\n";
}

/// The parameters that lead to one element each and that no source spells.
DenseSet<const Buffer *> singleElements(const Function &F) {
  DenseSet<const Buffer *> Found;
  for (const Param &P : F.Params)
    if (P.Buf && P.Buf->TypeSpelling.empty() && P.Buf->rank() == 1 &&
        !P.Buf->Extents[0])
      Found.insert(P.Buf.get());
  const auto Note = [&](const Access &A) {
    auto *I = A.Indices.size() == 1 ? dyn_cast<IntConst>(A.Indices[0].get())
                                    : nullptr;
    if (!I || I->Value != 0)
      Found.erase(A.Buf.get());
  };
  forEachExpr(F.Body, [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()))
      Note(L->From);
  });
  forEachStmt(F.Body, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      Note(St->To);
  });
  return Found;
}

std::string launchParameters(const StmtRef &Body, bool AllNamed) {
  bool Grid = AllNamed, Block = AllNamed;
  forEachExpr(Body, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    if (U && U->V->Kind == VarKind::Launch)
      (StringRef(U->V->Name).starts_with("grid") ? Grid : Block) = true;
  });
  return std::string(Grid ? "dim3 grid" : "dim3 /*grid*/") +
         (Block ? ", dim3 block" : ", dim3 /*block*/");
}

/// F's body, behind something that mentions what F.Requires names.
static StmtRef withRequirements(const Function &F) {
  if (F.Requires.empty())
    return F.Body;
  Obligations Rests;
  Rests.Guards = F.Requires;
  const StmtRef None = std::make_shared<Block>(std::vector<StmtRef>());
  return std::make_shared<Block>(std::vector<StmtRef>{
      std::make_shared<Region>(std::move(Rests), None, None), F.Body});
}

std::string headOf(const Function &F, const ExprPrinter &P, bool AllNamed) {
  std::string List = parameters(F, withRequirements(F), AllNamed);
  if (F.Kind == FunctionKind::Kernel)
    List = launchParameters(withRequirements(F), AllNamed) +
           (List.empty() ? "" : ", ") + List;
  return (F.InternalLinkage ? "static " : "") + P.typeOf(F.Result) + " " +
         F.Name + "(" + List + ")";
}

/// What ends the program in place of R's original, if that is all of it.
const Opaque *stopOf(const Region &R) {
  const ArrayRef<StmtRef> All = statements(R.Original);
  auto *O = All.size() == 1 ? dyn_cast<Opaque>(All.front().get()) : nullptr;
  return O && O->NoReturn ? O : nullptr;
}

/// The region that ends F's body, if its original is a function of its own or
/// ends the program.
const Region *ofTwoForms(const Function &F) {
  const ArrayRef<StmtRef> Body = statements(F.Body);
  auto *R = Body.empty() ? nullptr : dyn_cast<Region>(Body.back().get());
  return R && (!F.GeneralForm.empty() || stopOf(*R)) ? R : nullptr;
}

/// Guards without the conditions that F requires.
static std::vector<Guard> beyondRequired(const Function &F,
                                         ArrayRef<Guard> Guards) {
  std::vector<Guard> Out;
  copy_if(Guards, std::back_inserter(Out), [&](const Guard &G) {
    return !G.Cond || none_of(F.Requires, [&](const Guard &Known) {
      return Known.Cond && structurallyEqual(Known.Cond, G.Cond);
    });
  });
  return Out;
}

std::string requirementsText(ArrayRef<Guard> Requires) {
  std::vector<std::pair<std::string, std::vector<std::string>>> Apart;
  bool Sizes = false;
  for (const Guard &G : Requires) {
    Sizes |= G.Cond != nullptr;
    if (G.Cond)
      continue;
    auto It = find_if(
        Apart, [&](const auto &Each) { return Each.first == G.A.Buf->Name; });
    if (It == Apart.end())
      It = Apart.insert(It, {G.A.Buf->Name, {}});
    if (!is_contained(It->second, G.B.Buf->Name))
      It->second.push_back(G.B.Buf->Name);
  }
  std::vector<std::string> Parts;
  Parts.reserve(Apart.size() + 1);
  for (const auto &[Name, Others] : Apart)
    Parts.push_back(Name + " must not overlap " + join(Others, " or "));
  if (Sizes)
    Parts.push_back("sizes must not be negative or too large to tell");
  return join(Parts, "; ");
}

StmtRef required(const Function &F, ArrayRef<std::string> Stop, ExprPrinter &P,
                 Names &N) {
  P.EmptyPasses = true;
  auto Restore = make_scope_exit([&] { P.EmptyPasses = false; });
  NamedGuards Named{{}, guardCondition(F.Requires, P)};
  if (count_if(F.Requires, [](const Guard &G) { return !G.Cond; }) > 1)
    Named = nameGuards(F.Requires, P, N);
  std::vector<std::string> Lines = Named.Lines;
  const bool Braces = Stop.size() > 1;
  Lines.push_back("if (!(" + Named.Condition + "))" + (Braces ? " {" : ""));
  for (const std::string &Each : Stop)
    Lines.push_back("  " + Each + ";");
  if (Braces)
    Lines.push_back("}");
  return std::make_shared<Opaque>(join(Lines, "\n"), "", "");
}

/// Says what does not hold, and ends the program.
static StmtRef requiredOfCalls(const Function &F, ExprPrinter &P, Names &N) {
  const std::string Std = F.LanguageC ? "" : "std::";
  return required(F,
                  {Std + "fputs(\"" + F.Name + ": " +
                       requirementsText(F.Requires) + "\\n\", stderr)",
                   Std + "abort()"},
                  P, N);
}

/// What leaves for the general form where R's guards do not hold.
StmtRef chooseForm(const Function &F, const Region &R, ExprPrinter &P,
                   Names &N) {
  const std::vector<Guard> Guards = beyondRequired(F, R.Rests.Guards);
  NamedGuards Named{{}, guardCondition(Guards, P)};
  if (count_if(Guards, [](const Guard &G) { return !G.Cond; }) > 1)
    Named = nameGuards(Guards, P, N);
  std::vector<std::string> Args;
  if (F.Kind == FunctionKind::Kernel)
    Args = {"grid", "block"};
  for (const Param &Each : F.Params)
    if (!Each.Implied)
      Args.push_back(Each.name().str());
  std::vector<std::string> Lines = Named.Lines;
  if (const Opaque *Stop = stopOf(R)) {
    Lines.insert(Lines.end(),
                 {"if (!(" + Named.Condition + "))", "  " + Stop->Text + ";"});
    return std::make_shared<Opaque>(join(Lines, "\n"), "", "");
  }
  Lines.push_back("if (!(" + Named.Condition + ")) {");
  const std::string Call = F.GeneralForm + "(" + join(Args, ", ") + ");";
  if (F.Result.isVoid())
    Lines.insert(Lines.end(), {Call, "return;"});
  else
    Lines.push_back("return " + Call);
  Lines.push_back("}");
  return std::make_shared<Opaque>(join(Lines, "\n"), "", "");
}

StmtRef withLead(const Function &F, const StmtRef &Choice,
                 const StmtRef &Form) {
  std::vector<StmtRef> All = statements(F.Body).drop_back().vec();
  if (Choice)
    All.push_back(Choice);
  append_range(All, statements(Form));
  return std::make_shared<Block>(std::move(All));
}

static std::string generalForm(const Function &F, const Region &R,
                               const Options &Opts) {
  Function General = F;
  General.Name = F.GeneralForm;
  General.InternalLinkage = true;
  General.GeneralForm.clear();
  General.Requires.clear(); // tested before
  General.Body = withLead(F, nullptr, R.Original);
  return "// " + F.Name +
         (F.Kind == FunctionKind::Kernel
              ? (any_of(R.Rests.Guards, [](const Guard &G) { return !G.Cond; })
                     ? " for any other launch, and where its arguments "
                       "overlap, "
                       "thread by thread.\n"
                     : " for any other launch, thread by thread.\n")
              : " where its arguments overlap or are not what it tests "
                "for.\n") +
         emitMadeFunction(General, Opts) + "\n";
}

static std::string emitSpliced(const Function &F, const Options &Opts,
                               BufferPairs Apart);

std::string emitMadeFunction(const Function &F, const Options &Opts,
                             BufferPairs Apart) {
  return emitSpliced(*withBody(F, spliced(F.Body)), Opts, Apart);
}

/// What R's tests say, as far as it holds wherever its body goes.
std::vector<Guard> stillHolding(const Region &R, BufferPairs Apart) {
  std::vector<Guard> Holding;
  for (auto &[A, B] : Apart) {
    Guard G;
    G.A.Buf = BufferRef(BufferRef(), A);
    G.B.Buf = BufferRef(BufferRef(), B);
    Holding.push_back(std::move(G));
  }
  for (const Guard &G : R.Rests.Guards) {
    bool Fixed = true;
    if (G.Cond)
      forEachExpr(G.Cond, [&](const ExprRef &E) {
        auto *U = dyn_cast<VarUse>(E.get());
        Fixed &= !isa<Load>(*E) && !(U && assigns(R.Body, U->V.get()));
      });
    if (Fixed)
      Holding.push_back(G);
  }
  return Holding;
}

static std::string emitSpliced(const Function &F, const Options &Opts,
                               BufferPairs Apart) {
  Names N(F, allPrinted(F), Opts.Macros.get());
  N.Movable = movableArrays(F, Opts);
  ExprPrinter P(N, F.LanguageC);
  P.Single = singleElements(F);
  if (Opts.HasSizeT)
    P.SizeType = "size_t";
  StmtPrinter Printer(Opts, N, P);
  Printer.Whole = &F;
  Code Body;
  const StmtRef All = withRequirements(F);
  if (F.LanguageC)
    for (const Param &Pa : F.Params)
      if (!Pa.Implied && !mentions(All, Pa) && !isInATypeOf(F, Pa) &&
          !givesAnother(F, All, Pa)) {
        Body.line("(void)" + Pa.name().str() + ";");
        Body.Statements += 1;
      }
  const Region *R = ofTwoForms(F);
  const std::vector<Guard> Tested =
      R ? stillHolding(*R, Apart) : std::vector<Guard>();
  StmtRef Form = R ? withLead(F, chooseForm(F, *R, P, N), R->Body) : F.Body;
  if (Opts.Target == Dialect::Eigen) {
    Printer.setHolding(&Tested);
    Form = spliced(
        eigen::withoutFrames(Form, F, {&Opts, &P, &Tested, nullptr}, N));
  }
  if (!F.Requires.empty())
    Form = std::make_shared<Block>(
        std::vector<StmtRef>{requiredOfCalls(F, P, N), spliced(Form)});
  Body.add(Printer.print(F.LanguageC ? Form : withoutCounts(Form)));
  Code C = nested(headOf(F, P, /*AllNamed=*/R && !stopOf(*R)), Body,
                  /*Braces=*/true);
  C.Lines.front().From = originsOf(F);
  record(C, F);
  return join(C.Lines, "\n") + "\n";
}

std::string emitGeneralForm(const Function &F, const Options &Opts) {
  const Region *R = ofTwoForms(F);
  return R && !stopOf(*R) ? generalForm(F, *R, Opts) : "";
}

std::string emitStructure(const std::string &Name, ArrayRef<BufferRef> Members,
                          bool C) {
  Names N;
  ExprPrinter P(N, C);
  std::string Text = (C ? "typedef struct " : "struct ") + Name + " {\n";
  for (const BufferRef &B : Members) {
    const std::string &Field = B->OwnerField;
    const std::string Type =
        B->Elem.isVoid() ? B->Elem.Spelling : P.typeOf(B->Elem);
    if (B->Lies == ArrayHome::Automatic) {
      Text += Type + " " + Field;
      if (!B->Reference)
        for (const ExprRef &E : B->Extents)
          Text += "[" + P.value(E).Text + "]";
      Text += ";\n";
    } else if (C) {
      Text += Type + " *" + Field + ";\n";
    } else {
      Text += "std::vector<" + Type + "> " + Field + ";\n";
    }
  }
  return Text + "}" + (C ? " " + Name : "") + ";\n";
}

std::string emitFree(const std::string &Name, ArrayRef<BufferRef> Members) {
  std::string Text = "void " + Name + "_free(" + Name + " *tape) {\n";
  bool Any = false;
  for (const BufferRef &B : Members)
    if (B->Lies != ArrayHome::Automatic) {
      Text += "free(tape->" + B->OwnerField + ");\n";
      Any = true;
    }
  return Text + (Any ? "" : "(void)tape;\n") + "}\n";
}

std::string emitPrototype(const Function &F) {
  Names N;
  ExprPrinter P(N, F.LanguageC);
  return headOf(F, P, /*AllNamed=*/true) + ";\n";
}

} // namespace raise
