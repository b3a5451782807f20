# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""apply-sarif.py LOG FILE: prints FILE with the fixes that LOG has for it."""

import json
import os
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    (run,) = json.load(file)["runs"]
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    lines = file.read().splitlines(keepends=True)
fixes = [c for r in run["results"] for f in r.get("fixes", ())
         for c in f["artifactChanges"]
         if os.path.basename(c["artifactLocation"]["uri"]) == os.path.basename(sys.argv[2])]
(change,) = fixes
for one in reversed(change["replacements"]):
    region = one["deletedRegion"]
    assert region["startColumn"] == 1 and region["endColumn"] == 1
    lines[region["startLine"] - 1:region["endLine"] - 1] = [one["insertedContent"]["text"]]
sys.stdout.write("".join(lines))
