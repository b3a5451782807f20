// Arrays in every structure of an array: particles with their positions and
// velocities. Verification gives the structures, arrays and all; what the
// structures of one parameter hold is apart, two parameters are tested.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite --config=%t.cfg --verify %s -o %t.cpp -- -std=c++17 -O2 -fopenmp 2> %t.err
// RUN: FileCheck --check-prefix=SAID %s < %t.err
// RUN: FileCheck %s < %t.cpp
// RUN: %clangxx -std=c++17 -O1 -g -fopenmp -ffp-contract=off -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-pass-failed %t.cpp -o %t.clang && env OMP_NUM_THREADS=3 %t.clang > %t.out.clang
// RUN: %gxx -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror %t.cpp -o %t.gcc && env OMP_NUM_THREADS=2 %t.gcc > %t.out.gcc
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off %s -o %t.before && %t.before > %t.out.before
// RUN: diff %t.out.before %t.out.clang && diff %t.out.before %t.out.gcc
// Rows of structures are no rows of a matrix: their distance is in bytes.
// RUN: %clang_raise rewrite --config=%t.cfg --target=eigen %s -o %t.eigen.cpp -- -std=c++17 -O2 -fopenmp -isystem /usr/include/eigen3
// RUN: %clangxx -std=c++17 -O2 -fopenmp -ffp-contract=off -isystem /usr/include/eigen3 %t.eigen.cpp -o %t.eigen && %t.eigen > %t.out.eigen
// RUN: diff %t.out.before %t.out.eigen
// RUN: printf 'blas: cblas\nmachine:\n  parallel-work: 1\n' > %t.blas.cfg
// RUN: %clang_raise rewrite --config=%t.blas.cfg --fp=fast --verify %s -o %t.blas.cpp -- -std=c++17 -O2 -fopenmp 2>&1 | FileCheck --check-prefix=BLAS %s
// RUN: not grep '^ *cblas_' %t.blas.cpp
// RUN: not %clang_raise grad --function=drift %s -o %t.adj.cpp -- -std=c++17 2>&1 | FileCheck --check-prefix=GRAD %s
#include <cstdio>
#include <vector>

struct Particle {
  double pos[3];
  float charge;
  double vel[3];
};
struct Tag {
  short kinds[3];
  char name;
};
struct Cell {
  double flux[2][3];
  Tag tags[2]; // keeps the driver from nothing: no loop looks at it
};
struct Row {
  double v[4];
  int n;
};
union Both {
  double v[3];
  double w[3];
};
struct Holder {
  Both both;
  int n;
};

// SAID: [[@LINE+5]]:3: remark: raised to a map: p[i].pos[k] += dt·p[i].vel[k], {{.*}}; verification passed
// GRAD: [[@LINE+3]]:22: error: 'p' leads to structures of which each holds an array, 'vel', that has no derivative yet [CR1807]
// CHECK-LABEL: void drift(
// CHECK: #pragma omp parallel for
void drift(Particle *p, int n, double dt) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      p[i].pos[k] += dt * p[i].vel[k];
}

// A pointer to one of them, and a copy of a whole structure with its arrays.
// SAID: [[@LINE+5]]:3: remark: raised to {{.*}}; verification passed
// CHECK-LABEL: void reflect(
// CHECK: p[i].vel[k] = q[i].vel[k]
// CHECK: Tested: q does not overlap p;
void reflect(Particle *p, const Particle *q, int n) {
  for (int i = 0; i < n; ++i) {
    Particle *at = &p[i];
    *at = q[i];
    at->vel[0] = -at->vel[0];
  }
}

// Forces of all on all: each iteration writes velocities, all read positions.
// SAID: [[@LINE+4]]:3: remark: raised to {{.*}}; verification passed
// CHECK-LABEL: void attract(
// CHECK: #pragma omp parallel for
void attract(Particle *p, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double d[3], r = 1e-3;
      for (int k = 0; k < 3; ++k) {
        d[k] = p[j].pos[k] - p[i].pos[k];
        r += d[k] * d[k];
      }
      for (int k = 0; k < 3; ++k)
        p[i].vel[k] += p[j].charge * d[k] / r;
    }
}

// What overlaps the structures may overlap their arrays.
// SAID: [[@LINE+4]]:3: remark: raised to {{.*}}; verification passed
// CHECK-LABEL: void kick(
// CHECK: Tested: f does not overlap p;
void kick(Particle *p, const double *f, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      p[i].vel[k] += f[3 * i + k];
}

// Arrays of two dimensions.
// SAID: [[@LINE+4]]:3: remark: raised to {{.*}}c[i].flux[j,k]{{.*}}; verification passed
// CHECK-LABEL: void scale(
// CHECK: #pragma omp parallel for
void scale(Cell *c, int n, double by) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k)
        c[i].flux[j][k] *= by;
}

// A product of rows that stand in structures.
// SAID: [[@LINE+5]]:3: remark: raised to a contraction: {{.*}}; verification passed
// BLAS: [[@LINE+4]]:3: remark: raised to a contraction: {{.*}}; verification passed
// CHECK-LABEL: void multiply(
// CHECK: #pragma omp parallel for
void multiply(Row *c, const Row *a, const Row *b, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k)
        c[i].v[j] += a[i].v[k] * b[k].v[j];
}

// Each iteration reads what the one before it wrote.
// SAID: [[@LINE+5]]:3: remark: not raised further: iteration i reads 'p[i - 1].vel[k]', which iteration i - 1 writes (distance 1) [CR1101
// CHECK-LABEL: void carry(
// CHECK-NOT: #pragma omp parallel
// CHECK: {{^}}}
void carry(Particle *p, int n) {
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      p[i].vel[k] = 0.5 * p[i - 1].vel[k] + p[i].pos[k];
}

// The same bytes by two names.
// SAID: [[@LINE+4]]:3: remark: not raised: 'w' is a member of a union [CR1012
// CHECK-LABEL: void either(
// CHECK-NOT: #pragma omp
void either(Holder *p, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      p[i].both.v[k + 1] = p[i].both.w[k];
}

int main() {
  constexpr int n = 57;
  std::vector<Particle> p(n), q(n);
  std::vector<Cell> c(n);
  std::vector<double> f(3 * n);
  for (int i = 0; i < n; ++i) {
    p[i].charge = float(i % 5 - 2);
    for (int k = 0; k < 3; ++k) {
      p[i].pos[k] = 0.25 * ((7 * i + k) % 31);
      p[i].vel[k] = 0.125 * ((3 * i + k) % 17) - 1;
      f[3 * i + k] = 0.5 * (i % 3) - k;
      c[i].flux[0][k] = i + k, c[i].flux[1][k] = i - k;
    }
  }
  drift(p.data(), n, 0.5);
  attract(p.data(), n);
  kick(p.data(), f.data(), n);
  reflect(q.data(), p.data(), n);
  // Forces that lie in the particles themselves.
  kick(q.data(), q[0].pos, 8);
  // Each from the one before it, in the same array.
  reflect(q.data() + 1, q.data(), n - 1);
  carry(p.data(), n);
  scale(c.data(), n, 1.5);
  drift(p.data(), 0, 1);
  std::vector<Row> r(n), a(n), b(4);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k) {
      a[i].v[k] = i % 7 - k;
      b[k].v[i % 4] = i - 3 * k;
    }
  multiply(r.data(), a.data(), b.data(), n);
  Holder h[2] = {{{{1, 2, 3}}, 0}, {{{4, 5, 6}}, 0}};
  either(h, 2);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      std::printf("%a %a %a %a %a\n", p[i].pos[k], p[i].vel[k], q[i].pos[k],
                  q[i].vel[k], c[i].flux[i % 2][k]);
  for (const Row &each : r)
    std::printf("%a %a %d\n", each.v[0], each.v[3], each.n);
  std::printf("%a %a\n", h[0].both.v[2], h[1].both.v[2]);
}
