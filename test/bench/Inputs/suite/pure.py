# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pure.py SUITE: what the modules of that folder make of given figures."""

import array
import math
import sys
import xml.dom.minidom

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import figures
import kernels
import plot
import polybench
import ratios
import tsvc

NAN, INF = float("nan"), float("inf")

# An even number of runs, and one that the machine disturbed.
found = figures.medians(["a", "b"], [{"": [3.0, 1.0, 2.0, 9.0]}, {"": [5.0]}])
assert found == {"a": 2.5, "b": 5.0}, found

assert abs(ratios.geomean([0.5, 8.0]) - 2.0) < 1e-12
assert ratios.geomean([]) == 1

# Outputs.
same = figures.difference
assert same([1.0, NAN, INF], [1.0, NAN, INF], 0.0) == ""
assert same([1.0, 1000.0], [1.0, 1000.9], 1e-3) == ""
# What is small beside the rest is a rounding error.
assert same([1e-9, 1000.0], [2e-9, 1000.0], 1e-6) == ""
assert "element 1 is 2 instead of 1" in same([1.0, 1.0], [1.0, 2.0], 1e-3)
assert "1 numbers instead of 2" in same([1.0, 1.0], [1.0], 1.0)
assert "nothing" in same([], [], 1.0)
assert same([INF], [1.0], 1.0) and same([1.0], [INF], 1.0)
assert same([INF], [-INF], 1.0) and same([1.0], [NAN], 1.0)

DUMP = "begin dump: A\n1 2 \nend   dump: A\nbegin dump: B\n3 \nend   dump: B\n"
assert list(polybench.numbers(polybench.arrays(DUMP)["A"])) == [1.0, 2.0]
assert polybench.difference(DUMP, DUMP) == ""
assert polybench.difference(DUMP, DUMP.replace("2", "2.000001")) == ""
assert "A, where lines differ: element 1" in polybench.difference(
    DUMP, DUMP.replace("2", "2.001"))
assert "B: 0 lines" in polybench.difference(DUMP, DUMP[:DUMP.index("begin dump: B")])
assert "1 numbers instead of 2" in polybench.difference(
    DUMP, DUMP.replace("1 2", "1"))
assert "zeros" in polybench.difference("", "")
ZEROS = "begin dump: A\n0.0 0 \nend   dump: A\n"
assert "zeros" in polybench.difference(ZEROS, ZEROS)

CHECKSUMS = "Loop\tTime(sec)\tChecksum\n s000\t0.1\t5.0\n s111\t0.1\t7.0\n"
assert tsvc.differing([CHECKSUMS, CHECKSUMS.replace("0.1", "0.2")]) == {}
assert list(tsvc.differing([CHECKSUMS, CHECKSUMS.replace("7.0", "7.1")])) == ["s111"]
assert tsvc.differing([CHECKSUMS.replace("7.0", "7e-44"),
                       CHECKSUMS.replace("7.0", "0")]) == {}
assert list(tsvc.differing([CHECKSUMS, CHECKSUMS.replace("s000", "s001")])) == ["s000"]
assert tsvc.differing(["", ""])
assert len(tsvc.UNTRANSFORMED) == len(set(tsvc.UNTRANSFORMED)) == 33

# One bit is too much where nothing may be rounded otherwise.
OUTPUTS = {"original": [1.0, 3.0], "emitted": [1.0, 3.0 + 2.0 ** -22],
           "by hand": [1.0, 3.1], "gcc": [1.0, 3.0]}
kernels.output = lambda command, *_: array.array("f", OUTPUTS[command])
commands = {name: name for name in OUTPUTS}
strict, fast = (kernels.differing(commands, None, mode, "", 1)
                for mode in ("strict", "fast"))
assert set(strict) == {"emitted", "by hand"}, strict
assert set(fast) == {"by hand"}, fast

# Tables.
print("\n".join(kernels.lines_of(
    "gemm", {1: {"original": 0.004, "emitted": 0.001},
             2: {"original": 0.004, "polly parallel": 0.002}}, 4e6)))
print("\n".join(polybench.lines_of(
    {"atax": {"original": 4e6, "gcc": 2e6, "emitted": 8e6, "emitted, gcc": 1e6},
     "gemm": {"original": 4e6, "polly": 3e6, "emitted": 1.5e6}}, {"gemm"})[0]))
assert polybench.lines_of({}, set())[1] == {}
print("\n".join(tsvc.lines_of(
    {1: {"s113": 3.0, "s116": 4.0, "s123": 1.3}}, {"s113", "s116"})))

# The plot: bars begin at 1, their lengths are logarithms.
chart = plot.Chart("A < B", {"1 thread": {"twice": 2.0, "half": 0.5, "four": 4.0},
                             "2 threads": {"half": 0.25}})
root = xml.dom.minidom.parseString(plot.svg([plot.Chart("none", {"": {}}), chart]))
texts = [t.firstChild.data for t in root.getElementsByTagName("text")]
assert "A < B" in texts and "none" not in texts, texts
assert texts.count("half") == 1, texts
assert "prefers-color-scheme: dark" in root.getElementsByTagName("style")[0].firstChild.data
bars = {r.getElementsByTagName("title")[0].firstChild.data:
        (float(r.getAttribute("x")), float(r.getAttribute("width")))
        for r in root.getElementsByTagName("rect") if r.getElementsByTagName("title")}
twice, half, four = (bars[f"{name}, 1 thread: {ratio}"] for name, ratio in
                     (("twice", 2), ("half", 0.5), ("four", 4)))
assert abs(twice[0] - four[0]) < 0.2 and abs(half[0] + half[1] - twice[0]) < 0.2
assert math.isclose(four[1], 2 * twice[1], abs_tol=0.2)
assert math.isclose(half[1], twice[1], abs_tol=0.2)
assert "half, 2 threads: 0.25" in bars
for low, high in ((0.9, 1.1), (0.013, 731.0), (1.0, 1.0)):
    marks = plot.ticks(low, high)
    assert marks[0] <= low and marks[-1] >= high and 1.0 in marks, marks
    assert marks[1] > low or marks[1] > 0.5 - 1e-9, marks
# More than forty rows stand beside each other.
many = plot.Chart("many", {"": {f"s{n}": 2.0 for n in range(100)}})
_, wide, end = plot.draw(many, 0)
_, narrow, short = plot.draw(plot.Chart("few", {"": {f"s{n}": 2.0 for n in range(34)}}), 0)
assert wide > 2 * narrow and end == short, (wide, narrow, end, short)
