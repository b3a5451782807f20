// RUN: %everywhere %s %t
// Shuffles, votes, matches and warp reductions, in whole and in partial warps.
#include <raise/simt.h>

#include "Check.h"

#include <cmath>
#include <vector>

static void shuffles_thread(int *out) {
  int t = threadIdx.x, lane = t % 32, v = 100 + t;
  unsigned mask = __ballot_sync(0xffffffffu, true);
  out[0 * 48 + t] = __shfl_sync(mask, v, 3);
  out[1 * 48 + t] = __shfl_up_sync(mask, v, 1);
  out[2 * 48 + t] = __shfl_down_sync(mask, v, 1);
  out[3 * 48 + t] = __shfl_xor_sync(mask, v, 1);
  out[4 * 48 + t] = __shfl_sync(mask, v, lane + 5, 8);
  out[5 * 48 + t] = __shfl_up_sync(mask, v, 2, 8);
  out[6 * 48 + t] = __shfl_down_sync(mask, v, 2, 8);
  out[7 * 48 + t] = __shfl_xor_sync(mask, v, 8, 8);
}
KERNEL(shuffles, (dim3 grid, dim3 block, int *out), (out))

static void checkShuffles() {
  // 48 threads: a whole warp, and half of one.
  std::vector<int> out(8 * 48);
  shuffles(1, 48, out.data());
  for (int t = 0; t < 48; ++t) {
    int lane = t % 32, base = t - lane, count = base ? 16 : 32, own = 100 + t, segment = lane / 8 * 8;
    auto value = [&](int from) { return from < count ? 100 + base + from : -1; };
    CHECK(out[t] == value(3));
    CHECK(out[48 + t] == (lane == 0 ? own : value(lane - 1)));
    CHECK(out[2 * 48 + t] == (lane == 31 ? own : value(lane + 1)));
    CHECK(out[3 * 48 + t] == value(lane ^ 1));
    CHECK(out[4 * 48 + t] == value(segment + (lane + 5) % 8));
    CHECK(out[5 * 48 + t] == (lane - segment < 2 ? own : value(lane - 2)));
    CHECK(out[6 * 48 + t] == (lane - segment > 5 ? own : value(lane + 2)));
    // To an earlier group a butterfly may reach, to a later one not.
    CHECK(out[7 * 48 + t] == ((lane ^ 8) > segment + 7 ? own : value(lane ^ 8)));
  }
}

static void sums_thread(const double *x, double *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] : 0;
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, v);
}
KERNEL(sums, (dim3 grid, dim3 block, const double *x, double *sum, int n), (x, sum, n))

static void votes_thread(unsigned *out, int n) {
  int t = threadIdx.x;
  if (t >= n) // these lanes are not waited for, though the masks name them
    return;
  unsigned odd = __ballot_sync(0xffffffffu, t & 1);
  int any = __any_sync(0xffffffffu, t == 2), all = __all_sync(0xffffffffu, t < n);
  unsigned same = __match_any_sync(0xffffffffu, t % 3);
  int pred = 7, pred2 = 7;
  unsigned one = __match_all_sync(0xffffffffu, t, &pred), every = __match_all_sync(0xffffffffu, 1.5f, &pred2);
  int low = __reduce_min_sync(0xffffffffu, -t);
  unsigned add = __reduce_add_sync(0xffffffffu, (unsigned)t), bits = __reduce_or_sync(0xffffffffu, 1u << t);
  if (t == 4) {
    out[0] = odd, out[1] = any, out[2] = all, out[3] = same, out[4] = one, out[5] = pred, out[6] = every, out[7] = pred2;
    out[8] = low, out[9] = add, out[10] = bits;
  }
}
KERNEL(votes, (dim3 grid, dim3 block, unsigned *out, int n), (out, n))

static void checkVotes() {
  unsigned out[11];
  votes(1, 32, out, 10);
  CHECK(out[0] == 0x2aa);
  CHECK(out[1] == 1 && out[2] == 1);
  CHECK(out[3] == ((1u << 1) | (1u << 4) | (1u << 7)));
  CHECK(out[4] == 0 && out[5] == 0);
  CHECK(out[6] == 0xffffffffu && out[7] == 1);
  CHECK((int)out[8] == -9 && out[9] == 45 && out[10] == 0x3ff);
}

// The halves of a warp exchange values each for itself, then together; __activemask names who came here together.
static void halves_thread(int *out, unsigned *active) {
  int t = threadIdx.x, v = t;
  unsigned mask = t < 16 ? 0x0000ffffu : 0xffff0000u;
  if (t < 16) {
    v = __shfl_sync(mask, v, 15);
    active[t] = __activemask();
  } else {
    for (int k = 0; k < 3; ++k)
      v += __shfl_xor_sync(mask, v, 1);
    active[t] = __activemask();
  }
  __syncwarp();
  out[t] = v + __shfl_sync(0xffffffffu, v, 0);
}
KERNEL(halves, (dim3 grid, dim3 block, int *out, unsigned *active), (out, active))

static void checkHalves() {
  int out[32];
  unsigned active[32];
  halves(1, 32, out, active);
  for (int t = 0; t < 32; ++t) {
    int pair = 2 * (t / 2 * 2) + 1;
    CHECK(out[t] == 15 + (t < 16 ? 15 : 4 * pair));
    CHECK(active[t] == (t < 16 ? 0x0000ffffu : 0xffff0000u));
  }
}

static void undefined_thread(float *out) { out[threadIdx.x] = __shfl_down_sync(0xffffffffu, 1.0f, 16); }
KERNEL(undefined, (dim3 grid, dim3 block, float *out), (out))

int main() {
  using namespace raise_simt;
  for (Order O : {Order::Ascending, Order::Descending, Order::Random}) {
    setOrder(O, 11);
    checkShuffles();
    std::vector<double> x(1000, 0.25);
    double sum = 0;
    sums(8, 128, x.data(), &sum, 1000);
    CHECK(sum == 250.0);
    checkVotes();
    checkHalves();
    float out[20];
    undefined(1, 20, out);
    CHECK(out[3] == 1.0f);       // from lane 19
    CHECK(std::isnan(out[4]));   // from lane 20, which does not exist
    CHECK(out[19] == 1.0f);      // from beyond the warp: its own
  }
  return Failures != 0;
}
