#define REAL double
#define STEP 1
#include "agree.h"
#include "differ.h"
#undef STEP
#include "third.h"
void run_a(double *x, int n) {
  scale(x, n, 2.0);
  halve(x, n);
  x[0] = total(x, x, n) + dot(x, x, n);
}
