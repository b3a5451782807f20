// One reason a line, and beside it the same code without the cause, which is
// raised.
//
// RUN: %clang_raise explain %s --json=%t.json -- -std=gnu11 -fopenmp > %t.out
// RUN: %python %S/Inputs/results.py %s %t.json

// An update in another form than those of a reduction.
int keeps_when_greater(const int *x, int n) {
  int m = 100;
  for (int i = 0; i < n; ++i) // results: CR1205
    for (int j = 0; j < 4; ++j) // results: CR1603
      m = x[4 * i + j] > m ? m : x[4 * i + j];
  return m;
}
int takes_when_less(const int *x, int n) {
  int m = 100;
  for (int i = 0; i < n; ++i) // results: none
    for (int j = 0; j < 4; ++j)
      m = x[4 * i + j] < m ? x[4 * i + j] : m;
  return m;
}
int empty_else(const int *x, int n) {
  int m = 100;
  for (int i = 0; i < n; ++i) // results: CR1205
    for (int j = 0; j < 4; ++j) // results: CR1603
      if (x[4 * i + j] < m)
        m = x[4 * i + j];
      else
        ;
  return m;
}
int no_else(const int *x, int n) {
  int m = 100;
  for (int i = 0; i < n; ++i) // results: none
    for (int j = 0; j < 4; ++j)
      if (x[4 * i + j] < m)
        m = x[4 * i + j];
  return m;
}

// A block that was emitted before inside the loop.
void holds_a_block(float *x, int n, int m) {
  for (int j = 0; j < m; ++j) { // results: CR1707
    // results below: CR1709
    // clang-raise: holds_a_block:1 d7d8a6a2f2a1b1c3
    for (int i = 0; i < n; ++i)
      x[j * n + i] = 0;
    // clang-raise: end
  }
}
void holds_none(float *x, int n, int m) {
  for (int j = 0; j < m; ++j) { // results: none
    for (int i = 0; i < n; ++i)
      x[j * n + i] = 0;
  }
}

// Nothing more precise is known: here, that the loop is never run.
int unevaluated(float *x, int n) {
  return sizeof(({
    for (int i = 0; i < n; ++i) // results: CR1713
      x[i] = 0;
    1;
  }));
}
void evaluated(float *x, int n) {
  for (int i = 0; i < n; ++i) // results: none
    x[i] = 0;
}

// A part that runs in the order in which it is written.
void repeats(float *x, int n, float limit) {
  for (int r = 0; r < n; ++r) // results: CR1714
    while (x[r] > limit)
      x[r] *= 0.5f;
}
// One that counts down is an operation in order like one that counts up ...
void falls(float *x, int n, int m) {
  for (int r = 0; r < n; ++r) // results: none
    for (int c = m - 2; c >= 0; --c)
      x[r * m + c] += x[r * m + c + 1];
}
// ... unless it may leave early.
void falls_out(float *x, int n, int m) {
  for (int r = 0; r < n; ++r) // results: CR1714
    for (int c = m - 2; c >= 0; --c) {
      if (x[r * m + c + 1] > 1)
        break;
      x[r * m + c] += x[r * m + c + 1];
    }
}
void does_not(float *x, int n) {
  for (int r = 0; r < n; ++r) // results: none
    x[r] *= 0.5f;
}
