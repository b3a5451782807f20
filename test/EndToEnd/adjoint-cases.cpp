// Each of these is differentiated rightly (compared with differences, compiled
// and run), with and without OpenMP, or refused with its reason.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --verify --require-verified --function=greatest --function=product --function=rows --function=attention --function=atomic --function=critical --function=histogram --function=section --function=leaves --function=pivots --function=partial --function=after --function=optional --function=guarded --function=nested --function=twice --function=again --function=copies %s -o %t/serial.cpp -- -std=c++17
// RUN: %clang_raise grad --verify --require-verified --function=greatest --function=product --function=rows --function=attention --function=atomic --function=critical --function=histogram --function=section --function=leaves --function=pivots --function=partial --function=after --function=optional --function=guarded --function=nested --function=twice --function=again --function=copies %s -o %t/parallel.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s --check-prefix=TEXT < %t/parallel.cpp
// RUN: %clang_raise grad --verify --require-verified --function=update --wrt=A,x --of=y %s -o %t/update.cpp -- -std=c++17 -fopenmp
// RUN: %clang_raise grad --verify --require-verified --function=update --wrt=A,x,y --of=y %s -o %t/update2.cpp -- -std=c++17 -fopenmp
// RUN: not %clang_raise grad --function=entered %s -o %t/none.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=ENTERED
// RUN: not %clang_raise grad --function=fills %s -o %t/none.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=FILLS
// RUN: not ls %t/none.cpp
#include <cmath>
#include <cstring>

double greatest(const double *x, int n) {
  double m = -1e300;
#pragma omp parallel for reduction(max : m)
  for (int i = 0; i < n; ++i)
    m = x[i] > m ? x[i] : m;
  return m * m;
}

double product(const double *x, int n) {
  double p = 1;
#pragma omp parallel for reduction(* : p) schedule(static, 2)
  for (int i = 0; i < n; ++i)
    p *= x[i];
  return p;
}

void rows(double *y, const double *A, const double *x, int n, int M) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < M; ++j)
      y[i] += A[i * M + j] * x[j];
}

void update(double *y, const double *A, const double *x, int n, int M) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < M; ++j)
      y[i] += A[i * M + j] * x[j];
}

/// Scores of attention, as llm.c's loops have them.
void attention(double *att, const double *in, int B, int T, int H, int S) {
#pragma omp parallel for collapse(3)
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++)
      for (int h = 0; h < H; h++) {
        const double *q = in + ((b * T + t) * H + h) * S;
        double *row = att + ((b * H + h) * T + t) * T;
        double greatest = -10000.0;
        for (int t2 = 0; t2 <= t; t2++) {
          const double *k = in + ((b * T + t2) * H + h) * S;
          double v = 0.0;
          for (int i = 0; i < S; i++)
            v += q[i] * k[i];
          if (v > greatest)
            greatest = v;
          row[t2] = v;
        }
        double sum = 0.0;
        for (int t2 = 0; t2 <= t; t2++) {
          double e = std::exp(row[t2] - greatest);
          sum += e;
          row[t2] = e;
        }
        double scale = sum == 0.0 ? 0.0 : 1.0 / sum;
        for (int t2 = 0; t2 < T; t2++)
          row[t2] = t2 <= t ? row[t2] * scale : 0.0;
      }
}

// A variable of the function's own needs no atomic update in its adjoint.
// TEXT-LABEL: {{^}}void atomic_adjoint(
// TEXT-NOT: omp atomic
// TEXT: x_adj[i] += 2 * x[i] * atomic_adj;
// TEXT: {{^}}}
double atomic(const double *x, int n) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    s += x[i] * x[i];
  }
  return s;
}

double critical(const double *x, int n) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    {
      const double t = x[i] * x[i];
      s += t;
    }
  }
  return s;
}

void histogram(double *h, const double *x, const int *at, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    h[at[i]] += x[i] * x[i];
  }
}

double section(const double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : s) schedule(dynamic)
    for (int i = 0; i < n; ++i)
      s += std::sin(x[i]);
  }
  return s;
}

double leaves(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0)
      goto out;
    s += x[i] * x[i];
  }
out:
  return s;
}

/// A determinant, with rows swapped.
double pivots(double *a, int n) {
  double det = 1;
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::fabs(a[i * n + k]) > std::fabs(a[p * n + k]))
        p = i;
    if (p != k) {
      for (int j = 0; j < n; ++j) {
        double t = a[k * n + j];
        a[k * n + j] = a[p * n + j];
        a[p * n + j] = t;
      }
      det = -det;
    }
    det *= a[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      double f = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; ++j)
        a[i * n + j] -= f * a[k * n + j];
    }
  }
  return det;
}

void partial(double *y, const double *x, int n) {
  for (int i = 0; i < n; i += 2)
    y[i] = x[i] * x[i];
  for (int i = 2; i < n; i += 3)
    y[i] += 2 * x[i];
}

double after(double *y, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += y[i] * y[i];
    y[i] = x[i] * s;
    s += y[i];
  }
  return s;
}

// What may be null is not read ahead of the test for it.
// TEXT: b_tape[i] = b != nullptr ? b[i] : 0;
void optional(double *y, const double *x, const double *b, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * (b ? b[i] * b[i] : 1) + (b ? b[i] : 0);
}

void nested(double *c, double *x, const double *b, int n) {
  for (int i = 0; i < n; ++i) {
    c[i] = b ? (b[i] > 0 ? x[i] * x[i] : std::fmax(x[i], b[i])) : x[i];
    x[i] = c[i];
  }
}

double guarded(double *x, const double *y, int n, int w) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += i >= w && w >= 0 && y[i - w] > 0 ? x[i - w] * x[i - w] : x[i];
    x[i] = s * s;
  }
  return s;
}

double twice(double *x, int n) {
  double *p = x;
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < n; ++i)
      p[i] = std::tanh(p[i]) + x[0];
  }
  return n > 0 ? x[n - 1] : 0;
}

double again(const double *x, int n) {
  double s = 0;
  int i = 0;
next:
  if (i < n) {
    s += s * x[i] + x[i] * x[i];
    ++i;
    goto next;
  }
  return s;
}

// Into a loop from outside.
double entered(const double *x, int n) {
  double s = 0;
  int i = 0;
  if (n > 4)
    goto middle;
// ENTERED: adjoint-cases.cpp:[[#@LINE+1]]:1: error: not differentiated: label 'next' can be jumped to [CR1801]
next:
  s += x[i] * x[i];
middle:
  if (++i < n)
    goto next;
  return s;
}

double copies(const double *x, double *y, int n) {
  std::memcpy(y, x, n * sizeof(double));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}

static double Table[8];
double fills(const double *x, int n) {
  for (int i = 0; i < 8 && i < n; ++i)
    // FILLS: adjoint-cases.cpp:[[#@LINE+1]]:{{.*}} error: 'Table' carries derivatives and is no parameter, so the caller could not give or take them [CR1805]
    Table[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < 8 && i < n; ++i)
    s += Table[i];
  return s;
}
