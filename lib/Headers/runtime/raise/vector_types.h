/*===- vector_types.h - dim3 and CUDA's short vector types, for C and C++ ----===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===//
 *
 * Layout and alignment are those of the CUDA Programming Guide ("Built-in Vector Types"), so that structures which hold them, and C and
 * C++ files of one program, agree. In C, dim3 is a plain struct; in C++ it has CUDA's constructor with ones as defaults.
 */
#ifndef RAISE_VECTOR_TYPES_H
#define RAISE_VECTOR_TYPES_H

#ifndef RAISE_FN /* the prelude that CUDA is parsed with has its own */
#ifdef __cplusplus
#define RAISE_FN inline
#else
#define RAISE_FN static inline
#endif
#endif

#ifdef __cplusplus
extern "C++" {
#endif

#define RAISE_VECTOR_1(Name, T)                                                                                        \
  typedef struct Name##1 {                                                                                             \
    T x;                                                                                                               \
  } Name##1;                                                                                                           \
  RAISE_FN Name##1 make_##Name##1(T x) {                                                                               \
    Name##1 v = {x};                                                                                                   \
    return v;                                                                                                          \
  }
#define RAISE_VECTOR_2(Name, T, Alignment)                                                                             \
  typedef struct __attribute__((aligned(Alignment))) Name##2 {                                                         \
    T x, y;                                                                                                            \
  } Name##2;                                                                                                           \
  RAISE_FN Name##2 make_##Name##2(T x, T y) {                                                                          \
    Name##2 v = {x, y};                                                                                                \
    return v;                                                                                                          \
  }
#define RAISE_VECTOR_3(Name, T)                                                                                        \
  typedef struct Name##3 {                                                                                             \
    T x, y, z;                                                                                                         \
  } Name##3;                                                                                                           \
  RAISE_FN Name##3 make_##Name##3(T x, T y, T z) {                                                                     \
    Name##3 v = {x, y, z};                                                                                             \
    return v;                                                                                                          \
  }
#define RAISE_VECTOR_4(Name, T, Alignment)                                                                             \
  typedef struct __attribute__((aligned(Alignment))) Name##4 {                                                         \
    T x, y, z, w;                                                                                                      \
  } Name##4;                                                                                                           \
  RAISE_FN Name##4 make_##Name##4(T x, T y, T z, T w) {                                                                \
    Name##4 v = {x, y, z, w};                                                                                          \
    return v;                                                                                                          \
  }
#define RAISE_VECTORS(Name, T, Alignment2, Alignment4)                                                                 \
  RAISE_VECTOR_1(Name, T)                                                                                              \
  RAISE_VECTOR_2(Name, T, Alignment2) RAISE_VECTOR_3(Name, T) RAISE_VECTOR_4(Name, T, Alignment4)

RAISE_VECTORS(char, signed char, 2, 4)
RAISE_VECTORS(uchar, unsigned char, 2, 4)
RAISE_VECTORS(short, short, 4, 8)
RAISE_VECTORS(ushort, unsigned short, 4, 8)
RAISE_VECTORS(int, int, 8, 16)
RAISE_VECTORS(uint, unsigned int, 8, 16)
RAISE_VECTORS(long, long, 2 * sizeof(long), 16)
RAISE_VECTORS(ulong, unsigned long, 2 * sizeof(unsigned long), 16)
RAISE_VECTORS(longlong, long long, 16, 16)
RAISE_VECTORS(ulonglong, unsigned long long, 16, 16)
RAISE_VECTORS(float, float, 8, 16)
RAISE_VECTORS(double, double, 16, 16)

#undef RAISE_VECTORS
#undef RAISE_VECTOR_1
#undef RAISE_VECTOR_2
#undef RAISE_VECTOR_3
#undef RAISE_VECTOR_4

#ifdef __cplusplus
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
} /* extern "C++" */
#else
typedef struct dim3 {
  unsigned int x, y, z;
} dim3;
#endif

#endif /* RAISE_VECTOR_TYPES_H */
