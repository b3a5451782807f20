// Several threads add to one variable: a race that must be reported.
#include <cstdio>
#include <vector>

int main() {
  std::vector<float> x(100000, 1.0f);
  float s = 0;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 100000; ++i)
    s += x[i];
  std::printf("%f\n", s);
}
