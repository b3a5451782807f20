#!/usr/bin/env bash
# What `./dev bench` runs: builds original, emitted and hand-written forms with the same compiler and flags and times them in turn.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=${RAISE_BUILD:-$root/build}
out=$build/bench
tool=$build/bin/clang-raise
[ -x "$tool" ] || { echo "bench: $tool is not there; run ./dev build first" >&2; exit 2; }
cxx=${CXX:-clang++-19}
mkdir -p "$out"
# Contraction is off, so that results can be compared bit by bit.
flags=(-std=c++17 -O3 -march=native -ffp-contract=off -fopenmp)

echo "== N-body, float, strict: $cxx ${flags[*]}, $(nproc) processors"
"$tool" rewrite --fp=strict "$here/kernels/nbody.cpp" -o "$out/nbody-emitted.cpp" -- "${flags[@]}"
for form in original emitted hand; do
  case $form in
  original) source=$here/kernels/nbody.cpp ;;
  emitted) source=$out/nbody-emitted.cpp ;;
  hand) source=$here/kernels/nbody-hand.cpp ;;
  esac
  "$cxx" "${flags[@]}" -DpairForces=pairForces_$form -c "$source" -o "$out/nbody-$form.o"
done
"$cxx" "${flags[@]}" "$here/nbody.cpp" "$out"/nbody-{original,emitted,hand}.o -o "$out/nbody"
for threads in 1 $(nproc); do
  echo "-- $threads thread(s)"
  OMP_NUM_THREADS=$threads "$out/nbody" 1024 31
done

echo "== the tool itself: explain against clang -fsyntax-only, CPU seconds of the same file"
cpu() { # user + system seconds of a command, the least of five
  for _ in 1 2 3 4 5; do
    { TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1; } 2>&1
  done | awk '{ t = $1 + $2; if (NR == 1 || t < m) m = t } END { printf "%.3f", m }'
}
syntax=$(cpu "$cxx" -std=c++17 -fopenmp -fsyntax-only "$here/kernels/nbody.cpp")
explain=$(cpu "$tool" explain "$here/kernels/nbody.cpp" -- -std=c++17 -fopenmp)
awk -v a="$explain" -v b="$syntax" 'BEGIN { printf "explain %.3f s, syntax only %.3f s, ratio %.2f\n", a, b, a / b }'
