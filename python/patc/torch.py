"""Kernels as operators of PyTorch, which torch.compile and torch.export do not look into: see patc-python(7)."""
from __future__ import annotations

import inspect
from typing import Any, Callable

import torch

__all__ = ["operator"]


def operator(function: Callable[..., Any], name: str | None = None) -> Any:
    """The operator patc::NAME of a kernel, a function of a module that `patc.load` returned.

    It is what torch.library.custom_op returns.  It takes what the kernel reads, and its sizes by name, returns new tensors,
    and changes those that are `inout`."""
    kernel = getattr(function, "_kernel", None)
    if kernel is None:
        raise TypeError("%s is no kernel of a module that patc.load returned" % getattr(function, "__name__", function))
    its = function.__globals__
    gpu = its["_MANIFEST"]["gpu"]
    sizes = [p for p in inspect.signature(function).parameters.values() if p.kind == p.KEYWORD_ONLY][:len(kernel.sizes)]

    def new(reads: tuple[Any, ...], given: dict[str, int | None]) -> list[torch.Tensor]:
        """The results, not computed: what follows from types and shapes alone, also where tensors have no memory."""
        values, like, views = iter(reads), None, []
        for a in kernel.arguments:
            x = None if a.mode == "out" else next(values)
            views.append(its["_of_torch"](x, 0) if isinstance(x, torch.Tensor) else None)
            if a.pointer and a.mode != "out":
                kernel.check(a, views[-1], x, gpu)
                like = x if like is None else like
        n = kernel.bound(views, tuple(given.get(p.name) for p in sizes))
        maker = its["_Torch"](torch.empty(0, device="cuda" if gpu else "cpu") if like is None else like)
        return [kernel.factory(kernel.arguments[k], n, maker)() for k in kernel.results]

    def returned(results: list[torch.Tensor]) -> Any:
        return results[0] if len(results) == 1 else tuple(results) or None

    def run(*reads: Any, **given: int | None) -> Any:
        results = new(reads, given)
        function(*reads, *results, **given)
        return returned(results)

    made = torch.library.custom_op(name or "patc::" + function.__name__, run, mutates_args=_changed(function, kernel),
                                   schema=_schema(function, kernel, sizes))
    made.register_fake(lambda *reads, **given: returned(new(reads, given)))
    return made


def _reads(function: Callable[..., Any], kernel: Any) -> list[tuple[str, Any]]:
    """The names of the parameters that are read, and what they are."""
    return list(zip(inspect.signature(function).parameters, (a for a in kernel.arguments if a.mode != "out")))


def _changed(function: Callable[..., Any], kernel: Any) -> list[str]:
    return [name for name, a in _reads(function, kernel) if a.mode == "inout"]


def _schema(function: Callable[..., Any], kernel: Any, sizes: list[inspect.Parameter]) -> str:
    def kind(name: str, a: Any, alias: int) -> str:
        if a.pointer:
            return "Tensor(a%d!)" % alias if a.mode == "inout" else "Tensor"
        if a.names is None:
            raise TypeError("%s: an operator of PyTorch takes no struct by value, as %s is" % (kernel.name, name))
        return "bool" if a.type == "bool" else "SymInt" if a.type[0] in "iu" else "float"
    given = ["%s %s" % (kind(name, a, k), name) for k, (name, a) in enumerate(_reads(function, kernel))]
    given += ["*"] * bool(sizes) + ["SymInt? %s=None" % p.name for p in sizes]
    results = ["Tensor"] * len(kernel.results)
    return "(%s) -> %s" % (", ".join(given), results[0] if len(results) == 1 else "(%s)" % ", ".join(results))
