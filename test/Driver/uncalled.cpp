// A raised loop has the bodies of what it called. What no one calls any more is
// named, so that nobody warns of it; what is named elsewhere is not. (Ranges of
// this length need no test of their size, so no original that would call.)
//
// RUN: %clang_raise rewrite %s -o %t.cpp -- -O2 -fopenmp
// RUN: grep -v CHECK %t.cpp > %t.text
// RUN: FileCheck --input-file=%t.text %s
// RUN: %clangxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.cpp -o /dev/null
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.cpp -o /dev/null
// RUN: %clang_raise rewrite %t.cpp -o %t.again.cpp -- -O2 -fopenmp
// RUN: cmp %t.cpp %t.again.cpp
namespace {
void add(double *__restrict a, const double *__restrict b, int i) {
  a[i] += b[i] * 2;
  a[i] *= 0.5;
}
} // namespace
static void scale(double *__restrict a, int i) { a[i] *= 0.5; }
static void (*const Table[])(double *__restrict, int) = {scale};
static void again(double *__restrict a, int i) { a[i] *= 0.5; }

// CHECK-LABEL: void once(
// CHECK: // clang-raise: once:1
// CHECK-NOT: (void)
// CHECK: // clang-raise: end
void once(double *__restrict a, const double *__restrict b) {
  for (int i = 0; i < 2000000; i++) {
    add(a, b, i);
    scale(a, i);
    again(a, i);
  }
  Table[0](a, 0);
}

// CHECK-LABEL: void twice(
// CHECK:      {{^  }}else {
// CHECK-NEXT:   // clang-raise: twice:1
// CHECK:        a[i] *= 0.5;
// CHECK-NOT:  (void)scale
// CHECK:        // Called no more:
// CHECK-NEXT:   (void)add;
// CHECK-NEXT:   (void)again;
// CHECK-NEXT:   // clang-raise: end
// CHECK-NEXT: }
void twice(double *__restrict a, const double *__restrict b, bool first) {
  if (first)
    a[0] = 1;
  else
    for (int i = 0; i < 2000000; i++) {
      add(a, b, i);
      scale(a, i);
      again(a, i);
    }
}
