"""torch_calls.py FOLDER - kernels as operators of PyTorch: what they compute, what torch.compile knows of them.

FOLDER holds every.py, which `patc bind` made of every.pat, and libevery.so."""
import sys

import torch
from fails import fails

sys.path.insert(0, sys.argv[1])
import every  # noqa: E402
import patc.torch  # noqa: E402

DEVICE = "cuda" if every._MANIFEST["gpu"] else "cpu"


def dev(*values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype, device=DEVICE)


pick, double = patc.torch.operator(every.pick), patc.torch.operator(every.double_)
types = patc.torch.operator(every.types, "own::all_types")
layouts = patc.torch.operator(every.layouts)
assert torch.ops.patc.pick and torch.ops.own.all_types
names = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3fn float8_e5m2 float32"


def all_types(n):
    return [torch.zeros(n, device=DEVICE).to(getattr(torch, name)) for name in names.split()]


n, m = 4, 8
matrix = torch.arange(n * m, dtype=torch.float64, device=DEVICE).reshape(n, m)
wide = torch.zeros(n, m + 3, dtype=torch.float64, device=DEVICE)
odd = torch.zeros(2 * n + 1, dtype=torch.int32, device=DEVICE)
calls = [
    (pick, (dev(0.5, 1.5, 2.5), dev(2, 0, dtype=torch.int32)), {}),
    (double, (3,), {"n": 4}),
    (types, (*all_types(3), 5, True, 1.5, dev(2, dtype=torch.float64)[0]), {}),
    (layouts, (matrix, matrix.t().contiguous().t(), wide[:, :m], torch.zeros_like(matrix).flatten(), odd), {}),
]
for op, given, sizes in calls:
    # PyTorch has no arithmetic of float8, which the test of the schema needs
    tests = ["test_faketensor", "test_aot_dispatch_dynamic"] + ["test_schema"] * (op is not types)
    torch.library.opcheck(op, given, sizes, test_utils=tests)
assert pick(*calls[0][1]).tolist() == [2.5, 0.5]
assert double(3, n=4).tolist() == [0, 3, 6, 9]
last = dev(2, dtype=torch.float64)[0]
assert types(*all_types(3), 5, True, 1.5, last).tolist() == [8.5] * 3 and last.item() == 2 + 3 * 8.5
assert layouts(*calls[3][1]).equal(11 * matrix)

# ---- torch.compile: no break of the graph, also where an operator changes a tensor and where sizes are not known ----


def step(x, at, last):
    y = pick(x * 2, at) + 1
    z = types(*all_types(3), 5, True, 1.5, last)
    return y, z + last


for dynamic in False, True:
    compiled = torch.compile(step, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    for n in 3, 5, 8:
        x, at = torch.arange(n, device=DEVICE) + 0.5, torch.arange(n - 1, device=DEVICE, dtype=torch.int32)
        one, two = (dev(2, dtype=torch.float64)[0] for _ in range(2))
        assert all(a.equal(b) for a, b in zip(step(x, at, one), compiled(x, at, two))) and one.equal(two)


class Step(torch.nn.Module):
    def forward(self, x, at):
        return pick(x, at) + 1


graph = torch.export.export(Step(), calls[0][1]).graph
assert [n.target for n in graph.nodes if n.op == "call_function"][0] == torch.ops.patc.pick.default

# ---- a gradient of the user's, and what is wrong ----
pick.register_autograd(lambda ctx, g: (torch.zeros(3, device=DEVICE).index_add(0, ctx.at, g), None),
                       setup_context=lambda ctx, inputs, keyword_only_inputs, output: setattr(ctx, "at", inputs[1]))
x = dev(0.5, 1.5, 2.5).requires_grad_()
pick(x, dev(2, 2, dtype=torch.int32)).sum().backward()
assert x.grad.tolist() == [0, 0, 2]
fails(TypeError, "print is no kernel", patc.torch.operator, print)
fails(TypeError, "x has the dtype float64, but f32[n] is float32", pick, matrix[0], dev(2, dtype=torch.int32))
