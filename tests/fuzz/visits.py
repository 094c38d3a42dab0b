"""visits - loops of stencils of random programs, whose passes share visits of memory.

A mixin of `programs`' Kernel, and of some kernels only.  Such a loop replaces a statement:

  arrays       one or two that are swapped in each pass, of 1 to 3 axes, rows of whole vectors; one that lives in a pass
  reads        1 to 4 cells at constant offsets, of three axes never of another line of another plane
  boundaries   all, also different ones along the axes; ranges of `for`
  statements   a stencil, or a map where no neighbour is read; the same target twice; the counter of the loop
  passes       around the depths that are chosen"""

EDGES = ["keep", "clamp", "wrap", "mirror", "reflect", "1", "for", "axes"]
KINDS = ["clamp", "wrap", "mirror", "reflect", "keep"]


class Visits:
    def visited(self):
        kept, self.r = self.r, self.visits
        self.visit()
        self.r = kept

    def visit(self):
        r = self.r
        rank = min(r.choice([1, 2, 2, 2, 3]), len(self.base))
        t = r.choice(["f32", "f32", "f64", "i32", "u8", "f16"])
        shape = [*self.base[:rank - 1], f"16*{self.base[rank - 1]}"]
        names, fields = self.names(rank), r.choice([1, 1, 2])
        arrays = [self.param("inout", t, tuple(shape), True) for _ in range(fields)]
        others = [self.fresh("b") for _ in arrays]
        inner = [self.fresh("e")] if self.chance(0.3) else []
        cell = f"[{', '.join(names)}]"
        for other, y in zip(others + inner, arrays + arrays[:1]):
            self.line(f"let {other}: {t}[{', '.join(shape)}];")
            self.line(f"map {other}{cell} = {y.at(names)};")
        counter, edge = self.fresh("r"), r.choice(EDGES)
        self.line(f"repeat {counter} < {r.randint(5, 13)} {{")
        read = [y.name for y in arrays]
        for target in inner + others + (others[:1] if self.chance(0.1) else []):
            self.pass_of(target, read, t, shape, names, edge, counter)
            read = read + [target] if target in inner else read
        for y, other in zip(arrays, others):
            self.line(f"\tswap {y.name}, {other};")
            y.written = y.read = True
        self.line("}")

    def pass_of(self, target, read, t, shape, names, edge, counter):
        r, terms, offsets = self.r, [], []
        for _ in range(r.randint(1, 4)):
            offset = self.near(len(shape), 1 if t == "f64" or len(shape) > 2 else 2)
            offsets.append(offset)
            cell = ", ".join(n + (f"{o:+d}" if o else "") for n, o in zip(names, offset))
            factor = r.randint(1, 3) if t in ("i32", "u8") else f"{r.uniform(-0.6, 0.6):.2f}"
            terms.append(f"{factor} * {r.choice(read)}[{cell}]")
        if self.chance(0.2):
            terms.append(f"{'f32' if t == 'f16' else t}({counter})")
        value = " + ".join(terms)
        value = f"{t}({value})" if t in ("u8", "f16") else value
        moves = any(any(o) for o in offsets)
        clause = self.edge_of(edge, offsets, shape, names) if moves or edge == "for" else ""
        self.line(f"\t{'stencil' if moves else 'map'} {target}[{', '.join(names)}] = {value}{clause};")

    def near(self, rank, most):
        while True:
            offset = [0 if self.chance(0.45) else self.r.randint(-most, most) for _ in range(rank)]
            if rank < 3 or not offset[0] or not offset[1]:
                return offset

    def edge_of(self, edge, offsets, shape, names):
        if edge == "axes":
            return f" boundary ({', '.join(self.r.choice(KINDS) for _ in shape)})"
        if edge != "for":
            return f" boundary {edge}"
        ranges = []
        for k, (name, extent) in enumerate(zip(names, shape)):
            low = max(0, *[-o[k] for o in offsets], 0) + self.r.randint(0, 1)
            high = max(0, *[o[k] for o in offsets], 0) + self.r.randint(0, 1)
            ranges.append(f"{name} in {low}..max({low}, {extent}-{high})")
        return f" for {', '.join(ranges)}"
