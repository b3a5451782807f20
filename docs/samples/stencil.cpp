void smooth(double *v, const double *u, double a, double b, int n) {
  for (int i = 1; i < n - 1; ++i)
    v[i] = a * (u[i - 1] + u[i + 1]) + b * u[i] * u[i];
}
