// Workspaces of what C++ passes: containers, members, references, rows, pointers that may be null.
// RUN: %clang_raise grad --verify --require-verified --function=vec --wrt=x --of=y %s -o %t.vec.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=member --wrt=x --of=y %s -o %t.member.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=ref --wrt=x --of=y %s -o %t.ref.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=rows --wrt=x --of=y %s -o %t.rows.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=null --wrt=x --of=y %s -o %t.null.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --mode=forward --directions=3 --function=rows --wrt=x --of=y %s -o %t.tangent.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=table --wrt=x --of=y %s -o %t.table.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --mode=forward --directions=2 --function=table --wrt=x --of=y %s -o %t.tables.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=counted --wrt=x --of=y %s -o %t.counted.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: FileCheck %s --check-prefix=COUNTED < %t.counted.cpp
// COUNTED: // Ends the program (abort) where x overlaps count, or y overlaps count.
// RUN: not %clang_raise grad --function=walked --wrt=x --of=y %s -o %t.no.cpp -- -O2 -std=c++17 2>&1 | FileCheck %s --check-prefix=WALKED
// WALKED: error: 'm' carries derivatives {{.*}} [CR1804]
// RUN: not %clang_raise grad --function=part --wrt=x --of=y %s -o %t.no.cpp -- -O2 -std=c++17 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: 'work' carries derivatives {{.*}} (which elements are used hangs on conditions, or on other sizes than those of the arrays) [CR1804]
// VERIFIED: verification passed
// RUN: FileCheck %s --check-prefix=VEC < %t.vec.cpp
// RUN: %gcc -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.vec.cpp -o %t.o
// RUN: %gcc -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.member.cpp -o %t.o
// RUN: %clang -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.ref.cpp -o %t.o
// RUN: %gcc -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.rows.cpp -o %t.o
// RUN: %clang -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.null.cpp -o %t.o
// RUN: %gcc -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.tangent.cpp -o %t.o
// RUN: %gcc -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.table.cpp -o %t.o
// RUN: %clang -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t.tables.cpp -o %t.o
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

void null(double *y, const double *bias, const double *x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i] + (bias ? bias[i] : 0);
}

// Rows on the heap.
void table(double *y, double m[][5], const double *x, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 5; j++)
      m[i][j] = x[i] * x[j];
  for (int i = 0; i < n; i++)
    y[i] = m[i][0] * m[i][4];
}

// What is written ends what was there, whatever it is.
void counted(double *y, double *count, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * x[i];
    count[i] = 1;
  }
}

// A row that is left is another row: the array is not as large as its rows say.
void walked(double *y, double m[][4], const double *x, int n) {
  for (int i = 0; i < 4 * n; i++)
    m[0][i] = x[i] * x[i];
  for (int i = 0; i < 4 * n; i++)
    y[i] = m[0][i] * x[i];
}

// One that is used in part may be no larger than that part.
void part(double *y, double *work, const double *x, int n, int m) {
  for (int i = 0; i < n; i++)
    if (i < m)
      work[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    if (i < m)
      y[i] = work[i] * x[i];
}

void changed(double *y, double *work, const double *x, int n) {
  for (int i = 0; i < n; i++)
    work[i] = x[i] * x[i];
  n = n / 2;
  for (int i = 0; i < n; i++)
    y[i] = work[i];
}
