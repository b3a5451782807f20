// Counters that a function declares for all of its loops are each loop's own in its derivatives: nothing is declared that is not
// used, and what a step computes for itself is the step's.
// RUN: %clang_raise grad --verify --require-verified --function=product %s -o %t.adj.c -- -O2 -std=c11 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --mode=forward --verify --require-verified --function=product %s -o %t.tan.c -- -O2 -std=c11 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: FileCheck %s < %t.adj.c
// RUN: FileCheck %s --check-prefix=TANGENT < %t.tan.c
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.adj.c -o %t.o
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.adj.c -o %t.o
// VERIFIED: verification passed
// CHECK: void product_adjoint(
// CHECK-NOT: {{int [ijk];|\(void\)|double t;|i_2|j2}}
// CHECK: const int i_rest = n < 16 ? 0 : n / 2 * 2;
// CHECK-NOT: {{int [ijk];|\(void\)|double t;|i_2|j2}}
// CHECK: double t_adj = C_adj[i * n + j];
// TANGENT: void product_tangent(
// TANGENT-NOT: {{int [ijk];|\(void\)}}
// TANGENT: for (int i = 0; i < n; ++i)
void product(int n, double *restrict C, const double *restrict A,
             const double *restrict B) {
  int i, j, k;
  double t;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      t = 0;
      for (k = 0; k < n; k++)
        t += A[i * n + k] * B[k * n + j];
      C[i * n + j] += t;
    }
}
