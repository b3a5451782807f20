// Rules in .clang-raise that cannot be used, and calls without one.
// RUN: rm -rf %t && mkdir -p %t
// RUN: printf 'derivatives:\n  known: {adjoint: known_back, tangent: known_ahead}\n' > %t/types
// RUN: not %clang_raise grad --config=%t/types --function=calls %s -- 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: %clang_raise grad --config=%t/types --function=plain %s -- | FileCheck %s --check-prefix=PLAIN
// RUN: printf 'derivatives:\n  known: {adjoint: known_back}\n' > %t/half
// RUN: %clang_raise grad --config=%t/half --function=calls %s -- | FileCheck %s --check-prefix=C
// RUN: not %clang_raise grad --config=%t/half --mode=forward --function=calls %s -- 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: printf 'derivatives:\n  sums: {adjoint: sums_adjoint}\n' > %t/memory
// RUN: not %clang_raise grad --config=%t/memory --function=plain %s -- 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: printf 'derivatives:\n  known: {adjoin: known_back}\n' > %t/key
// RUN: not %clang_raise grad --config=%t/key --function=plain %s -- 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: printf 'derivatives:\n  known: {}\n' > %t/none
// RUN: not %clang_raise grad --config=%t/none --function=plain %s -- 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: printf 'derivatives:\n  elsewhere: {adjoint: nothing}\n' > %t/elsewhere
// RUN: %clang_raise grad --config=%t/elsewhere --function=plain %s -- | FileCheck %s --check-prefix=PLAIN
// RUN: not %clang_raise grad --config=%t/elsewhere --function=calls %s -- 2>&1 | FileCheck %s --check-prefix=UNRULED

double known(double x, int k);
double known_ahead(double x, double x_tan, double *known_tan);
void known_back(double x, int k, double *x_adj, double known_adj);
double sums(const double *x, int n);

// TYPES: types:2:11: error: the tangent of 'known' must be declared where that is called, as 'double known_ahead(double x, int k, double x_tan, double *known_tan)'
// C: static double known_adj(double x, int k, double known_adj
// C: void calls_adjoint(
// HALF: user-rules.c:[[#@LINE+2]]:{{[0-9]+}}: error: calls known with a value that carries derivatives, and {{.*}}half:2:11 names no tangent of it [CR1808]
// UNRULED: user-rules.c:[[#@LINE+1]]:{{[0-9]+}}: error: not differentiated: calls known, whose effects are not known [CR1801]
double calls(double x) { return known(x, 3) * x; }
// PLAIN: void plain_adjoint(
double plain(double x) { return x * x; }
// MEMORY: memory:2:10: error: 'sums' takes a 'const double *', and rules are for functions of scalars by value
// KEY: key:2:11: unknown key 'adjoin'; did you mean 'adjoint'?
// NONE: none:2:11: the derivatives of known need a tangent or an adjoint
