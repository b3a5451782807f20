// Each outermost loop has exactly one result, wherever C++ lets it stand.
//
// RUN: %clang_raise explain %s --json=%t.json -- -std=c++17 -fopenmp > %t.out
// RUN: %python %S/Inputs/results.py %s %t.json
// RUN: FileCheck %s < %t.out
// RUN: %clang_raise rewrite %s -o %t.cpp -- -std=c++17 -fopenmp > %t.out 2>&1
// RUN: %clangxx -std=c++17 -fopenmp -fsyntax-only %t.cpp
//
// --function chooses among what was never lifted too:
// RUN: %clang_raise explain %s --function=never -- -std=c++17 | FileCheck %s --check-prefix=NEVER
// NEVER: every-loop.cpp:{{.*}} [CR1028
// NEVER-NOT: every-loop.cpp

void under_for(float *x, int n) {
#pragma omp parallel for
  // CHECK: every-loop.cpp:[[#@LINE+1]]:3: remark: not rewritten: it already runs under the author's 'omp parallel for' [CR1020
  for (int i = 0; i < n; ++i) // results: CR1020
    x[i] = 0;
}
template <typename T> void under_for_in_template(T *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) // results: CR1020
    x[i] = 0;
}
template void under_for_in_template<float>(float *, int);
template void under_for_in_template<double>(double *, int);
void plain(float *x, int n) {
  for (int i = 0; i < n; ++i) // results: none
    x[i] = 0;
}

struct Object {
  float *x;
  int n;
  int count = [](int m) {
    int s = 0;
    for (int i = 0; i < m; ++i) // results: CR1015
      s += i;
    return s;
  }(3);
  Object(float *x, int n)
      : x(x), n(n), count([&] {
          int s = 0;
          for (int i = 0; i < n; ++i) // results: CR1015
            s += i;
          return s;
        }()) {}
  Object(int) {
    for (int i = 0; i < n; ++i) // results: none
      x[i] = 0;
  }
  ~Object() {
    for (int i = 0; i < n; ++i) // results: none
      x[i] = 0;
  }
  void member() {
    for (int i = 0; i < n; ++i) // results: none
      x[i] = 0;
  }
  static void staticMember(float *x, int n) {
    for (int i = 0; i < n; ++i) // results: none
      x[i] = 0;
  }
  operator int() const {
    int s = 0;
    for (int i = 0; i < n; ++i) // results: none
      s += i;
    return s;
  }
};

static int Table = [] {
  int s = 0;
  for (int i = 0; i < 5; ++i) // results: CR1015
    s += i;
  return s;
}();
template <typename T>
T Variable = [] {
  T s = 0;
  for (int i = 0; i < 5; ++i) // results: CR1015
    s += i;
  return s;
}();
void defaulted(int k = [] {
  int s = 0;
  for (int i = 0; i < 5; ++i) // results: CR1015
    s += i;
  return s;
}());
void staticLocal(float *x, int n) {
  static const int z = [] {
    int s = 0;
    for (int i = 0; i < 5; ++i) // results: CR1015
      s += i;
    return s;
  }();
  x[0] = z + Table;
}

template <typename T> void never(T *x, int n) {
  for (int i = 0; i < n; ++i) // results: CR1028
    x[i] = 0;
}
template <typename T> void once(T *x, int n) {
  if constexpr (sizeof(T) == 1) {
    for (int i = 0; i < n; ++i) // results: CR1029
      x[i] = 0;
  } else {
    for (int i = 0; i < n; ++i) // results: CR1704
      x[i] = 1;
  }
}
template void once<float>(float *, int);
template <typename T> struct Generic {
  void member(T *x, int n) {
    for (int i = 0; i < n; ++i) // results: CR1704
      x[i] = 0;
  }
  void unused(T *x, int n) {
    for (int i = 0; i < n; ++i) // results: CR1028
      x[i] = 0;
  }
  static void outside(T *x, int n);
};
template <typename T> void Generic<T>::outside(T *x, int n) {
  for (int i = 0; i < n; ++i) // results: CR1704
    x[i] = 0;
}
void use(Generic<float> &f, Generic<double> &d, float *x, double *y) {
  f.member(x, 3);
  d.member(y, 3);
  Generic<float>::outside(x, 3);
  Generic<double>::outside(y, 3);
}

// The worst instantiation counts.
template <typename T> void worst(T *x, int n) {
  for (int i = 1; i < n; ++i) // results: CR1101
    x[i] = x[i - 1 + int(sizeof(T) / 8)] * x[i - 1 + int(sizeof(T) / 8)];
}
template void worst<double>(double *, int);
template void worst<float>(float *, int);

void discarded(float *x, int n) {
  if constexpr (false)
    for (int i = 0; i < n; ++i) // results: CR1029
      x[i] = 0;
  if constexpr (true)
    for (int i = 0; i < n; ++i) // results: none
      x[i] = 1;
}
void lambda(float *x, int n) {
  auto f = [=] {
    for (int i = 0; i < n; ++i) // results: CR1015
      x[i] = 0;
  };
  f();
}
void genericLambda(float *x, int n) {
  auto f = [](auto *x, int n) {
    for (int i = 0; i < n; ++i) // results: CR1015
      x[i] = 0;
  };
  f(x, n);
}
void localClass(float *x, int n) {
  struct Local {
    static void go(float *x, int n) {
      for (int i = 0; i < n; ++i) // results: none
        x[i] = 0;
    }
  };
  Local::go(x, n);
}
void guarded(float *x, int n) try {
  for (int i = 0; i < n; ++i) // results: CR1003
    x[i] = 0;
} catch (...) {
  for (int i = 0; i < n; ++i) // results: CR1003
    x[i] = 0;
}
void range(float (&x)[8]) {
  for (float &f : x) // results: CR1602
    f = 0;
}
#define FUNCTIONS(a)                                                           \
  void a##1(float *x, int n) {                                                 \
    for (int i = 0; i < n; ++i)                                                \
      x[i] = 0;                                                                \
  }                                                                            \
  void a##2(float *x, int n) {                                                 \
    for (int i = 0; i < n; ++i)                                                \
      x[i] = 0;                                                                \
  }
FUNCTIONS(made) // results: CR1702 CR1702
namespace {
void internal(float *x, int n) {
  for (int i = 0; i < n; ++i) // results: none
    x[i] = 0;
}
} // namespace
void *Keep = (void *)internal;
