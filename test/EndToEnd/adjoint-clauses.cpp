// A function for each clause of OpenMP's loops. Each adjoint runs in parallel at
// any size (`parallel-work: 1`) and is compared, at 1 to 8 threads, with
// differences of what the compiler makes of the original. Where the original
// hangs on how its threads share the iterations, it is refused.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --config=%S/Inputs/eager.yaml --function=collapsed --function=difference --function=product --function=least --function=most --function=every --function=any --function=ownScalar --function=firstScalar --function=lastScalar --function=dynamicRows --function=guidedRows --function=atRunTime --function=wide --function=atomicBins --function=criticalSum --function=region --function=neighbours --function=tiles --function=workspace %s -o %t/made.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s < %t/made.cpp
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DCHECK -I%t %s %t/made.cpp -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DCHECK -I%t %s %t/made.cpp -o %t/gcc && %t/gcc
// g++ instruments and clang links, as in conformance/matrix.py.
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -DCHECK -I%t -c %s -o %t/race1.o
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -c %t/made.cpp -o %t/race2.o
// RUN: %clangxx -fopenmp -fsanitize=thread %t/race1.o %t/race2.o -o %t/race
// RUN: env OMP_TOOL_LIBRARIES=%archer TSAN_OPTIONS=ignore_noninstrumented_modules=1 %t/race
// RUN: not %clang_raise grad --function=atomicEach %s -o %t/none.cpp -- -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: not %clang_raise grad --function=passedOn %s -o %t/none.cpp -- -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=PASSED
// RUN: not %clang_raise grad --function=grows %s -o %t/none.cpp -- -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=GROWS
// RUN: not ls %t/none.cpp
#include <cmath>
#include <vector>

// CHECK-LABEL: {{^}}void collapsed_adjoint(
// CHECK: #pragma omp parallel for
double collapsed(const double *x, int n) {
  double s = 0;
#pragma omp parallel for collapse(2) reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += x[i] * std::sin(x[j]);
  return s;
}

double difference(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(- : s)
  for (int i = 0; i < n; i++)
    s -= x[i] * x[i] * x[i];
  return s;
}

double product(const double *x, int n) {
  double p = 1;
#pragma omp parallel for reduction(* : p)
  for (int i = 0; i < n; i++)
    p *= 1 + 0.1 * x[i];
  return p;
}

double least(const double *x, int n) {
  double m = 100;
#pragma omp parallel for reduction(min : m)
  for (int i = 0; i < n; i++)
    m = std::fmin(m, x[i] * x[i] + x[i]);
  return m * m;
}

double most(const double *x, int n) {
  double m = -100;
#pragma omp parallel for reduction(max : m)
  for (int i = 0; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m * m;
}

double every(const double *x, int n) {
  bool all = true;
#pragma omp parallel for reduction(&& : all)
  for (int i = 0; i < n; i++)
    all = all && x[i] > -5;
  return all ? x[0] * x[1] : x[2];
}

double any(const double *x, int n) {
  bool some = false;
#pragma omp parallel for reduction(|| : some)
  for (int i = 0; i < n; i++)
    some = some || x[i] > 5;
  return some ? x[0] * x[1] : x[2] * x[3];
}

double ownScalar(const double *x, int n) {
  double s = 0, t = 7;
#pragma omp parallel for private(t) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    t = x[i] * x[i];
    s += t * std::cos(t);
  }
  return s + t;
}

double firstScalar(const double *x, int n) {
  double s = 0;
  const double t = x[0] * x[1];
#pragma omp parallel for firstprivate(t) reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += t * x[i];
  return s;
}

double lastScalar(const double *x, int n) {
  double s = 0, t = 0;
#pragma omp parallel for lastprivate(t) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    t = x[i] * x[i];
    s += t;
  }
  return s * t;
}

double dynamicRows(const double *x, int n) {
  double s = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      s += x[i] * x[j] * x[j];
  return s;
}

double guidedRows(const double *x, int n) {
  double s = 0;
#pragma omp parallel for schedule(guided) reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += std::exp(x[i]);
  return s;
}

double atRunTime(const double *x, int n) {
  double s = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += std::exp(-x[i]);
  return s;
}

double wide(const double *x, int n) {
  double s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += x[i] * x[n - 1 - i];
  return s;
}

double atomicBins(const double *x, int n) {
  double bins[4] = {0, 0, 0, 0};
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    bins[i % 4] += x[i] * x[i];
  }
  return bins[0] * bins[1] + bins[2] * bins[3];
}

double criticalSum(const double *x, int n) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    s += x[i] * x[i];
  }
  return s * s;
}

double region(const double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
    double t;
#pragma omp for reduction(+ : s) schedule(static, 1)
    for (int i = 0; i < n; i++) {
      t = x[i] > 0 ? x[i] : -2 * x[i];
      s += t * t;
    }
  }
  return s;
}

// Each x[i] but those at the ends is read by two iterations.
double neighbours(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 1; i < n; i++)
    s += x[i] * x[i - 1];
  return s;
}

// Sums of columns and of rows at once.
double tiles(const double *x, int n) {
  std::vector<double> y(n);
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += x[(i + j) % n] * x[j];
  double s = 0;
  for (int i = 0; i < n; i++)
    s += y[i] * y[i];
  return s;
}

// In place, several times: what is overwritten is kept.
double workspace(const double *x, int n) {
  std::vector<double> y(x, x + n);
  for (int t = 0; t < 3; t++) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      y[i] = std::sin(y[i]) * x[i];
  }
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += y[i];
  return s;
}

// EACH: adjoint-clauses.cpp:[[#@LINE+5]]:{{[0-9]+}}: error: not differentiated: it runs once on each thread of 'omp parallel' [CR1801]
double atomicEach(const double *x, int n) {
  double s = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp atomic
    s += x[0] * x[0];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++)
      s += x[i];
  }
  return s;
}

// PASSED: adjoint-clauses.cpp:[[#@LINE+6]]:{{[0-9]+}}: error: not differentiated: each thread has a 't' of its own, which its iterations pass on [CR1801]
double passedOn(const double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
    double t = 0;
#pragma omp for reduction(+ : s) schedule(static, 1)
    for (int i = 0; i < n; i++) {
      t = 0.5 * t + x[i];
      s += t * t;
    }
  }
  return s;
}

// GROWS: adjoint-clauses.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: not differentiated: 's' is used in another way than its reduction says [CR1801]
double grows(const double *x, int n) {
  double s = 1;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += s * x[i];
  return s;
}

#ifdef CHECK
#include "made.h"
#include <cstdio>
#include <omp.h>

int Failed;

using Original = double (*)(const double *, int);
using Adjoint = void (*)(const double *, int, double *, double);

void check(const char *Name, Original F, Adjoint G) {
  const int N = 37;
  const double Seed = 0.75, Step = 1e-5;
  std::vector<double> X(N), Expected(N);
  for (int I = 0; I < N; ++I)
    X[I] = std::sin(3.0 * I + 1) + 0.01 * I;
  for (int I = 0; I < N; ++I) {
    std::vector<double> Up = X, Down = X;
    Up[I] += Step;
    Down[I] -= Step;
    Expected[I] =
        Seed * (F(Up.data(), N) - F(Down.data(), N)) / (2 * Step);
  }
  for (int Threads : {1, 2, 3, 8}) {
    omp_set_num_threads(Threads);
    std::vector<double> D(N, 0.5); // what is there already is added to
    const std::vector<double> Before = X;
    G(X.data(), N, D.data(), Seed);
    bool Good = X == Before;
    for (int I = 0; I < N; ++I)
      Good &= std::fabs(D[I] - 0.5 - Expected[I]) <=
              1e-6 * (1 + std::fabs(Expected[I]));
    if (!Good) {
      std::printf("%s at %d threads\n", Name, Threads);
      ++Failed;
    }
  }
  omp_set_num_threads(4);
}

#define CHECK_ONE(F) check(#F, F, F##_adjoint)

int main() {
  CHECK_ONE(collapsed);
  CHECK_ONE(difference);
  CHECK_ONE(product);
  CHECK_ONE(least);
  CHECK_ONE(most);
  CHECK_ONE(every);
  CHECK_ONE(any);
  CHECK_ONE(ownScalar);
  CHECK_ONE(firstScalar);
  CHECK_ONE(lastScalar);
  CHECK_ONE(dynamicRows);
  CHECK_ONE(guidedRows);
  CHECK_ONE(atRunTime);
  CHECK_ONE(wide);
  CHECK_ONE(atomicBins);
  CHECK_ONE(criticalSum);
  CHECK_ONE(region);
  CHECK_ONE(neighbours);
  CHECK_ONE(tiles);
  CHECK_ONE(workspace);
  return Failed;
}
#endif
