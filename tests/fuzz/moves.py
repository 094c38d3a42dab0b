"""moves - statements of random programs that read or write anywhere: gather, scatter, histogram, transpose, compact.

A mixin of `programs`' Kernel, and of some kernels only.  Such a statement stands in place of another one, so that the
kernel is as long as it would be, and what is before it and behind it is what all kernels have: maps, folds, scans, loops
with swaps.  What chance decides is what the passes and lowerings look at:

  subscripts   bare, reversed, permuted, through an array of any integer type or two of them, moved by an index or a
               number, computed by the kernel before, cut to a range by & or %
  cells        of every type and rank, fields, structs that an operator combines whole; bins are few or many, and
               then more than a block's
  bad indices  are made by src/tools/sample_use.c: below 0, behind the end, far away; so nothing here says `trusted` but of
               an array that has as many cells as the axis that it points into, and is for nothing else.  `unique` is
               said of such arrays, too, for which the sampler makes places that differ, and of permuted axes.

What is computed from a float decides no place: the interpreter's bounds say nothing of a value that went elsewhere."""
from walks import may_fail

INTS = ["i32", "i32", "i32", "i64", "i64", "u32", "u64", "i16", "u16", "u8", "i8"]
COMBINE = {"bool": ["&=", "|=", "^=", "any=", "all="],
           "float": ["+=", "+=", "-=", "max=", "min=", "*="],
           "int": ["+=", "+=", "+=", "-=", "max=", "min=", "^=", "|=", "&=", "*="]}
# Operators of a second equation: lanes ask for their peers at most once in a loop, since the emulator takes those that ask in
# one helper at one time for one group, wherever they came from (tests/simt/simt_warp.cpp).
LOOKS = {"bool": "any=", "f16": "max=", "bf16": "min=", "f32": "max=", "f64": "min=", "i8": "max=", "u8": "max=", "i16": "min=",
         "u16": "max=", "f8e4m3": "max="}
OPERATORS = "".join(
    f"op both_{t}(p: Duo_{t}, q: Duo_{t}) -> Duo_{t} = Duo_{t}(max(p.a, q.a), {t}(p.b + q.b))\n"
    f"\tidentity Duo_{t}({low}, 0), associative, commutative;\n"
    for t, low in (("i32", "i32.min"), ("i64", "i64.min"), ("f32", "-inf"), ("u8", "0"), ("f16", "-inf"))) + \
    "op fills(a: u8, b: u8) -> u8 = u8(min(i32(a) + i32(b), 255)) identity 0, associative, commutative;\n"


class Moves:
    def move(self):
        self.pointers = [a for a in self.pointers if a in self.arrays]
        kinds = [self.gather, self.scatter, self.histogram, self.records, self.transpose, self.compact]
        self.r.choices(kinds, [30, 30, 16, 8, 14, 6])[0]()

    # ---- places ----

    def pointer(self, shape, sure=False):
        """An array of integers that is read in subscripts: an input, or made of one; `sure`: for this use alone,
        and no field, since the sampler knows arrays."""
        old = [a for a in self.pointers if a.shape == shape]
        if old and not sure and self.chance(0.5):
            return self.r.choice(old)
        a = self.param("in", self.r.choice(INTS[:6] if sure else INTS), shape, sure)
        if sure:
            a.written = False
            return a
        if self.chance(0.25) and shape:
            names = self.names(len(shape))
            t = self.let(self.r.choice(["i32", "i64"]), shape)
            text = self.r.choice(["{} + 1", "abs({}) % 50", "{} ^ 1", "{}"]).format(f"{t.type}({a.at(names)})")
            self.line(f"{self.label()}map {t.at(names)} = {text};")
            t.written = t.read = True
            a = t
        self.pointers.append(a)
        return a

    def pointed(self, index, e, sure):
        """A subscript of an axis of e cells: through an array."""
        if sure:
            return self.pointer((e,), True).at([next(n for n, f in index if f == e)])
        over = sorted(self.r.sample(index, self.r.randint(1, len(index)))) if self.chance(0.4) else [self.r.choice(index)]
        a = self.pointer(tuple(f for n, f in over))
        text = a.at([n for n, f in over])
        roll = self.r.random()
        if roll < 0.12:
            return self.pointer((over[0][1],)).at([text])
        if roll < 0.2:
            return f"i64({text}) + {self.r.choice([index[0][0], '1'])}"
        if roll < 0.26:
            return f"i64({text}) - 1"
        return text

    def binned(self, index, e):
        text = f"i64({self.pointed(index, e, False)})"
        if e.isdigit() and self.chance(0.8):
            return self.r.choice([f"{text} & {(1 << (int(e).bit_length() - 1)) - 1}", f"{text} & {(1 << int(e).bit_length()) - 1}",
                                  f"{text} % {e}"])
        return f"{text} & {self.r.choice([1, 7, 63, 1023])}"

    def places(self, index, shape, how, sure=False):
        """A subscript for every axis: `how` many of ten go through arrays."""
        left, subs = list(index), []
        for e in shape:
            same = [x for x in (left if self.chance(0.8) else index) if x[1] == e]
            if sure and not [x for x in index if x[1] == e]:
                return None
            if self.chance(how / 10) or not same:
                subs.append(self.pointed(index, e, sure))
                continue
            x = self.r.choice(same)
            left = [y for y in left if y != x]
            subs.append(x[0] if self.chance(0.6) else f"{e}-1-{x[0]}")
        return subs

    def manner(self, sure, *texts):
        return " trusted" if sure and not may_fail(*texts) else self.r.choice(["", "", " drop"])

    def domain(self, index):
        """All items, those of a range, or those up to a number that the device knows."""
        said = self.ranges(index, 0.2)[0]
        rest = [f"{n} in 0..{e}" for n, e in index if f" {n} in " not in said]
        return said + (", " if said else " for ") + ", ".join(rest) if rest else said

    # ---- statements ----

    def gather(self):
        shape = self.some_shape()
        index = list(zip(self.names(len(shape)), shape))
        targets = list(dict.fromkeys(self.target(shape) for _ in range(self.r.choices([1, 2], [80, 20])[0])))
        self.pointers = [a for a in self.pointers if a not in targets]
        found = [a for a in self.arrays if a.written and a.shape and a not in targets and a not in self.pointers]
        sure, ctx, eqs = self.chance(0.15), self.free(self.context(index, targets)), []
        where = self.tail(ctx)
        for a in targets:
            x = self.r.choice(found)
            subs = self.places(index, x.shape, 6, sure)
            if subs is None:
                subs, sure = self.places(index, x.shape, 6), False
            op = self.assign(a)
            text = self.cast(x.at(subs), x.type, a.type)
            if self.chance(0.5):
                join = "^" if a.type == "bool" else self.r.choice("+-*")
                text = f"{text} {join} {self.expr(a.type, ctx, 1)}"
            eqs.append(f"{a.at([n for n, e in index])} {op} {self.narrow(a.type, text)}")
            x.read = True
        for a in targets:
            a.written, a.read = True, False
        sure = sure and len(targets) == 1       # the word is said of all that a statement reads
        self.line(f"{self.label()}gather {', '.join(eqs)}{self.manner(sure, where, *eqs)}{where};")

    def met(self, shape):
        """An array where items meet: what it holds counts."""
        old = [a for a in self.arrays if a.kind != "in" and a.shape == shape and (a.written or a.kind == "let")
               and a not in self.pointers]
        if old and self.chance(0.5):
            return self.r.choice(old)
        return self.let(self.other_type(), shape) if "c" not in shape and self.chance(0.3) else self.param("inout", self.other_type(), shape)

    def combine(self, t):
        ways = COMBINE["bool" if t == "bool" else "float" if t[0] in "fb" else "int"]
        ways = ways if t == "bool" else ways + [f"larger_{t}="]
        return self.r.choice(ways + ["fills="] * 4 if t == "u8" else ways)

    def hidden(self, targets, make):
        """What make() says while nothing reads the targets."""
        before = [(a, a.written) for a in targets]
        for a in targets:
            a.written = False
        said = make()
        for a, written in before:
            a.written = written
        return said

    def scatter(self):
        items = self.some_shape()
        index = list(zip(self.names(len(items)), items))
        shape = self.r.choice([self.base, self.base[:1], items, ("c",), self.base[-1:], (items[0], "8"), ("40",)])
        targets = list(dict.fromkeys(self.met(shape) for _ in range(self.r.choices([1, 2, 3], [75, 18, 7])[0])))
        if self.chance(0.2):
            return self.spread(index, targets[0])
        self.hidden(targets, lambda: self.meeting("scatter", index, targets, lambda: self.places(index, shape, 7)))

    def histogram(self):
        items = self.some_shape()
        index = list(zip(self.names(len(items)), items))
        shape = self.r.choice([("8",), ("16",), ("256",), ("c",), ("4", "8"), ("20000",), (items[0],)])
        targets = list(dict.fromkeys(self.met(shape) for _ in range(self.r.choices([1, 2], [80, 20])[0])))
        self.hidden(targets, lambda: self.meeting("histogram", index, targets, lambda: [self.binned(index, e) for e in shape]))

    def meeting(self, pattern, index, targets, places):
        ctx, eqs, same = self.free(self.context(index, targets)), [], places()
        where = self.tail(ctx)
        targets = targets[:1] + [a for a in targets[1:] if a.type in LOOKS]
        for a in targets:
            subs = same if self.chance(0.7) else places()
            value = "true" if a.type == "bool" else "1" if self.chance(0.4) else self.narrow(a.type, self.expr(a.type, ctx, 1))
            eqs.append(f"{a.at(subs)} {self.combine(a.type) if a is targets[0] else LOOKS[a.type]} {value}")
        strict = " strict" if self.chance(0.08) else ""
        label = self.label()
        self.line(f"{label}{pattern} {', '.join(eqs)}{self.manner(False)}{strict}{self.domain(index)}{where};")
        if label and not strict and "[" in "".join(subs) and len(targets) == 1 and not targets[0].field and not targets[0].layout and self.chance(0.5):
            self.meet.append(label[:-2])
        for a in targets:
            a.read = False

    def spread(self, index, a):
        """Items that each go to a place of their own."""
        names, shape = [n for n, e in index], tuple(e for n, e in index)
        ctx, same = self.free(self.context(index, [a])), a.shape == shape
        value, where = self.hidden([a], lambda: (self.narrow(a.type, self.expr(a.type, ctx, 1)), self.tail(ctx)))
        if same and len(shape) > 1 and self.chance(0.5):
            subs, sure = [n if self.chance(0.5) else f"{e}-1-{n}" for n, e in index], False
        elif len(a.shape) == 1:
            sure = a.shape == shape and self.chance(0.3)
            subs = [self.pointer(shape, True).at(names)]
        else:
            return
        self.line(f"{self.label()}scatter {a.at(subs)} = {value} unique{self.manner(sure, value, where)}{self.domain(index)}{where};")
        a.written, a.read = True, False

    def records(self):
        """Structs that are combined whole, and read by field."""
        items = self.some_shape()
        index = list(zip(self.names(len(items)), items))
        t = self.type if self.type in ("i32", "i64", "f32", "u8", "f16") else "i32"
        shape = self.r.choice([("c",), ("7",), items[:1]])
        p = self.fresh("w")
        ctx = self.free(self.context(index, []))
        value = ", ".join(self.narrow(t, self.expr(t, ctx, 1)) for _ in range(2))
        at = ", ".join(self.places(index, shape, 9))
        layout = self.r.choice(["", "", " layout soa", " layout aosoa(4)"])
        self.params.append(f"inout {p}: Duo_{t}[{', '.join(shape)}]{layout}")
        self.line(f"{self.label()}scatter {p}[{at}] both_{t}= Duo_{t}({value}){self.manner(False)}{self.domain(index)}{self.tail(ctx)};")
        a = Cells(p, t, shape)
        self.arrays.append(a)

    def transpose(self):
        found = [a for a in self.arrays if a.written and len(a.shape) > 1 and a not in self.pointers]
        x = self.r.choice(found) if found and self.chance(0.8) else None
        x = x or self.param("in", self.type, tuple(self.r.choice([self.base[0], "5", "c"]) for _ in range(self.r.randint(2, 4))))
        index = list(zip(self.names(len(x.shape)), x.shape))
        turned = index[1:] + index[:1]
        if self.chance(0.6):
            turned = self.r.choice([index[::-1], index[:-2] + index[:-3:-1], index[1::-1] + index[2:]])
        shape = tuple(e for n, e in turned)
        y = self.target(shape)
        if y is x:
            return
        ctx = self.context(turned, [y])
        text = self.cast(x.at([n for n, e in index]), x.type, y.type)
        if self.chance(0.4):
            join = "^" if y.type == "bool" else self.r.choice("+-*")
            text = f"{text} {join} {self.expr(y.type, ctx, 1)}"
        op, where = self.assign(y), self.tail(ctx)
        self.line(f"{self.label()}transpose {y.at([n for n, e in turned])} {op} {self.narrow(y.type, text)}{where};")
        x.read = y.written = True
        y.read = False

    def compact(self):
        """What is kept points somewhere, up to a number that the device knows."""
        e = self.base[0]
        x = self.param("in", self.r.choice(["i32", "i64", "u32"]), (e,))
        t, c = self.let(x.type, (e,)), self.let("i64", ())
        self.line(f"{self.label()}compact {t.name}, {c.name} = {x.at(['i'])} where {x.at(['i'])} > {self.r.choice(['0', '20'])};")
        self.pointers.append(t)                 # no item goes to it
        y = self.met(self.r.choice([(e,), ("64",), ("c",)]))
        value = "true" if y.type == "bool" else "1"
        label = self.label()
        self.line(f"{label}scatter {y.at([t.at(['i'])])} {self.combine(y.type)} {value}{self.manner(False)} "
                  f"for i in 0..min({c.name}, {e});")
        t.written = t.read = c.written = c.read = y.written = True
        y.read = False

    # ---- what the caller has in memory, pins ----

    def laid(self, shape, field):
        """A layout for a parameter, in kernels that move."""
        if not self.movy or self.moves.random() > 0.25:
            return ""
        ways = [" layout soa", " layout aosoa(4)", " layout aosoa(32)"] if field else []
        if len(shape) > 1:
            ways += [" layout col", f" layout row({self.fresh('ld')})", f" layout col({self.fresh('ld')})",
                     " layout tiled(4, 8)", " layout tiled(16, 2)"]
        return self.moves.choice(ways) if ways else ""

    def meeting_pins(self):
        """One for cuda and hip each; where items meet."""
        ways = ["privatise", "privatise 1", "privatise first 5", "privatise hot", "no privatise", "no gather"]
        return [f"{q}: {self.r.choice(ways)};" for q in self.meet]


class Cells:
    """A field of an array of structs that items went to."""

    def __init__(self, name, type, shape):
        self.name, self.type, self.shape, self.kind = name, type, shape, "inout"
        self.field, self.written, self.read, self.layout = ".b", True, True, ""

    def at(self, subs):
        return f"{self.name}[{', '.join(subs)}]{self.field}"
