// Times one demo function: SQUARE, NBODY or LAYERNORM, and prints the best of
// several calls in milliseconds.
#include <chrono>
#include <cstdio>
#include <vector>

#ifdef LAYERNORM
extern "C" void layernorm(float *out, float *mean, float *rstd,
                          const float *inp, const float *weight,
                          const float *bias, int B, int T, int C);
#endif
void pair_forces(float *F, const float *pos, const float *mass, float G, int n);
void square(float *y, const float *x, int n);

static std::vector<float> data(size_t Count) {
  std::vector<float> V(Count);
  for (size_t I = 0; I < Count; ++I)
    V[I] = static_cast<float>(I * 2654435761u % 1000) / 500.0f - 1.0f;
  return V;
}

int main() {
#if defined(SQUARE)
  const int N = 1 << 22;
  auto X = data(N), Y = data(N);
  auto Call = [&] { square(Y.data(), X.data(), N); };
#elif defined(NBODY)
  const int N = 1024;
  auto F = data(size_t(N) * N), Pos = data(3 * N), Mass = data(N);
  auto Call = [&] { pair_forces(F.data(), Pos.data(), Mass.data(), 1.0f, N); };
#else
  const int B = 8, T = 256, C = 768;
  auto Out = data(B * T * C), Inp = data(B * T * C);
  auto Mean = data(B * T), Rstd = data(B * T);
  auto Weight = data(C), Bias = data(C);
  auto Call = [&] {
    layernorm(Out.data(), Mean.data(), Rstd.data(), Inp.data(), Weight.data(),
              Bias.data(), B, T, C);
  };
#endif
  using Clock = std::chrono::steady_clock;
  double Best = 1e30;
  for (int Round = 0; Round < 12; ++Round) {
    auto Start = Clock::now();
    Call();
    std::chrono::duration<double, std::milli> Took = Clock::now() - Start;
    Best = Took.count() < Best ? Took.count() : Best;
  }
  std::printf("%.3f\n", Best);
}
