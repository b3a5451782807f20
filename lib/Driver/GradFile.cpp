//===- GradFile.cpp - derivatives as a file of their own ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "GradFile.h"
#include "ConfiguredMacros.h"
#include "GradComment.h"
#include "GradUnit.h"
#include "LibraryHeaders.h"
#include "SourceParts.h"
#include "raise/Emit/Device.h"
#include "raise/Emit/OpenMP.h"
#include "raise/Emit/Source.h"
#include "raise/IR/Math.h"
#include "raise/IR/Recursion.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Frontend/ASTUnit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace raise {

namespace {

bool callsMath(const Function &F) {
  bool Found = false;
  forEachExpr(F.Body, [&](const ExprRef &E) {
    auto *C = dyn_cast<Call>(E.get());
    Found |= C && !C->Fn->Definition;
  });
  return Found;
}

/// Text without the lines that are comments: what these name is not needed.
std::string withoutComments(StringRef Text) {
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  std::string Code;
  for (StringRef Line : Lines)
    if (!Line.ltrim().starts_with("//"))
      Code += Line.str() + "\n";
  return Code;
}

class Writer {
public:
  explicit Writer(const GradFileInput &In) : In(In), Parts(In.Unit) {}

  GradFileText run() {
    addValues();
    for (const GradItem &Item : In.Items)
      addFunctions(Item);
    std::set<std::string> Words;
    for (const Piece &P : Functions)
      addWords(withoutComments(P.Text), Words);
    std::vector<const clang::FunctionDecl *> Roots;
    for (const GradItem &Item : In.Items)
      Roots.push_back(Item.Decl);
    Needed = Parts.partsFor(Roots, In.Others, Words, Out.Errors);
    if (!Out.Errors.empty())
      return std::move(Out);
    const std::string Name = sys::path::filename(In.SourcePath).str();
    const std::string Code = pieces(Functions);
    if (isForDevice() && !In.Unit.getLangOpts().CUDA)
      makeCallable();
    Out.Text =
        withHeaders(mark(Name) + runtime() + includes(), LibraryUse(Code)) +
        "\n" + pieces(Needed) + (isForDevice() ? deviceHelpers(Code) : "") +
        Code;
    if (!In.HeaderName.empty())
      writeHeader(Name);
    return std::move(Out);
  }

private:
  using Piece = SourceParts::Piece;

  std::string mark(const std::string &SourceName) const {
    const bool Forward = isTangent(In.Items.front());
    if (any_of(In.Items,
               [&](const GradItem &I) { return isTangent(I) != Forward; }))
      return "// Adjoints and tangents of functions of " + SourceName +
             ", made by clang-raise grad.\n";
    unsigned K = In.Items.front().Made.Sig.Directions;
    if (any_of(In.Items,
               [&](const GradItem &I) { return I.Made.Sig.Directions != K; }))
      K = 1; // each says its own
    return std::string(Forward ? "// Tangents" : "// Adjoints") +
           " of functions of " + SourceName + ", made by clang-raise grad" +
           (Forward ? " --mode=forward" : "") +
           (K > 1 ? " --directions=" + std::to_string(K) : "") + ".\n";
  }

  /// That the macros which a compile command sets have the values for which the
  /// derivatives were made.
  void addValues() {
    const ConfiguredMacros Configured(In.Unit);
    std::vector<std::string> Tests;
    for (const GradItem &Item : In.Items)
      for (const ConfiguredMacros::Value &V : Configured.valuesIn(*Item.Decl))
        if (std::string Test = V.Name + " == " + toString(V.Is, 10);
            !is_contained(Tests, Test))
          Tests.push_back(std::move(Test));
    if (Tests.empty())
      return;
    const std::string All = join(Tests, " && ");
    Functions.push_back(
        {0,
         {},
         false,
         std::string(isC() ? "_Static_assert(" : "static_assert(") + All +
             ",\n\"made by clang-raise grad for " + All +
             ": run it again for other values\");\n\n"});
  }

  void addFunctions(const GradItem &Item) {
    const std::vector<std::string> Scope = SourceParts::scopeOf(*Item.Decl);
    std::set<const Function *> Below;
    for (const FunctionRef &Helper : Item.Made.Helpers)
      Below.insert(Helper.get());
    for (const FunctionRef &Helper : Item.Made.Helpers) {
      Below.erase(Helper.get());
      declareCalled(*Helper, Below, Scope);
      UsesMath |= callsMath(*Helper);
      Heap |= heapUseOf(*Helper);
      Functions.push_back({0, Scope, false,
                           aboutHelper(Item, *Helper) +
                               (isForDevice() ? "__host__ __device__ " : "") +
                               emitMadeFunction(*Helper, In.Opts) + "\n"});
    }
    const bool ExternC = isExternC(*Item.Decl);
    if (Item.Split)
      addTape(*Item.Split, Scope);
    for (const FunctionRef &F : Item.Written) {
      UsesMath |= callsMath(*F);
      Stops |= !F->Requires.empty();
      Heap |= heapUseOf(*F);
      const std::string Comment =
          Item.Split ? commentOfPart(Item, *F) : commentOf(Item, In.Opts);
      if (isForDevice()) {
        addDevice(*F, Comment, Scope, ExternC, Item.Made.Apart);
        continue;
      }
      if (const std::string General = emitGeneralForm(*F, In.Opts);
          !General.empty())
        Functions.push_back({0, Scope, false, General});
      Functions.push_back({0, Scope, ExternC,
                           Comment + (ExternC ? "extern \"C\" " : "") +
                               emitMadeFunction(*F, In.Opts, Item.Made.Apart) +
                               "\n"});
      Prototypes.push_back({0, Scope, ExternC, Comment + emitPrototype(*F)});
    }
  }

  /// F as kernels and what launches them.
  void addDevice(const Function &F, const std::string &Comment,
                 const std::vector<std::string> &Scope, bool ExternC,
                 BufferPairs Apart) {
    const std::string About =
        Comment + "// All pointers are to the device's memory. The kernels run "
                  "on the default stream, which is not waited for.\n";
    DeviceText Text = emitDeviceFunction(
        F, In.Opts, About + (ExternC ? "extern \"C\" " : ""), Apart);
    if (Text.Why.isSet())
      Out.Errors.push_back(std::move(Text.Why));
    Functions.push_back({0, Scope, false, Text.Text + "\n"});
    Prototypes.push_back({0, Scope, ExternC, About + emitPrototype(F)});
  }

  /// Functions of the source that kernels call become those of the device.
  void makeCallable() {
    std::set<std::string> Called;
    for (const GradItem &Item : In.Items) {
      std::vector<FunctionRef> All = Item.Made.Helpers;
      append_range(All, Item.Written);
      for (const FunctionRef &F : All)
        forEachCallee(*F, [&](const Function &G) { Called.insert(G.Name); });
    }
    for (Piece &P : Needed)
      for (const std::string &Name : Called) {
        const StringRef Head = StringRef(P.Text).take_until(
            [](char C) { return C == '{' || C == ';' || C == '='; });
        const size_t At = Head.find(" " + Name + "(");
        if (At == StringRef::npos)
          continue;
        const size_t Line = Head.rfind('\n', At);
        P.Text.insert(Line == StringRef::npos ? 0 : Line + 1,
                      "__host__ __device__ ");
      }
  }

  /// Calls Look for all functions with a body that F calls, through others too.
  static void forEachCallee(const Function &F,
                            function_ref<void(const Function &)> Look) {
    std::set<const Function *> Seen;
    const std::function<void(const Function &)> Walk = [&](const Function &G) {
      struct Finder : Visitor {
        std::vector<const Function *> Found;
        bool visitExpr(const ExprRef &E) override {
          auto *C = dyn_cast<Call>(E.get());
          if (C && C->Fn->Definition)
            Found.push_back(C->Fn->Definition.get());
          return true;
        }
      } V;
      V.VisitOriginals = true;
      V.walk(G.Body);
      for (const Function *Each : V.Found)
        if (Seen.insert(Each).second) {
          Look(*Each);
          Walk(*Each);
        }
    };
    Walk(F);
  }

  bool isForDevice() const { return In.Opts.Target == Dialect::Cuda; }

  /// Those of Below that F calls, which stand after it. They stay in Below
  /// until they are declared.
  void declareCalled(const Function &F, std::set<const Function *> &Below,
                     const std::vector<std::string> &Scope) {
    std::string Text;
    forEachExpr(F.Body, [&](const ExprRef &E) {
      auto *C = dyn_cast<Call>(E.get());
      if (C && Below.erase(C->Fn->Definition.get()))
        Text += emitPrototype(*C->Fn->Definition);
    });
    if (!Text.empty())
      Functions.push_back({0, Scope, false, Text + "\n"});
  }

  std::string commentOfPart(const GradItem &Item, const Function &F) const {
    const grad::SplitAdjoint &S = *Item.Split;
    const bool Keeps = !S.Members.empty();
    const std::string Stops = stopsOf(Item.Made.Sig);
    if (F.Name == S.Augmented->Name)
      return "// Computes what " + Item.Primal->Name + " (" +
             sys::path::filename(F.Loc.File).str() + ":" +
             std::to_string(F.Loc.Line) + ") computes" +
             (Keeps ? ", and keeps in tape what " + S.Reverse->Name +
                          " needs of it"
                    : "") +
             ".\n" + (Stops.empty() ? "" : "// " + Stops + ".\n");
    return commentOf(Item, In.Opts) + "// To be called after " +
           S.Augmented->Name + ", with all arguments" +
           (Keeps ? " and the tape" : "") + " as that left them.\n";
  }

  /// The structure that both parts of an adjoint share.
  void addTape(const grad::SplitAdjoint &S,
               const std::vector<std::string> &Scope) {
    if (S.Members.empty())
      return;
    const std::string Text = "// What " + S.Augmented->Name + " keeps for " +
                             S.Reverse->Name + ".\n" +
                             emitStructure(S.TapeType, S.Members, isC()) + "\n";
    KeepsVectors |= !isC() && any_of(S.Members, [](const BufferRef &B) {
      return B->Lies != ArrayHome::Automatic;
    });
    Heap.Any |= KeepsVectors || isC();
    Functions.push_back({0, Scope, false, Text});
    Prototypes.push_back({0, Scope, false, Text});
    if (!isC())
      return;
    const std::string About =
        "// Frees what " + S.Augmented->Name + " allocated.\n";
    Functions.push_back(
        {0, Scope, false, About + emitFree(S.TapeType, S.Members) + "\n"});
    Prototypes.push_back(
        {0, Scope, false,
         About + "void " + S.TapeType + "_free(" + S.TapeType + " *tape);\n"});
  }

  static std::string aboutHelper(const GradItem &Item, const Function &Helper) {
    if (!Helper.Comment.empty())
      return "// " + Helper.Comment + "\n";
    if (Helper.Differentiates.empty()) {
      const std::string Of = StringRef(Helper.Name).rsplit("_tan").first.str();
      std::string Text = "// The tangent of what " + Of + " returns.";
      if (!isTangent(Item))
        Text += " In the direction of one argument, by the adjoint of the "
                "result, it is what that passes on to the argument.";
      return Text + "\n" + costOfRecursion(Item, Helper, Of);
    }
    return "// What the adjoint of the result of " +
           StringRef(Helper.Name).rsplit("_adj").first.str() +
           " passes on to " + Helper.Differentiates + ".\n";
  }

  /// Calls of functions that call themselves are made again at each level, for
  /// their values.
  static std::string costOfRecursion(const GradItem &Item,
                                     const Function &Helper,
                                     const std::string &Of) {
    if (!callsItself(Helper))
      return "";
    std::string Again;
    forEachExpr(Helper.Body, [&](const ExprRef &E) {
      auto *C = dyn_cast<Call>(E.get());
      if (C && C->Fn->Definition && callsItself(*C->Fn->Definition) &&
          !is_contained(Item.Made.Helpers, C->Fn->Definition))
        Again = C->Fn->Name;
    });
    return Again.empty() ? ""
                         : "// It calls " + Again +
                               " for values, at each level anew: for d levels, "
                               "that is d times the work of " +
                               Of + " at most.\n";
  }

  bool isC() const { return !In.Unit.getLangOpts().CPlusPlus; }
  bool isExternC(const clang::FunctionDecl &FD) const {
    return !isC() && FD.isExternC();
  }

  /// What CUDA's types and functions are declared by on the host.
  std::string runtime() const {
    if (isForDevice())
      return "";
    return In.Unit.getLangOpts().CUDA ? "#include <raise/cuda.h>\n" : "";
  }

  std::string includes() const {
    std::string Text = Parts.preamble(In.SourcePath, In.OutputFolder);
    const StringRef Math = isC() ? "<math.h>" : "<cmath>";
    const auto Add = [&](StringRef Header) {
      if (Text.find(Header.str()) == std::string::npos)
        Text += "#include " + Header.str() + "\n";
    };
    if (UsesMath)
      Add(Math);
    if (isForDevice()) // which deviceHelpers use
      for (const StringRef Header : {"<cstdio>", "<cstdlib>"})
        Add(Header);
    else if (Heap.Any)
      Add(isC() ? "<stdlib.h>" : "<vector>");
    if (Stops)
      for (const StringRef Header :
           isC() ? ArrayRef<StringRef>{"<stdio.h>", "<stdlib.h>"}
                 : ArrayRef<StringRef>{"<cstdio>", "<cstdlib>"})
        Add(Header);
    // A source that has arrays which grow has it.
    const bool Repeated = any_of(Needed, [](const Piece &P) {
      return StringRef(P.Text).contains("*raise_room(");
    });
    if (Heap.Grows && isC() && !Repeated)
      Text += "\n" + growingText();
    return Text;
  }

  /// Pieces in their namespaces.
  static std::string pieces(ArrayRef<Piece> All) {
    std::string Text;
    for (size_t I = 0; I < All.size(); ++I) {
      const std::vector<std::string> &Scope = All[I].Scope;
      if (I == 0 ? !Scope.empty() : Scope != All[I - 1].Scope)
        for (const std::string &Name : Scope)
          Text += "namespace " + Name + (Name.empty() ? "{\n" : " {\n");
      Text += All[I].Text;
      if (!StringRef(Text).ends_with("\n"))
        Text += "\n";
      if (I + 1 == All.size() ? !Scope.empty() : Scope != All[I + 1].Scope)
        for (size_t K = 0; K < Scope.size(); ++K)
          Text += "}\n";
    }
    return All.empty() ? Text : Text + "\n";
  }

  void writeHeader(const std::string &SourceName) {
    // Not that of a header of the same name beside the source.
    std::string Guard = "CLANG_RAISE_";
    for (char C : In.HeaderName)
      Guard += isAlnum(C) ? toUpper(C) : '_';
    std::set<std::string> Words;
    for (const Piece &P : Prototypes)
      addWords(withoutComments(P.Text), Words);
    std::string Text =
        mark(SourceName) + "#ifndef " + Guard + "\n#define " + Guard + "\n\n" +
        runtime() + preambleOfHeader() + "\n" +
        pieces(Parts.forwardDeclarations(Needed, Words, Out.Errors));
    const std::string Begin = "extern \"C\" {\n", End = "}\n";
    if (isC())
      Text += "#ifdef __cplusplus\n" + Begin + "#endif\n\n" +
              forBothLanguages(pieces(Prototypes)) + "#ifdef __cplusplus\n" +
              End + "#endif\n";
    else
      for (const Piece &P : Prototypes)
        Text += P.ExternC ? Begin + pieces(P) + End : pieces(P);
    Out.Header = Text + "\n#endif // " + Guard + "\n";
  }

  /// C's `_Bool` is `bool` in C++, and in C by a header that both have.
  static std::string forBothLanguages(std::string Text) {
    const StringRef From = "_Bool ";
    for (size_t At = Text.find(From); At != std::string::npos;
         At = Text.find(From, At + 1))
      if (At == 0 || !isAlnum(Text[At - 1]))
        Text.replace(At, From.size(), "bool ");
    return Text;
  }

  std::string preambleOfHeader() const {
    std::string Text = Parts.preamble(In.SourcePath, In.OutputFolder);
    const bool Bools = any_of(Prototypes, [](const Piece &P) {
      return StringRef(P.Text).contains("_Bool ");
    });
    if (isC() && Bools && !StringRef(Text).contains("<stdbool.h>"))
      Text += "#include <stdbool.h>\n";
    if (KeepsVectors && !StringRef(Text).contains("<vector>"))
      Text += "#include <vector>\n";
    return Text;
  }

  const GradFileInput &In;
  SourceParts Parts;
  std::vector<Piece> Functions, Prototypes, Needed;
  bool Stops = false; ///< ends the program where requirements do not hold
  bool UsesMath = false, KeepsVectors = false;
  HeapUse Heap;
  GradFileText Out;
};

} // namespace

GradFileText gradFile(const GradFileInput &In) { return Writer(In).run(); }

std::set<std::string> namesOfUnit(clang::ASTUnit &Unit) {
  std::set<std::string> Names;
  const std::function<void(const clang::DeclContext *)> Walk =
      [&](const clang::DeclContext *C) {
        for (const clang::Decl *D : C->decls()) {
          if (auto *N = dyn_cast<clang::NamedDecl>(D); N && N->getIdentifier())
            Names.insert(N->getName().str());
          if (isa<clang::NamespaceDecl>(D) || isa<clang::LinkageSpecDecl>(D))
            Walk(cast<clang::DeclContext>(D));
        }
      };
  Walk(Unit.getASTContext().getTranslationUnitDecl());
  for (const auto &Macro : Unit.getPreprocessor().macros())
    Names.insert(Macro.first->getName().str());
  return Names;
}

} // namespace raise
