#include <math.h>
long Calls;

double sumOfSquares(const double *v, long n);
double weight(long n);

double sumOfSquares(const double *v, long n) {
  double s = 0;
  for (long j = 0; j < n; ++j)
    s += v[j] * v[j];
#pragma omp atomic
  ++Calls;
  return s;
}

double weight(long n) {
#pragma omp atomic
  ++Calls;
  return n + 0.5;
}
