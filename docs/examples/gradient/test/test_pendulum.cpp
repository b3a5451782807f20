// The gradient against differences, and a length found with it.
#include "pendulum.h"
#include "pendulum_adjoint.h"
#include <cmath>
#include <cstdio>
#include <vector>

static double slope(double length, const std::vector<double> &seen) {
  double byAngle = 0, byLength = 0;
  misfit_adjoint(0.3, length, seen.data(), int(seen.size()), &byAngle,
                 &byLength, 1.0);
  return byLength;
}

int main() {
  const double truth = 1.25;
  std::vector<double> seen(100);
  double angle = 0.3, velocity = 0;
  for (double &a : seen) {
    velocity -= 0.01 * 9.81 / truth * std::sin(angle);
    a = angle += 0.01 * velocity;
  }
  const int n = int(seen.size());
  const double h = 1e-6, by = slope(1.0, seen);
  const double difference = (misfit(0.3, 1.0 + h, seen.data(), n) -
                             misfit(0.3, 1.0 - h, seen.data(), n)) /
                            (2 * h);
  double length = 1.0;
  for (int i = 0; i < 200; ++i)
    length -= 0.1 * slope(length, seen);
  std::printf("slope %g, difference %g, length found %g\n", by, difference,
              length);
  return std::fabs(by - difference) < 1e-6 * std::fabs(difference) &&
                 std::fabs(length - truth) < 1e-3
             ? 0
             : 1;
}
