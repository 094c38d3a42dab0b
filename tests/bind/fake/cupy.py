"""cupy.py - as much of CuPy as gpu_calls.py calls, where there is no GPU: its arrays lie in the host's memory."""
import numpy as np


class _Device:
    id = 0


class _Memory:
    def __init__(self, cells):
        self.cells, self.ptr = cells, cells.__array_interface__["data"][0]


class ndarray:
    device = _Device()

    def __init__(self, shape, dtype=float, memptr=None, strides=None):
        self.cells = np.ndarray(shape, dtype, memptr.cells if np.prod(shape) else None, strides=strides)
        self.shape, self.dtype, self.strides = self.cells.shape, self.cells.dtype, self.cells.strides
        self.data = _Memory(self.cells)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.data.ptr, False), "version": 3, "stream": 1,
                "strides": None if self.cells.flags.c_contiguous else self.strides}


def asarray(x):
    x = x.copy(order="K")
    return ndarray(x.shape, x.dtype, _Memory(x), x.strides)


def asnumpy(x):
    return x.cells


def empty(shape, dtype):
    return asarray(np.full(shape, 1, dtype))


def zeros(shape, dtype):
    return asarray(np.zeros(shape, dtype))


class cuda:
    now = [0]
    Device = _Device

    class ExternalStream:
        def __init__(self, ptr):
            self.ptr = ptr

        def __enter__(self):
            cuda.now.append(self.ptr)

        def __exit__(self, *error):
            cuda.now.pop()

    @staticmethod
    def get_current_stream():
        return cuda.ExternalStream(cuda.now[-1])
