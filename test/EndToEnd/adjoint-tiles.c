// Products in both sweeps go by tiles whose sums stay in registers: those of
// the function, and the two that an adjoint adds for each, with what stands
// beside them in loops of its own. Of whole numbers every sum is exact: the
// same bits as without, at sizes around those of tiles and strips.
// RUN: rm -rf %t && mkdir -p %t/made %t/plain
// RUN: %clang_raise grad --verify --require-verified --function=layer %s -o %t/made/layer.c -- -std=c11 -O2 -fopenmp
// RUN: FileCheck %s < %t/made/layer.c
// RUN: %clang_raise grad --function=layer %s -o %t/plain/layer.c -- -std=c11 -O2
// RUN: FileCheck --check-prefix=PLAIN %s < %t/plain/layer.c
// RUN: %clang -std=c11 -O2 -Dlayer_adjoint=layer_plain -c %t/plain/layer.c -o %t/plain.o
// RUN: %clang -std=c11 -O3 %native -fopenmp -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/layer.c %t/plain.o -o %t/clang && env OMP_NUM_THREADS=1 %t/clang && env OMP_NUM_THREADS=3 %t/clang
// RUN: %clang -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp -DCHECK -I%t/made %s %t/made/layer.c %t/plain.o -o %t/san && env OMP_NUM_THREADS=2 %t/san
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/layer.c %t/plain.o -o %t/gcc && env OMP_NUM_THREADS=3 %t/gcc

// CHECK-LABEL: {{^}}void layer_adjoint(
// CHECK: // out[b,t,o] = bias[o] + Σ_i in[b,t,i]·w[o,i],  0 ≤ b < B, 0 ≤ t < T,
// CHECK: collapse(3)
// CHECK: float *w_packed = w_strip;
// CHECK: val_tile[t][o] += in[(b * T + (t_tile + t)) * C + i] *
// CHECK-NEXT: w_packed[(i - i_block) * 32 + o];
// CHECK: // in_adj[b,t,i] += Σ_o out_adj[b,t,o]·w[o,i]
// CHECK: collapse(3)
// CHECK: in_adj_tile[t][i] +=
// CHECK: // Rows that fill no tile.
// CHECK: // w_adj[o,i] += Σ_{b,t} in[b,t,i]·out_adj[b,t,o]
// CHECK: collapse(2)
// CHECK: for (int b = 0; b < B; ++b)
// CHECK-NEXT: for (long long t_block = 0; t_block < T; t_block += 128) {
// CHECK: w_adj_tile[o][i] +=
// CHECK: // Rows that fill no tile.
// CHECK: out_adj[{{.*}}] = 0;
// CHECK-NEXT: bias_adj[o] += val_adj;
// PLAIN-LABEL: {{^}}void layer_adjoint(
// PLAIN-NOT: _tile
void layer(float *restrict out, const float *restrict in,
           const float *restrict w, const float *restrict bias, int B, int T,
           int C, int OC) {
  for (int b = 0; b < B; ++b)
    for (int t = 0; t < T; ++t) {
      const int bt = b * T + t;
      for (int o = 0; o < OC; ++o) {
        float val = bias[o];
        for (int i = 0; i < C; ++i)
          val += in[bt * C + i] * w[o * C + i];
        out[bt * OC + o] = val;
      }
    }
}

#ifdef CHECK
#include "layer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void layer_plain(float *restrict out, const float *restrict in,
                 const float *restrict w, const float *restrict bias, int B,
                 int T, int C, int OC, float *restrict out_adj,
                 float *restrict in_adj, float *restrict w_adj,
                 float *restrict bias_adj);

static float *numbers(size_t n, unsigned by) {
  float *x = malloc((n + 1) * sizeof *x);
  for (size_t k = 0; k <= n; ++k)
    x[k] = (float)(k * by % 5) - 2;
  return x;
}

static int differs(int B, int T, int C, int OC) {
  const size_t sizes[] = {(size_t)B * T * OC, (size_t)B * T * C,
                          (size_t)OC * C, (size_t)OC};
  float *a[8], *b[8];
  for (int k = 0; k < 8; ++k) {
    a[k] = numbers(sizes[k % 4], 3 + k);
    b[k] = numbers(sizes[k % 4], 3 + k);
  }
  layer_adjoint(a[0], a[1], a[2], a[3], B, T, C, OC, a[4], a[5], a[6], a[7]);
  layer_plain(b[0], b[1], b[2], b[3], B, T, C, OC, b[4], b[5], b[6], b[7]);
  int wrong = 0;
  for (int k = 0; k < 8; ++k) {
    wrong |= memcmp(a[k], b[k], (sizes[k % 4] + 1) * sizeof *a[k]);
    free(a[k]), free(b[k]);
  }
  return wrong;
}

int main(void) {
  static const int sizes[] = {0, 1, 15, 16, 17, 33, 70, 130};
  enum { Count = sizeof sizes / sizeof *sizes };
  for (int B = 0; B < 4; B += 1 + B)
    for (int t = 0; t < Count; ++t)
      for (int c = 0; c < Count; ++c)
        for (int o = 0; o < Count; ++o)
          if (differs(B, sizes[t], sizes[c], sizes[o])) {
            printf("%d %d %d %d\n", B, sizes[t], sizes[c], sizes[o]);
            return 1;
          }
  return 0;
}
#endif
