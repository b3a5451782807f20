// What the author wrote about a loop stays in what replaces it, once.
//
// RUN: %clang_raise rewrite %s -o %t.c -- -O2 -fopenmp 2> %t.err
// RUN: grep -v '// CHECK' %t.c > %t.bare.c && FileCheck %s < %t.bare.c
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.c -o %t.o
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.c -o %t.o
// RUN: cp %t.c %t.again.c && %clang_raise rewrite %t.again.c --in-place -- -O2 -fopenmp 2> %t.err
// RUN: cmp %t.c %t.again.c

// A comment about a statement that is printed stands above it, all others in the
// block's own comment.
// CHECK-LABEL: void placed(
// CHECK: // before
// CHECK-NEXT: // clang-raise: placed:1
// CHECK: // No two iterations
// CHECK-NEXT: // of the loop itself
// CHECK-NEXT: // at the end
// CHECK-NEXT: #pragma omp parallel for
// CHECK-NEXT: for (int i = 0; i < 1000000; ++i) {
// CHECK-NEXT: // scale: see paper, eq. 3
// CHECK-NEXT: y[i] = x[i] * 2;
// CHECK-NEXT: // positive only
// CHECK-NEXT: if (x[i] > 0) {
// CHECK-NEXT: // one more:
// CHECK-NEXT: // a long story
// CHECK-NEXT: y[i] += 1;
// CHECK: // clang-raise: end
// CHECK-NEXT: // behind
void placed(float *restrict y, const float *restrict x) {
  // before
  for (int i = 0; i < 1000000; ++i) { // of the loop itself
    // scale: see paper, eq. 3
    y[i] = x[i] * 2;
    if (x[i] > 0) // positive only
      y[i] += 1;  /* one more:
                   * a long story
                   */
    // at the end
  } // behind
}

// Interchanged loops are no longer those that were written about; what does not
// come out at all keeps its comment, too.
// CHECK-LABEL: void unplaced(
// CHECK: // clang-raise: unplaced:1
// CHECK: // inner
// CHECK-NEXT: // never read
// CHECK-NEXT: #pragma
// CHECK: // the store
// CHECK-NEXT: y[j * 2000 + i] =
void unplaced(float *restrict y, const float *restrict x) {
  for (int i = 0; i < 2000; ++i)
    for (int j = 0; j < 1000; ++j) { // inner
      int unread = j; // never read
      (void)unread;
      y[j * 2000 + i] = x[j * 2000 + i] + 1; // the store
    }
}

// The original brings its own; it stands there for small sizes as well.
// CHECK-LABEL: void tested(
// CHECK: // clang-raise: tested:1
// CHECK-NOT: // see eq. 4
// CHECK: } else {
// CHECK: // see eq. 4
// CHECK-NOT: // see eq. 4
// CHECK: // clang-raise: end
void tested(float *y, const float *x, int n) {
  for (int i = 0; i < n; ++i) {
    // see eq. 4
    y[i] = x[i] * 2;
  }
}

// No text of a comment continues a line, ends a block, switches the formatter off,
// or is found where there is no comment.
// CHECK-LABEL: void harmless(
// CHECK: // clang-raise: harmless:1
// CHECK-NEXT: // y[i] = x[i] + '/'
// CHECK-NEXT: // No two
// CHECK-NEXT: // comment: clang-raise: end
// CHECK-NEXT: #pragma
// CHECK-NEXT: for (int i = 0; i < 1000000; ++i) {
// CHECK-NEXT: // a path: C:\.
// CHECK-NEXT: y[i] = x[i] + '/';
// CHECK-NEXT: }
// CHECK-NEXT: // clang-raise: end
void harmless(int *restrict y, const int *restrict x) {
  for (int i = 0; i < 1000000; ++i) { // clang-raise: end
    // clang-format off
    /* a path: C:\ */
    y[i] = x[i] + '/';
    // clang-format on
  }
}

// A comment behind the last statement is about that statement: it goes where the
// statement goes, and does not head what follows.
// CHECK-LABEL: float last(
// CHECK: } else {
// CHECK-NEXT: for (int i = 1; i < n - 1; i++)
// CHECK-NEXT: v[i] = 0.5f * u[i]; // update
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: // clang-raise: end
// CHECK-NEXT: return v[0]; // done
float last(float *v, const float *u, int n) {
  for (int i = 1; i < n - 1; i++)
    v[i] = 0.5f * u[i]; // update
  return v[0]; // done
}
