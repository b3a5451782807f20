#pragma once
// Names a type of device.cuh, which must come first.
struct Gain {
  real by;
};
