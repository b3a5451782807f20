// The second loop reads what other threads write in the first one.
#include <cstdio>
#include <vector>

int main() {
  const int n = 100000;
  std::vector<int> a(n), b(n);
#pragma omp parallel num_threads(4)
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      a[i] = i;
#pragma omp for
    for (int i = 0; i < n; ++i)
      b[i] = a[n - 1 - i];
  }
  std::printf("%d\n", b[7]);
}
