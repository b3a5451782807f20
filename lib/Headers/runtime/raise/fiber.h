//===- fiber.h - a stack of its own for each thread of a block ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// A fiber is a stack and a saved stack pointer; resume() goes there, suspend() comes back. On x86-64 the switch is seven instructions each way
// (only the registers that a call preserves); elsewhere, and under RAISE_SIMT_UCONTEXT, it is POSIX swapcontext, which is slower since it also
// saves the signal mask. Both are told to AddressSanitizer and ThreadSanitizer. A fiber stays on the host thread that made it.
#ifndef RAISE_FIBER_H
#define RAISE_FIBER_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#if !defined(__x86_64__) || !defined(__ELF__) || defined(__ILP32__)
#ifndef RAISE_SIMT_UCONTEXT
#define RAISE_SIMT_UCONTEXT 1
#endif
#endif
#ifdef RAISE_SIMT_UCONTEXT
#include <ucontext.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RAISE_SIMT_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define RAISE_SIMT_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(RAISE_SIMT_ASAN)
#define RAISE_SIMT_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__) && !defined(RAISE_SIMT_TSAN)
#define RAISE_SIMT_TSAN 1
#endif
#ifdef RAISE_SIMT_ASAN
extern "C" void __sanitizer_start_switch_fiber(void **FakeStackSave, const void *Bottom, size_t Size);
extern "C" void __sanitizer_finish_switch_fiber(void *FakeStackSave, const void **BottomOld, size_t *SizeOld);
extern "C" void __asan_unpoison_memory_region(void const volatile *Address, size_t Size);
#endif
#ifdef RAISE_SIMT_TSAN
extern "C" void *__tsan_get_current_fiber(void);
extern "C" void *__tsan_create_fiber(unsigned Flags);
extern "C" void __tsan_destroy_fiber(void *Fiber);
extern "C" void __tsan_switch_to_fiber(void *Fiber, unsigned Flags);
#endif

#ifndef RAISE_SIMT_UCONTEXT
// void raise_simt_switch(void **From, void *To): saves the registers that a call preserves on the stack, its pointer in *From, and goes on at To.
asm(R"(
  .pushsection .text.raise_simt_switch,"axG",@progbits,raise_simt_switch,comdat
  .weak raise_simt_switch
  .type raise_simt_switch,@function
raise_simt_switch:
  endbr64
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size raise_simt_switch, .-raise_simt_switch
  .popsection
)");
extern "C" void raise_simt_switch(void **From, void *To);
#endif

namespace raise_simt {
namespace detail {

class Fiber {
public:
  /// Runs on the fiber's stack when it is first resumed; never returns. Reads what to do from its argument each time round.
  using Entry = void (*)(Fiber &);

  /// Maps a stack of at least StackBytes with an inaccessible area below it; see isMapped(). Fibers with different numbers start at different places
  /// of their pages: otherwise the hot ends of a thousand stacks would all compete for the same few cache lines.
  Fiber(Entry E, size_t StackBytes, size_t Number) : TheEntry(E), Offset(Number * 320 % 8192) {
    const size_t Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    GuardBytes = (65536 + Page - 1) / Page * Page;
    Size = (StackBytes + Offset + Page - 1) / Page * Page;
    void *Mapping = mmap(nullptr, GuardBytes + Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Mapping == MAP_FAILED)
      return;
    if (mprotect(Mapping, GuardBytes, PROT_NONE) != 0) {
      munmap(Mapping, GuardBytes + Size);
      return;
    }
    Base = static_cast<char *>(Mapping) + GuardBytes;
#ifdef RAISE_SIMT_TSAN
    TsanFiber = __tsan_create_fiber(0);
#endif
    prepare();
  }
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;
  ~Fiber() {
    if (!isMapped())
      return;
#ifdef RAISE_SIMT_TSAN
    __tsan_destroy_fiber(TsanFiber);
#endif
    munmap(Base - GuardBytes, GuardBytes + Size);
  }

  /// Whether there was memory for the stack; without, nothing else may be called.
  bool isMapped() const { return Base != nullptr; }
  size_t stackBytes() const { return Size; }

  /// Forgets whatever the fiber was doing (no destructor runs) and makes it start anew.
  void reset() {
#ifdef RAISE_SIMT_ASAN
    __asan_unpoison_memory_region(Base, Size);
    FakeStack = nullptr;
#endif
    prepare();
  }

  /// Goes on with the fiber until it suspends. Called from the host thread's own stack.
  void resume() {
#ifdef RAISE_SIMT_TSAN
    HostTsanFiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(TsanFiber, 0);
#endif
#ifdef RAISE_SIMT_ASAN
    void *HostFakeStack = nullptr;
    __sanitizer_start_switch_fiber(&HostFakeStack, Base, Size);
#endif
#ifdef RAISE_SIMT_UCONTEXT
    swapcontext(&HostContext, &Context);
#else
    starting() = this;
    raise_simt_switch(&HostStack, Stack);
#endif
#ifdef RAISE_SIMT_ASAN
    __sanitizer_finish_switch_fiber(HostFakeStack, nullptr, nullptr);
#endif
  }

  /// Returns to the resume() that runs this fiber. Called on the fiber's stack.
  void suspend() {
#ifdef RAISE_SIMT_TSAN
    __tsan_switch_to_fiber(HostTsanFiber, 0);
#endif
#ifdef RAISE_SIMT_ASAN
    __sanitizer_start_switch_fiber(&FakeStack, HostBottom, HostSize);
#endif
#ifdef RAISE_SIMT_UCONTEXT
    swapcontext(&Context, &HostContext);
#else
    raise_simt_switch(&Stack, HostStack);
#endif
#ifdef RAISE_SIMT_ASAN
    __sanitizer_finish_switch_fiber(FakeStack, &HostBottom, &HostSize);
#endif
  }

private:
  void run() {
#ifdef RAISE_SIMT_ASAN
    __sanitizer_finish_switch_fiber(nullptr, &HostBottom, &HostSize);
#endif
    TheEntry(*this);
    std::abort(); // the entry never returns
  }

#ifdef RAISE_SIMT_UCONTEXT
  static void start(unsigned High, unsigned Low) {
    reinterpret_cast<Fiber *>(static_cast<uintptr_t>(High) << 16 << 16 | Low)->run();
  }
  void prepare() {
    getcontext(&Context);
    Context.uc_stack.ss_sp = Base;
    Context.uc_stack.ss_size = Size - Offset;
    Context.uc_link = nullptr;
    const uintptr_t Self = reinterpret_cast<uintptr_t>(this);
    makecontext(&Context, reinterpret_cast<void (*)()>(&Fiber::start), 2, static_cast<unsigned>(Self >> 16 >> 16),
                static_cast<unsigned>(Self));
  }
  ucontext_t Context, HostContext;
#else
  /// The fiber that starts: a first switch has no registers to hand it over in.
  static Fiber *&starting() {
    static thread_local Fiber *F = nullptr;
    return F;
  }
  static void start() { starting()->run(); }
  void prepare() {
    // As if the switch had been called by nobody at a 16-byte boundary: six registers, the address to return to, and zero above it, where a
    // debugger's unwinder stops.
    void **Top = reinterpret_cast<void **>(Base + Size - Offset) - 8;
    for (int I = 0; I < 8; ++I)
      Top[I] = nullptr;
    Top[6] = reinterpret_cast<void *>(&Fiber::start);
    Stack = Top;
  }
  void *Stack = nullptr, *HostStack = nullptr;
#endif

  Entry TheEntry;
  size_t Offset;
  char *Base = nullptr;
  size_t Size = 0, GuardBytes = 0;
#ifdef RAISE_SIMT_ASAN
  void *FakeStack = nullptr;
  const void *HostBottom = nullptr;
  size_t HostSize = 0;
#endif
#ifdef RAISE_SIMT_TSAN
  void *TsanFiber = nullptr, *HostTsanFiber = nullptr;
#endif
};

} // namespace detail
} // namespace raise_simt

#endif // RAISE_FIBER_H
