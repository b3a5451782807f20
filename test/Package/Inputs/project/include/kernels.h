#ifndef KERNELS_H
#define KERNELS_H
void scale(double *y, const double *x, double a, int n);
double sum(const double *x, int n);
#ifdef __cplusplus
extern "C"
#endif
void fill(double *x, int n);
#endif
