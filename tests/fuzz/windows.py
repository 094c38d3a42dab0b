"""windows - stencils of random programs whose folds read cells around the cell.

A mixin of `programs`' Kernel, and of some kernels only.  Such a statement stands in place of another one:

  offsets      along each axis none, a constant range, one that a parameter or the index before gives, or a parameter
  factors      1 or -1; or 2 or 3, over an array as many times as long or of any length
  folds        sum, of products with a factor of each index too, max, min, some and all; argmin and argmax, whose places
               are stored; a window in a window
  masks        of the indices of the window
  boundaries   all, and values that use the indices
  far          long ranges along one axis, constant or given, of one fold or two, over several arrays"""

FAR = [(-20, 13), (0, 33), (3, 52), (-60, -30), (-30, 3), (0, 24)]
RADII = [(-1, 2), (0, 3), (-2, 1), (-4, 5), (1, 2), (0, 1)]


class Windows:
    def windowed(self):
        kept, self.r = self.r, self.windows
        if self.chance(0.3):
            self.look_far()
        else:
            self.look_around()
        self.r = kept

    def look_around(self):
        r, shape = self.r, tuple(self.base)
        t = self.type if self.type != "bool" else "i32"
        names = self.names(len(shape))
        edge = r.choice(["clamp", "wrap", "mirror", "reflect", "keep", "value", "value"])
        places = self.chance(0.4) and t not in ("f16", "bf16", "f8e4m3")
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

    def look_far(self):
        r, shape = self.r, tuple(self.base)
        t = self.type if self.type not in ("bool", "f16", "bf16", "f8e4m3") else "i32"
        names, along = self.names(len(shape)), r.randrange(len(shape))
        lo, hi = r.choice(FAR)
        if self.chance(0.4):
            far = self.fresh("far")
            self.params.append(f"{far}: {r.choice(['i64', 'i32'])}")
            self.bounds.append(f"\trequire {far} >= {r.choice([-3, 0, 11])}, {far} < {r.choice([9, 20, 30])};")
            lo, hi = r.choice([(f"-{far}", f"{far}+1"), (0, far), (far, f"{far}+26"), (f"-{far}", 12)])
        extents = [e if k != along or self.chance(0.7) else f"2*{e}" for k, e in enumerate(shape)]
        arrays = [self.param("in", t, tuple(extents), True) for _ in range(r.choice([1, 1, 2]))]
        sign = r.choice(["+", "+", "-"])
        subs = [f"{n} {sign} o" if k == along else f"{n} + {r.choice([-1, 1])}" if self.chance(0.1) else n
                for k, n in enumerate(names)]
        seen = [a.at(subs) for a in arrays]
        term = f"({seen[0]} {r.choice(['-', '+']) if t[0] != 'u' else '^'} {seen[-1]})" if len(seen) > 1 else seen[0]
        if t in ("f32", "f64"):
            term += " / 64"
        kinds = ["sum", "max", "min"] if t[0] != "b" else ["some", "all"]
        into = r.choice(["f32", "f64", "i64"]) if t[0] in "iu" and self.chance(0.2) else t
        if into != t:
            term = f"{into}({term})"
        value = f"{r.choice(kinds)}[o in {lo}..{hi}]({term})"
        if t[0] != "b" and self.chance(0.3):
            value = f"{value} {r.choice(['+', '-', '*'])} {r.choice(kinds)}[o in {lo}..{hi}]({seen[0]})"
        edge = r.choice(["clamp", "wrap", "mirror", "reflect", f"({self.literal(t)})", f"({t}({names[0]}))"])
        y = self.param("inout", into, shape, True)
        self.line(f"{self.label()}stencil {y.at(names)} = {self.narrow(into, value)} boundary {edge};")
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
