// Adjoints of functions of pendulum.cpp, made by clang-raise grad.
#include "pendulum.h"
#include <cmath>
#include <vector>

// The adjoint of misfit (pendulum.cpp:4): of the result with respect to angle
// and length.
void misfit_adjoint(double angle, double length, const double *seen, int steps,
                    double *angle_adj, double *length_adj, double misfit_adj) {
  const double dt = 0.01;
  std::vector<double> angle_tape((steps > 0 ? steps : 0) + 1LL);
  angle_tape[0] = angle;
  double velocity = 0;
  for (int i = 0; i < steps; ++i) {
    velocity -= dt * 9.81 / length * sin(angle);
    angle += dt * velocity;
    angle_tape[i + 1LL] = angle;
  }
  double velocity_adj = 0;
  double length_adj_ = 0;
  double angle_adj_ = 0;
  for (int i = steps - 1; i >= 0; --i) {
    const double angle_old = angle_tape[i + 1LL];
    const double angle_old2 = angle_tape[i];
    angle_adj_ += 2 * (angle_old - seen[i]) * misfit_adj;
    velocity_adj += dt * angle_adj_;
    length_adj_ +=
        dt * 9.81 / length * (velocity_adj * sin(angle_old2)) / length;
    angle_adj_ -= cos(angle_old2) * (dt * 9.81 / length * velocity_adj);
  }
  *angle_adj += angle_adj_;
  *length_adj += length_adj_;
}
