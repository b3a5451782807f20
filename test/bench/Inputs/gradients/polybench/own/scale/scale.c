/* A corpus of our own in the form of PolyBench. */
#include "scale.h"

static void init(double *x) { x[0] = 1; }

/* The whole computation. */
void kernel_scale(int n, double a, double x[N])
{
  for (int i = 0; i < n; i++)
    x[i] = a * x[i];
}
