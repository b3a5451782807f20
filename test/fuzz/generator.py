# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C functions with loops: nests, strides, guards, carried scalars,
reductions, overlapping pointers, all integer widths.

Subscripts are in range by construction: each index comes with the Interval of
its values, and the driver makes the buffers that large. Data is initialised,
loops end. Signed overflow may happen: the driver finds out and drops the input.
"""

from dialects import Dialects
from expressions import FLOATS, INTS, Scope, raw
from program import Block, Function, Grid, Interval, Line, Pointer

LARGE = {1: 20000, 2: 130, 3: 22}
SMALL = 17

# What every file of functions begins with.
PRELUDE = """\
#include <math.h>
#include <stddef.h>
#ifdef __cplusplus
#include <vector>
#endif
struct rec { double x; int k; float y; };
static double blend(double a, double b) { return a * 0.5 + b; }
static int clampi(int x) { return x < -9 ? -9 : x > 9 ? 9 : x; }
static unsigned mix(unsigned x, unsigned y) { return (x ^ (y << 3)) * 9u; }
static double gd[64];
static int gi[64], gn;
static void put(double *p, int at, double v) { p[at] = v; }
static double total(const double *p, int count) {
  double sum = 0;
  for (int q = 0; q < count; q++)
    sum += p[q];
  return sum;
}
static double level(double x, int count) {
  double y = x;
  for (int q = 0; q < count; q++)
    y = y * 0.5 + x;
  return y;
}
#ifdef __cplusplus
extern "C"
#endif
double steep(double x, int count) __attribute__((const)); // see driver.h
"""


class Generator(Dialects):
    """Makes one function: `Generator(random, cpp).function()`."""

    def __init__(self, random, cpp=False):
        super().__init__(random)
        self.cpp = cpp
        self.unsigned_accs = {}

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
        self.pointers, self.advances, self.bounds = [], {}, {}
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
        self.globals = self.chance(12)
        self.grids = [self.grid(name) for name in "gh"[:self.pick(1, 2)]
                      if self.levels > 1 and self.chance(35)]
        self.table = Pointer("ix", self.pick("int", "unsigned", "short")
                             if self.levels > 1 else "int", True)
        self.float_out = Pointer("fo", "double", False)
        self.int_out = Pointer("io", "long long", False)
        body = self.body()
        used = [p for p in self.pointers + self.grids if p.extent]
        for out in (self.table, self.float_out, self.int_out):
            if out.extent:
                used.append(out)
        # Sizes come first: the types of grids may name them.
        params = [(self.size_type, "n"), (self.size_type, "m")] + used + [
            ("int", "off"), ("int", "inc"), ("double", "s"), ("int", "v")]
        return Function(params, body, self.traits | {f"levels-{self.levels}"})

    def grid(self, name):
        """A parameter of two dimensions: rows of 17, or n by m."""
        ctype = self.pick("double", "double", "float", "int", "long")
        variable = self.chance(40)
        if variable:
            self.traits |= {"positive", "no-negative", "c-only"}
        return Grid(name, ctype, self.chance(30), variable)

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
            make = self.whole if self.chance(25) else self.loop
            if self.chance(15 if self.cpp else 4):
                make = self.in_dialect
            out += make(scope)
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
            self.unsigned_accs[name] = ctype == "unsigned"
        return Line(f"{ctype} {name} = {start};")

    def counter(self, scope):
        """An index of its own, that statements advance by at most 2."""
        name = self.fresh("k")
        start = self.pick(0, 0, 1, 3)
        ctype = self.size_type if self.unsigned else self.pick("int", "long")
        scope.counters.append(name)
        self.advances[name] = 0
        return Line(f"{ctype} {name} = {start};")

    # Statements ----------------------------------------------------------

    def statements(self, scope, count):
        out = []
        for _ in range(count):
            out += self.statement(scope)
        return out

    def statement(self, scope):
        kinds = [(40, self.store), (10, self.temporary), (7, self.conditional)]
        if any(not grid.const for grid in self.grids) and scope.iters:
            kinds.append((40, self.grid_store))
        if self.globals:
            kinds.append((8, self.global_store))
        if scope.in_loop and scope.iters:
            kinds.append((10, self.idiom))
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

    def grid_store(self, scope):
        grid = self.pick(*[g for g in self.grids if not g.const])
        of_float = grid.ctype in ("double", "float")
        return [Line("%s " + self.pick("=", "=", "+=", "-=") + " %s;",
                     self.grid_element(scope, grid), self.value(scope, of_float))]

    def global_store(self, scope):
        if self.chance(20) and not scope.in_loop:
            return [Line("gn = %s;", self.int_value(scope, 0))]
        of_float = self.chance(60)
        return [Line("%s " + self.pick("=", "+=") + " %s;",
                     self.global_element(scope, "gd" if of_float else "gi"),
                     self.value(scope, of_float))]

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
        return [Block("switch (%s & 3)", body, self.load(scope, False),
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
        if self.grids and self.chance(35):
            return self.constant(scope, inner, name)
        kinds = [self.up] * 4 + [self.down, self.stepped, self.nested_bound,
                                 self.constant, self.while_loop, self.outside,
                                 self.unrolled]
        make = self.up if self.tame and self.chance(50) else self.pick(*kinds)
        return make(scope, inner, name)

    def iter_type(self):
        return self.size_type if self.unsigned else self.pick("int", "int", "long")

    def enter(self, inner, name, interval, bound=None):
        """The body of a loop over name, which is below bound if that is given
        and never below zero."""
        self.bounds[name] = bound
        inner.iters.append((name, interval))
        return self.statements(inner, self.pick(1, 1, 2, 2, 3, 4))

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
        tested = name
        if relation == "<" and self.chance(8):
            tested = f"{name} + {self.pick(1, 2)}"
        head = (f"for ({ctype} {name} = {start}; {tested} {relation} {size}; "
                f"{self.pick(name + '++', '++' + name, name + ' += 1')})")
        return [Block(head, self.enter(inner, name, self.most, size[0]))]

    def down(self, scope, inner, name):
        size = self.pick("n", "m")
        if self.unsigned or self.chance(20):
            head = f"for ({self.size_type} {name} = {size}; {name}-- > 0;)"
            self.traits.add("no-negative")
        else:
            head = (f"for ({self.iter_type()} {name} = {size} - 1; "
                    f"{name} >= {self.pick(0, 0, 1)}; {name}--)")
        return [Block(head, self.enter(inner, name, self.most, size))]

    def stepped(self, scope, inner, name):
        ctype, step = self.iter_type(), self.pick("2", "3", "inc", "inc")
        if self.unsigned:
            step = self.pick("2u", "3u", f"({self.size_type})inc")
        head = (f"for ({ctype} {name} = {self.pick(0, 1)}; {name} < "
                f"{self.pick('n', 'm')}; {name} += {step})")
        return [Block(head, self.enter(inner, name, self.most))]

    def nested_bound(self, scope, inner, name):
        """A bound that depends on an outer iterator, or a minimum."""
        ctype = self.iter_type()
        if not scope.iters:
            head = (f"for ({ctype} {name} = 0; {name} < "
                    f"({self.pick('n < m ? n : m', 'n / 2', 'n < 9 ? n : 9')}); "
                    f"{name}++)")
            return [Block(head, self.enter(inner, name, self.most))]
        outer, interval = scope.iters[-1]
        forms = [(0, f"< {outer}"), (0, f"<= {outer}"), (outer, "< n"),
                 (f"{outer} + 1", "< n")]
        start, end = self.pick(*forms)
        head = f"for ({ctype} {name} = {start}; {name} {end}; {name}++)"
        lowest = Interval.of(0, 0).union(interval)
        return [Block(head, self.enter(inner, name,
                                       self.most.union(lowest)))]

    def constant(self, scope, inner, name):
        count = self.pick(1, 3, 4, 8, 17, 17, 17) if self.grids else self.pick(
            1, 3, 4, 8, 17)
        ctype = self.pick("int", "unsigned char", "short", "long")
        if self.unsigned:
            ctype = self.size_type
        head = f"for ({ctype} {name} = 0; {name} < {count}; {name}++)"
        return [Block(head, self.enter(inner, name, Interval.of(0, count - 1),
                                       str(count)))]

    def while_loop(self, scope, inner, name):
        inner.in_while = True
        ctype, size = self.iter_type(), self.pick("n", "m")
        body = self.enter(inner, name, self.most)
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
        body = self.enter(inner, name, self.most)
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
        reach = self.most + Interval.of(0, count)
        target.touch(reach)
        source.touch(reach)
        operator = self.pick("=", "+=", "= 2 *")
        body = [Line(f"{target.name}[{name} + {at}] {operator} "
                     f"{source.name}[{name} + {at}];") for at in range(count)]
        limit = f"{name} + {count - 1} < n"
        head = f"for ({self.iter_type()} {name} = 0; {limit}; {name} += {count})"
        return [Block(head, body)]
