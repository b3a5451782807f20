// What is only known by its name: it never changes, and may overlap anything.
// RUN: %raise_lift %s -- -O2 | FileCheck %s
#include <stdlib.h>

// CHECK: pointer x: f32* fresh 1;
// CHECK-LABEL: @allocated
// CHECK: opaque "float *x = calloc(n, sizeof(float));"
// CHECK: x[i] = icast<f32>(i);
void allocated(int n) {
  float *x = calloc(n, sizeof(float));
  for (int i = 0; i < n; i++)
    x[i] = i;
  free(x);
}

// What changes a pointer later is opaque.
// CHECK: pointer x: f32* inlocal fresh 1;
// CHECK-LABEL: @moved
// CHECK: x[i] = icast<f32>(0);
// CHECK: opaque "x++"
void moved(int n) {
  float *x = calloc(n, sizeof(float));
  for (int i = 0; i < n; i++)
    x[i] = 0;
  x++;
}

// A store may change one whose address is known elsewhere.
void fill(float **);
// CHECK: pointer x: f32* inmemory;
// CHECK-LABEL: @filled
// CHECK: opaque "fill(&x)"
// CHECK: x[i] = icast<f32>(0);
void filled(void) {
  float *x = 0;
  fill(&x);
  for (int i = 0; i < 9; i++)
    x[i] = 0;
}

struct layer {
  int n;
  struct {
    double w[4];
    short h;
  } in;
};
struct layer get(void);

// CHECK: external l.in.h: const i16;
// CHECK-LABEL: @member
// CHECK: sum += icast<i32>(l.in.h);
int member(void) {
  struct layer l = get();
  int sum = 0;
  for (int i = 0; i < 9; i++)
    sum += l.in.h;
  return sum;
}

// CHECK-LABEL: @array
// CHECK: sum += l.in.w[i];
double array(struct layer l) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += l.in.w[i];
  return sum;
}

// Members that nothing assigns are fixed, whatever is assigned beside them.
// CHECK: external l.steps: const i32;
// CHECK-DAG: pointer l.out: f32*;
// CHECK-DAG: pointer l.next: f32* inlocal;
// CHECK-LABEL: @beside
// CHECK: opaque "l.state += 3"
// CHECK: for (i: i32 = 0; i < l.steps; i += 1)
// CHECK-NEXT: l.out[i] = l.next[i];
// CHECK: x[0] = icast<f32>(l.state)
struct net {
  int steps, state;
  float *out, *next;
};
void beside(struct net l, float *x) {
  l.state += 3;
  l.next = x;
  for (int i = 0; i < l.steps; i++)
    l.out[i] = l.next[i];
  x[0] = l.state;
}

// A structure handed on by value is the caller's.
// CHECK-LABEL: @handed
// CHECK: let pixel_result: f32 = m.d[i];
// CHECK-NEXT: y[i] = pixel_result;
// CHECK-NOT: [CR
typedef struct {
  int w;
  float *d;
} image;
static float pixel(image m, int i) { return m.d[i]; }
void handed(image m, float *y) {
  for (int i = 0; i < m.w; ++i)
    y[i] = pixel(m, i);
}

// Pointers that lie in memory, and one to rows of an array.
// CHECK: pointer `l->out`: f32* inmemory;
// CHECK: pointer rows: f64[][8:i64] fresh 1;
// CHECK-LABEL: @held
// CHECK: `l->out`[i] = icast<f32>(rows[i, 3]);
void held(struct net *l, int n) {
  double(*rows)[8] = malloc(n * sizeof *rows);
  for (int i = 0; i < n; i++)
    l->out[i] = rows[i][3];
}

// The address of one global is no pointer of its name.
// CHECK-LABEL: @through
// CHECK: CR1008
static int counter;
void through(int *y, int n) {
  int *p = &counter;
  for (int i = 0; i < n; i++)
    y[i] = *p++;
}

// A function that is not followed to its end leaves nothing of its own behind.
// CHECK-LABEL: @leftovers
// CHECK: opaque "t[i] = started(l.state)" "CR1005" "calls start (line {{[0-9]+}}, in started), whose effects are not known";
void start(int *);
static int started(int x) {
  int id = x;
  start(&id);
  return id;
}
void leftovers(struct net l, int *t) {
  l.state = 1;
  for (int i = 0; i < l.steps; i++)
    t[i] = started(l.state);
}
