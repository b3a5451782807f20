# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kill.py SOURCE TOOL: edits copies of SOURCE in place and kills TOOL, 30 times at
another moment each: no copy is anything but SOURCE or the result."""

import pathlib
import random
import signal
import subprocess
import sys
import time

old = pathlib.Path(sys.argv[1]).read_bytes()
names = [f"f{i}.c" for i in range(12)]
command = [*sys.argv[2:], "rewrite", *names, "--in-place", "--", "-fopenmp"]


def reset():
    for name in names:
        pathlib.Path(name).write_bytes(old)


reset()
begin = time.monotonic()
subprocess.run(command, check=True, capture_output=True)
whole = time.monotonic() - begin
(new,) = {pathlib.Path(name).read_bytes() for name in names}
assert new != old
random.seed(7)
for _ in range(30):
    reset()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Files are written at the end.
    time.sleep(whole * random.uniform(0.6, 1.05))
    process.send_signal(signal.SIGKILL)
    process.wait()
    for name in names:
        assert pathlib.Path(name).read_bytes() in (old, new), name
