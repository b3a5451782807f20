# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""results.py SOURCE JSON: the results of each line of SOURCE are those that its
comment `results: CODE...` names, one code for each (`none` for a result without
one), and no line has another result. `results below:` names the next line's."""

import json
import re
import sys

source, report = sys.argv[1:]
expected, found = {}, {}
for number, line in enumerate(open(source, encoding="utf-8"), 1):
    pattern = r"results( below)?: ((?:CR\d+|none)(?: (?:CR\d+|none))*)"
    if match := re.search(pattern, line):
        expected[number + bool(match[1])] = sorted(match[2].split())
for result in json.load(open(report, encoding="utf-8"))["results"]:
    if result["file"] == source:
        found.setdefault(result["line"], []).append(result["code"] or "none")
bad = 0
for line in sorted(expected.keys() | found.keys()):
    wanted, got = expected.get(line, []), sorted(found.get(line, []))
    if wanted != got:
        bad += 1
        print(f"{source}:{line}: results {got}, not {wanted}")
if not expected:
    bad = print(f"{source}: names no result") or 1
sys.exit(bad != 0)
