// Calls the adjoint of square and compares it with 2 x.
#include "adjoint.h"
#include <stdio.h>
#include <vector>

int main() {
  const int n = 512;
  std::vector<float> x(n), y(n), x_adj(n), y_adj(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i - 200;
    y_adj[i] = 1 + i % 3;
  }
  square_adjoint(dim3(n / 4 / 32), dim3(32), y.data(), x.data(), n, y_adj.data(), x_adj.data());
  for (int i = 0; i < n; ++i)
    if (x_adj[i] != 2 * x[i] * (1 + i % 3) || y[i] != x[i] * x[i]) {
      printf("%d: %g\n", i, x_adj[i]);
      return 1;
    }
  return 0;
}
