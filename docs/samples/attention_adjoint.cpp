// Adjoints of functions of attention.cpp, made by clang-raise grad.
#include <cmath>
#include <vector>

// attention_adjoint where its arguments overlap or are not what it tests for.
static void attention_adjoint_general(float *out, float *att,
                                      const float *query, const float *key,
                                      const float *value, int T, int C,
                                      float *out_adj, float *att_adj,
                                      float *query_adj, float *key_adj,
                                      float *value_adj) {
  const float scale = 1.0f / sqrtf((float)C);
  const std::size_t value_tape_size =
      (long long)(T > 0 ? T : 0) * (T > 0 ? T : 0) * (C > 0 ? C : 0);
  const std::size_t sum_tape_size = T > 0 ? T : 0;
  const std::size_t att_tape2_size =
      (long long)(T > 0 ? T : 0) * (T > 0 ? T : 0);
  std::vector<float> arrays(4 * value_tape_size + 2 * sum_tape_size +
                            2 * att_tape2_size);
  float *value_tape = arrays.data();
  float *att_tape = value_tape + value_tape_size;
  float *sum_tape = att_tape + value_tape_size;
  float *att_tape2 = sum_tape + sum_tape_size;
  float *most_tape = att_tape2 + att_tape2_size;
  float *att_tape3 = most_tape + sum_tape_size;
  float *key_tape = att_tape3 + att_tape2_size;
  float *query_tape = key_tape + value_tape_size;
  std::vector<int> most_at_tape(T > 0 ? T : 0);
  for (int t = 0; t < T; ++t) {
    float most = -10000.0f;
    int most_at = -1;
    for (int s = 0; s <= t; ++s) {
      float dot = 0;
      for (int i = 0; i < C; ++i) {
        key_tape[((long long)t * T + s) * C + i] = key[s * C + i];
        query_tape[((long long)t * T + s) * C + i] = query[t * C + i];
        dot += query[t * C + i] * key[s * C + i];
      }
      att[t * T + s] = dot * scale;
      if (att[t * T + s] > most) {
        most = att[t * T + s];
        most_at = s;
      }
    }
    most_tape[t] = most;
    most_at_tape[t] = most_at;
    float sum = 0;
    for (int s = 0; s <= t; ++s) {
      att_tape3[(long long)t * T + s] = att[t * T + s];
      att[t * T + s] = expf(att[t * T + s] - most);
      sum += att[t * T + s];
    }
    sum_tape[t] = sum;
    for (int s = 0; s <= t; ++s) {
      att_tape2[(long long)t * T + s] = att[t * T + s];
      att[t * T + s] /= sum;
    }
    for (int i = 0; i < C; ++i)
      out[t * C + i] = 0;
    for (int s = 0; s <= t; ++s)
      for (int i = 0; i < C; ++i) {
        value_tape[((long long)t * T + s) * C + i] = value[s * C + i];
        att_tape[((long long)t * T + s) * C + i] = att[t * T + s];
        out[t * C + i] += att[t * T + s] * value[s * C + i];
      }
  }
  for (int t = T - 1; t >= 0; --t) {
    const float sum = sum_tape[t];
    const float most = most_tape[t];
    const int most_at = most_at_tape[t];
    for (int s = t; s >= 0; --s)
      for (int i = C - 1; i >= 0; --i) {
        const float value_old = value_tape[((long long)t * T + s) * C + i];
        const float att_old = att_tape[((long long)t * T + s) * C + i];
        const float out_adj_here = out_adj[t * C + i];
        att_adj[t * T + s] += out_adj_here * value_old;
        value_adj[s * C + i] += att_old * out_adj_here;
      }
    for (int i = C - 1; i >= 0; --i)
      out_adj[t * C + i] = 0;
    float sum_adj = 0;
    for (int s = t; s >= 0; --s) {
      const float att_old2 = att_tape2[(long long)t * T + s];
      att_adj[t * T + s] /= sum;
      sum_adj -= att_old2 / sum * att_adj[t * T + s];
    }
    float most_adj = 0;
    for (int s = t; s >= 0; --s) {
      const float att_old3 = att_tape3[(long long)t * T + s];
      att_adj[t * T + s] += sum_adj;
      att_adj[t * T + s] *= expf(att_old3 - most);
      most_adj -= att_adj[t * T + s];
    }
    for (int s = t; s >= 0; --s) {
      if (s == most_at) {
        att_adj[t * T + s] += most_adj;
        most_adj = 0;
      }
      float dot_adj = att_adj[t * T + s] * scale;
      att_adj[t * T + s] = 0;
      for (int i = C - 1; i >= 0; --i) {
        const float key_old = key_tape[((long long)t * T + s) * C + i];
        const float query_old = query_tape[((long long)t * T + s) * C + i];
        query_adj[t * C + i] += dot_adj * key_old;
        key_adj[s * C + i] += query_old * dot_adj;
      }
    }
  }
}

// The adjoint of attention (attention.cpp:4): of out and att with respect to
// out, att, query, key and value.
// Adjoints overlap as their primals do, and overlap no primal.
void attention_adjoint(float *out, float *att, const float *query,
                       const float *key, const float *value, int T, int C,
                       float *out_adj, float *att_adj, float *query_adj,
                       float *key_adj, float *value_adj) {
  const float scale = 1.0f / sqrtf((float)C);
  const unsigned long long query_at = (unsigned long long)query;
  const unsigned long long query_end = query_at + sizeof(*query) * T * C;
  const unsigned long long att_at = (unsigned long long)att;
  const unsigned long long att_end = att_at + sizeof(*att) * T * T;
  const unsigned long long out_at = (unsigned long long)out;
  const unsigned long long out_end = out_at + sizeof(*out) * T * C;
  const unsigned long long key_at = (unsigned long long)key;
  const unsigned long long key_end = key_at + sizeof(*key) * T * C;
  const unsigned long long value_at = (unsigned long long)value;
  const unsigned long long value_end = value_at + sizeof(*value) * T * C;
  if (!(T >= 0 && C >= 0 && (long long)T * C <= 1152921504606846975LL &&
        (long long)T * T <= 1152921504606846975LL &&
        (query_end <= att_at || att_end <= query_at) &&
        (query_end <= out_at || out_end <= query_at) &&
        (key_end <= att_at || att_end <= key_at) &&
        (key_end <= out_at || out_end <= key_at) &&
        (att_end <= out_at || out_end <= att_at) &&
        (att_end <= value_at || value_end <= att_at) &&
        (out_end <= value_at || value_end <= out_at) &&
        (value_end <= query_at || query_end <= value_at) &&
        (value_end <= key_at || key_end <= value_at) &&
        (query_end <= key_at || key_end <= query_at))) {
    attention_adjoint_general(out, att, query, key, value, T, C, out_adj,
                              att_adj, query_adj, key_adj, value_adj);
    return;
  }
  const std::size_t sum_tape_size = T > 0 ? T : 0;
  const std::size_t att_tape_size =
      (long long)(T > 0 ? T : 0) * (T > 0 ? T : 0);
  std::vector<float> arrays(2 * sum_tape_size + att_tape_size);
  float *sum_tape = arrays.data();
  float *most_tape = sum_tape + sum_tape_size;
  float *att_tape = most_tape + sum_tape_size;
  std::vector<int> most_at_tape(T > 0 ? T : 0);
#pragma omp parallel for if (parallel : (double)T * C > 20000)
  for (int t = 0; t < T; ++t) {
    float most = -10000.0f;
    int most_at = -1;
    for (int s = 0; s < t + 1; ++s) {
      float dot = 0;
#pragma omp simd reduction(+ : dot)
      for (int i = 0; i < C; ++i)
        dot += query[t * C + i] * key[s * C + i];
      att[t * T + s] = dot * scale;
      if (att[t * T + s] > most) {
        most = att[t * T + s];
        most_at = s;
      }
    }
    most_tape[t] = most;
    most_at_tape[t] = most_at;
    float sum = 0;
    for (int s = 0; s < t + 1; ++s) {
      att_tape[(long long)t * T + s] = att[t * T + s];
      att[t * T + s] = expf(att[t * T + s] - most);
      sum += att[t * T + s];
    }
    sum_tape[t] = sum;
#pragma omp simd
    for (int s = 0; s < t + 1; ++s)
      att[t * T + s] /= sum;
#pragma omp simd
    for (int i = 0; i < C; ++i)
      out[t * C + i] = 0;
    for (int s = 0; s < t + 1; ++s) {
#pragma omp simd
      for (int i = 0; i < C; ++i)
        out[t * C + i] += att[t * T + s] * value[s * C + i];
    }
  }
  for (int t = 0; t < T; ++t) {
    const float sum = sum_tape[t];
    const float most = most_tape[t];
    const int most_at = most_at_tape[t];
    if ((double)t * C > 200000) {
#pragma omp parallel for firstprivate(att, value, out_adj, att_adj, value_adj, \
                                          t, C, T)
      for (int s = 0; s < t + 1; ++s)
        if (C > 0) {
          float sum_2 = att_adj[t * T + s];
#pragma omp simd reduction(+ : sum_2)
          for (int i = 0; i < C; ++i) {
            const float out_adj_here = out_adj[t * C + i];
            sum_2 += out_adj_here * value[s * C + i];
            value_adj[s * C + i] += att[t * T + s] * out_adj_here;
          }
          att_adj[t * T + s] = sum_2;
        }
    } else {
      for (int s = 0; s < t + 1; ++s)
        if (C > 0) {
          float sum_2 = att_adj[t * T + s];
#pragma omp simd reduction(+ : sum_2)
          for (int i = 0; i < C; ++i) {
            const float out_adj_here = out_adj[t * C + i];
            sum_2 += out_adj_here * value[s * C + i];
            value_adj[s * C + i] += att[t * T + s] * out_adj_here;
          }
          att_adj[t * T + s] = sum_2;
        }
    }
    if (C > 200000) {
#pragma omp parallel for simd firstprivate(out_adj, C, t)
      for (int i = 0; i < C; ++i)
        out_adj[t * C + i] = 0;
    } else {
      for (int i = 0; i < C; ++i)
        out_adj[t * C + i] = 0;
    }
    float sum_adj = 0;
#pragma omp simd reduction(+ : sum_adj)
    for (int s = 0; s < t + 1; ++s) {
      att_adj[t * T + s] /= sum;
      sum_adj -= att[t * T + s] * att_adj[t * T + s];
    }
    float most_adj = 0;
    if (t > 10000) {
#pragma omp parallel for reduction(+ : most_adj)                               \
    firstprivate(att_adj, t, T, sum_adj, most)
      for (int s = 0; s < t + 1; ++s) {
        const float att_old = att_tape[(long long)t * T + s];
        att_adj[t * T + s] += sum_adj;
        att_adj[t * T + s] *= expf(att_old - most);
        most_adj -= att_adj[t * T + s];
      }
    } else {
      for (int s = 0; s <= t; ++s) {
        const float att_old = att_tape[(long long)t * T + s];
        att_adj[t * T + s] += sum_adj;
        att_adj[t * T + s] *= expf(att_old - most);
        most_adj -= att_adj[t * T + s];
      }
    }
    for (int s = t; s >= 0; --s) {
      if (s == most_at) {
        att_adj[t * T + s] += most_adj;
        most_adj = 0;
      }
      float dot_adj = att_adj[t * T + s] * scale;
      att_adj[t * T + s] = 0;
      for (int i = 0; i < C; ++i) {
        query_adj[t * C + i] += dot_adj * key[s * C + i];
        key_adj[s * C + i] += query[t * C + i] * dot_adj;
      }
    }
  }
}
