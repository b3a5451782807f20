// A loop over time steps is reversed from a fixed number of states: the result
// is that of the adjoint without them, bit for bit, whatever overlaps and
// however many steps there are, and no more steps are computed than need be.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --config=%S/Inputs/binomial.yaml --function=heat --function=redblack --function=down %s -o %t/states.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/binomial.yaml --function=wave --of=hist,f,return %s -o %t/wave_states.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/none.yaml --function=heat --function=redblack --function=down %s -o %t/whole.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/none.yaml --function=wave --of=hist,f,return %s -o %t/wave_whole.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/binomial.yaml --function=counted1 --function=counted3 --function=counted10 %s -o %t/counted.cpp -- -std=c++17
// RUN: %clangxx -std=c++17 -g -O1 -ffp-contract=off -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined -DCHECK -I%t %s -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -DCHECK -I%t %s -o %t/gcc && %t/gcc
// RUN: FileCheck %s < %t/states.cpp
// RUN: %clang_raise grad --config=%S/Inputs/binomial.yaml --verify --require-verified --function=redblack --function=down %s -o %t/verified.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/none.yaml --verify --require-verified --function=down %s -o %t/verified.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/binomial.yaml --alias=assume --function=heat %s -o %t/parallel.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s --check-prefix=OMP < %t/parallel.cpp
// RUN: not %clang_raise grad --config=%S/Inputs/binomial.yaml --split --function=heat %s -- 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: not %clang_raise grad --config=%S/Inputs/binomial.yaml --function=branch %s -- 2>&1 | FileCheck %s --check-prefix=BRANCH
//
// CHECK: // How far to go from a state that is kept to the next
// CHECK: static long long steps_to_snapshot(long long steps, long long room) {
// CHECK: // The loop over t is reversed from at most 3 states that are kept. Each step is
// CHECK-NEXT: // computed at most 2 times for up to 3 steps, 3 for up to 9, 4 for up to 19, 5
// CHECK-NEXT: // for up to 34.
// CHECK-NEXT: // Kept for each state, in bytes: 8 (t) + 8 (dt) + 8 * (n > 2 ? n - 2 : 0) (u).
// CHECK: void heat_adjoint(
// CHECK: if (t == t_next) {
// CHECK-NEXT: dt_kept[t_top] = dt;
// CHECK: t_kept[t_top] = t_next;
// CHECK-NEXT: ++t_top;
// CHECK-NEXT: t_next += steps_to_snapshot(t_steps + 1 - t_next, t_room - t_top + 1);
// CHECK: for (long long t_left = t_steps; t_left > 0; --t_left) {
// CHECK: dt = dt_kept[t_top - 1];
// CHECK: if (t_kept[t_top - 1] == t_left - 1)
// CHECK-NEXT: --t_top;
//
// Loops inside of the steps run in parallel as they did.
// OMP: for (long long t_left =
// OMP: #pragma omp parallel for
// SPLIT: binomial.cpp:[[#]]:[[#]]: error: --split: a tape may be used several times, and with 'scheme: binomial' the reverse sweep overwrites what is kept; use 'scheme: periodic' [CR1807]
#ifndef CHECK
#include <cmath>
#include <vector>

/// Arrays that may overlap, and a step that changes.
void heat(double *u, double *tmp, int n, int steps, double c) {
  double dt = 0.1;
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      tmp[i] = u[i] + dt * c * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
    for (int i = 1; i < n - 1; ++i)
      u[i] = tmp[i];
    dt = dt * (1 + 0.01 * std::sin(c * u[1]));
  }
}

/// Every other element, in arrays of the function's own; unsigned steps.
double redblack(const double *x, double *y, int n, unsigned steps) {
  double v[40];
  for (int i = 0; i < 40; ++i)
    v[i] = i < n ? x[i] : 0;
  bool odd = false;
  for (unsigned t = 0; t < steps; ++t) {
    double part[40];
    for (int i = 1; i < 40; i += 2)
      v[i] = 0.5 * v[i] * v[i - 1] + 0.1;
    for (int i = 0; i < 40; ++i)
      part[i] = v[i] * v[i];
    for (int i = 0; i < n; ++i)
      y[i] += odd ? part[i] : v[i] * y[i];
    const double n = v[3] * 0.5; // hides the other one
    v[5] += n * v[2];
    odd = !odd;
  }
  return v[1] * v[1];
}

/// Downwards, by two, with what the caller's n becomes later.
double down(double a[8], int steps) {
  double s = 0;
  int calm = 0;
  for (int t = steps; t > 1; t -= 2) {
    for (int i = 1; i < 7; ++i)
      a[i] += 0.1 * a[i - 1] * a[i + 1] - 0.05 * t;
    if (a[1] > 0.3)
      ++calm;
    s += calm * a[2];
  }
  steps = 3;
  return s * steps;
}

/// A vector, a history, a source that is overwritten later, steps that start
/// late.
double wave(std::vector<double> &u, double *f, double *hist, int n, int t0,
            int t1) {
  std::vector<double> old(n);
  for (int i = 0; i < n; ++i)
    old[i] = u[i] * u[i];
  double sum = 0;
  for (int t = t0; t <= t1; t += 2) {
    for (int i = 0; i < n; ++i) {
      const double next = std::sin(2 * u[i] - old[i]) + f[i] * u[(i + 1) % n];
      old[i] = u[i];
      u[i] = next;
      hist[(t - t0) / 2 * n + i] = std::exp(next);
      sum += next * f[i];
    }
  }
  for (int i = 0; i < n; ++i)
    f[i] = f[i] * f[i] + u[i];
  return sum;
}

/// How often a step is computed.
double tick(double x);
void tick_adjoint(double x, double *x_adj, double tick_adj);
double counted1(double x, int steps) {
  for (int t = 0; t < steps; ++t)
    x = tick(x) - 0.5 * x;
  return x;
}
double counted3(double x, int steps) {
  for (int t = 0; t < steps; ++t)
    x = tick(x) - 0.5 * x;
  return x;
}
double counted10(double x, int steps) {
  for (int t = 0; t < steps; ++t)
    x = tick(x) - 0.5 * x;
  return x;
}

double branch(double *x, int n, int steps) {
  if (n < 2)
    return 0;
  // BRANCH: binomial.cpp:[[#@LINE+1]]:3: error: checkpoint: the loop over 't' runs under a condition (or after a return that stands before it), and 'scheme: binomial' is for loops that always run; move the loop to a function of its own, or use 'scheme: periodic' [CR1812]
  for (int t = 0; t < steps; ++t)
    for (int i = 0; i < n; ++i)
      x[i] = x[i] * x[i];
  return x[0];
}

#else
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
static long Ticks = 0;
double tick(double x) {
  ++Ticks;
  return 1 + 0.001 * x;
}
void tick_adjoint(double, double *x_adj, double tick_adj) {
  *x_adj += 0.001 * tick_adj;
}
namespace states {
#include "states.cpp"
#define steps_to_snapshot wave_steps_to_snapshot
#include "wave_states.cpp"
#undef steps_to_snapshot
} // namespace states
namespace whole {
#include "whole.cpp"
#include "wave_whole.cpp"
} // namespace whole
#include "counted.cpp"

static double r() { return (rand() % 2001 - 1000) / 1000.0; }
static std::vector<double> rv(int n) {
  std::vector<double> v(n);
  for (auto &x : v)
    x = r();
  return v;
}
static int bad = 0;
static void same(const std::vector<double> &a, const std::vector<double> &b,
                 const char *w, int n, int s) {
  if (a.size() && memcmp(a.data(), b.data(), a.size() * 8)) {
    printf("differs %s n=%d steps=%d\n", w, n, s);
    bad = 1;
  }
}

/// C(n, k)
static long choose(long n, long k) {
  long c = 1;
  for (long i = 1; i <= k; ++i)
    c = c * (n - k + i) / i;
  return k < 0 ? 0 : c;
}

/// The published least number of steps that are computed to reverse l steps
/// with s states, but for those whose own values are kept.
static long least(long l, long s) {
  long rep = 0;
  while (choose(s + rep, s) < l)
    ++rep;
  return rep * l - choose(s + rep, rep - 1);
}

template <class F> void counts(F Adjoint, long s) {
  for (int n : {0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 19, 34, 65, 66, 67, 100, 286, 400}) {
    Ticks = 0;
    double x_adj = 0;
    Adjoint(0.5, n, &x_adj, 1);
    // What follows the loop is one more step; each step is reversed once.
    const long want = n ? least(n + 1, s < n ? s : n) + n : 0;
    if (Ticks != want) {
      printf("%ld states, %d steps: computed %ld, expected %ld\n", s, n, Ticks, want);
      bad = 1;
    }
  }
}

int main() {
  for (int n = 0; n < 8; ++n)
    for (int s = -1; s < 12; ++s) {
      for (int over = 0; over < 3 && n > 1; ++over) {
        auto m = rv(2 * n + 2), ma = rv(2 * n + 2);
        auto m2 = m, ma2 = ma;
        double c1 = 0, c2 = 0;
        int o = over ? over : n;
        states::heat_adjoint(&m[0], &m[o], n, s, 0.7, &ma[0], &ma[o], &c1);
        whole::heat_adjoint(&m2[0], &m2[o], n, s, 0.7, &ma2[0], &ma2[o], &c2);
        same(m, m2, "heat", n, s);
        same(ma, ma2, "heat adj", n, s);
        same({c1}, {c2}, "c", n, s);
      }
      {
        auto u = rv(n), f = rv(n), h = rv(n * 14 + 1), ua = rv(n), fa = rv(n), ha = rv(n * 14 + 1);
        auto u2 = u, f2 = f, h2 = h, ua2 = ua, fa2 = fa, ha2 = ha;
        states::wave_adjoint(u, f.data(), h.data(), n, 3, 2 + 2 * s, ua, fa.data(), ha.data(), 0.5);
        whole::wave_adjoint(u2, f2.data(), h2.data(), n, 3, 2 + 2 * s, ua2, fa2.data(), ha2.data(), 0.5);
        same(u, u2, "u", n, s);
        same(f, f2, "f", n, s);
        same(h, h2, "h", n, s);
        same(ua, ua2, "ua", n, s);
        same(fa, fa2, "fa", n, s);
        same(ha, ha2, "ha", n, s);
      }
      {
        auto x = rv(8), xa = rv(8), y = rv(8), ya = rv(8);
        auto xa2 = xa, y2 = y, ya2 = ya;
        states::redblack_adjoint(x.data(), y.data(), n, s < 0 ? 0 : s, xa.data(), ya.data(), 0.5);
        whole::redblack_adjoint(x.data(), y2.data(), n, s < 0 ? 0 : s, xa2.data(), ya2.data(), 0.5);
        same(xa, xa2, "redblack x", n, s);
        same(y, y2, "y", n, s);
        same(ya, ya2, "ya", n, s);
      }
      {
        auto a = rv(8), aa = rv(8);
        auto a2 = a, aa2 = aa;
        states::down_adjoint(a.data(), 2 * s + n % 2, aa.data(), 0.5);
        whole::down_adjoint(a2.data(), 2 * s + n % 2, aa2.data(), 0.5);
        same(a, a2, "down", n, s);
        same(aa, aa2, "down adj", n, s);
      }
    }
  counts(counted1_adjoint, 1);
  counts(counted3_adjoint, 3);
  counts(counted10_adjoint, 10);
  return bad;
}
#endif
