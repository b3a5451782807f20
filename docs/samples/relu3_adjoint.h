// Adjoints of functions of relu3.cpp, made by clang-raise grad.
#ifndef CLANG_RAISE_RELU3_ADJOINT_H
#define CLANG_RAISE_RELU3_ADJOINT_H

// The adjoint of relu3 (relu3.cpp:1): of the result with respect to x.
void relu3_adjoint(double x, double *x_adj, double relu3_adj);

#endif // CLANG_RAISE_RELU3_ADJOINT_H
