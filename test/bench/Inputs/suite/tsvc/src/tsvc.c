#include <stdio.h>
#include <time.h>

#include "common.h"

void vmap(void) {
  for (int nl = 0; nl < iterations; nl++) {
    for (int i = 0; i < N; i++)
      a[i] = b[i] + 1;
    dummy();
  }
}

void s111(void) {
  for (int nl = 0; nl < iterations; nl++) {
    for (int i = 1; i < N; i++)
      a[i] = a[i - 1] + b[i];
    dummy();
  }
}

void s141(void) { s111(); }

static void time_function(void (*f)(void), void *unused) {
  initialise_arrays();
  clock_t start = clock();
  f();
  (void)unused;
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC + 0.001;
  float sum = 0;
  for (int i = 0; i < N; i++)
    sum += a[i];
  printf("%10.3f\t%f\n", seconds, sum);
}

int main(void) {
  printf("vmap\t");
  time_function(&vmap, NULL);
  printf("s141\t");
  time_function(&s141, NULL);
  return 0;
}
