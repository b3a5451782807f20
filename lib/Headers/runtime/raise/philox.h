/*===- philox.h - the Philox4x32-10 generator, for C and C++ ------------------===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===//
 *
 * J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011). A block of four words is a function of a 128-bit counter and
 * a 64-bit key, so every position of the sequence can be had at once.
 */
#ifndef RAISE_PHILOX_H
#define RAISE_PHILOX_H

#include <stdint.h>

#include "vector_types.h"

/* Out = the block at the counter. Counter and Key are little-endian in words. */
RAISE_FN void raise_philox_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
    c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
    c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
    c1 = (uint32_t)p1;
    c3 = (uint32_t)p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

#endif /* RAISE_PHILOX_H */
