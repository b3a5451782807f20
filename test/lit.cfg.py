# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit test suite. Substitutions: %raise_build, %source_root, %raise_opt, %clang_raise, %clang,
%clangxx, %gcc, %gxx, %runtime, %prelude, %prelude_flags, %python, %archer,
%omp_libs, %clang_apply_replacements. FileCheck and not are found on the PATH."""

import os
import shutil
import subprocess
import lit.formats

config.name = "clang-raise"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".rir", ".c", ".cpp", ".cu", ".test"]
config.excludes = ["Inputs", "tools", "unit", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(config.raise_binary_root, "test")

prelude_flags = " ".join([
    "-x cuda --cuda-host-only -nocudainc -nocudalib",
    "--cuda-path=/nonexistent -Xclang -fcuda-allow-variadic-functions",
    "-foffload-implicit-host-device-templates -Wno-register",
    "-isystem " + config.raise_prelude,
    "-include " + os.path.join(config.raise_prelude, "raise_cuda_prelude.h"),
])

# lit replaces in this order, so %clang comes after the names it begins.
tools = os.path.join(config.raise_binary_root, "bin")
config.substitutions += [
    ("%raise_build", config.raise_binary_root),
    ("%source_root", config.raise_source_root),
    ("%raise_opt", os.path.join(tools, "raise-opt")),
    ("%clang_raise", os.path.join(tools, "clang-raise")),
    ("%clang_apply_replacements",
     os.path.join(config.llvm_tools, "clang-apply-replacements")),
    ("%clangxx", config.clangxx),
    ("%clang", config.clang),
    ("%gxx", config.gxx),
    ("%gcc", config.gcc),
    ("%runtime", config.raise_runtime),
    ("%prelude_flags", prelude_flags),
    ("%prelude", config.raise_prelude),
    ("%python", config.python),
    # Of what it takes a processor with AVX10 for, Clang 19 warns itself.
    ("%native", "-march=native -Wno-invalid-feature-combination"),
    ("%archer", config.archer),
    ("%omp_libs", config.llvm_libs),
]

# For tests that say REQUIRES: clang-raise.
for tool in ("raise-opt", "clang-raise"):
    if os.path.exists(os.path.join(tools, tool)):
        config.available_features.add(tool)

if shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps"):
    config.available_features.add("dpkg")

if shutil.which("nvcc"):
    config.available_features.add("nvcc")
if shutil.which("csmith"):
    config.available_features.add("csmith")

# The review report is clicked through where a browser is, and a Python that can
# drive it; packages.txt has both.
if shutil.which("chromium") and shutil.which("chromedriver"):
    for python in (config.python, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import selenium"],
                          capture_output=True).returncode == 0:
            config.available_features.add("chromium")
            config.substitutions.append(("%browser_python", python))
            break

# Tests that read YAML.
for python in (config.python, "/usr/bin/python3"):
    if shutil.which(python) and subprocess.run(
            [python, "-c", "import yaml"], capture_output=True).returncode == 0:
        config.available_features.add("yaml")
        config.substitutions.append(("%yaml_python", python))
        break

# tools/FileCheck reads what is checked without the test's own comments.
config.environment["FILECHECK"] = os.path.join(config.llvm_tools, "FileCheck")
config.environment["PATH"] = os.pathsep.join([
    os.path.join(config.test_source_root, "tools"), config.llvm_tools,
    config.environment.get("PATH", "")])
config.substitutions.append(("%{path}", config.environment["PATH"]))
for name in ("OMP_NUM_THREADS", "OMP_TOOL_LIBRARIES", "RAISE_SIMT_ORDER"):
    config.environment.pop(name, None)
