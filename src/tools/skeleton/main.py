"""main.py - calls the kernel of @name@.pat and checks what it computed."""
import ctypes
import sys

from build import library

N = 1000


def main():
    kernels = library()
    pointer = ctypes.POINTER(ctypes.c_float)
    kernels.@name@_host.argtypes = [ctypes.c_int64, ctypes.c_float, pointer, pointer]
    kernels.@name@_strerror.restype = ctypes.c_char_p

    x = (ctypes.c_float * N)(*range(N))
    y = (ctypes.c_float * N)(*[1] * N)
    code = kernels.@name@_host(N, 2, x, y)
    if code != 0:
        sys.exit("@name@: " + kernels.@name@_strerror(code).decode())
    for i in range(N):
        if y[i] != 2 * i + 1:
            sys.exit("@name@: y[%d] is %g, not %d" % (i, y[i], 2 * i + 1))
    print("@name@: all %d cells are right" % N)


if __name__ == "__main__":
    main()
