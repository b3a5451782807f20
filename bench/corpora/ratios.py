#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast the corpora run as emitted, against as they were.

    ratios.py --tool=build/bin/clang-raise [--tsvc=DIR] [--polybench=DIR]
              [--runs=5] [--threads=1,2] [--sizes=mini,small,medium]
              [--only=KERNEL,...] [--below=0.95] [--markdown=FILE]

Each folder is where the user keeps that corpus. Its sources are rewritten into
a temporary folder; original and emitted text are compiled with the same flags
and run in turn, A B A B. A ratio is the median time of the original over that
of the emitted form: above 1, the emitted form is faster. TSVC-2 times itself,
function by function (with fewer repetitions: its header is copied and
changed); PolyBench by -DPOLYBENCH_TIME, at the data sets MINI to LARGE.

What was not rewritten runs the same source in both programs: how far its
ratios lie from 1 shows what this machine can tell at all. Exit status 1 if a
rewritten loop is slower than --below.
"""

import argparse
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from corpora import CORPORA, polybench_sources

# Where code begins in a cache line decides on up to a third of a short loop's
# time: that is not what is measured here.
FLAGS = ["-O3", "-march=native", "-fopenmp", "-falign-functions=64",
         "-falign-loops=64", "-w"]
ITERATIONS = 10000


def rewrite(tool, source, out, flags):
    """The emitted text and the names of the functions that it changes."""
    subprocess.run([tool, "rewrite", source, "-o", out, "--", *flags],
                   capture_output=True, timeout=600, check=False)
    if not os.path.exists(out):
        shutil.copy(source, out)
    with open(out, encoding="utf-8", errors="replace") as text:
        return set(re.findall(r"clang-raise: ([A-Za-z_]\w*):", text.read()))


def compile_to(program, sources, flags):
    subprocess.run(["clang-19", *flags, *sources, "-lm", "-o", program],
                   check=True)


def in_turn(programs, runs, threads, measure):
    """For each program the times that its runs gave, by name."""
    times = [{}, {}]
    env = dict(os.environ, OMP_NUM_THREADS=str(threads))
    for run in range(runs + 1):
        for which, program in enumerate(programs):
            text = subprocess.run([program], capture_output=True, text=True,
                                  env=env, check=True).stdout
            for name, seconds in measure(text):
                if run:  # the first warms up
                    times[which].setdefault(name, []).append(seconds)
    return times


def ratios_of(times):
    found = {}
    for name, before in times[0].items():
        after = times[1].get(name)
        if after and statistics.median(after) > 0:
            found[name] = statistics.median(before) / statistics.median(after)
    return found


def tsvc(tool, folder, args, work):
    source = os.path.join(work, "src")
    shutil.copytree(os.path.join(folder, "src"), source)
    header = os.path.join(source, "common.h")
    with open(header, encoding="utf-8") as text:
        changed, count = re.subn(r"#define iterations \d+",
                                 f"#define iterations {ITERATIONS}",
                                 text.read())
    if not count:
        sys.exit(f"{header}: no '#define iterations', is this TSVC-2?")
    with open(header, "w", encoding="utf-8") as text:
        text.write(changed)
    emitted = os.path.join(source, "emitted.c")
    rewritten = rewrite(tool, os.path.join(source, "tsvc.c"), emitted,
                        FLAGS + ["-std=c99"])
    programs = []
    for name in ("tsvc.c", "emitted.c"):
        programs.append(os.path.join(work, name + ".run"))
        compile_to(programs[-1],
                   [os.path.join(source, n)
                    for n in (name, "common.c", "dummy.c")],
                   FLAGS + ["-std=gnu99"])

    def measure(text):
        for line in text.splitlines():
            parts = line.split()
            if len(parts) == 3 and re.match(r"[sv]\w+$", parts[0]):
                yield parts[0], float(parts[1])

    for threads in args.threads:
        found = ratios_of(in_turn(programs, args.runs, threads, measure))
        yield f"TSVC-2, {threads} threads", found, rewritten


def polybench(tool, folder, args, work):
    utilities = os.path.join(folder, "utilities")
    runs = {}
    changed = set()
    for source in polybench_sources(folder):
        name = os.path.basename(source)[:-2]
        if args.only and name not in args.only:
            continue
        for size in args.sizes:
            # The extents of its arrays are macros: a text for each size.
            emitted = os.path.join(work, f"{name}.{size}.c")
            flags = FLAGS + ["-I", utilities, "-I", os.path.dirname(source),
                             f"-D{size.upper()}_DATASET"]
            if rewrite(tool, source, emitted, flags):
                changed.add(name)
            programs = []
            for text in (source, emitted):
                programs.append(os.path.join(
                    work, f"{name}.{size}.{len(programs)}"))
                compile_to(programs[-1],
                           [text, os.path.join(utilities, "polybench.c")],
                           flags + ["-DPOLYBENCH_TIME",
                                    "-DPOLYBENCH_CYCLE_ACCURATE_TIMER"])
            runs[name, size] = programs
    for threads in args.threads:
        for size in args.sizes:
            found = {}
            for (name, of), programs in runs.items():
                if of != size:
                    continue

                def measure(text, name=name):
                    yield name, float(text.split()[-1])

                found.update(ratios_of(in_turn(programs, args.runs, threads,
                                               measure)))
            yield (f"PolyBench/C {size.upper()}, {threads} threads", found,
                   changed)


def geomean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 1


def report(title, found, rewritten, below):
    """Lines of a table, and the rewritten ones that are slower than below."""
    ours = {n: r for n, r in found.items() if n in rewritten}
    rest = sorted(r for n, r in found.items() if n not in rewritten)
    slow = sorted((r, n) for n, r in ours.items() if r < below)
    fast = sorted(((r, n) for n, r in ours.items() if r > 1.1), reverse=True)
    spread = (f"{rest[len(rest) // 20]:.2f} to {rest[-1 - len(rest) // 20]:.2f}"
              if rest else "-")
    lines = [f"| {title} | {len(ours)} | {geomean(ours.values()):.2f} | "
             f"{spread} | "
             + (", ".join(f"{n} {r:.2f}" for r, n in slow) or "none") + " | "
             + (", ".join(f"{n} {r:.1f}" for r, n in fast) or "none") + " |"]
    return lines, slow


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--tsvc")
    parser.add_argument("--polybench")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", default="1,2",
                        type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--sizes", default="mini,small,medium",
                        type=lambda text: text.split(","))
    parser.add_argument("--only", default=[],
                        type=lambda text: text.split(","))
    parser.add_argument("--below", type=float, default=0.95)
    parser.add_argument("--markdown")
    args = parser.parse_args()
    table = ["| | rewritten | geomean | others, 5 % to 95 % | "
             f"below {args.below:g} | above 1.1 |", "|---|---|---|---|---|---|"]
    bad = False
    for name, measure in (("tsvc", tsvc), ("polybench", polybench)):
        folder = getattr(args, name)
        if not folder:
            continue
        if not CORPORA[name].sources(folder):
            print(f"{folder}: no {CORPORA[name].name} here", file=sys.stderr)
            return 2
        with tempfile.TemporaryDirectory() as work:
            for title, found, rewritten in measure(args.tool, folder, args,
                                                   work):
                lines, slow = report(title, found, rewritten, args.below)
                table += lines
                bad |= bool(slow)
                print("\n".join(table[-1:]), flush=True)
    if args.markdown:
        with open(args.markdown, "w", encoding="utf-8") as out:
            out.write("\n".join(table) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
