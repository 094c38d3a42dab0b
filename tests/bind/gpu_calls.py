"""gpu_calls.py FOLDER torch|cupy - the module that `patc bind` made of every.pat for a GPU, called with arrays of a device.

FOLDER holds every.py and libevery.so.  tests/bind.sh runs it without a GPU: with fake/ for the library of arrays, and the
kernels of the cpu.  On a GPU it also looks at streams and measures what a call costs."""
import ctypes
import importlib
import os
import sys
import time

import numpy as np
from fails import fails

sys.path.insert(0, sys.argv[1])
import every  # noqa: E402

lib = importlib.import_module(sys.argv[2])
TORCH = sys.argv[2] == "torch"


def dev(x):
    return lib.from_numpy(x).to("cuda") if TORCH else lib.asarray(x)


def host(x):
    return x.cpu().numpy() if TORCH else lib.asnumpy(x)


# ---- layouts, with and without a result that is there; again, by what is remembered ----
rng = np.random.default_rng(1)
n, m = 6, 8
a, b, c, d = (rng.integers(0, 9, (n, m)).astype("f8") for _ in range(4))
tiles = d.reshape(n // 2, 2, m // 4, 4).transpose(0, 2, 1, 3).ravel()
odd = np.arange(2 * n + 1, dtype="i4")
want = a + 10 * b + 100 * c + 1000 * d
want[:, :1] += odd[1::2][:, None]
wide = np.full((n, m + 3), np.nan)
wide[:, :m] = c
column = dev(np.ascontiguousarray(b.T))
column = column.t() if TORCH else lib.asarray(np.asfortranarray(b))
pitched = dev(wide)[:, :m] if TORCH else dev(c)
given = [dev(a), column, pitched, dev(tiles), dev(odd)]
for again in range(3):
    y = every.layouts(*given)
    assert type(y) is type(given[0]) and (host(y) == want).all()
out = dev(np.zeros((n, m)))
assert every.layouts(*given, out) is out and (host(out) == want).all()
fails(TypeError, "a is an array of the host (ndarray), but the kernel takes arrays of the device", every.layouts, a, *given[1:])
fails(TypeError, "a has the dtype float32, but f64[n, m] is float64", every.layouts, dev(a.astype("f4")), *given[1:])
fails(ValueError, "b has the shape (5, 8), but f64[n, m] is (6, 8) with n = 6", every.layouts, given[0], dev(b[:5]), *given[2:])
fails(ValueError, "b is not contiguous as f64[n, m] layout col", every.layouts, given[0], dev(b), *given[2:])
y = every.layouts_host(a, np.asfortranarray(b), c, tiles, odd)
assert type(y) is np.ndarray and (y == want).all()
fails(TypeError, "a is an array of the device", every.layouts_host, given[0], np.asfortranarray(b), c, tiles, odd)

# ---- scalars are arrays without axes ----
k = 10
p = np.zeros(k, every.Spot)
p["kind"], p["lit"] = np.arange(k), np.arange(k) % 3 == 0
blocks = np.zeros(-(-k // 4), every.Spot_x4)
as_bytes = p.view("u1").reshape(k, every.Spot.itemsize), blocks.view("u1").reshape(-1, every.Spot_x4.itemsize)
at, kind, lit = dev(np.zeros((2, k), "f4")), dev(np.zeros(k, "i2")), dev(np.zeros(k, "?"))
dark = every.spots(dev(as_bytes[0]), at, kind, lit, dev(as_bytes[1]))
assert dark.shape == () and host(dark) == np.count_nonzero(p["lit"]) and (host(lit) == ~p["lit"]).all()

# ---- what the data show: only if it is asked for ----
x, places = dev(np.arange(5, dtype="f4")), dev(np.array([4, 7], "i4"))
y = every.pick(x, places)
e = fails(every.Error, "an index read from the data lies outside its array", every.pick, x, places, check=True)
assert e.status == 9
work = dev(np.zeros(1 << 16, "u1"))
assert host(every.pick(x, dev(np.array([4, 1], "i4")), workspace=work, check=True)).tolist() == [4, 1]
fails(TypeError, "workspace must be a contiguous array of the device", every.pick, x, places, workspace=np.zeros(1 << 16, "u1"))

# ---- streams: the library's current one, another one, a number ----
passed = []
run = every._kernels[3].run
every._kernels[3].run = lambda *words: (passed.append(words[-1]), run(*words))[1]
good = dev(np.array([4, 0], "i4"))
waits = []
if not hasattr(lib, "__version__"):
    every._order = lambda kernel, stream, other: waits.append((stream, other))
every.pick(x, good)
if TORCH:
    side = lib.cuda.Stream()
    every.pick(x, good, stream=side)
    with lib.cuda.stream(side):
        every.pick(x, good)
    assert passed[1:] == [side.cuda_stream] * 2 and passed[0] == lib.cuda.current_stream().cuda_stream, passed
elif not hasattr(lib, "__version__"):
    with lib.cuda.ExternalStream(77):
        every.pick(x, good)
    every.pick(x, good, stream=78)
    assert passed == [0, 77, 78] and waits[-1] == (78, 0), (passed, waits)

# ---- a call that is made again: on the stream that is current then, or on its own ----
del passed[:]
again = every.pick.prepare(x, good)
y = again()
assert again() is y and host(y).tolist() == [4, 0]
if TORCH:
    with lib.cuda.stream(side):
        again()
    every.pick.prepare(x, good, y, workspace=work, stream=side)()
    assert passed[-2:] == [side.cuda_stream] * 2 and passed[0] == lib.cuda.current_stream().cuda_stream, passed
elif not hasattr(lib, "__version__"):
    with lib.cuda.ExternalStream(77):
        again()
    every.pick.prepare(x, good, y, workspace=work, stream=78)()
    assert passed == [0, 0, 77, 78] and waits[-1] == (78, 0), (passed, waits)
again = every.pick.prepare(x, places)
again()
fails(every.Error, "an index read from the data lies outside its array", again, check=True)
fails(TypeError, "x is an array of the host", every.pick.prepare, np.arange(5, dtype="f4"), good)
assert host(every.layouts.prepare(*given)()).tolist() == want.tolist()
every._kernels[3].run = run

if TORCH and hasattr(lib, "FAKE"):
    fails(ValueError, "x is on device 1, but the current device is 0", every.pick, lib.from_numpy(np.arange(5, dtype="f4")).to("cuda:1"), good)
    again = every.pick.prepare(x, good)
    lib.cuda.on = 1
    fails(ValueError, "x is on device 0, but the current device is 1", again)
    sys.exit()
if not hasattr(lib, "__version__"):
    sys.exit()

# ---- on a GPU ----
if TORCH:
    # On a side stream that is busy: the call returns before its kernel has run, and nothing waits.
    big = lib.zeros(1 << 20, device="cuda")
    where = lib.arange(1 << 20, device="cuda", dtype=lib.int32)
    with lib.cuda.stream(side):         # so that nothing is loaded or allocated below
        every.pick(big, where)
    lib.cuda.synchronize()
    before, after = lib.cuda.Event(), lib.cuda.Event()
    with lib.cuda.stream(side):
        lib.cuda._sleep(1 << 29)
        big.fill_(3)
        before.record()
        y = every.pick(big, where)
        after.record()
        assert not before.query() and not after.query(), "the call has waited"
    assert lib.cuda.current_stream().query(), "another stream is busy"
    side.synchronize()
    assert bool((y == 3).all())

    class Foreign:              # as JAX's arrays: DLPack alone
        def __init__(self, x):
            self.x = x

        def __dlpack_device__(self):
            return self.x.__dlpack_device__()

        def __dlpack__(self, stream=None):
            return self.x.__dlpack__(stream=stream)

    assert host(every.pick(Foreign(x), Foreign(good))).tolist() == [4, 0]
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    try:
        import jax
    except ImportError:
        print("without JAX")
    else:
        y = every.pick(jax.numpy.arange(5, dtype="float32") * 2, jax.numpy.array([4, 1], dtype="int32"))
        assert host(y).tolist() == [8, 2] and jax.dlpack.from_dlpack(y).tolist() == [8, 2]
    graph = lib.cuda.CUDAGraph()
    y = every.pick(x, good)
    with lib.cuda.graph(graph):
        z = every.pick(x, good)
    x.add_(1)
    graph.replay()
    lib.cuda.synchronize()
    assert host(z).tolist() == [5, 1]

y = dev(np.zeros(2, "f4"))
k = every._kernels[3]
address = lambda t: t.data_ptr() if TORCH else t.data.ptr  # noqa: E731
words = [5, 2, address(x), address(good), address(y), address(work), 1 << 16, 0]


def measured(what):
    best = float("inf")
    for _ in range(20):
        lib.cuda.synchronize() if TORCH else lib.cuda.Device().synchronize()
        start = time.perf_counter()
        for _ in range(200):
            what()
        best = min(best, (time.perf_counter() - start) / 200)
    return best * 1e6


print("a call: %.2f us; with its results and workspace given: %.2f us; the C function by ctypes: %.2f us" % (
    measured(lambda: every.pick(x, good)), measured(lambda: every.pick(x, good, y, workspace=work)), measured(lambda: k.run(*words))))
# A function of C that does nothing but return 0, since there are 5 cells and 5 is no digit: what remains is Python's.
nothing = ctypes.CDLL(None)["isdigit"]
nothing.argtypes, nothing.restype = k.run.argtypes, ctypes.c_int
k.run = nothing
print("over C: a call: %.2f us; with its results and workspace given: %.2f us; prepared: %.2f us" % (
    measured(lambda: every.pick(x, good)), measured(lambda: every.pick(x, good, y, workspace=work)),
    measured(every.pick.prepare(x, good))))
