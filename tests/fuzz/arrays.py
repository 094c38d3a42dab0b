"""arrays.py - functions with arrays, for tests/fuzz/programs.

Each has loops that fill an array, mix its elements and fold them; some pass it to a function of arrays.  Subscripts of an array in registers are expressions of
loop indices, in all forms that sema_array.c proves; those of an array that spills may be anything, also outside."""
import random

KINDS = 4                                     # functions a type


class Body:
    def __init__(self, r, t, spill):
        self.r, self.t, self.spill = r, t, spill
        self.axes = r.choice([[r.randint(1, 9)], [r.randint(2, 4), r.randint(1, 4)]])
        self.lines, self.depth, self.count = [], 1, 0

    def line(self, text):
        self.lines.append("\t" * self.depth + text)

    def open(self, text):
        self.line(text + " {")
        self.depth += 1

    def close(self):
        self.depth -= 1
        self.line("}")

    def subscript(self, indices, n):
        """Of an axis of n elements, each index with its end."""
        r = self.r
        name, end = r.choice(indices)
        inside = [f"({name} * {r.randint(1, 5)} + {r.randint(0, 9)}) % {n}", f"min({name}, {n - 1})",
                  f"clamp({name} - {r.randint(0, 3)}, 0, {n - 1})", f"{r.randint(0, n - 1)}",
                  f"{name} < {n - 1} ? {name} : 0", f"abs({name} - {n}) % {n}"]
        if n in (2, 4, 8):
            inside += [f"({name} ^ {r.randint(0, n - 1)}) & {n - 1}", f"ORDER[{name} & 3] % {n}"]
        if end <= n:
            inside += [name, f"{n - 1} - {name}"] * 2
        if self.spill and r.random() < 0.5:
            return r.choice([f"i64(a) % {n + 3}", f"i64(b) - {r.randint(0, 3)}", f"{name} - 1", f"{name} + {n - 1}", "at"])
        return r.choice(inside)

    def element(self, indices):
        return f"v[{', '.join(self.subscript(indices, n) for n in self.axes)}]"

    def value(self, indices):
        r, t = self.r, self.t
        x, y = self.element(indices), r.choice([self.element(indices), "a", "b"])
        if t == "bool":
            return r.choice([f"{x} ^ {y}", f"{x} & {y}", f"!{x}", f"{x} || {y}"])
        if t[0] in "iu":
            return f"{t}({r.choice([f'{x} + {y}', f'{x} - {y}', f'{x} ^ {y}', f'3 * {x} + {y}', f'max({x}, {y})'])})"
        return f"{t}({r.choice([f'0.5 * {x} + {y}', f'{x} - {y}', f'max({x}, {y})', f'min({x}, {y})'])})"

    def step(self, indices):
        r = self.r
        condition = r.choice([f"{r.choice(indices)[0]} != {r.randint(0, 4)}", "a != b", None, None])
        if condition:
            self.open(f"if {condition}")
        if r.random() < 0.3:                  # exchange two
            x, y = self.element(indices), self.element(indices)
            self.count += 1
            self.line(f"let old{self.count} = {x};")
            self.line(f"{x} = {y};")
            self.line(f"{y} = old{self.count};")
        else:
            self.line(f"{self.element(indices)} = {self.value(indices)};")
        if condition:
            self.close()
            if r.random() < 0.2:
                self.line(f"if {condition} {{ {r.choice(['continue', 'break'])}; }}")

    def loops(self):
        r, end = self.r, self.r.randint(1, 5)
        indices = [("k", end)]
        self.open(f"for k in 0..{end}")
        if r.random() < 0.5:
            bound, last = r.choice([("k + 1", end), ("4", 4), ("k", end - 1)])
            indices.append(("m", max(last, 1)))
            self.open(f"for m in 0..{bound}")
        if r.random() < 0.3:
            self.line(f"let w = {r.choice(indices)[0]} * 2 + 1;")
            indices.append(("w", 99))
        for _ in range(r.randint(1, 2)):
            self.step(indices)
        while self.depth > 1:
            self.close()

    def shape(self):
        return f"{self.t}[{', '.join(map(str, self.axes))}]"

    def list(self, of, axis=0, at=()):
        """Elements, a list deep for each axis."""
        if axis == len(self.axes):
            return of(at)
        return f"[{', '.join(self.list(of, axis + 1, at + (k,)) for k in range(self.axes[axis]))}]"

    def passed(self, name):
        """A function that takes and gives the array, and how it is called."""
        r, t = self.r, self.t
        step = Body(r, t, False)
        step.axes = self.axes
        step.line("var v = given;")
        step.loops()
        if r.random() < 0.3:
            turned = self.list(lambda at: f"v[{', '.join(str(n - 1 - k) for k, n in zip(at, self.axes))}]")
            step.line(f"return {r.choice(['a == b', 'v == given', 'given[' + ', '.join('0' for _ in self.axes) + '] == a'])} ? {turned} : v;")
        else:
            step.line("return v;")
        for _ in range(r.randint(1, 2)):
            call = f"{name}_step(v, {r.choice('ab')}, b)"
            self.line(r.choice([f"v = {call};", f"v = a != b ? v : {call};", f"v = {name}_step({call}, a, a);",
                                f"if v != {call} {{ v = {call}; }}"]))
        return f"fn {name}_step(given: {self.shape()}, a: {t}, b: {t}) -> {self.shape()} {{\n" + "\n".join(step.lines) + "\n}\n"

    def text(self, name):
        t, r = self.t, self.r
        helper = ""
        self.line(f"var v: {self.shape()}{' spill' if self.spill else ''};")
        if self.spill:
            self.line("var at = i64(a) & 7;")
        self.line(f"{self.element([('0i64', 1)])} = a;")
        for _ in range(r.randint(1, 3)):
            self.loops()
            if self.spill:
                self.line("at -= 2;")
        if r.random() < 0.5:
            helper = self.passed(name)
        if r.random() < 0.5:                  # a copy
            self.line("let u = v;")
            self.line(f"v[{', '.join('0' for _ in self.axes)}] = b;")
            self.line(f"v[{', '.join(str(n - 1) for n in self.axes)}] = u[{', '.join('0' for _ in self.axes)}];")
        self.line(f"var s = {self.element([('0i64', 1)])};")
        names = ["k", "m"][:len(self.axes)]
        for name_, n in zip(names, self.axes):
            self.open(f"for {name_} in 0..{n}")
        x = f"v[{', '.join(names)}]"
        total = f"s ^ {x}" if t == "bool" else f"{t}(s * 3 + {x})" if t[0] in "iu" else f"{t}(0.5 * s + {x})"
        self.line(f"s = {total};")
        for _ in names:
            self.close()
        self.line("return s;")
        return helper + f"fn {name}(a: {t}, b: {t}) -> {t} {{\n" + "\n".join(self.lines) + "\n}\n"


def functions(seed, types):
    out = ["const ORDER: i64[4] = [2, 0, 3, 1];\n"]
    for t in types:
        for kind in range(KINDS):
            r = random.Random(f"arrays {seed} {t} {kind}")
            out.append(Body(r, t, kind == KINDS - 1 and t[0] in "iu").text(f"array{kind}_{t}"))
    return "".join(out)


if __name__ == "__main__":
    import sys
    print(functions(sys.argv[1], sys.argv[2:]))
