// Bounds that lie in memory: what the stores may reach is tested, and where they reach it the source's loop runs.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.cpp -- -fopenmp -O2 -std=c++17 2> %t.remarks
// RUN: FileCheck %s < %t.cpp
// RUN: %clang_raise rewrite %s --function=rowsOf -o %t.rows.cpp -- -fopenmp -O2 -std=c++17
// RUN: sed "/ROWS/d" %t.rows.cpp | FileCheck --check-prefix=ROWS %s
// RUN: FileCheck --check-prefix=LEFT %s < %t.remarks
// RUN: %clangxx -O1 -w -std=c++17 -fno-strict-aliasing %s -o %t && %t > %t.original
// RUN: %clangxx -O1 -g -std=c++17 -fno-strict-aliasing -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp -Wall -Wextra -Werror -Wno-pass-failed %t.cpp -o %t && env OMP_NUM_THREADS=3 %t > %t.clang
// RUN: g++ -O2 -std=c++17 -fno-strict-aliasing -fopenmp -Wall -Wextra -Werror %t.cpp -o %t && env OMP_NUM_THREADS=2 %t > %t.gcc
// RUN: diff %t.original %t.clang
// RUN: diff %t.original %t.gcc
#include <cstdio>
#include <vector>

struct Sizes {
  int rows, cols;
};

// CHECK-LABEL: void fill(
// CHECK: const int rows = s->rows;
// CHECK: for (int i = 0; i < rows; ++i)
// CHECK: } else {
// CHECK: for (int i = 0; i < s->rows; ++i)
void fill(const Sizes *s, int *y) {
  for (int i = 0; i < s->rows; ++i)
    y[i] = 3 + i % 2;
}

// Both bounds, and what the subscripts say.
// CHECK-LABEL: void table(
// CHECK-DAG: const int rows = s.rows;
// CHECK-DAG: const int cols = s.cols;
// CHECK: y[i * cols + j] = x[j * rows + i];
void table(const Sizes &s, const int *x, int *y) {
  for (int i = 0; i < s.rows; ++i)
    for (int j = 0; j < s.cols; ++j)
      y[i * s.cols + j] = x[j * s.rows + i];
}

// What the loop's variable is after it hangs on the bound.
// CHECK-LABEL: int last(
// CHECK: const int rows = s->rows;
int last(const Sizes *s, int *y) {
  int i;
  for (i = 1; i <= s->rows; ++i)
    y[i] = 7;
  return i;
}
// Nor is it known without the bound: where steps of two end is not computed.
// LEFT: [[#@LINE+3]]:{{.*}}CR1201
int odd(const Sizes *s, int *y) {
  int i;
  for (i = 1; i <= s->rows; i += 2)
    y[i] = 7;
  return i;
}

int total = 20;
// CHECK-LABEL: void named(
// CHECK: const int total_value = total;
void named(int *y) {
  for (int i = 0; i < total; i++)
    y[i] = i;
}

// One above n, where it would start, may be none.
// CHECK-LABEL: void down(
// LEFT: [[#@LINE+2]]:{{.*}}CR1201
void down(const int &n, int *y) {
  for (int i = 30; i > n; --i)
    y[i] = i;
}

// A stride that only subscripts name is read before the loop, too: where the
// stores miss it, and, behind a pointer, where the loop reads it.
// CHECK-LABEL: void strides(
// CHECK: if (n > 0) {
// CHECK: if (s->cols > 0 &&
// CHECK-NEXT: (s_end <=
// CHECK: const int cols = s->cols;
// CHECK: y[i * cols] = x[i * cols + 1];
void strides(const Sizes *s, int n, const int *x, int *y) {
  for (int i = 0; i < n; ++i)
    y[i * s->cols] = x[i * s->cols + 1];
}
// It may not be there.
// CHECK-LABEL: void seldom(
// CHECK-NOT: const int cols
// LEFT: [[#@LINE+2]]:{{.*}}CR1103
void seldom(const Sizes *s, int n, const int *x, int *y) {
  for (int i = 0; i < n; ++i)
    if (x[i] > 100)
      y[i * s->cols] = x[i];
}

struct Grid {
  int n;
  int *at;
  // CHECK-LABEL: void set(
  // CHECK: const int n = this->n;
  void set(int v) {
    for (int i = 0; i < n; ++i)
      at[i] = v;
  }
};

// The elements of vectors are compared as a whole.
struct Rows {
  int rows;
  std::vector<int> begin, column;
  std::vector<double> value;
};
// CHECK-LABEL: void product(
// CHECK: x.data() != y.data()
// CHECK: const int rows = a.rows;
// CHECK: #pragma omp parallel for
void product(const Rows &a, const std::vector<double> &x,
             std::vector<double> &y) {
  for (int i = 0; i < a.rows; ++i) {
    double s = 0;
    for (int k = a.begin[i]; k < a.begin[i + 1]; ++k)
      s += a.value[k] * x[a.column[k]];
    y[i] = s;
  }
}

// The loop itself changes it, whatever overlaps.
// CHECK-LABEL: void shrinks(
// CHECK-NOT: {{^}}  // clang-raise
// CHECK: s->rows -= y[i];
// LEFT: [[#@LINE+2]]:{{.*}}may change 's->rows', which the loop's bound uses [CR1201
void shrinks(Sizes *s, int *y) {
  for (int i = 0; i < s->rows; ++i)
    s->rows -= y[i];
}
// Which element of another one it is varies.
// CHECK-LABEL: void each(
// LEFT: [[#@LINE+3]]:{{.*}}may change 'n[i]', which the loop's bound uses [CR1201
void each(int m, const int *n, int *y) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n[i]; ++j)
      y[j] += i;
}

// The rows' length is read once, and what asks for work enough asks behind it.
// ROWS: void rowsOf(
// ROWS: const int rows = s->rows;
// ROWS-NEXT: #pragma omp parallel for if (parallel : rows
void rowsOf(const Sizes *s, int *y, int m) {
  for (int r = 0; r < 3; ++r) {
    for (int i = 1; i < s->rows; ++i)
      y[r * m + i] = y[r * m + i - 1] + 1;
    y[r * m] = 1;
  }
}

int main() {
  // At every place in the array of which it is the bound, and beside it.
  for (int at = 0; at < 34; ++at) {
    alignas(8) int y[48] = {};
    auto *s = reinterpret_cast<Sizes *>(y + at);
    *s = {25, 4};
    fill(s, y);
    for (int v : y)
      std::printf(" %d", v);
    *s = {5, 4};
    int x[48];
    for (int i = 0; i < 48; ++i)
      x[i] = i % 7;
    table(*s, x, y);
    for (int v : y)
      std::printf(" %d", v);
    *s = {5, 4};
    table(*s, y, x);
    *s = {21, 0};
    std::printf(" last %d", last(s, y));
    std::printf(" %d", odd(s, y));
    *s = {5, 3};
    strides(s, 6, x, y); // x holds strides of 0 to 6
    for (int v : y)
      std::printf(" %d", v);
    *s = {5, 3};
    x[3] = 101;
    seldom(s, 9, x, y);
    x[3] = 3;
    y[at] = 11;
    down(y[at], y);
    for (int v : y)
      std::printf(" %d", v);
    std::puts("");
  }
  for (int n : {-3, 0, 1, 20}) {
    int y[80] = {};
    Sizes s{n, 3};
    fill(&s, y);
    std::printf("%d", last(&s, y));
    std::printf(" %d", odd(&s, y));
    total = n;
    named(y);
    for (int v : y)
      std::printf(" %d", v);
    rowsOf(&s, y, 12);
    rowsOf(&s, y, 20);
    for (int v : y)
      std::printf(" %d", v);
    std::puts("");
  }
  // The bound is one of its own elements.
  for (int n : {1, 5}) {
    total = n;
    named(&total);
    std::printf("total %d\n", total);
    Grid g{n, nullptr};
    g.at = &g.n;
    g.set(1);
    std::printf("grid %d\n", g.n);
  }
  Rows a{40, {0}, {}, {}};
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < i % 4; ++k) {
      a.column.push_back((i * 7 + k * 5) % 40);
      a.value.push_back(i + 0.5 * k);
    }
    a.begin.push_back(static_cast<int>(a.column.size()));
  }
  std::vector<double> x(40), y(40);
  for (int i = 0; i < 40; ++i)
    x[i] = i - 20;
  product(a, x, y);
  product(a, y, y);
  for (double v : y)
    std::printf(" %g", v);
  Sizes s{9, 1};
  int ones[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  shrinks(&s, ones);
  int counts[3] = {1, 2, 3};
  each(3, counts, ones);
  each(2, counts, counts);
  std::printf(" %d %d %d\n", s.rows, ones[0], counts[0]);
}
