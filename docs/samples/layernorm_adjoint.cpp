// Adjoints of functions of layernorm.cpp, made by clang-raise grad.
#include <cmath>
#include <vector>

// layernorm_adjoint where its arguments overlap or are not what it tests for.
static void layernorm_adjoint_general(float *out, float *mean, float *rstd,
                                      const float *inp, const float *weight,
                                      const float *bias, int N, int C,
                                      float *out_adj, float *mean_adj,
                                      float *rstd_adj, float *inp_adj,
                                      float *weight_adj, float *bias_adj) {
  const std::size_t s_tape_size = N > 0 ? N : 0;
  const std::size_t weight_tape_size =
      (long long)(N > 0 ? N : 0) * (C > 0 ? C : 0);
  std::vector<float> arrays(3 * s_tape_size + 3 * weight_tape_size);
  float *s_tape = arrays.data();
  float *m_tape = s_tape + s_tape_size;
  float *weight_tape = m_tape + s_tape_size;
  float *inp_tape = weight_tape + weight_tape_size;
  float *v_tape = inp_tape + weight_tape_size;
  float *shift_tape = v_tape + s_tape_size;
  for (int r = 0; r < N; ++r) {
    const float *x = inp + r * C;
    float m = 0;
    for (int i = 0; i < C; ++i)
      m += x[i];
    m = m / C;
    m_tape[r] = m;
    float v = 0;
    for (int i = 0; i < C; ++i) {
      float shift = x[i] - m;
      shift_tape[(long long)r * C + i] = shift;
      v += shift * shift;
    }
    v = v / C;
    v_tape[r] = v;
    float s = 1.0f / sqrtf(v + 1e-5f);
    s_tape[r] = s;
    float *o = out + r * C;
    for (int i = 0; i < C; ++i) {
      weight_tape[(long long)r * C + i] = weight[i];
      inp_tape[(long long)r * C + i] = x[i];
      o[i] = s * (x[i] - m) * weight[i] + bias[i];
    }
    mean[r] = m;
    rstd[r] = s;
  }
  for (int r = N - 1; r >= 0; --r) {
    float *o_adj = out_adj + r * C;
    const float s = s_tape[r];
    const float m = m_tape[r];
    float *x_adj = inp_adj + r * C;
    const float v = v_tape[r];
    float s_adj = rstd_adj[r];
    rstd_adj[r] = 0;
    float m_adj = mean_adj[r];
    mean_adj[r] = 0;
    for (int i = C - 1; i >= 0; --i) {
      const float weight_old = weight_tape[(long long)r * C + i];
      const float inp_old = inp_tape[(long long)r * C + i];
      const float out_adj_here = o_adj[i];
      o_adj[i] = 0;
      s_adj += out_adj_here * weight_old * (inp_old - m);
      const float d2 = s * (out_adj_here * weight_old);
      x_adj[i] += d2;
      m_adj -= d2;
      weight_adj[i] += s * (inp_old - m) * out_adj_here;
      bias_adj[i] += out_adj_here;
    }
    const float sqrt_value = sqrtf(v + 1e-5f);
    const float d3 = s * s_adj / sqrt_value;
    float v_adj = -(d3 == 0 ? 0 : d3 / (2 * sqrt_value));
    v_adj = v_adj / C;
    for (int i = C - 1; i >= 0; --i) {
      const float shift = shift_tape[(long long)r * C + i];
      float shift_adj = 2 * shift * v_adj;
      x_adj[i] += shift_adj;
      m_adj -= shift_adj;
    }
    m_adj = m_adj / C;
    for (int i = C - 1; i >= 0; --i)
      x_adj[i] += m_adj;
  }
}

// The adjoint of layernorm (layernorm.cpp:3): of out, mean and rstd with
// respect to inp, weight and bias.
// Adjoints overlap as their primals do, and overlap no primal.
void layernorm_adjoint(float *out, float *mean, float *rstd, const float *inp,
                       const float *weight, const float *bias, int N, int C,
                       float *out_adj, float *mean_adj, float *rstd_adj,
                       float *inp_adj, float *weight_adj, float *bias_adj) {
  const unsigned long long inp_at = (unsigned long long)inp;
  const unsigned long long inp_end = inp_at + sizeof(*inp) * N * C;
  const unsigned long long out_at = (unsigned long long)out;
  const unsigned long long out_end = out_at + sizeof(*out) * N * C;
  const unsigned long long mean_at = (unsigned long long)mean;
  const unsigned long long mean_end = mean_at + sizeof(*mean) * N;
  const unsigned long long rstd_at = (unsigned long long)rstd;
  const unsigned long long rstd_end = rstd_at + sizeof(*rstd) * N;
  const unsigned long long weight_at = (unsigned long long)weight;
  const unsigned long long weight_end = weight_at + sizeof(*weight) * C;
  const unsigned long long bias_at = (unsigned long long)bias;
  const unsigned long long bias_end = bias_at + sizeof(*bias) * C;
  if (!(C >= 0 && (long long)N * C <= 1152921504606846975LL &&
        (inp_end <= out_at || out_end <= inp_at) &&
        (inp_end <= mean_at || mean_end <= inp_at) &&
        (inp_end <= rstd_at || rstd_end <= inp_at) &&
        (weight_end <= out_at || out_end <= weight_at) &&
        (weight_end <= mean_at || mean_end <= weight_at) &&
        (weight_end <= rstd_at || rstd_end <= weight_at) &&
        (bias_end <= out_at || out_end <= bias_at) &&
        (bias_end <= mean_at || mean_end <= bias_at) &&
        (bias_end <= rstd_at || rstd_end <= bias_at) &&
        (out_end <= mean_at || mean_end <= out_at) &&
        (out_end <= rstd_at || rstd_end <= out_at) &&
        (mean_end <= rstd_at || rstd_end <= mean_at) &&
        (inp_end <= weight_at || weight_end <= inp_at) &&
        (inp_end <= bias_at || bias_end <= inp_at) &&
        (weight_end <= bias_at || bias_end <= weight_at))) {
    layernorm_adjoint_general(out, mean, rstd, inp, weight, bias, N, C, out_adj,
                              mean_adj, rstd_adj, inp_adj, weight_adj,
                              bias_adj);
    return;
  }
  std::vector<float> v_tape(N > 0 ? N : 0);
#pragma omp parallel for if (parallel : (double)N * C > 50000)
  for (int r = 0; r < N; ++r) {
    const float *x = inp + r * C;
    float m = 0;
#pragma omp simd reduction(+ : m)
    for (int i = 0; i < C; ++i)
      m += x[i];
    m = m / C;
    float v = 0;
#pragma omp simd reduction(+ : v)
    for (int i = 0; i < C; ++i) {
      float shift = x[i] - m;
      v += shift * shift;
    }
    v = v / C;
    v_tape[r] = v;
    float s = 1.0f / sqrtf(v + 1e-5f);
    float *o = out + r * C;
#pragma omp simd
    for (int i = 0; i < C; ++i)
      o[i] = s * (x[i] - m) * weight[i] + bias[i];
    mean[r] = m;
    rstd[r] = s;
  }
  for (int r = 0; r < N; ++r) {
    float *o_adj = out_adj + r * C;
    const float *x = inp + r * C;
    const float m = mean[r];
    const float s = rstd[r];
    float *x_adj = inp_adj + r * C;
    const float v = v_tape[r];
    float s_adj = rstd_adj[r];
    rstd_adj[r] = 0;
    float m_adj = mean_adj[r];
    mean_adj[r] = 0;
#pragma omp simd reduction(+ : s_adj, m_adj)
    for (int i = 0; i < C; ++i) {
      const float out_adj_here = o_adj[i];
      s_adj += out_adj_here * weight[i] * (x[i] - m);
      const float d = s * (out_adj_here * weight[i]);
      x_adj[i] += d;
      m_adj -= d;
      weight_adj[i] += s * (x[i] - m) * out_adj_here;
      bias_adj[i] += out_adj_here;
      o_adj[i] = 0;
    }
    const float sqrt_value = sqrtf(v + 1e-5f);
    const float d2 = s * s_adj / sqrt_value;
    float v_adj = -(d2 == 0 ? 0 : d2 / (2 * sqrt_value));
    v_adj = v_adj / C;
#pragma omp simd reduction(+ : m_adj)
    for (int i = 0; i < C; ++i) {
      const float shift = x[i] - m;
      float shift_adj = 2 * shift * v_adj;
      x_adj[i] += shift_adj;
      m_adj -= shift_adj;
    }
    m_adj = m_adj / C;
    if (C > 200000) {
#pragma omp parallel for simd firstprivate(inp_adj, C, m_adj)
      for (int i = 0; i < C; ++i)
        x_adj[i] += m_adj;
    } else {
      for (int i = 0; i < C; ++i)
        x_adj[i] += m_adj;
    }
  }
}
