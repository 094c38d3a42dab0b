"""numpy_calls.py FOLDER - the module that `patc bind --lang=python` made of every.pat, called with NumPy's arrays.

FOLDER holds every.py and libevery.so.  What is wrong raises an error that says what was expected."""
import sys

import numpy as np
from fails import fails

sys.path.insert(0, sys.argv[1])
import every  # noqa: E402

rng = np.random.default_rng(1)


def tiled(x, rows, columns):
    n, m = x.shape
    up, across = -(-n // rows), -(-m // columns)
    whole = np.zeros((up * rows, across * columns), x.dtype)
    whole[:n, :m] = x
    return whole.reshape(up, rows, across, columns).transpose(0, 2, 1, 3).ravel()


# ---- layouts ----
for n, m in (5, 7), (1, 1), (3, 1), (0, 4), (8, 4):
    a, b, c, d = (rng.integers(0, 9, (n, m)).astype("f8") for _ in range(4))
    odd = np.arange(2 * n + 1, dtype="i4")
    want = a + 10 * b + 100 * c + 1000 * d
    want[:, :1] += odd[1::2][:n, None]
    wide = np.full((n, m + 3), np.nan)
    wide[:, :m] = c
    got = every.layouts(a, np.asfortranarray(b), wide[:, :m], tiled(d, 2, 4), odd)
    assert got.dtype == np.float64 and (got == want).all(), (n, m)
    out = np.empty((n, m))
    again = every.layouts(a, np.asfortranarray(b), c, tiled(d, 2, 4), odd, out, ld=m)
    assert again is out and (out == want).all()

f = np.asfortranarray(b)
t = tiled(d, 2, 4)
fails(ValueError, "layout col: its strides are (32, 8) bytes, expected: (8, 64)", every.layouts, a, b, c, t, odd)
fails(ValueError, "a has the shape (8, 4), but f64[n, m] is", every.layouts, a, f, c, t, odd, n=7)
fails(ValueError, "b has the shape", every.layouts, a, np.asfortranarray(b[:7]), c, t, odd)
fails(ValueError, "is not contiguous", every.layouts, np.zeros((8, 8))[:, ::2], f, c, t, odd)
fails(ValueError, "d has 2 elements, but", every.layouts, a, f, c, t[:2], odd)
fails(ValueError, "odd has 2 axes, but i32[2*n+1] has 1", every.layouts, a, f, c, t, odd[None])
fails(TypeError, "a has the dtype float32, but f64[n, m] is float64", every.layouts, a.astype("f4"), f, c, t, odd)
fails(TypeError, "a must be an array of float64 (f64[n, m]), not list", every.layouts, [[1.0]], f, c, t, odd)
fails(TypeError, "y has the dtype complex128, but f64[n, m] is float64", every.layouts, a, f, c, t, odd, a + 1j)
fixed = np.empty((8, 4))
fixed.flags.writeable = False
fails(ValueError, "y is read-only", every.layouts, a, f, c, t, odd, fixed)
long = np.zeros((1000, 1))
e = fails(every.Error, "the kernel requires n < 1000", every.layouts, long, np.asfortranarray(long), long,
          np.zeros(4000), np.zeros(2001, "i4"))
assert e.status == 32 and e.kernel == "layouts"

# ---- structs ----
n = 10
p = np.zeros(n, every.Spot)
p["at"] = rng.random((n, 2))
p["kind"] = np.arange(n)
p["lit"] = np.arange(n) % 3 == 0
r = np.zeros(-(-n // 4), every.Spot_x4)
r["kind"] = 100
at_of, kind, lit = np.zeros((2, n), "f4"), np.zeros(n, "i2"), np.zeros(n, "?")
dark = every.spots(p, at_of, kind, lit, r)
assert (at_of == p["at"].T).all() and (kind == np.arange(n) + 100).all() and (lit == ~p["lit"]).all()
assert dark.shape == () and dark == np.count_nonzero(~lit)
fails(TypeError, "p has the dtype", every.spots, np.zeros(n, "f4"), at_of, kind, lit, r)

# ---- types ----
names = {"t": "?", "a": "i1", "b": "u1", "c": "i2", "d": "u2", "e": "i4", "f": "u4", "g": "i8", "h": "u8", "o": "f2", "s": "f4"}
given_types = {k: rng.integers(0, 2, n).astype(v) for k, v in names.items()}
given_types["p"] = np.full(n, 0x3f80, "u2")            # bits of 1 in bf16, f8e4m3, f8e5m2
given_types["q"], given_types["r"] = np.full(n, 0x38, "u1"), np.full(n, 0x3c, "u1")
last = np.array(0.25)
y = every.types(**given_types, k=-3, on=True, w=0.5, last=last)
want = sum(given_types[k].astype("f8") for k in names) + 3 - 3 + 0.5 + 0.25
assert (y == want).all() and last == 0.25 + sum(want.tolist())
fails(ValueError, "k is 2147483648, and i32 holds -2147483648 to 2147483647", every.types, **given_types, k=1 << 31, on=True, w=0, last=last)
fails(TypeError, "k must be a number of type i32, not float", every.types, **given_types, k=1.5, on=True, w=0, last=last)
fails(TypeError, "last must be an array of float64 (f64), not float", every.types, **given_types, k=1, on=True, w=0, last=1.0)
fails(TypeError, "w must be a number of type f16, not str", every.types, **given_types, k=1, on=True, w="1", last=last)
fails(TypeError, "the other byte order", every.types, **dict(given_types, e=given_types["e"].astype(">i4")), k=1, on=True, w=0, last=last)

# ---- results that data decide, sizes that only the call knows ----
x = np.arange(5, dtype="f4")
assert (every.pick(x, np.array([4, 0], "i4")) == [4, 0]).all()
e = fails(every.Error, "pick: an index read from the data lies outside its array", every.pick, x, np.array([5], "i4"))
assert e.status == 9
assert (every.double_(3, n=4) == [0, 3, 6, 9]).all()
fails(TypeError, "the size n does not follow from the arrays: give it as n=", every.double_, 3)
fails(ValueError, "would have the shape (-1,)", every.double_, 3, n=-1)
fails(TypeError, "double: the size n must be an integer, not float", every.double_, 3, n=5.0)
fails(TypeError, "double: the size n must be an integer, not float", every.double_, 3, n=4.0)     # after a call with 4
assert (every.double_(3, n=4, workspace=np.empty(1 << 16, "u1")) == [0, 3, 6, 9]).all()
fails(every.Error, "the workspace is null, misaligned or too small", every.pick, x, np.array([0], "i4"),
          workspace=np.empty(0, "u1"))
fails(every.Error, "overlaps", every.pick, x, np.array([0], "i4"), x[1:2])

# ---- a call that is made again ----
x, at = np.arange(5, dtype="f4"), np.array([4, 0], "i4")
again = every.pick.prepare(x, at)
y = again()
assert y.tolist() == [4, 0]
x += 1
assert again() is y and y.tolist() == [5, 1]
given, work = np.zeros(2, "f4"), np.zeros(1 << 16, "u1")
assert every.pick.prepare(x, at, given, workspace=work)() is given and given.tolist() == [5, 1]
at[0] = 5
assert fails(every.Error, "pick: an index read from the data lies outside its array", again).status == 9
at[0] = 2
again = every.pick.prepare(np.arange(5, dtype="f4"), at)           # which nobody else keeps
fails(ValueError, "resize", lambda: at.resize(3))
assert again().tolist() == [2, 0]
fails(TypeError, "at has the dtype float32, but i32[m] is int32", every.pick.prepare, x, x)
fails(TypeError, "workspace must be a contiguous array of the host", every.pick.prepare, x, at, workspace=3)
again = every.layouts.prepare(a, f, c, t, odd)
assert (again() == every.layouts(a, f, c, t, odd)).all()
last[...] = 0.25
again = every.types.prepare(**given_types, k=-3, on=True, w=0.5, last=last)
assert (again() == want).all() and last == 0.25 + sum(want.tolist())
p["lit"] = np.arange(n) % 2 == 0
assert every.spots.prepare(p, at_of, kind, lit, r)() == np.count_nonzero(p["lit"])
assert (every.double_.prepare(3, n=4)() == [0, 3, 6, 9]).all()
x = np.arange(5, dtype="f4")


# ---- an array of a device ----
class Device:
    shape, dtype = (5,), np.dtype("f4")
    __cuda_array_interface__ = {"shape": (5,), "typestr": "<f4", "data": (8, False), "version": 3, "strides": None}


fails(TypeError, "x is an array of the device (Device), but the kernel takes arrays of the host", every.pick, Device(), np.array([0], "i4"))


class Foreign:
    """As JAX's arrays: DLPack alone, which is only read."""

    def __init__(self, cells):
        self.cells = cells

    def __dlpack_device__(self):
        return self.cells.__dlpack_device__()

    def __dlpack__(self):
        return self.cells.__dlpack__()


assert (every.pick(Foreign(x), np.array([4, 0], "i4")) == [4, 0]).all()
fails(ValueError, "y is read-only", every.pick, x, np.array([0], "i4"), Foreign(x[:1]))
assert "x: f32[n], read" in every.pick.__doc__
fails(OSError, "build it from every.c, or load(path) another library", every.load, "nowhere.so")
