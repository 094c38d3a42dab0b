import contextlib as _contextlib
import ctypes as _ctypes
import json as _json
import operator as _operator
import os as _os
import struct as _struct
import sys as _sys
from functools import partial as _partial

_STRUCTS = {s["name"]: s for s in _MANIFEST["structs"]}


class Error(RuntimeError):
    """A kernel returned another status than 0: `status` is the number, the text is that of NAME_strerror."""

    def __init__(self, kernel, status, text):
        super().__init__("%s: %s (status %d)" % (kernel, text, status))
        self.kernel, self.status = kernel, status


# Types of the language: names of a dtype, the expected one first; ctypes; the kind of a value.
_TYPES = {
    "bool": (("bool",), _ctypes.c_bool), "i8": (("int8",), _ctypes.c_int8), "i16": (("int16",), _ctypes.c_int16),
    "i32": (("int32",), _ctypes.c_int32), "i64": (("int64",), _ctypes.c_int64), "u8": (("uint8",), _ctypes.c_uint8),
    "u16": (("uint16",), _ctypes.c_uint16), "u32": (("uint32",), _ctypes.c_uint32), "u64": (("uint64",), _ctypes.c_uint64),
    "f8e4m3": (("float8_e4m3fn", "uint8"), _ctypes.c_uint8), "f8e5m2": (("float8_e5m2", "uint8"), _ctypes.c_uint8),
    "f16": (("float16", "uint16"), _ctypes.c_uint16), "bf16": (("bfloat16", "uint16"), _ctypes.c_uint16),
    "f32": (("float32",), _ctypes.c_float), "f64": (("float64",), _ctypes.c_double),
}
_SIZE_MAX = _ctypes.c_size_t(-1).value


def _loaded(name):
    return _sys.modules.get(name)


# ---- arrays of several libraries ----

class _View:
    """What is known of an array: address, shape, strides in bytes (None: rows of neighbouring cells), names of its dtype."""
    __slots__ = ("address", "shape", "strides", "dtype", "bytes", "device", "stream", "constant", "keep", "like")


def _view(address, shape, strides, dtype, size, device, constant, like):
    v = _View()
    v.address, v.shape, v.strides, v.dtype, v.bytes = address, shape, strides, dtype, size
    v.device, v.constant, v.like, v.stream, v.keep = device, constant, like, None, like
    return v


def _of_torch(x, address=None):
    """address: if the tensor has no memory."""
    size = x.element_size()
    device = None if x.device.type == "cpu" else x.get_device()
    return _view(x.data_ptr() if address is None else address, tuple(x.shape), None if x.is_contiguous() else tuple(s * size for s in x.stride()),
                 str(x.dtype)[6:], size, device, False, x)


def _of_numpy(x):
    address, constant = x.__array_interface__["data"]
    dtype = x.dtype if x.dtype.names else x.dtype.name
    if not x.dtype.isnative:
        dtype = "%s in the other byte order" % x.dtype.name
    return _view(address, x.shape, None if x.flags.c_contiguous else x.strides, dtype, x.itemsize, None, constant, x)


def _of_interface(x):
    """By __cuda_array_interface__: CuPy, Numba, and others."""
    i = x.__cuda_array_interface__
    address, constant = i["data"]
    kinds = {"b": "bool", "i": "int", "u": "uint", "f": "float", "V": "void"}
    size = int(i["typestr"][2:])
    kind = kinds.get(i["typestr"][1], i["typestr"])
    dtype = getattr(x, "dtype", None)
    name = getattr(dtype, "name", kind if kind == "bool" else kind + str(8 * size))
    device = getattr(getattr(x, "device", None), "id", -1)
    v = _view(address, tuple(i["shape"]), i.get("strides"), name if name[:4] != "void" else dtype, size,
              device, constant, x)
    v.stream = i.get("stream")
    return v


class _DLTensor(_ctypes.Structure):
    _fields_ = [("data", _ctypes.c_void_p), ("kind", _ctypes.c_int32), ("device", _ctypes.c_int32), ("rank", _ctypes.c_int32),
                ("code", _ctypes.c_uint8), ("bits", _ctypes.c_uint8), ("lanes", _ctypes.c_uint16),
                ("shape", _ctypes.POINTER(_ctypes.c_int64)), ("strides", _ctypes.POINTER(_ctypes.c_int64)),
                ("offset", _ctypes.c_uint64)]


_capsule_pointer = _ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = _ctypes.c_void_p, [_ctypes.py_object, _ctypes.c_char_p]


def _of_dlpack(x, stream):
    """By DLPack: JAX, and others.  The producer makes the stream wait until the array is written."""
    kind, device = x.__dlpack_device__()
    capsule = x.__dlpack__() if kind == 1 else x.__dlpack__(stream=stream or 1)
    t = _ctypes.cast(_capsule_pointer(capsule, b"dltensor"), _ctypes.POINTER(_DLTensor)).contents
    size = t.bits * t.lanes // 8
    names = {(0, 8): "int8", (4, 16): "bfloat16", (6, 8): "bool", (10, 8): "float8_e4m3fn", (12, 8): "float8_e5m2"}
    kinds = {0: "int", 1: "uint", 2: "float"}
    name = names.get((t.code, t.bits)) or kinds.get(t.code, "code %d, " % t.code) + str(t.bits)
    strides = tuple(t.strides[k] * size for k in range(t.rank)) if t.strides else None
    v = _view((t.data or 0) + t.offset, tuple(t.shape[k] for k in range(t.rank)), strides, name, size,
              None if kind in (1, 3) else device, True, x)
    v.keep = capsule
    return v


def _is_cupy(x):
    cupy = _loaded("cupy")
    return cupy is not None and isinstance(x, cupy.ndarray)


def _look(x, stream):
    """None: it is no array."""
    torch, numpy = _loaded("torch"), _loaded("numpy")
    if numpy and isinstance(x, numpy.ndarray):
        return _of_numpy(x)
    if torch and isinstance(x, torch.Tensor):
        return _of_torch(x)
    if _is_cupy(x) or (hasattr(x, "__cuda_array_interface__") and not hasattr(x, "__dlpack__")):
        return _of_interface(x)
    return _of_dlpack(x, stream) if hasattr(x, "__dlpack__") else None


_STRANGE = object()


class _Signatures(dict):
    """Of types whose arrays come again and again: what has to be equal for a call to be like an earlier one."""

    def __missing__(self, kind):
        return lambda x: _STRANGE


_SIGNATURE = _Signatures()
_ADDRESS = {}


def _numpy_address(x):
    return x.__array_interface__["data"][0]


# What C takes as x's address, in a quarter of the time, unless x is read-only, has gaps, or a type that buffers lack.
_buffer = (_ctypes.c_char * 0).from_buffer


def _address(x, v):
    """What gives the address of this array, and of all with its signature."""
    step = _ADDRESS.get(type(x)) or (lambda x: v.address)
    if step is _numpy_address:
        try:
            _buffer(x)
            step = _buffer
        except (TypeError, ValueError):
            pass
    return step


def _cupy_address(x):
    return x.data.ptr


def _learn():
    """Of the libraries that are loaded by now."""
    numpy, torch, cupy = _loaded("numpy"), _loaded("torch"), _loaded("cupy")
    if numpy and numpy.ndarray not in _ADDRESS:
        _SIGNATURE[numpy.ndarray] = _operator.attrgetter("shape", "strides", "dtype", "flags.writeable")
        _ADDRESS[numpy.ndarray] = _numpy_address
    if torch and torch.Tensor not in _ADDRESS:
        _SIGNATURE[torch.Tensor] = lambda x: (x.shape, x.stride(), x.dtype, x.get_device())
        _ADDRESS[torch.Tensor] = torch.Tensor.data_ptr
    if cupy and cupy.ndarray not in _ADDRESS:
        _SIGNATURE[cupy.ndarray] = _operator.attrgetter("shape", "strides", "dtype", "device.id")
        _ADDRESS[cupy.ndarray] = _cupy_address


# ---- new arrays, and the current stream ----

# factory(): what makes such an array; shapes and strides (bytes) as in the program, `total` elements from first to last.

def _is_rows(shape, strides, size):
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if stride != size:
            return False
        size *= extent
    return True


class _Torch:
    def __init__(self, like=None):
        self.torch = _loaded("torch")
        self.device = like.device if like is not None else self.torch.device("cuda")
        c = self.torch._C
        raw = getattr(c, "_cuda_getCurrentRawStream", None)
        if raw and self.device.index is not None:
            self.stream = _partial(raw, self.device.index)
        self.current = getattr(c, "_cuda_getDevice", None) or self.torch.cuda.current_device

    def stream(self):
        return self.torch.cuda.current_stream(self.device).cuda_stream

    def on(self, stream):
        return self.torch.cuda.stream(self.torch.cuda.ExternalStream(stream, device=self.device))

    def factory(self, shape, strides, total, dtype, size, filled):
        if not isinstance(dtype, str):
            dtype, shape, strides, total, size = "uint8", shape + (size,), strides + (1,), total * size, 1
        torch, dtype = self.torch, getattr(self.torch, dtype)
        if _is_rows(shape, strides, size):
            # the fastest way: like a tensor of one cell in memory
            like = torch.empty((), dtype=dtype, device=self.device).expand(shape)
            return _partial(torch.empty_like if filled else torch.zeros_like, like, memory_format=torch.contiguous_format)
        make = _partial(torch.empty if filled else torch.zeros, total, dtype=dtype, device=self.device)
        return lambda: make().as_strided(shape, tuple(s // size for s in strides))


class _Cupy:
    def __init__(self, like=None):
        self.cupy = _loaded("cupy") or __import__("cupy")

    def stream(self):
        return self.cupy.cuda.get_current_stream().ptr

    def on(self, stream):
        return self.cupy.cuda.ExternalStream(stream)

    def current(self):
        return self.cupy.cuda.Device().id

    def factory(self, shape, strides, total, dtype, size, filled):
        if dtype in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
            dtype = "uint%d" % (8 * size)
        make = self.cupy.empty if filled else self.cupy.zeros
        if _is_rows(shape, strides, size):
            return _partial(make, shape, dtype=dtype)
        return lambda: self.cupy.ndarray(shape, dtype=dtype, memptr=make(total, dtype=dtype).data, strides=strides)


class _Numpy:
    def __init__(self, like=None):
        self.numpy = _loaded("numpy") or __import__("numpy")

    def factory(self, shape, strides, total, dtype, size, filled):
        try:
            dtype = self.numpy.dtype(dtype)
        except TypeError:               # without ml_dtypes: its bits
            dtype = self.numpy.dtype("uint%d" % (8 * size))
        make = self.numpy.empty if filled else self.numpy.zeros
        if _is_rows(shape, strides, size) or not total:
            return _partial(make, shape, dtype)
        return lambda: self.numpy.ndarray(shape, dtype=dtype, buffer=make(total, dtype=dtype), strides=strides)


def _maker(arguments, gpu):
    """The library of the first array, that new ones are made by."""
    torch = _loaded("torch")
    maker = None
    for x in arguments:
        if maker is None and torch and isinstance(x, torch.Tensor) and x.is_cuda == gpu:
            maker = _Torch(x)
        if maker is None and gpu and _is_cupy(x):
            maker = _Cupy()
    if maker is None and not gpu:
        maker = _Numpy()
    if maker is None:
        maker = _Torch() if torch and not _loaded("cupy") else _Cupy()
    _learn()
    return maker


def _handle(stream):
    for name in ("cuda_stream", "ptr", "handle"):
        if hasattr(stream, name):
            return int(getattr(stream, name))
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    return _operator.index(stream)


_DRIVERS = {"cuda": ("libcuda.so.1", "cuEventCreate", "cuEventRecord", "cuStreamWaitEvent", "cuEventDestroy_v2"),
            "hip": ("libamdhip64.so", "hipEventCreateWithFlags", "hipEventRecord", "hipStreamWaitEvent", "hipEventDestroy")}


def _order(kernel, stream, other):
    """What is enqueued on `stream` from now on waits for what is on `other`; 0 and 1 are the default stream."""
    if stream == other or (stream in (0, 1) and other in (0, 1)):
        return
    library, *names = _DRIVERS[_MANIFEST["target"]]
    create, record, wait, destroy = [getattr(_ctypes.CDLL(library), name) for name in names]
    event = _ctypes.c_void_p()
    error = create(_ctypes.byref(event), 2)             # without timing
    error = error or record(event, _ctypes.c_void_p(other)) or wait(_ctypes.c_void_p(stream), event, 0)
    destroy(event)
    if error:
        raise RuntimeError("%s: stream %#x cannot wait for stream %#x (error %d)" % (kernel, stream, other, error))


# ---- values ----

def _bits16(value, bf16):
    if not bf16:
        return _struct.unpack("<H", _struct.pack("<e", value))[0]
    bits = _struct.unpack("<I", _struct.pack("<f", value))[0]
    if value != value:
        return bits >> 16 | 0x40
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16


def _value(kernel, a, x):
    """A scalar as C takes it."""
    if a.is_float and type(x) is float:
        return x
    try:
        if isinstance(x, (str, bytes)):
            raise TypeError
        if a.type in _STRUCTS:
            return _structure(a.type).from_buffer_copy(x.tobytes())
        if a.type == "bool":
            return bool(x)
        if a.type[0] in "iu":
            x = _operator.index(x)
            if not a.low <= x <= a.high:
                raise ValueError("%s: %s is %d, and %s holds %d to %d" % (kernel, a.name, x, a.type, a.low, a.high))
            return x
        if a.type in ("f16", "bf16"):
            return _bits16(float(x), a.type == "bf16")
        if a.bytes == 1:
            numpy = _Numpy().numpy
            dtype = getattr(__import__("ml_dtypes"), _TYPES[a.type][0][0])
            return int(numpy.asarray(x, dtype=dtype).view("uint8"))
        return float(x)
    except (TypeError, AttributeError):
        raise TypeError("%s: %s must be a number of type %s, not %s" % (kernel, a.name, a.type, type(x).__name__)) from None


def _size(kernel, name, x):
    """A size that is given; None: it follows from the arrays."""
    try:
        return None if x is None else _operator.index(x)
    except TypeError:
        raise TypeError("%s: the size %s must be an integer, not %s" % (kernel, name, type(x).__name__)) from None


def _axes(n):
    return "1 axis" if n == 1 else "%d axes" % n


def _structure(name):
    """The struct as ctypes passes it by value."""
    s = _STRUCTS[name]
    if "class" not in s:
        fields = []
        for f in s["fields"]:
            t = _structure(f["type"]) if f["type"] in _STRUCTS else _TYPES[f["type"]][1]
            for n in reversed(f["shape"]):
                t = t * n
            fields.append((f["name"], t))
        s["class"] = type(name, (_ctypes.Structure,), {"_fields_": fields})
    return s["class"]


def _dtype(name):
    """The struct as NumPy has it in arrays."""
    s = _STRUCTS[name]
    if "dtype" not in s:
        numpy = _Numpy().numpy
        formats = [(_dtype(f["type"]) if f["type"] in _STRUCTS else
                    {"f8e4m3": "uint8", "f8e5m2": "uint8", "bf16": "uint16"}.get(f["type"]) or _TYPES[f["type"]][0][0],
                    tuple(f["shape"])) for f in s["fields"]]
        s["dtype"] = numpy.dtype({"names": [f["name"] for f in s["fields"]], "formats": formats,
                                  "offsets": [f["offset"] for f in s["fields"]], "itemsize": s["bytes"]})
    return s["dtype"]


# ---- kernels ----

class _Affine:
    """constant + the sum of factor * size, over the list of sizes."""

    def __init__(self, json, sizes):
        self.text, self.constant = json["text"], json["constant"]
        self.terms = [(sizes.index(t["size"]), t["factor"]) for t in json["terms"]]

    def __call__(self, n):
        return self.constant + sum(factor * n[k] for k, factor in self.terms)

    def solve(self, n, cells):
        """The size that is not known yet becomes known, if it is the only one."""
        left = [t for t in self.terms if n[t[0]] is None]
        if len(left) != 1:
            return
        (k, factor), rest = left[0], self.constant + sum(f * n[j] for j, f in self.terms if n[j] is not None)
        n[k] = (cells - rest) // factor


class _Taken:
    def __init__(self, step):
        self.from_param = step


def _word(ctype, x):
    """What a step of a plan gives, as an object of ctypes, which a call takes as it is."""
    return x if isinstance(x, (_ctypes.Structure, _ctypes.Array)) else ctype(x)


class _Argument:
    """A parameter of C.  The axes of arrays are as in the program; `order` has them as they lie, the slowest first."""

    def __init__(self, json, parameter, sizes):
        self.name, self.type, self.bytes, self.pointer = json["name"], json["type"], json["bytes"], json["pointer"]
        self.mode, self.filled = parameter["mode"], json["filled"]
        axes = [_Affine(a, sizes) for a in json["axes"]]
        rank = len(axes)
        col = (parameter["layout"] or "").startswith("col")
        own = rank - len(parameter["shape"])
        self.order = list(range(own)) + (list(range(rank - 1, own - 1, -1)) if col else list(range(own, rank)))
        self.axes = [axes[k] for k in sorted(range(rank), key=lambda k: self.order[k])]
        self.ld = _Affine(json["ld"], sizes) if json["ld"] else None
        self.tile, self.block = json["tile"], json["block"]
        self.flat = self.pointer and (self.tile is not None or json["curve"] is not None or self.block > 1)
        self.layout = parameter["layout"]
        self.text = self.type + ("[%s]" % ", ".join(a.text for a in self.axes) if axes else "")
        self.names = _TYPES[self.type][0] if self.type in _TYPES else None
        self.is_float = self.type in ("f32", "f64")
        self.low, self.high = self.range() if self.type[0] in "iu" and self.names else (1, 0)
        self.ctype = _ctypes.c_void_p if self.pointer else _structure(self.type) if not self.names else _TYPES[self.type][1]

    def dtype(self):
        return self.names[0] if self.names else _dtype(self.type)

    def range(self):
        """Of an integer."""
        bits = 8 * self.bytes
        return (-1 << bits - 1, (1 << bits - 1) - 1) if self.type[0] == "i" else (0, (1 << bits) - 1)

    def taken(self, step):
        """As a type of ctypes, which takes what the step gives.  (An integer of Python would become an int.)"""
        if self.is_float and not self.pointer:
            return self.ctype
        if step is _buffer:
            return _Taken(step)
        ctype, low, high = self.ctype, self.low, self.high
        return _Taken(lambda x: ctype(x if type(x) is int and low <= x <= high else step(x)))

    def shape(self, n):
        """Of the array that is passed; of tiles, curves and blocks, one axis with all that lies in memory."""
        shape = tuple(a(n) for a in self.axes)
        if not self.flat:
            return shape
        cells = 1
        for k, extent in enumerate(shape):
            tile = self.tile[k - len(shape) + 2] if self.tile and k >= len(shape) - 2 else 1
            cells *= -(-extent // tile) * tile
        return (-(-cells // self.block),)

    def strides(self, shape, n):
        """In bytes, and the number of elements from the first to the last."""
        if self.flat:
            return (self.bytes,), shape[0]
        strides, step, total = [0] * len(shape), self.bytes, 1
        for place in range(len(shape) - 1, -1, -1):
            k = self.order[place]
            strides[k] = step
            total += (shape[k] - 1) * (step // self.bytes)
            step *= self.ld(n) if self.ld and place == len(shape) - 1 else shape[k]
        return tuple(strides), total if 0 not in shape else 0

    def bind(self, v, n):
        if self.flat:
            return
        for k, a in enumerate(self.axes):
            a.solve(n, v.shape[k])
        if self.ld and len(self.axes) > 1:
            row = self.order[-2]
            step = v.strides[row] // self.bytes if v.strides else v.shape[self.order[-1]]
            self.ld.solve(n, step)


class _Plan:
    __slots__ = ("maker", "sizes", "device", "new", "steps", "bytes", "work", "place")

    def with_results(self, arguments):
        """The arguments, with the results that are not given."""
        arguments = list(arguments)
        for k, make in self.new:
            arguments[k] = make()
        return arguments

    def passed(self, arguments):
        return [step(x) for step, x in zip(self.steps, arguments)]


class _Kernel:
    def __init__(self, json):
        self.name, self.functions = json["name"], json["functions"]
        self.sizes = [s["name"] for s in json["sizes"]]
        self.arguments = [_Argument(a, p, self.sizes) for p in json["parameters"] for a in p["arguments"]]
        self.results = [k for k, a in enumerate(self.arguments) if a.mode == "out"]
        self.returned = _operator.itemgetter(*self.results) if self.results else lambda arguments: None
        self.run = None
        self.calls = {}                 # of the host, for arrays of the same types and shapes
        self.plans = {}                 # of calls on a device, likewise
        self.rooms = {}                 # of workspaces, likewise: their addresses and bytes

    def load(self):
        library = _library()
        size, pointer = _ctypes.c_int64, _ctypes.c_void_p
        sizes = [size] * len(self.sizes)
        arguments = sizes + [a.ctype for a in self.arguments]

        def function(name, result, *types):
            try:
                f = getattr(library, self.functions[name])
            except AttributeError as e:
                raise AttributeError("%s; the library was built from another program than this module" % e) from None
            f.restype, f.argtypes = result, types
            return f
        self.workspace = function("workspace", _ctypes.c_size_t, *sizes)
        self.status = function("status", _ctypes.c_int, pointer, pointer)
        self.strerror = function("strerror", _ctypes.c_char_p, _ctypes.c_int)
        self.host = function("host", _ctypes.c_int, *arguments)
        self.run = function("run", _ctypes.c_int, *arguments, pointer, _ctypes.c_size_t, pointer)

    def check(self, a, v, x, gpu):
        """Type, place and axes of an array."""
        where = "%s: %s" % (self.name, a.name)
        if v is None:
            raise TypeError("%s must be an array of %s (%s), not %s" % (where, a.dtype(), a.text, type(x).__name__))
        if gpu and v.device is None:
            raise TypeError("%s is an array of the host (%s), but the kernel takes arrays of the device" % (where, type(x).__name__))
        if not gpu and v.device is not None:
            raise TypeError("%s is an array of the device (%s), but the kernel takes arrays of the host" % (where, type(x).__name__))
        if a.names is None:
            if v.dtype == "uint8" and v.shape and v.shape[-1] == a.bytes and v.strides is None:
                v.shape, v.bytes = v.shape[:-1], a.bytes        # a struct as its bytes
            elif v.dtype != a.dtype():
                raise TypeError("%s has the dtype %s, but %s is %s" % (where, v.dtype, a.type, a.dtype()))
        elif v.dtype not in a.names:
            raise TypeError("%s has the dtype %s, but %s is %s" % (where, v.dtype, a.text, a.names[0]))
        if v.constant and a.mode != "in":
            raise ValueError("%s is read-only, but the kernel writes it" % where)
        if not a.flat and len(v.shape) != len(a.axes) and not (not a.axes and v.shape == (1,)):
            raise ValueError("%s has %s, but %s has %d" % (where, _axes(len(v.shape)), a.text, len(a.axes)))

    def check_shape(self, a, v, n):
        where = "%s: %s" % (self.name, a.name)
        shape = a.shape(n)
        if not a.axes:
            return
        known = ", ".join("%s = %d" % pair for pair in zip(self.sizes, n))
        if a.flat:
            count = 1
            for extent in v.shape:
                count *= extent
            if count < shape[0]:
                raise ValueError("%s has %d elements, but %s layout %s takes %d with %s" %
                                 (where, count, a.text, a.layout, shape[0], known))
            if v.strides is not None:
                raise ValueError("%s is not contiguous" % where)
            return
        if v.shape != shape:
            raise ValueError("%s has the shape %s, but %s is %s with %s" % (where, v.shape, a.text, shape, known))
        if v.strides is None and a.ld is None and a.order == sorted(a.order):
            return
        want, total = a.strides(shape, n)
        have = v.strides
        if have is None:
            steps = [v.bytes] * len(shape)
            for k in range(len(shape) - 1, 0, -1):
                steps[k - 1] = steps[k] * shape[k]
            have = tuple(steps)
        if total and any(h != w for h, w, extent in zip(have, want, shape) if extent > 1):
            raise ValueError("%s is not contiguous as %s layout %s: its strides are %s bytes, expected: %s" %
                             (where, a.text, a.layout or "row", have, want))

    def bound(self, views, given):
        """All sizes."""
        n = [_size(self.name, name, x) for name, x in zip(self.sizes, given)]
        for _ in range(len(n) + 1):
            if None not in n:
                return n
            for a, v in zip(self.arguments, views):
                if v is not None:
                    a.bind(v, n)
        for name, value in zip(self.sizes, n):
            if value is None:
                raise TypeError("%s: the size %s does not follow from the arrays: give it as %s=" % (self.name, name, name))
        return n

    def keep(self, plans, key, plan):
        """The plan, which is found by the key from now on."""
        if _STRANGE not in key:
            if len(plans) > 100:
                plans.clear()
            plans[key] = plan
        return plan

    def call(self, key, arguments, sizes, workspace=None):
        """A call for arrays of the host that is like none before, or has a workspace."""
        if self.run is None:
            self.load()
        plan = self.plans.get(key) or self.plan(arguments, sizes, _maker(arguments, False), None, True)
        if workspace is None:
            return self.keep(self.calls, key, self.caller(plan))(*arguments)
        self.keep(self.plans, key, plan)
        arguments = plan.with_results(arguments)
        address, room = self.place(workspace, None, True)
        status = self.run(*plan.sizes, *plan.passed(arguments), address, room, None) or self.status(address, None)
        if status:
            raise self.error(status)
        return self.returned(arguments)

    def caller(self, plan):
        """A function for calls with such arrays.  ctypes takes each argument by its step of the plan."""
        function = _library()[self.functions["host"]]
        function.restype = _ctypes.c_int
        function.argtypes = [_ctypes.c_int64] * len(plan.sizes) + [a.taken(step) for a, step in zip(self.arguments, plan.steps)]
        function = _partial(function, *plan.sizes)
        new, returned = plan.new, self.returned

        def call(*arguments):
            if new:
                arguments = list(arguments)
                for k, make in new:
                    arguments[k] = make()
            try:
                status = function(*arguments)
            except _ctypes.ArgumentError:
                plan.passed(arguments)          # raises what ctypes has put into other words
                raise
            if status:
                raise self.error(status)
            return returned(arguments)
        return call

    def enqueue(self, key, arguments, sizes, workspace=None, stream=None, check=False):
        """A call on a stream of a device."""
        if self.run is None:
            self.load()
        plan = self.plans.get(key)
        maker = plan.maker if plan else _maker(arguments, True)
        own = maker.stream()
        handle = own if stream is None else _handle(stream)
        if plan is None:
            plan = self.keep(self.plans, key, self.plan(arguments, sizes, maker, handle, False))
        elif maker.current() != plan.device:
            self.check_device(maker, [_look(x, handle) for x in arguments])
        if handle == own:
            return self.launch(plan, arguments, workspace, handle, check)
        _order(self.name, handle, own)
        with maker.on(handle):
            return self.launch(plan, arguments, workspace, handle, check)

    def check_device(self, maker, views):
        """All arrays are on the current device."""
        current = maker.current()
        for a, v in zip(self.arguments, views):
            if a.pointer and v is not None and v.device not in (-1, current):
                raise ValueError("%s: %s is on device %d, but the current device is %d" %
                                 (self.name, a.name, v.device, current))
        return current

    def plan(self, arguments, sizes, maker, handle, host):
        """What is known of all calls with such arrays, once their types and shapes have been checked."""
        plan = _Plan()
        views = [_look(x, handle) if a.pointer and x is not None else None for a, x in zip(self.arguments, arguments)]
        for a, v, x in zip(self.arguments, views, arguments):
            if a.pointer and (x is not None or a.mode != "out"):
                self.check(a, v, x, not host)
        n = self.bound(views, sizes)
        plan.maker, plan.sizes = maker, [_ctypes.c_int64(x) for x in n]
        plan.device = None if host else self.check_device(maker, views)
        plan.new, plan.steps = [], []
        for k, (a, v, x) in enumerate(zip(self.arguments, views, arguments)):
            if not a.pointer:
                plan.steps.append(_partial(_value, self.name, a))
            elif v is None:
                make = self.factory(a, n, maker)
                plan.new.append((k, make))
                plan.steps.append(_address(make(), None))
            else:
                self.check_shape(a, v, n)
                if v.stream is not None and not host:
                    _order(self.name, handle, v.stream)
                plan.steps.append(_address(x, v))
        if not host:
            self.plan_workspace(plan, maker)
        return plan

    def plan_workspace(self, plan, maker):
        plan.bytes, plan.work = self.workspace(*plan.sizes), None
        if 0 < plan.bytes < _SIZE_MAX:
            plan.work = maker.factory((plan.bytes,), (1,), plan.bytes, "uint8", 1, True)
            plan.place = _address(plan.work(), None)

    def factory(self, a, n, maker):
        """What makes the array of a result."""
        shape = a.shape(n)
        if any(extent < 0 for extent in shape):
            raise ValueError("%s: %s would have the shape %s" % (self.name, a.name, shape))
        return maker.factory(shape, *a.strides(shape, n), a.dtype(), a.bytes, a.filled)

    def launch(self, plan, arguments, workspace, handle, check):
        """On a device: a workspace that is not given is made, and the function of C is called."""
        if plan.new:
            arguments = plan.with_results(arguments)
        workspace, address, room = self.room(plan, workspace, handle, False)
        status = self.run(*plan.sizes, *plan.passed(arguments), address, room, handle)
        if not status and check:
            status = self.status(address, handle)
        if status:
            raise self.error(status)
        return self.returned(arguments)

    def room(self, plan, workspace, handle, host):
        """The workspace, which is made if it is not given, its address and its bytes."""
        if workspace is not None and plan.bytes != _SIZE_MAX:
            return (workspace, *self.place(workspace, handle, host))
        if plan.work is None:           # none is needed, or the sizes are refused: the call says why
            return None, None, 0
        workspace = plan.work()
        return workspace, plan.place(workspace), plan.bytes

    def prepare(self, arguments, sizes, workspace=None, stream=None):
        """A function that makes this call whenever it is called.  It keeps the arrays, and what is made for the call is
        made once: no array is looked at again."""
        if self.run is None:
            self.load()
        host = _MANIFEST["target"] == "cpu"
        maker = _maker(arguments, not host)
        handle = None if stream is None else _handle(stream)
        plan = self.plan(arguments, sizes, maker, None if host else maker.stream() if handle is None else handle, host)
        if host:
            self.plan_workspace(plan, maker)
        with _contextlib.nullcontext() if handle is None else maker.on(handle):
            arguments = plan.with_results(arguments)
            kept = self.room(plan, workspace, handle, host)
        words = plan.sizes + [_word(a.ctype, x) for a, x in zip(self.arguments, plan.passed(arguments))]
        words += [_word(_ctypes.c_void_p, kept[1]), _ctypes.c_size_t(kept[2])]
        results, run, status_of, error = self.returned(arguments), _partial(self.run, *words), self.status, self.error

        def on_host():
            status = run(None) or status_of(words[-2], None)
            if status:
                raise error(status)
            return results

        current, current_stream, device = (None, None, None) if host else (maker.current, maker.stream, plan.device)

        def on_device(check=False):
            if current() != device:
                self.check_device(maker, [_look(x, handle) for x in arguments])
            on = current_stream()
            if handle is not None:
                _order(self.name, handle, on)
                on = handle
            status = run(on)
            if not status and check:
                status = status_of(words[-2], on)
            if status:
                raise error(status)
            return results
        again = on_host if host else on_device
        again.arrays = arguments, kept[0]
        return again

    def error(self, status):
        return Error(self.name, status, self.strerror(status).decode())

    def place(self, workspace, handle, host):
        """The address and the bytes of the caller's workspace."""
        kind = type(workspace)
        key = _SIGNATURE[kind](workspace), host
        if key in self.rooms:
            step, room = self.rooms[key]
            return step(workspace), room
        v = _look(workspace, handle)
        if v is None or v.constant or (v.device is None) != host or v.strides is not None:
            raise TypeError("%s: workspace must be a contiguous array of the %s that may be written" % (self.name, "host" if host else "device"))
        room = v.bytes
        for extent in v.shape:
            room *= extent
        self.keep(self.rooms, key, (_address(workspace, v), room))
        return v.address, room


_loaded_library = None


def load(path=None):
    """Load the shared library of the kernels; without a path, lib%s.so beside this file."""
    global _loaded_library
    name = "lib%s.so" % _os.path.splitext(_MANIFEST["source"])[0]
    path = path or _os.path.join(_os.path.dirname(_os.path.abspath(__file__)), name)
    try:
        _loaded_library = _ctypes.CDLL(path)
    except OSError as e:
        raise OSError("%s; build it from %s, or load(path) another library" % (e, _MANIFEST["source"])) from None


def _library():
    if _loaded_library is None:
        load()
    return _loaded_library
