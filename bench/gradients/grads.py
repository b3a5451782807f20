# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts of this folder share: where the functions are, and one run
of `clang-raise grad`."""

import glob
import json
import os
import re
import subprocess
import sys

# In the order of a training step. crossentropy and softmax have one
# hand-written backward function together.
LAYERS = ["encoder_forward", "layernorm_forward", "matmul_forward_naive",
          "attention_forward", "residual_forward", "gelu_forward",
          "softmax_forward", "crossentropy_forward"]


def polybench_sources(folder):
    found = glob.glob(os.path.join(folder, "*", "**", "*.c"), recursive=True)
    return sorted(p for p in found if f"{os.sep}utilities{os.sep}" not in p and
                  os.path.basename(p).count(".") == 1)


def polybench_flags(folder, source):
    """The two that compute on integers by default have no derivative then."""
    name = os.path.basename(source)
    integers = name in ("floyd-warshall.c", "nussinov.c")
    return (["-O3", "-DMINI_DATASET", "-I", os.path.join(folder, "utilities"),
             "-I", os.path.dirname(source)] +
            (["-DDATA_TYPE_IS_DOUBLE"] if integers else []))


def polybench_kernel(source):
    with open(source, encoding="utf-8", errors="replace") as text:
        match = re.search(r"^void (kernel_\w+)\s*\(", text.read(), flags=re.M)
    return match[1] if match else None


def llm_source(folder):
    """train_gpt2.c; ends the script where it is missing."""
    path = os.path.join(os.path.abspath(folder), "train_gpt2.c")
    if not os.path.exists(path):
        print(f"{folder}: llm.c is not there", file=sys.stderr)
        sys.exit(2)
    return path


def llm_flags(source):
    return ["-O3", "-fopenmp", "-I", os.path.dirname(source)]


class Grad:
    """One adjoint: status, verification and its detail, the text (empty if
    there is none), and what went wrong beside what the results say."""

    def __init__(self, tool, source, function, out, flags, verify, limit=1800):
        self.status, self.verification, self.detail = "absent", "none", ""
        self.trouble, self.text = "", ""
        results = out + ".json"
        command = [tool, "grad", "--function=" + function, source, "-o", out,
                   "--json=" + results] + (["--verify"] if verify else [])
        try:
            done = subprocess.run(command + ["--"] + flags, timeout=limit,
                                  capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            self.trouble = f"more than {limit} s"
            return
        if os.path.exists(results):
            with open(results, encoding="utf-8") as file:
                for result in json.load(file)["results"]:
                    self.status = result["status"]
                    self.verification = result["verification"]
                    self.detail = (result["reason"] or
                                   result.get("verification_detail", ""))
        if done.returncode:
            last = done.stderr.decode(errors="replace").strip()
            self.trouble = (f"exit status {done.returncode}: " +
                            last[last.rfind("\n") + 1:][:300])
        if os.path.exists(out):
            with open(out, encoding="utf-8") as file:
                self.text = file.read()

    def good(self, verify):
        return (self.status == "raised" and not self.trouble and
                bool(self.text) and
                (not verify or self.verification != "failed"))

    def body(self, function):
        """The lines of `function`: from its name to the brace that ends it."""
        lines = self.text.splitlines()
        for first, line in enumerate(lines):
            if re.match(rf"[A-Za-z_].*\b{re.escape(function)}\(", line):
                for last in range(first, len(lines)):
                    if lines[last] == "}":
                        return lines[first:last + 1]
        return []


def tapes(body):
    """How many tapes: in C each is freed, and so is nothing else of that
    name."""
    return len(set(re.findall(r"free\((\w+_tape\d*)\);", "\n".join(body))))


def source_lines(source, function):
    """Lines of a function of the source, its comments and blanks left out."""
    with open(source, encoding="utf-8", errors="replace") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    match = re.search(rf"^[A-Za-z_][\w\s*]*\b{re.escape(function)}\s*\("
                      r"[^;{]*\)\s*\{.*?^\}", text, flags=re.M | re.S)
    return sum(1 for line in match[0].splitlines() if line.strip()) if match else 0


def layer_adjoints(tool, source, folder, split=False):
    """The file with the adjoints of all layers. Ends the script where one
    cannot be had."""
    out = os.path.join(folder, "layers.c")
    command = [tool, "grad", source, "-o", out]
    command += ["--split"] if split else []
    command += ["--function=" + function for function in LAYERS]
    done = subprocess.run(command + ["--"] + llm_flags(source), check=False,
                          capture_output=True, text=True)
    if done.returncode or not os.path.exists(out):
        print(done.stderr, file=sys.stderr)
        sys.exit(1)
    return out


def compile_to(program, compiler, flags, sources, extra):
    """llm.c's headers define functions, which every file that includes them
    then has: the linker takes the first."""
    command = ([compiler, "-std=gnu11", "-w", *flags, *extra, *sources,
                "-Wl,--allow-multiple-definition", "-lm", "-o", program])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{compiler} {' '.join(flags)} failed:\n{done.stderr[:4000]}",
              file=sys.stderr)
        sys.exit(1)
