# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shards.py WHOLE PART...: the files of the results WHOLE are those of the PARTs,
each in one of them. shards.py --below MORE PART: all of PART's are among MORE's."""

import json
import sys


def files(name):
    with open(name, encoding="utf-8") as file:
        return {result["file"] for result in json.load(file)["results"]}


if sys.argv[1] == "--below":
    assert files(sys.argv[3]) <= files(sys.argv[2])
else:
    whole, parts = files(sys.argv[1]), [files(name) for name in sys.argv[2:]]
    assert whole and set().union(*parts) == whole
    assert sum(len(part) for part in parts) == len(whole)
