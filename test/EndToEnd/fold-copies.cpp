// What stood for a call is written where it is used, if that is what the source does and rounds.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.cpp -- -fopenmp -O2 -std=c++17 2> %t.remarks
// RUN: FileCheck %s < %t.cpp
// RUN: g++ -O2 -std=c++17 -w %s -o %t && %t > %t.original
// RUN: %clangxx -O1 -g -std=c++17 -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp -Wall -Wextra -Werror -Wno-pass-failed %t.cpp -o %t && env OMP_NUM_THREADS=3 %t > %t.clang
// RUN: diff %t.original %t.clang
#include <cstdio>
#include <vector>

struct Image {
  int w;
  std::vector<float> d;
  float at(int x, int y) const { return d[y * w + x]; }
};

// CHECK-LABEL: void shift(
// CHECK: out[y * n + x] = in.d[(y + 1) * {{.*}} + (x + 1)] - in.d[y * {{.*}} + x];
void shift(const Image &in, int n, float *__restrict out) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      out[y * n + x] = in.at(x + 1, y + 1) - in.at(x, y);
}

// A product of another expression is rounded before it is added.
static float times(float a, float b) { return a * b; }
// CHECK-LABEL: void added(
// CHECK: z[i] = times(x[i], y[i]) + 1;
void added(int n, const float *__restrict x, const float *__restrict y, float *__restrict z) {
  for (int i = 0; i < n; ++i)
    z[i] = times(x[i], y[i]) + 1;
}

// What is stored before the value is used may be the value: it keeps its name.
static float old(const float *x, int i) { return x[i]; }
// CHECK-LABEL: void kept(
// CHECK: const float before = x[i];
void kept(int n, float *__restrict x, float *__restrict y) {
  for (int i = 0; i < n; ++i) {
    const float before = old(x, i);
    x[i] = 2;
    y[i] = before;
  }
}

// A parameter that the function changes is a variable of its own.
static int clamped(int i, int n) {
  if (i > n)
    i = n;
  return i;
}
// CHECK-LABEL: void ends(
// CHECK: y[i] = x[clamped(i, m)] + i;
void ends(int n, int m, const float *__restrict x, float *__restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] = x[clamped(i, m)] + i;
}

int main() {
  Image in{9, std::vector<float>(81)};
  for (int i = 0; i < 81; ++i)
    in.d[i] = i * i % 23;
  float out[64], x[64], y[64];
  shift(in, 8, out);
  for (int i = 0; i < 64; ++i) {
    x[i] = out[i] * 0.1f;
    y[i] = out[i] + 0.3f;
  }
  float z[64];
  added(64, x, y, z);
  kept(30, x, y);
  ends(64, 40, z, out);
  for (int i = 0; i < 64; ++i)
    std::printf(" %.9g %.9g %.9g %.9g\n", x[i], y[i], z[i], out[i]);
}
