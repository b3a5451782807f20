#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adjoints of open code, verified.

    corpora.py --tool=build/bin/clang-raise [--polybench=DIR] [--llm=DIR]
               [--functions=a,b] [--no-verify]

Each folder is where the user keeps that corpus; nothing of it is copied. Runs
`grad --verify` on every PolyBench/C kernel (at its smallest data set) and on
the layers of llm.c's train_gpt2.c and prints a line each: status, what
verification said, the lines of the adjoint (and of the form for arguments that
overlap) beside those of the function, without comments and blanks, and how
many tapes the adjoint has.
Exit status 1: a gradient that was refused, differs, or could not be made; 2: a
folder without the corpus.
"""

import argparse
import os
import sys
import tempfile

import grads


def work(chosen):
    """(corpus, source, function, flags) of each gradient that is wanted."""
    if chosen.polybench:
        folder = os.path.abspath(chosen.polybench)
        sources = grads.polybench_sources(folder)
        if not sources:
            print(f"{folder}: PolyBench/C is not there", file=sys.stderr)
            sys.exit(2)
        for source in sources:
            yield ("PolyBench/C", source, grads.polybench_kernel(source),
                   grads.polybench_flags(folder, source))
    if chosen.llm:
        source = grads.llm_source(chosen.llm)
        for function in chosen.functions:
            yield "llm.c", source, function, grads.llm_flags(source)


def show(source, function, made):
    body = made.body(function + "_adjoint")
    general = made.body(function + "_adjoint_general")
    lines = f"{len(body)} lines"
    if general:
        lines += f" + {len(general)} where arguments overlap"
    print(f"{function}: {made.status}, {made.verification}, {lines}, of "
          f"{grads.source_lines(source, function)}, {grads.tapes(body)} tapes"
          + (f" ({made.detail})" if made.detail else "")
          + (f" TROUBLE {made.trouble}" if made.trouble else ""), flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--polybench", metavar="DIR")
    parser.add_argument("--llm", metavar="DIR")
    parser.add_argument("--functions", default=",".join(grads.LAYERS),
                        type=lambda text: text.split(","),
                        help="of train_gpt2.c")
    parser.add_argument("--no-verify", action="store_true")
    chosen = parser.parse_args()
    if not chosen.polybench and not chosen.llm:
        print("no folder given (--polybench=DIR, --llm=DIR)", file=sys.stderr)
        return 2
    tool, verify = os.path.abspath(chosen.tool), not chosen.no_verify
    asked, bad, verdicts = 0, [], {}
    with tempfile.TemporaryDirectory() as folder:
        for corpus, source, function, flags in work(chosen):
            if function is None:
                print(f"{source}: no kernel in it", file=sys.stderr)
                return 2
            out = os.path.join(folder, function + ".c")
            made = grads.Grad(tool, source, function, out, flags, verify)
            show(source, function, made)
            asked += 1
            verdicts[made.verification] = verdicts.get(made.verification, 0) + 1
            if not made.good(verify):
                bad.append(f"{corpus} {function}")
    print(f"{asked} gradients: {asked - len(bad)} made; verification: " +
          ", ".join(f"{n} {name}" for name, n in sorted(verdicts.items())))
    for name in bad:
        print("FAILED " + name)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
