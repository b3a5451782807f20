// Loops over vectors, arrays and members: raised, and the same in every case, compiled by both compilers.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 -std=c++17 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: grep -v '// TEXT' %t.cpp | FileCheck --check-prefix=TEXT %s
// RUN: clang++-19 -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror -DN=300000 %t.cpp -o %t && %t > %t.raised
// RUN: g++ -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror -DN=300000 %t.cpp -o %t && %t > %t.gcc
// RUN: clang++-19 -O2 -std=c++17 -Wall -Wextra -DN=300000 %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.gcc %t.original
#include <cstdio>
#include <vector>
#ifndef N
#define N 10
#endif

// CHECK: containers.cpp:[[#@LINE+7]]:{{.*}}raised to a map
// TEXT: v[i] = a·w[i] + v[i],  0 ≤ i < v.size()
// TEXT: if (v.size() > 200000 &&
// TEXT: #pragma omp parallel for simd
// TEXT-NEXT: for (std::size_t i = 0; i < v.size(); ++i)
// TEXT-NEXT: v[i] = a * w[i] + v[i];
void scale(std::vector<float> &v, const std::vector<float> &w, float a) {
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = a * w[i] + v[i];
}

// CHECK: containers.cpp:[[#@LINE+2]]:{{.*}}raised to a map
void shift(std::vector<float> &v) {
  for (float &x : v)
    x += 1;
}

// CHECK: containers.cpp:[[#@LINE+2]]:{{.*}}raised to a map
void walk(std::vector<int> &v) {
  for (auto it = v.begin(); it != v.end(); ++it)
    *it ^= 3;
}

// A private member that the function does not name stays where it is.
class Field {
  std::vector<float> Values;

public:
  explicit Field(int n) : Values(n, 1.5f) {}
  float &at(int i) { return Values[i]; }
  // CHECK: containers.cpp:[[#@LINE+2]]:{{.*}}raised to a map
  void square() {
    for (std::size_t i = 0; i < Values.size(); ++i)
      Values[i] = Values[i] * Values[i];
  }
  // CHECK: containers.cpp:[[#@LINE+3]]:{{.*}}raised to a map
  // TEXT: this->Values[x_index] = -this->Values[x_index]
  void negate() {
    for (float &x : Values)
      x = -x;
  }
};
// CHECK: containers.cpp:[[#@LINE+3]]:{{.*}}raised to a map
// CHECK: containers.cpp:[[#@LINE+2]]:{{.*}}not rewritten: the raised form needs a member ('f.Values.data()') that the function does not name itself [CR1716
void fill(Field &f, int n) {
  for (int i = 0; i < n; ++i)
    f.at(i) += i;
}

// A lambda's body takes the place of its call; no warning that nothing uses it.
// CHECK: containers.cpp:[[#@LINE+4]]:{{.*}}raised to a
// TEXT: (void)twice;
void doubled(std::vector<float> &v) {
  auto twice = [&](std::size_t i) { v[i] = v[i] + v[i]; };
  for (std::size_t i = 0; i < v.size(); ++i)
    twice(i);
}

// CHECK: containers.cpp:[[#@LINE+3]]:{{.*}}not raised: calls std::vector<float>::push_back
// CHECK-NOT: containers.cpp:[[#@LINE+2]]:{{.*}}raised to
void grow(std::vector<float> &v) {
  for (std::size_t i = 0; i < v.size() && v.size() < 20; ++i)
    v.push_back(v[i]);
}

int main() {
  std::vector<float> v(N, 2.0f), w(N);
  std::vector<int> k(N, 5);
  for (int i = 0; i < N; ++i)
    w[i] = i % 17;
  scale(v, w, 3.0f);
  scale(v, v, 0.5f);
  shift(v);
  doubled(v);
  walk(k);
  Field f(N);
  f.square();
  f.negate();
  fill(f, N);
  std::vector<float> few(3, 1.0f);
  grow(few);
  double s = 0;
  for (int i = 0; i < N; i += 7)
    s += v[i] + k[i] + f.at(i);
  std::printf("%.17g %d\n", s, (int)few.size());
}
