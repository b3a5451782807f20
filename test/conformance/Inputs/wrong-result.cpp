// Correct in a serial build, wrong with OpenMP: the matrix must stop here.
int main() {
#ifdef _OPENMP
  return 1;
#endif
}
