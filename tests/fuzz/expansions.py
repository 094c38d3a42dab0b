"""expansions - statements of random programs over ranges that cells of arrays bound.

A mixin of `programs`' Kernel, and of some kernels only.  Such a statement stands in place of another one:

  ranges       row[f]..row[f+1]; row[q[f]]..row[q[f]+1], where q is an array of indices; from[f]..to[f], which overlap; one
               range of row, without f.  src/tools/sample_use.c makes offsets that rise, and spoils them.  Of two indices
               row[f, hx]..row[f, hx+1] and from[hx, f]..to[hx, f]
  f            all cells of an axis, from 1 on, or up to a number that the device knows
               In each cell of a range others of few cells: z in 0..lo[e] % 7, g in lo[e]+z..lo[e]+3
  statements   scatter and histogram, also strict; compact with and without else, of some items or of all; gather and map;
               all but the last two also with an index before all others, or after them; joins, whose ranges maps search

Every statement but a join reads an array at e, whatever the data are: so its range is cut, and ends."""

BOUNDS = ["i32", "i32", "i64", "u32", "u16"]


class Expansions:
    def expansion(self):
        kept, self.r = self.r, self.expands
        self.r.choices([self.expanded_items, self.expanded_kept, self.expanded_cells, self.expanded_join], [42, 30, 18, 10])[0]()
        self.r = kept

    def expanded_range(self, n, apart=False):
        """f's range and e's, and whether there is an f."""
        roll = self.r.random()
        if roll < 0.2 and not apart:
            return self.expanded_pairs(n)
        if roll < 0.5 or apart:
            row = self.param("in", self.r.choice(BOUNDS), (f"{n}+1",), True)
            f = self.r.choice([f"f in 0..{n}", f"f in 0..{n}", f"f in 1..{n}", f"f in 0..min({self.expanded_count()}, {n})"])
            return f, f"e in {row.name}[f]..{row.name}[f+1]", True
        if roll < 0.7:
            row = self.param("in", self.r.choice(BOUNDS), ("c+1",), True)
            q = self.param("in", self.r.choice(["i32", "i64"]), (n,), True)
            f = self.r.choice([f"f in 0..{n}", f"f in 0..{self.expanded_count()}"])
            return f, f"e in {row.name}[{q.name}[f]]..{row.name}[{q.name}[f]+1]", True
        if roll < 0.92:
            lo, hi = (self.param("in", self.r.choice(BOUNDS), (n,), True) for _ in "ab")
            return f"f in 0..{n}", f"e in {lo.name}[f]..{hi.name}[f]", True
        row = self.param("in", self.r.choice(BOUNDS), ("2",), True)
        return None, f"e in {row.name}[0]..{row.name}[1]", False

    def expanded_pairs(self, n):
        """Two indices say which range it is."""
        bound = self.r.choice(BOUNDS)
        f = self.r.choice([f"f in 0..{n}", f"f in 1..{n}", f"f in 0..{self.expanded_count()}"])
        if self.chance(0.5):
            row = self.param("in", bound, (n, "4"), True)
            h = self.r.choice(["hx in 0..3", "hx in 1..3", "hx in 0..2"])
            return f"{f}, {h}", f"e in {row.name}[f, hx]..{row.name}[f, hx+1]", True
        lo, hi = (self.param("in", bound, ("3", n), True) for _ in "ab")
        h = self.r.choice(["hx in 0..3", f"hx in 0..{self.expanded_count()}"])
        return f"{h}, {f}", f"e in {lo.name}[hx, f]..{hi.name}[hx, f]", True

    def expanded_domain(self, ranges):
        """The ranges, an index before or after them in some, and whether there is one."""
        domain = [x for x in ranges if x]
        if not self.chance(0.2):
            return ", ".join(domain), False
        first = self.chance(0.5)
        end = self.r.choice(["3", "1", self.base[0] if first else self.expanded_count()])
        domain.insert(0 if first else len(domain), f"k in 0..{end}")
        return ", ".join(domain), True

    def expanded_nested(self, e):
        """A range of few cells in each cell, bound by cells of an array: some at e, some of one more index."""
        if not self.chance(0.25):
            return ""
        lo = self.param("in", self.r.choice(BOUNDS), (e,), True)
        few = self.r.choice(["2", "3", "7"])
        more = self.r.choice(["", "", f", g in {lo.name}[e]+z..i64({lo.name}[e]) + 3"])
        return f", z in 0..{lo.name}[e] % {few}{more}"

    def expanded_count(self):
        return self.let("i64", (), self.r.choice(["3", "40", self.base[0]])).name

    def expanded_context(self, n, e, outer, targets):
        index = ([("f", n)] if outer else []) + [("e", e)]
        return self.free(self.context(index, targets))

    def expanded_items(self):
        """Items of all ranges meet in cells."""
        n, e = self.base[0], self.r.choice(["c", self.base[-1]])
        f, ranges, outer = self.expanded_range(n)
        at = self.param("in", self.r.choice(["i32", "i64", "u8"]), (e,), True)
        few = self.chance(0.4)
        y = self.met(("8",) if few else self.r.choice([(n,), ("40",), ("c",)]))
        ctx = self.expanded_context(n, e, outer, [y])
        place = f"i64({at.name}[e]) & {self.r.choice([3, 7, 15])}" if few else f"{at.name}[e]"
        value = self.hidden([y], lambda: "true" if y.type == "bool" else self.narrow(y.type, self.expr(y.type, ctx, 1)))
        where = f" where {at.name}[e] % 3 != 0" if self.chance(0.3) else ""
        manner = " strict" if self.chance(0.15) else self.r.choice(["", "", " drop"])
        domain, _ = self.expanded_domain((f, ranges))
        domain += self.expanded_nested(e)
        self.line(f"{self.label()}{'histogram' if few else 'scatter'} {y.at([place])} {self.combine(y.type)} {value}{manner} "
                  f"for {domain}{where};")
        y.read = False

    def expanded_kept(self):
        """Some of the items, in their order; their number bounds what follows."""
        n, e = self.base[0], self.r.choice(["c", self.base[-1]])
        f, ranges, outer = self.expanded_range(n)
        x = self.param("in", self.r.choice(["i32", "i64", "u8"]), (e,), True)
        shape = self.r.choice([(n,), (e,), ("40",)])
        t, c = self.param("inout", x.type, shape, True), self.let("i64", ())
        at = self.param("inout", "i64", shape, True)
        other = [self.param("inout", a.type, self.r.choice([shape, ("16",)]), True) for a in (t, at)] if self.chance(0.4) else []
        rest = f" else ({other[0].name}, {other[1].name})" if other else ""
        domain, third = self.expanded_domain((f, ranges))
        condition = "true" if self.chance(0.35) else f"{x.name}[e] % {self.r.choice([2, 3])} != 0"
        moved = self.r.choice(["e", "f", "e - f", "e * 2"]) if outer else "e"
        moved += " + hx * 100" if outer and "hx in" in f else ""
        moved += " - k" if third else ""
        self.line(f"{self.label()}compact {t.name}, {c.name} = {x.name}[e], {at.name} = {moved} "
                  f"where {condition}{rest}{self.r.choice(['', '', ' drop', ' unordered'])} "
                  f"for {domain};")
        for a in [t, at] + other:
            a.written = a.read = True
        c.written = c.read = True

    def expanded_join(self):
        """The rows of two tables whose keys are equal, or near."""
        n, m, t = self.base[0], self.r.choice(["c", self.base[-1]]), self.r.choice(["i32", "u8", "i64", "f32", "f64", "i16"])
        left, right = self.param("in", t, (n,), True), self.param("in", t, (m,), True)
        lo, hi = self.let("i64", (n,)), self.let("i64", (n,))
        far = self.r.choice(["", "", " + 1" if t in ("i64", "f32", "f64") else ""])
        first = f"{lo.name}[i] = search({right.name}, {left.name}[i])"
        end = f"{hi.name}[i] = search({right.name}, {left.name}[i]{far}, upper)"
        self.line(f"map {first}, {end};" if self.chance(0.7) else f"map {first};")
        if not self.lines[-1].endswith("upper);"):
            self.line(f"map {end};")
        shape = self.r.choice([("c",), (n,), ("40",)])
        to, c = self.param("inout", "i64", shape, True), self.let("i64", ())
        other = self.param("inout", "i32", self.r.choice([shape, ("16",)]), True)
        where = "true" if self.chance(0.8) else f"{left.name}[i] > {right.name}[e]"
        self.line(f"{self.label()}compact {to.name}, {c.name} = e - i, {other.name} = i32(i) where {where} "
                  f"for i in 0..{n}, e in {lo.name}[i]..{hi.name}[i];")
        for a in (to, other, c):
            a.written = a.read = True

    def expanded_cells(self):
        """Cells that are each in one range."""
        n, e = self.base[0], self.r.choice(["c", self.base[-1]])
        f, ranges, outer = self.expanded_range(n, True)
        y = self.param("inout", self.other_type(), (e,), True)
        ctx = self.expanded_context(n, e, outer, [y])
        value = self.hidden([y], lambda: "true" if y.type == "bool" else self.narrow(y.type, self.expr(y.type, ctx, 1)))
        self.line(f"{self.label()}gather {y.name}[e] = {value}{self.r.choice(['', ' drop'])} for {f}, {ranges};")
        y.written, y.read = True, True
