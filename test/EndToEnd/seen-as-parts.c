// A pointer that sees an array of numbers as rows or structures of them: its name with a subscript is another object than an
// element. Declared outside of the loop it keeps its type, so the loop is left; declared inside it becomes a plain pointer.
// RUN: %clang_raise rewrite %s -o %t.c -- -O2 -std=c11 -fopenmp 2> %t.err
// RUN: FileCheck %s --check-prefix=ERR < %t.err
// RUN: FileCheck %s < %t.c
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.exe && %t.exe | FileCheck %s --check-prefix=OUT
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && %t.gcc | FileCheck %s --check-prefix=OUT
#include <stdio.h>

struct Pair { double x, y; };
struct One { double v; };

// ERR: seen-as-parts.c:[[#@LINE+4]]:3: remark: not rewritten: the raised form needs the elements that 'q' points to, which the source sees as parts of other objects [CR1716
int zeros(const int *k, int n) {
  const int(*q)[4] = (const int(*)[4])k;
  int r = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      if (!q[i][j])
        r++;
  return r;
}

// ERR: seen-as-parts.c:[[#@LINE+3]]:3: remark: not rewritten: {{.*}} 'q' points to
double first(const double *b, int n) {
  double s = 0; const struct Pair *q = (const struct Pair *)b;
  for (int i = 0; i < n; i++)
    s += q[i].x;
  return s;
}

// A structure of one number has its size, but is none.
// ERR: seen-as-parts.c:[[#@LINE+3]]:3: remark: not rewritten: {{.*}} 'q' points to
void add(double *b, const double *a, int n) {
  struct One *q = (struct One *)b;
  for (int i = 0; i < n; i++)
    q[i].v += a[i];
}

// Assigned later, it is no other pointer.
// ERR: seen-as-parts.c:[[#@LINE+4]]:3: remark: not rewritten: {{.*}} 'q' points to
void later(double *restrict b, const double *restrict a, int n) {
  struct Pair *q;
  q = (struct Pair *)b;
  for (int i = 0; i < n; i++)
    q[i].y += a[i];
}

// CHECK-LABEL: void inside(
// CHECK: double *q = b;
// CHECK: q[2LL * i] += a[i];
void inside(double *b, const double *a, int n) {
  for (int i = 0; i < n; i++) {
    struct Pair *q = (struct Pair *)b;
    q[i].x += a[i];
  }
}

// Of numbers it is one like others.
// CHECK-LABEL: void plain(
// CHECK: clang-raise: plain:1
// CHECK: q[i] += a[i];
void plain(double *b, const double *a, int n) {
  double *q = b + 1;
  for (int i = 0; i < n; i++)
    q[i] += a[i];
}

enum { N = 400000 };
static int k[4 * N];
static double a[N], b[2 * N];

int main(void) {
  k[7] = 1;
  for (int i = 0; i < N; i++)
    a[i] = i % 3;
  printf("%d\n", zeros(k, N));
  add(b, a, N);
  later(b, a, N);
  inside(b, a, N);
  plain(b, a, N);
  double s = 0;
  for (int i = 0; i < 2 * N; i++)
    s += b[i] * (i % 5);
  printf("%.1f %.1f\n", first(b, N), s);
}
// OUT: 1599999
// OUT-NEXT: 799998.0 3199990.0
