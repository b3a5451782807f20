#include <raise/record.h>
#include <stdlib.h>
#ifdef __cplusplus
#define restrict __restrict
#endif
void spmv(double *restrict y, const double *restrict a, const double *restrict x,
          const int *restrict start, const int *restrict column, int rows);

int main(void) {
  enum { Rows = 50, Per = 3 };
  static double y[Rows], a[Rows * Per], x[Rows];
  static int start[Rows + 1], column[Rows * Per];
  for (int i = 0; i < Rows; i++) {
    x[i] = i / 7.0;
    start[i + 1] = start[i] + i % Per;
    for (int k = start[i]; k < start[i + 1]; k++) {
      column[k] = (i * 13 + k * 5) % Rows;
      a[k] = 1.0 / (k + 1);
    }
  }
  for (int call = 0; call < 5; call++) {
    const int rows = Rows - call;
    RAISE_RECORD(r, OUT, "spmv");
    RAISE_RECORD_NUMBER(r, "rows", rows);
    RAISE_RECORD_ARRAY(r, "start", start, rows + 1);
    RAISE_RECORD_ARRAY(r, "column", column, start[rows]);
    RAISE_RECORD_ARRAY(r, "a", a, start[rows]);
    RAISE_RECORD_ARRAY(r, "x", x, Rows);
    RAISE_RECORD_ARRAY(r, "y", y, Rows);
    RAISE_RECORD_END(r);
    spmv(y, a, x, start, column, rows);
  }
  return 0;
}
