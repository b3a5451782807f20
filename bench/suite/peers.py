# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the original is compiled with, beside what clang-raise emits: which of
it this machine has, and how it is called."""

import collections
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, "corpora"))
import ratios  # pylint: disable=wrong-import-position

# family: clang or gcc. Flags may hold {threads}: gcc fixes their number when it
# compiles. What is for threads alone is not run with one.
Peer = collections.namedtuple("Peer", "name family flags libraries for_threads")

PEERS = [
    Peer("gcc", "gcc", [], [], False),
    Peer("gcc autopar", "gcc", ["-ftree-parallelize-loops={threads}",
                                "-floop-parallelize-all"], [], True),
    Peer("polly", "clang", ["-mllvm", "-polly"], [], False),
    Peer("polly parallel", "clang", ["-mllvm", "-polly", "-mllvm",
                                     "-polly-parallel"], ["-lgomp"], True),
]

# Originals have no OpenMP in them, and Polly's threads are those of libgomp.
PLAIN = [flag for flag in ratios.FLAGS if flag != "-fopenmp"]

LOOP = """#include <stdio.h>
double a[4096];
int main(void) {
  for (int i = 0; i < 4096; i++) a[i] = i * 0.5;
  return printf("%g\\n", a[4095]) < 0;
}
"""
CBLAS = """#include <cblas.h>
int main(void) {
  double x = 2;
  return cblas_ddot(1, &x, 1, &x, 1) != 4;
}
"""


def compiler_of(args, family, source):
    """The compiler for this source: its C++ side is named like its C side."""
    folder, name = os.path.split(getattr(args, family))
    if source.endswith(".cpp"):
        name = name.replace("clang", "clang++", 1).replace("gcc", "g++", 1)
    return os.path.join(folder, name)


def works(compiler, flags, libraries, text, work):
    """Whether this compiles, and what it makes of the text runs."""
    source = os.path.join(work, "probe.c")
    program = os.path.join(work, "probe")
    with open(source, "w", encoding="utf-8") as out:
        out.write(text)
    for command in ([compiler, *flags, source, *libraries, "-o", program],
                    [program]):
        try:
            subprocess.run(command, capture_output=True, timeout=60, check=True)
        except (OSError, subprocess.SubprocessError):
            return False
    return True


def installed(args, work):
    """The peers that are here, and what the others are called."""
    found, missing = [], []
    for peer in PEERS:
        flags = PLAIN + [flag.format(threads=2) for flag in peer.flags]
        here = works(getattr(args, peer.family), flags, peer.libraries, LOOP,
                     work)
        (found if here else missing).append(peer)
    return found, [peer.name for peer in missing]


def has_cblas(args, work):
    return works(args.clang, PLAIN, ["-lopenblas"], CBLAS, work)


def build(args, work, name, peer, threads, sources, flags):
    """A peer's program; made once, unless threads are fixed in it."""
    own = [flag.format(threads=threads) for flag in peer.flags]
    fixed = f".{threads}" if own != peer.flags else ""
    program = os.path.join(work, f"{name}.{peer.name}{fixed}".replace(" ", "-"))
    if not os.path.exists(program):
        ratios.compile_to(program, sources, PLAIN + flags + own,
                          compiler_of(args, peer.family, sources[-1]),
                          peer.libraries)
    return program
