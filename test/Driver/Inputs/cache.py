# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cache.py TOOL: what TOOL answers with a cache is what it answers without, after
each change of something that the answer depends on; and it does answer from it."""

import hashlib
import os
import pathlib
import subprocess
import sys

tool = sys.argv[1:]


def write(name, text):
    pathlib.Path(name).write_text(text, encoding="utf-8")


def run(*options, environment=None):
    out = subprocess.run(
        [*tool, "rewrite", "a.c", "--diff", *options, "--", "-fopenmp", "-Iearly", "-Ilate"],
        capture_output=True, env={**os.environ, **(environment or {})})
    return out.returncode, out.stdout, out.stderr


def entries():
    return {p.name: p.read_bytes() for p in pathlib.Path("cache").iterdir()}


def same(what, *options, environment=None):
    fresh = run(*options, environment=environment)
    for _ in range(2):
        cached = run("--cache=cache", *options, environment=environment)
        assert cached == fresh, (what, cached, fresh)
    return fresh


write("a.c", '#include "h.h"\n#if __has_include("extra.h")\nvoid g(float *a) {\n  for (int i = 0; i < 8; ++i)\n'
      "    a[i] = 1;\n}\n#endif\nvoid f(float *restrict a, int n) {\n  for (int i = 0; i < n; ++i)\n"
      "    a[i] = k() * a[i];\n}\n")
write("late/h.h", "static float k(void) { return 1; }\n")
seen = {same("at first")}

# It is the kept answer that is given.
(name, text), = entries().items()
head, body = text[:22], text[54:]
assert head == b"clang-raise results 2\n" and hashlib.md5(body).hexdigest().encode() == text[22:54]
assert b"clang-raise: f:1" in body
body = body.replace(b"clang-raise: f:1", b"clang-raise: f:7")
pathlib.Path("cache", name).write_bytes(head + hashlib.md5(body).hexdigest().encode() + body)
assert b"clang-raise: f:7" in run("--cache=cache")[1]
os.remove(pathlib.Path("cache", name))


def change(what, *options, environment=None):
    answer = same(what, *options, environment=environment)
    assert answer not in seen, what
    seen.add(answer)


write("late/h.h", "float k(void);\n")
change("a header")
write("early/h.h", "#define k() 4\n")
change("a header before it")
write("late/extra.h", "")
change("a header that was asked for")
os.mkdir("env")
write("a.c", pathlib.Path("a.c").read_text().replace("* a[i]", "* a[i] * 2"))
change("the source")
write(".clang-format", "IndentWidth: 7\n")
change("the style")
write(".clang-raise", "machine: {parallel-work: 1000}\n")
change("the configuration")
change("an option", "--alias=assume", "--fp=strict", "--function=nobody")
write("env/extra2.h", "")
same("the environment", environment={"CPATH": "env"})

# What was damaged, or is of another kind, is not believed.
for name, text in entries().items():
    pathlib.Path("cache", name).write_bytes(text[:-5] + b"12345")
same("damage")
for name, text in entries().items():
    pathlib.Path("cache", name).write_bytes(text[: len(text) // 2])
same("half a file")

for made in (".clang-raise", ".clang-format", "a.c"):
    os.remove(made)
