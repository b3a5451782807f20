#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PolyBench loops that Polly proves parallel, and what clang-raise says.

    polly.py --tool=build/bin/clang-raise --polybench=DIR > polly.md

Polly is part of LLVM: Debian's opt-19 has it built in. Its syntax tree is
printed with -polly-ast-detect-parallel and -polly-process-unprofitable on the
schedule as written, so that each loop of it is a loop of the source. Polly
names the outermost parallel loop of a nest and its innermost parallel loop;
what is parallel between the two it does not print.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

from corpora import CORPORA, Ran, polybench_flags

# What clang would do before Polly, so that loops have the form it reads.
CANONICAL = ("function(sroa,early-cse,instcombine,simplifycfg,reassociate,"
             "loop-simplify,lcssa,loop-mssa(loop-rotate),instcombine,loop(indvars))")


def output(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                          timeout=300, check=False)
    if done.returncode != 0:
        raise RuntimeError(" ".join(command) + "\n" + done.stderr[-2000:])
    return done.stdout + done.stderr


class Loop:
    """A loop of the IR: its depth, blocks, and lines in the source."""

    def __init__(self, depth, blocks, latch):
        self.depth, self.blocks, self.latch = depth, blocks, latch
        self.first = self.last = 0


def locations(text):
    """Loop metadata -> (first line, last line)."""
    lines = dict(re.findall(r"^(!\d+) = !DILocation\(line: (\d+)", text, re.M))
    out = {}
    for name, parts in re.findall(r"^(!\d+) = distinct !\{(.*)\}$", text, re.M):
        found = [int(lines[p]) for p in parts.split(", ") if p in lines]
        if len(found) >= 2:
            out[name] = (found[0], found[1])
    return out


def loops_of(text, printed):
    """Function -> its Loops, from the IR and opt's print<loops>."""
    where, ends = locations(text), {}
    for function, body in re.findall(r"^define [^@]*@([\w.]+)\(.*?\{\n(.*?)^\}",
                                     text, re.M | re.S):
        block = "entry"
        for line in body.splitlines():
            label = re.match(r"([\w.]+):", line)
            block = label[1] if label else block
            loop = re.search(r"!llvm\.loop (!\d+)", line)
            if loop and loop[1] in where:
                ends[function, block] = where[loop[1]]
    out, function = {}, ""
    for line in printed.splitlines():
        head = re.match(r"Loop info for function '(.*)'", line)
        if head:
            function = head[1]
        loop = re.match(r"\s*Loop at depth (\d+) containing: (.*)", line)
        if not loop:
            continue
        blocks = re.findall(r"%([\w.]+)((?:<\w+>)*)", loop[2])
        latch = next(name for name, marks in blocks if "<latch>" in marks)
        found = Loop(int(loop[1]), [name for name, _ in blocks], latch)
        found.first, found.last = ends.get((function, latch), (0, 0))
        out.setdefault(function, []).append(found)
    return out


def parallel_loops(loops, printed):
    """(function, Loop) -> what Polly says of it."""
    out, function = {}, ""
    stack, words = [], ""  # (indentation, words of the loop)
    for line in printed.splitlines():
        head = re.match(r":: isl ast :: (\S+) ::", line)
        if head:
            function, stack = head[1], []
        indent = len(line) - len(line.lstrip())
        pragma = re.match(r"\s*#pragma (known-parallel|simd)(.*)", line)
        if pragma:
            words = "parallel" if pragma[1] != "simd" else "simd"
            words += " with reduction" if "reduction" in pragma[2] else ""
        while stack and line.strip() and stack[-1][0] >= indent and \
                not line.strip().startswith(("//", "#", "{", "}")):
            stack.pop()
        if re.match(r"\s*for \(", line):
            stack.append((indent, words))
            words = ""
        statement = re.match(r"\s*Stmt_(\w+)\(", line)
        if statement:
            found = loops_around(loops.get(function, []), statement[1])
            for (_, said), loop in zip(reversed(stack), reversed(found)):
                if said:
                    out[function, loop] = said
    return out


def loops_around(loops, statement):
    """The loops around a block, outermost first. A statement of several blocks
    is named by the first of them."""
    block = re.sub(r"__TO__.*|_last$", "", statement)
    around = [l for l in loops if block in [re.sub(r"\W", "_", b) for b in l.blocks]]
    return sorted(around, key=lambda loop: loop.depth)


def verdict(loop, results):
    """What clang-raise says of a loop: its own result, else that of the closest
    loop around it which has one."""
    around = [r for r in results if loop.first == r["line"]]
    if not around:
        around = [r for r in results
                  if r["line"] < loop.first and r["last"] >= loop.last]
    if not around:
        return "no result", ""
    closest = max(around, key=lambda r: r["line"])
    return closest["status"], closest["code"]


def of_kernel(source, folder, chosen):
    """Rows (line, variable, Polly's word, status, code) of one source."""
    flags = [f for f in polybench_flags(folder, source) if f != "-fopenmp"]
    with tempfile.TemporaryDirectory() as place:
        output([chosen.clang] + flags + ["-O1", "-g", "-Xclang",
               "-disable-llvm-passes", "-fno-discard-value-names", "-emit-llvm",
               "-S", source, "-o", "a.ll"], place)
        output([chosen.opt, "-S", "-passes=" + CANONICAL, "a.ll", "-o", "b.ll"],
               place)
        with open(os.path.join(place, "b.ll"), encoding="utf-8") as file:
            text = file.read()
        loops = loops_of(text, output([chosen.opt, "-passes=print<loops>",
                                       "-disable-output", "b.ll"], place))
        tree = output([chosen.opt, "-passes=print<polly-ast>",
                       "-polly-ast-detect-parallel", "-polly-use-llvm-names",
                       "-polly-process-unprofitable", "-disable-output",
                       "b.ll"], place)
    ran = Ran(chosen.tool, ["explain"], source, polybench_flags(folder, source), 120)
    if ran.trouble:
        raise RuntimeError(f"{source}: {ran.trouble}")
    with open(source, encoding="utf-8") as file:
        lines = file.read().splitlines()
    rows = set()
    for (function, loop), said in parallel_loops(loops, tree).items():
        if not function.startswith("kernel"):
            continue
        results = [dict(r) for r in ran.results if r["function"] == function]
        for result in results:
            same = [l for l in loops[function] if l.first == result["line"]]
            result["last"] = same[0].last if same else 0
        variable = re.search(r"for\s*\(\s*(?:\w+\s+)?(\w+)\s*=", lines[loop.first - 1])
        rows.add((loop.first, variable[1] if variable else "?", said) +
                 verdict(loop, results))
    return sorted(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--polybench", required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--opt", default="opt-19")
    chosen = parser.parse_args()
    chosen.tool = os.path.abspath(chosen.tool)
    folder = os.path.abspath(chosen.polybench)
    print("# PolyBench/C loops that Polly proves parallel\n\n"
          "Written by `polly.py`: opt-19 with `-polly-ast-detect-parallel "
          "-polly-process-unprofitable`, schedule as written. Polly's word is "
          "for the\noutermost (parallel) and the innermost (simd) such loop of "
          "a nest. The status is that of the loop, or of the closest loop "
          "around it that\nhas one (`explain`, default options).\n\n"
          "| kernel | line | loop | Polly | clang-raise |\n| - | - | - | - | - |")
    total = raised = 0
    silent = []
    for source in CORPORA["polybench"].sources(folder):
        kernel = os.path.splitext(os.path.basename(source))[0]
        rows = of_kernel(source, folder, chosen)
        for line, variable, said, status, code in rows:
            total += 1
            raised += status == "raised"
            print(f"| {kernel} | {line} | {variable} | {said} | "
                  f"{status}{' ' + code if code and status != 'raised' else ''} |")
        if not rows:
            silent.append(kernel)
    print(f"\n{raised} of {total} are raised. Polly proves no loop parallel in: "
          f"{', '.join(silent) or 'none'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
