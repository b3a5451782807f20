// A layer norm in cursor style: each row is reached through pointers of its own.
#include <math.h>

void layernorm(float *out, float *mean, float *rstd, const float *inp,
               const float *weight, const float *bias, int B, int T, int C) {
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      const float *x = inp + b * T * C + t * C;
      float m = 0.0f;
      for (int i = 0; i < C; i++)
        m += x[i];
      m = m / C;
      float v = 0.0f;
      for (int i = 0; i < C; i++) {
        float d = x[i] - m;
        v += d * d;
      }
      float s = 1.0f / sqrtf(v / C + 1e-5f);
      float *o = out + b * T * C + t * C;
      for (int i = 0; i < C; i++)
        o[i] = s * (x[i] - m) * weight[i] + bias[i];
      mean[b * T + t] = m;
      rstd[b * T + t] = s;
    }
}
