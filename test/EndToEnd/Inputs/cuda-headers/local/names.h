#ifndef NAMES_H
#define NAMES_H
typedef double real;
#endif
