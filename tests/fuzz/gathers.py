"""gathers - scatters of random programs whose subscripts are sums of indices.

A mixin of `programs`' Kernel, and of some kernels only.  Such a statement stands in place of another one:

  indices      two to four, over different sizes, over constants, from constants below 0, or below another one
  subscripts   of one or two axes: an index, or a sum of some with factors 1, -1, 2 and 3
  equations    one to three, of one array or several, with the same subscripts or others
  operators    all that combine, on all types
  masks        of the indices, and of what is read
  items        what is read at an index or two, times numbers of the indices; sometimes at a place that data give"""
from walks import may_fail

FACTORS = [1, 1, 1, 1, -1, 2, 3]
SMALL = [(0, 2), (0, 3), (0, 5), (-1, 2), (-2, 3), (2, 4), (0, 1)]


class Gathers:
    def gathered(self):
        kept, self.r = self.r, self.gathers
        self.gather_items()
        self.r = kept

    def gather_items(self):
        r, t = self.r, self.type
        self.index_range, self.highest = {}, {}     # of an index: from, up to, its size or None
        for name in self.names(r.choices([2, 3, 4], [60, 32, 8])[0]):
            self.index_range[name] = self.index_ends(name)
        arrays = [self.reached(t)]
        if self.chance(0.2):
            arrays.append(self.reached(t))
        equations = [self.bringing(*arrays[0])]
        for _ in range(r.choices([0, 1, 2], [65, 25, 10])[0]):
            equations.append(self.bringing(*r.choice(arrays)))
        mask = ""
        if self.chance(0.25):
            mask = f" where ({' + '.join(self.index_range)}) % 3 != {r.choice([0, 1])}"
        over = ", ".join(f"{n} in {a[0]}..{a[1]}" for n, a in self.index_range.items())
        data = any("[x" in e for e in equations) or may_fail(*equations)    # which may lead outside
        word = r.choice([""] * 8 + [" drop", "" if data else " trusted"])
        self.line(f"{self.label()}scatter {', '.join(equations)}{word} for {over}{mask};")
        for a, _, _ in arrays:
            a.written = a.read = True

    def index_ends(self, name):
        """Where it begins and ends, and its size or None; no size twice, so that items are few."""
        kind = self.r.choices(["size", "small", "below"], [55, 38, 7])[0]
        free = [e for e in self.base if not any(a[2] == e for a in self.index_range.values())]
        before = [n for n, a in self.index_range.items() if a[:2] in [("0", "3"), ("0", "5")]]
        if kind == "below" and before:
            n = self.r.choice(before)
            self.highest[name] = int(self.index_range[n][1]) - 1
            return "0", n, None
        if kind == "size" and free:
            e = self.r.choice(free)
            return "0", e, e
        lo, hi = self.r.choice(SMALL)
        self.highest[name] = hi
        return str(lo), str(hi), None

    def reached(self, t):
        """An array, its subscripts, and the extents that hold them all."""
        subs, extents = zip(*[self.sum_of() for _ in range(self.r.choices([1, 2], [65, 35])[0])])
        return self.param("inout", t, extents, True), subs, self.combining(t)

    def sum_of(self):
        r = self.r
        names = r.sample(list(self.index_range), r.choices([1, 2, min(3, len(self.index_range))], [25, 60, 15])[0])
        text, low, high, sizes = "", 0, 1, {}
        for n in names:
            lo, _, size = self.index_range[n]
            f = r.choice(FACTORS)
            text += f" {'-' if f < 0 else '+'} {'' if abs(f) == 1 else f'{abs(f)}*'}{n}"
            if size and size.isdigit():
                lo, self.highest[n], size = "0", int(size), None
            if size:
                sizes[size] = sizes.get(size, 0) + abs(f)
                text += f" + {size}*{abs(f)}" if f < 0 else ""
            else:
                ends = sorted([f * int(lo), f * (self.highest[n] - 1)])
                low, high = low + min(ends[0], 0), high + max(ends[1], 0)
        text = text[3:] if text.startswith(" + ") else text[1:]
        extent = " + ".join(f"{k}*{s}" if k > 1 else s for s, k in sizes.items())
        spare = r.choice([0, 0, 1, 4])
        if sizes and "-" in text:
            spare += 1
        number = high - low + spare
        return text + (f" + {-low}" if low else ""), f"{extent} + {number - (1 if extent and not low and high == 1 else 0)}" if extent else str(number)

    def combining(self, t):
        if t == "bool":
            return self.r.choice(["all=", "any="])
        return self.r.choice(["+=", "+=", "-=", "min=", "max="] + ([] if t[0] in "fb" else ["^=", "*="]))

    def bringing(self, a, subs, operator):
        if self.chance(0.3) and len(subs) > 1 and a.shape[0] == a.shape[1]:
            subs = subs[::-1]
        return f"{a.at(list(subs))} {operator} {self.brought(a.type)}"

    def brought(self, t):
        r, names = self.r, list(self.index_range)
        parts = []
        for n in r.sample(names, r.choice([1, 2])):
            size = self.index_range[n][2]
            if size:
                x = self.param("in", t, (size,), True)
                parts.append(x.at([n]))
            elif t == "bool":
                parts.append(f"{n} > 0")
            else:
                parts.append(f"{t}({n} + 3)")
        if self.chance(0.08):
            n = next((n for n in names if self.index_range[n][2]), None)
            if n:
                x, place = self.param("in", t, ("c",), True), self.param("in", "i32", (self.index_range[n][2],), True)
                self.pointers.append(place)
                parts[-1] = x.at([place.at([n])])
        join = " && " if t == "bool" else f" {r.choice(['+', '*']) if t not in ('f16', 'bf16') else '+'} "
        text = join.join(parts)
        if t in ("f16", "bf16", "f8e4m3"):
            text = f"({text}) / 64"
        return self.narrow(t, text)
