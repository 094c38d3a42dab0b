"""peers.py - patc's kernels beside PyTorch's, in one process on the same tensors.

    peers.py libkernels.so [WORK...]         works whose name contains one of these; default: all

Ours are called through the C interface with the tensors' pointers, on PyTorch's stream, and write
into tensors made outside the timing; so do PyTorch's where it has an `out`.  Both take turns,
sample by sample; a figure is the median of SAMPLES, +- half the distance between the quartiles.
What both made is compared first.  Sizes are larger than the L2 cache, and than what launching
costs.  A compiled stencil returns the inside of the array: ours is compared there.
"""
import ctypes
import sys

import torch

SAMPLES, WARM = 31, 5
lib, works = ctypes.CDLL(sys.argv[1]), sys.argv[2:] or [""]
device = "cuda"


def ours(name, sizes, *arguments):
    """A function that enqueues kernel `name`; its workspace is allocated here, once."""
    lib_workspace, call = getattr(lib, name + "_workspace"), getattr(lib, name)
    lib_workspace.restype = ctypes.c_size_t
    sizes = [ctypes.c_int64(n) for n in sizes]
    room = lib_workspace(*sizes)
    workspace = torch.empty(room + 256, dtype=torch.uint8, device=device)
    values = [ctypes.c_void_p(a.data_ptr()) if isinstance(a, torch.Tensor) else ctypes.c_float(a)
              for a in arguments]
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    every = [*sizes, *values, ctypes.c_void_p(workspace.data_ptr()), ctypes.c_size_t(room + 256),
             stream]

    def enqueue(keep=(workspace, arguments)):
        status = call(*every)
        if status:
            sys.exit(f"peers.py: {name} returned {status}")
    return enqueue


def sample(f):
    before, after = torch.cuda.Event(True), torch.cuda.Event(True)
    before.record()
    f()
    after.record()
    after.synchronize()
    return before.elapsed_time(after)


def summary(times):
    times = sorted(times)
    n = len(times)
    return times[n // 2], 50 * (times[n - 1 - n // 4] - times[n // 4]) / times[n // 2]


def row(work, size, unit, amount, mine, peer_name, peer, same):
    if not any(name in work for name in works):
        return
    mine()
    off = same(peer())
    for _ in range(WARM):
        mine(), peer()
    torch.cuda.synchronize()
    a, b = [], []
    for _ in range(SAMPLES):
        a.append(sample(mine))
        b.append(sample(peer))
    (a, spread_a), (b, spread_b) = summary(a), summary(b)
    print(f"| {work:22s} | {size:12s} | {a:9.4f} ±{spread_a:4.1f}% "
          f"| {amount / a * 1e-6:7.1f} {unit:7s} | {peer_name:22s} "
          f"| {b:9.4f} ±{spread_b:4.1f}% | {b / a:5.3f} |"
          + ("" if off <= 1 else " WRONG: ours and the peer differ"), flush=True)


def off(got, want, tolerance):
    return ((got - want).abs().max() / tolerance).item()


def five(x):
    return 0.5 * x[1:-1, 1:-1] + 0.125 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])


def seven(x):
    return 0.4 * x[1:-1, 1:-1, 1:-1] + 0.1 * (
        x[:-2, 1:-1, 1:-1] + x[2:, 1:-1, 1:-1] + x[1:-1, :-2, 1:-1] + x[1:-1, 2:, 1:-1]
        + x[1:-1, 1:-1, :-2] + x[1:-1, 1:-1, 2:])


def stepped(x):
    y = five(x)
    return y, (y - x[1:-1, 1:-1]).abs().max()


def chain(x):
    return torch.sqrt(x * x + 1) * torch.sin(x) + x


def layer(a, b, bias):
    return torch.nn.functional.gelu(a @ b + bias)


def attentions():
    from torch.nn.attention import SDPBackend, sdpa_kernel
    heads, n, half, full = 16, 8192, torch.bfloat16, torch.float32
    for work, name, d, kind, causal in (
            ("attention", "attend", 128, half, False),
            ("attention, exact exp", "attend_exact", 128, half, False),
            ("attention, causal", "attend_causal", 128, half, True),
            ("attention, head 64", "attend_64", 64, half, False),
            ("attention, f32", "attend_f32", 64, full, False),
            ("attention, f32, apart", "attend_f32_apart", 64, full, False)):
        if not any(name in work for name in works):
            continue
        q, k, v = (torch.randn(1, heads, n, d, device=device).to(kind) for _ in range(3))
        o = torch.empty_like(q)
        flop = 4 * heads * n * n * d / (2 if causal else 1)
        peers = (("efficient", SDPBackend.EFFICIENT_ATTENTION),) if kind == full else (
            ("flash", SDPBackend.FLASH_ATTENTION), ("cuDNN", SDPBackend.CUDNN_ATTENTION))
        for peer, backend in peers:
            def theirs(backend=backend):
                with sdpa_kernel(backend):
                    return torch.nn.functional.scaled_dot_product_attention(
                        q, k, v, is_causal=causal)
            row(work, f"{heads} x {n} x {d}", "TFLOP/s", flop * 1e-3,
                ours(name, (heads, n, n), q, k, v, o), f"PyTorch, {peer}", theirs,
                lambda want: off(o, want, 1e-4 if kind == full else 2e-2))


def products_e4m3():
    """Both operands along the terms; _scaled_mm adds in f32 as ours does."""
    one = torch.ones(1, device=device)
    for n in 4096, 8192:
        a, b = (torch.randn(n, n, device=device).to(torch.float8_e4m3fn) for _ in range(2))
        c = torch.empty(n, n, device=device, dtype=torch.bfloat16)
        row("product, f8e4m3", f"{n}^3", "TFLOP/s", 2e-3 * n ** 3,
            ours("along_e4m3", (n, n, n), a, b, c), "_scaled_mm",
            lambda: torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, use_fast_accum=False,
                                     out_dtype=torch.bfloat16),
            lambda want: off(c.float(), want.float(), 0.02 * n ** 0.5))


def convolutions():
    """3 x 3, channels last, beside cuDNN's fastest algorithm; of f32 without tf32."""
    torch.backends.cudnn.benchmark, torch.backends.cudnn.allow_tf32 = True, False
    for dtype, name in (torch.bfloat16, "bf16"), (torch.float32, "f32"):
        for n, h, c in (32, 128, 64), (32, 64, 128), (32, 32, 256):
            x = torch.randn(n, h, h, c, device=device).to(dtype)
            f = (torch.randn(c, 3, 3, c, device=device) / (9 * c) ** 0.5).to(dtype)
            y, views = torch.empty_like(x), (x.permute(0, 3, 1, 2), f.permute(0, 3, 1, 2))
            row("convolution 3 x 3", f"{n}, {h}^2, {c} {name}", "TFLOP/s",
                18e-3 * n * h * h * c * c,
                ours("convolution_" + name, (n, h, h, c, c), x, f, y), "cuDNN",
                lambda: torch.nn.functional.conv2d(*views, padding=1),
                lambda want: off(y, want.permute(0, 2, 3, 1), 0.05))


def main():
    print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}\n")
    print(f"| {'work':22s} | {'size':12s} | {'ours, ms':16s} | {'ours':15s} | {'peer':22s} "
          f"| {'peer, ms':16s} | ratio |")
    print("|---|---|---|---|---|---|---|")
    attentions()
    products_e4m3()
    for n in (8192, 16384):
        torch._dynamo.reset()                    # or a second size is compiled for every size
        x = torch.rand(n, n, device=device) - 0.5
        y, s = torch.empty_like(x), torch.empty(n, device=device)
        one = torch.empty(1, device=device)
        size, cells = f"{n}^2 f32", n * n
        inside, changed = torch.compile(five, dynamic=False), torch.compile(stepped, dynamic=False)
        row("five", size, "Gcell/s", cells, ours("five", (n, n), x, y), "torch.compile",
            lambda: inside(x), lambda want: off(y[1:-1, 1:-1], want, 1e-6))
        row("five, inside", size, "Gcell/s", cells, ours("five_inside", (n, n), x, y),
            "torch.compile", lambda: inside(x), lambda want: off(y[1:-1, 1:-1], want, 1e-6))
        row("five + max of change", size, "Gcell/s", cells, ours("five_change", (n, n), x, y, one),
            "torch.compile", lambda: changed(x), lambda want: off(y[1:-1, 1:-1], want[0], 1e-6))
        compiled = torch.compile(chain, dynamic=False)
        row("chain", size, "GB/s", 8 * cells, ours("chain", (cells,), x, y), "torch.compile",
            lambda: compiled(x), lambda want: off(y, want, 1e-5))
        row("row sums", size, "GB/s", 4 * cells, ours("rows", (n, n), x, s), "torch.sum",
            lambda: torch.sum(x, 1), lambda want: off(s, want, 1e-3))
        row("column sums", size, "GB/s", 4 * cells, ours("columns", (n, n), x, s), "torch.sum",
            lambda: torch.sum(x, 0), lambda want: off(s, want, 1e-3))
        # one read and one write of every cell is the least
        softmax = torch.compile(lambda x: torch.softmax(x, 1), dynamic=False)
        row("softmax of rows", size, "GB/s", 8 * cells, ours("softmax", (n, n), x, y),
            "torch.softmax", lambda: torch.softmax(x, 1), lambda want: off(y, want, 1e-9))
        row("softmax of rows", size, "GB/s", 8 * cells, ours("softmax", (n, n), x, y),
            "torch.compile", lambda: softmax(x), lambda want: off(y, want, 1e-9))
        row("scan", size, "GB/s", 8 * cells, ours("scan_f32", (cells,), x, y), "torch.cumsum",
            lambda: torch.cumsum(x.view(-1), 0), lambda want: off(y.view(-1), want, 1.0))
        row("scan of rows", size, "GB/s", 8 * cells, ours("scan_rows_f32", (n, n), x, y),
            "torch.cumsum", lambda: torch.cumsum(x, 1), lambda want: off(y, want, 1e-2))
        row("scan of columns", size, "GB/s", 8 * cells, ours("scan_columns_f32", (n, n), x, y),
            "torch.cumsum", lambda: torch.cumsum(x, 0), lambda want: off(y, want, 1e-2))
        row("sum", size, "GB/s", 4 * cells, ours("sum_f32", (cells,), x, one), "torch.sum",
            lambda: torch.sum(x), lambda want: off(one[0], want, 1.0))
    for n, m in (1 << 22, 32), (1 << 17, 1001), (8192, 32768), (8192, 50257), (512, 131072):
        x = torch.randn(n, m, device=device)
        y, size = torch.empty_like(x), f"{n} x {m} f32"
        for work, name, eager in (("softmax of rows", "softmax", lambda x: torch.softmax(x, 1)),
                                  ("layer-norm of rows", "normalise",
                                   lambda x: torch.nn.functional.layer_norm(x, (x.shape[1],)))):
            compiled = torch.compile(eager, dynamic=False)
            row(work, size, "GB/s", 8 * n * m, ours(name, (n, m), x, y), "torch", lambda: eager(x),
                lambda want: off(y, want, 1e-4))
            row(work, size, "GB/s", 8 * n * m, ours(name, (n, m), x, y), "torch.compile",
                lambda: compiled(x), lambda want: off(y, want, 1e-4))
    n = 1 << 26
    for m in (1 << 20, 1 << 22, 1 << 24):
        k = torch.randint(m, (n,), dtype=torch.int32, device=device)
        x, y = torch.rand(m, device=device), torch.empty(n, device=device)
        size = f"2^26 of 2^{m.bit_length() - 1}"
        row("gather", size, "Gcell/s", n, ours("gather_f32", (n, m), k, x, y), "torch.index_select",
            lambda: torch.index_select(x, 0, k), lambda want: off(y, want, 1e-30))
        x = torch.randint(-1, 2, (n,), device=device).float()
        y, sums = torch.zeros(m, device=device), torch.zeros(m, device=device)
        row("scatter +", size, "Gcell/s", n, ours("scatter_f32", (n, m), k, x, y),
            "torch.index_add_", lambda: sums.index_add_(0, k, x), lambda want: off(y, want, 1e-30))
    for n in (1 << 20, 1 << 26):
        x, size = torch.randn(n, device=device), f"2^{n.bit_length() - 1} f32"
        at, one = torch.empty(n, dtype=torch.int32, device=device), torch.empty(1, device=device)
        row("first 256", size, "GB/s", 4 * n, ours("first_256", (n,), x, at), "torch.topk",
            lambda: torch.topk(x, 256), lambda want: off(x[at[:256].long()], want.values, 1e-30))
        row("median", size, "GB/s", 4 * n, ours("median_f32", (n,), x, one), "torch.median",
            lambda: torch.median(x), lambda want: off(one[0], want, 1e-30))
    for n, m in (1 << 16, 1024), (8192, 8192), (512, 131072):
        x, size = torch.randn(n, m, device=device), f"{n} x {m} f32"
        at = torch.empty(n, m, dtype=torch.int32, device=device)
        some = torch.empty(n, device=device)
        for k in (8, 64, 256):
            row(f"first {k} of rows", size, "GB/s", 4 * n * m,
                ours(f"first_{k}_of_rows", (n, m), x, at), "torch.topk",
                lambda k=k: torch.topk(x, k, 1),
                lambda want, k=k: off(x.gather(1, at[:, :k].long()), want.values, 1e-30))
        y = torch.randn(n, device=device)
        row("nearest 8 of rows", size, "GB/s", 4 * n * m,
            ours("nearest_8_of_rows", (n, m), x, y, at), "torch.topk",
            lambda: torch.topk((x - y[:, None]).abs(), 8, 1, largest=False),
            lambda want: off((x - y[:, None]).abs().gather(1, at[:, :8].long()), want.values,
                             1e-30))
        row("median of rows", size, "GB/s", 4 * n * m, ours("median_of_rows", (n, m), x, some),
            "torch.median", lambda: torch.median(x, 1),
            lambda want: off(some, want.values, 1e-30))
    n = 1 << 27
    x = torch.rand(n, device=device) - 0.5
    for m in (256, 1024, 65536):
        bins = torch.zeros(m, dtype=torch.int32, device=device)
        row("histogram", f"2^27, {m}", "GB/s", 4 * n,
            ours("histogram_f32", (n, m), x, bins, float(m)), "torch.histc",
            lambda: torch.histc(x, m, -0.5, 0.5), lambda want: off(bins, want, 1.0))
    torch.backends.cuda.matmul.allow_tf32 = False
    for n in (1024, 4096, 8192):
        torch._dynamo.reset()
        a, b = torch.rand(n, n, device=device) - 0.5, torch.rand(n, n, device=device) - 0.5
        c = torch.empty(n, n, device=device)
        bias, compiled = torch.rand(n, device=device), torch.compile(layer, dynamic=False)
        row("product, bias, gelu", f"{n}^3 f32", "GFLOP/s", 2 * n ** 3,
            ours("layer_f32", (n, n, n), a, b, bias, c), "torch.compile, no tf32",
            lambda: compiled(a, b, bias), lambda want: off(c, want, 1e-3))
    for n in (256, 640):
        torch._dynamo.reset()
        x = torch.rand(n, n, n, device=device) - 0.5
        y = torch.empty_like(x)
        compiled = torch.compile(seven, dynamic=False)
        row("seven", f"{n}^3 f32", "Gcell/s", n ** 3, ours("seven", (n, n, n), x, y),
            "torch.compile", lambda: compiled(x), lambda want: off(y[1:-1, 1:-1, 1:-1], want, 1e-6))
    convolutions()


main()
