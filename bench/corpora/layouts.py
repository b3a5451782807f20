#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long small calls of emitted functions take, whatever their code's place.

    layouts.py --tool=build/bin/clang-raise --llm=DIR [--compilers=clang-19,gcc]
               [--flags="-O3 -march=native"] [--layouts=40] [--seed=1]
               [--below=0.95] [--markdown=FILE]

Where a function of some nanoseconds begins in a cache line, and where the stack
does, moves its time by a fifth and more, the same text's too. So what is
compared is expected times over random places (Curtsinger and Berger,
"Stabilizer: statistically sound performance evaluation", ASPLOS 2013): of each
layout every function begins at a random sixteenth of 256 bytes, and the
environment, which the stack lies behind, has a random length. The calls are
those of calls.py; the original is measured a second time, as if it were the
emitted text: what that shows is what can be told at all.

Prints for each call below --below the ratio of trimmed means, original over
emitted (above 1, the emitted form is faster), and its bootstrap interval of 95 %.
Exit status 1 if one lies below with its whole interval.
"""

import argparse
import math
import os
import random
import re
import subprocess
import sys
import tempfile

from ratios import rewrite

HERE = os.path.dirname(os.path.abspath(__file__))
TEXTS = ("original", "again", "emitted")


class Program:
    """The calls with one text: assembled anew for each layout."""

    def __init__(self, compiler, flags, text, folder, name):
        self.compiler, self.path = compiler, os.path.join(folder, name)
        self.assembly = subprocess.run(
            [compiler, *flags, "-DTIMED", f'-DLLM_SOURCE="{os.path.abspath(text)}"',
             "-S", "-o", "-", os.path.join(HERE, "calls.c")],
            check=True, capture_output=True, text=True).stdout
        self.layers = sorted(set(re.findall(r"^(\w+_(?:forward|backward)\w*):",
                                            self.assembly, flags=re.M)))

    def lay_out(self, chance):
        text = self.assembly
        for layer in self.layers:
            text = re.sub(rf"^{layer}:", ".p2align 6\n.skip "
                          f"{16 * chance.randrange(1, 17)}\n{layer}:", text,
                          flags=re.M)
        with open(self.path + ".s", "w", encoding="utf-8") as out:
            out.write(text)
        subprocess.run([self.compiler, "-fopenmp", self.path + ".s", "-lm", "-o",
                        self.path], check=True)

    def run(self, padding):
        """Nanoseconds by (layer, size)."""
        env = dict(os.environ, OMP_NUM_THREADS="1", PADDING="x" * padding)
        lines = subprocess.run([self.path], check=True, capture_output=True,
                               text=True, env=env).stdout.splitlines()
        return {tuple(line.split()[:2]): float(line.split()[2])
                for line in lines}


def measure(programs, layouts, chance):
    """For each program, by call, its times over the layouts."""
    times = {name: {} for name in programs}
    for _ in range(layouts):
        padding = {name: chance.randrange(512) for name in programs}
        least = {name: {} for name in programs}
        for name, program in programs.items():
            program.lay_out(chance)
        for _ in range(3):
            for name in chance.sample(sorted(programs), len(programs)):
                for call, time in programs[name].run(padding[name]).items():
                    least[name][call] = min(time, least[name].get(call, time))
        for name, calls in least.items():
            for call, time in calls.items():
                times[name].setdefault(call, []).append(time)
    return times


def mean(times):
    """Without the tenth that is longest and the one that is shortest."""
    cut = len(times) // 10
    kept = sorted(times)[cut:len(times) - cut]
    return sum(kept) / len(kept)


def ratio(before, after, chance):
    """The ratio, and the interval that holds 95 % of those of samples."""
    samples = sorted(mean(chance.choices(before, k=len(before))) /
                     mean(chance.choices(after, k=len(after)))
                     for _ in range(400))
    return mean(before) / mean(after), samples[10], samples[389]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--llm", required=True)
    parser.add_argument("--compilers", default="clang-19,gcc")
    parser.add_argument("--flags", default="-O3 -march=native")
    parser.add_argument("--layouts", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--below", type=float, default=0.95)
    parser.add_argument("--markdown")
    args = parser.parse_args()
    flags = args.flags.split() + ["-fopenmp", "-w", "-I" + args.llm]
    source = os.path.join(args.llm, "train_gpt2.c")
    chance = random.Random(args.seed)
    lines, slower = [], 0
    with tempfile.TemporaryDirectory() as folder:
        emitted = os.path.join(folder, "train_gpt2.c")
        changed = rewrite(args.tool, source, emitted, flags)
        for compiler in args.compilers.split(","):
            programs = {name: Program(compiler, flags,
                                      emitted if name == "emitted" else source,
                                      folder, name) for name in TEXTS}
            times = measure(programs, args.layouts, chance)
            for name in TEXTS[1:]:
                ratios = {call: ratio(before, times[name][call], chance)
                          for call, before in times["original"].items()
                          if any(call[0].startswith(c) for c in changed)}
                if not ratios:
                    sys.exit("no call of a function that was rewritten")
                surely = sum(high < args.below for _, _, high in ratios.values())
                slower += surely if name == "emitted" else 0
                geomean = math.exp(sum(math.log(r) for r, _, _ in ratios.values())
                                   / len(ratios))
                below = sorted((r, call) for call, r in ratios.items()
                               if r[0] < args.below)
                print(f"{compiler}, {name}: {len(ratios)} calls, geomean "
                      f"{geomean:.3f}; below {args.below}: {len(below)}, "
                      f"{surely} of them surely", flush=True)
                for (r, low, high), (layer, size) in below:
                    lines.append(
                        f"| {compiler} | {name} | {layer} | {size} | "
                        f"{mean(times['original'][layer, size]):.1f} | {r:.2f} | "
                        f"{low:.2f} to {high:.2f} |\n")
    table = ("| compiler | text | layer | size | ns, original | ratio | 95 % |\n"
             "|---|---|---|---|---|---|---|\n") + "".join(lines)
    print(table, end="")
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as out:
            out.write(table)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
