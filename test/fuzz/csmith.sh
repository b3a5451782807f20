#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs of csmith through `clang-raise rewrite`: same checksum, no crash.
#   csmith.sh <clang-raise> [programs] [first seed] [folder]
# CLANG and GCC name the compilers. Exit status 1 if one program went wrong;
# its seed is printed and its files stay in the folder.
set -uo pipefail
tool=$(realpath "${1:?usage: csmith.sh <clang-raise> [programs] [first seed] [folder]}")
programs=${2:-300}
first=${3:-1}
folder=${4:-$(mktemp -d)}
clang=${CLANG:-clang-19}
gcc=${GCC:-gcc}
command -v csmith >/dev/null || { echo "csmith.sh: csmith is not installed" >&2; exit 2; }
headers=
for candidate in /usr/include/csmith /usr/include/csmith-* /usr/local/include/csmith-*; do
  [ -f "$candidate/csmith.h" ] && headers=$candidate
done
[ -n "$headers" ] || { echo "csmith.sh: csmith.h is not found" >&2; exit 2; }
mkdir -p "$folder"
cd "$folder" || exit 2
printf 'machine:\n  parallel-work: 1\n' > parallel.yaml

same=0 unclear=0 wrong=0 rewritten=0
flags=(-fopenmp -w -I "$headers")
for ((seed = first; seed < first + programs; ++seed)); do
  fault() { echo "seed $seed: $1"; wrong=$((wrong + 1)); }
  csmith --seed "$seed" --max-funcs 6 --no-packed-struct --no-bitfields > "$seed.c"
  # An original that does not end says nothing, nor does one that compilers
  # understand differently (a loop without effects may be said to end).
  expected=
  for compiler in "$clang -O1" "$clang -O0" "$gcc -O1"; do
    $compiler "${flags[@]}" "$seed.c" -o "$seed.original" ||
      { echo "csmith.sh: seed $seed is not C" >&2; exit 2; }
    result=$(timeout 10 "./$seed.original") || result=
    [ "${expected:=$result}" = "$result" ] || result=
    [ -n "$result" ] || break
  done
  if [ -z "$result" ]; then
    unclear=$((unclear + 1))
    rm -f "$seed".*
    continue
  fi
  if ! timeout 120 "$tool" rewrite --fp=strict --config=parallel.yaml "$seed.c" \
    -o "$seed.out.c" -- -O1 "${flags[@]}" > "$seed.log" 2>&1; then
    fault "the tool fails: $(tail -n 1 "$seed.log")"
    continue
  fi
  rewritten=$((rewritten + $(grep -c '// clang-raise: end' "$seed.out.c")))
  compiler=$clang
  [ $((seed % 2)) -eq 0 ] && compiler=$gcc
  if ! "$compiler" -O1 "${flags[@]}" "$seed.out.c" -o "$seed.result" \
    > "$seed.log" 2>&1; then
    fault "the result does not compile: $(grep -m 1 error "$seed.log")"
    continue
  fi
  good=1
  for threads in 1 2 4; do
    result=$(OMP_NUM_THREADS=$threads timeout 60 "./$seed.result") || good=0
    [ "$result" = "$expected" ] || good=0
  done
  if [ $good -eq 0 ]; then
    fault "$expected became ${result:-nothing}"
    continue
  fi
  same=$((same + 1))
  rm -f "$seed".*
done
echo "csmith: $same same, $wrong wrong, $unclear unclear; $rewritten loops rewritten"
[ $wrong -eq 0 ]
