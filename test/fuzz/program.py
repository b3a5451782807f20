# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tree of a random C function: what is printed, and how it is made smaller.

A function is a list of statements. A statement is a Line (one statement of C)
or a Block (a head, a body in braces, perhaps an else). An expression is an Expr
whose parts may be put in its place. `smaller` lists every function that is one
edit smaller; an edit may give C that does not compile, which the caller drops.
"""


class Expr:
    """A piece of C with parts: Expr("%s + %s", a, b). Printed in parentheses
    when it is a part itself, unless it is atomic (a name, a call, a load)."""

    def __init__(self, form, *parts, atomic=False):
        self.form, self.parts = form, parts
        self.atomic = atomic or not parts

    def text(self):
        return self.form % tuple(p.inner() for p in self.parts)

    def inner(self):
        return self.text() if self.atomic else "(" + self.text() + ")"

    def edits(self):
        """Every expression that is one edit smaller."""
        for part in self.parts:
            yield part
        for at, part in enumerate(self.parts):
            for edit in part.edits():
                parts = self.parts[:at] + (edit,) + self.parts[at + 1:]
                yield Expr(self.form, *parts, atomic=self.atomic)


class Line:
    """One statement: a form with the places of its expressions. A pinned line
    stays as long as its block does: without it a loop might not end."""

    def __init__(self, form, *exprs, pinned=False):
        self.form, self.exprs, self.pinned = form, exprs, pinned

    def print(self, out, indent):
        out.append("  " * indent + self.form % tuple(e.text() for e in self.exprs))

    def edits(self):
        for at, expr in enumerate(self.exprs):
            for edit in expr.edits():
                exprs = self.exprs[:at] + (edit,) + self.exprs[at + 1:]
                yield [Line(self.form, *exprs, pinned=self.pinned)]

    def size(self):
        return 1 + sum(len(e.text()) for e in self.exprs) / 100


class Block:
    """head { body } [else { other }] [tail]. `open` says that the body may
    stand alone, without its head."""

    def __init__(self, head, body, *exprs, other=None, tail="", open=True):
        self.head, self.body, self.exprs = head, body, exprs
        self.other, self.tail, self.open = other, tail, open

    def print(self, out, indent):
        head = self.head % tuple(e.text() for e in self.exprs)
        out.append("  " * indent + (head + " {").lstrip())
        for statement in self.body:
            statement.print(out, indent + 1)
        if self.other is not None:
            out.append("  " * indent + "} else {")
            for statement in self.other:
                statement.print(out, indent + 1)
        out.append("  " * indent + "}" + self.tail)

    def with_parts(self, **changed):
        parts = {"body": self.body, "other": self.other, "exprs": self.exprs}
        parts.update(changed)
        return Block(self.head, parts["body"], *parts["exprs"],
                     other=parts["other"], tail=self.tail, open=self.open)

    def edits(self):
        if self.open:
            yield self.body
        if self.other is not None:
            yield self.other
            yield [self.with_parts(other=None)]
            for other in smaller_list(self.other):
                yield [self.with_parts(other=other)]
        for at, expr in enumerate(self.exprs):
            for edit in expr.edits():
                exprs = self.exprs[:at] + (edit,) + self.exprs[at + 1:]
                yield [self.with_parts(exprs=exprs)]
        for body in smaller_list(self.body):
            yield [self.with_parts(body=body)]

    def size(self):
        return (1 + sum(s.size() for s in self.body) +
                sum(s.size() for s in self.other or []))


def smaller_list(statements):
    for at, statement in enumerate(statements):
        if not (isinstance(statement, Line) and statement.pinned):
            yield statements[:at] + statements[at + 1:]
    for at, statement in enumerate(statements):
        for edit in statement.edits():
            yield statements[:at] + edit + statements[at + 1:]


class Pointer:
    """A pointer parameter: element type, declaration, and the range of its
    subscripts for small and for large sizes (see Interval)."""

    def __init__(self, name, ctype, const, restrict=False):
        self.name, self.ctype, self.const = name, ctype, const
        self.restrict, self.extent = restrict, None

    def declaration(self):
        return (("const " if self.const else "") + self.ctype + " *" +
                ("restrict " if self.restrict else "") + self.name)

    def touch(self, interval):
        self.extent = interval.union(self.extent) if self.extent else interval


class Grid(Pointer):
    """A pointer to rows: of 17, or of m where it is variable."""

    def __init__(self, name, ctype, const, variable):
        super().__init__(name, ctype, const)
        self.variable = variable

    def declaration(self):
        const = "const " if self.const else ""
        shape = f"{self.name}[n][m]" if self.variable else f"(*{self.name})[17]"
        return f"{const}{self.ctype} {shape}"


class Function:
    """params: Pointers and (ctype, name) of scalars, in order."""

    def __init__(self, params, body, traits):
        self.params, self.body, self.traits = params, body, traits

    def pointers(self):
        return [p for p in self.params if isinstance(p, Pointer)]

    def scalars(self):
        return [p for p in self.params if not isinstance(p, Pointer)]

    def text(self, name):
        params = [p.declaration() if isinstance(p, Pointer) else " ".join(p)
                  for p in self.params]
        out = [f"void {name}({', '.join(params)}) {{"]
        for statement in self.body:
            statement.print(out, 1)
        out.append("}")
        return "\n".join(out) + "\n"

    def size(self):
        return sum(s.size() for s in self.body)

    def smaller(self):
        """Functions that are one edit smaller, the greatest cuts first."""
        edits = [Function(self.params, body, self.traits)
                 for body in smaller_list(self.body)]
        return sorted(edits, key=Function.size)


class Interval:
    """The values of an index: one (low, high) for small and one for large
    sizes."""

    def __init__(self, *ranges):
        self.ranges = ranges

    @staticmethod
    def of(low, high):
        return Interval((low, high), (low, high))

    def both(self, other, fold):
        return Interval(*(fold(a, b)
                          for a, b in zip(self.ranges, other.ranges)))

    def __add__(self, other):
        return self.both(other, lambda a, b: (a[0] + b[0], a[1] + b[1]))

    def __mul__(self, other):
        def product(a, b):
            ends = [x * y for x in a for y in b]
            return min(ends), max(ends)
        return self.both(other, product)

    def union(self, other):
        return self.both(other, lambda a, b: (min(a[0], b[0]), max(a[1], b[1])))

    def low(self):
        return min(low for low, _ in self.ranges)

    def high(self):
        return max(high for _, high in self.ranges)
