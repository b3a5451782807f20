//===- Functions.h - functions that are run natively and as IR --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// DifferentialTest.cpp compiles these, and lifts them from this very text.
//
//===----------------------------------------------------------------------===//

void narrow(unsigned char *p, short *q, int n) {
  for (int i = 0; i < n; i++) {
    p[i] += q[i] * 3;
    q[i] = p[i] << 2;
    p[i] >>= 1;
    q[i] ^= ~p[i];
    p[i]--;
    ++q[i];
  }
}

unsigned wraps(unsigned a, unsigned b) {
  unsigned c = (a - b) * 3u + (a >> (b & 31));
  c -= 7;
  c *= c;
  for (unsigned char k = 250; k != 3; k++)
    c += k;
  return -c;
}

int compares(int a, unsigned b, long long c) {
  int r = 0;
  r += (unsigned)a < b;
  r += a + 0u >= b ? 32 : 64;
  r += 2 * (a == (int)b);
  r += 4 * (c > b);
  r += !a ? 8 : 16;
  return r | (a != c) << 5;
}

void compound(int *x, float *y, double *z, int n) {
  for (int i = n - 1; i >= 0; --i) {
    x[i] += y[i];
    y[i] *= x[i];
    z[i] -= y[i];
    x[i] /= 2.5;
    y[i] += 1 / (x[i] * x[i] + 1);
  }
}

int orders(const float *x, int n, float limit) {
  int c = 0;
  for (int i = 0; i < n; i += 2) {
    if (!(x[i] < limit))
      c++;
    if (x[i] != x[i])
      c += 10;
    c += x[i] > limit ? 100 : x[i] == limit;
  }
  return c;
}

void cursors(float *dst, const float *src, int n) {
  float *last = dst;
  while (n--) {
    last = dst;
    *dst++ = *src++ * 2;
  }
  for (int k = 0; k < 2; k++, last += 0)
    if (last)
      last[0] += k;
}

static float pick(const float *x, int i, int n) {
  if (i % 3 == 0)
    return -1;
  for (int k = i; k < n; k++) {
    for (int m = 0; m < 2; m++)
      if (x[k] > m)
        return x[k] + m;
    if (x[k] < -5)
      break;
  }
  return 2;
}

void picks(float *o, const float *x, int n) {
  for (int i = 0; i < n; i++)
    o[i] = pick(x, i, n) + pick(x, i / 2, n) * 2;
}

int switches(const int *k, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    switch (k[i] & 7) {
    case 0:
    case 5:
      s += 3;
      break;
    default:
      s ^= k[i];
      break;
    case 1:
      if (s > 4)
        continue;
      s -= 2;
      break;
    case 2:
      s *= 2;
    }
    s &= 0xffff;
  }
  return s;
}

int effects(int *a, int n) {
  int c = 0, d = 0;
  for (int i = 0, j = n; i < n; i++, j--) {
    if (a[i] > 0 && ++c > 2)
      d += c--;
    d += a[i] < 0 ? (c += 2) : j;
    a[i] = d = d & 1023;
    if (a[i] % 7 == 0 || (c = c + 1, c > 9))
      continue;
    d++;
  }
  return c * 2048 + d;
}

signed char small(bool b, signed char c, unsigned short s) {
  c += b;
  s <<= 3;
  c ^= s >> 4;
  return c;
}

struct Pair {
  float A;
  int B;
};
static Pair twist(Pair p, float by) {
  if (p.A > by)
    return {p.A - by, p.B + 1};
  p.B--;
  return p;
}
static void add(float &to, const float &by) { to += by; }
float pairs(const float *x, int n) {
  Pair p = {0, 0};
  for (int i = 0; i < n; i++) {
    p.A += x[i];
    p = twist(p, 1.5f);
    add(p.A, x[i] / 4);
  }
  return p.A + p.B;
}

double matrix(double *a, int n) {
  double m[3][4] = {{1, 2}, {3}}, s = 0;
  int i;
  for (i = 0; i < n && i < 3; i++)
    for (int j = 0; j != 4; ++j)
      m[i][j] += a[i] * j;
  do {
    s += m[i % 3][i & 3];
  } while (++i < 9);
  return s + i;
}

long long shifts(long long a, int s, unsigned char t) {
  a = a >> (s & 15);
  a ^= (unsigned long long)t << (s & 31);
  t = t << 1 | t >> 7;
  return a + t;
}

unsigned down(const unsigned *x, unsigned n) {
  unsigned s = 0;
  for (unsigned i = n; i > 0; i -= 1)
    s = s * 31 + x[i - 1];
  for (unsigned short i = 0; i < (n & 15); i += 3)
    s ^= x[i];
  return s;
}

int jumps(int *a, const int *b, int n) {
  int r = 0;
  for (int i = 0; i < n; i++) {
    switch (b[i] & 7) {
    case 1:
      goto one;
    case 2:
    case 3:
      goto two;
    case 4:
      break;
    default:
      goto last;
    }
    r += 1000;
  one:
    a[i] ^= 5;
    if (a[i] < 0) {
      r ^= 3;
      goto end;
    } else {
      goto two;
    }
  two:
    if (b[i] > a[i])
      goto last;
    a[i] = b[i];
    if (a[i] & 1)
      goto end;
  last:
    r ^= a[i];
  end:;
  }
  return r;
}

int walks(int *x, const short *y, int n) {
  int s = 0, t[4] = {1, 2, 3, 4}, m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  for (int *p = x; p != x + n; ++p)
    *p ^= 7;
  for (const short *q = y + 1; q < y + n; q++)
    s ^= *q + q[-1];
  for (int *p = x, *end = x + n; p < end; ++p)
    *p ^= t[*p & 3];
  for (int &e : t)
    e += n;
  for (int e : t)
    s ^= e;
  for (auto &row : m)
    for (short e : row)
      s ^= e << 2;
  for (const int *p = x; p < x + n; ++p) {
    if (*p == 3)
      continue;
    if (*p == 9)
      break;
    s ^= *p;
  }
  return s;
}

struct Accumulator {
  int Sum, Last;
  void add(int V) {
    Sum ^= V;
    if (V < 0)
      return;
    Last = V;
  }
  int &last() { return Last; }
  int both() const { return Sum ^ Last; }
  Accumulator &self() { return *this; }
};

int objects(const int *x, int n) {
  Accumulator A = {0, 1}, B = {2, 3};
  for (int i = 0; i < n; i++) {
    A.add(x[i]);
    B.add(A.both());
    B.last() ^= A.last();
    A.self().Sum ^= i;
  }
  return A.both() ^ B.both();
}

int claims(int *x, const int *y, int n) {
  int s = 0, t = 0, i = 0, m = -100;
#pragma omp parallel for private(t) reduction(^ : s) reduction(max : m)
  for (i = 0; i < n; i++) {
    t = y[i] ^ 3;
    x[i] = t & 1;
    s ^= t;
    if (t > m)
      m = t;
  }
#pragma omp simd collapse(2)
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 4; k++)
      x[j * 4 + k] ^= j;
  return s ^ m;
}
