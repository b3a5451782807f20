static inline void halve(REAL *x, int n) {
  REAL sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  x[0] = sum;
#ifdef SHIFTED
  for (int i = 0; i < n - 1; ++i)
#else
  for (int i = 0; i < n; ++i)
#endif
    x[i] *= 0.5;
}
static inline double total(const REAL *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (double)x[i] * y[i * STEP];
  return sum;
}
