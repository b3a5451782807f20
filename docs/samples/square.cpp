void square(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
