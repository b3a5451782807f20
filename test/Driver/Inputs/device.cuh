// Device code of a header, in macros' bodies and in assembly.
#define KEEP(s, t) s[t] = s[t] + s[t + 32]
#define BUFFER(x) __shared__ int x[64]
#ifdef BAD_VOLATILE
__device__ inline void reduce(volatile int *s, int t) { KEEP(s, t); }
#elif defined(BAD_TEMPLATE)
template <typename T> __device__ void reduce(T *s, int t) { asm("trap;"); }
#elif defined(BAD_MEMORY)
template <typename T> __device__ void reduce(T *s, int t) {
  BUFFER(x);
  x[t] = s[t];
}
#elif defined(BAD_LAUNCH)
#define START(f) f<<<1, 32>>>
template <typename F> void start(F f, int *d) { START(f)(d); }
#endif
// What nothing here runs stays.
template <typename T> __device__ void unused(volatile T *s, int t) {
  KEEP(s, t);
}
