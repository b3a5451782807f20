// Why a loop has no range that is fixed: what changes it is named.
// RUN: %raise_lift %s -- -O2 | FileCheck %s
struct net {
  int batch;
  float *out;
};
int step(void);

// CHECK-LABEL: @stored
// CHECK: why "the store to 'x[i]' may change 'net->batch', which the loop's bound uses"
void stored(struct net *net, float *x) {
  for (int i = 0; i < net->batch; i++)
    x[i] = 0;
}

// Another member of the same structures is another object.
// CHECK-LABEL: @beside
// CHECK: for (i: i32 = 0; i < net[0:i64].batch:i32; i += 1)
struct pair {
  int batch, count;
};
void beside(struct pair *net) {
  for (int i = 0; i < net->batch; i++)
    net->count += i;
}

// CHECK-LABEL: @assigned
// CHECK: why "the body changes 'n', which the loop's bound uses"
void assigned(float *x, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      n--;
}

// CHECK-LABEL: @called
// CHECK: why "the body may change 'net->batch', which the loop's bound uses"
// CHECK: calls step, whose effects are not known
void called(struct net *net) {
  for (int i = 0; i < net->batch; i++)
    step();
}

// The step is fixed; the condition is what has no range.
// CHECK-LABEL: @condition
// CHECK: why "the loop's condition tests more than one limit of its variable"
void condition(const float *x, float *y, int n) {
  for (int i = 0, j = 0; x[i] > 0 && i < n; i++, j += 2)
    y[j] = x[i];
}
