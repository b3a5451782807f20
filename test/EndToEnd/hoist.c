// What every iteration computes alike is computed once, under every directive of the author's that allows it, and the
// results are the same: for no, one and many elements, for buffers that overlap, with NaN in the data, on 1 and 4 threads.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: FileCheck %s < %t.c
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror -ffp-contract=off %t.c %S/Inputs/hoist-opaque.c -lm -o %t
// RUN: env OMP_NUM_THREADS=1 %t > %t.one && env OMP_NUM_THREADS=4 %t > %t.four
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror -ffp-contract=off %t.c %S/Inputs/hoist-opaque.c -lm -o %t
// RUN: env OMP_NUM_THREADS=4 %t > %t.gcc
// RUN: clang-19 -O0 -fopenmp -ffp-contract=off %s %S/Inputs/hoist-opaque.c -lm -o %t && env OMP_NUM_THREADS=1 %t > %t.original
// RUN: diff %t.one %t.original
// RUN: diff %t.four %t.original
// RUN: diff %t.gcc %t.original
// Each function without a body is called once for each loop that runs, never for an empty one.
// RUN: clang-19 -O0 -fopenmp -DCOUNT %t.c %S/Inputs/hoist-opaque.c -lm -o %t && %t | FileCheck --check-prefix=COUNT %s
// COUNT: calls for 0 elements: 0
// COUNT: calls for 1000 elements: 5

#include <math.h>
#include <stdio.h>
#include <string.h>

double sumOfSquares(const double *v, long n) __attribute__((pure));
double weight(long n) __attribute__((const));
extern long Calls;

static double norm(const double *v, long n) {
  double s = 0;
  for (long j = 0; j < n; ++j)
    s += v[j] * v[j];
  return sqrt(s);
}

// CHECK-LABEL: void visible(
// CHECK: // norm_result = sqrt(Σ_j in[j]·in[j])
// CHECK: Computed once, before the loop: s.
// CHECK: if (n > 0) {
// One test says of both loops whether there is work for threads.
// CHECK: double s = 0;
// CHECK-NEXT: if (n > 200000) {
// CHECK-NEXT: #pragma omp parallel for simd reduction(+ : s)
// CHECK: double norm_result = sqrt(s);
// CHECK-NEXT: #pragma omp parallel for simd firstprivate(out, in, n, norm_result)
// CHECK-NEXT: for (long i = 0; i < n; ++i)
// CHECK-NEXT: out[i] = in[i] / norm_result;
// CHECK-NEXT: } else {
// CHECK-NEXT: #pragma omp simd reduction(+ : s)
// CHECK: double norm_result = sqrt(s);
// CHECK-NEXT: #pragma omp simd
// CHECK: } else {
void visible(double *out, const double *in, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / norm(in, n);
}

// Variables from before the loop keep their values, also where it does not run.
// CHECK-LABEL: static double byHand(
// CHECK: sqrt_result = sqrt(s);
// CHECK: out[i] = in[i] / sqrt_result;
static double byHand(double *out, const double *in, int n) {
  int i = 0, j = 0;
  double s = -1;
  for (i = 0; i < n; i++) {
    s = 0;
    for (j = 0; j < n; j++)
      s += in[j] * in[j];
    out[i] = in[i] / sqrt(s);
  }
  return s + i;
}

// CHECK-LABEL: void declared(
// CHECK: // out[i] = in[i] / sumOfSquares(in, n)  where n > 0
// CHECK: if (n > 0) {
// CHECK-NEXT: const double sumOfSquares_result = sumOfSquares(in, n);
// CHECK-NEXT: if (n > 200000) {
// CHECK-NEXT: #pragma omp parallel for simd
// CHECK: out[i] = in[i] / sumOfSquares_result;
void declared(double *restrict out, const double *in, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / sumOfSquares(in, n);
}

// CHECK-LABEL: static void constant(
// CHECK: const double weight_result = weight(n - 1);
static void constant(double *out, const double *in, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = in[i] * weight(n - 1);
}

// CHECK-LABEL: static void ompVisible(
// CHECK: if (n > 0) {
// CHECK: double norm_result = sqrt(s);
// CHECK-NEXT: #pragma omp parallel for schedule(static, 7)
// CHECK-NEXT: for (long i = 0; i < n; ++i)
// CHECK-NEXT: out[i] = in[i] / norm_result;
// CHECK-NEXT: } else {
// CHECK-NEXT: #pragma omp parallel for schedule(static, 7)
// CHECK-NEXT: for (long i = 0; i < n; ++i)
// CHECK-NEXT: out[i] = in[i] / norm(in, n);
static void ompVisible(double *out, const double *in, long n) {
#pragma omp parallel for schedule(static, 7)
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / norm(in, n);
}

// The names of the clauses stay free for what they mean; those that are new are shared.
// CHECK-LABEL: static void ompByHand(
// CHECK: double s_2 = 0;
// CHECK: const double sqrt_result = sqrt(s_2);
// CHECK-NEXT: #pragma omp parallel for default(none) private(i, j, s)
// CHECK: shared(sqrt_result)
// CHECK-NEXT: for (int i_2 = 0; i_2 < n; ++i_2)
static void ompByHand(double *out, const double *in, int n) {
  int i, j;
  double s;
#pragma omp parallel for default(none) private(i, j, s) shared(out, in, n)
  for (i = 0; i < n; i++) {
    s = 0;
    for (j = 0; j < n; j++)
      s += in[j] * in[j];
    out[i] = in[i] / sqrt(s);
  }
}

// CHECK-LABEL: static void ompDeclared(
// CHECK: const double sumOfSquares_result = sumOfSquares(in, n);
// CHECK-NEXT: #pragma omp parallel for if (n > 100) schedule(dynamic, 64)
static void ompDeclared(double *restrict out, const double *in, long n) {
#pragma omp parallel for if (n > 100) \
    schedule(dynamic, 64)
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / sumOfSquares(in, n);
}

// CHECK-LABEL: static double ompConstant(
// CHECK: const double weight_result = weight(n);
// CHECK-NEXT: #pragma omp parallel for simd reduction(+ : sum)
static double ompConstant(const double *in, long n) {
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (long i = 0; i < n; ++i)
    sum += in[i] * weight(n);
  return sum;
}

// CHECK-LABEL: static void simd(
// CHECK: const double weight_result = weight(n);
// CHECK-NEXT: #pragma omp simd
static void simd(double *out, long n) {
#pragma omp simd
  for (long i = 0; i < n; ++i)
    out[i] *= weight(n);
}

// Between the two loops, where it depends on the outer one.
// CHECK-LABEL: static void rows(
// CHECK: for (long i = 0; i < n; ++i)
// CHECK-NEXT: if (m > 0) {
// CHECK: double norm_result = sqrt(s);
// CHECK-NEXT: #pragma omp simd
// CHECK-NEXT: for (long j = 0; j < m; ++j)
static void rows(double *out, const double *in, long n, long m) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      out[i * m + j] = in[i * m + j] / norm(in + i * m, m);
}

// Each with its reason:
// REMARK: hoist.c:[[#@LINE+2]]:3: remark: not raised: 'sumOfSquares' has no known body and stays in the loop: it may read what the loop writes through 'out' [CR1207
static void anywhere(double *out, const double *in, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / sumOfSquares(in, n);
}

// REMARK: hoist.c:[[#@LINE+2]]:3: remark: not raised: 'sumOfSquares' has no known body and stays in the loop: 'i' changes in the loop [CR1207
static void varying(double *restrict out, const double *in, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / sumOfSquares(in, i);
}

// REMARK: hoist.c:[[#@LINE+2]]:3: remark: not raised: 'weight' has no known body and stays in the loop: it stands under a condition that changes in the loop [CR1207
static void sometimes(double *restrict out, const double *in, long n) {
  for (long i = 0; i < n; ++i)
    if (in[i] > 2)
      out[i] = in[i] / weight(n);
}

// REMARK: hoist.c:[[#@LINE+5]]:5: remark: not raised further: it already runs under the author's 'omp for' [CR1020
static void shared(double *out, const double *in, long n) {
#pragma omp parallel
  {
#pragma omp for
    for (long i = 0; i < n; ++i)
      out[i] = in[i] / norm(in, n);
  }
}

// REMARK: hoist.c:[[#@LINE+4]]:3: remark: not raised further: the clause 'lastprivate' of its directive belongs to the loop as written [CR1708
static double last(double *restrict out, const double *in, long n) {
  double x = 0;
#pragma omp parallel for lastprivate(x)
  for (long i = 0; i < n; ++i) {
    x = in[i];
    out[i] = x / sumOfSquares(in, n);
  }
  return x;
}

#define CLAUSES private(s)
// REMARK: hoist.c:[[#@LINE+4]]:3: remark: not raised further: part of its directive comes from the macro 'CLAUSES' [CR1702
static void hidden(double *restrict out, const double *in, long n) {
  double s;
#pragma omp parallel for CLAUSES
  for (long i = 0; i < n; ++i) {
    s = sumOfSquares(in, n);
    out[i] = in[i] / s;
  }
}

enum { Size = 4096 };
static double Data[Size], Out[Size];

static void reset(void) {
  for (int i = 0; i < Size; ++i) {
    Data[i] = i % 7 - 3;
    Out[i] = -i;
  }
}

static void show(const char *Name) {
  unsigned long long Hash = 1469598103934665603u;
  for (int i = 0; i < Size; ++i)
    for (const double *D = Out;; D = Data) {
      unsigned Bits; // sums may be added up in another order
      float Value = isnan(D[i]) ? NAN : (float)D[i];
      memcpy(&Bits, &Value, sizeof Bits);
      Hash = (Hash ^ Bits) * 1099511628211u;
      if (D == Data)
        break;
    }
  printf("%s %llx\n", Name, Hash);
}

static void all(double *out, double *in, double *apart, long n) {
  visible(out, in, n);
  show("visible");
  printf("%g ", byHand(out, in, (int)n));
  show("by hand");
  declared(apart, in, n);
  show("declared");
  constant(out, in, n);
  show("constant");
  if (apart == out) { // else the author's claim is wrong
    ompVisible(out, in, n);
    show("omp visible");
    ompByHand(out, in, (int)n);
    show("omp by hand");
    ompDeclared(apart, in, n);
    show("omp declared");
    shared(out, in, n);
    hidden(apart, in, n);
    show("shared");
  }
  printf("%g ", ompConstant(in, n));
  simd(out, n);
  show("simd");
  rows(out, in, n / 20, n / 16);
  show("rows");
  anywhere(apart, in, n / 4);
  varying(apart, in, n / 4);
  sometimes(apart, in, n);
  if (n >= 4) // else x is what it likes
    printf("%g ", last(apart, in, n / 4));
  show("left");
}

int main(void) {
  reset();
#ifdef COUNT
  for (long n = 0; n <= 1000; n += 1000) {
    Calls = 0;
    declared(Out, Data, n);
    constant(Out, Data, n);
    ompDeclared(Out, Data, n);
    ompConstant(Data, n);
    simd(Out, n);
    printf("calls for %ld elements: %ld\n", n, Calls);
  }
  return 0;
#endif
  for (long n = 0; n < 40; n = n * 2 + 1) {
    reset();
    all(Out, Data, Out, n);
    reset();
    all(Data, Data, Out, n); // in place
    reset();
    all(Data + 3, Data, Out, n);
  }
  reset();
  Data[500] = NAN;
  all(Out, Data, Out, 1000);
  return 0;
}
