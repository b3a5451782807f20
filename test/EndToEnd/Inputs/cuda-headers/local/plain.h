// Nothing to translate: the include stays.
#pragma once
__host__ __device__ inline int twice(int i) { return 2 * i; }
