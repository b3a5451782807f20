#include "energy.h"
#include "energy_adjoint.h"
#include "energy_split.h"
#include "energy_tangent.h"
#include "kernels.h"
#include "scale_adjoint.h"
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  const int n = 100;
  std::vector<double> x(n), y(n), gradient(n, 0.0), direction(n, 0.0);
  fill(x.data(), n);
  energy_adjoint(x.data(), n, gradient.data(), 1.0);
  energy_augmented(x.data(), n);
  std::vector<double> again(n, 0.0);
  energy_reverse(x.data(), n, again.data(), 1.0);
  direction[5] = 1;
  double slope = 0;
  energy_tangent(x.data(), n, direction.data(), &slope);
  x[5] += 1e-4;
  const double above = energy(x.data(), n);
  x[5] -= 2e-4;
  const double difference = (above - energy(x.data(), n)) / 2e-4;
  x[5] += 1e-4;
  std::vector<double> seed(n, 1.0), slopes(n, 0.0);
  scale_adjoint(y.data(), x.data(), 3, n, seed.data(), slopes.data());
  scale(y.data(), x.data(), 3, n);
  const bool good = std::fabs(gradient[5] - difference) < 1e-6 &&
                    std::fabs(slope - difference) < 1e-6 && slopes[5] == 3 &&
                    again == gradient && sum(y.data(), n) == 3.0 * n * (n - 1);
  std::printf("%s\n", good ? "all good" : "wrong");
  return good ? 0 : 1;
}
