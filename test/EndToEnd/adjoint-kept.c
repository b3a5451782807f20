// What adjoints keep, and give back: a value that two statements need is kept once; a branch that keeps an element's value does nothing.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --verify %s --function=sweep --function=changed --function=shortest -o %t/kept.c -- -std=c11 -O2 2> %t/err
// RUN: FileCheck --check-prefix=VERIFIED %s < %t/err
// RUN: FileCheck %s < %t/kept.c
// RUN: clang-19 -std=c11 -O3 -Wall -Wextra -Werror -c %t/kept.c -o %t/clang.o
// RUN: gcc -std=c11 -O3 -Wall -Wextra -Werror -c %t/kept.c -o %t/gcc.o

// VERIFIED: the adjoint of 'sweep': verification passed
// VERIFIED: the adjoint of 'changed': verification passed
// VERIFIED: the adjoint of 'shortest': verification passed

/// Both need p[j - 1] as it was.
// CHECK-LABEL: void sweep_adjoint(
// CHECK: [[P:p_tape.*]][{{.*}}] = p[j - 1];
// CHECK-NEXT: p[j] =
// CHECK-NOT: = p[j - 1];
// CHECK: q[j] =
void sweep(int steps, int n, double p[restrict 40], double q[restrict 40]) {
  for (int t = 0; t < steps; ++t)
    for (int j = 1; j < n; ++j) {
      p[j] = 1 / (2 + p[j - 1] * p[j - 1]);
      q[j] = q[j - 1] * p[j - 1] * p[j - 1];
    }
}

/// Here the second finds another value.
// CHECK-LABEL: void changed_adjoint(
// CHECK: = p[j];
// CHECK-NEXT: p[j] =
// CHECK: = p[j];
// CHECK-NEXT: q[j] =
void changed(int steps, int n, double p[restrict 40], double q[restrict 40]) {
  for (int t = 0; t < steps; ++t)
    for (int j = 1; j < n; ++j) {
      p[j] = 1 / (2 + p[j] * p[j]);
      q[j] = q[j] + p[j] * p[j] * p[j];
    }
}

// CHECK-LABEL: void shortest_adjoint(
// CHECK: if (!taken_old) {
// CHECK-NEXT: const double path_adj_i
// CHECK-NEXT: path_adj[i{{.*}}][j{{.*}}] = 0;
// CHECK-NEXT: path_adj[i{{.*}}][k{{.*}}] +=
// CHECK-NEXT: path_adj[k{{.*}}][j{{.*}}] +=
// CHECK-NEXT: }
void shortest(int n, double path[restrict 12][12]) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        path[i][j] = path[i][j] < path[i][k] + path[k][j]
                         ? path[i][j]
                         : path[i][k] + path[k][j];
}
