#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""llm.c's training step by generated adjoints.

    training.py --tool=build/bin/clang-raise --llm=DIR
                [--compilers=clang-19,gcc] [--flags=-O3,-Ofast]

DIR is where the user keeps llm.c; its train_gpt2.c is included as it is. Trains
a small random model on random data for ten steps, with the hand-written
backward functions and with the generated adjoints in their place, and compares
all gradients of each step, tensor by tensor, relative to the tensor's largest,
and the losses; once in float, and once with every float a double, where
rounding cannot hide a difference. Exit status 1 if they differ.
"""

import argparse
import array
import os
import subprocess
import sys
import tempfile

import grads

HERE = os.path.dirname(os.path.abspath(__file__))
TENSORS = ["wte", "wpe", "ln1w", "ln1b", "qkvw", "qkvb", "attprojw", "attprojb",
           "ln2w", "ln2b", "fcw", "fcb", "fcprojw", "fcprojb", "lnfw", "lnfb",
           "encoded", "ln1", "ln1_mean", "ln1_rstd", "qkv", "atty", "preatt",
           "att", "attproj", "residual2", "ln2", "ln2_mean", "ln2_rstd", "fch",
           "fch_gelu", "fcproj", "residual3", "lnf", "lnf_mean", "lnf_rstd",
           "logits", "probs", "losses"]
# What lies between the parts of a layer: the hand-written functions leave the
# adjoint there (of mean, rstd and probs they have none), an adjoint has
# replaced it when it returns.
WITHIN = {"preatt", "att", "ln1_mean", "ln1_rstd", "ln2_mean", "ln2_rstd",
          "lnf_mean", "lnf_rstd", "probs"}
# In double what is left of float's rounding is that of the constants which the
# hand-written gelu multiplies with one another.
LIMITS = {"float": 2e-5, "double": 1e-7}


def run(program, folder):
    """losses, sizes, the gradients of all steps, the difference of primals."""
    path = os.path.join(folder, "gradients")
    text = subprocess.run([program, path], capture_output=True, text=True,
                          check=True).stdout
    lines = [line.split() for line in text.splitlines()]
    losses = [float(line[1]) for line in lines if line[0] == "loss"]
    sizes = [int(line[1]) for line in lines if line[0] == "size"]
    primal = [float(line[1]) for line in lines if line[0] == "primal"]
    values = array.array("d")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    if len(sizes) != len(TENSORS) or len(values) != len(losses) * sum(sizes):
        sys.exit("this train_gpt2.c has other tensors than this script knows")
    return losses, sizes, values, primal


def compare(hand, ours):
    """tensor -> its largest difference of any step relative to its largest
    value of that step; and how many of its values are not zero."""
    losses, sizes, values, _ = hand
    found, at = {}, 0
    for _ in losses:
        for name, size in zip(TENSORS, sizes):
            a, b = values[at:at + size], ours[2][at:at + size]
            at += size
            largest = max(map(abs, a))
            most = max((abs(x - y) if x == x and y == y else float("inf"))
                       for x, y in zip(a, b))
            relative = most / largest if largest else (most and float("inf"))
            before = found.get(name, (0.0, 0))
            found[name] = (max(before[0], relative),
                           before[1] + sum(1 for x in a if x))
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--llm", required=True, metavar="DIR")
    parser.add_argument("--compilers", default="clang-19,gcc")
    parser.add_argument("--flags", default="-O3,-Ofast")
    chosen = parser.parse_args()
    source = grads.llm_source(chosen.llm)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        layers = grads.layer_adjoints(os.path.abspath(chosen.tool), source,
                                      folder)
        own = [os.path.join(HERE, name) for name in ("training.c", "adjoints.c")]
        for compiler in chosen.compilers.split(","):
            for flag in chosen.flags.split(","):
                for kind, limit in LIMITS.items():
                    flags = [flag, "-march=native", "-I", os.path.dirname(source),
                             "-include", os.path.join(HERE, "training.h"),
                             f'-DLLM_SOURCE="{source}"',
                             f'-DADJOINT_HEADER="{layers[:-2]}.h"']
                    flags += ["-DIN_DOUBLE"] if kind == "double" else []
                    by_hand = os.path.join(folder, "hand")
                    by_adjoints = os.path.join(folder, "adjoints")
                    grads.compile_to(by_hand, compiler, flags, own[:1], [])
                    grads.compile_to(by_adjoints, compiler, flags, own + [layers],
                                     ["-DADJOINTS"])
                    hand = run(by_hand, folder)
                    ours = run(by_adjoints, folder)
                    bad += report(f"{compiler} {flag} {kind}", hand, ours, limit)
    return 1 if bad else 0


def report(title, hand, ours, limit):
    found = compare(hand, ours)
    loss = max(abs(x - y) / abs(x) if x == x and y == y else float("inf")
               for x, y in zip(hand[0], ours[0]))
    compared = {name: difference for name, (difference, values) in found.items()
                if name not in WITHIN and values}
    worst = max(compared, key=compared.get)
    print(f"== {title}: {len(hand[0])} losses {hand[0][0]:.6f} to "
          f"{hand[0][-1]:.6f} differ by {loss:.1e}; {len(compared)} tensors by "
          f"{compared[worst]:.1e} ({worst}); what adjoints computed again by "
          f"{ours[3][0]:.1e}")
    print("   " + ", ".join(f"{name} {difference:.0e}"
                            for name, difference in compared.items()))
    wrong = [name for name, difference in compared.items() if difference > limit]
    if set(TENSORS) - WITHIN - set(compared):
        wrong.append("a tensor whose gradient is zero by hand")
    if loss > limit:
        wrong.append("losses")
    if ours[3][0] > limit:
        wrong.append("primal outputs")
    for name in wrong:
        print(f"FAILED {title}: {name}")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
