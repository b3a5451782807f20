// Adjoints of functions of layernorm.cpp, made by clang-raise grad.
#ifndef CLANG_RAISE_LAYERNORM_ADJOINT_H
#define CLANG_RAISE_LAYERNORM_ADJOINT_H

#include <cmath>

// The adjoint of layernorm (layernorm.cpp:3): of out, mean and rstd with
// respect to inp, weight and bias.
// Adjoints overlap as their primals do, and overlap no primal.
void layernorm_adjoint(float *out, float *mean, float *rstd, const float *inp,
                       const float *weight, const float *bias, int N, int C,
                       float *out_adj, float *mean_adj, float *rstd_adj,
                       float *inp_adj, float *weight_adj, float *bias_adj);

#endif // CLANG_RAISE_LAYERNORM_ADJOINT_H
