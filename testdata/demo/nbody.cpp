// The size of the force between each pair of n bodies. The inner loop walks
// down the columns of F, which is what makes it slow.
void pair_forces(float *F, const float *pos, const float *mass, float G,
                 int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float dx = pos[3 * i] - pos[3 * j];
      float dy = pos[3 * i + 1] - pos[3 * j + 1];
      float dz = pos[3 * i + 2] - pos[3 * j + 2];
      float inv = i == j ? 0.0f : 1.0f / (dx * dx + dy * dy + dz * dz);
      F[j * n + i] = G * mass[i] * mass[j] * inv;
    }
}
