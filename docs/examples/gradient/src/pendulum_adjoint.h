// Adjoints of functions of pendulum.cpp, made by clang-raise grad.
#ifndef CLANG_RAISE_PENDULUM_ADJOINT_H
#define CLANG_RAISE_PENDULUM_ADJOINT_H

#include "pendulum.h"
#include <cmath>

// The adjoint of misfit (pendulum.cpp:4): of the result with respect to angle
// and length.
void misfit_adjoint(double angle, double length, const double *seen, int steps,
                    double *angle_adj, double *length_adj, double misfit_adj);

#endif // CLANG_RAISE_PENDULUM_ADJOINT_H
