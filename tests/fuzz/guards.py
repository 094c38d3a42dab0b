"""guards - reads of random programs that only a condition keeps inside their arrays.

A mixin of `programs`' Kernel.  In half of all kernels a leaf may be such a read, in every pattern that may read there:

  beside      i >= 2 ? x[i-2] : c;  i + 1 < n && j > 0 ? x[i+1, j-1] : c
  through     p[i] >= 0 && p[i] < n ? x[p[i]] : c, where subscripts may be computed; the data lead outside (sample_use.c)
  at          k >= 0 && k < n ? x[k] : c, of a number that the caller gives
  masks       the same conditions in `where` of a statement or a fold, before what they allow
  loops       repeat s < min(n, 3) { ... (s > 0 ? sum[i](u[j, i] * h[s-1, i]) : 0) }: a row from the row before
  ranges      a + 1 < n ? sum[j in row[a]..row[a+1]](...) : c, and guards in the terms of such folds

Some are nested, and joined by && and ||.  A chance of their own decides, so that all other text stays as it was."""

INTS = ["i32", "i32", "i64", "u32", "i16", "u8"]


class Guards:
    def guarded(self, t, ctx):
        """A guarded read of the type t, or None."""
        if not self.guardy or not ctx.beside or self.guards.random() > 0.22:
            return None
        return self.aside(lambda: self.guarded_read(t, ctx, 0))

    def sought(self, t, ctx):
        """A place in an array of one axis, whose cells need not be sorted; or None."""
        if not self.seeky or not ctx.beside or self.seeks.random() > 0.25:
            return None
        return self.aside(lambda: self.search(t, ctx), self.seeks)

    def search(self, t, ctx):
        arrays = self.readable(lambda a: len(a.shape) == 1 and not a.field and a.type != "bool"
                               and a not in ctx.busy and a not in self.pointers)
        if not arrays:
            return None
        a = self.r.choice(arrays)
        a.read = True
        return self.cast(f"search({a.name}, {self.leaf(a.type, ctx)}{self.r.choice(['', ', upper'])})", "i64", t)

    def aside(self, make, chances=None):
        """What make() says by the chances of guards, or those."""
        kept, self.r = self.r, chances or self.guards
        said = make()
        self.r = kept
        return said

    def guarded_read(self, t, ctx, depth):
        found = [(a, subs) for a in self.readable(lambda a: a.shape and a not in ctx.busy and a not in self.pointers)
                 for subs in [self.subscripts(ctx, a)] if subs]
        if not found:
            return None
        a, subs = self.r.choice(found)
        a.read = True
        ways = [self.beside] * 3 + [self.at_number] + [self.through] * 2 * ctx.through
        terms, subs = self.r.choice(ways)(a, subs)
        if ctx.reach:
            ctx.outside.add(a.type)
        text = self.cast(a.at(subs), a.type, t)
        if t == "bool" and self.chance(0.5):
            return f"({' && '.join(terms)} && {text})"
        other = depth == 0 and self.chance(0.2) and self.guarded_read(t, ctx, 1) or self.literal(t)
        if self.chance(0.15):                   # the other way round
            return f"(!({' && '.join(terms)}) ? {other} : {text})"
        return f"({' && '.join(terms)} ? {text} : {other})"

    def beside(self, a, subs):
        """Some cells away, along one axis or all."""
        many = self.chance(0.3)
        only, terms, at = self.r.randrange(len(subs)), [], list(subs)
        for k, (i, e) in enumerate(zip(subs, a.shape)):
            if not many and k != only:
                continue
            d = self.r.choices([1, 2, 3, 40], [60, 20, 15, 5])[0]
            if self.chance(0.5):
                terms.append(self.r.choice([f"{i} >= {d}", f"{i} > {d - 1}", f"{d} <= {i}"]))
                at[k] = f"{i}-{d}"
            else:
                terms.append(self.r.choice([f"{i} + {d} < {e}", f"{i} < {e} - {d}"]) if not e.isdigit() else f"{i} + {d} < {e}")
                at[k] = f"{i}+{d}"
        return terms, at

    def through(self, a, subs):
        """Where an array of integers points, along one axis."""
        k = self.r.randrange(len(subs))
        p = self.param("in", self.r.choice(INTS), (a.shape[k],), True)
        p.written = False
        x = f"{p.name}[{subs[k]}]"
        terms = [f"i64({x}) >= 0", f"i64({x}) < {a.shape[k]}"]
        return terms if self.chance(0.7) else terms[::-1], subs[:k] + [self.r.choice([x, f"i64({x})"])] + subs[k + 1:]

    def at_number(self, a, subs):
        k = self.r.randrange(len(subs))
        return [f"{self.number()} >= 0", f"{self.number()} < {a.shape[k]}"], subs[:k] + [self.number()] + subs[k + 1:]

    def number(self):
        """A scalar parameter of the kernel, for this alone."""
        if not self.place:
            self.place = self.fresh("k")
            self.params.append(f"{self.place}: i64")
        return self.place

    def mask(self, index, ctx, p=0.12):
        """A condition that lets ctx read some cells away along one index; None: none."""
        if not self.guardy or self.guards.random() > p or not index:
            return None
        i, e = self.guards.choice(index)
        low, high = self.guards.choice([(1, 0), (2, 0), (0, 1), (0, 3), (1, 1), (40, 0)])
        ctx.reach = {i: (-low, high)}
        return " && ".join(([f"{i} >= {low}"] if low else []) + ([f"{i} + {high} < {e}"] if high else []))

    # ---- statements ----

    def guarded_statement(self):
        return self.aside(self.r.choice([self.masked, self.rows_before, self.rows_before, self.ragged, self.ragged,
                                         self.chosen]))

    def masked(self):
        """What a statement's mask allows."""
        shape = self.some_shape()
        index = list(zip(self.names(len(shape)), shape))
        y = self.param("inout", self.other_type(), shape)
        y.written = False
        ctx = self.context(index, [y])
        mask = self.mask(index, ctx, 1)
        x = [a for a in self.readable(lambda a: a.shape == shape) if a not in self.pointers]
        x = self.r.choice(x) if x else self.param("in", y.type, shape)
        near = [f"{n}{self.r.choice([d for d in ctx.reach.get(n, (0, 0)) if d] or [0]):+d}" if n in ctx.reach else n
                for n, e in index]
        join = "^" if y.type == "bool" else self.r.choice("+-*")
        text = f"{self.cast(x.at(near), x.type, y.type)} {join} {self.expr(y.type, ctx, 1)}"
        x.read = y.written = True
        self.line(f"{self.label()}stencil {y.at([n for n, e in index])} = {self.narrow(y.type, text)} where {mask};")

    def rows_before(self):
        """A loop whose passes each make a row of the row before."""
        t = self.type if self.type != "bool" else "i32"
        e = self.base[0]
        h = self.param("inout", t, ("b", e), True)
        s = self.fresh("r")
        first = self.literal(t)
        before = f"{h.name}[{s}-1, {{}}]"
        x = [a for a in self.readable(lambda a: a.shape == (e,)) if a is not h and a not in self.pointers]
        x = self.r.choice(x).at(["j"]) if x and self.chance(0.6) else None
        x = self.cast(x, next(a.type for a in self.arrays if a.at(["j"]) == x), t) if x else first
        way = self.r.random()
        self.line(f"repeat {s} < min(b, {self.r.choice(['2', '3', '4'])}) {{")
        if way < 0.4:
            u = self.param("in", t, (e, e) if self.chance(0.6) else (e,), True)
            cell = f"{u.name}[{'j, ' if len(u.shape) == 2 else ''}i]"
            op = self.r.choice(["sum", "sum", "max", "min", f"first_{t}"])
            fold = f"{op}[i]({self.narrow(t, f'{cell} * {before.format(chr(105))}')})"
            text = self.r.choice([f"{x} + ({s} > 0 ? {fold} : 0)", f"({s} > 0 ? {fold} : {x})", f"({s} < 1 ? {x} : {fold} - {x})"])
            body = f"reduce {h.name}[{s}, j] = {self.narrow(t, text)};"
        elif way < 0.7:
            text = f"{x} + ({s} > 0 ? {before.format('j')} : {first})"
            body = f"map {h.name}[{s}, j] = {self.narrow(t, text)};"
        else:
            text = f"({s} > 0 && j > 0 ? {before.format('j-1')} : {first}) + ({s} >= 1 && j + 1 < {e} ? {before.format('j+1')} : {x})"
            body = f"stencil {h.name}[{s}, j] = {self.narrow(t, text)};"
        self.line(f"\t{self.label()}{body}")
        self.line("}")

    def ragged(self):
        """A fold of ranges that data decide, guarded, with guards in its terms."""
        t = self.type if self.type != "bool" else "i32"
        n = self.base[0]
        whole = self.chance(0.5) and not n.isdigit()
        row = self.param("in", self.r.choice(["i32", "i64", "u32"]), (f"{n}+1" if whole else n,), True)
        x, row.written = self.param("in", t, ("d",), True), False
        y = self.target((n,), t)
        ctx = self.context([("a", n), ("j", "d")], [y])
        ctx.order = False
        term = self.r.choice([f"{x.name}[j] * (j > 0 ? {x.name}[j-1] : {self.literal(t)})", f"{x.name}[j]",
                              f"{x.name}[j] - (j + 2 < d ? {x.name}[j+2] : {self.literal(t)})",
                              f"{x.name}[j] * {self.guarded_read(t, ctx, 0) or self.literal(t)}"])
        op = self.r.choice(["sum", "sum", "max", "min", f"larger_{t}"])
        fold = f"{op}[j in {row.name}[a]..{row.name}[a+1]]({self.narrow(t, term)})"
        if not whole:
            fold = f"(a + 1 < {n} ? {fold} : {self.literal(t)})"
        elif self.chance(0.3):
            fold = f"({self.number()} > 0 ? {fold} : {self.literal(t)})"
        self.line(f"{self.label()}reduce {y.at(['a'])} = {self.narrow(t, fold)};")
        y.written, y.read = True, False

    def chosen(self):
        """Items that a guarded neighbour decides about: integers of the caller, which are exact."""
        e = self.base[0]
        x, p = self.param("in", "i32", (e,), True), self.param("in", self.r.choice(INTS), (e,), True)
        p.written = False
        t, c = self.let("i32", (e,)), self.let("i64", ())
        near = f"(i > 0 ? {x.name}[i-1] : 3)"
        far = f"i64({p.name}[i]) >= 0 && i64({p.name}[i]) < {e} && {x.name}[{p.name}[i]] > 0"
        keeps = self.r.choice([far, f"{x.name}[i] > 0 && ({far} || i + 1 < {e} && {x.name}[i+1] > 0)", f"{near} > 2",
                               f"i >= 2 && {x.name}[i-2] < {x.name}[i]"])
        value = self.r.choice([f"{x.name}[i]", f"{near} + {x.name}[i]"])
        self.line(f"{self.label()}compact {t.name}, {c.name} = {value} where {keeps};")
        y = self.param("inout", "i32", (e,), True)
        self.line(f"map {y.name}[i] = {t.name}[i] for i in 0..min({c.name}, {e});")
        t.written = c.written = c.read = t.read = True
        self.arrays.remove(t)                   # behind what is kept nothing has written it
