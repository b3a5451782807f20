// Device code of a header, which its source's translation leaves as it is.
#ifdef BAD_VOLATILE
__device__ inline void reduce(volatile int *s, int t) { s[t] = s[t] + s[t + 32]; }
#elif defined(BAD_TEMPLATE)
template <typename T> __device__ void reduce(T *s, int t) { s[t] = s[t] + s[t + 32]; }
#elif defined(BAD_MEMORY)
template <typename T> __device__ void reduce(T *s, int t) {
  __shared__ T x[64];
  x[t] = s[t];
}
#elif defined(BAD_LAUNCH)
template <typename F> void start(F f, int *d) { f<<<1, 32>>>(d); }
#endif
// What nothing here runs stays.
template <typename T> __device__ void unused(volatile T *s, int t) {
  __shared__ T x[64];
  x[t] = s[t];
}
