/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   llm.c's backward functions by the generated adjoints. An adjoint computes its
   function's outputs again, here into memory of its own, and zeroes the adjoint
   of an output, which it replaces: so it is given a copy of that, since the
   hand-written functions leave it. To all others it adds, as they do. */
#include "training.h"

#include ADJOINT_HEADER

static double difference;

double primal_difference(void) { return difference; }

static float *zeros(size_t n) {
  float *made = calloc(n ? n : 1, sizeof *made);
  if (!made)
    abort();
  return made;
}

static float *copy(const float *from, size_t n) {
  float *made = zeros(n);
  memcpy(made, from, n * sizeof *made);
  return made;
}

/* Frees `again` after comparing it with what was there. */
static void check(float *again, const float *before, size_t n) {
  double size = 0, most = 0;
  for (size_t i = 0; i < n; ++i) {
    size = fmax(size, fabs((double)before[i]));
    most = fmax(most, fabs((double)again[i] - before[i]));
    if (again[i] != again[i])
      most = INFINITY;
  }
  if (most > 0)
    difference = fmax(difference, most / size);
  free(again);
}

void encoder_backward(float *dwte, float *dwpe, float *dout, int *inp, int B,
                      int T, int C) {
  const size_t N = (size_t)B * T * C;
  float *out = zeros(N), *dy = copy(dout, N);
  encoder_forward_adjoint(out, inp, (float *)model_wte(), (float *)model_wpe(),
                          B, T, C, dy, dwte, dwpe);
  free(out);
  free(dy);
}

void layernorm_backward(float *dinp, float *dweight, float *dbias, float *dout,
                        float *inp, float *weight, float *mean, float *rstd,
                        int B, int T, int C) {
  const size_t rows = (size_t)B * T, N = rows * C;
  float *out = zeros(N), *dy = copy(dout, N), *bias = zeros(C);
  float *m = zeros(rows), *s = zeros(rows), *dm = zeros(rows),
        *ds = zeros(rows);
  layernorm_forward_adjoint(out, m, s, inp, weight, bias, B, T, C, dy, dm, ds,
                            dinp, dweight, dbias);
  check(m, mean, rows);
  check(s, rstd, rows);
  free(out);
  free(dy);
  free(bias);
  free(dm);
  free(ds);
}

void matmul_backward(float *dinp, float *dweight, float *dbias,
                     const float *dout, const float *inp, const float *weight,
                     int B, int T, int C, int OC) {
  const size_t N = (size_t)B * T * OC;
  float *out = zeros(N), *dy = copy(dout, N);
  float *bias = dbias ? zeros(OC) : NULL;
  matmul_forward_naive_adjoint(out, inp, weight, bias, B, T, C, OC, dy, dinp,
                               dweight, dbias);
  free(out);
  free(dy);
  free(bias);
}

void attention_backward(float *dinp, float *dpreatt, float *datt, float *dout,
                        float *inp, float *att, int B, int T, int C, int NH) {
  const size_t N = (size_t)B * T * C, M = (size_t)B * NH * T * T;
  float *out = zeros(N), *dy = copy(dout, N), *pre = zeros(M), *a = zeros(M);
  attention_forward_adjoint(out, pre, a, inp, B, T, C, NH, dy, dpreatt, datt,
                            dinp);
  check(a, att, M);
  free(out);
  free(dy);
  free(pre);
}

void gelu_backward(float *dinp, float *inp, float *dout, int N) {
  float *out = zeros(N), *dy = copy(dout, N);
  gelu_forward_adjoint(out, inp, N, dy, dinp);
  free(out);
  free(dy);
}

/* A sum: its derivative does not ask what was added. */
void residual_backward(float *dinp1, float *dinp2, float *dout, int N) {
  float *out = zeros(N), *dy = copy(dout, N), *one = zeros(N), *two = zeros(N);
  residual_forward_adjoint(out, one, two, N, dy, dinp1, dinp2);
  free(out);
  free(dy);
  free(one);
  free(two);
}

void crossentropy_softmax_backward(float *dlogits, float *dlosses, float *probs,
                                   int *targets, int B, int T, int V, int Vp) {
  const size_t rows = (size_t)B * T, N = rows * Vp;
  float *losses = zeros(rows), *dl = copy(dlosses, rows);
  float *p = zeros(N), *dprobs = zeros(N);
  crossentropy_forward_adjoint(losses, probs, targets, B, T, Vp, dl, dprobs);
  softmax_forward_adjoint(p, (float *)model_logits(), B, T, V, Vp, dprobs,
                          dlogits);
  check(losses, model_losses(), rows);
  check(p, probs, N);
  free(dl);
  free(dprobs);
}
