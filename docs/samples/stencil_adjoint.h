// Adjoints of functions of stencil.cpp, made by clang-raise grad.
#ifndef CLANG_RAISE_STENCIL_ADJOINT_H
#define CLANG_RAISE_STENCIL_ADJOINT_H

// The adjoint of smooth (stencil.cpp:1): of v with respect to u, a and b.
// Primal: v[i] = a·(u[i-1] + u[i+1]) + b·u[i]·u[i],  1 ≤ i < n - 1
// Adjoints overlap as their primals do, and overlap no primal.
void smooth_adjoint(double *v, const double *u, double a, double b, int n,
                    double *v_adj, double *u_adj, double *a_adj, double *b_adj);

#endif // CLANG_RAISE_STENCIL_ADJOINT_H
