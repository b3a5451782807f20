// What darknet.py compiles with adjoints that grad made of darknet's forward
// kernels, and with what rewrite made of the backward kernels that darknet's
// authors wrote: both run on random data, and have to agree. Exit status: how
// many pairs do not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activation_adjoint.h"
#include "avgpool_adjoint.h"
#include "bias_adjoint.h"
#include "im2col_adjoint.h"
#include "maxpool_adjoint.h"
#include "scale_adjoint.h"
#include "weighted_adjoint.h"
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

using Floats = std::vector<float>;

// The backward kernels, as rewrite emits them.
void backward_maxpool_layer_kernel(dim3, dim3, int, int, int, int, int, int,
                                   int, float *, float *, int *);
void backward_avgpool_layer_kernel(dim3, dim3, int, int, int, int, float *,
                                   float *);
void col2im_gpu_kernel(dim3, dim3, int, const float *, int, int, int, int, int,
                       int, int, float *);
void gradient_array_kernel(dim3, dim3, float *, int, ACTIVATION, float *);
void weighted_delta_kernel(dim3, dim3, int, float *, float *, float *, float *,
                           float *, float *, float *);
void backward_bias_kernel(dim3, dim3, float *, float *, int, int, int);
void backward_scale_kernel(dim3, dim3, float *, float *, int, int, int,
                           float *);
// The forward kernels whose results backward ones start from.
void forward_maxpool_layer_kernel(dim3, dim3, int, int, int, int, int, int, int,
                                  float *, float *, int *);
void activate_array_kernel(dim3, dim3, float *, int, ACTIVATION);

static int Failed;
static std::mt19937 Random(7);

static Floats numbers(size_t N, float Least = -2, float Most = 2) {
  Floats X(N);
  std::uniform_real_distribution<float> D(Least, Most);
  for (float &V : X)
    V = D(Random);
  return X;
}

static dim3 gridFor(size_t N) { return dim3((N + 511) / 512, 1, 1); }
static const dim3 Block(512, 1, 1);

static void agree(const char *What, const Floats &Ours, const Floats &Theirs) {
  float Scale = 0, Off = 0;
  for (size_t I = 0; I < Theirs.size(); ++I) {
    Scale = std::fmax(Scale, std::fabs(Theirs[I]));
    Off = std::fmax(Off, std::fabs(Ours[I] - Theirs[I]));
  }
  const bool Good = Scale > 0 && Off <= 2e-5f * Scale;
  std::printf("%-24s largest %.3g, off by at most %.2g%s\n", What, Scale, Off,
              Good ? "" : " WRONG");
  Failed += !Good;
}

static void maxpool() {
  const int H = 9, W = 8, C = 3, Batch = 2, Stride = 2, Size = 3, Pad = 2;
  const int OutH = (H + Pad - Size) / Stride + 1,
            OutW = (W + Pad - Size) / Stride + 1;
  const size_t In = size_t(H) * W * C * Batch,
               Out = size_t(OutH) * OutW * C * Batch;
  Floats X = numbers(In), Y(Out), YAdj = numbers(Out), XAdj(In), Theirs(In);
  std::vector<int> At(Out);
  forward_maxpool_layer_kernel(gridFor(Out), Block, Out, H, W, C, Stride, Size,
                               Pad, X.data(), Y.data(), At.data());
  backward_maxpool_layer_kernel(gridFor(In), Block, In, H, W, C, Stride, Size,
                                Pad, YAdj.data(), Theirs.data(), At.data());
  forward_maxpool_layer_kernel_adjoint(gridFor(Out), Block, Out, H, W, C,
                                       Stride, Size, Pad, X.data(), Y.data(),
                                       At.data(), XAdj.data(), YAdj.data());
  agree("maxpool", XAdj, Theirs);
}

static void avgpool() {
  const int H = 7, W = 5, C = 3, Batch = 4, Out = C * Batch;
  const size_t In = size_t(H) * W * Out;
  Floats X = numbers(In), Y(Out), YAdj = numbers(Out), XAdj(In), Theirs(In);
  backward_avgpool_layer_kernel(gridFor(Out), Block, Out, W, H, C,
                                Theirs.data(), YAdj.data());
  forward_avgpool_layer_kernel_adjoint(gridFor(Out), Block, Out, W, H, C,
                                       X.data(), Y.data(), XAdj.data(),
                                       YAdj.data());
  agree("avgpool", XAdj, Theirs);
}

static void im2col() {
  const int H = 11, W = 9, C = 3, K = 3, Pad = 1, Stride = 2;
  const int HC = (H + 2 * Pad - K) / Stride + 1,
            WC = (W + 2 * Pad - K) / Stride + 1;
  const int Image = H * W * C, Columns = K * K * C * HC * WC;
  Floats X = numbers(Image), Y(Columns), YAdj = numbers(Columns), XAdj(Image),
         Theirs(Image);
  col2im_gpu_kernel(gridFor(Image), Block, Image, YAdj.data(), H, W, K, Pad,
                    Stride, HC, WC, Theirs.data());
  im2col_gpu_kernel_adjoint(gridFor(C * HC * WC), Block, C * HC * WC, X.data(),
                            H, W, K, Pad, Stride, HC, WC, Y.data(), XAdj.data(),
                            YAdj.data());
  agree("im2col", XAdj, Theirs);
}

/// darknet finds the slope from the activation's result.
static void activation(const char *Name, ACTIVATION A) {
  const int N = 700;
  const Floats X = numbers(N), Seed = numbers(N);
  Floats Y = X, Theirs = Seed, Input = X, Ours = Seed;
  activate_array_kernel(gridFor(N), Block, Y.data(), N, A);
  gradient_array_kernel(gridFor(N), Block, Y.data(), N, A, Theirs.data());
  activate_array_kernel_adjoint(gridFor(N), Block, Input.data(), N, A,
                                Ours.data());
  agree(Name, Ours, Theirs);
}

static void weighted() {
  const int N = 600;
  Floats A = numbers(N), B = numbers(N), S = numbers(N), C(N), CAdj = numbers(N);
  Floats Ours[3] = {Floats(N), Floats(N), Floats(N)}, Theirs[3] = {
      Floats(N), Floats(N), Floats(N)};
  weighted_delta_kernel(gridFor(N), Block, N, A.data(), B.data(), S.data(),
                        Theirs[0].data(), Theirs[1].data(), Theirs[2].data(),
                        CAdj.data());
  weighted_sum_kernel_adjoint(gridFor(N), Block, N, A.data(), B.data(),
                              S.data(), C.data(), Ours[0].data(),
                              Ours[1].data(), Ours[2].data(), CAdj.data());
  agree("weighted sum, a", Ours[0], Theirs[0]);
  agree("weighted sum, b", Ours[1], Theirs[1]);
  agree("weighted sum, s", Ours[2], Theirs[2]);
}

static void bias() {
  const int Batch = 3, N = 4, Size = 130, All = Batch * N * Size;
  Floats Y = numbers(All), B = numbers(N), YAdj = numbers(All), BAdj(N),
         Theirs(N);
  backward_bias_kernel(dim3(N, 1, 1), Block, Theirs.data(), YAdj.data(), Batch,
                       N, Size);
  add_bias_kernel_adjoint(gridFor(All), Block, Y.data(), B.data(), Batch, N,
                          Size, YAdj.data(), BAdj.data());
  agree("bias", BAdj, Theirs);
}

static void scale() {
  const int Batch = 3, N = 4, Size = 130;
  Floats Y = numbers(Batch * N * Size), B = numbers(N),
         YAdj = numbers(Batch * N * Size), BAdj(N), Theirs(N);
  backward_scale_kernel(dim3(N, 1, 1), Block, Y.data(), YAdj.data(), Batch, N,
                        Size, Theirs.data());
  scale_bias_kernel_adjoint(dim3((Size + 511) / 512, N, Batch), Block, Y.data(),
                            B.data(), N, Size, YAdj.data(), BAdj.data());
  agree("scale", BAdj, Theirs);
}

int main() {
  maxpool();
  avgpool();
  im2col();
  activation("logistic", LOGISTIC);
  activation("relu", RELU);
  activation("relie", RELIE);
  activation("ramp", RAMP);
  activation("tanh", TANH);
  activation("leaky", LEAKY);
  activation("elu", ELU);
  activation("loggy", LOGGY);
  activation("linear", LINEAR);
  activation("hardtan", HARDTAN);
  activation("lhtan", LHTAN);
  weighted();
  bias();
  scale();
  return Failed;
}
