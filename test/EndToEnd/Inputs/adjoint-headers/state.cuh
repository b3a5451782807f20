#pragma once
// A variable of each file's own.
__device__ inline int lane() { return threadIdx.x % 32; }
static real scale = 2;
