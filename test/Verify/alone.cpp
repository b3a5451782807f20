// REQUIRES: clang-raise
// A function that cannot be called by a test: its loops are tested alone, with what they use from around them.
//
// RUN: %clang_raise rewrite --verify --require-verified %s -o %t.cpp -- -O2 -fopenmp > %t.out 2>&1
// RUN: FileCheck %s < %t.out

namespace deep {
namespace {

extern float *elsewhere;
float table[32];
int unknown(int);

struct State {
  int n;
  float *x, *v;
  State(const State &) = default;
  State() = default;
};

// CHECK: alone.cpp:[[#@LINE+2]]:{{.*}}verification passed ({{.*}}, the loop alone)
void step(State s, float dt) {
  for (int i = 0; i < s.n; ++i)
    s.x[i] += dt * s.v[i];
}

// A reduction whose value is used, a cursor, a last value, an array outside.
// CHECK: alone.cpp:[[#@LINE+5]]:{{.*}}verification passed ({{.*}}, the loop alone)
// CHECK: alone.cpp:[[#@LINE+7]]:{{.*}}verification passed ({{.*}}, the loop alone)
float sums(float *y, int n) {
  float sum = unknown(n);
  float *row = y + unknown(n);
  for (int i = 0; i < n; ++i)
    sum += row[i] * row[i];
  int j;
  for (j = 0; j < n; ++j)
    y[j] = sum + 1;
  elsewhere = y;
  return sum + j;
}

// CHECK: alone.cpp:[[#@LINE+3]]:{{.*}}verification passed ({{.*}}, the loop alone)
float wide(int n) {
  float most = unknown(n);
  for (int i = 0; i < n; ++i)
    table[i] += most > 0 ? 1 : 2;
  return most;
}

} // namespace
} // namespace deep
void *Keep[] = {(void *)deep::step, (void *)deep::sums, (void *)deep::wide};
