#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a rewritten file with both compilers, where any warning fails.

The file must hold rewritten loops. Each compiler runs at -O0 and -O2, with
OpenMP, with its simd part, and without it, for the standards of the language.
"""

import argparse
import re
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("--clang", required=True)
    parser.add_argument("--gcc", required=True)
    options = parser.parse_args()
    with open(options.source) as source:
        blocks = len(re.findall(r"// clang-raise: end", source.read()))
    if not blocks:
        sys.exit("nothing was rewritten")
    is_c = options.source.endswith(".c")
    failed = False
    for compiler in (options.clang, options.gcc):
        for standard in ("c99", "c11") if is_c else ("c++17",):
            for level in ("-O0", "-O2"):
                for openmp in (["-fopenmp"], ["-fopenmp-simd"], []):
                    flags = ["-Wall", "-Wextra", "-Werror", *openmp]
                    if "-fopenmp" not in openmp:
                        flags.append("-Wno-unknown-pragmas")
                    command = [compiler, "-x", "c" if is_c else "c++",
                               "-std=" + standard, level, *flags, "-c",
                               options.source, "-o", "/dev/null"]
                    done = subprocess.run(command, stdout=subprocess.PIPE,
                                          stderr=subprocess.STDOUT, text=True)
                    if done.returncode:
                        print(" ".join(command), done.stdout, sep="\n")
                        failed = True
    print(f"{blocks} rewritten loops")
    sys.exit(failed)


if __name__ == "__main__":
    main()
