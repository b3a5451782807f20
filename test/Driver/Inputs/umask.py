# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""umask.py MASK command...: runs the command under that creation mask (octal)."""

import os
import sys

os.umask(int(sys.argv[1], 8))
os.execvp(sys.argv[2], sys.argv[2:])
