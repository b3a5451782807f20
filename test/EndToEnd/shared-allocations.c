// Tapes of one type share an allocation: what several of them free together the
// C library would give back to the system, and each call would begin with as
// many page faults.
// RUN: %clang_raise grad --verify --function=both --function=typed --function=early --function=hidden --function=steps --function=sized %s -o %t.c -- -std=c11 2>&1 | FileCheck %s --check-prefix=VERIFY
// RUN: FileCheck %s < %t.c
// RUN: cat %s %t.c > %t.main.c
// RUN: clang-19 -std=c11 -DMAIN -Wall -Wextra -Werror -Wno-unknown-pragmas -fsanitize=address,undefined -fno-sanitize-recover=all %t.main.c -o %t -lm && %t | FileCheck %s --check-prefix=DONE
// RUN: gcc -std=c11 -DMAIN -Wall -Wextra -Werror -Wno-unknown-pragmas %t.main.c -o %t -lm && %t | FileCheck %s --check-prefix=DONE
// RUN: %clang_raise grad --verify --function=both_adjoint %t.main.c -o %t.second.c -- -std=c11 2>&1 | FileCheck %s --check-prefix=AGAIN
// VERIFY-COUNT-6: verification passed
// AGAIN: the adjoint of 'both_adjoint': verification passed
#include <math.h>
#include <stdlib.h>

// A size is computed once, and so is the memory of all that are as large.
// CHECK-LABEL: void both_adjoint(
// CHECK: const size_t [[P:p_tape_size|s_tape_size]] = (n > 0 ? n : 0) + 1LL;
// CHECK-NEXT: const size_t x_tape_size = n > 0 ? n : 0;
// CHECK-NEXT: double *[[FIRST:[ps]_tape]] = malloc((2 * [[P]] + x_tape_size) * sizeof *[[FIRST]] + 1);
// CHECK-NEXT: if (![[FIRST]])
// CHECK-NEXT:   abort();
// CHECK-NEXT: double *[[SECOND:[ps]_tape]] = [[FIRST]] + [[P]];
// CHECK-NEXT: double *x_tape = [[SECOND]] + [[P]];
// CHECK-NOT: malloc
// CHECK: free([[FIRST]]);
// CHECK-NOT: free
// CHECK: }
void both(int n, double *x) {
  double s = 0, p = 1;
  for (int i = 0; i < n; ++i) {
    s = s * x[i] + p * p;
    p = p * s * 0.5 + x[i];
    x[i] = s * p;
  }
}

// Those of each type have their own.
// CHECK-LABEL: void typed_adjoint(
// CHECK-DAG: double *{{.*}} = malloc(
// CHECK-DAG: {{float|signed char|_Bool|bool}} *{{.*}} = malloc(
void typed(int n, double *x, float *y) {
  for (int t = 0; t < 3; ++t)
    for (int i = 0; i < n; ++i) {
      if (x[i] > y[i])
        x[i] = x[i] * y[i];
      y[i] = y[i] * (float)x[i] + y[i] * y[i];
      x[i] = x[i] * x[i] * 0.25;
    }
}

// Left early, all of it is freed as well.
// CHECK-LABEL: void early_adjoint(
double early(int n, double *x) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * x[i];
  if (n < 3)
    return n > 0 ? x[0] : 0;
  for (int i = 1; i < n; ++i) {
    x[i] = x[i] * x[i - 1] + s;
    s += x[i] * x[i];
  }
  return s;
}

// What the source asks for may be no size at all, and keeps to itself.
// CHECK-LABEL: void hidden_adjoint(
// CHECK: malloc((size_t)n * sizeof *v + 1)
// CHECK: malloc((size_t)n * sizeof *u2 + 1)
void hidden(int n, double *x) {
  double *u = x;
  {
    for (int i = 0; i < n; ++i)
      u[i] = sin(u[i]) * u[i];
    double *v = malloc(n * sizeof *v);
    double *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; ++i) {
      u[i] = x[i] * x[i];
      v[i] = u[i] * x[i];
    }
    for (int i = 0; i < n; ++i)
      x[i] = u[i] * v[i];
    free(u);
    free(v);
  }
}

// Arrays that change places are freed where they came from.
// CHECK-LABEL: void steps_adjoint(
void steps(int n, int m, double *x) {
  double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; ++i) {
    u[i] = x[i];
    v[i] = 0;
  }
  for (int t = 0; t < m; ++t) {
    for (int i = 0; i < n; ++i)
      v[i] = u[i] * u[i] * 0.5 + u[i ? i - 1 : 0];
    double *w = u;
    u = v;
    v = w;
  }
  for (int i = 0; i < n; ++i)
    x[i] = u[i] * v[i];
  free(u);
  free(v);
}

// A size that is not known in front of the first stays where it is.
// CHECK-LABEL: void sized_adjoint(
// CHECK: malloc((size_t)(k > 0 ? k : 0)
// CHECK: k = k / 2;
// CHECK-NEXT: double *x_tape = malloc((size_t)(k > 0 ? k : 0)
void sized(int n, double *x) {
  int k = n;
  for (int i = 0; i < k; ++i)
    x[i] = x[i] * x[i];
  k = k / 2;
  for (int i = 0; i < k; ++i)
    x[i] = x[i] * x[i] * x[k + i];
}

#ifdef MAIN
#include <stdio.h>
void both_adjoint(int n, double *x, double *x_adj);
void hidden_adjoint(int n, double *x, double *x_adj);
void steps_adjoint(int n, int m, double *x, double *x_adj);
void sized_adjoint(int n, double *x, double *x_adj);
void early_adjoint(int n, double *x, double *x_adj, double early_adj);
// Against differences along one direction.
static double worth(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += (1 + i % 3) * x[i];
  return s;
}
static void run(int which, int n, double *x) {
  switch (which) {
  case 0: both(n, x); break;
  case 1: hidden(n, x); break;
  case 2: steps(n, 3, x); break;
  case 3: early(n, x); break;
  default: sized(n, x); break;
  }
}
static void back(int which, int n, double *x, double *x_adj) {
  switch (which) {
  case 0: both_adjoint(n, x, x_adj); break;
  case 1: hidden_adjoint(n, x, x_adj); break;
  case 2: steps_adjoint(n, 3, x, x_adj); break;
  case 3: early_adjoint(n, x, x_adj, 0); break;
  default: sized_adjoint(n, x, x_adj); break;
  }
}
int main(void) {
  enum { N = 9 };
  int wrong = 0;
  for (int which = 0; which < 5; ++which)
    for (int n = 0; n <= N; ++n) {
      double x[N + 1], up[N + 1], down[N + 1], adj[N + 1], slope = 0;
      for (int i = 0; i <= N; ++i) {
        x[i] = 0.3 + 0.1 * (i % 5);
        const double d = 1e-6 * (1 + i % 2);
        up[i] = x[i] + (i < n ? d : 0);
        down[i] = x[i] - (i < n ? d : 0);
        adj[i] = i < n ? 1 + i % 3 : 0;
      }
      run(which, n, up);
      run(which, n, down);
      back(which, n, x, adj);
      for (int i = 0; i < n; ++i)
        slope += adj[i] * (1 + i % 2);
      const double by = (worth(up, n) - worth(down, n)) / 2e-6;
      if (!(fabs(slope - by) <= 1e-5 * (1 + fabs(by))))
        printf("%d %d: %g %g\n", which, n, slope, by), ++wrong;
    }
  // DONE: 0 wrong
  printf("%d wrong\n", wrong);
}
#endif
