static inline KIND NAME(const KIND *x, int n) {
  KIND sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}
