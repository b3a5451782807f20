/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Ten steps of llm.c's training on a small random model and random data. The
   text of train_gpt2.c (LLM_SOURCE) is included as it is, without its main.
   Its backward functions are made weak: what adjoints.c defines takes their
   place if that is linked, and nothing else differs.

   Prints a loss a line; writes all gradients of each step, as doubles, to the
   file that is its argument. */
#define TESTING
#include "training.h"
#ifdef ADJOINTS
#define BACKWARD(name, parameters) void name parameters __attribute__((weak));
BACKWARD_FUNCTIONS
#endif
#include LLM_SOURCE

static GPT2 model;

const float *model_wte(void) { return model.params.wte; }
const float *model_wpe(void) { return model.params.wpe; }
const float *model_logits(void) { return model.acts.logits; }
const float *model_losses(void) { return model.acts.losses; }

static unsigned long long state = 20240501;

static double uniform(void) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(state >> 11) / 9007199254740992.0;
}

static void build(GPT2Config config) {
  model.config = config;
  fill_in_parameter_sizes(model.param_sizes, config);
  for (int i = 0; i < NUM_PARAMETER_TENSORS; ++i)
    model.num_parameters += model.param_sizes[i];
  model.params_memory =
      malloc_and_point_parameters(&model.params, model.param_sizes);
  for (size_t i = 0; i < model.num_parameters; ++i)
    model.params_memory[i] = 0.4 * uniform() - 0.2;
  float *scales[] = {model.params.ln1w, model.params.ln2w, model.params.lnfw};
  const size_t sizes[] = {model.param_sizes[2], model.param_sizes[8],
                          model.param_sizes[14]};
  for (int k = 0; k < 3; ++k)
    for (size_t i = 0; i < sizes[k]; ++i)
      scales[k][i] += 1;
  model.mean_loss = -1;
}

static void put(FILE *file, const float *values, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const double value = values[i];
    if (fwrite(&value, sizeof value, 1, file) != 1)
      exit(1);
  }
}

int main(int argc, char **argv) {
  enum { Batch = 2, Length = 12, Steps = 10 };
  const GPT2Config config = {.max_seq_len = 16,
                             .vocab_size = 59,
                             .padded_vocab_size = 64,
                             .num_layers = 2,
                             .num_heads = 3,
                             .channels = 24};
  FILE *file = argc > 1 ? fopen(argv[1], "wb") : NULL;
  if (!file)
    return 2;
  build(config);
  for (int step = 1; step <= Steps; ++step) {
    int inputs[Batch * Length], targets[Batch * Length];
    for (int i = 0; i < Batch * Length; ++i) {
      inputs[i] = (int)(uniform() * config.vocab_size);
      /* something to learn: not every target is as likely */
      targets[i] = (int)(uniform() * uniform() * config.vocab_size);
    }
    gpt2_forward(&model, inputs, targets, Batch, Length);
    gpt2_zero_grad(&model);
    gpt2_backward(&model);
    printf("loss %.17g\n", (double)model.mean_loss);
    if (step == 1) {
      for (int i = 0; i < NUM_PARAMETER_TENSORS; ++i)
        printf("size %zu\n", model.param_sizes[i]);
      for (int i = 0; i < NUM_ACTIVATION_TENSORS; ++i)
        printf("size %zu\n", model.act_sizes[i]);
    }
    put(file, model.grads_memory, model.num_parameters);
    put(file, model.grads_acts_memory, model.num_activations);
    gpt2_update(&model, 1e-2, 0.9, 0.999, 1e-8, 0.01, step);
  }
  if (fclose(file))
    return 1;
#ifdef ADJOINTS
  printf("primal %.3g\n", primal_difference());
#endif
  gpt2_free(&model);
  return 0;
}
