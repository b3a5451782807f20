// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main FORM FROM TO STEP REPETITIONS: for each size the median seconds of one
// call of the original, of the emitted form and of the loop hoisted by hand, in
// turn; results are compared. The original, which takes its time, runs up to
// 2^14 elements and has 3 turns. Last, the median over the turns of the time by
// hand over that of the emitted form.
#include "norm.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double pure_norm(const double *v, long n) {
  double s = 0;
#pragma omp simd reduction(+ : s)
  for (long j = 0; j < n; ++j)
    s += v[j] * v[j];
  return sqrt(s);
}
double const_norm(const double *v, long n) { return pure_norm(v, n); }

typedef void Function(double *, const double *, long);
#define BOTH(F)                                                                \
  void original_##F(double *, const double *, long);                           \
  void emitted_##F(double *, const double *, long);
FORMS(BOTH)
#define ROW(F) {#F, original_##F, emitted_##F},
static const struct {
  const char *Name;
  Function *Original, *Emitted;
} Table[] = {FORMS(ROW)};

static void hand(double *restrict out, const double *restrict in, long n) {
  double norm = pure_norm(in, n);
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / norm;
}

/// Seconds of one call, over as many as take a fifth of a millisecond.
static double timed(Function *F, double *Out, const double *In, long N) {
  long Calls = 0;
  double Start = omp_get_wtime(), Now;
  do {
    F(Out, In, N);
    ++Calls;
    Now = omp_get_wtime();
  } while (Now - Start < 2e-4);
  return (Now - Start) / Calls;
}

static int less(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

enum { MostOfOriginal = 1 << 14, TurnsOfOriginal = 3 };

int main(int Count, char **Args) {
  if (Count != 6)
    return 2;
  long From = atol(Args[2]), To = atol(Args[3]), Step = atol(Args[4]);
  int Times = atoi(Args[5]);
  for (size_t T = 0; T < sizeof Table / sizeof *Table; ++T) {
    if (strcmp(Table[T].Name, Args[1]))
      continue;
    for (long N = From; N <= To; N *= Step) {
      Function *Forms[] = {Table[T].Original, Table[T].Emitted, hand};
      double *In = malloc(N * sizeof *In), *Out[3], *Seconds[3];
      for (int F = 0; F < 3; ++F) {
        Out[F] = malloc(N * sizeof **Out);
        Seconds[F] = malloc(Times * sizeof **Seconds);
      }
      for (long I = 0; I < N; ++I)
        In[I] = I % 17 - 8;
      for (int R = 0; R < Times; ++R)
        for (int F = 0; F < 3; ++F)
          if (F || (N <= MostOfOriginal && R < TurnsOfOriginal))
            Seconds[F][R] = timed(Forms[F], Out[F], In, N);
      // All sums are exact.
      if (memcmp(Out[1], Out[2], N * sizeof *In) ||
          (N <= MostOfOriginal && memcmp(Out[0], Out[1], N * sizeof *In))) {
        fprintf(stderr, "%s: results differ for %ld\n", Args[1], N);
        return 1;
      }
      printf("%ld", N);
      double *Share = malloc(Times * sizeof *Share);
      for (int R = 0; R < Times; ++R)
        Share[R] = Seconds[2][R] / Seconds[1][R];
      qsort(Share, Times, sizeof(double), less);
      for (int F = 0; F < 3; ++F) {
        int Turns = F || Times < TurnsOfOriginal ? Times : TurnsOfOriginal;
        if (!F && N > MostOfOriginal)
          Turns = 0;
        qsort(Seconds[F], Turns, sizeof(double), less);
        printf(" %.9f", Turns ? Seconds[F][Turns / 2] : 0.0);
        free(Out[F]);
        free(Seconds[F]);
      }
      printf(" %.4f\n", Share[Times / 2]);
      free(Share);
      fflush(stdout);
      free(In);
    }
  }
  return 0;
}
