// A variable whose address a statement of unknown effect has may be what a pointer leads to: a loop that works on both
// keeps its order.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && %t.gcc

struct pair {
  double x, y;
};
__attribute__((noinline)) double *same(double *p) {
  __asm__("" : "+r"(p));
  return p;
}
double *(*const which)(double *) = same;

// CHECK: escaped-variables.c:[[#@LINE+4]]:{{.*}}not raised: 'p[0]' may be 'b', whose address is kept by a statement that is not followed [CR1016
void stored(double *restrict o, const double *restrict q, int n) {
  double b = 4;
  double *p = which(&b);
  for (int i = 0; i < n; ++i) {
    *p += q[i];
    o[i] = b;
  }
}
// CHECK: escaped-variables.c:[[#@LINE+4]]:{{.*}}not raised: 'p[0]' may be 'b.x', whose address is kept by a statement that is not followed [CR1016
double read(double *restrict o, const double *restrict q, int n) {
  struct pair b = {4, 0};
  double *p = which(&b.x);
  for (int i = 0; i < n; ++i) {
    b.x += q[i];
    o[i] = p[0];
  }
  return b.x;
}
// Two that are only read are no matter, nor is a variable whose address is followed.
// CHECK: escaped-variables.c:[[#@LINE+4]]:{{.*}}raised to a broadcast: o[i] = b + p[0],
void bothRead(double *restrict o, int n) {
  double b = 4;
  double *p = which(&b);
  for (int i = 0; i < n; ++i)
    o[i] = b + p[0];
}
static void twice(double *v) { *v *= 2; }
// CHECK: escaped-variables.c:[[#@LINE+4]]:{{.*}}raised to a map: p[i] = b,
void followed(double *o, int n) {
  double b = 4, *p = which(o);
  twice(&b);
  for (int i = 0; i < n; ++i)
    p[i] = b;
}

enum { N = 300000 };
static double o[N], q[N];
int main(void) {
  for (int i = 0; i < N; ++i)
    q[i] = i % 2;
  stored(o, q, N);
  int bad = o[0] != 4 || o[N - 1] != 4 + N / 2;
  bad |= read(o, q, N) != 4 + N / 2 || o[0] != 4 || o[N - 1] != 4 + N / 2;
  bothRead(o, N);
  bad |= o[N - 1] != 8;
  followed(o, N);
  return bad || o[0] != 8 || o[N - 1] != 8;
}
