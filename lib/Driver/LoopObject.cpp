//===- LoopObject.cpp - the object that a loop works on -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoopObject.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace raise {

namespace {

/// A member by its path from Class ("in.n"): null if there is none.
struct Member {
  const clang::FieldDecl *Field = nullptr;
  uint64_t Offset = 0; ///< bytes
};

Member memberOf(const clang::CXXRecordDecl &Class, StringRef Path) {
  const clang::ASTContext &AST = Class.getASTContext();
  const clang::RecordDecl *In = &Class;
  Member M;
  while (!Path.empty()) {
    const auto [Name, Rest] = Path.split('.');
    const clang::FieldDecl *Found = nullptr;
    if (In && !In->isUnion())
      for (const clang::FieldDecl *F : In->fields())
        if (F->getName() == Name)
          Found = F;
    if (!Found || Found->isBitField())
      return {};
    M.Field = Found;
    M.Offset +=
        AST.getASTRecordLayout(In).getFieldOffset(Found->getFieldIndex()) /
        AST.getCharWidth();
    In = Found->getType()->getAsRecordDecl();
    Path = Rest;
  }
  return M;
}

bool isVector(clang::QualType T) {
  const clang::CXXRecordDecl *R = T->getAsCXXRecordDecl();
  return R && R->getName() == "vector" && R->isInStdNamespace();
}

/// `in.v` as a part of a name.
std::string plain(StringRef Path) {
  std::string Name = Path.str();
  std::replace(Name.begin(), Name.end(), '.', '_');
  return Name;
}

/// Name without "this->" and the call at its end; which call that is.
StringRef pathOf(StringRef Name, bool &IsData, bool &IsSize) {
  Name.consume_front("this->");
  IsData = Name.consume_back(".data()");
  IsSize = Name.consume_back(".size()");
  return Name;
}

} // namespace

LoopObject::Part &LoopObject::part(StringRef Path) {
  for (Part &P : Parts)
    if (P.Path == Path)
      return P;
  Parts.emplace_back();
  Parts.back().Path = Path.str();
  return Parts.back();
}

bool LoopObject::readClass(const clang::CXXMethodDecl &M, std::string &Why) {
  const clang::CXXRecordDecl *R = M.getParent();
  const bool Simple = M.isInstance() && R->isCompleteDefinition() &&
                      !R->isUnion() && !R->isLambda() && !R->isPolymorphic() &&
                      R->getNumVBases() == 0 && !R->isLocalClass() &&
                      !R->isEffectivelyFinal() && !R->getName().empty() &&
                      !isa<clang::ClassTemplateSpecializationDecl>(R) &&
                      !R->isDependentContext();
  if (!Simple) {
    Why = "no object of class '" + R->getNameAsString() +
          "' can be made for the loop alone";
    return false;
  }
  const clang::ASTContext &AST = R->getASTContext();
  clang::PrintingPolicy Policy(AST.getLangOpts());
  Policy.FullyQualifiedName = true;
  Policy.SuppressUnwrittenScope = true;
  const clang::QualType T = AST.getRecordType(R);
  Type = T.getAsString(Policy);
  Layout.Size = AST.getTypeSizeInChars(T).getQuantity();
  Const = M.isConst();
  Class = R;
  return true;
}

bool LoopObject::readPart(StringRef Name, std::string &Why) {
  if (Name == "this")
    return true;
  bool IsData = false, IsSize = false;
  const StringRef Path = pathOf(Name, IsData, IsSize);
  const Member M = memberOf(*Class, Path);
  const bool Container = IsData || IsSize;
  if (!M.Field || (Container ? !isVector(M.Field->getType())
                             : !M.Field->getType()->isPointerType())) {
    Why = "the loop uses '" + Path.str() +
          "', a member that is neither a number, nor a pointer, nor a vector";
    return false;
  }
  part(Path).IsVector = Container;
  return true;
}

/// The scalar members: those of the accesses to the object's own memory.
bool LoopObject::readFields(const Outlined &O, std::string &Why) {
  const auto Access = [&](const raise::Access &A, const raise::Type &Ty) {
    if (A.Buf->Name != "this" ||
        any_of(Layout.Fields,
               [&](const StructLayout::Field &F) { return F.Path == A.Field; }))
      return;
    const Member M = memberOf(*Class, A.Field);
    if (!M.Field || Ty.isVoid() || A.Buf->rank() != 1)
      Why = "the loop uses '" + A.Field + "', a member of no known place";
    else
      Layout.Fields.push_back({A.Field, unsigned(M.Offset), Ty});
    Given = A.Buf;
  };
  for (const FunctionRef &F : {O.Original, O.Raised}) {
    forEachExpr(F->Body, [&](const ExprRef &E) {
      if (const auto *L = dyn_cast<Load>(E.get()))
        Access(L->From, L->Ty);
    });
    forEachStmt(F->Body, [&](const StmtRef &S) {
      if (const auto *W = dyn_cast<Store>(S.get()))
        Access(W->To, W->Value->Ty);
    });
  }
  return Why.empty();
}

bool LoopObject::read(const clang::FunctionDecl &FD, const Outlined &O,
                      std::string &Why) {
  for (const Param &P : O.Original->Params) {
    if (!isPart(P.name()))
      continue;
    const auto *M = dyn_cast<clang::CXXMethodDecl>(&FD);
    if (!Class && (!M || !readClass(*M, Why)))
      return false;
    if (!readPart(P.name(), Why))
      return false;
  }
  return !Class || readFields(O, Why);
}

FunctionRef LoopObject::lookingAtAll(const FunctionRef &F) const {
  if (!Given)
    return F;
  std::vector<StmtRef> Body;
  for (const StructLayout::Field &Field : Layout.Fields) {
    auto V = std::make_shared<Var>();
    V->Name = "raise_" + plain(Field.Path);
    V->Ty = Field.Ty;
    const Access At{
        Given, {build::intConst(0, raise::Type::getI64())}, {}, Field.Path};
    Body.push_back(std::make_shared<Decl>(
        V, std::make_shared<Load>(At, Field.Ty), F->Loc));
  }
  Body.push_back(F->Body);
  return withBody(*F, makeBlock(std::move(Body)));
}

std::string LoopObject::parameter(StringRef Name, const std::string &Text) {
  if (Name == "this")
    return Type + (Given ? " *raise_object" : " *");
  bool IsData = false, IsSize = false;
  const StringRef Path = pathOf(Name, IsData, IsSize);
  Part &P = part(Path);
  if (IsSize) {
    P.Count = plain(Path) + "_count";
    return Text + " " + P.Count;
  }
  P.Elements = plain(Path) + "_elements";
  return Text + " *" + P.Elements;
}

std::string LoopObject::call(const std::string &Result, StringRef Params,
                             StringRef Arguments, StringRef Body) const {
  std::string Out = "struct raise_object_type : " + Type + " {\n" + Result +
                    " raise_run(" + Params.str() + ")" +
                    (Const ? " const" : "") + " {\n" + Body.str() + "}\n};\n";
  if (!Given) // nothing of it is looked at but what follows
    Out += "alignas(" + Type + ") static unsigned char raise_memory[sizeof(" +
           Type + ")];\nauto *raise_object = reinterpret_cast<" + Type +
           " *>(raise_memory);\n";
  for (const Part &P : Parts) {
    const std::string At = "raise_object->" + P.Path;
    const std::string First = P.Elements.empty() ? "0" : P.Elements;
    if (!P.IsVector) {
      Out += At + " = " + First + ";\n";
      continue;
    }
    // Both libraries keep first element, end and end of the memory, in that
    // order. A vector of another form is found out here.
    Out += "{\nauto &Vector = " + At + ";\nchar *First = (char *)" + First +
           ";\nchar *End = First + " +
           (P.Count.empty() ? std::string("(1ULL << 40)") : P.Count) +
           " * sizeof(*Vector.data());\nchar *Held[] = {First, End, End};\n"
           "static_assert(sizeof(Vector) == sizeof(Held), \"a vector\");\n"
           "__builtin_memcpy((void *)&Vector, Held, sizeof(Held));\n"
           "if ((char *)Vector.data() != First)\n__builtin_trap();\n}\n";
  }
  return Out + "return static_cast<" + (Const ? "const " : "") +
         "raise_object_type *>(raise_object)->raise_run(" + Arguments.str() +
         ");\n";
}

} // namespace raise
