#!/usr/bin/env python3
"""examples/cookbook against plain loops in Python.  cookbook.py PATC FOLDER [NAME...]

The interpreter of patc runs each program on a small input; the built texts are compared with the interpreter by
`patc test`.  Prints a line a task that differs.
"""
import array
import cmath
import math
import os
import random
import subprocess
import sys
import tempfile

TYPES = {"f32": "f", "f64": "d", "i32": "i", "i64": "q", "u32": "I", "u8": "B", "bool": "B"}
TASKS = []


def task(function):
    TASKS.append(function)
    return function


class Program:
    """One of FOLDER; run() gives what it writes, flat lists by name."""

    def __init__(self, patc, path, there):
        self.patc, self.path, self.there = patc, path, there

    def run(self, kernel, outs, **ins):
        """outs: types by name.  ins: numbers, or (type, cells), arrays."""
        words = []
        for name, value in ins.items():
            if isinstance(value, tuple):
                file = os.path.join(self.there, name + ".raw")
                with open(file, "wb") as to:
                    array.array(TYPES[value[0]], value[1]).tofile(to)
                value = "raw:" + file
            words.append(f"{name}={value}")
        for name in outs:
            words += ["-o", f"{name}=raw:{self.there}/{name}.out.raw"]
        subprocess.run([self.patc, "run", self.path, kernel, *words], check=True, stdout=subprocess.DEVNULL)
        return [self.read(name, type_) for name, type_ in outs.items()]

    def read(self, name, type_):
        cells = array.array(TYPES[type_])
        file = os.path.join(self.there, name + ".out.raw")
        with open(file, "rb") as of:
            cells.fromfile(of, os.path.getsize(file) // cells.itemsize)
        return list(cells)


def near(got, want, within=1e-5):
    """Numbers, or lists of them; of floats the share of the largest of all."""
    got, want = (x if isinstance(x, list) else [x] for x in (got, want))
    most = max([abs(x) for x in want if math.isfinite(x)] + [1e-30])
    assert len(got) == len(want), f"{len(got)} cells, not {len(want)}"
    for i, (g, w) in enumerate(zip(got, want)):
        assert g == w or abs(g - w) <= within * most, f"cell {i} is {g}, not {w}"


def same(got, want):
    near(got, want, 0)


def floats(n, low=-2.0, high=2.0):
    """Numbers that f32 holds."""
    return [int(random.uniform(low, high) * 65536) / 65536 for _ in range(n)]


def whole(n, low, high):
    return [random.randrange(low, high) for _ in range(n)]


def clamped(a, h, w, y, x):
    return a[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)]


@task
def dot(program):
    x, y = floats(100), floats(100)
    near(program.run("dot", {"s": "f32"}, x=("f32", x), y=("f32", y))[0], sum(a * b for a, b in zip(x, y)))


@task
def variance(program):
    x = floats(101, 50, 52)
    mean = sum(x) / 101
    got = program.run("variance", {"mean": "f64", "spread": "f64"}, x=("f32", x))
    near(got[0] + got[1], [mean, sum((a - mean) ** 2 for a in x) / 101], 1e-12)


@task
def quantiles(program):
    x = floats(50)
    got = program.run("quantiles", {"low": "f32", "median": "f32", "high": "f32"}, x=("f32", x))
    same(got[0] + got[1] + got[2], [sorted(x)[i] for i in (12, 25, 37)])


@task
def argmax(program):
    a = whole(70, 0, 9)
    rows = [a[7 * i:7 * i + 7] for i in range(10)]
    best, at = program.run("best_of_rows", {"best": "f32", "at": "i64"}, n=10, m=7, score=("f32", a))
    same(best, [max(row) for row in rows])
    same(at, [row.index(max(row)) for row in rows])


@task
def max_segment(program):
    x = whole(40, -9, 9)
    same(program.run("max_segment", {"best": "i64"}, x=("i32", x))[0],
         max(0, *(sum(x[i:j]) for i in range(40) for j in range(i, 41))))


@task
def histogram(program):
    x = whole(500, 0, 256)
    same(program.run("histogram_of_bytes", {"count": "u32"}, x=("u8", x))[0], [x.count(b) for b in range(256)])


@task
def prefix_sum(program):
    x, begins = whole(60, -9, 9), whole(60, 0, 2)
    upto, before = program.run("prefix_sum", {"upto": "i32", "before": "i32"}, x=("i32", x))
    same(upto, [sum(x[:i + 1]) for i in range(60)])
    same(before, [sum(x[:i]) for i in range(60)])
    want, total = [], 0
    for value, begin in zip(x, begins):
        total = value if begin else total + value
        want.append(total)
    same(program.run("prefix_sum_of_segments", {"upto": "f32"}, x=("f32", x), begins=("bool", begins))[0], want)


@task
def partition(program):
    x = floats(77)
    less, more, count = program.run("partition", {"less": "f32", "more": "f32", "count": "i64"}, limit=0.5, x=("f32", x))
    want = [a for a in x if a < 0.5]
    same(less[:count[0]], want)
    same(more[:77 - count[0]], [a for a in x if a >= 0.5])


@task
def run_length(program):
    x = [v for v in whole(20, 0, 3) for _ in range(random.randrange(1, 5))]
    runs = []
    for v in x:
        if runs and runs[-1][0] == v:
            runs[-1][1] += 1
        else:
            runs.append([v, 1])
    value, length, count = program.run("encode", {"value": "i32", "length": "i32", "count": "i64"}, x=("i32", x))
    same(count, [len(runs)])
    same(value[:len(runs)], [v for v, _ in runs])
    same(length[:len(runs)], [n for _, n in runs])
    again, total = program.run("decode", {"x": "i32", "total": "i64"}, value=("i32", value[:len(runs)]),
                               length=("i32", length[:len(runs)]), n=len(x), x=0)
    same(again + total, x + [len(x)])


@task
def moving_average(program):
    x = floats(40)
    near(program.run("moving_average", {"mean": "f32"}, w=5, x=("f32", x))[0],
         [sum(x[max(i - k, 0)] for k in range(5)) / 5 for i in range(40)])


@task
def fir(program):
    x, h = floats(60), floats(7)
    near(program.run("fir", {"y": "f32"}, channels=2, n=30, x=("f32", x), h=("f32", h))[0],
         [sum(h[k] * x[30 * c + i - k] for k in range(7) if i >= k) for c in range(2) for i in range(30)])


@task
def sort_pairs(program):
    key = whole(90, 0, 30)
    order = sorted(range(90), key=lambda i: key[i])
    got = program.run("sort_pairs", {"key": "u32", "value": "u32"}, key=("u32", key), value=("u32", list(range(90))))
    same(got[0] + got[1], sorted(key) + order)


@task
def top_k(program):
    score = whole(120, 0, 25)
    at, best = program.run("top_k", {"at": "i32", "best": "f32"}, n=3, m=40, k=5, score=("f32", score), at=0)
    order = [sorted(range(40), key=lambda j: -score[40 * i + j])[:5] for i in range(3)]
    same([at[40 * i + r] for i in range(3) for r in range(5)], sum(order, []))
    same(best, [score[40 * i + j] for i in range(3) for j in order[i]])


@task
def unique(program):
    x = whole(80, -9, 9)
    value, times, count = program.run("unique", {"value": "i32", "times": "i64", "count": "i64"}, x=("i32", x))
    want = sorted(set(x))
    same(value[:count[0]] + times[:count[0]], want + [x.count(v) for v in want])


@task
def group_by(program):
    key, x = whole(100, 0, 7), floats(100)
    total, count, most = program.run("group_by", {"total": "f32", "count": "i32", "most": "f32"}, groups=8,
                                     key=("u32", key), x=("f32", x))
    groups = [[v for k, v in zip(key, x) if k == g] for g in range(8)]
    near(total, [sum(g) for g in groups])
    same(count + most, [len(g) for g in groups] + [max(g, default=-math.inf) for g in groups])


@task
def join(program):
    left, right = whole(30, 0, 20), sorted(whole(25, 0, 20))
    l, r, pairs = program.run("join", {"l": "i32", "r": "i32", "pairs": "i64"}, most=800, left=("i32", left),
                              right=("i32", right))
    want = [(i, j) for i in range(30) for j in range(25) if left[i] == right[j]]
    same(list(pairs), [len(want)])
    same(l[:len(want)] + r[:len(want)], [i for i, _ in want] + [j for _, j in want])


@task
def batched_gemm(program):
    a, b, bias = floats(3 * 4 * 5), floats(3 * 5 * 6), floats(6)
    near(program.run("batched_gemm", {"c": "f32"}, batch=3, n=4, m=6, l=5, a=("f32", a), b=("f32", b),
                     bias=("f32", bias))[0],
         [bias[j] + sum(a[20 * p + 5 * i + k] * b[30 * p + 6 * k + j] for k in range(5))
          for p in range(3) for i in range(4) for j in range(6)])


@task
def softmax(program):
    x = floats(40, -9, 9)
    want = []
    for i in range(4):
        parts = [math.exp(v) for v in x[10 * i:10 * i + 10]]
        want += [v / sum(parts) for v in parts]
    near(program.run("softmax", {"y": "f32"}, n=4, m=10, x=("f32", x))[0], want)


@task
def layer_norm(program):
    x, gain, bias, want = floats(36), floats(9), floats(9), []
    for i in range(4):
        row = x[9 * i:9 * i + 9]
        mean = sum(row) / 9
        spread = math.sqrt(sum((v - mean) ** 2 for v in row) / 9 + 0.125)
        want += [g * (v - mean) / spread + b for v, g, b in zip(row, gain, bias)]
    near(program.run("layer_norm", {"y": "f32"}, eps=0.125, n=4, m=9, x=("f32", x), gain=("f32", gain),
                     bias=("f32", bias))[0], want)


@task
def knn(program):
    query, point = floats(5 * 3), floats(20 * 3)
    want = [sorted(math.dist(query[3 * i:3 * i + 3], point[3 * j:3 * j + 3]) for j in range(20))[:4] for i in range(5)]
    near(program.run("knn", {"distance": "f32"}, q=5, n=20, d=3, k=4, query=("f32", query), point=("f32", point),
                     )[0], sum(want, []))


@task
def viterbi(program):
    first, step, seen, x = floats(3), floats(9), floats(12), whole(6, 0, 4)

    def score(path):
        return first[path[0]] + seen[4 * path[0] + x[0]] + sum(
            step[3 * path[t] + path[t + 1]] + seen[4 * path[t + 1] + x[t + 1]] for t in range(5))
    paths = [[p // 3 ** t % 3 for t in range(6)] for p in range(3 ** 6)]
    state, best = program.run("viterbi", {"state": "i64", "best": "f32"}, first=("f32", first), s=3, o=4,
                              step=("f32", step), seen=("f32", seen), x=("i32", x))
    near(best[0], max(score(path) for path in paths))
    near(score(state), best[0])


@task
def fft(program):
    x = floats(64)
    want = [sum(complex(x[2 * j], x[2 * j + 1]) * cmath.exp(-2j * cmath.pi * j * k / 32) for j in range(32))
            for k in range(32)]
    near(program.run("fft", {"x": "f32"}, bits=5, half=16, x=("f32", x))[0],
         [part for z in want for part in (z.real, z.imag)])


def solved(rows):
    """The unknowns of equations, each a row that ends with its right side."""
    for s in range(len(rows)):
        pivot = max(range(s, len(rows)), key=lambda i: abs(rows[i][s]))
        rows[s], rows[pivot] = rows[pivot], rows[s]
        for i in range(len(rows)):
            if i != s:
                rows[i] = [a - rows[i][s] / rows[s][s] * b for a, b in zip(rows[i], rows[s])]
    return [row[-1] / row[s] for s, row in enumerate(rows)]


@task
def fit(program):
    t, y = floats(36), floats(36)
    near(program.run("fit", {"c": "f64"}, m=3, n=12, t=("f64", t), y=("f64", y))[0],
         [c for q in range(0, 36, 12) for c in solved(
             [[sum(t[q + s] ** (i + j) for s in range(12)) for j in range(4)]
              + [sum(y[q + s] * t[q + s] ** i for s in range(12))] for i in range(4)])])


@task
def spmv(program):
    lengths = whole(12, 0, 6)
    row = [sum(lengths[:i]) for i in range(13)]
    column, value, x = whole(row[-1], 0, 9), floats(row[-1]), floats(9)
    near(program.run("spmv", {"y": "f32"}, row=("i32", row), column=("i32", column), value=("f32", value),
                     x=("f32", x))[0],
         [sum(value[e] * x[column[e]] for e in range(row[i], row[i + 1])) for i in range(12)])


@task
def triangles(program):
    edges = [[w for w in range(v + 1, 12) if random.random() < 0.5] for v in range(12)]
    begin = [sum(map(len, edges[:v])) for v in range(13)]
    want = [sum(u in edges[v] and w in edges[v] and w in edges[u] for u in range(12) for w in range(12))
            for v in range(12)]
    count, total = program.run("triangles", {"count": "i32", "total": "i64"}, begin=("i32", begin),
                               to=("i32", sum(edges, [])))
    same(count + total, want + [sum(want)])


@task
def levenshtein(program):
    a, b = whole(17, 0, 3), whole(23, 0, 3)
    last = list(range(24))
    for i in range(17):
        row = [i + 1]
        for j in range(23):
            row.append(min(last[j] + (a[i] != b[j]), last[j + 1] + 1, row[j] + 1))
        last = row
    same(program.run("levenshtein", {"distance": "i32"}, a=("u8", a), b=("u8", b))[0], last[-1])


@task
def grey(program):
    image = whole(4 * 35, 0, 256)
    got = program.run("grey", {"light": "u8"}, h=5, w=7, image=("u8", image))[0]
    for p in range(35):
        r, g, b = image[4 * p:4 * p + 3]
        assert abs(got[p] - (0.299 * r + 0.587 * g + 0.114 * b)) <= 1.001, f"pixel {p} is {got[p]}"


@task
def gaussian_blur(program):
    a, weight = floats(48), floats(5)
    near(program.run("gaussian_blur", {"soft": "f32"}, h=6, w=8, image=("f32", a), weight=("f32", weight))[0],
         [sum(weight[p] * weight[q] * clamped(a, 6, 8, y + p - 2, x + q - 2) for p in range(5) for q in range(5))
          for y in range(6) for x in range(8)])


@task
def sobel(program):
    a, want = whole(48, 0, 256), []
    for y in range(6):
        for x in range(8):
            c = {(p, q): clamped(a, 6, 8, y + p, x + q) for p in (-1, 0, 1) for q in (-1, 0, 1)}
            want.append(math.hypot(sum((2 - abs(p)) * (c[p, 1] - c[p, -1]) for p in (-1, 0, 1)),
                                   sum((2 - abs(q)) * (c[1, q] - c[-1, q]) for q in (-1, 0, 1))))
    near(program.run("sobel", {"edge": "f32"}, h=6, w=8, a=("u8", a))[0], want)


@task
def bilateral(program):
    a, want = floats(30), []
    for y in range(5):
        for x in range(6):
            here, total, weights = a[6 * y + x], 0, 0
            for p in range(-4, 5):
                for q in range(-4, 5):
                    there = clamped(a, 5, 6, y + p, x + q)
                    weight = math.exp(-(p * p + q * q) * 0.125 - (there - here) ** 2 * 0.5)
                    total, weights = total + weight * there, weights + weight
            want.append(total / weights)
    near(program.run("bilateral", {"b": "f32"}, h=5, w=6, near=0.125, alike=0.5, a=("f32", a))[0], want)


@task
def median(program):
    a = floats(42)
    same(program.run("median", {"b": "f32"}, h=6, w=7, a=("f32", a))[0],
         [sorted(clamped(a, 6, 7, y + p, x + q) for p in (-1, 0, 1) for q in (-1, 0, 1))[4]
          for y in range(6) for x in range(7)])


@task
def tone_map(program):
    a = [v / 1024 for v in whole(40, 0, 1025)] + [0, 1]
    bins = [min(int(v * 1024), 1023) for v in a]
    near(program.run("tone_map", {"even": "f32"}, h=6, w=7, light=("f32", a))[0],
         [sum(b < c for b in bins) / 42 for c in bins])


@task
def poisson_blend(program):
    source, part, now = floats(30), whole(30, 0, 2), floats(30)
    want = list(now)
    for _ in range(3):
        old = list(want)
        for y in range(5):
            for x in range(6):
                def around(a):
                    return sum(clamped(a, 5, 6, y + p, x + q) for p, q in ((-1, 0), (1, 0), (0, -1), (0, 1)))
                if part[6 * y + x]:
                    want[6 * y + x] = 0.25 * (around(old) + 4 * source[6 * y + x] - around(source))
    near(program.run("poisson_blend", {"picture": "f32"}, steps=3, h=5, w=6, source=("f32", source),
                     part=("bool", part), picture=("f32", now))[0], want)


@task
def mandelbrot(program):
    def steps(c):
        z, k = 0, 0
        while z.real ** 2 + z.imag ** 2 < 4 and k < 30:
            z, k = z * z + c, k + 1
        return k
    same(program.run("mandelbrot", {"image": "i32"}, left=-2, top=-1.5, width=3, most=30, h=6, w=8)[0],
         [steps(complex(-2 + j * 0.375, -1.5 + i * 0.375)) for i in range(6) for j in range(8)])


@task
def black_scholes(program):
    price, strike, years = floats(20, 50, 150), floats(20, 50, 150), floats(20, 0.5, 3)

    def below(x):
        return 0.5 * math.erfc(-x / math.sqrt(2))
    calls, puts = [], []
    for s, k, t in zip(price, strike, years):
        d1 = (math.log(s / k) + (0.03 + 0.02) * t) / (0.2 * math.sqrt(t))
        d2 = d1 - 0.2 * math.sqrt(t)
        calls.append(s * below(d1) - k * math.exp(-0.03 * t) * below(d2))
        puts.append(k * math.exp(-0.03 * t) * below(-d2) - s * below(-d1))
    call, put = program.run("black_scholes", {"call": "f32", "put": "f32"}, rate=0.03, vol=0.2, price=("f32", price),
                            strike=("f32", strike), years=("f32", years))
    near(call, calls)
    near(put, puts)


@task
def binomial_option(program):
    steps, rate, up, years, back = 12, 0.03, 1.125, 1.0, math.exp(-0.03 / 12)
    p = (1 / back - 1 / up) / (up - 1 / up)

    def put(level, j, s, k):
        now = max(k - s * up ** (2 * j - level), 0)
        if level == steps:
            return now
        return max(now, back * (p * put(level + 1, j + 1, s, k) + (1 - p) * put(level + 1, j, s, k)))
    price, strike = floats(3, 80, 120), floats(3, 80, 120)
    near(program.run("binomial_option", {"put": "f32"}, steps=steps, rate=rate, up=up, years=years,
                     price=("f32", price), strike=("f32", strike))[0],
         [put(0, 0, s, k) for s, k in zip(price, strike)])


@task
def nbody(program):
    body, speed = floats(40), floats(30)
    want, fast = list(body), list(speed)
    for _ in range(2):
        old = list(want)
        for i in range(10):
            for c in range(3):
                force = 0
                for j in range(10):
                    squares = sum((old[4 * j + d] - old[4 * i + d]) ** 2 for d in range(3)) + 0.5
                    force += old[4 * j + 3] * (old[4 * j + c] - old[4 * i + c]) / squares ** 1.5
                fast[3 * i + c] += 0.125 * force
                want[4 * i + c] += 0.125 * fast[3 * i + c]
    got = program.run("nbody", {"body": "f32", "speed": "f32"}, steps=2, dt=0.125, soft=0.5, body=("f32", body),
                      speed=("f32", speed))
    near(got[0], want)
    near(got[1], fast)


def main():
    patc, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    wrong = 0
    for function in TASKS:
        name = function.__name__
        if names and name not in names:
            continue
        random.seed(name)
        with tempfile.TemporaryDirectory() as there:
            try:
                function(Program(patc, os.path.join(folder, name + ".pat"), there))
            except (AssertionError, subprocess.CalledProcessError) as error:
                print(f"{name}: {error}")
                wrong += 1
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
