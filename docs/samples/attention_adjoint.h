// Adjoints of functions of attention.cpp, made by clang-raise grad.
#ifndef CLANG_RAISE_ATTENTION_ADJOINT_H
#define CLANG_RAISE_ATTENTION_ADJOINT_H

#include <cmath>

// The adjoint of attention (attention.cpp:4): of out and att with respect to
// out, att, query, key and value.
// Adjoints overlap as their primals do, and overlap no primal.
void attention_adjoint(float *out, float *att, const float *query,
                       const float *key, const float *value, int T, int C,
                       float *out_adj, float *att_adj, float *query_adj,
                       float *key_adj, float *value_adj);

#endif // CLANG_RAISE_ATTENTION_ADJOINT_H
