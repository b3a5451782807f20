/*===- driver.h - runs random functions against what became of them --------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===
 *
 * Included by a generated file that has a table of programs. Each is called as
 * it was written (built with the minimal runtime of the undefined-behaviour
 * sanitizer, whose handlers are below) and as it was rewritten, on the same
 * inputs at the same addresses, with 1, 2 and 4 threads. An input on which the
 * original has undefined behaviour is dropped. All memory is compared bit by
 * bit, but one NaN is as good as another.
 *
 * Arguments: seed, first program, tolerance (0: none), and by what the large
 * sizes are divided. Prints a line for each
 * program: "NAME ok INPUTS DROPPED", "NAME wrong WHERE", and on a signal
 * "NAME crash original|rewritten SIGNAL".
 *===----------------------------------------------------------------------===*/

#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the functions declare and do not define. */
double steep(double x, int count) __attribute__((const));
double steep(double x, int count) {
  double y = 1;
  for (int q = 0; q < count; ++q)
    y = y * 0.25 + x;
  return y;
}

enum type { F64, F32, I8, I16, I32, I64, RECORD };
enum role { DATA, TABLE, OUTPUT };
struct param {
  const char *name;
  enum type type;
  enum role role;
  long low[2], high[2]; /* subscripts, for small and for large sizes */
};
struct sizes {
  long n, m;
  int off, inc;
  double s;
  int v;
};
struct record {
  double x;
  int k;
  float y;
};
typedef void call(void **pointers, const struct sizes *sizes);
struct program {
  const char *name;
  call *original, *rewritten;
  const struct param *params;
  int count;
  int apart, lowest; /* pointers never overlap; the least size */
  long large;
};

enum { MaxParams = 12, SmallInputs = 14, LargeInputs = 2, SmallSize = 17 };

/* The sanitizer's handlers: what they are called for is undefined. */
static volatile int undefined;
#define HANDLER(NAME)                                                          \
  void __ubsan_handle_##NAME##_minimal(void) { undefined = 1; }
HANDLER(type_mismatch)
HANDLER(alignment_assumption)
HANDLER(add_overflow)
HANDLER(sub_overflow)
HANDLER(mul_overflow)
HANDLER(negate_overflow)
HANDLER(divrem_overflow)
HANDLER(shift_out_of_bounds)
HANDLER(out_of_bounds)
HANDLER(builtin_unreachable)
HANDLER(missing_return)
HANDLER(vla_bound_not_positive)
HANDLER(float_cast_overflow)
HANDLER(load_invalid_value)
HANDLER(invalid_builtin)
HANDLER(nonnull_arg)
HANDLER(nonnull_return)
HANDLER(pointer_overflow)

static uint64_t state;
static uint64_t next(void) { /* splitmix64 */
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static long below(long count) { return (long)(next() % (uint64_t)count); }
static long between(long low, long high) { return low + below(high - low + 1); }

static size_t width(enum type type) {
  static const size_t widths[] = {8, 4, 1, 2, 4, 8, sizeof(struct record)};
  return widths[type];
}

/* One stretch of memory; several pointers may point into it. */
struct region {
  enum type type;
  enum role role;
  long low, high; /* elements, relative to the place of offset 0 */
  size_t at;      /* bytes from the start of the memory */
};
struct layout {
  struct region regions[MaxParams];
  int count;
  int of[MaxParams];      /* the region of each pointer */
  long offset[MaxParams]; /* and its place there */
  size_t bytes;
};

/* The globals of the file of originals and of the one of results. */
struct globals {
  double d[64];
  int i[64], scalar;
};
void globals_o(double **d, int **i, int **scalar);
void globals_f(double **d, int **i, int **scalar);
static struct globals globalsBefore, globalsAfter, globalsExpected;

static char *memory, *before, *expected;
static size_t capacity;

static long distance(long n) {
  switch (below(6)) {
  case 0:
    return 0;
  case 1:
    return between(-3, 3);
  case 2:
    return between(-20, 20);
  case 3:
    return below(2) ? n : -n;
  case 4:
    return between(-n, n);
  default:
    return below(2) ? 1 : -1;
  }
}

static void layOut(const struct program *p, int large, long n,
                   struct layout *out) {
  int together = !p->apart && below(3) != 0;
  out->count = 0;
  for (int i = 0; i < p->count; ++i) {
    const struct param *q = &p->params[i];
    int found = -1;
    for (int r = 0; r < out->count && together && q->role == DATA; ++r)
      if (out->regions[r].type == q->type && out->regions[r].role == DATA &&
          below(4) != 0)
        found = r;
    out->offset[i] = found < 0 ? 0 : distance(n < 0 ? 0 : n);
    long low = q->low[large] + out->offset[i];
    long high = q->high[large] + out->offset[i];
    if (found < 0) {
      found = out->count++;
      out->regions[found] = (struct region){q->type, q->role, low, high, 0};
    }
    struct region *region = &out->regions[found];
    region->low = low < region->low ? low : region->low;
    region->high = high > region->high ? high : region->high;
    out->of[i] = found;
  }
  out->bytes = 0;
  for (int r = 0; r < out->count; ++r) {
    struct region *region = &out->regions[r];
    region->at = out->bytes + 64;
    size_t length = (size_t)(region->high - region->low + 1);
    out->bytes = (region->at + length * width(region->type) + 63) & ~(size_t)63;
  }
}

static void reserve(size_t bytes) {
  if (bytes <= capacity)
    return;
  capacity = bytes * 2;
  char **all[] = {&memory, &before, &expected};
  for (int i = 0; i < 3; ++i) {
    free(*all[i]);
    *all[i] = aligned_alloc(64, (capacity + 63) & ~(size_t)63);
    if (!*all[i])
      abort();
  }
}

/* What the data is like; drawn once for each input. */
struct taste {
  int special; /* one in so many is NaN, infinite, -0.0 or denormal; 0: none */
  int wild;    /* integers of the whole range */
  int whole;   /* floating values are small integers: equal ones occur */
};

static double drawFloat(const struct taste *taste) {
  static const double specials[] = {NAN,    INFINITY, -INFINITY, -0.0,
                                    5e-324, 1e308,    0.0};
  if (taste->special && below(taste->special) == 0)
    return specials[below(7)];
  if (taste->whole)
    return (double)between(-4, 4);
  return (double)between(-1000000, 1000000) / 65536.0;
}
static int64_t drawInt(const struct taste *taste) {
  return taste->wild && below(2) ? (int64_t)next() : between(-20, 20);
}

static void fillElement(char *at, const struct region *r,
                        const struct taste *taste, long most) {
  double real = drawFloat(taste);
  float single = (float)real;
  int64_t integer = r->role == TABLE ? between(0, most) : drawInt(taste);
  switch (r->type) {
  case F64:
    memcpy(at, &real, 8);
    break;
  case F32:
    memcpy(at, &single, 4);
    break;
  case RECORD: {
    struct record record = {real, (int)integer, (float)drawFloat(taste)};
    memcpy(at, &record, sizeof record);
    break;
  }
  default: /* little endian */
    memcpy(at, &integer, width(r->type));
  }
}

static void fill(const struct layout *l, const struct taste *taste, long most) {
  memset(before, 0x5a, l->bytes);
  for (int i = 0; i < l->count; ++i) {
    const struct region *r = &l->regions[i];
    char *at = before + r->at;
    for (long e = r->low; e <= r->high; ++e, at += width(r->type))
      fillElement(at, r, taste, most);
  }
}

static double tolerance;
static double scale; /* of the largest value in memory: sums may cancel */
static long divisor;

static int sameDouble(double a, double b) {
  if (isnan(a) && isnan(b))
    return 1;
  /* Factors in another order may overflow on the way. */
  if (tolerance != 0 && !(isfinite(a) && isfinite(b) && a != 0 && b != 0))
    return a == b || !isfinite(a) || !isfinite(b) || fabs(a - b) <= tolerance;
  if (tolerance != 0 && a != b)
    return fabs(a - b) <= tolerance * scale;
  return memcmp(&a, &b, sizeof a) == 0;
}
static int sameElement(const char *a, const char *b, enum type type) {
  if (memcmp(a, b, width(type)) == 0)
    return 1;
  if (type == F64) {
    double x, y;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return sameDouble(x, y);
  }
  if (type == F32) {
    float x, y;
    memcpy(&x, a, 4);
    memcpy(&y, b, 4);
    return sameDouble(x, y);
  }
  if (type == RECORD)
    return sameElement(a, b, F64) && sameElement(a + 8, b + 8, I32) &&
           sameElement(a + 12, b + 12, F32);
  return 0;
}

static double largest(const struct layout *l) {
  double most = 1;
  for (int i = 0; i < l->count; ++i) {
    const struct region *r = &l->regions[i];
    for (long e = r->low; e <= r->high && r->type <= F32; ++e) {
      const char *at = expected + r->at + (size_t)(e - r->low) * width(r->type);
      double wide = 0;
      float narrow = 0;
      memcpy(r->type == F64 ? (void *)&wide : (void *)&narrow, at,
             width(r->type));
      double value = fabs(r->type == F64 ? wide : (double)narrow);
      most = isfinite(value) && value > most ? value : most;
    }
  }
  return most;
}

/* The first element that differs, as text; null if none does. */
static const char *difference(const struct program *p, const struct layout *l) {
  static char text[160];
  scale = tolerance != 0 ? largest(l) : 1;
  for (int i = 0; i < 64; ++i)
    if (!sameDouble(globalsExpected.d[i], globalsAfter.d[i]) ||
        globalsExpected.i[i] != globalsAfter.i[i] ||
        globalsExpected.scalar != globalsAfter.scalar)
      return "a global variable";
  if (memcmp(memory, expected, l->bytes) == 0)
    return NULL;
  for (int i = 0; i < l->count; ++i) {
    const struct region *r = &l->regions[i];
    size_t size = width(r->type);
    for (long e = r->low; e <= r->high; ++e) {
      size_t at = r->at + (size_t)(e - r->low) * size;
      if (sameElement(memory + at, expected + at, r->type))
        continue;
      int of = 0;
      while (l->of[of] != i)
        ++of;
      double x = 0, y = 0;
      if (r->type == F64) {
        memcpy(&x, expected + at, 8);
        memcpy(&y, memory + at, 8);
      }
      snprintf(text, sizeof text, "%s[%ld] (%g, %g)", p->params[of].name,
               e - l->offset[of], x, y);
      return text;
    }
  }
  return NULL;
}

static const struct program *current;
static int inOriginal;
static void onSignal(int number) {
  char text[120];
  int length = snprintf(text, sizeof text, "%s crash %s %d\n", current->name,
                        inOriginal ? "original" : "rewritten", number);
  if (write(1, text, (size_t)length) < 0)
    _exit(4);
  _exit(3);
}

static struct sizes drawSizes(const struct program *p, int large) {
  static const double scalars[] = {0.0, 1.0, -1.5, 0.25, 3.0};
  struct sizes z = {0, 0, 0, 0, 0, 0};
  long most = p->large / divisor > SmallSize ? p->large / divisor : SmallSize;
  long low = large ? most / 2 : 0, high = large ? most : SmallSize;
  if (!large && p->lowest < 0 && below(8) == 0)
    low = high = p->lowest;
  if (low == 0 && p->lowest > 0)
    low = p->lowest;
  z.n = between(low, high);
  z.m = below(3) == 0 ? z.n : between(low, high);
  if (!large && below(8) == 0)
    z.n = p->lowest > 0 ? 1 : below(2);
  z.off = (int)between(-5, 5);
  z.inc = (int)between(1, 3);
  z.s = scalars[below(5)];
  z.v = (int)between(-9, 9);
  return z;
}

static void call_(call *function, const struct layout *l,
                  const struct program *p, const struct sizes *z) {
  void *pointers[MaxParams];
  for (int i = 0; i < p->count; ++i) {
    const struct region *r = &l->regions[l->of[i]];
    pointers[i] =
        memory + r->at + (l->offset[i] - r->low) * (ptrdiff_t)width(r->type);
  }
  memcpy(memory, before, l->bytes);
  double *d;
  int *i, *scalar;
  (inOriginal ? globals_o : globals_f)(&d, &i, &scalar);
  memcpy(d, globalsBefore.d, sizeof globalsBefore.d);
  memcpy(i, globalsBefore.i, sizeof globalsBefore.i);
  *scalar = globalsBefore.scalar;
  alarm(60);
  function(pointers, z);
  alarm(0);
  memcpy(globalsAfter.d, d, sizeof globalsAfter.d);
  memcpy(globalsAfter.i, i, sizeof globalsAfter.i);
  globalsAfter.scalar = *scalar;
}

/* 1: same; 0: the input was dropped; -1: wrong, and said so. */
static int runInput(const struct program *p, int large, long number) {
  struct sizes z = drawSizes(p, large);
  struct layout l;
  layOut(p, large, z.n, &l);
  reserve(l.bytes);
  static const int rates[] = {0, 0, 3, 40, 400};
  struct taste taste = {rates[below(5)], below(3) == 0, below(2) == 0};
  if (tolerance != 0)
    taste.special = 0;
  fill(&l, &taste, large ? p->large : SmallSize);
  for (int i = 0; i < 64; ++i) {
    globalsBefore.d[i] = drawFloat(&taste);
    globalsBefore.i[i] = (int)drawInt(&taste);
  }
  globalsBefore.scalar = (int)between(-3, 3);
  inOriginal = 1;
  undefined = 0;
  call_(p->original, &l, p, &z);
  if (undefined)
    return 0;
  memcpy(expected, memory, l.bytes);
  globalsExpected = globalsAfter;
  inOriginal = 0;
  for (int threads = 1; threads <= 4; threads *= 2) {
    omp_set_num_threads(threads);
    call_(p->rewritten, &l, p, &z);
    const char *where = difference(p, &l);
    if (!where)
      continue;
    printf("%s wrong %s input %ld n %ld m %ld off %d inc %d s %g v %d threads "
           "%d\n",
           p->name, where, number, z.n, z.m, z.off, z.inc, z.s, z.v, threads);
    fflush(stdout);
    return -1;
  }
  return 1;
}

static void runProgram(const struct program *p, uint64_t seed) {
  long ran = 0, dropped = 0;
  for (long i = 0; i < SmallInputs + LargeInputs; ++i) {
    state = seed * 1000003u + (uint64_t)i * 7919u;
    next();
    int result = runInput(p, i >= SmallInputs, i);
    if (result < 0)
      return;
    result ? ++ran : ++dropped;
  }
  printf("%s ok %ld %ld\n", p->name, ran, dropped);
  fflush(stdout);
}

static int drive(const struct program *programs, int count, int argc,
                 char **argv) {
  if (argc != 5)
    return 2;
  uint64_t seed = strtoull(argv[1], NULL, 10);
  tolerance = strtod(argv[3], NULL);
  divisor = strtol(argv[4], NULL, 10);
  int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
  for (int i = 0; i < 6; ++i)
    signal(signals[i], onSignal);
  omp_set_dynamic(0);
  for (int i = (int)strtol(argv[2], NULL, 10); i < count; ++i) {
    current = &programs[i];
    runProgram(current, seed);
  }
  return 0;
}
