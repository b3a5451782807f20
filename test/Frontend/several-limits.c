// A conjunction of comparisons of the counter is one with the least of its
// bounds, if asking for all of them at once does no harm.
// RUN: %raise_lift %s -- | FileCheck %s

// CHECK-LABEL: func @up
// CHECK: for (i: i32 = 0; i < n < m ? n : m; i += 1)
void up(int n, int m, float *x) {
  for (int i = 0; i < n && i < m; ++i)
    x[i] = 1;
}

// CHECK-LABEL: func @down
// CHECK: for (i: i32 = n; i >= 0 >= m ? 0 : m; i += -1)
void down(int n, int m, float *x) {
  for (int i = n; i >= 0 && m <= i; --i)
    x[i] = 1;
}

// CHECK-LABEL: func @three
// CHECK: for (i: i32 = 0; i < (n < m ? n : m) < 90 ? n < m ? n : m : 90; i += 1)
void three(int n, int m, float *x) {
  for (int i = 0; i < n && (i < m && 90 > i); ++i)
    x[i] = 1;
}

// Where n is 0, m may be null.
// CHECK-LABEL: func @guarded
// CHECK: while {{.*}}a bound of the loop is only looked at while another holds
void guarded(int n, const int *m, float *x) {
  for (int i = 0; i < n && i < *m; ++i)
    x[i] = 1;
}

// Where n is 0, m + 1 need not be a number.
// CHECK-LABEL: func @sum
// CHECK: while {{.*}}a bound of the loop is only looked at while another holds
void sum(int n, int m, float *x) {
  for (int i = 0; i < n && i < m + 1; ++i)
    x[i] = 1;
}

// CHECK-LABEL: func @mixed
// CHECK: while {{.*}}the loop's condition tests more than one limit of its variable
void mixed(int n, int m, float *x) {
  for (int i = 0; i < n && i != m; ++i)
    x[i] = 1;
}
