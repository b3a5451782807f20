# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a C++ source that compiles if the runtime headers define every function that the prelude declares: the names, after the runtime's includes, in
using-declarations of a namespace; and the address of each plain function with the declared type."""

import argparse
import os
import re

FILES = ["raise_runtime_decls.h", "raise_device_decls.h", "raise_sync_decls.h", "curand.h", "cublas_v2.h"]
LAUNCH = {"cudaConfigureCall", "__cudaPushCallConfiguration"}  # what <<<>>> calls; no program names them


def declarations(text):
    text = re.sub(r"//[^\n]*", "", text)
    # RAISE_ATOMIC(T, Name, parameters): three scopes. RAISE_BOTH(declaration): both sides.
    for value, name, parameters in re.findall(r"^RAISE_ATOMIC\((.*?), (atomic\w+), (.*)\)$", text, re.M):
        for scope in ("", "_block", "_system"):
            yield f"{value} {name}{scope}({parameters})"
    yield from re.findall(r"^RAISE_BOTH\((.*)\)$", text, re.M)
    text = re.sub(r"^#define.*?[^\\]\n", "", text, flags=re.M | re.S)
    text = re.sub(r"^(#|RAISE_ATOMIC|RAISE_BOTH).*$", "", text, flags=re.M)
    for part in text.split(";"):
        part = " ".join(part.split())
        if "(" in part and "RAISE_UNSUPPORTED" not in part and "typedef" not in part and "struct" not in part:
            yield re.sub(r"__(host|device)__ |\[\[noreturn\]\] |extern \"C\" ", "", part)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("prelude")
    parser.add_argument("--extra", default="")
    args = parser.parse_args()
    text = ["#include <raise/simt.h>\n#include <curand.h>\n#include <cublas_v2.h>\nnamespace names {"]
    found = [d for d in declarations(args.extra)]
    for name in FILES:
        with open(os.path.join(args.prelude, name)) as f:
            found += declarations(f.read())
    seen = 0
    plain = []
    for declaration in found:
        name = re.search(r"(\w+) ?\(", declaration).group(1)
        if name in LAUNCH:
            continue
        seen += 1
        text.append(f"using ::{name};")
        if not declaration.startswith("template"):
            plain.append((declaration, name))
    text.append("}")
    # A call with a value of each declared parameter type: it must find a function and give the declared type.
    for number, (declaration, name) in enumerate(plain):
        result = declaration[:re.search(r"(\w+) ?\(", declaration).start()].strip()
        parameters = declaration[declaration.index("(") + 1:declaration.rindex(")")]
        types = [re.sub(r"\s*=.*", "", p).strip() for p in parameters.split(",") if p.strip() not in ("", "void")]
        types = [re.sub(r"(?<=[\w*&] )\w+$|(?<=[*&])\w+$", "", t).strip() if t not in ("unsigned", "unsigned int", "long long int")
                 else t for t in types]
        arguments = ", ".join(f"std::declval<{t}>()" for t in types)
        text.append(f"static_assert(std::is_same<decltype(::{name}({arguments})), {result}>::value, \"{name} {number}\");")
    if seen < 400:
        raise SystemExit(f"only {seen} declarations found: the prelude's layout has changed")
    print("\n".join(text))


main()
