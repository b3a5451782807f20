//===- Split.cpp - an adjoint in two functions ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Split.h"
#include "raise/Grad/Adjoint.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace raise::grad {

namespace {

using Statements = std::vector<StmtRef>;

/// The field that holds what is returned, for as long as both functions are
/// one.
constexpr const char *ResultField = "";

bool isMember(const Buffer &B) {
  return B.Kind == BufferKind::Local && B.Owner != nullptr;
}
bool isResult(const Buffer &B) {
  return isMember(B) && B.OwnerField == ResultField;
}

BufferRef memberOf(const BufferRef &Tape, const std::string &Field,
                   const Type &Elem) {
  auto B = std::make_shared<Buffer>();
  B->Name = Tape->Name + (Tape->Reference ? "." : "->") + Field;
  B->Elem = Elem;
  B->Kind = BufferKind::Local;
  B->Extents = {build::intConst(1, Type::getI64())};
  B->Reference = true;
  B->Owner = Tape;
  B->OwnerField = Field;
  return B;
}

Access cellOf(const BufferRef &B) {
  return {B, {build::intConst(0, Type::getI64())}, {}, ""};
}

StmtRef block(Statements S) { return std::make_shared<Block>(std::move(S)); }

/// Gives variables and buffers others in their place.
class Renames : public Rewriter {
public:
  DenseMap<const Var *, VarRef> Vars;
  DenseMap<const Buffer *, BufferRef> Buffers;

private:
  /// A pointer goes where the buffer that it leads into goes. That is declared
  /// before anything leads there.
  VarRef of(const VarRef &V) {
    if (const VarRef New = Vars.lookup(V.get()))
      return New;
    const BufferRef To = V->Base ? Buffers.lookup(V->Base.get()) : nullptr;
    if (!To)
      return V;
    auto New = std::make_shared<Var>(*V);
    New->Base = To;
    Vars[V.get()] = New;
    return New;
  }
  BufferRef of(const BufferRef &B) const {
    const BufferRef New = Buffers.lookup(B.get());
    return New ? New : B;
  }
  Access of(Access A) const {
    A.Buf = of(A.Buf);
    return A;
  }
  /// B with its size in terms of the new variables. It is declared before it is
  /// used, so that its uses are still to come.
  void resize(const BufferRef &B) {
    auto New = std::make_shared<Buffer>(*of(B));
    for (ExprRef &E : New->Extents)
      if (E)
        E = run(E);
    if (New->Extents != of(B)->Extents)
      Buffers[B.get()] = New;
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()); U && of(U->V) != U->V)
      return std::make_shared<VarUse>(of(U->V), U->Loc);
    if (auto *L = dyn_cast<Load>(E.get());
        L && Buffers.count(L->From.Buf.get()))
      return std::make_shared<Load>(of(L->From), L->Ty, L->Loc);
    return E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *A = dyn_cast<Assign>(S.get()); A && of(A->V) != A->V)
      return std::make_shared<Assign>(of(A->V), A->Op, A->Value, A->Loc);
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->V->Base && of(D->V) != D->V)
      return std::make_shared<Decl>(of(D->V), D->Init, D->Loc);
    if (auto *D = dyn_cast<DeclBuffer>(S.get())) {
      resize(D->B);
      return Buffers.count(D->B.get())
                 ? std::make_shared<DeclBuffer>(of(D->B), D->Init, D->Loc)
                 : S;
    }
    if (auto *St = dyn_cast<Store>(S.get());
        St && Buffers.count(St->To.Buf.get()))
      return std::make_shared<Store>(of(St->To), St->Op, St->Value, St->Atomic,
                                     St->Loc);
    if (auto *L = dyn_cast<For>(S.get()); L && of(L->V) != L->V)
      return std::make_shared<For>(of(L->V), L->Lo, L->Cond, L->Hi, L->Step,
                                   L->LKind, L->DeclaresVar, L->Body, L->Loc);
    return S;
  }
};

/// What a sweep names.
struct Mentioned {
  DenseSet<const Var *> Vars;
  DenseSet<const Buffer *> Buffers;
  DenseSet<const Buffer *> Walked; ///< by a pointer

  explicit Mentioned(const StmtRef &S) {
    forEachExpr(S, [&](const ExprRef &E) {
      if (auto *U = dyn_cast<VarUse>(E.get()))
        note(*U->V);
      else if (auto *L = dyn_cast<Load>(E.get()))
        Buffers.insert(L->From.Buf.get());
    });
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (auto *A = dyn_cast<Assign>(Sub.get()))
        note(*A->V);
      else if (auto *D = dyn_cast<Decl>(Sub.get()))
        note(*D->V);
      else if (auto *St = dyn_cast<Store>(Sub.get()))
        Buffers.insert(St->To.Buf.get());
      else if (auto *L = dyn_cast<For>(Sub.get()); L && !L->DeclaresVar)
        note(*L->V);
    });
  }

private:
  void note(const Var &V) {
    Vars.insert(&V);
    if (V.Base) {
      Buffers.insert(V.Base.get());
      Walked.insert(V.Base.get());
    }
  }
};

/// Moves what the reverse sweep needs into the tape.
class Mover {
public:
  Mover(const Function &Primal, const BufferRef &Tape, ArrayRef<StmtRef> Lead,
        std::vector<Reason> &Refused)
      : Primal(Primal), Tape(Tape), Lead(Lead), Refused(Refused) {}

  StmtRef run(const StmtRef &Body) {
    ArrayRef<StmtRef> Forward = statements(Body);
    StmtRef Reverse = block({});
    if (!Forward.empty() && isa<Block>(*Forward.back())) {
      Reverse = Forward.back();
      Forward = Forward.drop_back();
    }
    const Mentioned Used(Reverse);
    size_t Stays = 0;
    while (Stays < Forward.size() && isa<Decl>(*Forward[Stays]) &&
           is_contained(Lead, Forward[Stays]))
      ++Stays;
    Statements Assigned(Forward.begin(), Forward.end());
    for (const Param &P : Primal.Params)
      if (P.Scalar && Used.Vars.count(P.Scalar.get()) &&
          assigns(block(Assigned), P.Scalar.get()))
        keepParameter(P.Scalar);
    for (const StmtRef &S : Forward) {
      if (auto *D = dyn_cast<Decl>(S.get()); D && Used.Vars.count(D->V.get()))
        keep(D->V);
      auto *D = dyn_cast<DeclBuffer>(S.get());
      if (D && Used.Buffers.count(D->B.get()))
        keepArray(*D, Used);
    }
    Statements Out(Forward.begin(), Forward.begin() + Stays);
    append_range(Out, Declared);
    for (const StmtRef &S : Forward.drop_front(Stays))
      moved(InForward.run(S), Out);
    append_range(Out, Kept);
    InReverse.Buffers = InForward.Buffers;
    Statements Back = Restored;
    for (const Buffer *B : Arrays)
      if (stores(Reverse, *B))
        copyOf(*B, InForward.Buffers[B], Back);
    for (const StmtRef &S : statements(Reverse))
      Back.push_back(InReverse.run(S));
    Out.push_back(block(std::move(Back)));
    return block(std::move(Out));
  }

private:
  static bool stores(const StmtRef &S, const Buffer &To) {
    bool Found = false;
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *St = dyn_cast<Store>(Sub.get());
      Found |= St && St->To.Buf.get() == &To;
    });
    return Found;
  }
  /// The reverse sweep computes anew in an array of its own: the tape is for
  /// other calls, too.
  void copyOf(const Buffer &B, const BufferRef &M, Statements &Back) {
    auto Copy = std::make_shared<Buffer>(B);
    for (ExprRef &E : Copy->Extents)
      E = InReverse.run(E);
    InReverse.Buffers[&B] = Copy;
    Back.push_back(std::make_shared<DeclBuffer>(Copy));
    Access From{M, {}, {}, ""}, To{Copy, {}, {}, ""};
    std::vector<VarRef> Over;
    for (unsigned K = 0; K < B.rank(); ++K) {
      auto I = std::make_shared<Var>();
      I->Name = B.rank() == 1 ? "i" : "i" + std::to_string(K + 1);
      I->Ty = Type::getI64();
      Over.push_back(I);
      From.Indices.push_back(build::var(I));
      To.Indices.push_back(build::var(I));
    }
    StmtRef Each = std::make_shared<Store>(
        To, Combiner::None, std::make_shared<Load>(From, B.Elem));
    for (size_t K = Over.size(); K-- > 0;)
      Each = std::make_shared<For>(
          Over[K], build::intConst(0, Over[K]->Ty), BinaryOp::LT,
          build::cast(Copy->Extents[K], Over[K]->Ty),
          build::intConst(1, Over[K]->Ty), LoopKind::Serial,
          /*DeclaresVar=*/true, block({Each}));
    Back.push_back(Each);
  }
  BufferRef cell(const Var &V) {
    const BufferRef M = memberOf(Tape, V.Name, V.Ty);
    Declared.push_back(std::make_shared<DeclBuffer>(M));
    return M;
  }
  void keepParameter(const VarRef &V) {
    const BufferRef M = cell(*V);
    Kept.push_back(
        std::make_shared<Store>(cellOf(M), Combiner::None, build::var(V)));
    Restored.push_back(std::make_shared<Assign>(
        V, Combiner::None, std::make_shared<Load>(cellOf(M), V->Ty)));
  }
  /// A pointer is kept as its distance from where it points into.
  void keep(const VarRef &V) {
    const BufferRef M = cell(*V);
    Kept.push_back(
        std::make_shared<Store>(cellOf(M), Combiner::None, build::var(V)));
    auto Copy = std::make_shared<Var>(*V);
    InReverse.Vars[V.get()] = Copy;
    Restored.push_back(
        std::make_shared<Decl>(Copy, std::make_shared<Load>(cellOf(M), V->Ty)));
  }

  void keepArray(const DeclBuffer &D, const Mentioned &Used) {
    const Buffer &B = *D.B;
    const bool Fixed = all_of(
        B.Extents, [](const ExprRef &E) { return E && isa<IntConst>(*E); });
    if ((B.Lies == ArrayHome::Automatic && !Fixed) || Used.Walked.count(&B)) {
      Refused.push_back({"CR1807",
                         "--split: local array '" + B.Name +
                             (Fixed ? "', which a pointer walks through,"
                                    : "', whose size is not constant,") +
                             " would be needed between the two functions",
                         B.Loc.isValid() ? B.Loc : Primal.Loc});
      return;
    }
    auto M = std::make_shared<Buffer>(B);
    M->Owner = Tape;
    M->OwnerField = B.Name;
    M->Name = Tape->Name + (Tape->Reference ? "." : "->") + B.Name;
    InForward.Buffers[&B] = M;
    Arrays.push_back(&B);
  }

  /// What an array of the tape begins with is stored to it.
  void moved(const StmtRef &S, Statements &Out) const {
    auto *D = dyn_cast<DeclBuffer>(S.get());
    if (!D || !isMember(*D->B) || D->B->Lies != ArrayHome::Automatic ||
        D->Init.empty()) {
      Out.push_back(S);
      return;
    }
    Out.push_back(std::make_shared<DeclBuffer>(D->B, Statements2{}, D->Loc));
    for (size_t K = 0; K < D->Init.size(); ++K) {
      Access To{D->B, {}, {}, ""};
      size_t Flat = K;
      for (const ExprRef &E : reverse(D->B->Extents)) {
        const int64_t N = cast<IntConst>(E.get())->Value;
        To.Indices.insert(To.Indices.begin(), build::intConst(Flat % N));
        Flat /= N;
      }
      Out.push_back(
          std::make_shared<Store>(To, Combiner::None, D->Init[K], false));
    }
  }
  using Statements2 = std::vector<ExprRef>;

  const Function &Primal;
  const BufferRef Tape;
  const ArrayRef<StmtRef> Lead;
  std::vector<Reason> &Refused;
  std::vector<const Buffer *> Arrays; ///< that the tape holds, in order
  Statements Declared, Kept, Restored;
  Renames InForward, InReverse;
};

//===-- Apart
//---------------------------------------------------------------===//

class Splitter {
public:
  Splitter(const Function &Primal, const Function &Joint)
      : Primal(Primal), Joint(Joint) {}

  SplitAdjoint run() {
    const ArrayRef<StmtRef> Body = statements(Joint.Body);
    const Region *Forms = Joint.GeneralForm.empty()
                              ? nullptr
                              : dyn_cast<Region>(Body.back().get());
    if (!Forms) {
      const Half All = halves(Body, {});
      finish(All.Forward, All.Reverse, "");
      return std::move(Split);
    }
    const ArrayRef<StmtRef> Lead = Body.drop_back();
    Half Fast = halves(statements(Forms->Body), {});
    Half General = halves(statements(Forms->Original), Fast.Members);
    const BufferRef Chosen =
        memberOf(tape(), free("separate"), Type::getBool());
    Split.Members.insert(Split.Members.begin(), Chosen);
    const auto Note = [&](Half &H, bool Separate) {
      H.Forward.insert(H.Forward.begin(),
                       std::make_shared<Store>(cellOf(Chosen), Combiner::None,
                                               build::boolConst(Separate)));
    };
    leaveEmpty(General.Members, Fast);
    leaveEmpty(Fast.Members, General);
    Note(Fast, true);
    Note(General, false);
    Statements Forward = Lead.vec(), Reverse;
    Forward.push_back(std::make_shared<Region>(
        Forms->Rests, block(Fast.Forward), block(General.Forward), Forms->Loc));
    Obligations Rests;
    Guard G;
    G.Cond = std::make_shared<Load>(cellOf(Chosen), Type::getBool());
    G.Why = "the forward sweep's form";
    Rests.Guards = {G};
    Reverse.push_back(
        std::make_shared<Region>(std::move(Rests), block(Fast.Reverse),
                                 block(General.Reverse), Forms->Loc));
    finish(std::move(Forward), std::move(Reverse), "_general");
    return std::move(Split);
  }

private:
  struct Half {
    Statements Forward, Reverse;
    std::vector<BufferRef> Members;
  };

  /// Both halves of a form. Others: the members of the other form, of which
  /// equal ones are shared.
  Half halves(ArrayRef<StmtRef> Body, ArrayRef<BufferRef> Others) {
    Half H;
    Renames Shared;
    StmtRef Return;
    for (const StmtRef &S : Body.drop_back()) {
      auto *D = dyn_cast<DeclBuffer>(S.get());
      if (D && isMember(*D->B)) {
        if (!isResult(*D->B))
          member(D->B, Others, H, Shared);
        if (D->B->Lies == ArrayHome::Automatic)
          continue; // it is there
      }
      auto *St = dyn_cast<Store>(S.get());
      if (St && isResult(*St->To.Buf))
        Return = std::make_shared<raise::Return>(St->Value);
      else
        H.Forward.push_back(S);
    }
    if (Return)
      H.Forward.push_back(Return);
    if (!isa<Block>(*Body.back()))
      report_fatal_error("an adjoint without its reverse sweep");
    H.Reverse = statements(Body.back()).vec();
    if (!Shared.Buffers.empty())
      for (Statements *Each : {&H.Forward, &H.Reverse})
        for (StmtRef &S : *Each)
          S = Shared.run(S);
    return H;
  }

  /// In C the arrays of the tape that only the other form allocates are null
  /// after this one: f_tape_free frees them all.
  void leaveEmpty(ArrayRef<BufferRef> Others, Half &H) const {
    if (!Primal.LanguageC)
      return;
    for (const BufferRef &B : reverse(Others)) {
      if (B->Lies == ArrayHome::Automatic ||
          any_of(H.Members, [&](const BufferRef &Mine) {
            return Mine->OwnerField == B->OwnerField;
          }))
        continue;
      auto Empty = std::make_shared<Buffer>(*B);
      Empty->Lies = ArrayHome::Growing;
      Empty->Count = nullptr;
      H.Forward.insert(H.Forward.begin(), std::make_shared<DeclBuffer>(Empty));
    }
  }

  static bool isAlike(const Buffer &A, const Buffer &B) {
    return A.Elem == B.Elem && A.Lies == B.Lies && A.Reference == B.Reference &&
           A.rank() == B.rank() &&
           (A.Lies != ArrayHome::Automatic ||
            all_of(zip(A.Extents, B.Extents), [](const auto &E) {
              return structurallyEqual(std::get<0>(E), std::get<1>(E));
            }));
  }

  std::string free(std::string Field) const {
    while (any_of(Split.Members,
                  [&](const BufferRef &B) { return B->OwnerField == Field; }))
      Field += '_';
    return Field;
  }

  void member(const BufferRef &B, ArrayRef<BufferRef> Others, Half &H,
              Renames &Shared) {
    Tape = B->Owner;
    BufferRef New = B;
    const auto Same = find_if(Others, [&](const BufferRef &O) {
      return O->OwnerField == B->OwnerField && isAlike(*O, *B);
    });
    if (Same == Others.end()) {
      const std::string Field = free(B->OwnerField);
      if (Field != B->OwnerField) {
        auto Renamed = std::make_shared<Buffer>(*B);
        Renamed->OwnerField = Field;
        Renamed->Name = Tape->Name + (Tape->Reference ? "." : "->") + Field;
        New = Renamed;
        Shared.Buffers[B.get()] = New;
      }
      Split.Members.push_back(New);
    } else if (B->Lies == ArrayHome::Automatic) {
      New = *Same; // the size of one on the heap is each form's own
      Shared.Buffers[B.get()] = New;
    }
    H.Members.push_back(New);
  }

  BufferRef tape() {
    if (!Tape)
      Tape = tapeParameter(Primal, "tape");
    return Tape;
  }

  void finish(Statements Forward, Statements Reverse, StringRef General) {
    const auto Make = [&](const Function &Like, StringRef Suffix,
                          Statements Body) {
      auto F = std::make_shared<Function>(Like);
      F->Name = Primal.Name + Suffix.str();
      F->QualifiedName = Primal.QualifiedName + Suffix.str();
      F->InternalLinkage = false;
      F->GeneralForm = General.empty() ? "" : F->Name + General.str();
      F->Body = block(std::move(Body));
      F->Requires.clear(); // tested once, by what runs first
      if (!Split.Members.empty())
        F->Params.push_back({nullptr, tape()});
      return F;
    };
    auto First = Make(Primal, "_augmented", std::move(Forward));
    First->Requires = Joint.Requires;
    Split.Augmented = std::move(First);
    Split.Reverse = Make(Joint, "_reverse", std::move(Reverse));
    if (!Split.Members.empty())
      Split.TapeType = tape()->Elem.Spelling;
  }

  const Function &Primal, &Joint;
  SplitAdjoint Split;
  BufferRef Tape;
};

} // namespace

BufferRef tapeParameter(const Function &Primal, std::string Name) {
  const std::string Type = Primal.Name + "_tape";
  auto B = std::make_shared<Buffer>();
  B->Name = std::move(Name);
  B->Elem = raise::Type::getVoid();
  B->Elem.Spelling = Type;
  B->Reference = !Primal.LanguageC;
  B->TypeSpelling = Type + (Primal.LanguageC ? " *" : " &");
  B->Extents = {nullptr};
  return B;
}

std::vector<StmtRef> keptResult(const BufferRef &Tape, const ExprRef &Value) {
  const BufferRef R = memberOf(Tape, ResultField, Value->Ty);
  return {std::make_shared<DeclBuffer>(R),
          std::make_shared<Store>(cellOf(R), Combiner::None, Value)};
}

StmtRef withMembers(const StmtRef &Body, const Function &Primal,
                    const BufferRef &Tape, ArrayRef<StmtRef> Lead,
                    std::vector<Reason> &Refused) {
  return Mover(Primal, Tape, Lead, Refused).run(Body);
}

SplitAdjoint splitAdjoint(const Function &Primal, const Function &Joint) {
  return Splitter(Primal, Joint).run();
}

} // namespace raise::grad
