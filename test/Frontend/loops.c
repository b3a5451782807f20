// RUN: %raise_lift %s -- -O2 | FileCheck %s
// Which loops are counted, and why others are not.

void forms(float *x, int n, unsigned m, int s) {
  int i;
  for (i = 0; i <= n; i += 2)
    x[i] = 0;
  for (int k = n - 1; k >= 0; --k)
    x[k] = 1;
  for (int k = 0; n > k; k = k + s)
    x[k] = 2;
  for (unsigned k = m; k != 0; k--)
    x[k] = 3;
  for (int k = 0, j = n; k < n; k++, j--)
    x[k] = j;
}
// CHECK-LABEL: @forms
// CHECK: for (i = 0; i <= n; i += 2) {
// CHECK: for (k: i32 = n - 1; k >= 0; k += -1) {
// CHECK: for ([[K:k.[0-9]+]]: i32 = 0; [[K]] < n; [[K]] += s) {
// CHECK: for ({{.*}}: u32 = m; {{.*}} != icast<u32>(0); {{.*}} += 4294967295:u32) {
// CHECK: let j: i32 = n;
// CHECK: j -= 1;

void not_counted(float *x, int *n, int m, char c) {
  for (int i = 0; i < m; i++)
    if (x[i] < 0)
      i++;
  for (int i = 0; i < *n; i++)
    n[i] = 1;
  for (int i = 0; i < m; i++)
    m -= x[i] > 0;
  for (char i = 0; i < m; i++)
    x[i] = 0;
  for (char i = 0; i < c; i++)
    x[i] = 0;
}
// CHECK-LABEL: @not_counted
// CHECK: while {{.*}} why "the body assigns the loop's variable"
// CHECK: while {{.*}} why "the store to 'n[i]' may change 'n[0]', which the loop's bound uses"
// CHECK: while {{.*}} why "the body changes 'm', which the loop's bound uses"
// CHECK: while {{.*}} why "the loop's variable is stepped in another type, where it may wrap"
// CHECK: for ({{.*}}: i8 = icast<i8>(0); {{.*}} < icast<i32>(c);

void bound_in_memory(float *restrict x, const int *restrict n) {
  for (int i = 0; i < *n; i++)
    x[i] = 0;
}
// CHECK-LABEL: @bound_in_memory
// CHECK: for (i: i32 = 0; i < n[0:i64]; i += 1) {

int continues(const float *x, int n) {
  int s = 0, i = 0;
  for (; i * 2 < n; i++) {
    if (x[i] < 0)
      continue;
    s++;
  }
  return s;
}
// CHECK-LABEL: @continues
// CHECK: while (i * 2 < n)
// CHECK: i += 1;
// CHECK-NEXT: continue;
// CHECK: i += 1;
// CHECK-NOT: [CR

// A while loop that ends with its step is a counted one; not one whose step a `continue` passes by, or that has none
// that is constant, or that changes its variable in between.
// CHECK-LABEL: @whiles
// CHECK: for (k = k; k < n; k += 1) {
// CHECK: for (k = k; k > 0; k += -2) {
// CHECK-NOT: for (
// CHECK: while
// CHECK: while
// CHECK: while
// CHECK: why "the body assigns the loop's variable"
void whiles(float *x, int k, int n) {
  while (k < n) {
    x[k] = 0;
    k++;
  }
  while (k > 0) {
    x[k] = 1;
    k = k - 2;
  }
  while (k < n) {
    if (x[k] < 0)
      continue;
    x[k] = 2;
    k++;
  }
  while (k < n) {
    const int s = (int)x[k];
    x[k] = 3;
    k += s;
  }
  while (k < n) {
    if (x[k] < 0)
      k++;
    x[k] = 4;
    k++;
  }
}
