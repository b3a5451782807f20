// RUN: %raise_lift %s -- -O2 -fopenmp | FileCheck %s
// A loop below a directive is lifted as it stands; the claim is its kind.

// CHECK-LABEL: @collapsed
// CHECK: claimed for (i: i32 = 0; i < n; i += 1)
// CHECK-NEXT: claimed for (j: i32 = 0; j < m; j += 1)
// CHECK-NEXT: {{ }}for (k: i32 = 0; k < 4; k += 1)
void collapsed(float *x, int n, int m) {
#pragma omp parallel for collapse(2) schedule(static, 4) num_threads(m) if (n > 9)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < 4; k++)
        x[(i * m + j) * 4 + k] = 0;
}

// The variable of the loop is each thread's own: what stands after it sees its
// old value.
// CHECK-LABEL: @counter
// CHECK: let i: i32 = 7;
// CHECK: claimed for (i.1: i32 = 0; i.1 < n; i.1 += 1)
// CHECK: x[0] = icast<f32>(i);
void counter(float *x, int n) {
  int i = 7;
#pragma omp parallel for
  for (i = 0; i < n; i++)
    x[i] = 0;
  x[0] = i;
}

// CHECK-LABEL: @reduced
// CHECK: claimed for
// CHECK-NEXT: s += x[i];
float reduced(const float *x, int n) {
  float s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

// Threads start from 0 and add: in order the loop would mean something else.
// CHECK-LABEL: @doubled
// CHECK: opaque
// CHECK-SAME: 's' is used in another way than its reduction says
float doubled(const float *x, int n) {
  float s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s = 2 * s + x[i];
  return s;
}

// So it would where the sum itself is added, or looked at on the way, where the
// other extremum is kept, or where each step is cut off.
// CHECK-LABEL: @grows
// CHECK: 's' is used in another way than its reduction says
float grows(const float *x, int n) {
  float s = 1;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += s * x[i];
  return s;
}
// CHECK-LABEL: @observed
// CHECK: 's' is used in another way than its reduction says
float observed(const float *x, float *y, int n) {
  float s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
  }
  return s;
}
// CHECK-LABEL: @least
// CHECK: 'm' is used in another way than its reduction says
float least(const float *x, int n) {
  float m = 9;
#pragma omp parallel for reduction(max : m)
  for (int i = 0; i < n; i++)
    m = x[i] < m ? x[i] : m;
  return m;
}
// CHECK-LABEL: @replaced
// CHECK: 'm' is used in another way than its reduction says
float replaced(const float *x, int n) {
  float m = 9;
#pragma omp parallel for reduction(max : m)
  for (int i = 0; i < n; i++)
    m = x[i];
  return m;
}
// CHECK-LABEL: @cut
// CHECK: 's' is used in another way than its reduction says
int cut(const float *x, int n) {
  int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
// All spellings of one.
// CHECK-LABEL: @spelled
// CHECK-NOT: CR1020
// CHECK: return
float fmaxf(float, float);
float spelled(const float *x, const int *k, int n) {
  float s = 0, m = 0, low = 0, top = 0;
  int bits = 0;
  _Bool all = 1, some = 0;
#pragma omp parallel for reduction(+ : s) reduction(max : m, top) reduction(min : low) reduction(&& : all) reduction(|| : some) reduction(^ : bits)
  for (int i = 0; i < n; i++) {
    s = x[i] + (s - 2 * x[i] + 1);
    if (x[i] > m)
      m = x[i];
    top = fmaxf(top, x[i]);
    low = low <= x[i] ? low : x[i];
    all = all && k[i] > 0;
    some = k[i] < 0 || some;
    bits ^= k[i];
  }
  return s + m + low + top + all + some + bits;
}

// CHECK-LABEL: @vectors
// CHECK: simd for
void vectors(float *x, int n) {
#pragma omp simd safelen(8)
  for (int i = 0; i < n; i++)
    x[i] = 0;
}

// What threads do one by one is not what one thread does.
// CHECK-LABEL: @region
// CHECK: let t: f32 = a;
// CHECK: claimed for
// CHECK-NEXT: x[i] = t;
// CHECK: opaque "x[0] += 1
// CHECK-SAME: it runs once on each thread of 'omp parallel'
void region(float *x, int n, float a) {
#pragma omp parallel firstprivate(a)
  {
    float t = a;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      x[i] = t;
#pragma omp barrier
    x[0] += 1;
  }
}

// Each thread adds; what a thread passes on between its iterations hangs on which
// it gets, and so does what it has after them. What an iteration sets first is
// its own.
// CHECK-LABEL: @each
// CHECK: opaque
// CHECK-SAME: it runs once on each thread of 'omp parallel'
void each(float *y, const float *x, int n) {
#pragma omp parallel num_threads(4)
  {
#pragma omp atomic
    y[0] += x[0];
#pragma omp for
    for (int i = 0; i < n; i++)
      y[i + 1] = x[i];
  }
}
// CHECK-LABEL: @passed
// CHECK: each thread has a 't' of its own, which its iterations pass on
void passed(float *y, const float *x, int n) {
#pragma omp parallel
  {
    float t = 0;
#pragma omp for schedule(static, 1)
    for (int i = 0; i < n; i++) {
      t = 0.5f * t + x[i];
      y[i] = t;
    }
  }
}
// CHECK-LABEL: @later
// CHECK: each thread has a 't' of its own, which its iterations pass on
void later(float *y, const float *x, int n) {
#pragma omp parallel
  {
    float t;
#pragma omp for
    for (int i = 0; i < n; i++) {
      t = x[i];
      y[i] = t;
    }
#pragma omp for
    for (int i = 0; i < n; i++)
      y[i] += t;
  }
}
// CHECK-LABEL: @kept
// CHECK: each thread has an array 't' of its own, which its iterations may pass on
void kept(float *y, const float *x, int n) {
#pragma omp parallel
  {
    float t[2] = {0, 0};
#pragma omp for
    for (int i = 0; i < n; i++) {
      t[0] = 0.5f * t[0] + x[i];
      y[i] = t[0];
    }
  }
}
// CHECK-LABEL: @scratch
// CHECK-NOT: CR1020
// CHECK: claimed for
// CHECK-NOT: CR1020
void scratch(float *y, const float *x, int n) {
#pragma omp parallel
  {
    float t;
#pragma omp for
    for (int i = 0; i < n; i++) {
      if (x[i] > 0)
        t = x[i];
      else
        t = -x[i];
      y[i] = t * t;
    }
  }
}

// A function that threads may call has variables of its own: no claim.
// CHECK-LABEL: @orphan
// CHECK-NOT: claimed
// CHECK: for (i: i32 = 0
void orphan(float *x, int n) {
#pragma omp for
  for (int i = 0; i < n; i++)
    x[i] = 0;
}

// CHECK-LABEL: @updates
// CHECK: atomic h[k[i]] += 1;
void updates(int *h, const int *k, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    h[k[i]] += 1;
  }
}

// CHECK-LABEL: @ordered
// CHECK: clause 'ordered' of 'omp parallel for' is not followed
void ordered(float *x, int n) {
#pragma omp parallel for ordered
  for (int i = 0; i < n; i++)
#pragma omp ordered
    x[0] += i;
}

// CHECK-LABEL: @stepped
// CHECK: a firstprivate object that the loop changes
void stepped(float *x, int n, int k) {
#pragma omp parallel for firstprivate(k)
  for (int i = 0; i < n; i++)
    x[i] = k++;
}

// What stands beside the test of an extremum, a sum that wraps on the way, a
// truth value that is a number, a counter with its last value, another name of
// what a clause makes each thread's own, turns that do not commute.
// CHECK-LABEL: @beside
// CHECK: 'm' is used in another way than its reduction says
float beside(const float *x, int n) {
  float s = 0, m = 0;
#pragma omp parallel for reduction(+ : s) reduction(max : m)
  for (int i = 0; i < n; i++)
    if (x[i] > m) {
      m = x[i];
      s += 1;
    }
  return s + m;
}
// CHECK-LABEL: @wraps
// CHECK: 's' is used in another way than its reduction says
int wraps(int n) {
  int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s = (unsigned char)(s + 100);
  return s;
}
// CHECK-LABEL: @truth
// CHECK: 's' is used in another way than its reduction says
int truth(const float *x, int n) {
  int s = 5;
#pragma omp parallel for reduction(&& : s)
  for (int i = 0; i < n; i++)
    if (x[i] > 100)
      s = s && 0;
  return s;
}
// CHECK-LABEL: @last
// CHECK: 'i' has its last value behind the loop, whose threads have their own
float last(float *x, int n) {
  int i = 7;
#pragma omp parallel for simd
  for (i = 0; i < n; i++)
    x[i] = 1;
  return i;
}
// CHECK-LABEL: @alias
// CHECK: a firstprivate object that the loop changes
void alias(float *x, int n) {
  float v = 3, *p = &v;
#pragma omp parallel for firstprivate(v)
  for (int i = 0; i < n; i++)
    x[i] = v;
  *p = 1;
}

// All threads take the same way to a shared loop.
// CHECK-LABEL: @ways
// CHECK: if (a > icast<f32>(0)) {
// CHECK: claimed for
// CHECK: } else {
// CHECK: opaque "x[0] = 1
void ways(float *x, int n, float a) {
#pragma omp parallel
  if (a > 0) {
#pragma omp for
    for (int i = 0; i < n; i++)
      x[i] = a;
  } else {
    x[0] = 1;
  }
}

// OpenMP forbids that the bound changes, whatever the stores may reach.
// CHECK-LABEL: @held
// CHECK: claimed for (i{{.*}}: i32 = 0; i{{.*}} < r[0:i64].n:i32; i += 1)
struct row {
  int n, *v;
};
void held(struct row *r) {
#pragma omp parallel for
  for (int i = 0; i < r->n; i++)
    r->v[i] = i;
}
