# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shipped kernels: original, emitted, by hand and by peers."""

import array
import collections
import os
import resource
import shutil
import subprocess

import figures
import peers
import plot
import ratios

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, os.pardir, "kernels")

# modes: how sums may be taken. number: the array code of what a form writes.
# hand, blas: other sources of the same function, or None. flops: of one call,
# by size, or None.
Kernel = collections.namedtuple(
    "Kernel", "name source modes number hand blas flops")

KERNELS = [
    Kernel("nbody", "nbody.cpp", ["strict", "fast"], "f", "nbody-hand.cpp",
           None, None),
    Kernel("gemm", "gemm.c", ["fast"], "d", None, "gemm-blas.c",
           lambda n: 2.0 * n ** 3),
]

# Of compilers and clang-raise alike. Without contraction every form of a strict
# kernel gives the same bits.
MODES = {"strict": (["-ffp-contract=off"], 0.0),
         "fast": (["-ffast-math"], 1e-4)}


def emit(args, work, kernel, mode, flags, blas):
    """The emitted source, from a copy with a .clang-raise beside it."""
    folder = os.path.join(work, f"{kernel.name}-{mode}" + ("-blas" * blas))
    os.makedirs(folder)
    source = shutil.copy(os.path.join(FOLDER, kernel.source), folder)
    with open(os.path.join(folder, ".clang-raise"), "w",
              encoding="utf-8") as out:
        out.write(f"fp: {mode}\n" + "blas: cblas\n" * blas)
    emitted = os.path.join(folder, "emitted-" + kernel.source)
    if not ratios.rewrite(args.tool, source, emitted, flags):
        raise SystemExit(f"{kernel.source}, {mode}: was not rewritten")
    return emitted


def forms_of(args, work, kernel, mode, here, cblas):
    """Name -> what makes the program of that form for a number of threads."""
    flags = MODES[mode][0] + args.flags
    if kernel.source.endswith(".cpp"):
        flags = flags + ["-std=c++17"]
    driver = os.path.join(HERE, kernel.source)

    def with_openmp(name, source, family, libraries=()):
        program = os.path.join(work, f"{kernel.name}-{mode}." +
                               name.replace(", ", "-"))
        ratios.compile_to(program, [driver, source], ratios.FLAGS + flags,
                          peers.compiler_of(args, family, source), libraries)
        return lambda threads: program

    def by_peer(peer):
        source = os.path.join(FOLDER, kernel.source)
        return lambda threads: peers.build(args, work, f"{kernel.name}-{mode}",
                                           peer, threads, [driver, source],
                                           flags)

    forms = {"original": with_openmp(
        "original", os.path.join(FOLDER, kernel.source), "clang")}
    for peer in here:
        forms[peer.name] = by_peer(peer)
    if kernel.hand:
        forms["by hand"] = with_openmp(
            "hand", os.path.join(FOLDER, kernel.hand), "clang")
    if kernel.blas and cblas:
        forms["OpenBLAS"] = with_openmp(
            "openblas", os.path.join(FOLDER, kernel.blas), "clang",
            ["-lopenblas"])
    tool_flags = ratios.FLAGS + flags
    emitted = emit(args, work, kernel, mode, tool_flags, False)
    forms["emitted"] = with_openmp("emitted", emitted, "clang")
    if any(peer.family == "gcc" for peer in here):
        forms["emitted, gcc"] = with_openmp("emitted, gcc", emitted, "gcc")
    if kernel.blas and cblas:
        emitted = emit(args, work, kernel, mode, tool_flags, True)
        forms["emitted, blas"] = with_openmp("emitted, blas", emitted, "clang",
                                             ["-lopenblas"])
    return forms


def output(command, kernel, work, threads):
    """The numbers that a form computes."""
    path = os.path.join(work, "output")
    subprocess.run(command + [path], check=True,
                   env=dict(os.environ, OMP_NUM_THREADS=str(threads)))
    numbers = array.array(kernel.number)
    with open(path, "rb") as file:
        numbers.frombytes(file.read())
    os.remove(path)
    return numbers


def differing(commands, kernel, mode, work, threads):
    """Form -> what is wrong with its output. Strict forms are compared by
    their bits."""
    before = output(commands["original"], kernel, work, threads)
    wrong = {}
    for name, command in commands.items():
        if name == "original":
            continue
        after = output(command, kernel, work, threads)
        if before.tobytes() == after.tobytes():
            continue
        found = (figures.difference(before, after, MODES[mode][1]) or
                 ("other bits" if mode == "strict" else ""))
        if found:
            wrong[name] = found
    return wrong


def seconds(text):
    return [("", float(text))]


def measure(args, kernel, mode, size, forms, here, work):
    """Threads -> form -> seconds, and form -> what is wrong with it."""
    times, wrong = {}, {}
    for threads in args.threads:
        skipped = {peer.name for peer in here
                   if peer.for_threads and threads == 1}
        commands = {name: [form(threads), str(size)]
                    for name, form in forms.items() if name not in skipped}
        differ = differing(commands, kernel, mode, work, threads)
        wrong.update(differ)
        for name in differ:
            del commands[name]
        times[threads] = figures.medians(commands, ratios.in_turn(
            commands.values(), args.runs, threads, seconds))
    return times, wrong


def lines_of(title, times, flops):
    """A table of one kernel at one size. times: threads -> form -> seconds."""
    header = [title]
    for threads in times:
        header += [figures.threads_text(threads) + ", ms"]
        header += ["GFLOP/s"] if flops else []
        header += ["times the original"]
    rows = []
    most = sorted(times.values(), key=len, reverse=True)
    for name in dict.fromkeys(name for own in most for name in own):
        row = [name]
        for own in times.values():
            there = name in own
            row.append(f"{1000 * own[name]:.3f}" if there else "")
            if flops:
                row.append(f"{flops / own[name] / 1e9:.2f}" if there else "")
            row.append(f"{own['original'] / own[name]:.2f}" if there else "")
        rows.append(row)
    return figures.table(header, rows)


def shipped(args, work, here, cblas):
    """The part of all kernels that are asked for."""
    lines, series, wrong, notes = [], {}, [], []
    if not cblas:
        notes.append("OpenBLAS is not here: no cblas.h, or no library")
    for kernel in KERNELS:
        if args.only and kernel.name not in args.only:
            continue
        for mode in kernel.modes:
            forms = forms_of(args, work, kernel, mode, here, cblas)
            for size in getattr(args, kernel.name):
                title = f"{kernel.name} {size}, {mode}"
                times, differ = measure(args, kernel, mode, size, forms, here,
                                        work)
                for name, what in differ.items():
                    (wrong if name.startswith("emitted") else
                     notes).append(f"{title}, {name}: {what}")
                lines += [""] * bool(lines)
                lines += lines_of(title, times,
                                  kernel.flops and kernel.flops(size))
                for threads, own in times.items():
                    series.setdefault(figures.threads_text(threads), {}).update(
                        (f"{title}: {name}", own["original"] / time)
                        for name, time in own.items() if name != "original")
    return figures.Part(
        "Shipped kernels",
        lines + [""] * bool(notes) + [f"- {note}" for note in notes],
        [plot.Chart("Shipped kernels: time of the original over that of each "
                    "form", series)], wrong)


def cpu_seconds(command):
    """User and system time of a command, the least of five."""
    least = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime -
                    before.ru_utime - before.ru_stime)
    return least


def tool_time(args):
    """How long the tool itself takes, against a compiler that only parses."""
    rows = []
    for name in ("nbody.cpp", "gemm.c"):
        source = os.path.join(FOLDER, name)
        clang = peers.compiler_of(args, "clang", source)
        syntax = cpu_seconds([clang, "-fopenmp", "-fsyntax-only", source])
        explain = cpu_seconds([args.tool, "explain", source, "--", "-fopenmp"])
        rows.append([name, f"{explain:.3f}", f"{syntax:.3f}",
                     f"{explain / syntax:.2f}"])
    return figures.Part(
        "The tool itself: CPU seconds",
        figures.table(["", "explain", "clang -fsyntax-only", "ratio"], rows),
        [], [])


def parts(args, work, here):
    if not args.only or set(args.only) & {kernel.name for kernel in KERNELS}:
        yield shipped(args, work, here, peers.has_cblas(args, work))
    if not args.only or "tool" in args.only:
        yield tool_time(args)
