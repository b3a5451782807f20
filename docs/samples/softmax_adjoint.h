// Adjoints of functions of softmax.cpp, made by clang-raise grad.
#ifndef CLANG_RAISE_SOFTMAX_ADJOINT_H
#define CLANG_RAISE_SOFTMAX_ADJOINT_H

#include <cmath>

// The adjoint of crossentropy (softmax.cpp:4): of the result with respect to
// logits and probs.
// Adjoints overlap as their primals do, and overlap no primal.
void crossentropy_adjoint(const float *logits, const int *targets, float *probs,
                          int B, int V, float *logits_adj, float *probs_adj,
                          float crossentropy_adj);

#endif // CLANG_RAISE_SOFTMAX_ADJOINT_H
