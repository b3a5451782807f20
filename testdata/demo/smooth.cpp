// A loop that must be left alone: each iteration reads what the one before
// wrote.
void smooth(double *u, int n) {
  for (int i = 1; i < n - 1; ++i)
    u[i] = 0.5 * (u[i - 1] + u[i + 1]);
}
