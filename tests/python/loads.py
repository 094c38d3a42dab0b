"""loads.py - loads programs in the current folder: the cache, what rebuilds, and what is wrong."""
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import patc

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "bind"))
from fails import fails  # noqa: E402

# A compiler that counts its calls.
Path("counted").write_text('#!/bin/sh\necho >>calls\nexec cc "$@"\n')
Path("counted").chmod(0o755)
os.environ["CC"] = os.path.abspath("counted")


def built(make):
    """How often the compiler is called, and what is loaded."""
    Path("calls").write_text("")
    return make(), len(Path("calls").read_text())


Path("lib").mkdir()
Path("ops.pat").write_text("fn twice(x: f32) -> f32 = 2 * x;\n")
Path("a-b.pat").write_text('use "ops.pat";\nkernel f(x: f32[n], out y: f32[n]) { map y[i] = twice(x[i]); }\n')
x = np.arange(4, dtype=np.float32)


def load(**more):
    return patc.load("a-b.pat", target="cpu", **more)


k, calls = built(load)
assert calls == 1 and k.f(x).tolist() == [0, 2, 4, 6]
again, calls = built(load)
assert calls == 0 and again is k
there, calls = built(lambda: patc.load(os.path.abspath("a-b.pat"), target="cpu"))
assert calls == 0 and there is k
# A file that is used, another option, another flag.
Path("ops.pat").write_text("fn twice(x: f32) -> f32 = x + x + 1;\n")
other, calls = built(load)
assert calls == 1 and other.f(x).tolist() == [1, 3, 5, 7] and k.f(x).tolist() == [0, 2, 4, 6]
assert built(lambda: load(options=["--check"]))[1] == 1
assert built(lambda: load(flags=["-O1"]))[1] == 1
assert built(load)[1] == 0
os.utime("counted", (0, 0))             # another version of the compiler
assert built(load)[1] == 1
# A header of the user's, and one that it includes.
Path("lib/own.h").write_bytes(b'/* \xe9 */\n#include "more.h"\nstatic inline float own(float x) { return x + MORE; }\n')
Path("lib/more.h").write_text("#define MORE 1\n")
Path("own.pat").write_text('extern fn own(x: f32) -> f32 from "own.h";\n'
                           "kernel g(x: f32[n], out y: f32[n]) { map y[i] = own(x[i]); }\n")


def own():
    return patc.load("own.pat", target="cpu", options=["-I", "lib"])


assert built(own)[0].g(x).tolist() == [1, 2, 3, 4] and built(own)[1] == 0
Path("lib/more.h").write_text("#define MORE 2\n")
assert built(own)[0].g(x).tolist() == [2, 3, 4, 5]
# A program that is a string.
text = "kernel h(x: f32[n], out y: f32[n]) { map y[i] = x[i] / 2; }"
assert patc.compile(text, target="cpu").h(x).tolist() == [0, 0.5, 1, 1.5]
assert patc.compile(text, "cpu", name="half").__doc__.startswith("half - the kernels of -")

# Of a GPU's compiler: the machine that it compiles for.
Path("fake").write_text('#!/bin/sh\necho "$@" >said\nwhile [ "$1" != -o ]; do shift; done\ncc -shared -o "$2" -x c /dev/null\n')
Path("fake").chmod(0o755)
os.environ["HIPCC"] = os.environ["NVCC"] = os.path.abspath("fake") + " -own"
for target, arch, want in (("hip", None, "--offload-arch=native"), ("hip", "wave32", "--offload-arch=native"),
                           ("hip", "gfx90a", "--offload-arch=gfx90a"), ("cuda", None, "-arch=native"), ("cuda", "sm_90", "-arch=sm_90")):
    patc.load("a-b.pat", target=target, arch=arch, flags=["-last"])
    said = Path("said").read_text()
    assert said.startswith("-own -O3 ") and " -shared " in said and want + " -last " in said, said

# ---- what is wrong ----
wrong = text.replace("x[i] / 2", "z[i]")
e = fails(patc.CompileError, "-:1:49: error[P0201]: no variable `z` here\n    1 | kernel h", patc.compile, wrong, target="cpu")
assert e.diagnostics[0]["code"] == "P0201" and e.diagnostics[0]["location"]["startColumn"] == 49
assert "\x1b[" in "".join(e._render_traceback_()) and "\x1b" not in str(e)
html = e._repr_html_()
assert html.count("<span") == html.count("</span>") > 1 and "\x1b" not in html and "no variable `z`" in html
Path("bad.pat").write_text(wrong)
fails(patc.CompileError, "bad.pat:1:49", patc.load, "bad.pat", target="cpu")
fails(patc.CompileError, "cannot read 'none.pat'", patc.load, "none.pat", target="cpu")
fails(patc.CompileError, "sm_1", patc.load, "a-b.pat", arch="sm_1")
e = fails(patc.CompileError, "--no-such-flag", load, flags=["--no-such-flag"])
assert str(e).startswith(os.path.abspath("counted") + " -O3 -fopenmp") and len(str(e).splitlines()) > 1
os.environ["CC"] = "no-such-cc -g"
fails(patc.CompileError, "the target cpu needs a compiler, and there is no no-such-cc in PATH: CC names another one", load)
del os.environ["CC"]
fails(ValueError, "there is no target 'gpu'; there are: cpu, cuda, hip", patc.load, "a-b.pat", target="gpu")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    patc.compile("kernel h(x: f32[n], unused: f32, out y: f32[n]) { map y[i] = x[i]; }", target="cpu")
assert len(told) == 1 and "unused" in str(told[0].message) and told[0].filename == __file__, told
assert not [f for f in os.listdir(os.environ["PATC_CACHE_DIR"]) if f.startswith("tmp-")]
