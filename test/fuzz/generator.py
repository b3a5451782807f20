# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C functions with loops: nests, strides, guards, carried scalars,
reductions, overlapping pointers, all integer widths.

Subscripts are in range by construction: each index comes with the Interval of
its values, and the driver makes the buffers that large. Data is initialised,
loops end. Signed overflow may happen: the driver finds out and drops the input.
"""

from program import Block, Expr, Function, Interval, Line, Pointer

FLOATS = ["double", "double", "float"]
INTS = ["int", "int", "int", "unsigned", "long", "unsigned long", "short",
        "unsigned short", "signed char", "unsigned char"]
LARGE = {1: 20000, 2: 130, 3: 22}
SMALL = 17

# What every file of functions begins with.
PRELUDE = """\
#include <math.h>
#include <stddef.h>
struct rec { double x; int k; float y; };
static double blend(double a, double b) { return a * 0.5 + b; }
static int clampi(int x) { return x < -9 ? -9 : x > 9 ? 9 : x; }
static unsigned mix(unsigned x, unsigned y) { return (x ^ (y << 3)) * 9u; }
static void put(double *p, int at, double v) { p[at] = v; }
static double total(const double *p, int count) {
  double sum = 0;
  for (int q = 0; q < count; q++)
    sum += p[q];
  return sum;
}
"""


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


class Generator:
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

    # Parameters ----------------------------------------------------------

    def function(self):
        self.levels = self.pick(1, 1, 1, 2, 2, 3)
        self.most = Interval((0, SMALL), (0, LARGE[self.levels]))
        self.size_type = self.pick("int", "int", "int", "long", "unsigned",
                                   "size_t")
        self.unsigned = self.size_type in ("unsigned", "size_t")
        if self.unsigned:
            self.traits.add("no-negative")
        self.sizes = self.most
        if not self.unsigned:
            self.sizes = self.most.union(Interval((-2, 0), (0, 0)))
        self.pointers, self.advances = [], {}
        # A tame function reads and writes mostly where its iteration is, as
        # code that can be raised does; a wild one anywhere.
        self.tame = self.chance(60)
        self.row_size = self.pick("n", "m")
        main = self.pick("double", "double", "float", "int", "unsigned",
                         self.pick(*INTS))
        for name in "abcde"[:self.pick(1, 2, 2, 3, 3, 4)]:
            self.pointers.append(self.pointer(name, main))
        if all(p.const for p in self.pointers):
            self.pointers[0].const = False
        if self.chance(8):
            for pointer in self.pointers:
                pointer.restrict = True
            self.traits.add("apart")
        self.table = Pointer("ix", self.pick("int", "unsigned", "short")
                             if self.levels > 1 else "int", True)
        self.float_out = Pointer("fo", "double", False)
        self.int_out = Pointer("io", "long long", False)
        body = self.body()
        used = [p for p in self.pointers if p.extent]
        for out in (self.table, self.float_out, self.int_out):
            if out.extent:
                used.append(out)
        params = used + [(self.size_type, "n"), (self.size_type, "m"),
                         ("int", "off"), ("int", "inc"), ("double", "s"),
                         ("int", "v")]
        return Function(params, body, self.traits | {f"levels-{self.levels}"})

    def pointer(self, name, main):
        ctype = main if self.chance(75) else self.pick(
            "double", "float", self.pick(*INTS), "struct rec")
        return Pointer(name, ctype, self.chance(50 if self.tame else 25))

    def body(self):
        scope = Scope()
        scope.floats, scope.ints = ["s"], ["v"]
        out = []
        for _ in range(self.pick(0, 0, 1, 1, 2)):
            out.append(self.accumulator(scope))
        for _ in range(self.pick(0, 0, 0, 1)):
            out.append(self.counter(scope))
        for _ in range(self.pick(1, 1, 1, 2)):
            out += self.loop(scope)
            if self.chance(10):
                out += self.statement(scope)
        for at, name in enumerate(scope.float_accs):
            self.float_out.touch(Interval.of(0, at))
            out.append(Line(f"fo[{at}] = {name};"))
        results = scope.int_accs + scope.counters
        for at, name in enumerate(results):
            self.int_out.touch(Interval.of(0, at))
            out.append(Line(f"io[{at}] = (long long){name};"))
        return out

    def accumulator(self, scope):
        if self.chance(60):
            name, ctype = self.fresh("x"), self.pick(*FLOATS)
            scope.float_accs.append(name)
            scope.floats.append(name)
            start = self.pick("0", "s", "1.5", "-INFINITY")
        else:
            name = self.fresh("z")
            ctype = self.pick("int", "unsigned", "long", "unsigned char",
                              self.pick(*INTS))
            scope.int_accs.append(name)
            scope.ints.append(name)
            start = self.pick("0", "1", "v", "-1", "100")
        return Line(f"{ctype} {name} = {start};")

    def counter(self, scope):
        """An index of its own, that statements advance by at most 2."""
        name = self.fresh("k")
        start = self.pick(0, 0, 1, 3)
        ctype = self.size_type if self.unsigned else self.pick("int", "long")
        scope.counters.append(name)
        self.advances[name] = 0
        return Line(f"{ctype} {name} = {start};")

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
        if kind < 74:
            return self.fit(f"{name} + off", interval + Interval.of(-5, 5))
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

    # Values --------------------------------------------------------------

    def is_float(self, pointer):
        return pointer.ctype in ("double", "float", "struct rec")

    def load(self, scope, of_float):
        fitting = [p for p in self.pointers if self.is_float(p) == of_float]
        if self.tame and self.chance(70):
            fitting = [p for p in fitting if p.const] or fitting
        if not fitting or self.chance(4):
            fitting = self.pointers
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
        return Expr("%s " + relation + " %s", self.value(scope, of_float, 0),
                    right)

    # Statements ----------------------------------------------------------

    def statements(self, scope, count):
        out = []
        for _ in range(count):
            out += self.statement(scope)
        return out

    def statement(self, scope):
        kinds = [(40, self.store), (10, self.temporary), (7, self.conditional)]
        if scope.float_accs:
            kinds.append((14, self.float_update))
        if scope.int_accs:
            kinds.append((14, self.int_update))
        if scope.counters and scope.in_loop:
            kinds.append((16, self.advance))
        if scope.in_loop:
            kinds += [(2, self.leave), (3, self.swap), (2, self.switch),
                      (2, self.skip), (3, self.local_array), (2, self.calls)]
        if scope.in_loop and scope.depth < self.levels:
            kinds.append((30, self.loop))
        total = sum(weight for weight, _ in kinds)
        at = self.random.randrange(total)
        for weight, make in kinds:
            at -= weight
            if at < 0:
                return make(scope)
        raise AssertionError("weights")

    def target(self, scope):
        return self.element(scope, self.pick(*[p for p in self.pointers
                                               if not p.const]))

    def target_is_float(self, target):
        name, text = target.text()[0], target.text()
        pointer = next(p for p in self.pointers if p.name == name)
        return self.is_float(pointer) and not text.endswith(".k")

    def store(self, scope):
        target = self.target(scope)
        of_float = self.target_is_float(target)
        operators = ["=", "=", "=", "+=", "+=", "-=", "*="]
        if not of_float:
            operators += ["^=", "|=", "&="]
        value = self.value(scope, of_float)
        return [Line("%s " + self.pick(*operators) + " %s;", target, value)]

    def temporary(self, scope):
        of_float = self.chance(65)
        name = self.fresh("t")
        value = self.value(scope, of_float)
        (scope.floats if of_float else scope.ints).append(name)
        ctype = self.pick(*(FLOATS if of_float else INTS))
        return [Line(f"{ctype} {name} = %s;", value)]

    def conditional(self, scope):
        then = self.statements(scope.inner(), self.pick(1, 1, 2))
        other = (self.statements(scope.inner(), 1) if self.chance(35) else None)
        return [Block("if (%s)", then, self.condition(scope), other=other)]

    def float_update(self, scope):
        name = self.pick(*scope.float_accs)
        value = self.value(scope, True)
        kind = self.random.randrange(4 if self.tame else 10)
        if kind < 5:
            return [Line(f"{name} {self.pick('+=', '+=', '-=', '*=')} %s;", value)]
        if kind < 7:
            relation = self.pick("<", ">")
            body = [Line(f"{name} = %s;", value)]
            if scope.int_accs and scope.iters and self.chance(50):
                body.append(Line(f"{self.pick(*scope.int_accs)} = "
                                 f"(int){self.pick(*scope.iters)[0]};"))
            return [Block(f"if (%s {relation} {name})", body, value)]
        return [Line(f"{name} = %s;", value)]

    def int_update(self, scope):
        name = self.pick(*scope.int_accs)
        value = self.value(scope, False)
        kind = self.random.randrange(8 if self.tame else 10)
        if kind < 6:
            operator = self.pick("+=", "+=", "-=", "*=", "^=", "|=", "&=")
            return [Line(f"{name} {operator} %s;", value)]
        if kind < 8:
            relation = self.pick("<", ">")
            return [Line(f"{name} = {name} {relation} %s ? {name} : %s;", value,
                         value)]
        return [Line(f"{name} = %s;", value)]

    def advance(self, scope):
        """A counter moves: always, under a condition, or as packing does."""
        name = self.pick(*scope.counters)
        if self.advances[name] == 3:
            return self.store(scope)
        self.advances[name] += 1
        step = Line(f"{self.pick(name + '++', name + ' += 2', name + ' += 1')};")
        if self.chance(40):
            return [step]
        body = [step]
        if self.chance(70):
            pointer = self.pick(*[p for p in self.pointers if not p.const])
            if pointer.ctype != "struct rec":
                pointer.touch(self.count_range())
                value = self.value(scope, self.is_float(pointer), 1)
                body = [Line(f"{pointer.name}[{name}] = %s;", value), step]
        return [Block("if (%s)", body, self.condition(scope))]

    def leave(self, scope):
        ways = ["break"] if scope.in_while else ["break", "continue", "continue"]
        return [Block("if (%s)", [Line(self.pick(*ways) + ";")],
                      self.condition(scope))]

    def swap(self, scope):
        first, name = self.target(scope), self.fresh("t")
        second = self.target(scope)
        ctype = "double" if self.target_is_float(first) else "int"
        if self.target_is_float(first) != self.target_is_float(second):
            return self.store(scope)
        return [Block("", [Line(f"{ctype} {name} = %s;", first),
                           Line("%s = %s;", first, second),
                           Line(f"%s = ({ctype}){name};", second)])]

    def switch(self, scope):
        body = []
        for case in ("case 0:", "case 2:", "default:"):
            body.append(Line(case))
            body += self.store(scope)
            if self.chance(70):
                body.append(Line("break;"))
        return [Block("switch (%s & 3)", body, self.int_value(scope, 1),
                      open=False)]

    def skip(self, scope):
        label = self.fresh("skip")
        return [Line(f"if (%s) goto {label};", self.condition(scope)),
                Block("", self.statements(scope.inner(), self.pick(1, 2))),
                Line(f"{label}:;", pinned=True)]

    def local_array(self, scope):
        """A small array that each iteration fills and reads."""
        target = self.target(scope)
        if not self.target_is_float(target):
            return self.store(scope)
        name, at = self.fresh("w"), self.fresh("q")
        inner = scope.inner()
        inner.iters.append((at, Interval.of(0, 3)))
        fill = Line(f"{name}[{at}] = %s;", self.value(inner, True, 1))
        use = self.pick(f"{name}[0] + {name}[3]", f"{name}[1] * {name}[2]")
        return [Block("", [Line(f"double {name}[4];"),
                           Block(f"for (int {at} = 0; {at} < 4; {at}++)", [fill]),
                           Line(f"%s = {use};", target)], open=False)]

    def calls(self, scope):
        doubles = [p for p in self.pointers if p.ctype == "double"]
        if not doubles:
            return self.store(scope)
        pointer = self.pick(*doubles)
        if not pointer.const and self.chance(50):
            text, interval = self.index(scope)
            pointer.touch(interval)
            return [Line(f"put({pointer.name}, (int)({raw(text).form}), %s);",
                         self.float_value(scope, 1))]
        if self.levels < 2 or not scope.float_accs:
            return self.store(scope)
        pointer.touch(self.most)
        return [Line(f"{self.pick(*scope.float_accs)} += "
                     f"total({pointer.name}, (int)n);")]

    # Loops ---------------------------------------------------------------

    def loop(self, scope):
        inner = scope.inner()
        inner.depth += 1
        inner.in_loop = True
        inner.in_while = False
        name = self.fresh("i")
        kinds = [self.up] * 4 + [self.down, self.stepped, self.nested_bound,
                                 self.constant, self.while_loop, self.outside,
                                 self.unrolled]
        make = self.up if self.tame and self.chance(50) else self.pick(*kinds)
        return make(scope, inner, name)

    def iter_type(self):
        return self.size_type if self.unsigned else self.pick("int", "int", "long")

    def enter(self, inner, name, interval):
        """The body of a loop over name."""
        inner.iters.append((name, interval))
        return self.statements(inner, self.pick(1, 1, 2, 2, 3, 4))

    def values(self):
        return self.most

    def up(self, scope, inner, name):
        ctype, size = self.iter_type(), self.pick("n", "n", "n", "m")
        start = self.pick(0, 0, 0, 1, 2)
        relation = "<"
        if start == 0 and self.chance(8):
            relation = "!="
            self.traits.add("no-negative")
        elif not self.unsigned and self.chance(15):
            relation, size = "<=", size + " - 1"
        elif not self.unsigned and self.chance(8):
            size += " - 1"
        head = (f"for ({ctype} {name} = {start}; {name} {relation} {size}; "
                f"{self.pick(name + '++', '++' + name, name + ' += 1')})")
        return [Block(head, self.enter(inner, name, self.values()))]

    def down(self, scope, inner, name):
        size = self.pick("n", "m")
        if self.unsigned or self.chance(20):
            head = f"for ({self.size_type} {name} = {size}; {name}-- > 0;)"
            self.traits.add("no-negative")
        else:
            head = (f"for ({self.iter_type()} {name} = {size} - 1; "
                    f"{name} >= {self.pick(0, 0, 1)}; {name}--)")
        return [Block(head, self.enter(inner, name, self.values()))]

    def stepped(self, scope, inner, name):
        ctype, step = self.iter_type(), self.pick("2", "3", "inc", "inc")
        if self.unsigned:
            step = self.pick("2u", "3u", f"({self.size_type})inc")
        head = (f"for ({ctype} {name} = {self.pick(0, 1)}; {name} < "
                f"{self.pick('n', 'm')}; {name} += {step})")
        return [Block(head, self.enter(inner, name, self.values()))]

    def nested_bound(self, scope, inner, name):
        """A bound that depends on an outer iterator, or a minimum."""
        ctype = self.iter_type()
        if not scope.iters:
            head = (f"for ({ctype} {name} = 0; {name} < "
                    f"({self.pick('n < m ? n : m', 'n / 2', 'n < 9 ? n : 9')}); "
                    f"{name}++)")
            return [Block(head, self.enter(inner, name, self.values()))]
        outer, interval = scope.iters[-1]
        forms = [(0, f"< {outer}"), (0, f"<= {outer}"), (outer, "< n"),
                 (f"{outer} + 1", "< n")]
        start, end = self.pick(*forms)
        head = f"for ({ctype} {name} = {start}; {name} {end}; {name}++)"
        lowest = Interval.of(0, 0).union(interval)
        return [Block(head, self.enter(inner, name,
                                       self.values().union(lowest)))]

    def constant(self, scope, inner, name):
        count = self.pick(1, 3, 4, 8, 17)
        ctype = self.pick("int", "unsigned char", "short", "long")
        if self.unsigned:
            ctype = self.size_type
        head = f"for ({ctype} {name} = 0; {name} < {count}; {name}++)"
        return [Block(head, self.enter(inner, name, Interval.of(0, count)))]

    def while_loop(self, scope, inner, name):
        inner.in_while = True
        ctype, size = self.iter_type(), self.pick("n", "m")
        body = self.enter(inner, name, self.values())
        body.append(Line(f"{name}++;", pinned=True))
        start = Line(f"{ctype} {name} = 0;", pinned=True)
        if self.chance(30):
            loop = Block("do", body, tail=f" while ({name} < {size});", open=False)
            return [Block(f"if ({size} > 0)", [start, loop], open=False)]
        return [Block("", [start, Block(f"while ({name} < {size})", body,
                                        open=False)], open=False)]

    def outside(self, scope, inner, name):
        """The variable is declared before the loop and read after it."""
        ctype, size = self.iter_type(), self.pick("n", "m")
        body = self.enter(inner, name, self.values())
        out = [Line(f"{ctype} {name};"),
               Block(f"for ({name} = 0; {name} < {size}; {name}++)", body)]
        if scope.int_accs:
            out.append(Line(f"{self.pick(*scope.int_accs)} += (int){name};"))
        return out

    def unrolled(self, scope, inner, name):
        """One statement written for several iterations."""
        count = self.pick(2, 4)
        pointers = [p for p in self.pointers if p.ctype != "struct rec"]
        targets = [p for p in pointers if not p.const]
        if not targets:
            return self.up(scope, inner, name)
        target, source = self.pick(*targets), self.pick(*pointers)
        of_float = self.is_float(target)
        if self.is_float(source) and not of_float:
            source = target
        reach = self.values() + Interval.of(0, count)
        target.touch(reach)
        source.touch(reach)
        operator = self.pick("=", "+=", "= 2 *")
        body = [Line(f"{target.name}[{name} + {at}] {operator} "
                     f"{source.name}[{name} + {at}];") for at in range(count)]
        limit = f"{name} + {count - 1} < n"
        head = f"for ({self.iter_type()} {name} = 0; {limit}; {name} += {count})"
        return [Block(head, body)]
