// Of several things that stand in the way, the one that says most is said.
//
// RUN: %clang_raise explain %s -- -O2 -fopenmp > %t.out
// RUN: FileCheck %s < %t.out
extern void work(float *w, int n);

// What flows from step to step, not the row that each step writes anew.
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised further: the iterations of 't' share their elements: each reads 'h[i]' and writes it [CR1101
void step(int n, int steps, double e[n], double h[n], const double f[steps]) {
  for (int t = 0; t < steps; t++) {
    e[0] = f[t];
    for (int i = 1; i < n; i++)
      e[i] -= 0.5 * (h[i] - h[i - 1]);
    for (int i = 0; i < n - 1; i++)
      h[i] -= 0.7 * (e[i + 1] - e[i]);
  }
}

// The recurrence is the inner loop's: nothing flows from one 'i' to the next.
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised further: two iterations of 'i' write one element, 'a[j]' [CR1103
void scratch(int n, double a[n], double aa[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++) {
      a[j] = i - a[j - 1];
      aa[j][i] = a[j];
    }
}

// Each iteration writes before it reads.
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised further: two iterations of 'r' write one element, 'sum[p]' [CR1103
void buffer(int n, double A[n][n], double sum[n]) {
  for (int r = 0; r < n; r++) {
    for (int p = 0; p < n; p++) {
      sum[p] = 0;
      for (int s = 0; s < n; s++)
        sum[p] += A[r][s];
    }
    for (int p = 0; p < n; p++)
      A[r][p] = sum[p];
  }
}

// An update alone might be a sum, whose order is free: what else it reads is not.
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised further: an iteration reads 'p[i][k]', which another writes as 'p[i][j]' [CR1101
void paths(int n, double p[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];
}

// Not the edge, which is set in the text before the rest.
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised further: the iterations of 't' share their elements: each reads 'u[j][i - 1]' and writes 'u[i][j]' [CR1101
void edges(int n, int steps, double u[n][n], double q[n][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++)
        q[i][j] = 0.5 * u[j][i - 1] + u[j][i];
    for (int i = 1; i < n; i++) {
      u[i][0] = 1;
      for (int j = 1; j < n; j++)
        u[i][j] = q[j][i];
    }
  }
}

// Where the pointers are followed, what they lead to is still one element.
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised: the store to 'count[key[i]]' may hit one element twice: 'key[i]' is loaded from memory [CR1109
void lists(int **list, int *count, const int *key, int n) {
  for (int i = 0; i < n; i++) {
    list[key[i]][0] = i;
    count[key[i]] = i + count[key[i]] * 2;
  }
}

// What the bound's change would hide: a recurrence.
struct Grid {
  int count, *start;
};
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not rewritten: its order is kept: iteration i reads 'g->start[i - 1]', which iteration i - 1 writes (distance 1) [CR1603
void starts(struct Grid *g, const int *size) {
  for (int i = 1; i < g->count; i++)
    g->start[i] = g->start[i - 1] + size[i - 1];
}

// Of a body that stands for a call, the remark says the line.
static void first(double *p, int *at) {
  int *q = at, **r = &q;
  p[0] = **r;
}
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised: {{.*}} (line [[#@LINE-3]], in first) [CR10
void inlined(double *p, int *at, int n) {
  for (int i = 0; i < n; i++)
    first(p + i, at);
}

// The loop's own call is seen by its reader.
static void deep(float *w, int n) {
  if (n < 0)
    work(w, n);
}
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised: calls work, whose effects are not known [CR1005
void own(float *w, int n) {
  for (int i = 0; i < n; i++) {
    deep(w, i);
    work(w, i);
  }
}

// A call may be all that a pointer is there for.
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised: calls work, whose effects are not known [CR1005
void scaled(float *x, float *y, int n, int m) {
  for (int i = 0; i < n; i++) {
    float *p = x + i * m;
    if (m > 3)
      p = y;
    work(p, m);
  }
}

// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised: 'rows[i]' is a pointer that is loaded from an array [CR1008
void loaded(float **rows, int n) {
  for (int i = 0; i < n; i++)
    rows[i][0] = 0;
}

// A scalar that grows along is half of the reason.
// CHECK: which-reason.c:[[#@LINE+3]]:3: remark: not raised further: 'at' carries a value from one iteration to the next, and as an expression of the loop's variables it is not proved to keep iterations apart [CR1107
void packed(float *restrict y, const float *restrict x, int b, int h, int w) {
  int at = 0;
  for (int i = 0; i < b; i++)
    for (int j = 0; j < h; j++)
      for (int k = 0; k < w; k++)
        y[at++] = x[k + w * (j + h * i)];
}

struct Node {
  struct Node *next;
  struct Part {
    int used;
  } *part;
};
// A walk along pointers has no range, whatever else is in it.
// CHECK: which-reason.c:[[#@LINE+2]]:3: remark: not raised: 'n' walks along 'n->next', and where that leads is not known before [CR1008
void walk(struct Node *n) {
  while (n) {
    struct Part *p = n->part;
    p->used = 1;
    n = n->next;
  }
}
