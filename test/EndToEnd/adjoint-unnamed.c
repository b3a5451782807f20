// Parameters that neither --wrt nor --of names: what derivatives only pass through has them inside, as workspace; what has none must
// not overlap what has, which is tested.
// RUN: %clang_raise grad --verify --require-verified --function=attend --wrt=inp --of=out %s -o %t.attend.c -- -O2 -std=c11 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=through --wrt=x --of=y %s -o %t.through.c -- -O2 -std=c11 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=length --wrt=x --of=return %s -o %t.length.c -- -O2 -std=c11 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=through --wrt=x --of=y --split %s -o %t.split.c -- -O2 -std=c11 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=weigh --wrt=x --of=y %s -o %t.weigh.c -- -O2 -std=c11 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --mode=forward --function=through --wrt=x --of=y %s -o %t.tangent.c -- -O2 -std=c11 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=centre --wrt=x --of=y %s -o %t.centre.c -- -O2 -std=c11 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: verification passed
// RUN: FileCheck %s --check-prefix=THROUGH < %t.through.c
// RUN: FileCheck %s --check-prefix=WEIGH < %t.weigh.c
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.attend.c -o %t.o
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.attend.c -o %t.o
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.through.c -o %t.o
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.through.c -o %t.o
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.length.c -o %t.o
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.length.c -o %t.o
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.split.c -o %t.o
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.split.c -o %t.o
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.weigh.c -o %t.o
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.weigh.c -o %t.o
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.tangent.c -o %t.o
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.tangent.c -o %t.o
// RUN: %clang -std=c11 -O1 -g -fsanitize=address,undefined -DRUN %s %t.through.c %t.weigh.c -lm -o %t.run
// RUN: %t.run
// RUN: not --crash %t.run overlap 2>&1 | FileCheck %s --check-prefix=SAID-WEIGH
// SAID-WEIGH: weigh_adjoint: w must not overlap y
// RUN: not --crash %t.run overlap through 2>&1 | FileCheck %s --check-prefix=SAID-THROUGH
// SAID-THROUGH: through_adjoint: x must not overlap work; work must not overlap y
// In place, what is named may overlap what is named.
// RUN: %t.run in-place
#include <math.h>
#include <stdio.h>
#include <string.h>

// THROUGH: // The adjoint of work lies in here.
// THROUGH-NEXT: // Ends the program (abort) where x overlaps work, or work overlaps y.
// THROUGH-NEXT: void through_adjoint(double *y, double *work, const double *x, int n,
// THROUGH-NEXT: double *y_adj, double *x_adj) {
// THROUGH: fputs("through_adjoint: x must not overlap work; work must not overlap y\n",
// THROUGH-NEXT: stderr);
// THROUGH-NEXT: abort();
// THROUGH: free(work_adj);
void through(double *y, double *work, const double *x, int n) {
  for (int i = 0; i < n; i++)
    work[i] = sin(x[i]) * x[i];
  for (int i = 0; i < n; i++)
    y[i] = work[i] * work[i];
}

// WEIGH: // Ends the program (abort) where w overlaps y.
// WEIGH: abort();
void weigh(double *y, const double *w, double *x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = w[i] * x[i];
}

// What is written to mean hangs on x, what is read from w reaches y: though neither carries a derivative, one that overlaps the other would.
// RUN: FileCheck %s --check-prefix=CENTRE < %t.centre.c
// CENTRE: // Ends the program (abort) where mean or w overlaps another array
// CENTRE: abort();
void centre(double *y, double *mean, const double *x, const double *w, int n,
            int m) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < m; k++)
      sum += x[i * m + k];
    for (int k = 0; k < m; k++)
      y[i * m + k] = w[k] * (x[i * m + k] - sum / m);
    mean[i] = sum / m;
  }
}

double length(double *sum, const double *x, int n) {
  *sum = 0;
  for (int i = 0; i < n; i++)
    *sum += x[i] * x[i];
  return sqrt(*sum);
}

void attend(float *out, float *scores, float *weights, float *inp, int T,
            int C) {
  float scale = 1 / sqrtf(C);
  for (int t = 0; t < T; t++) {
    float *query = inp + t * 3 * C;
    float most = -10000;
    for (int u = 0; u <= t; u++) {
      float *key = inp + u * 3 * C + C;
      float sum = 0;
      for (int i = 0; i < C; i++)
        sum += query[i] * key[i];
      sum *= scale;
      if (sum > most)
        most = sum;
      scores[t * T + u] = sum;
    }
    float total = 0;
    for (int u = 0; u <= t; u++) {
      weights[t * T + u] = expf(scores[t * T + u] - most);
      total += weights[t * T + u];
    }
    for (int u = 0; u <= t; u++)
      weights[t * T + u] /= total;
    for (int i = 0; i < C; i++)
      out[t * C + i] = 0;
    for (int u = 0; u <= t; u++)
      for (int i = 0; i < C; i++)
        out[t * C + i] += weights[t * T + u] * inp[u * 3 * C + 2 * C + i];
  }
}

#ifdef RUN
void through_adjoint(double *, double *, const double *, int, double *,
                     double *);
void weigh_adjoint(double *, const double *, double *, int, double *, double *);

static int differs(double a, double b) { return fabs(a - b) > 1e-9; }

int main(int argc, char **argv) {
  enum { N = 5 };
  double y[2 * N] = {0}, work[N], x[N], w[N], y_adj[2 * N], x_adj[N];
  for (int i = 0; i < N; i++) {
    x[i] = 0.3 * i - 1;
    w[i] = 2 - i;
    y_adj[i] = y_adj[N + i] = 1 + i;
    x_adj[i] = 0;
  }
  if (argc > 2)
    through_adjoint(y, y + 1, x, N, y_adj, x_adj);
  if (argc > 1 && !strcmp(argv[1], "overlap"))
    weigh_adjoint(y, y + N - 1, x, N, y_adj, x_adj);
  if (argc > 1 && !strcmp(argv[1], "in-place")) {
    weigh_adjoint(x, w, x, N, y_adj, y_adj);
    for (int i = 0; i < N; i++)
      if (differs(y_adj[i], w[i] * (1 + i)))
        return 1;
    return 0;
  }
  through_adjoint(y, work, x, N, y_adj, x_adj);
  for (int i = 0; i < N; i++) {
    double m = sin(x[i]) * x[i];
    if (differs(y[i], m * m) ||
        differs(x_adj[i],
                (1 + i) * 2 * m * (cos(x[i]) * x[i] + sin(x[i]))))
      return 2;
  }
  return 0;
}
#endif
