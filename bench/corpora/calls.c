/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Calls the layers of llm.c that have no threads of their own, at the smallest
   sizes, Calls times each, from one function per size whose name says which:
   calls.py counts what each executes; with TIMED a line is printed for each,
   the nanoseconds of a call, for layouts.py. The text of train_gpt2.c, as it was
   or as emitted (LLM_SOURCE), is included without its main. */
#define TESTING
#include LLM_SOURCE
#include <time.h>

enum { Calls = 1000, Length = 4096 };
static float a[8][Length];
static int tokens[Length];

/* By a pointer that might change, so that none is a part of the loop. */
#define CALL(layer, size, ...)                                                 \
  __attribute__((noinline)) void calls_of_##layer##_##size(void) {             \
    __typeof__(&layer) volatile function = layer;                              \
    for (int k = 0; k < Calls; ++k)                                            \
      function(__VA_ARGS__);                                                   \
  }

#define LAYERS(size, B, T, C)                                                  \
  CALL(encoder_forward, size, a[0], tokens, a[1], a[2], B, T, C)               \
  CALL(encoder_backward, size, a[0], a[1], a[2], tokens, B, T, C)              \
  CALL(layernorm_forward, size, a[0], a[1], a[2], a[3], a[4], a[5], B, T, C)   \
  CALL(layernorm_backward, size, a[0], a[1], a[2], a[3], a[4], a[5], a[6],     \
       a[7], B, T, C)                                                          \
  CALL(attention_backward, size, a[0], a[1], a[2], a[3], a[4], a[5], B, T, C,  \
       1)                                                                      \
  CALL(crossentropy_forward, size, a[0], a[1], tokens, B, T, C)                \
  CALL(crossentropy_softmax_backward, size, a[0], a[1], a[2], tokens, B, T, C, \
       C)

#define ROWS(size, N)                                                          \
  CALL(gelu_forward, size, a[0], a[1], N)                                      \
  CALL(gelu_backward, size, a[0], a[1], a[2], N)                               \
  CALL(residual_forward, size, a[0], a[1], a[2], N)                            \
  CALL(residual_backward, size, a[0], a[1], a[2], N)

#define SIZES(X, Y)                                                            \
  X(0x0x0, 0, 0, 0)                                                            \
  X(0x4x4, 0, 4, 4)                                                            \
  X(1x0x4, 1, 0, 4)                                                            \
  X(1x1x1, 1, 1, 1)                                                            \
  X(1x2x8, 1, 2, 8)                                                            \
  X(2x4x8, 2, 4, 8)                                                            \
  X(1x8x16, 1, 8, 16)                                                          \
  Y(0, 0)                                                                      \
  Y(1, 1)                                                                      \
  Y(4, 4)                                                                      \
  Y(33, 33)                                                                    \
  Y(100, 100)

SIZES(LAYERS, ROWS)

#undef CALL
#ifdef TIMED
enum { Repeats = 25 };

/* The least of some times of Calls calls: what else runs only adds to it. */
static void report(const char *name, void (*calls)(void)) {
  double least = 1e9;
  for (int r = 0; r < Repeats; ++r) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    calls();
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double time = (double)(end.tv_sec - begin.tv_sec) * 1e9 +
                        (double)(end.tv_nsec - begin.tv_nsec);
    if (time < least)
      least = time;
  }
  printf("%s %.4f\n", name, least / Calls);
}

#define CALL(layer, size, ...)                                                 \
  report(#layer " " #size, calls_of_##layer##_##size);
#else
#define CALL(layer, size, ...) calls_of_##layer##_##size();
#endif

int main(void) {
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < Length; ++k)
      a[i][k] = (float)(k % 17) / 17 - 0.5f + 0.01f * (float)i;
  SIZES(LAYERS, ROWS)
  return 0;
}
