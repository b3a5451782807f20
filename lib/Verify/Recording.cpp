//===- Recording.cpp - arguments of real calls, kept in a file ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Verify/Recording.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <cmath>
#include <cstdlib>

using namespace llvm;

namespace raise {

using interp::Binding;
using interp::Inputs;
using interp::Storage;
using interp::Value;

namespace {

constexpr StringRef Heading = "# clang-raise recording 1";
/// Elements of all arrays of a call, and calls of a recording.
constexpr size_t MostElements = size_t(1) << 22, MostCalls = 1000;

const Type I64 = Type::getI64(), U64 = Type::getInt(64, false),
           F64 = Type::getFloat(64);

/// A whole number in decimal digits, or a floating one as C prints it.
std::optional<Value> numberOf(StringRef Text) {
  int64_t I = 0;
  uint64_t U = 0;
  if (!Text.getAsInteger(10, I))
    return Value::ofInt(I, I64);
  if (!Text.getAsInteger(10, U))
    return Value::ofInt(int64_t(U), U64);
  const std::string Copy = Text.str();
  // What strtod takes, but for spaces, and words that it does not end with.
  if (Copy.empty() || isSpace(Copy.front()))
    return std::nullopt;
  char *End = nullptr;
  const double D = std::strtod(Copy.c_str(), &End);
  if (End != Copy.c_str() + Copy.size())
    return std::nullopt;
  return Value::ofFloat(D, F64);
}

class Parser {
public:
  Parser(StringRef Text, StringRef Name) : Rest(Text), Name(Name) {}

  Expected<std::vector<RecordedCall>> run() {
    std::vector<RecordedCall> Calls;
    bool Open = false;
    if (!nextLine() || Line != Heading)
      return fail(Line.begin(), "a recording begins with '" + Heading + "'");
    while (nextLine()) {
      if (Line.empty() || Line.starts_with("#"))
        continue;
      const auto [Word, Behind] = getToken(Line);
      if (Word == "call") {
        if (Open)
          return fail(Line.begin(), "an 'end' is expected before another "
                                    "'call': the call on line " +
                                        Twine(Calls.back().Line) +
                                        " was not recorded to its end");
        if (Calls.size() == MostCalls)
          return fail(Line.begin(), "more than " + Twine(MostCalls) + " calls");
        Open = true;
        Calls.emplace_back();
        Calls.back().Function = Behind.trim().str();
        Calls.back().Line = Number;
        Elements = 0;
        continue;
      }
      if (!Open)
        return fail(Line.begin(), "'call' and the name of a function are "
                                  "expected");
      if (Line == "end") {
        Open = false;
        continue;
      }
      if (Error E = entry(Calls.back(), Word, Behind))
        return std::move(E);
    }
    if (Open)
      return fail(Line.end(), "no 'end' follows the call on line " +
                                  Twine(Calls.back().Line) +
                                  ", which was not recorded to its end");
    return Calls;
  }

private:
  StringRef Rest, Line, Whole;
  const StringRef Name;
  unsigned Number = 0;
  size_t Elements = 0;

  bool nextLine() {
    if (Rest.empty())
      return false;
    std::tie(Whole, Rest) = Rest.split('\n');
    Line = Whole.trim();
    ++Number;
    return true;
  }

  Error fail(const char *At, const Twine &Why) const {
    const unsigned Column = Whole.empty() ? 1 : At - Whole.begin() + 1;
    return createStringError(inconvertibleErrorCode(),
                             Name + ":" + Twine(std::max(Number, 1u)) + ":" +
                                 Twine(Column) + ": " + Why);
  }

  Error entry(RecordedCall &Call, StringRef Word, StringRef Behind) {
    if (Word == "launch")
      return launch(Call, Behind);
    if (const auto [Second, Other] = getToken(Behind); Second == "overlaps")
      return fail(Line.begin(),
                  "'" + Word + "' overlaps '" + Other.trim() +
                      "' in part: record the one that begins first before it, "
                      "with the elements of both");
    const size_t Equals = Line.find('=');
    StringRef Left = Line.take_front(Equals).trim(),
              Right = Equals == StringRef::npos
                          ? ""
                          : Line.drop_front(Equals + 1).trim();
    if (Equals == StringRef::npos || Left.empty() || Right.empty())
      if (!Left.ends_with("[0]"))
        return fail(Line.begin(), "'name = value', 'name[count] = values', "
                                  "'launch' or 'end' is expected");
    RecordedValue V;
    V.Line = Number;
    uint64_t Count = 0;
    const bool IsArray = Left.ends_with("]");
    if (IsArray) {
      const auto [Of, Size] = Left.drop_back().rsplit('[');
      if (Size.getAsInteger(10, Count))
        return fail(Size.begin(), "a number of elements is expected in '[]'");
      V.Kind = RecordedValue::ValueKind::Array;
      Left = Of.trim();
    }
    if (Error E = IsArray ? elements(V, Right, Count) : single(V, Right))
      return E;
    if (!Call.Values.try_emplace(Left.str(), std::move(V)).second)
      return fail(Line.begin(), "'" + Left + "' is given twice");
    return Error::success();
  }

  Error elements(RecordedValue &V, StringRef Right, uint64_t Count) {
    while (!Right.empty()) {
      const auto [Word, More] = getToken(Right);
      const std::optional<Value> Number = numberOf(Word);
      if (!Number)
        return fail(Word.begin(), "'" + Word + "' is no number");
      if (++Elements > MostElements)
        return fail(Word.begin(), "more than " + Twine(MostElements) +
                                      " elements in one call");
      V.Numbers.push_back(*Number);
      Right = More.trim();
    }
    if (V.Numbers.size() != Count)
      return fail(Line.begin(), Twine(Count) + " elements are announced, and " +
                                    Twine(V.Numbers.size()) + " follow");
    return Error::success();
  }

  /// A number, `null`, or `other + offset`.
  Error single(RecordedValue &V, StringRef Right) {
    if (Right == "null") {
      V.Kind = RecordedValue::ValueKind::Null;
      return Error::success();
    }
    if (const std::optional<Value> Number = numberOf(Right)) {
      V.Numbers = {*Number};
      return Error::success();
    }
    const auto [Of, Offset] = Right.rsplit(" + ");
    if (Offset.empty() || Offset.getAsInteger(10, V.Offset))
      return fail(Right.begin(), "a number, 'null' or 'array + offset' is "
                                 "expected, not '" +
                                     Right + "'");
    V.Kind = RecordedValue::ValueKind::Into;
    V.Of = Of.trim().str();
    return Error::success();
  }

  Error launch(RecordedCall &Call, StringRef Behind) {
    SmallVector<StringRef, 6> Words;
    Behind.trim().split(Words, ' ', -1, /*KeepEmpty=*/false);
    bool Good = Words.size() == 6;
    for (size_t I = 0; Good && I < 6; ++I) {
      uint64_t &To = I < 3 ? Call.Grid[I] : Call.Block[I - 3];
      Good = !Words[I].getAsInteger(10, To) && To > 0;
    }
    Call.Launch = true;
    return Good ? Error::success()
                : fail(Line.begin(), "six numbers above zero are expected "
                                     "behind 'launch': the grid, then the "
                                     "block");
  }
};

/// Fits the values of a call to a function's parameters.
class Fitter {
public:
  Fitter(const RecordedCall &Call, const Function &F, StringRef Name)
      : Call(Call), F(F), Name(Name) {}

  Expected<Inputs> run() {
    const bool IsKernel = F.Kind == FunctionKind::Kernel;
    if (IsKernel != Call.Launch)
      return fail(Call.Line, IsKernel
                                 ? "the call of a kernel needs a line 'launch'"
                                 : "'launch' is for kernels alone");
    std::copy_n(Call.Grid, 3, In.GridDim);
    std::copy_n(Call.Block, 3, In.BlockDim);
    for (const Param &P : F.Params)
      if (Error E = P.Scalar ? scalar(*P.Scalar) : array(*P.Buf))
        return std::move(E);
    for (const Param &P : F.Params)
      if (Error E = P.Buf ? pointer(*P.Buf) : Error::success())
        return std::move(E);
    for (const auto &[Of, V] : Call.Values)
      if (!F.findParam(Of))
        return fail(V.Line, "'" + F.Name + "' has no parameter '" + Of + "'");
    return std::move(In);
  }

private:
  const RecordedCall &Call;
  const Function &F;
  const StringRef Name;
  Inputs In;

  Error fail(unsigned Line, const Twine &Why) const {
    return createStringError(inconvertibleErrorCode(),
                             Name + ":" + Twine(Line) + ": " + Why);
  }

  /// V as a value of Ty: exactly, but for the rounding to a narrower float.
  static std::optional<Value> fit(const Value &V, const Type &Ty) {
    const bool Big = V.Ty == U64;
    if (Ty.isFloat())
      return Value::ofFloat(V.Ty.isFloat() ? V.D
                            : Big          ? (long double)uint64_t(V.I)
                                           : (long double)V.I,
                            Ty);
    if (V.Ty.isFloat())
      return std::nullopt;
    const unsigned Bits = Ty.isBool() ? 1 : Ty.Bits;
    const bool Fits = Ty.Signed
                          ? !Big && isIntN(Bits, V.I)
                          : (Big || V.I >= 0) && isUIntN(Bits, uint64_t(V.I));
    return Fits ? std::optional(Value::ofInt(V.I, Ty)) : std::nullopt;
  }

  const RecordedValue *find(StringRef Of) const {
    auto It = Call.Values.find(Of.str());
    return It == Call.Values.end() ? nullptr : &It->second;
  }

  Error missing(StringRef Of) const {
    return fail(Call.Line, "the call says nothing of '" + Of + "'");
  }

  Error scalar(const Var &V) {
    const RecordedValue *R = find(V.Name);
    StringRef Container = V.Name;
    if (!R && Container.consume_back(".size()"))
      if (const RecordedValue *Of = find(Container);
          Of && Of->Kind == RecordedValue::ValueKind::Array) {
        In.Scalars[V.Name] = Value::ofInt(int64_t(Of->Numbers.size()), V.Ty);
        return Error::success();
      }
    if (!R)
      return missing(V.Name);
    if (R->Kind != RecordedValue::ValueKind::Number)
      return fail(R->Line, "'" + V.Name + "' is a number");
    const std::optional<Value> Fits = fit(R->Numbers.front(), V.Ty);
    if (!Fits)
      return fail(R->Line, "'" + V.Name + "' has type " + V.Ty.cName() +
                               ", which does not hold this value");
    In.Scalars[V.Name] = *Fits;
    return Error::success();
  }

  Error array(const Buffer &B) {
    const RecordedValue *R = find(B.Name);
    if (!R)
      return missing(B.Name);
    if (B.Elem.isVoid())
      return fail(R->Line, "'" + B.Name +
                               "' leads to structures, which a "
                               "recording does not hold");
    Binding &Bind = In.Buffers[B.Name];
    // A scalar by reference is an array of one.
    const bool One = B.Reference && R->Kind == RecordedValue::ValueKind::Number;
    if (R->Kind != RecordedValue::ValueKind::Array && !One)
      return R->Kind == RecordedValue::ValueKind::Number
                 ? fail(R->Line, "'" + B.Name + "' is an array: '" + B.Name +
                                     "[count] = values', 'null' or 'array + "
                                     "offset' is expected")
                 : Error::success();
    Bind.Store = std::make_shared<Storage>();
    for (const Value &V : R->Numbers) {
      const std::optional<Value> Fits = fit(V, B.Elem);
      if (!Fits)
        return fail(R->Line, "element " + Twine(Bind.Store->Cells.size()) +
                                 " of '" + B.Name + "' is no " +
                                 B.Elem.cName());
      Bind.Store->Cells.push_back(*Fits);
    }
    return Error::success();
  }

  Error pointer(const Buffer &B) {
    const RecordedValue &R = *find(B.Name);
    if (R.Kind != RecordedValue::ValueKind::Into)
      return Error::success();
    const Param *Of = F.findParam(R.Of);
    const auto To = In.Buffers.find(R.Of);
    if (!Of || !Of->Buf || To == In.Buffers.end() || !To->second.Store)
      return fail(R.Line, "'" + R.Of + "' is no array of this call");
    if (Of->Buf->Elem != B.Elem)
      return fail(R.Line, "'" + B.Name + "' and '" + R.Of +
                              "' have elements of different types");
    if (R.Offset > To->second.Store->size())
      return fail(R.Line, "'" + R.Of + "' has only " +
                              Twine(To->second.Store->size()) + " elements");
    In.Buffers[B.Name] = {To->second.Store,
                          To->second.Offset + int64_t(R.Offset)};
    return Error::success();
  }
};

} // namespace

Expected<std::vector<RecordedCall>> parseRecording(StringRef Text,
                                                   StringRef Name) {
  return Parser(Text, Name).run();
}

Expected<std::vector<RecordedCall>> readRecording(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Path);
  if (!File)
    return createStringError(inconvertibleErrorCode(),
                             "cannot read " + Path + ": " +
                                 File.getError().message());
  return parseRecording((*File)->getBuffer(), Path);
}

Expected<Inputs> inputsOf(const RecordedCall &Call, const Function &F,
                          StringRef Name) {
  return Fitter(Call, F, Name).run();
}

} // namespace raise
