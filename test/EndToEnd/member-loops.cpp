// Loops of member functions are tested alone, in an object that is made of what they use: members that are numbers,
// pointers and vectors, private ones too. Of a class for which that cannot be done, the reason is said.
// RUN: %clang_raise rewrite --verify %s -o %t.cpp -- -fopenmp -O2 -std=c++17 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang++-19 -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror %t.cpp -o %t && %t
// RUN: g++ -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror %t.cpp -o %t.gcc && %t.gcc
#include <cstddef>
#include <vector>

class Mesh {
  std::vector<double> Force, Mass;
  int N, *Cells;
  double Sum = 0;
  struct {
    int Rows;
  } In;

public:
  explicit Mesh(int N) : Force(N), Mass(N, 2), N(N), Cells(new int[N]), In{N} {}
  Mesh(const Mesh &) = delete;
  ~Mesh() { delete[] Cells; }
  double &force(int I) { return Force[I]; }
  int n() const { return N; }

  // CHECK: member-loops.cpp:[[#@LINE+2]]:{{.*}}raised {{.*}}; verification passed ({{.*}}the loop alone)
  void clear() {
    for (int I = 0; I < n(); ++I)
      force(I) = Mass[I] * 2;
  }
  // CHECK: member-loops.cpp:[[#@LINE+2]]:{{.*}}raised {{.*}}; verification passed ({{.*}}the loop alone)
  void mark(int K) {
    for (int I = 0; I < K; ++I)
      Cells[I] = I;
  }
  // CHECK: member-loops.cpp:[[#@LINE+3]]:{{.*}}raised to a reduction{{.*}}; verification passed ({{.*}}the loop alone)
  double total() const {
    double S = Sum;
    for (int I = 0; I < In.Rows; ++I)
      S += Mass[I] * Force[I];
    return S;
  }
  // CHECK: member-loops.cpp:[[#@LINE+2]]:{{.*}}raised to a map{{.*}}; verification passed ({{.*}}the loop alone)
  void one() {
    for (double &F : Force)
      F += 1;
  }
  int cell(int I) const { return Cells[I]; }
};

struct Base {
  virtual ~Base() = default;
  double X[8] = {};
  double *At = X;
  // CHECK: member-loops.cpp:[[#@LINE+2]]:{{.*}}verification inconclusive ({{.*}}no object of class 'Base' can be made for the loop alone)
  void fill(int N, double V) {
    for (int I = 0; I < N; ++I)
      At[I] = V;
  }
};

struct Table {
  double X[1000000] = {};
  // CHECK: member-loops.cpp:[[#@LINE+2]]:{{.*}}verification inconclusive ({{.*}}the loop uses 'X', a member that is neither a number, nor a pointer, nor a vector)
  void fill(double V) {
    for (int I = 0; I < 1000000; ++I)
      X[I] = V / (I + 1);
  }
};

int main() {
  const int N = 300000;
  Mesh M(N);
  M.clear();
  M.one();
  M.mark(N);
  Base B;
  B.fill(8, 3);
  static Table T;
  T.fill(2);
  return M.force(N - 1) != 5 || M.force(0) != 5 || M.cell(N - 1) != N - 1 || M.total() != 10.0 * N || B.X[7] != 3 ||
         T.X[0] != 2;
}
