// Adjoints of functions of square.cpp, made by clang-raise grad.
#include <vector>

// square_adjoint where its arguments overlap or are not what it tests for.
static void square_adjoint_general(const float *x, float *y, int n,
                                   float *x_adj, float *y_adj) {
  std::vector<float> x_tape(n > 0 ? n : 0);
  for (int i = 0; i < n; ++i) {
    x_tape[i] = x[i];
    y[i] = x[i] * x[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const float x_old = x_tape[i];
    const float y_adj_i = y_adj[i];
    y_adj[i] = 0;
    x_adj[i] += 2 * x_old * y_adj_i;
  }
}

// The adjoint of square (square.cpp:1): of y with respect to x.
// Primal: y[i] = x[i]·x[i],  0 ≤ i < n
// Adjoints overlap as their primals do, and overlap no primal.
void square_adjoint(const float *x, float *y, int n, float *x_adj,
                    float *y_adj) {
  if (!((unsigned long long)x + sizeof(*x) * n <= (unsigned long long)y ||
        (unsigned long long)y + sizeof(*y) * n <= (unsigned long long)x)) {
    square_adjoint_general(x, y, n, x_adj, y_adj);
    return;
  }
#pragma omp parallel for simd if (parallel : n > 200000)
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
#pragma omp parallel for simd if (parallel : n > 200000)
  for (int i = 0; i < n; ++i) {
    const float y_adj_i = y_adj[i];
    x_adj[i] += 2 * x[i] * y_adj_i;
    y_adj[i] = 0;
  }
}
