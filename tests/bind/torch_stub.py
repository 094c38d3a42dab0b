"""torch_stub.py FOLDER - what patc.torch tells PyTorch of kernels, by fake/torch.py in its place; torch_calls.py has the rest.

FOLDER holds every.py and libevery.so, for the target cpu."""
import sys

import numpy as np
import torch
from fails import fails

sys.path.insert(0, sys.argv[1])
import every  # noqa: E402
import patc.torch  # noqa: E402


def dev(values, dtype="f4"):
    return torch.from_numpy(np.array(values, dtype))


pick = patc.torch.operator(every.pick)
assert (pick.name, pick.schema) == ("patc::pick", "(Tensor x, Tensor at, *, SymInt? n=None, SymInt? m=None) -> Tensor")
assert not pick.mutates_args
x, at = dev([0.5, 1.5, 2.5]), dev([2, 0], "i4")
assert pick(x, at).numpy().tolist() == [2.5, 0.5]
# What torch.compile calls: nothing is computed, and a tensor without memory is enough.
x.data_ptr = at.data_ptr = None
made = pick.fake(x, at)
assert (made.shape, made.dtype, made.device) == ((2,), torch.float32, x.device)
del x.data_ptr, at.data_ptr
fails(TypeError, "x has the dtype float64, but f32[n] is float32", pick, dev([1], "f8"), at)
fails(TypeError, "x has the dtype float64, but f32[n] is float32", pick.fake, dev([1], "f8"), at)

double = patc.torch.operator(every.double_, "own::twice")
assert (double.name, double.schema) == ("own::twice", "(SymInt by, *, SymInt? n=None) -> Tensor")
assert double(3, n=4).numpy().tolist() == [0, 3, 6, 9] and double.fake(3, n=4).shape == (4,)
fails(TypeError, "the size n does not follow from the arrays", double.fake, 3)

types = patc.torch.operator(every.types)
assert types.schema.endswith("SymInt k, bool on, float w, Tensor(a17!) last, *, SymInt? n=None) -> Tensor"), types.schema
assert types.mutates_args == ["last"]
spots = patc.torch.operator(every.spots)
assert spots.schema == ("(Tensor p, Tensor(a1!) q_at, Tensor(a2!) q_kind, Tensor(a3!) q_lit, Tensor r, *, SymInt? n=None) -> Tensor")
fails(TypeError, "print is no kernel of a module that patc.load returned", patc.torch.operator, print)
