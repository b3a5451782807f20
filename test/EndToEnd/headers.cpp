// A for header that does more than set its variable is one text with its loop: the loop is left, and nothing of the
// header is lost. A value that a backward goto reads again is kept.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.cpp
// RUN: FileCheck --check-prefix=REMARK %s < %t.err

// CHECK: for (i = 0, s = 0; i < n; i++)
// REMARK: headers.cpp:[[#@LINE+3]]:{{.*}}CR1206
int comma(const int *b, int n) {
  int i, s = 3;
  for (i = 0, s = 0; i < n; i++)
    s += b[i];
  return s;
}

// CHECK: for (int i = 0, m = n; i < m; i++)
void second(int *a, int n) {
  for (int i = 0, m = n; i < m; i++)
    a[i] = 7;
}

// CHECK: for (int i = k++; i < n; i++)
void increment(int *a, int n, int k) {
  for (int i = k++; i < n; i++)
    a[i] = k;
}

// (The loop is raised, but the original is as fast.)
// REMARK: headers.cpp:[[#@LINE+8]]:{{.*}}raised to a map
// CHECK: for (i = 0; i < n; i++)
// CHECK: goto again;
int again(int *a, int n) {
  int i = 7;
again:
  if (i != 7)
    return i;
  for (i = 0; i < n; i++)
    a[i] = 1;
  goto again;
}

// REMARK: headers.cpp:[[#@LINE+4]]:{{.*}}CR1716
void member(float *a, const float *b, int n) {
  struct { float s; } st = {0};
  // CHECK: st.s += b[i];
  for (int i = 0; i < n; i++)
    st.s += b[i];
  a[0] = st.s;
}
