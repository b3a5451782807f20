# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites a file of functions, builds it beside the original, and compares.

`Harness.check(functions)` says for each function what became of it: "ok", or
what is wrong. It is used for whole batches and, with variants of one function,
for making a failing one smaller.
"""

import json
import os
import re
import subprocess

from generator import LARGE, PRELUDE
from program import Pointer

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {"double": "F64", "float": "F32", "struct rec": "RECORD",
         "signed char": "I8", "unsigned char": "I8", "short": "I16",
         "unsigned short": "I16", "int": "I32", "unsigned": "I32",
         "long": "I64", "unsigned long": "I64", "long long": "I64"}
COMMON = ["-ffp-contract=off", "-fopenmp", "-w"]


class Verdict:
    """status: ok, wrong, crash, refused (the tool failed), build (the result
    does not compile), warning (a new one), dropped (the original itself fails, or the compiler
    breaks it without the tool's help)."""

    def __init__(self, status, detail="", inputs=0):
        self.status, self.detail, self.inputs = status, detail, inputs

    def bad(self):
        return self.status not in ("ok", "dropped")


class Harness:
    def __init__(self, tool, clang, gcc, folder):
        self.tool, self.clang, self.gcc = tool, clang, gcc
        self.folder = folder
        self.results = []  # of the last rewriting, from --json
        self.end, self.out = "c", "out.c"  # C or C++, and the result
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, command, limit):
        environment = dict(os.environ, OMP_WAIT_POLICY="passive",
                           KMP_BLOCKTIME="0", OMP_DYNAMIC="false")
        try:
            return subprocess.run(command, cwd=self.folder, timeout=limit,
                                  capture_output=True, text=True,
                                  errors="replace", env=environment,
                                  check=False)
        except subprocess.TimeoutExpired as expired:
            out = expired.stdout or b""
            return subprocess.CompletedProcess(
                command, -1, out.decode(errors="replace"), "timed out")

    # Steps ---------------------------------------------------------------

    def compilable(self, functions):
        """The places of those that are C at all. Variants may not be."""
        lines, owner = PRELUDE.count("\n"), []
        bad = {at for at, function in enumerate(functions)
               if self.end == "cpp" and "c-only" in function.traits}
        for at, function in enumerate(functions):
            owner += [at] * function.text(f"f{at}").count("\n")
        name = "all." + self.end
        self.write(name, self.source(functions, "f"))
        done = self.run([self.clang, "-fsyntax-only", "-ferror-limit=0", "-w",
                         name], 120)
        for line in re.findall(r"^all\.\w+:(\d+):\d+: error:", done.stderr, re.M):
            bad.add(owner[int(line) - 1 - lines])
        return [at for at in range(len(functions)) if at not in bad]

    def rewrite(self, options):
        """None, or why the tool failed."""
        # Loops by bands at the sizes of these inputs, too.
        config = ("machine:\n  parallel-work: %d\n  vector-bytes: %d\n"
                  % (options["work"], 2 if options["work"] < 1000 else 32))
        self.write("clang-raise.yaml", config)
        for old in (self.out, "out.json"):
            if os.path.exists(self.path(old)):
                os.remove(self.path(old))
        command = [self.tool, "rewrite", "in." + self.end, "-o", self.out,
                   "--fp=" + options["fp"], "--json=out.json",
                   "--config=clang-raise.yaml"]
        if options["verify"]:
            command.append("--verify")
        done = self.run(command + ["--"] + options["flags"] + ["-fopenmp"], 240)
        if done.returncode != 0 or not os.path.exists(self.path(self.out)):
            last = done.stderr.strip().splitlines()[-3:]
            return f"clang-raise ended with {done.returncode}: " + " | ".join(last)
        with open(self.path("out.json"), encoding="utf-8") as file:
            self.results = json.load(file)["results"]
        return None

    def build_one(self, source_name, output, command):
        done = self.run(command + COMMON + ["-c", source_name, "-o", output], 300)
        return None if done.returncode == 0 else done.stderr

    def new_warnings(self, compiler, options):
        """Function -> a warning of the result of a kind that the source does
        not have there."""
        if not options["warnings"]:
            return {}
        command = [compiler] + options["flags"] + [
            "-ffp-contract=off", "-fopenmp", "-Wall", "-Wextra", "-c", "-o",
            "warned.o"]
        after = self.warnings(command, self.out)
        before = self.warnings(command, "in." + self.end) if after else {}
        return {at: kinds[kind] for at, kinds in after.items()
                for kind in kinds if at >= 0 and kind not in before.get(at, {})}

    def warnings(self, command, name):
        """Function -> {kind: the warning}."""
        done, out, at = self.run(command + [name], 300), {}, -1
        with open(self.path(name), encoding="utf-8") as file:
            lines = file.read().splitlines()
        owner = []
        for line in lines:
            head = re.match(r'(?:extern "C" )?void f(\d+)\(', line)
            at = int(head[1]) if head else at
            owner.append(at)
        for line, text, kind in re.findall(
                r"^\w+\.\w+:(\d+):\d+: warning: (.*) \[(-W[^\]]*)\]$",
                done.stderr, re.M):
            out.setdefault(owner[int(line) - 1], {})[kind] = f"{text} [{kind}]"
        return out

    def build(self, functions, options):
        """None, or the compiler's words about the result."""
        self.write("main.c", table(functions))
        self.write("orig." + self.end, self.source(functions, "o"))
        compiler = self.gcc if options["compiler"] == "gcc" else self.clang
        sanitize = ["-fsanitize=undefined,float-cast-overflow",
                    "-fno-sanitize=null,object-size,vptr,function,pointer-overflow",
                    "-fsanitize-minimal-runtime"]
        for name, end, command in (
                ("orig", self.end, [self.clang, "-O1"] + sanitize),
                ("main", "c", [self.clang, "-O1", "-I", HERE])):
            error = self.build_one(f"{name}.{end}", name + ".o", command)
            if error:
                raise RuntimeError("the harness's own code does not compile:\n" +
                                   error)
        error = self.build_one(self.out, "out.o", [compiler] + options["flags"])
        if error:
            return error
        done = self.run([self.clang, "-fopenmp", "main.o", "orig.o", "out.o",
                         "-lstdc++", "-lm", "-o", "program"], 120)
        if done.returncode != 0:
            raise RuntimeError("linking fails:\n" + done.stderr)
        return None

    def execute(self, count, options):
        verdicts, first = {}, 0
        while first < count:
            # Where each small loop is parallel, many iterations take long.
            divisor = "1" if options["work"] > 1 else "25"
            done = self.run([self.path("program"), str(options["seed"]),
                             str(first), options["tolerance"], divisor], 1800)
            for line in done.stdout.splitlines():
                name, status, detail = (line.split(" ", 2) + [""])[:3]
                at = int(name[1:])
                inputs = int(detail.split()[0]) if status == "ok" else 0
                if status == "crash" and detail.startswith("original"):
                    status = "dropped"
                if status == "ok" and inputs == 0:
                    status = "dropped"
                verdicts[at] = Verdict(status, detail, inputs)
            ended = max(verdicts, default=-1)
            if done.returncode == 0 or ended < first:
                break
            first = ended + 1
        for at in range(count):
            verdicts.setdefault(at, Verdict("crash", "no result"))
        return verdicts

    def source(self, functions, prefix):
        """A file of functions, and one that tells the driver of its globals."""
        texts = [f.text(f"{prefix}{at}") for at, f in enumerate(functions)]
        texts.append(f"void globals_{prefix}(double **d, int **i, int **scalar) {{\n"
                     "  *d = gd;\n  *i = gi;\n  *scalar = &gn;\n}\n")
        if self.end == "cpp":
            texts = ['extern "C" ' + t.replace("*restrict ", "*__restrict ")
                     for t in texts]
        return PRELUDE + "".join(texts)

    # The whole -----------------------------------------------------------

    def check(self, functions, options):
        """A Verdict for each function."""
        self.end = options["end"]
        self.out = "out." + self.end
        places = self.compilable(functions)
        verdicts = {at: Verdict("dropped", "not C") for at in
                    set(range(len(functions))) - set(places)}
        chosen = [functions[at] for at in places]
        if chosen:
            for at, verdict in self.check_c(chosen, options).items():
                verdicts[places[at]] = verdict
        return verdicts

    def check_c(self, functions, options):
        self.write("in." + self.end, self.source(functions, "f"))
        why = self.rewrite(options)
        status = "refused"
        if why is None:
            why, status = self.build(functions, options), "build"
        if why is None:
            compiler = self.gcc if options["compiler"] == "gcc" else self.clang
            warned = self.new_warnings(compiler, options)
            verdicts = self.acquit(functions, options, self.execute(
                len(functions), options))
            for at, text in warned.items():
                if verdicts[at].status in ("ok", "dropped"):
                    verdicts[at] = Verdict("warning", text, verdicts[at].inputs)
            return verdicts
        if len(functions) == 1:
            return {0: Verdict(status, why)}
        # Halves until the culprits stand alone.
        middle, verdicts = len(functions) // 2, {}
        verdicts.update(self.check_c(functions[:middle], options))
        for at, verdict in self.check_c(functions[middle:], options).items():
            verdicts[middle + at] = verdict
        return verdicts


    def acquit(self, functions, options, verdicts):
        """A compiler may be wrong too: what differs in the same way when the
        original is built as the result was, is not the tool's doing."""
        failing = [at for at in sorted(verdicts) if verdicts[at].bad()]
        if not failing:
            return verdicts
        suspects = [functions[at] for at in failing]
        self.write(self.out, self.source(suspects, "f"))
        if self.build(suspects, options) is None:
            again = self.execute(len(suspects), options)
            for place, at in enumerate(failing):
                if again[place].bad():
                    verdicts[at] = Verdict("dropped", "the compiler's doing")
        return verdicts


def table(functions):
    """The generated main file: see driver.h."""
    out = ['#include "driver.h"', "struct rec;"]
    rows = []
    for at, function in enumerate(functions):
        pointers = function.pointers()
        for prefix in "of":
            name = f"{prefix}{at}"
            out.append(function.text(name).split(" {\n", 1)[0] + ";")
            arguments = [f"p[{pointers.index(p)}]" if isinstance(p, Pointer)
                         else f"({p[0]})z->{p[1]}" for p in function.params]
            out.append(f"static void call_{name}(void **p, const struct sizes *z)"
                       f" {{ {name}({', '.join(arguments)}); }}")
        out.append(f"static const struct param params{at}[] = {{" +
                   ", ".join(parameter(p) for p in pointers) + "};")
        level = next(int(t[7:]) for t in function.traits if t[:7] == "levels-")
        rows.append(f'{{"f{at}", call_o{at}, call_f{at}, params{at}, '
                    f'{len(pointers)}, {int("apart" in function.traits)}, '
                    f'{lowest(function.traits)}, '
                    f'{LARGE[level]}}},')
    out.append("static const struct program programs[] = {")
    out += rows + ["};", "int main(int argc, char **argv) {",
                   f"  return drive(programs, {len(functions)}, argc, argv);", "}"]
    return "\n".join(out) + "\n"


def lowest(traits):
    return 1 if "positive" in traits else 0 if "no-negative" in traits else -2


def parameter(pointer):
    role = {"ix": "TABLE", "fo": "OUTPUT", "io": "OUTPUT"}.get(pointer.name, "DATA")
    lows = ", ".join(str(low) for low, _ in pointer.extent.ranges)
    highs = ", ".join(str(high) for _, high in pointer.extent.ranges)
    return (f'{{"{pointer.name}", {TYPES[pointer.ctype]}, {role}, '
            f'{{{lows}}}, {{{highs}}}}}')
