#include <cmath>

void layernorm(float *out, float *mean, float *rstd, const float *inp,
               const float *weight, const float *bias, int N, int C) {
#pragma omp parallel for
  for (int r = 0; r < N; ++r) {
    const float *x = inp + r * C;
    float m = 0;
    for (int i = 0; i < C; ++i)
      m += x[i];
    m = m / C;
    float v = 0;
    for (int i = 0; i < C; ++i) {
      float shift = x[i] - m;
      v += shift * shift;
    }
    v = v / C;
    float s = 1.0f / std::sqrt(v + 1e-5f);
    float *o = out + r * C;
    for (int i = 0; i < C; ++i)
      o[i] = s * (x[i] - m) * weight[i] + bias[i];
    mean[r] = m;
    rstd[r] = s;
  }
}
