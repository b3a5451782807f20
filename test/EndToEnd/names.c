// Loops over what is only known by its name: a pointer that an unknown call returns, members of a structure that
// nothing changes. Pointers may overlap; the result is the original's, and compiles without a warning.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.c
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t

float *find(float *p, int by);

struct layer {
  int n;
  float *in, *out, *bias;
};

// Each pair of members is tested for overlap, under names that are identifiers.
// CHECK-LABEL: void forward(
// CHECK: const unsigned long long l_out_at = (unsigned long long)l.out
// CHECK: l.out[i] = l.in[i] + l.bias[i];
// CHECK: l.bias[i] = l.in[i];
// REMARK: names.c:[[#@LINE+2]]:{{.*}}raised to a map
void forward(struct layer l) {
  for (int i = 0; i < l.n; ++i) {
    l.out[i] = l.in[i] + l.bias[i];
    l.bias[i] = l.in[i];
  }
}

// CHECK-LABEL: void overlap(
// CHECK: sizeof(*p) * n
// REMARK: names.c:[[#@LINE+3]]:{{.*}}raised to a map
void overlap(float *x, int n) {
  float *p = find(x, 1);
  for (int i = 0; i < n; ++i)
    p[i] = x[i] + 1;
}

// A local array that the unknown pointer leads into.
// REMARK: names.c:[[#@LINE+6]]:{{.*}}raised to a map
float local(int n) {
  float a[64];
  for (int i = 0; i < 64; ++i)
    a[i] = 1;
  float *p = find(a, 1);
  for (int i = 0; i < n; ++i)
    p[i] = a[i] + 1;
  return a[n];
}

// What is assigned to a member is not followed, but its name still says where it leads.
// REMARK: names.c:[[#@LINE+3]]:{{.*}}raised to a map: l.out[i] = 0
void changed(struct layer l) {
  l.out = l.in;
  for (int i = 0; i < l.n; ++i)
    l.out[i] = 0;
}

float *find(float *p, int by) {
  p += by;
  return p;
}

// What gcc asks parentheses for has them.
// CHECK-LABEL: void masked(
// CHECK: out[i] = (!a[i]) | b[i];
void masked(int *out, const int *a, const int *b, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = (!a[i]) | b[i];
}

int main(void) {
  float x[64], y[65] = {0};
  for (int i = 0; i < 64; ++i)
    x[i] = 1;
  overlap(x, 63); // x[i + 1] = x[i] + 1
  for (int i = 0; i < 64; ++i)
    if (x[i] != i + 1)
      return 1;
  struct layer l = {63, y, y + 1, x};
  forward(l); // y[i + 1] = y[i] + x[i]
  if (y[3] != 6 || y[63] != 63 * 32)
    return 2;
  if (local(20) != 21)
    return 3;
  changed(l);
  return y[3] == 0 ? 0 : 4;
}
