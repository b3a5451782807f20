#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints "N passed, M failed" over the unit and lit tests of a build folder.

The numbers come from the XML files that GoogleTest and lit left in
<build>/test-results. A test binary named in <build>/unittests.txt that left no
readable file (it crashed, or never ran) is one failure, and so is a missing lit
result. Exit status 1 if anything failed or nothing ran.
"""

import os
import sys
import xml.etree.ElementTree as ET


def count_cases(path):
    """Returns (passed, failed) over the <testcase> elements of one file."""
    passed = failed = 0
    for case in ET.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is None and case.get("status") != "notrun":
            passed += 1
    return passed, failed


def main(build):
    results = os.path.join(build, "test-results")
    with open(os.path.join(build, "unittests.txt"), encoding="utf-8") as names:
        units = names.read().split()
    files = [os.path.join(results, "unit", name + ".xml") for name in units]
    files.append(os.path.join(results, "lit.xml"))
    passed = failed = 0
    for path in files:
        try:
            good, bad = count_cases(path)
        except (OSError, ET.ParseError) as error:
            print(f"no test result: {path}: {error}", file=sys.stderr)
            good, bad = 0, 1
        passed += good
        failed += bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: count.py <build folder>")
    sys.exit(main(sys.argv[1]))
