// Adjoints of functions of softmax.cpp, made by clang-raise grad.
#include <cmath>
#include <vector>

// The adjoint of crossentropy (softmax.cpp:4): of the result with respect to
// logits and probs.
// Adjoints overlap as their primals do, and overlap no primal.
void crossentropy_adjoint(const float *logits, const int *targets, float *probs,
                          int B, int V, float *logits_adj, float *probs_adj,
                          float crossentropy_adj) {
  const std::size_t probs_tape_size = B > 0 ? B : 0;
  const std::size_t probs_tape2_size =
      (long long)(B > 0 ? B : 0) * (V > 0 ? V : 0);
  std::vector<float> arrays(3 * probs_tape_size + 2 * probs_tape2_size);
  float *probs_tape = arrays.data();
  float *sum_tape = probs_tape + probs_tape_size;
  float *probs_tape2 = sum_tape + probs_tape_size;
  float *most_tape = probs_tape2 + probs_tape2_size;
  float *logits_tape = most_tape + probs_tape_size;
  std::vector<int> arrays_2(2 * probs_tape_size);
  int *targets_tape = arrays_2.data();
  int *most_at_tape = targets_tape + probs_tape_size;
  for (int b = 0; b < B; ++b) {
    const float *row = logits + b * V;
    float *p = probs + b * V;
    float most = *row;
    int most_at = -1;
    for (int v = 1; v < V; ++v)
      if (row[v] > most) {
        most = row[v];
        most_at = v;
      }
    most_tape[b] = most;
    most_at_tape[b] = most_at;
    float sum = 0;
    for (int v = 0; v < V; ++v) {
      logits_tape[(long long)b * V + v] = row[v];
      p[v] = expf(row[v] - most);
      sum += p[v];
    }
    sum_tape[b] = sum;
    if (V > 200000) {
#pragma omp parallel for simd firstprivate(probs, V, b, sum)
      for (int v = 0; v < V; ++v) {
        probs_tape2[(long long)b * V + v] = p[v];
        p[v] /= sum;
      }
    } else {
      for (int v = 0; v < V; ++v) {
        probs_tape2[(long long)b * V + v] = p[v];
        p[v] /= sum;
      }
    }
    probs_tape[b] = p[targets[b]];
    targets_tape[b] = targets[b];
  }
  float loss_adj = crossentropy_adj / B;
  for (int b = B - 1; b >= 0; --b) {
    const float probs_old = probs_tape[b];
    const int targets_old = targets_tape[b];
    float *p_adj = probs_adj + b * V;
    const float sum = sum_tape[b];
    const float most = most_tape[b];
    float *row_adj = logits_adj + b * V;
    const int most_at = most_at_tape[b];
    p_adj[targets_old] -= loss_adj / probs_old;
    float sum_adj = 0;
#pragma omp simd reduction(+ : sum_adj)
    for (int v = 0; v < V; ++v) {
      const float probs_old2 = probs_tape2[(long long)b * V + v];
      p_adj[v] /= sum;
      sum_adj -= probs_old2 / sum * p_adj[v];
    }
    float most_adj = 0;
    for (int v = V - 1; v >= 0; --v) {
      const float logits_old = logits_tape[(long long)b * V + v];
      p_adj[v] += sum_adj;
      const float probs_adj_here2 = p_adj[v];
      p_adj[v] = 0;
      const float d4 = expf(logits_old - most) * probs_adj_here2;
      row_adj[v] += d4;
      most_adj -= d4;
    }
    if (most_at >= 1 && most_at < V) {
      row_adj[most_at] += most_adj;
      most_adj = 0;
    }
    *row_adj += most_adj;
  }
}
