// RUN: %raise_lift %s -- -O2 | FileCheck %s
// Pointers become a base and an offset; names are those of the source.

void rows(float *out, const float *inp, int B, int T, int C) {
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      const float *x = inp + b * T * C + t * C;
      float *o = out + b * T * C + t * C;
      for (int i = 0; i < C; i++)
        o[i] = x[i];
    }
}
// CHECK-LABEL: @rows
// CHECK: cursor x: inp = icast<i64>(b * T * C) + icast<i64>(t * C);
// CHECK: cursor o: out =
// CHECK: out[o + icast<i64>(i)] = inp[x + icast<i64>(i)];

void moved(float *p, int n) {
  p += 3;
  for (int i = 0; i < n; i++)
    *p++ = 0;
}
// CHECK-LABEL: @moved
// CHECK: cursor p.1: p = 0:i64;
// CHECK: p.1 += 3:i64;
// CHECK: p.1 += 1:i64;

void tested(float *a, float *b, int n) {
  for (int i = 0; i < n; i++)
    a[i] = b ? b[i] : 0;
}
// CHECK-LABEL: @tested
// CHECK: a[i] = nonnull(b) ? b[i] : icast<f32>(0);

void dimensions(int n, int m, double a[n][m], int b[][8]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++)
      a[i][j] = b[j][i];
}
// CHECK-LABEL: @dimensions
// CHECK: a: f64[][m], b: i32[][8:i64]
// CHECK: a[i, j] = icast<f64>(b[j, i]);
// CHECK-NOT: [CR
