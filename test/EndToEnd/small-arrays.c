// A loop over an array that is small, whatever its bound says, is never long
// enough for threads: arrays of the function, members, and what all calls of a
// function that no other file can call pass. Not one whose address is taken,
// nor a member that stands for as many elements as there are. gcc sees the
// callers too: it would warn of tests that can hold for no array that is there.
//
// RUN: %clang_raise rewrite %s -o %t.c -- -std=c11 -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.c -o %t.o
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.c -o %t.o

#define MAX 50
struct state { int n; double next[12]; int cj[31][12]; double last[1]; };
static void multiply(const int *a, int na, const int *b, int nb, int *c, int *nc) {
  int t[MAX + 1];
  const int n = na + nb;
  // CHECK: small-arrays.c:[[#@LINE+1]]:{{.*}}not rewritten: the loop is already at its best [CR1602,
  for (int k = 0; k <= n; k++) {
    int term = 0;
    for (int j = 0; j <= k; j++)
      term = (term + a[k - j] * b[j]) % 2;
    t[k] = term;
  }
  // CHECK: small-arrays.c:[[#@LINE+1]]:{{.*}}not rewritten: the loop is already at its best [CR1602,
  for (int k = 0; k <= n; k++)
    c[k] = t[k];
  // CHECK: small-arrays.c:[[#@LINE+1]]:{{.*}}not rewritten: the loop is already at its best [CR1602,
  for (int k = n + 1; k <= MAX; k++)
    c[k] = 0;
  *nc = n;
}
static void fill(int *restrict v, int n, int m) {
  // CHECK: small-arrays.c:[[#@LINE+1]]:{{.*}}not rewritten: the loop is already at its best [CR1602,
  for (int i = 0; i < n; i++)
    v[i] = 0;
  v[n] = 1;
  // CHECK: small-arrays.c:[[#@LINE+1]]:{{.*}}not rewritten: the loop is already at its best [CR1602,
  for (int i = n + 1; i < m; i++)
    v[i] = 1;
}
int whole(int n, int m) {
  int v[82], b[MAX + 1], nb = 0;
  multiply(v, n, v, m, b, &nb);
  fill(v, n, m);
  return v[n] + b[nb];
}
void start(struct state *s, int n) {
  // CHECK: small-arrays.c:[[#@LINE+1]]:{{.*}}not rewritten: the loop is already at its best [CR1602,
  for (int i = 0; i < n; i++)
    s->next[i] = 0;
}
void last(struct state *s, int n) {
  // CHECK: small-arrays.c:[[#@LINE+2]]:{{.*}}raised to a map
  // CHECK-NOT: small-arrays.c:[[#@LINE+1]]:{{.*}}not rewritten
  for (int i = 0; i < n; i++)
    s->last[i] = 0;
}
static void step(double *v, int n) {
  // CHECK: small-arrays.c:[[#@LINE+2]]:{{.*}}raised to a map
  // CHECK-NOT: small-arrays.c:[[#@LINE+1]]:{{.*}}not rewritten
  for (int i = 0; i < n; i++)
    v[i] = v[i] * 2;
}
void (*hook)(double *, int) = step;
void call(int n) { double v[20] = {0}; step(v, n); hook(v, n); }
