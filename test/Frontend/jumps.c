// Gotos over statements of one block are conditions, and loops where they go back.
// RUN: %raise_lift %s -- -O2 | FileCheck %s

// Two ways that join.
// CHECK-LABEL: @choose
// CHECK: if (a[i] > 0.0:f32) {
// CHECK-NEXT: c[i] = -c[i];
// CHECK-NEXT: } else {
// CHECK-NEXT: b[i] = a[i];
// CHECK-NEXT: if (!(b[i] <= c[i])) {
// CHECK-NEXT: c[i] += a[i];
// CHECK: a[i] = b[i];
// CHECK-NOT: [CR
void choose(float *a, float *b, float *c, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] > 0.0f)
      goto positive;
    b[i] = a[i];
    if (b[i] <= c[i])
      goto both;
    c[i] += a[i];
    goto both;
  positive:
    c[i] = -c[i];
  both:
    a[i] = b[i];
  }
}

// Skips that nest; a comparison is negated as a whole, since it may meet NaN.
// CHECK-LABEL: @skip
// CHECK: if (!(a[i] >= 0.0:f32)) {
// CHECK-NEXT: if (!(b[i] >= 0.0:f32)) {
// CHECK-NEXT: a[i] += b[i];
// CHECK-NEXT: }
// CHECK-NEXT: b[i] = 1.0:f32;
// CHECK-NOT: [CR
void skip(float *a, float *b, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] >= 0.0f)
      goto end;
    if (b[i] >= 0.0f)
      goto set;
    a[i] += b[i];
  set:
    b[i] = 1.0f;
  end:;
  }
}

// What runs before the jump.
// CHECK-LABEL: @before
// CHECK: if (a[i] < 0.0:f32) {
// CHECK-NEXT: a[i] = 0.0:f32;
// CHECK-NEXT: } else {
// CHECK-NEXT: a[i] += 1.0:f32;
// CHECK-NOT: [CR
void before(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0.0f) {
      a[i] = 0.0f;
      goto next;
    }
    a[i] += 1.0f;
  next:;
  }
}

// An arithmetic `if`, and a computed `goto`.
// CHECK-LABEL: @three
// CHECK: if (d[i] <= 0.0:f32) {
// CHECK-NEXT: a[i] += b[i];
// CHECK-NEXT: } else {
// CHECK-NEXT: a[i] -= b[i];
// CHECK-NEXT: }
// CHECK-NOT: [CR
void three(float *a, float *b, float *d, int n) {
  for (int i = 0; i < n; ++i) {
    if (d[i] <= 0.0f) {
      goto low;
    } else {
      goto high;
    }
  low:
    a[i] += b[i];
    goto end;
  high:
    a[i] -= b[i];
  end:;
  }
}
// CHECK-LABEL: @computed
// CHECK: if (selector == 1) {
// CHECK-NEXT: a[i] += 1.0:f32;
// CHECK: if (selector == 2) {
// CHECK-NEXT: a[i] += 2.0:f32;
// CHECK-NEXT: a[i] += 3.0:f32;
// CHECK: if (selector == 3 || selector == 4) {
// CHECK-NEXT: a[i] += 3.0:f32;
// CHECK-NEXT: } else {
// CHECK-NEXT: a[i] += 1.0:f32;
// CHECK-NOT: [CR
void computed(float *a, const int *k, int n) {
  for (int i = 0; i < n; ++i) {
    switch (k[i]) {
    case 1:
      goto one;
    case 2:
      goto two;
    case 3:
    case 4:
      goto three;
    }
  one:
    a[i] += 1.0f;
    goto end;
  two:
    a[i] += 2.0f;
  three:
    a[i] += 3.0f;
  end:;
  }
}

// Back to a label: a loop, with the test at its end, or without one.
// CHECK-LABEL: @back
// CHECK: do {
// CHECK: a[i] = icast<f32>(1);
// CHECK: } while (i < n) why "how often the jump back is made is not known before it";
// CHECK-NOT: CR1006
void back(float *a, int n) {
  int i = 0;
again:
  a[i] = 1;
  i++;
  if (i < n)
    goto again;
  for (i = 0; i < n; ++i)
    a[i] += 1;
}
// CHECK-LABEL: @endless
// CHECK: while (true)
// CHECK-NEXT: if (i >= n) {
// CHECK-NEXT: break;
// CHECK: if (a[i] < 0.0:f32) {
// CHECK: continue;
// CHECK-NOT: CR1006
// CHECK: return i;
int endless(float *a, int n) {
  int i = 0;
again:
  if (i >= n)
    goto done;
  if (a[i] < 0.0f) {
    a[i] = 0.0f;
    i += 2;
    goto again;
  }
  i++;
  goto again;
done:
  for (int k = 0; k < n; ++k)
    a[k] += 1;
  return i;
}
// Two loops, one in the other; the declaration is the inner one's own.
// CHECK-LABEL: @nested
// CHECK: do {
// CHECK: do {
// CHECK: } while (j < n)
// CHECK: } while (i < n)
// CHECK-NOT: CR1006
void nested(float *a, int n) {
  int i = 0;
outer:;
  int j = 0;
inner:;
  float t = a[i * n + j];
  a[i * n + j] = t * t;
  j++;
  if (j < n)
    goto inner;
  i++;
  if (i < n)
    goto outer;
  for (i = 0; i < n; ++i)
    a[i] += 1;
}
// What is jumped into, what would take the `break` of the loop around, and what
// declares a variable that is used behind it, are as written.
// CHECK-LABEL: @entered
// CHECK: opaque "goto again" "CR1006"
void entered(float *a, int n) {
  int i = 0;
  if (n < 10)
    goto inside;
again:
  a[i] = 1;
inside:
  if (++i < n)
    goto again;
  for (i = 0; i < n; ++i)
    a[i] += 1;
}
// CHECK-LABEL: @around
// CHECK: opaque "goto again" "CR1006"
void around(float *a, int n) {
  for (int i = 0; i < n; ++i) {
  again:
    if (a[i] < 0)
      break;
    a[i] -= 1;
    if (a[i] > 1)
      goto again;
  }
}
// CHECK-LABEL: @behind
// CHECK: opaque "goto again" "CR1006"
float behind(float *a, int n) {
  int i = 0;
again:;
  float t = a[i];
  i++;
  if (i < n)
    goto again;
  for (i = 0; i < n; ++i)
    a[i] += 1;
  return t;
}
// Out of a loop to what follows it: a break.
// CHECK-LABEL: @out
// CHECK: if (a[i] < icast<f32>(0)) {
// CHECK-NEXT: break;
// CHECK-NOT: CR1006
// CHECK: return i;
int out(float *a, int n) {
  int i;
  for (i = 0; i < n; ++i) {
    if (a[i] < 0)
      goto found;
  }
found:
  return i;
}
// Further than that, out of two loops, or from a switch it is none; nor past a
// declaration, into a block, or by a computed address.
// CHECK-LABEL: @further
// CHECK: opaque "goto found" "CR1006"
int further(float *a, int n) {
  int i;
  for (i = 0; i < n; ++i) {
    if (a[i] < 0)
      goto found;
  }
  i = -1;
found:
  return i;
}
// CHECK-LABEL: @outOfTwo
// CHECK: opaque "goto found" "CR1006"
int outOfTwo(float *a, int n) {
  int i;
  for (i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (a[i + j] < 0)
        goto found;
found:
  return i;
}
// CHECK-LABEL: @fromSwitch
// CHECK: CR1006
int fromSwitch(int *a, int n) {
  int i;
  for (i = 0; i < n; ++i)
    switch (a[i]) {
    case 1:
      goto found;
    default:
      a[i] = 2;
    }
found:
  return i;
}
// CHECK-LABEL: @declared
// CHECK: opaque "goto next" "CR1006"
void declared(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0)
      goto next;
    float t = a[i];
    a[i] = t + 1;
  next:
    a[i] *= 2;
  }
}
// CHECK-LABEL: @into
// CHECK: opaque "goto inside" "CR1006"
void into(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0)
      goto inside;
    if (a[i] > 1) {
    inside:
      a[i] = 1;
    }
  }
}
// CHECK-LABEL: @table
// CHECK: opaque
void table(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    void *to = &&next;
    if (a[i] < 0)
      goto next;
    goto *to;
    a[i] = 1;
  next:;
  }
}
