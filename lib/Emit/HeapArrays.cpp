//===- HeapArrays.cpp - arrays on the heap, as C and C++ text -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HeapArrays.h"
#include "raise/Emit/Source.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

HeapUse heapUseOf(const Function &F) {
  struct Finder : Visitor {
    HeapUse Use;
    bool visitStmt(const StmtRef &S) override {
      if (auto *D = dyn_cast<DeclBuffer>(S.get()))
        Use.Any |= D->B->Lies != ArrayHome::Automatic;
      // One that stays empty needs no room.
      if (auto *St = dyn_cast<Store>(S.get()))
        Use.Grows |= St->To.Buf->Lies == ArrayHome::Growing;
      return true;
    }
  } Found;
  Found.VisitOriginals = true;
  Found.walk(F.Body);
  return Found.Use;
}

std::string growingText() {
  return R"(/* Room for element n of an array that grows by doubling. */
static void *raise_room(void *array, size_t n, size_t size) {
  if ((n & (n - 1)) != 0) /* no power of two: there is room */
    return array;
  array = realloc(array, (n == 0 ? 1 : 2 * n) * size);
  if (!array)
    abort();
  return array;
}
)";
}

/// `(size_t)n`, and in parentheses what is no name.
static std::string asSize(const std::string &Text) {
  const bool Name = all_of(Text, [](char C) { return isAlnum(C) || C == '_'; });
  return "(size_t)" + (Name ? Text : "(" + Text + ")");
}

std::vector<std::string> heapDeclaration(const Buffer &B,
                                         const std::string &ElementType,
                                         const std::string &Size, bool Zero,
                                         bool C) {
  const bool Grows = B.Lies == ArrayHome::Growing;
  // A member of a structure is declared there.
  if (B.Owner && !C)
    return {B.Name + (Grows  ? ".clear();"
                      : Zero ? ".assign(" + Size + ", 0);"
                             : ".resize(" + Size + ");")};
  const std::string Name = B.Owner ? B.Name : ElementType + " *" + B.Name;
  if (!C) // a vector's elements are set
    return {"std::vector<" + ElementType + "> " + B.Name +
            (Grows ? ";" : "(" + Size + ");")};
  if (Grows)
    return {Name + " = NULL;"};
  if (Zero)
    return {Name + " = calloc(" + asSize(Size) + " + 1, sizeof *" + B.Name +
                ");",
            "if (!" + B.Name + ")", "  abort();"};
  // malloc(0) may be null.
  return {Name + " = malloc(" + asSize(Size) + " * sizeof *" + B.Name +
              " + 1);",
          "if (!" + B.Name + ")", "  abort();"};
}

std::vector<std::string> growingStore(const Buffer &B, const std::string &Index,
                                      const std::string &Value, bool C) {
  if (!C)
    return {B.Name + ".push_back(" + Value + ");"};
  return {B.Name + " = raise_room(" + B.Name + ", " + asSize(Index) +
              ", sizeof *" + B.Name + ");",
          B.Name + "[" + Index + "] = " + Value + ";"};
}

namespace {

/// Stores to arrays that grow without their place, which is their end; and
/// nothing of Dead.
class Ends : public Rewriter {
public:
  DenseSet<const Var *> Dead;

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()))
      return Dead.count(D->V.get()) ? nullptr : S;
    if (auto *A = dyn_cast<Assign>(S.get()))
      return Dead.count(A->V.get()) ? nullptr : S;
    auto *St = dyn_cast<Store>(S.get());
    if (!St || !St->To.Buf->Count || St->To.Buf->Lies != ArrayHome::Growing)
      return S;
    Access To = St->To;
    To.Indices = {build::intConst(0, Type::getI64())};
    return std::make_shared<Store>(To, St->Op, St->Value, false, St->Loc);
  }
};

} // namespace

StmtRef withoutCounts(const StmtRef &Body) {
  DenseSet<const Var *> Counts;
  forEachStmt(Body, [&](const StmtRef &S) {
    if (auto *D = dyn_cast<DeclBuffer>(S.get());
        D && D->B->Lies == ArrayHome::Growing && D->B->Count)
      Counts.insert(D->B->Count.get());
  });
  if (Counts.empty())
    return Body;
  const StmtRef Open = Ends().run(Body);
  Ends Rest;
  Rest.Dead = Counts;
  forEachExpr(Open, [&](const ExprRef &E) {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      Rest.Dead.erase(U->V.get());
  });
  return Rest.run(Open);
}

std::vector<std::string> heapRelease(ArrayRef<StmtRef> Body) {
  std::vector<std::string> Lines;
  for (const StmtRef &S : Body)
    if (auto *D = dyn_cast<DeclBuffer>(S.get());
        D && D->B->Lies != ArrayHome::Automatic && !D->B->Owner)
      Lines.push_back("free(" + D->B->Name + ");");
  return Lines;
}

} // namespace raise
