// A loop in one whose test reads a variable that may not have been set is
// left: gcc may warn of it once the loop inside is another. Not where it is
// set on every way.
// RUN: %clang_raise rewrite %s -o %t.c -- -std=c11 -fopenmp 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.c -o %t.o

extern int opaque(int);

// CHECK: unset-variables.c:[[#@LINE+10]]:{{.*}}not rewritten: the loop around it reads 'm', which may not have been set: compilers may warn of that once this loop is another [CR1718,
void sort(int n, double *restrict d, const double *restrict e) {
  int m;
  for (int l = 1; l <= n; l++) {
    for (m = l; m < n && e[m] != 0; m++)
      ;
    if (m == opaque(l))
      break;
  }
  for (int i = 2; i <= m; i++) {
    for (int j = 0; j < n; j++)
      d[j] = d[j] + e[j] * e[i];
    if (opaque(i))
      break;
  }
}

// CHECK-NOT: CR1718
void sorted(int n, double *restrict d, const double *restrict e) {
  int m = 0;
  for (int l = 1; l <= n; l++) {
    for (m = l; m < n && e[m] != 0; m++)
      ;
    if (m == opaque(l))
      break;
  }
  for (int i = 2; i <= m; i++) {
    for (int j = 0; j < n; j++)
      d[j] = d[j] + e[j] * e[i];
    if (opaque(i))
      break;
  }
}
