// Adjoints of functions of relu3.cpp, made by clang-raise grad.

// The adjoint of relu3 (relu3.cpp:1): of the result with respect to x.
void relu3_adjoint(double x, double *x_adj, double relu3_adj) {
  double x_adj_ = 0;
  if (x > 0)
    x_adj_ += 3 * x * x * relu3_adj;
  *x_adj += x_adj_;
}
