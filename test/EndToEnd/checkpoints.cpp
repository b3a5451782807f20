// A loop over time steps is reversed from snapshots: the result is that of the
// adjoint without them, bit for bit, whatever overlaps and however many steps
// there are, and the primal's results are left as they were.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --config=%S/Inputs/checkpoints.yaml --function=heat --function=grid --function=redblack --function=branch %s -o %t/segments.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/none.yaml --function=heat --function=grid --function=redblack --function=branch %s -o %t/whole.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/checkpoints.yaml --function=wave --of=hist,f,return %s -o %t/wave_segments.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/none.yaml --function=wave --of=hist,f,return %s -o %t/wave_whole.cpp -- -std=c++17
// RUN: %clangxx -std=c++17 -g -O1 -ffp-contract=off -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined -DCHECK -I%t %s -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -DCHECK -I%t %s -o %t/gcc && %t/gcc
// RUN: FileCheck %s < %t/segments.cpp
// RUN: %clang_raise grad --config=%S/Inputs/checkpoints.yaml --verify --split --function=grid %s -o %t/split.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/checkpoints.yaml --alias=assume --function=redblack %s -o %t/parallel.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s --check-prefix=OMP < %t/parallel.cpp
//
// CHECK: // The loop over t is reversed by segments of 4 steps, each step computed twice.
// CHECK-NEXT: // Kept for each segment, in bytes: 8 (dt) + 8 * (n > 2 ? n - 2 : 0) (u).
// CHECK: void heat_adjoint(
// CHECK: if (t % 4 == 0) {
// CHECK-NEXT: dt_kept[t / 4] = dt;
// CHECK: for (long long t_part = t_parts - 1; t_part >= 0; --t_part) {
// CHECK-NEXT: dt = dt_kept[t_part];
// CHECK-NEXT: for (long long j = 0; j < u_size; ++j)
// CHECK-NEXT: u[1 + j] = u_kept[t_part * u_size + j];
//
// Loops inside of the steps run in parallel as they did.
// OMP: for (long long t_part =
// OMP: #pragma omp parallel for
//
// RUN: not %clang_raise grad --config=%S/Inputs/checkpoints.yaml --function=early %s -o %t/x.cpp -- 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not %clang_raise grad --config=%S/Inputs/checkpoints.yaml --function=again %s -o %t/x.cpp -- 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not %clang_raise grad --config=%S/Inputs/checkpoints.yaml --function=gathered %s -o %t/x.cpp -- 2>&1 | FileCheck %s --check-prefix=GATHERED
// RUN: not %clang_raise grad --config=%S/Inputs/checkpoints.yaml --function=unnamed %s -o %t/x.cpp -- 2>&1 | FileCheck %s --check-prefix=UNNAMED
// RUN: not %clang_raise grad --config=%S/Inputs/checkpoints.yaml --function=inner %s -o %t/x.cpp -- 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: not ls %t/x.cpp
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
/// Rows of an array, downwards, after an early return.
double grid(double a[][8], int n, int steps) {
  if (n < 3)
    return 1;
  double s = 0;
  int calm = 0;
  for (int t = steps; t > 0; --t) {
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < 7; ++j)
        a[i][j] += 0.1 * a[i - 1][j] * a[i][j - 1] - 0.05 * a[i + 1][j + 1];
    if (a[1][1] > 0.3)
      ++calm;
    s += calm * a[2][2];
  }
  return s;
}
/// Every other element, in arrays of the function's own; unsigned steps.
double redblack(const float *x, double *y, int m, int n, unsigned steps) {
  double v[40];
  for (int i = 0; i < 40; ++i)
    v[i] = i < m * n ? x[i] : 0;
  bool odd = false;
  for (unsigned t = 0; t < steps; ++t) {
    double part[40];
    for (int i = 1; i < n; i += 2)
      v[i] = 0.5 * v[i] * v[i - 1] + 0.1;
    for (int i = 0; i < 40; ++i)
      part[i] = v[i] * v[i];
    for (int r = 0; r < m; ++r)
      for (int c = 0; c < n - 1; ++c)
        y[r * n + c] += odd ? part[c] : v[r] * y[r * n + c];
    odd = !odd;
  }
  return v[1] * v[1];
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

/// Variables that change before, in and after the loop, all in a branch.
double branch(double *x, int n, int steps) {
  if (n < 2)
    return 0;
  double last, m = x[1] * 2;
  int n2 = n - 1;
  for (int t = 0; t < steps; ++t) {
    last = x[0] * m;
    for (int i = 0; i < n2; ++i)
      x[i] = x[i] * x[i + 1] * m + last;
  }
  n2 = 7;
  m = 0;
  return x[0] + m;
}

void early(double *u, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    if (u[0] > 1)
      // EARLY: checkpoints.cpp:[[#@LINE+1]]:7: error: checkpoint ({{.*}}checkpoints.yaml:8): the loop over 't' may be left here, so that its number of steps is not known before it; take the test out of the loop, or compute the number of steps before [CR1812]
      break;
    for (int i = 0; i < n; ++i)
      u[i] *= u[i];
  }
}
void again(double *u, int n, double end) {
  double t = 0;
  // AGAIN: checkpoints.cpp:[[#@LINE+1]]:3: error: {{.*}}: the loop that tests 't' does not count steps whose number is known before it; write it as 'for' over an integer [CR1812]
  while (t < end) {
    for (int i = 0; i < n; ++i)
      u[i] *= u[i];
    t += 0.1;
  }
}
void gathered(double *u, const int *at, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int i = 0; i < n; ++i)
      // GATHERED: checkpoints.cpp:[[#@LINE+1]]:7: error: checkpoint: which elements of 'u' the loop changes is not known before it, so that they cannot be saved; declare 'u' as an array of constant size, or copy it to a local array of known size before the loop [CR1812]
      u[at[i]] *= u[at[i]];
}
// UNNAMED: checkpoints.cpp:[[#@LINE+1]]:6: error: {{.*}}: 'unnamed' has no loop over 'stop'; did you mean 'step'? [CR1812]
void unnamed(double *u, int n, int steps) {
  for (int step = 0; step < steps; ++step)
    for (int i = 0; i < n; ++i)
      u[i] *= u[i];
}
void inner(double *u, int n, int steps) {
  for (int k = 0; k < 3; ++k)
    // INNER: checkpoints.cpp:[[#@LINE+1]]:5: error: {{.*}}: the loop over 't' lies in another loop; name the outermost one [CR1812]
    for (int t = 0; t < steps; ++t)
      for (int i = 0; i < n; ++i)
        u[i] *= u[i];
}

#else
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
namespace segments {
#include "segments.cpp"
#include "wave_segments.cpp"
} // namespace segments
namespace whole {
#include "wave_whole.cpp"
#include "whole.cpp"
} // namespace whole
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
int main() {
  for (int n = 0; n < 8; ++n)
    for (int s = -1; s < 12; ++s) {
      for (int over = 0; over < 3; ++over) {
        if (n < 2)
          continue;
        auto m = rv(2 * n + 2), ma = rv(2 * n + 2);
        auto m2 = m, ma2 = ma;
        double c1 = 0, c2 = 0;
        int o = over ? over : n;
        segments::heat_adjoint(&m[0], &m[o], n, s, 0.7, &ma[0], &ma[o], &c1);
        whole::heat_adjoint(&m2[0], &m2[o], n, s, 0.7, &ma2[0], &ma2[o], &c2);
        same(m, m2, "heat", n, s);
        same(ma, ma2, "heat adj", n, s);
        same({c1}, {c2}, "c", n, s);
      }
      {
        auto u = rv(n), f = rv(n), h = rv(n * 14 + 1), ua = rv(n), fa = rv(n),
             ha = rv(n * 14 + 1);
        auto u2 = u, f2 = f, h2 = h, ua2 = ua, fa2 = fa, ha2 = ha;
        segments::wave_adjoint(u, f.data(), h.data(), n, 3, 2 + 2 * s, ua,
                               fa.data(), ha.data(), 0.5);
        whole::wave_adjoint(u2, f2.data(), h2.data(), n, 3, 2 + 2 * s, ua2,
                            fa2.data(), ha2.data(), 0.5);
        same(u, u2, "u", n, s);
        same(f, f2, "f", n, s);
        same(h, h2, "h", n, s);
        same(ua, ua2, "ua", n, s);
        same(fa, fa2, "fa", n, s);
        same(ha, ha2, "ha", n, s);
      }
      {
        auto a = rv(8 * n + 8), aa = rv(8 * n + 8);
        auto a2 = a, aa2 = aa;
        segments::grid_adjoint((double(*)[8])a.data(), n, s,
                               (double(*)[8])aa.data(), 0.5);
        whole::grid_adjoint((double(*)[8])a2.data(), n, s,
                            (double(*)[8])aa2.data(), 0.5);
        same(a, a2, "a", n, s);
        same(aa, aa2, "aa", n, s);
      }
      {
        auto a = rv(n + 1), aa = rv(n + 1);
        auto a2 = a, aa2 = aa;
        segments::branch_adjoint(a.data(), n, s, aa.data(), 0.5);
        whole::branch_adjoint(a2.data(), n, s, aa2.data(), 0.5);
        same(a, a2, "branch", n, s);
        same(aa, aa2, "branch adj", n, s);
        {
          std::vector<float> x(3 * n + 1), xa(3 * n + 1);
          for (auto &e : x)
            e = r();
          auto xb = xa;
          auto y = rv(3 * n + 1), ya = rv(3 * n + 1), y2 = y, ya2 = ya;
          segments::redblack_adjoint(x.data(), y.data(), 3, n, s < 0 ? 0 : s,
                                     xa.data(), ya.data(), 0.5);
          whole::redblack_adjoint(x.data(), y2.data(), 3, n, s < 0 ? 0 : s,
                                  xb.data(), ya2.data(), 0.5);
          same(y, y2, "y", n, s);
          same(ya, ya2, "ya", n, s);
          if (memcmp(xa.data(), xb.data(), xa.size() * 4))
            puts("xa"), bad = 1;
        }
      }
    }
  return bad;
}
#endif
