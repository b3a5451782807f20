// Original and result that differ: the result is not written, and the status is 1.
// Here the original says on which line it stands, which a result above it moves.
//
// RUN: rm -f %t.c
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t.c --verify --json=%t.json -- -DLINE=__LINE__ -O1 -fopenmp 2>&1 | FileCheck %s
// RUN: test ! -e %t.c
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %clang_raise rewrite %s -o %t.c --verify -- -DLINE=7 -O1 -fopenmp 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: test -f %t.c
void f(float *x, int n) {
  // CHECK: verification-failed.c:[[#@LINE+4]]:3: remark: not raised: original and result differ: {{.*}} [CR1901, -Rraise-missed]
  // CHECK: verification-failed.c:[[#@LINE+3]]:3: error: verification of 'f' failed; nothing is written for this file
  // SAME: verification-failed.c:[[#@LINE+2]]:3: remark: raised to a map: {{.*}}; verification passed
  // SAME-NOT: CR1901
  for (int i = 0; i < n; ++i)
    x[i] = 2;
  if (n > 0)
    x[0] = LINE;
}
// JSON: "status": "failed"
// JSON-NEXT: "rewritten": false
// JSON: "code": "CR1901"
// JSON: "verification": "failed"
