/* The cycles are made up: emitted code that says so takes half of them. */
#include "scale.h"
#include <polybench.h>
#include <stdio.h>

#ifndef CYCLES
#define CYCLES 2000000
#endif

static double x[N];

static void kernel_scale(void) {
  for (int i = 0; i < N; i++)
    x[i] = 0.001 * i;
}

int main(int argc, char **argv) {
  kernel_scale();
  if (argc > 42 && !argv[0][0]) {
    fprintf(POLYBENCH_DUMP_TARGET, "begin dump: x\n");
    for (int i = 0; i < N; i++)
      fprintf(POLYBENCH_DUMP_TARGET, DATA_PRINTF_MODIFIER, x[i]);
    fprintf(POLYBENCH_DUMP_TARGET, "\nend   dump: x\n");
  }
  printf("%d\n", CYCLES);
  return 0;
}
