/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Times the layers of llm.c. The text of train_gpt2.c, as it was or as emitted
   (LLM_SOURCE), is included without its main. Arguments: batch, length,
   channels, heads, vocabulary. Prints for each function the median seconds of
   a call. */
#define TESTING
#include LLM_SOURCE

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec + 1e-9 * at.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static float *random_array(size_t n) {
  static unsigned long long state = 88172645463325252ULL;
  float *values = malloc(n * sizeof *values);
  if (!values)
    exit(2);
  for (size_t i = 0; i < n; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    values[i] = (float)(state >> 40) / (float)(1 << 24) - 0.5f;
  }
  return values;
}

/* Calls in one measurement: as many as take a hundredth of a millisecond. By a
   pointer that might change, so that none is a part of the loop of calls. */
#define TIME(name, ...)                                                        \
  do {                                                                         \
    enum { Most = 201 };                                                       \
    __typeof__(&name) volatile function = name;                                \
    double times[Most], begin = now();                                         \
    function(__VA_ARGS__);                                                     \
    function(__VA_ARGS__);                                                     \
    const double call = (now() - begin) / 2;                                   \
    const int calls = call < 1e-5 ? (int)(1e-5 / (call + 1e-8)) + 1 : 1;       \
    int count = 0;                                                             \
    begin = now();                                                             \
    while (count < 5 || (count < Most && now() - begin < 0.2)) {               \
      const double first = now();                                              \
      for (int k = 0; k < calls; ++k)                                          \
        function(__VA_ARGS__);                                                 \
      times[count++] = (now() - first) / calls;                                \
    }                                                                          \
    qsort(times, count, sizeof *times, by_value);                              \
    printf("%s %.9g\n", #name, times[count / 2]);                              \
  } while (0)

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  const int B = atoi(argv[1]), T = atoi(argv[2]), C = atoi(argv[3]),
            NH = atoi(argv[4]), V = atoi(argv[5]);
  const size_t N = (size_t)B * T * C, A = (size_t)B * NH * T * T,
               P = (size_t)B * T * V;
  float *in = random_array(N), *out = random_array(N), *by = random_array(N),
        *in_adj = random_array(N), *wide = random_array(4 * N),
        *wide_adj = random_array(4 * N), *w = random_array(4 * (size_t)C * C),
        *w_adj = random_array(4 * (size_t)C * C), *b = random_array(4 * C),
        *b_adj = random_array(4 * C), *mean = random_array((size_t)B * T),
        *rstd = random_array((size_t)B * T), *pre = random_array(A),
        *att = random_array(A), *pre_adj = random_array(A),
        *att_adj = random_array(A), *wte = random_array((size_t)V * C),
        *wpe = random_array((size_t)T * C), *logits = random_array(P),
        *probs = random_array(P), *losses = random_array((size_t)B * T);
  int *tokens = malloc(sizeof *tokens * B * T);
  if (!tokens)
    return 2;
  for (int i = 0; i < B * T; ++i)
    tokens[i] = i * 7919LL % V;
  TIME(encoder_forward, out, tokens, wte, wpe, B, T, C);
  TIME(encoder_backward, wte, wpe, by, tokens, B, T, C);
  TIME(layernorm_forward, out, mean, rstd, in, w, b, B, T, C);
  TIME(layernorm_backward, in_adj, w_adj, b_adj, by, in, w, mean, rstd, B, T,
       C);
  TIME(matmul_forward_naive, wide, in, w, b, B, T, C, 4 * C);
  TIME(matmul_forward, wide, in, w, b, B, T, C, 4 * C);
  TIME(matmul_backward, in_adj, w_adj, b_adj, wide_adj, in, w, B, T, C, 4 * C);
  TIME(attention_forward, out, pre, att, wide, B, T, C, NH);
  TIME(attention_backward, wide_adj, pre_adj, att_adj, by, wide, att, B, T, C,
       NH);
  TIME(gelu_forward, out, in, (int)N);
  TIME(gelu_backward, in_adj, in, by, (int)N);
  TIME(residual_forward, out, in, by, (int)N);
  TIME(residual_backward, in_adj, out, by, (int)N);
  TIME(softmax_forward, probs, logits, B, T, V, V);
  TIME(crossentropy_forward, losses, probs, tokens, B, T, V);
  TIME(crossentropy_softmax_backward, logits, losses, probs, tokens, B, T, V,
       V);
  return 0;
}
