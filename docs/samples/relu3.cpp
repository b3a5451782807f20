double relu3(double x) {
  if (x > 0)
    return x * x * x;
  return 0;
}
