// A macro that another command may define otherwise, and that has no value
// where the loop stands, cannot be tested there: the loop is left. What is
// called and not followed rests on no value.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise rewrite --fp=strict %s -o %t/out.c -- -std=c11 -fopenmp 2>%t/err
// RUN: FileCheck --check-prefix=REMARK %s < %t/err
// RUN: sed "/CHECK/d" %t/out.c | FileCheck %s
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t/out.c -o %t/clang.o
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t/out.c -o %t/gcc.o
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -DWIDTH=500 "-DLANES(x)=x" -DDEPTH=2 -c %t/out.c -o %t/other.o

#ifndef WIDTH
#define WIDTH 1000
#endif
#ifndef LANES
#define LANES(x) ((x) * 4000)
#endif
#ifndef DEPTH
#define DEPTH 9
#endif

// CHECK-LABEL: void tested(
// CHECK: if (n > {{[0-9]+}} && WIDTH == 1000
void tested(float *restrict y, const float *restrict x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * WIDTH;
}

// A macro with parameters is no value.
// CHECK-LABEL: void lanes(
// CHECK-NOT: clang-raise
// REMARK: untested-macros.c:[[#@LINE+2]]:{{.*}}not rewritten: it rests on the macro 'LANES', which another compile command may define otherwise and which cannot be tested here [CR1717,
void lanes(float *restrict y, const float *restrict x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * LANES(30);
}

static inline float scaled(float x) { return x * WIDTH; }
struct size { int n; };
static struct size deep(int k) {
  struct size s = {k};
  return k > DEPTH + LANES(2) ? deep(k - 1) : s;
}

// What `deep` computes is not known, whatever its macros are.
// CHECK-LABEL: void unfollowed(
// CHECK: clang-raise: unfollowed:1
// CHECK-NOT: DEPTH ==
// CHECK-NOT: LANES ==
// CHECK: clang-raise: end
void unfollowed(float *restrict y, const float *restrict x, int k) {
  const struct size s = deep(k);
  for (int i = 0; i < s.n; i++)
    y[i] = x[i] * x[i];
}

#undef WIDTH
// CHECK-LABEL: void gone(
// CHECK-NOT: clang-raise
// REMARK: untested-macros.c:[[#@LINE+2]]:{{.*}}not rewritten: it rests on the macro 'WIDTH'{{.*}}[CR1717,
void gone(float *restrict y, const float *restrict x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = scaled(x[i]);
}

#define WIDTH 3
// CHECK-LABEL: void another(
// CHECK-NOT: clang-raise
// REMARK: untested-macros.c:[[#@LINE+2]]:{{.*}}not rewritten: it rests on the macro 'WIDTH'{{.*}}[CR1717,
void another(float *restrict y, const float *restrict x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = scaled(x[i]);
}
