// In a loop, the test for enough work stands alone: what OpenMP's own costs
// when it fails would be paid each time. Values are handed over as such, so that
// they stay in registers where the loop is serial. Where no size is large enough, threads
// are not even thought of.
// RUN: mkdir -p %t.dir && cp %s %t.dir/a.c && printf 'machine:\n  parallel-work: 1\n' > %t.dir/.clang-raise
// RUN: %clang_raise rewrite %t.dir/a.c -o %t.always.c -- -fopenmp -O2
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: grep -v '// CHECK' %t.c | FileCheck %s
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.clang && env OMP_NUM_THREADS=4 %t.clang
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && env OMP_NUM_THREADS=2 %t.gcc
// RUN: clang-19 -O2 -fopenmp %t.always.c -o %t.clang && env OMP_NUM_THREADS=4 %t.clang
// RUN: clang-19 -O2 %s -o %t.o && %t.o

// CHECK-LABEL: void step(
// CHECK: if (n > 200000) {
// CHECK-NEXT: #pragma omp parallel for simd firstprivate(y, x, n){{$}}
// CHECK-NEXT: for (int i = 0; i < n; ++i)
// CHECK-NEXT: y[i] = y[i] * 0.5f + x[i];
// CHECK-NEXT: } else {
// CHECK-NEXT: for (int i = 0; i < n; ++i)
// CHECK-NEXT: // as it was
// CHECK-NEXT: y[i] = y[i] * 0.5f + x[i];
// CHECK-NEXT: }
void step(int n, int steps, float *restrict y, const float *restrict x) {
  for (int t = 0; t < steps; ++t)
    for (int i = 0; i < n; ++i)
      // as it was
      y[i] = y[i] * 0.5f + x[i];
}

// What vectors bring, they bring at every size.
// CHECK-LABEL: float sums(
// CHECK: if (n > 200000) {
// CHECK-NEXT: #pragma omp parallel for simd reduction(+ : sum) firstprivate(x, n){{$}}
// CHECK-NEXT: for (
// CHECK-NEXT: sum += x[i];
// CHECK-NEXT: } else {
// CHECK-NEXT: #pragma omp simd reduction(+ : sum){{$}}
// CHECK-NEXT: for (
// CHECK-NEXT: sum += x[i];
// CHECK-NEXT: }
float sums(int n, int steps, const float *x) {
  float last = 0;
  for (int t = 0; t < steps; ++t) {
    float sum = last;
    for (int i = 0; i < n; ++i)
      sum += x[i];
    last = last * 0.5f + sum;
  }
  return last;
}

// The counter around says that 256 is the most that there can be.
// REMARK: in-a-loop.c:[[#@LINE+4]]:{{.*}}not rewritten: the loop is already at its best [CR1602
void triangle(int steps, float a[256][256], float b[256][256]) {
  for (int t = 0; t < steps; ++t) {
    a[0][0] = (float)t;
    for (int i = 0; i < 256; ++i)
      for (int j = 0; j < i; ++j)
        a[i][j] = a[j][i] + b[i][j] + (float)t;
  }
}
// REMARK: in-a-loop.c:[[#@LINE+3]]:{{.*}}not rewritten: the loop is already at its best [CR1602
void tails(float a[256], float b[256][256]) {
  for (int j = 255; j >= 0; --j)
    for (int i = j + 1; i < 256; ++i)
      a[i] -= b[j][i] * a[j];
}

// Outside of loops as well: a clause that fails costs more than some elements.
// CHECK-LABEL: void once(
// CHECK: if (n > 200000) {
// CHECK-NEXT: #pragma omp parallel for simd{{$}}
void once(int n, float *restrict y, const float *restrict x) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] + 1;
}

static float x[300000], y[300000], z[300000], a[256][256], b[256][256];
int main(void) {
  static const int sizes[] = {0, 1, 7, 1000, 150000, 300000};
  for (int k = 0; k < 6; ++k) {
    const int n = sizes[k];
    for (int i = 0; i < n; ++i) {
      x[i] = (float)(i % 7 - 3);
      y[i] = z[i] = (float)(i % 5);
    }
    step(n, 3, y, x);
    for (int i = 0; i < n; ++i) {
      for (int t = 0; t < 3; ++t)
        z[i] = z[i] * 0.5f + x[i];
      if (y[i] != z[i])
        return 1;
    }
    long sum = 0; // whole numbers: in any order the same
    for (int i = 0; i < n; ++i)
      sum += i % 7 - 3;
    if (sums(n, 1, x) != (float)sum)
      return 2;
    once(n, y, x);
    for (int i = 0; i < n; ++i)
      if (y[i] != x[i] + 1)
        return 3;
  }
  for (int i = 0; i < 256; ++i)
    for (int j = 0; j < 256; ++j)
      a[i][j] = (float)(i + j), b[i][j] = (float)((i * j) % 3 == 0);
  triangle(2, a, b);
  tails(x, b);
  for (int i = 0; i < 256; ++i)
    for (int j = 0; j < i; ++j)
      if (a[i][j] != (float)(i + j) + b[i][j] + 1)
        return 4;
  return 0;
}
