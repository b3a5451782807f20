// An adjoint that adds to rows of a table, row by row, from the last element
// down: up, in vectors, where the rows of a point lie apart, as is tested for
// each; the same as in the plain order where they do not.
// RUN: rm -rf %t && mkdir -p %t/made %t/plain
// RUN: %clang_raise grad --verify --require-verified --function=embed %s -o %t/made/embed.c -- -std=c11 -O2 -fopenmp
// RUN: FileCheck %s < %t/made/embed.c
// RUN: %clang_raise grad --function=embed %s -o %t/plain/embed.c -- -std=c11 -O2
// RUN: FileCheck --check-prefix=PLAIN %s < %t/plain/embed.c
// RUN: %clang -std=c11 -O2 -Dembed_adjoint=embed_plain -c %t/plain/embed.c -o %t/plain.o
// RUN: %clang -std=c11 -O3 %native -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/embed.c %t/plain.o -o %t/clang && %t/clang
// RUN: %clang -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp -DCHECK -I%t/made %s %t/made/embed.c %t/plain.o -o %t/san && %t/san
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/embed.c %t/plain.o -o %t/gcc && env OMP_NUM_THREADS=3 %t/gcc

// CHECK-LABEL: void embed_adjoint(
// CHECK: for (int b = n - 1; b >= 0; --b)
// CHECK-NOT: parallel
// CHECK: <= {{[a-z_]+}}_adj_at
// CHECK: #pragma omp simd
// CHECK-NEXT: for (int i = 0; i < m; ++i) {
// CHECK: } else {
// CHECK-NEXT: for (int i = m - 1; i >= 0; --i) {
// PLAIN-LABEL: void embed_adjoint(
// PLAIN-NOT: _adj_at
void embed(float *out, const int *ids, const float *table, const float *place,
           int n, int t, int m) {
  for (int b = 0; b < n; ++b)
    for (int k = 0; k < t; ++k) {
      const int row = ids[b * t + k];
      for (int i = 0; i < m; ++i)
        out[(b * t + k) * m + i] = table[row * m + i] + place[k * m + i];
    }
}

#ifdef CHECK
#include "embed.h"
#include <stdio.h>
#include <string.h>

void embed_plain(float *out, const int *ids, const float *table,
                 const float *place, int n, int t, int m, float *out_adj,
                 float *table_adj, float *place_adj);

enum { N = 3, T = 5, M = 70, Size = 6000 };
static float primal[Size], adjoint[Size], primal_is[Size], adjoint_is[Size];

/// All arrays are one, and begin where the arguments say.
static int differs(int table, int place) {
  int ids[N * T];
  for (int k = 0; k < N * T; ++k)
    ids[k] = k * 7 % 4;
  for (int k = 0; k < Size; ++k) {
    primal[k] = primal_is[k] = (float)(k % 13);
    adjoint[k] = adjoint_is[k] = (float)(k * 5 % 17 - 8);
  }
  embed_adjoint(primal, ids, primal + table, primal + place, N, T, M, adjoint,
                adjoint + table, adjoint + place);
  embed_plain(primal_is, ids, primal_is + table, primal_is + place, N, T, M,
              adjoint_is, adjoint_is + table, adjoint_is + place);
  return memcmp(primal, primal_is, sizeof primal) ||
         memcmp(adjoint, adjoint_is, sizeof adjoint);
}

int main(void) {
  const int table[] = {N * T * M, 1, 0, M, M / 2, N * T * M - 1},
            place[] = {4000, 2, M + 3, 0, N * T * M + 2};
  for (int k = 0; k < 6; ++k)
    for (int l = 0; l < 5; ++l)
      if (differs(table[k], place[l])) {
        printf("%d %d\n", table[k], place[l]);
        return 1;
      }
  return 0;
}
#endif
