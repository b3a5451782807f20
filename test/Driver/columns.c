// A block stands where its statement stood, whatever the lines before it look like: in GNU's style the formatter would take the
// column of a branch, and compilers would warn that the block seems to be guarded by it.
// RUN: %clang_raise rewrite %s -o %t.c -- -O2 -fopenmp 2> %t.err
// RUN: FileCheck %s < %t.c
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.c -o %t.o
#include <stddef.h>

int ready (const double *x, size_t n);

int
scale (double *x, size_t n)
{
  int s = ready (x, n);
  if (s)
    return s;

  for (size_t i = 0; i < n; i++)
    {
      double w = x[i];
      x[i] = w * w;
    }

  if (n > 3)
    {
      for (size_t i = 0; i < n; i++)
	x[i] = x[i] + 1;
    }
  return 0;
}
// CHECK:       {{^    return s;$}}
// CHECK-EMPTY:
// CHECK-NEXT:  {{^  // clang-raise: scale:1}}
// CHECK:       {{^  // clang-raise: end$}}
// CHECK:       {{^      // clang-raise: scale:2}}
// CHECK:       {{^      // clang-raise: end$}}
