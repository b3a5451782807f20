#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adjoints of darknet's forward kernels, against its hand-written ones.

    darknet.py --tool=build/bin/clang-raise --darknet=DIR [--no-verify]

DIR is where the user keeps darknet's source (Debian: apt-get source darknet);
nothing of it is copied. Runs `grad --verify` on every forward kernel that has a
hand-written backward, and prints a line each. Then darknet.cpp compares
adjoints with those hand-written kernels, which rewrite brings to the CPU.
Exit status 1: a gradient that was refused, differs, or could not be made; 2: a
folder without darknet.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import grads

KERNELS = [("activation", "activate_array_kernel"),
           ("activation", "binary_activate_array_kernel"),
           ("avgpool_layer", "forward_avgpool_layer_kernel"),
           ("maxpool_layer", "forward_maxpool_layer_kernel"),
           ("im2col", "im2col_gpu_kernel"),
           ("dropout_layer", "yoloswag420blazeit360noscope")] + [
               ("blas", name + "_kernel") for name in
               ("add_bias", "scale_bias", "mean", "variance", "normalize",
                "reorg", "flatten", "shortcut", "upsample", "weighted_sum",
                "softmax", "softmax_x_ent", "logistic_x_ent", "l1", "l2",
                "smooth_l1")]
# Those that darknet.cpp compares: the header it includes, and the kernel.
COMPARED = [("activation", "activation", "activate_array_kernel"),
            ("avgpool", "avgpool_layer", "forward_avgpool_layer_kernel"),
            ("maxpool", "maxpool_layer", "forward_maxpool_layer_kernel"),
            ("im2col", "im2col", "im2col_gpu_kernel"),
            ("bias", "blas", "add_bias_kernel"),
            ("scale", "blas", "scale_bias_kernel"),
            ("weighted", "blas", "weighted_sum_kernel")]
REWRITTEN = ["activation", "avgpool_layer", "maxpool_layer", "col2im", "blas"]


def compare(tool, darknet, work):
    """Whether all pairs agree."""
    flags = [f"-I{darknet}/include", f"-I{darknet}/src", "-DGPU", "-O2"]
    source = f"{darknet}/src/%s_kernels.cu"
    for header, file, kernel in COMPARED:
        subprocess.run([tool, "grad", "--function=" + kernel, source % file,
                        "-o", f"{work}/{header}_adjoint.cpp", "--"] + flags,
                       check=True)
    for file in REWRITTEN:
        subprocess.run([tool, "rewrite", source % file, "-o",
                        f"{work}/{file}.cpp", "--"] + flags, check=True,
                       stderr=subprocess.DEVNULL)
    runtime = subprocess.run([tool, "--print-include-dir"], check=True,
                             capture_output=True, text=True).stdout.strip()
    here = os.path.dirname(os.path.abspath(__file__))
    texts = ([f"{work}/{header}_adjoint.cpp" for header, _, _ in COMPARED] +
             [f"{work}/{file}.cpp" for file in REWRITTEN])
    # The host code beside the kernels calls the rest of darknet: not linked.
    subprocess.run(["clang++-19", "-std=c++17", "-fopenmp", "-w", *flags,
                    "-I" + runtime, "-I" + work,
                    "-fno-pie", "-no-pie", "-Wl,--unresolved-symbols=ignore-all",
                    here + "/darknet.cpp", *texts, "-o", work + "/compare"],
                   check=True)
    return subprocess.run([work + "/compare"], check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--darknet", required=True, metavar="DIR")
    parser.add_argument("--no-verify", action="store_true")
    chosen = parser.parse_args()
    darknet = os.path.abspath(chosen.darknet)
    if not os.path.exists(darknet + "/src/blas_kernels.cu"):
        print(f"{chosen.darknet}: darknet is not there", file=sys.stderr)
        return 2
    flags = [f"-I{darknet}/include", f"-I{darknet}/src", "-DGPU", "-O2"]
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        if not chosen.no_verify:
            for file, kernel in KERNELS:
                made = grads.Grad(chosen.tool,
                                  f"{darknet}/src/{file}_kernels.cu", kernel,
                                  f"{work}/{kernel}.cpp", flags, verify=True)
                print(f"{kernel}: {made.status}, {made.verification}"
                      + (f" ({made.detail})" if made.detail else "")
                      + (f" TROUBLE {made.trouble}" if made.trouble else ""),
                      flush=True)
                bad += made.verification != "passed" or bool(made.trouble)
        bad += not compare(os.path.abspath(chosen.tool), darknet, work)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
