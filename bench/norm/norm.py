#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""norm.py --tool=PATH [--clang=clang-19] [--folder=DIR] [--most=17] [--threads=1,2]

Rewrites forms.c, builds original and emitted forms with the same compiler and
flags, and reports for each form and number of threads the exponent of growth,
by least squares through the logarithms of median times of n = 2^12 .. 2^most,
and at the largest size the time of the loop that was hoisted by hand, which one
thread runs, over that of the emitted form, turn by turn. Exits with 1 if an emitted
form grows with an exponent above 1.1 or results differ."""

import argparse
import math
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-std=c11", "-O3", "-march=native", "-ffp-contract=off", "-fopenmp",
         "-falign-functions=64", "-falign-loops=64"]


def exponent(points):
    """The slope of the line through (log n, log t)."""
    xs = [math.log(n) for n, _ in points]
    ys = [math.log(t) for _, t in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((a - x) * (b - y) for a, b in zip(xs, ys)) /
            sum((a - x) ** 2 for a in xs))


def build(args, forms):
    folder = pathlib.Path(args.folder)
    folder.mkdir(parents=True, exist_ok=True)
    emitted = folder / "emitted.c"
    subprocess.run([args.tool, "rewrite", HERE / "forms.c", "-o", emitted, "--",
                    *FLAGS], check=True, stderr=subprocess.DEVNULL)
    objects = []
    for name, source in (("original", HERE / "forms.c"), ("emitted", emitted)):
        objects.append(folder / f"{name}.o")
        renames = [f"-D{form}={name}_{form}" for form in forms]
        subprocess.run([args.clang, *FLAGS, f"-I{HERE}", *renames, "-c", source,
                        "-o", objects[-1]], check=True)
    program = folder / "norm"
    subprocess.run([args.clang, *FLAGS, HERE / "main.c", *objects, "-lm", "-o",
                    program], check=True)
    return program


def measure(program, form, threads, most, least, times):
    done = subprocess.run(
        [program, form, str(1 << least), str(1 << most), "2", str(times)],
        env=dict(os.environ, OMP_NUM_THREADS=str(threads)), check=True,
        stdout=subprocess.PIPE, text=True)
    return [[float(part) for part in line.split()]
            for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--folder", default="build/bench/norm")
    parser.add_argument("--least", type=int, default=12)
    parser.add_argument("--most", type=int, default=17)
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--threads", default="1,2")
    args = parser.parse_args()
    forms = re.findall(r"X\((\w+)\)", (HERE / "norm.h").read_text())
    program = build(args, forms)
    slow = []
    print(f"{'form':20} threads  exponent: original  emitted   by hand / emitted")
    for form in forms:
        for threads in (int(t) for t in args.threads.split(",")):
            rows = measure(program, form, threads, args.most, args.least,
                           args.times)
            original = exponent([(row[0], row[1]) for row in rows if row[1]])
            emitted = exponent([(row[0], row[2]) for row in rows])
            print(f"{form:20} {threads:7}  {original:18.2f} {emitted:8.2f}   "
                  f"{100 * rows[-1][4]:16.0f} %", flush=True)
            if emitted > 1.1:
                slow.append(form)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
