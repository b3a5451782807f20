# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_options.py <clang-raise> <page>: the page's options are those of --help, in
its order."""

import re
import subprocess
import sys

helped = re.findall(r"^  (--?[a-z][a-z-]*)", subprocess.run(
    [sys.argv[1], "--help"], check=True, text=True, stdout=subprocess.PIPE).stdout, re.MULTILINE)
with open(sys.argv[2], encoding="utf-8") as file:
    page = file.read().split("\nOPTIONS\n")[1].split("\nEXIT STATUS\n")[0]
paged = re.findall(r"^       (--?[a-z][a-z-]*)", page, re.MULTILINE)
assert len(helped) > 20 and helped == paged, (helped, paged)
