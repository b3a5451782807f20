// Loops whose gotos are conditions, and loops where they go back: raised, and the same in every case.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror -DN=300000 %t.c -o %t && %t > %t.raised
// RUN: clang-19 -O2 -Wall -Wextra -DN=300000 %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
#include <stdio.h>
#ifndef N
#define N 10
#endif
float a[N], b[N], c[N];

// CHECK: jumps.c:[[#@LINE+2]]:{{.*}}raised to a map
void choose(int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] > 0.0f)
      goto positive;
    b[i] = a[i];
    if (b[i] <= c[i])
      goto both;
    c[i] += a[i];
    goto both;
  positive:
    c[i] = -c[i];
  both:
    a[i] = b[i];
  }
}

// CHECK: jumps.c:[[#@LINE+2]]:{{.*}}raised to a map
void skip(int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] >= 0.0f)
      goto end;
    if (b[i] >= 0.0f)
      goto set;
    a[i] += b[i];
  set:
    b[i] = 1.0f;
  end:;
  }
}

// CHECK: jumps.c:[[#@LINE+2]]:{{.*}}raised to a map
void halve(int n) {
  for (int i = 0; i < n; ++i) {
    int times = 0;
  again:
    if (!(c[i] > 0.5f))
      goto done;
    c[i] *= 0.5f;
    if (++times < 20)
      goto again;
  done:
    a[i] += times;
  }
}

int main(void) {
  for (int i = 0; i < N; ++i) {
    a[i] = i % 7 - 3;
    b[i] = i % 5 - 2;
    c[i] = i % 11 - 5;
  }
  a[3] = b[4] = c[5] = 0.0f / (N - N);
  choose(N);
  skip(N);
  halve(N);
  float s = 0, t = 0, u = 0;
  for (int i = 0; i < N; ++i) {
    if (a[i] == a[i])
      s += a[i] * (i % 13);
    if (b[i] == b[i])
      t += b[i] * (i % 17);
    if (c[i] == c[i])
      u += c[i] * (i % 19);
  }
  printf("%.9g %.9g %.9g %d %d %d\n", s, t, u, a[3] == a[3], b[4] == b[4],
         c[5] == c[5]);
  return 0;
}
