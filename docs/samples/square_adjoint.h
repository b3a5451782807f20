// Adjoints of functions of square.cpp, made by clang-raise grad.
#ifndef CLANG_RAISE_SQUARE_ADJOINT_H
#define CLANG_RAISE_SQUARE_ADJOINT_H

// The adjoint of square (square.cpp:1): of y with respect to x.
// Primal: y[i] = x[i]·x[i],  0 ≤ i < n
// Adjoints overlap as their primals do, and overlap no primal.
void square_adjoint(const float *x, float *y, int n, float *x_adj,
                    float *y_adj);

#endif // CLANG_RAISE_SQUARE_ADJOINT_H
