//===- DeviceKernels.cpp - what threads run, as kernels -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceCode.h"
#include "LoadsFirst.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace raise::device {

/// The names in C, but for those of members.
static std::set<std::string> wordsOf(const Code &C) {
  std::set<std::string> Words;
  for (const CodeLine &L : C.Lines) {
    StringRef Text = L;
    bool IsMember = false;
    while (!Text.empty()) {
      const StringRef Word =
          Text.take_while([](char Ch) { return isAlnum(Ch) || Ch == '_'; });
      if (!Word.empty() && !IsMember)
        Words.insert(Word.str());
      if (!Word.empty()) {
        Text = Text.drop_front(Word.size());
        IsMember = false;
        continue;
      }
      IsMember = Text.starts_with(".") || Text.starts_with("->");
      Text = Text.drop_front(Text.starts_with("->") ? 2 : 1);
    }
  }
  return Words;
}

/// The function's name, and that of what is written first.
std::string Printer::nameFor(const StmtRef &Of) {
  std::string First;
  forEachStmt(Of, [&](const StmtRef &S) {
    auto *St = dyn_cast<Store>(S.get());
    if (St && First.empty() && St->To.Buf->Kind != BufferKind::Local)
      First = asIdentifier(St->To.Buf->Name);
  });
  const std::string Base = F.Name + (First.empty() ? "_part" : "_" + First);
  std::string Name = Base;
  for (unsigned I = 2; !KernelNames.insert(Name).second; ++I)
    Name = Base + std::to_string(I);
  return Name;
}

bool Printer::meet(const Buffer &A, const Buffer &B) const {
  return &A == &B ||
         (alias(A, B) != AliasResult::No && !areApart(Tested, A, B));
}

/// As a kernel's parameter, among All.
std::string Printer::declare(const Argument &A,
                             const DenseSet<const Buffer *> &Written,
                             const std::vector<const Argument *> &All,
                             bool Waits) const {
  if (!A.Array)
    return A.Type + (StringRef(A.Type).ends_with("*") ? "" : " ") + A.Name;
  const bool IsWritten = Written.contains(A.Array);
  // Of its elements none is another's that a thread of the kernel writes.
  const bool Alone = none_of(All, [&](const Argument *Other) {
    return Other != &A && Other->Array &&
           (IsWritten || Written.contains(Other->Array)) &&
           (Other->Array == A.Array || meet(*Other->Array, *A.Array));
  });
  // Of what is declared so, compilers take it that no other thread writes it,
  // at a barrier either.
  const bool Mine = Alone && !A.Into && !(IsWritten && Waits);
  return std::string(IsWritten && !A.Array->Const ? "" : "const ") +
         (A.Array->Volatile ? "volatile " : "") + A.Type +
         (Mine ? " *__restrict__ " : " *") + A.Name;
}

/// The names that S declares, of which its own variables have them there.
static void addDeclared(const StmtRef &S, const Names &N,
                        std::set<std::string> &Into) {
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *D = dyn_cast<Decl>(Sub.get()))
      Into.insert(N.of(D->V.get()));
    else if (auto *B = dyn_cast<DeclBuffer>(Sub.get()))
      Into.insert(B->B->Name);
    else if (auto *L = dyn_cast<For>(Sub.get()); L && L->DeclaresVar)
      Into.insert(N.of(L->V.get()));
    else if (auto *T = dyn_cast<TensorOp>(Sub.get()))
      for (const Iterator &It : T->Iterators)
        Into.insert(N.of(It.V.get()));
  });
}

Code Printer::kernel(const Code &Body, const StmtRef &Of, std::string Blocks,
                     std::string Threads, ArrayRef<Iterator> Own) {
  const std::set<std::string> Words = wordsOf(Body);
  // A name that is declared inside is used for nothing that is outside.
  std::set<std::string> Inside;
  addDeclared(Of, N, Inside);
  for (const Iterator &It : Own)
    Inside.insert(N.of(It.V.get()));
  std::vector<const Argument *> Used;
  std::set<std::string> Listed;
  // What was declared last hides what else has that name.
  for (const Argument &A : reverse(Visible))
    if (Words.count(A.Name) && !Inside.count(A.Name) &&
        Listed.insert(A.Name).second)
      Used.insert(Used.begin(), &A);
  DenseSet<const Buffer *> Written;
  forEachStmt(Of, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      Written.insert(St->To.Buf.get());
    // A pointer into it that is declared as one to write by.
    if (auto *D = dyn_cast<Decl>(S.get());
        D && D->V->Kind == VarKind::Cursor && !D->V->Base->Const)
      Written.insert(D->V->Base.get());
    if (auto *R = dyn_cast<Region>(S.get()))
      forEachStmt(R->Original, [&](const StmtRef &Sub) {
        if (auto *St = dyn_cast<Store>(Sub.get()))
          Written.insert(St->To.Buf.get());
      });
  });
  const bool Waits =
      Words.count("__syncthreads") || Words.count("raise_block_sum") ||
      Words.count("raise_block_max") || Words.count("raise_block_min") ||
      Words.count("raise_column_sum");
  std::string Declared, Passed;
  for (const Argument *A : Used) {
    Declared +=
        (Declared.empty() ? "" : ", ") + declare(*A, Written, Used, Waits);
    Passed += (Passed.empty() ? "" : ", ") + A->Name;
  }
  const std::string Name = nameFor(Of);
  Kernels.push_back(
      nested("static __global__ void " + Name + "(" + Declared + ")", Body,
             /*Braces=*/true));
  Code C;
  C.line(Name + "<<<" + Blocks + ", " + Threads +
         (Stream.empty() ? "" : ", 0, " + Stream) + ">>>(" + Passed + ");");
  C.Statements = 1;
  return C;
}

namespace {
/// The operators that there is an atomic function for.
bool hasAtomicForm(const Store &S) {
  // A member's type is the type of the value that is stored.
  const Type &Ty = S.To.Field.empty() ? S.To.Buf->Elem : S.Value->Ty;
  if (S.Value->Ty != Ty)
    return false;
  switch (S.Op) {
  case Combiner::Add:
    return (Ty.isFloat() && (Ty.Bits == 32 || Ty.Bits == 64)) ||
           (Ty.isInt() && (Ty.Bits == 32 || (Ty.Bits == 64 && !Ty.Signed)));
  case Combiner::Sub:
    return (Ty.isFloat() && (Ty.Bits == 32 || Ty.Bits == 64)) ||
           (Ty.isInt() && Ty.Bits == 32);
  case Combiner::Min:
  case Combiner::Max:
  case Combiner::And:
  case Combiner::Or:
  case Combiner::Xor:
    return Ty.isInt() && Ty.Bits == 32;
  default:
    return false;
  }
}
} // namespace

/// What no thread of a device can do.
bool Printer::checkThread(const StmtRef &S) {
  const bool Before = Why.isSet();
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *D = dyn_cast<DeclBuffer>(Sub.get())) {
      if (D->B->Lies != ArrayHome::Automatic)
        refuse("a thread would keep '" + D->B->Name +
                   "', whose size is known at run time only",
               D->Loc);
      for (const ExprRef &E : D->B->Extents)
        if (!E || !isa<IntConst>(*E))
          refuse("a thread would keep '" + D->B->Name +
                     "', whose size is known at run time only",
                 D->Loc);
    } else if (auto *O = dyn_cast<Opaque>(Sub.get())) {
      refuse("a statement was not understood: " +
                 (O->Why.empty() ? O->Text : O->Why),
             O->Loc);
    } else if (auto *St = dyn_cast<Store>(Sub.get())) {
      if (St->Atomic && !hasAtomicForm(*St))
        refuse("CUDA has no atomic form of this update", St->Loc);
      if (!AllPassed && (St->To.Buf->Kind == BufferKind::Global ||
                         St->To.Buf->Kind == BufferKind::Pointer))
        refuse("'" + St->To.Buf->Name + "' is no parameter", St->Loc);
    } else if (auto *R = dyn_cast<Return>(Sub.get()); R && R->Value) {
      refuse("the function returns what the device computes", R->Loc);
    } else if (isa<Barrier>(*Sub)) {
      refuse("threads wait for each other", Sub->Loc);
    }
  });
  forEachExpr(S, [&](const ExprRef &E) {
    auto *L = dyn_cast<Load>(E.get());
    auto *U = dyn_cast<VarUse>(E.get());
    if (E->Ty.isFloat() && E->Ty.Bits > 64)
      refuse("a device has no 'long double'", E->Loc);
    if (L && !AllPassed &&
        (L->From.Buf->Kind == BufferKind::Global ||
         L->From.Buf->Kind == BufferKind::Pointer))
      refuse("'" + L->From.Buf->Name + "' is no parameter", E->Loc);
    if (U && U->V->Kind == VarKind::External && !AllPassed)
      refuse("'" + U->V->Name + "' is a variable of the host", E->Loc);
  });
  return Before || !Why.isSet();
}

namespace {
class NoArrays : public Rewriter {
public:
  std::vector<StmtRef> Found;

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *D = dyn_cast<DeclBuffer>(S.get());
    if (!D || D->B->Lies != ArrayHome::Heap)
      return S;
    Found.push_back(S);
    return nullptr;
  }
};
} // namespace

StmtRef Printer::withoutArrays(const StmtRef &Body, const std::string &Count,
                               const std::string &Number, Code &Host,
                               Code &Lines) {
  NoArrays Without;
  StmtRef New = Without.run(Body);
  for (const StmtRef &S : Without.Found) {
    auto *D = cast<DeclBuffer>(S.get());
    const ExprRef &Size = D->B->Extents.front();
    if (D->B->rank() != 1 || !D->Init.empty() || usesMemory(Size) ||
        any_of(Without.Found, [&](const StmtRef &Other) {
          return Other != S &&
                 cast<DeclBuffer>(Other.get())->B->Name == D->B->Name;
        }))
      return Body;
    bool IsParameter = true; // or a number
    forEachExpr(Size, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      IsParameter &=
          !U || (OfHost.contains(U->V.get()) && !assigns(Body, U->V.get()));
    });
    if (!IsParameter)
      return Body;
  }
  for (const StmtRef &S : Without.Found) {
    const Buffer &B = *cast<DeclBuffer>(S.get())->B;
    const std::string Type = P.typeOf(B.Elem),
                      All = N.fresh(B.Name + "_of_points"),
                      Size = parenthesised(
                          P.inType(B.Extents.front(), B.Extents.front()->Ty),
                          Prec::Product);
    Host.line(allocation(Type, All, Count + " * " + Size));
    Lines.line(formatv("{0} *const {1} = {2} + {3} * {4};", Type, B.Name, All,
                       Number, Size));
    Visible.push_back({All, Type + " *"});
    Host.Statements += 1;
    Host.NeedsBlock = true;
  }
  return New;
}

Code Printer::withIterators(const Points &At, StringRef Number,
                            const Code &Body) const {
  const std::set<std::string> Words = wordsOf(Body);
  Code C;
  const std::vector<std::string> Lines = iteratorsAt(At, Number, P);
  for (auto [It, Line] : zip(At.Iterators, Lines))
    if (Words.count(N.of(It.V.get())))
      C.line(Line);
  C.append(Body);
  C.Statements = unsigned(C.Lines.size());
  C.NeedsBlock = true;
  return C;
}

Code Printer::thread(const StmtRef &S) {
  if (!checkThread(S))
    return {};
  const StmtRef Ordered = loadsFirst(
      S, [&](const Buffer &A, const Buffer &B) { return meet(A, B); });
  const Names Outside = N;
  forEachStmt(Ordered, [&](const StmtRef &Sub) {
    auto *D = dyn_cast<Decl>(Sub.get());
    if (D && StringRef(D->V->Name).ends_with("_old") &&
        !declaresInside(S, D->V.get()))
      N.set(D->V.get(), N.fresh(asIdentifier(D->V->Name)));
  });
  StmtPrinter Print(Opts, N, P);
  Print.OnDevice = true;
  Code C = Print.print(Ordered);
  N = Outside;
  return C;
}

namespace {
/// What one thread does, of a nest of loops over all of them.
class OneThread : public Rewriter {
public:
  OneThread(Names &N) : N(N) {}
  unsigned Loops = 0;

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *L = dyn_cast<For>(S.get());
    const StringRef Name = L ? StringRef(L->V->Name) : StringRef();
    if (!Name.starts_with("blockIdx.") && !Name.starts_with("threadIdx."))
      return S;
    N.set(L->V.get(), L->V->Name);
    ++Loops;
    return L->Body;
  }
  Names &N;
};
} // namespace

Code Printer::launch(const StmtRef &Nest) {
  OneThread Of(N);
  Code Host, Lines;
  const StmtRef Body = withoutArrays(
      Of.run(Nest),
      "(" + P.SizeType +
          ")grid.x * grid.y * grid.z * block.x * block.y * block.z",
      "raise_thread()", Host, Lines);
  if (Of.Loops != 6)
    refuse("the threads of a launch do not stand in one nest", Nest->Loc);
  for (const VarRef &V : F.LaunchDims)
    if (V)
      N.set(V.get(), V->Name);
  Code Text = Lines;
  Text.append(thread(Body));
  for (const VarRef &V : F.LaunchDims)
    if (V)
      N.set(V.get(), plainName(*V));
  Host.add(kernel(Text, Body, "grid", "block"));
  return Host;
}

} // namespace raise::device
