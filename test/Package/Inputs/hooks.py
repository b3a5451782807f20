# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hooks.py <hooks.yaml> <id> <file>...: checks that the file is what pre-commit
reads as hook definitions, and runs the hook on the files, as it would. Exit status:
that of the hook."""

import re
import shlex
import subprocess
import sys

import yaml

with open(sys.argv[1], encoding="utf-8") as file:
    hooks = yaml.safe_load(file)
KEYS = {"id": str, "name": str, "description": str, "entry": str, "args": list, "language": str,
        "files": str, "require_serial": bool, "pass_filenames": bool}
for hook in hooks:
    for key, value in hook.items():
        assert isinstance(value, KEYS[key]), (hook["id"], key, value)
    assert {"id", "name", "entry", "language"} <= set(hook), hook
    assert hook["language"] == "system"
    # Without it every file of a commit is passed.
    pattern = re.compile(hook["files"])
    assert pattern.search("src/a.cpp"), hook
    # A header has no compile command of its own.
    assert not hook.get("pass_filenames", True) or not pattern.search("src/a.h"), hook
assert len({hook["id"] for hook in hooks}) == len(hooks)
(asked,) = [hook for hook in hooks if hook["id"] == sys.argv[2]]
files = sys.argv[3:] if asked.get("pass_filenames", True) else []
sys.exit(subprocess.run(shlex.split(asked["entry"]) + asked.get("args", []) + files).returncode)
