// Adjoints of functions of norm.cpp, made by clang-raise grad.
#include <cmath>
#include <vector>

// The adjoint of normalize (norm.cpp:4): of x with respect to x.
// Primal: length = sqrt(Σ_i x[r,i]·x[r,i])
//   x[r,i] /= length,  0 ≤ r < rows, 0 ≤ i < n
void normalize_adjoint(double *x, int rows, int n, double *x_adj) {
#pragma omp parallel for if (parallel : (double)rows * n > 50000)
  for (int r = 0; r < rows; ++r) {
    std::vector<double> x_tape(n > 0 ? n : 0);
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; ++i) {
      x_tape[i] = x[r * n + i];
      sum += x[r * n + i] * x[r * n + i];
    }
    const double length = sqrt(sum);
#pragma omp simd
    for (int i = 0; i < n; ++i)
      x[r * n + i] /= length;
    double length_adj = 0;
#pragma omp simd reduction(+ : length_adj)
    for (int i = 0; i < n; ++i) {
      x_adj[r * n + i] /= length;
      length_adj -= x[r * n + i] * x_adj[r * n + i];
    }
    double sum_adj = length_adj == 0 ? 0 : length_adj / (2 * length);
#pragma omp simd
    for (int i = 0; i < n; ++i) {
      const double x_old = x_tape[i];
      x_adj[r * n + i] += 2 * x_old * sum_adj;
    }
  }
}
