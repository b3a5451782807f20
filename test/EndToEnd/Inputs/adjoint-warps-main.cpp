// Calls the adjoints of ../adjoint-warps.cu and compares them with differences
// of the translated kernels; with an argument, one at a launch that it is not
// made for.
#include "adjoint.h"
#include "differences.h"

void scaled(dim3, dim3, double *, const double *, int);
void racing(dim3, dim3, double *, const double *, int, int);
void nested(dim3, dim3, double *, const double *, const double *, int);

int main(int Count, char **) {
  if (Count > 1) {
    double X[64] = {}, Y[1] = {};
    racing_adjoint(dim3(1), dim3(64), Y, X, 64, 1, Y, X);
    return 0;
  }
  for (unsigned Block : {32, 64, 96})
    check(
        "scaled", 3 * 70, 3 * 70,
        [&](Vector &Y, Vector &X) {
          scaled(dim3(3), dim3(Block), Y.data(), X.data(), 70);
        },
        [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
          scaled_adjoint(dim3(3), dim3(Block), Y.data(), X.data(), 70,
                         YA.data(), XA.data());
        },
        1e-6, 1e-5);
  check(
      "racing", 1, 70,
      [&](Vector &Y, Vector &X) {
        racing(dim3(1), dim3(32), Y.data(), X.data(), 70, 1);
      },
      [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
        racing_adjoint(dim3(1), dim3(32), Y.data(), X.data(), 70, 1, YA.data(),
                       XA.data());
      },
      1e-6, 1e-5);
  const int N = 20;
  check(
      "nested", N, N + 4,
      [&](Vector &Y, Vector &X) {
        nested(dim3(2), dim3(16), Y.data(), X.data() + 3, X.data(), N);
      },
      [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
        nested_adjoint(dim3(2), dim3(16), Y.data(), X.data() + 3, X.data(), N,
                       YA.data(), XA.data() + 3, XA.data());
      });
  return Failures;
}
