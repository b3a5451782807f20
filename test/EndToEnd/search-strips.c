// Searches in arrays that are there as a whole go by strips, and do what else
// they do for a strip at once: the same results and the same elements, wherever
// the search ends.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise rewrite --fp=strict %s -o %t/out.c -- -std=c11 -fopenmp
// RUN: sed "/CHECK/d" %t/out.c | FileCheck %s
// RUN: %clang -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clang -std=c11 -O3 %native -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: %t/run
// RUN: %gcc -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: %t/run
// RUN: %clang_raise rewrite --verify --require-verified --function=first --function=backwards --function=until --function=outside %s -o %t/verified.c -- -std=c11 -fopenmp

#include <setjmp.h>
#include <stdlib.h>
enum { Size = 8001 };
_Noreturn void give_up(const char *why, int code);
extern jmp_buf Back;
#ifdef ORIGINAL
#define NAME(F) F##_original
extern float a[Size], b[Size], c[Size];
#else
#define NAME(F) F
float a[Size], b[Size], c[Size];
#endif

// CHECK-LABEL: // clang-raise: first
// CHECK: // All elements of the arrays are there, so that a strip of them may be
// CHECK: any |= a[i_strip + lane] + b[i_strip + lane] > t;
// CHECK: if (any != 0)
// CHECK-NEXT: break;
int NAME(first)(float t) {
  int at = -1;
  for (int i = 0; i < Size; ++i)
    if (a[i] + b[i] > t) {
      at = i;
      break;
    }
  return at;
}

// CHECK-LABEL: // clang-raise: backwards
// CHECK: any |=
float NAME(backwards)(float t) {
  for (int i = 0; i < Size - 3; ++i)
    if (a[Size - 1 - i] > t)
      return b[i];
  return -1;
}

// What is done before the end is reached is done up to there.
// CHECK-LABEL: // clang-raise: until
// CHECK: any |= c[i_strip + lane] > t;
// CHECK: #pragma omp simd
// CHECK-NEXT: for (int i = i_strip; i < i_strip + 64; ++i)
// CHECK-NEXT: a[i] += b[i] * c[i];
void NAME(until)(float t) {
  for (int i = 0; i < Size; ++i) {
    a[i] += b[i] * c[i];
    if (c[i] > t)
      break;
  }
}

// What is asked about changes on the way; and elements that may not be there.
// CHECK-NOT: clang-raise: changes
void NAME(changes)(float t) {
  for (int i = 0; i < Size - 1; ++i) {
    c[i + 1] += b[i];
    if (c[i] > t)
      break;
  }
}
// CHECK-NOT: clang-raise: beyond
int NAME(beyond)(float t) {
  for (int i = 0; i < 2 * Size; ++i)
    if (a[i] > t)
      return i;
  return -1;
}
// CHECK-NOT: clang-raise: behind
int NAME(behind)(const float *p, int n, float t) {
  for (int i = 0; i < n; ++i)
    if (p[i] > t)
      return i;
  return -1;
}

// A call that does not come back finds what the iterations before it left. It
// has its words as they were, so what is new has others.
// CHECK-LABEL: // clang-raise: until_it_fails
// CHECK: any_2 |= c[i_strip + lane] > any;
// CHECK: for (int i = i_from; i < Size; ++i) {
// CHECK-NEXT: if (c[i] > any) {
// CHECK-NEXT: give_up("any lane", (int)any);
void NAME(until_it_fails)(float any) {
  for (int i = 0; i < Size; ++i) {
    if (c[i] > any)
      give_up("any lane", (int)any);
    a[i] += b[i] * c[i];
  }
}

// One that names what the loop sets would name something else.
// CHECK-NOT: clang-raise: names
void NAME(names)(float t) {
  for (int i = 0; i < Size; ++i) {
    if (c[i] > t)
      give_up("at", i);
    a[i] += b[i] * c[i];
  }
}

// A variable of the function's has its last value.
// CHECK-LABEL: // clang-raise: outside
// CHECK: any |=
int NAME(outside)(float t) {
  int i;
  for (i = 0; i < Size; ++i) {
    if (c[i] > t)
      break;
    a[i] += b[i] * c[i];
  }
  return i;
}

#ifdef MAIN
#include <stdio.h>
#include <string.h>

int first_original(float);
float backwards_original(float);
void until_original(float);
void until_it_fails_original(float);
void names_original(float);
int outside_original(float);

jmp_buf Back;
static int Code;
_Noreturn void give_up(const char *why, int code) {
  Code = why[1] * 100000 + code;
  longjmp(Back, 1);
}
static int failing(void (*f)(float)) {
  Code = -1;
  if (!setjmp(Back))
    f(20);
  return Code;
}

int main(void) {
  unsigned Wrong = 0;
  for (int At = -1; At < Size; At += 1 + (At > 130) * 36) {
    for (int I = 0; I < Size; ++I) {
      a[I] = (float)(I % 7);
      b[I] = (float)(I % 5) / 4;
      c[I] = (float)(I % 3) / 8;
    }
    if (At >= 0)
      a[At] = c[At] = 50;
    Wrong += first(20) != first_original(20);
    Wrong += backwards(20) != backwards_original(20);
    static float Before[Size], Now[Size];
    memcpy(Before, a, sizeof a);
    until(20);
    memcpy(Now, a, sizeof a);
    memcpy(a, Before, sizeof a);
    until_original(20);
    Wrong += memcmp(Now, a, sizeof a) != 0;
    memcpy(a, Before, sizeof a);
    const int Left = outside(20), Said = failing(until_it_fails),
              Named = failing(names);
    memcpy(Now, a, sizeof a);
    memcpy(a, Before, sizeof a);
    Wrong += Left != outside_original(20);
    Wrong += Said != failing(until_it_fails_original);
    Wrong += Named != failing(names_original);
    Wrong += memcmp(Now, a, sizeof a) != 0;
  }
  printf("%u differ\n", Wrong);
  return Wrong != 0;
}
#endif
