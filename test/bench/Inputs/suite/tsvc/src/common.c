#include "common.h"

float a[N], b[N];

void initialise_arrays(void) {
  for (int i = 0; i < N; i++) {
    a[i] = 0;
    b[i] = i;
  }
}
