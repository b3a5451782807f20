// Derivatives as expressions of Eigen, against those as OpenMP loops: in every
// mode, under every --fp, where arrays overlap and where sizes are none.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --fp=strict --function=axpy --function=square --function=normalize --function=gemm --function=stencil --function=blend %s -o %t/loops.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clang_raise grad --target=eigen --fp=strict --function=axpy --function=square --function=normalize --function=gemm --function=stencil --function=blend %s -o %t/strict.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clang_raise grad --target=eigen --function=axpy --function=square --function=normalize --function=gemm --function=stencil --function=blend %s -o %t/reduce.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clang_raise grad --target=eigen --fp=fast --function=axpy --function=square --function=normalize --function=gemm --function=stencil --function=blend %s -o %t/fast.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clang_raise grad --target=eigen --fp=fast --function=axpy --function=square --function=normalize --function=gemm --function=stencil --function=blend %s -o %t/fast.cpp --check -- -O2 -std=c++17 -fopenmp
// RUN: FileCheck %s --check-prefix=STRICT < %t/strict.cpp
// RUN: FileCheck %s --check-prefix=REDUCE < %t/reduce.cpp
// RUN: FileCheck %s --check-prefix=FAST < %t/fast.cpp
// RUN: %clangxx -std=c++17 -O1 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-pass-failed -isystem /usr/include/eigen3 %S/Inputs/adjoint-eigen-main.cpp -DLOOPS='"%t/loops.cpp"' -DEIGEN='"%t/strict.cpp"' -DTOLERANCE=0 -o %t/strict && %t/strict
// RUN: %gxx -std=c++17 -O1 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -isystem /usr/include/eigen3 %S/Inputs/adjoint-eigen-main.cpp -DLOOPS='"%t/loops.cpp"' -DEIGEN='"%t/reduce.cpp"' -DTOLERANCE=1e-10 -o %t/reduce && %t/reduce
// RUN: %clangxx -std=c++17 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -isystem /usr/include/eigen3 %S/Inputs/adjoint-eigen-main.cpp -DLOOPS='"%t/loops.cpp"' -DEIGEN='"%t/fast.cpp"' -DTOLERANCE=1e-10 -o %t/fast && %t/fast
//
// Tangents, several at once, and adjoints in two functions.
// RUN: %clang_raise grad --mode=forward --fp=strict --function=axpy --function=square --function=normalize --function=stencil %s -o %t/loops-tangent.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clang_raise grad --mode=forward --target=eigen --fp=strict --function=axpy --function=square --function=normalize --function=stencil %s -o %t/tangent.cpp -- -O2 -std=c++17 -fopenmp
// RUN: FileCheck %s --check-prefix=TANGENT < %t/tangent.cpp
// RUN: %clangxx -std=c++17 -O1 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-pass-failed -isystem /usr/include/eigen3 %S/Inputs/adjoint-eigen-main.cpp -DLOOPS='"%t/loops-tangent.cpp"' -DEIGEN='"%t/tangent.cpp"' -DTOLERANCE=0 -DTANGENTS -o %t/tangent && %t/tangent
// RUN: %clang_raise grad --mode=forward --directions=16 --function=axpy %s -o %t/loops-many.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clang_raise grad --mode=forward --directions=16 --target=eigen --function=axpy %s -o %t/many.cpp -- -O2 -std=c++17 -fopenmp
// RUN: FileCheck %s --check-prefix=MANY < %t/many.cpp
// RUN: %clangxx -std=c++17 -O1 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-pass-failed -isystem /usr/include/eigen3 %S/Inputs/adjoint-eigen-main.cpp -DLOOPS='"%t/loops-many.cpp"' -DEIGEN='"%t/many.cpp"' -DTOLERANCE=0 -DDIRECTIONS -o %t/many && %t/many
// RUN: %clang_raise grad --split --function=normalize %s -o %t/loops-split.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clang_raise grad --split --target=eigen --function=normalize %s -o %t/split.cpp -- -O2 -std=c++17 -fopenmp
// RUN: FileCheck %s --check-prefix=SPLIT < %t/split.cpp
// RUN: %clangxx -std=c++17 -O1 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-pass-failed -isystem /usr/include/eigen3 %S/Inputs/adjoint-eigen-main.cpp -DLOOPS='"%t/loops-split.cpp"' -DEIGEN='"%t/split.cpp"' -DTOLERANCE=1e-10 -DSPLIT -o %t/split && %t/split
//
// The header declares what any C++ compiler knows.
// RUN: %clangxx -std=c++17 -fsyntax-only -x c++ %t/fast.h
#include <cmath>

// STRICT: #include <cmath>
// STRICT-NEXT: #include <vector>
// STRICT-NEXT: #include <Eigen/Core>

void axpy(double a, const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}
// A sum of floats is Eigen's under --fp=reduce.
// STRICT-LABEL: {{^}}void axpy_adjoint(
// STRICT-NOT: sum()
// STRICT-LABEL: {{^}}static void square_adjoint_general(
// REDUCE-LABEL: {{^}}void axpy_adjoint(
// REDUCE: axpy_adjoint_general(a, x, y, n, a_adj, x_adj, y_adj);
// REDUCE-NEXT: return;
// REDUCE-NEXT: }
// REDUCE-NEXT: if (n > 0) {
// REDUCE-NEXT:   Eigen::Map<const Eigen::ArrayXd> xs(x, n);
// REDUCE-NEXT:   Eigen::Map<Eigen::ArrayXd> ys(y, n);
// REDUCE-NEXT:   ys += a * xs;
// REDUCE-NEXT: }
// REDUCE-NEXT: double a_adj_ = 0;
// REDUCE-NEXT: if (n > 0) {
// REDUCE-NEXT:   Eigen::Map<const Eigen::ArrayXd> ys_adj(y_adj, n);
// REDUCE-NEXT:   Eigen::Map<const Eigen::ArrayXd> xs(x, n);
// REDUCE-NEXT:   Eigen::Map<Eigen::ArrayXd> xs_adj(x_adj, n);
// REDUCE-NEXT:   a_adj_ += (ys_adj * xs).sum();
// REDUCE-NEXT:   xs_adj += a * ys_adj;
// REDUCE-NEXT: }
// REDUCE-NEXT: *a_adj += a_adj_;
// In 16 directions, each row of tangents is an expression.
// MANY: Eigen::Map<Eigen::ArrayXd> ys_tan(y_tan + i * 16LL, 16);
// MANY: ys_tan += {{.*}};

void square(double *y, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
// STRICT-LABEL: {{^}}void square_adjoint(
// STRICT: ys = xs.square();
// STRICT-NEXT: xs_adj += 2.0 * xs * ys_adj;
// STRICT-NEXT: ys_adj.setZero();
// TANGENT-LABEL: {{^}}void square_tangent(
// TANGENT: if (n > 0 && {{.*}}
// TANGENT: ys_tan = 2.0 * xs * xs_tan;
// TANGENT-NEXT: ys = xs.square();
// TANGENT-NEXT: } else {
// TANGENT-NEXT: for (int i = 0; i < n; ++i) {

void normalize(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  const double r = 1 / std::sqrt(sum);
  for (int i = 0; i < n; ++i)
    x[i] *= r;
}
// REDUCE-LABEL: {{^}}void normalize_adjoint(
// REDUCE: sum += xs.square().sum();
// REDUCE: r_adj += (xs_tape * xs_adj).sum();
// REDUCE-NEXT: xs_adj *= r;
// SPLIT-LABEL: {{^}}void normalize_augmented(
// SPLIT: Eigen::Map<Eigen::ArrayXd> xs_tape(tape.x_tape.data(), n);
// SPLIT-LABEL: {{^}}void normalize_reverse(
// SPLIT: r_adj += (xs_tape * xs_adj).sum();

void gemm(const double *A, const double *B, double *C, int n, int m, int k) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      for (int l = 0; l < k; ++l)
        C[i * m + j] += A[i * k + l] * B[l * m + j];
}
// Products of matrices are Eigen's under --fp=fast.
// STRICT-LABEL: {{^}}void gemm_adjoint(
// STRICT-NOT: noalias
// STRICT-LABEL: {{^}}static void stencil_adjoint_general(
// REDUCE-LABEL: {{^}}void gemm_adjoint(
// REDUCE-NOT: noalias
// REDUCE-LABEL: {{^}}static void stencil_adjoint_general(
// FAST-LABEL: {{^}}void gemm_adjoint(
// FAST: (A_end <= B_at || B_end <= A_at)
// FAST: if (n > 0 && k > 0 && m > 0) {
// FAST: C_mat.noalias() += A_mat * B_mat;
// FAST-NEXT: A_adj_mat.noalias() += C_adj_mat * B_mat.transpose();
// FAST-NEXT: B_adj_mat.noalias() += A_mat.transpose() * C_adj_mat;
// FAST-NEXT: }
// FAST-NEXT: }

void stencil(double *v, const double *u, double a, int n) {
  for (int i = 1; i < n - 1; ++i)
    v[i] = a * (u[i - 1] + u[i + 1]) + u[i] * u[i];
}
// REDUCE-LABEL: {{^}}void stencil_adjoint(
// REDUCE: vs = a * (us.head(n - 2) + us.tail(n - 2)) + us.segment(1, n - 2).square();
// REDUCE: a_adj_ += (vs_adj * (us.head(n - 2) + us.tail(n - 2))).sum();
// REDUCE-NEXT: vs_adj.setZero();

void blend(double *z, const double *x, const double *y, const double *w,
           int n) {
  for (int i = 0; i < n; ++i)
    z[i] = w[i] * x[i] + (1 - w[i]) * y[i];
}
// What the form tests of the arrays holds for their adjoints.
// STRICT-LABEL: {{^}}void blend_adjoint(
// STRICT: ws_adj += zs_adj * xs - zs_adj * ys;
// STRICT-NEXT: xs_adj += ws * zs_adj;
// STRICT-NEXT: ys_adj += (1.0 - ws) * zs_adj;
// STRICT-NEXT: zs_adj.setZero();
