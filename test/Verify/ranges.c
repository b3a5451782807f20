// A loop that is tested alone runs for values that the loops around it give to
// their counters: that the element in the middle lies in the array is known only
// from there.
// RUN: %clang_raise rewrite --verify --json=%t.json %s -o %t.c -- -O2 -fopenmp 2>&1 | FileCheck %s
// RUN: grep -o '"verification": "[a-z]*"' %t.json | FileCheck --check-prefix=JSON %s
double row[300];

// CHECK-NOT: CR1901
// JSON-NOT: failed
// JSON: passed
void paths(int n) {
  int i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      row[j] = row[j] < row[i] + 0.5 ? row[j] : row[i] + 0.5;
}

// JSON: passed
// JSON-NOT: failed
void down(int n) {
  for (int i = n - 1; i >= 0; i -= 2)
    for (int j = 0; j < n; j++)
      row[j] = row[j] < row[i] + 0.5 ? row[j] : row[i] + 0.5;
}
