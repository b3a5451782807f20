# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ratios as bars on a logarithmic axis, as SVG: to the right of 1 is faster."""

import collections
import math
from xml.sax.saxutils import escape

# series: name -> {label: ratio}. Labels are shown in the order of the
# longest.
Chart = collections.namedtuple("Chart", "title series")

# The picture has no background: it takes the page's, dark or light.
STYLE = """<style>
text { font: 11px system-ui, sans-serif; fill: #24292f }
.title { font-size: 14px; font-weight: 600 }
.small { font-size: 10px; fill: #57606a }
.grid { stroke: #d0d7de; stroke-width: 1 }
.one { stroke: #57606a; stroke-width: 1.5 }
.s0 { fill: #2f6fc4 } .s1 { fill: #d9822b } .s2 { fill: #2a9d6f } .s3 { fill: #8a63b8 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .small { fill: #9aa4af }
  .grid { stroke: #3a424c }
  .one { stroke: #9aa4af }
  .s0 { fill: #6ba4ee } .s1 { fill: #f0a35a } .s2 { fill: #5cc79b } .s3 { fill: #b897e0 }
}
</style>"""
COLOURS = 4
PANEL_ROWS = 40  # more bars than this stand in columns beside each other
AXIS = 280  # pixels from the least to the greatest ratio
BAR = 11
GAP = 5
NUMBER = 45  # room for the number behind a bar


def ticks(low, high):
    """1, 2 and 5 of each power of ten, from the last below to the first above;
    1, 2 and 0.5 are always seen."""
    low, high = min(low, 0.5), max(high, 2.0)
    every = [digit * 10.0 ** power
             for power in range(math.floor(math.log10(low)) - 1,
                                math.ceil(math.log10(high)) + 1)
             for digit in (1, 2, 5)]
    first = max(t for t in every if t <= low * 1.0001)
    last = min(t for t in every if t >= high * 0.9999)
    return [t for t in every if first <= t <= last]


def panel(labels, chart, marks, left, top, room):
    """The elements of one column of bars, whose axis begins at `left`."""
    low, high = marks[0], marks[-1]

    def at(ratio):
        return left + AXIS * math.log(ratio / low) / math.log(high / low)

    row = BAR * len(chart.series) + GAP
    bottom = top + row * len(labels)
    out = []
    for mark in marks:
        name = "one" if abs(mark - 1) < 1e-9 else "grid"
        x = at(mark)
        out.append(f'<line class="{name}" x1="{x:.1f}" y1="{top}" '
                   f'x2="{x:.1f}" y2="{bottom}"/>')
        out.append(f'<text class="small" x="{x:.1f}" y="{bottom + 13}" '
                   f'text-anchor="middle">{mark:g}</text>')
    for place, label in enumerate(labels):
        y = top + row * place + GAP / 2
        middle = y + BAR * len(chart.series) / 2 + 4
        out.append(f'<text x="{left - room}" y="{middle:.1f}">'
                   f'{escape(label)}</text>')
        for which, (name, found) in enumerate(chart.series.items()):
            if label not in found:
                continue
            x, end = sorted((at(1.0), at(found[label])))
            top_of = y + BAR * which
            out.append(
                f'<rect class="s{which % COLOURS}" x="{x:.1f}" '
                f'y="{top_of:.1f}" width="{max(end - x, 1):.1f}" '
                f'height="{BAR - 1}"><title>{escape(label)}, {escape(name)}: '
                f'{found[label]:.3g}</title></rect>')
            out.append(f'<text class="small" x="{end + 3:.1f}" '
                       f'y="{top_of + BAR - 2:.1f}">{found[label]:.3g}</text>')
    return out


def draw(chart, top):
    """The elements of a chart that begins at `top`, its width and its end."""
    most = sorted(chart.series.values(), key=len, reverse=True)
    labels = list(dict.fromkeys(label for found in most for label in found))
    values = [v for found in chart.series.values() for v in found.values()]
    marks = ticks(min(values), max(values))
    room = 12 + round(6.2 * max(map(len, labels)))
    out = [f'<text class="title" x="10" y="{top + 16}">{escape(chart.title)}'
           '</text>']
    x = 10
    for which, name in enumerate(chart.series):
        out.append(f'<rect class="s{which % COLOURS}" x="{x}" y="{top + 26}" '
                   f'width="10" height="10"/>')
        out.append(f'<text x="{x + 15}" y="{top + 35}">{escape(name)}</text>')
        x += 35 + round(6.2 * len(name))
    columns = math.ceil(len(labels) / PANEL_ROWS)
    rows = math.ceil(len(labels) / columns)
    for column in range(columns):
        left = 10 + room + column * (room + AXIS + NUMBER)
        out += panel(labels[column * rows:(column + 1) * rows], chart, marks,
                     left, top + 46, room)
    width = max(10 + columns * (room + AXIS + NUMBER),
                20 + round(8.5 * len(chart.title)), x)
    end = top + 46 + rows * (BAR * len(chart.series) + GAP) + 24
    return out, width, end


def svg(charts):
    """The text of a picture with these charts, one below the other."""
    body, wide, end = [], 0, 0
    for chart in charts:
        if not any(chart.series.values()):
            continue
        elements, width, end = draw(chart, end)
        body += elements
        wide = max(wide, width)
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" '
                      f'height="{end}" viewBox="0 0 {wide} {end}" role="img">',
                      STYLE, *body, "</svg>", ""])
