#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs one program of the conformance table in every way.

Both compilers, -O0 to -O3, with OpenMP, with only its simd part, and without
it, warnings as errors; then under ThreadSanitizer. With --expect-race only the
last is done, and the program must be reported, which shows that the check can
fail. Exit status 1, with the command and its output, if anything is not so.
"""

import argparse
import os
import subprocess
import sys

WARNINGS = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
# Code that is built without OpenMP still has the pragmas in it.
NO_OPENMP = ["-Wno-unknown-pragmas"]
OPTIMISATIONS = ["-O0", "-O1", "-O2", "-O3"]

# g++ instruments, because clang's instrumentation misses plain accesses that
# race with atomic ones on doubles; clang links, because only its OpenMP runtime
# tells ThreadSanitizer (through Archer) about barriers and reductions.
RACE_COMPILE = ["-std=c++17", "-O1", "-g", "-fopenmp", "-fsanitize=thread"]
RACE_LINK = ["-fopenmp", "-fsanitize=thread"]
RACE_FOUND = 66


def run(command, env=None):
    """Returns the exit status and everything that the command printed."""
    done = subprocess.run(command, env={**os.environ, **(env or {})},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", timeout=300)
    return done.returncode, done.stdout


def require(command, env=None):
    status, output = run(command, env)
    if status:
        print(" ".join(command), f"\nexit status {status}\n{output}")
        sys.exit(1)


def build_and_run(options, compiler, flags):
    program = os.path.join(options.work, "program")
    require([compiler, *WARNINGS, *flags, options.source, "-o", program])
    # Waiting threads yield, since tests share the processors.
    require([program], {"OMP_WAIT_POLICY": "passive"})


def compile_everywhere(options):
    for compiler in (options.clang, options.gcc):
        for level in OPTIMISATIONS:
            build_and_run(options, compiler, [level, "-fopenmp"])
            build_and_run(options, compiler, [level, *NO_OPENMP])
        build_and_run(options, compiler,
                      ["-O2", "-fopenmp-simd", *NO_OPENMP])


def races(options):
    """Returns the exit status and output of the program under the sanitizer."""
    code = os.path.join(options.work, "races.o")
    program = os.path.join(options.work, "races")
    require([options.gcc, *RACE_COMPILE, "-c", options.source, "-o", code])
    require([options.clang, *RACE_LINK, code, "-o", program])
    # Code that is not instrumented (the OpenMP runtime itself) is not judged.
    return run([program], {
        "OMP_TOOL_LIBRARIES": options.archer,
        "OMP_WAIT_POLICY": "passive",
        "TSAN_OPTIONS": f"ignore_noninstrumented_modules=1 exitcode={RACE_FOUND}",
    })


def main():
    parser = argparse.ArgumentParser()
    for name in ("--clang", "--gcc", "--archer", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("--expect-race", action="store_true")
    parser.add_argument("source")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    if not options.expect_race:
        compile_everywhere(options)
    status, output = races(options)
    reported = status == RACE_FOUND and "ThreadSanitizer: data race" in output
    if options.expect_race and not reported:
        print(f"the race was not reported; exit status {status}\n{output}")
        return 1
    if not options.expect_race and status:
        print(f"under ThreadSanitizer: exit status {status}\n{output}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
