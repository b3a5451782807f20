// What is kept for the reverse sweep: an element that a nest leaves alone once, before the nest, and never one that no iteration reads; what a factor is made of as one.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise grad %s --config=%t.cfg --verify --function=rows --function=triangle --function=one --function=maybe --function=band --function=chosen --function=backwards --function=heat --function=branched --function=powers --function=strided --function=ahead --function=aheadInSteps --function=behind -o %t.adj.cpp -- -O2 -std=c++17 -fopenmp 2> %t.err
// RUN: FileCheck --check-prefix=VERIFIED %s < %t.err
// RUN: FileCheck %s < %t.adj.cpp
// RUN: %clangxx -O1 -g -std=c++17 -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-pass-failed -DADJOINT='"%t.adj.h"' %s %t.adj.cpp -o %t.clang && env OMP_NUM_THREADS=3 %t.clang
// RUN: g++ -O2 -std=c++17 -fopenmp -Wall -Wextra -Werror -DADJOINT='"%t.adj.h"' %s %t.adj.cpp -o %t.gcc && env OMP_NUM_THREADS=2 %t.gcc
// RUN: %gxx -O1 -g -std=c++17 -fopenmp -fsanitize=thread -DADJOINT='"%t.adj.h"' -c %s -o %t.race1.o
// RUN: %gxx -O1 -g -std=c++17 -fopenmp -fsanitize=thread -c %t.adj.cpp -o %t.race2.o
// RUN: %clangxx -fopenmp -fsanitize=thread %t.race1.o %t.race2.o -o %t.race
// RUN: env OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES=%archer TSAN_OPTIONS=ignore_noninstrumented_modules=1 %t.race
#ifdef ADJOINT
#include ADJOINT
#endif
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

// VERIFIED-COUNT-14: verification passed

// A copy of a over s for each t, made where p runs too.
// CHECK-LABEL: void rows_adjoint(
// CHECK: for (int [[S:s[0-9]*]] = 0; [[S]] < n; ++[[S]])
// CHECK-NEXT: a_tape{{.*}} = a{{\[}}[[S]]];
double rows(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int t = 0; t < 3; ++t) {
    for (int p = 0; p < n; ++p)
      for (int s = 0; s < n; ++s)
        sum += a[s] * b[p] * (p + 1);
    for (int s = 0; s < m && s < n; ++s)
      a[s] = a[s] * a[s] * 0.5;
  }
  return sum;
}

// The longest of the rows has all.
// CHECK-LABEL: void triangle_adjoint(
// CHECK: = a[s{{[0-9]*}}];
double triangle(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int t = 0; t < 2; ++t) {
    for (int p = 0; p < n; ++p)
      for (int s = 0; s <= p; ++s)
        sum += a[s] * a[s] * b[p];
    for (int s = 0; s < n && s < m; ++s)
      a[s] *= 1 + a[s];
  }
  return sum;
}

// CHECK-LABEL: void one_adjoint(
// CHECK: a_tape[t] = m > 0 ? a[t] : 0;
double one(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int p = 0; p < m; ++p)
      sum += a[t] * a[t] * b[p];
    for (int p = 0; p < m; ++p)
      a[t] = a[t] * 0.5 + b[p];
  }
  return sum;
}

// There is an a only where there is a row.
// CHECK-LABEL: void maybe_adjoint(
// CHECK: if (m > 0)
// CHECK: a[s{{[0-9]*}}];
double maybe(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int t = 0; t < 2; ++t) {
    for (int p = 0; p < m; ++p)
      for (int s = 0; s < n; ++s)
        sum += a[s] * a[s] * b[p];
    for (int p = 0; p < m; ++p)
      for (int s = 0; s < n; ++s)
        a[s] += a[s] * b[p];
  }
  return sum;
}

// No iteration has all of these: they are kept where they are used.
double band(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int t = 0; t < 2; ++t) {
    for (int p = 0; p + 2 < n; ++p)
      for (int s = p; s < p + 3; ++s)
        sum += a[s] * a[s] * b[p];
    for (int s = 0; s < n && s < m; ++s)
      a[s] += a[s] * a[s];
  }
  return sum;
}

// Nor is there an element behind each p.
double chosen(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int t = 0; t < 2; ++t) {
    for (int p = 0; p < n + 2; ++p)
      if (p < n)
        for (int s = 0; s < p; ++s)
          sum += a[p] * a[p] * b[s];
    for (int s = 0; s < n && s < m; ++s)
      a[s] += a[s] * a[s];
  }
  return sum;
}

double backwards(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int t = 0; t < 2; ++t) {
    for (int p = m - 1; p >= 0; --p)
      for (int s = n - 1; s >= p; --s)
        sum += a[s] * a[s] * b[p];
    for (int s = 0; s < n && s < m; ++s)
      a[s] += a[s] * a[s];
  }
  return sum;
}

// Five values make one.
// CHECK-LABEL: void heat_adjoint(
// CHECK: factor_tape[{{.*}}] =
// CHECK-NOT: a_tape
// CHECK: {{^}}}
double heat(double *a, double *b, int n, int m) {
  double sum = 0;
  if (m > 0)
    for (int t = 0; t < 3; ++t) {
      for (int i = 1; i < n - 1; ++i)
        b[i] = a[i] + b[0] * (a[i - 1] + a[i + 1] - 2 * a[i]);
      for (int i = 1; i < n - 1; ++i)
        a[i] = b[i];
    }
  for (int i = 0; i < n; ++i)
    sum += a[i] * (i + 1);
  return sum;
}

// What a condition guards is not read ahead of it.
double branched(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int t = 0; t < 3; ++t)
    for (int i = 0; i < n; ++i) {
      sum += b[i] * (i + 1 < m && i + 1 < n ? a[i] * a[i + 1] : a[i] * a[i]);
      a[i] = a[i] * 0.5 + b[i];
    }
  return sum;
}

// Two values and four products: the two are kept.
// CHECK-LABEL: void powers_adjoint(
// CHECK-NOT: factor_tape
double powers(double *a, double *b, int n, int m) {
  double x = 0.5, y = 0.25;
  for (int i = 0; i < n; ++i) {
    const double p = a[i], q = b[i];
    const double nx = p * (x * y) + q * (x * x * y) + a[0] * (x * y * y);
    y = p * y + 0.1 * x + (m > 0 ? b[0] : 0.0);
    x = nx;
  }
  return x + y;
}

// Each p has elements of its own: none has those of all.
// CHECK-LABEL: void strided_adjoint(
// CHECK: for (int p = 0; p < 4; ++p)
// CHECK-NEXT: for (int s = p; s < n; s += 4)
// CHECK-NEXT: a_tape{{.*}} = a[s];
double strided(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int p = 0; p < 4; ++p)
    for (int s = p; s < n; s += 4)
      sum += a[s] * a[s] * (p + 1);
  for (int s = 0; s < n; ++s)
    a[s] = m > 1 ? b[s] : 0;
  return sum;
}

// An element is read before the iteration that changes it: it is kept as it was
// before the loops, once for all that read it.
// CHECK-LABEL: void ahead_adjoint(
// CHECK: for (int [[K:k[0-9]*]] = 1; [[K]] < n; ++[[K]])
// CHECK-NEXT: a_tape{{.*}} = a{{\[}}[[K]]];
double ahead(double *a, double *b, int n, int m) {
  double sum = m;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < n; ++k)
      a[i] += b[i] * a[k] * a[k];
    a[i] = 0.5 * a[i] * a[i];
    sum += a[i];
  }
  return sum;
}

// CHECK-LABEL: void aheadInSteps_adjoint(
// CHECK: for (int t = 0; t < m; ++t) {
// CHECK: for (int [[K:k[0-9]*]] = 1; [[K]] < n; ++[[K]])
// CHECK-NEXT: a_tape{{.*}} = a{{\[}}[[K]]];
double aheadInSteps(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int t = 0; t < m; ++t)
    for (int i = 0; i < n; ++i) {
      for (int k = i + 1; k < n; ++k)
        a[i] += 0.1 * b[i] * a[k] * a[k];
      a[i] = 0.1 * a[i] * a[i];
      sum += a[i];
    }
  return sum;
}

// The one in the middle is changed before it is read again.
double behind(double *a, double *b, int n, int m) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = i; k < n; ++k)
      a[k] = 0.5 * (a[k] * a[k] + b[i] * a[n - 1 - k] * a[n - 1 - k]);
    sum += a[i] * (m + 1);
  }
  return sum;
}

#ifdef ADJOINT
using Function = double(double *, double *, int, int);
using Adjoint = void(double *, double *, int, int, double *, double *, double);

static bool wrong(const char *Name, Function *F, Adjoint *G, int n, int m) {
  std::vector<double> a(n), b(std::max(n, m));
  for (int i = 0; i < n; ++i)
    a[i] = 0.2 + 0.07 * i;
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = 0.3 - 0.05 * double(i);
  std::vector<double> x = a, y = b, xa(a.size(), 0.0), ya(b.size(), 0.0);
  G(x.data(), y.data(), n, m, xa.data(), ya.data(), 1);
  bool Bad = false;
  const auto Slope = [&](std::vector<double> &Of, size_t K) {
    const double Was = Of[K], H = 1e-5;
    double Two[2];
    for (int Side : {0, 1}) {
      Of[K] = Side ? Was + H : Was - H;
      std::vector<double> p = a, q = b;
      Two[Side] = F(p.data(), q.data(), n, m);
    }
    Of[K] = Was;
    return (Two[1] - Two[0]) / (2 * H);
  };
  const auto Compare = [&](std::vector<double> &Of,
                           const std::vector<double> &Found) {
    for (size_t K = 0; K < Of.size(); ++K) {
      const double Expected = Slope(Of, K);
      if (!(std::fabs(Found[K] - Expected) <=
            1e-5 * (1 + std::fabs(Expected)))) {
        std::printf("%s(%d, %d): %.12g, not %.12g\n", Name, n, m, Found[K],
                    Expected);
        Bad = true;
      }
    }
  };
  Compare(a, xa);
  Compare(b, ya);
  return Bad;
}

int main() {
  bool Bad = false;
#define TEST(F) Bad |= wrong(#F, F, F##_adjoint, n, m)
  for (int n : {0, 1, 2, 3, 5, 9})
    for (int m : {0, 1, 2, 5}) {
      TEST(rows);
      TEST(triangle);
      TEST(one);
      TEST(maybe);
      TEST(band);
      TEST(chosen);
      if (m <= n)
        TEST(backwards);
      if (n)
        TEST(heat);
      TEST(branched);
      TEST(powers);
      TEST(strided);
      TEST(ahead);
      TEST(aheadInSteps);
      TEST(behind);
    }
  // Nothing is read that the function does not read.
  double b[5] = {}, ba[5] = {};
  maybe_adjoint(nullptr, b, 5, 0, nullptr, ba, 1);
  one_adjoint(nullptr, b, 5, 0, nullptr, ba, 1);
  return Bad;
}
#endif
