// Memory that a function has allocated for its locals, and that nothing else leads to.
// RUN: %raise_lift %s -- -O2 -std=c++17 | FileCheck %s
#include <algorithm>
#include <cstdlib>
#include <vector>

struct Grid {
  int n;
  double *out;
};
extern void keep(double *);
static double *Last;
static void remember(double *p) { Last = p; }
static double total(const double *p, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
template <class T> T *allocate(std::size_t n) {
  return static_cast<T *>(std::malloc(n * sizeof(T)));
}
template <class T> void release(T **p) {
  if (*p != NULL) {
    std::free(*p);
    *p = NULL;
  }
}

// CHECK: pointer p: f64* fresh 1;
// CHECK: func @arrayNew(
// CHECK: for (i: i32 = 0; i < g[0:i64].n:i32; i += 1)
void arrayNew(Grid *g, const int *k) {
  double *p = new double[g->n];
  for (int i = 0; i < g->n; ++i)
    p[i] = k[i];
  g->out[0] = total(p, g->n);
  delete[] p;
}

// No store reaches p, although its address is taken.
// CHECK: pointer p: f64* inlocal fresh 1;
// CHECK: func @byFunctions(
// CHECK: for (i: i32
void byFunctions(Grid *g, const int *k) {
  double *p = allocate<double>(g->n);
  for (int i = 0; i < g->n; ++i)
    p[i] = k[i];
  g->out[0] = p[3];
  release(&p);
}

// Nothing after the last loop matters to it.
// CHECK: pointer p: f64* fresh 1;
// CHECK: func @keptLater(
// CHECK: for (i: i32
void keptLater(Grid *g, const int *k) {
  double *p = new double[g->n];
  for (int i = 0; i < g->n; ++i)
    p[i] = k[i];
  g->out = p;
}

// Of one group: these two may overlap.
// CHECK: pointer p: f64* inlocal fresh 1;
// CHECK-NEXT: pointer q: f64* inlocal fresh 1;
// CHECK: func @group(
void group(int n, int c) {
  double *p = new double[n], *r = new double[n], *q;
  q = c ? p : r;
  p = q;
  for (int i = 0; i < n; ++i)
    p[i] = q[i];
  delete[] p;
}

// CHECK: pointer `v.data()`: f64* inlocal fresh 1 apart 1 owned;
// CHECK: func @vector(
// CHECK: for (i: i32
void vector(Grid *g, const int *k) {
  std::vector<double> v(g->n);
  for (int i = 0; i < g->n; ++i)
    v[i] = k[i];
  std::sort(v.begin(), v.end());
  for (double &x : v)
    x += k[0];
}

// Kept by a function with a body, by one without, in memory, as a number, by a
// lambda; and before a jump back.
// CHECK: pointer p: f64*;
// CHECK: func @keptByBody(
// CHECK: while
void keptByBody(Grid *g, const int *k) {
  double *p = new double[g->n];
  remember(p);
  for (int i = 0; i < g->n; ++i)
    p[i] = k[i];
}
// CHECK: pointer p: f64*;
// CHECK: func @keptBySomething(
// CHECK: while
void keptBySomething(Grid *g, const int *k) {
  double *p = new double[g->n];
  keep(p);
  for (int i = 0; i < g->n; ++i)
    p[i] = k[i];
}
// CHECK: pointer p: f64*;
// CHECK: func @keptInMemory(
// CHECK: while
void keptInMemory(Grid *g, const int *k) {
  double *p = new double[g->n];
  g->out = p;
  for (int i = 0; i < g->n; ++i)
    p[i] = k[i];
}
// CHECK: pointer p: f64*;
// CHECK: func @keptAsNumber(
// CHECK: while
long keptAsNumber(Grid *g, const int *k) {
  double *p = new double[g->n];
  long at = reinterpret_cast<long>(p);
  for (int i = 0; i < g->n; ++i)
    p[i] = k[i];
  return at;
}
// CHECK: pointer p: f64*
// CHECK-NOT: fresh
// CHECK: func @keptBackwards(
// CHECK: while
void keptBackwards(Grid *g, const int *k) {
  double *p = new double[g->n];
again:
  for (int i = 0; i < g->n; ++i)
    p[i] = k[i];
  g->out = p;
  if (g->out[0] > 1)
    goto again;
}

// Another's memory: of a parameter, of a global, of a vector that is moved.
// CHECK: pointer p: f64* inlocal;
// CHECK: func @another(
// CHECK: while
void another(Grid *g, const int *k, double *d) {
  double *p = new double[g->n];
  if (k[0])
    p = d;
  for (int i = 0; i < g->n; ++i)
    p[i] = k[i];
}
// CHECK: pointer `v.data()`: f64* inlocal apart 1 owned;
// CHECK: func @moved(
// CHECK: while
void moved(Grid *g, std::vector<double> w, const int *k) {
  std::vector<double> v(std::move(w));
  for (int i = 0; i < g->n; ++i)
    v[i] = k[i];
}

// Containers of one object are apart, and from the object; references may be to
// one container.
// CHECK: pointer this: void* apart 1;
// CHECK-NEXT: pointer `this->a.data()`: f64* inlocal apart 1 owned;
// CHECK-NEXT: pointer `this->b.data()`: f64* inlocal apart 1 owned;
// CHECK: func @both()
// CHECK: for (i: i32
class Fields {
  std::vector<double> a, b;
  int n;

public:
  void both() {
    for (int i = 0; i < n; ++i)
      a[i] = b[i];
  }
};
// CHECK-DAG: pointer `w.data()`: const f64* inlocal apart 1 owned;
// CHECK-DAG: pointer `v.data()`: f64* inlocal apart 2 owned;
// CHECK: func @references(
void references(std::vector<double> &v, const std::vector<double> &w, int n) {
  for (int i = 0; i < n; ++i)
    v[i] = w[i];
}
// An object might lie in such elements.
// CHECK: pointer this: void*;
// CHECK: pointer `this->bytes.data()`: u8* inlocal apart 1 owned;
// CHECK: func @set()
class Bytes {
  std::vector<unsigned char> bytes;
  int n;

public:
  void set() {
    for (int i = 0; i < n; ++i)
      bytes[i] = 1;
  }
};
// What is loaded from the memory is not the memory.
// CHECK: pointer p: f64*
// CHECK-NOT: fresh
// CHECK: func @loaded(
// CHECK: while
void loaded(Grid *g, double *d) {
  double **rows = new double *[4];
  double *p = reinterpret_cast<double *>(rows);
  rows[0] = d;
  p = rows[0];
  for (int i = 0; i < g->n; ++i)
    p[i] = i;
  delete[] rows;
}
