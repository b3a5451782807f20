#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for clang-raise, with the fault that RAISE_FAULT names: `none`
copies the source; `wrong` turns sums into differences; `crash` stops at a file
that divides; `text` writes what is not C in place of a division; `memory` reads
through a null pointer there; `csmith` changes what csmith's main begins with."""

import os
import sys


def main(arguments):
    fault = os.environ["RAISE_FAULT"]
    source = next(a for a in arguments if a.endswith((".c", ".cpp")))
    with open(source, encoding="utf-8") as file:
        text = file.read()
    if fault == "wrong":
        text = text.replace("] += ", "] -= ")
    if fault == "crash" and " / " in text:
        return 139
    if fault == "text":
        text = text.replace(" / ", " /] ")
    if fault == "memory":
        text = text.replace(" / ", " / *(volatile int *)0 / ")
    if fault == "csmith":
        text = text.replace("crc32_gentab();", "crc32_gentab(); crc32_byte(1);")
    with open(arguments[arguments.index("-o") + 1], "w", encoding="utf-8") as file:
        file.write(text)
    for results in (a for a in arguments if a.startswith("--json=")):
        with open(results.split("=", 1)[1], "w", encoding="utf-8") as file:
            file.write('{"version": 1, "results": []}')
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
