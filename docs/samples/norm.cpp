#include <cmath>

// Scales each row of x to length one.
void normalize(double *x, int rows, int n) {
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += x[r * n + i] * x[r * n + i];
    const double length = std::sqrt(sum);
    for (int i = 0; i < n; ++i)
      x[r * n + i] /= length;
  }
}
