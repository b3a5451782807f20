#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast generated adjoints of llm.c's layers are, and what they allocate.

    ratios.py --tool=build/bin/clang-raise --llm=DIR [--sizes=64,256]
              [--threads=1,2] [--runs=7] [--vocabulary=50257]
              [--compilers=clang-19,gcc] [--flags=-O3,-Ofast] [--above=N]
              [--split]

DIR is where the user keeps llm.c; nothing of it is copied. A ratio is the
median time of the adjoint over that of the hand-written forward and backward
function together, run in turn; below 1, the adjoint is faster. B is 4, C 768,
NH 12, OC 2304, --sizes are those of T. All is compiled with -march=native and
-fopenmp. `matmul_unrolled` is the adjoint of the simple form against llm.c's
unrolled one; an adjoint of crossentropy and one of softmax are compared with
the one backward function that llm.c has for both. With --split it is the
reverse sweep's time over that of the backward function, each after its forward
pass. Gradients and outputs are compared before times are.
Exit status 1: they differ (or, with --above, a ratio is above that).
"""

import argparse
import os
import subprocess
import sys
import tempfile

import grads

HERE = os.path.dirname(os.path.abspath(__file__))
WRAP = ["-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free"]
LIMIT = 2e-5


def build(compiler, flag, source, layers, program, split):
    flags = [*(["-DSPLIT"] if split else []), flag, "-march=native",
             "-fopenmp", "-I", os.path.dirname(source),
             f'-DLLM_SOURCE="{source}"', f'-DADJOINT_HEADER="{layers[:-2]}.h"']
    own = [os.path.join(HERE, name) for name in ("ratios.c", "functions.c")]
    grads.compile_to(program, compiler, flags, own + [layers], WRAP)


def run(program, length, threads, chosen):
    """layer -> (by hand, adjoint, difference, allocated, own arrays)."""
    env = dict(os.environ, OMP_NUM_THREADS=str(threads))
    text = subprocess.run([program, str(length), str(chosen.vocabulary),
                           str(chosen.runs)], capture_output=True, text=True,
                          env=env, check=True).stdout
    return {line.split()[0]: [float(x) for x in line.split()[1:]]
            for line in text.splitlines()}


def table(title, columns, rows):
    print(f"\n{title}\n| | " + " | ".join(columns) + " |\n|---" +
          "|---:" * len(columns) + "|")
    for name, cells in rows.items():
        print(f"| {name} | " + " | ".join(cells) + " |")
    sys.stdout.flush()


def numbers(text):
    return [int(n) for n in text.split(",")]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--llm", required=True, metavar="DIR")
    parser.add_argument("--sizes", default="64", type=numbers)
    parser.add_argument("--threads", default="1", type=numbers)
    parser.add_argument("--runs", default=7, type=int)
    parser.add_argument("--vocabulary", default=50257, type=int)
    parser.add_argument("--compilers", default="clang-19,gcc")
    parser.add_argument("--flags", default="-O3,-Ofast")
    parser.add_argument("--above", type=float)
    parser.add_argument("--split", action="store_true")
    chosen = parser.parse_args()
    source = grads.llm_source(chosen.llm)
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        layers = grads.layer_adjoints(os.path.abspath(chosen.tool), source,
                                      folder, chosen.split)
        programs = {}
        for compiler in chosen.compilers.split(","):
            for flag in chosen.flags.split(","):
                title = f"{compiler} {flag}"
                programs[title] = os.path.join(folder, title.replace(" ", ""))
                build(compiler, flag, source, layers, programs[title],
                      chosen.split)
        for length in chosen.sizes:
            memory = {}
            for threads in chosen.threads:
                rows = {}
                for title, program in programs.items():
                    for name, found in run(program, length, threads,
                                           chosen).items():
                        hand, ours, wrong, peak, primal = found
                        ratio = ours / hand
                        rows.setdefault(name, []).append(
                            f"{ratio:.2f} ({1000 * ours:.3g}/"
                            f"{1000 * hand:.3g} ms)")
                        memory[name] = [f"{peak / 1024:.0f}",
                                        f"{primal / 1024:.0f}"]
                        at = f"{title} T{length} {threads} threads {name}"
                        if not wrong <= LIMIT:
                            bad.append(f"{at}: differs by {wrong:.1e}")
                        if chosen.above and ratio > chosen.above:
                            bad.append(f"{at}: {ratio:.2f}")
                what = ("reverse / backward by hand" if chosen.split else
                        "adjoint / (forward + backward by hand)")
                table(f"{what}: T {length}, V "
                      f"{chosen.vocabulary}, {threads} threads",
                      list(programs), rows)
            table(f"KiB, T {length}", ["allocated by the adjoint, at most",
                                       "the function's own arrays"], memory)
    for line in bad:
        print("FAILED " + line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
