// Found from the folder of the file that is made, too.
#ifndef TEST_TANGENT_H
#define TEST_TANGENT_H
inline double fromHeader(double a) { return a * a - 1; }
#endif
