#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What clang-raise makes of the open loop corpora, and what changed.

    corpora.py --tool=build/bin/clang-raise --tsvc=DIR --polybench=DIR
               --llm=DIR --lulesh=DIR [--no-verify] [--update]

Each folder is where the user keeps that corpus; nothing of it is copied. Runs
`explain` and `rewrite --verify` on its files with the flags that they need and
prints, for each corpus, what was raised, what was left and why, and what
verification said. Compares with expected/<corpus>.json; `--update` writes it.
Exit status 1: a difference found by verification, a crash, a time-out, or a
function that was expected to be better; 2: a folder without the corpus.
"""

import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-O3", "-march=native", "-fopenmp"]
RANK = {"raised": 3, "partial": 2, "left": 1, "absent": 0}


class Corpus:
    """name; the sources of a folder; the flags of a source; the functions that
    count."""

    def __init__(self, name, sources, flags, counts):
        self.name, self.sources, self.flags = name, sources, flags
        self.counts = counts


def polybench_sources(folder):
    found = glob.glob(os.path.join(folder, "*", "**", "*.c"), recursive=True)
    return sorted(p for p in found if f"{os.sep}utilities{os.sep}" not in p and
                  os.path.basename(p).count(".") == 1)


def polybench_flags(folder, source):
    return FLAGS + ["-I", os.path.join(folder, "utilities"),
                    "-I", os.path.dirname(source)]


def sources_of(*names):
    def find(folder):
        paths = [os.path.join(folder, name) for name in names]
        return [p for p in paths if os.path.exists(p)]
    return find


CORPORA = {
    "tsvc": Corpus("TSVC-2", sources_of("src/tsvc.c"),
                   lambda folder, source: FLAGS + ["-std=c99"],
                   lambda function, text: "dummy(" in text),
    "polybench": Corpus("PolyBench/C 4.2.1", polybench_sources, polybench_flags,
                        lambda function, text: function.startswith("kernel")),
    "llm": Corpus("llm.c train_gpt2.c", sources_of("train_gpt2.c"),
                  lambda folder, source: FLAGS + ["-I", folder],
                  lambda function, text: function.endswith("_forward")),
    "lulesh": Corpus("LULESH", sources_of("lulesh.cc", "lulesh-init.cc",
                                          "lulesh-util.cc"),
                     lambda folder, source: FLAGS + ["-DUSE_MPI=0", "-std=c++17"],
                     lambda function, text: True),
}


# Sources -----------------------------------------------------------------

class Text:
    """A source as text: which lines a loop or a function has. Braces only;
    good enough for the corpora, and used for counting alone."""

    def __init__(self, path):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]),
                          file.read(), flags=re.S)
        self.lines = re.sub(r"//[^\n]*", "", text).splitlines()

    def construct(self, line):
        """The text of what begins on this line: to its closing brace, or its
        semicolon where it has none."""
        depth, out, braces = 0, [], False
        for text in self.lines[line - 1:]:
            out.append(text)
            for char in text:
                depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(char, 0)
                braces = braces or char == "{"
                if depth == 0 and (char == "}" or (char == ";" and not braces)):
                    return "\n".join(out)
        return "\n".join(out)

    def functions(self):
        """Name -> text, of what is defined at the start of a line."""
        out = {}
        for at, text in enumerate(self.lines, 1):
            match = re.match(r"(?:[A-Za-z_][\w\s*&:<>]*[\s*&])?"
                             r"([A-Za-z_][\w:~]*)\s*\(", text)
            if not match or text.rstrip().endswith(";"):
                continue
            out.setdefault(match[1], self.construct(at))
        return out


# Running -----------------------------------------------------------------

class Ran:
    """One run of the tool: its results, seconds, and what went wrong."""

    def __init__(self, tool, command, source, flags, limit):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "results.json")
            line = [tool] + command + [source, "--json=" + out]
            if command[0] == "rewrite":
                line += ["-o", os.path.join(folder, os.path.basename(source))]
            start = time.monotonic()
            self.results, self.trouble = [], ""
            try:
                done = subprocess.run(line + ["--"] + flags, timeout=limit,
                                      capture_output=True, check=False)
                # 1 is a verification that failed: the results say which.
                if done.returncode not in (0, 1) or not os.path.exists(out):
                    last = done.stderr.decode(errors="replace").strip()
                    self.trouble = (f"exit status {done.returncode} " +
                                    last[last.rfind("\n") + 1:][:200])
                else:
                    with open(out, encoding="utf-8") as file:
                        self.results = json.load(file)["results"]
            except subprocess.TimeoutExpired:
                self.trouble = f"more than {limit} s"
            self.seconds = time.monotonic() - start


class Summary:
    """What is known about one corpus."""

    def __init__(self):
        self.functions = {}  # "file:function" -> (status, [codes])
        self.loops, self.codes = collections.Counter(), collections.Counter()
        self.verdicts = collections.Counter()
        self.seconds = collections.Counter()
        self.slowest, self.troubles, self.failed = (0.0, ""), [], []
        self.unseen = set()  # files that explain could not look at

    def wholly(self):
        return sum(1 for status, _ in self.functions.values() if status == "raised")


def is_repetition(text, result):
    """TSVC repeats each loop under one that calls `dummy`."""
    return "dummy(" in text.construct(result["line"])


def of_function(results):
    """(status, codes) of a function with these loops."""
    if not results:
        return "absent", []
    worst = min(results, key=lambda r: RANK.get(r["status"], 0))["status"]
    if worst == "left" and any(r["status"] != "left" for r in results):
        worst = "partial"
    codes = sorted({r["code"] for r in results
                    if r["status"] != "raised" and r["code"]})
    return worst, codes


def summarise(corpus, source, results, summary):
    text = Text(source)
    bodies = text.functions()
    by_function = collections.defaultdict(list)
    for result in results:
        if corpus.name.startswith("TSVC") and is_repetition(text, result):
            continue
        by_function[result["function"]].append(result)
    for name, body in bodies.items():
        if corpus.counts(name, body) and (re.search(r"\bfor\b|\bwhile\b", body)):
            by_function.setdefault(name, [])
    for name, own in by_function.items():
        body = bodies.get(name.split("::")[-1], bodies.get(name, ""))
        if not corpus.counts(name, body):
            continue
        if not own:  # The loop is in a function that this one calls.
            own = [r for other, found in by_function.items() if other != name and
                   re.search(rf"\b{re.escape(other)}\s*\(", body) for r in found]
        key = f"{os.path.basename(source)}:{name}"
        summary.functions[key] = of_function(own)
        for result in own:
            summary.loops[result["status"]] += 1
            if result["status"] != "raised":
                summary.codes[result["code"] or "none"] += 1


def run_corpus(corpus, folder, chosen):
    summary = Summary()
    for source in corpus.sources(folder):
        flags = corpus.flags(folder, source)
        base = os.path.basename(source)
        explained = Ran(chosen.tool, ["explain"], source, flags, chosen.limit)
        summary.seconds["explain"] += explained.seconds
        summary.slowest = max(summary.slowest, (explained.seconds, base))
        if explained.trouble:
            summary.troubles.append(f"explain {base}: {explained.trouble}")
            summary.unseen.add(base)
            continue
        summarise(corpus, source, explained.results, summary)
        if chosen.no_verify:
            continue
        verified = Ran(chosen.tool, ["rewrite", "--verify", "--fp=" + chosen.fp],
                       source, flags, chosen.limit)
        summary.seconds["rewrite --verify"] += verified.seconds
        if verified.trouble:
            summary.troubles.append(f"rewrite {base}: {verified.trouble}")
        for result in verified.results:
            if result["verification"] != "none":
                summary.verdicts[result["verification"]] += 1
            if result["verification"] == "failed":
                summary.failed.append(f"{base}:{result['line']} "
                                      f"{result['function']}: "
                                      f"{result.get('verification_detail', '')}")
    return summary


# Printing ----------------------------------------------------------------

def counts(counter):
    return ", ".join(f"{n} {name}" for name, n in counter.most_common()) or "none"


def show(corpus, summary):
    print(f"== {corpus.name}")
    print(f"functions wholly raised: {summary.wholly()} of "
          f"{len(summary.functions)}")
    print(f"loops: {counts(summary.loops)}")
    print(f"reasons: {counts(summary.codes)}")
    print(f"raised loops by verdict: {counts(summary.verdicts)}")
    print("time: " + ", ".join(f"{name} {spent:.1f} s" for name, spent in
                               summary.seconds.items()) +
          f"; slowest explain {summary.slowest[0]:.1f} s ({summary.slowest[1]})")
    for line in summary.troubles:
        print("TROUBLE " + line)
    for line in summary.failed:
        print("FAILED " + line)


def compare(name, summary, folder, update):
    """Prints what changed; returns how many functions became worse."""
    path = os.path.join(folder, name + ".json")
    now = {key: {"status": status, "codes": codes}
           for key, (status, codes) in sorted(summary.functions.items())}
    before = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            before = json.load(file)
    worse = 0
    for key in sorted(set(before) | set(now)):
        if key.split(":")[0] in summary.unseen:
            continue
        old = before.get(key, {"status": "absent", "codes": []})
        new = now.get(key, {"status": "absent", "codes": []})
        if old["status"] == new["status"]:
            continue
        better = RANK[new["status"]] > RANK[old["status"]]
        worse += not better
        print(f"{'better' if better else 'WORSE'} {key}: {old['status']} -> "
              f"{new['status']} {' '.join(new['codes'])}")
    if update and summary.troubles:
        print(f"{path} stays as it is: not every source could be looked at")
    elif update:
        with open(path, "w", encoding="utf-8") as file:
            # One function a line, so that a diff shows which ones changed.
            lines = [f"{json.dumps(key)}: {json.dumps(now[key])}" for key in now]
            file.write("{\n" + ",\n".join(lines) + "\n}\n")
    return worse


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    for name, corpus in CORPORA.items():
        parser.add_argument("--" + name, metavar="DIR",
                            help=f"where {corpus.name} is")
    parser.add_argument("--fp", default="reduce",
                        choices=["strict", "reduce", "fast"], help="of rewrite")
    parser.add_argument("--no-verify", action="store_true")
    parser.add_argument("--update", action="store_true",
                        help="what is found is what is expected from now on")
    parser.add_argument("--expected", default=os.path.join(HERE, "expected"),
                        help="the folder of what is expected")
    parser.add_argument("--limit", type=float, default=1800,
                        help="seconds for one run of the tool")
    chosen = parser.parse_args()
    chosen.tool = os.path.abspath(chosen.tool)
    wrong = 0
    for name, corpus in CORPORA.items():
        folder = getattr(chosen, name)
        if folder is None:
            print(f"== {corpus.name}: no folder given (--{name}=DIR)")
            continue
        folder = os.path.abspath(folder)
        if not corpus.sources(folder):
            print(f"{folder}: {corpus.name} is not there", file=sys.stderr)
            return 2
        summary = run_corpus(corpus, folder, chosen)
        show(corpus, summary)
        wrong += compare(name, summary, chosen.expected, chosen.update)
        wrong += len(summary.troubles) + len(summary.failed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
