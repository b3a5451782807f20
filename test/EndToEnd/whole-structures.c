// A structure that is assigned as a whole, or whose address is taken, has the members of what it is at the loop.
// RUN: %clang_raise rewrite --verify %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && %t.gcc
enum { N = 300000 };
struct image {
  int n;
  double *v;
};
static double A[N], B[N], C[N];
static struct image load(int k) {
  struct image of = {N - k, k == 0 ? A : k == 1 ? B : C};
  return of;
}
struct image (*volatile loader)(int) = load;
static void swap(struct image *a, struct image *b) {
  struct image t = *a;
  *a = *b;
  *b = t;
}
void (*volatile swapper)(struct image *, struct image *) = swap;

// CHECK: whole-structures.c:[[#@LINE+6]]:{{.*}}raised to a map: c.v[i] = a.v[i] + 1,
// CHECK: whole-structures.c:[[#@LINE+8]]:{{.*}}raised to a map: a.v[i] *= 2,
void chosen(int f, int n) {
  struct image a = loader(0), c = loader(2), b = loader(1);
  if (f)
    a = b;
  for (int i = 0; i < n; i++)
    c.v[i] = a.v[i] + 1;
  a = c;
  for (int i = 0; i < a.n; i++)
    a.v[i] *= 2;
}
// CHECK: whole-structures.c:[[#@LINE+5]]:{{.*}}raised to a map: b.v[i] = a.v[i],
double swapped(int n) {
  struct image a = loader(0), b = loader(1);
  swapper(&a, &b);
  a.n = 7;
  for (int i = 0; i < n; i++)
    b.v[i] = a.v[i];
  return b.n + b.v[n - 1];
}
// The store may change the bound, as far as anyone can tell before it runs.
// CHECK: whole-structures.c:[[#@LINE+4]]:{{.*}}raised to a map: a.v[i] = 3,
void itself(void) {
  struct image a = loader(0), b = loader(1);
  swapper(&a, &b);
  for (int i = 0; i < a.n; i++)
    a.v[i] = 3;
}

int main(void) {
  for (int i = 0; i < N; i++)
    B[i] = i;
  chosen(1, N);
  int bad = C[5] != 12 || C[N - 3] != 2. * (N - 2) || C[N - 1] != N;
  bad |= swapped(N) != N + B[N - 1] || A[7] != 7;
  itself();
  return bad || B[0] != 3 || B[N - 1] != N - 1 || A[0] != 0;
}
