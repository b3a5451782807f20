#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many kernels of a folder of CUDA programs are raised, and why the others are left.

The folder holds one program in each of its own folders, as HeCBench does, with a compile_commands.json or a makefile, of which
`make -n` is read and nothing is built. Every .cu source is translated; a crash, an exit status that says so and a run without an end
are listed. With --verify each result is compared with its original, which takes hours."""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

SOURCES = (".cu", ".cpp", ".c", ".cc")


def commands_of(folder):
    """The compile commands of a program: its database, or what make would run."""
    path = os.path.join(folder, "compile_commands.json")
    if os.path.exists(path):
        with open(path) as f:
            return json.load(f)
    if not os.path.exists(os.path.join(folder, "Makefile")):
        return []
    try:
        text = subprocess.run(["make", "-n", "-B", "-C", folder], capture_output=True, text=True, errors="replace",
                              timeout=60).stdout
    except subprocess.TimeoutExpired:
        return []
    commands = []
    for line in text.replace("\\\n", " ").splitlines():
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        sources = [w for w in words[1:] if w.endswith(SOURCES)]
        if not sources or words[0] in ("rm", "echo", "make", "make:", "cd"):
            continue
        for source in sources:
            one = [w for w in words if w == source or w not in sources]
            commands.append({"directory": folder, "file": source, "command": shlex.join(one)})
    return commands


def translate(job):
    """(program, file), exit status or what happened, seconds, results."""
    tool, folder, source, scratch, limit, verify = job
    name = re.sub(r"\W", "_", os.path.basename(folder) + "_" + source)
    out = os.path.join(scratch, name)
    command = [tool, "rewrite", "-p", scratch + "/" + os.path.basename(folder),
               os.path.join(folder, source), "-o", out + ".cpp", "--json=" + out + ".json"]
    if verify:
        command.append("--verify")
    begin = time.time()
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=limit)
        status = done.returncode
    except subprocess.TimeoutExpired:
        status = "no end"
    results = []
    if os.path.exists(out + ".json"):
        with open(out + ".json") as f:
            results = [r for r in json.load(f)["results"] if r["construct"] == "kernel"]
    return os.path.basename(folder) + "/" + source, status, time.time() - begin, results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", help="the folder that holds the programs' folders")
    parser.add_argument("--tool", default="build/bin/clang-raise")
    parser.add_argument("--only", default="", help="a regular expression for the names of programs")
    parser.add_argument("--limit", type=int, default=120, help="seconds for a source")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("-j", type=int, default=2)
    args = parser.parse_args()
    tool = os.path.abspath(args.tool)
    with tempfile.TemporaryDirectory() as scratch:
        jobs = []
        programs = 0
        for name in sorted(os.listdir(args.corpus)):
            folder = os.path.abspath(os.path.join(args.corpus, name))
            if not re.search(args.only, name) or not os.path.isdir(folder):
                continue
            commands = commands_of(folder)
            if not any(c["file"].endswith(".cu") for c in commands):
                continue
            programs += 1
            os.makedirs(os.path.join(scratch, name))
            with open(os.path.join(scratch, name, "compile_commands.json"), "w") as f:
                json.dump(commands, f)
            jobs += [(tool, folder, source, scratch, args.limit, args.verify)
                     for source in dict.fromkeys(c["file"] for c in commands) if source.endswith(".cu")]
        if not jobs:
            sys.exit("no CUDA program with a database or a makefile in " + args.corpus)
        with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
            done = list(pool.map(translate, jobs))

    statuses = collections.Counter(str(status) for _, status, _, _ in done)
    kernels = [r for _, _, _, results in done for r in results]
    outcome = collections.Counter(r["status"] for r in kernels)
    print(f"{programs} programs, {len(done)} sources: {statuses['0']} translated, {statuses['1']} refused, "
          f"{statuses['2']} that could not be read (libraries and headers that are not there)\n")
    print("| kernels that could be read | raised | in part | left |\n|---:|---:|---:|---:|")
    print(f"| {len(kernels)} | {outcome['raised']} | {outcome['partial']} | {outcome['left']} |\n")
    if args.verify:
        print("verification: " + ", ".join(f"{n} {what}" for what, n in
                                           collections.Counter(r["verification"] for r in kernels).most_common()) + "\n")
    print("| reason | kernels |\n|---|---:|")
    reasons = collections.Counter(r["code"] for r in kernels if r["status"] != "raised")
    for code, count in sorted(reasons.items(), key=lambda c: (-c[1], c[0])):
        print(f"| {code} | {count} |")
    odd = [(name, status) for name, status, _, _ in done if str(status) not in ("0", "1", "2")]
    for name, status in odd:
        print(f"\n{name}: {status}")
    slow = max(done, key=lambda d: d[2])
    print(f"\nslowest: {slow[0]}, {slow[2]:.0f} s")
    sys.exit(1 if odd else 0)


if __name__ == "__main__":
    main()
