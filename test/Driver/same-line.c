// What stands in a line with a loop keeps its text, to the space: a macro may
// make a string of it.
//
// RUN: %clang_raise rewrite %s -o %t.c -- -O2 -fopenmp
// RUN: grep -v CHECK %t.c > %t.text
// RUN: FileCheck --strict-whitespace --match-full-lines --input-file=%t.text %s
// RUN: %clang -O2 -Wall -Wextra -Werror -fopenmp -fsyntax-only %t.c
#include <stdio.h>
#define SHOW(x) puts(#x)
//      CHECK:void shown(int n,double*restrict a){SHOW(g(n,3));
// CHECK-NEXT:  // clang-raise: shown:1 {{[0-9a-f]+}}
//      CHECK:  // clang-raise: end
// CHECK-NEXT:{{ *}}SHOW(a[n]+1);}
void shown(int n,double*restrict a){SHOW(g(n,3)); for(int i=0;i<n;i++)a[i]+=1; SHOW(a[n]+1);}

//      CHECK:{{ *}}if(n>3){{ ?}}{
//      CHECK:{{ *}}} else   a[1]=2 ;
// CHECK-NEXT:{{ *}}return  ; }
void chosen(int n,double*restrict a){
  if(n>3) for(int i=0;i<n;i++) a[i]+=1; else   a[1]=2 ;
  return  ; }
