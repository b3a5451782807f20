#include "pendulum.h"
#include <cmath>

double misfit(double angle, double length, const double *seen, int steps) {
  const double dt = 0.01;
  double velocity = 0;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    velocity -= dt * 9.81 / length * std::sin(angle);
    angle += dt * velocity;
    sum += (angle - seen[i]) * (angle - seen[i]);
  }
  return sum;
}
