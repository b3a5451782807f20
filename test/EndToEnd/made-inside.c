// An array of the iteration's own beside a pointer that is a local variable.
// RUN: mkdir -p %t.dir && cp %s %t.dir/a.c && printf 'machine:\n  parallel-work: 1\n' > %t.dir/.clang-raise
// RUN: %clang_raise rewrite %t.dir/a.c -o %t.c -- -fopenmp -O2 2>&1 | FileCheck %s
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.clang && env OMP_NUM_THREADS=4 %t.clang
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && env OMP_NUM_THREADS=4 %t.gcc
static int table[4] = {1, 2, 4, 8};
static int *where = table;

// CHECK: a.c:[[#@LINE+3]]:{{.*}}raised to a
void rows(int *y, int n) {
  const int *q = where;
  for (int i = 0; i < n; ++i) {
    int t[2][4] = {{0}};
    for (int j = 0; j < 4; ++j)
      t[1][3] ^= q[0] << j;
    y[i] += t[1][3];
  }
}
int main(void) {
  int y[100] = {0};
  rows(y, 100);
  for (int i = 0; i < 100; ++i)
    if (y[i] != 15)
      return 1;
  return 0;
}
