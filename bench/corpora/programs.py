#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast whole translated CUDA programs run, against their hand-written OpenMP versions.

    programs.py --tool=build/bin/clang-raise [--hecbench=DIR] [--rodinia=DIR] [--runs=5] [--threads=2]
                [--compilers=clang++-19,g++] [--only=PROGRAM,...] [--markdown=FILE]

Each folder is where the user keeps that corpus: HeCBench's src, with NAME-cuda and its twin NAME-omp, and Rodinia, with
cuda/NAME and openmp/NAME. The CUDA sources are translated into a temporary folder; what comes out and the twin are built
by the same compiler (the first by which both are right) with the same flags, and run in turn, A B A B. A ratio is the
median time of the twin over that of the translation: above 1, the translation is faster; below 0.8 it is marked (!).

The time is the kernels' where both programs print it, else the whole process's (wall). HeCBench's twins are for a device:
built for the host, what `map(to:)` or `map(alloc:)` would have copied is what it was, and a twin that fails its own check
is left out. Rodinia's programs seldom check themselves: the numbers that both leave are compared. OMP_THREAD_LIMIT keeps
twins from starting the threads of a GPU's block. Sources are translated without -march=native, as Clang's headers for
some processors and for CUDA disagree, and built with it. Exit status 1 if a translation is not made, not built or wrong.

Of Rodinia, hotspot is not here as its OpenMP version takes a thousandth of the time step, nn as both versions only read
files, and kmeans as its texture references are gone from today's CUDA.
"""
import argparse
import dataclasses
import glob
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import typing

FLAGS = ["-O3", "-march=native", "-fopenmp", "-w"]
C_FLAGS = ["-x", "c", "-std=gnu99", "-Wno-implicit-int", "-Wno-implicit-function-declaration"]
SLOW = 0.8
LIMIT = 60  # seconds for a run
TWIN, TRANSLATION = "twin", "translation"


class LeftOut(Exception):
    """Why a program has no ratio."""


@dataclasses.dataclass
class Side:
    """One of the two versions of a program."""
    sources: list  # patterns below the corpus
    args: str
    flags: str = ""
    time: str = ""  # a pattern for a number of kernels' time and perhaps its unit; without one, the time is the process's
    unit: str = ""  # where the pattern has none


@dataclasses.dataclass
class Program:
    name: str
    cuda: Side
    twin: Side
    host: tuple = ()  # sources of the CUDA program that are no CUDA
    passed: str = ""  # a pattern: the result is right, unless `failed` is found
    failed: str = "FAIL"
    result: str = ""  # or the file whose numbers are compared ("-": what is printed), on lines with this pattern,
    lines: str = ""
    last: int = 0  # and only so many of them
    check: tuple = ("", "")  # a part of the arguments, and what it is in that comparison
    wrapped: str = ""  # a function of HELPERS that is put in the place of the programs'
    inputs: typing.Callable = None  # writes input files into a folder


# What HeCBench's programs print of their kernels, and the arguments.
PRINTED = r"^.*[Tt]ime.*?[\s:]([\d.eE+-]+) \(?(s|ms|us)\)?\s*$"
HECBENCH = """vanGenuchten 128 128 64 10 | lif 1000 32 1000 | background-subtract 1024 768 0 40 | burger 1024 1024 20
stencil1d 1048576 20 | bilateral 320 240 0.5 0.5 2 | stddev 1024 8192 10 | threadfence 20 1000000
cbsfil 2048 2048 4 | distort 1024 1024 0.001 5 | scatterAdd 100000 32 8 4 | dense-embedding 1000 16 1
epistasis 64 1024 2 | haccmk 1 | lombscargle 1 | winograd | particle-diffusion 10 5 | pso 10000 200
page-rank -n 2048 -i 20 | fft 0 10"""
SHARED = {"pso": ["pso-cuda/main.cpp", "pso-cuda/kernel_cpu.cpp"]}  # with the twin
PASSED = {"distort": r"Max error of each channel: [01] [01] [01]"}


def hecbench():
    for entry in HECBENCH.replace("\n", "|").split("|"):
        name, *args = entry.split()
        cuda, omp = name + "-cuda", name + "-omp"
        yield Program(name, Side([cuda + "/*.cu"], " ".join(args), f"-I{{}}/{cuda}", PRINTED),
                      Side([omp + "/*.cpp", *SHARED.get(name, [])], " ".join(args), f"-I{{}}/{omp} -I{{}}/{cuda}",
                           PRINTED), (cuda + "/*.cpp",), PASSED.get(name, r"\bPASS\b"))


# Seeds are the time of day; backprop prints nothing of what it computes.
HELPERS = {"time": "long __wrap_time(long *t) { return t ? (*t = 7) : 7; }\n", "bpnn_free": """#include <stdio.h>
#include "backprop.h"
void __real_bpnn_free(BPNN *net);
void __wrap_bpnn_free(BPNN *net) {
  for (int j = 1; j <= net->hidden_n; ++j)
    printf("computed %.6g %.6g\\n", net->hidden_units[j], net->hidden_delta[j]);
  __real_bpnn_free(net);
}
"""}
# Seconds that the counter needs to go on by one which pathfinder prints.
TICK = """#include <stdio.h>
#include <time.h>
#include <x86intrin.h>
int main(void) {
  unsigned long long begin = __rdtsc();
  clock_t to = clock() + CLOCKS_PER_SEC / 5;
  while (clock() < to);
  printf("%.9g\\n", 0.2 / (__rdtsc() - begin));
}
"""


def write(path, lines):
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(lines)
    return path


def cube(folder):
    generator = random.Random(1)
    for name, low, high in (("temp", 320, 340), ("power", 1e-4, 2e-3)):
        write(os.path.join(folder, name), (f"{generator.uniform(low, high):.6f}\n" for _ in range(512 * 512 * 8)))


def graph(folder, nodes=400000, degree=6):
    generator = random.Random(1)
    write(os.path.join(folder, "graph"), itertools.chain(
        [f"{nodes}\n"], (f"{n * degree} {degree}\n" for n in range(nodes)), [f"0\n{nodes * degree}\n"],
        (f"{generator.randrange(nodes)} 1\n" for _ in range(nodes * degree))))


def rodinia():
    timing = "-DTIMING -I{}/cuda/util"
    exec_ms = r"^Exec: ([\d.]+)", "ms"
    yield Program("backprop", Side(["cuda/backprop/*_cuda.cu"], "1048560", "-I{}/cuda/backprop"),
                  Side(["openmp/backprop/*.c"], "1048560", "-I{}/openmp/backprop"),
                  ("cuda/backprop/*.c",), result="-", lines="computed", wrapped="bpnn_free")
    kernel = r"([\d.]+) (s),.*PU: KERNEL"
    yield Program("lavaMD", Side(["cuda/lavaMD/kernel/*_wrapper.cu", "cuda/lavaMD/util/*/*.cu"], "-boxes1d 8",
                                 "-DOUTPUT -I{}/cuda/lavaMD/kernel -I{}/cuda/lavaMD/util/device", kernel),
                  Side(["openmp/lavaMD/main.c", "openmp/lavaMD/kernel/*.c", "openmp/lavaMD/util/*/*.c"],
                       "-cores {threads} -boxes1d 8", "-DOUTPUT", kernel),
                  ("cuda/lavaMD/main.c", "cuda/lavaMD/util/*/*.c"), result="result.txt", wrapped="time")
    consumed = r"Time consumed\((ms)\): ([\d.]+)"
    yield Program("lud", Side(["cuda/lud/cuda/*.cu"], "-v -s 1024", "-I{}/cuda/lud/common", consumed),
                  Side(["openmp/lud/omp/*.c", "openmp/lud/common/*.c"], "-n {threads} -v -s 1024",
                       "-I{}/openmp/lud/common", consumed), ("cuda/lud/common/*.c",), "Verify", "dismatch")
    yield Program("nw", Side(["cuda/nw/needle.cu"], "4096 10", timing + " -DTRACEBACK", *exec_ms),
                  Side(["openmp/nw/needle.cpp"], "4096 10 {threads}", "", r"Total time: ([\d.]+)", "s"),
                  result="result.txt")
    took = "", r"PARTICLE FILTER TOOK ([\d.]+)", "s"
    for kind, last in (("naive", 0), ("float", 2)):
        args = "-x 128 -y 128 -z 10 -np 10000"
        yield Program("particlefilter " + kind, Side([f"cuda/particlefilter/*_{kind}_seq.cu"], args, *took),
                      Side(["openmp/particlefilter/*.c"], args, *took), result="-", lines="[XY]E:", last=last,
                      wrapped="time")
    yield Program("pathfinder", Side(["cuda/pathfinder/*.cu"], "400000 100 20", timing + " -DBENCH_PRINT", *exec_ms),
                  Side(["openmp/pathfinder/*.cpp"], "400000 100", "", r"^timer: (\d+)", "ticks"),
                  result="-", lines="^[0-9 ]+$", check=("400000", "4000"))
    yield Program("srad_v2", Side(["cuda/srad/srad_v2/srad.cu"], "512 512 0 127 0 127 0.5 300", "-DOUTPUT"),
                  Side(["openmp/srad/srad_v2/srad.cpp"], "512 512 0 127 0 127 {threads} 0.5 300", "-DOUTPUT"),
                  result="-", lines=r"^[0-9. ]+$")
    clusters, spent = "10 20 256 4096 4096 1000 none result.txt ", ("", r"^time = ([\d.]+)", "s")
    yield Program("streamcluster", Side(["cuda/streamcluster/*_cuda.cu"], clusters + "1", *spent),
                  Side(["openmp/streamcluster/*_omp.cpp"], clusters + "{threads}", *spent),
                  ("cuda/streamcluster/*_cuda_cpu.cpp",), result="result.txt")
    heat = "512 8 100 power temp result.txt", "", r"^Time: ([\d.]+)", "s"
    yield Program("hotspot3D", Side(["cuda/hotspot3D/3D.cu"], *heat), Side(["openmp/hotspot3D/3D.c"], *heat),
                  result="result.txt", inputs=cube)
    yield Program("bfs", Side(["cuda/bfs/bfs.cu"], "graph", timing, *exec_ms),
                  Side(["openmp/bfs/*.cpp"], "{threads} graph", "", r"^Compute time: ([\d.]+)", "s"),
                  result="result.txt", inputs=graph)


def output(command, what, **how):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, **how)
    except subprocess.TimeoutExpired:
        raise LeftOut(f"{what} does not end") from None


def call(command, what):
    """Its output; LeftOut, with the first error, where it fails."""
    done = output(command, what, timeout=10 * LIMIT)
    if done.returncode:
        error = re.search(r"^.*(?:error|undefined).*$", done.stderr, re.M)
        raise LeftOut(f"{what}: " + re.sub(r"/\S*/", "", error[0] if error else f"status {done.returncode}").strip())
    return done.stdout


def files(folder, patterns):
    return [path for pattern in patterns for path in sorted(glob.glob(os.path.join(folder, pattern), recursive=True))]


def translate(tool, sources, flags, out):
    """What comes out, and how many kernels were raised of how many."""
    os.makedirs(out)
    report = os.path.join(out, "report.json")
    call([tool, "rewrite", *sources, "-o", out + os.sep, f"--json={report}", "--", "-O3", "-std=c++17", *flags],
         f"the {TRANSLATION} is not made")
    with open(report, encoding="utf-8") as text:
        kernels = [found["status"] for found in json.load(text)["results"] if found["construct"] == "kernel"]
    return files(out, ["**/*.cpp"]), f"{kernels.count('raised')} of {len(kernels)}"


def build(compiler, sources, flags, wrapped, out, what):
    objects = []
    for source in sources:
        objects.append(f"{out}.{len(objects)}.o")
        language = C_FLAGS if source.endswith(".c") else ["-std=c++17"]
        call([compiler, *FLAGS, *flags, *language, "-c", source, "-o", objects[-1]], f"the {what} is not built")
    wrap = [f"-Wl,--wrap={wrapped}"] if wrapped else []
    call([compiler, "-fopenmp", *objects, *wrap, "-lm", "-o", out], f"the {what} is not linked")
    return out


def run(what, program, args, threads, folder):
    """What it prints, and how long it took."""
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_THREAD_LIMIT=str(threads),
               LIBOMP_USE_HIDDEN_HELPER_TASK="false")  # whose threads the limit would not let start
    begin = time.perf_counter()
    done = output([program, *args.format(threads=threads).split()], f"the {what}", env=env, cwd=folder, timeout=LIMIT)
    if done.returncode < 0:
        raise LeftOut(f"the {what} ends by signal {-done.returncode}")
    return done.stdout, time.perf_counter() - begin


def numbers(program, folder, text):
    """The numbers that a run left."""
    if program.result != "-":
        with open(os.path.join(folder, program.result), encoding="utf-8") as result:
            text = result.read()
    found = [float(number) for line in text.splitlines() if re.search(program.lines, line)
             for number in re.findall(r"-?\d+\.?\d*(?:[eE][+-]?\d+)?|\bnan\b|\binf\b", line)]
    return found[-program.last:]


def check(program, pair, threads, folder):
    """Raises LeftOut if a result is not right."""
    left = []
    for what, side, path in pair:
        text, _ = run(what, path, side.args.replace(*program.check), threads, folder)
        if program.result:
            left.append(numbers(program, folder, text))
        elif not re.search(program.passed, text) or re.search(program.failed, text):
            raise LeftOut(f"the {what} fails its check")
    if left and (not left[0] or len(left[0]) != len(left[1])):
        raise LeftOut(f"the {TRANSLATION} leaves {len(left[1])} numbers, the {TWIN} {len(left[0])}")
    worst = max((abs(a - b) / max(1, abs(a)) for a, b in zip(*left)), default=0)
    if not worst <= 5e-3:  # sums are in another order; nan is not less
        raise LeftOut(f"the {TRANSLATION} differs from the {TWIN} by {worst:.2g}")


def kernel_times(side, text, tick):
    """Seconds of each line that a run prints of its kernels' time."""
    units = {"s": 1, "ms": 1e-3, "us": 1e-6, "ticks": tick}
    lines = [match.groups() for match in re.finditer(side.time, text, re.M)] if side.time else []
    return [float(next(g for g in groups if g not in units)) * units[next((g for g in groups if g in units), side.unit)]
            for groups in lines]


def programs_of(args, corpus, program, work):
    """The two programs, (what, side, path) with the twin first, found right; kernels raised; the compiler; and why no
    earlier compiler."""
    sides = ((TWIN, program.twin), (TRANSLATION, program.cuda))
    sources = [files(corpus, side.sources) for _, side in sides]
    if not all(sources):
        raise LeftOut("it is not there")
    if program.inputs:
        program.inputs(work)
    helper = [write(os.path.join(work, "helper.c"), HELPERS[program.wrapped])] if program.wrapped else []
    flags = [["-I", args.include, *side.flags.replace("{}", corpus).split()] for _, side in sides]
    texts, raised = translate(args.tool, sources[1], flags[1][2:], os.path.join(work, "translated"))
    sources[1] = texts + files(corpus, program.host)
    reasons = []
    for compiler in args.compilers:
        try:
            pair = [(what, side, build(compiler, [*of, *helper], flag, program.wrapped, os.path.join(work, what), what))
                    for (what, side), of, flag in zip(sides, sources, flags)]
            for threads in args.threads:
                check(program, pair, threads, work)
            return pair, raised, compiler, reasons
        except LeftOut as reason:
            reasons.append(f"by {compiler}, {reason}")
    raise LeftOut("; ".join(reasons))


def medians(pair, args, threads, work):
    """Seconds of the twin and of the translation, and whether they are kernels'."""
    times = [[], []]
    for turn in range(args.runs + 1):
        ran = [run(what, path, side.args, threads, work) for what, side, path in pair]
        kernels = [kernel_times(side, text, args.tick) for (_, side, _), (text, _) in zip(pair, ran)]
        printed = kernels[0] and len(kernels[0]) == len(kernels[1])
        for of, kernel, (_, whole) in zip(times, kernels, ran):
            if turn:  # the first warms up
                of.append(sum(kernel) if printed else whole)
    return (*map(statistics.median, times), printed)


def table(args, name, corpus, programs, say):
    """Says lines of markdown, and returns whether a translation is wrong."""
    say(f"| {name} | kernels raised | compiler | time |" +
        "".join(f" {TWIN}, ms ({n} threads) | {TRANSLATION}, ms | ratio |" for n in args.threads))
    say("|---|---:|---|---|" + "---:|" * 3 * len(args.threads))
    ratios = {threads: [] for threads in args.threads}
    left_out, passed_over = [], []
    for program in programs:
        if args.only and program.name not in args.only:
            continue
        with tempfile.TemporaryDirectory() as work:
            try:
                pair, raised, compiler, reasons = programs_of(args, corpus, program, work)
                times = {threads: medians(pair, args, threads, work) for threads in args.threads}
            except LeftOut as reason:
                left_out.append(f"- {program.name}: {reason}")
                continue
        passed_over += [f"- {program.name}: {reason}" for reason in reasons]
        line = f"| {program.name} | {raised} | {compiler} | {'kernels' if times[args.threads[0]][2] else 'wall'} |"
        for threads, (twin, translation, _) in times.items():
            ratios[threads].append(twin / translation)
            line += f" {twin * 1e3:.4g} | {translation * 1e3:.4g} | {twin / translation:.2f}"
            line += " (!) |" if twin / translation < SLOW else " |"
        say(line)
    count = len(ratios[args.threads[0]])
    say(f"| geometric mean of {count} | | | |" +
        "".join(f" | | {statistics.geometric_mean(of) if of else 1:.2f} |" for of in ratios.values()))
    for title, found in (("Left out:", left_out), ("Compilers passed over:", passed_over)):
        for line in ["", title, "", *found] if found else []:
            say(line)
    say("")
    return any(f"the {TRANSLATION} " in line for line in left_out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, type=os.path.abspath)
    parser.add_argument("--hecbench")
    parser.add_argument("--rodinia")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", default="2", type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--compilers", default="clang++-19,g++", type=lambda text: text.split(","))
    parser.add_argument("--only", default=[], type=lambda text: text.split(","))
    parser.add_argument("--markdown")
    args = parser.parse_args()
    args.include = call([args.tool, "--print-include-dir"], "the tool").strip()
    with tempfile.TemporaryDirectory() as work:
        source = write(os.path.join(work, "tick.c"), TICK)
        args.tick = float(call([build(args.compilers[0], [source], [], "", source + ".run", "tick")], "tick"))
    out, wrong = [], False

    def say(line):
        out.append(line + "\n")
        print(line, flush=True)

    for name, programs in (("HeCBench", hecbench()), ("Rodinia", rodinia())):
        folder = getattr(args, name.lower())
        if folder:
            wrong |= table(args, name, os.path.abspath(folder), programs, say)
    if args.markdown:
        write(args.markdown, out)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
