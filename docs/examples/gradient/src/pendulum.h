#ifndef PENDULUM_H
#define PENDULUM_H

/// How far the pendulum is from where it was seen: the sum of the squared
/// differences between its angle and seen[0..steps) over time, when it starts
/// at angle and swings on a string of that length.
double misfit(double angle, double length, const double *seen, int steps);

#endif
