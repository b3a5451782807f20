//===- NoteScope.cpp - what the names in a note mean ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is refused here is refused for the sake of whoever wrote the note: it
// could not hold all through the loop, or says nothing that a proof can use.
// That a fact is true where a proof uses it is seen to in the IR.
//
//===----------------------------------------------------------------------===//
#include "NoteScope.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace raise {

bool isLoopStatement(const clang::Stmt *S) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
}

namespace {

/// Goes down to a statement and keeps what is declared on the way.
class Descent {
public:
  Descent(const clang::Stmt *To, StringRef Name) : To(To), Name(Name) {}
  const ValueDecl *Found = nullptr;

  bool into(const clang::Stmt *S) {
    if (!S)
      return false;
    if (S == To)
      return true;
    const ValueDecl *const Before = Found;
    for (const clang::Stmt *Child : S->children()) {
      // What a statement declares for itself, its children see.
      if (const auto *D = dyn_cast_or_null<DeclStmt>(Child)) {
        for (const clang::Decl *Each : D->decls())
          if (const auto *V = dyn_cast<VarDecl>(Each);
              V && V->getIdentifier() && V->getName() == Name)
            Found = V;
      } else if (into(Child)) {
        return true;
      }
    }
    Found = Before;
    return false;
  }

private:
  const clang::Stmt *To;
  StringRef Name;
};

/// All names that a statement sees, for a message.
class NameCollector : public RecursiveASTVisitor<NameCollector> {
public:
  std::vector<StringRef> Names;
  bool VisitVarDecl(VarDecl *V) {
    if (V->getIdentifier())
      Names.push_back(V->getName());
    return true;
  }
};

/// Where a variable is assigned, or something may be told to.
class ChangeFinder : public RecursiveASTVisitor<ChangeFinder> {
public:
  explicit ChangeFinder(const ValueDecl *Of) : Of(Of) {}
  const clang::Stmt *Found = nullptr;

  bool VisitBinaryOperator(BinaryOperator *B) {
    if (B->isAssignmentOp())
      look(B->getLHS(), B);
    return !Found;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->isIncrementDecrementOp() || U->getOpcode() == UO_AddrOf)
      look(U->getSubExpr(), U);
    return !Found;
  }

private:
  const ValueDecl *Of;
  void look(const clang::Expr *E, const clang::Stmt *In) {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    if (D && D->getDecl() == Of && !Found)
      Found = In;
  }
};

} // namespace

const ValueDecl *findVariable(const FunctionDecl &FD, const clang::Stmt *S,
                              StringRef Name) {
  const ValueDecl *Param = nullptr;
  for (const ParmVarDecl *P : FD.parameters())
    if (P->getIdentifier() && P->getName() == Name)
      Param = P;
  if (!S)
    return Param;
  Descent Down(S, Name);
  return Down.into(FD.getBody()) && Down.Found ? Down.Found : Param;
}

/// Whether E, or a constant that it names, is written with a macro.
static bool usesMacro(const clang::Expr *E, unsigned Depth = 0) {
  bool Found = E && (Depth > 8 || E->getBeginLoc().isMacroID() ||
                     E->getEndLoc().isMacroID());
  if (!E || Found)
    return Found;
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      return usesMacro(V->getInit(), Depth + 1);
    // An enumerator without a value hangs on those before it.
    if (const auto *C = dyn_cast<EnumConstantDecl>(D->getDecl()))
      return any_of(cast<EnumDecl>(C->getDeclContext())->enumerators(),
                    [&](const EnumConstantDecl *Each) {
                      return usesMacro(Each->getInitExpr(), Depth + 1);
                    });
  }
  return any_of(E->children(), [&](const clang::Stmt *Child) {
    return usesMacro(dyn_cast_or_null<clang::Expr>(Child), Depth);
  });
}

static std::optional<NamedConstant> constantOf(const ValueDecl &D,
                                               const ASTContext &AST) {
  NamedConstant C;
  C.D = &D;
  if (const auto *E = dyn_cast<EnumConstantDecl>(&D)) {
    C.Value = E->getInitVal().getExtValue();
    for (const EnumConstantDecl *Each :
         cast<EnumDecl>(E->getDeclContext())->enumerators())
      C.OfMacro |= usesMacro(Each->getInitExpr());
    return C;
  }
  const auto *V = dyn_cast<VarDecl>(&D);
  const clang::Expr *Init = V ? V->getAnyInitializer() : nullptr;
  clang::Expr::EvalResult Known;
  if (!Init || !V->getType()->isIntegralOrUnscopedEnumerationType() ||
      !V->getType().isConstQualified() || V->getType().isVolatileQualified() ||
      Init->isValueDependent() || !Init->EvaluateAsInt(Known, AST))
    return std::nullopt;
  C.Value = Known.Val.getInt().getExtValue();
  C.OfMacro = usesMacro(Init);
  return C;
}

std::optional<NamedConstant>
findConstant(const FunctionDecl &FD, const clang::Stmt *S, StringRef Name) {
  ASTContext &AST = FD.getASTContext();
  if (const ValueDecl *V = findVariable(FD, S, Name)) {
    const auto *Local = dyn_cast<VarDecl>(V);
    return Local && Local->isStaticLocal() ? constantOf(*V, AST) : std::nullopt;
  }
  const DeclarationName Of(&AST.Idents.get(Name));
  for (const DeclContext *C = FD.getDeclContext(); C; C = C->getParent())
    for (const NamedDecl *D : C->lookup(Of)) // what is nearest hides the rest
      return isa<ValueDecl>(D) ? constantOf(*cast<ValueDecl>(D), AST)
                               : std::nullopt;
  return std::nullopt;
}

std::string FactScope::describePlace() const {
  return Loop ? "the loop" : "the function";
}

std::optional<NoteError> FactScope::checkVariable(StringRef Name, unsigned At,
                                                  bool Pointer) const {
  const auto Fail = [&](const Twine &Why) {
    return NoteError{At, ("'" + Name + "' " + Why).str()};
  };
  if (!Pointer)
    if (const auto Constant = findConstant(FD, Loop, Name)) {
      if (Constant->OfMacro)
        return Fail("hangs on a macro, which may have another value under "
                    "another compile command: write the number");
      return std::nullopt;
    }
  const ValueDecl *V = findVariable(FD, Loop, Name);
  if (!V) {
    NameCollector All;
    for (ParmVarDecl *P : const_cast<FunctionDecl &>(FD).parameters())
      All.VisitVarDecl(P);
    if (Loop)
      All.TraverseStmt(FD.getBody());
    StringRef Nearest;
    unsigned Least = 1 + Name.size() / 3;
    for (StringRef Known : All.Names)
      if (unsigned D = Name.edit_distance(Known, true, Least);
          D < Least && findVariable(FD, Loop, Known)) {
        Least = D;
        Nearest = Known;
      }
    return Fail(Twine(Loop ? "is neither a parameter, a local variable nor a "
                             "constant that the loop sees"
                           : "is neither a parameter of the function nor a "
                             "constant") +
                (Nearest.empty() ? "" : "; did you mean '" + Nearest + "'?"));
  }
  const QualType T = V->getType();
  if (T->isDependentType())
    return std::nullopt;
  if (Pointer && !T->isPointerType())
    return Fail(T->isArrayType() ? "is an array, whose size is known"
                                 : "is no pointer");
  if (Pointer && (T->getPointeeType()->isVoidType() ||
                  T->getPointeeType()->isFunctionType()))
    return Fail("points to no elements");
  if (T->isReferenceType())
    return Fail("is a reference, whose value may change at any time: copy it "
                "to a variable first");
  if (!Pointer && !T->isIntegralOrUnscopedEnumerationType())
    return Fail("is no integer");
  if (T.isVolatileQualified())
    return Fail("is volatile");
  if (const auto *Var = dyn_cast<VarDecl>(V); Var && Var->isStaticLocal())
    return Fail("is a static variable, which other calls may change");
  ChangeFinder Changes(V);
  Changes.TraverseStmt(Loop ? const_cast<clang::Stmt *>(Loop) : FD.getBody());
  if (Changes.Found) {
    const SourceManager &SM = FD.getASTContext().getSourceManager();
    return Fail("may be changed in " + describePlace() + ", on line " +
                Twine(SM.getExpansionLineNumber(Changes.Found->getBeginLoc())) +
                ", so nothing that is said of it holds throughout");
  }
  return std::nullopt;
}

std::optional<NoteError> FactScope::checkTerm(const NoteTerm &T) const {
  if (T.Kind == NoteTerm::TermKind::Name)
    return checkVariable(T.Name, T.At, /*Pointer=*/false);
  const bool Divides = T.Kind == NoteTerm::TermKind::Operation &&
                       (T.Op == BinaryOp::Div || T.Op == BinaryOp::Rem);
  if (Divides && T.Parts[1].Kind == NoteTerm::TermKind::Number &&
      T.Parts[1].Value == 0)
    return NoteError{T.Parts[1].At, "a division by 0"};
  for (const NoteTerm &Part : T.Parts)
    if (std::optional<NoteError> Wrong = checkTerm(Part))
      return Wrong;
  return std::nullopt;
}

/// Whether something is said of a variable.
static bool mentionsName(const NoteTerm &T) {
  return T.Kind == NoteTerm::TermKind::Name || any_of(T.Parts, mentionsName);
}

std::optional<NoteError> FactScope::check(const Note &N) const {
  if (N.Kind == Note::NoteKind::Extent)
    if (std::optional<NoteError> Wrong =
            checkVariable(N.Pointer, N.PointerAt, /*Pointer=*/true))
      return Wrong;
  if (N.Kind == Note::NoteKind::Assume && !mentionsName(N.Term))
    return NoteError{N.Term.At, "the condition says nothing of any variable"};
  return checkTerm(N.Term);
}

} // namespace raise
