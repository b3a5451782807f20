// Calls the adjoints of ../adjoint-blocks.cu and compares them with differences
// of the translated kernels; with an argument, one at a launch that it is not
// made for.
#include "adjoint.h"
#include "differences.h"

void tree(dim3, dim3, const float *, float *, int);
void rows(dim3, dim3, double *, const double *, const double *, int);
void attend(dim3, dim3, double *, const double *);
void tile(dim3, dim3, double *, const double *, const double *, int);
void share(dim3, dim3, double *, const double *, int);
void ring(dim3, dim3, double *, const double *, int);
void cube(dim3, dim3, double *, const double *);

/// The values of tree are floats: sums of squares, of which a difference of one
/// is exact enough.
static void checkTree(int N, dim3 Grid, dim3 Block) {
  std::vector<float> X(N), XA(N), Out(Grid.x), OutA(Grid.x);
  for (int I = 0; I < N; ++I)
    X[I] = float(I % 7) - 3, XA[I] = 0.5f;
  for (unsigned B = 0; B < Grid.x; ++B)
    OutA[B] = float(B) + 1;
  tree_adjoint(Grid, Block, X.data(), Out.data(), N, XA.data(), OutA.data());
  std::vector<float> Again(Grid.x);
  tree(Grid, Block, X.data(), Again.data(), N);
  for (unsigned B = 0; B < Grid.x; ++B) {
    compare("tree, primal", Out[B], Again[B]);
    compare("tree, out_adj", OutA[B], 0);
  }
  const int Covered = int(Grid.x * Block.x);
  for (int I = 0; I < N; ++I)
    compare("tree, x_adj", XA[I],
            0.5 + (I < Covered ? 2 * X[I] * (I / Block.x + 1.0) : 0));
}

int main(int Count, char **Args) {
  if (Count > 1) {
    float X[64] = {}, Out[64] = {};
    // A block of two dimensions, and one that CUDA does not launch.
    const dim3 Block = Args[1][0] == '2' ? dim3(8, 8) : dim3(2048);
    tree_adjoint(dim3(1), Block, X, Out, 64, X, Out);
    return 0;
  }
  checkTree(200, dim3(4), dim3(64));
  checkTree(70, dim3(2), dim3(32));
  checkTree(3, dim3(1), dim3(1));
  for (int C : {1, 5, 40})
    check(
        "rows", 6 * C, 7 * C,
        [&](Vector &Y, Vector &X) {
          rows(dim3(6), dim3(16), Y.data(), X.data() + C, X.data(), C);
        },
        [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
          rows_adjoint(dim3(6), dim3(16), Y.data(), X.data() + C, X.data(), C,
                       YA.data(), XA.data() + C, XA.data());
        },
        1e-6, 1e-4);
  check(
      "attend", 192, 192,
      [&](Vector &Y, Vector &X) {
        attend(dim3(3), dim3(64), Y.data(), X.data());
      },
      [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
        attend_adjoint(dim3(3), dim3(64), Y.data(), X.data(), YA.data(),
                       XA.data());
      });
  for (int N : {7, 16, 21})
    check(
        "tile", N * N, 2 * N * N,
        [&](Vector &Y, Vector &X) {
          tile(dim3(3, 3), dim3(8, 8), Y.data(), X.data(), X.data() + N * N, N);
        },
        [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
          tile_adjoint(dim3(3, 3), dim3(8, 8), Y.data(), X.data(),
                       X.data() + N * N, N, YA.data(), XA.data(),
                       XA.data() + N * N);
        });
  check(
      "share", 1, 100,
      [&](Vector &Y, Vector &X) {
        share(dim3(2), dim3(64), Y.data(), X.data(), 100);
      },
      [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
        share_adjoint(dim3(2), dim3(64), Y.data(), X.data(), 100, YA.data(),
                      XA.data());
      });
  for (int Steps : {0, 1, 4})
    check(
        "ring", 96, 96,
        [&](Vector &Y, Vector &X) {
          ring(dim3(3), dim3(32), Y.data(), X.data(), Steps);
        },
        [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
          ring_adjoint(dim3(3), dim3(32), Y.data(), X.data(), Steps, YA.data(),
                       XA.data());
        });
  check(
      "cube", 1, 48,
      [&](Vector &Y, Vector &X) { cube(dim3(1), dim3(48), Y.data(), X.data()); },
      [&](Vector &Y, Vector &X, Vector &YA, Vector &XA) {
        cube_adjoint(dim3(1), dim3(48), Y.data(), X.data(), YA.data(),
                     XA.data());
      });
  if (!Failures)
    std::puts("all right");
  return Failures != 0;
}
