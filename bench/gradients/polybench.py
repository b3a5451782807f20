#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long gradients of the PolyBench/C kernels take, in times of the kernel.

    polybench.py --tool=build/bin/clang-raise --polybench=DIR [--runs=5]
                 [--dataset=MEDIUM] [--threads=1,2] [--only=gemm,adi]
                 [--compiler=clang-19] [--flags=-O3,-march=native]

DIR is where the user keeps PolyBench/C; nothing of it is copied. The adjoint
is that of all floating arguments, of every array that the kernel writes. Kernel
and adjoint run in turn on the benchmark's own data, adjoints of outputs set to
random numbers; medians. A line each: ratio, both times, the bytes that the
adjoint had allocated at most, beside those of the arrays.
Exit status 1: an adjoint could not be made, or leaves another primal result.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

import grads

HERE = os.path.dirname(os.path.abspath(__file__))
WRAP = ["-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free"]


class Parameter:
    """`double A[200][240]`, `int n` or `double *alpha_adj`."""

    def __init__(self, text):
        self.text = text
        match = re.fullmatch(r"(.*?)(\*?)(\w+)((?:\[\d+\])*)", text)
        self.type, self.pointer, self.name, extents = match.groups()
        self.type = self.type.replace("const", "").strip()
        self.count = math.prod(int(n) for n in re.findall(r"\d+", extents))
        self.is_array = bool(extents)


def parameters(header, function):
    """Those of the adjoint: the kernel's own come first."""
    match = re.search(rf"\b{function}_adjoint\(([^)]*)\)", header)
    return [Parameter(re.sub(r"\s+", " ", text).strip())
            for text in match[1].split(",")]


def timed(function, header, file):
    """C text that stands between the kernel and main, and puts a function that
    times both in the kernel's place."""
    found = parameters(header, function)
    own = [p for p in found if not p.name.endswith("_adj")]
    adjoints = [p for p in found if p.name.endswith("_adj")]
    arrays = [p for p in own if p.is_array]
    declared, anew, check, kept = [], [], [], []
    for p in arrays:
        n = f"sizeof({p.type}) * {p.count}"
        declared.append(f"{p.type} *{p.name}_given = malloc({n}), "
                        f"*{p.name}_result = malloc({n});")
        declared.append(f"memcpy({p.name}_given, {p.name}, {n});")
        anew.append(f"memcpy({p.name}, {p.name}_given, {n});")
        kept.append(f"memcpy({p.name}_result, {p.name}, {n});")
        check.append(f"for (long i = 0; i < {p.count}; ++i)\n      wrong = "
                     f"fmax(wrong, fabs((({p.type} *){p.name})[i] - "
                     f"{p.name}_result[i]) / (1 + fabs({p.name}_result[i])));")
    for p in adjoints:
        n = p.count if p.is_array else 1
        declared.append(f"{p.type} *{p.name}_at = malloc(sizeof({p.type}) * "
                        f"{n});")
        anew.append(f"for (long i = 0; i < {n}; ++i)\n      {p.name}_at[i] = "
                    "uniform();")
    given = ", ".join(p.name for p in own)
    seeds = ", ".join(f"(void *){p.name}_at" for p in adjoints)
    size = " + ".join(f"sizeof({p.type}) * {p.count}L" for p in arrays) or "0L"
    lines = "\n    ".join
    return f"""
#include "{file}"
#include "{HERE}/measure.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
static void timed_{function}({', '.join(p.text for p in own)}) {{
  double kernel[RUNS], gradient[RUNS], wrong = 0;
  // Compilers know the arguments of neither: the kernel stands in this file,
  // and would be made anew for constants.
  __typeof__(&{function}) volatile of_kernel = {function};
  __typeof__(&{function}_adjoint) volatile of_gradient = {function}_adjoint;
  {lines(declared)}
  for (int run = -1; run < RUNS; ++run) {{
    const int k = run < 0 ? 0 : run;
    {lines(anew)}
    double from = now();
    of_kernel({given});
    kernel[k] = now() - from;
    {lines(kept)}
    {lines(anew)}
    live = peak = 0;
    counting = run < 0;
    const size_t most = peak;
    from = now();
    of_gradient({given}, {seeds});
    gradient[k] = now() - from;
    if (run < 0)
      fprintf(stderr, "%zu %zu\\n", peak - most, (size_t)({size}));
    {lines(check)}
  }}
  fprintf(stderr, "%.9f %.9f %.3g\\n", median(kernel, RUNS),
          median(gradient, RUNS), wrong);
}}
#define {function} timed_{function}
"""


def program(chosen, source, folder):
    """What is timed, or a text of why there is none."""
    function = grads.polybench_kernel(source)
    stem = os.path.join(folder, function)
    flags = [f for f in grads.polybench_flags(chosen.polybench, source)
             if f not in ("-O3", "-DMINI_DATASET")]
    flags += [f"-D{chosen.dataset}_DATASET", "-fopenmp", *chosen.flags]
    made = grads.Grad(chosen.tool, source, function, stem + "_adj.c", flags,
                      verify=False)
    if not made.good(False):
        return None, made.trouble or made.detail
    with open(stem + "_adj.h", encoding="utf-8") as file:
        header = file.read()
    with open(source, encoding="utf-8", errors="replace") as file:
        before, main, after = file.read().partition("int main(")
    with open(stem + "_timed.c", "w", encoding="utf-8") as file:
        file.write(before + timed(function, header, stem + "_adj.h") + main +
                   after)
    done = subprocess.run(
        [chosen.compiler, "-w", "-std=gnu11", *flags, f"-DRUNS={chosen.runs}",
         stem + "_timed.c", stem + "_adj.c",
         os.path.join(chosen.polybench, "utilities", "polybench.c"), *WRAP,
         "-lm", "-o", stem], capture_output=True, text=True, check=False)
    return (stem, "") if not done.returncode else (None, done.stderr[:2000])


def numbers(text):
    return [int(n) for n in text.split(",")]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, type=os.path.abspath)
    parser.add_argument("--polybench", required=True, metavar="DIR",
                        type=os.path.abspath)
    parser.add_argument("--dataset", default="MEDIUM")
    parser.add_argument("--runs", default=5, type=int)
    parser.add_argument("--threads", default="1", type=numbers)
    parser.add_argument("--compiler", default="clang-19")
    parser.add_argument("--flags", default="-O3,-march=native",
                        type=lambda text: text.split(","))
    parser.add_argument("--only", type=lambda text: text.split(","))
    chosen = parser.parse_args()
    sources = grads.polybench_sources(chosen.polybench)
    if not sources:
        print(f"{chosen.polybench}: PolyBench/C is not there", file=sys.stderr)
        return 2
    bad, ratios = [], {n: [] for n in chosen.threads}
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            name = os.path.basename(source)[:-2]
            if chosen.only and name not in chosen.only:
                continue
            built, why = program(chosen, source, folder)
            if not built:
                bad.append(f"{name}: {why}")
                continue
            for threads in chosen.threads:
                done = subprocess.run(
                    [built], capture_output=True, text=True, check=False,
                    env=dict(os.environ, OMP_NUM_THREADS=str(threads)))
                found = [float(x) for x in done.stderr.split()[:5]]
                if done.returncode or len(found) < 5:
                    bad.append(f"{name}: exit status {done.returncode}")
                    continue
                peak, size, kernel, gradient, wrong = found
                ratios[threads].append(gradient / kernel)
                print(f"{name} {threads} threads: {gradient / kernel:.2f} "
                      f"({1000 * gradient:.3g}/{1000 * kernel:.3g} ms), "
                      f"{peak / 1024:.0f} KiB allocated, arrays "
                      f"{size / 1024:.0f} KiB", flush=True)
                if not wrong <= 1e-4:
                    bad.append(f"{name}: a primal result differs by {wrong}")
    for threads, found in ratios.items():
        if found:
            mean = math.exp(sum(map(math.log, found)) / len(found))
            print(f"{threads} threads: geomean {mean:.2f}, most "
                  f"{max(found):.2f}, of {len(found)}")
    for line in bad:
        print("FAILED " + line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
