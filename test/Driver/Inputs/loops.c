int before;
void scale(float *y, const float *x, float a, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i];
}
void prefix(float *u, int n) {
  for (int i = 1; i < n; ++i)
    u[i] = 1.0f / u[i - 1];
}
void only_statement(float *u, int n, int c) {
  if (c)
    for (int i = 0; i < n; ++i) u[i] = 1; else u[0] = 2;
}
int after;
