"""wheel.py PATC VERSION LICENCES... - writes the wheel of the package beside this file, with the compiler PATC inside.

PATC is linked statically: it needs no file of the machine where the wheel is installed, so it is for any Linux of its
processor.  The same files give the same bytes: entries are sorted, and have SOURCE_DATE_EPOCH as their time, or 1980.
LICENCES are texts that the wheel has to have.  Prints the path of the wheel, which is written to the current folder."""
import base64
import hashlib
import os
import struct
import sys
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
PROCESSORS = {62: "x86_64", 183: "aarch64", 243: "riscv64", 21: "ppc64le"}
METADATA = """Metadata-Version: 2.1
Name: patc
Version: %s
Summary: Kernels of parallel patterns, compiled to CUDA, HIP or OpenMP C, as functions of Python
License: Apache-2.0
Requires-Python: >=3.9
Description-Content-Type: text/markdown

%s"""
WHEEL = "Wheel-Version: 1.0\nGenerator: patc\nRoot-Is-Purelib: false\n"


def platform_of(program):
    """The platforms of a static program: those of the oldest kernels and of any C library."""
    if program[:5] != b"\x7fELF\x02":
        sys.exit("wheel.py: the compiler is no program for 64 bits")
    machine, = struct.unpack_from("<H", program, 18)
    start, size, count = struct.unpack_from("<Q", program, 32) + struct.unpack_from("<HH", program, 54)
    kinds = {struct.unpack_from("<I", program, start + k * size)[0] for k in range(count)}
    if kinds & {2, 3}:                  # PT_DYNAMIC, PT_INTERP
        sys.exit("wheel.py: the compiler is not linked statically")
    if machine not in PROCESSORS:
        sys.exit("wheel.py: there is no platform of wheels for processor %d of ELF" % machine)
    return [name % PROCESSORS[machine] for name in ("manylinux2014_%s", "manylinux_2_17_%s", "musllinux_1_1_%s")]


def contents(patc, version, licences, platforms):
    """The files by their names; those that are programs begin with ELF."""
    info = "patc-%s.dist-info/" % version
    files = {"patc/" + f.name: f.read_bytes() for f in HERE.glob("patc/*") if f.is_file()}
    files["patc/bin/patc"] = patc
    files[info + "METADATA"] = (METADATA % (version, (HERE / "README.md").read_text())).encode()
    files[info + "WHEEL"] = (WHEEL + "".join("Tag: py3-none-%s\n" % p for p in platforms)).encode()
    files[info + "entry_points.txt"] = b"[console_scripts]\npatc = patc.__main__:main\n"
    for text in map(Path, licences):
        library = text.parent.name + "-" if text.name == "copyright" else ""
        files[info + "licenses/" + library + text.name] = text.read_bytes()
    return files, info + "RECORD"


def record(files, name):
    """Of each file: its name, its hash and its bytes; of the list itself the name alone."""
    def line(file, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return "%s,sha256=%s,%d\n" % (file, digest, len(data))
    return "".join(line(*item) for item in sorted(files.items())) + name + ",,\n"


def main(patc, version, *licences):
    program = Path(patc).read_bytes()
    platforms = platform_of(program)
    files, last = contents(program, version, licences, platforms)
    files[last] = record(files, last).encode()
    when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]
    path = "patc-%s-py3-none-%s.whl" % (version, ".".join(platforms))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name in sorted(files, key=lambda name: (name == last, name)):
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100755 if files[name][:4] == b"\x7fELF" else 0o100644) << 16
            out.writestr(entry, files[name])
    print(path)


main(*sys.argv[1:])
