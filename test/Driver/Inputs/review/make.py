# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make.py <folder>: the sources of the review report's tests. The names of
some could not stand in a repository."""

import os
import shutil
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
loops = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loops.cpp")
shutil.copy(loops, os.path.join(folder, "loops.cpp"))
for name in ("<img src=x onerror=document.title='x'>.cpp", "\"a\"&'b'.cpp"):
    with open(os.path.join(folder, name), "w") as out:
        out.write("void f(int n, float *x) {\n"
                  "  for (int i = 0; i < n; ++i)\n"
                  "    x[i] = x[i] * 2.0f; // </pre></code></script>\n"
                  "}\n")
