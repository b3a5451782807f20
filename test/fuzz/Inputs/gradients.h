// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ../gradients.py's programs compare with: CHECK(f, OpenMP) compares
// f_adjoint with f_tangent, f_tangent with differences of f, and what both leave
// of the primal with what f leaves. Prints "f: ..." for what differs.
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

using Vector = std::vector<double>;

/// y, z, x, a, b; Shift >= 0: z is y from there on.
struct Point {
  Vector Y, Z, X, S;
};

struct Numbers {
  std::mt19937_64 Random;
  double operator()() {
    return std::uniform_real_distribution<double>(-2, 2)(Random);
  }
  Point point(int Size) {
    Point P;
    for (int I = 0; I < Size; ++I) {
      P.Y.push_back((*this)());
      P.Z.push_back((*this)());
      P.X.push_back((*this)());
    }
    P.S = {(*this)(), (*this)()};
    return P;
  }
};

inline double dot(const Vector &A, const Vector &B) {
  double Sum = 0;
  for (size_t I = 0; I < A.size(); ++I)
    Sum += A[I] * B[I];
  return Sum;
}
inline double dot(const Point &A, const Point &B, bool Shared) {
  return dot(A.Y, B.Y) + (Shared ? 0 : dot(A.Z, B.Z)) + dot(A.X, B.X) +
         dot(A.S, B.S);
}
inline Point moved(Point P, const Point &D, double H) {
  for (auto [V, By] : {std::pair(&P.Y, &D.Y), std::pair(&P.Z, &D.Z),
                       std::pair(&P.X, &D.X), std::pair(&P.S, &D.S)})
    for (size_t I = 0; I < V->size(); ++I)
      (*V)[I] += H * (*By)[I];
  return P;
}
/// Rounding, and a sum of another order, are no difference.
inline bool close(double A, double B, double Tolerance) {
  return A == B || (std::isnan(A) && std::isnan(B)) ||
         std::fabs(A - B) <= Tolerance * (1 + std::fabs(A) + std::fabs(B));
}
inline bool close(const Vector &A, const Vector &B) {
  for (size_t I = 0; I < A.size(); ++I)
    if (!close(A[I], B[I], 1e-9))
      return false;
  return true;
}

template <class F, class A, class T>
void check(const char *Name, F Primal, A Adjoint, T Tangent, bool Parallel) {
  static const int Sizes[] = {0, 1, 2, 5, 17, 4};
  int Compared = 0;
  for (int Number = 0; Number < 6; ++Number) {
    // The last input shares memory.
    const bool Shared = Number == 5 && !Parallel;
    const int N = Sizes[Number], Size = 3 * N + 4;
    Numbers Random{std::mt19937_64(Number + 1)};
    std::vector<int> K(Size);
    for (int &I : K)
      I = Random.Random() % Size;
    const Point At = Random.point(Size + 1), Along = Random.point(Size + 1),
                Seeds = Random.point(Size + 1);
    const double Seed = Random();
    const auto Second = [&](Point &P) {
      return Shared ? P.Y.data() + 1 : P.Z.data();
    };
    const auto Run = [&](Point &P) {
      return Primal(P.Y.data(), Second(P), P.X.data(), K.data(), P.S[0], P.S[1],
                    N);
    };
    Point Here = At, Near = moved(At, At, 1e-13);
    const double Value = Run(Here);
    // Where rounding alone moves the result, nothing can be compared.
    if (!close(Run(Near), Value, 1e-10) || !close(Near.Y, Here.Y) ||
        !close(Near.Z, Here.Z))
      continue;
    Point P = At, D = Along;
    double Slope = 0;
    const double Again =
        Tangent(P.Y.data(), Second(P), P.X.data(), K.data(), At.S[0], At.S[1],
                N, D.Y.data(), Second(D), D.X.data(), D.S[0], D.S[1], &Slope);
    if (!close(Again, Value, 1e-9) || !close(P.Y, Here.Y) || !close(P.Z, Here.Z))
      std::printf("%s: the tangent leaves another primal, input %d\n", Name,
                  Number);
    // What comes out: y, z and the result. x keeps its tangent and adjoint.
    Point Out = D;
    Out.S = {0, 0};
    const double Right = dot(Seeds, Out, Shared) + Seed * Slope;
    Point Q = At, G = Seeds;
    G.S = {0, 0};
    Adjoint(Q.Y.data(), Second(Q), Q.X.data(), K.data(), At.S[0], At.S[1], N,
            G.Y.data(), Second(G), G.X.data(), &G.S[0], &G.S[1], Seed);
    const double Got = dot(G, Along, Shared);
    if (!close(Q.Y, Here.Y) || !close(Q.Z, Here.Z))
      std::printf("%s: the adjoint leaves another primal, input %d\n", Name,
                  Number);
    if (!std::isfinite(Right) || std::fabs(Right) > 1e9)
      continue;
    if (!close(Got, Right, 1e-7)) {
      std::printf("%s: the adjoint gives %.12g, the tangent %.12g, input %d\n",
                  Name, Got, Right, Number);
      continue;
    }
    ++Compared;
    // Differences at several distances; at a kink or where they are too coarse,
    // none agrees with the others.
    double Last = 0, Before = 0;
    bool Agrees = false, Stable = false;
    for (double H : {1e-4, 1e-5, 1e-6}) {
      Point Up = moved(At, Along, H), Down = moved(At, Along, -H);
      const double U = Run(Up), L = Run(Down);
      double Sum = Seed * (U - L) / (2 * H) + dot(Seeds.X, Along.X);
      for (size_t I = 0; I < Up.Y.size(); ++I) {
        Sum += Seeds.Y[I] * (Up.Y[I] - Down.Y[I]) / (2 * H);
        if (!Shared)
          Sum += Seeds.Z[I] * (Up.Z[I] - Down.Z[I]) / (2 * H);
      }
      Agrees |= close(Sum, Right, 1e-4);
      Before = Last;
      Last = Sum;
      Stable = close(Last, Before, 1e-6);
    }
    if (!Agrees && Stable)
      std::printf("%s: the tangent gives %.12g, differences %.12g, input %d\n",
                  Name, Right, Last, Number);
  }
  std::printf("compared %d\n", Compared);
}

#define CHECK(F, Parallel)                                                     \
  check(#F, F, F##_adjoint, F##_tangent, (Parallel) != 0)
