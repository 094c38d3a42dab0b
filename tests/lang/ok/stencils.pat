const W: f32[5] = [1, 4, 6, 4, 1];
struct Cell { f: f32[3], s: f32 }
kernel stencils(a: f32[n], b: f32[n, m], v: f32[m], c: Cell[n, m], vol: f32[n, m, l], inout keep_: f32[n, m],
                out y: f32[n], out z: f32[n, m], out q: f32[n, m, l], out o: Cell[n, m]) {
	stencil y[i] = 0.5 * (a[i-1] + a[i+1]) boundary wrap;
	stencil y[i] = a[i-2] + a[i+2] for i in 2..n-2;
	stencil y[i] = a[i-7] boundary mirror;
	stencil y[i] = a[i+1] boundary reflect;
	stencil y[i] = a[i+1] + y[i] boundary 0;
	stencil y[i] = a[i+1] boundary constant -1.5;
	stencil y[i] = a[i-1] boundary (i < 0 ? 1 : 2);
	stencil z[i, j] = b[i-1, j] + b[i, j+1] * v[j] + v[j-1] boundary (wrap, clamp);
	stencil z[i, j] = b[i-1, j-1] + b[0, j] boundary (0, reflect);
	stencil keep_[i, j] = b[i-1, j] boundary keep;
	stencil q[i, j, k] = vol[i-1, j, k] + vol[i, j-1, k] + vol[i, j, k-1] boundary clamp where i % 2 == 0;
	stencil o[i, j].s = c[i-1, j].f[2] + c[i, j+1].s boundary clamp;
	stencil keep_[i, j] = 0.25 * (keep_[i-1, j] + keep_[i+1, j]) for i in 1..n-1 where (i + j) % 2 == 0;
	stencil y[i] = (i > 0 ? a[i-1] : 0);
}
