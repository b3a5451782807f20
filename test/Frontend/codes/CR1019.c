// RUN: %raise_lift %s -- -O2 -ftrapv | FileCheck %s --check-prefix=TRAP
// RUN: %raise_lift %s -- -O2 -fwrapv | FileCheck %s --check-prefix=WRAP
// RUN: %raise_lift %s -- -O2 -fsanitize=signed-integer-overflow | FileCheck %s --check-prefix=SAN
// RUN: %raise_lift %s -- -O2 | FileCheck %s --check-prefix=GOOD
int sum(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
// TRAP: CR1019.c:5:5: compiled with -ftrapv, which gives signed overflow a meaning [CR1019]
// WRAP: compiled with -fwrapv
// SAN: compiled with -fsanitize=signed-integer-overflow
// GOOD: s += x[i];
// GOOD-NOT: [CR
