# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PolyBench/C: what clang-raise emits, by clang and by gcc, against every peer.

The program that is timed is the one whose output is compared: PolyBench prints
its arrays where it has more than 42 arguments and no name."""

import os
import re
import shutil
import subprocess
import sys

import figures
import peers
import plot
import ratios

# Of a sum whose terms change places. Headers are changed to print nine digits.
TOLERANCE = 1e-5
# Form -> whose compiler.
EMITTED = {"emitted": "clang", "emitted, gcc": "gcc"}


def chosen(args):
    """Name -> source, of the kernels that are asked for."""
    found = {os.path.basename(source)[:-2]: source
             for source in ratios.polybench_sources(args.polybench)}
    return {name: source for name, source in found.items()
            if not args.only or name in args.only}


class Programs:
    """The forms of one kernel at one size."""

    def __init__(self, args, work, source, size, here):
        self.args, self.here = args, here
        self.name = os.path.basename(source)[:-2]
        self.work = os.path.join(work, f"{self.name}.{size}")
        shutil.copytree(os.path.dirname(source), self.work)
        self.source = os.path.join(self.work, os.path.basename(source))
        ratios.change(os.path.join(self.work, self.name + ".h"),
                      r'"%0\.2l?f "', '"%.9g "')
        utilities = os.path.join(work, "utilities")
        self.support = os.path.join(utilities, "polybench.c")
        self.flags = ["-I", utilities, "-I", self.work,
                      f"-D{size.upper()}_DATASET", *args.flags]
        self.text = os.path.join(self.work, "emitted.c")
        self.rewritten = bool(ratios.rewrite(args.tool, self.source, self.text,
                                             ratios.FLAGS + self.flags))
        self.programs, self.wrong = {}, []
        self.ours("original", self.source, "clang")
        for name, family in EMITTED.items():
            if family == "clang" or any(p.family == family for p in here):
                try:
                    self.ours(name, self.text, family)
                except subprocess.SubprocessError:
                    self.wrong.append(f"{self.name}, {name}: does not compile")

    def ours(self, name, source, family):
        program = os.path.join(self.work, name.replace(", ", "-") + ".run")
        ratios.compile_to(program, [self.support, source],
                          ratios.FLAGS + self.flags + ratios.POLYBENCH_TIMES,
                          getattr(self.args, family))
        self.programs[name] = program

    def commands(self, threads, notes):
        """Form -> command line, peers between original and emitted forms."""
        out = {"original": [self.programs["original"]]}
        for peer in self.here:
            if peer.for_threads and threads == 1:
                continue
            try:
                out[peer.name] = [peers.build(
                    self.args, self.work, "peer", peer, threads,
                    [self.support, self.source],
                    self.flags + ratios.POLYBENCH_TIMES)]
            except subprocess.SubprocessError:
                notes.append(f"{self.name}: {peer.name} does not compile it")
        for name, program in self.programs.items():
            out[name] = [program]
        return out


def arrays(text):
    """Name -> lines of numbers, of the arrays that a kernel printed."""
    return {name: lines.split("\n") for name, lines in
            re.findall(r"begin dump: (\w+)(.*?)end   dump: \1", text, re.S)}


def numbers(lines):
    return (float(word) for line in lines for word in line.split())


def dump(program, threads):
    return subprocess.run(
        [""] * 43, executable=program, capture_output=True, text=True,
        check=True, env=dict(os.environ, OMP_NUM_THREADS=str(threads))).stdout


def difference(before, after):
    """What is wrong with the text of a kernel's arrays. There may be millions
    of numbers: lines that are the same are not looked into."""
    old, new = arrays(before), arrays(after)
    if not any(any(numbers(lines)) for lines in old.values()):
        return "the original prints nothing but zeros"
    for name, lines in old.items():
        own = new.get(name, [])
        if len(own) != len(lines):
            return f"{name}: {len(own)} lines instead of {len(lines)}"
        pairs = [(x, y) for x, y in zip(lines, own) if x != y]
        if pairs:
            found = figures.difference(
                *(list(numbers(side)) for side in zip(*pairs)), TOLERANCE,
                figures.mean_of(numbers(lines)))
            if found:
                return f"{name}, where lines differ: {found}"
    return ""


def measure(programs, threads, notes, wrong):
    """Form -> cycles, of the forms whose arrays are those of the original by
    the same compiler: where two compilers contract other products, gramschmidt
    at SMALL has other numbers in a third of its columns."""
    commands = programs.commands(threads, notes)
    before = {"gcc" in name: dump(commands[name][0], threads)
              for name in ("original", "gcc") if name in commands}
    for name in list(commands):
        try:
            own = before["gcc" in name]
            found = difference(own, own if name in ("original", "gcc") else
                               dump(commands[name][0], threads))
        except subprocess.SubprocessError as error:
            found = str(error)
        if found:
            said = (f"{programs.name}, {figures.threads_text(threads)}, "
                    f"{name}: {found}")
            (wrong if name.startswith("emitted") else notes).append(said)
            del commands[name]
    return figures.medians(commands, ratios.in_turn(
        commands.values(), programs.args.runs, threads,
        ratios.polybench_cycles))


def lines_of(found, rewritten, below=0.95):
    """The table of one size and number of threads, and kernel -> best peer over
    emitted form. found: kernel -> form -> cycles."""
    if not found:
        return ["No kernel could be compared."], {}
    forms = list(dict.fromkeys(form for own in found.values() for form in own
                               if form != "original"))
    rows, best, slow = [], {}, []
    for kernel, own in sorted(found.items()):
        peer, form, best[kernel] = figures.best_peer(own, EMITTED)
        rows.append([kernel + ("" if kernel in rewritten else " (as it was)"),
                     f"{own['original'] / 1e6:.3g}"] +
                    [f"{own['original'] / own[name]:.2f}" if name in own else ""
                     for name in forms] + [peer, form, f"{best[kernel]:.2f}"])
        for mine, name in (("emitted", "original"), ("emitted, gcc", "gcc")):
            if (mine in own and name in own and
                    own[name] / own[mine] < below):
                slow.append((own[name] / own[mine], kernel, mine))
    lines = figures.table(["", "original, 10⁶ cycles"] + forms +
                          ["best peer", "best emitted", "ratio"], rows)
    lines += ["", "Ratio: time of the best peer, the original among them, over "
              "that of the best emitted form. The columns of forms: time of "
              "the original over theirs.", "",
              f"- Geomean of the ratio, {len(best)} kernels: "
              f"{ratios.geomean(best.values()):.2f}",
              f"- Below {below:g} of the original by the same compiler: " +
              (", ".join(f"{kernel} {ratio:.2f} ({form})"
                         for ratio, kernel, form in sorted(slow)) or "none")]
    return lines, best


def parts(args, work, here):
    sources = chosen(args)
    utilities = os.path.join(work, "utilities")
    shutil.copytree(os.path.join(args.polybench, "utilities"), utilities)
    # On stderr, each number is a system call.
    ratios.change(os.path.join(utilities, "polybench.h"),
                  "(POLYBENCH_DUMP_TARGET) stderr", r"\1 stdout")
    for size in args.sizes if sources else []:
        found = {threads: {} for threads in args.threads}
        rewritten, notes, wrong = set(), [], []
        for name, source in sources.items():
            print(f"{name}, {size}", file=sys.stderr, flush=True)
            programs = Programs(args, work, source, size, here)
            wrong += programs.wrong
            if programs.rewritten:
                rewritten.add(name)
            for threads in args.threads:
                own = measure(programs, threads, notes, wrong)
                if "original" in own and any(form in own for form in EMITTED):
                    found[threads][name] = own
            shutil.rmtree(programs.work)
        series = {}
        for threads in args.threads:
            title = (f"PolyBench/C {size.upper()}, "
                     f"{figures.threads_text(threads)}")
            lines, best = lines_of(found[threads], rewritten)
            series[figures.threads_text(threads)] = best
            last = threads == args.threads[-1]
            yield figures.Part(
                title, lines + [f"- {note}" for note in notes * last],
                [plot.Chart(f"PolyBench/C {size.upper()}: time of the best peer "
                            "over that of the best emitted form", series)]
                if last else [], wrong if last else [])
