"""walks - functions of random programs that read arrays.

A mixin of `programs`' Kernel.  In a third of all kernels a leaf may be a call of one, wherever a statement may read what data
point at:

  cell   one cell, at the indices of the statement, beside them, or where an expression leads, which may be outside
  sum    of a row, whose subscripts need no test
  hops   integers lead from cell to cell, for as many passes as `at most` allows

A call that fails leaves the cell as it was, or the term out."""


import re


def may_fail(*texts):
    """Does a call in them read where a cell may not be?  No statement vouches for it."""
    return any(re.search(r"\b(cell|sum|hops)\d_", text) for text in texts)


class Walks:
    def walked(self, t, ctx):
        """A call that gives the type t, or None."""
        if not self.walky or not ctx.beside or self.walks.random() > 0.2:
            return None
        return self.aside(lambda: self.walk(t, ctx), self.walks)

    def walk(self, t, ctx):
        arrays = self.readable(lambda a: 1 <= len(a.shape) <= 2 and not a.field and not a.layout and a.type != "bool"
                               and a not in ctx.busy and a not in self.pointers)
        if not arrays:
            return None
        a = self.r.choice(arrays)
        a.read = True
        ways = ["cell"] * 4 + ["sum"] * (len(a.shape) == 2) + ["hops"] * 2 * (len(a.shape) == 1 and a.type[0] in "iu")
        way = self.r.choice(ways)
        places = [self.walk_place(e, ctx) for e in a.shape][: 1 if way == "sum" else 2]
        return self.cast(f"{way}{len(a.shape)}_{a.type}({a.name}, {', '.join(places)})", a.type, t)

    def walk_place(self, extent, ctx):
        index = self.r.choice(ctx.index)[0] if ctx.index else "0"
        if self.chance(0.3):
            return index
        if self.chance(0.4):
            return f"{index} + {self.r.choice([1, 2, 40])}"
        if self.chance(0.5):
            return f"({index} * 7 + {self.r.randint(0, 5)}) % max({extent}, 1)"
        return f"i64({self.literal('i32')})"


def walk_functions(types):
    out = []
    for t in types:
        out.append(f"fn cell1_{t}(x: {t}[n], i: i64) -> {t} = x[i];")
        out.append(f"fn cell2_{t}(x: {t}[n, m], i: i64, j: i64) -> {t} = x[i, j];")
        out.append(f"fn sum2_{t}(x: {t}[n, m], i: i64) -> {t} {{\n\tvar s: {t} = 0;\n"
                   f"\tfor k in 0..min(m, 3) {{ s = larger_{t}(s, x[i, k]); }}\n\treturn larger_{t}(s, cell2_{t}(x, i, 0));\n}}")
        if t[0] in "iu":
            out.append(f"fn hops1_{t}(x: {t}[n], from: i64) -> {t} {{\n\tvar at: i64 = from;\n\tvar s: {t} = 1;\n"
                       f"\twhile at >= 0 && s > 0 at most (n + 2) {{ s = x[at]; at = at / 2 - 1; }}\n\treturn s;\n}}")
    return "\n".join(out)
