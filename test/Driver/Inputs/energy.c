#include "energy.h"

double energy(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i)
    sum += 0.5 * x[i] * x[i] * x[i];
  return sum;
}

void step(double *x, const double *v, int n, double h) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * x[i] + h * v[i];
}
