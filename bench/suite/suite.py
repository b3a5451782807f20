#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Originals, what clang-raise emits, and peers, in one run.

    suite.py --tool=build/bin/clang-raise [--polybench=DIR] [--tsvc=DIR]
             [--threads=1,2] [--runs=5] [--sizes=large] [--only=gemm,s113]
             [--flags=-ffast-math] [--markdown=FILE] [--plot=FILE.svg]

Runs the shipped kernels, and each corpus whose folder is given (where the user
keeps it; nothing of it is copied). All forms of a kernel run in turn, A B C A B
C; the first round warms up, and times are medians of the others. Peers that
this machine lacks are named and left out. Outputs are compared before times
are. A peer whose output differs is left out of that kernel.
Exit status 1: an emitted form computes something else; 2: a corpus is not
there, or no kernel of that name.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile

import figures
import kernels
import peers
import plot
import polybench
import ratios
import tsvc
from corpora import CORPORA


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              check=False)
    except OSError:
        return f"{os.path.basename(command[0])} is not here"
    return (done.stdout.splitlines() or ["?"])[0]


def machine(args, arguments, missing):
    """What figures depend on. Folders are the user's own."""
    model = "unknown"
    with open("/proc/cpuinfo", encoding="utf-8") as text:
        for line in text:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    shown = []
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if os.path.isabs(value):
            value = "DIR" if os.path.isdir(value) else os.path.basename(value)
        shown.append(name + equals + value)
    return [f"- Processor: {model}, {len(os.sched_getaffinity(0))} cores",
            f"- Compilers: {first_line([args.clang, '--version'])}; "
            f"{first_line([args.gcc, '--version'])}",
            f"- Tool: {first_line([args.tool, '--version'])}",
            f"- Flags: `{' '.join(ratios.FLAGS + args.flags)}`",
            f"- Command: `suite.py {shlex.join(shown)}`",
            "- Peers that are not here: " + (", ".join(missing) or "none")]


def parse(arguments):
    def names(text):
        return text.split(",")

    def numbers(text):
        found = [int(number) for number in text.split(",")]
        if min(found) < 1:
            raise ValueError
        return found

    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--flags", default=[], type=shlex.split,
                        help="further flags of every compiler")
    parser.add_argument("--polybench", metavar="DIR")
    parser.add_argument("--tsvc", metavar="DIR")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", default=sorted({1, cores}), type=numbers)
    parser.add_argument("--sizes", default=["medium"], type=names,
                        help="data sets of PolyBench, mini to extralarge")
    parser.add_argument("--nbody", default=[1024], type=numbers,
                        help="numbers of bodies")
    parser.add_argument("--gemm", default=[512, 700], type=numbers,
                        help="sizes of matrices")
    parser.add_argument("--only", default=[], type=names,
                        help="kernels, by name; 'tool' is the tool's own time")
    parser.add_argument("--markdown", metavar="FILE")
    parser.add_argument("--plot", metavar="FILE")
    args = parser.parse_args(arguments)
    if args.runs < 1:
        parser.error("--runs: at least one")
    args.tool = os.path.abspath(args.tool)
    for name in ("polybench", "tsvc"):
        folder = getattr(args, name)
        if folder:
            corpus = CORPORA[name]
            if not corpus.sources(folder):
                parser.error(f"--{name}: {corpus.name} is not there")
            setattr(args, name, os.path.abspath(folder))
    return args


def parts(args, work, here):
    yield from kernels.parts(args, work, here)
    if args.polybench:
        yield from polybench.parts(args, work, here)
    if args.tsvc:
        yield from tsvc.parts(args, work)


def main(arguments):
    args = parse(arguments)
    with tempfile.TemporaryDirectory() as work:
        here, missing = peers.installed(args, work)
        lines = machine(args, arguments, missing)
        print("\n".join(lines), flush=True)
        charts, wrong, some = [], [], False
        for part in parts(args, work, here):
            own = ["", f"### {part.title}", "", *part.lines]
            print("\n".join(own), flush=True)
            lines += own
            charts += part.charts
            wrong += part.wrong
            some = True
    if not some:
        print(f"no kernel is called {', '.join(args.only)}", file=sys.stderr)
        return 2
    # Its times are in no table.
    wrong = [f"WRONG {said}" for said in wrong]
    print("\n".join(wrong), end="\n" * bool(wrong), file=sys.stderr)
    lines += [""] * bool(wrong) + wrong
    for path, text in ((args.markdown, "\n".join(lines) + "\n"),
                       (args.plot, plot.svg(charts))):
        if path:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
