# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The indices and values of a random function."""

from program import Expr, Interval

FLOATS = ["double", "double", "float"]
INTS = ["int", "int", "int", "unsigned", "long", "unsigned long", "short",
        "unsigned short", "signed char", "unsigned char"]


def raw(text):
    return Expr(text.replace("%", "%%"), atomic=True)


class Scope:
    """What a statement may use; a copy is what an inner one may."""

    def __init__(self):
        self.iters, self.floats, self.ints = [], [], []
        self.float_accs, self.int_accs, self.counters = [], [], []
        self.depth, self.in_while, self.in_loop = 0, False, False

    def inner(self):
        scope = Scope()
        for name, value in vars(self).items():
            setattr(scope, name, list(value) if isinstance(value, list) else value)
        return scope


class Expressions:
    """What Generator uses to make expressions. Set by it: pointers, table (an
    index array), most and sizes (Intervals), unsigned, tame, levels, row_size, grids, globals, and
    bounds (of iterators)."""

    def __init__(self, random):
        self.random = random
        self.names = 0
        self.traits = set()

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def pick(self, *of):
        return self.random.choice(of)

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    # Indices -------------------------------------------------------------

    def fit(self, text, interval):
        """An unsigned index must not go below zero."""
        if self.unsigned and interval.low() < 0:
            lift = -interval.low()
            return f"{text} + {lift}", interval + Interval.of(lift, lift)
        return text, interval

    def count_range(self):
        """The values of a counter: it starts at 3 at most, and three
        statements advance it by 2 at most."""
        trips = self.most + Interval.of(0, 2)
        every = Interval.of(0, 6)
        for _ in range(self.levels):
            every = every * trips
        return every + Interval.of(0, 3)

    def small_offset(self):
        shift = self.pick(-3, -2, -1, -1, 1, 1, 2, 4)
        return (f"+ {shift}" if shift > 0 else f"- {-shift}"), shift

    def index(self, scope):
        """(text, Interval) of an index."""
        kind = self.random.randrange(100)
        if scope.iters and self.tame and self.chance(75):
            return self.plain_index(scope)
        if not scope.iters or kind < 4:
            return self.pick(("0", Interval.of(0, 0)), ("5", Interval.of(5, 5)))
        name, interval = self.pick(*scope.iters[-2:])
        if kind < 40:
            return name, interval
        if kind < 62:
            sign, shift = self.small_offset()
            return self.fit(f"{name} {sign}",
                            interval + Interval.of(shift, shift))
        if kind < 70:
            factor, shift = self.pick(2, 2, 3), self.pick(0, 0, 1)
            text = f"{factor} * {name}" + (f" + {shift}" if shift else "")
            return text, (interval * Interval.of(factor, factor) +
                          Interval.of(shift, shift))
        if kind < 72:
            return self.fit(f"{name} + off", interval + Interval.of(-5, 5))
        if kind < 74 and self.bounds.get(name) in ("n", "m"):
            return f"{self.bounds[name]} - 1 - {name}", self.most
        if kind < 82:
            return self.index_of_two(scope, name, interval)
        if kind < 86 and scope.counters:
            return self.pick(*scope.counters), self.count_range()
        if kind < 90:
            self.table.touch(interval)
            return f"ix[{name}]", self.most
        return self.wrapped_index(scope, name, interval)

    def plain_index(self, scope):
        """The element of this iteration, in one or two dimensions."""
        name, interval = scope.iters[-1]
        if len(scope.iters) == 1 or self.chance(20):
            return name, interval
        outer, range2 = scope.iters[-2]
        if range2.ranges == self.most.ranges and interval.ranges == range2.ranges:
            size = self.row_size
            return f"{outer} * {size} + {name}", range2 * self.sizes + interval
        return f"{outer} * 17 + {name}", range2 * Interval.of(17, 17) + interval

    def index_of_two(self, scope, name, interval):
        other, range2 = self.pick(*scope.iters)
        kind = self.random.randrange(4)
        if kind == 0 or (kind == 1 and self.levels == 1):
            return f"{name} + {other}", interval + range2
        if kind == 1:
            size = self.pick("n", "m")
            lowest = Interval.of(0, 0).union(interval)
            return self.fit(f"{other} * {size} + {name}",
                            range2 * self.sizes + lowest)
        if kind == 2 and not self.unsigned:
            return (f"{name} - {other}",
                    interval + range2 * Interval.of(-1, -1))
        return (f"{other} * 8 + {name} % 8" if interval.low() >= 0 else name,
                range2 * Interval.of(8, 8) + interval + Interval.of(0, 7))

    def wrapped_index(self, scope, name, interval):
        options = [(f"{name} & 15", Interval.of(0, 15)),
                   (f"(unsigned char)({name} * 5 + 250)", Interval.of(0, 255)),
                   (f"(unsigned){name} * 3u & 31u", Interval.of(0, 31)),
                   (f"((unsigned){name} - 7u) % 32u", Interval.of(0, 31))]
        if interval.low() >= 0:
            options += [(f"{name} / 2", interval), (f"{name} % 5", Interval.of(0, 4)),
                        (f"{name} >> 1", interval)]
        if scope.ints:
            options.append((f"{self.pick(*scope.ints)} & 7", Interval.of(0, 7)))
        return self.pick(*options)

    def element(self, scope, pointer):
        text, interval = self.index(scope)
        pointer.touch(interval)
        field = ""
        if pointer.ctype == "struct rec":
            field = self.pick(".x", ".k", ".y")
        return raw(f"{pointer.name}[{text}]{field}")

    def grid_element(self, scope, grid):
        """Row and column are in their ranges: C promises no less."""
        wide = "m" if grid.variable else "17"
        rows = [(n, i) for n, i in scope.iters
                if not grid.variable or self.bounds.get(n) == "n"]
        columns = [(n, i) for n, i in scope.iters
                   if self.bounds.get(n) == wide or
                   (not grid.variable and i.high() < 17)]
        zero = ("0", Interval.of(0, 0))
        row, range1 = self.pick(*rows) if rows else zero
        columns = [c for c in columns if c[0] != row] or columns
        column, range2 = self.pick(*columns) if columns else zero
        if not grid.variable and self.chance(20):
            row, range1 = f"{row} + 1", range1 + Interval.of(1, 1)
        width = self.most if grid.variable else Interval.of(17, 17)
        grid.touch(range1 * width + range2 + Interval.of(0, 0))
        grid.touch(Interval.of(0, 16))
        return raw(f"{grid.name}[{row}][{column}]")

    def global_element(self, scope, name):
        if not scope.iters:
            return raw(f"{name}[3]")
        at, interval = self.pick(*scope.iters)
        if interval.high() < 60 and interval.low() >= 0 and self.chance(70):
            return raw(f"{name}[{at}{self.pick('', '', ' + 1')}]")
        return raw(f"{name}[{at} & 63]")

    # Values --------------------------------------------------------------

    def is_float(self, pointer):
        return pointer.ctype in ("double", "float", "struct rec")

    def load(self, scope, of_float):
        fitting = [p for p in self.pointers if self.is_float(p) == of_float]
        if self.tame and self.chance(70):
            fitting = [p for p in fitting if p.const] or fitting
        if not fitting or self.chance(4):
            fitting = self.pointers
        grids = [g for g in self.grids
                 if (g.ctype in ("double", "float")) == of_float]
        if grids and self.chance(50):
            return self.grid_element(scope, self.pick(*grids))
        if self.globals and self.chance(25):
            return (raw("gn") if not of_float and self.chance(30) else
                    self.global_element(scope, "gd" if of_float else "gi"))
        pointer = self.pick(*fitting)
        element = self.element(scope, pointer)
        if not of_float and self.is_float(pointer):
            value = element.text().replace("%", "%%")
            return Expr(f"({value} > -99 && {value} < 99 ? (int){value} : 3)",
                        atomic=True)
        return element

    def value(self, scope, of_float, depth=2):
        return (self.float_value if of_float else self.int_value)(scope, depth)

    def float_value(self, scope, depth):
        kind = self.random.randrange(100)
        if depth == 0 or kind < 30:
            if kind % 10 < 6:
                return self.load(scope, True)
            if kind % 10 < 8 and scope.floats:
                return raw(self.pick(*scope.floats))
            if kind % 10 < 9 and scope.iters:
                return raw(f"(double){self.pick(*scope.iters)[0]}")
            return raw(self.pick("2.0", "0.5", "1e-3", "-1.0", "3.0f", "s"))
        part = lambda: self.float_value(scope, depth - 1)
        if kind < 82:
            return Expr(self.pick("%s + %s", "%s + %s", "%s - %s", "%s * %s",
                                  "%s * %s", "%s / %s"), part(), part())
        if kind < 88:
            return Expr("%s ? %s : %s", self.condition(scope), part(), part())
        if kind < 91:
            return Expr(self.pick("fabs(%s)", "sqrt(%s)", "(double)(float)%s",
                                  "floor(%s)", "-%s"), part(), atomic=True)
        if kind < 94:
            return Expr("blend(%s, %s)", part(), part(), atomic=True)
        if kind < 95:
            return Expr("exp(%s)", part(), atomic=True)
        return Expr("(double)%s", self.int_value(scope, depth - 1), atomic=True)

    def int_value(self, scope, depth):
        kind = self.random.randrange(100)
        if depth == 0 or kind < 30:
            if kind % 10 < 5:
                return self.load(scope, False)
            if kind % 10 < 7 and scope.ints:
                return raw(self.pick(*scope.ints))
            if kind % 10 < 9 and scope.iters:
                return raw(f"(int){self.pick(*scope.iters)[0]}")
            return raw(self.pick("1", "2", "7", "-3", "5u", "200", "off"))
        part = lambda: self.int_value(scope, depth - 1)
        if kind < 60:
            return Expr(self.pick("%s + %s", "%s + %s", "%s - %s", "%s * %s"),
                        part(), part())
        if kind < 68:
            return Expr(self.pick("%s ^ %s", "%s & %s", "%s | %s"), part(), part())
        if kind < 74:
            return Expr(self.pick("%s >> 3", "%s / 3", "%s %% 7", "~%s",
                                  "(unsigned)%s << 2", "!%s"), part())
        if kind < 80:
            return Expr("%s ? %s : %s", self.condition(scope), part(), part())
        if kind < 92:
            return Expr(f"({self.pick(*INTS)})%s", part(), atomic=True)
        if kind < 95:
            return Expr("%s / ((%s & 7) + 1)", part(), part())
        if kind < 98:
            return Expr("clampi(%s)", part(), atomic=True)
        return Expr("mix(%s, %s)", part(), part(), atomic=True)

    def condition(self, scope):
        kind = self.random.randrange(10)
        if kind < 2 and scope.iters:
            name = self.pick(*scope.iters)[0]
            size = self.pick("n / 2", "5", "m", "3")
            relation = self.pick("<", ">", "==", "!=", ">=")
            return raw(f"({name} {relation} {size})")
        if kind < 3 and scope.iters:
            return raw(f"({self.pick(*scope.iters)[0]} % {self.pick(2, 3)} == 0)")
        if kind < 4:
            return Expr(self.pick("%s && %s", "%s || %s"), self.compare(scope),
                        self.compare(scope))
        return self.compare(scope)

    def compare(self, scope):
        of_float = self.chance(60)
        relation = self.pick("<", ">", "<=", ">=", "==", "!=")
        zero = raw(self.pick("0", "1", "s" if of_float else "v"))
        right = zero if self.chance(50) else self.value(scope, of_float, 0)
        left = self.value(scope, of_float, 0)
        if left.text() == right.text():  # Compilers warn of it, or do not.
            right = zero
        return Expr("%s " + relation + " %s", left, right)
