# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""status.py N command...: runs the command; exits 0 if and only if its exit
status was N."""

import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
if status != int(sys.argv[1]):
    sys.exit(f"exit status {status}, not {sys.argv[1]}: {' '.join(sys.argv[2:])}")
