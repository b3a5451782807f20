// Adjoints of functions of newton.cpp, made by clang-raise grad.
#ifndef CLANG_RAISE_NEWTON_ADJOINT_H
#define CLANG_RAISE_NEWTON_ADJOINT_H

#include <cmath>

// The adjoint of lambert (newton.cpp:4): of the result with respect to x.
void lambert_adjoint(double x, double *x_adj, double lambert_adj);

#endif // CLANG_RAISE_NEWTON_ADJOINT_H
