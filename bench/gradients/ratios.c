/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Times each layer of llm.c: its forward function and its hand-written backward
   function, against the generated adjoint, in turn. Before each repetition the
   gradients are set anew: seeds as they were, all others to zero.

     ratios T V runs

   prints, for each layer: name, seconds by hand, seconds of the adjoint
   (medians), the largest difference of a gradient or an output relative to the
   largest value of its array, the most bytes that the adjoint had allocated at
   one time, and the bytes of the function's own arrays. With SPLIT the times
   are those of the backward functions and of the reverse sweeps alone. Linked
   with --wrap for malloc, calloc, realloc and free. The functions are in files
   of their own, as a user would build them. */
#include ADJOINT_HEADER
#include "measure.h"

/* llm.c's functions; its types are the interface. */
void encoder_forward(float *, int *, float *, float *, int, int, int);
void encoder_backward(float *, float *, float *, int *, int, int, int);
void layernorm_forward(float *, float *, float *, float *, float *, float *,
                       int, int, int);
void layernorm_backward(float *, float *, float *, float *, float *, float *,
                        float *, float *, int, int, int);
void matmul_forward_naive(float *, const float *, const float *, const float *,
                          int, int, int, int);
void matmul_forward(float *, const float *, const float *, const float *, int,
                    int, int, int);
void matmul_backward(float *, float *, float *, const float *, const float *,
                     const float *, int, int, int, int);
void attention_forward(float *, float *, float *, float *, int, int, int, int);
void attention_backward(float *, float *, float *, float *, float *, float *,
                        int, int, int, int);
void gelu_forward(float *, float *, int);
void gelu_backward(float *, float *, float *, int);
void residual_forward(float *, float *, float *, int);
void residual_backward(float *, float *, float *, int);
void softmax_forward(float *, float *, int, int, int, int);
void crossentropy_forward(float *, float *, int *, int, int, int);
void crossentropy_softmax_backward(float *, float *, float *, int *, int, int,
                                   int, int);

/* ---- Arrays ---- */

/* Partial: an output of which not every element is written. */
enum role { Input, Output, Partial, Seed, Sum, Scratch };

static struct {
  float *at, *kept; /* kept: a seed's values, or what was computed by hand */
  size_t n;
  enum role role;
} arrays[32];
static int count;

static float *array(size_t n, enum role role) {
  float *at = calloc(n, sizeof *at);
  float *kept = role == Input || role == Scratch ? at : calloc(n, sizeof *kept);
  if (!at || !kept)
    abort();
  if (role == Input || role == Seed)
    for (size_t i = 0; i < n; ++i)
      kept[i] = uniform();
  arrays[count].at = at;
  arrays[count].kept = kept;
  arrays[count].n = n;
  arrays[count++].role = role;
  return at;
}

static size_t primal_bytes(void) {
  size_t n = 0;
  for (int k = 0; k < count; ++k)
    if (arrays[k].role <= Partial)
      n += arrays[k].n * sizeof(float);
  return n;
}

static void set_anew(void) {
  for (int k = 0; k < count; ++k)
    if (arrays[k].role == Seed)
      memcpy(arrays[k].at, arrays[k].kept, arrays[k].n * sizeof(float));
    else if (arrays[k].role == Output) /* NaN: what is left out is seen */
      memset(arrays[k].at, 0xff, arrays[k].n * sizeof(float));
    else if (arrays[k].role != Input)
      memset(arrays[k].at, 0, arrays[k].n * sizeof(float));
}

static int is_compared(int k) {
  return arrays[k].role == Output || arrays[k].role == Partial ||
         arrays[k].role == Sum;
}

static void keep(void) {
  for (int k = 0; k < count; ++k)
    if (is_compared(k))
      memcpy(arrays[k].kept, arrays[k].at, arrays[k].n * sizeof(float));
}

/* A NaN on one side counts as a difference. The bits are asked, since the
   comparison may be compiled by -Ofast. */
static int is_finite(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (bits >> 23 & 255) != 255;
}

static double difference(void) {
  double worst = 0;
  for (int k = 0; k < count; ++k) {
    if (!is_compared(k))
      continue;
    double most = 0, size = 0;
    for (size_t i = 0; i < arrays[k].n; ++i) {
      const float a = arrays[k].kept[i], b = arrays[k].at[i];
      if (!is_finite(a) || !is_finite(b))
        return 1e30;
      most = fmax(most, fabs((double)a - b));
      size = fmax(size, fabs((double)a));
    }
    if (size == 0) /* nothing was computed: this would compare nothing */
      return 1e30;
    worst = fmax(worst, most / size);
  }
  return worst;
}

static void release(void) {
  for (int k = 0; k < count; ++k) {
    if (arrays[k].kept != arrays[k].at)
      free(arrays[k].kept);
    free(arrays[k].at);
  }
  count = 0;
}

/* ---- Layers: what each is given, by hand, and by its adjoint. With SPLIT the
   augmented function runs before the reverse sweep is timed, as the function
   itself before the hand-written backward function ---- */

#define UNPACK(...) __VA_ARGS__
#ifdef SPLIT
#define ADJOINT(layer, f, args, adjoints)                                      \
  static f##_tape layer##_tape;                                                \
  static void layer##_before(void) {                                           \
    f##_augmented(UNPACK args, &layer##_tape);                                 \
  }                                                                            \
  static void layer##_ours(void) {                                             \
    f##_reverse(UNPACK args, UNPACK adjoints, &layer##_tape);                  \
  }                                                                            \
  static void layer##_after(void) { f##_tape_free(&layer##_tape); }
#else
#define ADJOINT(layer, f, args, adjoints)                                      \
  static void layer##_before(void) {}                                          \
  static void layer##_ours(void) {                                             \
    f##_adjoint(UNPACK args, UNPACK adjoints);                                 \
  }                                                                            \
  static void layer##_after(void) {}
#endif

enum { B = 4, C = 768, NH = 12, OC = 3 * C };
static int T, V, Vp, *tokens;
static float *out, *inp, *dout, *dinp, *weight, *bias, *dweight, *dbias, *mean,
    *rstd, *dmean, *drstd, *att, *preatt, *datt, *dpreatt, *inp2, *dinp2,
    *probs, *dprobs;

static void encoder_arrays(void) {
  out = array((size_t)B * T * C, Output);
  weight = array((size_t)V * C, Input);
  bias = array((size_t)T * C, Input);
  dout = array((size_t)B * T * C, Seed);
  dweight = array((size_t)V * C, Sum);
  dbias = array((size_t)T * C, Sum);
}
static void encoder_primal(void) {
  encoder_forward(out, tokens, weight, bias, B, T, C);
}
static void encoder_by_hand(void) {
  encoder_backward(dweight, dbias, dout, tokens, B, T, C);
}
ADJOINT(encoder, encoder_forward, (out, tokens, weight, bias, B, T, C),
        (dout, dweight, dbias))

static void layernorm_arrays(void) {
  out = array((size_t)B * T * C, Output);
  mean = array((size_t)B * T, Output);
  rstd = array((size_t)B * T, Output);
  inp = array((size_t)B * T * C, Input);
  weight = array(C, Input);
  bias = array(C, Input);
  dout = array((size_t)B * T * C, Seed);
  dmean = array((size_t)B * T, Scratch);
  drstd = array((size_t)B * T, Scratch);
  dinp = array((size_t)B * T * C, Sum);
  dweight = array(C, Sum);
  dbias = array(C, Sum);
}
static void layernorm_primal(void) {
  layernorm_forward(out, mean, rstd, inp, weight, bias, B, T, C);
}
static void layernorm_by_hand(void) {
  layernorm_backward(dinp, dweight, dbias, dout, inp, weight, mean, rstd, B, T,
                     C);
}
ADJOINT(layernorm, layernorm_forward,
        (out, mean, rstd, inp, weight, bias, B, T, C),
        (dout, dmean, drstd, dinp, dweight, dbias))

static void matmul_arrays(void) {
  out = array((size_t)B * T * OC, Output);
  inp = array((size_t)B * T * C, Input);
  weight = array((size_t)OC * C, Input);
  bias = array(OC, Input);
  dout = array((size_t)B * T * OC, Seed);
  dinp = array((size_t)B * T * C, Sum);
  dweight = array((size_t)OC * C, Sum);
  dbias = array(OC, Sum);
}
static void matmul_naive_primal(void) {
  matmul_forward_naive(out, inp, weight, bias, B, T, C, OC);
}
static void matmul_naive_by_hand(void) {
  matmul_backward(dinp, dweight, dbias, dout, inp, weight, B, T, C, OC);
}
static void matmul_primal(void) {
  matmul_forward(out, inp, weight, bias, B, T, C, OC);
}
static void matmul_by_hand(void) {
  matmul_backward(dinp, dweight, dbias, dout, inp, weight, B, T, C, OC);
}
ADJOINT(matmul, matmul_forward_naive, (out, inp, weight, bias, B, T, C, OC),
        (dout, dinp, dweight, dbias))

static void attention_arrays(void) {
  out = array((size_t)B * T * C, Output);
  preatt = array((size_t)B * NH * T * T, Partial);
  att = array((size_t)B * NH * T * T, Output);
  inp = array((size_t)B * T * 3 * C, Input);
  dout = array((size_t)B * T * C, Seed);
  dpreatt = array((size_t)B * NH * T * T, Scratch);
  datt = array((size_t)B * NH * T * T, Scratch);
  dinp = array((size_t)B * T * 3 * C, Sum);
}
static void attention_primal(void) {
  attention_forward(out, preatt, att, inp, B, T, C, NH);
}
static void attention_by_hand(void) {
  attention_backward(dinp, dpreatt, datt, dout, inp, att, B, T, C, NH);
}
ADJOINT(attention, attention_forward, (out, preatt, att, inp, B, T, C, NH),
        (dout, dpreatt, datt, dinp))

static void residual_arrays(void) {
  out = array((size_t)B * T * C, Output);
  inp = array((size_t)B * T * C, Input);
  inp2 = array((size_t)B * T * C, Input);
  dout = array((size_t)B * T * C, Seed);
  dinp = array((size_t)B * T * C, Sum);
  dinp2 = array((size_t)B * T * C, Sum);
}
static void residual_primal(void) {
  residual_forward(out, inp, inp2, B * T * C);
}
static void residual_by_hand(void) {
  residual_backward(dinp, dinp2, dout, B * T * C);
}
ADJOINT(residual, residual_forward, (out, inp, inp2, B *T *C),
        (dout, dinp, dinp2))

static void gelu_arrays(void) {
  out = array((size_t)B * T * 4 * C, Output);
  inp = array((size_t)B * T * 4 * C, Input);
  for (size_t i = 0; i < (size_t)B * T * 4 * C; ++i)
    inp[i] *= 8;
  dout = array((size_t)B * T * 4 * C, Seed);
  dinp = array((size_t)B * T * 4 * C, Sum);
}
static void gelu_primal(void) { gelu_forward(out, inp, B * T * 4 * C); }
static void gelu_by_hand(void) {
  gelu_backward(dinp, inp, dout, B * T * 4 * C);
}
ADJOINT(gelu, gelu_forward, (out, inp, B *T * 4 * C), (dout, dinp))

/* One backward function by hand, so the product of the two adjoints. */
static void softmax_arrays(void) {
  out = array((size_t)B * T, Output);
  probs = array((size_t)B * T * Vp, Output);
  inp = array((size_t)B * T * Vp, Input);
  dout = array((size_t)B * T, Seed);
  dprobs = array((size_t)B * T * Vp, Scratch);
  dinp = array((size_t)B * T * Vp, Sum);
}
static void softmax_primal(void) {
  softmax_forward(probs, inp, B, T, V, Vp);
  crossentropy_forward(out, probs, tokens, B, T, Vp);
}
static void softmax_by_hand(void) {
  crossentropy_softmax_backward(dinp, dout, probs, tokens, B, T, V, Vp);
}
ADJOINT(softmax_alone, softmax_forward, (probs, inp, B, T, V, Vp),
        (dprobs, dinp))
ADJOINT(crossentropy, crossentropy_forward, (out, probs, tokens, B, T, Vp),
        (dout, dprobs))
/* What the forward pass has left, as for every layer: each adjoint computes
   its own function again, and the first reads the second's output. */
static void softmax_before(void) {
#ifdef SPLIT
  softmax_alone_before();
  crossentropy_before();
#else
  softmax_forward(probs, inp, B, T, V, Vp);
#endif
}
static void softmax_ours(void) {
  crossentropy_ours();
  softmax_alone_ours();
}
static void softmax_after(void) {
  crossentropy_after();
  softmax_alone_after();
}

#define LAYER(name, layer, adjoint)                                            \
  {name,                                                                       \
   adjoint##_arrays,                                                           \
   layer##_primal,                                                             \
   layer##_by_hand,                                                            \
   adjoint##_before,                                                           \
   adjoint##_ours,                                                             \
   adjoint##_after}
static const struct {
  const char *name;
  void (*arrays)(void), (*primal)(void), (*by_hand)(void), (*before)(void),
      (*ours)(void), (*after)(void);
} layers[] = {
    LAYER("encoder", encoder, encoder),
    LAYER("layernorm", layernorm, layernorm),
    LAYER("matmul_naive", matmul_naive, matmul),
    LAYER("matmul_unrolled", matmul, matmul),
    LAYER("attention", attention, attention),
    LAYER("residual", residual, residual),
    LAYER("gelu", gelu, gelu),
    LAYER("softmax+crossentropy", softmax, softmax),
};

/* ---- Times ---- */

static double seconds_by_hand(size_t k) {
  set_anew();
#ifdef SPLIT
  layers[k].primal();
#endif
  const double from = now();
#ifndef SPLIT
  layers[k].primal();
#endif
  layers[k].by_hand();
  return now() - from;
}

static double seconds_ours(size_t k) {
  set_anew();
  layers[k].before();
  const double from = now();
  layers[k].ours();
  const double to = now();
  layers[k].after();
  return to - from;
}

int main(int argc, char **argv) {
  enum { Most = 101 };
  double hand[Most], ours[Most];
  if (argc < 4)
    return 2;
  T = atoi(argv[1]);
  V = atoi(argv[2]);
  Vp = (V + 127) / 128 * 128;
  const int runs = atoi(argv[3]);
  tokens = malloc(sizeof *tokens * B * T);
  if (T < 1 || V < 1 || runs < 1 || runs > Most || !tokens)
    return 2;
  for (int i = 0; i < B * T; ++i)
    tokens[i] = (int)((uniform() + 0.5f) * (V - 1));
  for (size_t k = 0; k < sizeof layers / sizeof *layers; ++k) {
    layers[k].arrays();
    /* Outputs first, which also warms up. */
    seconds_by_hand(k);
    keep();
    live = peak = 0;
    counting = 1;
    seconds_ours(k);
    counting = 0;
    const double wrong = difference();
    /* Short ones are repeated more often, for half a second. */
    double spent = 0;
    int n = 0;
    while (n < runs || (spent < 0.5 && n < Most)) {
      hand[n] = seconds_by_hand(k);
      ours[n] = seconds_ours(k);
      spent += hand[n] + ours[n];
      ++n;
    }
    const double first = median(hand, n), second = median(ours, n);
    printf("%s %.9f %.9f %.3g %zu %zu\n", layers[k].name, first, second, wrong,
           peak, primal_bytes());
    fflush(stdout);
    release();
  }
  free(tokens);
  return 0;
}
