#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loop programs through `clang-raise rewrite`, compared with themselves.

    fuzz.py --tool=build/bin/clang-raise --seconds=120
    fuzz.py --tool=... --programs=20000 --seed=7 --keep=failures

Exit status 1 if a program was rewritten wrongly, does not compile, or stopped
the tool; the smallest form of each failure that could be found is printed, with
the options that show it. The same seed gives the same programs.
"""

import argparse
import collections
import os
import random
import sys
import tempfile
import time

from generator import PRELUDE, Generator
from harness import Harness

BATCH = 50
BUILDS = [("clang", ["-O1"]), ("gcc", ["-O1"]),
          ("clang", ["-O3", "-march=native"]), ("gcc", ["-O2", "-march=native"]),
          ("clang", ["-O1", "-fno-math-errno"])]


def options_of(seed, fp):
    """How the batch of this seed is rewritten and built."""
    compiler, flags = BUILDS[seed % len(BUILDS)]
    if fp == "mixed":
        fp = "reduce" if seed % 5 == 4 else "strict"
    # Parallel at every size, or only where it pays.
    work = 200000 if seed % 3 == 2 else 1
    return {"compiler": compiler, "flags": flags, "fp": fp, "work": work,
            "seed": seed, "tolerance": "0" if fp == "strict" else "1e-3",
            "end": "cpp" if seed % 4 == 3 else "c", "warnings": seed % 2 == 0}


def shrink(harness, function, status, options, rounds=40):
    """The smallest function found that fails in the same way."""
    for _ in range(rounds):
        variants = [v for v in function.smaller()]
        found = None
        for start in range(0, len(variants), BATCH):
            part = variants[start:start + BATCH]
            verdicts = harness.check(part, options)
            failing = [at for at in sorted(verdicts)
                       if verdicts[at].status == status]
            if failing:
                found = part[failing[0]]
                break
        if found is None:
            break
        function = found
    return function


def report(harness, function, verdict, options, keep, number):
    small = shrink(harness, function, verdict.status, options)
    verdicts = harness.check([small], options)
    text = [f"/* {verdict.status}: {verdicts[0].detail.strip()[:600]}",
            f"   clang-raise rewrite --fp={options['fp']} (parallel-work: "
            f"{options['work']}) x.{options['end']} -- "
            f"{' '.join(options['flags'])} -fopenmp",
            f"   compiled by {options['compiler']}, seed {options['seed']} */"]
    text = "\n".join(text) + "\n" + small.text("f0")
    print(text, flush=True)
    if keep:
        os.makedirs(keep, exist_ok=True)
        path = os.path.join(keep, f"{options['seed']}-{number}."
                            f"{options['end']}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PRELUDE + text)


def batch(seed, count, cpp):
    return [Generator(random.Random(f"{seed}-{at}"), cpp).function()
            for at in range(count)]


class Totals:
    def __init__(self):
        self.statuses, self.loops = collections.Counter(), collections.Counter()
        self.kinds, self.inputs = collections.Counter(), 0

    def add(self, verdicts, results):
        for verdict in verdicts.values():
            self.statuses[verdict.status] += 1
            self.inputs += verdict.inputs
        for result in results:
            self.loops[result["status"]] += 1
            self.loops["rewritten"] += bool(result["rewritten"])
            if result.get("kind"):
                self.kinds[result["kind"]] += 1

    def bad(self):
        return sum(n for status, n in self.statuses.items()
                   if status not in ("ok", "dropped"))

    def __str__(self):
        def line(counter):
            return ", ".join(f"{n} {name}" for name, n in counter.most_common())
        return (f"programs: {sum(self.statuses.values())} "
                f"({line(self.statuses)}), {self.inputs} inputs at 1, 2 and 4 "
                f"threads\nloops: {line(self.loops)}\nkinds: {line(self.kinds)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--programs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fp", default="mixed",
                        choices=["mixed", "strict", "reduce"])
    parser.add_argument("--verify", action="store_true",
                        help="the tool's own verification must agree (slow)")
    parser.add_argument("--folder", help="where it builds")
    parser.add_argument("--keep", help="folder for the failures found")
    parser.add_argument("--shrink", type=int, default=10,
                        help="how many failures are made smaller")
    chosen = parser.parse_args()
    if chosen.seconds is None and chosen.programs is None:
        chosen.seconds = 120
    folder = chosen.folder or tempfile.mkdtemp(prefix="raise-fuzz-")
    harness = Harness(os.path.abspath(chosen.tool), chosen.clang, chosen.gcc,
                      folder)
    totals, seed, end, shrunk = Totals(), chosen.seed, None, 0
    if chosen.seconds is not None:
        end = time.monotonic() + chosen.seconds
    left = chosen.programs if chosen.programs is not None else sys.maxsize
    try:
        while left > 0 and (end is None or time.monotonic() < end):
            options = dict(options_of(seed, chosen.fp), verify=chosen.verify)
            functions = batch(seed, min(BATCH, left),
                              options["end"] == "cpp")
            verdicts = harness.check(functions, options)
            totals.add(verdicts, harness.results)
            for at, verdict in sorted(verdicts.items()):
                if not verdict.bad():
                    continue
                print(f"seed {seed}, program {at}: {verdict.status} "
                      f"{verdict.detail.strip()[:300]}", flush=True)
                if shrunk < chosen.shrink:
                    shrunk += 1
                    report(harness, functions[at], verdict, options, chosen.keep, at)
            left -= len(functions)
            seed += 1
    except KeyboardInterrupt:
        print(f"stopped at seed {seed}")
    print(totals)
    return 1 if totals.bad() else 0


if __name__ == "__main__":
    sys.exit(main())
