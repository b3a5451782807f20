/* A file-static table that a derivative would have to share. */
static double table[4];
static int used;

void kernel_table(int n, double *y, const double *x)
{
  for (int i = 0; i < n; i++) {
    table[used++ & 3] = x[i];
    y[i] = table[0] * x[i];
  }
}
