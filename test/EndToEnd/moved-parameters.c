// A pointer parameter that is moved into another object somewhere is what its name says in the loops before and after.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && %t.gcc
#include <string.h>
enum { N = 300000 };

// CHECK: moved-parameters.c:[[#@LINE+3]]:{{.*}}raised to a reduction: k += Σ_i (a[i] = ','),
int count(const char *a, int n) {
  int k = 0;
  for (int i = 0; i < n; ++i)
    k += a[i] == ',';
  a = strchr(a, ',');
  return k + (a != 0);
}
// CHECK: moved-parameters.c:[[#@LINE+3]]:{{.*}}raised to a map: p[i] = q[i] + 1,
// CHECK: moved-parameters.c:[[#@LINE+5]]:{{.*}}raised to a map: p[i] *= 2,
void both(double *p, double *q, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = q[i] + 1;
  p = q;
  for (int i = 0; i < n; ++i)
    p[i] *= 2;
}
// What moves in the loop is not followed, and says why.
// CHECK: moved-parameters.c:[[#@LINE+2]]:{{.*}}not raised: 'p' is moved into 'q', which may be another object [CR1008
void either(double *p, double *q, int n) {
  for (int i = 0; i < n; ++i) {
    p = i % 3 == 0 ? p : q;
    p[i] += 1;
  }
}
// CHECK: moved-parameters.c:[[#@LINE+3]]:{{.*}}not raised: calls strchr, which returns a pointer into its argument or null: what may be null is not followed [CR1005
int next(const char *s, int n) {
  int k = 0;
  for (int i = 0; i < n; ++i) {
    const char *p = strchr(s, 'a' + i);
    k += p[1] - '0';
  }
  return k;
}

static char text[N + 1];
static double A[N], B[N];
int main(void) {
  memset(text, ',', N);
  text[0] = text[7] = 'x';
  int bad = count(text, N) != N - 1 || next("a1b2c3", 3) != 6;
  for (int i = 0; i < N; ++i)
    B[i] = i;
  both(A, B, N);
  bad |= A[5] != 6 || B[5] != 10 || A[N - 1] != N || B[N - 1] != 2. * (N - 1);
  either(A, B, 3);
  return bad || A[0] != 2 || B[1] != 3 || B[2] != 5 || A[1] != 2;
}
