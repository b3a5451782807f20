// Who asks for verification learns that there was nothing to verify.
//
// RUN: %clang_raise rewrite %s -o %t.c --verify --function=left -- -fopenmp 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: %clang_raise rewrite %s -o %t.c --require-verified --function=left -- -fopenmp 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: %clang_raise rewrite %s -o %t.c --function=left -- -fopenmp 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %clang_raise rewrite %s -o %t.c --verify -- -fopenmp 2>&1 | FileCheck %s --check-prefix=NONE
// NOTE: clang-raise: note: nothing was rewritten, so nothing was verified
// NONE-NOT: nothing was
void left(float *x, int n) {
  for (int i = 1; i < n; ++i)
    x[i] = x[i - 1] * x[i - 1];
}
void raised(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = 2;
}
