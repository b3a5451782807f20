/* Rows of a sparse matrix: no made-up index structure is one. */
void spmv(double *restrict y, const double *restrict a, const double *restrict x,
          const int *restrict start, const int *restrict column, int rows) {
  for (int i = 0; i < rows; i++) {
    double s = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      s += a[k] * x[column[k]];
    y[i] = s;
  }
}
