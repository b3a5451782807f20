#include <cmath>

// The solution of y * exp(y) = x.
double lambert(double x) {
  double y = x < 1 ? x : std::log(x);
  double step = 1;
  while (std::fabs(step) > 1e-12) {
    const double e = std::exp(y);
    step = (y * e - x) / (e * (y + 1));
    y -= step;
  }
  return y;
}
