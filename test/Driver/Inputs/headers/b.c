#define REAL float
#define STEP 2
#include "agree.h"
#include "differ.h"
#define KIND float
#define NAME of_float
#include "kinds.h"
#undef KIND
#undef NAME
#define KIND double
#define NAME of_double
#include "kinds.h"
double run_b(double *x, float *y, int n) {
  scale(x, n, 3.0);
  halve(y, n);
  return total(y, x, n / 2) + of_float(y, n) + of_double(x, n);
}
