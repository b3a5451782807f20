//===- HeapArrays.cpp - arrays on the heap, as C and C++ text -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HeapArrays.h"
#include "raise/Emit/Source.h"
#include "raise/IR/Counts.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

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

static bool isName(const std::string &Text) {
  return all_of(Text, [](char C) { return isAlnum(C) || C == '_'; });
}

/// `(size_t)n`, and in parentheses what is no name.
static std::string asSize(const std::string &Text) {
  return "(size_t)" + (isName(Text) ? Text : "(" + Text + ")");
}

/// Room for Count elements at Name, which may be declared there.
static std::vector<std::string>
allocation(const Buffer &B, const std::string &Name, const std::string &Count) {
  // malloc(0) may be null.
  return {Name + " = malloc(" + Count + " * sizeof *" + B.Name + " + 1);",
          "if (!" + B.Name + ")", "  abort();"};
}

std::vector<std::string> heapDeclaration(const HeapArray &A, bool C) {
  const Buffer &B = *A.B;
  const bool Grows = B.Lies == ArrayHome::Growing;
  // A member of a structure is declared there.
  if (B.Owner && !C)
    return {B.Name + (Grows    ? ".clear();"
                      : A.Zero ? ".assign(" + A.Size + ", 0);"
                               : ".resize(" + A.Size + ");")};
  const std::string Name = B.Owner ? B.Name : A.ElementType + " *" + B.Name;
  if (!C) // a vector's elements are set
    return {"std::vector<" + A.ElementType + "> " + B.Name +
            (Grows ? ";" : "(" + A.Size + ");")};
  if (Grows)
    return {Name + " = NULL;"};
  if (A.Zero)
    return {Name + " = calloc(" + asSize(A.Size) + " + 1, sizeof *" + B.Name +
                ");",
            "if (!" + B.Name + ")", "  abort();"};
  return allocation(B, Name, asSize(A.Size));
}

const ExprRef &elementCount(const Buffer &B) {
  const ExprRef &E = B.Extents.front();
  const auto *C = dyn_cast<Cast>(E.get());
  return C && C->Ty.Bits == 64 && C->Operand->Ty.isInt() &&
                 !C->Operand->Ty.Signed && C->Operand->Ty.Bits == 64
             ? C->Operand
             : E;
}

/// Whether D, which stands behind Before, may stand in front of it.
static bool mayComeFirst(const StmtRef &D, ArrayRef<StmtRef> Before,
                         const Names &N) {
  DeclaredNames Own;
  addDeclaredNames(D, N, Own);
  // Of a statement that is not understood, nobody knows what it changes.
  bool Ok =
      none_of(Before, [&](const StmtRef &S) { return usesOther(S, Own, N); });
  for (const StmtRef &S : Before)
    forEachStmt(S, [&](const StmtRef &Sub) { Ok &= !isa<Opaque>(*Sub); });
  for (const ExprRef &Extent : cast<DeclBuffer>(*D).B->Extents)
    forEachExpr(Extent, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Ok &= !isa<Load, Call>(*E) &&
            !(U && any_of(Before, [&](const StmtRef &S) {
                return assigns(S, U->V.get()) || declaresInside(S, U->V.get());
              }));
    });
  return Ok;
}

/// Whether sums of sizes as E fit: no count of iterations is as large as a
/// negative number that was made a size.
static bool isCountOfSome(const ExprRef &E) {
  bool Ok = NotNegative().holds(E);
  forEachExpr(E, [&](const ExprRef &Sub) {
    Ok &= !Sub->Ty.isInt() || Sub->Ty.Signed || Sub->Ty.Bits < 64;
  });
  return Ok;
}

std::vector<StmtRef> sharedArrays(ArrayRef<StmtRef> Body, const Names &N) {
  std::vector<StmtRef> Arrays;
  for (size_t I = 0; I < Body.size(); ++I) {
    auto *D = dyn_cast<DeclBuffer>(Body[I].get());
    if (D && D->B->Lies == ArrayHome::Heap && !D->B->Owner && D->Init.empty() &&
        !N.Movable.count(D->B.get()) && isCountOfSome(elementCount(*D->B)) &&
        mayComeFirst(Body[I], Body.take_front(I), N))
      Arrays.push_back(Body[I]);
    else if (I == 0)
      break;
  }
  return Arrays;
}

namespace {

/// Arrays of one type in one allocation.
class SharedAllocation {
public:
  void add(const HeapArray &A) { Arrays.push_back(&A); }
  bool isFor(const HeapArray &A) const {
    return Arrays.front()->ElementType == A.ElementType;
  }
  /// SizeNames: what sizes are called, by their texts, also of arrays of other
  /// types that are declared with these.
  std::vector<std::string> declare(const SharedArrays &To, bool C,
                                   StringMap<std::string> &SizeNames) const;

private:
  SmallVector<const HeapArray *, 8> Arrays;
};

/// `3 * n`
std::string times(unsigned Count, const std::string &Size) {
  return Count == 1 ? Size : std::to_string(Count) + " * " + Size;
}

std::vector<std::string>
SharedAllocation::declare(const SharedArrays &To, bool C,
                          StringMap<std::string> &SizeNames) const {
  if (Arrays.size() == 1)
    return heapDeclaration(*Arrays.front(), C);
  const std::string SizeType = C ? "size_t" : "std::size_t";
  MapVector<StringRef, unsigned> Counts; // of arrays, by their size's text
  std::vector<std::string> Lines;
  for (const HeapArray *A : Arrays) {
    if (++Counts[A->Size] > 1)
      continue;
    std::string &Size = SizeNames[A->Size];
    if (!Size.empty())
      continue;
    Size = To.Fresh(A->B->Name + "_size");
    Lines.push_back(
        ("const " + Twine(SizeType) + " " + Size + " = " + A->Size + ";")
            .str());
  }
  std::vector<std::string> Terms;
  for (const auto &[Size, Count] : Counts)
    Terms.push_back(times(Count, SizeNames[Size]));
  const HeapArray &First = *Arrays.front();
  const std::string Type = First.ElementType,
                    Declared = Type + " *" + First.B->Name,
                    All = join(Terms, " + ");
  if (C) {
    append_range(Lines, allocation(*First.B, Declared,
                                   Terms.size() == 1 ? All : "(" + All + ")"));
  } else {
    const std::string Name = To.Fresh("arrays");
    Lines.push_back("std::vector<" + Type + "> " + Name + "(" + All + ");");
    Lines.push_back(Declared + " = " + Name + ".data();");
  }
  for (const HeapArray *A : Arrays)
    To.Shared.insert(A->B);
  for (size_t I = 1; I < Arrays.size(); ++I) {
    const HeapArray &A = *Arrays[I], &Before = *Arrays[I - 1];
    Lines.push_back(Type + " *" + A.B->Name + " = " + Before.B->Name + " + " +
                    SizeNames[Before.Size] + ";");
    To.Parts.insert(A.B);
  }
  return Lines;
}

} // namespace

std::vector<std::string> heapDeclarations(ArrayRef<HeapArray> Arrays,
                                          const SharedArrays &To, bool C) {
  std::vector<SharedAllocation> Allocations;
  for (const HeapArray &A : Arrays) {
    const auto Own = find_if(
        Allocations, [&](const SharedAllocation &S) { return S.isFor(A); });
    (Own == Allocations.end() ? Allocations.emplace_back() : *Own).add(A);
  }
  std::vector<std::string> Lines;
  StringMap<std::string> SizeNames;
  for (const SharedAllocation &S : Allocations)
    append_range(Lines, S.declare(To, C, SizeNames));
  return Lines;
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

std::vector<std::string>
heapRelease(ArrayRef<StmtRef> Body,
            const SmallPtrSetImpl<const Buffer *> &Parts) {
  std::vector<std::string> Lines;
  for (const StmtRef &S : Body)
    if (auto *D = dyn_cast<DeclBuffer>(S.get());
        D && D->B->Lies != ArrayHome::Automatic && !D->B->Owner &&
        !Parts.count(D->B.get()))
      Lines.push_back("free(" + D->B->Name + ");");
  return Lines;
}

} // namespace raise
