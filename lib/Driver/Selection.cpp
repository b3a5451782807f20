//===- Selection.cpp - which functions were asked for ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Selection.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

static std::string withoutSpace(StringRef Text) {
  std::string Out;
  for (char C : Text)
    if (!isSpace(C))
      Out += C;
  return Out;
}

std::string signatureOf(const clang::FunctionDecl &FD) {
  clang::PrintingPolicy Policy(FD.getASTContext().getLangOpts());
  std::string Text = FD.getQualifiedNameAsString() + "(";
  for (const clang::ParmVarDecl *P : FD.parameters())
    Text += (P == FD.parameters().front() ? "" : ", ") +
            P->getOriginalType().getAsString(Policy);
  return Text + ")";
}

/// "n::f<double>"; empty for what is no instantiation.
static std::string instantiationName(const clang::FunctionDecl &FD) {
  if (!FD.getPrimaryTemplate())
    return "";
  std::string Text;
  raw_string_ostream OS(Text);
  FD.getNameForDiagnostic(
      OS, clang::PrintingPolicy(FD.getASTContext().getLangOpts()),
      /*Qualified=*/true);
  return Text;
}

/// Full is Asked, or ends in `::Asked`.
static bool endsInName(StringRef Full, StringRef Asked) {
  return Full.consume_back(Asked) && (Full.empty() || Full.ends_with("::"));
}

bool answersTo(const clang::FunctionDecl &FD, StringRef Asked) {
  std::string Wanted = withoutSpace(Asked);
  // A name can hold a parenthesis only in `operator()`.
  bool WithTypes = StringRef(Wanted).ends_with(")") &&
                   !StringRef(Wanted).ends_with("operator()");
  std::string Full =
      withoutSpace(WithTypes ? signatureOf(FD) : FD.getQualifiedNameAsString());
  return endsInName(Full, Wanted) ||
         (!WithTypes &&
          endsInName(withoutSpace(instantiationName(FD)), Wanted));
}

} // namespace raise
