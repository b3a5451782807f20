// What the review report is tested on: </script><script>document.title = 'x'</script>
#include <cstddef>

// Two loops that become one.
void chain(int n, float *__restrict y, float *__restrict z,
           const float *__restrict x, float a) {
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i];
  for (int i = 0; i < n; ++i)
    z[i] = y[i] + 1.0f;
}

float dot(int n, const float *x, const float *y) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}

// Each element from the one before it.
void smooth(int n, double *u) {
  for (int i = 2; i < n; ++i)
    u[i] = 0.5 * (u[i - 2] + u[i]);
}

// A value goes from row to row.
void sweep(int n, int m, double *a) {
  for (int t = 1; t < n; ++t)
    for (int j = 0; j < m; ++j)
      a[t * m + j] = 0.25 * a[(t - 1) * m + j] * a[t * m + j];
}

// Pointers that may overlap: a test at run time.
void scale(int n, double *y, const double *x) { // <img src=x onerror="document.title = 'x'">
  for (int i = 0; i < n; ++i)
    y[i] = 2.0 * x[i];
}
