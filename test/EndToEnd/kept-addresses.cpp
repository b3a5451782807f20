// A variable is read or changed by what has its address, however that was given away: both programs must print the same.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 -std=c++17
// RUN: FileCheck %s < %t.cpp
// RUN: clang++-19 -std=c++17 -O2 -fopenmp -ffp-contract=off %s -o %t.before
// RUN: %t.before > %t.out.before
// RUN: clang++-19 -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror %t.cpp -o %t.clang
// RUN: env OMP_NUM_THREADS=4 %t.clang > %t.out.clang
// RUN: g++ -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror %t.cpp -o %t.gcc
// RUN: env OMP_NUM_THREADS=2 %t.gcc > %t.out.gcc
// RUN: diff %t.out.before %t.out.clang && diff %t.out.before %t.out.gcc
#include <algorithm>
#include <cstdio>
#include <functional>
#include <omp.h>
#include <vector>

#define NI __attribute__((noinline))
enum { N = 200000 };
static double A[N + 8];
static double Seen;
static double *Kept = &Seen;
static const double *KeptConst = &Seen;
static int *KeptInt;

//===-- Read where a scope ends -------------------------------------------===//
struct AtEnd {
  double &r;
  ~AtEnd() { Seen = r; }
};
template <class F> struct Finally {
  F f;
  explicit Finally(F g) : f(g) {}
  Finally(const Finally &) = delete;
  ~Finally() { f(); }
};
static void store(double *p) { Seen = *p; }

NI double ending(double *a, int n) {
  double k = 0;
  AtEnd end{k};
  for (int i = 0; i < n; i++) {
    k = a[i] * 3;
    a[i] = k + 1;
  }
  return a[2];
}
NI double endingLambda(double *a, int n) {
  double k = 0;
  Finally end([&] { Seen = k; });
  if (n > 2) {
    for (int i = 0; i < n; i++) {
      k = a[i] * 3;
      a[i] = k + 1;
    }
    return 1;
  }
  return a[2];
}
NI double cleaned(double *a, int n) {
  __attribute__((cleanup(store))) double k = 0;
  for (int i = 0; i < n; i++) {
    k = a[i] * 3;
    a[i] = k + 1;
  }
  return a[2];
}
NI double endingParameter(double *a, int n, double k) {
  std::vector<AtEnd> ends;
  ends.push_back({k});
  for (int i = 0; i < n; i++) {
    k = a[i] * 3;
    a[i] = k + 1;
  }
  return a[2];
}

//===-- Read by way of a pointer, a copy or a clause ----------------------===//
NI double pointed(double *a, int n) {
  double k = 2;
  double *const r = &k;
  for (int i = 0; i < n; i++) {
    k = a[i] * 3;
    a[i] = k + 1;
  }
  for (int i = 0; i < n; i++)
    a[i] += *r;
  return *r;
}
NI double copied(double *a, int n) {
  double k = 2;
  for (int i = 0; i < n; i++) {
    k = a[i] * 3;
    a[i] = k + 1;
  }
  auto f = [z = k + 1] { return z; };
  k = 5;
  return f() + k;
}
NI double copiedWhole(double *a, int n) {
  double k = 2;
  for (int i = 0; i < n; i++) {
    k = a[i] * 3;
    a[i] = k + 1;
  }
  auto f = [k] { return k; };
  k = 5;
  return f() + k;
}
NI double clause(double *a, int n) {
  int k = 1, size = 0;
  for (int i = 0; i < n; i++) {
    k = i % 4 + 1;
    a[i] = k;
  }
#pragma omp parallel num_threads(k)
  {
#pragma omp single
    size = omp_get_num_threads();
  }
  return size;
}
NI double chunks(double *a, int n) {
  int k = 1;
  for (int i = 0; i < n; i++) {
    k = i % 4 + 1;
    a[i] = k;
  }
#pragma omp parallel for schedule(static, k)
  for (int i = 0; i < n; i++)
    a[i] += omp_get_num_threads() > 0;
  return a[2];
}

//===-- References to const -----------------------------------------------===//
struct Holder {
  const double *p;
  Holder(const double &x) : p(&x) {}
};
static const double *addressOf(const double &x) { return &x; }
static void keepConst(const double &x) { KeptConst = &x; }
NI static void addTo(const double &x, double by) {
  asm volatile("");
  const_cast<double &>(x) += by;
}
// CHECK-LABEL: double held(
// CHECK-NOT: {{^ *}}#pragma omp
// CHECK: {{^}}NI double readOnly(
NI double held(double *a, int n) {
  double k = 0;
  Holder h(k);
  for (int i = 0; i < n; i++) {
    k = a[i] * 2;
    a[i] = *h.p;
  }
  return k;
}
NI double returned(double *a, int n) {
  double k = 0;
  const double *q = addressOf(k);
  for (int i = 0; i < n; i++) {
    k = a[i] * 2;
    a[i] = *q;
  }
  return k;
}
NI double larger(double *a, int n) {
  double k = 0, m = -1;
  const double *q = &std::max(k, m);
  for (int i = 0; i < n; i++) {
    k = a[i] * 2;
    a[i] = *q;
  }
  return m;
}
NI double alias(double *a, int n) {
  double k = 0;
  const double &c = k;
  const double *q = &c;
  for (int i = 0; i < n; i++) {
    k = a[i] * 2;
    a[i] = *q;
  }
  return k;
}
NI double kept(double *a, int n) {
  double k = 0;
  keepConst(k);
  for (int i = 0; i < n; i++) {
    k = a[i] * 2;
    a[i] = *KeptConst;
  }
  return k;
}
NI double wrapped(double *a, int n) {
  double k = 0;
  auto c = std::cref(k);
  for (int i = 0; i < n; i++) {
    k = a[i] * 2;
    a[i] = k + 1;
  }
  return c;
}
struct Cell {
  mutable int v;
  int operator()(int t) const;
};
NI int Cell::operator()(int t) const {
  asm volatile("");
  return v = t;
}
NI double mutableMember(double *a, int n) {
  Cell c{4};
  for (int k = 0; k < c.v; k++) {
    c(k);
    for (int i = 0; i < n; i++)
      a[i + (c.v - k)] = a[0] + 1;
  }
  return a[n - 1];
}
NI double castAway(double *a, int n) {
  double m = 1;
  for (int t = 0; t < 3; t++) {
    addTo(m, t);
    for (int i = 0; i < n; i++)
      a[i] = a[0] + m;
  }
  return m;
}
// What a function only reads stays the caller's own.
// CHECK: {{^ *}}#pragma omp
// CHECK: {{^}}NI static int keep(
static double twice(const double &x) { return x + x; }
NI double readOnly(double *a, int n) {
  double k = 3;
  double s = twice(k);
  for (int i = 0; i < n; i++) {
    k = a[i] * 3;
    a[i] = std::min(k, s) + std::max(k, 5.);
  }
  return s;
}

//===-- Given away on the way ---------------------------------------------===//
NI static int keep(double *p) {
  asm volatile("");
  Kept = p;
  return 1;
}
NI static int keepInt(int *p) {
  asm volatile("");
  KeptInt = p;
  return 1;
}
NI double printed(double *a, int n) {
  double k = 4;
  std::printf("%d\n", keep(&k));
  for (int i = 0; i < n; i++) {
    k = a[i] * 2;
    a[i] = *Kept;
  }
  return 0;
}
NI double assigned(double *a, int n) {
  double k = 4;
  std::printf("%d\n", (Kept = &k, 1));
  for (int i = 0; i < n; i++) {
    k = a[i] * 2;
    a[i] = *Kept;
  }
  return 0;
}
NI double again(double *a, int n) {
  int k = 4, runs = 0, other = 0;
  KeptInt = &other;
back:
  for (int t = 0; t < k; t++) {
    *KeptInt = t;
    for (int i = 0; i < n; i++)
      a[i + (k - t)] = a[0] + 1;
  }
  if (runs++ == 0) {
    keepInt(&k);
    k = 4;
    goto back;
  }
  return a[n - 1];
}

template <class... T> void show(const char *name, double (*f)(double *, int, T...), T... more) {
  for (int i = 0; i < N + 8; i++)
    A[i] = i % 7;
  Seen = -1;
  double r = f(A, N, more...), s = 0;
  for (double x : A)
    s = s * .99 + x;
  std::printf("%s %a %a %a\n", name, r, Seen, s);
}
int main() {
  show("ending", ending);
  show("endingLambda", endingLambda);
  show("cleaned", cleaned);
  show("endingParameter", endingParameter, 2.);
  show("pointed", pointed);
  show("copied", copied);
  show("copiedWhole", copiedWhole);
  show("clause", clause);
  show("chunks", chunks);
  show("held", held);
  show("returned", returned);
  show("larger", larger);
  show("alias", alias);
  show("kept", kept);
  show("wrapped", wrapped);
  show("mutableMember", mutableMember);
  show("castAway", castAway);
  show("readOnly", readOnly);
  show("printed", printed);
  show("assigned", assigned);
  show("again", again);
}
