// Adjoints of functions of matmul.cpp, made by clang-raise grad.
#ifndef CLANG_RAISE_MATMUL_ADJOINT_H
#define CLANG_RAISE_MATMUL_ADJOINT_H

// The adjoint of matmul (matmul.cpp:1): of C with respect to A and B.
// Primal: C[i,j] = Σ_l A[i,l]·B[l,j],  0 ≤ i < n, 0 ≤ j < m, 0 ≤ l < k
// Adjoints overlap as their primals do, and overlap no primal.
void matmul_adjoint(const float *A, const float *B, float *C, int n, int m,
                    int k, float *A_adj, float *B_adj, float *C_adj);

#endif // CLANG_RAISE_MATMUL_ADJOINT_H
