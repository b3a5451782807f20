/* A corpus of our own in the form of TSVC: each loop is repeated under one that
   calls dummy, which does not count. */
int dummy(double *, double *);

double a[100], b[100];

double map(int times)
{
  for (int nl = 0; nl < times; nl++) {
    for (int i = 0; i < 100; i++) {
      a[i] = b[i] + 1.0;
    }
    dummy(a, b);
  }
  return a[0];
}

double recurrence(int times)
{
  for (int nl = 0; nl < times; nl++) {
    for (int i = 1; i < 100; i++)
      a[i] = a[i - 1] * a[i - 1] + b[i];
    dummy(a, b);
  }
  return a[0];
}

static void inner(double *x)
{
  for (int i = 0; i < 100; i++)
    x[i] = 2.0;
}

double called(int times)
{
  for (int nl = 0; nl < times; nl++) {
    inner(a);
    dummy(a, b);
  }
  return a[0];
}
