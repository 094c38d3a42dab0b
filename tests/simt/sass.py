#!/usr/bin/env python3
"""Counts the instructions of each kernel in a cubin, without nvdisasm.

    sass.py FILE.cubin                      per kernel: name, total, counts by class
    sass.py FILE.cubin --assert CHECK ...   status 1 and a line for each check that fails

A check is "KERNEL CLASS OP NUMBER", as "heat_step LDG.128>=2" or "* LDL==0 STL==0"; KERNEL is a
shell pattern and several conditions may follow it.  A class without a size (LDG) counts all its
sizes.  The class "local" is LDL and STL together: what spills or indexes registers.

NVIDIA documents no encoding.  On sm_70 and later an instruction has 16 bytes; the opcode is in
the low 12 bits, whose top 3 are the form of the operands, and the size of a memory access in bits
73 to 75.  The table was calibrated on sm_90 with kernels of one instruction each;
"sass.py --selftest" compiles them with nvcc again and checks it.
"""
import argparse
import collections
import fnmatch
import operator
import os
import re
import struct
import subprocess
import sys
import tempfile

# by the low 9 bits, which leave the operand form out
CLASSES = {
    0x181: 'LDG', 0x186: 'STG', 0x184: 'LDS', 0x188: 'STS', 0x183: 'LDL', 0x187: 'STL',
    0x1ae: 'LDGSTS', 0x189: 'SHFL', 0x11d: 'BAR', 0x1a6: 'REDG', 0x023: 'FFMA', 0x03c: 'HMMA',
    0x1f0: 'HGMMA', 0x016: 'PRMT', 0x1b4: 'UTMALDG', 0x14d: 'EXIT', 0x118: 'NOP',
}
SIZED = {'LDG', 'STG', 'LDS', 'STS', 'LDL', 'STL', 'LDGSTS'}
BITS = {0: '8', 1: '8', 2: '16', 3: '16', 4: '32', 5: '64', 6: '128'}
COMPARE = {'>=': operator.ge, '<=': operator.le, '==': operator.eq, '!=': operator.ne,
           '>': operator.gt, '<': operator.lt}


def kernels(path):
    """The name and the code of each .text.NAME section."""
    with open(path, 'rb') as f:
        data = f.read()
    if data[:4] != b'\x7fELF':
        sys.exit(f'sass.py: {path}: not a cubin')
    start, = struct.unpack_from('<Q', data, 40)
    size, number, names = struct.unpack_from('<HHH', data, 58)
    sections = [struct.unpack_from('<IIQQQQIIQQ', data, start + i * size) for i in range(number)]
    for name_at, _, _, _, offset, length, *_ in sections:
        name = data[sections[names][4] + name_at:].split(b'\0', 1)[0].decode()
        if name.startswith('.text.'):
            yield name[6:], data[offset:offset + length]


def plain_name(name):
    """heat_step for _ZN...9heat_stepEPKf or _Z9heat_stepPKf; static kernels carry a prefix."""
    while True:
        m = re.match(r'_Z(?:L|N)?(\d+)', name)
        if not m:
            return name
        part, rest = name[m.end():m.end() + int(m[1])], name[m.end() + int(m[1]):]
        if not re.match(r'\d', rest):
            return part
        name = '_Z' + rest


def classify(code):
    """How often each class occurs, as LDG.128 or FFMA; others by their opcode."""
    counts = collections.Counter()
    for low, high in struct.iter_unpack('<QQ', code):
        name = CLASSES.get(low & 0x1ff, f'op{low & 0x1ff:03x}')
        if name in SIZED:
            name += '.' + BITS.get(high >> 9 & 7, '?')
        counts[name] += 1
    return counts


def count(counts, name):
    if name == 'local':
        return count(counts, 'LDL') + count(counts, 'STL')
    return sum(n for k, n in counts.items() if k == name or k.startswith(name + '.'))


def check(found, text):
    """The failures of one check, as lines."""
    pattern, *conditions = text.split()
    hits = {k: c for k, c in found.items() if fnmatch.fnmatchcase(k, pattern)}
    if not hits or not conditions:
        return [f'{text}: no such kernel' if conditions else f'{text}: no condition']
    lines = []
    for condition in conditions:
        m = re.fullmatch(r'([\w.]+)(>=|<=|==|!=|>|<)(\d+)', condition)
        if not m:
            sys.exit(f'sass.py: cannot read the condition {condition}')
        for kernel, counts in hits.items():
            n = count(counts, m[1])
            if not COMPARE[m[2]](n, int(m[3])):
                lines.append(f'{kernel}: {condition}: there are {n}')
    return lines


CALIBRATION = r'''
#define K extern "C" __global__ void
K ld32(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x]; }
K ld64(const float2 *a, float2 *b) { b[threadIdx.x] = a[threadIdx.x]; }
K ld128(const float4 *a, float4 *b) { b[threadIdx.x] = a[threadIdx.x]; }
K ld16(const short *a, short *b) { b[threadIdx.x] = a[threadIdx.x]; }
K sh128(float4 *b) { __shared__ float4 s[256]; s[threadIdx.x] = b[threadIdx.x];
    __syncthreads(); b[threadIdx.x] = s[255 - threadIdx.x]; }
K loc(float *b, const int *at, int n) { float s[64];
    for (int i = 0; i < n; i++) s[at[i]] = b[i];
    b[threadIdx.x] = s[at[n]]; }
K shf(float *c) { c[threadIdx.x] = __shfl_xor_sync(~0u, c[threadIdx.x], 1); }
K atm(float *c) { atomicAdd(c, 1.f); }
K prm(unsigned *c) { c[threadIdx.x] = __byte_perm(c[threadIdx.x], c[1], 0x1052); }
K fma1(float *c) { c[threadIdx.x] = c[threadIdx.x] * c[1] + c[2]; }
'''
EXPECTED = ['ld32 LDG.32==1 STG.32==1 local==0 EXIT>=1', 'ld64 LDG.64==1 STG.64==1',
            'ld128 LDG.128==1 STG.128==1', 'ld16 LDG.16==1 STG.16==1',
            'sh128 LDS.128==1 STS.128==1 BAR==1', 'loc LDL>=1 STL>=1', 'shf SHFL==1',
            'atm REDG==1', 'prm PRMT==1', 'fma1 FFMA==1 LDG.32==3']


def selftest():
    with tempfile.TemporaryDirectory() as d:
        source, cubin = os.path.join(d, 'k.cu'), os.path.join(d, 'k.cubin')
        with open(source, 'w', encoding='ascii') as f:
            f.write(CALIBRATION)
        subprocess.run(['nvcc', '-cubin', '-arch=sm_90', '-O3', source, '-o', cubin], check=True)
        found = {plain_name(k): classify(c) for k, c in kernels(cubin)}
    failed = [line for text in EXPECTED for line in check(found, text)]
    print('\n'.join(failed + [f'{len(EXPECTED)} checks, {len(failed)} failed']))
    return bool(failed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('cubin', nargs='?')
    parser.add_argument('--assert', dest='checks', nargs='+', default=[], metavar='CHECK')
    parser.add_argument('--selftest', action='store_true')
    args = parser.parse_args()
    if args.selftest:
        return selftest()
    if not args.cubin:
        parser.error('no cubin')
    found = {plain_name(k): classify(c) for k, c in kernels(args.cubin)}
    failed = [line for text in args.checks for line in check(found, text)]
    for kernel, counts in [] if args.checks else found.items():
        text = ' '.join(f'{k}:{n}' for k, n in sorted(counts.items()))
        print(kernel, sum(counts.values()), text)
    for line in failed:
        print('sass.py:', line, file=sys.stderr)
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
