# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""links.py <page> <function>: for each line of the panes beside the function's source
what it is linked with, one line of text each:

    emitted text <- line: source text | line: source text

Fails where a page is no well-formed tree, or names something outside of it."""

import sys
from html.parser import HTMLParser

VOID = {"meta", "link", "col", "input", "br"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.panes, self.at = [], [], None
        self.section, self.sections = None, {}
        self.heading = False
        self.heads = 0

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for key in ("src", "href"):
            if key in values and "//" in values[key]:
                sys.exit(f"the page names {values[key]}")
        for key in values:
            if key.startswith("on") or key == "style":
                sys.exit(f"an attribute {key}")
        if tag not in VOID and tag not in ("circle", "path", "rect"):
            self.open.append((tag, values))
        kind = values.get("class", "")
        if tag == "h2":
            self.heading = True
        if kind == "code":
            self.sections[self.section].append([])
        if kind.split(" ")[0] == "line":
            self.sections[self.section][-1].append([])

    def handle_endtag(self, tag):
        if tag in ("circle", "path", "rect"):
            return
        if not self.open or self.open[-1][0] != tag:
            sys.exit(f"</{tag}> closes {self.open[-1:]}")
        self.open.pop()
        if tag == "h2":
            self.heading = False

    def handle_data(self, data):
        if self.heading:
            self.section = data
            self.sections.setdefault(data, [])
        if any(v.get("class") == "no" for _, v in self.open):
            self.number = data
        if not any(tag == "code" for tag, _ in self.open):
            return
        if not any(v.get("class") == "lines" for _, v in self.open):
            return
        links = [v["data-l"] for _, v in self.open if "data-l" in v]
        ids = frozenset(links[-1].split()) if links else frozenset()
        line = self.sections[self.section][-1][-1]
        if line and line[-1][0] == ids:
            line[-1][1] += data
        else:
            line.append([ids, data, self.number])


page = Page()
with open(sys.argv[1], encoding="utf-8") as file:
    page.feed(file.read())
page.close()
if page.open:
    sys.exit(f"not closed: {page.open}")
panes = page.sections[sys.argv[2]]
source = {}
for line in panes[0]:
    for ids, text, number in line:
        for one in ids:
            source.setdefault(one, []).append(f"{number}: {text.strip()}")
for pane in panes[1:]:
    for line in pane:
        for ids, text, number in line:
            if ids:
                came = [t for one in sorted(ids, key=int) for t in source.get(one, [])]
                print(text.strip(), "<-", " | ".join(dict.fromkeys(came)))
