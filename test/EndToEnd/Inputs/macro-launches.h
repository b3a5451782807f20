#pragma once
// Launches for others to write.
#define RUN(kernel, ...) kernel<<<2, 32>>>(__VA_ARGS__)
#define RUN_WITH(kernel, grid, block, bytes, stream, args...)                  \
  kernel<<<(grid), dim3(block, 1), /* more than it needs */                    \
           (bytes) + 4, stream>>>(args)
#define TWICE(kernel, ...)                                                     \
  do {                                                                         \
    RUN(kernel, __VA_ARGS__);                                                  \
    RUN(kernel, __VA_ARGS__);                                                  \
  } while (0)
