#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the adjoints of kernels.cu, builds measure.cu with nvcc, and, with --run,
# runs it, which needs a GPU. `bench/device/run.sh [--run] [folder]`
set -euo pipefail
Here=$(cd "$(dirname "$0")" && pwd)
Run=no
[ "${1:-}" != --run ] || { Run=yes; shift; }
To=${1:-$Here/../../build/bench-device}
Tool=${RAISE_BUILD_DIR:-$Here/../../build}/bin/clang-raise
command -v nvcc > /dev/null || { echo "error: nvcc is not on the PATH" >&2; exit 2; }
mkdir -p "$To"
"$Tool" grad --target=cuda --function=norm --function=gelu --function=product \
  --function=squares "$Here/kernels.cu" -o "$To/adjoint.cu" -- 2> "$To/remarks"
nvcc -std=c++17 -O3 -arch="${RAISE_CUDA_ARCH:-sm_80}" -I "$To" -I "$Here" \
  "$Here/measure.cu" "$To/adjoint.cu" -o "$To/measure"
echo "built $To/measure"
[ "$Run" = no ] || "$To/measure"
