// What a test beside a loop would need has to have a name, too: the result of
// a function that was put in place of its call has none.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 -std=c++17 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang++-19 -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror -c %t.cpp -o %t.o
// RUN: g++ -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror -c %t.cpp -o %t.o

class Row {
  int Count;
  double *Elements;
  friend class Pair;

public:
  Row(int N) : Count(N), Elements(new double[N]) {}
  int count() { return Count; }
  double &operator()(int I) { return Elements[I]; }
};

class Pair {
  Row Low, High;
  int count();

public:
  Pair(int N) : Low(N), High(N) {}
  void middle(Row &X);
  void spread(Row &X, int N);
};

int Pair::count() { return Low.count(); }

// CHECK: unnamed-sizes.cpp:[[#@LINE+3]]:{{.*}}not rewritten: the raised form needs a variable ('{{[a-z]+}}_result') that the source has under no name [CR1716,
void Pair::middle(Row &X) {
  int N = count();
  for (int I = 0; I < N; I++)
    X(I) = (High(I) - Low(I)) / 2 + Low(I);
}

// CHECK: unnamed-sizes.cpp:[[#@LINE+2]]:{{.*}}raised to a map
void Pair::spread(Row &X, int N) {
  for (int I = 0; I < N; I++)
    X(I) = (High(I) - Low(I)) / 2 + Low(I);
}
