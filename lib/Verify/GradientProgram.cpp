//===- GradientProgram.cpp - a program that runs a derivative -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradientProgram.h"
#include "Directions.h"
#include "Internal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <random>

using namespace llvm;

namespace raise {

using interp::Binding;
using interp::Storage;
using interp::Value;

namespace {

std::string literal(const Value &V) {
  if (!V.Ty.isFloat())
    return V.Ty.Signed || V.Ty.isBool() ? itostr(V.I) + "LL"
                                        : utostr(uint64_t(V.I)) + "ULL";
  const double D = double(V.D);
  if (std::isnan(D))
    return "__builtin_nan(\"\")";
  if (std::isinf(D))
    return D < 0 ? "-__builtin_inf()" : "__builtin_inf()";
  char Buffer[64];
  snprintf(Buffer, sizeof Buffer, "%a", D);
  return Buffer;
}

/// Cells that are set, one after the other, all of one type: of the elements
/// themselves, or of their Field (".x").
struct Run {
  std::string Field;
  size_t First;
  std::vector<Value> Cells;

  size_t end() const { return First + Cells.size(); }
  /// `for (i …) Do`, where Do names the element `[i]`.
  std::string each(const Twine &Do) const {
    return ("  for (int i = " + Twine(First) + "; i < " + Twine(end()) +
            "; ++i)\n    " + Do + "\n")
        .str();
  }
  std::string element() const { return "[i]" + Field; }
};

std::vector<Run> runsOf(const Storage &S) {
  std::vector<Run> Runs;
  const auto Add = [&](const std::string &Field, const auto &Plane) {
    for (size_t I = 0; I < Plane.size(); ++I) {
      if (!Plane[I])
        continue;
      const bool Goes = !Runs.empty() && Runs.back().Field == Field &&
                        Runs.back().end() == I &&
                        Runs.back().Cells.back().Ty == Plane[I]->Ty;
      if (!Goes)
        Runs.push_back({Field, I, {}});
      Runs.back().Cells.push_back(*Plane[I]);
    }
  };
  Add("", S.Cells);
  for (const auto &[Field, Plane] : S.Fields)
    Add("." + Field, Plane);
  return Runs;
}

/// Sets the cells of R in Array, from a table: a statement for each would take
/// the compiler minutes.
std::string setCells(const std::string &Array, const Run &R) {
  const Type &T = R.Cells.front().Ty;
  std::string Table = T.isFloat()              ? "double"
                      : T.Signed || T.isBool() ? "long long"
                                               : "unsigned long long";
  Table = "  {\n  static const " + Table + " values[] = {";
  for (const Value &V : R.Cells)
    Table += "\n    " + literal(V) + ",";
  return Table + "};\n" +
         R.each(Array + R.element() + " = values[i - " + Twine(R.First) +
                "];") +
         "  }\n";
}

} // namespace

/// `l` of the implied parameter `l->w`; empty for others.
static std::string ownerOf(const Param &P) {
  return P.Implied ? P.name().take_front(P.name().find_first_of(".-")).str()
                   : "";
}

/// The type of an element, as the source spells it.
std::string GradientProgram::elementType(const Buffer &B) const {
  if (!B.Elem.isVoid())
    return B.Elem.cName();
  const StringRef Spelled =
      B.TypeSpelling.empty() ? B.Elem.Spelling : B.TypeSpelling;
  StringRef T = Spelled.take_until(
      [](char C) { return C == '*' || C == '&' || C == '[' || C == '('; });
  T = T.trim();
  T.consume_front("const ");
  T.consume_back(" const");
  return T.trim().str();
}

void GradientProgram::add(const interp::Inputs &In, uint64_t Seed) {
  const Function &Primal = *Job.Base.Original;
  const Function &F = *Job.Made.F;
  std::mt19937_64 Random(Seed);
  const auto Pick = [&](const Type &T) {
    const double D = std::uniform_real_distribution<double>(-1, 1)(Random);
    return Value::ofFloat(T.Bits == 32 ? float(D) : D, T);
  };
  // What is written has an adjoint, whether it had a value before or not.
  interp::Inputs Shape = interp::clone(In);
  if (Job.Made.Sig.M == grad::Mode::Reverse)
    (void)interp::run(Primal, Shape);
  interp::Inputs Before = interp::clone(In);
  const unsigned K = Job.Made.Sig.Directions;
  std::map<Storage *, std::shared_ptr<Storage>> Directions;
  for (const grad::Slot &S : Job.Made.Sig.Slots) {
    const Param &P = Primal.Params[S.Index];
    const std::string Name = S.Derivative.name().str();
    if (P.Scalar && S.Derivative.Scalar) {
      Before.Scalars[Name] = Pick(P.Scalar->Ty);
      continue;
    }
    if (P.Scalar) {
      Binding Cell;
      Cell.Store = std::make_shared<Storage>();
      for (unsigned D = 0; D < K; ++D)
        Cell.Store->Cells.push_back(Pick(P.Scalar->Ty));
      Before.Buffers[Name] = Cell;
      continue;
    }
    Binding B = bindingOf(Shape, P.name());
    if (B.Store) {
      auto &D = Directions[B.Store.get()];
      if (!D) {
        D = repeated(*B.Store, K);
        for (auto &C : D->Cells)
          if (C && C->Ty.isFloat())
            C = Pick(C->Ty);
        for (auto &[Field, Plane] : D->Fields)
          for (auto &C : Plane) {
            if (C && C->Ty.isFloat())
              C = Pick(C->Ty);
            else
              C.reset();
          }
      }
      B.Store = D;
      B.Offset *= K;
    }
    Before.Buffers[Name] = B;
  }
  if (Job.Made.Sig.Result.Scalar)
    Before.Scalars[Job.Made.Sig.Result.name().str()] =
        Pick(Job.Made.Sig.Result.Scalar->Ty);
  if (Job.Made.Sig.Result.Buf) {
    Binding R;
    R.Store = std::make_shared<Storage>();
    R.Store->Cells.resize(K);
    Before.Buffers[Job.Made.Sig.Result.name().str()] = R;
  }
  interp::Inputs After = interp::clone(Before);
  const interp::Outcome O = interp::run(F, After);
  if (O.Why != interp::Stop::Done || !Problem.empty())
    return;
  const size_t Known = Values.size();
  Outside = false;
  std::string Data, Call, Print;
  if (F.Kind == FunctionKind::Kernel)
    for (const ArrayRef<uint64_t> Dim :
         {ArrayRef<uint64_t>(In.GridDim), ArrayRef<uint64_t>(In.BlockDim)})
      Call += (Call.empty() ? "dim3(" : ", dim3(") + utostr(Dim[0]) + ", " +
              utostr(Dim[1]) + ", " + utostr(Dim[2]) + ")";
  for (const Param &P : F.Params)
    if (const std::string Of = ownerOf(P);
        !Of.empty() && F.findParam(Of)->Buf->Elem.isVoid() &&
        !Job.Base.Layouts.count(Of))
      Problem = "the test program cannot make an object for '" + Of + "'";
  std::string First;
  for (const Param &P : F.Params) {
    argument(P, Before, After, Data, Call, Print);
    if (&P == &F.Params.front() + Primal.Params.size() - 1)
      First = Call;
  }
  if (!Problem.empty())
    return;
  if (Outside ||
      Values.size() - Known > 20000) { // a program that compiles in time
    Values.erase(Values.begin() + Known, Values.end());
    return;
  }
  Given.push_back(std::move(Before));
  if (Job.Split) {
    addSplit(Data, First, Call, Print);
    return;
  }
  const std::string Entry = "derivative(" + Call + ")";
  Text +=
      "INPUT static void input" + std::to_string(Inputs) + "(void) {\n" + Data;
  if (O.Result) {
    Values.insert(Values.begin() + Known,
                  {"the result", *O.Result, 0, Inputs, "", ""});
    Text += std::string("  ") + (O.Result->Ty.isFloat() ? "REAL(" : "WHOLE(") +
            Entry + ");\n";
  } else {
    Text += "  " + Entry + ";\n";
  }
  Text += Print + "}\n";
  ++Inputs;
}

/// `cells_l_w`: the array that holds what P leads to.
static std::string cellsOf(const Param &P) {
  std::string Name = "cells_";
  for (char C : P.name())
    Name += isAlnum(C) ? C : '_';
  return Name;
}

/// `cells_l[0].w`: what gives the implied parameter `l->w`.
static std::string givenBy(const interp::Inputs &In, StringRef Name) {
  const size_t Member = Name.find_first_of(".-");
  const StringRef Owner = Name.take_front(Member);
  StringRef Path = Name.drop_front(Member);
  if (!Path.consume_front("->"))
    Path.consume_front(".");
  return "cells_" + Owner.str() + "[" +
         std::to_string(bindingOf(In, Owner).Offset) + "]." + Path.str();
}

/// How long the container is whose elements B are, in that input.
size_t GradientProgram::lengthOf(const Buffer &B, const interp::Inputs &In,
                                 const Storage &Held) {
  const Function &Primal = *Job.Base.Original;
  if (auto *N = dyn_cast_or_null<IntConst>(B.Extents[0].get()))
    return N->Value;
  std::string Of = B.Name;
  size_t Each = 1;
  for (const grad::Slot &S : Job.Made.Sig.Slots)
    if (S.Derivative.name() == B.Name) {
      Of = Primal.Params[S.Index].name().str();
      Each = Job.Made.Sig.Directions;
    }
  size_t Cells = Held.size();
  if (const Binding Whose = bindingOf(In, Of); Whose.Store)
    Cells = std::max(Cells, Whose.Store->size() * Each);
  auto It = In.Scalars.find(Of + ".size()");
  if (It == In.Scalars.end())
    return Cells;
  const size_t Length = size_t(It->second.I) * Each;
  if (Cells > Length)
    Outside = true; // on this input, the function is no good
  return Length;
}

/// Declares Array of so many elements.
std::string GradientProgram::declared(const Buffer &B, const std::string &Array,
                                      size_t Length) const {
  StringRef Type = B.TypeSpelling;
  Type.consume_front("const ");
  const size_t Open = Type.find('<');
  if (!B.Container || Open == StringRef::npos ||
      Type.take_front(Open).ends_with("span"))
    return "  static " + elementType(B) + " " + Array + "[" +
           std::to_string(Length + 1) + "];\n";
  Type = Type.take_front(Type.rfind('>') + 1);
  return "  static " + Type.str() + " " + Array +
         (Type.take_front(Open).ends_with("array")
              ? std::string("{}")
              : "(" + std::to_string(Length) + ")") +
         ";\n";
}

/// Both parts, one after the other. First, Call: their arguments but for the
/// tape.
void GradientProgram::addSplit(const std::string &Data,
                               const std::string &First,
                               const std::string &Call,
                               const std::string &Print) {
  const bool C = Job.Base.LanguageC, Keeps = !Job.Split->Members.empty();
  const std::string Tape = !Keeps ? "" : C ? "&tape" : "tape";
  const auto With = [&](const std::string &Args) {
    return Args + (Args.empty() || Tape.empty() ? "" : ", ") + Tape;
  };
  const auto Name = [&](const std::string &Of) { return Job.Scope + Of; };
  Text +=
      "INPUT static void input" + std::to_string(Inputs) + "(void) {\n" + Data;
  if (Keeps)
    Text += "  " + Name(Job.Split->TapeType) + " tape;\n";
  Text += "  (void)" + Name(Job.Split->Augmented->Name) + "(" + With(First) +
          ");\n  " + Name(Job.Split->Reverse->Name) + "(" + With(Call) + ");\n";
  if (Keeps && C)
    Text += "  " + Job.Split->TapeType + "_free(&tape);\n";
  Text += Print + "}\n";
  ++Inputs;
}

void GradientProgram::argument(const Param &P, const interp::Inputs &Before,
                               const interp::Inputs &After, std::string &Data,
                               std::string &Call, std::string &Print) {
  const std::string Name = P.name().str();
  if (P.Scalar && P.Implied) {
    if (!StringRef(Name).ends_with(".size()")) // which a container has
      Data += "  " + givenBy(Before, Name) + " = " +
              literal(Before.Scalars.at(Name)) + ";\n";
    return;
  }
  if (!Call.empty() && !P.Implied)
    Call += ", ";
  if (P.Scalar) {
    Call += "(" + P.Scalar->Ty.cName() + ")" + literal(Before.Scalars.at(Name));
    return;
  }
  const Buffer &B = *P.Buf;
  const Binding From = bindingOf(Before, Name), To = bindingOf(After, Name);
  if (!From.Store) {
    Call += P.Implied ? "" : "0";
    return;
  }
  const size_t Length =
      B.Container ? lengthOf(B, Before, *To.Store) : To.Store->size();
  // An array of rows is passed by the address of its first.
  std::string Rows;
  for (const ExprRef &E : ArrayRef(B.Extents).drop_front()) {
    interp::Inputs Sizes = interp::clone(Before);
    const std::optional<Value> N = interp::evaluate(E, *Job.Made.F, Sizes);
    if (N)
      Rows += "[" + itostr(N->I) + "]";
    else
      Problem = "the size of '" + Name + "' is not known";
  }
  if (StringRef(B.TypeSpelling).contains("(&"))
    Problem = "the test program cannot pass '" + Name + "', an array";
  if (P.Implied && !B.Container && !B.Owner)
    Problem = "the test program cannot fill '" + Name + "', an array";
  if (!Problem.empty())
    return;
  // Parameters that share storage share an array.
  std::string Array;
  for (const Param &Other : Job.Made.F->Params) {
    if (!Other.Buf || bindingOf(Before, Other.name()).Store != From.Store)
      continue;
    Array = cellsOf(Other);
    if (elementType(*Other.Buf) != elementType(B)) {
      Problem = "'" + Name + "' shares memory with another type";
      return;
    }
    break;
  }
  const std::string Where = P.Implied ? givenBy(Before, Name) : "";
  if (Array == cellsOf(P)) {
    Data += declared(B, Array, Length);
    for (const Run &R : runsOf(*From.Store))
      Data += setCells(Array, R);
    const std::vector<Run> Results = runsOf(*To.Store);
    double Scale = 0;
    for (const Run &R : Results)
      for (const Value &V : R.Cells)
        if (V.Ty.isFloat() && std::isfinite(double(V.D)))
          Scale = std::max(Scale, std::fabs(double(V.D)));
    for (const Run &R : Results) {
      for (size_t I = R.First; I < R.end(); ++I)
        Values.push_back(
            {"'" + Name + "[" + std::to_string(I) + "]" + R.Field + "'",
             R.Cells[I - R.First], Scale, Inputs, Name, R.Field, I});
      Print += R.each(Twine(R.Cells.front().Ty.isFloat() ? "REAL(" : "WHOLE(") +
                      (P.Implied && B.Container ? Where : Array) + R.element() +
                      ");");
    }
  }
  const std::string At = std::to_string(From.Offset);
  if (P.Implied) {
    Data +=
        "  " + Where + " = " + Array + (B.Container ? "" : " + " + At) + ";\n";
    return;
  }
  if (B.Container) {
    const bool IsView = StringRef(B.TypeSpelling).contains("span<");
    Call += IsView ? "{" + Array + ", " + std::to_string(Length) + "}" : Array;
    return;
  }
  Call += B.Reference    ? Array + "[" + At + "]"
          : Rows.empty() ? Array + " + " + At
                         : "(" + elementType(B) + " (*)" + Rows + ")(" + Array +
                               " + " + At + ")";
}

static std::string fileIn(StringRef WorkDir, const Twine &Name) {
  SmallString<256> P(WorkDir);
  sys::path::append(P, Name);
  return std::string(P);
}

std::string GradientProgram::build(StringRef File, StringRef Name,
                                   StringRef RuntimeDir, StringRef WorkDir) {
  const VerifyJob &Base = Job.Base;
  const auto In = [&](const Twine &Of) { return fileIn(WorkDir, Of); };
  std::string Program = "#include \"" + File.str() +
                        "\"\n#include <stdio.h>\n"
                        // What is run once need not be fast, and its many small
                        // loops would take an optimiser minutes.
                        "#define INPUT __attribute__((noinline, optnone))\n"
                        "#define REAL(V) printf(\"%a\\n\", (double)(V))\n"
                        "#define WHOLE(V) printf(\"%lld\\n\", (long long)(V))\n"
                        "#define derivative " +
                        Base.Entry + "\n" + Text + "int main(void) {\n";
  for (size_t I = 0; I < Inputs; ++I)
    Program += "  input" + std::to_string(I) + "();\n";
  Program += "  return 0;\n}\n";
  const std::string Source = In(Name + (Base.LanguageC ? ".c" : ".cpp"));
  {
    std::error_code EC;
    raw_fd_ostream OS(Source, EC);
    if (!EC)
      OS << Program;
    if (EC || OS.has_error()) {
      OS.clear_error();
      return "cannot write '" + Source + "'";
    }
  }
  std::vector<std::string> Args = compileArguments(Base, RuntimeDir);
  Args.insert(Args.end(), {"-x", Base.LanguageC ? "c" : "c++", Source, "-x",
                           "none", "-o", In(Name), "-lm"});
  const std::string Log = In(Name + ".log");
  ProgramResult Built;
  if (Alone) {
    Built = runProgram(Args, Log, 300);
    Alone = Built.Status == 0;
  }
  if (!Alone) {
    // What the source exports is linked from a library, so that a main() of its
    // own does no harm.
    const std::string Library = In("original.so");
    if (!sys::fs::exists(Library))
      buildLibrary({&Base}, {}, Base.OriginalFile, &VerifyJob::OriginalBelow,
                   /*Exact=*/true, RuntimeDir, WorkDir, "original");
    Args.insert(Args.end(), {Library, "-Wl,-rpath," + WorkDir.str(),
                             "-Wl,--unresolved-symbols=ignore-in-shared-libs"});
    if (sys::fs::exists(Library))
      Built = runProgram(Args, Log, 300);
  }
  return Built.Status == 0
             ? ""
             : "the emitted text does not compile: " + firstError(Built);
}

std::string GradientProgram::run(StringRef Name, unsigned Threads,
                                 StringRef WorkDir, std::string &Output) {
  // Threads that wait actively take the processor from those that work.
  const ProgramResult R = runProgram(
      {"env", "OMP_NUM_THREADS=" + std::to_string(Threads), "OMP_DYNAMIC=false",
       "OMP_WAIT_POLICY=passive", fileIn(WorkDir, Name)},
      fileIn(WorkDir, Name + ".out"), 60);
  Incomplete = R.Status < 0 && !Alone;
  if (R.Status != 0)
    return Incomplete ? "the source needs other files to run"
                      : "the emitted text does not run: status " +
                            std::to_string(R.Status);
  Output = R.Output;
  return "";
}

/// In with each floating value off in its last place, up or down as Which says.
static interp::Inputs beside(const interp::Inputs &In, unsigned Which) {
  interp::Inputs Near = interp::clone(In);
  size_t Count = Which;
  const auto Move = [&](Value &V) {
    if (!V.Ty.isFloat())
      return;
    const bool Up = (Count++ >> Which) % 2;
    const double Unit = V.Ty.Bits == 32 ? 0x1p-23 : 0x1p-52;
    V.D *= Up ? 1 + Unit : 1 - Unit;
    if (V.Ty.Bits == 32)
      V.D = float(V.D);
  };
  for (auto &[Name, V] : Near.Scalars)
    Move(V);
  std::set<Storage *> Done;
  for (auto &[Name, B] : Near.Buffers)
    if (B.Store && Done.insert(B.Store.get()).second)
      eachCell(*B.Store, [&](std::optional<Value> &V, StringRef, size_t) {
        if (V)
          Move(*V);
      });
  return Near;
}

std::optional<double> GradientProgram::valueOf(const Expected &E,
                                               interp::Inputs &After,
                                               const interp::Outcome &O) const {
  if (E.Of.empty())
    return O.Result ? std::optional(double(O.Result->D)) : std::nullopt;
  const Binding B = bindingOf(After, E.Of);
  if (!B.Store)
    return std::nullopt;
  const Storage::Plane *Plane = &B.Store->Cells;
  if (!E.Field.empty()) {
    const auto It = B.Store->Fields.find(E.Field.substr(1));
    if (It == B.Store->Fields.end())
      return std::nullopt;
    Plane = &It->second;
  }
  if (E.Cell >= Plane->size() || !(*Plane)[E.Cell])
    return std::nullopt;
  return double((*Plane)[E.Cell]->D);
}

/// How far E moves when what goes in moves by its rounding: infinitely, if that
/// makes a number of what is none, or the reverse, or the derivative stops.
double GradientProgram::movesBy(const Expected &E) const {
  const double Was = double(E.V.D);
  double Most = 0;
  for (unsigned Which = 0; Which < 3; ++Which) {
    interp::Inputs Near = beside(Given[E.Input], Which);
    const interp::Outcome O = interp::run(*Job.Made.F, Near);
    const auto Is =
        O.Why == interp::Stop::Done ? valueOf(E, Near, O) : std::nullopt;
    if (!Is || std::isfinite(*Is) != std::isfinite(Was))
      return std::numeric_limits<double>::infinity();
    if (std::isfinite(Was))
      Most = std::max(Most, std::fabs(*Is - Was));
  }
  return Most;
}

std::string GradientProgram::compare(StringRef Output) const {
  SmallVector<StringRef, 0> Lines;
  Output.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  if (Lines.size() != Values.size())
    return "it prints " + std::to_string(Lines.size()) + " values, not " +
           std::to_string(Values.size());
  for (size_t I = 0; I < Values.size(); ++I) {
    const Expected &E = Values[I];
    const std::string Line = Lines[I].str();
    if (!E.V.Ty.isFloat()) {
      if (Line != itostr(E.V.I))
        return E.What + " is " + Line + ", not " + itostr(E.V.I);
      continue;
    }
    const double Got = strtod(Line.c_str(), nullptr), Right = double(E.V.D);
    // The interpreter's library functions may round in another way.
    const double Limit =
        (E.V.Ty.Bits == 32 ? 1e-3 : 1e-9) * (1e-3 + std::fabs(Right) + E.Scale);
    const bool Same = Got == Right || (std::isnan(Got) && std::isnan(Right)) ||
                      std::fabs(Got - Right) <= Limit;
    // Each of many operations rounds, and not only what goes in.
    if (!Same && !(std::fabs(Got - Right) <= 1000 * movesBy(E))) {
      std::string Difference;
      raw_string_ostream(Difference)
          << E.What << " is " << Got << ", not " << Right;
      return Difference;
    }
  }
  return "";
}

} // namespace raise
