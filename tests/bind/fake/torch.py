"""torch.py - as much of PyTorch as gpu_calls.py and torch_stub.py call, where there is no GPU: a device's tensors lie in the host's memory."""
import contextlib

import numpy as np

FAKE = True


class dtype:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return "torch." + self.name


_dtypes = {np.dtype(n): dtype(n) for n in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
                                           "float16", "float32", "float64")}
globals().update({d.name: d for d in _dtypes.values()})


class device:
    def __init__(self, kind, index=None):
        self.type, self.index = kind, index

    def __eq__(self, other):
        return (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))


class Tensor:
    def __init__(self, cells, where):
        self.cells, self.device = cells, where
        self.shape, self.dtype, self.is_cuda = cells.shape, _dtypes[cells.dtype], where.type == "cuda"

    def to(self, where):
        kind, _, index = where.partition(":")
        return Tensor(self.cells.copy(order="K"), device(kind, int(index or 0) if kind == "cuda" else None))

    def cpu(self):
        return self.to("cpu")

    def numpy(self):
        return self.cells

    def t(self):
        return Tensor(self.cells.T, self.device)

    def __getitem__(self, at):
        return Tensor(self.cells[at], self.device)

    def stride(self):
        return tuple(s // self.cells.itemsize for s in self.cells.strides)

    def as_strided(self, shape, strides):
        return Tensor(np.lib.stride_tricks.as_strided(self.cells, shape, [s * self.cells.itemsize for s in strides]), self.device)

    def expand(self, shape):
        return Tensor(np.broadcast_to(self.cells, shape), self.device)

    def is_contiguous(self):
        return self.cells.flags.c_contiguous

    def element_size(self):
        return self.cells.itemsize

    def get_device(self):
        return self.device.index

    def data_ptr(self):
        return self.cells.__array_interface__["data"][0]


def from_numpy(x):
    return Tensor(x, device("cpu"))


def empty(n, dtype=_dtypes[np.dtype("f4")], device=None):
    device = device if hasattr(device, "type") else globals()["device"](device)
    return Tensor(np.full(n, 1, dtype.name), device if device.index is not None or device.type == "cpu" else globals()["device"]("cuda", 0))


def zeros(n, dtype, device):
    made = empty(n, dtype, device)
    made.cells[...] = 0
    return made


contiguous_format = "contiguous"


def empty_like(like, memory_format):
    return Tensor(np.full(like.shape, 1, like.cells.dtype), like.device)


def zeros_like(like, memory_format):
    return Tensor(np.zeros(like.shape, like.cells.dtype), like.device)


class _Stream:
    def __init__(self, number=None, device=None):
        self.cuda_stream = number if number is not None else id(self)


class cuda:
    Stream = ExternalStream = _Stream
    now = [_Stream(0)]
    on = 0

    @staticmethod
    def current_stream(where=None):
        return cuda.now[-1]

    @staticmethod
    def current_device():
        return cuda.on

    @staticmethod
    def synchronize():
        pass

    @staticmethod
    @contextlib.contextmanager
    def stream(s):
        cuda.now.append(s)
        yield
        cuda.now.pop()


class _C:
    pass


class library:
    class custom_op:
        """What it is told, and a call of the function itself."""

        def __init__(self, name, function, *, mutates_args, schema):
            self.name, self.function, self.mutates_args, self.schema = name, function, mutates_args, schema

        def __call__(self, *given, **sizes):
            return self.function(*given, **sizes)

        def register_fake(self, function):
            self.fake = function
