/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What training.c and adjoints.c share. With -DIN_DOUBLE every float of what
   follows, llm.c's text and the adjoints included, is a double: then rounding
   hides nothing. */
#ifndef TRAINING_H
#define TRAINING_H

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifdef IN_DOUBLE
#define float double
#define coshf cosh
#define expf exp
#define fabsf fabs
#define logf log
#define powf pow
#define sqrtf sqrt
#define tanhf tanh
#endif

/* llm.c's backward functions: their types are the interface that adjoints.c
   offers. The last has softmax and the loss in one. */
#define BACKWARD_FUNCTIONS                                                     \
  BACKWARD(encoder_backward,                                                   \
           (float *, float *, float *, int *, int, int, int))                  \
  BACKWARD(layernorm_backward, (float *, float *, float *, float *, float *,   \
                                float *, float *, float *, int, int, int))     \
  BACKWARD(matmul_backward,                                                    \
           (float *, float *, float *, const float *, const float *,           \
            const float *, int, int, int, int))                                \
  BACKWARD(attention_backward, (float *, float *, float *, float *, float *,   \
                                float *, int, int, int, int))                  \
  BACKWARD(gelu_backward, (float *, float *, float *, int))                    \
  BACKWARD(residual_backward, (float *, float *, float *, int))                \
  BACKWARD(crossentropy_softmax_backward,                                      \
           (float *, float *, float *, int *, int, int, int, int))

/* What a backward function is not given and an adjoint, which computes the
   function again, must have. */
const float *model_wte(void);
const float *model_wpe(void);
const float *model_logits(void);
const float *model_losses(void);

/* By how much what the adjoints computed again differs from what the forward
   functions had computed, at most and relative to its size. */
double primal_difference(void);

#endif
