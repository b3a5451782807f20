// Memory that something else leads to as well is not fresh, however it gets
// there. Each function keeps it in a way of its own.
// RUN: %raise_lift %s -- -std=c++17 -fopenmp | FileCheck %s
// CHECK-NOT: {{ fresh [0-9]}}
// CHECK: func @inSize
#include <cstring>
#include <vector>
static double *Kept;
struct Layer {
  double *output;
  int n;
};
struct Block {
  int n;
  double d[200];
};

double chain(int n) {
  double *p = Kept = new double[n + 1];
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  return p[n];
}
double chainToMember(Layer *l) {
  double *p = l->output = new double[l->n + 1];
  for (int i = 0; i < l->n; ++i)
    p[i + 1] = l->output[i] + 1;
  return p[l->n];
}
double chainInBranch(int n, bool c) {
  double *p = c ? Kept = new double[n + 1] : new double[n + 1];
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  return p[n];
}
double chainMoved(int n) {
  double *p = (Kept = new double[n + 3]) + 1;
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  return p[n];
}
static double *make(int n) {
  double *q = Kept = new double[n];
  return q;
}
double madeAndKept(int n) {
  double *p = make(n + 1);
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  return p[n];
}

struct Pool {
  virtual double *get(int n) { return new double[n]; }
  virtual double *operator()(int n) { return new double[n]; }
  virtual ~Pool() {}
};
double overridden(Pool &a, const double *x, int n) {
  double *p = a.get(n);
  for (int i = 0; i < n; ++i)
    p[i] = x[i] + 1;
  double *q = a(n);
  for (int i = 0; i < n; ++i)
    q[i] = x[i] + 1;
  return p[0] + q[0];
}

static double *&slot(double **p) { return *p; }
double slotRead(int n) {
  double *p = new double[n + 1];
  Kept = slot(&p);
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  return p[n];
}
double slotWritten(double *x, int n) {
  double *p = new double[n + 1];
  slot(&p) = x + 1;
  for (int i = 0; i < n; ++i)
    p[i] = x[i] + 1;
  return p[n];
}

double bound(int n) {
  Block *p = new Block();
  auto &[k, d] = *p;
  Kept = d;
  for (int i = 0; i < n; ++i)
    p->d[i + 1] = Kept[i] + 1;
  return p->d[n] + k;
}
double caught(double *e, int n) {
  double *p = new double[n + 1]();
  try {
    if (n > 5)
      throw e;
  } catch (double *q) {
    p = q;
  }
  for (int i = 0; i < n; ++i)
    p[i + 1] = e[i] + 1;
  return p[n];
}
static void keep(double **p) { Kept = *p; }
double cleanedUp(int n) {
  double *p = new double[n + 1];
  { __attribute__((cleanup(keep))) double *q = p; }
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  return p[n];
}
static int kept(double *p) {
  Kept = p;
  return 1;
}
double inClause(int n) {
  double *p = new double[n + 1];
#pragma omp parallel num_threads(kept(p))
  { p[0] = 0; }
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  return p[n];
}
double inExpression(int n) {
  double *p = new double[n + 1];
  Kept = ({ L: p; });
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  return p[n];
}
double jumped(int n) {
  int c = 0;
  double *p = new double[n + 1];
again:
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  Kept = p;
  if (c++ == 0)
    asm goto("jmp %l0" : : : : again);
  return p[n];
}
double inSchedule(int n) {
  double *p = new double[n + 1]();
#pragma omp parallel for schedule(static, kept(p))
  for (int i = 0; i < 3; ++i)
    p[i] = 0;
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  return p[n];
}
double inSize(int n) {
  double *p = new double[n + 1]();
  double(*q)[kept(p)] = nullptr;
  (void)q;
  for (int i = 0; i < n; ++i)
    p[i + 1] = Kept[i] + 1;
  return p[n];
}
