// Links the adjoints of ../../adjoint-headers.cu with its translation, and
// compares them with differences.
#include "adjoint.h"
#include "../differences.h"

void rows(dim3, dim3, double *, const double *, int, int, int);
struct Gain;
void gained(dim3, dim3, double *, const double *, const Gain *, int);
int launched();

int main() {
  const int N = 5, C = 70;
  for (int Kind : {0, 1})
    check(
        "rows", N, N * C,
        [&](Vector &Y, Vector &X) {
          rows(dim3(2), dim3(96), Y.data(), X.data(), N, C, Kind);
        },
        [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
          rows_adjoint(dim3(2), dim3(96), Y.data(), X.data(), N, C, Kind,
                       YA.data(), XA.data());
        });
  double By[1] = {3}, ByAdjoint[1];
  check(
      "gained", N, N,
      [&](Vector &Y, Vector &X) {
        gained(dim3(1), dim3(32), Y.data(), X.data(), (const Gain *)By, N);
      },
      [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
        gained_adjoint(dim3(1), dim3(32), Y.data(), X.data(),
                       (const Gain *)By, N, YA.data(), XA.data(),
                       (Gain *)ByAdjoint);
      });
  return launched() == 0 ? Failures : 1;
}
