#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the manual page and the completions of the shells from what the tool
itself says with --help, so that they name what is there and nothing else.

  generate.py <clang-raise> man|bash|zsh|fish <output>

The manual page's prose is clang-raise.1.in; an option that it names and the tool
does not have is an error."""

import os
import re
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))


def die(text):
    sys.exit("generate.py: " + text)


class Option:
    def __init__(self, name, value, text):
        self.name, self.value, self.text = name, value, text
        self.commands = []

    def words(self):
        """The values that can be completed: `strict|reduce|fast`."""
        return self.value.split("|") if "|" in self.value else []

    def takes(self):
        """What the value is a path of: "folder", "file" or ""."""
        return {"<dir>": "folder", "<file>": "file", "<yaml>": "file",
                "<path>": "file"}.get(self.value, "")

    def spelled(self):
        if not self.value:
            return self.name
        return self.name + (" " if len(self.name) == 2 else "=") + self.value


def help_of(tool, *command):
    return subprocess.run([tool, *command, "--help"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def section(text, title):
    """The indented lines under a title."""
    match = re.search(r"^%s:\n((?:  .*\n)+)" % title, text, re.MULTILINE)
    if not match:
        die("--help has no section '%s'" % title)
    return match.group(1).splitlines()


def options_of(text):
    found = []
    for line in section(text, "options"):
        match = re.match(r"  (--?[a-z][a-z-]*)(?:[ =](<[^>]*>|\S+\|\S+))?\s+(\S.*)$", line)
        if not match:
            die("cannot read this line of --help: " + line)
        found.append(Option(match.group(1), match.group(2) or "", match.group(3)))
    return found


class Tool:
    def __init__(self, path):
        text = help_of(path)
        self.commands = [line.split(None, 1) for line in section(text, "commands")]
        self.options = options_of(text)
        # "(rewrite, grad)" at the end says the same as the commands' own help.
        for option in self.options:
            option.text = re.sub(r" \([a-z, ]+\)$", "", option.text) \
                if self.restricted(option.text) else option.text
        for command, _ in self.commands:
            names = {o.name for o in options_of(help_of(path, command))}
            for option in self.options:
                if option.name in names:
                    option.commands.append(command)
        status = re.search(r"^exit status: (.*)\Z", text, re.MULTILINE | re.DOTALL)
        if not status:
            die("--help does not end with the exit status")
        self.status = [s.strip() for s in " ".join(status.group(1).split()).split(";")]
        self.version = subprocess.run([path, "--version"], check=True, text=True,
                                      stdout=subprocess.PIPE).stdout.split()[1]

    def restricted(self, text):
        match = re.search(r" \(([a-z, ]+)\)$", text)
        names = {name for name, _ in self.commands}
        return match and set(match.group(1).split(", ")) <= names

    def of(self, command):
        return [o for o in self.options if command in o.commands]

    def everywhere(self, option):
        return len(option.commands) == len(self.commands)


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def manual(tool):
    with open(os.path.join(FOLDER, "clang-raise.1.in"), encoding="utf-8") as file:
        page = file.read()
    commands = "".join(".TP\n.B %s\n%s\n" % (name, roff(text[0].upper() + text[1:] + "."))
                       for name, text in tool.commands)
    options = ""
    for option in tool.options:
        only = "" if tool.everywhere(option) else " (%s)" % ", ".join(option.commands)
        text = option.text[0].upper() + option.text[1:]
        options += ".TP\n.B %s\n%s\n" % (roff(option.spelled()), roff(text + only + "."))
    status = ""
    for each in tool.status:
        number, text = each.split(None, 1)
        status += ".TP\n.B %s\n%s\n" % (number, roff(text[0].upper() + text[1:] + "."))
    for mark, text in (("VERSION", tool.version), ("COMMANDS", commands),
                       ("OPTIONS", options), ("STATUS", status)):
        page = page.replace("@%s@" % mark, text.rstrip("\n"))
    known = {o.name for o in tool.options}
    for name in re.findall(r"(?<![\w\\-])(--[a-z][a-z-]*)", page.replace("\\-", "-")):
        if name not in known:
            die("clang-raise.1.in names the option %s, which the tool does not have" % name)
    return page


BASH = '''# bash completion for clang-raise; made from its --help.
_clang_raise() {
  local cur=${COMP_WORDS[COMP_CWORD]} option= command= word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    # What follows are flags of a compiler.
    [[ $word == -- ]] && return
    case $word in @NAMES@) [[ $command ]] || command=$word ;; esac
  done
  # --fp=strict comes as three words.
  if [[ $cur == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 1]} cur=
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  else
    option=${COMP_WORDS[COMP_CWORD - 1]}
  fi
  case $option in
@VALUES@
  esac
  case $command in
@OPTIONS@
  *) COMPREPLY=($(compgen -W "@COMMANDS@ @ALWAYS@" -- "$cur")) ;;
  esac
  # A name that ends in = is gone on with.
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null
  return 0
}
complete -o bashdefault -o default -F _clang_raise clang-raise
'''


def always(tool):
    """What may stand before a command: what ends the run at once."""
    return [o for o in tool.options if o.name in ("--help", "--version", "--print-include-dir")]


def bash(tool):
    values = ""
    for option in tool.options:
        if option.words():
            values += '  %s)\n    COMPREPLY=($(compgen -W "%s" -- "$cur"))\n    return ;;\n' % (
                option.name, " ".join(option.words()))
        elif option.takes():
            values += '  %s)\n    COMPREPLY=($(compgen -%s -- "$cur"))\n    compopt -o filenames 2> /dev/null\n    return ;;\n' % (
                option.name, "d" if option.takes() == "folder" else "f")
        elif option.value:
            values += "  %s) return ;;\n" % option.name
    options = ""
    for command, _ in tool.commands:
        words = [o.name + ("=" if o.value and len(o.name) > 2 else "") for o in tool.of(command)]
        options += '  %s) [[ $cur == -* ]] && COMPREPLY=($(compgen -W "%s" -- "$cur")) ;;\n' % (
            command, " ".join(words))
    names = [name for name, _ in tool.commands]
    return (BASH.replace("@NAMES@", " | ".join(names)).replace("@COMMANDS@", " ".join(names))
            .replace("@ALWAYS@", " ".join(o.name for o in always(tool)))
            .replace("@VALUES@", values.rstrip("\n")).replace("@OPTIONS@", options.rstrip("\n")))


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh(tool):
    def spec(option):
        text = re.sub(r"([\[\]:\\])", r"\\\1", option.text)
        name = option.name
        if not option.value:
            return quoted("%s[%s]" % (name, text))
        if option.words():
            action = "(%s)" % " ".join(option.words())
        else:
            action = {"folder": "_files -/", "file": "_files", "": " "}[option.takes()]
        repeat = "*" if "repeatable" in option.text else ""
        joined = "=" if len(name) > 2 else ""
        what = re.sub(r"[<>]", "", option.value.split("|")[0] if not option.words() else "value")
        return quoted("%s%s%s[%s]:%s:%s" % (repeat, name, joined, text, what, action))

    lines = ["#compdef clang-raise", "# zsh completion for clang-raise; made from its --help.", "",
             "_clang_raise() {", "  local curcontext=$curcontext state line", "  local -a commands=("]
    lines += ["    " + quoted("%s:%s" % (name, text)) for name, text in tool.commands]
    lines += ["  )", "  _arguments -C \\"]
    lines += ["    %s \\" % spec(o) for o in always(tool)]
    lines += ["    '1:command:->command' '*::argument:->arguments'", "  case $state in",
              "  command) _describe command commands ;;", "  arguments)", "    case $words[1] in"]
    for command, _ in tool.commands:
        lines += ["    %s)" % command, "      _arguments \\"]
        lines += ["        %s \\" % spec(o) for o in tool.of(command)]
        lines += ["        '*:source:_files' ;;"]
    lines += ["    esac ;;", "  esac", "}", "", "_clang_raise \"$@\"", ""]
    return "\n".join(lines)


def fish(tool):
    lines = ["# fish completion for clang-raise; made from its --help."]
    for name, text in tool.commands:
        lines.append("complete -c clang-raise -n __fish_use_subcommand -f -a %s -d %s" % (name, quoted(text)))
    for option in tool.options:
        line = "complete -c clang-raise"
        if option not in always(tool):
            line += " -n " + quoted("__fish_seen_subcommand_from " + " ".join(option.commands))
        line += " -%s %s" % (("s", option.name[1:]) if len(option.name) == 2 else ("l", option.name[2:]))
        if option.words():
            line += " -x -a " + quoted(" ".join(option.words()))
        elif option.takes() == "folder":
            line += " -x -a '(__fish_complete_directories)'"
        elif option.takes():
            line += " -r"
        elif option.value:
            line += " -x"
        lines.append(line + " -d " + quoted(option.text))
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 4 or sys.argv[2] not in WRITERS:
        die("usage: generate.py <clang-raise> man|bash|zsh|fish <output>")
    text = WRITERS[sys.argv[2]](Tool(sys.argv[1]))
    os.makedirs(os.path.dirname(os.path.abspath(sys.argv[3])), exist_ok=True)
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(text)


WRITERS = {"man": manual, "bash": bash, "zsh": zsh, "fish": fish}
main()
