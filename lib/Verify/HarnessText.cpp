//===- HarnessText.cpp - the program that calls and compares
//------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Internal.h"

namespace raise {

static const char Fixed[] =
#include "Harness.inc"
#include "HarnessCompare.inc"
#include "HarnessMain.inc"
    ;

unsigned harnessKind(const Type &T) {
  if (T.isVoid())
    return 0;
  if (T.isBool())
    return 1;
  if (T.isInt()) {
    unsigned Log = T.Bits == 8 ? 0 : T.Bits == 16 ? 1 : T.Bits == 32 ? 2 : 3;
    return (T.Signed ? 2 : 6) + Log;
  }
  return T.Bits == 16 ? 10 : T.Bits == 32 ? 11 : T.Bits == 64 ? 12 : 13;
}

/// A type that is passed as T is.
static const char *passedAs(const Type &T) {
  static const char *const Names[] = {
      "void",    "bool",    "int8_t",   "int16_t",    "int32_t",
      "int64_t", "uint8_t", "uint16_t", "uint32_t",   "uint64_t",
      "void",    "float",   "double",   "long double"};
  return Names[harnessKind(T)];
}

static std::string caller(const VerifyJob &Job, unsigned Number) {
  const Function &F = *Job.Original;
  std::string Types, Args;
  auto Add = [&](const std::string &Ty, const std::string &Arg) {
    Types += (Types.empty() ? "" : ", ") + Ty;
    Args += (Args.empty() ? "" : ", ") + Arg;
  };
  if (Job.IsKernel) {
    Add("Dim3", "in->grid");
    Add("Dim3", "in->block");
  }
  unsigned Scalars = 0, Pointers = 0;
  for (const Param &P : F.Params) {
    if (P.Buf && P.Buf->EachElement)
      continue; // it lies in what another parameter leads to
    if (P.Buf) {
      Add("void *", "ptr[" + std::to_string(Pointers++) + "]");
      continue;
    }
    std::string Ty = passedAs(P.Scalar->Ty);
    Add(Ty, "scalarOf<" + Ty + ">(in, " + std::to_string(Scalars++) + ")");
  }
  std::string Result = Job.IsKernel ? "void" : passedAs(F.Result);
  std::string Text = "static void call" + std::to_string(Number) +
                     "(void *fn, const Input *in, char **ptr, void *ret) {\n"
                     "  (void)in, (void)ptr, (void)ret;\n  ";
  if (Result != "void")
    Text += "*(" + Result + " *)ret = ";
  return Text + "((" + Result + " (*)(" + Types + "))fn)(" + Args + ");\n}\n";
}

std::string harnessSource(llvm::ArrayRef<VerifyJob> Jobs) {
  std::string Text = Fixed, Table = "const Job jobs[] = {\n";
  for (unsigned I = 0; I < Jobs.size(); ++I) {
    std::string N = std::to_string(I);
    Text += caller(Jobs[I], I);
    unsigned Kind =
        Jobs[I].IsKernel ? 0 : harnessKind(Jobs[I].Original->Result);
    Table.append("    {call").append(N).append(", \"raise_entry_").append(N);
    Table.append("\", ").append(std::to_string(Kind)).append("},\n");
  }
  return Text + Table + "};\n";
}

} // namespace raise
