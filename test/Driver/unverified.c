// A verification that gives no answer: the result is written, the same as without
// it, so that a later --check agrees; it is an error only where that was asked for. Here each input makes the original read
// what its caller never wrote.
//
// RUN: %clang_raise rewrite %s -o %t.c --verify --json=%t.json -- -O2 -fopenmp 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang_raise rewrite --quiet %s -o %t.c --verify -- -O2 -fopenmp 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: grep -v 'TEXT' %t.c > %t.bare.c && FileCheck %s --check-prefix=TEXT < %t.bare.c
// RUN: %clang_raise rewrite %s -o %t.c --check -- -O2 -fopenmp
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.c --require-verified -- -O2 -fopenmp 2>&1 | FileCheck %s --check-prefix=REQUIRED
// REMARK: verification inconclusive (
// TEXT: // clang-raise: never:1
// TEXT-NOT: // Not verified
// JSON: "verification": "inconclusive"
// REQUIRED: error: verification of 'never' is inconclusive, which --require-verified forbids
void never(float *x, int n) {
  int zero = 0;
  if (n / zero > 1)
    x[0] = 1;
  for (int i = 0; i < n; ++i)
    x[i] = sizeof(int);
}
