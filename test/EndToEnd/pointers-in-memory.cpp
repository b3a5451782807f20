// Where a pointer that lies in memory leads is asked only where the loop asks it too: a loop that does not run, or that
// tests a pointer first, loads nothing by way of a null pointer.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 -std=c++17
// RUN: FileCheck %s < %t.cpp
// RUN: clang++-19 -std=c++17 -O2 -ffp-contract=off %s -o %t.before
// RUN: %t.before > %t.out.before
// RUN: clang++-19 -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror %t.cpp -o %t.clang
// RUN: env OMP_NUM_THREADS=4 %t.clang > %t.out.clang
// RUN: g++ -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror %t.cpp -o %t.gcc
// RUN: env OMP_NUM_THREADS=2 %t.gcc > %t.out.gcc
// RUN: diff %t.out.before %t.out.clang && diff %t.out.before %t.out.gcc
#include <cstdio>
#include <vector>

#define NI __attribute__((noinline))
enum { N = 400000 };
struct S {
  double *p;
  S *next;
  std::vector<double> v;
};
static S *Global;
static double A[N], B[N];

// CHECK: {{^}}NI void plain(
// CHECK: {{^ *}}#pragma omp parallel
// CHECK: {{^}}NI void tested(
NI void plain(double *a, int n, S *s) {
  for (int i = 0; i < n; i++)
    a[i] = s->p[i];
}
NI void tested(double *a, int n, S *s) {
  for (int i = 0; i < n; i++)
    if (s)
      a[i] = s->p[i];
}
NI void stored(double *a, int n, S *s) {
  for (int i = 0; i < n; i++)
    s->p[i] = a[i] + 1;
}
NI void global(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = Global->p[i];
}
NI void further(double *a, int n, S *s) {
  for (int i = 0; i < n; i++)
    if (s)
      a[i] = s->next->p[i];
}
NI void chosen(double *a, int n, S *s, int c) {
  for (int i = 0; i < n; i++)
    a[i] = c ? s->p[i] : 0;
}
NI void elements(double *a, int n, S *s) {
  for (int i = 0; i < n; i++)
    if (s)
      a[i] = s->v[i];
}
NI void nest(double *a, int n, int m, S *s) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      a[j * n + i] = s->p[i];
}
// No test that can be made before the loop says whether this loads 's->p'.
NI void by_data(double *a, int n, S *s) {
  for (int i = 0; i < n; i++)
    if (a[i] > 1e9)
      a[i] = s->p[i];
}
static void show(const char *name) {
  double t = 0;
  for (int i = 0; i < N; i++)
    t = t * .9 + A[i] + 2 * B[i];
  std::printf("%s %a\n", name, t);
}
int main() {
  for (int i = 0; i < N; i++)
    B[i] = A[i] = i % 7;
  S last{B, nullptr, std::vector<double>(N, 3.)}, s{B, &last, std::vector<double>(N, 2.)};
  plain(A, 0, nullptr);
  tested(A, N, nullptr);
  stored(A, 0, nullptr);
  global(A, 0);
  further(A, N, nullptr);
  chosen(A, N, nullptr, 0);
  show("chosen");
  elements(A, N, nullptr);
  nest(A, 0, N, nullptr);
  nest(A, N, 0, nullptr);
  by_data(A, N, nullptr);
  show("null");
  Global = &s;
  plain(A, N, &s);
  show("plain");
  stored(A, N, &s);
  show("stored");
  tested(A, N, &s);
  show("tested");
  global(A, N - 1);
  show("global");
  further(A, N, &s);
  show("further");
  chosen(A, N, &s, 1);
  show("chosen");
  elements(A, N, &s);
  show("elements");
  nest(A, N / 8, 8, &s);
  show("nest");
}
