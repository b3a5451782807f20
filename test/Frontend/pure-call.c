// A function without a body that is declared pure or const: a statement that sets a variable, and says so.
// RUN: %raise_lift %s -- -std=c11 | FileCheck %s

double norm(const double *v, long n) __attribute__((pure));
int level(int k) __attribute__((const));
double other(const double *v, long n);
void look(double *x);

// CHECK-LABEL: func @scale
// CHECK: let norm_result: f64;
// CHECK-NEXT: opaque "norm(in + 1, n - 1)" "CR1207" "calls norm, which is pure but has no known body" touches (norm_result) pure norm_result = "norm"(at in 1:i64, n - icast<i64>(1));
// CHECK-NEXT: out[i] = in[i] / norm_result;
void scale(double *out, const double *in, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / norm(in + 1, n - 1);
}

// Arguments are converted as the parameters ask; a call in an argument comes first.
// CHECK-LABEL: func @nested
// CHECK: opaque "level(k)" {{.*}} const level_result = "level"(k);
// CHECK: opaque "level(level(k) + 1L)" {{.*}} const [[OUTER:level_result.*]] = "level"(icast<i32>(icast<i64>(level_result{{.*}}) + 1:i64));
// CHECK: out[i] = [[OUTER]];
void nested(int *out, int k, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = level(level(k) + 1L);
}

// Under a condition it stays there.
// CHECK-LABEL: func @lazy
// CHECK: if (i > 2) {
// CHECK: opaque "level(i)"
void lazy(int *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = i > 2 ? level(i) : 0;
}

// Not declared so; a pure function that might see a variable; a pointer to something else.
// CHECK-LABEL: func @opaque
// CHECK: opaque "out[i] = other(in, n)" "CR1005"
// CHECK: opaque "out[i] = norm((const double *)bytes, n)" "CR1009"
void opaque(double *out, const double *in, const char *bytes, long n) {
  for (long i = 0; i < n; ++i) {
    out[i] = other(in, n);
    out[i] = norm((const double *)bytes, n);
  }
}
// CHECK-LABEL: func @seen
// CHECK: opaque "out[i] = norm(in, n)" "CR1005"
void seen(double *out, const double *in, long n) {
  double x = 0;
  look(&x);
  for (long i = 0; i < n; ++i) {
    x = i;
    out[i] = norm(in, n);
  }
}

// It does not change what the loop's bound is made of.
// CHECK-LABEL: func @bound
// CHECK: for (i: i32 = 0; i < limit[0:i64]; i += 1) {
// CHECK: opaque "level(*limit)"
void bound(double *restrict out, const int *limit) {
  for (int i = 0; i < *limit; ++i)
    out[i] = level(*limit);
}
