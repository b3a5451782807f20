# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms that the passes recognise as a whole, with random parts: scans,
searches, histograms, products of matrices, transpositions, stencils, mirrors,
pointer walks, statements that can be taken apart."""

from expressions import Expressions, raw
from program import Block, Expr, Interval, Line


class Idioms(Expressions):
    """What Generator uses to make them, inside a loop (idiom) or as loops of
    their own (whole). Needs what Expressions needs, and size_type."""

    def target_of(self, count=1):
        """Pointers of one kind, the first of which may be written; or None."""
        targets = [p for p in self.pointers
                   if not p.const and p.ctype != "struct rec"]
        if not targets:
            return None
        first = self.pick(*targets)
        others = [p for p in self.pointers if p.ctype != "struct rec" and
                  self.is_float(p) == self.is_float(first)]
        return [first] + [self.pick(*others) for _ in range(count - 1)]

    def idiom(self, scope):
        """Forms that are recognised as a whole: scans, searches, histograms,
        and carried values."""
        name, interval = scope.iters[-1]
        found = self.target_of()
        if not found:
            return self.store(scope)
        target = found[0]
        of_float = self.is_float(target)
        value = self.value(scope, of_float, 1)
        before, range2 = self.fit(f"{name} - 1", interval + Interval.of(-1, -1))
        target.touch(interval + Interval.of(0, 1))
        target.touch(range2 + Interval.of(0, 1))
        at, t = f"{target.name}[{name}]", target.name
        if before != f"{name} - 1":  # Both one further.
            at, before = f"{t}[{name} + 1]", name
        forms = [f"{at} = {t}[{before}] + %s;",
                 f"{at} = {t}[{before}] * 2 + %s;",
                 f"{at} = {t}[{before}] > %s ? {t}[{before}] : 1;"]
        accs = scope.float_accs if of_float else scope.int_accs
        if accs:
            acc = self.pick(*accs)
            forms += [f"{at} = {acc} += %s;", f"{acc} = {acc} * 3 + %s; "
                      f"{at} = {acc};", f"{at} = {acc}; {acc} = %s;",
                      f"{acc} += {t}[0] + %s; {t}[{name}] = {acc};"]
        if scope.int_accs and not scope.in_while:
            place = self.pick(*scope.int_accs)
            forms += [f"if (%s == 1) {{ {place} = (int){name}; break; }}",
                      f"if (%s > 0) {place} = (int){name};"]
        if not of_float:
            target.touch(Interval.of(0, 15))
            forms += [f"{t}[(%s) & 15]++;", f"{t}[(%s) & 7] += 3;"]
            value = self.int_value(scope, 1)
        return [Line(self.pick(*forms), value)]

    def whole(self, scope):
        forms = [self.stencil, self.mirror, self.walk, self.two_steps,
                 self.parts, self.parts, self.search, self.search]
        if self.levels > 1:
            forms += [self.transposed, self.row_sums, self.alike, self.alike]
        if self.levels > 2:
            forms += [self.product, self.product]
        return self.pick(*forms)(scope)

    def search(self, scope):
        """The first element of which something holds, perhaps with work on the
        way: left by a break, a goto, a return or a condition."""
        found = self.target_of()
        if not found:
            return self.loop(scope)
        to = found[0]
        of = self.pick(*[p for p in self.pointers if p.ctype != "struct rec"])
        name, at = self.fresh("i"), self.fresh("t")
        for pointer in (to, of):
            pointer.touch(self.most)
        test = (f"{of.name}[{name}] {self.pick('>', '<', '==')} "
                f"{self.pick(0, 1, 2, to.name + '[0]')}")
        work = []
        if self.chance(50):
            operator = self.pick("=", "+=", "-=")
            work.append(Line(f"{to.name}[{name}] {operator} %s;",
                             self.value(scope, self.is_float(to), 1)))
        out = [Line(f"long {at} = -1;")]
        way = self.pick("break", "break", "goto", "while", "return")
        if way == "while":
            ctype = self.size_type if self.unsigned else self.pick("int", "long")
            out += [Line(f"{ctype} {name} = 0;", pinned=True),
                    Block(f"while ({name} < n && !({test}))",
                          work + [Line(f"{name}++;", pinned=True)], open=False),
                    Line(f"{at} = (long){name};")]
        else:
            label = self.fresh("skip")
            leave = {"goto": f"goto {label};"}.get(way, way + ";")
            exit_ = Block(f"if ({test})", [Line(f"{at} = (long){name};"),
                                           Line(leave, pinned=True)])
            body = work + [exit_] if self.chance(50) else [exit_] + work
            out.append(self.over(name, body))
            if way == "goto":
                out.append(Line(f"{label}:;", pinned=True))
        if scope.int_accs:
            acc = self.pick(*scope.int_accs)
            out.append(Line(f"{acc} = {at} %% 100;"))
        else:
            self.int_out.touch(Interval.of(9, 9))
            out.append(Line(f"io[9] = {at};"))
        return [Block("", out, open=False)]

    def over(self, name, body, start=0, size="n", end=""):
        """for (name = start; name < size end; ++name) body"""
        ctype = self.size_type if self.unsigned else self.pick("int", "long")
        head = f"for ({ctype} {name} = {start}; {name} < {size}{end}; {name}++)"
        return Block(head, body)

    def stencil(self, scope):
        found = self.target_of(2)
        if not found:
            return self.loop(scope)
        to, of = found
        name, reach = self.fresh("i"), self.pick(1, 1, 2)
        terms = [raw(f"{of.name}[{name} - {reach}]"), raw(f"{of.name}[{name}]"),
                 raw(f"{of.name}[{name} + {reach}]")]
        self.random.shuffle(terms)
        of.touch(self.most + Interval.of(0, reach))
        to.touch(self.most)
        value = Expr(self.pick("%s + %s + %s", "%s - 2 * %s + %s",
                               "%s < %s ? 1 : %s"), *terms)
        line = Line(f"{to.name}[{name}] = %s;", value)
        # Not below zero: n - reach might wrap.
        return [Block(f"if (n > {2 * reach})",
                      [self.over(name, [line], reach, "n", f" - {reach}")],
                      open=False)]

    def parts(self, scope):
        """Statements that use each other's neighbours: some can be taken
        apart, in some order; some go round."""
        found = self.target_of(self.pick(2, 3, 3))
        if not found:
            return self.loop(scope)
        name, t = self.fresh("i"), self.fresh("t")
        for pointer in found:
            pointer.touch(self.most + Interval.of(0, 1))
        near = [name, name, name, f"{name} + 1", f"{name} - 1"]

        def element():
            return f"{self.pick(*found).name}[{self.pick(*near)}]"
        targets = [p.name for p in found if not p.const]
        ctype = "double" if self.is_float(found[0]) else "unsigned"
        lines = [Line(f"{ctype} {t} = {element()};")]
        for _ in range(self.pick(2, 2, 3, 4)):
            operator = self.pick("=", "=", "=", "+=", "-=")
            other = self.pick(element(), element(), t, f"{name}")
            line = Line(f"{self.pick(*targets)}[{self.pick(*near)}] {operator} "
                        f"{element()} {self.pick('+', '-')} {other};")
            if self.chance(15):
                line = Block(f"if ({element()} < {element()})", [line])
            lines.append(line)
            if self.chance(15):
                lines.append(Line(f"{t} = {element()};"))
        return [Block("if (n > 2)", [self.over(name, lines, 1, "n", " - 1")],
                      open=False)]

    def mirror(self, scope):
        """Reads from the other end: dependences cross in the middle."""
        found = self.target_of(2)
        if not found:
            return self.loop(scope)
        to, of = found
        name = self.fresh("i")
        to.touch(self.most)
        of.touch(self.most)
        other = raw(f"{of.name}[n - 1 - {name}]")
        value = self.pick(Expr("%s + 1", other), other,
                          Expr("%s + %s", other, raw(f"{of.name}[0]")))
        operator = self.pick("=", "=", "+=", "-=")
        line = Line(f"{to.name}[{name}] {operator} %s;", value)
        if self.chance(30):
            line = Block(f"if ({name} < n / 2)", [line])
        return [self.over(name, [line])]

    def walk(self, scope):
        """*p++ = … *q++ …"""
        found = self.target_of(2)
        if not found:
            return self.loop(scope)
        to, of = found
        p, q, name = self.fresh("p"), self.fresh("q"), self.fresh("i")
        step = self.pick(1, 1, 1, 2)
        const = "const " if of.const else ""
        reach = self.most * Interval.of(0, 2) + Interval.of(0, 3)
        to.touch(reach)
        of.touch(reach)
        start = self.pick("", " + 1", " + 3")
        out = [Line(f"{to.ctype} *{p} = {to.name}{start};"),
               Line(f"{const}{of.ctype} *{q} = {of.name};")]
        if step == 1 and self.chance(50):
            body = [Line(f"*{p}++ {self.pick('=', '+=', '-=')} *{q}++;")]
        else:
            body = [Line(f"*{p} {self.pick('=', '+=')} {q}[0] "
                         f"{self.pick('+', '-', '*')} 2;"),
                    Line(f"{p} += {step};"), Line(f"{q}++;")]
        return [Block("", out + [self.over(name, body)], open=False)]

    def two_steps(self, scope):
        """Two indices that move together."""
        found = self.target_of(2)
        if not found:
            return self.loop(scope)
        to, of = found
        name, at = self.fresh("i"), self.fresh("k")
        step = self.pick(1, 2, 3)
        reach = self.most * Interval.of(0, 3) + Interval.of(0, 3)
        to.touch(reach)
        of.touch(reach)
        first, second = self.pick((name, at), (at, name), (at, at))
        body = [Line(f"{to.name}[{first}] {self.pick('=', '+=')} "
                     f"{of.name}[{second}] + 1;")]
        ctype = self.size_type
        if self.chance(50):
            head = (f"for ({ctype} {name} = 0, {at} = {self.pick(0, 1, 3)}; "
                    f"{name} < n; {name}++, {at} += {step})")
            return [Block(head, body)]
        body.insert(self.pick(0, 1), Line(f"{at} += {step};"))
        reach = reach + Interval.of(0, 3)
        to.touch(reach)
        of.touch(reach)
        return [Block("", [Line(f"{ctype} {at} = {self.pick(0, 1)};"),
                           self.over(name, body)], open=False)]

    def transposed(self, scope):
        found = self.target_of(2)
        if not found:
            return self.loop(scope)
        to, of = found
        i, j = self.fresh("i"), self.fresh("i")
        reach = self.sizes * self.most + self.most
        to.touch(reach)
        of.touch(reach)
        operator = self.pick("=", "=", "+=")
        line = Line(f"{to.name}[{j} * n + {i}] {operator} "
                    f"{of.name}[{i} * m + {j}];")
        return [self.over(i, [self.over(j, [line], size="m")])]

    def row_sums(self, scope):
        """A sum, product, or greatest of each row, through a local or not."""
        found = self.target_of(2)
        if not found:
            return self.loop(scope)
        to, of = found
        i, j, t = self.fresh("i"), self.fresh("i"), self.fresh("t")
        to.touch(self.most)
        of.touch(self.sizes * self.most + self.most)
        start = self.pick("0", "0", i)
        ctype = self.pick("double", "float") if self.is_float(to) else "unsigned"
        value = f"{of.name}[{i} * m + {j}]"
        if self.chance(60):
            update = self.pick(f"{t} += {value};", f"{t} -= {value};",
                               f"if ({value} > {t}) {t} = {value};",
                               f"{t} = {t} * 2 + {value};")
            return [self.over(i, [Line(f"{ctype} {t} = 0;"),
                                  self.over(j, [Line(update)], start, "m"),
                                  Line(f"{to.name}[{i}] = {t};")])]
        update = Line(f"{to.name}[{i}] += {value};")
        inner = self.over(j, [update], start, "m")
        return [self.over(i, [Line(f"{to.name}[{i}] = 0;"), inner])]

    def alike(self, scope):
        """What every iteration computes alike, or nearly so: a sum, a call of
        a function that loops, of one without a body; under a condition or
        not, in a nest or not."""
        found = self.target_of(3)
        if not found:
            return self.loop(scope)
        to, of, by = found
        i, j, t = self.fresh("i"), self.fresh("i"), self.fresh("t")
        for pointer in found:
            pointer.touch(self.most)
        ctype = "double" if self.is_float(to) else "unsigned"
        start = self.pick("0", "0", "0", f"{of.name}[0]", i)
        term = self.pick(f"{by.name}[{j}]", f"{by.name}[{j}]",
                         f"{by.name}[{j}] * {by.name}[{j}]",
                         f"{by.name}[{j}] + {i}")
        lines = [Line(f"{ctype} {t} = {start};"),
                 self.over(j, [Line(f"{t} += {term};")], size=self.pick("n", "m"))]
        if self.is_float(to) and self.chance(50):
            count = self.pick("(int)n", "(int)n", "(int)m", f"(int){i}")
            call = [f"level(s, {count})", f"steep(s, {count})",
                    f"steep(s, {count})"]
            if by.ctype == "double":
                call.append(f"total({by.name}, {count})")
            lines = [Line(f"double {t} = {self.pick(*call)};")]
            if self.chance(30):
                lines = [Line(f"double {t} = sqrt(fabs({self.pick(*call)})) + 1;")]
        use = Line(f"{to.name}[{i}] {self.pick('=', '=', '+=')} "
                   f"{of.name}[{i}] {self.pick('+', '-', '*')} {t};")
        if self.chance(20):
            lines.insert(0, Line(f"{to.name}[{i}] = {self.pick('1', 's', i)};"))
        body = lines + [use]
        if self.chance(25):
            test = self.pick("n > m", "v > 0", f"{i} < 2", f"{of.name}[{i}] > 0")
            body = [Block(f"if ({test})", body)]
        loop = self.over(i, body)
        if self.levels > 2 and self.chance(40):
            return [self.over(self.fresh("i"), [loop], size="m")]
        return [loop]

    def product(self, scope):
        """Matrices, in any order of the loops, all n by n."""
        found = self.target_of(3)
        if not found:
            return self.loop(scope)
        to, left, right = found
        reach = self.sizes * self.most + self.most
        for pointer in found:
            pointer.touch(reach)
        i, j, k = names = [self.fresh("i") for _ in range(3)]
        a = self.pick(f"{left.name}[{i} * n + {k}]", f"{left.name}[{k} * n + {i}]")
        b = self.pick(f"{right.name}[{k} * n + {j}]",
                      f"{right.name}[{j} * n + {k}]", f"{right.name}[{k}]")
        if self.chance(35):
            t = self.fresh("t")
            ctype = "double" if self.is_float(to) else "unsigned"
            body = [Line(f"{ctype} {t} = 0;"),
                    self.over(k, [Line(f"{t} += {a} * {b};")]),
                    Line(f"{to.name}[{i} * n + {j}] {self.pick('=', '+=')} {t};")]
            return [self.over(i, [self.over(j, body)])]
        body = [Line(f"{to.name}[{i} * n + {j}] += {a} * {b};")]
        self.random.shuffle(names)
        for name in names:
            body = [self.over(name, body)]
        return body
