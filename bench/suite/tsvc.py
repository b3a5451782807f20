# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TSVC-2: each loop as it was over each loop as emitted, by the same compiler."""

import os

import figures
import plot
import ratios

# The loops that no compiler transforms.
UNTRANSFORMED = (
    "s1113 s116 s123 s141 s211 s212 s1213 s221 s222 s241 s242 s244 s1244 s2251 "
    "s256 s258 s261 s277 s281 s31111 s318 s3110 s13110 s3112 s321 s322 s323 "
    "s332 s341 s342 s343 s481 s482").split()
TOLERANCE = 1e-3  # floats; a checksum adds thirty thousand of them
LEAST = 2.0 ** -126  # below it a product in another order may end at 0


def differing(texts):
    """Loop -> what is wrong with its checksum in the second program."""
    before, after = ({loop: 0.0 if abs(checksum) < LEAST else checksum
                      for loop, _, checksum in ratios.tsvc_lines(text)}
                     for text in texts)
    wrong = {} if before else {"main": "prints no checksums"}
    for loop, checksum in before.items():
        found = figures.difference(
            [checksum], [after[loop]] if loop in after else [], TOLERANCE)
        if found:
            wrong[loop] = found
    return wrong


def lines_of(found, rewritten, below=0.95):
    """Tables of what in_turn gave. found: threads -> loop -> ratio."""
    lines = ["| | rewritten | geomean | others, 5 % to 95 % | "
             f"below {below:g} | above 1.1 |", "|---|---|---|---|---|---|"]
    for threads, own in found.items():
        lines += ratios.report(figures.threads_text(threads), own, rewritten,
                               below)[0]
    # What stays as it is runs the same code: it is 1, whatever was measured.
    left = [loop for loop in UNTRANSFORMED
            if all(loop in own for own in found.values())]
    if not left:
        return lines
    counted = {threads: {loop: own[loop] if loop in rewritten else 1.0
                         for loop in left} for threads, own in found.items()}
    rows = [[loop + ("" if loop in rewritten else " (as it was)")] +
            [f"{own[loop]:.2f}" for own in counted.values()] for loop in left]
    rows.append([f"geomean of {len(left)}"] +
                [f"{ratios.geomean(own.values()):.2f}"
                 for own in counted.values()])
    return lines + ["", "The loops that no compiler transforms:", ""] + \
        figures.table([""] + [figures.threads_text(n) for n in counted], rows)


def parts(args, work):
    with open(os.path.join(args.tsvc, "src", "tsvc.c"), encoding="utf-8",
              errors="replace") as text:
        loops = ratios.tsvc_loops(text.read())
    if args.only and not set(args.only) & set(loops):
        return
    commands, rewritten = ratios.tsvc_programs(args.tool, args.tsvc, work,
                                               args.only)
    found, wrong = {}, {}
    for threads in args.threads:
        found[threads] = ratios.ratios_of(ratios.in_turn(
            commands, args.runs, threads, ratios.tsvc_seconds,
            lambda texts: wrong.update(differing(texts))))
    for own in found.values():
        for loop in wrong:
            own.pop(loop, None)
    shown = {figures.threads_text(threads):
             {loop: own[loop] for loop in loops
              if loop in own and loop in rewritten}
             for threads, own in found.items()}
    yield figures.Part(
        "TSVC-2: time of the original over that of the emitted loop",
        lines_of(found, rewritten),
        [plot.Chart("TSVC-2: time of the original over that of the emitted "
                    "loop, of what was rewritten", shown)],
        [f"TSVC-2 {loop}, checksum: {what}" for loop, what in wrong.items()])
