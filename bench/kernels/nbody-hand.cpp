//===- nbody-hand.cpp - pairwise forces, interchanged by hand -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a careful colleague makes of nbody.cpp under strict rounding.
//
//===----------------------------------------------------------------------===//
void pairForces(float *__restrict F, const float *__restrict pos,
                const float *__restrict mass, float G, int n) {
#pragma omp parallel for if (n > 256)
  for (int j = 0; j < n; ++j) {
#pragma omp simd
    for (int i = 0; i < n; ++i) {
      float dx = pos[3 * i] - pos[3 * j];
      float dy = pos[3 * i + 1] - pos[3 * j + 1];
      float dz = pos[3 * i + 2] - pos[3 * j + 2];
      float d2 = dx * dx + dy * dy + dz * dz;
      float inv = i == j ? dx : 1.0f / d2;
      F[j * n + i] = G * mass[i] * mass[j] * inv * (dx + dy + dz);
    }
  }
}
