// A structure's members are known by their names also where some statement changes them: loops between such statements
// are raised, one that holds such a statement is not.
// RUN: %clang_raise rewrite --verify %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && %t.gcc
#include <stdlib.h>

struct matrix {
  int rows;
  double *v;
};

// CHECK: changed-members.c:[[#@LINE+3]]:{{.*}}raised to a map: m.v[i] = 0,  m.rows ≤ i < size; verification passed
// CHECK: changed-members.c:[[#@LINE+5]]:{{.*}}raised to a map: m.v[i] += 1,  0 ≤ i < m.rows; verification passed
struct matrix grown(struct matrix m, int size) {
  for (int i = m.rows; i < size; i++)
    m.v[i] = 0;
  m.rows = size;
  for (int i = 0; i < m.rows; i++)
    m.v[i] += 1;
  return m;
}

// CHECK: changed-members.c:[[#@LINE+3]]:{{.*}}partly raised
// CHECK: changed-members.c:[[#@LINE+2]]:{{.*}}'m.rows', a member of a structure that is known by its members' names, is changed [CR1013
void triangle(struct matrix m, int n) {
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < m.rows; i++)
      m.v[i] += 1;
    m.rows--;
  }
}

int main(void) {
  enum { N = 300000 };
  struct matrix m = {10, malloc(N * sizeof(double))};
  for (int i = 0; i < 10; i++)
    m.v[i] = i;
  m = grown(m, N);
  int bad = m.rows != N || m.v[9] != 10 || m.v[10] != 1 || m.v[N - 1] != 1;
  triangle(m, 3);
  bad |= m.v[0] != 4 || m.v[N - 1] != 2 || m.v[N - 2] != 3 || m.v[N - 3] != 4;
  free(m.v);
  return bad;
}
