//===- GradComment.cpp - what is said of a derivative ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradComment.h"
#include "raise/Emit/OpenMP.h"
#include "raise/Emit/Source.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace raise {

bool isTangent(const GradItem &Item) {
  return Item.Made.Sig.M == grad::Mode::Forward;
}

static std::string listed(ArrayRef<std::string> Names) {
  std::string Text;
  for (size_t I = 0; I < Names.size(); ++I)
    Text += (I == 0 ? "" : I + 1 == Names.size() ? " and " : ", ") + Names[I];
  return Text;
}

/// What the primal computes; of a kernel, for launches that cover its range.
static std::string formulasOf(const FunctionRef &F) {
  Context Ctx;
  const FunctionRef Merged = mergeLaunch(structureExits(F, Ctx), Ctx);
  if (auto *R = dyn_cast<Region>(Merged->Body.get()))
    return notation(R->meaning());
  return F->Kind == FunctionKind::Kernel ? "" : notation(F->Body);
}

/// Whose work is differentiated by itself.
static std::string unitOf(const Function &Kernel) {
  bool Waits = false;
  forEachStmt(Kernel.Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<DeclBuffer>(S.get());
    Waits |= isa<Barrier>(*S) || (D && D->B->Kind == BufferKind::Shared);
  });
  return Waits ? "block" : "thread";
}

/// Where the tangents of several directions lie.
static std::string layoutOf(const GradItem &Item) {
  const grad::Signature &Sig = Item.Made.Sig;
  if (Sig.Directions == 1)
    return "";
  const std::string K = std::to_string(Sig.Directions);
  // One of each form.
  std::string Value, Element, Row;
  for (const grad::Slot &S : Sig.Slots) {
    const Param &P = Item.Primal->Params[S.Index];
    const std::string Of = grad::lastName(P.name()).str();
    const std::string Name = S.Derivative.name().str();
    if (!P.Buf || P.Buf->Reference) {
      if (Value.empty())
        Value = "of " + Of + ", " + Name + "[d]";
    } else if (S.Derivative.Buf->rank() == 1) {
      if (Element.empty())
        Element = "of " + Of + "[i], " + Name + "[i * " + K + " + d]";
    } else if (Row.empty()) {
      std::string At;
      for (unsigned I = 0; I < P.Buf->rank(); ++I)
        At += std::string("[") + char('i' + I) + "]";
      Row = "of " + Of + At + ", " + Name + At + "[d]";
    }
  }
  if (Sig.ResultDependent && Value.empty())
    Value = "of the result, " + Sig.Result.name().str() + "[d]";
  std::vector<std::string> Where;
  for (const std::string &Form : {Value, Element, Row})
    if (!Form.empty())
      Where.push_back(Form);
  return "// In " + K + " directions d: " + join(Where, "; ") + ".\n";
}

/// What threads of a device are assumed to do, after "Assumed".
static std::vector<std::string> assumedOf(const GradItem &Item) {
  std::vector<std::string> List;
  if (Item.Launches)
    List.push_back(": CUDA accepts the launches, or there are no threads, and "
                   "its calls succeed");
  if (Item.Launches || Item.Primal->Kind == FunctionKind::Kernel)
    List.push_back(", as CUDA does: no " + unitOf(*Item.Primal) +
                   " reads what another one writes, but by atomics");
  return List;
}

/// What is said of overlaps, if there may be any.
static std::vector<std::string> overlapOf(const GradItem &Item,
                                          const Options &Opts) {
  const Function &F = *Item.Primal;
  const auto IsPointer = [](const Param &P) { return P.Buf != nullptr; };
  if (count_if(F.Params, IsPointer) < 2 ||
      none_of(Item.Made.Sig.Slots, [&](const grad::Slot &S) {
        return IsPointer(F.Params[S.Index]);
      }))
    return {};
  if (Opts.Alias == AliasMode::Assume)
    return {"Assumed (--alias=assume): the pointers do not overlap"};
  return {(isTangent(Item) ? "Tangents" : "Adjoints") +
          std::string(" overlap as their primals do, and overlap no primal")};
}

std::string stopsOf(const grad::Signature &Sig) {
  if (Sig.Requires.empty())
    return "";
  std::vector<std::string> Pairs, Alone;
  bool Sizes = false;
  for (const Guard &G : Sig.Requires) {
    Sizes |= G.Cond != nullptr;
    if (G.Cond)
      continue;
    std::string Pair = G.A.Buf->Name + " overlaps " + G.B.Buf->Name;
    if (!is_contained(Pairs, Pair))
      Pairs.push_back(std::move(Pair));
    for (const BufferRef &B : {G.A.Buf, G.B.Buf})
      if (Sig.Separate.count(B.get()) && !is_contained(Alone, B->Name))
        Alone.push_back(B->Name);
  }
  const std::string Overlaps =
      Pairs.size() <= 2 ? join(Pairs, ", or ")
                        : join(Alone, " or ") + " overlaps another array";
  return "Ends the program (abort) where " + Overlaps +
         (Sizes && !Pairs.empty() ? ", or " : "") +
         (Sizes ? "sizes are negative or too large to tell" : "");
}

/// What the function requires, and what lies in it for that.
static std::vector<std::string> requirementsOf(const GradItem &Item) {
  const grad::Signature &Sig = Item.Made.Sig;
  const std::string Kind = isTangent(Item) ? "tangent" : "adjoint";
  std::vector<std::string> List, Inside;
  for (const grad::Workspace &W : Sig.Workspaces)
    Inside.push_back(Item.Primal->Params[W.Index].name().str());
  if (Inside.size() == 1)
    List.push_back("The " + Kind + " of " + Inside.front() + " lies in here");
  else if (!Inside.empty())
    List.push_back("The " + Kind + "s of " + listed(Inside) + " lie in here");
  if (!Sig.Requires.empty() && !Item.Split)
    List.push_back(stopsOf(Sig));
  return List;
}

std::vector<std::string> assumptionsOf(const GradItem &Item,
                                       const Options &Opts) {
  std::vector<std::string> List = overlapOf(Item, Opts);
  append_range(List, requirementsOf(Item));
  for (const std::string &Sentence : assumedOf(Item))
    List.push_back("Assumed" + Sentence);
  return List;
}

std::string notationOf(const GradItem &Item) {
  const Function &F = *Item.Primal;
  const grad::Signature &Sig = Item.Made.Sig;
  using Pair = std::pair<std::string, std::string>; // a name, its derivative's
  std::vector<std::pair<Pair, bool>> Wrt, Of;       // whether it is both
  for (const grad::Slot &S : Sig.Slots) {
    const Pair Names = {F.Params[S.Index].name().str(),
                        S.Derivative.name().str()};
    if (S.Independent)
      Wrt.push_back({Names, S.Dependent});
    if (S.Dependent)
      Of.push_back({Names, S.Independent});
  }
  if (Sig.ResultDependent)
    Of.insert(Of.begin(), {{F.Name, Sig.Result.name().str()}, false});
  const bool Forward = isTangent(Item);
  std::string Text;
  for (const auto &[To, Both] : Forward ? Of : Wrt) {
    std::vector<std::string> Terms;
    for (const auto &[From, Unused] : Forward ? Wrt : Of) {
      const Pair &Y = Forward ? To : From, &X = Forward ? From : To;
      const std::string Slope = "∂" + Y.first + "/∂" + X.first;
      Terms.push_back((Forward ? Slope : "(" + Slope + ")ᵀ") + "·" +
                      From.second);
    }
    Text += To.second + (Forward || Both ? " = " : " += ") +
            join(Terms, " + ") + "\n";
  }
  return StringRef(Text).rtrim().str();
}

std::string commentOf(const GradItem &Item, const Options &Opts) {
  const Function &F = *Item.Primal;
  const grad::Signature &Sig = Item.Made.Sig;
  std::vector<std::string> Wrt, Of;
  for (const grad::Slot &S : Sig.Slots) {
    const std::string Name = F.Params[S.Index].name().str();
    if (S.Independent)
      Wrt.push_back(Name);
    if (S.Dependent)
      Of.push_back(Name);
  }
  if (Sig.ResultDependent)
    Of.insert(Of.begin(), "the result");
  const std::string Kind = isTangent(Item) ? "tangent" : "adjoint";
  std::string Text = "// The " + Kind + " of " + F.Name + " (" +
                     sys::path::filename(F.Loc.File).str() + ":" +
                     std::to_string(F.Loc.Line) + "): of " + listed(Of) +
                     " with respect to " + listed(Wrt) + ".\n";
  const std::string Formulas = formulasOf(Item.Primal);
  if (!Formulas.empty() && StringRef(Formulas).count('\n') < 4) {
    SmallVector<StringRef, 4> Lines;
    StringRef(Formulas).rtrim().split(Lines, '\n');
    for (size_t I = 0; I < Lines.size(); ++I)
      Text += (I ? "//   " : "// Primal: ") + Lines[I].str() + "\n";
  }
  Text += layoutOf(Item);
  for (const std::string &Sentence : assumedOf(Item))
    Text += "// Assumed" + Sentence + ".\n";
  for (const std::string &Note : Item.Made.Notes)
    Text += "// " + Note + "\n";
  for (const std::string &Overlap : overlapOf(Item, Opts))
    Text += "// " + Overlap + ".\n";
  for (const std::string &Each : requirementsOf(Item))
    Text += "// " + Each + ".\n";
  return Text;
}

} // namespace raise
