// --split in C: a pointer to the tape, and a function that frees it.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad --function=norm --function=newton --function=step %s -o %t/made/whole.c -- -std=c11
// RUN: %clang_raise grad --split --function=norm --function=newton --function=step %s -o %t/made/split.c -- -std=c11
// RUN: FileCheck %s < %t/made/split.c
// RUN: %clang -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/whole.c %t/made/split.c -lm -o %t/clang && %t/clang
// RUN: %gcc -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/whole.c %t/made/split.c -lm -o %t/gcc && %t/gcc
// RUN: %clang -std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -DCHECK -I%t/made %s %t/made/whole.c %t/made/split.c -lm -o %t/asan && %t/asan
// RUN: %clang_raise grad --split --verify --require-verified --function=norm --function=newton --function=step %s -o %t/made/verified.c -- -std=c11
// RUN: not %clang_raise grad --split --function=sized %s -- -std=c11 2>&1 | FileCheck %s --check-prefix=SIZED
#include <math.h>

// CHECK: typedef struct norm_tape {
// CHECK: double *x_tape
// CHECK: } norm_tape;
// CHECK: // Frees what norm_augmented allocated.
// CHECK-NEXT: void norm_tape_free(norm_tape *tape) {
// CHECK: free(tape->x_tape
// CHECK: double norm_augmented(double *x, int n, norm_tape *tape) {
// CHECK-NOT: free(
// CHECK: void norm_reverse(
double norm(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  sum = sqrt(sum);
  for (int i = 0; i < n; i++)
    x[i] = x[i] / sum;
  return sum;
}

double newton(double a) {
  double x = a;
  while (fabs(x * x - a) > 1e-12)
    x = 0.5 * (x + a / x);
  return x;
}

// What one form of step keeps and the other does not is freed in both.
// CHECK: tape->separate = 1;
// CHECK-NEXT: tape->v_tape = NULL;
void step(double *x, const double *v, int n, double h) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * x[i] + h * v[i];
}

// A local array of no fixed size cannot be a member.
// SIZED: error: --split: local array 't', whose size is not constant, would be needed between the two functions [CR1807]
double sized(const double *x, int n) {
  double t[n];
  double s = 1;
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s *= t[i];
  return s;
}

#ifdef CHECK
#include "split.h"
#include "whole.h"
#include <stdio.h>

static int Failures;
static void same(const char *What, double Got, double Right) {
  if (!(fabs(Got - Right) <= 1e-12 * fabs(Right))) {
    printf("%s is %.17g, not %.17g\n", What, Got, Right);
    ++Failures;
  }
}

int main(void) {
  double A[5] = {1, 2, 0.5, 3, 1.5}, B[5], GA[5], GB[5];
  for (int I = 0; I < 5; ++I) {
    B[I] = A[I];
    GA[I] = GB[I] = 0.3 * I - 0.4;
  }
  norm_tape Tape;
  norm_adjoint(A, 5, GA, 0.5);
  (void)norm_augmented(B, 5, &Tape);
  norm_reverse(B, 5, GB, 0.5, &Tape);
  norm_tape_free(&Tape);
  for (int I = 0; I < 5; ++I) {
    same("x", B[I], A[I]);
    same("x_adj", GB[I], GA[I]);
  }
  double Whole = 0, Split = 0;
  newton_tape Steps;
  newton_adjoint(7, &Whole, 1);
  same("newton", newton_augmented(7, &Steps), newton(7));
  newton_reverse(7, &Split, 1, &Steps);
  newton_tape_free(&Steps);
  same("newton_adj", Split, Whole);
  for (int Apart = 0; Apart < 2; ++Apart) {
    double V[8], X[8] = {1, 2, 3, 4, 5, 6, 7, 8}, XA[8] = {1, 1, 1, 1, 1};
    double Y[8], YA[8], VA[8] = {0}, WA[8] = {0}, HA = 0, HB = 0;
    for (int I = 0; I < 8; ++I) {
      V[I] = 0.1 * I;
      Y[I] = X[I];
      YA[I] = XA[I];
    }
    // Overlapping, the velocities are the positions one further.
    step_adjoint(X, Apart ? V : X + 1, 5, 0.5, XA, Apart ? VA : XA + 1, &HA);
    step_tape Kept;
    step_augmented(Y, Apart ? V : Y + 1, 5, 0.5, &Kept);
    step_reverse(Y, Apart ? V : Y + 1, 5, 0.5, YA, Apart ? WA : YA + 1, &HB,
                 &Kept);
    step_tape_free(&Kept);
    same("h_adj", HB, HA);
    for (int I = 0; I < 8; ++I) {
      same("x of step", Y[I], X[I]);
      same("x_adj of step", YA[I], XA[I]);
      same("v_adj of step", WA[I], VA[I]);
    }
  }
  if (!Failures)
    puts("all right");
  return Failures != 0;
}
#endif
