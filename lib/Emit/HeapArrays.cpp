//===- HeapArrays.cpp - arrays on the heap, as C and C++ text -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HeapArrays.h"
#include "raise/Emit/Source.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise {

HeapUse heapUseOf(const Function &F) {
  struct Finder : Visitor {
    HeapUse Use;
    bool visitStmt(const StmtRef &S) override {
      if (auto *D = dyn_cast<DeclBuffer>(S.get())) {
        Use.Any |= D->B->Lies != ArrayHome::Automatic;
        Use.Grows |= D->B->Lies == ArrayHome::Growing;
      }
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

std::vector<std::string> heapDeclaration(const Buffer &B,
                                         const std::string &ElementType,
                                         const std::string &Size, bool C) {
  const bool Grows = B.Lies == ArrayHome::Growing;
  if (!C)
    return {"std::vector<" + ElementType + "> " + B.Name +
            (Grows ? ";" : "(" + Size + ");")};
  if (Grows)
    return {ElementType + " *" + B.Name + " = NULL;"};
  // malloc(0) may be null.
  return {ElementType + " *" + B.Name + " = malloc((size_t)(" + Size +
              ") * sizeof *" + B.Name + " + 1);",
          "if (!" + B.Name + ")", "  abort();"};
}

std::vector<std::string> growingStore(const Buffer &B, const std::string &Index,
                                      const std::string &Value, bool C) {
  if (!C)
    return {B.Name + ".push_back(" + Value + ");"};
  return {B.Name + " = raise_room(" + B.Name + ", (size_t)(" + Index +
              "), sizeof *" + B.Name + ");",
          B.Name + "[" + Index + "] = " + Value + ";"};
}

std::vector<std::string> heapRelease(ArrayRef<StmtRef> Body) {
  std::vector<std::string> Lines;
  for (const StmtRef &S : Body)
    if (auto *D = dyn_cast<DeclBuffer>(S.get());
        D && D->B->Lies != ArrayHome::Automatic)
      Lines.push_back("free(" + D->B->Name + ");");
  return Lines;
}

} // namespace raise
