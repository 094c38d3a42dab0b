"""windows - stencils of random programs whose folds read cells around the cell.

A mixin of `programs`' Kernel, and of some kernels only.  Such a statement stands in place of another one:

  offsets      along each axis none, a constant range, one that a parameter or the index before gives, or a parameter
  factors      1 or -1; or 2 or 3, over an array as many times as long or of any length
  folds        sum, of products with a factor of each index too, max, min, some and all; argmin and argmax, whose places
               are stored; a window in a window
  masks        of the indices of the window
  boundaries   all, and values that use the indices"""

RADII = [(-1, 2), (0, 3), (-2, 1), (-4, 5), (1, 2), (0, 1)]


class Windows:
    def windowed(self):
        kept, self.r = self.r, self.windows
        self.look_around()
        self.r = kept

    def look_around(self):
        r, shape = self.r, tuple(self.base)
        t = self.type if self.type != "bool" else "i32"
        names = self.names(len(shape))
        edge = r.choice(["clamp", "wrap", "mirror", "reflect", "keep", "value", "value"])
        places = self.chance(0.4) and t not in ("f16", "bf16")
        seen, folds = self.seen(t, names, shape, edge == "keep")
        if not folds:
            return self.stencil()
        mask = f" where ({' + '.join(n for n, _ in folds)}) % 3 != 0" if self.chance(0.2) else ""
        over = ", ".join(f"{n} in {range_}" for n, range_ in folds)
        targets = [self.param("inout", t, shape, True)]
        if places:
            targets += [self.param("inout", "i64", shape, True) for _ in folds]
            value = f"{r.choice(['argmin', 'argmax'])}[{over}{mask}]({seen})"
        else:
            value = self.narrow(t, self.folded(t, over, mask, seen, [n for n, _ in folds]))
        if edge == "value":
            edge = f"({self.literal(t)})" if self.chance(0.6) else f"({t}({names[0]}))"
        left = ", ".join(y.at(names) for y in targets)
        self.line(f"{self.label()}stencil {left} = {value} boundary {edge};")
        for y in targets:
            y.written = y.read = True

    def folded(self, t, over, mask, seen, indices):
        r = self.r
        if t in ("f32", "f64", "i32", "i64") and self.chance(0.3):
            weights = " * ".join(f"{t}({n} {r.choice(['+ 3', '- 1', '* 2'])})" for n in indices)
            return f"sum[{over}{mask}]({weights} * {seen})"
        if t[0] in "fb" and t not in ("f32", "f64"):
            return f"max[{over}{mask}]({seen})"
        if t in ("f32", "f64"):
            return f"{r.choice(['sum', 'max', 'min'])}[{over}{mask}]({seen} / 64)"
        return f"{r.choice(['sum', 'sum', 'max', 'min'])}[{over}{mask}]({seen})"

    def seen(self, t, names, shape, keeps):
        """What a term reads, and the indices of the window with their ranges."""
        r, folds, subs, extents = self.r, [], [], []
        for k, (name, extent) in enumerate(zip(names, shape)):
            kind = r.choices(["none", "constant", "given", "value"], [25, 45, 20, 10])[0]
            factor = r.choices([1, -1, 2, 3], [74, 6, 14, 6])[0]
            own = {1: name, -1: f"{extent} - {name}"}.get(factor, f"{factor}*{name}")
            extents.append(extent if factor < 2 or self.chance(0.5) else f"{factor}*{extent}")
            window = f"o{k}"
            if folds and not keeps and self.chance(0.1):
                folds.append((window, f"{r.choice([-1, 0])}..{folds[-1][0]}+2"))
            elif kind == "constant":
                lo, hi = r.choice(RADII + [(-9, 10)] if len(shape) < 3 else RADII)
                folds.append((window, f"{lo}..{hi}"))
            elif kind == "given":
                by = self.radius()
                folds.append((window, r.choice([f"-{by}..{by}+1", f"0..{by}", f"{by}-1..{by}+1"])))
            by = self.radius() if kind == "value" else None
            subs.append(own if kind == "none" else f"{own} + {by or window}")
        x = self.param("in", t, tuple(extents), True)
        text = x.at(subs)
        if self.chance(0.3):
            y = self.param("in", t, shape, True)
            text = f"({text} {'-' if t[0] != 'u' else '^'} {y.at(names)})"
        return text, folds

    def radius(self):
        name = self.fresh("radius")
        self.params.append(f"{name}: {self.r.choice(['i64', 'i64', 'i32', 'i16'])}")
        self.bounds.append(f"\trequire {name} >= {self.r.choice([-2, 0])}, {name} < 4;")
        return name
