"""patc - kernels of parallel patterns as functions of Python: see patc-python(7)."""
from __future__ import annotations

import hashlib
import html
import importlib.util
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import tempfile
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any, Sequence

__all__ = ["CompileError", "compile", "compiler", "load"]

# Of each target: the suffix of its text, the variable that names another compiler, the compiler, its options before the
# sources and after them, and the options for the machine here and for another one.
_TARGETS = {
    "cpu": (".c", "CC", "cc", "-O3 -fopenmp -fPIC -shared", "-lm", "", ""),
    "cuda": (".cu", "NVCC", "nvcc", "-O3 -std=c++17 -Xcompiler -fPIC -shared", "", "-arch=native", "-arch=%s"),
    "hip": (".hip", "HIPCC", "hipcc", "-O3 -std=c++17 -fPIC -shared", "", "--offload-arch=native", "--offload-arch=%s"),
}
_TEXT: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape"}
_modules: dict[str, ModuleType] = {}    # by their keys in the cache
_COLOR = re.compile(r"\x1b\[([\d;]*)m")
_STYLES = {"1": "font-weight: bold", "31": "color: #c00", "32": "color: #080", "35": "color: #a0a"}


class CompileError(Exception):
    """What patc or the compiler of the target says of a program.

    str() is the text, and `diagnostics` what patc found, as patc(1) describes for --diagnostics=json."""

    def __init__(self, text: str, diagnostics: Sequence[dict[str, Any]] = ()) -> None:
        self.colored, self.diagnostics = text, list(diagnostics)
        super().__init__(_COLOR.sub("", text))

    def _render_traceback_(self) -> list[str]:
        """IPython shows this: the place in the program, not that in this file."""
        return self.colored.split("\n")

    def _repr_html_(self) -> str:
        opened = 0

        def span(codes: re.Match[str]) -> str:
            nonlocal opened
            if codes[1] in ("", "0"):
                closed, opened = opened, 0
                return "</span>" * closed
            opened += 1
            return '<span style="%s">' % "; ".join(_STYLES.get(c, "") for c in codes[1].split(";"))
        text = _COLOR.sub(span, html.escape(self.colored, quote=False))
        return "<pre>%s%s</pre>" % (text, "</span>" * opened)


def compiler() -> str:
    """The path of patc: that of this package, or the first in PATH."""
    own = Path(__file__).parent / "bin" / "patc"
    found = str(own) if own.exists() else shutil.which("patc")
    if not found:
        raise FileNotFoundError("patc is neither in %s nor in PATH" % own.parent)
    return found


def load(path: str | os.PathLike[str], target: str = "cuda", *, arch: str | None = None, options: Sequence[str] = (),
         flags: Sequence[str] = ()) -> ModuleType:
    """The kernels of a program, as the module that `patc bind` writes.

    arch: of the target, as in --arch; options: of patc; flags: of the compiler CC, NVCC or HIPCC.
    What has been built before from the same text by the same compiler is taken from the cache."""
    return _load(os.fspath(path), None, Path(path).stem, target, arch, options, flags)


def compile(text: str, target: str = "cuda", *, name: str = "kernels", arch: str | None = None,
            options: Sequence[str] = (), flags: Sequence[str] = ()) -> ModuleType:
    """The kernels of a program that is a string; `name` becomes that of the module."""
    return _load("-", text, name, target, arch, options, flags)


def _load(path: str, text: str | None, name: str, target: str, arch: str | None, options: Sequence[str],
          flags: Sequence[str]) -> ModuleType:
    if target not in _TARGETS:
        raise ValueError("there is no target '%s'; there are: %s" % (target, ", ".join(_TARGETS)))
    stem = re.sub("[^a-zA-Z0-9_]", "_", name)
    stem = stem if stem[:1].isalpha() else "p" + stem
    cache = _cache()
    there = Path(tempfile.mkdtemp(prefix="tmp-", dir=cache))
    try:
        written = _write(there / stem, path, text, target, arch, options)
        folders = [os.path.dirname(path) or ".", *_folders(options)]
        headers = _headers(written[0], folders)
        build = _command(target, arch, flags) + ["-I" + f for f in folders if headers]
        key = _key(build, headers + [_read(f) for f in written])
        if not (cache / key).exists():
            _patc(["bind", "--lang=python", "-o", "%s.py" % (there / stem), "%s.json" % (there / stem)])
            _build([*build, str(written[0]), "-o", str(there / ("lib%s.so" % stem)), *_TARGETS[target][4].split()])
            _move(there, cache / key)
    finally:
        shutil.rmtree(there, ignore_errors=True)
    return _module(stem, cache / key / (stem + ".py"), key)


def _key(build: list[str], texts: list[str]) -> str:
    parts = [*texts, *build, *_stamps(compiler(), *build)]
    if "native" in " ".join(build):
        parts.append(platform.node())
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _move(there: Path, place: Path) -> None:
    """The folder gets its name, unless another process was faster."""
    try:
        there.rename(place)
    except OSError:
        if not place.exists():
            raise


def _module(stem: str, file: Path, key: str) -> ModuleType:
    if key not in _modules:
        spec = importlib.util.spec_from_file_location(stem, file)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.load()
        _modules[key] = module
    return _modules[key]


def _cache() -> Path:
    own = os.environ.get("PATC_CACHE_DIR")
    cache = Path(own) if own else Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "patc"
    cache.mkdir(parents=True, exist_ok=True)
    return cache


# ---- patc ----

def _patc(arguments: list[str], text: str | None = None, level: int = 1) -> None:
    """Raises what patc says of a wrong program, and warns of what it warns of, at the caller of this level."""
    command = [compiler(), *arguments]
    done = subprocess.run(command + ["--color=always"], input=text, capture_output=True, **_TEXT)
    said = done.stderr.rstrip("\n")
    if done.returncode == 1:
        again = subprocess.run(command + ["--diagnostics=json"], input=text, capture_output=True, **_TEXT)
        raise CompileError(said, json.loads(again.stderr)["diagnostics"])
    if done.returncode:
        raise CompileError(said)
    if said:
        warnings.warn("\n" + _COLOR.sub("", said), stacklevel=level)


def _write(stem: Path, path: str, text: str | None, target: str, arch: str | None, options: Sequence[str]) -> list[Path]:
    """The source, its header and the manifest.  The program itself may include a header of its own name."""
    source, header, manifest = [Path(str(stem) + end) for end in (_TARGETS[target][0], "_kernels.h", ".json")]
    chosen = ["--arch=" + arch] if arch else []
    _patc(["--target=" + target, *chosen, *options, "-o", str(source), "--header=%s" % header, "--manifest=%s" % manifest,
           path], text, level=5)
    return [source, header, manifest]


def _folders(options: Sequence[str]) -> list[str]:
    """Those of -I."""
    joined = [o[2:] for o in options if o.startswith("-I") and len(o) > 2]
    return joined + [after for o, after in zip(options, options[1:]) if o == "-I"]


# ---- the compiler of the target ----

def _command(target: str, arch: str | None, flags: Sequence[str]) -> list[str]:
    _, variable, program, before, _, native, other = _TARGETS[target]
    words = shlex.split(os.environ.get(variable) or program)
    found = shutil.which(words[0])
    if not found:
        raise CompileError("the target %s needs a compiler, and there is no %s in PATH: %s names another one" %
                           (target, words[0], variable))
    machine = other % arch if arch and other and not arch.startswith("wave") else native
    return [found, *words[1:], *before.split(), *machine.split(), *flags]


def _read(file: Path) -> str:
    return file.read_text(**_TEXT)


def _stamps(*words: str) -> list[str]:
    """Of those that are programs: what changes with their version."""
    files = [os.path.realpath(found) for found in map(shutil.which, words) if found]
    return ["%s %d %d" % (f, os.stat(f).st_size, os.stat(f).st_mtime_ns) for f in files]


def _headers(source: Path, folders: list[str]) -> list[str]:
    """The texts of the user's headers, whose names are in quotes, and of what they include so."""
    texts: dict[Path, str] = {}
    left = [source]
    while left:
        file = left.pop()
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', _read(file), re.M):
            places = [Path(folder, name) for folder in ([] if file is source else [str(file.parent)]) + folders]
            header = next((p for p in places if p.exists()), None)
            if header and header not in texts:
                texts[header] = _read(header)
                left.append(header)
    return list(texts.values())


def _build(command: list[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **_TEXT)
    if done.returncode:
        raise CompileError("%s\n%s" % (shlex.join(command), done.stdout.rstrip("\n")))
