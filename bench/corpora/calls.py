#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What small calls of emitted functions execute, against the originals.

    calls.py --tool=build/bin/clang-raise --llm=DIR [--compilers=clang-19,gcc]
             [--flags="-O3 -mavx2 -mfma"] [--most=1.05] [--markdown=FILE]

A call of some nanoseconds cannot be timed to a few percent: where its code
lies decides on more. Instructions can be counted exactly, by valgrind's
callgrind. DIR holds llm.c, whose layers without threads of their own are called
at the smallest sizes (calls.c). Exit status 1 if an empty call executes more
than the original's, or another one more than --most times as many and 3.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

from ratios import compile_to, rewrite

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = 1000  # as in calls.c


def counted(program, folder):
    """Instructions of one call, by (layer, size)."""
    out = os.path.join(folder, "callgrind.out")
    subprocess.run(["valgrind", "--tool=callgrind", "--compress-strings=no",
                    "--callgrind-out-file=" + out, program],
                   check=True, capture_output=True,
                   env=dict(os.environ, OMP_NUM_THREADS="1"))
    found, callee = {}, None
    with open(out, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("cfn="):
                callee = re.search(r"calls_of_(\w+)_([0-9x]+)\b", line)
            elif line.startswith("calls=") and callee:
                # The cost of the calls follows: position, instructions.
                found[callee[1], callee[2]] = \
                    int(next(lines).split()[1]) / CALLS
    if not found:
        sys.exit(f"{program}: callgrind counted no calls")
    return found


def is_empty(size):
    return size.startswith("0") or "x0x" in size


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--llm", required=True)
    parser.add_argument("--compilers", default="clang-19,gcc")
    parser.add_argument("--flags", default="-O3 -mavx2 -mfma")
    parser.add_argument("--most", type=float, default=1.05)
    parser.add_argument("--markdown")
    args = parser.parse_args()
    flags = args.flags.split() + ["-fopenmp", "-w", "-I" + args.llm]
    source = os.path.join(args.llm, "train_gpt2.c")
    table, slower = [], 0
    with tempfile.TemporaryDirectory() as folder:
        emitted = os.path.join(folder, "train_gpt2.c")
        changed = rewrite(args.tool, source, emitted, flags)
        for compiler in args.compilers.split(","):
            counts = []
            for text in (source, emitted):
                program = os.path.join(folder, "calls")
                compile_to(program, [os.path.join(HERE, "calls.c")],
                           flags + [f'-DLLM_SOURCE="{os.path.abspath(text)}"'],
                           compiler)
                counts.append(counted(program, folder))
            for (layer, size), before in sorted(counts[0].items()):
                if not any(layer.startswith(name) for name in changed):
                    continue
                after = counts[1][layer, size]
                more = after > before if is_empty(size) else \
                    after > args.most * before + 3
                slower += more
                table.append((compiler, layer, size, before, after,
                              "more" if more else ""))
    head = ("| compiler | layer | size | instructions, original | emitted | |\n"
            "|---|---|---|---|---|---|\n")
    lines = head + "".join(
        f"| {c} | {l} | {s} | {b:.0f} | {a:.0f} | {m} |\n"
        for c, l, s, b, a, m in table)
    print(lines, end="")
    print(f"{len(table)} calls, {slower} execute more")
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as out:
            out.write(lines)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
