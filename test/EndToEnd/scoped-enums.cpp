// A scoped enumeration is compared and copied; where it is converted, the loop
// stays: no cast, no code.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 2>&1 | FileCheck %s
// RUN: clang++-19 -O2 -fopenmp -Wall -Wextra -Werror %t.cpp -o %t.clang && env OMP_NUM_THREADS=4 %t.clang
// RUN: g++ -O2 -fopenmp -Wall -Wextra -Werror %t.cpp -o %t.gcc && env OMP_NUM_THREADS=4 %t.gcc
enum class Kind { Leaf, Node };

// CHECK: scoped-enums.cpp:[[#@LINE+2]]:{{.*}}raised to a map
void mark(Kind *k, int n) {
  for (int i = 0; i < n; ++i)
    if (k[i] == Kind::Leaf)
      k[i] = Kind::Node;
}
// CHECK: scoped-enums.cpp:[[#@LINE+2]]:{{.*}}a scoped enumeration is converted here, which is not followed [CR1014
void numbers(int *t, const Kind *k, int n) {
  for (int i = 0; i < n; ++i)
    t[i] = static_cast<int>(k[i]);
}
// CHECK: scoped-enums.cpp:[[#@LINE+2]]:{{.*}}a scoped enumeration is converted here, which is not followed [CR1014
void kinds(Kind *k, int n) {
  for (int i = 0; i < n; ++i)
    k[i] = Kind(i % 2);
}

int main() {
  Kind k[100] = {};
  int t[100];
  kinds(k, 100);
  mark(k, 100);
  numbers(t, k, 100);
  for (int v : t)
    if (v != 1)
      return 1;
  return 0;
}
