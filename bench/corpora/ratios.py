#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast the corpora run as emitted, against as they were.

    ratios.py --tool=build/bin/clang-raise [--tsvc=DIR] [--polybench=DIR]
              [--llm=DIR] [--lulesh=DIR]
              [--runs=5] [--threads=1,2] [--sizes=mini,small,medium]
              [--calls=1] [--only=KERNEL,...] [--below=0.95] [--markdown=FILE]

Each folder is where the user keeps that corpus. Its sources are rewritten into
a temporary folder; original and emitted text are compiled with the same flags
and run in turn, A B A B. A ratio is the median time of the original over that
of the emitted form: above 1, the emitted form is faster. TSVC-2 times itself,
function by function (with fewer repetitions and more digits: its sources are
copied and changed); PolyBench by -DPOLYBENCH_TIME, at the data sets MINI to LARGE;
llm.c's layers by llm.c (this folder's), at three sizes; LULESH times itself, at
three sizes.
A kernel of MINI runs for microseconds, of which a first call spends most on
code that is in no cache yet: with --calls above 1 a run initialises and calls
each kernel so often, caches are not flushed, and the median call is its time.

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
HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-O3", "-march=native", "-fopenmp", "-falign-functions=64",
         "-falign-loops=64", "-w"]
POLYBENCH_TIMES = ["-DPOLYBENCH_TIME", "-DPOLYBENCH_CYCLE_ACCURATE_TIMER"]
ITERATIONS = 10000


def rewrite(tool, source, out, flags, options=()):
    """The emitted text and the names of the functions that it changes."""
    done = subprocess.run([tool, "rewrite", *options, source, "-o", out, "--",
                           *flags], capture_output=True, text=True, timeout=600,
                          check=False)
    if done.returncode:
        sys.exit(f"{tool} rewrite {source}: exit status {done.returncode}\n" +
                 done.stderr[-2000:])
    with open(out, encoding="utf-8", errors="replace") as text:
        return set(re.findall(r"clang-raise: ([A-Za-z_]\w*):", text.read()))


def compile_to(program, sources, flags, compiler="clang-19", libraries=()):
    subprocess.run([compiler, *flags, *sources, "-lm", *libraries, "-o",
                    program], check=True)


def in_turn(commands, runs, threads, measure, check=None):
    """For each command the times that its runs gave, by name. What they print
    in the first round, which warms up, goes to `check`."""
    times = [{} for _ in commands]
    env = dict(os.environ, OMP_NUM_THREADS=str(threads))
    for run in range(runs + 1):
        texts = [None] * len(commands)
        for which, command in enumerate(commands):
            texts[which] = subprocess.run(command, capture_output=True,
                                          text=True, env=env, check=True).stdout
            for name, seconds in measure(texts[which]):
                if run:
                    times[which].setdefault(name, []).append(seconds)
        if check and not run:
            check(texts)
    return times


def ratios_of(times):
    found = {}
    for name, before in times[0].items():
        after = times[1].get(name)
        if after and statistics.median(after) > 0:
            found[name] = statistics.median(before) / statistics.median(after)
    return found


def tsvc_loops(text):
    """The functions that TSVC's main calls."""
    return re.findall(r"time_function\(&(\w+),", text)


def change(path, pattern, new):
    """Replaces what the pattern finds in a file; how often it did."""
    with open(path, encoding="utf-8") as text:
        changed, count = re.subn(pattern, new, text.read(), flags=re.M)
    with open(path, "w", encoding="utf-8") as text:
        text.write(changed)
    return count


def tsvc_programs(tool, folder, work, only=()):
    """The command lines of original and emitted text, and the functions that
    were rewritten. With `only`, main calls no others."""
    source = os.path.join(work, "src")
    shutil.copytree(os.path.join(folder, "src"), source)
    header, loops = (os.path.join(source, n) for n in ("common.h", "tsvc.c"))
    if not change(header, r"#define iterations \d+",
                  f"#define iterations {ITERATIONS}"):
        sys.exit(f"{header}: no '#define iterations', is this TSVC-2?")
    # As it is, it prints milliseconds, and a loop may take twenty.
    change(loops, r'"%10\.3f\\t%f', r'"%.6f\\t%.9g')
    if only:
        change(loops, r"^\s*time_function\(&(\w+),.*\n",
               lambda call: call[0] if call[1] in only else "")
    emitted = os.path.join(source, "emitted.c")
    rewritten = rewrite(tool, loops, emitted, FLAGS + ["-std=c99"])
    commands = []
    for name in ("tsvc.c", "emitted.c"):
        commands.append([os.path.join(work, name + ".run")])
        compile_to(commands[-1][0],
                   [os.path.join(source, n)
                    for n in (name, "common.c", "dummy.c")],
                   FLAGS + ["-std=gnu99"])
    return commands, rewritten


def tsvc_lines(text):
    """Loop, seconds and checksum of each line that TSVC-2 prints."""
    for line in text.splitlines():
        parts = line.split()
        if len(parts) == 3 and re.match(r"[sv]\w+$", parts[0]):
            yield parts[0], float(parts[1]), float(parts[2])


def tsvc_seconds(text):
    return [line[:2] for line in tsvc_lines(text)]


def tsvc(tool, folder, args, work):
    commands, rewritten = tsvc_programs(tool, folder, work)
    for threads in args.threads:
        found = ratios_of(in_turn(commands, args.runs, threads, tsvc_seconds))
        yield f"TSVC-2, {threads} threads", found, rewritten


def polybench_cycles(text):
    """What PolyBench prints last is the cycles of its kernel."""
    return [("", float(text.split()[-1]))]


# What main does before and behind its one call of the kernel, said for many.
CALLS_BEGIN = "for (int call = 0; call < POLYBENCH_CALLS; ++call) {\n  "
CALLS_END = """call_times[call] = polybench_c_end - polybench_c_start; }
  qsort(call_times, POLYBENCH_CALLS, sizeof(call_times[0]), ascending);
  printf("%llu\\n", call_times[POLYBENCH_CALLS / 2]);"""
CALLS_HEAD = """#include <stdlib.h>
extern unsigned long long int polybench_c_start, polybench_c_end;
static unsigned long long call_times[POLYBENCH_CALLS];
static int ascending(const void *a, const void *b) {
  const unsigned long long x = *(const unsigned long long *)a,
                           y = *(const unsigned long long *)b;
  return (x > y) - (x < y);
}
"""


def call_often(source, out):
    """A copy whose main initialises and calls its kernel POLYBENCH_CALLS times
    and prints the median of their cycles."""
    with open(source, encoding="utf-8", errors="replace") as text:
        head, begin, main_text = text.read().rpartition("int main(")
    for pattern, new in ((r"^\s*init_array ?\(", CALLS_BEGIN + r"\g<0>"),
                         (r"^\s*polybench_print_instruments;", CALLS_END)):
        main_text, count = re.subn(pattern, lambda found: new.replace(
            r"\g<0>", found[0]), main_text, flags=re.M)
        if count != 1 or not begin:
            sys.exit(f"{source}: no main as PolyBench's kernels have")
    with open(out, "w", encoding="utf-8") as text:
        text.write(head + CALLS_HEAD + begin + main_text)


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
            if args.calls > 1:
                flags.append("-DPOLYBENCH_NO_FLUSH_CACHE")
            # What fills its arrays is not timed.
            if any(function.startswith("kernel") for function in
                   rewrite(tool, source, emitted, flags)):
                changed.add(name)
            commands = []
            for text in (source, emitted):
                commands.append([os.path.join(
                    work, f"{name}.{size}.{len(commands)}")])
                often = commands[-1][0] + ".c"
                call_often(text, often)
                compile_to(commands[-1][0],
                           [often, os.path.join(utilities, "polybench.c")],
                           flags + POLYBENCH_TIMES +
                           [f"-DPOLYBENCH_CALLS={args.calls}"])
            runs[name, size] = commands
    for threads in args.threads:
        for size in args.sizes:
            found = {}
            for (name, of), commands in runs.items():
                if of == size:
                    ratios = ratios_of(in_turn(commands, args.runs, threads,
                                               polybench_cycles))
                    found.update({name: ratio for ratio in ratios.values()})
            yield (f"PolyBench/C {size.upper()}, {threads} threads", found,
                   changed)


# Batch, length, channels, heads, vocabulary.
LAYERS = {"tiny": (1, 2, 8, 2, 16), "small": (2, 32, 96, 4, 256),
          "as GPT-2": (4, 64, 768, 12, 4096)}


def llm_seconds(text):
    return [(name, float(seconds)) for name, seconds in
            (line.split() for line in text.splitlines())]


def llm(tool, folder, args, work):
    flags = [*FLAGS, "-I", folder]
    source = os.path.join(folder, "train_gpt2.c")
    emitted = os.path.join(work, "emitted.c")
    changed = rewrite(tool, source, emitted, flags)
    programs = []
    for name, text in (("original", source), ("emitted", emitted)):
        programs.append(os.path.join(work, name))
        compile_to(programs[-1], [os.path.join(HERE, "llm.c")],
                   [*flags, f'-DLLM_SOURCE="{text}"'])
    for threads in args.threads:
        for size, numbers in LAYERS.items():
            commands = [[program, *map(str, numbers)] for program in programs]
            yield (f"llm.c {size}, {threads} threads",
                   ratios_of(in_turn(commands, args.runs, threads,
                                     llm_seconds)), changed)


# Elements along an edge -> steps.
CUBES = {2: 500, 8: 200, 30: 20}


def lulesh_seconds(text):
    """Microseconds for an element and a step, which has more digits than the
    seconds of the run."""
    return [("", float(re.search(r"Grind time.*=\s*(\S+)", text)[1]))]


def lulesh(tool, folder, args, work):
    flags = [*FLAGS, "-DUSE_MPI=0", "-std=c++17", "-I", folder]
    changed = False
    programs = []
    for name in ("original", "emitted"):
        own = os.path.join(work, name)
        os.makedirs(own)
        texts = []
        for source in sorted(os.listdir(folder)):
            if not source.endswith(".cc"):
                continue
            texts.append(os.path.join(folder, source))
            if name == "emitted":
                out = os.path.join(own, source)
                changed |= bool(rewrite(tool, texts[-1], out, flags))
                texts[-1] = out
        programs.append(os.path.join(own, "run"))
        compile_to(programs[-1], texts, flags, "clang++-19")
    for threads in args.threads:
        found = {}
        for edge, steps in CUBES.items():
            commands = [[program, "-s", str(edge), "-i", str(steps)]
                        for program in programs]
            times = in_turn(commands, args.runs, threads, lulesh_seconds)
            found[f"edge {edge}"] = ratios_of(times)[""]
        yield (f"LULESH, {threads} threads", found,
               set(found) if changed else set())


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
    parser.add_argument("--llm")
    parser.add_argument("--lulesh")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", default="1,2",
                        type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--sizes", default="mini,small,medium",
                        type=lambda text: text.split(","))
    parser.add_argument("--calls", type=int, default=1)
    parser.add_argument("--only", default=[],
                        type=lambda text: text.split(","))
    parser.add_argument("--below", type=float, default=0.95)
    parser.add_argument("--markdown")
    args = parser.parse_args()
    table = ["| | rewritten | geomean | others, 5 % to 95 % | "
             f"below {args.below:g} | above 1.1 |", "|---|---|---|---|---|---|"]
    bad = False
    for name, measure in (("tsvc", tsvc), ("polybench", polybench),
                          ("llm", llm), ("lulesh", lulesh)):
        folder = getattr(args, name)
        if not folder:
            continue
        folder = os.path.abspath(folder)
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
