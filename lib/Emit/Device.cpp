//===- Device.cpp - functions over the memory of a device -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Emit/Device.h"
#include "DeviceCode.h"
#include "MadeFunction.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace raise {

/// Whether S is nothing but loops over the threads of a launch.
static bool isThreads(const StmtRef &S) {
  const ArrayRef<StmtRef> All = statements(S);
  auto *L = All.size() == 1 ? dyn_cast<For>(All.front().get()) : nullptr;
  return L && StringRef(L->V->Name).starts_with("blockIdx.");
}

static std::vector<std::pair<StringRef, StringRef>> allHelpers();

/// What no variable may be called in a kernel.
static constexpr StringLiteral OfDevice[] = {"threadIdx", "blockIdx",
                                             "blockDim", "gridDim", "warpSize"};

/// Names that nothing is declared by in kernels and what launches them.
static std::set<std::string> takenNames(const Options &Opts) {
  std::set<std::string> Taken;
  if (Opts.Macros)
    Taken = *Opts.Macros;
  Taken.insert(std::begin(OfDevice), std::end(OfDevice));
  for (const auto &[Name, Text] : allHelpers())
    Taken.insert(
        Name.take_until([](char C) { return C == '(' || C == '<'; }).str());
  return Taken;
}

/// A parameter that hides what kernels and launches name; unset if none does.
static Reason hidesNames(const Function &F) {
  for (const Param &P : F.Params)
    if (is_contained(OfDevice, P.name()) || P.name().starts_with("raise_"))
      return {"CR1813",
              "not written for a device: '" + P.name().str() +
                  "' is the name of something that kernels need",
              F.Loc};
  return {};
}

/// F's own form.
static std::string testsOf(ArrayRef<Guard> Guards) {
  std::string Tests;
  for (const Guard &G : Guards)
    if (!StringRef(Tests).contains(G.Why))
      Tests += (Tests.empty() ? "" : "; ") + G.Why;
  return Tests;
}

static DeviceText ownForm(const Function &Given, const Options &Opts,
                          StringRef About, BufferPairs Apart) {
  if (Reason Why = hidesNames(Given); Why.isSet())
    return {"", std::move(Why)};
  const FunctionRef Spliced = withBody(Given, spliced(Given.Body));
  const Function &F = *Spliced;
  const std::set<std::string> Taken = takenNames(Opts);
  Names N(F, allPrinted(F), &Taken);
  ExprPrinter P(N, F.LanguageC);
  P.Single = singleElements(F);
  P.SizeType = "size_t";
  const Region *R = ofTwoForms(F);
  const StmtRef Form =
      R ? withLead(F, chooseForm(F, *R, P, N), R->Body) : F.Body;
  const std::vector<Guard> Tested =
      R ? stillHolding(*R, Apart) : std::vector<Guard>();
  device::Printer Printer(F, Form, Opts, N, P, Tested);
  Code Body = isThreads(Form) ? Printer.launch(Form) : Printer.print(Form);
  if (!F.Requires.empty()) {
    Code First = Printer.print(required(
        F, {"raise_unfit(\"" + F.Name + "\", \"" + testsOf(F.Requires) + "\")"},
        P, N));
    First.add(Body);
    Body = std::move(First);
  }
  if (Printer.why().isSet())
    return {"", Printer.why()};
  std::string Text;
  for (const Code &Kernel : Printer.kernels())
    Text += join(Kernel.Lines, "\n") + "\n\n";
  const bool AllNamed = (R && !stopOf(*R)) || isThreads(Form);
  return {Text + About.str() +
              join(nested(headOf(F, P, AllNamed), Body, /*Braces=*/true).Lines,
                   "\n") +
              "\n",
          {}};
}

/// F, which ends the program where its tests fail.
static Function withStop(const Function &F, const Region &R) {
  const std::string Tests = testsOf(R.Rests.Guards);
  Function Only = F;
  Only.GeneralForm.clear();
  std::vector<StmtRef> Body = statements(F.Body).drop_back().vec();
  Body.push_back(std::make_shared<Region>(
      R.Rests, R.Body,
      std::make_shared<Opaque>(
          "raise_unfit(\"" + F.Name + "\", \"" + Tests + "\")", "CR1813",
          "no form for a device", std::vector<VarRef>(), F.Loc,
          /*NoReturn=*/true),
      R.Loc));
  Only.Body = std::make_shared<Block>(std::move(Body));
  return Only;
}

DeviceText emitDeviceFunction(const Function &F, const Options &Opts,
                              StringRef About, BufferPairs Apart) {
  const Region *R = ofTwoForms(F);
  if (!R || stopOf(*R)) {
    DeviceText Own = ownForm(F, Opts, About, Apart);
    // As the host's functions call it.
    size_t At;
    while ((At = Own.Text.find("raise::unfit(")) != std::string::npos)
      Own.Text.replace(At, strlen("raise::unfit("), "raise_unfit(");
    return Own;
  }
  Function General = F;
  General.Name = F.GeneralForm;
  General.InternalLinkage = true;
  General.GeneralForm.clear();
  General.Requires.clear();
  General.Body = withLead(F, nullptr, R->Original);
  const DeviceText Otherwise = ownForm(
      General, Opts,
      "// " + F.Name +
          (F.Kind == FunctionKind::Kernel
               ? " for any other launch, and where its arguments overlap.\n"
               : " where its arguments overlap or are not what it tests "
                 "for.\n"),
      {});
  if (Otherwise.Why.isSet())
    return ownForm(withStop(F, *R), Opts, About, Apart);
  DeviceText Own = ownForm(F, Opts, About, Apart);
  if (!Own.Why.isSet())
    Own.Text = Otherwise.Text + "\n" + Own.Text;
  return Own;
}

// --- Regions ----------------------------------------------------------------

/// F, whose body is all of Form.
static DeviceForm regionForm(const Function &Given, ArrayRef<Guard> Tested,
                             const Options &Opts, StringRef About,
                             StringRef Stream) {
  if (Reason Why = hidesNames(Given); Why.isSet())
    return {"", "", {}, std::move(Why)};
  const FunctionRef Spliced = withBody(Given, spliced(Given.Body));
  const Function &F = *Spliced;
  const std::set<std::string> Taken = takenNames(Opts);
  Names N(F, F.Body, &Taken);
  ExprPrinter P(N, F.LanguageC);
  P.Single = singleElements(F);
  P.SizeType = "size_t";
  device::Printer Printer(F, F.Body, Opts, N, P, Tested);
  Printer.Stream = Stream.str();
  Printer.AllPassed = Stream.empty();
  const Code Body = Printer.print(F.Body);
  DeviceForm Out;
  Out.Why = Printer.why();
  Out.Use = Printer.use();
  if (Out.Why.isSet())
    return Out;
  for (const Code &Kernel : Printer.kernels())
    Out.Text += join(Kernel.Lines, "\n") + "\n\n";
  Function Plain = F;
  Plain.Kind = FunctionKind::Host;
  const std::string All = headOf(Plain, P, /*AllNamed=*/true);
  Out.Parameters = StringRef(All).split('(').second.drop_back().str();
  std::string Head = headOf(F, P, /*AllNamed=*/F.Kind == FunctionKind::Kernel);
  if (!Stream.empty())
    Head.insert(
        Head.find('(') + 1,
        ("cudaStream_t " + Stream +
         (Head.back() == ')' && Head[Head.size() - 2] == '(' ? "" : ", "))
            .str());
  Out.Text += About.str() +
              join(nested(Head, Body, /*Braces=*/true).Lines, "\n") + "\n";
  return Out;
}

DeviceForm emitDeviceLoop(const Function &F, ArrayRef<Guard> Tested,
                          const Options &Opts, StringRef About) {
  return regionForm(F, Tested, Opts, About, "");
}

DeviceForm emitDeviceRange(const Function &Kernel, StringRef Name,
                           const Options &Opts, StringRef About) {
  const ArrayRef<StmtRef> Body = statements(Kernel.Body);
  auto *R = Body.size() == 1 ? dyn_cast<Region>(Body.front().get()) : nullptr;
  if (!R || R->Rests.Inspection)
    return {
        "", "", {}, {"CR1813", "what it rests on looks at memory", Kernel.Loc}};
  Function F = Kernel;
  F.Name = Name.str();
  F.InternalLinkage = true;
  F.GeneralForm.clear();
  if (!rangeNeedsLaunch(Kernel))
    F.Kind = FunctionKind::Host;
  F.Body = R->Body;
  return regionForm(F, R->Rests.Guards, Opts, About, "stream");
}

// --- What is called ---------------------------------------------------------

static constexpr StringLiteral Blocks = R"(
// Blocks of 256 threads for n points.
static unsigned raise_blocks(size_t n) {
  const size_t blocks = n / 256 + (n % 256 != 0);
  if (blocks > 2147483647) {
    fprintf(stderr, "%zu points are too many for one launch\n", n);
    abort();
  }
  return (unsigned)blocks;
}
)";

static constexpr StringLiteral Rows = R"(
// A block for each of n points.
static unsigned raise_rows(size_t n) {
  if (n > 2147483647) {
    fprintf(stderr, "%zu blocks are too many for one launch\n", n);
    abort();
  }
  return (unsigned)n;
}
)";

static constexpr StringLiteral Thread = R"(
// This thread's number among all of a launch.
static __device__ size_t raise_thread() {
  const size_t block =
      ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned in_block =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return block * (blockDim.x * blockDim.y * blockDim.z) + in_block;
}
)";

static constexpr StringLiteral Array = R"(
// n elements of a device's memory, for the kernels launched while it exists.
template <class T> class raise_array {
public:
  explicit raise_array(size_t n, bool cleared = false, cudaStream_t on = 0)
      : on(on) {
    if (n == 0)
      return;
    if (cudaMallocAsync((void **)&first, n * sizeof(T), on) != cudaSuccess) {
      fprintf(stderr, "no memory for %zu elements\n", n);
      abort();
    }
    if (cleared)
      cudaMemsetAsync(first, 0, n * sizeof(T), on);
  }
  ~raise_array() {
    if (first)
      cudaFreeAsync(first, on);
  }
  raise_array(const raise_array &) = delete;
  raise_array &operator=(const raise_array &) = delete;
  operator T *() const { return first; }

private:
  T *first = nullptr;
  cudaStream_t on;
};
)";

static constexpr StringLiteral Value = R"(
// A value that a device computes for the host.
template <class T> class raise_value {
public:
  operator T *() const { return element; }
  T get() const {
    T x;
    const cudaError_t error =
        cudaMemcpy(&x, element, sizeof x, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
      fprintf(stderr, "no value from the device: %s\n",
              cudaGetErrorString(error));
      abort();
    }
    return x;
  }

private:
  raise_array<T> element{1};
};
)";

static constexpr StringLiteral Reached = R"(
// Whether a device reaches the memory of all these arrays.
template <class... T> static bool raise_on_device(const T *...arrays) {
  for (const void *array : {static_cast<const void *>(arrays)...}) {
    cudaPointerAttributes of;
    if (cudaPointerGetAttributes(&of, array) != cudaSuccess) {
      cudaGetLastError(); // there is no device
      return false;
    }
    if (of.type != cudaMemoryTypeDevice && of.type != cudaMemoryTypeManaged)
      return false;
  }
  return true;
}
)";

static constexpr StringLiteral Finish = R"(
// Waits for the kernels if the host may look at one of these arrays.
template <class... T> static void raise_finish(const T *...arrays) {
  for (const void *array : {static_cast<const void *>(arrays)...}) {
    cudaPointerAttributes of;
    if (cudaPointerGetAttributes(&of, array) == cudaSuccess &&
        of.type == cudaMemoryTypeManaged) {
      cudaStreamSynchronize(0);
      return;
    }
  }
}
)";

static constexpr StringLiteral CanLaunch = R"(
// Whether CUDA takes such a launch: what would fail is left to fail.
static bool raise_can_launch(dim3 grid, dim3 block, size_t bytes) {
  return grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= 2147483647 &&
         grid.y <= 65535 && grid.z <= 65535 && block.x > 0 && block.y > 0 &&
         block.z > 0 && block.x <= 1024 && block.y <= 1024 && block.z <= 64 &&
         block.x * block.y * block.z <= 1024 && bytes <= 49152;
}
)";

static constexpr StringLiteral Sum = R"(
// The sum of x over the threads of a block, of whole warps, for each of them.
template <class T> static __device__ T raise_block_sum(T x) {
  __shared__ T of_warp[32];
  for (int step = 16; step > 0; step /= 2)
    x += __shfl_xor_sync(0xffffffff, x, step);
  __syncthreads(); // what was there before is no longer read
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  T sum = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp)
    sum += of_warp[warp];
  return sum;
}
)";

static std::string extremumHelper(StringRef Name, StringRef Which,
                                  StringRef Beats) {
  return formatv(R"(
// The {1} x of the threads of a block, of whole warps, for each of them.
template <class T> static __device__ T {0}(T x) {{
  __shared__ T of_warp[32];
  for (int step = 16; step > 0; step /= 2) {{
    const T other = __shfl_xor_sync(0xffffffff, x, step);
    x = other {2} x ? other : x;
  }
  __syncthreads(); // what was there before is no longer read
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp)
    x = of_warp[warp] {2} x ? of_warp[warp] : x;
  return x;
}
)",
                 Name, Which, Beats)
      .str();
}

static constexpr StringLiteral Columns = R"(
// A block of 32 x 32 threads for every 32 of n columns.
static unsigned raise_columns(size_t n) {
  return (unsigned)((n + 31) / 32);
}
)";

static constexpr StringLiteral ColumnSum = R"(
// The sum of x over the threads of a column of 32 x 32, for the first of them.
template <class T> static __device__ T raise_column_sum(T x) {
  __shared__ T part[32][33];
  __syncthreads(); // what was there before is no longer read
  part[threadIdx.y][threadIdx.x] = x;
  __syncthreads();
  x = part[threadIdx.x][threadIdx.y];
  for (int step = 16; step > 0; step /= 2)
    x += __shfl_xor_sync(0xffffffff, x, step);
  __syncthreads();
  if (threadIdx.x == 0)
    part[0][threadIdx.y] = x;
  __syncthreads();
  return part[0][threadIdx.x];
}
)";

static constexpr StringLiteral Tiles = R"(
// Blocks for tiles of 32 x 32 elements.
static unsigned raise_tiles(size_t rows, size_t columns) {
  const size_t blocks = (rows + 31) / 32 * ((columns + 31) / 32);
  if (blocks > 2147483647) {
    fprintf(stderr, "%zu tiles are too many for one launch\n", blocks);
    abort();
  }
  return (unsigned)blocks;
}
)";

static constexpr StringLiteral Unfit = R"(
// Ends the program where what a derivative rests on does not hold.
[[noreturn]] static void raise_unfit(const char *function, const char *rests) {
  fprintf(stderr, "%s: not for this call, which has to be such that: %s\n",
          function, rests);
  abort();
}
)";

/// All of them, by what a call of one begins with.
static std::vector<std::pair<StringRef, StringRef>> allHelpers() {
  static const std::string Max = extremumHelper("raise_block_max", "largest",
                                                ">"),
                           Min = extremumHelper("raise_block_min", "smallest",
                                                "<");
  return {std::pair<StringRef, StringRef>("raise_blocks(", Blocks),
          {"raise_rows(", Rows},
          {"raise_thread(", Thread},
          {"raise_array<", Array},
          {"raise_value<", Value},
          {"raise_on_device(", Reached},
          {"raise_finish(", Finish},
          {"raise_can_launch(", CanLaunch},
          {"raise_block_sum(", Sum},
          {"raise_block_max(", Max},
          {"raise_block_min(", Min},
          {"raise_columns(", Columns},
          {"raise_column_sum(", ColumnSum},
          {"raise_tiles(", Tiles},
          {"raise_unfit(", Unfit}};
}

std::string deviceHelpers(StringRef Text, StringRef Has) {
  std::string Out;
  const bool HasValue = Text.contains("raise_value<");
  for (const auto &[Name, Helper] : allHelpers())
    if ((Text.contains(Name) || (HasValue && Name == "raise_array<")) &&
        !Has.contains(Helper.trim().split('\n').first))
      Out += Helper.str();
  return Out.empty() ? Out : Out + "\n";
}

} // namespace raise
