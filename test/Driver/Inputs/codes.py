# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""codes.py ROOT: each code CRnnnn that the sources of ROOT produce has a page in
docs/diagnostics, each page's code is produced, and each is named by a test."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
pattern = re.compile(r"CR\d{4}(?!\d)")


def codes(folder, suffixes):
    found = {}
    for path in sorted((root / folder).rglob("*")):
        if path.is_file() and path.suffix in suffixes:
            for code in pattern.findall(path.read_text(encoding="utf-8")):
                found.setdefault(code, path.relative_to(root))
    return found


pages = {path.stem for path in (root / "docs" / "diagnostics").glob("CR*.md")}
produced = codes("lib", {".cpp", ".h"}) | codes("include", {".h"})
tests = codes("test", {".c", ".cpp", ".cu", ".rir", ".test"})
problems = [f"{produced[c]}: {c} has no page" for c in sorted(produced.keys() - pages)]
problems += [f"docs/diagnostics/{c}.md: nothing produces {c}" for c in sorted(pages - produced.keys())]
problems += [f"docs/diagnostics/{c}.md: no test names {c}" for c in sorted(pages - tests.keys())]
for code in sorted(pages):
    title = (root / "docs" / "diagnostics" / f"{code}.md").read_text(encoding="utf-8").split("\n")[0]
    if not title.startswith(f"# {code}: "):
        problems.append(f"docs/diagnostics/{code}.md: its title is not '# {code}: ...'")
print("\n".join(problems))
sys.exit(not pages or bool(problems))
