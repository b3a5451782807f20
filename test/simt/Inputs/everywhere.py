# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a self-checking C++ source in each of the ways that emitted code is built, and runs it. Stops at the first failure."""

import argparse
import os
import subprocess
import sys

WAYS = [
    ("clangxx", ["-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
    ("clangxx", ["-O2"]),
    ("gxx", ["-O0"]),
    ("gxx", ["-O2"]),
    ("gxx", ["-O1", "-DRAISE_SIMT_UCONTEXT"]),
]


def main():
    parser = argparse.ArgumentParser()
    for name in ("runtime", "clangxx", "gxx", "inputs"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("source")
    parser.add_argument("binary")
    args = parser.parse_args()
    for compiler, flags in WAYS:
        command = [getattr(args, compiler), "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I" + args.runtime,
                   "-I" + args.inputs, *flags, args.source, "-o", args.binary, "-lm"]
        for step in (command, [args.binary]):
            done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1"})
            if done.returncode != 0:
                sys.stderr.write(f"exit {done.returncode}: {' '.join(step)}\n  built by {' '.join(command)}\n{done.stdout}")
                return 1
    return 0


sys.exit(main())
