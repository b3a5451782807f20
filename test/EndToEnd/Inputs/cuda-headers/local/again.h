#pragma once
#include "device.cuh"
inline int answer() { return 7; }
