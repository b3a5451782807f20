// raise/record.h - keeps the arguments of real calls, for verification.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before a call of `void step(float *u, const float *v, int n)`:
//
//   RAISE_RECORD(r, "step.inputs", "step");
//   RAISE_RECORD_NUMBER(r, "n", n);
//   RAISE_RECORD_ARRAY(r, "u", u, n);
//   RAISE_RECORD_ARRAY(r, "v", v, n);
//   RAISE_RECORD_END(r);
//
// For a kernel also RAISE_RECORD_LAUNCH(r, gx, gy, gz, bx, by, bz). Each such
// place records its first RAISE_RECORD_CALLS calls; they are added to what the
// file holds. Arrays may be null. One that lies in another one comes after it.
//
// C11 and C++11. Not for several threads at once. A file that cannot be written
// is said on standard error, once, and the program goes on.
#ifndef RAISE_RECORD_H
#define RAISE_RECORD_H

#include <stddef.h>
#include <stdio.h>

#ifndef RAISE_RECORD_CALLS
#define RAISE_RECORD_CALLS 10
#endif

#define RAISE_RECORD_MOST_ARRAYS 64

typedef struct raise_record {
  FILE *file; // null: this call is not recorded
  int arrays;
  struct {
    const char *name, *begin;
    size_t bytes, element;
  } array[RAISE_RECORD_MOST_ARRAYS];
} raise_record;

static inline raise_record raise_record_open(const char *path,
                                             const char *function,
                                             unsigned *calls) {
  raise_record r;
  r.file = NULL;
  r.arrays = 0;
  if (*calls >= RAISE_RECORD_CALLS)
    return r;
  ++*calls;
  r.file = fopen(path, "a");
  if (!r.file) {
    perror(path);
    *calls = RAISE_RECORD_CALLS;
    return r;
  }
  // Where the file ends is known to some systems only once one has gone there.
  if (fseek(r.file, 0, SEEK_END) == 0 && ftell(r.file) == 0)
    fputs("# clang-raise recording 1\n", r.file);
  fprintf(r.file, "call %s\n", function);
  return r;
}

static inline void raise_record_signed(const raise_record *r, long long v) {
  fprintf(r->file, " %lld", v);
}
static inline void raise_record_unsigned(const raise_record *r,
                                         unsigned long long v) {
  fprintf(r->file, " %llu", v);
}
// Seventeen digits are a double's, all of them.
static inline void raise_record_float(const raise_record *r, double v) {
  fprintf(r->file, " %.17g", v);
}

/// Whether what begins there is to be written; else it is null, lies in an
/// array that was written, or the call is not recorded.
static inline int raise_record_begin(raise_record *r, const char *name,
                                     const void *begin, size_t count,
                                     size_t element) {
  const char *const at = (const char *)begin;
  if (!r->file)
    return 0;
  if (!begin) {
    fprintf(r->file, "%s = null\n", name);
    return 0;
  }
  for (int i = 0; i < r->arrays; ++i) {
    const char *const of = r->array[i].begin;
    if (at + count * element <= of || of + r->array[i].bytes <= at)
      continue;
    if (at < of || at + count * element > of + r->array[i].bytes ||
        element != r->array[i].element || (size_t)(at - of) % element != 0) {
      fprintf(r->file, "%s overlaps %s\n", name, r->array[i].name);
      return 0;
    }
    fprintf(r->file, "%s = %s + %llu\n", name, r->array[i].name,
            (unsigned long long)((size_t)(at - of) / element));
    return 0;
  }
  if (r->arrays == RAISE_RECORD_MOST_ARRAYS) {
    fprintf(r->file, "%s overlaps anything\n", name);
    return 0;
  }
  if (count > 0) {
    r->array[r->arrays].name = name;
    r->array[r->arrays].begin = at;
    r->array[r->arrays].bytes = count * element;
    r->array[r->arrays++].element = element;
  }
  fprintf(r->file, "%s[%llu] =", name, (unsigned long long)count);
  return 1;
}

static inline void raise_record_close(raise_record *r) {
  if (!r->file)
    return;
  fputs("end\n", r->file);
  if (fclose(r->file) != 0)
    perror("raise_record");
  r->file = NULL;
}

#define RAISE_RECORD(r, path, function)                                        \
  static unsigned r##_calls = 0;                                               \
  raise_record r = raise_record_open(path, function, &r##_calls)

#define RAISE_RECORD_END(r) raise_record_close(&r)

#define RAISE_RECORD_LAUNCH(r, gx, gy, gz, bx, by, bz)                         \
  do {                                                                         \
    if ((r).file)                                                              \
      fprintf((r).file, "launch %u %u %u %u %u %u\n", (unsigned)(gx),          \
              (unsigned)(gy), (unsigned)(gz), (unsigned)(bx), (unsigned)(by),  \
              (unsigned)(bz));                                                 \
  } while (0)

#define RAISE_RECORD_NUMBER(r, name, v)                                        \
  do {                                                                         \
    if ((r).file) {                                                            \
      fprintf((r).file, "%s =", name);                                         \
      RAISE_RECORD_VALUE(&(r), v);                                             \
      fputc('\n', (r).file);                                                   \
    }                                                                          \
  } while (0)

#define RAISE_RECORD_ARRAY(r, name, p, count)                                  \
  do {                                                                         \
    if (raise_record_begin(&(r), name, p, (size_t)(count), sizeof *(p))) {     \
      for (size_t raise_i = 0; raise_i < (size_t)(count); ++raise_i)           \
        RAISE_RECORD_VALUE(&(r), (p)[raise_i]);                                \
      fputc('\n', (r).file);                                                   \
    }                                                                          \
  } while (0)

#ifdef __cplusplus
#define RAISE_RECORD_VALUE(r, v) raise_record_value(r, v)
#define RAISE_RECORD_OF(T, As, To)                                             \
  static inline void raise_record_value(const raise_record *r, T v) {          \
    raise_record_##As(r, (To)v);                                               \
  }
RAISE_RECORD_OF(bool, signed, long long)
RAISE_RECORD_OF(char, signed, long long)
RAISE_RECORD_OF(signed char, signed, long long)
RAISE_RECORD_OF(short, signed, long long)
RAISE_RECORD_OF(int, signed, long long)
RAISE_RECORD_OF(long, signed, long long)
RAISE_RECORD_OF(long long, signed, long long)
RAISE_RECORD_OF(unsigned char, unsigned, unsigned long long)
RAISE_RECORD_OF(unsigned short, unsigned, unsigned long long)
RAISE_RECORD_OF(unsigned, unsigned, unsigned long long)
RAISE_RECORD_OF(unsigned long, unsigned, unsigned long long)
RAISE_RECORD_OF(unsigned long long, unsigned, unsigned long long)
RAISE_RECORD_OF(float, float, double)
RAISE_RECORD_OF(double, float, double)
#undef RAISE_RECORD_OF
#else
#define RAISE_RECORD_VALUE(r, v)                                               \
  _Generic((v),                                                                \
      float: raise_record_float,                                               \
      double: raise_record_float,                                              \
      unsigned char: raise_record_unsigned,                                    \
      unsigned short: raise_record_unsigned,                                   \
      unsigned: raise_record_unsigned,                                         \
      unsigned long: raise_record_unsigned,                                    \
      unsigned long long: raise_record_unsigned,                               \
      _Bool: raise_record_signed,                                              \
      char: raise_record_signed,                                               \
      signed char: raise_record_signed,                                        \
      short: raise_record_signed,                                              \
      int: raise_record_signed,                                                \
      long: raise_record_signed,                                               \
      long long: raise_record_signed)(r, v)
#endif

#endif // RAISE_RECORD_H
