#define STEP -1
#include "third.h"
double run_c(const double *x, const double *y, int n) {
  return dot(x + n - 1, y, n);
}
