// What CBLAS computes is known where a derivative is asked for: its calls are differentiated like loops.
// RUN: %clang_raise grad %s -o %t.verified.cpp --verify --require-verified --function=quadratic --function=solve -- -std=c++17 -O2
// RUN: %clang_raise grad %s -o %t.cpp --function=quadratic --function=product --function=left --function=solve --function=distance --function=update --function=peak --function=triangle -- -std=c++17 -O2 -fopenmp
// RUN: FileCheck %s < %t.cpp
// RUN: %clangxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.cpp -o %t.o
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.cpp -o %t.o
// RUN: not %clang_raise grad %s -o %t.no.cpp --function=other --function=wide --function=vendor -- -std=c++17 -O2 2>&1 | FileCheck --check-prefix=REFUSED %s
// RUN: not %clang_raise grad %s -o %t.mode.cpp --mode=forward --function=other -- -std=c++17 -O2 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: %clang_raise explain %s -- -std=c++17 -O2 | FileCheck --check-prefix=LOOP %s
extern "C" {
enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };
enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 };
enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 };
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
void cblas_daxpy(int n, double alpha, const double *x, int incx, double *y, int incy);
void cblas_dcopy(int n, const double *x, int incx, double *y, int incy);
double cblas_dnrm2(int n, const double *x, int incx);
unsigned long cblas_idamax(int n, const double *x, int incx);
float cblas_sasum(int n, const float *x, int incx);
void cblas_dgemv(CBLAS_LAYOUT order, CBLAS_TRANSPOSE trans, int m, int n, double alpha, const double *a, int lda, const double *x, int incx, double beta, double *y, int incy);
void cblas_dgemm(CBLAS_LAYOUT order, CBLAS_TRANSPOSE transa, CBLAS_TRANSPOSE transb, int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc);
void cblas_dsyrk(CBLAS_LAYOUT order, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, int n, int k, double alpha, const double *a, int lda, double beta, double *c, int ldc);
void cblas_dtrsv(CBLAS_LAYOUT order, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int n, const double *a, int lda, double *x, int incx);
// Declared for 64-bit sizes, and one that is not of the standard.
void cblas_dscal(long n, double alpha, double *x, long incx);
void cblas_daxpby(int n, double alpha, const double *x, int incx, double beta, double *y, int incy);
double other_ddot(int n, const double *x, int incx, const double *y, int incy);
}

// CHECK-LABEL: void quadratic_adjoint(
// CHECK-NOT: cblas_{{[a-z]+}}(
// CHECK: sum += a[i * n + j] * x[j];
double quadratic(int n, const double *a, const double *x, double *w) {
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1.0, a, n, x, 1, 0.0, w, 1);
  return cblas_ddot(n, x, 1, w, 1);
}

// CHECK: // Primal: c[i,j] = 2.0·(Σ_l a[i,l]·b[j,l]) + c[i,j],
// CHECK-LABEL: void product_adjoint(
void product(int m, int n, int k, const double *a, const double *b, double *__restrict c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 2.0, a, k, b, k, 1.0, c, n);
}

void left(int m, int n, const double *a, const double *x, double *__restrict y) {
  cblas_dgemv(CblasColMajor, CblasTrans, m, n, 1.5, a, m, x, 1, 0.5, y, 1);
}

void solve(int n, const double *a, double *__restrict x) {
  cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasUnit, n, a, n, x, 1);
}

double distance(int n, const double *x, const double *y, double *__restrict w) {
  cblas_dcopy(n, x, 1, w, 1);
  cblas_daxpy(n, -1.0, y, 1, w, 1);
  return cblas_dnrm2(n, w, 1);
}

void update(int n, double s, const double *x, double *__restrict y) {
  cblas_daxpy(n, s, x, 2, y, -1);
}

// CHECK-LABEL: void peak_adjoint(
// CHECK: fabs(
double peak(int n, const double *x) {
  return x[cblas_idamax(n, x, 1)] * 3.0;
}

void triangle(int n, int k, const double *a, double *__restrict c) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, k, 1.0, a, k, 0.0, c, n);
}

// REFUSED: blas.cpp:[[#@LINE+2]]:3: error: {{.*}}calls other_ddot, whose effects are not known
double other(int n, const double *x, const double *y) {
  return other_ddot(n, x, 1, y, 1);
}
// REFUSED: blas.cpp:[[#@LINE+2]]:3: error: {{.*}}calls cblas_dscal, whose effects are not known
void wide(long n, double *x) {
  cblas_dscal(n, 2.0, x, 1);
}
// REFUSED: blas.cpp:[[#@LINE+2]]:3: error: {{.*}}calls cblas_daxpby, whose effects are not known
void vendor(int n, const double *x, double *y) {
  cblas_daxpby(n, 2.0, x, 1, 3.0, y, 1);
}
// OTHER: calls other_ddot

// Elsewhere a call stays a call.
// LOOP: blas.cpp:[[#@LINE+2]]:3: remark: not raised: calls cblas_daxpy, whose effects are not known [CR1005
void rows(int m, int n, const double *x, double *y) {
  for (int i = 0; i < m; i++)
    cblas_daxpy(n, 2.0, x, 1, y + i * n, 1);
}
