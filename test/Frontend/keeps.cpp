// What may have kept an address says so; what only reads a reference, or borrows an address, does not.
// RUN: %raise_lift %s -- -O2 -std=c++17 2>&1 | FileCheck %s
extern "C" int printf(const char *, ...);
int keep(int *);
void see(const int &);
static int twice(const int &x) { return x + x; }
static const int &same(const int &x) { return x; }
struct End {
  int &r;
  ~End();
};

// CHECK-LABEL: func @unknown(
// CHECK: opaque "see(k)" {{.*}} touches (k) keeps (k);
int unknown(double *a, int n) {
  int k = 1;
  for (int i = 0; i < n; i++)
    a[i] = k;
  see(k);
  return k;
}
// CHECK-LABEL: func @nested(
// CHECK: opaque "printf(\"%d\", keep(&k))" {{.*}} touches (k) keeps (k);
int nested(double *a, int n) {
  int k = 1;
  for (int i = 0; i < n; i++)
    a[i] = k;
  printf("%d", keep(&k));
  return k;
}
// CHECK-LABEL: func @borrowed(
// CHECK: opaque "printf(\"%p%d%d\", &k, k, twice(2))" {{.*}} touches (k);
int borrowed(double *a, int n) {
  int k = 1;
  for (int i = 0; i < n; i++)
    a[i] = k;
  printf("%p%d%d", &k, k, twice(2));
  return k;
}
// CHECK-LABEL: func @through(
// CHECK: opaque "const int *p = &same(k);" {{.*}} keeps (k);
int through(double *a, int n) {
  int k = 1;
  for (int i = 0; i < n; i++)
    a[i] = k;
  const int *p = &same(k);
  k = 2;
  return *p;
}
// CHECK-LABEL: func @ending(
// CHECK: opaque "End e{k};" {{.*}} touches (k) keeps (k);
int ending(double *a, int n) {
  int k = 1;
  for (int i = 0; i < n; i++)
    a[i] = k;
  End e{k};
  return 0;
}
// CHECK-LABEL: func @copies(
// CHECK: opaque "auto f = [k] { return k; };" "CR1015" "'f' keeps values of variables that change" touches (k);
int copies(double *a, int n) {
  int k = 1;
  for (int i = 0; i < n; i++)
    a[i] = k;
  auto f = [k] { return k; };
  k = 2;
  return f();
}
