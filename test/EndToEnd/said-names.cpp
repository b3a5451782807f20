// A remark names what the source says where a call was replaced by the function's body.
// RUN: %clang_raise explain %s -- -O2 -fopenmp | FileCheck %s

struct Mesh {
  int *Cells, *Symmetric;
  double *Force;
  int &cell(int Idx) { return Cells[Idx]; }
  int symmetric(int Idx) { return Symmetric ? Symmetric[Idx] : 0; }
  void mark(int N);
  void fix(int N);
};

// CHECK: said-names.cpp:[[#@LINE+2]]:{{.*}}as 'this->Cells[I * N + J]' and as 'this->Cells[J * N + I + 1]'
void Mesh::mark(int N) {
  for (int I = 0; I < N; I++)
    for (int J = 0; J < N; J++) {
      cell(I * N + J) |= 1;
      cell(J * N + I + 1) |= 2;
    }
}

// CHECK: said-names.cpp:[[#@LINE+2]]:{{.*}}'this->Force[symmetric(I)]': 'this->Symmetric ? this->Symmetric[I] : 0' is chosen
void Mesh::fix(int N) {
  for (int I = 0; I < N; I++)
    Force[symmetric(I)] = 0;
}

// CHECK: said-names.cpp:[[#@LINE+2]]:{{.*}}the subscript of 't[q]': '(int)x[i]'
void pairs(float *t, const float *x, int n) {
  for (int i = 0; i < n; ++i) {
    int q = (int)x[i];
    if (t[q])
      continue;
    t[q++] = 1;
    t[q++] = 2;
  }
}

// Two variables of one name.
static void ones(float *c, int n, int m) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      c[i * n + j] = 1;
}
// CHECK: said-names.cpp:[[#@LINE+2]]:{{.*}}two iterations of the loop write one element, 'c[i * n + j]', where 'i' is another variable [CR1103
void often(float *c, int n, int k) {
  for (int i = 0; i < k; ++i)
    ones(c, n, i);
}

// A pointer that leads to several objects is named, with two of them.
struct Layer {
  float *Out, *Work;
};
// CHECK: said-names.cpp:[[#@LINE+2]]:{{.*}}'b' may point into 'l.Work' or 'l.Out' [CR1008
void either(Layer l, float *o, int n, int c) {
  for (int g = 0; g < n; ++g) {
    float *b = l.Work;
    if (c)
      b = l.Out + g;
    o[g] = b[0];
  }
}

// What is certain is not said to be possible: of inner loops that do the same in every round.
// CHECK: said-names.cpp:[[#@LINE+2]]:{{.*}}every iteration reads and writes the same elements, 'd[j]' [CR1101
void rounds(float *__restrict d, const float *__restrict a, int c, int w, int h) {
  for (int i = 0; i < c; ++i)
    for (int j = 0; j < w * h; ++j)
      d[j] = d[j] * 0.5f + a[i * w * h + j];
}
// CHECK: said-names.cpp:[[#@LINE+2]]:{{.*}}an iteration may read 'd[j]', which another writes [CR1101
void triangle(float *__restrict d, const float *__restrict a, int c, int w) {
  for (int i = 0; i < c; ++i)
    for (int j = i * w; j < w * w; ++j)
      d[j] = d[j] * 0.5f + a[i * w + j];
}
