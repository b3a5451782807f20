#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Emits functions in every mode, compiles them in both languages with both
compilers, warnings as errors, and runs them against their originals.

The main program includes the emitted C++ text (or declares the emitted C
functions) and exits with a failure if a result differs. With --eigen, the
text is that of the Eigen dialect, which is C++ alone.
"""

import argparse
import os
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
# The emitter's options, the compilers', and the macro of the main program.
OPENMP = [([], ["-fopenmp"]), (["-openmp-simd"], ["-fopenmp-simd"]),
          (["-no-openmp"], [])]
FP = [("reduce", []), ("strict", ["-DSTRICT"])]


def run(command, **settings):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, timeout=300, **settings)
    if done.returncode:
        print(" ".join(command), f"\nexit status {done.returncode}\n{done.stdout}")
        sys.exit(1)
    return done.stdout


def emit(options, flags, path):
    # Threads from the first operation on, so that small inputs reach them.
    text = run([options.emit, "-whole", "-parallel-work=1", *flags, options.ir])
    with open(path, "w") as out:
        out.write(text)


def execute(program):
    for threads in ("1", "3"):
        run([program], env={**os.environ, "OMP_NUM_THREADS": threads,
                            "OMP_WAIT_POLICY": "passive"})


def with_eigen(options, text, program):
    clang, gcc = options.clangxx, options.gxx
    # At -O0 with Eigen's own assertions.
    runs = [("reduce", clang, "-O0"), ("reduce", gcc, "-O3"),
            ("strict", clang, "-O2"), ("strict", gcc, "-O1")]
    if options.fast:
        runs += [("fast", clang, "-O2"), ("fast", gcc, "-O0")]
    for fp, compiler, level in runs:
        emit(options, ["-target=eigen", "-fp=" + fp], text)
        run([compiler, "-std=c++17", level, *WARNINGS, "-D" + fp.upper(),
             "-fopenmp", "-isystem", options.eigen, "-include", "Eigen/Core",
             f'-DEMITTED="{text}"', options.main, "-o", program])
        execute(program)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--emit", "--clang", "--clangxx", "--gcc", "--gxx", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("--eigen", help="folder of <Eigen/Core>")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("ir")
    parser.add_argument("main")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    text = os.path.join(options.work, "emitted.inc")
    source = os.path.join(options.work, "emitted.c")
    code = os.path.join(options.work, "emitted.o")
    program = os.path.join(options.work, "program")
    if options.eigen:
        with_eigen(options, text, program)
        return
    for fp, fp_flags in FP:
        for emit_flags, flags in OPENMP:
            common = [*WARNINGS, *fp_flags, *flags]
            emit(options, ["-fp=" + fp, *emit_flags], text)
            for compiler in (options.clangxx, options.gxx):
                run([compiler, "-std=c++17", "-O2", *common,
                     f'-DEMITTED="{text}"', options.main, "-o", program])
                execute(program)
            emit(options, ["-c", "-size-t=false", "-fp=" + fp, *emit_flags], source)
            for c, cxx in ((options.clang, options.clangxx),
                           (options.gcc, options.gxx)):
                run([c, "-std=c11", "-O1", *common, "-c", "-include", "math.h",
                     source, "-o", code])
                run([cxx, "-std=c++17", "-O1", *common, options.main, code,
                     "-o", program])
                execute(program)


if __name__ == "__main__":
    main()
