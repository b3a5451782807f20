// A function with an optional array, called without it: the loops around the
// call are raised.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp %t.c -o %t && %t > %t.checked
// RUN: clang-19 -O2 %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.checked %t.original
#include <stdio.h>

static void layer(int *out, const int *in, const int *weight, const int *bias,
                  int n, int m) {
  for (int o = 0; o < m; ++o) {
    int sum = bias ? bias[o] : 0;
    for (int i = 0; i < n; ++i)
      sum += in[i] * weight[o * n + i];
    if (bias != NULL && sum < bias[o])
      sum = 0;
    out[o] = sum;
  }
}

// REMARK: null-arguments.c:[[#@LINE+3]]:{{.*}}raised to a contraction: out[b,o] = Σ_i in[b,i]·weight[o,i]
__attribute__((noinline)) static void
batch(int *out, const int *in, const int *weight, int count, int n, int m) {
  for (int b = 0; b < count; ++b)
    layer(out + b * m, in + b * n, weight, NULL, n, m);
}

int main(void) {
  static int out[200 * 90], in[200 * 70], weight[70 * 90];
  for (int i = 0; i < 200 * 70; ++i)
    in[i] = i % 11 - 5;
  for (int i = 0; i < 70 * 90; ++i)
    weight[i] = i % 7 - 3;
  batch(out, in, weight, 200, 70, 90);
  int biases[90];
  for (int i = 0; i < 90; ++i)
    biases[i] = i - 40;
  layer(out, in, weight, biases, 70, 90);
  unsigned long check = 0;
  for (int i = 0; i < 200 * 90; ++i)
    check = check * 31 + (unsigned)out[i];
  printf("%lu\n", check);
}
