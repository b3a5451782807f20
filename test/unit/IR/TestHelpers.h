//===- TestHelpers.h - small functions for the IR's tests -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TEST_UNIT_IR_TESTHELPERS_H
#define RAISE_TEST_UNIT_IR_TESTHELPERS_H

#include "raise/IR/Text.h"
#include "gtest/gtest.h"

namespace raise::test {

inline VarRef makeVar(std::string Name, Type Ty = Type::getI32(),
                      VarKind Kind = VarKind::Local) {
  auto V = std::make_shared<Var>();
  V->Name = std::move(Name);
  V->Ty = std::move(Ty);
  V->Kind = Kind;
  return V;
}

inline BufferRef makeBuffer(std::string Name, Type Elem = Type::getFloat(32),
                            BufferKind Kind = BufferKind::Param) {
  auto B = std::make_shared<Buffer>();
  B->Name = std::move(Name);
  B->Elem = std::move(Elem);
  B->Kind = Kind;
  return B;
}

/// A void host function of the given scalars and buffers.
inline Function makeFunction(std::vector<VarRef> Scalars,
                             std::vector<BufferRef> Buffers, StmtRef Body) {
  Function F;
  F.Name = "f";
  for (VarRef &V : Scalars)
    F.Params.push_back({std::move(V), nullptr});
  for (BufferRef &B : Buffers)
    F.Params.push_back({nullptr, std::move(B)});
  F.Body = std::move(Body);
  return F;
}

/// All functions of the text, none if it does not parse.
inline std::vector<FunctionRef> parseAll(llvm::StringRef Text) {
  auto Functions = parseIR(Text, "t.rir");
  if (!Functions) {
    ADD_FAILURE() << llvm::toString(Functions.takeError());
    return {};
  }
  return std::move(*Functions);
}

/// The last function of the text. Ends the test program if there is none.
inline FunctionRef parse(llvm::StringRef Text) {
  std::vector<FunctionRef> Functions = parseAll(Text);
  if (Functions.empty())
    std::abort();
  return Functions.back();
}

inline std::string printed(const Function &F) {
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  print(OS, F);
  return Out;
}

/// The message of the error that parsing gives.
inline std::string parseError(llvm::StringRef Text) {
  auto Functions = parseIR(Text, "t.rir");
  if (Functions)
    return "no error";
  return llvm::toString(Functions.takeError());
}

} // namespace raise::test

#endif // RAISE_TEST_UNIT_IR_TESTHELPERS_H
