#ifndef ENERGY_H
#define ENERGY_H
// The energy of a chain of springs.
double energy(const double *x, int n);
#endif
