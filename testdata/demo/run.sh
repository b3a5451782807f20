#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `./dev demo` runs: the samples of this folder, then darknet's CUDA files
# from Debian's source archive. Everything is written below the build folder.
set -euo pipefail
Here=$(cd "$(dirname "$0")" && pwd)
Build=$(cd "${RAISE_BUILD_DIR:-build}" && pwd)
Tool=$Build/bin/clang-raise
Work=$Build/demo
Cache=${XDG_CACHE_HOME:-${HOME:-$Build}/.cache}/clang-raise
Runtime=$("$Tool" --print-include-dir)
Flags=(-O3 -march=native -fopenmp)

title() { printf '\n==== %s\n\n' "$*"; }
note() { printf -- '-- %s\n' "$*"; }

# Compiles one sample with the timing program and prints milliseconds.
timeOf() { # <macro> <source> <extra flags...>
  local Macro=$1 Source=$2 Compiler=clang++-19
  shift 2
  case $Source in *.c) Compiler=clang-19 ;; esac
  "$Compiler" "${Flags[@]}" "$@" -c "$Source" -o "$Work/sample.o"
  clang++-19 "${Flags[@]}" -D"$Macro" "$Here/time.cpp" "$Work/sample.o" \
    -o "$Work/sample" -lm
  "$Work/sample"
}

compare() { # <what the original ran on> <original ms> <raised ms>
  python3 -c 'import sys
a, b = float(sys.argv[2]), float(sys.argv[3])
print(f"-- time: {sys.argv[1]} {a:.3f} ms, raised {b:.3f} ms: {a / b:.1f} times as fast")' "$@"
}

sample() { # <source> <result> <flags...>
  local Source=$1 Result=$2
  shift 2
  note "original: $(basename "$Source")"
  cat "$Source"
  note "what clang-raise does, and the verification"
  "$Tool" rewrite "$Source" -o "$Result" --verify --require-verified -- "$@"
  note "result: $(basename "$Result")"
  cat "$Result"
}

samples() {
  title "A CUDA kernel with its launch"
  sample "$Here/square.cu" "$Work/square.cu.cpp" -O3
  # The same file with no kernel selected: every kernel on the reference executor.
  echo 'functions: {exclude: ["*"]}' > "$Work/none.yaml"
  "$Tool" rewrite "$Here/square.cu" -o "$Work/square.executor.cpp" \
    --config="$Work/none.yaml" -- -O3 2> /dev/null
  compare "on the reference executor" \
    "$(timeOf SQUARE "$Work/square.executor.cpp" -I"$Runtime")" \
    "$(timeOf SQUARE "$Work/square.cu.cpp" -I"$Runtime")"

  title "N-body: the force between each pair of 1024 bodies"
  sample "$Here/nbody.cpp" "$Work/nbody.cpp" "${Flags[@]}"
  compare "original" "$(timeOf NBODY "$Here/nbody.cpp")" \
    "$(timeOf NBODY "$Work/nbody.cpp")"

  title "A layer norm in cursor style"
  sample "$Here/layernorm.c" "$Work/layernorm.c" "${Flags[@]}"
  compare "original" "$(timeOf LAYERNORM "$Here/layernorm.c")" \
    "$(timeOf LAYERNORM "$Work/layernorm.c")"

  title "A loop that must be left alone"
  sample "$Here/smooth.cpp" "$Work/smooth.cpp" "${Flags[@]}"
  cmp "$Here/smooth.cpp" "$Work/smooth.cpp"
  note "the result is the original, byte for byte"
}

# The machine's own package sources, with source packages asked for, in a state
# folder of their own: nothing of the system's is changed.
sourceLists() { # <folder>
  local File
  for File in /etc/apt/sources.list.d/*.sources; do
    [ -f "$File" ] || continue
    sed -e 's/^Types:.*/Types: deb-src/' "$File" > "$1/$(basename "$File")"
  done
  for File in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$File" ] || continue
    sed -n -e 's/^ *deb \(.*\)/deb-src \1/p' "$File" > "$1/$(basename "$File" .list).list"
  done
}

fetchDarknet() {
  if [ -d "$Cache/darknet" ]; then
    note "darknet is in $Cache from an earlier run"
    return
  fi
  note "fetching darknet's source with apt-get source"
  local State=$Work/apt
  rm -rf "$State"
  mkdir -p "$State/parts" "$State/lists/partial" "$State/cache/archives/partial" \
    "$State/download" "$Cache"
  sourceLists "$State/parts"
  local Apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null
    -o Dir::Etc::sourceparts="$State/parts" -o Dir::State::lists="$State/lists"
    -o Dir::Cache="$State/cache" -o APT::Sandbox::User="$(id -un)")
  "${Apt[@]}" update
  (cd "$State/download" && "${Apt[@]}" source --download-only darknet)
  mkdir "$State/unpacked"
  # apt has checked the signature; python unpacks xz on any Debian.
  python3 -m tarfile -e "$State"/download/darknet_*.orig.tar.xz "$State/unpacked"
  mv "$State"/unpacked/* "$Cache/darknet"
}

darknet() {
  title "darknet: ten CUDA files from Debian's source archive"
  fetchDarknet
  local Source=$Cache/darknet
  mkdir -p "$Work/darknet"
  python3 - "$Source" > "$Work/darknet/compile_commands.json" <<'END'
import glob, json, os, sys
root = sys.argv[1]
names = sorted(os.path.relpath(f, root) for f in glob.glob(root + "/src/*.cu"))
print(json.dumps([
    {"directory": root, "file": name,
     "command": f"nvcc -Iinclude -Isrc -DGPU -O3 -c {name}"}
    for name in names], indent=1))
END
  note "rewriting and verifying; this takes some minutes"
  local Status=0
  "$Tool" rewrite -p "$Work/darknet" -o "$Work/darknet/out" --verify \
    --json="$Work/darknet/results.json" -j "${RAISE_JOBS:-$(nproc)}" \
    2> "$Work/darknet/remarks.txt" || Status=$?
  [ "$Status" -eq 0 ] || tail -n 20 "$Work/darknet/remarks.txt"
  note "remarks: $Work/darknet/remarks.txt, results: $Work/darknet/out"
  note "compiling the results"
  local File
  for File in "$Work"/darknet/out/*.cpp; do
    clang++-19 -std=c++17 -O2 -fopenmp -I"$Runtime" -I"$Source/include" \
      -I"$Source/src" -DGPU -c "$File" -o "$Work/sample.o"
  done
  echo
  python3 "$Here/table.py" "$Work/darknet/results.json"
  [ "$Status" -eq 0 ]
}

rm -rf "$Work"
mkdir -p "$Work"
samples
darknet
