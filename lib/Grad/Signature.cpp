//===- Signature.cpp - what is differentiated, and its names --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Grad/Signature.h"
#include "raise/Grad/Derivatives.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise::grad {

bool holdsFloats(const Buffer &B) {
  return B.Elem.isFloat() || B.Elem.isVoid();
}

//===-- Names
//--------------------------------------------------------------===//

namespace {

class NameCollector : public Visitor {
public:
  std::set<std::string> Names;

  void note(const Var &V) {
    Names.insert(V.Name);
    if (V.Base)
      Names.insert(V.Base->Name);
  }
  bool visitExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      note(*U->V);
    else if (auto *L = dyn_cast<Load>(E.get()))
      Names.insert(L->From.Buf->Name);
    else if (auto *C = dyn_cast<Call>(E.get())) {
      Names.insert(C->Fn->Name);
      if (C->Fn->Definition && Entered.insert(C->Fn->Definition.get()).second)
        function(*C->Fn->Definition);
    }
    return true;
  }
  bool visitStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()))
      note(*D->V);
    else if (auto *A = dyn_cast<Assign>(S.get()))
      note(*A->V);
    else if (auto *St = dyn_cast<Store>(S.get()))
      Names.insert(St->To.Buf->Name);
    else if (auto *B = dyn_cast<DeclBuffer>(S.get()))
      Names.insert(B->B->Name);
    else if (auto *L = dyn_cast<For>(S.get()))
      note(*L->V);
    return true;
  }
  void function(const Function &F) {
    Names.insert(F.Name);
    for (const Param &P : F.Params)
      Names.insert(P.name().str());
    if (F.Body)
      walk(F.Body);
  }

private:
  DenseSet<const Function *> Entered;
};

} // namespace

std::set<std::string> namesIn(const Function &F) {
  NameCollector C;
  C.function(F);
  return std::move(C.Names);
}

StringRef lastName(StringRef Path) {
  const size_t Member = Path.find_last_of(".>");
  return Member == StringRef::npos ? Path : Path.drop_front(Member + 1);
}

std::string derivativeName(StringRef Of, Mode M, std::set<std::string> &Used) {
  std::string Name = (Of + (M == Mode::Forward ? "_tan" : "_adj")).str();
  while (!Used.insert(Name).second)
    Name += '_';
  return Name;
}

//===-- Forms
//--------------------------------------------------------------===//

/// "const float *__restrict" without the const of what is pointed to.
static std::string withoutConst(StringRef Spelling) {
  std::string Text = Spelling.str();
  const size_t End = std::min(Spelling.find_first_of("*&[("), Spelling.size());
  for (StringRef Word : {"const ", " const"})
    if (size_t At = Text.find(Word.str()); At < End) {
      Text.erase(At, Word.size());
      break;
    }
  return Text;
}

std::shared_ptr<Buffer> derivativeBuffer(const Buffer &B, std::string Name) {
  auto D = std::make_shared<Buffer>(B);
  D->Name = std::move(Name);
  D->Const = false;
  D->Derivative = B.Derivative + 1;
  D->Owner = nullptr; // passed by itself, whatever the primal's is read from
  D->OwnerField.clear();
  D->TypeSpelling = withoutConst(B.TypeSpelling);
  if (const Type Own = derivativeType(B.Elem); Own != B.Elem) {
    D->Elem = Own;
    D->TypeSpelling.clear();
  }
  if (B.Container) {
    // A view of elements that change; anything else is the caller's.
    for (size_t At; (At = D->TypeSpelling.find("const ")) != std::string::npos;)
      D->TypeSpelling.erase(At, 6);
    if (D->TypeSpelling.find("span<") == std::string::npos &&
        D->TypeSpelling.find('&') == std::string::npos)
      D->TypeSpelling += " &";
  }
  if (B.Reference) {
    D->Reference = false;
    D->TypeSpelling.clear(); // a pointer, which no source spells
  }
  return D;
}

static BufferRef pointerTo(const Type &T, std::string Name, const Function &F) {
  auto B = std::make_shared<Buffer>();
  B->Derivative = 1;
  for (const Param &P : F.Params)
    if (P.Buf)
      B->Derivative = std::max(B->Derivative, P.Buf->Derivative + 1);
  B->Name = std::move(Name);
  B->Elem = T;
  return B;
}

//===-- Defaults
//-----------------------------------------------------------===//

namespace {

struct Touched {
  DenseSet<const Buffer *> Read, Written;
};

Touched touchedBy(const StmtRef &Body) {
  Touched T;
  forEachExpr(Body, [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()); L && L->Ty.isFloat())
      T.Read.insert(L->From.Buf.get());
  });
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *St = dyn_cast<Store>(S.get());
    if (!St ||
        !(St->To.Field.empty() ? St->To.Buf->Elem : St->Value->Ty).isFloat())
      return;
    T.Written.insert(St->To.Buf.get());
    if (St->Op != Combiner::None)
      T.Read.insert(St->To.Buf.get());
  });
  return T;
}

class Maker {
public:
  Maker(const Function &F, const Request &Asked, Mode M,
        std::vector<Reason> &Refused)
      : F(F), Asked(Asked), Refused(Refused), T(touchedBy(F.Body)) {
    Sig.M = M;
    Sig.Names = namesIn(F);
    Sig.Names.insert(Asked.Taken.begin(), Asked.Taken.end());
    Wrt.resize(F.Params.size());
    Of.resize(F.Params.size());
  }

  Signature run() {
    if (!F.MissingSignature.empty()) {
      refuse("CR1807", F.MissingSignature);
      return std::move(Sig);
    }
    for (const Param &P : F.Params)
      if (P.Buf && P.Buf->EachElement) {
        refuse("CR1807",
               "'" + wholeOf(*P.Buf).Name +
                   "' leads to structures of which each holds an array, '" +
                   P.Buf->OwnerField + "', that has no derivative yet",
               P.Buf->Loc);
        return std::move(Sig);
      }
    chooseIndependents();
    chooseDependents();
    chooseWhole();
    if (Refused.empty())
      makeSlots();
    return std::move(Sig);
  }

private:
  void refuse(std::string Code, const Twine &Text, SourceLoc At = {}) {
    Refused.push_back({std::move(Code), Text.str(), At.isValid() ? At : F.Loc});
  }

  static bool isFloating(const Param &P) {
    return P.Scalar ? P.Scalar->Ty.isFloat() : holdsFloats(*P.Buf);
  }
  static const SourceLoc &locOf(const Param &P) {
    return P.Scalar ? P.Scalar->Loc : P.Buf->Loc;
  }

  /// The parameter of that name, if it can have a derivative.
  std::optional<size_t> find(StringRef Name, StringRef Option) {
    for (size_t I = 0; I < F.Params.size(); ++I) {
      const Param &P = F.Params[I];
      if (P.name() != Name && !(P.Implied && lastName(P.name()) == Name))
        continue;
      if (isFloating(P))
        return I;
      refuse("CR1802",
             Option + " names '" + Name +
                 "', which has no floating values and so no derivative",
             locOf(P));
      return std::nullopt;
    }
    std::vector<std::string> Known;
    for (const Param &P : F.Params)
      if (isFloating(P) && !P.name().empty())
        Known.push_back("'" + P.name().str() + "'");
    if (Option == "--of" && F.Result.isFloat())
      Known.push_back("'return'");
    refuse("CR1802",
           Option + " names '" + Name + "', but '" + F.Name +
               "' has no such parameter" +
               (Known.empty() ? std::string()
                              : "; it may name " + join(Known, ", ")));
    return std::nullopt;
  }

  void chooseIndependents() {
    for (const std::string &Name : Asked.Wrt)
      if (std::optional<size_t> I = find(Name, "--wrt"))
        Wrt[*I] = true;
    if (!Asked.Wrt.empty())
      return;
    for (size_t I = 0; I < F.Params.size(); ++I) {
      const Param &P = F.Params[I];
      if (!P.name().empty()) // else nothing can use it
        Wrt[I] = P.Scalar ? P.Scalar->Ty.isFloat() : T.Read.count(P.Buf.get());
    }
    if (none_of(Wrt, [](bool B) { return B; }))
      refuse("CR1803", "'" + F.Name +
                           "' takes no floating value and reads no floating "
                           "memory through a parameter: there is nothing to "
                           "differentiate with respect to");
  }

  void chooseDependents() {
    for (const std::string &Name : Asked.Of) {
      if (Name == "return") {
        if (F.Result.isFloat())
          Sig.ResultDependent = true;
        else
          refuse("CR1802", "--of names the return value, but '" + F.Name +
                               "' returns no floating value");
        continue;
      }
      std::optional<size_t> I = find(Name, "--of");
      if (I && F.Params[*I].Scalar)
        refuse("CR1802",
               "--of names '" + Name +
                   "', which is passed by value: the caller sees nothing of it",
               locOf(F.Params[*I]));
      else if (I && F.Params[*I].Buf->Const)
        refuse("CR1802",
               "--of names '" + Name + "', which '" + F.Name +
                   "' does not write",
               locOf(F.Params[*I]));
      else if (I)
        Of[*I] = true;
    }
    if (!Asked.Of.empty())
      return;
    if (F.Result.isFloat()) {
      Sig.ResultDependent = true;
      return;
    }
    for (size_t I = 0; I < F.Params.size(); ++I)
      Of[I] = F.Params[I].Buf && T.Written.count(F.Params[I].Buf.get());
    if (none_of(Of, [](bool B) { return B; }))
      refuse("CR1803", "'" + F.Name +
                           "' returns no floating value and writes no floating "
                           "memory through a parameter: there is nothing to "
                           "differentiate");
  }

  /// What P's derivative is named after: of `layer->w` the member, if only one
  /// is called that.
  std::string shortName(const Param &P) const {
    const StringRef Last = lastName(P.name());
    if (!P.Implied || count_if(F.Params, [&](const Param &Other) {
                        return lastName(Other.name()) == Last;
                      }) == 1)
      return Last.str();
    std::string Whole;
    for (char C : P.name())
      if (isAlnum(C))
        Whole += C;
      else if (Whole.back() != '_')
        Whole += '_';
    return Whole;
  }

  /// Whether P is an array that lies in a structure.
  static bool isMemberArray(const Param &P) {
    return P.Implied && P.Buf && !P.Buf->Container && !P.Buf->Owner;
  }

  /// The parameter of the structure that array I lies in: `s` of `s.a.c`; not
  /// `s` of `s.p->c`, since what `s_adj->p` points to is not known.
  std::optional<size_t> ownerOf(size_t I) const {
    const StringRef Name = F.Params[I].name();
    std::optional<size_t> Owner;
    for (size_t K = 0; K < F.Params.size(); ++K) {
      StringRef Rest = Name;
      if (K != I && F.Params[K].Buf && Rest.consume_front(F.Params[K].name()) &&
          (Rest.consume_front(".") || Rest.consume_front("->")) &&
          !Rest.contains("->") &&
          (!Owner ||
           F.Params[*Owner].name().size() < F.Params[K].name().size()))
        Owner = K;
    }
    return Owner;
  }

  /// The derivative of such an array lies in that of the structure: who names
  /// the one names the other.
  void chooseWhole() {
    std::vector<std::pair<size_t, size_t>> Arrays;
    for (size_t I = 0; I < F.Params.size(); ++I)
      if (isMemberArray(F.Params[I]) && isFloating(F.Params[I]))
        if (const std::optional<size_t> Owner = ownerOf(I))
          Arrays.push_back({I, *Owner});
    for (const auto &[I, Owner] : Arrays) {
      Wrt[Owner] = Wrt[Owner] || Wrt[I];
      Of[Owner] = Of[Owner] || Of[I];
    }
    for (const auto &[I, Owner] : Arrays) {
      const Buffer *B = F.Params[I].Buf.get();
      Wrt[I] = Wrt[I] || (Wrt[Owner] && T.Read.count(B) != 0);
      Of[I] = Of[I] || (Of[Owner] && T.Written.count(B) != 0);
    }
  }

  /// `s_adj->a.c`, the derivative of `s.a.c`.
  std::string nameInOwner(const Param &P, const Param &Owner,
                          const Param &Derivative) const {
    StringRef Rest = P.name().drop_front(Owner.name().size());
    Rest.consume_front(".");
    Rest.consume_front("->");
    return (Derivative.name() + "->" + Rest).str();
  }

  void makeSlots() {
    for (size_t I = 0; I < F.Params.size(); ++I) {
      if (!Wrt[I] && !Of[I])
        continue;
      const Param &P = F.Params[I];
      const std::optional<size_t> Owner =
          isMemberArray(P) ? ownerOf(I) : std::nullopt;
      const auto Whole = find_if(
          Sig.Slots, [&](const Slot &S) { return Owner && S.Index == *Owner; });
      if (Whole != Sig.Slots.end()) {
        Slot S;
        S.Index = I;
        S.Independent = Wrt[I];
        S.Dependent = Of[I];
        S.Derivative.Buf = derivativeBuffer(
            *P.Buf, nameInOwner(P, F.Params[*Owner], Whole->Derivative));
        S.Derivative.Implied = true;
        Sig.Slots.push_back(std::move(S));
        continue;
      }
      Slot S;
      S.Index = I;
      S.Independent = Wrt[I];
      S.Dependent = Of[I];
      std::string Name = derivativeName(shortName(P), Sig.M, Sig.Names);
      if (P.Buf) {
        S.Derivative.Buf = derivativeBuffer(*P.Buf, std::move(Name));
      } else if (Sig.M == Mode::Forward) {
        auto V = std::make_shared<Var>(*P.Scalar);
        V->Name = std::move(Name);
        S.Derivative.Scalar = std::move(V);
      } else {
        S.Derivative.Buf = pointerTo(P.Scalar->Ty, std::move(Name), F);
      }
      Sig.Slots.push_back(std::move(S));
    }
    if (!Sig.ResultDependent)
      return;
    std::string Name = derivativeName(F.Name, Sig.M, Sig.Names);
    if (Sig.M == Mode::Forward) {
      Sig.Result.Buf = pointerTo(F.Result, std::move(Name), F);
    } else {
      auto V = std::make_shared<Var>();
      V->Name = std::move(Name);
      V->Ty = F.Result;
      V->Kind = VarKind::Param;
      Sig.Result.Scalar = std::move(V);
    }
  }

  const Function &F;
  const Request &Asked;
  std::vector<Reason> &Refused;
  const Touched T;
  Signature Sig;
  std::vector<bool> Wrt, Of;
};

} // namespace

Signature signatureOf(const Function &F, const Request &Asked, Mode M,
                      std::vector<Reason> &Refused) {
  return Maker(F, Asked, M, Refused).run();
}

const Slot *Signature::slotOf(const Function &F, const Var *V) const {
  for (const Slot &S : Slots)
    if (F.Params[S.Index].Scalar.get() == V)
      return &S;
  return nullptr;
}

const Slot *Signature::slotOf(const Function &F, const Buffer *B) const {
  for (const Slot &S : Slots)
    if (B && F.Params[S.Index].Buf.get() == B)
      return &S;
  return nullptr;
}

const Workspace *Signature::workspaceOf(const Function &F,
                                        const Buffer *B) const {
  const auto It = find_if(Workspaces, [&](const Workspace &W) {
    return F.Params[W.Index].Buf.get() == B;
  });
  return It == Workspaces.end() ? nullptr : &*It;
}

} // namespace raise::grad
