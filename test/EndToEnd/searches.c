// Loops that some iteration leaves are understood, verified, and stay as they stand.
// RUN: %clang_raise rewrite --verify --json=%t.json %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: diff %s %t.c
// RUN: FileCheck --check-prefix=VERIFIED %s < %t.json
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
#include <stdlib.h>

// CHECK: searches.c:[[#@LINE+4]]:{{.*}}raised to a search: index = min {i: a[i] > t}  if any; value = a[i]  at the first i with a[i] > t,
// CHECK: searches.c:[[#@LINE+3]]:{{.*}}its order is kept: the loop may break [CR1603
double first(const double *a, double t, int n) {
  double value = -1, index = -2;
  for (int i = 0; i < n; i++) {
    if (a[i] > t) {
      index = i;
      value = a[i];
      goto found;
    }
  }
found:
  return value + index;
}

// CHECK: searches.c:[[#@LINE+2]]:{{.*}}raised to a search: exit(7)  at the first i with d[i] < 0; a[i] += b[i]·d[i]  before the first i with d[i] < 0,
void stop(double *restrict a, const double *restrict b, const double *restrict d, int n) {
  for (int i = 0; i < n; i++) {
    if (d[i] < 0.)
      exit(7);
    a[i] += b[i] * d[i];
  }
}

// CHECK: searches.c:[[#@LINE+2]]:{{.*}}raised to a search: a[i] += b[i]·c[i]  up to the first i with c[i] > b[i],
void until(double *restrict a, const double *restrict b, const double *restrict c, int n) {
  for (int i = 0; i < n; i++) {
    a[i] += b[i] * c[i];
    if (c[i] > b[i])
      break;
  }
}

// CHECK: searches.c:[[#@LINE+2]]:{{.*}}raised to a search: return min {i: a[i] = x}  if any,
int indexOf(const int *a, int n, int x) {
  for (int i = 0; i < n; i++)
    if (a[i] == x)
      return i;
  return -1;
}

// CHECK: searches.c:[[#@LINE+3]]:{{.*}}raised to a search: i = 0 < n ? -1 : n - 1; i =
int lastOf(const int *a, int n, int x) {
  int i;
  for (i = n - 1; i >= 0; i--)
    if (a[i] == x)
      break;
  return i;
}

// CHECK: searches.c:[[#@LINE+3]]:{{.*}}raised to a search
size_t length(const char *s) {
  const char *p = s;
  while (*p)
    p++;
  return p - s;
}

// CHECK: searches.c:[[#@LINE+2]]:{{.*}}raised to a search
void copy(char *restrict to, const char *restrict from) {
  while ((*to++ = *from++))
    ;
}

// CHECK: searches.c:[[#@LINE+3]]:{{.*}}raised to a scan: s += a[i]  up to the first i with s > most,
unsigned limited(const unsigned *a, int n, unsigned most) {
  unsigned s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    if (s > most)
      break;
  }
  return s;
}

// What goes round does not compose.
// CHECK: searches.c:[[#@LINE+2]]:{{.*}}not raised: the loop may break [CR1111
void squares(double *u, int n) {
  for (int i = 1; i < n; i++) {
    u[i] = u[i - 1] * u[i - 1];
    if (u[i] > 3)
      break;
  }
}

// CHECK: searches.c:[[#@LINE+3]]:{{.*}}not raised: how often the while loop runs is not known before it [CR1201
int chain(const int *next) {
  int n = 0;
  while (next[n] > 0)
    n = next[n];
  return n;
}

// What is printed of a raised form, beside its original, is compared with it.
// VERIFIED-COUNT-7: "verification": "passed"

int main(void) {
  double a[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, b[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, c[9] = {0, 0, 0, 2, 0, 0, 0, 0, 0};
  int x[5] = {4, 7, 4, 7, 1}, next[4] = {2, 0, 3, 0};
  unsigned u[4] = {1, 2, 3, 4};
  char s[6] = "abcde", t[6];
  if (first(a, 3.5, 9) != 8 || first(a, 9, 9) != -3 || first(a, 0, 0) != -3)
    return 1;
  until(a, b, c, 9);
  if (a[3] != 5 || a[4] != 4)
    return 2;
  if (indexOf(x, 5, 7) != 1 || indexOf(x, 5, 2) != -1 || lastOf(x, 5, 7) != 3 || lastOf(x, 5, 2) != -1)
    return 3;
  copy(t, s);
  if (length(s) != 5 || length(t) != 5 || t[4] != 'e')
    return 4;
  if (limited(u, 4, 4) != 6 || chain(next) != 3)
    return 5;
  squares(a, 9);
  stop(a, b, b, 9);
  return 0;
}
