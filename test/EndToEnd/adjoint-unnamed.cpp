// Workspaces of what C++ passes: containers, members, references, rows, pointers that may be null.
// RUN: %clang_raise grad --verify --require-verified --function=vec --wrt=x --of=y %s -o %t.vec.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=member --wrt=x --of=y %s -o %t.member.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=ref --wrt=x --of=y %s -o %t.ref.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=rows --wrt=x --of=y %s -o %t.rows.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=null --wrt=x --of=y %s -o %t.null.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --mode=forward --directions=3 --function=rows --wrt=x --of=y %s -o %t.tangent.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: verification passed
// RUN: FileCheck %s --check-prefix=VEC < %t.vec.cpp
// RUN: %gcc -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.vec.cpp -o %t.o
// RUN: %gcc -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.member.cpp -o %t.o
// RUN: %clang -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.ref.cpp -o %t.o
// RUN: %gcc -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.rows.cpp -o %t.o
// RUN: %clang -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.null.cpp -o %t.o
// RUN: %gcc -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.tangent.cpp -o %t.o
// What a loop's end hangs on, or the function changes, is not known before it.
// RUN: not %clang_raise grad --function=changed --wrt=x --of=y %s -o %t.no.cpp -- -O2 -std=c++17 2>&1 | FileCheck %s --check-prefix=CHANGED
// CHANGED: error: 'work' carries derivatives from what --wrt names to what --of names; name it in one of them (how many elements it has is not known where 'changed' begins) [CR1804]
#include <cmath>
#include <vector>

// VEC: // The adjoint of work lies in here.
// VEC: std::abort();
// VEC: std::vector<double> work_adj(x.size());
void vec(std::vector<double> &y, std::vector<double> &work,
         const std::vector<double> &x) {
  for (int i = 0; i < (int)x.size(); i++)
    work[i] = std::sin(x[i]);
  for (int i = 0; i < (int)x.size(); i++)
    y[i] = work[i] * work[i];
}

struct Layer {
  double *w, *act;
  int n;
};
void member(double *y, const Layer *l, const double *x) {
  for (int i = 0; i < l->n; i++)
    l->act[i] = x[i] * l->w[i];
  for (int i = 0; i < l->n; i++)
    y[i] = l->act[i] * l->act[i];
}

void ref(double &y, double &square, double x) {
  square = x * x;
  y = square * x;
}

void rows(double y[4], double m[4][4], const double x[4]) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      m[i][j] = x[i] * x[j];
  for (int i = 0; i < 4; i++) {
    y[i] = 0;
    for (int j = 0; j < 4; j++)
      y[i] += m[j][i] * x[j];
  }
}

void null(double *y, double *work, const double *x, int n) {
  for (int i = 0; i < n; i++)
    if (work) {
      work[i] = x[i] * x[i];
      y[i] = work[i];
    } else {
      y[i] = x[i];
    }
}

void changed(double *y, double *work, const double *x, int n) {
  for (int i = 0; i < n; i++)
    work[i] = x[i] * x[i];
  n = n / 2;
  for (int i = 0; i < n; i++)
    y[i] = work[i];
}
