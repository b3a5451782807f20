//===- LoopJobs.cpp - one loop as a test of its own -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoopJobs.h"
#include "Candidate.h"
#include "LibraryHeaders.h"
#include "LoopObject.h"
#include "Rewrite.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Visitor.h"
#include "raise/Interp/Interp.h"
#include "raise/Transform/Outline.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace llvm;

namespace raise {

namespace {

/// Variables outside the function that a call in the loop reaches: the test
/// supplies only those that the loop itself names.
class HiddenState : public clang::RecursiveASTVisitor<HiddenState> {
public:
  HiddenState(const clang::SourceManager &SM, unsigned Begin, unsigned End)
      : SM(SM), Begin(Begin), End(End) {}
  const clang::VarDecl *Found = nullptr;

  bool VisitCallExpr(clang::CallExpr *E) {
    const unsigned At = SM.getFileOffset(SM.getExpansionLoc(E->getBeginLoc()));
    if (Depth == 0 && (At < Begin || At >= End))
      return true;
    const clang::FunctionDecl *FD = E->getDirectCallee(), *Body = nullptr;
    if (!FD || !FD->hasBody(Body) || !Seen.insert(Body).second)
      return true;
    ++Depth;
    TraverseStmt(Body->getBody());
    --Depth;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *E) {
    const auto *V = dyn_cast<clang::VarDecl>(E->getDecl());
    if (Depth > 0 && V && V->hasGlobalStorage() &&
        !V->getType().isConstQualified() &&
        !V->getASTContext().getBaseElementType(V->getType()).isConstQualified())
      Found = V;
    return true;
  }

private:
  const clang::SourceManager &SM;
  unsigned Begin, End, Depth = 0;
  SmallPtrSet<const clang::FunctionDecl *, 8> Seen;
};

std::string elementOf(const Buffer &B) {
  return (B.Const ? "const " : "") +
         (B.Elem.isVoid() ? B.Elem.Spelling : B.Elem.cName());
}

/// The structures of a function by name, to give a loop those that it reads
/// members of.
class Structures : public clang::RecursiveASTVisitor<Structures> {
public:
  explicit Structures(const clang::FunctionDecl &FD)
      : Policy(FD.getASTContext().getLangOpts()) {
    for (const clang::ParmVarDecl *P : FD.parameters())
      add(*P);
    TraverseStmt(FD.getBody());
  }
  bool VisitVarDecl(clang::VarDecl *V) {
    add(*V);
    return true;
  }
  /// The type of the only structure of that name; "" if there is none.
  std::string typeOf(StringRef Name) const { return Types.lookup(Name); }

private:
  clang::PrintingPolicy Policy;
  StringMap<std::string> Types;
  void add(const clang::VarDecl &V) {
    if (!V.getType()->isRecordType())
      return;
    std::string Type = V.getType().getUnqualifiedType().getAsString(Policy);
    auto [It, New] = Types.try_emplace(V.getName(), Type);
    if (!New && It->second != Type)
      It->second.clear();
  }
};

/// Whether a test can hand in what the loop knows by Name: a variable, or a
/// member of a structure.
bool canBeGiven(StringRef Name, const Structures &Known) {
  if (LoopObject::isPart(Name))
    return true; // LoopObject says
  return !Name.contains("->") && !Name.ends_with("()") &&
         (!Name.contains('.') || !Known.typeOf(Name.split('.').first).empty());
}

/// The parameters of the test's function, and what stands around the loop in
/// it.
class Frame {
public:
  Frame(const Outlined &O, const Structures &Known, LoopObject &Object,
        bool LanguageC)
      : LanguageC(LanguageC), Known(Known), Object(Object),
        Result(O.Original->Result.cName()) {
    if (O.Within)
      Within = "if (" + emitExpr(O.Within) + ") ";
    if (O.Finished) {
      States.insert(O.Finished.get());
      Last = "*" + O.Finished->Name + " += 1;\n" +
             (O.Original->Result.isVoid() ? "return;\n" : "return 0;\n");
    }
    for (const OutlinedState &S : O.States)
      States.insert(S.State.get());
    for (const Param &P : O.Original->Params)
      if (P.Scalar)
        scalar(*P.Scalar);
      else
        buffer(*P.Buf);
    for (const OutlinedState &S : O.States)
      state(S);
  }

  std::string around(StringRef Name, StringRef Loop) const {
    std::string Body =
        Before + Within + "{\n" + Loop.str() + "\n}\n" + After + Last;
    if (Object.isUsed())
      Body = Object.call(Result, join(Own, ", "), join(Arguments, ", "), Body);
    return "static " + Result + " " + Name.str() + "(" + join(Params, ", ") +
           ") {\n" + Body + "}\n";
  }

private:
  bool LanguageC;
  const Structures &Known;
  LoopObject &Object;
  StringSet<> Declared;
  SmallPtrSet<const Buffer *, 4> States;
  /// All parameters; those that the object has no part in, and their names.
  std::vector<std::string> Params, Own, Arguments;
  std::string Result, Before, Within, After, Last;

  void param(const std::string &Text, const std::string &Name,
             const std::string &Behind = "") {
    Params.push_back(Text + Name + Behind);
    Own.push_back(Params.back());
    Arguments.push_back(Name);
  }

  /// A member comes in under a name of its own and is put into its structure.
  bool member(StringRef Name, const std::string &Type) {
    if (!Name.contains('.'))
      return false;
    StringRef Of = Name.split('.').first;
    if (Declared.insert(Of).second)
      Before = Known.typeOf(Of) + " " + Of.str() + ";\n" + Before;
    std::string Own = Name.str();
    std::replace(Own.begin(), Own.end(), '.', '_');
    param(Type, Own + "_member");
    Before += Name.str() + " = " + Own + "_member;\n";
    return true;
  }

  void scalar(const Var &V) {
    if (LoopObject::isPart(V.Name)) {
      Params.push_back(Object.parameter(V.Name, V.Ty.cName()));
      return;
    }
    if (member(V.Name, V.Ty.cName() + " "))
      return;
    if (V.Kind != VarKind::Cursor) {
      param(V.Ty.cName() + " ", V.Name);
      return;
    }
    param("long ", V.Name + "_offset");
    Before += elementOf(*V.Base) + " *" + V.Name + " = " + V.Base->Name +
              " + " + V.Name + "_offset;\n";
  }

  void buffer(const Buffer &B) {
    std::string Text = elementOf(B);
    if (LoopObject::isPart(B.Name)) {
      Params.push_back(Object.parameter(B.Name, Text));
      return;
    }
    if (member(B.Name, Text + " *"))
      return;
    if (States.contains(&B)) {
      param(Text + " *", B.Name);
    } else if (B.Reference && !LanguageC) {
      param(Text + " &", B.Name);
    } else if (B.Reference) { // a scalar outside the function
      param(Text + " *", B.Name + "_state");
      Before += Text + " " + B.Name + " = *" + B.Name + "_state;\n";
      if (!B.Const)
        After += "*" + B.Name + "_state = " + B.Name + ";\n";
    } else if (B.rank() == 1) {
      param(Text + " *", B.Name);
    } else {
      std::string Extents = "[]";
      for (const ExprRef &E : drop_begin(B.Extents))
        Extents += "[" + emitExpr(E) + "]";
      param(Text + " ", B.Name, Extents);
    }
  }

  void state(const OutlinedState &S) {
    const std::string &V = S.V->Name, At = "*" + S.State->Name;
    if (S.V->Kind == VarKind::Cursor) {
      const std::string &Base = S.V->Base->Name;
      Before +=
          elementOf(*S.V->Base) + " *" + V + " = " + Base + " + " + At + ";\n";
      if (S.WriteBack)
        After += At + " = " + V + " - " + Base + ";\n";
      return;
    }
    Before += S.V->Ty.cName() + " " + V + " = " + At + ";\n";
    if (S.WriteBack)
      After += At + " = " + V + ";\n";
  }
};

/// Labels that a piece of a function's text jumps to and that stand behind it.
class LabelsBehind : public clang::RecursiveASTVisitor<LabelsBehind> {
public:
  LabelsBehind(const clang::SourceManager &SM, unsigned Begin, unsigned End)
      : SM(SM), Begin(Begin), End(End) {}
  std::string Text;
  bool VisitGotoStmt(clang::GotoStmt *G) {
    const clang::LabelDecl *L = G->getLabel();
    if (holds(G->getGotoLoc()) && !holds(L->getLocation()) &&
        Seen.insert(L).second)
      Text += "\n" + L->getName().str() + ":;";
    return true;
  }

private:
  bool holds(clang::SourceLocation L) const {
    const unsigned At = SM.getFileOffset(SM.getExpansionLoc(L));
    return At >= Begin && At < End;
  }
  const clang::SourceManager &SM;
  unsigned Begin, End;
  SmallPtrSet<const clang::LabelDecl *, 2> Seen;
};

/// Text inside the namespaces that FD stands in.
std::string inNamespaces(const clang::FunctionDecl &FD, std::string Text,
                         std::string &Prefix) {
  for (const clang::DeclContext *D = FD.getDeclContext(); D; D = D->getParent())
    if (const auto *N = dyn_cast<clang::NamespaceDecl>(D)) {
      Text = (N->isInline() ? "inline " : "") + std::string("namespace ") +
             N->getNameAsString() + " {\n" + Text + "}\n";
      if (!N->isAnonymousNamespace())
        Prefix = N->getNameAsString() + "::" + Prefix;
    }
  return Text;
}

/// The expression that V, which F declares once and never assigns, stands for,
/// over what is no such variable; null if V is none.
ExprRef definitionOf(const Var *V, const Function &F, unsigned Depth = 0) {
  unsigned Writes = 0;
  ExprRef Init;
  assignedVars(F.Body, [&](const VarRef &X) { Writes += X.get() == V; });
  forEachStmt(F.Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<Decl>(S.get());
    if (D && D->V.get() == V)
      Init = D->Init;
  });
  if (Writes != 1 || !Init || Depth > 8)
    return nullptr;
  Substitution Known;
  forEachExpr(Init, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    if (ExprRef D = U ? definitionOf(U->V.get(), F, Depth + 1) : nullptr)
      Known[U->V.get()] = D;
  });
  return substitute(Init, Known);
}

/// What the proof may take of a loop's variables is what the function declares
/// them with: a test has to keep to it. False if it cannot.
bool keepDefinitions(const Outlined &O, const Function &F, VerifyJob &Job,
                     std::string &Why) {
  std::set<const Var *> Seen;
  std::vector<VarRef> Used;
  forEachExpr(F.Body, [&](const ExprRef &E) {
    if (auto *U = dyn_cast<VarUse>(E.get());
        U && Seen.insert(U->V.get()).second)
      Used.push_back(U->V);
  });
  for (const Param &P : O.Original->Params) {
    if (!P.Scalar || !P.Scalar->Ty.isInt() || Job.Hints.count(P.Scalar->Name))
      continue;
    for (const VarRef &V : Used) {
      ExprRef D =
          V->Name == P.Scalar->Name ? definitionOf(V.get(), F) : nullptr;
      bool Plain = D != nullptr;
      if (D)
        forEachExpr(D, [&](const ExprRef &E) {
          Plain &= !isa<Load>(*E) && !isa<Call>(*E);
        });
      if (!Plain)
        continue; // nothing is taken of it
      interp::Inputs None;
      Function Empty;
      Empty.Body = makeBlock({});
      auto Value = interp::evaluate(D, Empty, None);
      if (!Value) {
        Why = "the loop's '" + V->Name +
              "' is computed before it from what a test does not have";
        return false;
      }
      Job.Hints[P.Scalar->Name] = std::to_string(Value->I);
    }
  }
  return true;
}

/// E as an input's range says it; "" where it has no such form.
std::string hintText(const ExprRef &E) {
  if (!E)
    return "";
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return std::to_string(C->Value);
  if (auto *C = dyn_cast<Cast>(E.get()))
    return C->Ty.isInt() ? hintText(C->Operand) : "";
  if (auto *U = dyn_cast<VarUse>(E.get()))
    return StringRef(U->V->Name).find_first_of(".>") != StringRef::npos
               ? ""
               : U->V->Name;
  auto *B = dyn_cast<Binary>(E.get());
  const std::string L = B ? hintText(B->L) : "", R = B ? hintText(B->R) : "";
  // There are no parentheses: a sum may only stand on the left of one.
  const bool Sum = B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub);
  if (L.empty() || R.empty() || !Sum ||
      StringRef(R).find_first_of("+-") != StringRef::npos)
    return "";
  return L + (B->Op == BinaryOp::Add ? " + " : " - ") + R;
}

/// The loops around say between what values a counter lies: most that a test
/// makes up should.
void keepRanges(const Outlined &O, VerifyJob &Job) {
  for (const OutlinedRange &R : O.Ranges) {
    const std::string First = hintText(R.First), Last = hintText(R.Last);
    if (!First.empty() && !Last.empty())
      Job.Hints.try_emplace(R.Counter->Name, First + ".." + Last);
  }
}

} // namespace

bool makeLoopJob(const Candidate &C, const Finding &F, StringRef Source,
                 const Options &Opts, unsigned Number, VerifyJob &Job,
                 std::string &Why) {
  const Region &R = *F.Raised;
  const clang::ASTContext &AST = C.Decl->getASTContext();
  const StringRef Original = Source.slice(textBegin(R, Source), R.Loc.End);
  HiddenState Hidden(AST.getSourceManager(), R.Loc.Begin, R.Loc.End);
  Hidden.TraverseStmt(C.Decl->getBody());
  if (Hidden.Found) {
    Why = "the loop calls a function that uses '" +
          Hidden.Found->getNameAsString() + "', which lies outside of it";
    return false;
  }
  if (Original.contains("sizeof")) {
    Why = "the loop asks for a size, which a test cannot keep";
    return false;
  }
  const Structures Known(*C.Decl);
  const std::string Name = "raise_loop_" + std::to_string(Number);
  Outlined O = outlineRegion(R, *C.Raised, Name, Why);
  if (!O.Original)
    return false;
  for (const Param &P : O.Original->Params)
    if (!canBeGiven(P.name(), Known)) {
      Why = "the loop works on an object ('" + P.name().str() +
            "') that a test does not make";
      return false;
    }
  LoopObject Object;
  if (!Object.read(*C.Decl, O, Why))
    return false;
  if (Object.isUsed())
    Job.Layouts["this"] = Object.layout();
  for (const Param &P : O.Original->Params)
    if (Original.contains("::" + P.name().str())) {
      Why = "the loop names '" + P.name().str() + "' by its namespace";
      return false;
    }
  if (!keepDefinitions(O, *C.Raised, Job, Why))
    return false;
  keepRanges(O, Job);
  Job.Original = Object.lookingAtAll(O.Original);
  Job.Raised = Object.lookingAtAll(O.Raised);
  const Frame Around(O, Known, Object, Job.LanguageC);
  std::string Prefix;
  auto Below = [&](StringRef Loop) {
    Prefix.clear();
    return inNamespaces(*C.Decl, Around.around(Name, Loop), Prefix);
  };
  // What it jumps to is what follows it.
  LabelsBehind Labels(AST.getSourceManager(), R.Loc.Begin, R.Loc.End);
  Labels.TraverseStmt(C.Decl->getBody());
  Job.OriginalBelow = Below(Original.str() + Labels.Text);
  auto Raised = [&](const Options &With) {
    const std::string Text = emitRegion(R, *C.Raised, Original, With);
    return LibraryUse(Text).includes() + Below(Text);
  };
  Job.EmittedBelow = Raised(Opts);
  Job.EagerBelow = Raised(eagerOptions(Opts));
  Job.Entry = Job.LanguageC ? Name : "&" + Prefix + Name;
  // What else the file holds may need what only its program has.
  for (const char *Flag : {"-ffunction-sections", "-fdata-sections",
                           "-fvisibility=hidden", "-Wl,--gc-sections"})
    Job.CompileFlags.push_back(Flag);
  // The test is no friend of the class.
  if (Object.isUsed())
    Job.CompileFlags.push_back("-fno-access-control");
  return true;
}

} // namespace raise
