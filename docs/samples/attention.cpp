#include <cmath>

// One head: query, key and value are T rows of C numbers, att is T x T.
void attention(float *out, float *att, const float *query, const float *key,
               const float *value, int T, int C) {
  const float scale = 1.0f / std::sqrt((float)C);
#pragma omp parallel for
  for (int t = 0; t < T; ++t) {
    float most = -10000.0f;
    for (int s = 0; s <= t; ++s) {
      float dot = 0;
      for (int i = 0; i < C; ++i)
        dot += query[t * C + i] * key[s * C + i];
      att[t * T + s] = dot * scale;
      if (att[t * T + s] > most)
        most = att[t * T + s];
    }
    float sum = 0;
    for (int s = 0; s <= t; ++s) {
      att[t * T + s] = std::exp(att[t * T + s] - most);
      sum += att[t * T + s];
    }
    for (int s = 0; s <= t; ++s)
      att[t * T + s] /= sum;
    for (int i = 0; i < C; ++i)
      out[t * C + i] = 0;
    for (int s = 0; s <= t; ++s)
      for (int i = 0; i < C; ++i)
        out[t * C + i] += att[t * T + s] * value[s * C + i];
  }
}
