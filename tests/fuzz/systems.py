"""systems - wavefronts of random programs whose cells fold earlier cells along their rows and columns.

A mixin of `programs`' Kernel, and of some kernels only.  Such a statement stands in place of another one:

  chains       k in i..j over t[i, k] and t[k+1, j], the rows from below: products of chains, parses
  factors      k in 0..i where i <= j, else k in 0..j, over t[i, k] and t[k, j], in one fold or in two branches; a band of them
  rows         k in max(0, j-70)..j over t[i, k]; columns, k in 0..i over t[k, j] and another array
  terms        what they read beside: values of the row, of the column, of the term, of both; masks
  around       conditions of indices, of other folds, of cells; a second equation; the place of the best; a batch; where"""

REDUCED = ["min", "max", "min", "max", "sum"]


class Systems:
    def system(self):
        kept, self.r = self.r, self.systems
        r, n = self.r, self.base[0]
        t = self.type if self.type not in ("bool", "f16", "bf16", "f8e4m3") else "i32"
        batch = self.chance(0.15)
        axes = (["b"] if batch else []) + ["i", "j"]
        extent = (("3",) if batch else ()) + (n, n)
        form = r.choice([self.chain_form, self.chain_form, self.factor_form, self.factor_form, self.row_form, self.column_form])
        y = self.param("inout", t, extent, True)
        value, clause = form(t, y, axes, n)
        if self.chance(0.2):
            clause += f" where {r.choice(['i % 3 != 1', 'j % 2 == 0', 'i + j != 5'])}"
        eqs = [f"{y.at(axes)} = {self.narrow(t, value)}"]
        if form == self.chain_form and self.chance(0.3):
            z = self.param("inout", "i64", extent, True)
            eqs.append(f"{z.at(axes)} = i < j ? {r.choice(['argmin', 'argmax'])}[k in i..j]({self.chain_term(t, y, axes, n)}) : i")
            z.written = z.read = True
        y.written = y.read = True
        self.line(f"{self.label()}wavefront " + ", ".join(eqs) + clause + ";")
        self.r = kept

    def table_cell(self, y, axes, row, column):
        return y.at(axes[:-2] + [row, column])

    def other_value(self, t, n):
        """Values that a term has beside cells of the table."""
        r = self.r
        if self.chance(0.4):
            return self.literal(t)
        if self.chance(0.5):
            x = self.param("in", t, (n,), True)
            return x.at([r.choice("ijk")])
        x = self.param("in", t, (n, n), True)
        return x.at(r.choice([["i", "k"], ["k", "j"], ["k", "i"], ["j", "k"], ["k", "k"], ["i", "j"]]))

    def system_term(self, t, cells, n):
        r = self.r
        cells = [self.narrow(t, f"{c} / 2" if t[0] == "f" else r.choice([c, f"{c} % 7", f"({c} ^ 5)"])) for c in cells]
        text = f" {r.choice('+-') if t[0] == 'f' else r.choice('+-*')} ".join(cells)
        for _ in range(r.choice([0, 0, 1, 1, 2])):
            other = self.other_value(t, n)
            text = f"{text} {r.choice('+-')} " + (f"{other} * 0.5" if t[0] == "f" else other)
        if self.chance(0.1):
            text = f"({cells[0]} > {self.literal(t)} ? {text} : {cells[-1]})"
        return self.narrow(t, text)

    def terms_folded(self, t, over, term, masked=True):
        op = self.r.choice(REDUCED[:4] if t[0] == "f" else REDUCED)
        mask = f" where k % {self.r.choice([2, 3])} != 1" if masked and self.chance(0.15) else ""
        return f"{op}[k in {over}{mask}]({term})"

    def bounded(self, t, fold, else_):
        """A fold of no terms has the operator's identity: of floats that is no finite value."""
        return fold if t[0] != "f" else f"clamp({fold}, -100, 100) + {else_}"

    def chain_term(self, t, y, axes, n):
        return self.system_term(t, [self.table_cell(y, axes, "i", "k"), self.table_cell(y, axes, "k+1", "j")], n)

    def chain_form(self, t, y, axes, n):
        r, own = self.r, self.param("in", t, (n, n), True).at(["i", "j"])
        fold = self.terms_folded(t, "i..j", self.chain_term(t, y, axes, n))
        if self.chance(0.15):
            other = self.terms_folded(t, "i..j", self.table_cell(y, axes, "i", "k"), False)
            fold = f"({fold} > {self.literal(t)} ? {other} : {own})"
        if t[0] == "f":
            fold = f"clamp({fold}, -100, 100)"
        value = f"{r.choice(['j > i', 'i < j'])} ? {fold} + {own} : {own}"
        if self.chance(0.3):
            return value, " from below for " + ", ".join(f"{a} in {'i' if a == 'j' else '0'}..{'3' if a == 'b' else n}" for a in axes)
        return value, " from below"

    def factor_form(self, t, y, axes, n):
        own = y.at(axes)
        term = self.system_term(t, [self.table_cell(y, axes, "i", "k"), self.table_cell(y, axes, "k", "j")], n)
        lo = self.r.choice(["0", "0", "max(0, min(i, j)-40)"])
        if self.chance(0.4):
            return f"{own} - {self.bounded(t, self.terms_folded(t, f'{lo}..min(i, j)', term), own)}", ""
        first = self.terms_folded(t, f"{lo}..i", term)
        if self.chance(0.3):
            term = self.system_term(t, [self.table_cell(y, axes, "i", "k"), self.table_cell(y, axes, "k", "j")], n)
        second = f"{first.split('[')[0]}[k in {lo}..j]({term})" if "where" not in first else self.terms_folded(t, f"{lo}..j", term)
        return f"i <= j ? {own} - {self.bounded(t, first, own)} : {self.bounded(t, second, own)} ", ""

    def row_form(self, t, y, axes, n):
        own = y.at(axes)
        back = self.chance(0.3)
        over = f"j+1..min({n}, j+70)" if back else self.r.choice(["0..j", "max(0, j-70)..j"])
        term = self.system_term(t, [self.table_cell(y, axes, "i", "k")], n)
        return f"{own} - {self.bounded(t, self.terms_folded(t, over, term), own)}", " from right" if back else ""

    def column_form(self, t, y, axes, n):
        own = y.at(axes)
        x = self.param("in", t, (n, n), True).at(["i", "k"])
        term = self.system_term(t, [x, self.table_cell(y, axes, "k", "j")], n)
        return f"{own} - {self.bounded(t, self.terms_folded(t, '0..i', term), own)}", ""
