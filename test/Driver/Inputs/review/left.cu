// One kernel that stays as it is, and one that does not.
__global__ void follow(int *next, float *x, int n) {
  __shared__ int seen[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int k = i;
    while (next[k] != k)
      k = atomicAdd(&next[k], 0);
    x[i] = k;
    seen[0] = 1;
  }
}
__global__ void twice(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
