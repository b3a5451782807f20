#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random differentiable C++ functions through `clang-raise grad`, both modes.

    gradients.py --tool=build/bin/clang-raise --programs=500 --seed=1

Adjoints and tangents are compiled and run at 1, 2 and 4 threads; the adjoint is
compared with the tangent (dot products), the tangent with central differences
of the source, and what both leave in the primal's memory with what the source
leaves. Exit status 1 if one is wrong, is refused, does not compile or does not
run. The same seed gives the same programs.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

BATCH = 20
FLAGS = ["-std=c++17", "-ffp-contract=off", "-fopenmp"]
BUILDS = [("clang", ["-O1"]), ("gcc", ["-O2"]),
          ("clang", ["-O1", "-g", "-fsanitize=address,undefined",
                     "-fno-sanitize-recover=undefined"]),
          ("clang", ["-O3", "-march=native"]),
          ("gcc", ["-O3", "-march=native"])]
HERE = os.path.dirname(os.path.abspath(__file__))


def strict_of(compiler):
    """Warnings. Whether clang vectorises depends on the level and sanitizers,
    and with AVX10 it warns of its own choice."""
    return ["-Wall", "-Wextra", "-Werror"] + (
        ["-Wno-pass-failed", "-Wno-invalid-feature-combination"]
        if compiler == "clang" else [])


class Function:
    """double f(double *y, double *z, const double *x, const int *k, double a,
    double b, int n), defined where all arrays have 3 * n + 4 elements."""

    def __init__(self, rng):
        self.rng, self.fresh = rng, 0
        self.scalars, self.counters = ["a", "b", "s"], []
        self.arrays = ["x", "y", "z"]
        self.parallel = rng.random() < 0.5
        self.body = []
        for _ in range(rng.randint(2, 5)):
            self.body += self.statement(2)
        self.result = self.expression(2)
        self.callee = self.make_callee()

    def pick(self, *of):
        return self.rng.choice(of)

    def name(self, prefix):
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    # Expressions ---------------------------------------------------------

    def index(self):
        if not self.counters:
            return str(self.rng.randint(0, 3))
        i = self.pick(*self.counters)
        return self.pick(i, i, f"{i} + {self.rng.randint(0, 3)}", f"k[{i}]",
                         f"2 * {i} + 1", f"n - 1 - {i}" if i in self.plain else i)

    plain = ()  # counters from 0 to n - 1

    def leaf(self):
        kind = self.rng.randint(0, 7)
        if kind < 4 and self.arrays:
            return f"{self.pick(*self.arrays)}[{self.index()}]"
        if kind == 4:
            return f"{self.rng.randint(0, 3)}.{self.pick('25', '5', '75', '0')}"
        return self.pick(*self.scalars)

    def condition(self):
        return (f"{self.expression(1)} {self.pick('<', '<=', '>', '>=')} "
                f"{self.expression(1)}")

    def expression(self, depth):
        if depth == 0:
            return self.leaf()
        e = lambda: "(" + self.expression(depth - 1) + ")"
        d = e()
        return self.pick(
            lambda: f"{e()} + {e()}", lambda: f"{e()} - {e()}",
            lambda: f"{e()} * {e()}", lambda: f"{d} * {d}",
            lambda: f"{e()} / (1.5 + {d} * {d})", lambda: f"-{e()}",
            lambda: f"std::sin{e()}", lambda: f"std::exp(std::cos{e()})",
            lambda: f"std::tanh{e()}", lambda: f"std::sqrt(0.5 + {d} * {d})",
            lambda: f"std::fabs{e()}",
            lambda: f"std::{self.pick('fmax', 'fmin', 'max', 'min')}"
                    f"({self.expression(depth - 1)} + 0., {e()})",
            lambda: f"({self.condition()} ? {e()} : {e()})",
            lambda: f"(n > {self.rng.randint(0, 3)} ? {e()} : {e()})",
            lambda: f"std::pow(0.5 + {d} * {d}, {self.pick('1.5', 'std::sin' + e())})",
            lambda: f"G(std::sin{e()}, {self.leaf()})")()

    def bounded(self, depth=2):
        return f"2. * std::sin({self.expression(depth)})"

    # Statements ----------------------------------------------------------

    def statement(self, depth):
        if depth and self.parallel and not self.counters and \
                self.rng.random() < 0.7:
            return self.directive()
        operator = self.pick("=", "=", "+=", "-=", "*=", "/=")
        value = self.bounded()
        if operator == "/=":
            value = f"(3.5 + {value})"
        kinds = ["declare", "assign", "array", "array"]
        if depth:
            kinds += ["for", "for", "if", "while", "local", "swap", "count"]
        kind = self.pick(*kinds)
        if kind == "declare":
            name = self.name("t")
            self.scalars.append(name)
            return [f"double {name} = {value};"]
        if kind == "assign":
            return [f"{self.pick(*self.scalars)} {operator} {value};"]
        if kind == "array":
            return [f"{self.pick('y', 'z')}[{self.index()}] {operator} {value};"]
        if kind == "if":
            text = [f"if ({self.condition()}) {{"] + self.block(depth - 1) + ["}"]
            if self.rng.random() < 0.5:
                text[-1:] = ["} else {"] + self.block(depth - 1) + ["}"]
            return text
        if kind == "while":
            i = self.name("w")
            inner = self.statement(0)
            stop = [f"if ({self.condition()})", "break;"] \
                if self.rng.random() < 0.5 else []
            return self.scoped([f"int {i} = 0;", f"while ({i} < n) {{", f"++{i};"]
                               + inner + stop + ["}"], inner)
        if kind == "local":
            name, at = self.name("v"), self.rng.randint(0, 2)
            lines = [f"double {name}[3] = {{{self.bounded(1)}, {self.bounded(1)}, "
                     f"{self.leaf()}}};",
                     f"{name}[{at}] *= {name}[{(at + 1) % 3}];"]
            total = self.name("t")
            lines.append(f"double {total} = {name}[{at}] + {name}[2];")
            self.scalars.append(total)
            return lines
        if kind == "swap":
            i, j, t = self.index(), self.index(), self.name("t")
            to = self.pick("y", "z")
            return [f"{{ double {t} = {to}[{i}];", f"{to}[{i}] = {to}[{j}];",
                    f"{to}[{j}] = {t}; }}"]
        if kind == "count":
            return self.counted(depth)
        return self.loop(depth)

    def counted(self, depth):
        """Loops that count places on their own, as those of a packed array."""
        c = self.name("c")
        place = f"({c} % (n + 1))"
        text = [f"int {c} = {self.rng.randint(0, 3)};"]
        for _ in range(self.pick(1, 1, 2)):
            i, known = self.name("i"), len(self.scalars)
            first = self.pick("0", "0", *self.counters)
            self.counters += [i, place]
            inner = []
            for _ in range(self.rng.randint(1, 3)):
                inner += self.statement(depth - 1)
                if self.rng.random() < 0.5:
                    inner.append(f"{c} += {self.rng.randint(1, 3)};")
            if self.rng.random() < 0.5:
                j = self.name("i")
                inner += [f"for (int {j} = {i}; {j} < n; ++{j}) {{",
                          f"{self.pick('y', 'z')}[{j}] += "
                          f"{self.pick('x', 'y', 'z')}[{place}] * {self.leaf()};",
                          f"++{c};", "}"]
            del self.scalars[known:]
            del self.counters[-2:]
            text += [f"for (int {i} = {first}; {i} < n; ++{i}) {{"] + inner + ["}"]
        return text + [f"y[{place}] += {self.bounded(1)};"]

    def scoped(self, text, inner):
        """What inner declares is not seen after it."""
        for line in inner:
            for name in re.findall(r"^double (\w+) =", line):
                if name in self.scalars:
                    self.scalars.remove(name)
        return text

    def block(self, depth):
        known = len(self.scalars)
        lines = []
        for _ in range(self.rng.randint(1, 3)):
            lines += self.statement(depth)
        del self.scalars[known:]
        return lines

    def loop(self, depth):
        i = self.name("i")
        head = self.pick(
            f"for (int {i} = 0; {i} < n; ++{i})",
            f"for (int {i} = 0; {i} < n; ++{i})",
            f"for (int {i} = n - 1; {i} >= 0; --{i})",
            f"for (int {i} = 1; {i} < n; {i} += 2)",
            f"for (int {i} = 0; {i} + 1 < n; ++{i})",
            f"for (int {i} = n; {i}-- > 0;)",
            f"for (unsigned {i} = 0; {i} < (unsigned)n; ++{i})",
            f"for (int {i} = 0; {i} <= {self.pick(*(self.counters or ['n - 1']))}"
            f"; ++{i})")
        self.counters.append(i)
        lines = self.block(depth - 1)
        self.counters.pop()
        if self.rng.random() < 0.25:
            lines = [f"if ({self.condition_of(i)})",
                     self.pick("break;", "continue;")] + lines
        if self.rng.random() < 0.1:
            lines += [f"if ({self.condition_of(i)})",
                      f"return {self.expression(1)};"]
        return [head + " {"] + lines + ["}"]

    def condition_of(self, i):
        return self.pick(self.condition(), f"k[{i}] % 5 == 1")

    # OpenMP --------------------------------------------------------------

    def directive(self):
        """A loop whose iterations share what they read and own, or sum, what
        they write."""
        kind = self.pick("map", "sum", "max", "product", "atomic", "collapse",
                         "simd", "private", "row")
        schedule = self.pick("", "", " schedule(static, 1)", " schedule(dynamic)",
                             " schedule(guided)")
        i, own = self.name("i"), self.pick("y", "z")
        others = [v for v in ("x", "y", "z") if v != own]
        saved = self.arrays, self.scalars[:], self.counters
        self.arrays, self.counters, self.plain = others, [i], (i,)
        head = f"for (int {i} = 0; {i} < n; ++{i})"
        value = self.bounded()
        s = self.name("r")
        if kind == "map":
            at = self.pick(i, f"2 * {i} + 1", f"n - 1 - {i}")
            t = self.name("t")
            lines = [f"#pragma omp parallel for{schedule}", head + " {",
                     f"double {t} = {value};",
                     f"{own}[{at}] {self.pick('=', '+=', '*=')} {t} * {t};", "}"]
        elif kind in ("sum", "simd"):
            pragma = "simd" if kind == "simd" else "parallel for"
            lines = [f"double {s} = {self.pick('0', 'a')};",
                     f"#pragma omp {pragma} reduction(+ : {s})"
                     + (schedule if kind == "sum" else ""),
                     head, f"{s} {self.pick('+=', '-=')} {value};"]
        elif kind == "max":
            which = self.pick("max", "min")
            test = ">" if which == "max" else "<"
            lines = [f"double {s} = {'-9' if which == 'max' else '9'};",
                     f"#pragma omp parallel for reduction({which} : {s})" + schedule,
                     head + " {", f"double {s}_ = {value};",
                     f"{s} = {s}_ {test} {s} ? {s}_ : {s};", "}"]
        elif kind == "product":
            lines = [f"double {s} = 1;",
                     f"#pragma omp parallel for reduction(* : {s})" + schedule,
                     head, f"{s} *= 0.5 + std::cos({self.expression(1)});"]
        elif kind == "atomic":
            lines = [f"#pragma omp parallel for{schedule}", head + " {",
                     f"double {s} = {value};", "#pragma omp atomic",
                     f"{own}[k[{i}]] += {s};", "}"]
        elif kind == "collapse":
            j = self.name("j")
            lines = [f"#pragma omp parallel for collapse(2){schedule}", head,
                     f"for (int {j} = 0; {j} < 2; ++{j})",
                     f"{own}[2 * {i} + {j}] = {value};"]
        elif kind == "row":
            j = self.name("j")
            self.counters = [i, j]
            lines = [f"#pragma omp parallel for{schedule}", head,
                     f"for (int {j} = 0; {j} < n; ++{j})",
                     f"{own}[{i}] += {self.bounded()};"]
        else:
            t = self.name("t")
            lines = [f"double {t} = 0;",
                     f"#pragma omp parallel for private({t}){schedule}",
                     head + " {", f"{t} = {value};",
                     f"{own}[{i}] = {t} * {t} + {own}[{i}];", "}"]
        self.arrays, self.scalars, self.counters = saved
        self.plain = ()
        if kind in ("sum", "simd", "max", "product"):
            self.scalars.append(s)
        return lines

    def make_callee(self):
        arrays, scalars = self.arrays, self.scalars
        self.arrays, self.scalars, self.counters = [], ["p", "q"], []
        while True:
            lines = ["double r = " + self.expression(2) + ";",
                     f"if ({self.condition()})", "return r * p;",
                     "return r + 0.5 * p * q + " + self.expression(1) + ";"]
            if not any("G(" in line or "n >" in line for line in lines):
                break
        self.arrays, self.scalars = arrays, scalars
        self.deep = self.rng.random() < 0.3
        if self.deep:  # it calls itself, where its derivative looks twice too
            again = self.pick("H(std::sin({}), {}, d - 1)",
                              "std::sqrt(0.5 + std::fabs(H({}, std::cos({}), d - 1)))")
            p, q = self.pick("pq", "qp", "pp")
            lines[0] = lines[0][:-1] + f" + (d > 0 ? {again.format(p, q)} : p);"
            if self.rng.random() < 0.5:
                lines.insert(1, "if (d > 1)")
                lines.insert(2, f"r *= {again.format(q, p)};")
        return lines

    def callee_text(self, name):
        if not self.deep:
            return [f"static double G_{name}(double p, double q) {{"] + \
                self.callee + ["}"]
        return [f"static double H_{name}(double p, double q, int d) {{"] + \
            self.callee + ["}"] + \
            [f"static double G_{name}(double p, double q) {{",
             "return H(p, q, 2);", "}"]

    def text(self, name):
        lines = self.callee_text(name)
        lines += [f"double {name}(double *y, double *z, const double *x, "
                  "const int *k, double a, double b, int n) {", "double s = 0;"]
        lines += self.body + [f"return {self.result};", "}"]
        return "\n".join(lines).replace("G(", f"G_{name}(").replace(
            "H(", f"H_{name}(") + "\n"


class Runner:
    def __init__(self, tool, compilers, folder):
        self.tool, self.compilers, self.folder = tool, compilers, folder

    def run(self, command, limit=600, **more):
        environment = dict(os.environ, OMP_WAIT_POLICY="passive",
                           OMP_DYNAMIC="false", **more)
        return subprocess.run(command, cwd=self.folder, timeout=limit,
                              capture_output=True, text=True, errors="replace",
                              env=environment, check=False)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
            f.write(text)

    def grad(self, mode, names, output):
        command = [self.tool, "grad", "--mode=" + mode, "--wrt=x,y,z,a,b",
                   "--of=return,y,z", "--config=clang-raise.yaml", "in.cpp",
                   "-o", output] + ["--function=" + n for n in names]
        return self.run(command + ["--"] + FLAGS)

    def check(self, functions, seed):
        """Pairs of a place in functions and what is wrong there."""
        compiler, flags = BUILDS[seed % len(BUILDS)]
        names = [f"f{at}" for at in range(len(functions))]
        source = "#include <algorithm>\n#include <cmath>\n"
        self.write("in.cpp", source + "".join(
            f.text(n) for f, n in zip(functions, names)))
        # Parallel at every size, or only where it pays.
        self.write("clang-raise.yaml", "machine:\n  parallel-work: "
                   f"{1 if seed % 3 else 200000}\n  vector-bytes: "
                   f"{2 if seed % 2 else 32}\n")
        for mode, output in (("reverse", "adjoint.cpp"), ("forward", "tangent.cpp")):
            done = self.grad(mode, names, output)
            if done.returncode:
                at = re.search(r"in\.cpp:(\d+):", done.stderr)
                where = self.owner(functions, int(at.group(1))) if at else -1
                return [(where, f"refused ({mode}): " + done.stderr.strip()[:300])]
        table = "".join(f"  CHECK({n}, {int(f.parallel)});\n"
                        for f, n in zip(functions, names))
        self.write("main.cpp", '#include "adjoint.h"\n#include "tangent.h"\n'
                   '#include "gradients.h"\n' +
                   "".join(f"double {n}(double *, double *, const double *, const"
                           " int *, double, double, int);\n" for n in names) +
                   "int main() {\n" + table + "  return 0;\n}\n")
        objects = []
        for name in ("in", "adjoint", "tangent", "main"):
            strict = strict_of(compiler) if name in (
                "adjoint", "tangent") else ["-w"]
            done = self.run([self.compilers[compiler]] + flags + FLAGS + strict +
                            ["-I" + os.path.join(HERE, "Inputs"), "-c",
                             name + ".cpp", "-o", name + ".o"])
            objects.append(name + ".o")
            if done.returncode:
                where = re.search(r"'?\b_?f(\d+)_(?:adjoint|tangent)", done.stderr)
                return [(int(where.group(1)) if where else -1,
                         f"does not compile ({compiler} {flags}): "
                         + done.stderr.strip()[:600])]
        done = self.run([self.compilers[compiler]] + flags + FLAGS + objects +
                        ["-o", "run"])
        if done.returncode:
            return [(-1, "does not link: " + done.stderr[:300])]
        wrong = []
        for threads in ("1", "2", "4"):
            done = self.run(["./run"], OMP_NUM_THREADS=threads)
            for line in done.stdout.splitlines():
                if match := re.match(r"f(\d+): (.*)", line):
                    wrong.append((int(match.group(1)),
                                  f"{match.group(2)} at {threads} threads"))
            if done.returncode:
                wrong.append((-1, f"ended with {done.returncode}: "
                              + done.stderr.strip()[:600]))
            self.slopes += sum(int(n) for n in re.findall(
                r"^compared (\d+)", done.stdout, re.M))
        return wrong

    slopes = 0

    @staticmethod
    def owner(functions, line):
        at = 3
        for number, function in enumerate(functions):
            at += function.text(f"f{number}").count("\n")
            if line < at:
                return number
        return -1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--clang", default="clang++-19")
    parser.add_argument("--gcc", default="g++")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder")
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    runner = Runner(os.path.abspath(options.tool),
                    {"clang": options.clang, "gcc": options.gcc}, folder)
    counts = collections.Counter()
    for start in range(0, options.programs, BATCH):
        seed = options.seed + start // BATCH
        functions = [Function(random.Random(f"{seed}-{at}"))
                     for at in range(min(BATCH, options.programs - start))]
        wrong = runner.check(functions, seed)
        counts["programs"] += len(functions)
        counts["parallel"] += sum(f.parallel for f in functions)
        for at in dict(wrong):
            counts["wrong"] += 1
            print(f"seed {seed}, program {at}: {dict(wrong)[at]}")
            if at >= 0:
                print(functions[at].text(f"f{at}"), flush=True)
    print(f"programs: {counts['programs']} ({counts['parallel']} with OpenMP, "
          f"{counts['wrong']} wrong), comparisons: {runner.slopes}")
    return counts["wrong"] != 0 or runner.slopes == 0


if __name__ == "__main__":
    sys.exit(main())
