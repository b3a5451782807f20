//===- nbody.cpp - pairwise forces, as a physicist would write them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The element F[j * n + i] is written with stride n in the inner loop: no
// compiler interchanges the two.
//
//===----------------------------------------------------------------------===//
void pairForces(float *F, const float *pos, const float *mass, float G, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float dx = pos[3 * i] - pos[3 * j];
      float dy = pos[3 * i + 1] - pos[3 * j + 1];
      float dz = pos[3 * i + 2] - pos[3 * j + 2];
      float d2 = dx * dx + dy * dy + dz * dz;
      float inv = i == j ? dx : 1.0f / d2;
      F[j * n + i] = G * mass[i] * mass[j] * inv * (dx + dy + dz);
    }
  }
}
