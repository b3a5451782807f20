//===- Unreached.cpp - loops and kernels that no lift reached -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Unreached.h"
#include "SourceLoops.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace raise {

namespace {

bool holds(const SourceLoc &Outer, const SourceLoc &Inner) {
  return Outer.File == Inner.File && Outer.Begin <= Inner.Begin &&
         Inner.Begin < Outer.End;
}

/// How many of Findings account for the loop at L: those that begin with it
/// (several, where one macro writes several loops), or stand inside of it.
size_t countAt(ArrayRef<Finding> Findings, const SourceLoc &L) {
  size_t Exact = 0, Inside = 0;
  for (const Finding &F : Findings) {
    Exact += F.Loc.File == L.File && F.Loc.Begin == L.Begin;
    Inside += holds(L, F.Loc);
    if (F.Raised)
      Exact += count_if(furtherLoops(*F.Raised), [&](const SourceLoc &Next) {
        return Next.File == L.File && Next.Begin == L.Begin;
      });
  }
  return Exact ? Exact : std::min<size_t>(Inside, 1);
}

Finding finding(Construct What, const SourceLoc &Loc,
                const clang::FunctionDecl *Owner, Reason Why) {
  Finding F;
  F.Loc = Loc;
  F.R.File = Loc.File;
  F.R.Line = Loc.Line;
  F.R.Column = Loc.Column;
  if (Owner)
    F.R.Function = Owner->getQualifiedNameAsString();
  F.R.What = What;
  F.R.Why = std::move(Why);
  return F;
}

/// Why the statement of F around Loc was not lifted; the innermost such.
Reason reasonAround(const Function &F, const SourceLoc &Loc) {
  const Opaque *Best = nullptr;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    auto *O = dyn_cast<Opaque>(S.get());
    if (O && holds(O->Loc, Loc) &&
        (!Best || Best->Loc.End - Best->Loc.Begin > O->Loc.End - O->Loc.Begin))
      Best = O;
  });
  return Best ? Reason{Best->Code, Best->Why, Best->Loc} : Reason();
}

Reason whyUnreached(const Candidate &C, const SourceLoop &L,
                    ArrayRef<Reason> Stopped) {
  if (L.Barrier.isSet())
    return L.Barrier;
  if (L.Loc.File != placeOf(*C.Decl).File)
    return {"CR1701", "it stands in another file than the source", L.Loc};
  Reason Why;
  if (C.Raised)
    Why = reasonAround(*C.Raised, L.Loc);
  if (!Why.isSet() && !Stopped.empty())
    Why = Stopped.front();
  if (!Why.isSet())
    Why = {"CR1713", "no pass recognises it as a tensor operation", L.Loc};
  return Why;
}

} // namespace

void addUnreachedLoops(Candidate &C, ArrayRef<Reason> Stopped) {
  SourceConstructs Written = constructsOf(*C.Decl);
  // A function of a local class that was inlined reports for itself.
  erase_if(C.Findings, [&](const Finding &F) {
    return any_of(Written.Nested,
                  [&](const SourceLoc &N) { return holds(N, F.Loc); });
  });
  C.Directives = Written.Directives;
  const std::vector<SourceLoop> &Loops = Written.Loops;
  std::vector<Finding> More;
  for (size_t I = 0; I < Loops.size(); ++I) {
    const SourceLoop &L = Loops[I];
    // Loops that one macro writes have one place.
    size_t Same = count_if(
        ArrayRef(Loops).take_front(I + 1), [&](const SourceLoop &Other) {
          return Other.Loc.File == L.Loc.File && Other.Loc.Begin == L.Loc.Begin;
        });
    if (countAt(C.Findings, L.Loc) < Same)
      More.push_back(
          finding(Construct::Loop, L.Loc, C.Decl, whyUnreached(C, L, Stopped)));
  }
  append_range(C.Findings, More);
}

Reason underDirective(const Candidate &C, const SourceLoc &L, unsigned Begin) {
  auto Stays = [&](const SourceDirective &D) {
    return D.Loc.Begin >= Begin && D.Loc.Begin < L.Begin &&
           (D.Name == "omp parallel for" || D.Name == "omp parallel for simd" ||
            D.Name == "omp simd");
  };
  for (const SourceDirective &D : reverse(C.Directives))
    if (holds(D.Loc, L) && !Stays(D))
      return {"CR1020", "it already runs under the author's '" + D.Name + "'",
              D.Loc};
  return {};
}

std::vector<Finding>
unreachedConstructs(clang::ASTContext &AST, clang::FileID File,
                    ArrayRef<Candidate> Candidates,
                    function_ref<bool(const clang::FunctionDecl *)> IsAsked) {
  SmallPtrSet<const clang::FunctionDecl *, 16> Lifted;
  std::vector<Finding> Known, Found;
  for (const Candidate &C : Candidates) {
    Lifted.insert(patternOf(*C.Decl));
    append_range(Known, C.Findings);
  }
  SourceConstructs All = constructsOf(AST, File);
  for (const SourceLoop &L : All.Loops) {
    if (countAt(Known, L.Loc) || !IsAsked(L.Owner))
      continue;
    Reason Why = L.Barrier;
    if (!Why.isSet() && L.Owner && Lifted.contains(L.Owner))
      Why = {"CR1029",
             "every instantiation of its template discards the branch", L.Loc};
    if (!Why.isSet() && L.Owner && L.Owner->isDependentContext())
      Why = {"CR1028",
             "it stands in a template that the file never "
             "instantiates",
             L.Loc};
    if (!Why.isSet())
      Why = {"CR1713", "no pass recognises it as a tensor operation", L.Loc};
    Found.push_back(finding(Construct::Loop, L.Loc, L.Owner, std::move(Why)));
  }
  for (const clang::FunctionDecl *K : All.Kernels)
    if (!Lifted.contains(K) && IsAsked(K))
      Found.push_back(
          finding(Construct::Kernel, placeOf(*K), K,
                  {"CR1028", "a template that the file never instantiates",
                   placeOf(*K)}));
  return Found;
}

} // namespace raise
