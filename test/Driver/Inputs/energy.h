#ifndef ENERGY_H
#define ENERGY_H
double energy(const double *x, int n);
void step(double *x, const double *v, int n, double h);
#endif
