//===- Data.cpp - inputs in the harness's format
//------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Internal.h"
#include "Shape.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>

namespace raise {
namespace {

/// What a cell holds that the original writes before it reads it.
constexpr unsigned char Poison = 0xa5;

/// Where threads start more often than this, more of them than there are
/// processors may take seconds for it: nothing is learnt from that.
constexpr uint64_t MaxStarts = 10000;

/// The bytes of V as a T.
void putValue(const interp::Value &V, const Type &T, unsigned char *To) {
  if (T.isFloat()) {
    if (T.Bits == 32) {
      float F = V.Ty.isFloat() ? V.D : V.I;
      std::memcpy(To, &F, sizeof F);
    } else if (T.Bits == 64) {
      double D = V.Ty.isFloat() ? V.D : V.I;
      std::memcpy(To, &D, sizeof D);
    } else {
      long double L = V.Ty.isFloat() ? V.D : V.I;
      std::memset(To, 0, 16);
      std::memcpy(To, &L, 10);
    }
    return;
  }
  std::memcpy(To, &V.I, T.sizeInBytes()); // little endian
}

class Writer {
public:
  Writer(llvm::raw_ostream &OS, const VerifyJob &Job) : OS(OS), Job(Job) {}

  void input(const TestInput &T) {
    for (uint64_t D : T.In.GridDim)
      put<uint32_t>(D);
    for (uint64_t D : T.In.BlockDim)
      put<uint32_t>(D);
    put<uint32_t>(T.Overlaps);
    put<uint32_t>(T.Starts > MaxStarts);
    // Rounding errors of a sum grow with the number of its terms; constants of
    // a few operations around it are covered by the summand.
    put<double>(8.0 * double(T.Terms) + 64);
    put<double>(magnitude(T));
    text(T.Text);
    scalars(T);
    buffers(T);
  }

private:
  llvm::raw_ostream &OS;
  const VerifyJob &Job;

  template <typename V> void put(V Value) {
    OS.write(reinterpret_cast<const char *>(&Value), sizeof Value);
  }
  void text(llvm::StringRef T) {
    put<uint32_t>(T.size());
    OS << T;
  }
  /// How many scalars member F of one element has.
  static unsigned width(const StructLayout::Field &F) {
    return std::max(F.Count, 1u);
  }
  double magnitude(const TestInput &T) {
    double M = 1;
    for (const auto &[Name, V] : T.In.Scalars)
      if (V.Ty.isFloat() && std::isfinite(V.D))
        M = std::max(M, double(std::fabs(V.D)));
    return M;
  }
  void scalars(const TestInput &T) {
    std::vector<const Var *> Vars;
    for (const Param &P : Job.Original->Params)
      if (P.Scalar)
        Vars.push_back(P.Scalar.get());
    put<uint32_t>(Vars.size());
    for (const Var *V : Vars) {
      unsigned char Bytes[16] = {};
      putValue(T.In.Scalars.at(V->Name), V->Ty, Bytes);
      OS.write(reinterpret_cast<const char *>(Bytes), sizeof Bytes);
    }
  }

  /// The cells of member F of all elements of B, which lie in S: those of an
  /// array in each element are a buffer's of their own, with F.Count for each.
  const interp::Storage::Plane &planeOf(const StructLayout::Field &F,
                                        const Buffer &B,
                                        const interp::Storage &S,
                                        const TestInput &T) const {
    static const interp::Storage::Plane None;
    if (F.Count) {
      const Buffer *Array = arrayInEach(*Job.Original, B, F.Path);
      const interp::Storage *In =
          Array ? T.In.Buffers.at(Array->Name).Store.get() : nullptr;
      return In ? In->Cells : None;
    }
    const auto It = S.Fields.find(F.Path);
    return F.Path.empty() || It == S.Fields.end() ? S.Cells : It->second;
  }

  void store(const Buffer &B, const interp::Storage &S, const TestInput &T) {
    StructLayout L = Job.Layouts.lookup(B.Name);
    if (L.Size == 0) {
      L.Size = B.Elem.sizeInBytes();
      L.Fields.push_back({"", 0, B.Elem});
    }
    text(B.Name);
    uint64_t Elements = S.size();
    uint32_t Scalars = 0;
    for (const StructLayout::Field &F : L.Fields) {
      const uint64_t Cells = F.Count ? planeOf(F, B, S, T).size() : 0;
      Elements = std::max(Elements, llvm::divideCeil(Cells, width(F)));
      Scalars += width(F);
    }
    put<uint64_t>(Elements);
    put<uint32_t>(L.Size);
    put<uint32_t>(Scalars);
    for (const StructLayout::Field &F : L.Fields)
      for (unsigned I = 0; I < width(F); ++I) {
        put<uint32_t>(F.Offset + I * F.Ty.sizeInBytes());
        put<uint32_t>(harnessKind(F.Ty));
      }
    std::vector<unsigned char> Bytes(Elements * L.Size, Poison);
    for (const StructLayout::Field &F : L.Fields) {
      const interp::Storage::Plane &Plane = planeOf(F, B, S, T);
      for (size_t I = 0; I < Plane.size() && I < Elements * width(F); ++I)
        if (const auto &Cell = Plane[I])
          putValue(*Cell, F.Ty,
                   &Bytes[I / width(F) * L.Size + F.Offset +
                          I % width(F) * F.Ty.sizeInBytes()]);
    }
    OS.write(reinterpret_cast<const char *>(Bytes.data()), Bytes.size());
  }

  void buffers(const TestInput &T) {
    std::map<const interp::Storage *, unsigned> Numbers;
    std::vector<std::pair<const Buffer *, const interp::Storage *>> Stores;
    std::vector<std::pair<int64_t, int64_t>> Pointers;
    for (const Param &P : Job.Original->Params) {
      if (!P.Buf || P.Buf->EachElement)
        continue;
      const interp::Binding &B = T.In.Buffers.at(P.Buf->Name);
      if (!B.Store) {
        Pointers.emplace_back(-1, 0);
        continue;
      }
      auto [It, New] = Numbers.try_emplace(B.Store.get(), Stores.size());
      if (New)
        Stores.emplace_back(P.Buf.get(), B.Store.get());
      auto L = Job.Layouts.find(P.Buf->Name);
      unsigned Size =
          L != Job.Layouts.end() ? L->second.Size : P.Buf->Elem.sizeInBytes();
      Pointers.emplace_back(It->second, B.Offset * Size);
    }
    put<uint32_t>(Stores.size());
    for (auto &[B, S] : Stores)
      store(*B, *S, T);
    put<uint32_t>(Pointers.size());
    for (auto &[S, Offset] : Pointers) {
      put<int64_t>(S);
      put<int64_t>(Offset);
    }
  }
};

} // namespace

bool writeData(llvm::StringRef Path, const VerifyJob &Job,
               const std::vector<TestInput> &Inputs) {
  std::error_code EC;
  llvm::raw_fd_ostream OS(Path, EC);
  if (EC)
    return false;
  uint32_t Count = Inputs.size();
  OS.write(reinterpret_cast<const char *>(&Count), sizeof Count);
  Writer W(OS, Job);
  for (const TestInput &T : Inputs)
    W.input(T);
  OS.close();
  bool Bad = OS.has_error();
  OS.clear_error();
  return !Bad;
}

} // namespace raise
