// What comments say of a place, in the IR.
// RUN: %raise_lift %s -- -O2 -fopenmp -DSKIPPED=0 | FileCheck %s

// A fact stands before its loop; C's conversions are those of the expression.
// CHECK-LABEL: c func @before(
// CHECK: assume "n % 4 == 0" n % 4 == 0;
// CHECK-NEXT: assume "u > n - 1" u > icast<u32>(n - 1);
// CHECK-NEXT: extent "p has n * m elements" p = icast<i64>(n) * m;
// CHECK-NEXT: for (i: i32
void before(float *p, int n, unsigned u, long m) {
  // clang-raise: assume(n % 4 == 0), assume(u > n - 1)
  // What people write may stand between.
  /* clang-raise: extent(p, n * m) */
  for (int i = 0; i < n; i++)
    p[i] = 0;
}

// Of a function, at its beginning, whatever its text begins with.
// CHECK-LABEL: @whole(
// CHECK-NEXT: assume "n > 0 && k" n > 0 && icast<bool>(k);
// clang-raise: assume(n > 0 && k)
static __attribute__((unused)) inline
void whole(float *p, int n, short k) {
  for (int i = 0; i < n; i++)
    p[i] = k;
}

// A directive may come between, and what it stands for in one build.
// CHECK-LABEL: @directive(
// CHECK: assume "m > n" m > n;
// CHECK: claimed for
void directive(float *p, int n, int m) {
  // clang-raise: assume(m > n)
#ifdef _OPENMP
#pragma omp parallel for
#endif
  for (int i = 0; i < n; i++)
    p[i] = m;
}

// The innermost name counts; a loop's own variables are not seen.
// CHECK-LABEL: @scopes(
// CHECK: let n.1: i64
// CHECK: assume "n > i" n.1 > icast<i64>(i);
void scopes(float *p, int n, int i) {
  {
    long n = i + 2;
    // clang-raise: assume(n > i)
    for (int i = 0; i < n; i++)
      p[i] = 0;
  }
}

// Constants are their values.
// CHECK-LABEL: @constants(
// CHECK: assume "n % (Tile + more) == tile" n % 13 == 3;
enum { Other, Tile = 4 };
static const int more = 2 * Tile + 1;
void constants(float *p, int n) {
  static const short tile = 3;
  // clang-raise: assume(n % (Tile + more) == tile)
  for (int i = 0; i < n; i++)
    p[i] = 0;
}

// What is off is opaque, and so is a part of a loop for the loop.
// CHECK-LABEL: @off(
// CHECK: opaque "for (int i = 0; i < n; i++)
// CHECK: for (i: i32
// CHECK: opaque "for (int j
void off(float *p, int n) {
  // clang-raise: off
  for (int i = 0; i < n; i++)
    p[i] = 0;
  // clang-raise: on
  for (int i = 0; i < n; i++) {
    p[i] += 1;
    /* clang-raise: off */
    for (int j = 0; j < i; j++)
      p[j] += p[i];
    /* clang-raise: on */
  }
}

// The rest of a file that no 'on' follows; nothing in code that is skipped, in
// marked blocks' lines or in strings is a note.
// CHECK-LABEL: @last(
// CHECK: opaque
#if SKIPPED
// clang-raise: nonsense
#endif
const char *text = "// clang-raise: nonsense";
// clang-raise: off
void last(float *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: notes.c:[[#]]:{{.*}}'clang-raise: off' on line [[#@LINE-5]] has it left as it is [CR1032]
