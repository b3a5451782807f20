#include "kernels.h"

void fill(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = FILLED * i;
}
