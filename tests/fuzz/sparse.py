"""sparse - wavefronts of random programs whose cells read others at places that data decide.

A mixin of `programs`' Kernel, and of some kernels only.  Such a statement stands in place of another one:

  places       y[col[e]] in a fold over row[i]..row[i+1], or over a fixed number; y[col[i]] without a fold
  before       about half of the places that src/tools/sample_use.c draws are before the cell; with a mask, col[e] < i, the
               others are no terms; else they are left out and recorded
  axes         one; or another one behind or before it, which is a batch; both ways along the rows
  cells        all, those from 1 on, or those of a mask; what they read beside, and where it may be outside"""

COLUMNS = ["i32", "i32", "i64", "u32", "u8", "i16"]
ENTRIES = ["i32", "i32", "i64", "u16"]


class Sparse:
    def sparse(self):
        kept, self.r = self.r, self.sparses
        self.solve()
        self.r = kept

    def solve(self):
        r, n = self.r, self.base[0]
        t = self.type if self.type != "bool" else "i32"
        axes = r.choices([["i"], ["i", "side"], ["side", "i"]], [70, 20, 10])[0]
        extent = {"i": n, "side": r.choice(["3", self.base[-1], "40"])}
        back = self.chance(0.3)
        old = self.chance(0.5)
        y = self.param("inout" if old else "out", t, tuple(extent[a] for a in axes), True)
        ctx = self.free(self.context([(a, extent[a]) for a in axes], [y]), self.chance(0.2))
        rest = self.hidden([y], lambda: self.narrow(t, self.expr(t, ctx, 1)))
        if old and self.chance(0.4):
            rest = self.narrow(t, f"{rest} + {y.at(axes)}")
        fold = self.solved_place_alone(t, y, axes, n) if self.chance(0.15) else self.solve_fold(t, y, axes, n, back)
        clause = " strict" if self.chance(0.1) else r.choice(["", "", " drop"])
        if back:
            clause += " from right" if axes[-1] == "i" else " from below"
        if old and self.chance(0.2):
            clause += " for " + ", ".join(f"{a} in {1 if a == 'i' and extent[a] == n else 0}..{extent[a]}" for a in axes)
        if old and self.chance(0.1):
            clause += " where i % 3 != 1"
        value = self.narrow(t, f"{rest} {r.choice('+-')} {fold}")
        self.line(f"{self.label()}wavefront {y.at(axes)} = {value}{clause};")
        y.written = y.read = True

    def solved_place(self, y, axes, sub):
        return y.at([sub if a == "i" else a for a in axes])

    def solved_place_alone(self, t, y, axes, n):
        col = self.param("in", self.r.choice(COLUMNS), (n,), True)
        cell = self.solved_place(y, axes, f"{col.name}[i]")
        return f"({col.name}[i] % 2 == 0 ? {cell} : {self.literal(t)})"

    def solve_fold(self, t, y, axes, n, back):
        r = self.r
        if self.chance(0.15):
            col = self.param("in", r.choice(COLUMNS), (n, "3"), True)
            val = self.param("in", t, (n, "3"), True)
            over, at, v = "e in 0..3", f"{col.name}[i, e]", f"{val.name}[i, e]"
        else:
            row = self.param("in", r.choice(ENTRIES), (f"{n}+1",), True)
            col, val = self.param("in", r.choice(COLUMNS), ("c",), True), self.param("in", t, ("c",), True)
            over, at, v = f"e in {row.name}[i]..{row.name}[i+1]", f"{col.name}[e]", f"{val.name}[e]"
        mask = self.r.choices(["", f" where i64({at}) {'>' if back else '<'} i", " where e % 3 != 0"], [55, 30, 15])[0]
        cell = self.solved_place(y, axes, at)
        wide = "f32" if t in ("f16", "bf16", "f8e4m3") else t
        if wide in ("f32", "f64"):
            return f"{r.choice(['sum', 'sum', 'max', 'min'])}[{over}{mask}]({v} / 64 * {cell}) / 2"
        term = r.choice([f"{v} * {cell}", f"({v} ^ {cell})", f"{cell} % 5", cell])
        return f"{r.choice(['sum', 'sum', 'sum', 'max', 'min'])}[{over}{mask}]({term})"
