#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""table.py results.json: one line for each file, then each kernel that was left
or not verified with its reason, then the totals. Exit status 1 if a verification
failed."""

import collections
import json
import os
import sys


def main(path):
    with open(path, encoding="utf-8") as file:
        results = json.load(file)["results"]
    kernels = [r for r in results if r["construct"] == "kernel"]
    files = collections.defaultdict(collections.Counter)
    total = collections.Counter()
    for k in kernels:
        keys = ["kernels", k["status"]]
        if k["status"] in ("raised", "partial"):
            keys.append(k["verification"])
        for key in keys:
            files[os.path.basename(k["file"])][key] += 1
            total[key] += 1
    columns = ["kernels", "raised", "partial", "left", "passed", "inconclusive",
               "failed"]
    print(f"{'file':34}" + "".join(f"{c:>13}" for c in columns))
    for name, counts in [*sorted(files.items()), ("all", total)]:
        print(f"{name:34}" + "".join(f"{counts[c]:13}" for c in columns))
    print()
    for k in kernels:
        place = f"{os.path.basename(k['file'])}:{k['line']}: {k['function']}"
        if k["status"] in ("left", "failed"):
            print(f"{k['status']}: {place}: {k['reason']} [{k['code']}]")
        elif k["verification"] not in ("passed", "none"):
            print(f"{k['verification']}: {place}: {k['verification_detail']}")
    return 1 if total["failed"] or not kernels else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: table.py <results.json>")
    sys.exit(main(sys.argv[1]))
