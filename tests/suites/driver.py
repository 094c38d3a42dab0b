#!/usr/bin/env python3
"""Writes the C program that compares kernels with plain loops.   driver.py [--bench] STEM PROGRAM.pat...

STEM.pat gets all programs, one behind another, and STEM_main.c a driver for the functions that patc makes of
them; it includes STEM.h.  Beside NAME.pat lies NAME.c with KERNEL_reference(), which has the parameters of
KERNEL_host(), arrays as C has them (double A[n][m]).  The comment at its head says what a call takes:

	shapes: n=17 m=5 steps=3; n=1 m=1 steps=0
	bench: n=1000 m=1000 steps=100
	within: 1e-9

A scalar that no shape names is random, and so are all arrays: floats in [0, 1), integers in 0 .. 99, unless
NAME.c has KERNEL_init(), with the same parameters, which fills what it likes.  What both write is compared:
integers exactly, floats relative to 1 or to themselves if they are larger.

--bench: the driver measures instead, with the sizes of that line: KERNEL() beside KERNEL_reference(), or on a GPU (with
SUITE_GPU defined) beside KERNEL_cuda() of NAME.cu, if there is one.  Its arguments are the number of runs, and a kernel.
"""
import os
import re
import sys

C_TYPES = {"bool": "bool", "f32": "float", "f64": "double"}
C_TYPES |= {f"{s}{n}": f"{'u' if s == 'u' else ''}int{n}_t" for s in "iu" for n in (8, 16, 32, 64)}


class Parameter:
    def __init__(self, text, constants):
        text = re.sub(r"\blayout\b.*", "", text).strip()
        head, kind = (part.strip() for part in text.split(":", 1))
        words = head.split()
        self.name, self.mode = words[-1], words[0] if len(words) > 1 else "in"
        match = re.fullmatch(r"(\w+)(?:\[(.*)\])?", kind)
        self.type = C_TYPES[match[1]]
        self.extents = [e.strip() for e in match[2].split(",")] if match[2] else []
        self.extents = [str(constants.get(e, e)) for e in self.extents]
        self.written = self.mode in ("out", "inout")
        self.real = self.type in ("float", "double")
        self.pointer = bool(self.extents) or self.written
        self.cells = " * ".join(f"({e})" for e in self.extents) or "1"

    def plain(self):
        """As the reference declares it."""
        if not self.extents:
            return f"{self.type} {'*' if self.written else ''}{self.name}"
        return f"{self.type} {self.name}" + "".join(f"[{e}]" for e in self.extents)


def split(text):
    """At the commas that no bracket holds."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text + ","):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p for p in parts if p.strip()]


class Kernel:
    def __init__(self, name, parameters, plain, cuda, constants):
        self.name = name
        self.sizes, self.parameters = [], []
        for text in split(parameters):
            if text.split()[0] == "size":
                self.size(re.search(r"size\s+(\w+)", text)[1])
                continue
            p = Parameter(text, constants)
            for extent in p.extents:
                for word in re.findall(r"[A-Za-z_]\w*", extent):
                    self.size(word)
            self.parameters.append(p)
        said = lambda key: re.findall(rf"^ \* {key}: (.*?)(?: \*/)?$", plain, re.M)
        self.shapes = [s for line in said("shapes") for s in line.split(";") if s.strip()]
        self.bench = said("bench")
        self.within = (said("within") or ["1e-9"])[0]
        self.has_init = re.search(rf"\b{name}_init\(", plain) is not None
        self.has_cuda = re.search(rf"\b{name}_cuda\(", cuda) is not None

    def size(self, name):
        if name not in self.sizes:
            self.sizes.append(name)

    def prototype(self, kind):
        sizes = [f"int64_t {s}" for s in self.sizes]
        return f"void {self.name}_{kind}({', '.join(sizes + [p.plain() for p in self.parameters])});"

    def call(self, kind, suffix=""):
        given = list(self.sizes)
        for p in self.parameters:
            name = p.name + (suffix if p.written else "")
            given.append(f"(void *){name}" if p.pointer else p.name)
        return f"{self.name}{kind}({', '.join(given)})"


def kernels_of(path):
    text = open(path).read()
    bare = re.sub(r"/\*.*?\*/", "", re.sub(r"//[^\n]*", "", text), flags=re.S)
    plain = open(path[:-4] + ".c").read()
    cuda = open(path[:-4] + ".cu").read() if os.path.exists(path[:-4] + ".cu") else ""
    constants = dict(re.findall(r"const\s+(\w+)\s*:\s*i\w+\s*=\s*(\d+)\s*;", bare))
    found = []
    for match in re.finditer(r"\bkernel\s+(\w+)\s*\(((?:[^()]|\([^()]*\))*)\)", bare):
        if re.search(rf"\b{match[1]}_reference\(", plain):
            found.append(Kernel(match[1], match[2], plain, cuda, constants))
    if not found:
        sys.exit(f"driver.py: {path[:-4]}.c has no reference of a kernel in {path}")
    return text, found


def settings(shape):
    return dict(part.split("=") for part in shape.split())


def argument_code(kernel, shape):
    """Declares sizes, scalars and arrays, and fills them."""
    given = settings(shape)
    out = [f"\tconst int64_t {s} = {given[s]};" for s in kernel.sizes]
    for p in kernel.parameters:
        if not p.pointer:
            value = given.get(p.name, f"({p.type})suite_random()" if p.real else "3")
            out.append(f"\tconst {p.type} {p.name} = {value};")
        else:
            out.append(f"\t{p.type} *{p.name} = suite_array({p.cells}, sizeof *{p.name});")
            value = "suite_random()" if p.real else f"suite_whole({'true' if p.type == 'bool' else 'false'})"
            out.append(f"\tfor (int64_t i_ = 0; i_ < {p.cells}; i_++)")
            out.append(f"\t\t{p.name}[i_] = ({p.type}){value};")
    if kernel.has_init:
        out.append(f"\t{kernel.call('_init')};")
    return out


def compare_code(kernel, ours, plain):
    """wrong_ names the first cell of the arrays NAME{ours} that is not that of NAME{plain}."""
    out = []
    for p in kernel.parameters:
        if p.written:
            x, y = f"{p.name}{ours}[i_]", f"{p.name}{plain}[i_]"
            out.append(f"\tfor (int64_t i_ = 0; i_ < {p.cells} && !wrong_; i_++)")
            out.append(f"\t\tif ({f'suite_far({x}, {y}, {kernel.within})' if p.real else f'{x} != {y}'})")
            out.append(f"\t\t\twrong_ = suite_wrong(\"{p.name}\", i_, (double){x}, (double){y});")
    return out


def test_code(kernel, shape):
    out = ["\t{"] + argument_code(kernel, shape)
    for p in kernel.parameters:
        if p.written:
            out.append(f"\t{p.type} *{p.name}_ = suite_copy({p.name}, {p.cells}, sizeof *{p.name});")
    out.append(f"\tint status_ = {kernel.call('_host')};")
    out.append(f"\t{kernel.call('_reference', '_')};")
    out.append(f"\tconst char *wrong_ = status_ ? {kernel.name}_strerror(status_) : NULL;")
    out += compare_code(kernel, "", "_")
    out.append(f"\tbad_ += suite_said(\"{kernel.name}\", \"{shape.strip()}\", wrong_);")
    for p in kernel.parameters:
        if p.pointer:
            out.append(f"\tfree({p.name});")
        if p.written:
            out.append(f"\tfree({p.name}_);")
    return out + ["\t}"]


def timed(kernel, call, to):
    """Runs a call some times, from the same arrays each time, and leaves the least milliseconds in `to`."""
    out = [f"\tdouble {to} = 1e30;", "\tfor (int run_ = 0; run_ < runs; run_++) {"]
    out += [f"\t\tsuite_refill({p.name}_d, {p.name}, {p.cells}, sizeof *{p.name});"
            for p in kernel.parameters if p.written]
    return out + ["\t\tdouble from_ = suite_now();", f"\t\t{call};", f"\t\t{to} = fmin({to}, suite_now() - from_);", "\t}"]


def bench_code(kernel, shape):
    """The times of KERNEL() and of the plain version, and whether they agree.  On a GPU that is KERNEL_cuda()."""
    arrays = [p for p in kernel.parameters if p.pointer]
    written = [p for p in arrays if p.written]
    given = list(kernel.sizes) + [f"(void *){p.name}_d" if p.pointer else p.name for p in kernel.parameters]
    out = ["\t{"] + argument_code(kernel, shape)
    out += [f"\t{p.type} *{p.name}_d = suite_device({p.name}, {p.cells}, sizeof *{p.name});" for p in arrays]
    out.append(f"\tsize_t bytes_ = {kernel.name}_workspace({', '.join(kernel.sizes)});")
    out.append("\tvoid *work_ = suite_device(NULL, (int64_t)bytes_, 1);")
    out.append("\tconst char *wrong_ = NULL;\n\tint status_ = 0;")
    call = f"{kernel.name}({', '.join(given + ['work_', 'bytes_', 'NULL'])})"
    out += timed(kernel, f"status_ = {call}, status_ = status_ ? status_ : {kernel.name}_status(work_, NULL)", "ours_")
    out.append(f"\tif (status_)\n\t\twrong_ = {kernel.name}_strerror(status_);\n\tdouble plain_ = 0;")
    out += [f"\t{p.type} *{p.name}_o = suite_back({p.name}_d, {p.cells}, sizeof *{p.name});" for p in written]
    out.append(f"#if !defined SUITE_GPU || {int(kernel.has_cuda)}")
    out += timed(kernel, f"SUITE_PLAIN({kernel.name})({', '.join(given)})", "best_")
    out.append("\tplain_ = best_;")
    out += [f"\t{p.type} *{p.name}_p = suite_back({p.name}_d, {p.cells}, sizeof *{p.name});" for p in written]
    out += compare_code(kernel, "_o", "_p")
    out += [f"\tfree({p.name}_p);" for p in written] + ["#endif"]
    out.append(f"\tsuite_time(\"{kernel.name}\", \"{shape.strip()}\", ours_, plain_, wrong_);")
    out += [f"\tfree({p.name}_o);" for p in written]
    out += [f"\tfree({p.name});\n\tsuite_free({p.name}_d);" for p in arrays]
    return out + ["\tsuite_free(work_);", "\t}"]


def main():
    arguments = sys.argv[1:]
    bench = arguments[0] == "--bench"
    stem, *paths = arguments[bench:]
    everything, kernels = [], []
    for path in paths:
        text, found = kernels_of(path)
        everything.append(text)
        kernels += found
    base = stem.rsplit("/", 1)[-1]
    open(stem + ".pat", "w").write("\n".join(everything))
    code = [f'#include "{base}.h"', '#include "suite.h"']
    code += [k.prototype("reference") for k in kernels]
    code += [k.prototype("init") for k in kernels if k.has_init]
    code += ["#ifdef SUITE_GPU"] + [k.prototype("cuda") for k in kernels if k.has_cuda] + ["#endif"]
    for k in kernels:
        code.append(f"static int of_{k.name}(int runs)\n{{\n\tint bad_ = 0;\n\t(void)runs;")
        for shape in k.bench if bench else k.shapes:
            code += bench_code(k, shape) if bench else test_code(k, shape)
        code.append("\treturn bad_;\n}")
    code.append("int main(int argc, char **argv)\n{\n\tint bad = 0, runs = argc > 1 ? atoi(argv[1]) : 3;")
    code += [f"\tif (argc < 3 || !strcmp(argv[2], \"{k.name}\"))\n\t\tbad += of_{k.name}(runs);" for k in kernels]
    code.append("\treturn bad != 0;\n}\n")
    open(stem + "_main.c", "w").write("\n".join(code))


if __name__ == "__main__":
    main()
