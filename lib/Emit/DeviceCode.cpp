//===- DeviceCode.cpp - statements as kernels and launches ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceCode.h"
#include "Guards.h"
#include "HeapArrays.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace raise::device {

/// Threads of a block, where they are for points of their own, for one point
/// together, or alone.
static constexpr unsigned PointThreads = 256, RowThreads = 128,
                          AloneThreads = 1024;
/// Blocks that share a sum.
static constexpr unsigned SumBlocks = 1024;
static_assert(SumBlocks <= AloneThreads, "one thread adds one part");

Printer::Printer(const Function &F, const StmtRef &Body, const Options &Given,
                 Names &N, ExprPrinter &P, ArrayRef<Guard> Tested)
    : F(F), Opts(Given), N(N), P(P), Tested(Tested.vec()) {
  Opts.OpenMP = Opts.OpenMPSimd = false; // a thread's loops have no pragmas
  for (const Param &Pa : F.Params) {
    if (Pa.Scalar) {
      Visible.push_back({Pa.name().str(), P.typeOf(Pa.Scalar->Ty)});
      OfHost.insert(Pa.Scalar.get());
      continue;
    }
    const Buffer &B = *Pa.Buf;
    if (B.Container || B.Reference || B.Owner || B.rank() != 1 || Pa.Implied)
      refuse("'" + B.Name +
                 "' is no pointer, which is what memory of a device is "
                 "reached by",
             B.Loc);
    Visible.push_back({B.Name, P.typeOf(B.Elem), &B});
  }
  if (F.Kind == FunctionKind::Kernel) {
    Visible.push_back({"grid", "dim3"});
    Visible.push_back({"block", "dim3"});
  }
  noteComputed(Body);
}

void Printer::refuse(std::string Text, const SourceLoc &Loc) {
  if (!Why.isSet())
    Why = {"CR1813", "not written for a device: " + std::move(Text),
           Loc.isValid() ? Loc : F.Loc};
}

bool Printer::usesMemory(const ExprRef &E) const {
  bool Uses = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    Uses |= isa<Load>(*Sub) || (U && Computed.contains(U->V.get()));
  });
  return Uses;
}

static bool holdsOperation(const StmtRef &S) {
  bool Holds = false;
  forEachStmt(S, [&](const StmtRef &Sub) { Holds |= isa<TensorOp>(*Sub); });
  return Holds;
}

/// Whether S stays on the host, around what its body becomes there.
bool Printer::isFrame(const StmtRef &S) const {
  if (auto *I = dyn_cast<If>(S.get()))
    return !usesMemory(I->Cond) && (holdsOperation(I->Then) || I->Else);
  if (auto *L = dyn_cast<For>(S.get()))
    return !Computed.contains(L->V.get()) && !usesMemory(L->Lo) &&
           !usesMemory(L->Hi) && !usesMemory(L->Step) &&
           holdsOperation(L->Body);
  auto *W = dyn_cast<While>(S.get());
  return W && W->TestFirst && !usesMemory(W->Cond) && holdsOperation(W->Body);
}

/// Whether S does anything in memory, or with what was computed from it.
bool Printer::touchesMemory(const StmtRef &S) const {
  bool Touches = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    Touches |= isa<Store, DeclBuffer, Opaque>(*Sub);
  });
  forEachExpr(S, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    Touches |= isa<Load>(*E) || (U && Computed.contains(U->V.get()));
  });
  return Touches;
}

/// Scalars that get a value out of memory, or in what a kernel runs.
void Printer::noteComputed(const StmtRef &Body) {
  bool Changed = true;
  const auto Note = [&](const VarRef &V) {
    if (V->Kind == VarKind::Param)
      refuse("'" + V->Name + "' is given a value that the device computes",
             V->Loc);
    Changed |= Computed.insert(V.get()).second;
  };
  const std::function<void(const StmtRef &)> Walk = [&](const StmtRef &S) {
    if (!S)
      return;
    if (auto *B = dyn_cast<Block>(S.get())) {
      for (const StmtRef &Sub : B->Body)
        Walk(Sub);
    } else if (auto *R = dyn_cast<Region>(S.get())) {
      Walk(R->Body);
      Walk(R->Original);
    } else if (auto *D = dyn_cast<Decl>(S.get())) {
      if (D->Init && usesMemory(D->Init))
        Note(D->V);
    } else if (auto *A = dyn_cast<Assign>(S.get())) {
      if (usesMemory(A->Value))
        Note(A->V);
    } else if (isFrame(S)) {
      auto *I = dyn_cast<If>(S.get());
      auto *L = dyn_cast<For>(S.get());
      Walk(I ? I->Then : L ? L->Body : cast<While>(S.get())->Body);
      if (I)
        Walk(I->Else);
    } else if (touchesMemory(S)) {
      assignedVars(S, Note); // what it declares as well, which matters to none
    }
  };
  while (Changed) {
    Changed = false;
    Walk(Body);
  }
}

/// Whether S computes nothing but scalars of the host's.
bool Printer::isForHost(const StmtRef &S) const {
  if (auto *D = dyn_cast<Decl>(S.get()))
    return !Computed.contains(D->V.get());
  if (auto *A = dyn_cast<Assign>(S.get()))
    return !Computed.contains(A->V.get()) && !usesMemory(A->Value);
  if (auto *R = dyn_cast<Return>(S.get()))
    return !R->Value || !usesMemory(R->Value);
  return isa<Break, Continue>(*S) ||
         (isa<For, While, If, TensorOp>(*S) && !touchesMemory(S));
}

// --- The host's side --------------------------------------------------------

Code Printer::decl(const Decl &D) {
  StmtPrinter Print(Opts, N, P);
  Code C = Print.print(std::make_shared<Decl>(D));
  const std::string Name = N.of(D.V.get());
  if (D.V->Kind == VarKind::Cursor)
    Visible.push_back(
        {Name, P.typeOf(D.V->Base->Elem), D.V->Base.get(), /*Into=*/true});
  else
    Visible.push_back({Name, P.typeOf(D.V->Ty)});
  OfHost.insert(D.V.get());
  return C;
}

std::string Printer::allocation(StringRef Type, StringRef Name, StringRef Count,
                                bool Cleared) const {
  std::string Text = formatv("raise_array<{0}> {1}({2}", Type, Name, Count);
  if (Cleared || !Stream.empty())
    Text += formatv(", /*cleared=*/{0}", Cleared ? "true" : "false");
  return Text + (Stream.empty() ? "" : ", " + Stream) + ");";
}

Code Printer::array(const DeclBuffer &D) {
  const Buffer &B = *D.B;
  if (B.Lies == ArrayHome::Growing) {
    refuse("the number of elements of '" + B.Name +
               "' is not known before it is filled",
           D.Loc);
    return {};
  }
  std::string Count;
  for (const ExprRef &E : B.Extents)
    Count += (Count.empty() ? "" : " * ") +
             parenthesised(P.inType(E, E->Ty), Prec::Product);
  const bool Cleared = !D.Init.empty() && all_of(D.Init, [](const ExprRef &E) {
    auto *I = dyn_cast<IntConst>(withoutImplicitCasts(E).get());
    auto *Fl = dyn_cast<FloatConst>(withoutImplicitCasts(E).get());
    return (I && I->Value == 0) || (Fl && Fl->Value == 0);
  });
  if ((!D.Init.empty() && !Cleared) || B.rank() != 1)
    refuse("the array '" + B.Name + "' has a form that only a host's can have",
           D.Loc);
  const std::string Type = P.typeOf(B.Elem);
  Code C;
  C.line(allocation(Type, B.Name, Count, Cleared));
  C.Statements = 1;
  C.NeedsBlock = true;
  Visible.push_back({B.Name, Type, &B});
  return C;
}

/// Whether S declares a scalar without a look at memory.
static bool isPlainDecl(const StmtRef &S) {
  auto *D = dyn_cast<Decl>(S.get());
  bool Plain = D && D->Init;
  if (Plain)
    forEachExpr(D->Init, [&](const ExprRef &E) { Plain &= !isa<Load>(*E); });
  return Plain;
}

/// A grid's blocks each add up a part, and the block that goes on adds these.
Code Printer::leadingSums(ArrayRef<StmtRef> &Body, Code &Adding) {
  Code C;
  std::vector<StmtRef> Before;
  const FPMode Order =
      Opts.FP == FPMode::Strict ? FPMode::Strict : FPMode::Fast;
  for (; !Body.empty(); Body = Body.drop_front()) {
    const StmtRef &S = Body.front();
    if (isPlainDecl(S)) {
      Before.push_back(S);
      Adding.add(thread(S));
      continue;
    }
    auto *T = dyn_cast<TensorOp>(S.get());
    const auto Sums = T ? sumsOf(*T, Order) : std::nullopt;
    // The kernel for a sum comes before all of this.
    const auto IsThere = [&](const StmtRef &D) {
      const VarRef &V = cast<Decl>(D.get())->V;
      return is_contained(*Sums, V) || !uses(S, V.get());
    };
    if (!Sums || !all_of(Before, IsThere) ||
        any_of(T->Iterators, [&](const Iterator &It) {
          return usesMemory(It.Lo) || usesMemory(It.Hi);
        }))
      break;
    std::vector<Group::Part> Parts;
    for (const VarRef &V : *Sums) {
      const std::string Name = N.fresh(N.of(V.get()) + "_parts"),
                        Type = P.typeOf(V->Ty);
      C.line(allocation(Type, Name, std::to_string(SumBlocks)));
      Visible.push_back({Name, Type + " *"});
      Parts.push_back({V, Name});
      Adding.line(formatv(
          "{0} += raise_block_sum(threadIdx.x < {1} ? {2}[threadIdx.x] : 0);",
          N.of(V.get()), SumBlocks, Name));
    }
    C.add(kernel(Group(*this).share(*T, Parts), S, std::to_string(SumBlocks),
                 std::to_string(PointThreads)));
  }
  C.Statements = unsigned(C.Lines.size());
  C.NeedsBlock = !C.Lines.empty();
  Adding.Statements = unsigned(Adding.Lines.size());
  return C;
}

bool hasLoops(const StmtRef &S) {
  bool Found = false;
  forEachStmt(
      S, [&](const StmtRef &Sub) { Found |= isa<TensorOp, For, While>(*Sub); });
  return Found;
}

/// One block, for what has no points.
Code Printer::serial(ArrayRef<StmtRef> Given) {
  Code Arrays;
  std::vector<StmtRef> Plain;
  for (const StmtRef &S : Given) {
    auto *R = dyn_cast<Region>(S.get());
    auto *D = dyn_cast<DeclBuffer>(S.get());
    if (D && D->B->Lies == ArrayHome::Heap &&
        none_of(D->B->Extents, [&](const ExprRef &E) {
          return usesMemory(E) || any_of(Given, [&](const StmtRef &Other) {
                   auto *Let = dyn_cast<Decl>(Other.get());
                   return Let && uses(E, Let->V.get());
                 });
        }))
      Arrays.add(array(*D));
    else if (R && R->Rests.Guards.empty() && !R->Rests.Inspection)
      append_range(Plain, statements(R->Body));
    else
      Plain.push_back(S);
  }
  ArrayRef<StmtRef> Body = Plain;
  const StmtRef All = makeBlock(Plain);
  bool Shares = false;
  forEachStmt(All, [&](const StmtRef &S) { Shares |= isa<TensorOp>(*S); });
  if (!Shares) {
    Use.Alone |= hasLoops(All);
    Arrays.add(kernel(thread(All), All, "1", "1"));
    return Arrays;
  }
  Code Text;
  Code C = std::move(Arrays);
  const Code Sums = leadingSums(Body, Text);
  Use.Shared |= !Sums.Lines.empty();
  Use.Alone |= hasLoops(makeBlock(Body.vec()));
  C.add(Sums);
  Text.append(Group(*this).print(makeBlock(Body.vec())));
  C.add(kernel(Text, All, "1", std::to_string(AloneThreads)));
  return C;
}

/// What a block does for one of the points; nothing where its threads would
/// share no loop.
std::optional<Code> Printer::row(const Points &At) {
  const Names Outside = N;
  const Reason Before = Why;
  Group Threads(*this);
  const std::string Number = N.fresh("point");
  const Code Text = Threads.print(At.Body);
  if (!Threads.Shares) {
    N = Outside;
    Why = Before;
    return std::nullopt;
  }
  Use.Alone |= Threads.Alone;
  Code Body;
  Body.line("const " + P.SizeType + " " + Number + " = blockIdx.x;");
  Body.append(withIterators(At, Number, Text));
  return Body;
}

Code Printer::operation(const TensorOp &T) {
  const Points At = pointsOf(T);
  const auto ReadsMemory = [&](const Iterator &It) {
    return usesMemory(It.Lo) || usesMemory(It.Hi) || usesMemory(It.Step);
  };
  bool KeepsScalars = false;
  assignedVars(T.Body, [&](const VarRef &V) {
    KeepsScalars |=
        !declaresInside(T.Body, V.get()) &&
        none_of(T.Iterators, [&](const Iterator &It) { return It.V == V; });
  });
  if (At.Iterators.empty() || KeepsScalars || any_of(At.Iterators, ReadsMemory))
    return serial({std::make_shared<TensorOp>(T)});
  const std::string Count = countOf(At, P), Any = anyPoint(At, P);
  const Names Outside = N;
  const size_t Known = Visible.size();
  Code Body, Launch;
  std::optional<Code> Special = columnSums(At);
  if (!Special)
    Special = tiledSum(At);
  if (Special) {
    Use.Shared = true;
    N = Outside;
    // Where there are no terms, no element is touched.
    const std::string Terms =
        anyPoint({cast<TensorOp>(At.Body.get())->Iterators, nullptr}, P);
    Under = Any + (Any.empty() || Terms.empty() ? "" : " && ") + Terms;
    return Under.empty() ? *Special : nested("if (" + Under + ")", *Special);
  }
  std::optional<Code> Row = isForBlocks(At) ? row(At) : std::nullopt;
  if (Row) {
    Use.Shared = true;
    Launch = kernel(*Row, At.Body, "raise_rows(" + Count + ")",
                    std::to_string(RowThreads), At.Iterators);
  } else {
    Use.Points = true;
    const std::string Number = N.fresh("point");
    Body.line("const " + P.SizeType + " " + Number + " = (" + P.SizeType +
              ")blockIdx.x * blockDim.x + threadIdx.x;");
    Body.line("if (" + Number + " >= " + Count + ")");
    Body.line("  return;");
    Code Lines;
    const StmtRef Own = withoutArrays(At.Body, Count, Number, Launch, Lines);
    Lines.append(thread(Own));
    Body.append(withIterators(At, Number, Lines));
    Launch.add(kernel(Body, Own, "raise_blocks(" + Count + ")",
                      std::to_string(PointThreads), At.Iterators));
  }
  Visible.resize(Known);
  N = Outside;
  if (Any.empty())
    return Launch;
  Under = Any;
  return nested("if (" + Any + ")", Launch);
}

Code Printer::region(const Region &R) {
  if (R.Rests.Inspection) {
    refuse("tests before it look at memory", R.Loc);
    return {};
  }
  if (R.Rests.Guards.empty())
    return print(R.Body);
  for (const Guard &G : R.Rests.Guards)
    for (const ExprRef &E : {G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi})
      if (E && usesMemory(E)) // the original needs no test
        return print(R.Original);
  const size_t Outside = Tested.size();
  append_range(Tested, R.Rests.Guards);
  const Code Body = print(R.Body);
  Tested.resize(Outside);
  return branches(guardCondition(R.Rests.Guards, P), Body, print(R.Original));
}

Code Printer::print(const StmtRef &S) {
  if (auto *B = dyn_cast<Block>(S.get()))
    return list(B->Body);
  if (auto *R = dyn_cast<Region>(S.get()))
    return region(*R);
  if (isForHost(S)) {
    if (auto *D = dyn_cast<Decl>(S.get()))
      return decl(*D);
    return StmtPrinter(Opts, N, P).print(S);
  }
  if (auto *T = dyn_cast<TensorOp>(S.get()))
    return operation(*T);
  if (auto *D = dyn_cast<DeclBuffer>(S.get()))
    return array(*D);
  if (auto *O = dyn_cast<Opaque>(S.get());
      O && !O->Pure && (O->NoReturn || O->Why.empty()))
    return StmtPrinter(Opts, N, P).print(S);
  if (!isFrame(S))
    return serial({S});
  if (auto *I = dyn_cast<If>(S.get())) {
    const std::string Cond = P.condition(I->Cond).Text;
    const Code Then = print(I->Then);
    return I->Else ? branches(Cond, Then, print(I->Else))
                   : nested("if (" + Cond + ")", Then);
  }
  if (auto *W = dyn_cast<While>(S.get()))
    return nested("while (" + P.condition(W->Cond).Text + ")", print(W->Body));
  auto *L = cast<For>(S.get());
  const size_t Outside = Visible.size();
  const std::string Name = N.of(L->V.get());
  Visible.push_back({Name, P.typeOf(L->V->Ty)});
  OfHost.insert(L->V.get());
  // The loop around nothing, for its head.
  const Code Empty =
      StmtPrinter(Opts, N, P)
          .print(std::make_shared<For>(
              L->V, L->Lo, L->Cond, L->Hi, L->Step, LoopKind::Serial,
              L->DeclaresVar, std::make_shared<Block>(std::vector<StmtRef>()),
              L->Loc));
  const std::string Head = Empty.Lines.front();
  Code C = nested(StringRef(Head).rtrim(" {").str(), print(L->Body));
  Visible.resize(Outside);
  return C;
}

/// Whether S is nothing but one operation.
static bool isOperation(const StmtRef &S) {
  if (auto *R = dyn_cast<Region>(S.get()))
    return R->Rests.Guards.empty() && !R->Rests.Inspection &&
           isOperation(R->Body);
  const ArrayRef<StmtRef> All = statements(S);
  return All.size() == 1 && isa<TensorOp>(*All.front());
}

/// What stands in the braces, or the line, of If.
static Code insideOf(const Code &If) {
  Code C;
  for (const CodeLine &L : drop_begin(If.Lines))
    if (L != "}")
      C.Lines.emplace_back(StringRef(L).drop_front(2).str(), L.From);
  C.Statements = 1;
  return C;
}

static bool touches(const StmtRef &S, const Buffer &B) {
  struct Finder : Visitor {
    const Buffer *Of = nullptr;
    bool Found = false;
    bool visitExpr(const ExprRef &E) override {
      auto *L = dyn_cast<Load>(E.get());
      Found |= L && L->From.Buf.get() == Of;
      return true;
    }
    bool visitStmt(const StmtRef &Sub) override {
      auto *St = dyn_cast<Store>(Sub.get());
      Found |= St && St->To.Buf.get() == Of;
      return true;
    }
  } F;
  F.Of = &B;
  F.VisitOriginals = true;
  F.walk(S);
  return F.Found;
}

/// Statements around scalars that hang on memory go together.
Code Printer::list(ArrayRef<StmtRef> Body) {
  const size_t Outside = Visible.size();
  // Launches under one condition stand under it together.
  std::string Above;
  Code C, Launches;
  const auto Flush = [&] {
    if (!Launches.Lines.empty())
      C.add(nested("if (" + Above + ")", Launches));
    Launches = {};
    Above.clear();
  };
  for (size_t I = 0; I < Body.size(); ++I) {
    size_t Last = I;
    const auto Reach = [&](const Var *V) {
      for (size_t K = Body.size(); K-- > Last + 1;)
        if (uses(Body[K], V) || assigns(Body[K], V)) {
          Last = K;
          return;
        }
    };
    auto *D = dyn_cast<Decl>(Body[I].get());
    if (D && Computed.contains(D->V.get())) {
      // All that is declared on the way goes with it.
      for (size_t K = I; K <= Last; ++K)
        if (auto *Let = dyn_cast<Decl>(Body[K].get()))
          Reach(Let->V.get());
        else if (auto *Array = dyn_cast<DeclBuffer>(Body[K].get());
                 Array && Array->B->Lies == ArrayHome::Automatic)
          while (Last + 1 < Body.size() &&
                 any_of(Body.drop_front(Last + 1), [&](const StmtRef &S) {
                   return touches(S, *Array->B);
                 }))
            ++Last;
      const StmtRef All = makeBlock(Body.slice(I, Last - I + 1).vec());
      assignedVars(All, [&](const VarRef &V) {
        if (!declaresInside(All, V.get()))
          refuse("'" + V->Name + "' changes among what the device computes",
                 Body[I]->Loc);
      });
      Flush();
      if (Last > I)
        C.add(serial(Body.slice(I, Last - I + 1)));
      I = Last;
      continue;
    }
    // What is not used later is left behind by passes.
    if (D && none_of(Body.drop_front(I + 1), [&](const StmtRef &S) {
          return uses(S, D->V.get()) || assigns(S, D->V.get());
        }))
      continue;
    Under.clear();
    const Code Next = print(Body[I]);
    if (!isOperation(Body[I])) // what set it stands somewhere inside
      Under.clear();
    if (Under.empty() || Under != Above)
      Flush();
    if (Under.empty()) {
      C.add(Next);
    } else {
      Above = Under;
      Launches.add(insideOf(Next));
    }
  }
  Flush();
  Under.clear();
  Visible.resize(Outside);
  return C;
}

} // namespace raise::device
