# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configures, and where that succeeds builds, a project for each mistake, and
looks for the message. mistakes.py <build folder> <work folder> <compiler>"""

import os
import subprocess
import sys

BUILD, WORK, COMPILER = sys.argv[1:]
HEAD = """cmake_minimum_required(VERSION 3.20)
project(mistakes LANGUAGES CXX)
find_package(ClangRaise REQUIRED PATHS "%s" NO_DEFAULT_PATH)
add_library(model STATIC f.cpp g.cpp)
""" % BUILD

# The call, the message, and whether it comes while building.
MISTAKES = [
    ("clang_raise_gradient(modle FUNCTION f)",
     "clang_raise_gradient(modle): there is no target 'modle'"),
    ("clang_raise_gradient(model SOURCE f.cpp)",
     "clang_raise_gradient(model): name the function to differentiate: FUNCTION <name>."),
    ("clang_raise_gradient(model FUNCTION f)",
     "say with SOURCE which file holds the function; the sources of model are: f.cpp, g.cpp."),
    ("clang_raise_gradient(model FUNCTION f SOURCE h.cpp)",
     "/h.cpp'; the sources of model are: f.cpp, g.cpp."),
    ("clang_raise_gradient(model FUNCTION f SOURCE f.cpp MODE backward)",
     "MODE is reverse or forward, not 'backward'."),
    ("clang_raise_gradient(model FUNCTION f SOURCE f.cpp WRT)",
     "WRT needs a value."),
    ("clang_raise_gradient(model verify FUNCTION f SOURCE f.cpp)",
     "'verify' is not understood"),
    ("clang_raise_gradient(model FUNCTION f SOURCE f.cpp)\n"
     "clang_raise_gradient(model FUNCTION f2 SOURCE f.cpp)",
     "f_adjoint.cpp' is made by an earlier call already; give this one a name of its own with OUTPUT"),
    ("add_library(headers INTERFACE)\nclang_raise_rewrite(headers)",
     "'headers' compiles no sources here"),
    ("clang_raise_rewrite(model SOURCES other.cpp)",
     "/other.cpp' is none of the target's sources, which are: f.cpp, g.cpp."),
    ("add_library(later STATIC)\nclang_raise_rewrite(later)\ntarget_sources(later PRIVATE f.cpp)",
     "the target has no C, C++ or CUDA source; call it after its sources were added."),
    ("add_subdirectory(below)",
     "call it in "),
    ("clang_raise_gradient(model FUNCTION g SOURCE f.cpp)",
     "no function with a body is called 'g'", True),
    ("clang_raise_gradient(model FUNCTION f SOURCE other.cpp)",
     "target 'model' does not compile", True),
    ("clang_raise_gradient(model FUNCTION f SOURCE f.cpp WRT z)",
     "'z'", True),
    ("clang_raise_gradient(model FUNCTION f SOURCE f.cpp OPTIONS --fp=loose)",
     "fp is strict, reduce or fast, not 'loose'", True),
]


def run(*command):
    done = subprocess.run(command, cwd=WORK, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    # CMake breaks the lines of its messages.
    return done.returncode, " ".join(done.stdout.split())


def write(name, text):
    os.makedirs(os.path.dirname(os.path.join(WORK, name)), exist_ok=True)
    with open(os.path.join(WORK, name), "w", encoding="utf-8") as file:
        file.write(text)


for name in ("f", "g", "other"):
    write(name + ".cpp", "double %s(double x) { return x * x; }\n"
                         "double %s2(double x) { return x; }\n" % (name, name))
write("below/CMakeLists.txt", "clang_raise_gradient(model FUNCTION f SOURCE ../f.cpp)\n")
for call, message, *building in MISTAKES:
    write("CMakeLists.txt", HEAD + call + "\n")
    status, said = run("cmake", "-G", "Ninja", "-B", "build", "-DCMAKE_CXX_COMPILER=" + COMPILER)
    if building:
        assert status == 0, said
        status, said = run("ninja", "-C", "build")
    assert status != 0, call + " was accepted"
    assert message in said, "%s\nsaid: %s\nnot: %s" % (call, said, message)

write("CMakeLists.txt", HEAD)
status, said = run("cmake", "-G", "Ninja", "-B", "none", "-DCMAKE_CXX_COMPILER=" + COMPILER)
assert status == 0, said
