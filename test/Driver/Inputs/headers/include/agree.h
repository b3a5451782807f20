#ifndef AGREE_H
#define AGREE_H
static inline void scale(double *x, int n, double a) {
  for (int i = 0; i < n; ++i)
    x[i] = a * x[i] + 1.0 / (1.0 + x[i] * x[i]);
}
// clang-raise: off
static inline void shift(double *x, int n, double a) {
  for (int i = 0; i < n; ++i)
    x[i] = a + x[i] / (1.0 + x[i] * x[i]);
}
// clang-raise: on
#endif
