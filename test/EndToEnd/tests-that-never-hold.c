// A test that fails for all sizes that threads are for is none: the loop is
// left, and says so. (Compilers warn of such tests.)
// RUN: %clang_raise rewrite --function=two --function=least %s -o %t.c -- -O2 -fopenmp 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: diff %s %t.c
// SAID: the tests that it needs let only small sizes through [CR1602

// Two loops for one, of which what they store lets a few iterations alone be.
long two(long n, unsigned *b) {
  long s = 0;
  for (long i = 0; i < n; i++) {
    s += b[i + 5];
    if (b[i + 1] != 7)
      b[3 * i + 2] = b[i];
  }
  return s;
}

// A short is never so large, wherever it lies.
// SAID: :[[@LINE+3]]:3: remark: not rewritten: the loop is already at its best [CR1602
int least(const short *p, const signed char *a) {
  int s = 5;
  for (int i = 8; i < *p; i++)
    if (a[i] < s)
      s = a[i];
  return s;
}

// The range is cut at n - 1, behind which nothing is left.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite --config=%t.cfg --function=last %s -o %t.c -- -O2 -fopenmp 2>/dev/null
// RUN: sed '/[E]NDS/d' %t.c | FileCheck %s --check-prefix=ENDS
// RUN: clang-19 -fopenmp -Wall -Wextra -Werror -c %t.c -o %t.o
// RUN: %clang_raise rewrite --config=%t.cfg --function=counted %s -o %t.c -- -O2 -fopenmp 2>/dev/null
// RUN: gcc -fopenmp -DMAIN %t.c -o %t && %t
// ENDS-LABEL: void last(
// ENDS: a[n - 1] =
// ENDS-NOT: for (long i{{.*}} = n;
void last(long n, float *restrict a, const float *restrict b, float c) {
  for (long i = 0; i < n; i++)
    a[i] = a[n - 1] + b[i] * c;
}

// Nor is the variable's last value forgotten.
long counted(long n, float *restrict a, const float *restrict b, float c) {
  long i;
  for (i = 0; i < n; i++)
    a[i] = a[n - 1] + b[i] * c;
  return i;
}
#ifdef MAIN
int main(void) {
  float a[9] = {0}, b[9] = {1};
  return counted(9, a, b, 2) != 9 || counted(0, a, b, 2) != 0;
}
#endif
