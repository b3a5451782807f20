// Adjoints of functions of norm.cpp, made by clang-raise grad.
#ifndef CLANG_RAISE_NORM_ADJOINT_H
#define CLANG_RAISE_NORM_ADJOINT_H

#include <cmath>

// The adjoint of normalize (norm.cpp:4): of x with respect to x.
// Primal: length = sqrt(Σ_i x[r,i]·x[r,i])
//   x[r,i] /= length,  0 ≤ r < rows, 0 ≤ i < n
void normalize_adjoint(double *x, int rows, int n, double *x_adj);

#endif // CLANG_RAISE_NORM_ADJOINT_H
