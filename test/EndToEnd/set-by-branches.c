// A subscript that each branch of an `if` sets is bounded as one that `?:` chooses.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && %t.gcc
enum { N = 300000 };

// CHECK: set-by-branches.c:[[#@LINE+2]]:{{.*}}raised to a broadcast: o[j] = in[flip?w-j-1:j+dw],
void crop(int flip, int w, int dw, float *o, const float *in) {
  for (int j = 0; j < w; j++) {
    int col;
    if (flip)
      col = w - j - 1;
    else
      col = j + dw;
    o[j] = in[col];
  }
}
// CHECK: set-by-branches.c:[[#@LINE+2]]:{{.*}}raised to a broadcast: o[j] = in[
void once(int flip, int w, int dw, float *o, const float *in) {
  for (int j = 0; j < w; j++) {
    int col = j;
    if (flip)
      col = j + dw;
    o[j] = in[col];
  }
}
// A branch that is not followed leaves nothing to say of it.
// CHECK: set-by-branches.c:[[#@LINE+2]]:{{.*}}not raised: 'map' may overlap 'o', and which of its elements are used is not known before the loop [CR1105
void gathered(const int *map, int w, float *o, const float *in) {
  for (int j = 0; j < w; j++) {
    int col = j;
    if (map[j] > 0)
      col = map[map[j]];
    o[j] = in[col];
  }
}

static float a[2 * N], b[N];
int main(void) {
  static const int map[] = {2, 1, 0};
  for (int i = 0; i < 2 * N; i++)
    a[i] = i;
  crop(1, N, 0, b, a);
  int bad = b[0] != N - 1 || b[N - 1] != 0;
  crop(0, N, 5, b, a);
  bad |= b[0] != 5 || b[N - 1] != N + 4;
  once(1, N, 7, b, a);
  bad |= b[0] != 7 || b[N - 1] != N + 6;
  // What overlaps keeps its order.
  crop(0, N, 1, a + 2, a);
  bad |= a[2] != 1 || a[3] != 1 || a[4] != 1;
  gathered(map, 3, b, a);
  return bad || b[2] != a[2];
}
