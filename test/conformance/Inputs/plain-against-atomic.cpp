// One thread writes plainly what others update atomically, on doubles: the
// kind of race that clang's own instrumentation does not see.
#include <cstdio>

int main() {
  double s = 0;
#pragma omp parallel for num_threads(4) schedule(static, 1)
  for (int i = 0; i < 4000; ++i) {
    if (i % 4 == 3) {
      s = i;
    } else {
#pragma omp atomic
      s += i;
    }
  }
  std::printf("%f\n", s);
}
