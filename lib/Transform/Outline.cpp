//===- Outline.cpp - a region as a function of its own --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/Outline.h"
#include "FoldConstants.h"
#include "raise/IR/Fact.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Liveness.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;

namespace {

/// What a statement mentions and does not declare, in order of first mention.
class FreeNames : public Visitor {
public:
  std::vector<VarRef> Vars; // each once
  std::vector<BufferRef> Buffers;
  llvm::SmallPtrSet<const Var *, 16> Assigned;

  /// Adds what Other found.
  void merge(const FreeNames &Other) {
    for (const VarRef &V : Other.Vars)
      add(V);
    for (const BufferRef &B : Other.Buffers)
      add(B);
    Assigned.insert(Other.Assigned.begin(), Other.Assigned.end());
  }
  void finish() {
    llvm::erase_if(Vars,
                   [&](const VarRef &V) { return Own.contains(V.get()); });
    llvm::erase_if(Buffers, [&](const BufferRef &B) {
      return OwnBuffers.contains(B.get());
    });
  }

  bool visitExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      add(U->V);
    else if (auto *L = dyn_cast<Load>(E.get()))
      add(L->From.Buf);
    else if (auto *N = dyn_cast<NonNull>(E.get()))
      add(N->Buf);
    return true;
  }

  bool visitStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get())) {
      Own.insert(D->V.get());
      if (D->V->Base)
        add(D->V->Base);
    } else if (auto *B = dyn_cast<DeclBuffer>(S.get())) {
      OwnBuffers.insert(B->B.get());
    } else if (auto *A = dyn_cast<Assign>(S.get())) {
      assign(A->V);
    } else if (auto *St = dyn_cast<Store>(S.get())) {
      add(St->To.Buf);
    } else if (auto *L = dyn_cast<For>(S.get())) {
      if (L->DeclaresVar)
        Own.insert(L->V.get());
      else
        assign(L->V);
    } else if (auto *T = dyn_cast<TensorOp>(S.get())) {
      for (const Iterator &I : T->Iterators)
        Own.insert(I.V.get());
    } else if (auto *O = dyn_cast<Opaque>(S.get()); O && O->Pure) {
      assign(O->Pure->Result);
      for (const PureCall::Argument &A : O->Pure->Args)
        if (A.Base)
          add(A.Base);
    } else if (auto *R = dyn_cast<Region>(S.get())) {
      for (const Guard &G : R->Rests.Guards)
        for (const BufferRef &B : {G.A.Buf, G.B.Buf})
          if (B)
            add(B);
    }
    return true;
  }

private:
  llvm::SmallPtrSet<const Var *, 16> Own;
  llvm::SmallPtrSet<const Buffer *, 4> OwnBuffers;

  void add(const VarRef &V) {
    if (!llvm::is_contained(Vars, V))
      Vars.push_back(V);
    if (V->Base)
      add(V->Base);
  }
  void add(const BufferRef &B) {
    if (llvm::is_contained(Buffers, B))
      return;
    Buffers.push_back(B);
    for (const ExprRef &E : B->Extents)
      if (E)
        walk(E);
  }
  void assign(const VarRef &V) {
    add(V);
    Assigned.insert(V.get());
  }
};

/// A name, or that of a member: `layer.output`, `this->Out`, `this->V.data()`.
bool isPlainName(llvm::StringRef Name) {
  if (Name.consume_front("this->"))
    if (!Name.consume_back(".data()"))
      Name.consume_back(".size()");
  return !Name.empty() && !llvm::isDigit(Name.front()) &&
         llvm::all_of(Name, [](char C) {
           return llvm::isAlnum(C) || C == '_' || C == '.';
         });
}

BufferRef makeState(const std::string &Name, const Type &Ty) {
  auto B = std::make_shared<Buffer>();
  B->Name = Name + "_state";
  B->Elem = Ty;
  B->Kind = BufferKind::Param;
  B->Reference = true;
  B->Restrict = true;
  return B;
}

/// The loops of S that R stands in, outermost first.
bool findAround(const StmtRef &S, const Region &R,
                std::vector<const For *> &Around) {
  if (!S)
    return false;
  if (S.get() == &R)
    return true;
  auto In = [&](const StmtRef &Sub) { return findAround(Sub, R, Around); };
  switch (S->Kind) {
  case StmtKind::Block:
    return llvm::any_of(cast<Block>(S.get())->Body, In);
  case StmtKind::If:
    return In(cast<If>(S.get())->Then) || In(cast<If>(S.get())->Else);
  case StmtKind::While:
    return In(cast<While>(S.get())->Body);
  case StmtKind::For:
    Around.push_back(cast<For>(S.get()));
    if (In(Around.back()->Body))
      return true;
    Around.pop_back();
    return false;
  default:
    return false;
  }
}

/// What is said of the place where R stands, where nothing has changed it.
bool findFacts(const StmtRef &S, const Region &R, std::vector<StmtRef> &Facts) {
  if (!S)
    return false;
  if (S.get() == &R)
    return true;
  const size_t Before = Facts.size();
  const auto In = [&](const StmtRef &Sub) { return findFacts(Sub, R, Facts); };
  const auto Drop = [&](const StmtRef &By) {
    llvm::erase_if(Facts, [&](const StmtRef &F) {
      return F != By && !holdsThrough(*asFact(*F), By);
    });
  };
  bool Found = false;
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Sub : cast<Block>(S.get())->Body) {
      if (asFact(*Sub))
        Facts.push_back(Sub);
      else if ((Found = In(Sub)))
        break;
      else
        Drop(Sub);
    }
    break;
  case StmtKind::If:
    Found = In(cast<If>(S.get())->Then) || In(cast<If>(S.get())->Else);
    break;
  case StmtKind::While:
    if ((Found = In(cast<While>(S.get())->Body)))
      Drop(S);
    break;
  case StmtKind::For:
    if ((Found = In(cast<For>(S.get())->Body)))
      Drop(S);
    break;
  default:
    break;
  }
  if (!Found)
    Facts.resize(std::min(Before, Facts.size()));
  return Found;
}

/// Whether a test can compute E from scalars that it makes up.
bool isOverScalars(const ExprRef &E) {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    Ok &= !llvm::isa<Load>(*Sub) && !llvm::isa<Call>(*Sub) &&
          !llvm::isa<NonNull>(*Sub) &&
          (!U || (isPlainName(U->V->Name) && U->V->Kind != VarKind::Cursor &&
                  U->V->Kind != VarKind::Launch));
  });
  return Ok;
}

class Outliner {
public:
  Outliner(const Region &R, const Function &F) : R(R), F(F), Live(F) {}

  Outlined run(const std::string &Name, std::string &Why) {
    StmtRef Whole;
    forEachStmt(F.Body, [&](const StmtRef &S) {
      if (S.get() == &R)
        Whole = S;
    });
    assert(Whole && "a region of another function");
    // The raised form may declare what the original found declared.
    FreeNames InRaised;
    Free.walk(R.Original);
    Free.finish();
    InRaised.walk(Whole);
    InRaised.finish();
    Free.merge(InRaised);
    addRanges();
    addFacts();
    if (!addParams(Why))
      return {};
    Outlined Out;
    Out.States = States;
    Out.Finished = Finished;
    Out.Within = Within;
    Out.Ranges = Ranges;
    Out.Original = make(Name, R.Original);
    Out.Raised = make(Name, Whole);
    return Out;
  }

private:
  const Region &R;
  const Function &F;
  Liveness Live;
  FreeNames Free;
  std::vector<Param> Params;
  std::vector<OutlinedState> States;
  BufferRef Finished;
  llvm::StringSet<> Taken;
  ExprRef Within;
  std::vector<OutlinedRange> Ranges;
  std::vector<StmtRef> Facts;

  void require(ExprRef Cond) {
    Within = Within ? build::binary(BinaryOp::LAnd, Within, std::move(Cond))
                    : std::move(Cond);
  }

  /// What a proof may have used: inputs on which it does not hold are none.
  void addFacts() {
    findFacts(F.Body, R, Facts);
    llvm::erase_if(Facts, [&](const StmtRef &S) {
      const Decl &D = *asFact(*S);
      return !isOverScalars(D.Init) ||
             (isExtent(D) && !llvm::is_contained(Free.Buffers, D.V->Base));
    });
    for (const StmtRef &S : Facts)
      Free.walk(asFact(*S)->Init);
  }

  /// What holds in the loops around. A loop of which a test cannot say it, and
  /// one that neither the region nor a loop further in mentions, is left out.
  void addRanges() {
    std::vector<const For *> Around;
    findAround(F.Body, R, Around);
    for (const For *L : llvm::reverse(Around)) {
      if (!llvm::is_contained(Free.Vars, L->V) || !isOverScalars(L->Lo) ||
          !isOverScalars(L->Hi) || !isOverScalars(L->Step))
        continue;
      addRange(*L);
      FreeNames Bounds;
      for (const ExprRef &E : {L->Lo, L->Hi, L->Step})
        Bounds.walk(E);
      Free.merge(Bounds);
    }
    std::reverse(Ranges.begin(), Ranges.end());
  }

  void addRange(const For &L) {
    const ExprRef Counter = build::var(L.V);
    OutlinedRange Range{L.V, nullptr, nullptr};
    require(build::binary(L.Cond, build::cast(Counter, L.Hi->Ty), L.Hi));
    const ExprRef One = build::intConst(1, L.Hi->Ty);
    std::optional<int64_t> Step = constantValue(L.Step);
    if (Step && *Step > 0) {
      require(build::binary(BinaryOp::LE, L.Lo, Counter));
      Range.First = L.Lo;
      Range.Last = L.Cond == BinaryOp::LE
                       ? L.Hi
                       : build::binary(BinaryOp::Sub, L.Hi, One);
    } else if (Step && *Step < 0) {
      require(build::binary(BinaryOp::GE, L.Lo, Counter));
      Range.First = L.Cond == BinaryOp::GE
                        ? L.Hi
                        : build::binary(BinaryOp::Add, L.Hi, One);
      Range.Last = L.Lo;
    }
    if (Step && *Step != 1 && *Step != -1) {
      const ExprRef Done = build::binary(BinaryOp::Sub, Counter, L.Lo);
      require(build::binary(BinaryOp::EQ,
                            build::binary(BinaryOp::Rem, Done, L.Step),
                            build::intConst(0, L.V->Ty)));
    }
    Ranges.push_back(std::move(Range));
  }

  bool take(llvm::StringRef Name, std::string &Why) {
    if (!isPlainName(Name))
      Why = "'" + Name.str() + "' cannot be a parameter of a test";
    else if (!Taken.insert(Name).second)
      Why = "two things that the loop uses are called '" + Name.str() + "'";
    return Why.empty();
  }

  bool addParams(std::string &Why) {
    // Scalars first: extents of arrays mention them.
    for (const VarRef &V : Free.Vars) {
      if (V->Kind == VarKind::Launch) {
        Why = "it depends on a launch";
        return false;
      }
      if (!take(V->Name, Why))
        return false;
      if (!Free.Assigned.contains(V.get())) {
        Params.push_back({V, nullptr});
        continue;
      }
      OutlinedState S{V, makeState(V->Name, V->Ty),
                      Live.isLiveAfter(&R, V.get())};
      if (!take(S.State->Name, Why))
        return false;
      States.push_back(S);
    }
    for (const BufferRef &B : Free.Buffers) {
      if (!take(B->Name, Why))
        return false;
      Params.push_back({nullptr, B});
    }
    for (const OutlinedState &S : States)
      Params.push_back({nullptr, S.State});
    bool Returns = false;
    forEachStmt(R.Original, [&](const StmtRef &S) {
      Returns |= S->Kind == StmtKind::Return;
    });
    if (!Returns)
      return true;
    Finished = makeState("finished", Type::getInt(32, /*Signed=*/false));
    Params.push_back({nullptr, Finished});
    return take(Finished->Name, Why);
  }

  static Access only(const BufferRef &B) {
    Access A;
    A.Buf = B;
    A.Indices = {build::intConst(0, Type::getI64())};
    return A;
  }

  /// What the test returns where the region does not; null in a void function.
  static ExprRef nothing(const Type &Ty) {
    if (Ty.isVoid())
      return nullptr;
    return Ty.isFloat() ? build::floatConst(0, Ty)
                        : build::cast(build::intConst(0), Ty);
  }

  FunctionRef make(const std::string &Name, const StmtRef &Run) const {
    std::vector<StmtRef> Body;
    for (const OutlinedState &S : States)
      Body.push_back(
          std::make_shared<Decl>(S.V, build::load(only(S.State)), R.Loc));
    llvm::append_range(Body, Facts);
    Body.push_back(Within ? std::make_shared<If>(Within, Run, nullptr, R.Loc)
                          : Run);
    for (const OutlinedState &S : States)
      if (S.WriteBack)
        Body.push_back(std::make_shared<Store>(only(S.State), Combiner::None,
                                               build::var(S.V), false, R.Loc));
    if (Finished) {
      Body.push_back(std::make_shared<Store>(only(Finished), Combiner::Add,
                                             build::intConst(1, Finished->Elem),
                                             false, R.Loc));
      Body.push_back(std::make_shared<Return>(nothing(F.Result), R.Loc));
    }
    auto G = std::make_shared<Function>();
    G->Name = G->QualifiedName = Name;
    G->Result = Finished ? F.Result : Type::getVoid();
    G->Params = Params;
    G->Loc = R.Loc;
    G->LanguageC = F.LanguageC;
    G->Body = std::make_shared<Block>(std::move(Body), R.Loc);
    return G;
  }
};

} // namespace

Outlined raise::outlineRegion(const Region &R, const Function &F,
                              const std::string &Name, std::string &Why) {
  Why.clear();
  return Outliner(R, F).run(Name, Why);
}
