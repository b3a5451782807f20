# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""database.py FOLDER FLAGS...: prints a compile_commands.json for the C and CUDA
files below FOLDER, with one command for each FLAGS."""

import json
import os
import sys

folder = sys.argv[1]
entries = []
for here, _, names in sorted(os.walk(folder)):
    for name in sorted(names):
        if not name.endswith((".c", ".cu")):
            continue
        for flags in sys.argv[2:]:
            path = os.path.join(here, name)
            entries.append({"directory": folder, "file": path,
                            "command": f"cc {flags} -c {path} -o {name}.o"})
json.dump(entries, sys.stdout)
