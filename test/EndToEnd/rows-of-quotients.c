// Two sizes of which nothing says which is greater: the test is one that can hold.
// RUN: %clang_raise rewrite %s --verify -o - -- -O3 -fopenmp 2> %t.err | sed '/CHECK/d' | FileCheck %s
// RUN: FileCheck --check-prefix=VERIFIED %s < %t.err
// VERIFIED: verification passed

// CHECK: C >= (long long)NH * hs
// CHECK-NOT: C >= (long long)T * C
// CHECK: #pragma omp parallel for
void heads(float *out, const float *in, int T, int C, int NH) {
  int hs = C / NH;
  for (int t = 0; t < T; ++t)
    for (int h = 0; h < NH; ++h)
      for (int i = 0; i < hs; ++i)
        out[t * C + h * hs + i] += in[i];
}
