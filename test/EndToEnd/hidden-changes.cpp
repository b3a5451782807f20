// Each function here was wrong where something changes that the loop, or the
// statement before it, does not name: both programs must print the same.
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
#include <optional>
#include <utility>
#include <vector>

#define NI __attribute__((noinline))
typedef std::vector<double> V;
enum { N = 300000 };
static double A[N + 64], B[N + 64];

// A pointer that is taken in a loop, before what it came from is swapped.
// CHECK-LABEL: double doubled(
// CHECK: #pragma omp
// CHECK: int main
NI double doubled(int n, int steps) {
  V a(n + 1, 1.), b(n + 1, 2.);
  for (int t = 0; t < steps; t++) {
    double *p = a.data();
    std::swap(a, b);
    for (int i = 0; i < n; i++)
      p[i + 1] = b[i] + 1;
  }
  return b[n] + a[n];
}
struct Pair {
  V a, b;
  void turn() { std::swap(a, b); }
  NI double method(int n) {
    double s = 0;
    for (int t = 0; t < 3; t++) {
      const double *q = b.data();
      turn();
      for (int i = 0; i < n; i++)
        a[i + 1] = q[i] + 1;
      s += a[n];
    }
    return s;
  }
  NI double moved(int n) {
    double s = 0;
    while (s < 5) {
      double *p = a.data();
      V c(std::move(a));
      for (int i = 0; i < n; i++)
        p[i + 1] = c[i] + 1;
      s += c[n];
      a = std::move(c);
    }
    return s;
  }
  NI double element(int n) {
    double &r = a[0];
    a.swap(b);
    for (int i = 1; i < n; i++)
      a[i] = r + 1;
    return a[1];
  }
};

// Lambdas that are called by statements that are not followed.
NI double ref(double *a, int n) {
  int k = 1;
  auto at = [&]() -> int & { return k; };
  int &r = at();
  r = 5;
  for (int i = 0; i < n; i++)
    a[i + k] = 1;
  return a[1];
}
NI double bound(double *a, int n, std::vector<int> &v) {
  int k = 3;
  auto next = [&] { return --k; };
  for (int t = 0; t < k; t++) {
    v.push_back(next());
    for (int i = 0; i < n; i++)
      a[i] += k;
  }
  return a[0];
}
NI double ptr(double *a, int n, std::vector<int> &v) {
  double *p = a;
  auto next = [&] {
    p += 3;
    return 1;
  };
  v.push_back(next());
  for (int i = 0; i < n; i++)
    p[i] = i;
  return a[0] + a[3];
}
NI double ptr2(double *a, double *b, int n, std::vector<int> &v) {
  double *p = a;
  auto next = [&] {
    p = b;
    return 1;
  };
  v.push_back(next());
  for (int i = 0; i < n; i++)
    p[i] = i;
  return a[7] + b[7];
}
NI double gen(double *a, int n, std::vector<int> &v) {
  int k = 0;
  auto next = [&](auto x) {
    k += x;
    return k;
  };
  v.push_back(next(2));
  for (int i = 0; i < n; i++)
    a[i + k] = a[i] + 1;
  return a[n];
}
NI double nest(double *a, int n, std::vector<int> &v) {
  int k = 0;
  auto in = [&] { return ++k; };
  auto next = [&] { return in(); };
  v.push_back(next());
  for (int i = 0; i < n; i++)
    a[i + k] = a[i] + 1;
  return a[n];
}
NI double opt(double *a, int n) {
  int k = 0;
  auto next = [&] { return ++k; };
  std::optional<int> o(next());
  for (int i = 0; i < n; i++)
    a[i + k] = a[i] + 1;
  return a[n] + *o;
}
// Copies that lambdas keep.
struct P {
  double x, y;
};
struct Q {
  double x[4];
};
NI double order(double *a, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    a[i] = [k](int v) { return k + v; }(k++);
  return a[n - 1];
}
NI double capvec(double *a, int n) {
  V t(n, 1.);
  double r = [t](double *, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
      s += t[i];
    return s;
  }(a, n);
  auto o = [=](int i) { return t[i]; };
  for (int i = 0; i < n; i++)
    t[i] = 2;
  for (int i = 0; i < n; i++)
    a[i] = o(i);
  return r + a[1];
}
NI double capst(double *a, int n) {
  P p{1, 2};
  auto o = [p](int i) { return p.x * i; };
  P *q = &p;
  q->x = 5;
  for (int i = 0; i < n; i++)
    a[i] = o(i);
  return a[3];
}
NI double caparr(double *a, int n) {
  Q p{{1, 2}};
  auto o = [p](int i) { return p.x[0] * i; };
  double *q = p.x;
  q[0] = 5;
  for (int i = 0; i < n; i++)
    a[i] = o(i);
  return a[3];
}
NI double capc(double *a, int n) {
  double t[4] = {1};
  auto o = [t](int i) { return t[0] * i; };
  double *q = t;
  q[0] = 5;
  for (int i = 0; i < n; i++)
    a[i] = o(i);
  return a[3];
}
NI double capp(V &x, V &y, double *a, int n) {
  double *p = x.data();
  auto o = [p](int i) { return p[i]; };
  x.swap(y);
  for (int i = 0; i < n; i++)
    a[i] = o(i) + x[i];
  return a[3];
}
// Pointers that get values in other ways than by plain assignments.
NI double asmp(double *a, double *b, int n) {
  double t[4];
  double *p = t;
  asm("" : "=r"(p) : "0"(b));
  for (int i = 0; i < n; i++)
    p[i] = a[i] + 1;
  return b[3];
}
NI double cond(double *a, double *b, int n) {
  double t[4];
  double *p = t, *q = t;
  (n > 3 ? p : q) = b;
  for (int i = 0; i < n; i++)
    p[i] = a[i] + 1;
  return b[3];
}
NI double comma(double *a, double *b, int n) {
  double t[4];
  double *p = t;
  (n++, p) = b;
  n--;
  for (int i = 0; i < n; i++)
    p[i] = a[i] + 1;
  return b[3];
}
NI double pre(double *a, double *b, int n) {
  double t[4];
  double *p = t;
  ++p = b;
  for (int i = 0; i < n; i++)
    p[i] = a[i] + 1;
  return b[3];
}
NI double stat2(double *a, double *b, int n) {
  static double *const q = b;
  double s = 0;
  for (int k = 0; k < 2; k++) {
    double *p = q;
    for (int i = 0; i < n; i++) {
      p[i] = b[i + 1] + 1;
    }
    s += a[0];
  }
  return s;
}
NI double caught(double *a, double *b, int n) {
  double t[4];
  double *p = t;
  try {
    throw b + 1;
  } catch (double *q) {
    p = q;
  }
  for (int i = 0; i < n; i++)
    p[i] = b[i] + 1;
  return a[0] + b[n];
}
NI double given(double *b, int n) {
  double t[4];
  double *p = t;
  [&](double *q) { p = q + 1; }(b);
  for (int i = 0; i < n; i++)
    p[i] = b[i] + 1;
  return b[n];
}
// References that are members, and destructors that write by them.
struct WP {
  double *&r;
};
struct WI {
  int &r;
};
struct WW {
  WI in;
};
struct G {
  int &r;
  ~G() { r = 9; }
};
struct GP {
  double *&p;
  double *to;
  ~GP() { p = to; }
};
struct Fn {
  int &r;
  int operator()() { return ++r; }
};
NI double heldp(double *b, int n) {
  double t[4];
  double *p = t;
  WP w{p};
  w.r = b + 1;
  for (int i = 0; i < n; i++)
    p[i] = b[i] + 1;
  return b[n];
}
NI double nested(double *a, int n) {
  int m = 4;
  WW w{{m}};
  for (int k = 0; k < m; k++) {
    w.in.r = k;
    for (int i = 0; i < n; i++)
      a[i + (m - k)] = a[0] + 1;
  }
  return a[n - 1];
}
NI double dyn(double *a, int n) {
  int m = 4;
  WI *w = new WI{m};
  for (int k = 0; k < m; k++) {
    w->r = k;
    for (int i = 0; i < n; i++)
      a[i + (m - k)] = a[0] + 1;
  }
  delete w;
  return a[n - 1];
}
NI double functor(double *a, int n) {
  int m = 0;
  Fn f{m};
  f();
  f();
  for (int i = 0; i < n; i++)
    a[i + m] = i;
  return a[0] + a[2];
}
NI double guard(double *a, int n) {
  int m = 0;
  {
    G g{m};
    m = 4;
    a[0] = m;
  }
  for (int i = 0; i < n; i++)
    a[i + m] = i;
  return a[3] + a[9];
}
NI double guardb(double *a, int n) {
  int m = 0;
  for (int k = 0; k < 3; k++) {
    G g{m};
    m = 4;
    if (a[k] >= 0)
      break;
    m = 5;
  }
  for (int i = 0; i < n; i++)
    a[i + m] = i;
  return a[3] + a[9];
}
NI double guardp(double *a, double *b, int n) {
  double t[4];
  double *p = t;
  {
    GP g{p, b};
  }
  for (int i = 0; i < n; i++)
    p[i] = a[i];
  return b[3];
}
NI double guardr(double *a, int n) {
  int m = 0;
  {
    const G &g = G{m};
    m = 4;
    a[0] = g.r;
  }
  for (int i = 0; i < n; i++)
    a[i + m] = i;
  return a[3] + a[9];
}
NI double guardg(double *a, int n) {
  int m = 0;
  {
    G g{m};
    m = 4;
    if (a[1] > 0)
      goto out;
    m = 5;
  }
  a[0] = 1;
out:
  for (int i = 0; i < n; i++)
    a[i + m] = i;
  return a[3] + a[9];
}
NI double baddr(double *a, int n) {
  int m = 4;
  int *q = __builtin_addressof(m);
  for (int k = 0; k < m; k++) {
    *q = k;
    for (int i = 0; i < n; i++)
      a[i + (m - k)] = a[0] + 1;
  }
  return a[n - 1];
}
NI static void fresh() {
  for (int i = 0; i < N + 64; i++) {
    A[i] = i % 7;
    B[i] = i % 5;
  }
}
NI static void show(const char *name, double v) {
  double s = 0;
  for (int i = 0; i < N + 64; i++)
    s = s * 0.99999 + (i % 11) * A[i] + 3 * B[i];
  std::printf("%s %g %g %g %g\n", name, v, s, A[7], B[7]);
}
#define SHOW(...) (fresh(), show(#__VA_ARGS__, __VA_ARGS__))
int main() {
  int n = N;
  std::vector<int> v;
  V x(n, 1.), y(n, 2.);
  Pair p{V(n + 1, 1.), V(n + 1, 2.)};
  SHOW(doubled(n, 3));
  SHOW(p.method(n));
  SHOW(p.moved(n));
  SHOW(p.element(n));
  SHOW(ref(A, n));
  SHOW(bound(A, n, v));
  SHOW(ptr(A, n, v));
  SHOW(ptr2(A, B, n, v));
  SHOW(gen(A, n, v));
  SHOW(nest(A, n, v));
  SHOW(opt(A, n));
  SHOW(order(A, n));
  SHOW(capvec(A, n));
  SHOW(capst(A, n));
  SHOW(caparr(A, n));
  SHOW(capc(A, n));
  SHOW(capp(x, y, A, n));
  SHOW(asmp(A, B, n));
  SHOW(cond(A, B, n));
  SHOW(comma(A, B, n));
  SHOW(pre(A, B, n));
  SHOW(stat2(A, B, n));
  SHOW(stat2(B, A, n));
  SHOW(caught(A, B, n));
  SHOW(given(B, n));
  SHOW(heldp(B, n));
  SHOW(nested(A, n));
  SHOW(dyn(A, n));
  SHOW(functor(A, n));
  SHOW(guard(A, n));
  SHOW(guardb(A, n));
  SHOW(guardp(A, B, n));
  SHOW(guardr(A, n));
  SHOW(guardg(A, n));
  SHOW(baddr(A, n));
}
