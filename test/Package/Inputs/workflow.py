# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""workflow.py <workflow.yml> <folder>: runs the workflow's own `run:` lines in the
folder, as GitHub's runner does, but for the step that installs packages. Stops at
the first that fails. Exit status: that of the step.

workflow.py --upload <workflow.yml>: the file that the workflow uploads as SARIF."""

import subprocess
import sys

import yaml


def steps_of(path):
    with open(path, encoding="utf-8") as file:
        workflow = yaml.safe_load(file)
    assert workflow["permissions"]["security-events"] == "write"
    (job,) = workflow["jobs"].values()
    return job["steps"]


if sys.argv[1] == "--upload":
    (upload,) = [s for s in steps_of(sys.argv[2])
                 if s.get("uses", "").startswith("github/codeql-action/upload-sarif@")]
    # Also where a step before it has failed: those are the results to see.
    assert upload["if"] == "${{ !cancelled() }}", upload
    print(upload["with"]["sarif_file"])
    sys.exit(0)

ran = 0
for step in steps_of(sys.argv[1]):
    if "run" not in step or step["name"] == "Install":
        continue
    print("step: " + step["name"], flush=True)
    ran += 1
    status = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=sys.argv[2],
                            stderr=subprocess.STDOUT).returncode
    if status:
        sys.exit(status)
assert ran >= 2, "no steps"
