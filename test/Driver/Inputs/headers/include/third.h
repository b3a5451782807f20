#ifndef STEP
#define STEP 1
#endif
static inline double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i * STEP] * y[i];
  return sum;
}
