# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms of C++ and of OpenMP: vectors and their iterators, range-for,
references, lambdas called in place; loops that their author marked."""

from idioms import Idioms
from program import Block, Interval, Line


class Dialects(Idioms):
    """What Generator uses to make them: whole loops. Sets traits, since a
    claim of the author's holds only for pointers that do not overlap."""

    def counted(self, name):
        ctype = self.size_type if self.unsigned else self.pick("int", "long")
        return f"for ({ctype} {name} = 0; {name} < n; {name}++)"

    def marked(self, scope):
        """Iterations that are independent, and said to be."""
        found = self.target_of(2)
        if not found or found[0] is found[1]:
            return self.loop(scope)
        to, of = found
        self.traits.add("apart")
        name = self.fresh("i")
        for pointer in found:
            pointer.touch(self.most)
        value = f"{of.name}[{name}] {self.pick('+', '-', '*')} 2"
        line = Line(f"{to.name}[{name}] {self.pick('=', '+=')} {value};")
        clause = self.pick("", "", " schedule(static)", " num_threads(2)")
        mark = self.pick(f"parallel for{clause}", "simd",
                         f"parallel for simd{clause}")
        body = [line]
        sums = [a for a in scope.int_accs if self.unsigned_accs.get(a)]
        if sums and mark != "simd" and not self.is_float(of):
            mark += f" reduction(+ : {sums[0]})"
            body.append(Line(f"{sums[0]} += (unsigned){of.name}[{name}];"))
        # One statement, so that mark and loop stay together.
        return [Block("", [Line(f"#pragma omp {mark}"),
                           Block(self.counted(name), body, open=False)],
                      open=False)]

    def vector(self, scope):
        """A vector made of a pointer's elements, worked on, and copied back."""
        found = self.target_of(2)
        if not found:
            return self.loop(scope)
        self.traits.add("no-negative")
        to, of = found
        for pointer in found:
            pointer.touch(self.most)
        v, x, i = self.fresh("u"), self.fresh("x"), self.fresh("i")
        change = f"{self.pick('+', '-', '*')} 2"
        forms = [
            Block(f"for ({to.ctype} &{x} : {v})", [Line(f"{x} = {x} {change};")]),
            Block(f"for (size_t {i} = 0; {i} < {v}.size(); {i}++)",
                  [Line(f"{v}[{i}] {self.pick('=', '+=')} {of.name}[{i}];")]),
            Block(f"for (auto {x} = {v}.begin(); {x} != {v}.end(); ++{x})",
                  [Line(f"*{x} = *{x} {change};")]),
            Block(f"for (size_t {i} = 1; {i} < {v}.size(); ++{i})",
                  [Line(f"{v}[{i}] = {v}[{i} - 1] {change};")]),
            Block(self.counted(i), [Line(f"{v}.data()[{i}] += 1;")]),
        ]
        if scope.float_accs and self.is_float(to):
            forms.append(Block(f"for (auto {x} : {v})",
                               [Line(f"{scope.float_accs[0]} += {x};")]))
        loops = [self.pick(*forms), self.pick(*forms)][:self.pick(1, 2)]
        if self.chance(15):
            loops.append(Block(self.counted(self.fresh("i")),
                               [Line(f"{v}.push_back({v}[0]);")]))
        j = self.fresh("i")
        back = Block(self.counted(j), [Line(f"{to.name}[{j}] = {v}[{j}];")])
        start = Line(f"std::vector<{to.ctype}> {v}({to.name}, {to.name} + n);")
        return [Block("", [start] + loops + [back], open=False)]

    def in_place(self, scope):
        """A lambda that is called where it stands, or a reference."""
        found = self.target_of(2)
        if not found:
            return self.loop(scope)
        to, of = found
        for pointer in found:
            pointer.touch(self.most)
        i, r = self.fresh("i"), self.fresh("r")
        value = f"{of.name}[{i}] {self.pick('+', '*')} 3"
        if self.chance(50):
            body = [Line(f"{to.ctype} &{r} = {to.name}[{i}];"),
                    Line(f"{r} {self.pick('=', '+=', '-=')} {value};")]
            return [Block(self.counted(i), body)]
        head = self.counted(i)
        if self.chance(50):
            return [Block(head, [Line(f"{to.name}[{i}] = [&] {{ return {value}; "
                                      "}();")])]
        inner = Block(head, [Line(f"{to.name}[{i}] = {value};")])
        return [Block("[&]", [inner], tail="();", open=False)]

    def global_range(self, scope):
        x = self.fresh("x")
        self.globals = True
        line = Line(f"{x} = {x} {self.pick('+', '*')} 2 + s;")
        return [Block(f"for (double &{x} : gd)", [line])]

    def in_dialect(self, scope):
        forms = [self.marked]
        if self.cpp:
            forms = [self.marked, self.vector, self.vector, self.in_place,
                     self.in_place, self.global_range]
        return self.pick(*forms)(scope)
