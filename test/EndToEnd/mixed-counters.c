// Counters that are compared in another type than their own, around and beside
// bounds that lie behind a pointer.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise rewrite %s -o %t/out.c -- -std=c11 -fopenmp
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Wno-sign-compare -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Wno-sign-compare -Werror -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: %t/run

#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

void NAME(ahead)(unsigned long n, double *b, const int *m) {
  for (long i = 0; i + 1 < n; i++)
    for (int j = 0; j < *m; j++)
      b[j] += 1;
}

void NAME(narrow)(long n, double *d, const int *m) {
  for (int i = 0; i < *m; i++) {
    for (unsigned k = 0; k < n; k++)
      d[k] = 1;
    d[i] += 2;
  }
}

void NAME(signs)(unsigned long n, double *d, const int *m) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < *m; i++)
      d[i] += k;
}

// One value for two arrays: handed to threads by value, or clang would load it
// again after each store, and warn that there are no vectors.
void NAME(fill)(int n, double x, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    b[i] = x;
    a[i] = x;
  }
}

#ifdef MAIN
#include <stdio.h>
#include <string.h>

void ahead_original(unsigned long, double *, const int *);
void narrow_original(long, double *, const int *);
void signs_original(unsigned long, double *, const int *);
void fill_original(int, double, double *, double *);

int main(void) {
  static double Now[600002], Then[600002];
  unsigned Wrong = 0;
  for (int N = 0; N < 40; N += 3)
    for (int M = -1; M < 40; M += 4) {
      memset(Now, 0, sizeof Now);
      memset(Then, 0, sizeof Then);
      if (N) { // 0 - 1 is a large number
        ahead(N, Now, &M);
        ahead_original(N, Then, &M);
      }
      narrow(N, Now, &M);
      narrow_original(N, Then, &M);
      signs(N, Now, &M);
      signs_original(N, Then, &M);
      Wrong += memcmp(Now, Then, sizeof Now) != 0;
    }
  for (int Apart = 0; Apart < 2; ++Apart) {
    fill(300000, 3, Now, Now + (Apart ? 300001 : 1));
    fill_original(300000, 3, Then, Then + (Apart ? 300001 : 1));
    Wrong += memcmp(Now, Then, sizeof Now) != 0;
  }
  printf("%u differ\n", Wrong);
  return Wrong != 0;
}
#endif
