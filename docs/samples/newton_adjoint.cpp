// Adjoints of functions of newton.cpp, made by clang-raise grad.
#include <cmath>
#include <vector>

// The adjoint of lambert (newton.cpp:4): of the result with respect to x.
void lambert_adjoint(double x, double *x_adj, double lambert_adj) {
  double y = x < 1 ? x : log(x);
  double step = 1;
  std::vector<double> e_tape;
  std::vector<double> y_tape;
  long long trips = 0;
  while (fabs(step) > 1e-12) {
    y_tape.push_back(y);
    const double e = exp(y);
    e_tape.push_back(e);
    step = (y * e - x) / (e * (y + 1));
    y -= step;
    ++trips;
  }
  double y_adj = lambert_adj;
  double step_adj = 0;
  double x_adj_ = 0;
  for (long long k = trips - 1; k >= 0; --k) {
    const double e = e_tape[k];
    const double y_old = y_tape[k];
    step_adj -= y_adj;
    const double d = step_adj / (e * (y_old + 1));
    const double d2 = (y_old * e - x) / (e * (y_old + 1)) * d;
    y_adj += d * e - e * d2;
    double e_adj = y_old * d - d2 * (y_old + 1);
    x_adj_ -= d;
    step_adj = 0;
    y_adj += e * e_adj;
  }
  if (x < 1)
    x_adj_ += y_adj;
  else
    x_adj_ += y_adj / x;
  *x_adj += x_adj_;
}
