# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether outputs agree, what times come to, and the tables of both."""

import collections
import math
import re
import statistics

# One part of what is printed. lines: markdown; charts: of the plot; wrong: the
# outputs of emitted code that differ.
Part = collections.namedtuple("Part", "title lines charts wrong")


def mean_of(numbers):
    """The mean of the absolute values."""
    total, count = 0.0, 0
    for number in numbers:
        if math.isfinite(number):
            total, count = total + abs(number), count + 1
    return total / count if count else 0.0


def difference(before, after, tolerance, mean=None):
    """What is wrong with these numbers; empty where they agree. Small elements
    are compared with the mean: sums cancel."""
    if len(before) != len(after):
        return f"{len(after)} numbers instead of {len(before)}"
    if not before:
        return "there is nothing to compare"
    if mean is None:
        mean = mean_of(before)
    for at, (x, y) in enumerate(zip(before, after)):
        if x == y or (math.isnan(x) and math.isnan(y)):
            continue
        apart = abs(x - y)
        if not (math.isfinite(apart) and
                apart <= tolerance * max(abs(x), abs(y), mean)):
            return f"element {at} is {y:.9g} instead of {x:.9g}"
    return ""


def medians(names, times):
    """Name -> median, of what in_turn gives for commands of one result each."""
    return {name: statistics.median(own)
            for name, found in zip(names, times) for own in found.values()}


def table(header, rows):
    """Lines of markdown. A column without a digit in it is one of words."""
    def rule(column):
        return "---:" if re.search(r"\d", "".join(column)) else "---"

    rules = ["---"] + [rule(column) for column in list(zip(*rows))[1:]]
    return ["| " + " | ".join(row) + " |" for row in [header, rules, *rows]]


def threads_text(threads):
    return f"{threads} thread" + ("s" if threads > 1 else "")


def best_peer(found, emitted):
    """Of a kernel's times: the best peer, the best emitted form, and the time
    of the one over that of the other."""
    form = min((n for n in emitted if n in found), key=found.get)
    peer = min((n for n in found if n not in emitted), key=found.get)
    return peer, form, found[peer] / found[form]
