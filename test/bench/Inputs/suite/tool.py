#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for clang-raise: says that it rewrote vmap and kernel_scale,
and changes what they compute where RAISE_FAULT says so."""

import os
import sys

CHANGES = {"vmap": ("b[i] + 1;", "b[i] + 1.5f;"),
           "kernel_scale": ("0.001 * i;", "0.0010001 * i;")}


def main(arguments):
    source = next(a for a in arguments if a.endswith((".c", ".cpp")))
    with open(source, encoding="utf-8") as file:
        text = file.read()
    for name, change in CHANGES.items():
        if f"{name}(" not in text:
            continue
        if os.environ.get("RAISE_FAULT") == "1":
            text = text.replace(*change)
        text = f"/* clang-raise: {name}:1 */\n#define CYCLES 1000000\n" + text
    with open(arguments[arguments.index("-o") + 1], "w", encoding="utf-8") as out:
        out.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
