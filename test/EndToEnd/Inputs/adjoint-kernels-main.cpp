// Calls the adjoints of ../adjoint-kernels.cu and compares them with
// differences of the translated kernels.
#include "adjoint.h"
#include "differences.h"

void square(dim3, dim3, double *, const double *, int);
void sumsq(dim3, dim3, double *, const double *, int);
void many(dim3, dim3, double *, const double *, int);
void matmul(dim3, dim3, double *, const double *, const double *, int);
void vectors(dim3, dim3, float4 *, const float4 *, int);
void stride(dim3, dim3, double *, const double *, double, int);
void leaves(dim3, dim3, double *, const double *, int);
void histogram(dim3, dim3, double *, const double *, const int *, int);
void optional(dim3, dim3, double *, const double *, const double *, int);
void pool(dim3, dim3, double *, const double *, int, int);

int main() {
  const int N = 37;
  std::vector<int> At;
  for (int I = 0; I < N; ++I)
    At.push_back(I * I % 5);
  // The second launch does not cover the range; the third uses a dimension that
  // the kernels do not look at.
  struct {
    dim3 Grid, Block;
    bool Once; ///< each index belongs to one thread
  } Launches[] = {{dim3(3), dim3(16), true},
                  {dim3(2), dim3(8), true},
                  {dim3(3), dim3(16, 2), false}};
  for (auto [G, B, Once] : Launches) {
    dim3 Grid = G, Block = B;
    if (Once) {
      check(
          "square", N, N,
          [&](Vector &Y, Vector &X) {
            square(Grid, Block, Y.data(), X.data(), N);
          },
          [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
            square_adjoint(Grid, Block, Y.data(), X.data(), N, YA.data(),
                           XA.data());
          });
      check(
          "square in place", N, 1,
          [&](Vector &Y, Vector &) {
            square(Grid, Block, Y.data(), Y.data(), N);
          },
          [&](Vector &Y, Vector &, Vector &YA, Vector &) {
            square_adjoint(Grid, Block, Y.data(), Y.data(), N, YA.data(),
                           YA.data());
          });
      check(
          "many", N, N,
          [&](Vector &Y, Vector &X) {
            many(Grid, Block, Y.data(), X.data(), N);
          },
          [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
            many_adjoint(Grid, Block, Y.data(), X.data(), N, YA.data(),
                         XA.data());
          },
          1e-6, 1e-5);
      check(
          "stride", N, N + 1,
          [&](Vector &Y, Vector &X) {
            stride(Grid, Block, Y.data(), X.data(), X[N], N);
          },
          [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
            stride_adjoint(Grid, Block, Y.data(), X.data(), X[N], N, YA.data(),
                           XA.data(), &XA[N]);
          });
      check(
          "leaves", N, N,
          [&](Vector &Y, Vector &X) {
            leaves(Grid, Block, Y.data(), X.data(), N);
          },
          [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
            leaves_adjoint(Grid, Block, Y.data(), X.data(), N, YA.data(),
                           XA.data());
          });
      check(
          "optional", N, 2 * N,
          [&](Vector &Y, Vector &X) {
            optional(Grid, Block, Y.data(), X.data(), &X[N], N);
          },
          [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
            optional_adjoint(Grid, Block, Y.data(), X.data(), &X[N], N,
                             YA.data(), XA.data(), &XA[N]);
          });
      check(
          "optional, null", N, N,
          [&](Vector &Y, Vector &X) {
            optional(Grid, Block, Y.data(), X.data(), nullptr, N);
          },
          [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
            optional_adjoint(Grid, Block, Y.data(), X.data(), nullptr, N,
                             YA.data(), XA.data(), nullptr);
          });
      check(
          "pool", N, N,
          [&](Vector &Y, Vector &X) {
            pool(Grid, Block, Y.data(), X.data(), N, 3);
          },
          [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
            pool_adjoint(Grid, Block, Y.data(), X.data(), N, 3, YA.data(),
                         XA.data());
          });
      check(
          "vectors", 4 * N, 4 * N,
          [&](Vector &Y, Vector &X) {
            std::vector<float4> V(N), W(N);
            for (int I = 0; I < N; ++I)
              V[I] = {float(X[4 * I]), float(X[4 * I + 1]), float(X[4 * I + 2]),
                      float(X[4 * I + 3])},
              W[I] = {float(Y[4 * I]), float(Y[4 * I + 1]), float(Y[4 * I + 2]),
                      float(Y[4 * I + 3])};
            vectors(Grid, Block, W.data(), V.data(), N);
            for (int I = 0; I < N; ++I)
              Y[4 * I] = W[I].x, Y[4 * I + 1] = W[I].y, Y[4 * I + 2] = W[I].z,
                    Y[4 * I + 3] = W[I].w;
          },
          [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
            std::vector<float4> V[4];
            const Vector *From[] = {&Y, &X, &YA, &XA};
            Vector *To[] = {&Y, &X, &YA, &XA};
            for (int K = 0; K < 4; ++K)
              for (int I = 0; I < N; ++I) {
                const Vector &F = *From[K];
                V[K].push_back({float(F[4 * I]), float(F[4 * I + 1]),
                                float(F[4 * I + 2]), float(F[4 * I + 3])});
              }
            vectors_adjoint(Grid, Block, V[0].data(), V[1].data(), N,
                            V[2].data(), V[3].data());
            for (int K = 0; K < 4; ++K)
              for (int I = 0; I < N; ++I) {
                Vector &T = *To[K];
                T[4 * I] = V[K][I].x, T[4 * I + 1] = V[K][I].y,
                      T[4 * I + 2] = V[K][I].z, T[4 * I + 3] = V[K][I].w;
              }
          },
          1e-2, 1e-3);
    }
    check(
        "sumsq", 1, N,
        [&](Vector &Y, Vector &X) {
          sumsq(Grid, Block, Y.data(), X.data(), N);
        },
        [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
          sumsq_adjoint(Grid, Block, Y.data(), X.data(), N, YA.data(),
                        XA.data());
        });
    check(
        "histogram", 5, N,
        [&](Vector &Y, Vector &X) {
          histogram(Grid, Block, Y.data(), X.data(), At.data(), N);
        },
        [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
          histogram_adjoint(Grid, Block, Y.data(), X.data(), At.data(), N,
                            YA.data(), XA.data());
        });
  }
  const int M = 9;
  for (dim3 Grid : {dim3(3, 3), dim3(1, 2)})
    check(
        "matmul", M * M, 2 * M * M,
        [&](Vector &Y, Vector &X) {
          matmul(Grid, dim3(4, 4), Y.data(), X.data(), &X[M * M], M);
        },
        [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
          matmul_adjoint(Grid, dim3(4, 4), Y.data(), X.data(), &X[M * M], M,
                         YA.data(), XA.data(), &XA[M * M]);
        });
  return Failures != 0;
}
