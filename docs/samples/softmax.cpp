#include <cmath>

// The mean over B rows of -log(softmax(logits)[target]).
float crossentropy(const float *logits, const int *targets, float *probs, int B,
                   int V) {
  float loss = 0;
  for (int b = 0; b < B; ++b) {
    const float *row = logits + b * V;
    float *p = probs + b * V;
    float most = row[0];
    for (int v = 1; v < V; ++v)
      if (row[v] > most)
        most = row[v];
    float sum = 0;
    for (int v = 0; v < V; ++v) {
      p[v] = std::exp(row[v] - most);
      sum += p[v];
    }
    for (int v = 0; v < V; ++v)
      p[v] /= sum;
    loss -= std::log(p[targets[b]]);
  }
  return loss / B;
}
