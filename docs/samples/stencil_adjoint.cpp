// Adjoints of functions of stencil.cpp, made by clang-raise grad.
#include <vector>

// smooth_adjoint where its arguments overlap or are not what it tests for.
static void smooth_adjoint_general(double *v, const double *u, double a,
                                   double b, int n, double *v_adj,
                                   double *u_adj, double *a_adj,
                                   double *b_adj) {
  const std::size_t factor_tape_size = n > 2 ? n - 2 : 0;
  std::vector<double> arrays(2 * factor_tape_size);
  double *factor_tape = arrays.data();
  double *u_tape = factor_tape + factor_tape_size;
  for (int i = 1; i < n - 1; ++i) {
    const double factor_here = u[i - 1] + u[i + 1];
    factor_tape[i - 1] = factor_here;
    u_tape[i - 1] = u[i];
    v[i] = a * factor_here + b * u[i] * u[i];
  }
  double b_adj_ = 0;
  double a_adj_ = 0;
  for (int i = n - 2; i >= 1; --i) {
    const double factor_old = factor_tape[i - 1];
    const double u_old = u_tape[i - 1];
    const double v_adj_i = v_adj[i];
    v_adj[i] = 0;
    a_adj_ += v_adj_i * factor_old;
    u_adj[i - 1] += a * v_adj_i;
    u_adj[i + 1] += a * v_adj_i;
    b_adj_ += u_old * u_old * v_adj_i;
    u_adj[i] += 2 * b * u_old * v_adj_i;
  }
  *a_adj += a_adj_;
  *b_adj += b_adj_;
}

// The adjoint of smooth (stencil.cpp:1): of v with respect to u, a and b.
// Primal: v[i] = a·(u[i-1] + u[i+1]) + b·u[i]·u[i],  1 ≤ i < n - 1
// Adjoints overlap as their primals do, and overlap no primal.
void smooth_adjoint(double *v, const double *u, double a, double b, int n,
                    double *v_adj, double *u_adj, double *a_adj,
                    double *b_adj) {
  if (!((unsigned long long)u + sizeof(*u) * n <=
            (unsigned long long)v + sizeof(*v) ||
        (unsigned long long)v + sizeof(*v) * (n - 1ULL) <=
            (unsigned long long)u)) {
    smooth_adjoint_general(v, u, a, b, n, v_adj, u_adj, a_adj, b_adj);
    return;
  }
  if (n > 2) {
#pragma omp parallel for simd if (parallel : n > 200000)
    for (int i = 1; i < n - 1; ++i)
      v[i] = a * (u[i - 1] + u[i + 1]) + b * u[i] * u[i];
  }
  double b_adj_ = 0;
  double a_adj_ = 0;
  if (n >= 4) {
    u_adj[0] += a * v_adj[1];
    u_adj[1] += a * v_adj[2] + 2 * b * u[1] * v_adj[1];
    if (n > 4) {
#pragma omp parallel for simd if (parallel : n > 200000)
      for (int i = 2; i < n - 2; ++i)
        u_adj[i] += a * (v_adj[i + 1] + v_adj[i - 1]) + 2 * b * u[i] * v_adj[i];
    }
    u_adj[n - 2] += a * v_adj[n - 3] + 2 * b * u[n - 2] * v_adj[n - 2];
    u_adj[n - 1] += a * v_adj[n - 2];
  } else {
    for (int i = 1; i < n - 1; ++i) {
      u_adj[i - 1] += a * v_adj[i];
      u_adj[i + 1] += a * v_adj[i];
      u_adj[i] += 2 * b * u[i] * v_adj[i];
    }
  }
  if (n > 2) {
#pragma omp parallel for reduction(+ : a_adj_,                                 \
                                       b_adj_) if (parallel : n > 200000)
    for (int i = 1; i < n - 1; ++i) {
      const double v_adj_i = v_adj[i];
      a_adj_ += v_adj_i * (u[i - 1] + u[i + 1]);
      b_adj_ += u[i] * u[i] * v_adj_i;
      v_adj[i] = 0;
    }
  }
  *a_adj += a_adj_;
  *b_adj += b_adj_;
}
