// Notes in comments: what is off stays, what is assumed is named, in the block
// and in the results; the second run changes nothing; both forms do the same.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/notes.c
// RUN: %clang_raise rewrite %t/notes.c --in-place --json=%t/json --verify -- -O2 -fopenmp 2> %t/remarks
// RUN: FileCheck %s < %t/json
// RUN: FileCheck --check-prefix=TEXT %s < %t/notes.c
// RUN: cp %t/notes.c %t/once.c
// RUN: %clang_raise rewrite %t/notes.c --in-place -- -O2 -fopenmp 2> %t/again
// RUN: cmp %t/notes.c %t/once.c
// RUN: %clang_raise rewrite %t/notes.c --check -- -O2 -fopenmp 2> %t/again
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t/notes.c -o %t/notes.o
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t/notes.c -o %t/notes.o
// RUN: %clang_raise explain %s -- -O2 -fopenmp | FileCheck --check-prefix=EXPLAIN %s

// EXPLAIN: notes.c:[[#@LINE+13]]:3: remark: not raised: 'clang-raise: off' on line [[#@LINE+12]] has it left as it is [CR1032
// CHECK: "function": "partly"
// CHECK: "status": "left"
// CHECK: "code": "CR1032"
// CHECK: "function": "partly"
// CHECK: "status": "raised"
// CHECK: "rewritten": true
// TEXT: void partly(
void partly(float *restrict a, const float *restrict b, int n) {
  // TEXT: {{^}}  // clang-raise: off
  // TEXT-NEXT: for (int i = 0; i < n; i++)
  // TEXT-NEXT: a[i] = b[i] * 2;
  // clang-raise: off
  for (int i = 0; i < n; i++)
    a[i] = b[i] * 2;
  // clang-raise: on
  // TEXT: {{^}}  // clang-raise: on
  // TEXT-NEXT: // clang-raise: partly:1
  for (int i = 0; i < n; i++)
    a[i] += b[i] * 3;
}

// A loop around what is off stays, the others in it do not.
// CHECK: "function": "around"
// CHECK: "status": "partial"
// CHECK: "code": "CR1032"
// CHECK: "function": "around"
// CHECK: "status": "raised"
// CHECK: "rewritten": true
// CHECK: "function": "around"
// CHECK: "status": "left"
// CHECK: "code": "CR1032"
// TEXT: void around(
// TEXT: // clang-raise: around:1
// TEXT: // clang-raise: end
// TEXT-NEXT: {{^}}    // clang-raise: off
// TEXT-NEXT: for (int i = 1; i < n; i++)
// TEXT-NEXT: a[i] *= 3;
void around(float *restrict a, float *restrict b, int n, int m) {
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < n; i++)
      b[j * n + i] += a[i] * 2;
    // clang-raise: off
    for (int i = 1; i < n; i++)
      a[i] *= 3;
    // clang-raise: on
  }
}

// Without the assumption the loop keeps its order, or tests it.
// CHECK: "function": "unsaid"
// CHECK: "rewritten": false
// CHECK: "assumptions": []
void unsaid(float *restrict a, int n, int m) {
  for (int i = 0; i < n; i++)
    a[i] = a[i + m] * 2;
}

// CHECK: "function": "told"
// CHECK: "assumptions": [
// CHECK-NEXT: "m >= n"
// CHECK-NEXT: ]
// CHECK: "guards": []
// CHECK: "verification": "passed"
// TEXT: void told(
// TEXT: {{^}}  // clang-raise: assume(m >= n)
// TEXT-NEXT: // clang-raise: told:1
// TEXT: Assumed: m >=
// TEXT-NOT: m >= n
// TEXT: // clang-raise: end
void told(float *restrict a, int n, int m) {
  // clang-raise: assume(m >= n)
  for (int i = 0; i < n; i++)
    a[i] = a[i + m] * 2;
}

// Of a function: each of its loops.
// CHECK: "function": "throughout"
// CHECK: "assumptions": [
// CHECK-NEXT: "m >= n && n % 4 == 0"
// CHECK: "guards": []
// CHECK: "verification": "passed"
// CHECK: "function": "throughout"
// CHECK: "assumptions": [
// CHECK-NEXT: "m >= n && n % 4 == 0"
// TEXT: {{^}}// clang-raise: assume(m >= n && n % 4 == 0)
// TEXT: Assumed:
// TEXT: Assumed:
// clang-raise: assume(m >= n && n % 4 == 0)
void throughout(float *restrict a, float *restrict b, int n, int m) {
  for (int i = 0; i < n; i++)
    a[i] = a[i + m] * 2;
  b[n] = a[0];
  for (int i = 0; i < n; i++)
    b[i + m] = b[i] + a[i];
}

// Where a loop reaches what is loaded, a test of the whole array takes the
// place of a refusal.
// CHECK: "function": "gather"
// CHECK: "status": "left"
// CHECK: "code": "CR1105"
void gather(float *y, const float *x, const int *restrict k, int n) {
  for (int i = 0; i < n; i++)
    if (k[i] >= 0)
      y[i] = x[k[i]];
}

// CHECK: "function": "gather_told"
// CHECK: "status": "raised"
// CHECK: "rewritten": true
// CHECK: "assumptions": [
// CHECK-NEXT: "x has 2 * n elements"
// CHECK: "guards": [
// CHECK-NEXT: "x and y do not overlap"
// CHECK: "verification": "passed"
// TEXT: void gather_told(
// TEXT: Assumed: x
void gather_told(float *y, const float *x, const int *restrict k, int n) {
  // clang-raise: extent(x, 2 * n)
  for (int i = 0; i < n; i++)
    if (k[i] >= 0)
      y[i] = x[k[i]];
}
