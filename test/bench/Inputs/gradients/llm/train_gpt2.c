void scale(double *y, const double *x, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = 3.0 * x[i];
}
